//! A prompt tells a model nothing its seat may not know.

use parlor_kernel::laws::{Secrets, opening};
use parlor_kernel::{Cause, Dice, Game, Log, Player, Seat, Seed, Stream, View, Viewer, play_out};
use parlor_mafia::{
    Action, Cell, Event, Flip, Flips, Knowledge, Mafia, Rules, State, Usage, Votes, Words,
};
use parlor_players::llm::{Prompt, prompt};
use serde_json::json;

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
fn scrambled(action: &Action) -> Action {
    match action {
        Action::Think { .. } => Action::think("Something else entirely."),
        Action::Usage(_) => Action::Usage(Box::new(Usage { latency_ms: 77, ..Usage::default() })),
        other => other.clone(),
    }
}

/// The cells that this seat may not look into while these events happen.
fn closed(before: &State, events: &[Event], seat: Seat) -> Vec<Cell> {
    let mut state = before.clone();
    let mut cells = closed_now(before, seat);
    for event in events {
        Mafia::apply(&mut state, event);
        let still = closed_now(&state, seat);
        cells.retain(|cell| still.contains(cell));
    }
    cells
}

fn closed_now(state: &State, seat: Seat) -> Vec<Cell> {
    let mut cells = Vec::new();
    Mafia::secrets(state, &mut cells);
    let closed = cells.into_iter().filter(|(_, eyes)| !eyes.are(Viewer::Seat(seat)));
    closed.map(|(cell, _)| cell).collect()
}

fn witness(view: &View<Mafia>, before: &State, events: &[Event]) -> Knowledge {
    let (mut view, mut state) = (view.clone(), before.clone());
    for event in events {
        Mafia::apply(&mut state, event);
        view.witness(&state, event);
    }
    view.knowledge().clone()
}

fn told(knowledge: &Knowledge) -> Prompt {
    let mut options = Vec::new();
    Mafia::options(knowledge, &mut options);
    prompt(knowledge, &options, None)
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
    let mut compared = 0;
    for (rules, number) in tables.iter().zip(0..) {
        for game_number in 0..6 {
            let seed = format!("prompts {number} {game_number}");
            compared += compare(&game(rules, &seed), rules, &seed);
        }
    }
    assert!(compared > 1_000, "{compared} worlds that differ were compared");
}

/// Plays each step again in worlds that differ in what a seat may not know.
fn compare(log: &Log<Mafia>, rules: &Rules, seed: &str) -> u32 {
    let dice = opening::<Mafia>(rules, rules.circle(), seed).dice();
    let mut worlds = Dice::new(&Seed::named(seed), "worlds").stream("exchange");
    let seats = (0..rules.circle() as u8).map(Seat);
    let mut views: Vec<View<Mafia>> =
        seats.clone().map(|seat| View::new(Viewer::Seat(seat))).collect();
    let mut state = State::default();
    let mut compared = 0;
    for (step, events) in log.by_step() {
        for (seat, view) in seats.clone().zip(&views) {
            let Cause::Seat { seat: actor, action } = &step.cause else { continue };
            let action = if *actor == seat { action.clone() } else { scrambled(action) };
            let cells = closed(&state, events, seat);
            let (Some(one), Some(other)) = (worlds.pick(&cells), worlds.pick(&cells)) else {
                continue;
            };
            let (mut there, mut out) = (state.clone(), Vec::new());
            if Mafia::swap(&mut there, *one, *other)
                && Mafia::decide(&there, *actor, &action, &dice, &mut out).is_ok()
            {
                let known = witness(view, &state, events);
                let elsewhere = witness(view, &there, &out);
                let (prompt, elsewhere) = (told(&known), told(&elsewhere));
                assert_eq!(prompt, elsewhere, "'{seed}' {seat} {one:?} {other:?}");
                assert_eq!(prompt.answer.to_string(), elsewhere.answer.to_string());
                compared += u32::from(there != state);
            }
        }
        for event in events {
            Mafia::apply(&mut state, event);
            for view in &mut views {
                view.witness(&state, event);
            }
        }
    }
    compared
}

#[test]
fn a_prompt_holds_what_its_seat_may_know() {
    let rules = Rules::classic();
    let log = game(&rules, "what a seat knows");
    let voting = (1..log.steps.len())
        .map(|steps| prefix(&log, steps))
        .find(|log| {
            let public = knowledge(log, Viewer::Public);
            public.board.day == 2 && public.board.phase == parlor_mafia::Phase::DayVoting
        })
        .expect("there is a second day");
    let voter = (0..10)
        .map(|seat| knowledge(&voting, Viewer::Seat(Seat(seat))))
        .find(|knowledge| knowledge.asked().is_some())
        .expect("someone votes");
    let Prompt { system, user, answer } = told(&voter);
    let role = voter.role().expect("everyone has a role").name();
    assert!(system.contains(role), "{system}");
    assert!(user.contains("Day 1, the discussion") && user.contains("Day 1, the vote"), "{user}");
    assert!(user.contains("Day 2, the discussion"), "{user}");
    assert!(user.contains("Your own thoughts so far") && user.contains("Legal: p"), "{user}");
    assert!(user.contains("\"Number \\\""), "what is said is quoted: {user}");
    let targets = answer["properties"]["target"]["enum"].as_array().expect("legal targets");
    let mut options = Vec::new();
    Mafia::options(&voter, &mut options);
    assert_eq!(targets.len(), options.len());
    assert!(targets.contains(&json!(null)) && !targets.contains(&json!(voter.me())));
    assert_eq!(answer["required"], json!(["thought", "target"]));
}

#[test]
fn a_long_thought_is_remembered_by_its_conclusion() {
    let log = game(&Rules::classic(), "memory");
    let is_thought = |event: &Event| matches!(event, Event::AgentThinkStream(_));
    let first = log.events.iter().position(is_thought).expect("a thought");
    let mut longer = log.clone();
    let Event::AgentThinkStream(chunk) = &mut longer.events[first] else { panic!("a thought") };
    let seat = chunk.agent_id.seat();
    let aside = "On the one hand. ".repeat(60);
    chunk.chunk = Words::from(format!("FIRST of all, hm. {aside}So p4 lies. I shall vote for p4."));
    let asked = (1..longer.steps.len()).map(|steps| prefix(&longer, steps)).find_map(|log| {
        let knowledge = knowledge(&log, Viewer::Seat(seat));
        let remembers = !knowledge.transcript.is_empty() && knowledge.board.day > 0;
        (knowledge.asked().is_some() && remembers).then_some(knowledge)
    });
    let user = told(&asked.expect("the seat is asked again")).user;
    assert!(user.contains("So p4 lies. I shall vote for p4.\""), "{user}");
    assert!(user.contains("\"… On the one hand.") && !user.contains("FIRST"), "{user}");
}
