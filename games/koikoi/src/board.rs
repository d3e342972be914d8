//! The table as far as everyone sees it: the part of the truth and of every
//! player's knowledge that is the same for all.

use std::sync::Arc;

use parlor_kernel::{Opened, Seat, Setup, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cards::{Card, CardSet, Pile, Row, Taken};
use crate::event::{
    Action, ChoiceOffered, GameFinished, KoiKoiCalled, RoundDrawn, RoundEndedInstantly,
    RoundScored, TargetChosen, YakuFormed,
};
use crate::rules::Rules;
use crate::yaku::YakuPoints;

/// A seat's place in per-seat pairs. Two sit here; a seat that a foreign log
/// makes up is folded onto one of them, because folding never fails.
#[inline]
pub(crate) const fn at(seat: Seat) -> usize {
    (seat.0 & 1) as usize
}

/// Who sits opposite.
#[inline]
pub const fn opponent(seat: Seat) -> Seat {
    Seat((seat.0 & 1) ^ 1)
}

/// What does not change during a match, and everyone knows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchSetup {
    /// Who sits where, under which rules.
    #[serde(flatten)]
    pub setup: Arc<Setup<Rules>>,
    /// Who deals in round 1.
    pub first_dealer: Seat,
}

impl MatchSetup {
    /// The house rules.
    pub fn rules(&self) -> &Rules {
        &self.setup.rules
    }

    /// The seconds a player may think; none where no clock runs: it is
    /// switched off, or nobody but bots would wait.
    pub fn turn_clock(&self) -> Option<u32> {
        self.setup.turn_clock(self.setup.rules.turn_seconds)
    }
}

/// What the table waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "fields say what they are")]
pub enum Phase {
    /// The match has not begun.
    #[default]
    Unopened,
    /// A card from the hand.
    HandPlay { seat: Seat },
    /// One of two cards for the flipped one.
    Selection { seat: Seat, card: Card, options: [Card; 2] },
    /// Koi-koi or stop.
    Decision { seat: Seat, fresh: YakuPoints },
    /// The next deal.
    RoundOver,
    /// Nothing, ever.
    Finished,
}

impl Phase {
    /// Who must act, if anyone.
    #[inline]
    pub const fn seat(&self) -> Option<Seat> {
        match self {
            Phase::HandPlay { seat }
            | Phase::Selection { seat, .. }
            | Phase::Decision { seat, .. } => Some(*seat),
            Phase::Unopened | Phase::RoundOver | Phase::Finished => None,
        }
    }

    /// What is waited for, for a refusal's sentence.
    pub(crate) const fn waits_for(&self) -> &'static str {
        match self {
            Phase::Unopened => "the first deal",
            Phase::HandPlay { .. } => "a card from a hand",
            Phase::Selection { .. } => "a choice for a flipped card",
            Phase::Decision { .. } => "a decision",
            Phase::RoundOver => "the next deal",
            Phase::Finished => "nothing, the match is over",
        }
    }
}

/// How the last round ended; shown until the next is dealt, and after the match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each holds the event of its name")]
pub enum RoundResult {
    Scored(RoundScored),
    Drawn(RoundDrawn),
    Instant(RoundEndedInstantly),
}

impl RoundResult {
    /// Who scored, if anyone.
    pub const fn winner(&self) -> Option<Seat> {
        match self {
            RoundResult::Scored(scored) => Some(scored.winner),
            RoundResult::Drawn(_) => None,
            RoundResult::Instant(instant) => instant.winner,
        }
    }
}

/// The face-up part of the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// The round under way or just over, from 1.
    pub round: u16,
    /// Rounds that have ended.
    pub rounds_played: u16,
    /// Who deals this round.
    pub dealer: Option<Seat>,
    /// The field, in order.
    pub field: Row,
    /// Captures, in order.
    pub captured: [Row; 2],
    /// What has been played from each hand this round.
    pub played: [CardSet; 2],
    /// How many cards are left in the pile.
    pub pile_left: u8,
    /// What each player's captures are worth.
    pub held: [YakuPoints; 2],
    /// Koi-koi calls this round.
    pub calls: [u8; 2],
    /// Who called last this round.
    pub last_caller: Option<Seat>,
    /// The match so far.
    pub totals: [u32; 2],
    /// What the table waits for.
    pub phase: Phase,
    /// How the last round ended, from its end to the next deal.
    pub result: Option<RoundResult>,
    /// How the match ended.
    pub finished: Option<Arc<GameFinished>>,
}

impl Board {
    /// A round is dealt: the table is cleared of the last one.
    pub(crate) fn deal(&mut self, round: u16, dealer: Seat, field: [Card; 8]) {
        self.round = round;
        self.dealer = Some(dealer);
        self.field = Row::of(&field);
        self.captured.iter_mut().for_each(Row::clear);
        self.played = [CardSet::EMPTY; 2];
        self.pile_left = 24;
        self.held = [YakuPoints::default(); 2];
        self.calls = [0; 2];
        self.last_caller = None;
        self.phase = Phase::HandPlay { seat: dealer };
        self.result = None;
    }

    /// A card from the hand meets the field.
    #[inline]
    pub(crate) fn play(&mut self, seat: Seat, card: Card, taken: Taken) {
        self.played[at(seat)].insert(card);
        self.meet(seat, card, taken);
    }

