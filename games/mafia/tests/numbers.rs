//! Random games come out as exact computation says they must.

use std::collections::BTreeMap;

use parlor_kernel::{Dice, Log, Opening, Player, Seal, Seed, laws, play_out};
use parlor_mafia::bots::Random;
use parlor_mafia::{Event, Mafia, Rules, Team, TieRule, VoteRule};

/// What is counted of a game.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u64,
    town_wins: u64,
    quiet_first_nights: u64,
    first_day_ties: u64,
    first_day_hits: u64,
    days: u64,
    days_squared: u64,
}

fn play(rules: &Rules, games: u64) -> Tally {
    let seats = rules.circle();
    let dice = Dice::new(&Seed::named("numbers"), "players");
    let mut streams: Vec<_> =
        (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<Box<dyn Player<Mafia>>> =
        (0..seats).map(|_| Box::new(Random) as Box<dyn Player<Mafia>>).collect();
    let model = laws::opening::<Mafia>(rules, seats, "numbers");
    let (mut tally, mut log) = (Tally::default(), Log::default());
    for number in 0..games {
        let seal = Seal::named(&format!("numbers {number}"));
        log.events.clear();
        log.steps.clear();
        play_out(Opening { seal, ..model.clone() }, &mut players, &mut streams, &mut log);
        tally.count(&log);
    }
    tally
}

impl Tally {
    fn count(&mut self, log: &Log<Mafia>) {
        self.games += 1;
        let mut voted_out = None;
        for event in &log.events {
            match event {
                Event::NightResolved(night) if night.night_number == 1 => {
                    self.quiet_first_nights += u64::from(night.killed_player_id.is_none());
                }
                Event::VoteResult(result) if result.round_number == 1 => {
                    self.first_day_ties += u64::from(result.tie);
                    voted_out = result.eliminated;
                }
                Event::GameEnded(ended) => {
                    let day = u64::from(ended.day_number);
                    self.town_wins += u64::from(ended.winner == Some(Team::Town));
                    self.days += day;
                    self.days_squared += day * day;
                    let hit = voted_out.is_some_and(|player| ended.cast.mafia.contains(player));
                    self.first_day_hits += u64::from(hit);
                }
                _ => {}
            }
        }
    }

    fn assert_share(&self, what: &str, count: u64, expected: f64) {
        let games = self.games as f64;
        let z = (count as f64 - games * expected) / (games * expected * (1.0 - expected)).sqrt();
        let found = count as f64 / games;
        assert!(z.abs() < 4.0, "{what}: {found:.5}, {expected} expected, z = {z:.2}");
    }
}

#[test]
fn classic_games_come_out_as_computed() {
    let tally = play(&Rules::classic(), 100_000);
    tally.assert_share("the town wins", tally.town_wins, 0.0906592);
    tally.assert_share("nobody dies on night 1", tally.quiet_first_nights, 0.1);
    tally.assert_share("a tie on day 1", tally.first_day_ties, 0.47138);
    tally.assert_share("the first vote hits", tally.first_day_hits, 0.32969);
    let games = tally.games as f64;
    let mean = tally.days as f64 / games;
    let variance = tally.days_squared as f64 / games - mean * mean;
    let z = (mean - 3.2067) / (variance / games).sqrt();
    assert!(z.abs() < 4.0, "the game ends on day {mean:.4}, 3.2067 expected, z = {z:.2}");
}

#[test]
fn other_sizes_and_rules_come_out_as_computed() {
    let classic = Rules::classic;
    let tables: BTreeMap<&str, (Rules, f64)> = [
        ("10p1m", (Rules::sized(10, 1), 0.5418)),
        ("10p2m", (Rules::sized(10, 2), 0.2517)),
        ("10p4m", (Rules::sized(10, 4), 0.0194)),
        ("8p2m", (Rules::sized(8, 2), 0.1872)),
        ("7p2m", (Rules::sized(7, 2), 0.1183)),
        ("no elimination on ties", (Rules { tie_rule: TieRule::None, ..classic() }, 0.0438023)),
        ("strict majority", (Rules { vote_rule: VoteRule::Majority, ..classic() }, 0.0010482)),
    ]
    .into();
    std::thread::scope(|scope| {
        for (name, (rules, expected)) in &tables {
            scope.spawn(move || {
                let tally = play(rules, 15_000);
                tally.assert_share(name, tally.town_wins, *expected);
            });
        }
    });
}
