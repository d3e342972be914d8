//! The protocol dialect: five commands, twelve events, a snapshot, told
//! apart by `event`. Times are integer milliseconds.

mod events;
mod parts;
mod snapshot;

use std::borrow::Cow;

use parlor_kernel::{EventSchema, Moment};
use schemars::JsonSchema;
use serde::Serialize;

use super::refused::Refused;
use super::standing::{Awaited, Decision, koi_put, viewer_id};
use super::step::{Moved, Play, Told, Turn};
use super::tongue::{Speaker, Tongue, schema_of};
use crate::board::{Knowledge, at};
use events::*;
use parts::*;
use snapshot::GameSnapshotRestore;

/// The dialect `koikoi.protocol`.
pub(super) struct Protocol;

/// What every event begins with.
#[derive(Serialize, JsonSchema)]
pub(super) struct Head {
    event: Cow<'static, str>,
    event_id: String,
    /// Milliseconds since 1970.
    timestamp: u64,
}

impl Tongue for Protocol {
    const NAME: &'static str = "koikoi.protocol";
    const DISCRIMINATOR: &'static str = "event";

    type Head = Head;
    type Refusal = TurnError;
    type Snapshot = GameSnapshotRestore;

    fn head(event: Cow<'static, str>, event_id: String, timestamp: u64) -> Head {
        Head { event, event_id, timestamp }
    }

    fn tell(speaker: &mut Speaker<Self>, told: Told) {
        let rules = speaker.table.rules();
        match told {
            Told::Started(start) => speaker.say(GameStarted {
                my_player_id: viewer_id(speaker.moment.viewer),
                players: players(&start.setup.seats),
                ruleset: Ruleset::of(start.rules()),
                game_id: start.setup.game_id.clone(),
                starting_player: start.first_dealer.id(),
                seed_commitment: start.setup.commitment.clone(),
            }),
            Told::Dealt { deal, next } => speaker.say(RoundDealt {
                dealer: deal.dealer.id(),
                field: deal.field,
                hands: dealt_hands(&deal.hands),
                deck_remaining: 24,
                first_player: deal.dealer.id(),
                next_state: next.map(NextState::of),
                round: deal.round,
                timeout_seconds: speaker.clock(next),
            }),
            Told::Turn(turn) => speaker.tell_turn(turn),
            Told::Called { seat, calls, next } => speaker.say(DecisionMade {
                player: seat.id(),
                decision: Decision::KoiKoi,
                koi_multiplier_update: koi_put(rules, calls[at(seat)]),
                next_state: Some(NextState::of(next)),
                called_count: calls[at(seat)],
                timeout_seconds: speaker.table.turn_clock(),
            }),
            Told::Stopped { seat, calls } => speaker.say(DecisionMade {
                player: seat.id(),
                decision: Decision::EndRound,
                koi_multiplier_update: koi_put(rules, calls[at(seat)]),
                next_state: None,
                called_count: calls[at(seat)],
                timeout_seconds: None,
            }),
            Told::Scored { scored, captured, .. } => {
                speaker.say(RoundScored::of(scored, captured, rules));
            }
            Told::Drawn(drawn) => speaker.say(RoundDrawn::of(drawn)),
            Told::EndedInstantly(ended) => speaker.say(RoundEndedInstantly::of(ended)),
            Told::Finished(finished) => speaker.say(GameFinished::of(finished)),
        }
    }

    fn refusal(refused: Refused) -> TurnError {
        TurnError {
            error_code: refused.code,
            message: refused.message,
            retry_allowed: refused.retry_allowed,
            player: refused.player,
            reason: refused.reason,
        }
    }

    fn snapshot(knowledge: &Knowledge, moment: &Moment) -> GameSnapshotRestore {
        GameSnapshotRestore::of(knowledge, moment)
    }

    fn told_schemas() -> Vec<EventSchema> {
        vec![
            schema_of::<Self, GameStarted>(),
            schema_of::<Self, RoundDealt>(),
            schema_of::<Self, RoundEndedInstantly>(),
            schema_of::<Self, RoundScored>(),
            schema_of::<Self, RoundDrawn>(),
            schema_of::<Self, GameFinished>(),
            schema_of::<Self, TurnCompleted>(),
            schema_of::<Self, SelectionRequired>(),
            schema_of::<Self, TurnProgressAfterSelection>(),
            schema_of::<Self, DecisionRequired>(),
            schema_of::<Self, DecisionMade>(),
        ]
    }
}

impl Speaker<'_, Protocol> {
    fn tell_turn(&mut self, turn: Turn) {
        let player = turn.seat.id();
        let deck_remaining = turn.pile_left;
        let decides = turn.asks_for_decision();
        let next_state = turn.next.map(NextState::of);
        let timeout_seconds = self.clock(turn.next);
        let yaku_update = turn.yaku.map(|yaku| YakuUpdate::of(&yaku, self.table.rules()));
        let hand_play = |hand| HandPlay::of(turn.seat, hand);
        let completed = match turn.moved {
            Moved::Halted { hand, card, options } => {
                // Nothing is decided before the choice is made.
                return self.say(SelectionRequired {
                    player,
                    phase: TurnPhase::DeckFlip,
                    completed: HandPlayCompleted { hand_play: hand_play(&hand) },
                    selection: Selection { source: card, options },
                    next_state: NextState::of(Awaited::selection(turn.seat)),
                    deck_remaining,
                    timeout_seconds,
                });
            }
            Moved::Whole { hand, flip } => {
                let hand_play = hand_play(&hand);
                let deck_flip = DeckFlip::of(turn.seat, &flip, deck_remaining);
                if !decides {
                    return self.say(TurnCompleted {
                        player,
                        hand_play,
                        deck_flip,
                        yaku_update,
                        next_state,
                        timeout_seconds,
                    });
                }
                Completed { hand_play: Some(hand_play), deck_flip: Some(deck_flip) }
            }
            Moved::Resumed { card, target } => {
                let flip = Play::pair(card, target);
                self.say(TurnProgressAfterSelection {
                    selected_capture: SelectedCapture::of(turn.seat, &flip),
                    deck_remaining,
                    yaku_update: yaku_update.clone(),
                    next_state,
                    player,
                    timeout_seconds,
                });
                // Both plays have been told by now.
                Completed { hand_play: None, deck_flip: None }
            }
        };
        if let (true, Some(yaku_update)) = (decides, yaku_update) {
            self.say(DecisionRequired {
                player,
                yaku_update,
                next_state: NextState::of(Awaited::decision(turn.seat)),
                completed,
                deck_remaining,
                timeout_seconds,
            });
        }
    }
}
