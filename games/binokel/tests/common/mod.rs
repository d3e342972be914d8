//! What every test of Binokel needs: house rules, a table to play at, and
//! cards by name.
#![allow(dead_code, reason = "each test file uses its part")]

use parlor_binokel::{
    Action, Bidding, Binokel, Board, Card, CardSet, DabbShown, Event, FirstLead, Knowledge, Phase,
    RoundScored, Rules, Special, State, Suit,
};
use parlor_kernel::{
    Cause, Dice, Game, Hosted, Log, Order, Refuse, Scripted, Seal, Seat, View, Viewer, laws,
};
use serde_json::{Value, json};

/// The presets, and house rules that bring out what presets leave aside.
pub fn house_rules() -> Vec<(&'static str, Rules)> {
    vec![
        ("contract", Rules::contract()),
        ("classic", Rules { target: Some(500), ..Rules::classic() }),
        ("tournament", Rules { rounds: Some(3), ..Rules::tournament() }),
        (
            "unusual",
            Rules {
                rounds: Some(6),
                minimum_bid: 10,
                bidding: Bidding::RoundRobin,
                opener_may_pass: true,
                dabb_shown: DabbShown::All,
                acht_gleiche: true,
                first_lead: FirstLead::Declarer,
                partner_exemption: false,
                sevens: true,
                ..Rules::contract()
            },
        ),
        ("web", Rules { target: Some(500), ..Rules::web() }),
        (
            "rich melds",
            Rules {
                rounds: Some(4),
                sevens: true,
                doppel_familie: true,
                trump_sieben: true,
                ..Rules::contract()
            },
        ),
        ("announcing", announcing()),
        (
            "announcing first",
            Rules { rounds: Some(4), durch: true, bettel: true, ..Rules::classic() },
        ),
    ]
}

/// By contract, but Durch and Bettel are played.
pub fn announcing() -> Rules {
    Rules { rounds: Some(6), durch: true, bettel: true, ..Rules::contract() }
}

pub const P1: Seat = Seat(0);
pub const P2: Seat = Seat(1);
pub const P3: Seat = Seat(2);
pub const P4: Seat = Seat(3);

pub fn card(id: &str) -> Card {
    Card::from_id(id).unwrap_or_else(|| panic!("{id} is a card"))
}

pub fn cards(ids: &str) -> Vec<Card> {
    ids.split_whitespace().map(card).collect()
}

pub fn set(ids: &str) -> CardSet {
    cards(ids).into_iter().collect()
}

pub fn bid(amount: u16) -> Action {
    Action::Bid { amount }
}

pub fn discard(ids: &str) -> Action {
    Action::Discard { cards: set(ids) }
}

pub fn go_out(suit: Suit) -> Action {
    Action::GoOut { suit }
}

pub fn trump(suit: Suit) -> Action {
    Action::DeclareTrump { suit }
}

pub fn announce(special: Special) -> Action {
    Action::Announce { special }
}

pub fn play(id: &str) -> Action {
    Action::PlayCard { card: card(id) }
}

/// A deck that begins each hand with these cards and fills up with the rest.
pub fn deck(rules: &Rules, hands: &[&str]) -> Vec<Card> {
    let players = hands.len() as u8;
    let size = (rules.deck().len() as usize - usize::from(rules.dabb(players))) / hands.len();
    let given: Vec<Vec<Card>> = hands.iter().map(|ids| cards(ids)).collect();
    let used: CardSet = given.iter().flatten().copied().collect();
    let mut rest = rules.deck().without(used).iter();
    let mut deck = Vec::new();
    for mut hand in given {
        hand.extend(rest.by_ref().take(size - hand.len()));
        deck.extend(hand);
    }
    deck.extend(rest);
    deck
}

/// A table played by hand.
pub struct Table {
    pub state: State,
    pub log: Log<Binokel>,
    dice: Dice,
}

impl Table {
    /// A game with these cards in front of the hands of its first round.
    pub fn dealt(rules: Rules, hands: &[&str]) -> Table {
        let deck = deck(&rules, hands);
        Table::scripted(rules, hands.len(), json!({ "deck": deck }))
    }

