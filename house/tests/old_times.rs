//! Logs from before pauses were left out of the times still verify.

use parlor_kernel::laws::random_game;
use parlor_kernel::{Cause, Envelope, Game, Hosted, Log, Order, Timekeeper};
use parlor_mafia::{Event, Mafia, Rules, State};

/// A game that was paused for a minute in the midst of its first vote.
fn paused() -> Log<Mafia> {
    let (log, _) = random_game::<Mafia>(&Rules::classic(), 10, "old times");
    let mut state = State::default();
    let mut there = Log::<Mafia>::default();
    let (mut now, mut voted) = (1_000, 0);
    for (step, events) in log.by_step() {
        if voted == 3 {
            for order in [Order::Pause, Order::Resume] {
                let mut out = Vec::new();
                Mafia::obey(&state, &order, &mut out);
                out.iter().for_each(|event| Mafia::apply(&mut state, event));
                there.begin(Cause::Order { order }, now);
                there.events.extend(out);
                now += 60_000;
            }
        }
        now += 100;
        there.begin(step.cause.clone(), now);
        there.events.extend_from_slice(events);
        events.iter().for_each(|event| Mafia::apply(&mut state, event));
        voted += events.iter().filter(|event| matches!(event, Event::VoteCast(_))).count();
    }
    there
}

fn verifies(log: &[Envelope]) -> bool {
    let game = parlor_house::games().find(|game| game.name() == "mafia").expect("Mafia");
    game.verify(log).is_ok()
}

#[test]
fn vote_times_that_a_pause_began_anew_verify_and_made_up_ones_do_not() {
    let log = paused();
    let now = log.envelopes("law");
    let mut former = log.envelopes_timed("law", Timekeeper::that_begins_anew());
    assert!(now != former, "the pause makes a difference");
    assert!(verifies(&now) && verifies(&former));
    let vote = former.iter_mut().rfind(|line| line.event_type == "VOTE_CAST").expect("a vote");
    let made_up = vote.payload.get().replacen("\"voteTime\":", "\"voteTime\":7", 1);
    vote.payload = serde_json::value::RawValue::from_string(made_up).expect("JSON");
    assert!(!verifies(&former));
}
