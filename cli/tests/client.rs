//! What the browser's client is served, and the calls made for it: pages from
//! memory, logs told in a dialect, logs that someone brings along.

mod common;

use common::*;
use serde_json::{Value, json};

const PAGES: [&str; 7] =
    ["/", "/t/ABCDEF", "/r", "/r/t-1", "/rules/koikoi", "/new/koikoi", "/admin"];

fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn over(house: &House) -> Table {
    let table = house.two_people(&json!({ "rounds": 1 }));
    play_out(house, &table, PROTOCOL, &mut Chance::new(7));
    table
}

#[test]
fn every_page_of_the_client_is_served_and_asked_for_again() {
    let house = House::open(&[]);
    for page in PAGES {
        let answer = house.get(page, None);
        assert_eq!(answer.status, 200, "{page}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{page}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{page}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'self'") && !policy.contains("unsafe"));
        assert!(answer.text.contains("<title>Parlor</title>"), "{page}");
    }
}

#[test]
fn what_lies_nowhere_is_a_page_for_people_and_a_refusal_for_programs() {
    let house = House::open(&[]);
    house.get("/nowhere", None).refused(404, "NOT_FOUND");
    let browser = [("Accept", "text/html,application/xhtml+xml")];
    let answer = house.request("GET", "/nowhere", &browser, b"").expect("an answer");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    for escape in ["/assets/..%2Findex.html", "/assets/nothing.js"] {
        house.get(escape, None).refused(404, "NOT_FOUND");
    }
}

#[test]
fn a_log_is_told_in_a_dialect_as_its_viewer_heard_it() {
    let house = House::open(&[]);
    let table = house.against_bot(&json!({}));
    let path = table.path("/log?view=seat:0&dialect=koikoi.protocol");
    let told = lines(&house.get(&path, table.token(0)));
    assert_eq!(told[0]["event"], "GameStarted");
    assert_eq!(told[0]["my_player_id"], "p1");
    let ids: Vec<_> = told.iter().map(|one| one["event_id"].as_str().unwrap_or("")).collect();
    let dense: Vec<_> = (1..=told.len()).map(|nth| format!("evt_{nth}")).collect();
    assert_eq!(ids, dense);
    let unknown = table.path("/log?dialect=klingon");
    house.get(&unknown, table.token(0)).refused(400, "UNKNOWN_DIALECT");
}

#[test]
fn anyones_eyes_are_open_once_the_cards_are() {
    let house = House::open(&[]);
    let playing = house.two_people(&json!({}));
    let log = |table: &Table, view: &str| {
        table.path(&format!("/log?view={view}&dialect=koikoi.protocol"))
    };
    house.get(&log(&playing, "seat:1"), playing.token(0)).refused(403, "FORBIDDEN");
    house.get(&log(&playing, "seat:1"), None).refused(401, "UNAUTHENTICATED");
    let over = over(&house);
    for view in ["seat:0", "seat:1", "public", "postmortem"] {
        assert_eq!(lines(&house.get(&log(&over, view), None))[0]["event"], "GameStarted");
    }
    house.get(&log(&over, "admin"), None).refused(401, "UNAUTHENTICATED");
}

#[test]
fn a_hand_that_was_mucked_stays_closed_to_other_eyes() {
    let house = House::open(&[]);
    let bot = json!({ "kind": "bot", "bot": "random" });
    let table = house.lay(&json!({ "game": "stud", "seats": [bot, bot],
        "rules": { "muck": true, "deals": 3 } }));
    until("the end", || {
        (house.get(&table.path(""), None).with(200)["status"] == "finished").then_some(())
    });
    let path = table.path("/log?view=seat:1");
    let status = house.get(&path, None).status;
    let closed = house.get(&table.path("/log?view=postmortem"), None).text
        != house.get(&table.path("/log?view=admin"), Some(ADMIN)).text;
    assert_eq!(status, if closed { 401 } else { 200 });
}

#[test]
fn a_log_from_elsewhere_is_told_and_not_kept() {
    let house = House::open(&[]);
    let table = over(&house);
    let log = house.get(&table.path("/log?view=admin"), Some(ADMIN)).text;
    let other = House::open(&[]);
    let told = other.call("POST", "/api/v1/replays?view=seat:1", None, log.as_bytes()).with(200);
    assert_eq!(told["game"], "koikoi");
    assert_eq!(told["seats"][1]["name"], "Ben");
    let at_home = table.path("/log?view=seat:1&dialect=koikoi.protocol");
    let at_home = lines(&house.get(&at_home, table.token(1)));
    assert_eq!(told["messages"], Value::Array(at_home));
    assert_eq!(other.get("/api/v1/tables", None).with(200)["tables"], json!([]));
}

#[test]
fn a_broken_log_from_elsewhere_is_refused_in_a_sentence() {
    let house = House::open(&[]);
    let table = over(&house);
    let log = house.get(&table.path("/log?view=admin"), Some(ADMIN)).text;
    let mut gap: Vec<&str> = log.lines().collect();
    gap.remove(2);
    let tell = |body: &str| house.call("POST", "/api/v1/replays", None, body.as_bytes());
    for broken in ["", "hello", "{}", &gap.join("\n"), &log[..log.len() / 2]] {
        tell(broken).refused(400, "MALFORMED");
    }
    assert_eq!(tell(&log).status, 200);
    // The house may hang up before it has read all of it.
    let (long, house) = ("x".repeat(9 << 20), House::bare(&[], &[]));
    if let Ok(answer) = house.request("POST", "/api/v1/replays", &[], long.as_bytes()) {
        answer.refused(413, "TOO_LARGE");
    }
}

#[test]
fn the_admin_sees_unlisted_tables_and_nobody_else_does() {
    let house = House::open(&[]);
    let seats = json!([{ "name": "Ann", "kind": "human" }, { "kind": "human" }]);
    let table = house.lay(&json!({ "game": "koikoi", "seats": seats, "unlisted": true }));
    let path = "/api/v1/admin/tables";
    house.get(path, None).refused(401, "UNAUTHENTICATED");
    house.get(path, table.token(0)).refused(401, "UNAUTHENTICATED");
    let tables = house.get(path, Some(ADMIN)).with(200);
    assert_eq!(tables["tables"][0]["table_id"], table.id.as_str());
}

#[test]
fn a_guide_says_how_many_sit_under_each_preset() {
    let house = House::open(&[]);
    let guide = house.get("/api/v1/games/koikoi", None).with(200);
    assert_eq!(guide["seats"]["protocol"], json!({ "least": 2, "most": 2 }));
    let guide = house.get("/api/v1/games/binokel", None).with(200);
    assert_eq!(guide["seats"]["contract"], json!({ "least": 2, "most": 4 }));
}
