//! Whole seeded games as text: the best documentation the rules have.

mod common;

use common::deck;
use parlor_binokel::{Binokel, Card, Event, Rules, Simple, State};
use parlor_kernel::{
    Dice, Game, Log, Opening, Player, Scripted, Seal, Seed, Spoken, View, Viewer, laws, play_out,
};
use serde_json::json;

/// Everything that happens, in words, with the table at its turning points.
fn playthrough(rules: &Rules, players: usize, seed: &str) -> String {
    told(laws::opening::<Binokel>(rules, players, seed), seed)
}

fn told(opening: Opening<Rules>, seed: &str) -> String {
    let players = opening.seats.len();
    let dice = Dice::new(&Seed::named(seed), "players");
    let mut streams: Vec<_> =
        (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut seats: Vec<Box<dyn Player<Binokel>>> =
        (0..players).map(|_| Box::new(Simple) as Box<dyn Player<Binokel>>).collect();
    let mut log = Log::default();
    play_out(opening, &mut seats, &mut streams, &mut log);
    let mut state = State::default();
    let mut view = View::<Binokel>::new(Viewer::Admin);
    let mut text = String::new();
    for event in &log.events {
        let before = view.knowledge().clone();
        Binokel::apply(&mut state, event);
        if let Some(seen) = view.witness(&state, event)
            && let Some(line) = Binokel::narrate(&before, &seen, view.knowledge())
        {
            text += &format!("{line}\n");
        }
        let worth_a_look = matches!(
            event,
            Event::BiddingWon(_) | Event::MeldingComplete(_) | Event::GameFinished(_)
        );
        if worth_a_look {
            text += &format!("\n{}\n\n", Binokel::picture(view.knowledge()));
        }
    }
    text
}

#[test]
fn two_by_contract() {
    let rules = Rules { rounds: Some(2), ..Rules::contract() };
    insta::assert_snapshot!(playthrough(&rules, 2, "two by contract"));
}

#[test]
fn three_by_classic() {
    let rules = Rules { rounds: Some(3), ..Rules::classic() };
    insta::assert_snapshot!(playthrough(&rules, 3, "three by classic"));
}

#[test]
fn four_by_contract() {
    let rules = Rules { rounds: Some(3), ..Rules::contract() };
    insta::assert_snapshot!(playthrough(&rules, 4, "four by contract"));
}

/// The opener of each round has cards with which nothing can go wrong, and
/// must bid so much that nobody bids more.
#[test]
fn three_announce_a_durch_and_a_bettel() {
    let rules = Rules { target: None, rounds: Some(2), minimum_bid: 490, ..common::announcing() };
    let decks: [Vec<Card>; 2] = [
        deck(
            &rules,
            &[
                "kreuz-ass-0 kreuz-ass-1 kreuz-10-0 kreuz-10-1 kreuz-koenig-0 \
             kreuz-koenig-1 herz-ass-0 herz-ass-1 schippe-ass-0 schippe-ass-1 bollen-ass-0 \
             bollen-ass-1",
                "",
                "",
            ],
        ),
        deck(
            &rules,
            &[
                "",
                "kreuz-buabe-0 kreuz-buabe-1 kreuz-ober-0 kreuz-ober-1 \
             schippe-buabe-0 schippe-buabe-1 schippe-ober-0 schippe-ober-1 herz-buabe-0 \
             herz-buabe-1 herz-ober-0 herz-ober-1",
                "",
            ],
        ),
    ];
    let mut opening = laws::opening::<Binokel>(&rules, 3, "announced");
    let script = json!({ "decks": decks });
    let stacked = Binokel::stack(script.as_object().expect("a script is an object"));
    opening.seal = Seal::stacked("announced", stacked.expect("these are decks"));
    insta::assert_snapshot!(told(opening, "announced"));
}
