//! House rules, questions about them, and stacked decks.

mod common;

use common::{presets, set};
use parlor_kernel::{Explained, Offered, RulesError, Scripted};
use parlor_koikoi::{Card, CardSet, KoiFactor, KoiKoi, Rules, Yaku, contributing, tally};
use proptest::prelude::*;
use serde_json::{Value, json};

fn resolve(asked: Value) -> Result<Rules, RulesError> {
    let rules = KoiKoi::guide().resolve(&asked)?;
    KoiKoi::check(&rules)?;
    KoiKoi::dead_end(&rules).map_or(Ok(rules), |sentence| Err(RulesError::Contradiction(sentence)))
}

fn refusal(asked: Value) -> String {
    resolve(asked).expect_err("these rules are refused").to_string()
}

#[test]
fn every_preset_can_be_played_and_read_back() {
    for (name, rules) in presets() {
        assert_eq!(KoiKoi::check(&rules), Ok(()), "{name}");
        let written = serde_json::to_value(&rules).expect("rules are plain data");
        assert_eq!(written["yaku"].as_object().map(|yaku| yaku.len()), Some(12), "{name}");
        assert_eq!(serde_json::from_value::<Rules>(written).ok(), Some(rules), "{name}");
    }
}

#[test]
fn presets_are_what_they_are_named_for() {
    let protocol = resolve(Value::Null).expect("the default");
    assert_eq!(protocol, Rules::protocol());
    assert_eq!((protocol.rounds, protocol.target), (Some(12), None));
    let contract = resolve(json!("contract")).expect("a preset");
    assert_eq!((contract.rounds, contract.target), (None, Some(50)));
    assert_eq!((contract.koi_factor, contract.seven_point_double), (KoiFactor::WinnerOwn, false));
    let nintendo = resolve(json!("nintendo")).expect("a preset");
    let points = |yaku| nintendo.yaku.get(yaku);
    assert_eq!(Yaku::BRIGHT_FAMILY.map(points), [10, 8, 7, 5]);
    assert_eq!([points(Yaku::HanamiZake), points(Yaku::TsukimiZake)], [5, 5]);
    assert_eq!((nintendo.koi_limit, nintendo.sake_cup_is_also_plain), (Some(1), true));
}

#[test]
fn options_lie_over_a_preset_and_answer_to_their_aliases() {
    let asked = json!({
        "preset": "contract", "total_rounds": 3, "target_score": 20, "yaku": { "KASU": 2 },
    });
    let rules = resolve(asked).expect("these can be played");
    assert_eq!((rules.rounds, rules.target), (Some(3), Some(20)));
    assert_eq!(rules.yaku.get(Yaku::Kasu), 2);
    assert_eq!(rules.yaku.get(Yaku::Gokou), 15, "the rest stays");
}

#[test]
fn unknown_names_are_refused_with_what_is_allowed() {
    assert!(refusal(json!("kyoto")).contains("protocol, contract, nintendo"));
    assert!(refusal(json!({ "jokers": 1 })).contains("rounds, target, yaku"));
    let sentence = refusal(json!({ "yaku": { "NAGASHI": 1 } }));
    assert!(sentence.contains("NAGASHI") && sentence.contains("TSUKIMI_ZAKE"), "{sentence}");
    assert!(refusal(json!({ "koi_factor": "all" })).contains("winner_own"));
}

#[test]
fn values_out_of_range_are_refused() {
    for asked in [
        json!({ "rounds": 0 }),
        json!({ "rounds": 100 }),
        json!({ "target": 0 }),
        json!({ "target": 10_001 }),
        json!({ "koi_koi_multiplier": 0 }),
        json!({ "koi_koi_multiplier": 11 }),
        json!({ "koi_limit": 9 }),
        json!({ "yaku": { "KASU": 101 } }),
        json!({ "yaku": { "KASU": 300 } }),
        json!({ "yaku": { "KASU": -1 } }),
        json!({ "turn_seconds": 2 }),
        json!({ "turn_seconds": 3601 }),
        json!({ "rounds": "many" }),
    ] {
        let sentence = refusal(asked.clone());
        let option = asked.as_object().and_then(|asked| asked.keys().next()).expect("one option");
        assert!(sentence.contains(option.as_str()), "{asked}: {sentence}");
    }
    for asked in [json!({ "turn_seconds": 0 }), json!({ "rounds": 99 }), json!({ "koi_limit": 8 })]
    {
        assert!(resolve(asked.clone()).is_ok(), "{asked}");
    }
}

#[test]
fn a_match_needs_an_end() {
    assert!(refusal(json!({ "rounds": null })).contains("needs an end"));
    assert!(resolve(json!({ "rounds": null, "target": 10 })).is_ok());
}

#[test]
fn a_disabled_bright_yaku_falls_to_the_best_enabled_one() {
    let five = set("0111 0311 0811 1111 1211");
    let mut rules = Rules::protocol();
    for expected in [Yaku::Gokou, Yaku::Shikou, Yaku::Ameshikou, Yaku::Sankou] {
        assert_eq!(
            tally(five, &rules).iter().map(|(yaku, _)| yaku).collect::<Vec<_>>(),
            [expected]
        );
        rules.yaku.set(expected, 0);
    }
    assert!(tally(five, &rules).is_empty());
}

#[test]
fn three_brights_with_rain_among_them_are_nothing() {
    assert!(tally(set("0111 0311 1111"), &Rules::protocol()).is_empty());
}

