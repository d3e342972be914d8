//! What is hidden stays hidden: every byte each viewer receives is held
//! against the truth.

mod common;

use std::collections::HashSet;

use common::*;
use serde_json::{Value, json};

const SPOKEN: [&str; 3] = [PROTOCOL, CONTRACT, "log"];
const VIEWERS: [Option<usize>; 3] = [Some(0), Some(1), None];

fn cards(value: &Value) -> Vec<String> {
    match value {
        Value::String(card) => vec![card.clone()],
        Value::Array(cards) => cards.iter().flat_map(self::cards).collect(),
        _ => Vec::new(),
    }
}

/// What no viewer of a kind may know yet, round by round.
struct Truth {
    rounds: Vec<[HashSet<String>; 3]>,
    secrets: Vec<String>,
    over: bool,
}

impl Truth {
    fn read(log: &str) -> Truth {
        let mut truth = Truth { rounds: Vec::new(), secrets: Vec::new(), over: false };
        for line in log.lines() {
            let event: Value = serde_json::from_str(line).expect("an envelope");
            truth.take_in(event["eventType"].as_str().expect("a type"), &event["payload"]);
        }
        assert_eq!(truth.secrets.len(), 2, "a seed and a salt");
        truth
    }

    fn take_in(&mut self, kind: &str, payload: &Value) {
        match kind {
            "GameStarted" => {
                let secret = |name: &str| payload["seal"][name].as_str().map(str::to_owned);
                self.secrets = [secret("seed"), secret("salt")].into_iter().flatten().collect();
            }
            "RoundDealt" => {
                let (hands, pile) = (&payload["hands"], cards(&payload["pile"]));
                let hidden = |others: &[usize]| {
                    let hands = others.iter().flat_map(|seat| cards(&hands[seat]));
                    hands.chain(pile.iter().cloned()).collect::<HashSet<String>>()
                };
                assert_eq!(pile.len(), 24);
                self.rounds.push([hidden(&[1]), hidden(&[0]), hidden(&[0, 1])]);
            }
            "HandPlayed" | "CardFlipped" | "ChoiceOffered" => {
                let card = payload["card"].as_str().expect("a card");
                for hidden in self.rounds.last_mut().expect("a deal") {
                    hidden.remove(card);
                }
            }
            "GameFinished" => self.over = true,
            _ => {}
        }
    }

    /// This text, said of a round (from 1), gives nothing away to a viewer.
    #[track_caller]
    fn check(&self, viewer: usize, round: usize, text: &str) {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        let hidden = self.rounds.get(round.wrapping_sub(1)).map(|round| &round[viewer]);
        for word in words.filter(|word| word.len() == 4) {
            let leaked = hidden.is_some_and(|hidden| hidden.contains(word));
            assert!(!leaked, "viewer {viewer} learns of {word} in round {round}: {text}");
        }
    }

    /// The seal is closed until the last event.
    #[track_caller]
    fn check_sealed(&self, text: &str) {
        for secret in &self.secrets {
            assert!(!text.contains(secret), "the seal is broken: {text}");
        }
    }
}

enum Line {
    Stream(Box<Stream>),
    Socket(Box<Socket>),
}

/// One way of listening, and how far it has got.
struct Ear {
    viewer: usize,
    dialect: &'static str,
    line: Line,
    round: usize,
    heard: u64,
}

impl Ear {
    /// Hears everything up to a position.
    fn catch_up(&mut self, to: u64, truth: &Truth) {
        while self.heard < to {
            let message = match &mut self.line {
                Line::Stream(stream) => stream.next(),
                Line::Socket(socket) => socket.next(),
            };
            let message = message.expect("a message");
            if message.name() == "RoundDealt" {
                self.round += 1;
            }
            truth.check(self.viewer, self.round, &message.text);
            if message.name() != "GameFinished" {
                truth.check_sealed(&message.text);
            }
            self.heard = message.position.unwrap_or(self.heard);
        }
    }
}

fn ears(house: &House, table: &Table) -> Vec<Ear> {
    let ear = |viewer, dialect, line| Ear { viewer, dialect, line, round: 0, heard: 0 };
    let mut ears = Vec::new();
    for (viewer, seat) in VIEWERS.into_iter().enumerate() {
        for dialect in SPOKEN {
            let stream = Box::new(house.listen(table, seat, dialect, Some(0)));
            ears.push(ear(viewer, dialect, Line::Stream(stream)));
            if let (Some(seat), true) = (seat, dialect != "log") {
                let socket = Box::new(house.connect(table, seat, dialect, Some(0)));
                ears.push(ear(viewer, dialect, Line::Socket(socket)));
            }
        }
    }
    ears
}

