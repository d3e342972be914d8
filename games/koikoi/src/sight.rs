//! What a viewer sees, knows, may do, and can imagine.

use std::sync::Arc;

use parlor_kernel::{Seal, Seat, Stream, Viewer};

use crate::board::{Board, Hand, Knowledge, Phase, RoundResult, State, at};
use crate::cards::{Card, CardSet, Pile};
use crate::deal::special_deal;
use crate::event::{Action, DealSeen, Event, Seen};

/// Hands are for their seats and the pile for nobody, but those who see all;
/// the seed is for nobody before the match is over.
#[inline(always)]
pub(crate) fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
    Some(match event {
        Event::GameStarted(_) => Seen::GameStarted(Arc::clone(state.table.as_ref()?)),
        Event::RoundDealt(dealt) => {
            let hand = |seat| viewer.shares(seat).then_some(dealt.hands[at(seat)]);
            Seen::RoundDealt(DealSeen {
                round: dealt.round,
                dealer: dealt.dealer,
                hands: [hand(Seat(0)), hand(Seat(1))],
                field: dealt.field,
                pile: viewer.sees_all().then_some(dealt.pile),
            })
        }
        Event::HandPlayed(play) => Seen::HandPlayed(*play),
        Event::CardFlipped(flip) => Seen::CardFlipped(*flip),
        Event::ChoiceOffered(offer) => Seen::ChoiceOffered(*offer),
        Event::TargetChosen(choice) => Seen::TargetChosen(*choice),
        Event::YakuFormed(formed) => Seen::YakuFormed(*formed),
        Event::KoiKoiCalled(called) => Seen::KoiKoiCalled(*called),
        Event::RoundScored(scored) => Seen::RoundScored(*scored),
        Event::RoundDrawn(drawn) => Seen::RoundDrawn(*drawn),
        Event::RoundEndedInstantly(instant) => Seen::RoundEndedInstantly(*instant),
        Event::GameFinished(finished) => Seen::GameFinished(Arc::clone(finished)),
    })
}

pub(crate) fn unaware(viewer: Viewer) -> Knowledge {
    Knowledge {
        viewer,
        table: None,
        board: Board::default(),
        hands: [Hand::Closed { count: 0 }; 2],
        pile: None,
    }
}

#[inline(always)]
pub(crate) fn learn(knowledge: &mut Knowledge, seen: &Seen) {
    let board = &mut knowledge.board;
    match seen {
        Seen::GameStarted(table) => knowledge.table = Some(Arc::clone(table)),
        Seen::RoundDealt(dealt) => {
            board.deal(dealt.round, dealt.dealer, dealt.field);
            knowledge.hands = dealt.hands.map(|hand| match hand {
                Some(cards) => Hand::Open(cards.into_iter().collect()),
                None => Hand::Closed { count: 8 },
            });
            knowledge.pile = dealt.pile.map(Pile::dealt);
        }
        Seen::HandPlayed(play) => {
            match &mut knowledge.hands[at(play.seat)] {
                Hand::Open(cards) => cards.remove(play.card),
                Hand::Closed { count } => *count = count.saturating_sub(1),
            }
            board.play(play.seat, play.card, play.taken);
        }
        Seen::CardFlipped(flip) => {
            draw(&mut knowledge.pile);
            board.flip(flip.seat, flip.card, flip.taken);
        }
        Seen::ChoiceOffered(offer) => {
            draw(&mut knowledge.pile);
            board.offer(*offer);
        }
        Seen::TargetChosen(choice) => board.choose(*choice),
        Seen::YakuFormed(formed) => board.form(*formed),
        Seen::KoiKoiCalled(called) => board.call(*called),
        Seen::RoundScored(scored) => board.score(*scored),
        Seen::RoundDrawn(drawn) => board.draw(*drawn),
        Seen::RoundEndedInstantly(instant) => board.end_instantly(*instant),
        Seen::GameFinished(finished) => board.finish(Arc::clone(finished)),
    }
}

#[inline]
fn draw(pile: &mut Option<Pile>) {
    if let Some(pile) = pile {
        pile.draw();
    }
}

