//! How well the bots play, and that they know no more than their seats.

mod common;

use parlor_kernel::{Dice, Log, Offered, Opening, Player, Seal, Seed, laws, play_out};
use parlor_mafia::{Event, Mafia, Rules, Team, TurnKind};

fn player(name: &str) -> Box<dyn Player<Mafia>> {
    let bots = Mafia::bots();
    let kind = bots.iter().find(|kind| kind.name == name);
    (kind.unwrap_or_else(|| panic!("there is a bot '{name}'")).make)()
}

/// How often the town wins when every seat is played by this bot.
fn town_wins(name: &str, games: u32) -> f64 {
    let rules = Rules::classic();
    let dice = Dice::new(&Seed::named(name), "players");
    let mut streams: Vec<_> = (0..10).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<Box<dyn Player<Mafia>>> = (0..10).map(|_| player(name)).collect();
    let model = laws::opening::<Mafia>(&rules, 10, name);
    let (mut wins, mut log) = (0, Log::default());
    for number in 0..games {
        let seal = Seal::named(&format!("{name} {number}"));
        log.events.clear();
        log.steps.clear();
        let state =
            play_out(Opening { seal, ..model.clone() }, &mut players, &mut streams, &mut log);
        let ended = state.board.ended.expect("the game ends");
        wins += u32::from(ended.winner == Some(Team::Town));
    }
    f64::from(wins) / f64::from(games)
}

#[test]
fn a_town_that_infers_beats_a_mafia_that_only_spares_its_mates() {
    let share = town_wins("bayes/avoid", 600);
    assert!(share >= 0.58, "the town wins {share}");
}

#[test]
fn bandwagons_and_blocks_do_not_save_the_mafia() {
    for name in ["bayes/bandwagon", "bayes/block"] {
        let share = town_wins(name, 300);
        assert!(share >= 0.44, "{name}: the town wins {share}");
    }
}

#[test]
fn a_mafia_that_infers_does_better_than_one_that_only_spares_its_mates() {
    let (clever, plain) = (town_wins("bayes", 400), town_wins("bayes/avoid", 400));
    assert!(clever + 0.1 < plain, "the town wins {clever} and {plain}");
    assert!((0.2..0.7).contains(&clever), "the town wins {clever}");
}

#[test]
fn whoever_infers_thinks_before_every_word_and_vote() {
    let rules = Rules::classic();
    let mut players: Vec<Box<dyn Player<Mafia>>> = (0..10).map(|_| player("bayes")).collect();
    let dice = Dice::new(&Seed::named("thinking"), "players");
    let mut streams: Vec<_> = (0..10).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut log = Log::default();
    play_out(laws::opening::<Mafia>(&rules, 10, "thinking"), &mut players, &mut streams, &mut log);
    let (mut thinker, mut thought) = (None, String::new());
    let mut pieces = 0;
    for event in &log.events {
        match event {
            Event::AgentThinkStream(chunk) => {
                assert_eq!(chunk.turn_id.kind, TurnKind::Think);
                thought += &chunk.chunk;
                if chunk.r#final {
                    let thought = std::mem::take(&mut thought);
                    assert!(thought.contains('%'), "{thought}");
                    thinker = Some(chunk.agent_id);
                }
            }
            Event::AgentSayStream(chunk) if !chunk.r#final => {
                assert_eq!(thinker, Some(chunk.agent_id));
                pieces += 1;
            }
            Event::AgentSayStream(chunk) => assert_eq!(thinker.take(), Some(chunk.agent_id)),
            Event::VoteCast(vote) => assert_eq!(thinker.take(), Some(vote.voter_id)),
            Event::NightActionSubmitted(act) => assert_eq!(thinker.take(), Some(act.agent_id)),
            _ => {}
        }
    }
    assert!(pieces > 0, "statements come sentence by sentence");
}

/// A bot that keeps what it has weighed decides as one that weighs anew: it
/// may be seated again from a log at any time.
#[test]
fn a_player_woken_from_the_log_decides_as_if_it_had_never_slept() {
    struct Forgetful;
    impl Player<Mafia> for Forgetful {
        fn choose(
            &mut self,
            _: &parlor_mafia::Knowledge,
            _: &[parlor_mafia::Action],
            _: &mut parlor_kernel::Stream,
        ) -> usize {
            0
        }

        fn act(
            &mut self,
            knowledge: &parlor_mafia::Knowledge,
            options: &[parlor_mafia::Action],
            dice: &mut parlor_kernel::Stream,
            out: &mut Vec<parlor_mafia::Action>,
        ) {
            player("bayes").act(knowledge, options, dice, out);
        }
    }
    for (name, rules) in common::tables() {
        let seats = rules.circle();
        let play = |make: fn() -> Box<dyn Player<Mafia>>| {
            let mut players: Vec<Box<dyn Player<Mafia>>> = (0..seats).map(|_| make()).collect();
            let dice = Dice::new(&Seed::named(name), "players");
            let mut streams: Vec<_> =
                (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
            let mut log = Log::default();
            let opening = laws::opening::<Mafia>(&rules, seats, name);
            play_out(opening, &mut players, &mut streams, &mut log);
            log
        };
        let (kept, anew) = (play(|| player("bayes")), play(|| Box::new(Forgetful)));
        assert!(kept == anew, "{name}: the games differ");
        assert!(matches!(kept.events.last(), Some(Event::GameEnded(_))), "{name} does not end");
    }
}
