//! The contract dialect: thirteen server events, told apart by `event_type`.
//! Times are ISO 8601.

mod events;
mod parts;
mod snapshot;

use std::borrow::Cow;

use parlor_kernel::{EventSchema, Moment};
use schemars::JsonSchema;
use serde::Serialize;

use super::iso8601;
use super::refused::Refused;
use super::standing::{Awaited, Decision, viewer_id};
use super::step::{Moved, Play, Told, Turn};
use super::tongue::{Speaker, Tongue, schema_of};
use crate::board::Knowledge;
use events::*;
use parts::*;
use snapshot::GameSnapshotRestore;

/// The dialect `koikoi.contract`.
pub(super) struct Contract;

/// What every event begins with.
#[derive(Serialize, JsonSchema)]
pub(super) struct Head {
    event_type: Cow<'static, str>,
    event_id: String,
    /// ISO 8601, in UTC.
    timestamp: String,
}

impl Tongue for Contract {
    const NAME: &'static str = "koikoi.contract";
    const DISCRIMINATOR: &'static str = "event_type";

    type Head = Head;
    type Refusal = TurnError;
    type Snapshot = GameSnapshotRestore;

    fn head(event: Cow<'static, str>, event_id: String, timestamp: u64) -> Head {
        Head { event_type: event, event_id, timestamp: iso8601(timestamp) }
    }

    fn tell(speaker: &mut Speaker<Self>, told: Told) {
        let rules = speaker.table.rules();
        match told {
            Told::Started(start) => speaker.say(GameStarted {
                game_id: start.setup.game_id.clone(),
                players: players(&start.setup.seats),
                ruleset: Ruleset::of(start.rules()),
                starting_player_id: start.first_dealer.id(),
                my_player_id: viewer_id(speaker.moment.viewer),
                seed_commitment: start.setup.commitment.clone(),
            }),
            Told::Dealt { deal, next } => speaker.say(RoundDealt {
                dealer_id: deal.dealer.id(),
                field: deal.field,
                hands: dealt_hands(&deal.hands),
                deck_remaining: 24,
                next_state: next.map(NextState::of),
                round_number: deal.round,
                timeout_seconds: speaker.clock(next),
            }),
            Told::Turn(turn) => speaker.tell_turn(turn),
            Told::Called { seat, calls, next } => speaker.say(DecisionMade {
                player_id: seat.id(),
                decision: Decision::KoiKoi,
                updated_multipliers: ScoreMultipliers::of(rules, calls),
                next_state: NextState::of(next),
                timeout_seconds: speaker.table.turn_clock(),
            }),
            // RoundScored says it: the contract sends DecisionMade for koi-koi only.
            Told::Stopped { .. } => {}
            Told::Scored { scored, captured, calls } => {
                speaker.say(RoundScored::of(scored, captured, calls, rules));
            }
            Told::Drawn(drawn) => speaker.say(RoundDrawn::of(drawn)),
            Told::EndedInstantly(ended) => speaker.say(RoundEndedInstantly::of(ended)),
            Told::Finished(finished) => speaker.say(GameFinished::of(finished)),
        }
    }

    fn refusal(refused: Refused) -> TurnError {
        TurnError {
            player_id: refused.player,
            error_code: refused.code,
            error_message: refused.message,
            retry_allowed: refused.retry_allowed,
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
            schema_of::<Self, TurnCompleted>(),
            schema_of::<Self, SelectionRequired>(),
            schema_of::<Self, TurnProgressAfterSelection>(),
            schema_of::<Self, DecisionRequired>(),
            schema_of::<Self, DecisionMade>(),
            schema_of::<Self, RoundScored>(),
            schema_of::<Self, RoundDrawn>(),
            schema_of::<Self, RoundEndedInstantly>(),
            schema_of::<Self, GameFinished>(),
        ]
    }
}

impl Speaker<'_, Contract> {
    fn tell_turn(&mut self, turn: Turn) {
        let player_id = turn.seat.id();
        let deck_remaining = turn.pile_left;
        let decides = turn.asks_for_decision();
        let next_state = turn.next.map(NextState::of);
        let timeout_seconds = self.clock(turn.next);
        let yaku_update = turn.yaku.map(|yaku| YakuUpdate::of(&yaku, self.table.rules()));
        let (hand_card_play, draw_card_play) = match &turn.moved {
            Moved::Halted { hand, card, options } => {
                return self.say(SelectionRequired {
                    player_id,
                    hand_card_play: CardPlay::of(hand),
                    drawn_card: *card,
                    possible_targets: *options,
                    deck_remaining,
                    next_state: NextState::of(Awaited::selection(turn.seat)),
                    timeout_seconds,
                });
            }
            Moved::Whole { hand, flip } => (Some(CardPlay::of(hand)), CardPlay::of(flip)),
            Moved::Resumed { card, target } => (None, CardPlay::of(&Play::pair(*card, *target))),
        };
        match (yaku_update, turn.moved) {
            (Some(yaku_update), _) if decides => self.say(DecisionRequired {
                player_id,
                hand_card_play,
                draw_card_play: Some(draw_card_play),
                yaku_update,
                current_multipliers: ScoreMultipliers::of(self.table.rules(), turn.calls),
                deck_remaining,
                next_state: NextState::of(Awaited::decision(turn.seat)),
                timeout_seconds,
            }),
            (yaku_update, Moved::Resumed { card, target }) => {
                self.say(TurnProgressAfterSelection {
                    player_id,
                    selection: CardSelection::of(card, target),
                    draw_card_play,
                    yaku_update,
                    deck_remaining,
                    next_state,
                    timeout_seconds,
                });
            }
            (yaku_update, _) => self.say(TurnCompleted {
                player_id,
                hand_card_play,
                draw_card_play: Some(draw_card_play),
                deck_remaining,
                next_state,
                yaku_update,
                timeout_seconds,
            }),
        }
    }
}