/// Everything a viewer can ask for now gives nothing away.
fn check_the_present(house: &House, table: &Table, truth: &Truth, ears: &mut [Ear]) {
    let round = truth.rounds.len();
    for (viewer, seat) in VIEWERS.into_iter().enumerate() {
        let token = seat.and_then(|seat| table.token(seat));
        for dialect in SPOKEN {
            let path = table.path(&format!("/snapshot?dialect={dialect}"));
            let snapshot = house.get(&path, token);
            truth.check(viewer, round, &snapshot.text);
            let position = snapshot.header("parlor-position").expect("a position");
            let position = position.parse().expect("a number");
            let mine = |ear: &&mut Ear| ear.viewer == viewer && ear.dialect == dialect;
            ears.iter_mut().filter(mine).for_each(|ear| ear.catch_up(position, truth));
            if !truth.over {
                truth.check_sealed(&snapshot.text);
            }
        }
        let (mut round, log) = (0, house.get(&table.path("/log"), token).text);
        for line in log.lines() {
            round += usize::from(line.contains(r#""eventType":"RoundDealt""#));
            truth.check(viewer, round, line);
            if !line.contains(r#""eventType":"GameFinished""#) {
                truth.check_sealed(line);
            }
        }
        truth.check_sealed(&house.get(&table.path(""), token).text);
    }
}

fn watch_a_match(house: &House, number: u64) {
    let mut chance = Chance::new(number);
    let table = house.for_two(&json!({ "rounds": 2 }));
    let mut ears = ears(house, &table);
    house.start(&table);
    loop {
        let standing =
            [0, 1].map(|seat| Standing::read(&house.snapshot(&table, Some(seat), PROTOCOL)));
        let over = standing[0].stage == "FINISHED";
        let Some(seat) = (0..2).find(|seat| over || standing[*seat].is_my_turn()) else {
            continue;
        };
        // Nobody but this seat can move now: the log stands still.
        let truth = Truth::read(&house.admin_log(&table));
        check_the_present(house, &table, &truth, &mut ears);
        if over {
            return;
        }
        let command = standing[seat].choose(&mut chance).expect("my turn");
        let done = house.command(&table, seat, PROTOCOL, &command).with(200);
        assert_eq!(done.as_object().map(|fields| fields.len()), Some(1), "a position alone");
    }
}

#[test]
fn no_viewer_learns_of_a_card_before_everyone_may_know_it() {
    let house = House::open(&[]);
    std::thread::scope(|threads| {
        for half in 0..2 {
            let house = &house;
            threads.spawn(move || {
                for number in 0..10 {
                    watch_a_match(house, 1 + half * 10 + number);
                }
            });
        }
    });
}

#[test]
fn a_refusal_does_not_tell_where_a_card_is() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, _) = awaited(&house, &table);
    let truth = Truth::read(&house.admin_log(&table));
    let hidden = &truth.rounds[0][seat];
    assert_eq!(hidden.len(), 32, "the other hand and the pile");
    let answers: HashSet<String> = hidden
        .iter()
        .map(|card| {
            let wrong = json!({ "command": "TurnPlayHandCard", "card": card, "target": null });
            let refused = house.command(&table, seat, PROTOCOL, &wrong);
            refused.refused(422, "INVALID_CARD").replace(card, "that card")
        })
        .collect();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[test]
fn the_admin_sees_all_and_the_postmortem_shows_it_to_everyone_afterwards() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
    let admin = house.admin_log(&table);
    let postmortem = house.get(&table.path("/log?view=postmortem"), None);
    assert_eq!((postmortem.status, &postmortem.text), (200, &admin));
    let public = house.get(&table.path("/log?view=public"), None).text;
    assert_ne!(public, admin);
    assert_eq!(public, house.get(&table.path("/log?view=town"), None).text);
}

#[test]
fn the_last_event_opens_the_seal() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
    let truth = Truth::read(&house.admin_log(&table));
    for dialect in SPOKEN {
        let told = house.listen(&table, None, dialect, Some(0)).take_until("GameFinished");
        let last = &told.last().expect("the end").text;
        assert!(truth.secrets.iter().all(|secret| last.contains(secret)), "{last}");
    }
}
