//! What the admin does about people, and what players report of one another.

mod common;

use common::*;
use serde_json::{Value, json};

const LOG: &str = "log";

fn admin(house: &House, path: &str, body: &Value) -> Answer {
    house.post(&format!("/api/v1/admin{path}"), Some(ADMIN), body)
}

fn remove(house: &House, table: &Table, seat: usize, reason: Option<&str>) {
    let path = format!("/tables/{}/seats/{seat}/remove", table.id);
    assert_eq!(admin(house, &path, &json!({ "reason": reason })).status, 204);
}

fn info(house: &House, table: &Table) -> Value {
    house.get(&table.path(""), None).with(200)
}

fn listed(house: &House) -> usize {
    let list = house.get("/api/v1/tables", None).with(200);
    list["tables"].as_array().map_or(0, Vec::len)
}

#[test]
fn moderation_is_the_admins_alone() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let seats = format!("/api/v1/admin/tables/{}/seats/1", table.id);
    let posts = [
        (format!("{seats}/remove"), json!({})),
        (format!("{seats}/erase"), json!({})),
        (format!("/api/v1/admin/tables/{}/hide", table.id), json!({})),
        (format!("/api/v1/admin/tables/{}/show", table.id), json!({})),
        ("/api/v1/admin/blocks".to_owned(), json!({ "address": "203.0.113.7" })),
        ("/api/v1/admin/erasures".to_owned(), json!({ "name": "Ben" })),
        ("/api/v1/admin/reports/r-1/close".to_owned(), json!({})),
    ];
    for token in [None, table.token(0), Some("guessed-token")] {
        for (path, body) in &posts {
            house.post(path, token, body).refused(401, "UNAUTHENTICATED");
        }
        for path in ["/api/v1/admin/blocks", "/api/v1/admin/reports"] {
            house.get(path, token).refused(401, "UNAUTHENTICATED");
        }
        let lift = house.call("DELETE", "/api/v1/admin/blocks/203.0.113.7", token, b"");
        lift.refused(401, "UNAUTHENTICATED");
    }
    assert_eq!(info(&house, &table)["seats"][1]["name"], "Ben");
}

#[test]
fn a_person_removed_before_the_game_leaves_a_free_seat() {
    let house = House::open(&[]);
    let mut table = house.for_two(&json!({}));
    let ticket = house.call("POST", &table.path("/ticket"), table.token(1), b"").with(201);
    let mut ben = house.listen(&table, Some(1), PROTOCOL, None);
    let mut socket = house.connect(&table, 1, PROTOCOL, None);
    remove(&house, &table, 1, Some("be kind"));
    let last = ben.next().expect("a last word").json();
    assert_eq!((&last["type"], &last["code"]), (&json!("removed"), &json!("REMOVED")));
    assert!(last["error"].as_str().is_some_and(|error| error.contains("be kind")), "{last}");
    assert!(ben.next().is_none(), "and the stream ends");
    let (code, reason) = socket.closing().expect("the socket is closed");
    assert_eq!((code, reason.as_str()), (1008, "removed from this table"));
    house.call("POST", &table.path("/ticket"), table.token(1), b"").refused(401, "UNAUTHENTICATED");
    let ticket = ticket["ticket"].as_str();
    let late = Hearing { table: &table.id, dialect: PROTOCOL, ticket, ..Hearing::default() };
    assert_eq!(late.open(&house).err().expect("a void ticket").status, 401);
    let again = admin(&house, &format!("/tables/{}/seats/1/remove", table.id), &json!({}));
    again.refused(409, "NOBODY_THERE");
    let none = admin(&house, &format!("/tables/{}/seats/7/remove", table.id), &json!({}));
    none.refused(400, "NO_SUCH_SEAT");
    assert_eq!(house.join(&mut table, "Cid"), 1);
    house.start(&table);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
}

