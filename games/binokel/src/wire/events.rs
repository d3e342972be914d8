//! Tells a step in the contract's events.

use parlor_kernel::{EventSchema, Moment, schema_of};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::payloads as say;
use super::payloads::{CardObject, MeldObject, Payload, ids};
use super::snapshot::Snapshot;
use crate::cards::Card;
use crate::event::{BiddingWonSeen, DealSeen, GameFinished, GameTerminated, MeldsDeclared, Seen};
use crate::knowledge::Knowledge;
use crate::melds::melds;
use crate::setup::GameSetup;

/// An event on the wire.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Envelope<'a, P> {
    id: String,
    session_id: &'a str,
    /// 1, 2, 3 … in the viewer's own view.
    sequence: u64,
    /// Milliseconds since 1970.
    timestamp: u64,
    #[serde(rename = "type")]
    kind: &'static str,
    payload: P,
}

impl<'a, P: Payload> Envelope<'a, P> {
    fn nth(moment: &Moment<'a>, nth: usize, payload: P) -> Envelope<'a, P> {
        Envelope {
            id: moment.event_id(nth),
            session_id: moment.game_id,
            sequence: moment.position + nth as u64 + 1,
            timestamp: moment.timestamp,
            kind: P::TYPE,
            payload,
        }
    }

    /// A message that reflects the stream so far.
    pub fn present(moment: &Moment<'a>, payload: P) -> Envelope<'a, P> {
        Envelope {
            id: moment.present_id(),
            sequence: moment.position,
            ..Envelope::nth(moment, 0, payload)
        }
    }
}

pub(super) fn text(said: &impl Serialize) -> String {
    // Plain data with string keys always becomes JSON.
    serde_json::to_string(said).expect("what is said is plain data")
}

/// Tells one step to one listener.
pub(super) struct Speaker<'a> {
    before: &'a Knowledge,
    after: &'a Knowledge,
    moment: &'a Moment<'a>,
    /// How much was said before this step.
    first: usize,
    out: &'a mut Vec<String>,
}

impl<'a> Speaker<'a> {
    pub fn new(
        before: &'a Knowledge,
        after: &'a Knowledge,
        moment: &'a Moment<'a>,
        out: &'a mut Vec<String>,
    ) -> Speaker<'a> {
        Speaker { before, after, moment, first: out.len(), out }
    }

    fn say(&mut self, payload: impl Payload) {
        let nth = self.out.len() - self.first;
        self.out.push(text(&Envelope::nth(self.moment, nth, payload)));
    }

    pub fn tell(&mut self, step: &[Seen]) {
        // A trick is won by the card just played to what lay there before.
        let mut trick: Vec<Card> = self.before.board.trick.cards().to_vec();
        for seen in step {
            match seen {
                Seen::GameStarted(table) => self.game_started(table),
                Seen::NewRoundStarted(start) => {
                    self.say(say::NewRoundStarted { round: start.round, dealer: start.dealer });
                }
                Seen::CardsDealt(dealt) => self.cards_dealt(dealt),
                Seen::BidPlaced(bid) => {
                    self.say(say::BidPlaced { player_index: bid.seat, amount: bid.amount });
                }
                Seen::PlayerPassed(passed) => {
                    self.say(say::PlayerPassed { player_index: passed.seat });
                }
                Seen::BiddingWon(won) => self.bidding_won(won),
                Seen::DabbTaken(taken) => self.say(say::DabbTaken {
                    player_index: taken.seat,
                    dabb_cards: CardObject::all(&taken.dabb_cards),
                }),
                Seen::CardsDiscarded(discarded) => self.say(say::CardsDiscarded {
                    player_index: discarded.seat,
                    discarded_cards: ids(&discarded.discarded_cards),
                }),
                Seen::GoingOut(named) => {
                    self.say(say::GoingOut { player_index: named.seat, suit: named.suit });
                }
                Seen::TrumpDeclared(named) => {
                    self.say(say::TrumpDeclared { player_index: named.seat, suit: named.suit });
                }
                Seen::SpecialAnnounced(announced) => self.say(say::SpecialAnnounced {
                    player_index: announced.seat,
                    special: announced.special,
                }),
                Seen::MeldsDeclared(declared) => self.melds_declared(declared),
                Seen::MeldingComplete(complete) => {
                    self.say(say::MeldingComplete { meld_scores: complete.meld_scores });
                }
                Seen::CardPlayed(play) => {
                    trick.push(play.card);
                    let card = CardObject::of(play.card);
                    self.say(say::CardPlayed { player_index: play.seat, card });
                }
                Seen::TrickWon(won) => self.say(say::TrickWon {
                    winner_index: won.seat,
                    cards: CardObject::row(&trick),
                    points: won.points,
                }),
                Seen::RoundScored(scored) => self.say(say::RoundScored {
                    scores: scored.scores,
                    total_scores: scored.total_scores,
                }),
                Seen::GameFinished(finished) => self.say(say::GameFinished::from(&**finished)),
                Seen::GameTerminated(terminated) => {
                    self.say(say::GameTerminated::from(&**terminated));
                }
            }
        }
    }

