//! What only the operator may read.

use super::common::*;
use serde_json::json;

/// Where the operator's listener is, which the server says in its log lines.
fn operator_address(house: &House) -> String {
    until("the operator's address", || {
        let log = house.log_lines();
        let line = log.lines().find(|line| line.contains("told the operator"))?;
        let address = line.split("address=").nth(1)?;
        Some(address.split(|c: char| c.is_whitespace() || c == '\u{1b}').next()?.to_owned())
    })
}

fn operator_asks(house: &House, path: &str) -> Answer {
    let stream = super::from("127.0.0.1", &operator_address(house));
    let request = format!("GET {path} HTTP/1.1\r\nHost: parlor\r\n\r\n");
    super::ask(stream, &request).expect("an answer")
}

#[test]
fn metrics_are_for_the_admin_and_the_operators_own_listener() {
    let house = House::open_with(&["--metrics-listen", "127.0.0.1:0"], &[("NO_COLOR", "1")]);
    for token in [None, Some("a-wrong-token")] {
        house.get("/metrics", token).refused(401, "UNAUTHENTICATED");
    }
    let table = house.two_people(&json!({}));
    house.get("/metrics", table.token(0)).refused(401, "UNAUTHENTICATED");
    assert!(house.get("/metrics", Some(ADMIN)).text.contains("parlor_live_tables 1"));
    assert!(operator_asks(&house, "/metrics").text.contains("parlor_live_tables 1"));
    assert_eq!(operator_asks(&house, "/healthz").status, 200);
    // And nothing else is there: no table can be read or laid.
    operator_asks(&house, "/api/v1/tables").refused(404, "NOT_FOUND");
    assert_eq!(operator_asks(&house, "/").status, 404);
}

#[test]
fn without_an_admin_nobody_reads_the_metrics() {
    let house = House::bare(&[], &[]);
    for token in [None, Some(""), Some("the-house-itself")] {
        house.get("/metrics", token).refused(401, "UNAUTHENTICATED");
    }
}

#[test]
fn strangers_are_told_a_word_and_the_operator_what_is_wrong() {
    let house = House::open_with(&["--metrics-listen", "127.0.0.1:0"], &[("NO_COLOR", "1")]);
    let table = house.two_people(&json!({ "turn_seconds": 0 }));
    assert_eq!(house.get("/readyz", None).with(200), json!({ "status": "ready" }));
    assert_eq!(house.get("/healthz", None).with(200), json!({ "status": "alive" }));
    let detail = json!({ "status": "ready", "store": "it can be written to" });
    assert_eq!(house.get("/readyz", Some(ADMIN)).with(200), detail);
    assert_eq!(operator_asks(&house, "/readyz").with(200), detail);

    let log_file = std::fs::metadata(house.scratch.file("parlor.db-wal")).expect("its size");
    house.limit_files(Some(log_file.len()));
    let (seat, standing) = awaited(&house, &table);
    let command = standing.choose(&mut Chance::new(1)).expect("a move");
    house.command(&table, seat, PROTOCOL, &command).refused(503, "STORE_UNAVAILABLE");
    assert_eq!(house.get("/readyz", None).with(503), json!({ "status": "unready" }));
    for answer in [house.get("/readyz", Some(ADMIN)), operator_asks(&house, "/readyz")] {
        let detail = answer.with(503);
        assert!(
            detail["store"].as_str().is_some_and(|text| text.contains("parlor.db")),
            "{detail}"
        );
    }
    house.limit_files(None);
    assert_eq!(house.get("/readyz", None).with(200), json!({ "status": "ready" }));
    house.command(&table, seat, PROTOCOL, &command).with(200);
}