    pub fn scripted(rules: Rules, players: usize, script: Value) -> Table {
        let script = script.as_object().expect("a script is an object");
        let stacked = Binokel::stack(script).expect("these are decks");
        let mut opening = laws::opening::<Binokel>(&rules, players, "table");
        opening.seal = Seal::stacked("table", stacked);
        let dice = opening.dice();
        let mut table = Table { state: State::default(), log: Log::default(), dice };
        let mut out = Vec::new();
        Binokel::open(opening, &table.dice, &mut out);
        table.settle(Cause::House, out);
        table
    }

    pub fn board(&self) -> &Board {
        &self.state.board
    }

    pub fn hand(&self, seat: Seat) -> CardSet {
        self.state.hands[seat.index()]
    }

    fn settle(&mut self, cause: Cause<Action>, out: Vec<Event>) -> Vec<&'static str> {
        self.log.begin(cause, 0);
        let names = out.iter().map(parlor_kernel::event_type).collect();
        for event in out {
            Binokel::apply(&mut self.state, &event);
            self.log.events.push(event);
        }
        names
    }

    /// An action that is taken; the names of the events it makes.
    pub fn act(&mut self, seat: Seat, action: Action) -> Vec<&'static str> {
        let mut out = Vec::new();
        if let Err(refusal) = Binokel::decide(&self.state, seat, &action, &self.dice, &mut out) {
            panic!("{seat} {action:?}: {refusal}");
        }
        self.settle(Cause::Seat { seat, action }, out)
    }

    /// An action that is refused; its code and reason. Nothing must have happened.
    pub fn refused(&self, seat: Seat, action: Action) -> (&'static str, &'static str) {
        let mut out = Vec::new();
        let refusal = Binokel::decide(&self.state, seat, &action, &self.dice, &mut out)
            .expect_err("this is refused");
        assert!(out.is_empty(), "a refused command changes nothing");
        assert!(!refusal.to_string().is_empty());
        (refusal.code(), refusal.reason().expect("Binokel gives a reason"))
    }

    pub fn order(&mut self, order: Order) -> Vec<&'static str> {
        let mut out = Vec::new();
        Binokel::obey(&self.state, &order, &mut out);
        self.settle(Cause::Order { order }, out)
    }

    /// The opener bids this much and all others pass.
    pub fn bid_alone(&mut self, amount: u16) {
        let opener = self.board().auction.opener;
        self.act(opener, bid(amount));
        while let Phase::Bidding { seat } = self.board().phase {
            self.act(seat, Action::Pass);
        }
    }

    /// The declarer takes the dabb, lays away the first cards that are not in
    /// `keep`, and names trump, in the order of the house.
    pub fn declare(&mut self, suit: Suit, keep: &str) {
        self.say(trump(suit), keep);
    }

    /// The same, but announces this in place of trump.
    pub fn announce(&mut self, special: Special, keep: &str) {
        self.say(announce(special), keep);
    }

    fn say(&mut self, game: Action, keep: &str) {
        let declarer = self.board().declarer().expect("the bidding is won");
        let rules = self.state.rules().expect("the game has begun").clone();
        self.act(declarer, Action::TakeDabb);
        if rules.trump_first {
            self.act(declarer, game);
        }
        let spare = self.hand(declarer).without(set(keep)).iter();
        let count = usize::from(rules.dabb(self.board().players));
        self.act(declarer, Action::Discard { cards: spare.take(count).collect() });
        if !rules.trump_first {
            self.act(declarer, game);
        }
    }

    pub fn meld_all(&mut self) {
        while let Phase::Melding { waiting } = self.board().phase {
            let seat = waiting.iter().next().expect("somebody is to meld");
            self.act(seat, Action::DeclareMelds);
        }
    }

    /// The clock plays until this many rounds are scored or the game is over.
    pub fn time_out_until_scored(&mut self, rounds: u16) {
        while self.board().rounds_played < rounds
            && let Some(seat) = self.board().awaited().iter().next()
        {
            let action = Binokel::timeout(&self.state, seat).expect("an awaited seat times out");
            self.act(seat, action);
        }
    }

    /// What a viewer knows.
    pub fn knowledge(&self, viewer: Viewer) -> Knowledge {
        let (mut state, mut view) = (State::default(), View::<Binokel>::new(viewer));
        for event in &self.log.events {
            Binokel::apply(&mut state, event);
            view.witness(&state, event);
        }
        view.knowledge().clone()
    }

    /// The last score of the log.
    pub fn scored(&self) -> RoundScored {
        self.board().scored.expect("a round has been scored")
    }
}
