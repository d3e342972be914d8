//! The contract dialect: thirteen server events, told apart by `event_type`.
//! Times are ISO 8601.

mod events;
mod parts;
mod snapshot;

use std::borrow::Cow;

use parlor_kernel::{Dialect, EventSchema, Heard, Misheard, Moment, Rebuff, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::standing::{Awaited, Decision, listener_id};
use super::step::{Moved, Play, Told, Turn, read};
use super::{commands, iso8601, schema};
use crate::KoiKoi;
use crate::board::{Knowledge, TableCard};
use crate::event::{Action, Seen};
use events::*;
use parts::*;
use snapshot::GameSnapshotRestore;

/// The dialect `koikoi.contract`.
pub struct Contract;

/// An event with its head.
#[derive(Serialize, JsonSchema)]
struct Said<T> {
    event_type: Cow<'static, str>,
    event_id: String,
    /// ISO 8601, in UTC.
    timestamp: String,
    #[serde(flatten)]
    body: T,
}

fn said<T: Serialize + JsonSchema>(event_id: String, timestamp: u64, body: T) -> String {
    let said = Said { event_type: T::schema_name(), event_id, timestamp: iso8601(timestamp), body };
    // Plain data with string keys always becomes JSON.
    serde_json::to_string(&said).expect("an event is plain data")
}

fn schema_of<T: JsonSchema>() -> EventSchema {
    schema::event::<T, Said<T>>("event_type")
}

impl Dialect<KoiKoi> for Contract {
    fn name(&self) -> &'static str {
        "koikoi.contract"
    }

    fn speak(
        &self,
        before: &Knowledge,
        step: &[Seen],
        after: &Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        let Some(table) = after.table.as_deref() else { return };
        let mut speaker = Speaker { table, moment, first: out.len(), out };
        for told in read(&before.board, step) {
            speaker.tell(told);
        }
    }

    fn snapshot(&self, knowledge: &Knowledge, moment: &Moment) -> String {
        let body = GameSnapshotRestore::of(knowledge, moment);
        said(moment.present_id(), moment.timestamp, body)
    }

    fn refusal(&self, rebuff: &Rebuff) -> String {
        let body = TurnError {
            player_id: rebuff.seat.player_id(),
            error_code: rebuff.code.to_owned(),
            error_message: rebuff.message.to_owned(),
            retry_allowed: !rebuff.is_over,
        };
        said(rebuff.id.to_owned(), rebuff.timestamp, body)
    }

    fn presence(&self, seat: Seat, connected: bool, timestamp: u64) -> String {
        let body = PlayerConnectionChanged { player_id: seat.player_id(), connected };
        said(commands::PRESENCE_ID.to_owned(), timestamp, body)
    }

    fn hear(&self, message: &[u8]) -> Result<Heard<Action>, Misheard> {
        commands::hear(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let mut schemas = vec![
            schema_of::<GameStarted>(),
            schema_of::<RoundDealt>(),
            schema_of::<TurnCompleted>(),
            schema_of::<SelectionRequired>(),
            schema_of::<TurnProgressAfterSelection>(),
            schema_of::<DecisionRequired>(),
            schema_of::<DecisionMade>(),
            schema_of::<RoundScored>(),
            schema_of::<RoundDrawn>(),
            schema_of::<RoundEndedInstantly>(),
            schema_of::<GameFinished>(),
            schema_of::<TurnError>(),
            schema_of::<GameSnapshotRestore>(),
            schema_of::<PlayerConnectionChanged>(),
        ];
        schemas.extend(commands::schemas());
        schemas
    }
}

/// Tells one step to one listener.
struct Speaker<'a> {
    table: &'a TableCard,
    moment: &'a Moment<'a>,
    /// How much was said before this step.
    first: usize,
    out: &'a mut Vec<String>,
}

impl Speaker<'_> {
    fn say<T: Serialize + JsonSchema>(&mut self, body: T) {
        let event_id = self.moment.event_id(self.out.len() - self.first);
        self.out.push(said(event_id, self.moment.timestamp, body));
    }

    fn tell(&mut self, told: Told) {
        let rules = &self.table.rules;
        match told {
            Told::Started(start) => self.say(GameStarted {
                game_id: start.game_id.clone(),
                players: players(&start.seats),
                ruleset: Ruleset::of(&start.rules),
                starting_player_id: start.first_dealer.player_id(),
                my_player_id: listener_id(self.moment.viewer),
                seed_commitment: start.commitment.clone(),
            }),
            Told::Dealt { deal, next } => self.say(RoundDealt {
                dealer_id: deal.dealer.player_id(),
                field: deal.field,
                hands: dealt_hands(&deal.hands),
                deck_remaining: 24,
                next_state: next.map(NextState::of),
                round_number: deal.round,
                timeout_seconds: next.and_then(|_| self.table.turn_clock()),
            }),
            Told::Turn(turn) => self.tell_turn(turn),
            Told::Called { seat, calls, next } => self.say(DecisionMade {
                player_id: seat.player_id(),
                decision: Decision::KoiKoi,
                updated_multipliers: ScoreMultipliers::of(rules, calls),
                next_state: NextState::of(next),
                timeout_seconds: self.table.turn_clock(),
            }),
            // RoundScored says it: the contract sends DecisionMade for koi-koi only.
            Told::Stopped { .. } => {}
            Told::Scored { scored, captured, calls } => {
                self.say(RoundScored::of(scored, captured, calls, rules));
            }
            Told::Drawn(drawn) => self.say(RoundDrawn::of(drawn)),
            Told::EndedInstantly(ended) => self.say(RoundEndedInstantly::of(ended)),
            Told::Finished(finished) => self.say(GameFinished::of(finished)),
        }
    }

    fn tell_turn(&mut self, turn: Turn) {
        let player_id = turn.seat.player_id();
        let deck_remaining = turn.pile_left;
        let decides = turn.next == Some(Awaited::decision(turn.seat));
        let next_state = turn.next.map(NextState::of);
        let timeout_seconds = turn.next.and_then(|_| self.table.turn_clock());
        let yaku_update = turn.yaku.map(|yaku| YakuUpdate::of(&yaku, &self.table.rules));
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
                current_multipliers: ScoreMultipliers::of(&self.table.rules, turn.calls),
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
