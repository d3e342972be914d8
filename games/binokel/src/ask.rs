//! Answers to questions about the rules, and the fixed shuffles of scripts.

use parlor_kernel::{
    AskError, Explained, Offered, RulesError, Scripted, Stacked, distinct, read_question,
    stacked_decks,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cards::{Card, CardSet, Suit};
use crate::game::Binokel;
use crate::melds::{Meld, melds};
use crate::rules::Rules;
use crate::trick::Trick;

impl Explained for Binokel {
    const QUESTIONS: &'static [&'static str] = &["melds", "plays", "trick"];

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        match question {
            "melds" => all_melds(read_question(
                input,
                r#"{"hand":["herz-ass-0",…],"trump":"herz","rules"?}"#,
            )?),
            "plays" => plays(read_question(
                input,
                r#"{"hand":["herz-ass-0",…],"trick":[…],"trump":"herz","partner_winning"?,"rules"?}"#,
            )?),
            "trick" => trick(read_question(input, r#"{"cards":["herz-ass-0",…],"trump":"herz"}"#)?),
            _ => Err(AskError::UnknownQuestion(question.to_owned(), Self::QUESTIONS.join(", "))),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeldsQuestion {
    hand: Vec<Card>,
    trump: Suit,
    #[serde(default)]
    rules: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaysQuestion {
    hand: Vec<Card>,
    trick: Vec<Card>,
    trump: Suit,
    #[serde(default)]
    partner_winning: bool,
    #[serde(default)]
    rules: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrickQuestion {
    cards: Vec<Card>,
    trump: Suit,
}

fn set(cards: &[Card]) -> Result<CardSet, AskError> {
    distinct(cards)?;
    Ok(cards.iter().copied().collect())
}

fn rules(asked: &Value) -> Result<Rules, AskError> {
    let bad = |error: RulesError| AskError::BadQuestion(error.to_string());
    let rules = Rules::guide().resolve(asked).map_err(bad)?;
    Binokel::check(&rules).map_err(bad)?;
    Ok(rules)
}

fn all_melds(question: MeldsQuestion) -> Result<Value, AskError> {
    let rules = rules(&question.rules)?;
    let melds = melds(set(&question.hand)?, question.trump, &rules);
    let total: u32 = melds.iter().map(|meld| u32::from(meld.points)).sum();
    let melds: Vec<Value> = melds.iter().map(written).collect();
    Ok(json!({ "melds": melds, "total": total }))
}

fn written(meld: &Meld) -> Value {
    let mut written = json!({ "type": meld.kind, "points": meld.points, "cards": meld.cards });
    if let Some(suit) = meld.suit {
        written["suit"] = json!(suit);
    }
    written
}

fn plays(question: PlaysQuestion) -> Result<Value, AskError> {
    let rules = rules(&question.rules)?;
    let (hand, on_table) = (set(&question.hand)?, set(&question.trick)?);
    if let Some(card) = hand.and(on_table).first() {
        return Err(AskError::BadQuestion(format!("{card} is in the hand and in the trick")));
    }
    if on_table.len() > 3 {
        return Err(AskError::BadQuestion("at most three cards lie before a play".to_owned()));
    }
    let exempt = question.partner_winning && rules.partner_exemption;
    let trick = Trick::of(&question.trick, CardSet::of_suit(question.trump));
    Ok(json!({ "legal": trick.legal(hand, CardSet::of_suit(question.trump), exempt) }))
}

fn trick(question: TrickQuestion) -> Result<Value, AskError> {
    distinct(&question.cards)?;
    if !(1..=4).contains(&question.cards.len()) {
        return Err(AskError::BadQuestion("a trick has one to four cards".to_owned()));
    }
    let trick = Trick::of(&question.cards, CardSet::of_suit(question.trump));
    Ok(json!({ "winner": trick.best(), "points": trick.points() }))
}

impl Scripted for Binokel {
    /// Reads `deck`, the order of the first shuffle, or `decks`, of each: a run
    /// of cards for each seat from the first on, then the dabb.
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        stacked_decks(script, "round", deck_order)
    }
}

fn deck_order(deck: &Value) -> Result<Vec<u16>, String> {
    let cards = Vec::<Card>::deserialize(deck)
        .map_err(|error| format!("a deck is a list of all 40 card ids ({error})"))?;
    let set: CardSet = cards.iter().copied().collect();
    let full = if cards.len() == 48 { CardSet::WITH_SEVENS } else { CardSet::WITHOUT_SEVENS };
    if set != full || set.len() as usize != cards.len() {
        let missing: Vec<&str> = full.without(set).iter().map(Card::id).collect();
        return Err(format!(
            "a deck has all 40 cards (48 with sevens) once each; this one has {}, without {}",
            cards.len(),
            if missing.is_empty() { "missing any".to_owned() } else { missing.join(" ") },
        ));
    }
    let place = |card: &Card| full.iter().take_while(|before| before < card).count() as u16;
    Ok(cards.iter().map(place).collect())
}
