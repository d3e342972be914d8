//! Presets, options, questions and decks.

use std::sync::Arc;

use parlor_binokel::{Action, Bidding, Binokel, Event, FirstLead, Phase, Rules, Suit};
use parlor_kernel::laws::random_game;
use parlor_kernel::{Cause, Explained, Offered, Scripted, Sitting, reexecute};
use serde_json::{Value, json};

use crate::common::{P1, P2, P3, Table, bid, deck};

fn resolve(asked: Value) -> Result<Rules, String> {
    let rules = Rules::guide().resolve(&asked).map_err(|error| error.to_string())?;
    Binokel::check(&rules).map_err(|error| error.to_string())?;
    Ok(rules)
}

#[test]
fn every_preset_can_be_played() {
    for preset in Rules::guide().presets {
        assert_eq!(Binokel::check(&preset.rules), Ok(()), "{}", preset.name);
        assert_eq!(resolve(json!(preset.name)), Ok(preset.rules));
    }
    assert_eq!(resolve(Value::Null), Ok(Rules::contract()));
}

#[test]
fn every_option_is_in_the_guide_and_every_guide_is_an_option() {
    // Options that are off may not be written, but they have a place in the schema.
    let rules = parlor_kernel::schema_of::<Rules>();
    let rules = rules["properties"].as_object().expect("rules are an object");
    let guide = Rules::guide().options;
    assert_eq!(guide.len(), rules.len());
    for option in guide {
        assert!(rules.contains_key(option.name), "{}", option.name);
    }
}

#[test]
fn values_out_of_range_are_refused_with_what_is_allowed() {
    for (option, value, allowed) in [
        ("target", json!(50), "100 to 100000"),
        ("targetScore", json!(-1), "100 to 100000"),
        ("rounds", json!(0), "1 to 1000"),
        ("minimum_bid", json!(155), "multiple of ten"),
        ("dabb_size", json!(5), "4, 6"),
        ("bidding", json!("auction"), "duel or round_robin"),
        ("dabb_shown", json!(true), "taker or all"),
        ("first_lead", json!("host"), "opener or declarer"),
        ("going_out_bonus", json!(1001), "0 to 1000"),
        ("turn_seconds", json!(1), "3 to 3600"),
        ("takeover", json!(2), "0 for never, or 3 to 3600"),
        ("thrown_in", json!(1001), "0 for never, or 1 to 1000"),
        ("sevens", json!("yes"), "true or false"),
        ("durch", json!(1000), "true or false"),
        ("bettel", json!(500), "true or false"),
    ] {
        let refused = resolve(json!({ option: value })).expect_err("it is out of range");
        assert!(refused.contains(allowed), "{option}: {refused}");
    }
    assert!(resolve(json!({ "ramsch": true })).is_err_and(|error| error.contains("sevens")));
}

#[test]
fn what_contradicts_itself_is_refused() {
    assert!(resolve(json!({ "target": null })).is_err_and(|error| error.contains("'rounds'")));
    assert!(resolve(json!({ "buried_trumps_shown": true })).is_err());
    assert!(resolve(json!({ "buried_trumps_shown": true, "trump_first": true })).is_ok());
}

#[test]
fn a_dabb_that_cannot_be_dealt_evenly_gives_way() {
    let six = Rules { dabb_size: Some(6), ..Rules::contract() };
    assert_eq!([2, 3, 4].map(|players| six.dabb(players)), [6, 4, 4]);
    let four = Rules { dabb_size: Some(4), sevens: true, ..Rules::contract() };
    assert_eq!([2, 3, 4].map(|players| four.dabb(players)), [4, 6, 4]);
}

fn ask(question: &str, input: Value) -> Value {
    Binokel::ask(question, &input).unwrap_or_else(|error| panic!("{question}: {error}"))
}

#[test]
fn questions_are_answered() {
    let hand = ["herz-koenig-0", "herz-ober-1", "schippe-ober-0", "bollen-buabe-1"];
    let answer = ask("melds", json!({ "hand": hand, "trump": "herz" }));
    assert_eq!(answer["total"], 80);
    assert_eq!(
        answer["melds"][0],
        json!({ "type": "paar", "points": 40, "cards": ["herz-ober-1", "herz-koenig-0"], "suit": "herz" })
    );
    let plays =
        json!({ "hand": ["herz-ass-0", "herz-ober-0"], "trick": ["herz-10-0"], "trump": "kreuz" });
    assert_eq!(ask("plays", plays.clone()), json!({ "legal": ["herz-ass-0"] }));
    let mut exempt = plays;
    exempt["partner_winning"] = json!(true);
    assert_eq!(ask("plays", exempt.clone()), json!({ "legal": ["herz-ober-0", "herz-ass-0"] }));
    exempt["rules"] = json!({ "partner_exemption": false });
    assert_eq!(ask("plays", exempt), json!({ "legal": ["herz-ass-0"] }));
    let trick = json!({ "cards": ["herz-10-0", "kreuz-buabe-1", "herz-ass-0"], "trump": "kreuz" });
    assert_eq!(ask("trick", trick), json!({ "winner": 1, "points": 23 }));
}

