//! The truth: how events fold into it, and whom it waits for.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{Awaiting, Seal, Seat};

use crate::board::{Board, Phase, TableCard};
use crate::cards::{Card, CardSet, Suit};
use crate::event::{Action, Event};
use crate::seats::at;

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules and players.
    pub table: Option<Arc<TableCard>>,
    /// The sealed seed.
    pub seal: Option<Arc<Seal>>,
    /// What everyone sees.
    pub board: Board,
    /// Each seat's hand.
    pub hands: [CardSet; 4],
    /// The dabb, until it is taken.
    pub dabb: CardSet,
    /// What the declarer laid away.
    pub laid_away: CardSet,
}

#[inline]
pub(crate) fn apply(state: &mut State, event: &Event) {
    let State { table, seal, board, hands, dabb, laid_away } = state;
    // Most events are this one; the others need not be looked through for it.
    if let Event::CardPlayed(play) = event {
        hands[at(play.seat)].remove(play.card);
        board.play(play.seat, play.card);
        return;
    }
    let Some(table) = table else {
        if let Event::GameStarted(start) = event {
            let opened = TableCard::of(start);
            board.open(&opened);
            *table = Some(Arc::new(opened));
            *seal = Some(Arc::new(start.opening.seal.clone()));
        }
        return;
    };
    let rules = &table.rules;
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
pub(crate) fn awaiting(state: &State) -> Awaiting {
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

pub(crate) fn clock(state: &State, seat: Seat) -> Option<Duration> {
    let seconds = state.table.as_deref()?.turn_clock()?;
    state.board.awaited().contains(seat).then(|| Duration::from_secs(seconds.into()))
}

/// What is done for a seat whose time is up: as little as possible.
pub(crate) fn timeout(state: &State, seat: Seat) -> Option<Action> {
    let State { table, board, hands, .. } = state;
    let rules = &table.as_deref()?.rules;
    if !board.awaited().contains(seat) {
        return None;
    }
    let hand = hands[at(seat)];
    Some(match board.phase {
        Phase::Bidding { .. } if board.auction.may_pass(rules) => Action::Pass,
        Phase::Bidding { .. } => Action::Bid { amount: board.auction.least(rules)? },
        Phase::TakingDabb => Action::TakeDabb,
        Phase::LayingAway => Action::Discard { cards: cheapest(hand, rules.dabb(board.players)) },
        Phase::NamingTrump => {
            let length = |suit: &Suit| hand.and(CardSet::of_suit(*suit)).len();
            Action::DeclareTrump { suit: Suit::ALL.into_iter().max_by_key(length)? }
        }
        Phase::Melding { .. } => Action::DeclareMelds,
        Phase::Tricks { .. } => {
            let legal = board.legal(seat, hand, rules);
            Action::PlayCard { card: legal.iter().min_by_key(|card| card.rank())? }
        }
        Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => return None,
    })
}

fn cheapest(hand: CardSet, count: u8) -> CardSet {
    let mut cards: Vec<Card> = hand.iter().collect();
    cards.sort_by_key(|card| card.rank());
    cards.into_iter().take(count.into()).collect()
}
