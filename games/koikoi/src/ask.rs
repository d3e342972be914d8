//! Answers to questions about the rules, and the fixed shuffles of scripts.

use parlor_kernel::{
    AskError, Explained, Offered, Scripted, Stacked, distinct, read_question, stacked_decks,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cards::{Card, CardSet, Row};
use crate::game::KoiKoi;
use crate::rules::Rules;
use crate::score::pay;
use crate::yaku::{contributing, tally};

impl Explained for KoiKoi {
    const QUESTIONS: &'static [&'static str] = &["yaku", "score", "match"];

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        match question {
            "yaku" => yaku(read_question(input, r#"{"cards":["0111",…],"rules"?}"#)?),
            "score" => score(read_question(
                input,
                r#"{"base":5,"winner_calls":0,"opponent_calls":1,"rules"?}"#,
            )?),
            "match" => matching(read_question(input, r#"{"card":"0111","field":["0131",…]}"#)?),
            _ => Err(AskError::UnknownQuestion(question.to_owned(), Self::QUESTIONS.join(", "))),
        }
    }
}

impl Scripted for KoiKoi {
    /// Reads `deck`, the order of the first shuffle, or `decks`, of each.
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        stacked_decks(script, "round", deck_order)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct YakuQuestion {
    cards: Vec<Card>,
    #[serde(default)]
    rules: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreQuestion {
    base: u32,
    winner_calls: u32,
    opponent_calls: u32,
    #[serde(default)]
    rules: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchQuestion {
    card: Card,
    field: Vec<Card>,
}

fn rules(asked: &Value) -> Result<Rules, AskError> {
    let bad = |error: parlor_kernel::RulesError| AskError::BadQuestion(error.to_string());
    let rules = Rules::guide().resolve(asked).map_err(bad)?;
    KoiKoi::check(&rules).map_err(bad)?;
    Ok(rules)
}

fn yaku(question: YakuQuestion) -> Result<Value, AskError> {
    let rules = rules(&question.rules)?;
    distinct(&question.cards)?;
    let captured: CardSet = question.cards.iter().copied().collect();
    let held = tally(captured, &rules);
    let yaku: Vec<Value> = held
        .iter()
        .map(|(yaku, points)| {
            let cards = contributing(yaku, captured, &rules);
            json!({ "type": yaku, "points": points, "cards": cards })
        })
        .collect();
    Ok(json!({ "yaku": yaku, "base": held.total() }))
}

fn score(question: ScoreQuestion) -> Result<Value, AskError> {
    let rules = rules(&question.rules)?;
    let pay = pay(&rules, question.base, question.winner_calls, question.opponent_calls);
    Ok(json!({ "final": pay.points, "seven": pay.seven, "koi": pay.koi }))
}

fn matching(question: MatchQuestion) -> Result<Value, AskError> {
    let card = question.card;
    distinct(&question.field)?;
    if question.field.contains(&card) {
        return Err(AskError::BadQuestion(format!("{card} cannot meet itself on the field")));
    }
    let field: Row = question.field.into_iter().collect();
    Ok(json!({ "matches": field.matches(card).as_slice() }))
}

fn deck_order(deck: &Value) -> Result<Vec<u16>, String> {
    let cards = Vec::<Card>::deserialize(deck)
        .map_err(|error| format!("a deck is a list of all 48 card ids ({error})"))?;
    let set: CardSet = cards.iter().copied().collect();
    if cards.len() != 48 || set != CardSet::FULL {
        let missing: Vec<&str> = CardSet::FULL.without(set).iter().map(Card::id).collect();
        return Err(format!(
            "a deck has all 48 cards once each; this one has {}, without {}",
            cards.len(),
            if missing.is_empty() { "missing any".to_owned() } else { missing.join(" ") },
        ));
    }
    Ok(cards.iter().map(|card| card.place() as u16).collect())
}
