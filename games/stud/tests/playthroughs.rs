//! Whole seeded matches as text: the best documentation the rules have.

mod common;

use parlor_kernel::laws::random_game;
use parlor_kernel::{Game, Spoken, View, Viewer};
use parlor_stud::{Event, Rules, Stacks, State, Stud, VariantChoice};

/// Everything that happens, in words, with the table at the end of each deal.
fn playthrough(rules: &Rules, seats: usize, seed: &str) -> String {
    let (log, _) = random_game::<Stud>(rules, seats, seed);
    let mut state = State::default();
    let mut view = View::<Stud>::new(Viewer::Admin);
    let mut text = String::new();
    for event in &log.events {
        let before = view.knowledge().clone();
        Stud::apply(&mut state, event);
        if let Some(seen) = view.witness(&state, event)
            && let Some(line) = Stud::narrate(&before, &seen, view.knowledge())
        {
            text += &format!("{line}\n");
        }
        if matches!(event, Event::DealEnd(_)) {
            text += &format!("\n{}\n\n", Stud::picture(view.knowledge()));
        }
    }
    text
}

fn two_deals(variant: VariantChoice) -> Rules {
    Rules { variant, deals: Some(2), stacks: Stacks::Each(800), ..Rules::stud_hi() }
}

#[test]
fn stud_hi() {
    insta::assert_snapshot!(playthrough(
        &two_deals(VariantChoice::StudHi),
        4,
        "playthrough high 89"
    ));
}

#[test]
fn razz() {
    insta::assert_snapshot!(playthrough(&two_deals(VariantChoice::Razz), 4, "playthrough razz 2"));
}

#[test]
fn stud8() {
    insta::assert_snapshot!(playthrough(
        &two_deals(VariantChoice::Stud8),
        5,
        "playthrough hi-lo 81"
    ));
}

#[test]
fn mixed() {
    let rules = Rules { rotation_deals: 1, deals: Some(3), ..Rules::mixed() };
    insta::assert_snapshot!(playthrough(&rules, 3, "playthrough mixed 157"));
}

#[test]
fn side_pots() {
    let rules = Rules {
        deals: Some(1),
        stacks: Stacks::BySeat(vec![22, 70, 400, 131, 400]),
        ..Rules::stud8()
    };
    insta::assert_snapshot!(playthrough(&rules, 5, "playthrough side pots 180"));
}