pub(crate) fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let Some(seat) = knowledge.viewer.seat() else { return };
    let Hand::Open(hand) = knowledge.hands[at(seat)] else { return };
    moves(&knowledge.board, seat, hand, out);
}

/// Each move in its plainest form: a target is named only where there is a
/// choice.
#[inline]
pub(crate) fn moves(board: &Board, seat: Seat, hand: CardSet, out: &mut Vec<Action>) {
    if board.phase.seat() != Some(seat) {
        return;
    }
    match board.phase {
        Phase::HandPlay { .. } => {
            let choices = board.field.set().months_of_two();
            for card in hand.iter() {
                if choices.contains(card) {
                    let targets = board.field.matches(card);
                    out.extend(targets.iter().map(|one| Action::Play { card, target: Some(*one) }));
                } else {
                    out.push(Action::Play { card, target: None });
                }
            }
        }
        Phase::Selection { card, options, .. } => {
            out.extend(options.map(|target| Action::Select { source: card, target }));
        }
        Phase::Decision { .. } => out.extend([Action::KoiKoi, Action::Stop]),
        Phase::Unopened | Phase::RoundOver | Phase::Finished => {}
    }
}

/// Deals what is unseen anew over the closed hands and the pile.
pub(crate) fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
    let mut state = State {
        table: knowledge.table.clone(),
        seal: knowledge.table.as_deref().map(|table| Arc::new(Seal::closed(&table.commitment))),
        board: knowledge.board.clone(),
        hands: [CardSet::EMPTY; 2],
        pile: knowledge.pile.unwrap_or_default(),
    };
    if knowledge.board.phase == Phase::Unopened {
        return state;
    }
    // Hardly a deal in twenty is turned down (below), so the bound is never met.
    for _ in 0..256 {
        deal_unseen(knowledge, dice, &mut state);
        if keeps_the_deal(&state) {
            break;
        }
    }
    state
}

fn deal_unseen(knowledge: &Knowledge, dice: &mut Stream, state: &mut State) {
    let board = &knowledge.board;
    let shown = match &board.result {
        Some(RoundResult::Instant(instant)) => instant.hands,
        _ => [CardSet::EMPTY; 2],
    };
    let known = knowledge.hands.iter().zip(shown).map(|(hand, shown)| match hand {
        Hand::Open(cards) => *cards,
        Hand::Closed { .. } => shown,
    });
    for (hand, known) in state.hands.iter_mut().zip(known) {
        *hand = known;
    }
    let mut unseen: Vec<Card> = CardSet::FULL
        .without(face_up(board))
        .without(state.hands[0].or(state.hands[1]))
        .iter()
        .collect();
    if let Some(pile) = &knowledge.pile {
        unseen.retain(|card| !pile.set().contains(*card));
    }
    dice.shuffle(&mut unseen);
    for (hand, known) in state.hands.iter_mut().zip(&knowledge.hands) {
        if let Hand::Closed { count } = *known {
            while hand.len() < u32::from(count)
                && let Some(card) = unseen.pop()
            {
                hand.insert(card);
            }
        }
    }
    if knowledge.pile.is_none() {
        state.pile = unseen.into_iter().collect();
    }
}

/// Every card whose place everyone knows.
fn face_up(board: &Board) -> CardSet {
    let mut cards = board.field.set().or(board.captured[0].set()).or(board.captured[1].set());
    if let Phase::Selection { card, .. } = board.phase {
        cards.insert(card);
    }
    cards
}

/// Whether these hands, as dealt, would have brought the round here: one that
/// went on had no special hand in it.
fn keeps_the_deal(state: &State) -> bool {
    let Some(table) = &state.table else { return true };
    let board = &state.board;
    let dealt = [0, 1].map(|place| state.hands[place].or(board.played[place]));
    let (field, known) = match &board.result {
        Some(RoundResult::Instant(instant)) => (board.field.set(), Some(instant)),
        _ => (CardSet::EMPTY, None),
    };
    let special = special_deal(dealt, field, &table.rules);
    match (special, known) {
        (None, None) => true,
        (Some(special), Some(instant)) => {
            special.reason == instant.reason
                && special.hands == instant.hands
                && special.field == instant.field
        }
        _ => false,
    }
}