    /// The top of the pile meets the field; the turn passes.
    #[inline]
    pub(crate) fn flip(&mut self, seat: Seat, card: Card, taken: Taken) {
        self.pile_left = self.pile_left.saturating_sub(1);
        self.meet(seat, card, taken);
        self.pass(seat);
    }

    /// The top of the pile waits for a choice, in no zone.
    pub(crate) fn offer(&mut self, offer: ChoiceOffered) {
        self.pile_left = self.pile_left.saturating_sub(1);
        let ChoiceOffered { seat, card, options } = offer;
        self.phase = Phase::Selection { seat, card, options };
    }

    /// The choice is made; the turn passes.
    pub(crate) fn choose(&mut self, choice: TargetChosen) {
        self.meet(choice.seat, choice.card, Taken::one(choice.target));
        self.pass(choice.seat);
    }

    /// The turn stays for a decision.
    pub(crate) fn form(&mut self, formed: YakuFormed) {
        self.held[at(formed.seat)] = formed.held;
        self.phase = Phase::Decision { seat: formed.seat, fresh: formed.fresh };
    }

    /// The call is counted; the turn passes.
    pub(crate) fn call(&mut self, called: KoiKoiCalled) {
        self.calls[at(called.seat)] = called.calls;
        self.last_caller = Some(called.seat);
        self.pass(called.seat);
    }

    /// The round is won by yaku.
    pub(crate) fn score(&mut self, scored: RoundScored) {
        self.held[at(scored.winner)] = scored.held;
        self.end(RoundResult::Scored(scored), scored.totals);
    }

    /// Nobody scores.
    pub(crate) fn draw(&mut self, drawn: RoundDrawn) {
        self.end(RoundResult::Drawn(drawn), drawn.totals);
    }

    /// The deal ended the round.
    pub(crate) fn end_instantly(&mut self, instant: RoundEndedInstantly) {
        self.end(RoundResult::Instant(instant), instant.totals);
    }

    /// The match is over. What the last round left stays on the table, and so
    /// does a flipped card whose choice is never made.
    pub(crate) fn finish(&mut self, finished: Arc<GameFinished>) {
        if let Phase::Selection { card, .. } = self.phase {
            self.field.push(card);
        }
        self.phase = Phase::Finished;
        self.finished = Some(finished);
    }

    /// What this seat may do with this hand, each move in its plainest form: a
    /// target is named only where there is a choice.
    #[inline]
    pub(crate) fn moves(&self, seat: Seat, hand: CardSet, out: &mut Vec<Action>) {
        if self.phase.seat() != Some(seat) {
            return;
        }
        match self.phase {
            Phase::HandPlay { .. } => {
                let choices = self.field.set().months_of_two();
                for card in hand.iter() {
                    if choices.contains(card) {
                        let plays = |target: &Card| Action::Play { card, target: Some(*target) };
                        out.extend(self.field.matches(card).iter().map(plays));
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

    #[inline]
    fn meet(&mut self, seat: Seat, card: Card, taken: Taken) {
        if taken.is_empty() {
            self.field.push(card);
            return;
        }
        let captured = &mut self.captured[at(seat)];
        captured.push(card);
        for target in taken.as_slice() {
            captured.push(*target);
            self.field.take(*target);
        }
    }

    #[inline]
    fn pass(&mut self, seat: Seat) {
        self.phase = Phase::HandPlay { seat: opponent(seat) };
    }

    fn end(&mut self, result: RoundResult, totals: [u32; 2]) {
        self.rounds_played = self.rounds_played.saturating_add(1);
        self.totals = totals;
        self.phase = Phase::RoundOver;
        self.result = Some(result);
    }
}

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules, players and the sealed seed.
    pub opened: Option<Opened<Rules>>,
    /// What everyone sees.
    pub board: Board,
    /// Both hands.
    pub hands: [CardSet; 2],
    /// What is left of the pile; the top card lies last.
    pub pile: Pile,
}

impl State {
    /// The house rules, once the match is opened.
    #[inline]
    pub(crate) fn rules(&self) -> Option<&Rules> {
        self.opened.as_ref().map(Opened::rules)
    }
}

/// A hand, as far as a viewer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Hand {
    /// Its cards.
    Open(CardSet),
    /// Only how many there are.
    Closed {
        /// How many.
        count: u8,
    },
}

/// One viewer's truth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Knowledge {
    /// Whose it is.
    #[serde(serialize_with = "display")]
    #[schemars(with = "String")]
    pub viewer: Viewer,
    /// Rules and players.
    pub table: Option<Arc<MatchSetup>>,
    /// What everyone sees.
    pub board: Board,
    /// The hands, as far as this viewer knows them.
    pub hands: [Hand; 2],
    /// What is left of the pile, for those who see all; the top card lies last.
    pub pile: Option<Pile>,
}

impl Knowledge {
    /// The top card leaves the pile, for those who see it.
    #[inline]
    pub(crate) fn draw(&mut self) {
        if let Some(pile) = &mut self.pile {
            pile.draw();
        }
    }
}

fn display<S: serde::Serializer>(viewer: &Viewer, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(viewer)
}
