//! Bots by name, and that they play by the rules and by what they know.

mod common;

use common::Table;
use parlor_kernel::laws::{self, Secrets};
use parlor_kernel::{
    Awaiting, BotKind, Cause, Dice, Game, Log, Offered, Player, Seed, Step, Stream, Viewer,
    play_out,
};
use parlor_stud::{Action, Card, Event, Knowledge, Rules, Stud};

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

/// The laws say that knowledge holds no secrets; this says that bots go by
/// nothing else.
#[test]
fn bots_choose_alike_where_only_secrets_differ() {
    let rules = Rules { deals: Some(3), rotation_deals: 1, ..Rules::mixed() };
    let log = mixed_match(&rules, 5, 0, "secrets");
    let decks: Vec<Vec<Card>> = log.events.iter().filter_map(deck_of).collect();
    let dice = Dice::new(&Seed::named("secrets"), "worlds");
    let mut decisions = 0;
    for (place, step) in log.steps.iter().enumerate() {
        let Cause::Seat { seat, .. } = step.cause else { continue };
        let here = played(&rules, &decks, &log.steps[..place]);
        let mut closed = Vec::new();
        Stud::secrets(&here.state, &mut closed);
        closed.retain(|(_, eyes)| !eyes.are(Viewer::Seat(seat)));
        let mut will = dice.stream(place);
        let [one, other] = [(); 2].map(|()| will.pick(&closed).expect("a closed card").0);
        let mut elsewhere = decks.clone();
        elsewhere[here.board().deal as usize - 1].swap(one.place.into(), other.place.into());
        let there = played(&rules, &elsewhere, &log.steps[..place]);
        let known = [&here, &there].map(|table| table.knowledge(Viewer::Seat(seat)));
        let mut options = Vec::new();
        Stud::options(&known[0], &mut options);
        for bot in Stud::bots() {
            let [one, other] = [&known[0], &known[1]]
                .map(|known| (bot.make)().choose(known, &options, &mut dice.stream("bot")));
            assert_eq!(one, other, "{} at step {place}", bot.name);
        }
        decisions += usize::from(here.state != there.state);
    }
    assert!(decisions > 20, "{decisions} decisions");
}

fn deck_of(event: &Event) -> Option<Vec<Card>> {
    match event {
        Event::DealInit(init) => Some(init.deck.0.to_vec()),
        _ => None,
    }
}

/// The same steps with these decks.
fn played(rules: &Rules, decks: &[Vec<Card>], steps: &[Step<Action>]) -> Table {
    let mut table = Table::seated(rules.clone(), 5, decks);
    for step in &steps[1..] {
        match step.cause {
            Cause::Seat { seat, action } => drop(table.act(seat, action)),
            _ => drop(table.proceed()),
        }
    }
    table
}
