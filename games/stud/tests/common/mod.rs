//! What every test of stud needs: tables to play at, and cards by name.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use parlor_kernel::laws::{self, Secrets};
use parlor_kernel::{
    Dialect, Dice, Game, Hosted, LogDialect, Offered, Opening, Order, Refuse, Scripted, Seal, Seat,
    View, Viewer,
};
use parlor_stud::{
    Action, Board, Card, DealEnd, Event, Knowledge, Rules, Stacks, State, Stud, VariantChoice,
};
use serde_json::{Map, json};

/// Rules for the laws: every variant deep and short, mucking and rebuying.
pub fn law_tables() -> Vec<(&'static str, Rules)> {
    let short = |variant| Rules {
        variant,
        rotation_deals: 2,
        stacks: Stacks::Each(130),
        deals: Some(12),
        ..Rules::stud_hi()
    };
    vec![
        ("deep high", Rules { deals: Some(6), ..Rules::stud_hi() }),
        ("short high", short(VariantChoice::StudHi)),
        ("short razz", short(VariantChoice::Razz)),
        ("short hi-lo", short(VariantChoice::Stud8)),
        ("short mixed, mucking", Rules { muck: true, ..short(VariantChoice::Mixed) }),
        (
            "mixed with rebuys",
            Rules { last_stack: false, rebuy: Some(90), ..short(VariantChoice::Mixed) },
        ),
        ("freezeout", Rules { stacks: Stacks::Each(200), ..Rules::freezeout() }),
    ]
}

pub fn dialects() -> Vec<Arc<dyn Dialect<Stud>>> {
    let mut dialects = Stud::dialects();
    dialects.push(Arc::new(LogDialect));
    dialects
}

/// Cards written one after the other: `AsTd2c`, with or without spaces.
pub fn cards(names: &str) -> Vec<Card> {
    let names: Vec<char> = names.chars().filter(|letter| *letter != ' ').collect();
    let card = |name: &[char]| {
        let name: String = name.iter().collect();
        Card::named(&name).unwrap_or_else(|| panic!("{name} is a card"))
    };
    names.chunks(2).map(card).collect()
}

/// A table played by hand.
#[derive(Clone)]
pub struct Table {
    pub state: State,
    pub events: Vec<Event>,
    /// Each event as `TYPE seat street amount paid`.
    pub events_told: Vec<String>,
    /// After each event: pot, currentBet, raiseCount, pendingResponseCount,
    /// checksThisStreet and who acts next.
    pub counters: Vec<String>,
    dice: Dice,
}

impl Table {
    /// A match with these decks, one for each deal; cards that are not named
    /// follow in order. The stacks say how many seats there are.
    pub fn dealt(rules: Rules, decks: &[Vec<Card>]) -> Table {
        let seats = *rules.seats().start();
        Table::seated(rules, seats, decks)
    }

    pub fn seated(rules: Rules, seats: usize, decks: &[Vec<Card>]) -> Table {
        let mut script = Map::new();
        script.insert("decks".to_owned(), json!(decks));
        let stacked = Stud::stack(&script).expect("these are decks");
        let mut opening = laws::opening::<Stud>(&rules, seats, "table");
        opening.seal = Seal::stacked("table", stacked);
        Table::opened(opening)
    }

    pub fn opened(opening: Opening<Rules>) -> Table {
        let dice = opening.dice();
        let mut table = Table {
            state: State::default(),
            events: Vec::new(),
            events_told: Vec::new(),
            counters: Vec::new(),
            dice,
        };
        let mut out = Vec::new();
        Stud::open(opening, &table.dice, &mut out);
        table.settle(out);
        table
    }

    pub fn board(&self) -> &Board {
        &self.state.board
    }

    fn settle(&mut self, out: Vec<Event>) -> Vec<&'static str> {
        let names = out.iter().map(parlor_kernel::event_type).collect();
        for event in out {
            Stud::apply(&mut self.state, &event);
            Stud::invariant(&self.state).unwrap_or_else(|broken| panic!("{event:?}: {broken}"));
            let board = &self.state.board;
            let next = board.actor.map_or("-".to_owned(), |seat| seat.0.to_string());
            self.counters.push(format!(
                "{} {} {} {} {} {next}",
                board.pot,
                board.current_bet,
                board.raise_count,
                board.pending_response_count,
                board.checks_this_street
            ));
            self.events_told.push(told(&event));
            self.events.push(event);
        }
        names
    }

    /// A move that is taken; the names of the events it makes.
    pub fn act(&mut self, seat: Seat, action: Action) -> Vec<&'static str> {
        let mut out = Vec::new();
        if let Err(refusal) = Stud::decide(&self.state, seat, &action, &self.dice, &mut out) {
            panic!("{seat} {action:?}: {refusal}");
        }
        self.settle(out)
    }

    /// Moves of whoever is asked, one after the other.
    pub fn play(&mut self, actions: &[Action]) -> Vec<&'static str> {
        let mut names = Vec::new();
        for action in actions {
            let seat = self.board().actor.expect("someone is asked");
            names.extend(self.act(seat, *action));
        }
        names
    }

    /// A move that is refused: its code and its sentence. Nothing must have
    /// happened.
    pub fn refused(&self, seat: Seat, action: Action) -> (&'static str, String) {
        let mut out = Vec::new();
        let refusal = Stud::decide(&self.state, seat, &action, &self.dice, &mut out)
            .expect_err("this is refused");
        assert!(out.is_empty(), "a refused command changes nothing");
        (refusal.code(), refusal.to_string())
    }

    /// The house goes on; the names of the events it makes.
    pub fn proceed(&mut self) -> Vec<&'static str> {
        let mut out = Vec::new();
        Stud::proceed(&self.state, &self.dice, &mut out);
        self.settle(out)
    }

    /// Whoever runs the house gives an order; the names of the events it makes.
    pub fn order(&mut self, order: &Order) -> Vec<&'static str> {
        let mut out = Vec::new();
        Stud::obey(&self.state, order, &mut out);
        self.settle(out)
    }

    /// What the actor may do.
    pub fn legal(&self) -> Vec<&'static str> {
        self.board().legal(4).iter().map(|offer| offer.action.name()).collect()
    }

    pub fn stacks(&self) -> Vec<u32> {
        self.board().seated().map(|seat| self.board().player(seat).stack).collect()
    }

    /// How the last deal ended.
    pub fn end(&self) -> &DealEnd {
        self.state.last_deal.as_deref().expect("a deal is over")
    }

    /// What the seat knows.
    pub fn knowledge(&self, viewer: Viewer) -> Knowledge {
        let mut view = View::<Stud>::new(viewer);
        let mut state = State::default();
        for event in &self.events {
            Stud::apply(&mut state, event);
            view.witness(&state, event);
        }
        view.knowledge().clone()
    }
}

fn told(event: &Event) -> String {
    let value = serde_json::to_value(event).expect("an event is plain data");
    let payload = &value["payload"];
    // A deal's end and a street's end have no seat of their own; cards name
    // their street in the event's name.
    let street = match event {
        Event::DealCards3rd(_) => "3rd",
        Event::DealCard4th(_) => "4th",
        Event::DealCard5th(_) => "5th",
        Event::DealCard6th(_) => "6th",
        Event::DealCard7th(_) => "7th",
        _ => payload["street"].as_str().unwrap_or("-"),
    };
    let number = |field: &str| payload[field].as_u64().map_or("-".to_owned(), |n| n.to_string());
    let kind = parlor_kernel::event_type(event);
    format!("{kind} {} {street} {} {}", number("seat"), number("amount"), number("paid"))
}
