//! A client as a stranger would write it from the contracts alone: it moves
//! cards about as events say and knows no rule but that months match.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// What a client draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Client {
    pub me: Option<String>,
    pub field: Vec<String>,
    /// The own hand; nothing for a spectator.
    pub hand: BTreeSet<String>,
    pub hand_counts: [u64; 2],
    pub captures: [BTreeSet<String>; 2],
    pub deck: u64,
    pub scores: [u64; 2],
    pub dealer: String,
    pub round: u64,
    pub rounds_played: u64,
    pub koi: [u64; 2],
    /// The yaku held, with their points.
    pub yaku: [Vec<(String, u64)>; 2],
    /// What is awaited, and whom.
    pub flow: Option<(String, String)>,
    /// The flipped card and what it may take.
    pub pending: Option<(String, Vec<String>)>,
    pub last_round: Value,
    pub finished: Value,
}

pub fn place(player: &str) -> usize {
    match player {
        "p1" => 0,
        "p2" => 1,
        other => panic!("there is no player {other}"),
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text, not {value}")).to_owned()
}

pub fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap_or_else(|| panic!("a list, not {value}")).iter().map(text).collect()
}

pub fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// A list of `{player_id, KEY}`, by player.
pub fn by_player(list: &Value, key: &str) -> [u64; 2] {
    let mut found = [u64::MAX; 2];
    for one in list.as_array().expect("a list by player") {
        found[place(&text(&one["player_id"]))] = number(&one[key]);
    }
    found
}

/// `{TYPE, PLAYER}` or null.
pub fn flow(state: &Value, kind: &str, player: &str) -> Option<(String, String)> {
    (!state.is_null()).then(|| (text(&state[kind]), text(&state[player])))
}

/// A list of yaku, by name and points.
pub fn yaku(list: &Value, kind: &str) -> Vec<(String, u64)> {
    let list = list.as_array().expect("a list of yaku").iter();
    list.map(|yaku| (text(&yaku[kind]), number(&yaku["base_points"]))).collect()
}

/// An event without its head, as a snapshot repeats it.
pub fn body(event: &Value, head: &[&str]) -> Value {
    let mut body = event.as_object().expect("an event is an object").clone();
    body.retain(|key, _| !head.contains(&key.as_str()));
    Value::Object(body)
}

impl Client {
    pub fn deal(&mut self, round: u64, dealer: String, field: Vec<String>, hand: Vec<String>) {
        *self = Client {
            me: self.me.take(),
            field,
            hand: hand.into_iter().collect(),
            hand_counts: [8; 2],
            deck: 24,
            scores: self.scores,
            dealer,
            round,
            rounds_played: self.rounds_played,
            koi: [1; 2],
            ..Client::default()
        };
    }

    pub fn leave_hand(&mut self, player: &str, card: &str) {
        self.hand_counts[place(player)] -= 1;
        if self.me.as_deref() == Some(player) {
            assert!(self.hand.remove(card), "{card} was not in the own hand");
        }
    }

    /// A card joins the field, or takes these from it.
    pub fn meet(&mut self, player: &str, card: String, taken: Vec<String>) {
        if taken.is_empty() {
            return self.field.push(card);
        }
        for target in taken {
            let at = self.field.iter().position(|other| *other == target);
            self.field.remove(at.unwrap_or_else(|| panic!("{target} is not on the field")));
            self.captures[place(player)].insert(target);
        }
        self.captures[place(player)].insert(card);
    }

    /// The commands this client would let its player choose from.
    pub fn moves(&self) -> BTreeSet<String> {
        let Some((awaited, player)) = &self.flow else { return BTreeSet::new() };
        if self.me.as_ref() != Some(player) {
            return BTreeSet::new();
        }
        let commands: Vec<Value> = match awaited.as_str() {
            "AWAITING_HAND_PLAY" => self.hand.iter().flat_map(|card| self.plays(card)).collect(),
            "AWAITING_SELECTION" => {
                let (source, options) = self.pending.as_ref().expect("a pending selection");
                let select = |target| json!({"command": "TurnSelectTarget", "source": source, "target": target});
                options.iter().map(select).collect()
            }
            "AWAITING_DECISION" => ["KOI_KOI", "END_ROUND"]
                .map(|word| json!({"command": "RoundMakeDecision", "decision": word}))
                .to_vec(),
            other => panic!("there is no flow state {other}"),
        };
        commands.iter().map(Value::to_string).collect()
    }

    fn plays(&self, card: &str) -> Vec<Value> {
        let month = &card[..2];
        let matches: Vec<_> = self.field.iter().filter(|other| &other[..2] == month).collect();
        let play = |target: Option<&String>| json!({"command": "TurnPlayHandCard", "card": card, "target": target});
        match matches[..] {
            [one, other] => vec![play(Some(one)), play(Some(other))],
            _ => vec![play(None)],
        }
    }
}
