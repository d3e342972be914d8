//! Each bot beats the one below it. The README's table has the same with more
//! deals, each variant by itself.

#[path = "common/duel.rs"]
mod duel;

use duel::{Duel, Edge};
use parlor_kernel::Offered;
use parlor_stud::{Rules, Stud};

const VARIANTS: [fn() -> Rules; 3] = [Rules::stud_hi, Rules::razz, Rules::stud8];

/// The whole interval has to lie above zero, with so many decks of each of
/// these variants taken together.
fn beats(first: &str, second: &str, seats: usize, decks: u32, variants: &[fn() -> Rules]) {
    let kinds = Stud::bots();
    let named = |name| {
        let kind = kinds.iter().find(|kind| kind.name == name);
        kind.unwrap_or_else(|| panic!("there is a bot called {name}"))
    };
    let bots = [named(first), named(second)];
    let won = variants.iter().flat_map(|rules| Duel { bots, rules: rules(), seats }.play(decks));
    let edge = Edge::over(&won.collect::<Vec<_>>());
    assert!(edge.mean > edge.margin, "{seats} seats: {first} wins {edge:?} from {second}");
}

/// Luck is large between good players: one variant alone would take more deals
/// than a test should.
#[test]
fn equity_beats_tight_heads_up() {
    beats("equity", "tight", 2, 300, &VARIANTS);
}

#[test]
fn equity_beats_tight_six_handed() {
    beats("equity", "tight", 6, 300, &VARIANTS);
}

#[test]
fn tight_beats_random_heads_up_in_every_variant() {
    for variant in VARIANTS {
        beats("tight", "random", 2, 600, &[variant]);
    }
}

#[test]
fn tight_beats_random_six_handed_in_every_variant() {
    for variant in VARIANTS {
        beats("tight", "random", 6, 150, &[variant]);
    }
}