#[test]
fn questions_that_make_no_sense_are_answered_with_what_is_wrong() {
    for (question, input, word) in [
        ("yaku", json!({}), "melds, plays, trick"),
        ("melds", json!({ "hand": [] }), "trump"),
        ("melds", json!({ "hand": ["herz-ass-0", "herz-ass-0"], "trump": "herz" }), "twice"),
        ("melds", json!({ "hand": ["herz-ass-2"], "trump": "herz" }), "herz-ass-2"),
        (
            "plays",
            json!({ "hand": ["herz-ass-0"], "trick": ["herz-ass-0"], "trump": "herz" }),
            "herz-ass-0",
        ),
        ("trick", json!({ "cards": [], "trump": "herz" }), "one to four"),
    ] {
        let error = Binokel::ask(question, &input).expect_err("it makes no sense").to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn a_fixed_deck_is_dealt_in_runs_with_the_dabb_last() {
    let rules = Rules::contract();
    let mut cards = deck(&rules, &["", "", ""]);
    cards.reverse();
    let table = Table::scripted(rules, 3, json!({ "deck": cards }));
    assert_eq!(table.hand(P1), cards[..12].iter().copied().collect());
    assert_eq!(table.state.dabb, cards[36..].iter().copied().collect());
}

#[test]
fn a_deck_that_is_none_is_refused() {
    for script in [
        json!({ "deck": ["herz-ass-0"] }),
        json!({ "deck": vec!["herz-ass-0"; 40] }),
        json!({ "deck": ["x"] }),
        json!({ "decks": 3 }),
        json!({ "deck": [], "decks": [] }),
    ] {
        assert!(Binokel::stack(script.as_object().expect("an object")).is_err(), "{script}");
    }
}

#[test]
fn the_preset_web_is_the_contract_with_three_differences() {
    let web = Rules::guide().resolve(&json!("web")).expect("there is such a preset");
    let same = Rules { bidding: Bidding::Duel, first_lead: FirstLead::Opener, ..web.clone() };
    assert_eq!(Rules { dabb_size: None, ..same }, Rules::contract());
    assert_eq!([2, 3, 4].map(|players| web.dabb(players)), [4, 4, 4]);
    let mut table = Table::dealt(web, &["", "", ""]);
    table.act(P1, bid(150));
    table.act(P2, bid(160));
    table.act(P3, Action::Pass);
    table.act(P1, Action::Pass);
    table.declare(Suit::Herz, "");
    table.meld_all();
    assert_eq!(table.board().phase, Phase::Tricks { seat: P2 }, "the declarer leads");
}

#[test]
fn a_trump_seven_needs_sevens() {
    let rules = Rules { trump_sieben: true, ..Rules::contract() };
    let error = rules.check().expect_err("nobody could meld one").to_string();
    assert!(error.contains("'trump_sieben' needs 'sevens'"), "{error}");
    assert_eq!(Rules { sevens: true, ..rules }.check(), Ok(()));
}

#[test]
fn options_that_are_off_leave_no_trace_in_a_log() {
    let written = serde_json::to_value(Rules::contract()).expect("plain data");
    assert_eq!((written.get("doppel_familie"), written.get("trump_sieben")), (None, None));
    assert_eq!((written.get("takeover"), written.get("thrown_in")), (None, None));
    assert_eq!(serde_json::from_value::<Rules>(written).expect("it reads back"), Rules::contract());
    let asked = json!({ "sevens": true, "doppel_familie": true, "trump_sieben": true });
    let rules = Rules { sevens: true, doppel_familie: true, ..Rules::contract() };
    assert_eq!(resolve(asked), Ok(Rules { trump_sieben: true, ..rules }));
}

#[test]
fn a_bot_stands_in_only_where_the_rules_say_so() {
    let verified = |takeover: u32, bot: Option<&str>| {
        let rules = Rules { takeover, rounds: Some(1), ..Rules::contract() };
        let (mut log, _) = random_game::<Binokel>(&rules, 3, "away");
        let Some(Event::GameStarted(start)) = log.events.first_mut() else { panic!("no start") };
        let seats = start.opening.seats.iter().cloned();
        let seats = seats.map(|sitting| Sitting { bot: bot.map(str::to_owned), ..sitting });
        Arc::make_mut(start).opening.seats = seats.collect();
        for step in log.steps.iter_mut().step_by(3) {
            if let Cause::Seat { seat, action } = step.cause {
                step.cause = Cause::StandIn { seat, action };
            }
        }
        reexecute(&log).map(|_| ()).map_err(|difference| difference.to_string())
    };
    assert_eq!(verified(60, None), Ok(()));
    for (takeover, bot) in [(0, None), (60, Some("solid"))] {
        let error = verified(takeover, bot).expect_err("nobody stands in there");
        assert!(error.contains("a stand-in for"), "{error}");
    }
}
