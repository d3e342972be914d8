//! A table to play at, with rolls as they are told.
#![allow(dead_code, reason = "each test file uses its part")]

use parlor_dice::{Action, Bid, Board, Event, LiarsDice, Rules, State};
use parlor_kernel::{Dice, Game, Hosted, Order, Refuse, Scripted, Seal, Seat, event_type, laws};
use serde_json::{Value, json};

pub const P1: Seat = Seat(0);
pub const P2: Seat = Seat(1);
pub const P3: Seat = Seat(2);

pub fn bid(quantity: u32, face: u32) -> Action {
    Action::Bid(Bid { quantity, face })
}

pub struct Table {
    pub state: State,
    pub events: Vec<Event>,
    dice: Dice,
}

impl Table {
    /// A game with these hands, round by round, that p1 begins.
    pub fn rolled(rules: Rules, rolls: Value) -> Table {
        let seats = rolls[0].as_array().map_or(0, Vec::len);
        let script = json!({ "rolls": rolls });
        let stacked = LiarsDice::stack(script.as_object().unwrap()).expect("these are rolls");
        // The first seed with which p1 begins.
        let opens = |seed: &u32| {
            let dice = Seal::named(&seed.to_string()).dice("law");
            dice.stream("first").below(seats as u32) == 0
        };
        let seed = (0..).find(opens).unwrap().to_string();
        let mut opening = laws::opening::<LiarsDice>(&rules, seats, &seed);
        opening.seal = Seal::stacked(&seed, stacked);
        let dice = opening.dice();
        let mut table = Table { state: State::default(), events: Vec::new(), dice };
        let mut out = Vec::new();
        LiarsDice::open(opening, &table.dice, &mut out);
        table.settle(out);
        table
    }

    pub fn board(&self) -> &Board {
        &self.state.board
    }

    pub fn counts(&self) -> Vec<u8> {
        self.board().hands.iter().map(|hand| hand.count).collect()
    }

    fn settle(&mut self, out: Vec<Event>) -> Vec<&'static str> {
        let names = out.iter().map(event_type).collect();
        for event in out {
            LiarsDice::apply(&mut self.state, &event);
            self.events.push(event);
        }
        names
    }

    /// A move that is taken; the names of the events it makes.
    pub fn act(&mut self, seat: Seat, action: Action) -> Vec<&'static str> {
        let mut out = Vec::new();
        if let Err(refusal) = LiarsDice::decide(&self.state, seat, &action, &self.dice, &mut out) {
            panic!("{seat} {action:?}: {refusal}");
        }
        self.settle(out)
    }

    /// A move that is refused; its code.
    pub fn refused(&self, seat: Seat, action: Action) -> &'static str {
        let mut out = Vec::new();
        let refusal = LiarsDice::decide(&self.state, seat, &action, &self.dice, &mut out)
            .expect_err("this is refused");
        assert!(out.is_empty(), "a refused move changes nothing");
        refusal.code()
    }

    pub fn order(&mut self, order: Order) -> Vec<&'static str> {
        let mut out = Vec::new();
        LiarsDice::obey(&self.state, &order, &mut out);
        self.settle(out)
    }
}
