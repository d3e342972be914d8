//! A player that knows only the snapshot, in either dialect of Koi-Koi.

use serde_json::{Value, json};

use super::Chance;
use super::house::{House, Table};
use super::stream::Message;

pub const PROTOCOL: &str = "koikoi.protocol";
pub const CONTRACT: &str = "koikoi.contract";
pub const DIALECTS: [&str; 2] = [PROTOCOL, CONTRACT];

/// What a snapshot says, whatever its dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub me: Option<String>,
    /// PLAYING, ROUND_OVER or FINISHED.
    pub stage: String,
    pub flow: Option<String>,
    pub active: Option<String>,
    pub hand: Vec<String>,
    pub field: Vec<String>,
    pub deck_remaining: u64,
    pub scores: Vec<u64>,
    /// The flipped card, then what it may take.
    pub selection: Vec<String>,
    pub seconds_left: Option<u64>,
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().into_iter().flatten();
    list.map(|item| item.as_str().expect("a text").to_owned()).collect()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Between rounds a snapshot names who opens the next one; nobody is awaited.
fn while_playing(snapshot: &Value, told: &Value) -> Option<String> {
    let told = text(told).expect("the flow state is never null");
    (snapshot["phase"] == "PLAYING").then_some(told)
}

impl Standing {
    /// Reads a snapshot.
    pub fn read(snapshot: &Value) -> Standing {
        if snapshot["event_type"] == "GameSnapshotRestore" {
            Standing::read_contract(snapshot)
        } else {
            assert_eq!(snapshot["event"], "GameSnapshotRestore", "{snapshot}");
            Standing::read_protocol(snapshot)
        }
    }

    fn read_protocol(snapshot: &Value) -> Standing {
        let (cards, flow) = (&snapshot["cards"], &snapshot["flow_state"]);
        let selection = &flow["context"]["selection"];
        Standing {
            me: text(&snapshot["my_player_id"]),
            stage: text(&flow["stage"]).expect("a stage"),
            flow: while_playing(snapshot, &flow["type"]),
            active: while_playing(snapshot, &flow["active_player"]),
            hand: texts(&cards["my_hand"]),
            field: texts(&cards["field"]),
            deck_remaining: cards["deck_remaining"].as_u64().expect("a count"),
            scores: scores(&snapshot["game"]["cumulative_scores"]),
            selection: text(&selection["source"])
                .into_iter()
                .chain(texts(&selection["options"]))
                .collect(),
            seconds_left: flow["seconds_left"].as_u64(),
        }
    }

    fn read_contract(snapshot: &Value) -> Standing {
        let me = text(&snapshot["my_player_id"]);
        let mut hands = snapshot["player_hands"].as_array().into_iter().flatten();
        let own = hands.find(|hand| text(&hand["player_id"]) == me);
        let selection = &snapshot["pending_selection"];
        Standing {
            me: me.clone(),
            stage: text(&snapshot["stage"]).expect("a stage"),
            flow: while_playing(snapshot, &snapshot["current_flow_stage"]),
            active: while_playing(snapshot, &snapshot["active_player_id"]),
            hand: own.map(|hand| texts(&hand["cards"])).unwrap_or_default(),
            field: texts(&snapshot["field_cards"]),
            deck_remaining: snapshot["deck_remaining"].as_u64().expect("a count"),
            scores: scores(&snapshot["player_scores"]),
            selection: text(&selection["drawn_card"])
                .into_iter()
                .chain(texts(&selection["possible_targets"]))
                .collect(),
            seconds_left: snapshot["seconds_left"].as_u64(),
        }
    }

    pub fn is_my_turn(&self) -> bool {
        self.active.is_some() && self.active == self.me
    }

    /// A legal command, if it is this player's turn.
    pub fn choose(&self, chance: &mut Chance) -> Option<Value> {
        if !self.is_my_turn() {
            return None;
        }
        Some(match self.flow.as_deref()? {
            "AWAITING_HAND_PLAY" => {
                let card = &self.hand[chance.below(self.hand.len())];
                let matches: Vec<&String> =
                    self.field.iter().filter(|other| other[..2] == card[..2]).collect();
                let target = (matches.len() == 2).then(|| matches[chance.below(2)]);
                json!({ "command": "TurnPlayHandCard", "card": card, "target": target })
            }
            "AWAITING_SELECTION" => json!({
                "command": "TurnSelectTarget",
                "source": self.selection[0],
                "target": self.selection[1 + chance.below(2)],
            }),
            "AWAITING_DECISION" => {
                let decision = ["KOI_KOI", "END_ROUND"][chance.below(2)];
                json!({ "command": "RoundMakeDecision", "decision": decision })
            }
            other => panic!("no such state: {other}"),
        })
    }
}

fn scores(list: &Value) -> Vec<u64> {
    let list = list.as_array().into_iter().flatten();
    list.map(|entry| entry["score"].as_u64().expect("a score")).collect()
}

/// Who is awaited at a table of two people, and what they know.
pub fn awaited(house: &House, table: &Table) -> (usize, Standing) {
    let standings =
        [0, 1].map(|seat| (seat, Standing::read(&house.snapshot(table, Some(seat), PROTOCOL))));
    let found = standings.into_iter().find(|(_, standing)| standing.is_my_turn());
    found.expect("somebody is awaited")
}

/// Lets whoever is awaited among the people move once, from their snapshot
/// alone. False when the match is over.
pub fn step(house: &House, table: &Table, dialect: &str, chance: &mut Chance) -> bool {
    for seat in (0..table.tokens.len()).filter(|seat| table.token(*seat).is_some()) {
        let standing = Standing::read(&house.snapshot(table, Some(seat), dialect));
        if standing.stage == "FINISHED" {
            return false;
        }
        if let Some(command) = standing.choose(chance) {
            house.command(table, seat, dialect, &command).with(200);
            return true;
        }
    }
    // A bot or the house is about to move.
    std::thread::yield_now();
    true
}

/// Plays a table to the end of its match.
pub fn play_out(house: &House, table: &Table, dialect: &str, chance: &mut Chance) {
    let began = std::time::Instant::now();
    while step(house, table, dialect, chance) {
        assert!(began.elapsed() < super::PATIENCE * 2, "the match does not end");
    }
}

/// The positions of messages.
pub fn positions(messages: &[Message]) -> Vec<u64> {
    messages.iter().map(|message| message.position.expect("a position")).collect()
}
