//! Hands that stay closed for good stay closed in the postmortem too.

use parlor_house::game;
use parlor_kernel::{Envelope, Viewer};
use serde_json::{Value, json};

/// A deal of stud that everyone folds, told to a viewer as log lines.
fn told(muck: bool, viewer: Viewer) -> String {
    let stud = game("stud").expect("stud is on offer");
    let script = json!({
        "rules": { "deals": 1, "muck": muck },
        "seats": ["a", "b"],
        "deck": "2c3cAs 2d3d4d",
        "actions": [
            { "seat": 1, "action": { "type": "BRING_IN" } },
            { "seat": 0, "action": { "type": "FOLD" } }
        ]
    });
    let played = stud.script(&script).expect("the script plays");
    assert_eq!(played["refusals"], Value::Array(Vec::new()));
    let log: Vec<Envelope> =
        serde_json::from_value(played["events"].clone()).expect("events are envelopes");
    stud.retell(&log, viewer).expect("the match is over").join("\n")
}

#[test]
fn the_postmortem_of_a_mucking_table_tells_no_closed_card_and_no_seed() {
    let lines = told(true, Viewer::Postmortem);
    assert!(lines.contains("\"4d\""), "up cards are told");
    assert!(!lines.contains("\"2d\"") && !lines.contains("\"seed\""));
}

#[test]
fn any_other_postmortem_is_the_log_as_it_is_stored() {
    assert_eq!(told(false, Viewer::Postmortem), told(false, Viewer::Admin));
    assert!(told(false, Viewer::Postmortem).contains("\"2d\""));
}

#[test]
fn the_admin_reads_everything() {
    assert!(told(true, Viewer::Admin).contains("\"2d\""));
}
