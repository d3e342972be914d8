//! Matches to write down: every variant, two to seven seats, deep and short.
#![allow(dead_code, reason = "each test file uses its part")]

use parlor_kernel::{Dice, Log, Player, Seed, Stream, Viewer, laws, play_out};
use parlor_stud::{Action, Knowledge, Rules, Stacks, State, Stud, VariantChoice, phh};

/// Plays any of its options, and seldom folds: deals get to the showdown, to
/// capped streets and to side pots.
struct Loose;

impl Player<Stud> for Loose {
    fn choose(&mut self, _: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let chosen = dice.below(options.len() as u32) as usize;
        match options[chosen] {
            Action::Fold if dice.below(3) > 0 => 0,
            _ => chosen,
        }
    }
}

/// A match of loose players.
pub fn loose_match(rules: &Rules, seats: usize, seed: &str) -> (Log<Stud>, State) {
    let dice = Dice::new(&Seed::named(seed), "players");
    let mut streams: Vec<_> =
        (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<Box<dyn Player<Stud>>> =
        (0..seats).map(|_| Box::new(Loose) as Box<dyn Player<Stud>>).collect();
    let mut log = Log::default();
    let opening = laws::opening::<Stud>(rules, seats, seed);
    let state = play_out(opening, &mut players, &mut streams, &mut log);
    (log, state)
}

/// The table of the nth match: its rules, deep or short, and its seats.
pub fn table(variant: VariantChoice, nth: usize) -> (Rules, usize) {
    let seats = 2 + nth % 6;
    let stacks = match nth / 6 % 3 {
        0 => Stacks::Each(3_000),
        1 => Stacks::Each(120),
        // Some cannot even pay their ante.
        _ => Stacks::BySeat((0..seats).map(|seat| [3, 700, 31, 64, 200, 9, 118][seat]).collect()),
    };
    (Rules { variant, stacks, deals: Some(8), ..Rules::stud_hi() }, seats)
}

/// Every deal of a match, as this viewer saw it.
pub fn deals(log: &Log<Stud>, state: &State, viewer: Viewer) -> Vec<String> {
    let deal = |deal| phh::export(log, viewer, Some(deal)).expect("this deal was dealt");
    (1..=state.board.deal).map(deal).collect()
}

/// A text without where and in which match it was played.
pub fn deal_alone(text: &str) -> String {
    let placing = ["hand =", "seats =", "seat_count =", "table ="];
    let stays = |line: &&str| !placing.iter().any(|field| line.starts_with(field));
    text.lines().filter(stays).fold(String::new(), |text, line| text + line + "\n")
}