#[test]
fn a_game_goes_on_without_whoever_was_removed_also_after_a_restart() {
    let mut house = House::open(&[]);
    let mut table = house.two_people(&json!({ "rounds": 1, "turn_seconds": 0 }));
    let mut socket = house.connect(&table, 1, PROTOCOL, None);
    drop(socket.next().expect("a snapshot"));
    remove(&house, &table, 1, None);
    assert!(socket.closing().is_some_and(|(code, _)| code == 1008));
    house
        .command(&table, 1, PROTOCOL, &json!({ "command": "ConfirmRoundEnd" }))
        .refused(401, "UNAUTHENTICATED");
    table.tokens[1] = None;
    house.kill();
    house.reopen();
    // Its time is up whenever it is asked, though no clock runs.
    let mut chance = Chance::new(3);
    until("the game ends", || {
        if info(&house, &table)["status"] == "finished" {
            return Some(());
        }
        step(&house, &table, PROTOCOL, &mut chance);
        None
    });
    assert!(house.admin_log(&table).contains(r#""by":"clock""#));
    let verified = parlor(&["verify", &table.id, "--store", &house.scratch.store()]);
    assert!(verified.code == 0, "{}", verified.err);
}

#[test]
fn a_game_whose_people_were_all_removed_is_over() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "turn_seconds": 0 }));
    remove(&house, &table, 0, None);
    assert_eq!(info(&house, &table)["status"], "playing");
    remove(&house, &table, 1, None);
    assert_eq!(info(&house, &table)["status"], "terminated");
}

#[test]
fn a_blocked_address_is_refused_at_the_door_until_it_is_lifted_also_after_a_restart() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let mut socket = house.connect(&table, 0, PROTOCOL, None);
    drop(socket.next().expect("a snapshot"));
    let block = json!({ "address": "127.0.0.1", "seconds": 3600, "reason": "floods" });
    let made = admin(&house, "/blocks", &block).with(201);
    assert_eq!((&made["address"], &made["reason"]), (&json!("127.0.0.1"), &json!("floods")));
    for _ in 0..2 {
        for path in ["/", "/api/v1/tables", "/healthz", "/socket.io/?EIO=4&transport=polling"] {
            let refused = house.get(path, None);
            let sentence = refused.refused(403, "ADDRESS_BLOCKED");
            assert!(sentence.starts_with("this address is blocked for another"), "{sentence}");
            let wait = refused.header("retry-after").and_then(|it| it.parse::<u64>().ok());
            assert!(wait.is_some_and(|wait| (1..=3600).contains(&wait)), "{wait:?}");
        }
        assert_eq!(Socket::open(&house, &table, PROTOCOL).err(), Some(403));
        let list = house.get("/api/v1/admin/blocks", Some(ADMIN)).with(200);
        assert_eq!(list["blocks"].as_array().map(Vec::len), Some(1), "the admin is let in");
        house.kill();
        house.reopen();
    }
    let lift = || house.call("DELETE", "/api/v1/admin/blocks/127.0.0.1", Some(ADMIN), b"");
    assert_eq!(lift().status, 204);
    assert_eq!(house.get("/healthz", None).status, 200);
    lift().refused(404, "NOT_BLOCKED");
    let brief = json!({ "address": "127.0.0.1", "seconds": 1 });
    admin(&house, "/blocks", &brief).with(201);
    until("the block is over", || (house.get("/healthz", None).status == 200).then_some(()));
    for wrong in [json!({ "address": "nowhere" }), json!({ "address": "1.2.3.4", "seconds": -1 })] {
        admin(&house, "/blocks", &wrong).refused(400, "MALFORMED");
    }
}

#[test]
fn a_command_on_an_open_socket_of_a_blocked_address_is_refused() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let mut socket = house.connect(&table, 0, PROTOCOL, None);
    drop(socket.next().expect("a snapshot"));
    admin(&house, "/blocks", &json!({ "address": "127.0.0.1" })).with(201);
    let before = house.admin_log(&table);
    socket.say(&json!({ "command": "ConfirmRoundEnd" }));
    let told = socket.next().expect("a refusal").text;
    assert!(told.contains("ADDRESS_BLOCKED"), "{told}");
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn a_hidden_table_is_in_no_list_and_goes_on() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    assert_eq!(listed(&house), 1);
    assert_eq!(admin(&house, &format!("/tables/{}/hide", table.code), &json!({})).status, 204);
    assert_eq!(listed(&house), 0);
    house.kill();
    house.reopen();
    assert_eq!(listed(&house), 0);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
    assert_eq!(listed(&house), 0, "also once it is over");
    assert_eq!(admin(&house, &format!("/tables/{}/show", table.id), &json!({})).status, 204);
    assert_eq!(listed(&house), 1);
}

