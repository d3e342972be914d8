//! Nobody waits for a ghost: tables that people have left, meeting whoever is
//! there, playing again, coming back after a restart.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use common::*;
use serde_json::{Value, json};

fn order() -> Value {
    json!({ "game": "koikoi", "seats": [{ "name": "Ann", "kind": "human" }, { "kind": "human" }] })
}

fn listed(house: &House, query: &str) -> Vec<String> {
    let list = house.get(&format!("/api/v1/tables{query}"), None).with(200);
    let tables = list["tables"].as_array().expect("a list");
    tables.iter().map(|table| table["table_id"].as_str().expect("an id").to_owned()).collect()
}

fn quick(house: &House, name: &str) -> Value {
    let guest = json!({ "game": "koikoi", "name": name });
    house.post("/api/v1/tables/quick", None, &guest).with(201)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The table someone was seated at, with their token.
fn seated(answer: &Value) -> Table {
    let seat = answer["seat"].as_u64().expect("a seat") as usize;
    let mut tokens = vec![None; 2];
    tokens[seat] = Some(text(&answer["token"]));
    Table { id: text(&answer["table_id"]), code: text(&answer["code"]), tokens }
}

#[test]
fn a_waiting_table_leaves_the_lobby_when_its_people_are_gone_and_comes_back_with_them() {
    let house = House::open(&["--away-after", "1"]);
    let table = house.lay(&order());
    let stream = house.listen(&table, Some(0), PROTOCOL, None);
    std::thread::sleep(Duration::from_millis(1500));
    assert!(listed(&house, "?status=waiting").contains(&table.id), "Ann is there");
    drop(stream);
    until("the lobby forgets the table", || {
        listed(&house, "?status=waiting").is_empty().then_some(())
    });
    assert!(listed(&house, "").is_empty());
    // The admin sees it, and so does whoever knows its code.
    let all = house.get("/api/v1/admin/tables", Some(ADMIN)).with(200);
    assert_eq!(all["tables"].as_array().map(Vec::len), Some(1));
    assert_eq!(house.get(&format!("/api/v1/tables/{}", table.code), None).status, 200);
    let _back = house.listen(&table, Some(0), PROTOCOL, None);
    until("the table is listed again", || {
        (listed(&house, "?status=waiting") == [table.id.clone()]).then_some(())
    });
}

#[test]
fn a_waiting_table_that_nobody_comes_back_to_lapses_and_one_with_people_does_not() {
    let mut house = House::open(&["--lapse-after", "2"]);
    let deserted = house.lay(&order());
    let attended = house.lay(&order());
    let watcher = house.listen(&deserted, None, PROTOCOL, None);
    let _ann = house.listen(&attended, Some(0), PROTOCOL, None);
    let status =
        |house: &House, table: &Table| text(&house.get(&table.path(""), None).with(200)["status"]);
    until("the deserted table lapses", || {
        (status(&house, &deserted) == "terminated").then_some(())
    });
    assert_eq!(status(&house, &attended), "waiting");
    house
        .post(&deserted.path("/seats"), None, &json!({ "name": "Ben" }))
        .refused(409, "ALREADY_STARTED");
    drop(watcher);
    // After a restart everybody has the same time again.
    house.kill();
    house.reopen();
    assert_eq!(status(&house, &attended), "waiting");
    until("it lapses as well", || (status(&house, &attended) == "terminated").then_some(()));
}

#[test]
fn nobody_is_seated_with_someone_who_has_gone() {
    let mut house = House::open(&[]);
    let ann = seated(&quick(&house, "Ann"));
    let stream = house.listen(&ann, Some(0), PROTOCOL, None);
    drop(stream);
    until("Ann is gone", || {
        let info = house.get(&ann.path(""), None).with(200);
        (info["seats"][0]["connected"] == false).then_some(())
    });
    let ben = quick(&house, "Ben");
    assert_ne!(ben["table_id"], json!(ann.id), "Ann closed her page");
    // Nor after a restart, until Ann is back.
    house.kill();
    house.reopen();
    let cid = quick(&house, "Cid");
    assert!(cid["table_id"] != json!(ann.id) && cid["table_id"] != ben["table_id"]);
    let _back = house.listen(&ann, Some(0), PROTOCOL, None);
    let dee = quick(&house, "Dee");
    assert_eq!(dee["table_id"], json!(ann.id), "the oldest table with somebody there");
    assert_eq!(house.get(&ann.path(""), None).with(200)["status"], "playing");
}

#[test]
fn all_who_want_to_play_at_the_same_time_meet_in_pairs() {
    let house = House::open(&[]);
    let pairs = 8;
    let answers: Vec<Value> = std::thread::scope(|scope| {
        let ask = |n: usize| {
            let house = &house;
            scope.spawn(move || quick(house, &format!("Guest {n}")))
        };
        let asking: Vec<_> = (0..2 * pairs).map(ask).collect();
        asking.into_iter().map(|one| one.join().expect("an answer")).collect()
    });
    let mut tables: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for answer in &answers {
        let seat = answer["seat"].as_u64().expect("a seat");
        tables.entry(text(&answer["table_id"])).or_default().push(seat);
    }
    assert_eq!(tables.len(), pairs);
    for seats in tables.values_mut() {
        seats.sort_unstable();
        assert_eq!(*seats, [0, 1]);
    }
    assert_eq!(listed(&house, "?status=playing").len(), pairs);
}

#[test]
fn tables_that_are_not_listed_do_not_count_in_a_list() {
    let house = House::open(&[]);
    let shown: Vec<String> = (0..3).map(|_| house.lay(&order()).id).rev().collect();
    let mut secret = order();
    secret["unlisted"] = json!(true);
    for _ in 0..5 {
        house.lay(&secret);
    }
    for query in ["?limit=2", "?status=waiting&limit=2"] {
        let mut newest = listed(&house, query);
        newest.sort();
        assert_eq!(newest.len(), 2, "{query}");
        assert!(newest.iter().all(|id| shown.contains(id)));
    }
    assert_eq!(listed(&house, "?limit=1000").len(), 3);
    assert_eq!(listed(&house, "?limit=0").len(), 0);
}

fn played(house: &House) -> Table {
    let table = house.two_people(&json!({ "rounds": 1 }));
    play_out(house, &table, PROTOCOL, &mut Chance::new(1));
    table
}

fn rematch(house: &House, table: &Table, seat: usize) -> Answer {
    house.call("POST", &table.path("/rematch"), table.token(seat), b"")
}

/// A stream that also tells what is said about the table.
fn with_remarks(house: &House, table: &Table, seat: usize) -> Socket {
    let query = format!("table={}&dialect={PROTOCOL}&remarks=true", table.id);
    let mut socket = Socket::open_from(house, &query, None).expect("the socket opens");
    socket.join(table, seat, None);
    drop(socket.next().expect("a snapshot"));
    socket
}

fn remark(socket: &mut Socket) -> Value {
    loop {
        let said = socket.next().expect("a remark").json();
        if said["type"] == "rematch" {
            return said;
        }
    }
}

#[test]
fn whoever_plays_again_keeps_the_token_they_have_however_often_they_ask() {
    let house = House::open(&[]);
    let before = played(&house);
    let ann = rematch(&house, &before, 0).with(201);
    let next = Table { tokens: before.tokens.clone(), ..seated(&ann) };
    assert_eq!(ann["token"], json!(before.token(0)));
    let mut waiting = house.listen(&next, Some(0), PROTOCOL, None);
    assert_eq!(rematch(&house, &before, 0).with(201), ann, "the same answer again");
    let ben = rematch(&house, &before, 1).with(201);
    assert_eq!((&ben["table_id"], &ben["token"]), (&ann["table_id"], &json!(before.token(1))));
    drop(waiting.next_event().expect("Ann's stream tells of the game"));
    assert_eq!(rematch(&house, &before, 0).with(201), ann, "also while it is played");
    play_out(&house, &next, PROTOCOL, &mut Chance::new(2));
}

#[test]
fn an_offer_is_told_to_the_other_and_so_is_the_answer() {
    let house = House::open(&[]);
    let before = played(&house);
    let mut ann = with_remarks(&house, &before, 0);
    let mut silent = house.listen(&before, Some(1), PROTOCOL, Some(0));
    drop(silent.take_until("GameFinished"));
    let offer = rematch(&house, &before, 1).with(201);
    let told = remark(&mut ann);
    assert_eq!((&told["status"], &told["by"]), (&json!("offered"), &json!(1)));
    assert_eq!(told["table_id"], offer["table_id"]);
    rematch(&house, &before, 0).with(201);
    let told = remark(&mut ann);
    assert_eq!((&told["status"], &told["agreed"]), (&json!("agreed"), &json!([1, 0])));
    // Whoever did not ask for remarks hears the game and nothing else.
    while !silent.is_silent_for(Duration::from_millis(300)) {}
    let heard = String::from_utf8_lossy(silent.received()).into_owned();
    assert!(!heard.contains(r#""type":"rematch""#), "{heard}");
}

#[test]
fn an_offer_is_declined_politely_and_may_be_made_anew() {
    let mut house = House::open(&[]);
    let before = played(&house);
    let decline = |house: &House, seat: usize| {
        house.call("POST", &before.path("/rematch/decline"), before.token(seat), b"")
    };
    decline(&house, 1).refused(409, "NO_REMATCH");
    let mut ann = with_remarks(&house, &before, 0);
    let offer = rematch(&house, &before, 0).with(201);
    assert_eq!(remark(&mut ann)["status"], "offered");
    assert_eq!(decline(&house, 1).status, 204);
    let told = remark(&mut ann);
    assert_eq!((&told["status"], &told["by"]), (&json!("declined"), &json!(1)));
    let next = house.get(&format!("/api/v1/tables/{}", text(&offer["table_id"])), None).with(200);
    assert_eq!(next["status"], "terminated");
    house.kill();
    house.reopen();
    let sentence = rematch(&house, &before, 0).refused(409, "REMATCH_DECLINED");
    assert_eq!(sentence, "Ben does not want another match");
    // Ben changes his mind.
    let ben = rematch(&house, &before, 1).with(201);
    assert_ne!(ben["table_id"], offer["table_id"]);
    let ann = rematch(&house, &before, 0).with(201);
    assert_eq!(ann["table_id"], ben["table_id"]);
    assert_eq!(decline(&house, 0).json()["code"], "ALREADY_STARTED");
}

#[test]
fn after_a_restart_nobodys_time_is_up_before_they_could_come_back() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({ "turn_seconds": 3 }));
    house.kill();
    std::thread::sleep(Duration::from_secs(4));
    let began = Instant::now();
    house.reopen();
    // The client waits ten seconds between its tries by now.
    std::thread::sleep(Duration::from_secs(10).saturating_sub(began.elapsed()));
    let mut stream = house.listen(&table, Some(0), PROTOCOL, Some(0));
    assert!(!house.admin_log(&table).contains(r#""by":"clock""#), "too early");
    let left = |house: &House, seat| {
        Standing::read(&house.snapshot(&table, Some(seat), PROTOCOL)).seconds_left
    };
    assert!(left(&house, 0).is_some_and(|seconds| seconds > 0));
    drop(stream.take(3));
    until("the clock plays at last", || {
        house.admin_log(&table).contains(r#""by":"clock""#).then_some(())
    });
}
