//! Answers to questions about the rules, and the fixed shuffles of scripts.

use parlor_kernel::{
    AskError, Explained, Scripted, Seat, Stacked, distinct, read_question, stacked_decks,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cards::{Card, CardSet};
use crate::game::Stud;
use crate::pots::{Worth, best, pay, pots};
use crate::rules::{MOST, Variant};
use crate::seats::{SEATS, Seats, at};
use crate::showdown::in_words;
use crate::showing::{bring_in, first_to_act};

const SHOWDOWN: &str = r#"{"variant":"studHi","hands":[["As","Td",… seven cards],…]}"#;
const SHOWING: &str = r#"{"variant":"razz","up":[["7c"],null,["Kd"]]}, null for a folded seat"#;
const PAYOUT: &str = r#"{"variant":"stud8","hands":[[…],…],"committed":[100,…],"folded":[2]}"#;

impl Explained for Stud {
    const QUESTIONS: &'static [&'static str] = &["showdown", "bringin", "firstactor", "payout"];

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        match question {
            "showdown" => showdown(read_question(input, SHOWDOWN)?),
            "bringin" => opener(read_question(input, SHOWING)?, true),
            "firstactor" => opener(read_question(input, SHOWING)?, false),
            "payout" => payout(read_question(input, PAYOUT)?),
            _ => Err(AskError::UnknownQuestion(question.to_owned(), Self::QUESTIONS.join(", "))),
        }
    }
}

