//! Bots by name, and that the better one is better.

mod common;

use common::{P1, Table, announce, announcing, deck};
use parlor_binokel::{Action, Binokel, Phase, Rules, Special};
use parlor_kernel::laws::Secrets;
use parlor_kernel::{
    Awaiting, Dice, Game, Log, Offered, Player, Scripted, Seal, Seat, Seed, Viewer, laws, play_out,
};
use serde_json::json;

fn bot(name: &str) -> Box<dyn Player<Binokel>> {
    let kinds = Binokel::bots();
    let kind = kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name));
    (kind.unwrap_or_else(|| panic!("there is a bot called {name}")).make)()
}

/// The share of games the bot in the seats of this side wins.
fn wins(rules: &Rules, seats: &[&str], hero: Seat, games: u32) -> f64 {
    let dice = Dice::new(&Seed::named("bots"), "players");
    let mut streams: Vec<_> =
        (0..seats.len()).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<_> = seats.iter().map(|name| bot(name)).collect();
    let mut won = 0;
    for number in 0..games {
        let opening = laws::opening::<Binokel>(rules, seats.len(), &format!("bots {number}"));
        let state = play_out(opening, &mut players, &mut streams, &mut Log::default());
        assert_eq!(Binokel::awaiting(&state), Awaiting::Nobody, "the game ends");
        won += u32::from(Binokel::score(&state).winners.contains(hero));
    }
    f64::from(won) / f64::from(games)
}

#[test]
fn every_level_has_a_bot() {
    for name in ["random", "simple", "easy", "medium", "hard"] {
        bot(name);
    }
}

#[test]
fn simple_beats_random_with_two_three_and_four_by_every_rule() {
    for (name, rules) in common::house_rules() {
        for (seats, fair) in [
            (["simple", "random"].as_slice(), 0.5),
            (["random", "simple", "random"].as_slice(), 0.34),
            (["random", "simple", "random", "simple"].as_slice(), 0.5),
        ] {
            let hero = seats.iter().position(|name| *name == "simple").expect("it sits there");
            let share = wins(&rules, seats, Seat(hero as u8), 60);
            assert!(share > fair + 0.15, "{name} {seats:?}: {share}");
        }
    }
}

#[test]
fn bots_games_keep_the_invariant_and_can_be_followed_again() {
    for (name, rules) in common::house_rules() {
        for players in 2..=4 {
            let dice = Dice::new(&Seed::named(name), "players");
            let mut streams: Vec<_> =
                (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
            let mut seats: Vec<_> =
                (0..players).map(|n| bot(if n % 2 == 0 { "simple" } else { "random" })).collect();
            let mut log = Log::default();
            let opening = laws::opening::<Binokel>(&rules, players, name);
            let state = play_out(opening, &mut seats, &mut streams, &mut log);
            assert_eq!(parlor_kernel::reexecute(&log).as_ref(), Ok(&state));
            let mut folded = parlor_binokel::State::default();
            for event in &log.events {
                Binokel::apply(&mut folded, event);
                Binokel::invariant(&folded).unwrap_or_else(|broken| panic!("{name}: {broken}"));
            }
        }
    }
}

/// What a bot does with these cards, from the dabb on until the first card.
fn declares(name: &str, rules: Rules, hand: &str) -> Vec<Action> {
    let mut table = Table::dealt(rules, &[hand, "", ""]);
    table.bid_alone(490);
    let mut stream = Dice::new(&Seed::named("declares"), "players").stream("bot");
    let mut done = Vec::new();
    while !matches!(table.board().phase, Phase::Melding { .. } | Phase::Tricks { .. }) {
        let knowledge = table.knowledge(Viewer::Seat(P1));
        let (mut options, mut acts) = (Vec::new(), Vec::new());
        Binokel::options(&knowledge, &mut options);
        bot(name).act(&knowledge, &options, &mut stream, &mut acts);
        for action in acts {
            table.act(P1, action);
            done.push(action);
        }
    }
    done
}

const ALL_GOOD: &str = "kreuz-ass-0 kreuz-ass-1 kreuz-10-0 kreuz-10-1 kreuz-koenig-0 \
     kreuz-koenig-1 herz-ass-0 herz-ass-1 schippe-ass-0 schippe-ass-1 bollen-ass-0 bollen-ass-1";
const ALL_LOW: &str = "kreuz-buabe-0 kreuz-buabe-1 kreuz-ober-0 kreuz-ober-1 schippe-buabe-0 \
     schippe-buabe-1 schippe-ober-0 schippe-ober-1 herz-buabe-0 herz-buabe-1 herz-ober-0 \
     herz-ober-1";
const MIXED: &str = "kreuz-ass-0 kreuz-koenig-0 kreuz-ober-0 kreuz-buabe-0 herz-10-0 \
     herz-koenig-0 herz-ober-0 schippe-ass-0 schippe-buabe-0 bollen-10-0 bollen-ober-0 \
     bollen-buabe-0";

#[test]
fn medium_and_hard_announce_what_cannot_go_wrong_and_make_it() {
    for (name, trump_first) in ["medium", "hard"].map(|name| [(name, false), (name, true)]).concat()
    {
        let rules = Rules { trump_first, rounds: Some(1), minimum_bid: 490, ..announcing() };
        for (hand, special) in [(ALL_GOOD, Special::Durch), (ALL_LOW, Special::Bettel)] {
            let done = declares(name, rules.clone(), hand);
            assert!(done.contains(&announce(special)), "{name}: {done:?}");
            let points = i64::from(special.points());
            assert_eq!(comes_to(name, &rules, hand), points, "{name} {special}");
        }
    }
}

/// What a round gives a bot that opens it with these cards.
fn comes_to(name: &str, rules: &Rules, hand: &str) -> i64 {
    let script = json!({ "deck": deck(rules, &[hand, "", ""]) });
    let stacked = Binokel::stack(script.as_object().expect("a script is an object"));
    let mut opening = laws::opening::<Binokel>(rules, 3, "certain");
    opening.seal = Seal::stacked("certain", stacked.expect("this is a deck"));
    let dice = Dice::new(&Seed::named("certain"), "players");
    let mut streams: Vec<_> = (0..3).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut seats = [name, "easy", "easy"].map(bot);
    let state = play_out(opening, &mut seats, &mut streams, &mut Log::default());
    Binokel::score(&state).points[0]
}

#[test]
fn nobody_but_random_announces_with_a_hand_like_any_other() {
    for name in ["easy", "medium", "hard"] {
        for trump_first in [false, true] {
            let done = declares(name, Rules { trump_first, ..announcing() }, MIXED);
            let announces = |action: &Action| matches!(action, Action::Announce { .. });
            assert!(!done.iter().any(announces), "{name}: {done:?}");
        }
    }
}

#[test]
fn where_the_house_does_not_play_it_nobody_announces() {
    for name in ["random", "easy", "medium", "hard"] {
        let done = declares(name, Rules::contract(), ALL_GOOD);
        assert!(done.iter().all(|action| !matches!(action, Action::Announce { .. })), "{name}");
    }
}
