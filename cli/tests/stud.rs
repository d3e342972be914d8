//! Seven Card Stud at the real server: people and bots at one table, over SSE
//! and WebSocket, with every byte held against the truth.

mod common;

use std::collections::HashSet;

use common::*;
use serde_json::{Value, json};

const DIALECT: &str = "stud.events";
const PEOPLE: [usize; 2] = [0, 2];
const CHIPS: u64 = 4 * 300;

/// Two people and two bots, two deals of each variant; short stacks, so that
/// somebody is all-in now and then.
fn lay(house: &House, seed: &str) -> Table {
    let rules = json!({ "preset": "mixed", "rotationDeals": 2, "deals": 6, "stacks": 300 });
    let bot = json!({ "kind": "bot", "bot": "random" });
    let mut table = house.lay(&json!({ "game": "stud", "rules": rules, "seed": seed, "seats": [
        { "name": "Ann", "kind": "human" }, bot, { "kind": "human" }, bot,
    ]}));
    assert_eq!(house.join(&mut table, "Ben"), 2);
    table
}

/// Who of the people is awaited, with what they know; none once it is over.
fn awaited(house: &House, table: &Table) -> Option<(usize, Value)> {
    until("a turn or the end", || {
        let knows = |seat| house.snapshot(table, Some(seat), DIALECT);
        let first = knows(PEOPLE[0]);
        if first["stage"] == "FINISHED" {
            return Some(None);
        }
        let seat = PEOPLE.into_iter().find(|seat| first["currentActorIndex"] == *seat)?;
        Some(Some((seat, if seat == PEOPLE[0] { first } else { knows(seat) })))
    })
}

/// Any of the legal actions the snapshot offers.
fn choose(known: &Value, chance: &mut Chance) -> Value {
    let legal = known["legal"].as_array().expect("legal actions");
    json!({ "type": legal[chance.below(legal.len())]["type"] })
}

/// The chips on the table are those that were brought.
#[track_caller]
fn check_chips(known: &Value) {
    let players = known["players"].as_array().expect("players");
    let stacks: u64 = players.iter().map(|player| player["stack"].as_u64().expect("a stack")).sum();
    let pot = if known["dealFinished"] == true { 0 } else { known["pot"].as_u64().expect("a pot") };
    assert_eq!(stacks + pot, CHIPS, "{known}");
}

fn variants(told: &[Message]) -> HashSet<String> {
    let started = told.iter().filter(|message| message.name() == "DEAL_STARTED");
    started.map(|message| message.json()["variant"].as_str().expect("one").to_owned()).collect()
}

#[track_caller]
fn check_stream(told: &[Message], schemas: &mut Schemas) {
    assert_eq!(positions(told), (1..=told.len() as u64).collect::<Vec<_>>(), "dense positions");
    for message in told {
        schemas.check(DIALECT, &message.name(), &message.json());
    }
}

#[test]
fn people_and_bots_play_a_mixed_match_over_sse() {
    let house = House::open(&[]);
    let mut schemas = Schemas::of(&house);
    let table = lay(&house, "mixed over sse");
    let mut streams = PEOPLE.map(|seat| house.listen(&table, Some(seat), DIALECT, Some(0)));
    house.start(&table);
    let mut chance = Chance::new(1);
    while let Some((seat, known)) = awaited(&house, &table) {
        check_chips(&known);
        house.command(&table, seat, DIALECT, &choose(&known, &mut chance)).with(200);
    }
    for stream in &mut streams {
        let told = stream.take_until("GAME_FINISHED");
        check_stream(&told, &mut schemas);
        assert_eq!(told.iter().filter(|message| message.name() == "DEAL_END").count(), 6);
        assert_eq!(variants(&told).len(), 3, "high, razz and hi-lo");
    }
}

#[test]
fn people_and_bots_play_a_mixed_match_over_websocket() {
    let house = House::open(&[]);
    let mut schemas = Schemas::of(&house);
    let table = lay(&house, "mixed over websocket");
    let mut sockets = PEOPLE.map(|seat| {
        let mut socket = Socket::open(&house, &table, DIALECT).expect("the socket opens");
        let token = table.token(seat).expect("a token");
        socket.say(&json!({ "type": "auth", "token": token, "after": 0 }));
        socket
    });
    house.start(&table);
    let mut chance = Chance::new(2);
    let mut told = PEOPLE.map(|_| Vec::new());
    // Each client acts on what its own socket told it, and on nothing else.
    while told.iter().any(|heard| !is_over(heard)) {
        for (place, seat) in PEOPLE.into_iter().enumerate() {
            if is_over(&told[place]) {
                continue;
            }
            let message = sockets[place].next_event().expect("an event");
            let next = message.json()["next"].clone();
            told[place].push(message);
            if next["seat"] == seat {
                sockets[place].say(&choose(&next, &mut chance));
            }
        }
    }
    for heard in &told {
        check_stream(heard, &mut schemas);
        assert_eq!(variants(heard).len(), 3, "high, razz and hi-lo");
    }
}

