//! The bots: that each plays by the rules, and each level beats the one below.
//! The README's table has the same with more games.

mod common;
#[path = "common/rotation.rs"]
mod rotation;

use common::house_rules;
use parlor_binokel::{Binokel, Rules, Solid};
use parlor_kernel::{Awaiting, Dice, Game, Log, Offered, Player, Seed, laws, play_out};
use rotation::{Comparison, bot, compare};

type Seated = Box<dyn Player<Binokel>>;

fn play(rules: &Rules, mut seats: Vec<Seated>, seed: &str) -> (Log<Binokel>, u64) {
    let players = seats.len();
    let dice = Dice::new(&Seed::named(seed), "players");
    let mut streams: Vec<_> =
        (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut log = Log::default();
    let opening = laws::opening::<Binokel>(rules, players, seed);
    let state = play_out(opening, &mut seats, &mut streams, &mut log);
    // A refused action would have left the game where it stood.
    assert_eq!(Binokel::awaiting(&state), Awaiting::Nobody, "{seed}: refused");
    (log, Binokel::score(&state).rounds)
}

/// Rounds this bot plays with its like, by every house rule and number of
/// players.
fn rounds_with_its_like(seat: impl Fn() -> Seated, games: u32) -> u64 {
    let mut rounds = 0;
    for (name, rules) in house_rules() {
        for (players, number) in (0..games).flat_map(|n| [(2, n), (3, n), (4, n)]) {
            let seats = (0..players).map(|_| seat()).collect();
            rounds += play(&rules, seats, &format!("{name} {players}/{number}")).1;
        }
    }
    rounds
}

#[test]
fn levels_are_bots_that_are_listed() {
    let levels: Vec<_> = Binokel::bots().iter().map(|kind| (kind.name, kind.aliases)).collect();
    let expected: [(&str, &[&str]); 4] =
        [("random", &[]), ("novice", &["easy"]), ("simple", &["medium"]), ("solid", &["hard"])];
    assert_eq!(levels, expected);
}

#[test]
fn plain_bots_play_only_what_is_legal() {
    for name in ["random", "novice", "simple"] {
        let rounds = rounds_with_its_like(|| bot(name), 60);
        assert!(rounds > 2_000, "{name} played {rounds} rounds");
    }
}

/// With two worlds a choice it thinks the same thoughts, only fewer.
#[test]
fn solid_plays_only_what_is_legal() {
    let rounds = rounds_with_its_like(|| Box::new(Solid::imagining(2)), 40);
    assert!(rounds > 2_000, "solid played {rounds} rounds");
}

#[test]
fn bots_of_all_kinds_play_together() {
    for (name, rules) in house_rules() {
        let seats = ["random", "novice", "simple", "solid"];
        for turned in 0..4 {
            let seats = (0..4).map(|seat| bot(seats[(seat + turned) % 4])).collect();
            play(&rules, seats, &format!("{name} {turned}"));
        }
    }
}

#[test]
fn with_the_same_dice_solid_plays_the_same_game() {
    for players in 2..=4 {
        let table = || (0..players).map(|_| bot("solid")).collect();
        let rules = Rules { rounds: Some(2), ..Rules::contract() };
        assert_eq!(play(&rules, table(), "twice"), play(&rules, table(), "twice"));
    }
}

/// The whole interval has to lie above a half, what equal bots would win.
fn beats(first: &str, other: &str, decks: [u32; 3]) {
    for (players, decks) in (2..=4).zip(decks) {
        let Comparison { games, share, lead } =
            compare(first, other, players, decks, &Rules::contract());
        assert!(
            share.mean - share.margin > 0.5,
            "{players} players, {games} games: {first} wins {share:?} of them against {other} \
             and is {lead:?} ahead",
        );
    }
}

#[test]
fn hard_beats_medium() {
    beats("hard", "medium", [30, 12, 40]);
}

#[test]
fn medium_beats_easy() {
    beats("medium", "easy", [100, 40, 100]);
}

#[test]
fn easy_beats_random() {
    beats("easy", "random", [100, 40, 100]);
}
