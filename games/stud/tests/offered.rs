//! House rules, questions, scripts and scores, as the house offers them.

use parlor_kernel::laws::random_game;
use parlor_kernel::{AskError, Explained, Offered, RulesError, Scripted};
use parlor_stud::{Rules, Stacks, Stud, Variant};
use serde_json::{Map, Value, json};

fn resolve(asked: Value) -> Result<Rules, RulesError> {
    let rules = Stud::guide().resolve(&asked)?;
    Stud::check(&rules)?;
    Ok(rules)
}

#[test]
fn rules_are_read_as_tables_ask_for_them() {
    let rules = resolve(json!({
        "variant": "studHi",
        "stakes": { "ante": 5, "bringIn": 10, "smallBet": 20, "bigBet": 40 },
        "stacks": [500, 500]
    }))
    .unwrap();
    assert_eq!(rules.stacks, Stacks::BySeat(vec![500, 500]));
    assert_eq!(rules.seats(), 2..=2, "a list of stacks says how many seats there are");
    assert_eq!(resolve(json!("razz")).unwrap().seats(), 2..=7);
    let one =
        resolve(json!({ "preset": "stud8", "stacks": 900, "stakes": { "ante": 0 } })).unwrap();
    assert_eq!((one.stacks, one.stakes.ante, one.stakes.big_bet), (Stacks::Each(900), 0, 40));
}

#[test]
fn every_preset_can_be_played() {
    for preset in Stud::guide().presets {
        Stud::check(&preset.rules).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
    }
}

#[test]
fn rules_that_cannot_be_played_are_refused_with_what_can() {
    let stakes = |ante: i64, bring_in: i64, small: i64, big: i64| {
        json!({ "stakes": {
            "ante": ante, "bringIn": bring_in, "smallBet": small, "bigBet": big
        } })
    };
    for (asked, word) in [
        (stakes(5, 0, 20, 40), "bringIn"),
        (stakes(5, 20, 20, 40), "bringIn"),
        (stakes(5, 10, 50, 40), "bringIn"),
        (stakes(-1, 10, 20, 40), "stakes"),
        (json!({ "stakes": { "blind": 5 } }), "stakes"),
        (json!({ "variant": "omaha" }), "studHi, razz, stud8 or mixed"),
        (json!({ "stacks": [500] }), "2 to 7"),
        (json!({ "stacks": [1, 2, 3, 4, 5, 6, 7, 8] }), "2 to 7"),
        (json!({ "stacks": [500, 0] }), "1 to 100000000"),
        (json!({ "stacks": -3 }), "1 to 100000000"),
        (json!({ "cap": 0 }), "1 to 8"),
        (json!({ "deals": 0 }), "1 to 1000000"),
        (json!({ "rotation": [] }), "1 to 12"),
        (json!({ "rebuy": 500 }), "lastStack"),
        (json!({ "waitSeconds": 0 }), "5 to 86400"),
        (json!({ "sitOutAfter": 0 }), "1 to 10"),
        (json!({ "edition": 3 }), "'edition' is 2"),
        (json!({ "edition": 1 }), "edition 1"),
        (json!({ "schedule": { "every": 0, "levels": [{}] } }), "schedule"),
        (json!({ "schedule": { "every": 5, "levels": [] } }), "1 to 50 levels"),
        (
            json!({ "schedule": { "every": 5, "levels": [
                { "ante": 4, "bringIn": 10, "smallBet": 20, "bigBet": 40 }
            ] } }),
            "higher than the one before",
        ),
        (json!({ "button": 3 }), "there is no option 'button'"),
        (json!("holdem"), "presets are studHi, razz, stud8, mixed, freezeout, open"),
    ] {
        let error = resolve(asked.clone()).expect_err("this is refused").to_string();
        assert!(error.contains(word), "{asked}: {error}");
    }
}

#[test]
fn a_showdown_names_winners_and_ranks() {
    let hands = json!([
        ["Ks", "Kd", "4s", "4c", "Ah", "9d", "2c"],
        ["8s", "6d", "4d", "3c", "2h", "Kh", "Kc"],
        ["8h", "6c", "4h", "3s", "2s", "Qh", "Qc"]
    ]);
    let ask = |variant: &str| {
        Stud::ask("showdown", &json!({ "variant": variant, "hands": hands })).unwrap()
    };
    let high = ask("studHi");
    assert_eq!((&high["high"], &high["low"]), (&json!([0]), &json!([])));
    assert_eq!(high["ranks"][0]["high"], "two pair, kings and fours, ace kicker");
    let razz = ask("razz");
    assert_eq!((&razz["high"], &razz["low"]), (&json!([]), &json!([1, 2])));
    assert_eq!(razz["ranks"][1], json!({ "high": null, "low": "8-6-4-3-2 low" }));
    let split = ask("stud8");
    assert_eq!((&split["high"], &split["low"]), (&json!([0]), &json!([1, 2])));
    assert_eq!(split["ranks"][0]["low"], Value::Null, "a nine is no eight");
}