impl Scripted for Stud {
    /// Reads `deck`, the order of the first shuffle, or `decks`, of each. A deck
    /// is a list of cards or one text; cards it does not name follow in order.
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        stacked_decks(script, "deal", deck_order)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShowdownQuestion {
    variant: Variant,
    hands: Vec<Vec<Card>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShowingQuestion {
    variant: Variant,
    up: Vec<Option<Vec<Card>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PayoutQuestion {
    variant: Variant,
    hands: Vec<Option<Vec<Card>>>,
    committed: Vec<u32>,
    #[serde(default)]
    folded: Folded,
    /// Odd chips go to the lowest seats, wherever the button is.
    #[serde(default)]
    #[allow(dead_code, reason = "asked for by other games' habits; stud has no button")]
    button: Option<u8>,
}

/// Who folded: their seats, or yes and no for each seat.
#[derive(Deserialize)]
#[serde(untagged)]
enum Folded {
    BySeat(Vec<u8>),
    EachSeat(Vec<bool>),
}

impl Default for Folded {
    fn default() -> Self {
        Folded::BySeat(Vec::new())
    }
}

impl Folded {
    fn includes(&self, seat: Seat) -> bool {
        match self {
            Folded::BySeat(seats) => seats.contains(&seat.0),
            Folded::EachSeat(folded) => folded.get(seat.index()).copied().unwrap_or(false),
        }
    }
}

fn bad(sentence: String) -> AskError {
    AskError::BadQuestion(sentence)
}

fn table(seats: usize) -> Result<Seats, AskError> {
    if !(1..=SEATS).contains(&seats) {
        return Err(bad(format!("a table has 1 to {SEATS} hands; {seats} are given")));
    }
    Ok((0..seats as u8).map(Seat).collect())
}

fn full_hand(cards: &[Card]) -> Result<(), AskError> {
    if (5..=7).contains(&cards.len()) {
        return Ok(());
    }
    Err(bad(format!("a hand has seven cards, or at least five; {} are given", cards.len())))
}

fn showdown(question: ShowdownQuestion) -> Result<Value, AskError> {
    let ShowdownQuestion { variant, hands } = question;
    let seats = table(hands.len())?;
    distinct(hands.iter().flatten())?;
    hands.iter().try_for_each(|hand| full_hand(hand))?;
    let worth: Vec<Worth> = hands.iter().map(|hand| Worth::of(variant, hand)).collect();
    let ranks: Vec<Value> = hands
        .iter()
        .map(|hand| {
            let (high, low) = in_words(variant, hand);
            json!({ "high": high, "low": low })
        })
        .collect();
    let high = best(seats, |seat| worth[seat.index()].high);
    let low = best(seats, |seat| worth[seat.index()].low);
    Ok(json!({ "high": high, "low": low, "ranks": ranks }))
}

fn opener(question: ShowingQuestion, third: bool) -> Result<Value, AskError> {
    let ShowingQuestion { variant, up } = question;
    table(up.len())?;
    distinct(up.iter().flatten().flatten())?;
    if up.iter().flatten().any(|cards| !(1..=4).contains(&cards.len())) {
        return Err(
            bad("a seat shows one to four cards; null stands for a folded seat".to_owned()),
        );
    }
    let live = (0u8..).map(Seat).zip(&up).filter_map(|(seat, up)| Some((seat, up.as_ref()?)));
    let seat = if third {
        bring_in(variant, live.map(|(seat, up)| (seat, up[0])))
    } else {
        let showing: Vec<(Seat, Vec<Option<Card>>)> =
            live.map(|(seat, up)| (seat, up.iter().copied().map(Some).collect())).collect();
        first_to_act(variant, showing.iter().map(|(seat, up)| (*seat, &up[..])))
    };
    Ok(json!({ "seat": seat }))
}

fn payout(question: PayoutQuestion) -> Result<Value, AskError> {
    let PayoutQuestion { variant, hands, committed: given, folded, .. } = question;
    let seats = table(given.len())?;
    if hands.len() != given.len() {
        return Err(bad("'hands' and 'committed' name every seat, in the same order".to_owned()));
    }
    if given.iter().any(|chips| *chips > MOST) {
        return Err(bad(format!("nobody commits more than {MOST} chips")));
    }
    let active: Seats = seats.iter().filter(|seat| !folded.includes(*seat)).collect();
    if active.is_empty() {
        return Err(bad("at least one seat is still in".to_owned()));
    }
    distinct(hands.iter().flatten().flatten())?;
    let mut worth = [Worth::default(); SEATS];
    let mut committed = [0; SEATS];
    for seat in seats.iter() {
        committed[at(seat)] = given[seat.index()];
        match &hands[seat.index()] {
            Some(hand) if active.contains(seat) && active.len() > 1 => {
                full_hand(hand)?;
                worth[at(seat)] = Worth::of(variant, hand);
            }
            None if active.contains(seat) && active.len() > 1 => {
                return Err(bad(format!("seat {} is still in and has no hand", seat.0)));
            }
            _ => {}
        }
    }
    let mut paid = match (active.len(), active.first()) {
        (1, Some(winner)) => {
            let mut paid = [0; SEATS];
            paid[at(winner)] = committed.iter().sum();
            paid
        }
        _ => pay(&pots(&committed, active, &worth)),
    }
    .to_vec();
    paid.truncate(given.len());
    Ok(json!({ "paid": paid }))
}

fn deck_order(deck: &Value) -> Result<Vec<u16>, String> {
    let cards = match deck {
        Value::String(text) => cards_in(text)?,
        list => Vec::<Card>::deserialize(list)
            .map_err(|error| format!("a deck is a list of cards or one text ({error})"))?,
    };
    let mut named = CardSet::EMPTY;
    if let Some(twice) = cards.iter().find(|card| !named.insert(**card)) {
        return Err(format!("{twice} is in it twice"));
    }
    let rest = CardSet::FULL.without(named);
    Ok(cards.into_iter().chain(rest.iter()).map(|card| card.place() as u16).collect())
}

fn cards_in(text: &str) -> Result<Vec<Card>, String> {
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let card = |letters: &[char]| {
        let name: String = letters.iter().collect();
        Card::named(&name).ok_or_else(|| format!("'{name}' is no card; cards are like As, Td, 2c"))
    };
    letters.chunks(2).map(card).collect()
}
