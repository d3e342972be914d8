//! Questions about the rules, and the fixed rolls of scripts.

use parlor_kernel::{AskError, Stacked, read_question, unknown_question};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::bots::chance;
use crate::event::Bid;
use crate::game::LiarsDice;
use crate::rules::Rules;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    hands: Vec<Vec<u8>>,
    face: u32,
    wild: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chance {
    own: Vec<u8>,
    others: u32,
    quantity: u32,
    face: u32,
    wild: Option<bool>,
}

pub(crate) fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
    match question {
        "count" => {
            let form = r#"{"hands":[[1,2,3],[4,4]],"face":4,"wild"?}"#;
            let Count { hands, face, wild } = read_question(input, form)?;
            let rules = rules(wild, face, hands.iter().flatten())?;
            let counted = hands.iter().flatten().filter(|die| rules.counts(**die, face)).count();
            Ok(json!({ "count": counted }))
        }
        "chance" => {
            let form = r#"{"own":[1,2,3],"others":5,"quantity":4,"face":3,"wild"?}"#;
            let Chance { own, others, quantity, face, wild } = read_question(input, form)?;
            let rules = rules(wild, face, own.iter())?;
            if others > 25 {
                return Err(AskError::BadQuestion("others have at most 25 dice".to_owned()));
            }
            Ok(json!({ "chance": chance(&rules, &own, others, Bid { quantity, face }) }))
        }
        _ => Err(unknown_question::<LiarsDice>(question)),
    }
}

fn rules<'a>(
    wild: Option<bool>,
    face: u32,
    mut dice: impl Iterator<Item = &'a u8>,
) -> Result<Rules, AskError> {
    let rules = Rules { wild: wild.unwrap_or(true), ..Rules::default() };
    if let Some(die) = dice.find(|die| !(1..=6).contains(*die)) {
        return Err(AskError::BadQuestion(format!("a die shows 1 to 6, not {die}")));
    }
    if !rules.faces().contains(&face) {
        let lowest = rules.faces().start().to_owned();
        return Err(AskError::BadQuestion(format!("a bid's face is {lowest} to 6, not {face}")));
    }
    Ok(rules)
}

/// Reads `rolls`: one list of hands a round, in the order of the seats.
pub(crate) fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
    let Some(rolls) = script.get("rolls") else { return Ok(Stacked::new()) };
    let rolls = Vec::<Vec<Vec<u16>>>::deserialize(rolls)
        .map_err(|error| format!("'rolls' is [[[1,2,3],[4,4,6]],…], hands by round ({error})"))?;
    let mut stacked = Stacked::new();
    let mut left = None;
    for (round, hands) in (1..).zip(rolls) {
        let dice = hands.concat();
        if let Some(die) = dice.iter().find(|die| !(1..=6).contains(*die)) {
            return Err(format!("the roll of round {round}: a die shows 1 to 6, not {die}"));
        }
        if let Some(left) = left
            && dice.len() != left
        {
            return Err(format!(
                "the roll of round {round}: a die is lost each round, so there are {left} dice, \
                 not {}",
                dice.len()
            ));
        }
        left = Some(dice.len().saturating_sub(1));
        stacked.insert(format!("roll/{round}"), dice);
    }
    Ok(stacked)
}
