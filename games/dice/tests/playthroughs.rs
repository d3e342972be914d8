//! A whole seeded game as text: the best documentation the rules have.

use parlor_dice::{Event, LiarsDice, Odds, Rules, State};
use parlor_kernel::{
    Dice, Game, Log, Player, RandomPlayer, Seed, Spoken, View, Viewer, laws, play_out,
};

/// Everything that happens as the first seat sees it, with the table as each
/// round begins.
fn playthrough(rules: Rules) -> String {
    let mut players: Vec<Box<dyn Player<LiarsDice>>> =
        vec![Box::new(Odds), Box::new(RandomPlayer), Box::new(Odds)];
    let mut streams = Dice::new(&Seed::named("playthrough"), "players").stream("all");
    let opening = laws::opening::<LiarsDice>(&rules, 3, "playthrough");
    let mut log = Log::<LiarsDice>::default();
    play_out(opening, &mut players, &mut streams, &mut log);
    let mut state = State::default();
    let mut view = View::<LiarsDice>::new(Viewer::Seat(parlor_kernel::Seat(0)));
    let mut text = String::new();
    for event in &log.events {
        let before = view.knowledge().clone();
        LiarsDice::apply(&mut state, event);
        if let Some(seen) = view.witness(&state, event)
            && let Some(line) = LiarsDice::narrate(&before, &seen, view.knowledge())
        {
            text += &format!("{line}\n");
        }
        if matches!(event, Event::RoundRolled { .. }) {
            text += &format!("\n{}\n\n", LiarsDice::picture(view.knowledge()));
        }
    }
    text
}

#[test]
fn standard() {
    insta::assert_snapshot!(playthrough(Rules { dice: 3, ..Rules::default() }));
}

#[test]
fn tame() {
    insta::assert_snapshot!(playthrough(Rules { dice: 2, wild: false, ..Rules::default() }));
}
