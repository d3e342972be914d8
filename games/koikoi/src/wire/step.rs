//! One reading of a step for both dialects: the turn as a whole, where the
//! log has its single moves.

use parlor_kernel::Seat;

use super::standing::Awaited;
use crate::board::{Board, MatchSetup, at, opponent};
use crate::cards::{Card, CardSet, Taken};
use crate::event::{
    DealSeen, GameFinished, RoundDrawn, RoundEndedInstantly, RoundScored, ScoredBy, Seen,
};
use crate::yaku::YakuPoints;

/// One thing worth telling.
#[derive(Debug)]
pub(super) enum Told<'a> {
    Started(&'a MatchSetup),
    Dealt { deal: &'a DealSeen, next: Option<Awaited> },
    Turn(Turn),
    Called { seat: Seat, calls: [u8; 2], next: Awaited },
    Stopped { seat: Seat, calls: [u8; 2] },
    Scored { scored: &'a RoundScored, captured: CardSet, calls: [u8; 2] },
    Drawn(&'a RoundDrawn),
    EndedInstantly(&'a RoundEndedInstantly),
    Finished(&'a GameFinished),
}

/// A card that met the field.
#[derive(Clone, Debug)]
pub(super) struct Play {
    pub card: Card,
    /// What it took; empty: it joined the field.
    pub taken: Taken,
}

impl Play {
    /// A card that takes one.
    pub fn pair(card: Card, target: Card) -> Play {
        Play { card, taken: [target].into_iter().collect() }
    }
}

/// How far a turn went in this step.
#[derive(Debug)]
pub(super) enum Moved {
    /// Both cards met the field.
    Whole { hand: Play, flip: Play },
    /// The flipped card could take either of two.
    Halted { hand: Play, card: Card, options: [Card; 2] },
    /// The choice was made.
    Resumed { card: Card, target: Card },
}

/// A turn, or the part of it that this step is.
#[derive(Debug)]
pub(super) struct Turn {
    pub seat: Seat,
    pub moved: Moved,
    /// The yaku that came with it.
    pub yaku: Option<YakuTold>,
    /// The pile after the flip.
    pub pile_left: u8,
    pub calls: [u8; 2],
    /// Who is awaited now; nobody: the round is over.
    pub next: Option<Awaited>,
}

impl Turn {
    /// Whether the player now chooses between koi-koi and the end.
    pub fn asks_for_decision(&self) -> bool {
        self.next == Some(Awaited::decision(self.seat))
    }
}

/// Yaku that are new or rose, among all that the player holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct YakuTold {
    pub fresh: YakuPoints,
    pub held: YakuPoints,
    /// The captures they are made of.
    pub captured: CardSet,
}

impl YakuTold {
    /// What a player who decides on the board has, of which `fresh` is new.
    pub fn on(board: &Board, seat: Seat, fresh: YakuPoints) -> YakuTold {
        YakuTold { fresh, held: board.held[at(seat)], captured: board.captured[at(seat)].set() }
    }
}

/// Reads a step that began with the table as `before`.
pub(super) fn read<'a>(before: &Board, step: &'a [Seen]) -> Vec<Told<'a>> {
    let mut reading = Reading {
        captured: before.captured.map(|row| row.set()),
        calls: before.calls,
        pile_left: before.pile_left,
        hand: None,
        told: Vec::new(),
    };
    for (at, seen) in step.iter().enumerate() {
        reading.take_in(seen, &step[at + 1..]);
    }
    reading.told
}

struct Reading<'a> {
    captured: [CardSet; 2],
    calls: [u8; 2],
    pile_left: u8,
    /// The hand play that waits for its flip.
    hand: Option<Play>,
    told: Vec<Told<'a>>,
}

impl<'a> Reading<'a> {
    fn take_in(&mut self, seen: &'a Seen, rest: &[Seen]) {
        match seen {
            Seen::GameStarted(start) => self.told.push(Told::Started(start)),
            Seen::RoundDealt(deal) => {
                (self.captured, self.calls) = ([CardSet::EMPTY; 2], [0; 2]);
                self.pile_left = 24;
                let special = matches!(rest.first(), Some(Seen::RoundEndedInstantly(_)));
                let next = (!special).then(|| Awaited::hand_play(deal.dealer));
                self.told.push(Told::Dealt { deal, next });
            }
            Seen::HandPlayed(played) => {
                let play = Play { card: played.card, taken: played.taken };
                self.capture(played.seat, &play);
                self.hand = Some(play);
            }
            Seen::CardFlipped(flipped) => {
                let flip = Play { card: flipped.card, taken: flipped.taken };
                self.capture(flipped.seat, &flip);
                self.pile_left = self.pile_left.saturating_sub(1);
                // Every flip follows a hand play of the same step.
                if let Some(hand) = self.hand.take() {
                    self.turn(flipped.seat, Moved::Whole { hand, flip }, rest);
                }
            }
            Seen::ChoiceOffered(choice) => {
                self.pile_left = self.pile_left.saturating_sub(1);
                if let Some(hand) = self.hand.take() {
                    let (card, options) = (choice.card, choice.options);
                    self.turn(choice.seat, Moved::Halted { hand, card, options }, rest);
                }
            }
            Seen::TargetChosen(chosen) => {
                let (card, target) = (chosen.card, chosen.target);
                self.capture(chosen.seat, &Play::pair(card, target));
                self.turn(chosen.seat, Moved::Resumed { card, target }, rest);
            }
            // The turn that formed it has told it.
            Seen::YakuFormed(_) => {}
            Seen::KoiKoiCalled(called) => {
                self.calls[at(called.seat)] = called.calls;
                let next = Awaited::hand_play(opponent(called.seat));
                self.told.push(Told::Called { seat: called.seat, calls: self.calls, next });
            }
            Seen::RoundScored(scored) => {
                let calls = self.calls;
                if scored.by == ScoredBy::Stop {
                    self.told.push(Told::Stopped { seat: scored.winner, calls });
                }
                let captured = self.captured[at(scored.winner)];
                self.told.push(Told::Scored { scored, captured, calls });
            }
            Seen::RoundDrawn(drawn) => self.told.push(Told::Drawn(drawn)),
            Seen::RoundEndedInstantly(ended) => self.told.push(Told::EndedInstantly(ended)),
            Seen::GameFinished(finished) => self.told.push(Told::Finished(finished)),
        }
    }

    fn capture(&mut self, seat: Seat, play: &Play) {
        if !play.taken.is_empty() {
            let cards = play.taken.iter().copied().chain([play.card]).collect();
            self.captured[at(seat)] = self.captured[at(seat)].or(cards);
        }
    }

    fn turn(&mut self, seat: Seat, moved: Moved, rest: &[Seen]) {
        let captured = self.captured[at(seat)];
        let over =
            rest.iter().any(|seen| matches!(seen, Seen::RoundScored(_) | Seen::RoundDrawn(_)));
        let yaku = match rest.first() {
            Some(Seen::YakuFormed(formed)) => Some((formed.fresh, formed.held)),
            // Nothing is new where the last caller scores an exhausted round.
            Some(Seen::RoundScored(scored)) if !scored.fresh.is_empty() => {
                Some((scored.fresh, scored.held))
            }
            _ => None,
        };
        let yaku = yaku.map(|(fresh, held)| YakuTold { fresh, held, captured });
        let next = match (&moved, yaku) {
            _ if over => None,
            (Moved::Halted { .. }, _) => Some(Awaited::selection(seat)),
            (_, Some(_)) => Some(Awaited::decision(seat)),
            (_, None) => Some(Awaited::hand_play(opponent(seat))),
        };
        let (pile_left, calls) = (self.pile_left, self.calls);
        self.told.push(Told::Turn(Turn { seat, moved, yaku, pile_left, calls, next }));
    }
}
