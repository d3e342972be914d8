//! Whole seeded matches as text: the best documentation the rules have.

mod common;

use parlor_kernel::laws::random_game;
use parlor_kernel::{Game, Spoken, View, Viewer};
use parlor_koikoi::{Event, KoiKoi, Rules};

/// Everything that happens, in words, with the table at the end of each round.
fn playthrough(preset: &str, rules: &Rules) -> String {
    let (log, _) = random_game::<KoiKoi>(rules, 2, &format!("playthrough {preset}"));
    let mut state = parlor_koikoi::State::default();
    let mut view = View::<KoiKoi>::new(Viewer::Admin);
    let mut text = format!("preset: {preset}\n");
    for event in &log.events {
        let before = view.knowledge().clone();
        KoiKoi::apply(&mut state, event);
        if let Some(seen) = view.witness(&state, event)
            && let Some(line) = KoiKoi::narrate(&before, &seen, view.knowledge())
        {
            text += &format!("{line}\n");
        }
        let round_over = matches!(
            event,
            Event::RoundScored(_) | Event::RoundDrawn(_) | Event::RoundEndedInstantly(_)
        );
        if round_over {
            text += &format!("\n{}\n\n", KoiKoi::picture(view.knowledge()));
        }
    }
    text
}

#[test]
fn protocol() {
    let rules = Rules { rounds: Some(2), ..Rules::protocol() };
    insta::assert_snapshot!(playthrough("protocol", &rules));
}

#[test]
fn contract() {
    let rules = Rules { target: Some(10), ..Rules::contract() };
    insta::assert_snapshot!(playthrough("contract", &rules));
}

#[test]
fn nintendo() {
    let rules = Rules { rounds: Some(2), ..Rules::nintendo() };
    insta::assert_snapshot!(playthrough("nintendo", &rules));
}
