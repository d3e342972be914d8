//! Bots by name, and that they play by the rules and by what they know.

mod common;

use parlor_kernel::laws::{self, Secrets};
use parlor_kernel::{
    Awaiting, BotKind, Cause, Dice, Game, Imagine, Log, Offered, Player, Seat, Seed, Stream, View,
    Viewer, play_out,
};
use parlor_stud::{Action, Knowledge, Rules, State, Stud};

const BOTS: [&str; 3] = ["random", "tight", "equity"];

fn kind<'a>(kinds: &'a [BotKind<Stud>], name: &str) -> &'a BotKind<Stud> {
    let kind = kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name));
    kind.unwrap_or_else(|| panic!("there is a bot called {name}"))
}

/// Looks over a bot's shoulder.
struct Watched(Box<dyn Player<Stud>>);

impl Player<Stud> for Watched {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let chosen = self.0.choose(knowledge, options, dice);
        assert!(chosen < options.len(), "{options:?} has no {chosen}: {:?}", knowledge.board);
        chosen
    }
}

/// A match among all bots, the first of them in seat `first`.
fn mixed_match(rules: &Rules, seats: usize, first: usize, seed: &str) -> Log<Stud> {
    let kinds = Stud::bots();
    let thinking = Dice::new(&Seed::named(seed), "players");
    let mut dice: Vec<Stream> =
        (0..seats).map(|seat| thinking.stream(format_args!("bot/{seat}"))).collect();
    let watched = |seat: usize| {
        let bot = (kind(&kinds, BOTS[(seat + first) % 3]).make)();
        Box::new(Watched(bot)) as Box<dyn Player<Stud>>
    };
    let mut players: Vec<_> = (0..seats).map(watched).collect();
    let mut log = Log::default();
    let opening = laws::opening::<Stud>(rules, seats, seed);
    let end = play_out(opening, &mut players, &mut dice, &mut log);
    assert_eq!(Stud::awaiting(&end), Awaiting::Nobody, "{seed}: the match breaks off");
    log
}

#[test]
fn every_level_has_a_bot() {
    let kinds = Stud::bots();
    for (level, name) in ["easy", "medium", "hard"].into_iter().zip(BOTS) {
        assert_eq!(kind(&kinds, level).name, name);
    }
}

#[test]
fn bots_play_only_legal_actions_in_thousands_of_deals() {
    let mut deals = 0;
    for (name, rules) in common::law_tables() {
        for number in 0..40 {
            let log = mixed_match(&rules, 2 + number % 6, number, &format!("{name} {number}"));
            deals += log
                .events
                .iter()
                .filter(|event| parlor_kernel::event_type(event) == "DEAL_END")
                .count();
        }
    }
    assert!(deals > 2_000, "{deals} deals");
}

#[test]
fn the_same_dice_make_the_same_match() {
    let rules = Rules { deals: Some(9), rotation_deals: 3, ..Rules::mixed() };
    let [one, other] = [(); 2].map(|()| mixed_match(&rules, 6, 0, "again"));
    assert_eq!(one.events, other.events);
}

/// The law of non-interference says that knowledge holds no secrets; this says
/// that bots go by nothing else.
#[test]
fn bots_choose_alike_where_only_secrets_differ() {
    let rules = Rules { deals: Some(3), rotation_deals: 1, ..Rules::mixed() };
    let log = mixed_match(&rules, 5, 0, "secrets");
    let dice = Dice::new(&Seed::named("secrets"), "worlds");
    let mut decisions = 0;
    for (place, step) in log.steps.iter().enumerate() {
        let Cause::Seat { seat, .. } = step.cause else { continue };
        let here = Log::<Stud> {
            events: log.events[..step.first as usize].to_vec(),
            steps: log.steps[..place].to_vec(),
        };
        let knowledge = known_to(seat, &here);
        let imagined = Stud::imagine(&knowledge, &mut dice.stream(place));
        let elsewhere = known_to(seat, &Stud::transplant(&here, &imagined));
        let mut options = Vec::new();
        Stud::options(&knowledge, &mut options);
        for bot in Stud::bots() {
            let [one, other] = [&knowledge, &elsewhere]
                .map(|known| (bot.make)().choose(known, &options, &mut dice.stream("bot")));
            assert_eq!(one, other, "{} at step {place}", bot.name);
        }
        decisions += 1;
    }
    assert!(decisions > 20, "{decisions} decisions");
}

/// What the seat knows after this log.
fn known_to(seat: Seat, log: &Log<Stud>) -> Knowledge {
    let mut view = View::<Stud>::new(Viewer::Seat(seat));
    let mut state = State::default();
    for event in &log.events {
        Stud::apply(&mut state, event);
        view.witness(&state, event);
    }
    view.knowledge().clone()
}