#[test]
fn the_sake_cup_is_a_plain_too_where_the_house_says_so() {
    let cards = set("0141 0142 0241 0242 0341 0342 0441 0442 0541 0921");
    assert!(tally(cards, &Rules::protocol()).is_empty());
    let rules = Rules { sake_cup_is_also_plain: true, ..Rules::protocol() };
    assert_eq!(tally(cards, &rules).get(Yaku::Kasu), 1);
    assert!(contributing(Yaku::Kasu, cards, &rules).holds(set("0921")));
}

#[test]
fn questions_are_answered() {
    let ask = |question, input| KoiKoi::ask(question, &input).expect("a good question");
    assert_eq!(
        ask("yaku", json!({ "cards": ["0111", "0811", "1211", "0141"] })),
        json!({
            "yaku": [{ "type": "SANKOU", "points": 6, "cards": ["0111", "0811", "1211"] }],
            "base": 6,
        })
    );
    assert_eq!(
        ask("yaku", json!({ "cards": ["0811", "0921"], "rules": "nintendo" }))["base"],
        json!(5)
    );
    assert_eq!(
        ask("score", json!({ "base": 10, "winner_calls": 0, "opponent_calls": 1 })),
        json!({ "final": 40, "seven": 2, "koi": 2 })
    );
    assert_eq!(
        ask("match", json!({ "card": "0111", "field": ["0142", "0231", "0131"] })),
        json!({ "matches": ["0142", "0131"] })
    );
}

#[test]
fn bad_questions_are_refused_in_a_sentence() {
    for (question, input, word) in [
        ("luck", json!({}), "yaku, score, match"),
        ("yaku", json!({}), "cards"),
        ("yaku", json!({ "cards": ["0143"] }), "0143"),
        ("yaku", json!({ "cards": ["0111", "0111"] }), "twice"),
        ("yaku", json!({ "cards": [], "rules": "kyoto" }), "presets are"),
        ("yaku", json!({ "cards": [], "rules": { "rounds": 0 } }), "rounds"),
        ("score", json!({ "base": -1 }), "-1"),
        ("match", json!({ "card": "0111", "field": ["0111"] }), "itself"),
        ("match", json!([]), "card"),
    ] {
        let sentence = KoiKoi::ask(question, &input).expect_err("a bad question").to_string();
        assert!(sentence.contains(word), "{question} {input}: {sentence}");
    }
}

#[test]
fn decks_are_stacked_by_round() {
    let mut deck: Vec<Card> = Card::DECK.to_vec();
    deck.reverse();
    let script = |script: Value| script.as_object().cloned().expect("a script is an object");
    let stacked = KoiKoi::stack(&script(json!({ "deck": deck }))).expect("a deck");
    assert_eq!(stacked.get("deal/1").map(|order| order[0]), Some(47));
    let stacked = KoiKoi::stack(&script(json!({ "decks": [deck, Card::DECK.to_vec()] })));
    let labels: Vec<String> = stacked.expect("two decks").into_keys().collect();
    assert_eq!(labels, ["deal/1", "deal/2"]);
    deck[0] = deck[1];
    let sentence = KoiKoi::stack(&script(json!({ "deck": deck }))).expect_err("not a deck");
    assert!(sentence.contains("48") && sentence.contains("1243"), "{sentence}");
    assert!(KoiKoi::stack(&script(json!({ "deck": [] }))).is_err());
    assert!(KoiKoi::stack(&script(json!({ "decks": 3 }))).is_err());
}

fn some_cards() -> impl Strategy<Value = CardSet> {
    any::<u64>().prop_map(|bits| {
        Card::DECK.into_iter().filter(|card| bits >> card.place() & 1 == 1).collect()
    })
}

proptest! {
    #[test]
    fn more_captures_are_never_worth_less(cards in some_cards(), more in some_cards()) {
        for (_, rules) in presets() {
            let (before, after) = (tally(cards, &rules), tally(cards.or(more), &rules));
            prop_assert!(after.total() >= before.total());
            if after != before {
                prop_assert!(!parlor_koikoi::fresh(&before, &after).is_empty());
            }
        }
    }

    #[test]
    fn a_yaku_is_worth_what_its_own_cards_are_worth(cards in some_cards()) {
        for (_, rules) in presets() {
            for (yaku, points) in tally(cards, &rules).iter() {
                let own = contributing(yaku, cards, &rules);
                prop_assert_eq!(tally(own, &rules).get(yaku), points);
            }
        }
    }

    #[test]
    fn card_sets_read_back(cards in some_cards()) {
        let text = serde_json::to_string(&cards).unwrap();
        prop_assert_eq!(serde_json::from_str::<CardSet>(&text).unwrap(), cards);
        prop_assert_eq!(cards.iter().count() as u32, cards.len());
    }
}

#[test]
fn rules_under_which_nobody_can_score_or_no_match_ends_are_refused() {
    let none: serde_json::Map<String, Value> =
        parlor_koikoi::Yaku::ALL.iter().map(|yaku| (yaku.name().to_owned(), json!(0))).collect();
    let nobody = json!({ "yaku": none, "teshi": false });
    assert!(refusal(nobody).contains("nobody could ever score"));
    let endless = json!({ "yaku": none, "rounds": null, "target": 50 });
    assert!(refusal(endless).contains("hardly ever reach a target"));
    assert!(resolve(json!({ "yaku": none })).is_ok(), "teshi may decide twelve rounds");
}
