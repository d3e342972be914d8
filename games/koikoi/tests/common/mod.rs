//! What every test of Koi-Koi needs: a table to play at, and cards by name.
#![allow(dead_code, reason = "each test file uses its part")]

use parlor_kernel::laws;
use parlor_kernel::{Dice, Game, Hosted, Offered, Refuse, Scripted, Seal, Seat};
use parlor_koikoi::{Action, Board, Card, CardSet, Event, KoiKoi, Rules, State};
use serde_json::{Map, Value, json};

/// The presets by name.
pub fn presets() -> Vec<(&'static str, Rules)> {
    KoiKoi::guide().presets.into_iter().map(|preset| (preset.name, preset.rules)).collect()
}

pub fn card(id: &str) -> Card {
    Card::from_id(id).unwrap_or_else(|| panic!("{id} is a card"))
}

pub fn cards(ids: &str) -> Vec<Card> {
    ids.split_whitespace().map(card).collect()
}

pub fn set(ids: &str) -> CardSet {
    cards(ids).into_iter().collect()
}

pub fn play(id: &str) -> Action {
    Action::Play { card: card(id), target: None }
}

pub fn play_for(id: &str, target: &str) -> Action {
    Action::Play { card: card(id), target: Some(card(target)) }
}

pub fn select(source: &str, target: &str) -> Action {
    Action::Select { source: card(source), target: card(target) }
}

pub const P1: Seat = Seat(0);
pub const P2: Seat = Seat(1);

/// A deck with these cards in front of each zone. The other cards fill up so
/// that no zone gets a whole month of them.
pub fn deck(p1: &str, p2: &str, field: &str, pile: &str) -> Vec<Card> {
    let given = [(p1, 8), (p2, 8), (field, 8), (pile, 24)].map(|(ids, size)| (cards(ids), size));
    let used: CardSet = given.iter().flat_map(|(cards, _)| cards).copied().collect();
    let mut rest: Vec<Card> = CardSet::FULL.without(used).iter().collect();
    rest.sort_by_key(|card| (card.place() % 4, card.month()));
    let mut rest = rest.into_iter();
    let mut deck = Vec::new();
    for (mut zone, size) in given {
        while zone.len() < size {
            zone.push(rest.next().expect("48 cards fill 48 places"));
        }
        deck.extend(zone);
    }
    deck
}

/// A table played by hand.
pub struct Table {
    pub state: State,
    pub events: Vec<Event>,
    dice: Dice,
}

impl Table {
    /// A match with p1 dealing first and these decks, one for each round.
    pub fn dealt(rules: Rules, decks: &[Vec<Card>]) -> Table {
        let mut script = Map::new();
        script.insert("decks".to_owned(), json!(decks));
        Table::scripted(rules, &script)
    }

    pub fn scripted(mut rules: Rules, script: &Map<String, Value>) -> Table {
        rules.first_dealer = parlor_koikoi::FirstDealer::First;
        let stacked = KoiKoi::stack(script).expect("these are decks");
        let mut opening = laws::opening::<KoiKoi>(&rules, 2, "table");
        opening.seal = Seal::stacked("table", stacked);
        let dice = opening.dice();
        let mut table = Table { state: State::default(), events: Vec::new(), dice };
        let mut out = Vec::new();
        KoiKoi::open(opening, &table.dice, &mut out);
        table.settle(out);
        table
    }

    pub fn board(&self) -> &Board {
        &self.state.board
    }

    fn settle(&mut self, out: Vec<Event>) {
        for event in out {
            KoiKoi::apply(&mut self.state, &event);
            self.events.push(event);
        }
    }

    /// A move that is taken; the names of the events it makes.
    pub fn act(&mut self, seat: Seat, action: Action) -> Vec<&'static str> {
        let mut out = Vec::new();
        if let Err(refusal) = KoiKoi::decide(&self.state, seat, &action, &self.dice, &mut out) {
            panic!("{seat} {action:?}: {refusal}");
        }
        let names = out.iter().map(parlor_kernel::event_type).collect();
        self.settle(out);
        names
    }

    /// A move that is refused; its code. Nothing must have happened.
    pub fn refused(&self, seat: Seat, action: Action) -> &'static str {
        let mut out = Vec::new();
        let refusal = KoiKoi::decide(&self.state, seat, &action, &self.dice, &mut out)
            .expect_err("this is refused");
        assert!(out.is_empty(), "a refused command changes nothing");
        assert!(!refusal.to_string().is_empty());
        refusal.code()
    }

    /// The house goes on; the names of the events it makes.
    pub fn proceed(&mut self) -> Vec<&'static str> {
        let mut out = Vec::new();
        KoiKoi::proceed(&self.state, &self.dice, &mut out);
        let names = out.iter().map(parlor_kernel::event_type).collect();
        self.settle(out);
        names
    }

    /// The clock plays until the round is over.
    pub fn time_out_the_round(&mut self) {
        while let Some(seat) = self.board().phase.seat() {
            let action = KoiKoi::timeout(&self.state, seat).expect("an awaited seat times out");
            self.act(seat, action);
        }
    }
}

/// A table where p1's 0311 takes 0341, and the flipped 0921 takes 0941: a
/// yaku, with HANAMI_ZAKE worth 5, in the first turn.
pub fn hanami_in_one_turn(mut rules: Rules) -> Table {
    rules.yaku.set(parlor_koikoi::Yaku::HanamiZake, 5);
    let deck = deck(
        "0311 0111 0221 0421 0521 0621 0721 0811",
        "1111 1021 1211 0131 0231 0431 0531 0631",
        "0341 0941 0141 0241 0441 0541 0641 0741",
        "0921 1041",
    );
    Table::dealt(rules, &[deck])
}
