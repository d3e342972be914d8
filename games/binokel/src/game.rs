//! The rules as the kernel asks for them. What an action makes happen is in
//! `play`, what happens on the board in `board`, what may be done in `sight`. The
//! next round is dealt in the step that ends the last one, so the house is never
//! awaited.

use std::ops::RangeInclusive;
use std::sync::Arc;

use parlor_kernel::{Awaiting, Dice, Game, Opened, Opening, Quick, Seat, Viewer};

use crate::board::{Board, Phase};
use crate::cards::CardSet;
use crate::deal::{deal, first_dealer};
use crate::event::{
    Action, BiddingWonSeen, DabbSeen, DealSeen, DiscardSeen, Event, GameStarted, Seen,
};
use crate::holding::Holding;
use crate::knowledge::Knowledge;
use crate::play::Turn;
use crate::refusal::{Refusal, Why};
use crate::rules::{DabbShown, Rules};
use crate::seats::{Each, all_seats, at};
use crate::setup::{GameSetup, players};
use crate::sight::{buried_trumps, moves, rule_out};
use crate::state::State;

/// Binokel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binokel;

impl Game for Binokel {
    const NAME: &'static str = "binokel";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(_: &Rules) -> RangeInclusive<usize> {
        2..=4
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        let players = opening.seats.len().clamp(2, 4) as u8;
        let dealt = deal(1, players, &opening.rules, dice);
        let dealer = first_dealer(players);
        out.push(Event::GameStarted(Arc::new(GameStarted { opening, dealer })));
        out.push(Event::CardsDealt(dealt));
    }

    #[inline]
    fn opened(state: &State) -> Option<&Opened<Rules>> {
        state.opened.as_ref()
    }

    #[inline]
    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let turn = Turn { state, board: &state.board, seat };
        let decided = match *action {
            _ if seat.0 >= state.board.players => Err(Why::NotYourTurn),
            Action::Bid { amount } => turn.bid(amount, out),
            Action::Pass => turn.pass(dice, out),
            Action::TakeDabb => turn.take_dabb(out),
            Action::Discard { cards } => turn.discard(cards, out),
            Action::GoOut { suit } => turn.go_out(suit, out),
            Action::DeclareTrump { suit } => turn.declare_trump(suit, out),
            Action::Announce { special } => turn.announce(special, out),
            Action::DeclareMelds => turn.declare_melds(dice, out),
            Action::PlayCard { card } => turn.play_card(card, dice, out),
            Action::Exit => turn.exit(out),
        };
        let going_out = matches!(action, Action::GoOut { .. });
        decided.map_err(|why| Refusal { why, going_out })
    }

    #[inline]
    fn apply(state: &mut State, event: &Event) {
        let State { opened, board, hands, dabb, laid_away } = state;
        // Most events are this one; the others need not be looked through for it.
        if let Event::CardPlayed(play) = event {
            hands[at(play.seat)].remove(play.card);
            board.play(play.seat, play.card);
            return;
        }
        let Some(opened) = opened else {
            if let Event::GameStarted(start) = event {
                let by = Opened::of(&start.opening);
                board.open(players(&by.setup), start.dealer);
                *opened = Some(by);
            }
            return;
        };
        let rules = opened.rules();
        match event {
            Event::GameStarted(_) | Event::CardPlayed(_) => {}
            Event::NewRoundStarted(start) => board.start_round(*start),
            Event::CardsDealt(dealt) => {
                *hands = dealt.hands.all();
                *dabb = dealt.dabb;
                *laid_away = CardSet::EMPTY;
            }
            Event::BidPlaced(bid) => board.bid(*bid, rules),
            Event::PlayerPassed(passed) => board.pass(passed.seat, rules),
            Event::BiddingWon(_) => {}
            Event::DabbTaken(taken) => {
                hands[at(taken.seat)] = hands[at(taken.seat)].or(taken.dabb_cards);
                *dabb = CardSet::EMPTY;
                board.take_dabb(rules);
            }
            Event::CardsDiscarded(discarded) => {
                let hand = &mut hands[at(discarded.seat)];
                *hand = hand.without(discarded.discarded_cards);
                *laid_away = discarded.discarded_cards;
                board.lay_away(rules);
            }
            Event::GoingOut(named) => board.go_out(named.suit),
            Event::TrumpDeclared(named) => board.name_trump(named.suit, rules),
            Event::SpecialAnnounced(announced) => board.announce(announced.special, rules),
            Event::MeldsDeclared(declared) => board.meld(*declared),
            Event::MeldingComplete(_) => board.end_melding(rules),
            Event::TrickWon(won) => board.win_trick(*won),
            Event::RoundScored(scored) => board.score(*scored),
            Event::GameFinished(finished) => board.finish(Arc::clone(finished)),
            Event::GameTerminated(terminated) => board.terminate(Arc::clone(terminated)),
        }
    }

    #[inline]
    fn awaiting(state: &State) -> Awaiting {
        let kind = match state.board.phase {
            Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => {
                return Awaiting::Nobody;
            }
            Phase::Bidding { .. } => "AWAITING_BID",
            Phase::TakingDabb => "AWAITING_TAKE_DABB",
            Phase::LayingAway => "AWAITING_DISCARD",
            Phase::NamingTrump => "AWAITING_TRUMP",
            Phase::Melding { .. } => "AWAITING_MELDS",
            Phase::Tricks { .. } => "AWAITING_CARD",
        };
        Awaiting::Seats { seats: state.board.awaited(), kind }
    }

    /// Hands are for their seats, the dabb for its taker or for all, what is
    /// laid away for who did; the seed is for nobody before the game is over.
    #[inline(always)]
    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        let Opened { setup, .. } = state.opened.as_ref()?;
        let rules = &setup.rules;
        let dabb_open = |seat| viewer.shares(seat) || rules.dabb_shown == DabbShown::All;
        Some(match event {
            Event::GameStarted(start) => {
                let (setup, dealer) = (Arc::clone(setup), start.dealer);
                Seen::GameStarted(Arc::new(GameSetup { setup, dealer }))
            }
            Event::CardsDealt(dealt) => {
                let hand = |seat: u8| {
                    Holding::seen_if(viewer.shares(Seat(seat)), dealt.hands.get(seat.into()))
                };
                Seen::CardsDealt(DealSeen {
                    hands: Each::of(state.board.players, [0, 1, 2, 3].map(hand)),
                    dabb: Holding::seen_if(viewer.sees_all(), dealt.dabb),
                })
            }
            Event::BiddingWon(won) => Seen::BiddingWon(BiddingWonSeen {
                seat: won.seat,
                winning_bid: won.winning_bid,
                dabb: Holding::seen_if(dabb_open(won.seat), won.dabb),
            }),
            Event::DabbTaken(taken) => Seen::DabbTaken(DabbSeen {
                seat: taken.seat,
                dabb_cards: Holding::seen_if(dabb_open(taken.seat), taken.dabb_cards),
            }),
            Event::CardsDiscarded(discarded) => {
                let cards = discarded.discarded_cards;
                let shown = if viewer.shares(discarded.seat) {
                    cards
                } else {
                    cards.and(buried_trumps(&state.board, rules))
                };
                let unknown = cards.without(shown).len() as u8;
                Seen::CardsDiscarded(DiscardSeen {
                    seat: discarded.seat,
                    discarded_cards: Holding { known: shown, unknown },
                })
            }
            everyone_sees => return Binokel::see_alike(everyone_sees),
        })
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        Knowledge {
            viewer,
            table: None,
            board: Board::default(),
            hands: [Holding::default(); 4],
            dabb: Holding::default(),
            laid_away: Holding::default(),
            lacks: [CardSet::EMPTY; 4],
            not_laid_away: CardSet::EMPTY,
        }
    }

    #[inline(always)]
    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        let Knowledge { table, board, hands, dabb, laid_away, lacks, not_laid_away, .. } =
            knowledge;
        let Some(table) = table else {
            if let Seen::GameStarted(opened) = seen {
                board.open(opened.players(), opened.dealer);
                *table = Some(Arc::clone(opened));
            }
            return;
        };
        let rules = &table.setup.rules;
        // As in `apply`: most of what is seen is this.
        if let Seen::CardPlayed(play) = seen {
            rule_out(board, lacks, *play, rules);
            hands[at(play.seat)].lose(play.card);
            board.play(play.seat, play.card);
            return;
        }
        match seen {
            Seen::GameStarted(_) | Seen::CardPlayed(_) => {}
            Seen::NewRoundStarted(start) => board.start_round(*start),
            Seen::CardsDealt(dealt) => {
                *hands = dealt.hands.all();
                *dabb = dealt.dabb;
                *laid_away = Holding::default();
                *lacks = [CardSet::EMPTY; 4];
                *not_laid_away = CardSet::EMPTY;
            }
            Seen::BidPlaced(bid) => board.bid(*bid, rules),
            Seen::PlayerPassed(passed) => board.pass(passed.seat, rules),
            Seen::BiddingWon(won) => *dabb = won.dabb,
            Seen::DabbTaken(taken) => {
                hands[at(taken.seat)].gain(taken.dabb_cards);
                *dabb = Holding::default();
                for other in all_seats(board.players).filter(|seat| *seat != taken.seat) {
                    lacks[at(other)] = taken.dabb_cards.known;
                }
                board.take_dabb(rules);
            }
            Seen::CardsDiscarded(discarded) => {
                hands[at(discarded.seat)].part_with(discarded.discarded_cards);
                *laid_away = discarded.discarded_cards;
                *not_laid_away = buried_trumps(board, rules);
                board.lay_away(rules);
            }
            Seen::GoingOut(named) => board.go_out(named.suit),
            Seen::TrumpDeclared(named) => board.name_trump(named.suit, rules),
            Seen::SpecialAnnounced(announced) => board.announce(announced.special, rules),
            Seen::MeldsDeclared(declared) => {
                hands[at(declared.seat)].show(declared.cards);
                board.meld(*declared);
            }
            Seen::MeldingComplete(_) => board.end_melding(rules),
            Seen::TrickWon(won) => board.win_trick(*won),
            Seen::RoundScored(scored) => board.score(*scored),
            Seen::GameFinished(finished) => board.finish(Arc::clone(finished)),
            Seen::GameTerminated(terminated) => board.terminate(Arc::clone(terminated)),
        }
    }

    #[inline]
    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        let Some(table) = knowledge.table.as_deref() else { return };
        let Some((seat, hand)) = knowledge.own_hand() else { return };
        moves(&knowledge.board, &table.setup.rules, seat, hand, out);
    }
}