#[test]
fn a_report_reaches_the_admin_with_its_moment_and_is_closed() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let report = |house: &House, seat: usize, body: &Value| {
        house.post(&table.path("/reports"), table.token(seat), body)
    };
    let kept = report(&house, 0, &json!({ "seat": 1, "reason": " foul words " })).with(201);
    house.kill();
    house.reopen();
    let reports = |house: &House| house.get("/api/v1/admin/reports", Some(ADMIN)).with(200);
    let list = reports(&house);
    let one = &list["reports"][0];
    assert_eq!(one["report_id"], kept["report_id"]);
    assert_eq!((&one["seat"], &one["by"]), (&json!(1), &json!(0)));
    assert_eq!((&one["table_id"], &one["reason"]), (&json!(table.id), &json!("foul words")));
    let events = house.admin_log(&table).lines().count();
    assert_eq!(one["position"], json!(events), "the log as it stood");
    let path = format!("/reports/{}/close", kept["report_id"].as_str().expect("an id"));
    assert_eq!(admin(&house, &path, &json!({})).with(200), *one);
    admin(&house, &path, &json!({})).refused(404, "NO_SUCH_REPORT");
    assert_eq!(reports(&house)["reports"], json!([]));
}

#[test]
fn reports_are_bounded() {
    let house = House::open(&[]);
    let table = house.against_bot(&json!({}));
    let pair = house.two_people(&json!({}));
    let report = |table: &Table, token: Option<&str>, seat: u8, reason: &str| {
        house.post(&table.path("/reports"), token, &json!({ "seat": seat, "reason": reason }))
    };
    report(&pair, None, 1, "x").refused(401, "UNAUTHENTICATED");
    report(&pair, table.token(0), 1, "x").refused(401, "UNAUTHENTICATED");
    report(&pair, pair.token(0), 0, "myself").refused(409, "NOBODY_THERE");
    report(&table, table.token(0), 1, "a bot").refused(409, "NOBODY_THERE");
    report(&pair, pair.token(0), 9, "x").refused(400, "NO_SUCH_SEAT");
    report(&pair, pair.token(0), 1, "  ").refused(400, "MALFORMED");
    report(&pair, pair.token(0), 1, &"ä".repeat(501)).refused(400, "MALFORMED");
    for _ in 0..5 {
        report(&pair, pair.token(0), 1, &"ä".repeat(500)).with(201);
    }
    let refused = report(&pair, pair.token(0), 1, "once more");
    refused.refused(429, "TOO_MANY_REPORTS");
    assert!(refused.header("retry-after").is_some());
    report(&pair, pair.token(1), 0, "the other way round").with(201);
}

/// Everything of a game that anyone can read: in every dialect, as a log, in
/// lists, from the program.
fn everything_told(house: &House, table: &Table, dialects: &[&str]) -> String {
    let mut told = String::new();
    for path in ["/api/v1/tables", "/api/v1/admin/tables", "/api/v1/admin/reports"] {
        told += &house.get(path, Some(ADMIN)).text;
    }
    told += &info(house, table).to_string();
    for token in [None, table.token(0), table.token(1), Some(ADMIN)] {
        for dialect in dialects {
            let path = |call: &str| table.path(&format!("/{call}dialect={dialect}"));
            told += &house.get(&path("snapshot?"), token).text;
            told += &house.get(&path("log?"), token).text;
        }
        told += &house.get(&table.path("/log"), token).text;
    }
    let store = house.scratch.store();
    for args in [["export", &table.id], ["replay", &table.id]] {
        let ran = parlor(&[args[0], args[1], "--store", &store]);
        assert!(ran.code == 0, "{}", ran.err);
        told += &ran.out;
    }
    told += &parlor(&["games", "--store", &store]).out;
    told
}

/// What a stream from the very beginning tells the public, asked for by several
/// who watch: the past is read beside the table, and once for all of them.
fn told_from_the_beginning(house: &House, table: &Table) -> String {
    let mut told = String::new();
    for dialect in [LOG, "words"] {
        let log = house.get(&table.path(&format!("/log?dialect={dialect}")), None).text;
        let messages = log.lines().count();
        assert!(messages > 0, "{dialect}");
        for _ in 0..3 {
            let mut stream = house.listen(table, None, dialect, Some(0));
            told.extend(stream.take(messages).into_iter().map(|message| message.text));
        }
    }
    told
}

/// Whether a text stands in any file of the house but its log lines.
fn is_in_files(house: &House, text: &str) -> bool {
    let files = std::fs::read_dir(house.scratch.path()).expect("a directory");
    let files = files.map(|file| file.expect("a file").path()).filter(|path| path.is_file());
    let mut files = files.filter(|path| !path.ends_with("stderr"));
    files.any(|path| {
        let bytes = std::fs::read(path).expect("a file");
        bytes.windows(text.len()).any(|part| part == text.as_bytes())
    })
}

