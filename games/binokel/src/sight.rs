//! What a viewer sees, knows and may do.

use std::sync::Arc;

use parlor_kernel::{Seat, Viewer};

use crate::board::{Board, Phase};
use crate::cards::{CardSet, Suit};
use crate::event::{
    Action, BiddingWonSeen, CardPlayed, DabbSeen, DealSeen, DiscardSeen, Event, Seen,
};
use crate::holding::Holding;
use crate::knowledge::Knowledge;
use crate::rules::{DabbShown, Rules};
use crate::seats::{Each, all_seats, at};
use crate::state::State;

/// What happens in front of everyone.
#[inline(always)]
pub(crate) fn see_alike(event: &Event) -> Option<Seen> {
    // Most events are this one, as in `apply`.
    if let Event::CardPlayed(play) = event {
        return Some(Seen::CardPlayed(*play));
    }
    Some(match event {
        Event::NewRoundStarted(start) => Seen::NewRoundStarted(*start),
        Event::BidPlaced(bid) => Seen::BidPlaced(*bid),
        Event::PlayerPassed(passed) => Seen::PlayerPassed(*passed),
        Event::GoingOut(named) => Seen::GoingOut(*named),
        Event::TrumpDeclared(named) => Seen::TrumpDeclared(*named),
        Event::SpecialAnnounced(announced) => Seen::SpecialAnnounced(*announced),
        Event::MeldsDeclared(declared) => Seen::MeldsDeclared(*declared),
        Event::MeldingComplete(complete) => Seen::MeldingComplete(*complete),
        Event::CardPlayed(play) => Seen::CardPlayed(*play),
        Event::TrickWon(won) => Seen::TrickWon(*won),
        Event::RoundScored(scored) => Seen::RoundScored(*scored),
        Event::GameFinished(finished) => Seen::GameFinished(Arc::clone(finished)),
        Event::GameTerminated(terminated) => Seen::GameTerminated(Arc::clone(terminated)),
        Event::GameStarted(_)
        | Event::CardsDealt(_)
        | Event::BiddingWon(_)
        | Event::DabbTaken(_)
        | Event::CardsDiscarded(_) => return None,
    })
}

/// Hands are for their seats, the dabb for its taker or for all, what is laid
/// away for who did; the seed is for nobody before the game is over.
pub(crate) fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
    let table = state.table.as_ref()?;
    let dabb_open = |seat| viewer.shares(seat) || table.rules.dabb_shown == DabbShown::All;
    Some(match event {
        Event::GameStarted(_) => Seen::GameStarted(Arc::clone(table)),
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
                cards.and(buried_trumps(&state.board, &table.rules))
            };
            let unknown = cards.without(shown).len() as u8;
            Seen::CardsDiscarded(DiscardSeen {
                seat: discarded.seat,
                discarded_cards: Holding { known: shown, unknown },
            })
        }
        everyone_sees => return see_alike(everyone_sees),
    })
}

/// The cards that are shown when they are laid away.
fn buried_trumps(board: &Board, rules: &Rules) -> CardSet {
    match board.trump {
        Some(trump) if rules.buried_trumps_shown => CardSet::of_suit(trump),
        _ => CardSet::EMPTY,
    }
}

pub(crate) fn unaware(viewer: Viewer) -> Knowledge {
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
pub(crate) fn learn(knowledge: &mut Knowledge, seen: &Seen) {
    let Knowledge { table, board, hands, dabb, laid_away, lacks, not_laid_away, .. } = knowledge;
    let Some(table) = table else {
        if let Seen::GameStarted(opened) = seen {
            board.open(opened);
            *table = Some(Arc::clone(opened));
        }
        return;
    };
    let rules = &table.rules;
    // As in `see`: most of what is seen is this.
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

/// rules §5 leaves little choice, so a card tells what its player does not have.
#[inline]
fn rule_out(board: &Board, lacks: &mut [CardSet; 4], play: CardPlayed, rules: &Rules) {
    let exempt = board.is_exempt(play.seat, rules);
    let ruled_out = board.trick.ruled_out_by(play.card, board.trumps(), exempt);
    lacks[at(play.seat)] = lacks[at(play.seat)].or(ruled_out);
}

#[inline]
pub(crate) fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let Some(table) = knowledge.table.as_deref() else { return };
    let Some((seat, hand)) = knowledge.own_hand() else { return };
    moves(&knowledge.board, &table.rules, seat, hand, out);
}

/// Each move in its plainest form: the lowest bid, and of what can be laid
/// away every run of neighbours in hand. Any higher bid and any other cards
/// are as good, see [`plain`].
#[inline]
pub(crate) fn moves(
    board: &Board,
    rules: &Rules,
    seat: Seat,
    hand: CardSet,
    out: &mut Vec<Action>,
) {
    if !board.awaited().contains(seat) {
        return;
    }
    match board.phase {
        Phase::Bidding { .. } => {
            if board.auction.may_pass(rules) {
                out.push(Action::Pass);
            }
            out.extend(board.auction.least(rules).map(|amount| Action::Bid { amount }));
        }
        Phase::TakingDabb => out.push(Action::TakeDabb),
        Phase::LayingAway => {
            let count = u32::from(rules.dabb(board.players));
            let runs = (0..=hand.len().saturating_sub(count)).map(|from| hand.skip(from));
            out.extend(runs.map(|run| Action::Discard { cards: run.take(count) }));
            out.extend(board.ways_out().map(|suit| Action::GoOut { suit }));
        }
        Phase::NamingTrump => {
            out.extend(Suit::ALL.map(|suit| Action::DeclareTrump { suit }));
            out.extend(board.specials(rules).map(|special| Action::Announce { special }));
        }
        Phase::Melding { .. } => out.push(Action::DeclareMelds),
        Phase::Tricks { .. } => {
            let legal = board.legal(seat, hand, rules);
            out.extend(legal.iter().map(|card| Action::PlayCard { card }));
        }
        Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => {}
    }
}

/// The action in the form [`options`] has it: a legal bid as the lowest, cards
/// laid away as the run of neighbours in hand that begins with their first.
pub(crate) fn plain(knowledge: &Knowledge, action: &Action) -> Action {
    let (board, Some(table)) = (&knowledge.board, &knowledge.table) else { return *action };
    let rules = &table.rules;
    match (*action, board.auction.least(rules), knowledge.own_hand()) {
        (Action::Bid { amount }, Some(least), _) if board.auction.takes(amount, rules) => {
            Action::Bid { amount: least }
        }
        (Action::Discard { cards }, _, Some((_, hand)))
            if hand.holds(cards) && cards.len() == u32::from(rules.dabb(board.players)) =>
        {
            let lower = |first| hand.iter().take_while(|card| *card != first).count();
            let from = cards.first().map_or(0, lower);
            Action::Discard { cards: hand.skip(from as u32).take(cards.len()) }
        }
        _ => *action,
    }
}

/// rules §8: anyone may end the game for all while it is played.
pub(crate) fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
    if knowledge.own_hand().is_some() && knowledge.board.phase.is_active() {
        out.push(Action::Exit);
    }
}
