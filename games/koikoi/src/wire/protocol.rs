//! The protocol dialect: five commands, twelve events, a snapshot, told
//! apart by `event`. Times are integer milliseconds.

mod events;
mod parts;
mod snapshot;

use std::borrow::Cow;

use parlor_kernel::{Dialect, EventSchema, Heard, Misheard, Moment, Rebuff, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::standing::{Awaited, Decision, koi_put, listener_id};
use super::step::{Moved, Play, Told, Turn, read};
use super::{commands, schema};
use crate::KoiKoi;
use crate::board::{Knowledge, TableCard, at};
use crate::event::{Action, Seen};
use events::*;
use parts::*;
use snapshot::GameSnapshotRestore;

/// The dialect `koikoi.protocol`.
pub struct Protocol;

/// An event with its head.
#[derive(Serialize, JsonSchema)]
struct Said<T> {
    event: Cow<'static, str>,
    event_id: String,
    /// Milliseconds since 1970.
    timestamp: u64,
    #[serde(flatten)]
    body: T,
}

fn said<T: Serialize + JsonSchema>(event_id: String, timestamp: u64, body: T) -> String {
    let said = Said { event: T::schema_name(), event_id, timestamp, body };
    // Plain data with string keys always becomes JSON.
    serde_json::to_string(&said).expect("an event is plain data")
}

fn schema_of<T: JsonSchema>() -> EventSchema {
    schema::event::<T, Said<T>>("event")
}

impl Dialect<KoiKoi> for Protocol {
    fn name(&self) -> &'static str {
        "koikoi.protocol"
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
            error_code: rebuff.code.to_owned(),
            message: rebuff.message.to_owned(),
            retry_allowed: !rebuff.is_over,
            player: rebuff.seat.player_id(),
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
            schema_of::<RoundEndedInstantly>(),
            schema_of::<RoundScored>(),
            schema_of::<RoundDrawn>(),
            schema_of::<GameFinished>(),
            schema_of::<TurnCompleted>(),
            schema_of::<SelectionRequired>(),
            schema_of::<TurnProgressAfterSelection>(),
            schema_of::<DecisionRequired>(),
            schema_of::<DecisionMade>(),
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
                my_player_id: listener_id(self.moment.viewer),
                players: players(&start.seats),
                ruleset: Ruleset::of(&start.rules),
                game_id: start.game_id.clone(),
                starting_player: start.first_dealer.player_id(),
                seed_commitment: start.commitment.clone(),
            }),
            Told::Dealt { deal, next } => self.say(RoundDealt {
                dealer: deal.dealer.player_id(),
                field: deal.field,
                hands: dealt_hands(&deal.hands),
                deck_remaining: 24,
                first_player: deal.dealer.player_id(),
                next_state: next.map(NextState::of),
                round: deal.round,
                timeout_seconds: next.and_then(|_| self.table.turn_clock()),
            }),
            Told::Turn(turn) => self.tell_turn(turn),
            Told::Called { seat, calls, next } => self.say(DecisionMade {
                player: seat.player_id(),
                decision: Decision::KoiKoi,
                koi_multiplier_update: koi_put(rules, calls[at(seat)]),
                next_state: Some(NextState::of(next)),
                called_count: calls[at(seat)],
                timeout_seconds: self.table.turn_clock(),
            }),
            Told::Stopped { seat, calls } => self.say(DecisionMade {
                player: seat.player_id(),
                decision: Decision::EndRound,
                koi_multiplier_update: koi_put(rules, calls[at(seat)]),
                next_state: None,
                called_count: calls[at(seat)],
                timeout_seconds: None,
            }),
            Told::Scored { scored, captured, .. } => {
                self.say(RoundScored::of(scored, captured, rules));
            }
            Told::Drawn(drawn) => self.say(RoundDrawn::of(drawn)),
            Told::EndedInstantly(ended) => self.say(RoundEndedInstantly::of(ended)),
            Told::Finished(finished) => self.say(GameFinished::of(finished)),
        }
    }

    fn tell_turn(&mut self, turn: Turn) {
        let player = turn.seat.player_id();
        let deck_remaining = turn.pile_left;
        let decides = turn.next == Some(Awaited::decision(turn.seat));
        let next_state = turn.next.map(NextState::of);
        let timeout_seconds = turn.next.and_then(|_| self.table.turn_clock());
        let yaku_update = turn.yaku.map(|yaku| YakuUpdate::of(&yaku, &self.table.rules));
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
                    player: player.clone(),
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
