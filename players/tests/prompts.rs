//! A prompt tells a model nothing its seat may not know.

use std::sync::Arc;

use parlor_kernel::laws::{Lawful, opening};
use parlor_kernel::{Dice, Game, Imagine, Log, Player, Seat, Seed, Stream, View, Viewer, play_out};
use parlor_mafia::{
    Action, AgentAssigned, AgentUsage, Event, Flip, Flips, Knowledge, Mafia, Rules, Usage, Votes,
    Words,
};
use parlor_players::llm::prompt;

/// Plays at random and has something to think and say about it.
struct Chatterbox;

impl Player<Mafia> for Chatterbox {
    fn choose(&mut self, _: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        dice.below(options.len() as u32) as usize
    }

    fn act(
        &mut self,
        knowledge: &Knowledge,
        options: &[Action],
        dice: &mut Stream,
        out: &mut Vec<Action>,
    ) {
        let number = dice.below(1_000);
        out.push(Action::think(format!("I think of {number}.")));
        out.push(Action::Usage(Box::new(Usage {
            prompt_tokens: number.into(),
            ..Usage::default()
        })));
        let chosen = self.choose(knowledge, options, dice);
        out.push(match &options[chosen] {
            Action::Say { .. } => Action::say(format!("Number \"{number}\" is suspicious.")),
            other => other.clone(),
        });
    }
}

fn game(rules: &Rules, seed: &str) -> Log<Mafia> {
    let seats = rules.circle();
    let mut players: Vec<Box<dyn Player<Mafia>>> = Vec::new();
    let mut dice = Vec::new();
    for seat in 0..seats {
        players.push(Box::new(Chatterbox));
        let stream = Dice::new(&Seed::named(seed), "players").stream(format_args!("bot/{seat}"));
        dice.push(stream);
    }
    let mut log = Log::default();
    play_out(opening::<Mafia>(rules, seats, seed), &mut players, &mut dice, &mut log);
    log
}

fn prefix(log: &Log<Mafia>, steps: usize) -> Log<Mafia> {
    let end = log.steps.get(steps).map_or(log.events.len(), |next| next.first as usize);
    Log { events: log.events[..end].to_vec(), steps: log.steps[..steps].to_vec() }
}

fn knowledge(log: &Log<Mafia>, viewer: Viewer) -> Knowledge {
    let mut state = <Mafia as Game>::State::default();
    let mut view = View::<Mafia>::new(viewer);
    for event in &log.events {
        Mafia::apply(&mut state, event);
        view.follow(&state, event);
    }
    view.knowledge().clone()
}

/// Other seats' thoughts and everything admin-only, made up anew.
fn scrambled(mut log: Log<Mafia>, seat: Seat) -> Log<Mafia> {
    for event in &mut log.events {
        match event {
            Event::AgentThinkStream(chunk) if chunk.agent_id.seat() != seat => {
                chunk.chunk = Words::from("Something else entirely.");
            }
            Event::AgentUsage(usage) => {
                let other = Usage { latency_ms: 77, ..Usage::default() };
                *usage = Arc::new(AgentUsage { usage: other, ..usage.as_ref().clone() });
            }
            Event::AgentAssigned(assigned) => {
                let mut other = AgentAssigned::clone(assigned);
                other.assignment.agent = "someone else".to_owned();
                *assigned = Arc::new(other);
            }
            _ => {}
        }
    }
    log
}

fn told(knowledge: &Knowledge) -> (String, String) {
    let mut options = Vec::new();
    Mafia::options(knowledge, &mut options);
    let prompt = prompt(knowledge, &options, None);
    (prompt.system, prompt.user)
}

#[test]
fn permuting_what_a_seat_may_not_know_leaves_its_prompt_as_it_is() {
    let closed = Flips { vote: Flip::None, night_kill: Flip::Team };
    let tables = [
        Rules::classic(),
        Rules {
            votes: Votes::Sealed,
            mafia_channel: true,
            acknowledge: true,
            ..Rules::sized(8, 2)
        },
        Rules { flip: closed, discussion_rounds: 2, ..Rules::sized(7, 2) },
    ];
    let (mut compared, mut differ) = (0, 0);
    for (rules, number) in tables.iter().zip(0..) {
        for game_number in 0..4 {
            let seed = format!("prompts {number} {game_number}");
            let log = game(rules, &seed);
            let mut worlds = Dice::new(&Seed::named(&seed), "worlds").stream("imagine");
            for seat in (0..rules.circle() as u8).map(Seat) {
                for steps in (1..log.steps.len()).step_by(7) {
                    let here = prefix(&log, steps);
                    let known = knowledge(&here, Viewer::Seat(seat));
                    let imagined = Mafia::imagine(&known, &mut worlds);
                    let there = scrambled(Mafia::transplant(&here, &imagined), seat);
                    let elsewhere = knowledge(&there, Viewer::Seat(seat));
                    assert_eq!(told(&known), told(&elsewhere), "'{seed}' {steps} {seat}");
                    compared += 1;
                    differ += u32::from(there.events != here.events);
                }
            }
        }
    }
    assert!(compared > 500 && differ > compared * 9 / 10, "{differ} of {compared} worlds differ");
}

#[test]
fn a_prompt_holds_what_its_seat_may_know() {
    let rules = Rules::classic();
    let log = game(&rules, "what a seat knows");
    let voting = (1..log.steps.len())
        .map(|steps| prefix(&log, steps))
        .find(|log| {
            let public = knowledge(log, Viewer::Public);
            public.board.day == 2 && public.board.stage == parlor_mafia::Stage::DayVoting
        })
        .expect("there is a second day");
    let voter = (0..10)
        .map(|seat| knowledge(&voting, Viewer::Seat(Seat(seat))))
        .find(|knowledge| knowledge.asked().is_some())
        .expect("someone votes");
    let (system, user) = told(&voter);
    let role = voter.role().expect("everyone has a role").name();
    assert!(system.contains(role), "{system}");
    assert!(user.contains("Day 1, the discussion") && user.contains("Day 1, the vote"), "{user}");
    assert!(user.contains("Day 2, the discussion"), "{user}");
    assert!(user.contains("Your own thoughts so far") && user.contains("Legal: p"), "{user}");
    assert!(user.contains("\"Number \\\""), "what is said is quoted: {user}");
}