fn is_over(told: &[Message]) -> bool {
    told.last().is_some_and(|message| message.name() == "GAME_FINISHED")
}

#[test]
fn a_reconnect_at_any_decision_restores_the_view() {
    let house = House::open(&[]);
    let table = lay(&house, "reconnect");
    house.start(&table);
    let mut chance = Chance::new(3);
    let mut whole = PEOPLE.map(|seat| house.listen(&table, Some(seat), DIALECT, Some(0)));
    let mut heard = PEOPLE.map(|_| Vec::new());
    while let Some((seat, known)) = awaited(&house, &table) {
        for (place, viewer) in PEOPLE.into_iter().enumerate() {
            let mut fresh = house.listen(&table, Some(viewer), DIALECT, None);
            let restored = fresh.next_event().expect("a snapshot");
            let mut snapshot = house.snapshot(&table, Some(viewer), DIALECT);
            snapshot["timestamp"] = restored.json()["timestamp"].clone();
            assert_eq!(restored.json(), snapshot);
            // Whoever comes back from anywhere hears the same from there on.
            let at = restored.position.expect("the position it reflects");
            let mine: &mut Vec<Message> = &mut heard[place];
            let missing = at as usize - mine.len();
            mine.extend(whole[place].take(missing));
            let from = chance.below(mine.len());
            let mut resumed = house.listen(&table, Some(viewer), DIALECT, Some(from as u64));
            assert_eq!(resumed.take(mine.len() - from), mine[from..], "resumed after {from}");
        }
        house.command(&table, seat, DIALECT, &choose(&known, &mut chance)).with(200);
    }
}

/// What was dealt, deal by deal, and who may know it.
#[derive(Default)]
struct Deal {
    open: HashSet<String>,
    own: [HashSet<String>; 4],
    /// Seats whose cards lie open, because nobody can bet any more.
    face_up: HashSet<u64>,
}

fn cards(value: &Value) -> impl Iterator<Item = String> + '_ {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}

impl Deal {
    fn take_in(&mut self, kind: &str, payload: &Value) {
        let each = |name: &str| payload[name].as_array().cloned().unwrap_or_default();
        let seat = |entry: &Value| entry["seat"].as_u64().expect("a seat");
        match kind {
            "DEAL_CARDS_3RD" => {
                for hand in each("hands") {
                    self.own[seat(&hand) as usize].extend(cards(&hand["down"]));
                    self.open.insert(hand["up"].as_str().expect("a door card").to_owned());
                }
            }
            "DEAL_CARD_7TH" => {
                for entry in each("cards") {
                    let card = entry["card"].as_str().expect("a card").to_owned();
                    match self.face_up.contains(&seat(&entry)) {
                        true => drop(self.open.insert(card)),
                        false => drop(self.own[seat(&entry) as usize].insert(card)),
                    }
                }
            }
            "DEAL_CARD_4TH" | "DEAL_CARD_5TH" | "DEAL_CARD_6TH" => {
                let card = |entry: &Value| entry["card"].as_str().expect("a card").to_owned();
                self.open.extend(each("cards").iter().map(card));
            }
            "STREET_ADVANCE" => {
                for hand in each("turnedUp") {
                    self.open.extend(cards(&hand["down"]));
                    self.face_up.insert(seat(&hand));
                }
            }
            "DEAL_END" => each("shown").iter().for_each(|hand| {
                self.open.extend(cards(&hand["cards"]));
            }),
            _ => {}
        }
    }

    /// This text, said of this deal, gives nothing away to a viewer.
    #[track_caller]
    fn check(&self, viewer: Option<usize>, text: &str) {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        for word in words.filter(|word| is_card(word)) {
            let own = viewer.is_some_and(|seat| self.own[seat].contains(word));
            assert!(own || self.open.contains(word), "{viewer:?} learns of {word}: {text}");
        }
    }
}

