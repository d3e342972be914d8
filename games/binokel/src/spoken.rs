//! Moves in words: how each is put to a person, and what a person may say in
//! their place, which is any bid and any cards to lay away.

use parlor_kernel::{Imagine, Opened, Outline, Spoken, Stream};

use crate::board::Phase;
use crate::cards::{Card, CardSet};
use crate::event::{Action, Seen};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::melds::melds;
use crate::state::State;
use crate::words::{self, meld_list, set};

impl Spoken for Binokel {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    /// Turn, clock and totals are on the board.
    fn outline(knowledge: &Knowledge) -> Option<Outline<State>> {
        Some(Outline::whole(State {
            opened: knowledge.table.as_ref().map(|table| Opened::imagined(&table.setup)),
            board: knowledge.board.clone(),
            ..State::default()
        }))
    }

    fn narrate(before: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        words::narrate(before, seen, after)
    }

    fn picture(knowledge: &Knowledge) -> String {
        words::picture(knowledge)
    }

    fn label(knowledge: &Knowledge, action: &Action) -> String {
        match *action {
            Action::Bid { amount } => format!("bid {amount}"),
            Action::Pass => "pass".to_owned(),
            Action::TakeDabb => "take the dabb".to_owned(),
            Action::Discard { cards } => format!("lay away {}", set(cards)),
            Action::GoOut { suit } => format!("go out in {suit}"),
            Action::DeclareTrump { suit } => format!("name {suit} trump"),
            Action::Announce { special } => format!("announce a {special}"),
            Action::DeclareMelds => format!("meld {}", own_melds(knowledge)),
            Action::PlayCard { card } => format!("play {card}"),
            Action::Exit => "leave, which ends the game".to_owned(),
        }
    }

    fn typing(knowledge: &Knowledge) -> Option<String> {
        let rules = &knowledge.table.as_deref()?.setup.rules;
        let board = &knowledge.board;
        match board.phase {
            Phase::Bidding { .. } => {
                let more = board.auction.least(rules)?.saturating_add(50);
                Some(format!("any higher bid in tens, such as `bid {more}`"))
            }
            Phase::LayingAway => {
                let (_, hand) = knowledge.own_hand()?;
                let count = usize::from(rules.dabb(board.players));
                let place = |(place, card): (usize, Card)| format!("{} {card}", place + 1);
                let places: Vec<String> = hand.iter().enumerate().map(place).collect();
                let some: Vec<String> = (1..=count).map(|place| (place * 2).to_string()).collect();
                Some(format!(
                    "any {count} cards by their places in your hand or by name, such as `lay {}`: {}",
                    some.join(" "),
                    places.join(" · ")
                ))
            }
            _ => None,
        }
    }

    fn typed(knowledge: &Knowledge, text: &str) -> Option<Action> {
        let text = text.to_lowercase();
        match knowledge.board.phase {
            Phase::Bidding { .. } => {
                let amount = text.strip_prefix("bid").unwrap_or(&text).trim().parse().ok()?;
                Some(Action::Bid { amount })
            }
            Phase::LayingAway => {
                let (_, hand) = knowledge.own_hand()?;
                let spoken = text.strip_prefix("lay").unwrap_or(&text).trim_start();
                let named = spoken.strip_prefix("away").unwrap_or(spoken);
                let words = named.split([' ', ',']).filter(|word| !word.is_empty());
                let mut cards = CardSet::EMPTY;
                for word in words {
                    cards.insert(card_called(word, hand, cards)?);
                }
                // A lone number is meant for an option, if there were one.
                let meant = cards.len() > 1 || text.starts_with("lay");
                meant.then_some(Action::Discard { cards })
            }
            _ => None,
        }
    }
}

fn own_melds(knowledge: &Knowledge) -> String {
    let (Some((_, hand)), Some(trump), Some(table)) =
        (knowledge.own_hand(), knowledge.board.trump, knowledge.table.as_deref())
    else {
        return "nothing".to_owned();
    };
    let melds = melds(hand, trump, &table.setup.rules);
    if melds.is_empty() { "nothing".to_owned() } else { meld_list(&melds) }
}

/// A card in hand that is not `taken` yet, by its place, its id, or its id
/// without the copy: `3`, `herz-ass-1`, `herz-ass`.
fn card_called(word: &str, hand: CardSet, taken: CardSet) -> Option<Card> {
    let by_place = || hand.iter().nth(word.parse::<usize>().ok()?.checked_sub(1)?);
    let is_called = |card: &Card| {
        let id = card.id();
        id == word || id.strip_prefix(word).is_some_and(|copy| matches!(copy, "-0" | "-1"))
    };
    let by_name = || hand.without(taken).iter().find(is_called);
    by_place().or_else(by_name).filter(|card| !taken.contains(*card))
}
