//! Questions about the rules and stacked decks: what every game reads alike.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::dice::Stacked;
use crate::game::Game;

/// A question about the rules that could not be answered.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum AskError {
    /// The game answers no such question.
    #[error("there is no question '{0}'; questions are {1}")]
    UnknownQuestion(String, String),
    /// The question is not put as it must be.
    #[error("{0}")]
    BadQuestion(String),
}

/// A game that answers questions about its rules.
pub trait Explained: Game {
    /// The questions it answers.
    const QUESTIONS: &'static [&'static str] = &[];

    /// Answers one of them.
    fn ask(question: &str, _input: &Value) -> Result<Value, AskError> {
        Err(unknown_question::<Self>(question))
    }
}

/// The error for a question a game does not answer.
pub fn unknown_question<G: Explained>(question: &str) -> AskError {
    let known = match G::QUESTIONS {
        [] => "none".to_owned(),
        known => known.join(", "),
    };
    AskError::UnknownQuestion(question.to_owned(), known)
}

/// Reads a question; whoever puts it otherwise is told its `form`.
pub fn read_question<Q: DeserializeOwned>(input: &Value, form: &str) -> Result<Q, AskError> {
    Q::deserialize(input)
        .map_err(|error| AskError::BadQuestion(format!("{error}; ask with {form}")))
}

/// Refuses cards of a question if one of them is named twice.
pub fn distinct<'a, C>(cards: impl IntoIterator<Item = &'a C>) -> Result<(), AskError>
where
    C: PartialEq + Display + 'a,
{
    let mut named = Vec::new();
    for card in cards {
        if named.contains(&card) {
            return Err(AskError::BadQuestion(format!("{card} is named twice; there is only one")));
        }
        named.push(card);
    }
    Ok(())
}

/// Reads `deck` of a script, the order of the first shuffle, or `decks`, of
/// each. `dealt` is what a deck is dealt for, a round or a deal; `order` reads
/// one deck.
pub fn stacked_decks(
    script: &Map<String, Value>,
    dealt: &str,
    order: impl Fn(&Value) -> Result<Vec<u16>, String>,
) -> Result<Stacked, String> {
    let decks = match (script.get("deck"), script.get("decks")) {
        (None, None) => &[],
        (Some(deck), None) => std::slice::from_ref(deck),
        (None, Some(Value::Array(decks))) => decks.as_slice(),
        (None, Some(_)) => return Err(format!("'decks' is a list of decks, one for each {dealt}")),
        (Some(_), Some(_)) => return Err("give 'deck' or 'decks', not both".to_owned()),
    };
    (1..)
        .zip(decks)
        .map(|(number, deck)| {
            let order =
                order(deck).map_err(|why| format!("the deck of {dealt} {number}: {why}"))?;
            Ok((format!("deal/{number}"), order))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stacked(script: Value) -> Result<Stacked, String> {
        let Value::Object(script) = script else { unreachable!("scripts are objects") };
        stacked_decks(&script, "round", |deck| {
            serde_json::from_value(deck.clone()).map_err(|_| "no deck".to_owned())
        })
    }

    #[test]
    fn one_deck_is_the_first_and_several_are_one_after_the_other() {
        let first = ("deal/1".to_owned(), vec![1, 0]);
        let second = ("deal/2".to_owned(), vec![0, 1]);
        assert_eq!(stacked(json!({})), Ok(Stacked::new()));
        assert_eq!(stacked(json!({ "deck": [1, 0] })), Ok([first.clone()].into()));
        assert_eq!(stacked(json!({ "decks": [[1, 0], [0, 1]] })), Ok([first, second].into()));
    }

    #[test]
    fn decks_that_do_not_read_are_refused_with_their_number() {
        let refused = |script| stacked(script).unwrap_err();
        assert_eq!(refused(json!({ "decks": [[0], "x"] })), "the deck of round 2: no deck");
        assert_eq!(
            refused(json!({ "decks": 3 })),
            "'decks' is a list of decks, one for each round"
        );
        assert_eq!(refused(json!({ "deck": [], "decks": [] })), "give 'deck' or 'decks', not both");
    }

    #[test]
    fn a_card_named_twice_is_refused_by_name() {
        assert_eq!(distinct(["0111", "0131"].iter()), Ok(()));
        let refusal = distinct(["0111", "0131", "0111"].iter()).unwrap_err();
        assert_eq!(refusal.to_string(), "0111 is named twice; there is only one");
    }
}