fn is_card(word: &str) -> bool {
    let mut letters = word.chars();
    let (rank, suit) = (letters.next(), letters.next());
    letters.next().is_none()
        && rank.is_some_and(|rank| "23456789TJQKA".contains(rank))
        && suit.is_some_and(|suit| "cdhs".contains(suit))
}

fn truth(house: &House, table: &Table) -> Vec<Deal> {
    let mut deals = Vec::new();
    for line in house.admin_log(table).lines() {
        let event: Value = serde_json::from_str(line).expect("an envelope");
        let kind = event["eventType"].as_str().expect("a type");
        if kind == "DEAL_STARTED" {
            deals.push(Deal::default());
        }
        if let Some(deal) = deals.last_mut() {
            deal.take_in(kind, &event["payload"]);
        }
    }
    deals
}

/// Whole texts, one after another, each said of the deal under way.
#[track_caller]
fn check_telling<'a>(deals: &[Deal], viewer: Option<usize>, texts: impl Iterator<Item = &'a str>) {
    let mut deal = 0;
    for text in texts {
        deal += usize::from(text.contains("DEAL_STARTED"));
        if let Some(deal) = deals.get(deal.wrapping_sub(1)) {
            deal.check(viewer, text);
        }
    }
}

#[test]
fn no_other_seats_down_card_is_in_any_byte_sent() {
    let house = House::open(&[]);
    for number in 0..4 {
        let table = lay(&house, &format!("hidden {number}"));
        let viewers = [Some(0), Some(2), None];
        let spoken = [DIALECT, "log"];
        let ear = |viewer| spoken.map(|dialect| house.listen(&table, viewer, dialect, Some(0)));
        let mut ears = viewers.map(ear);
        house.start(&table);
        let mut chance = Chance::new(10 + number);
        while let Some((seat, known)) = awaited(&house, &table) {
            let deals = truth(&house, &table);
            let now = deals.last().expect("a deal");
            for viewer in viewers {
                let token = viewer.and_then(|seat| table.token(seat));
                for dialect in spoken {
                    let path = table.path(&format!("/snapshot?dialect={dialect}"));
                    now.check(viewer, &house.get(&path, token).text);
                }
                check_telling(&deals, viewer, house.get(&table.path("/log"), token).text.lines());
            }
            house.command(&table, seat, DIALECT, &choose(&known, &mut chance)).with(200);
        }
        let deals = truth(&house, &table);
        for (viewer, ears) in viewers.into_iter().zip(&mut ears) {
            for stream in ears {
                let told = stream.take_until("GAME_FINISHED");
                check_telling(&deals, viewer, told.iter().map(|message| message.text.as_str()));
            }
        }
    }
}

#[test]
fn what_the_rules_forbid_is_refused_and_changes_nothing() {
    let house = House::open(&[]);
    let table = lay(&house, "refusals");
    house.start(&table);
    let (seat, known) = awaited(&house, &table).expect("a turn");
    let other = PEOPLE.into_iter().find(|other| *other != seat).expect("another");
    let log = house.admin_log(&table);
    let act =
        |seat: usize, kind: &str| house.command(&table, seat, DIALECT, &json!({ "type": kind }));
    assert_eq!(act(other, "FOLD").status, 409, "out of turn");
    assert_eq!(act(seat, "CHECK").status, 409, "nobody checks on third street: {known}");
    act(seat, "SHOVE").refused(400, "MALFORMED");
    house.command(&table, seat, DIALECT, &json!([])).refused(400, "MALFORMED");
    assert_eq!(house.admin_log(&table), log);
}