#[test]
fn an_erased_name_is_told_nowhere_and_what_is_stored_verifies() {
    let name = "Benedict Arnold";
    let mut house = House::open(&[]);
    let rules = json!({ "teshi": false, "field_kuttsuki": false, "rounds": 1 });
    let mut table = house.lay(&json!({ "game": "koikoi", "rules": rules, "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]}));
    house.join(&mut table, name);
    house.start(&table);
    let dialects = [PROTOCOL, CONTRACT, LOG, "words"];
    assert!(everything_told(&house, &table, &dialects).contains(name));
    assert!(told_from_the_beginning(&house, &table).contains(name));
    let _watching = [LOG, "words"].map(|dialect| house.listen(&table, None, dialect, None));
    // Somebody listens who was told the name already.
    let mut stream = house.listen(&table, Some(0), "words", Some(0));
    drop(stream.next_event().expect("the deal"));
    let path = format!("/tables/{}/seats/1/erase", table.id);
    assert_eq!(admin(&house, &path, &json!({})).status, 204);
    for _ in 0..2 {
        let resumed = told_from_the_beginning(&house, &table);
        assert!(resumed.contains("Guest 2") && !resumed.contains(name), "{resumed}");
        let told = everything_told(&house, &table, &dialects);
        assert!(!told.contains(name), "{told}");
        assert!(told.contains("Guest 2"));
        house.kill();
        house.reopen();
    }
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
    assert!(!everything_told(&house, &table, &dialects).contains(name));
    assert!(!told_from_the_beginning(&house, &table).contains(name));
    let store = house.scratch.store();
    let verified = parlor(&["verify", &table.id, "--store", &store]);
    assert!(verified.code == 0, "what is stored: {}", verified.err);
    let file = house.scratch.path().join("told.jsonl");
    let file = file.to_str().expect("a path");
    let exported = parlor(&["export", &table.id, "--view", "admin", "-o", file, "--store", &store]);
    assert!(exported.code == 0, "{}", exported.err);
    let verified = parlor(&["verify", file]);
    assert!(verified.code == 0, "what is exported: {}", verified.err);
    // On the disk it stays until the game is archived.
    assert!(is_in_files(&house, name));
    assert!(house.stop().success());
    let archive = house.scratch.path().join("old.jsonl.gz");
    let archive = archive.to_str().expect("a path");
    let archived = parlor(&["archive", "--before", "2999-01-01", "-o", archive, "--store", &store]);
    assert!(archived.code == 0, "{}", archived.err);
    assert!(!is_in_files(&house, name));
    let imported = parlor(&["import", archive, "--store", &store]);
    assert!(imported.code == 0, "{}", imported.err);
    let again = parlor(&["export", &table.id, "--view", "admin", "--store", &store]).out;
    assert!(again.contains("Guest 2") && !again.contains(name), "{again}");
}

#[test]
fn a_name_is_erased_in_a_town_that_repeats_it_in_every_line() {
    let mut house = House::open(&[]);
    // Bots that say nothing: whoever speaks may say a name.
    let mut seats = vec![json!({ "name": "Zoe", "kind": "human" })];
    seats.extend((0..9).map(|_| json!({ "kind": "bot", "bot": "random" })));
    let table = house.lay(&json!({
        "game": "mafia", "seed": "erased", "seats": seats, "bot_ms": 60_000,
    }));
    assert_eq!(admin(&house, "/erasures", &json!({ "name": "ZOE" })).with(200)["tables"], 1);
    let mut chance = Chance::new(7);
    let faster = json!({ "bot_ms": 0 });
    house.post(&table.path("/pace"), table.token(0), &faster).with(200);
    while let Some(known) = question(&house, &table) {
        drop(house.command(&table, PERSON, MAFIA, &answer(&known, &mut chance)));
    }
    let mut dialects = vec![MAFIA, LOG, "words"];
    for _ in 0..2 {
        let told = everything_told(&house, &table, &dialects);
        assert!(!told.contains("Zoe"), "{}", told.len());
        assert!(told.contains("Guest 1"));
        house.kill();
        house.reopen();
        dialects.truncate(2);
    }
    let verified = parlor(&["verify", &table.id, "--store", &house.scratch.store()]);
    assert!(verified.code == 0, "{}", verified.err);
    let export = house.get(&table.path("/log?view=postmortem"), None).text;
    let file = house.scratch.path().join("town.jsonl");
    std::fs::write(&file, export).expect("a file");
    let verified = parlor(&["verify", file.to_str().expect("a path")]);
    assert!(verified.code == 0, "{}", verified.err);
    assert_eq!(admin(&house, "/erasures", &json!({ "name": "Zoe" })).with(200)["tables"], 0);
}
