//! A table of two people, both played by one client task. Events come over two
//! WebSockets; commands go the same way, or over HTTP.

use std::net::SocketAddr;
use std::time::Instant;

use serde_json::{Value, json};

use crate::Outcome;
use crate::client::{CommandLine, Socket, post};
use crate::load::Play;

/// What the client knows of the table: enough to move legally.
pub struct BenchTable {
    sockets: [Socket; 2],
    /// Where commands go over HTTP.
    lines: Option<[CommandLine; 2]>,
    hands: [Vec<String>; 2],
    field: Vec<String>,
    asked: Asked,
}

/// How commands are sent.
#[derive(Clone, Copy)]
pub enum Commands {
    /// On the socket that events come by.
    WebSocket,
    /// Each as a request of its own.
    Http,
}

enum Asked {
    Play(usize),
    Select(usize, String, String),
    Decide(usize),
    Nobody,
}

impl BenchTable {
    /// Creates a table, seats two, connects both and starts.
    pub async fn open(server: SocketAddr, commands: Commands) -> Outcome<BenchTable> {
        let order = json!({
            "game": "koikoi",
            "rules": { "preset": "protocol", "rounds": 99, "turn_seconds": 0, "teshi": false, "field_kuttsuki": false },
            "seats": [{ "name": "Ada", "kind": "human" }, { "kind": "human" }],
        });
        let laid = post(server, "/api/v1/tables", "", &order).await?;
        let table = laid["table_id"].as_str().ok_or("no table")?.to_owned();
        let path = format!("/api/v1/tables/{table}");
        let seated = post(server, &format!("{path}/seats"), "", &json!({ "name": "Ben" })).await?;
        let tokens =
            [laid["token"].as_str(), seated["token"].as_str()].map(Option::unwrap_or_default);
        post(server, &format!("{path}/start"), tokens[0], &json!({})).await?;
        let mut sockets = [
            Socket::join(server, &table, "p1", tokens[0]).await?,
            Socket::join(server, &table, "p2", tokens[1]).await?,
        ];
        let lines = match commands {
            Commands::WebSocket => None,
            Commands::Http => Some([
                CommandLine::open(server, &table, tokens[0]).await?,
                CommandLine::open(server, &table, tokens[1]).await?,
            ]),
        };
        let snapshots = [sockets[0].next().await?, sockets[1].next().await?];
        let mut opened = BenchTable {
            hands: [ids(&snapshots[0]["cards"]["my_hand"]), ids(&snapshots[1]["cards"]["my_hand"])],
            field: ids(&snapshots[0]["cards"]["field"]),
            sockets,
            lines,
            asked: Asked::Nobody,
        };
        opened.asked = next_asked(&snapshots[0]["flow_state"], &Value::Null);
        if let Asked::Nobody = opened.asked {
            opened.read_step(0).await?;
        }
        Ok(opened)
    }

    fn play(&mut self, seat: usize) -> Value {
        let card = self.hands[seat].pop().unwrap_or_default();
        let matching: Vec<&String> =
            self.field.iter().filter(|other| other[..2] == card[..2]).collect();
        let target = if matching.len() == 2 { Some(matching[0].clone()) } else { None };
        json!({ "command": "TurnPlayHandCard", "card": card, "target": target })
    }

    /// Reads events on both sockets until somebody is asked again. When the
    /// first one came.
    async fn read_step(&mut self, seat: usize) -> Outcome<Instant> {
        let mut first = None;
        loop {
            let event = self.sockets[seat].next().await?;
            first.get_or_insert_with(Instant::now);
            match event["event"].as_str().unwrap_or_default() {
                "TurnError" => return Err(format!("refused: {event}").into()),
                "PlayerConnectionChanged" => continue,
                "RoundDealt" => {
                    let other = self.next_event(1 - seat).await?;
                    self.field = ids(&event["field"]);
                    self.hands[seat] = own_hand(&event);
                    self.hands[1 - seat] = own_hand(&other);
                }
                _ => {
                    self.sockets[1 - seat].skip().await?;
                    self.fold(&event);
                }
            }
            self.asked = next_asked(&event["next_state"], &event["selection"]);
            if event["event"] == "GameFinished" || !matches!(self.asked, Asked::Nobody) {
                // After a selection with a yaku, the decision follows at once.
                if event["event"] == "TurnProgressAfterSelection"
                    && matches!(self.asked, Asked::Decide(_))
                {
                    continue;
                }
                return Ok(first.unwrap_or_else(Instant::now));
            }
        }
    }

    async fn next_event(&mut self, seat: usize) -> Outcome<Value> {
        loop {
            let event = self.sockets[seat].next().await?;
            if event["event"] != "PlayerConnectionChanged" {
                return Ok(event);
            }
        }
    }

    fn fold(&mut self, event: &Value) {
        let done = if event["completed"].is_object() { &event["completed"] } else { event };
        for (play, card) in [
            (&done["hand_play"], "played"),
            (&done["deck_flip"], "flipped"),
            (&event["selected_capture"], "source"),
        ] {
            let Some(id) = play[card].as_str() else { continue };
            let captured = ids(&play["captured"]);
            if captured.is_empty() {
                self.field.push(id.to_owned());
            }
            self.field.retain(|other| !captured.contains(other));
        }
    }
}

impl Play for BenchTable {
    async fn step(&mut self) -> Outcome<Option<f64>> {
        let (seat, command) = match &self.asked {
            Asked::Nobody => return Ok(None),
            Asked::Play(seat) => (*seat, self.play(*seat)),
            Asked::Select(seat, source, target) => (
                *seat,
                json!({ "command": "TurnSelectTarget", "source": source, "target": target }),
            ),
            Asked::Decide(seat) => {
                (*seat, json!({ "command": "RoundMakeDecision", "decision": "END_ROUND" }))
            }
        };
        let began = Instant::now();
        let first = match &mut self.lines {
            None => {
                self.sockets[seat].send(command.to_string()).await?;
                self.read_step(seat).await?
            }
            Some(lines) => {
                lines[seat].post(&command.to_string()).await?;
                let answered = Instant::now();
                self.read_step(seat).await?;
                answered
            }
        };
        Ok(Some(first.duration_since(began).as_secs_f64() * 1e3))
    }
}

fn own_hand(dealt: &Value) -> Vec<String> {
    let hands = dealt["hands"].as_array().map(Vec::as_slice).unwrap_or_default();
    hands
        .iter()
        .find(|hand| hand["cards"].is_array())
        .map(|hand| ids(&hand["cards"]))
        .unwrap_or_default()
}

fn ids(list: &Value) -> Vec<String> {
    let cards = list.as_array().map(Vec::as_slice).unwrap_or_default();
    cards.iter().filter_map(|card| card.as_str().map(str::to_owned)).collect()
}

fn next_asked(state: &Value, selection: &Value) -> Asked {
    let seat = usize::from(state["active_player"] == "p2");
    match state["type"].as_str() {
        Some("AWAITING_HAND_PLAY") => Asked::Play(seat),
        Some("AWAITING_DECISION") => Asked::Decide(seat),
        Some("AWAITING_SELECTION") => {
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            Asked::Select(seat, word(&selection["source"]), word(&selection["options"][0]))
        }
        _ => Asked::Nobody,
    }
}