#[test]
fn openers_are_found_among_those_still_in() {
    let ask = |question: &str, variant: &str, up: Value| {
        Stud::ask(question, &json!({ "variant": variant, "up": up })).unwrap()["seat"].clone()
    };
    let doors = json!([["2s"], null, ["2c"], ["Kd"], ["Ah"]]);
    assert_eq!(ask("bringin", "studHi", doors.clone()), 2, "the club");
    assert_eq!(ask("bringin", "razz", doors), 3, "the ace is low");
    let up = json!([["As", "Kd"], ["2c", "2d"], ["Ah", "Kh"]]);
    assert_eq!(ask("firstactor", "stud8", up.clone()), 1, "a pair beats high cards");
    assert_eq!(ask("firstactor", "razz", up), 0, "of equals the lowest seat");
}

#[test]
fn a_payout_pays_every_pot_to_the_last_chip() {
    let hands = json!([
        ["As", "Ad", "Ac", "Ks", "Kd", "9h", "2c"],
        ["Qs", "Qd", "Qc", "Js", "Jd", "8h", "3c"],
        ["Ts", "Td", "9s", "8s", "4d", "3h", "2d"]
    ]);
    let ask = |committed: Value, folded: Value| {
        let question = json!({ "variant": "studHi", "hands": hands, "committed": committed, "folded": folded });
        Stud::ask("payout", &question).unwrap()["paid"].clone()
    };
    assert_eq!(ask(json!([50, 100, 100]), json!([])), json!([150, 100, 0]));
    assert_eq!(ask(json!([50, 100, 120]), json!([])), json!([150, 100, 20]), "20 uncalled");
    assert_eq!(ask(json!([50, 100, 100]), json!([0])), json!([0, 250, 0]), "folded chips stay");
    assert_eq!(ask(json!([50, 100, 100]), json!([true, true, false])), json!([0, 0, 250]));
}

#[test]
fn what_cannot_be_asked_is_answered_with_how_to_ask() {
    for (question, input, word) in [
        ("nuts", json!({}), "questions are showdown, bringin, firstactor, payout"),
        ("showdown", json!({ "variant": "razz" }), "ask with"),
        ("showdown", json!({ "variant": "razz", "hands": [["As", "As"]] }), "named twice"),
        ("showdown", json!({ "variant": "razz", "hands": [["As"]] }), "seven cards"),
        ("showdown", json!({ "variant": "razz", "hands": [] }), "1 to 7 hands"),
        ("bringin", json!({ "variant": "razz", "up": [["1x"]] }), "is no card"),
        ("bringin", json!({ "variant": "razz", "up": [[]] }), "one to four"),
        ("payout", json!({ "variant": "razz", "hands": [], "committed": [5] }), "every seat"),
        (
            "payout",
            json!({ "variant": "razz", "hands": [null, null], "committed": [5, 5] }),
            "has no hand",
        ),
        (
            "payout",
            json!({ "variant": "razz", "hands": [null], "committed": [5], "folded": [0] }),
            "still in",
        ),
    ] {
        let error: AskError = Stud::ask(question, &input).expect_err("no answer");
        assert!(error.to_string().contains(word), "{question}: {error}");
    }
}

#[test]
fn decks_are_stacked_as_lists_or_texts_and_may_be_short() {
    let stack = |script: Value| Stud::stack(script.as_object().unwrap());
    let by_list = stack(json!({ "deck": ["As", "Td", "2c"] })).unwrap();
    assert_eq!(by_list, stack(json!({ "deck": "As Td2c" })).unwrap());
    let order = &by_list["deal/1"];
    assert_eq!(order.len(), 52);
    assert_eq!(order[..4], [51, 33, 0, 1], "cards that are not named follow in order");
    let two = stack(json!({ "decks": ["As", "Ks"] })).unwrap();
    assert_eq!(two.len(), 2);
    assert_eq!(stack(json!({})).unwrap().len(), 0);
    for wrong in [
        json!({ "deck": "AsAs" }),
        json!({ "deck": "A" }),
        json!({ "deck": ["XX"] }),
        json!({ "decks": "As" }),
        json!({ "deck": "As", "decks": [] }),
    ] {
        assert!(stack(wrong.clone()).is_err(), "{wrong}");
    }
    let _: Map<String, Value> = Map::new();
}

#[test]
fn points_are_chips_won_and_rounds_are_deals() {
    let rules = Rules { deals: Some(9), ..Rules::mixed() };
    let (_, state) = random_game::<Stud>(&rules, 4, "score");
    let score = Stud::score(&state);
    assert_eq!(score.points.iter().sum::<i64>(), 0);
    assert_eq!(score.rounds, 9);
    let most = score.points.iter().max().unwrap();
    for (place, points) in score.points.iter().enumerate() {
        let seat = parlor_kernel::Seat(place as u8);
        assert_eq!(score.winners.contains(seat), points == most);
    }
}

#[test]
fn a_rotation_may_be_any_list_of_variants() {
    let rules = resolve(json!({
        "variant": "mixed", "rotation": ["razz", "stud8"], "rotationDeals": 3
    }))
    .unwrap();
    let played: Vec<Variant> = (1..=7).map(|deal| rules.variant_of(deal)).collect();
    let (razz, eight) = (Variant::Razz, Variant::Stud8);
    assert_eq!(played, [razz, razz, razz, eight, eight, eight, razz]);
}