    fn game_started(&mut self, table: &GameSetup) {
        for joined in say::PlayerJoined::all(&table.setup.seats) {
            self.say(joined);
        }
        self.say(say::GameStarted {
            player_count: table.players(),
            target_score: table.setup.rules.target,
            dealer: table.dealer,
            rules: table.setup.rules.clone(),
            seed_commitment: table.setup.commitment.clone(),
        });
    }

    fn cards_dealt(&mut self, dealt: &DealSeen) {
        self.say(say::CardsDealt {
            hands: say::Hands::of(&dealt.hands),
            dabb: CardObject::all(&dealt.dabb),
        });
    }

    fn bidding_won(&mut self, won: &BiddingWonSeen) {
        self.say(say::BiddingWon {
            player_index: won.seat,
            winning_bid: won.winning_bid,
            dabb: won.dabb.is_open().then(|| CardObject::all(&won.dabb)),
        });
    }

    fn melds_declared(&mut self, declared: &MeldsDeclared) {
        // Trump was named in an earlier step; after this one the next round
        // may have begun, in which there is none yet.
        let (Some(trump), Some(table)) = (self.before.board.trump, &self.after.table) else {
            return;
        };
        let melds = melds(declared.cards, trump, &table.setup.rules);
        self.say(say::MeldsDeclared {
            player_index: declared.seat,
            melds: melds.into_iter().map(MeldObject::from).collect(),
            total_points: declared.total_points,
        });
    }
}

impl From<&GameFinished> for say::GameFinished {
    fn from(finished: &GameFinished) -> Self {
        say::GameFinished {
            winner: finished.winner,
            final_scores: finished.final_scores,
            reason: finished.reason,
            seed: finished.opening.clone(),
        }
    }
}

impl From<&GameTerminated> for say::GameTerminated {
    fn from(terminated: &GameTerminated) -> Self {
        say::GameTerminated {
            terminated_by: terminated.terminated_by,
            reason: terminated.reason.clone(),
            seed: terminated.opening.clone(),
        }
    }
}

fn schema<P: Payload>() -> EventSchema {
    let mut schema = schema_of::<Envelope<'static, P>>();
    schema["title"] = json!(P::TYPE);
    schema["properties"]["type"] = json!({ "const": P::TYPE });
    EventSchema { name: P::TYPE.to_owned(), is_command: false, schema }
}

fn aside<T: JsonSchema>(name: &str) -> EventSchema {
    let mut schema = schema_of::<T>();
    schema["title"] = json!(name);
    schema["properties"]["type"] = json!({ "const": name });
    EventSchema { name: name.to_owned(), is_command: false, schema }
}

/// The schemas of everything that is said.
pub(super) fn schemas() -> Vec<EventSchema> {
    vec![
        schema::<say::PlayerJoined>(),
        schema::<say::GameStarted>(),
        schema::<say::CardsDealt>(),
        schema::<say::BidPlaced>(),
        schema::<say::PlayerPassed>(),
        schema::<say::BiddingWon>(),
        schema::<say::DabbTaken>(),
        schema::<say::CardsDiscarded>(),
        schema::<say::GoingOut>(),
        schema::<say::TrumpDeclared>(),
        schema::<say::SpecialAnnounced>(),
        schema::<say::MeldsDeclared>(),
        schema::<say::MeldingComplete>(),
        schema::<say::CardPlayed>(),
        schema::<say::TrickWon>(),
        schema::<say::RoundScored>(),
        schema::<say::NewRoundStarted>(),
        schema::<say::GameFinished>(),
        schema::<say::GameTerminated>(),
        schema::<Snapshot>(),
        aside::<say::Error>(say::Error::TYPE),
        aside::<say::Presence>(say::Presence::CAME),
        aside::<say::Presence>(say::Presence::LEFT),
        aside::<say::Presence>(say::Presence::BACK),
        aside::<say::Presence>(say::Presence::STOOD_IN_FOR),
    ]
}