/// Two people of whom one never moves: it times out twice, sits out, and the
/// table waits for it no longer than it says.
#[test]
fn a_player_who_went_away_does_not_stall_the_match() {
    let house = House::open(&[]);
    let rules = json!({ "preset": "studHi", "turnSeconds": 3, "timeBank": 0, "waitSeconds": 5 });
    let mut table = house.lay(&json!({ "game": "stud", "rules": rules, "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]}));
    assert_eq!(house.join(&mut table, "Ben"), 1);
    let mut stream = house.listen(&table, Some(0), DIALECT, Some(0));
    house.start(&table);
    let known = || {
        let known = house.snapshot(&table, Some(0), DIALECT);
        if known["currentActorIndex"] == 0 {
            let legal = known["legal"].as_array().expect("legal actions");
            let meek = ["CALL", "CHECK", "BRING_IN"];
            let is_meek = |offer: &&Value| meek.iter().any(|name| offer["type"] == **name);
            let offer = legal.iter().find(is_meek).expect("a meek move");
            // The clock may have been faster.
            house.command(&table, 0, DIALECT, &json!({ "type": offer["type"] }));
        }
        known
    };
    until("two time-outs", || (known()["players"][1]["sittingOut"] == true).then_some(()));
    let finished = until("the end", || Some(known()).filter(|told| told["stage"] == "FINISHED"));
    assert_eq!(finished["finished"]["reason"], "TOO_FEW_PLAYERS");
    assert_eq!(
        (&finished["pot"], &finished["players"][1]["sittingOut"]),
        (&json!(0), &json!(true))
    );
    let told = stream.take_until("GAME_FINISHED");
    let lapsed = told.iter().filter(|message| message.json()["timedOut"] == true).count();
    assert!(lapsed >= 2, "{lapsed} time-outs");
    assert_eq!(told.iter().filter(|message| message.name() == "SAT_OUT").count(), 1);
}

/// Whoever is left alone need not wait.
#[test]
fn who_is_left_alone_claims_the_match() {
    let house = House::open(&[]);
    let mut table = house.lay(&json!({ "game": "stud", "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]}));
    assert_eq!(house.join(&mut table, "Ben"), 1);
    house.start(&table);
    let claim = json!({ "type": "CLAIM" });
    house.command(&table, 0, DIALECT, &claim).refused(409, "NO_CLAIM");
    house.command(&table, 1, DIALECT, &json!({ "type": "SIT_OUT" })).with(200);
    for _ in 0..2 {
        let known = house.snapshot(&table, Some(0), DIALECT);
        let seat = known["currentActorIndex"].as_u64().expect("someone is asked") as usize;
        let legal = known["legal"].as_array().expect("legal actions");
        let may_fold = legal.iter().any(|offer| offer["type"] == "FOLD");
        let action = if may_fold { "FOLD" } else { "BRING_IN" };
        house.command(&table, seat, DIALECT, &json!({ "type": action })).with(200);
    }
    let known = house.snapshot(&table, Some(0), DIALECT);
    assert_eq!((&known["waitingFor"], &known["stage"]), (&json!([1]), &json!("BETWEEN_DEALS")));
    assert!(known["secondsLeft"].as_u64().is_some_and(|left| left <= 120));
    house.command(&table, 0, DIALECT, &claim).with(200);
    let known = house.snapshot(&table, Some(1), DIALECT);
    assert_eq!(known["finished"]["reason"], "CLAIMED");
}

#[test]
fn no_new_match_is_played_by_the_first_edition_and_old_ones_still_are() {
    let house = House::open(&[]);
    let rules = json!({ "edition": 1, "sitOutAfter": 0, "waitSeconds": 0 });
    let order = json!({ "game": "stud", "rules": rules, "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "bot" },
    ]});
    let refused = house.post("/api/v1/tables", None, &order).refused(400, "INVALID_RULES");
    assert!(refused.contains("edition 1 is for matches that were begun before"), "{refused}");
    let sim = ["sim", "stud", "--games", "1", "--rules", "edition=1,sitOutAfter=0,waitSeconds=0"];
    parlor(&sim).refused(2, "edition 1");
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/stud/tests/data/first_edition.jsonl");
    assert_eq!(parlor(&["verify", log]).code, 0);
    let scratch = Scratch::new();
    assert_eq!(parlor(&["import", "--store", &scratch.store(), log]).code, 0);
}

#[test]
fn a_table_of_bots_alone_has_an_end_and_says_so() {
    let house = House::open(&[]);
    let bots = json!([{ "kind": "bot" }, { "kind": "bot" }]);
    let person = json!([{ "name": "Ann", "kind": "human" }, { "kind": "bot" }]);
    for (seats, deals) in [(bots, json!(1000)), (person, json!(null))] {
        let order = json!({ "game": "stud", "rules": "open", "seats": seats });
        let made = house.post("/api/v1/tables", None, &order).with(201);
        let path = format!("/api/v1/tables/{}", made["table_id"].as_str().expect("its id"));
        assert_eq!(house.get(&path, None).with(200)["rules"]["deals"], deals);
        let log = house.get(&format!("{path}/log?view=public"), None);
        let first: Value = serde_json::from_str(log.text.lines().next().expect("a line")).unwrap();
        assert_eq!(first["payload"]["rules"]["deals"], deals, "{first}");
    }
}
