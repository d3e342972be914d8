//! Whole games with language models over a real connection.

mod common;

use std::io::Write;
use std::sync::{Arc, Mutex};

use common::{Manner, faults, jsonl, lineup, play, sensible, serve, settings};
use parlor_kernel::{Awaiting, DialectView, Game, LogDialect, Viewer, reexecute};
use parlor_mafia::{Channel, Event, Mafia, Remedy, Rules};
use parlor_players::llm::{Recorder, read_tape};
use parlor_players::{Lineup, Played, Wires};

/// A tape in memory.
#[derive(Clone, Default)]
struct Reel(Arc<Mutex<Vec<u8>>>);

impl Write for Reel {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no test panics with it").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Reel {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().expect("no test panics with it").clone()
    }
}

fn is_over(played: &Played<Mafia>) -> bool {
    Mafia::awaiting(&played.state) == Awaiting::Nobody
}

async fn recorded(lineup: &Lineup) -> (Played<Mafia>, Vec<u8>) {
    let reel = Reel::default();
    let recorder = Recorder::new(Box::new(reel.clone()));
    let played = play(lineup, &Wires::Recorded(Arc::clone(&recorder))).await;
    recorder.finish().expect("a tape in memory is written");
    (played, reel.bytes())
}

async fn replayed(tape: &[u8]) -> (Played<Mafia>, Option<String>) {
    let game = read_tape(tape).expect("the tape can be read").remove(0);
    let played = play(&game.lineup, &Wires::Taped(Arc::clone(&game))).await;
    (played, game.difference())
}

#[tokio::test]
async fn ten_models_play_a_game_to_its_end_and_its_recording_replays_to_the_byte() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let lineup = lineup(settings(&server.base_url, ""), &["llm"], &Rules::classic(), "ten");
    let (played, tape) = recorded(&lineup).await;
    assert!(is_over(&played));
    assert_eq!(faults(&played.log), []);
    assert!(reexecute(&played.log).is_ok());
    assert!(played.log.steps.iter().all(|step| step.timestamp > 1_600_000_000_000));
    drop(server);
    let (again, difference) = replayed(&tape).await;
    assert_eq!(difference, None);
    assert_eq!(jsonl(&again.log, &lineup), jsonl(&played.log, &lineup));
}

/// Words that only ever stand in answers that must not pass.
const FORBIDDEN: &str = "FORBIDDEN";

/// One of everything that can go wrong, and now and then something good.
fn moody(number: usize, request: &serde_json::Value) -> Manner {
    let bad = format!("{{\"thought\": \"Hm. {FORBIDDEN}?\", \"statement\": \"{FORBIDDEN} words. ");
    match number % 9 {
        0 => Manner::CutOff(bad),
        1 => Manner::Says(bad),
        2 => Manner::Status(429, "retry-after: 0\r\n"),
        3 => Manner::Says(format!("{bad}\", \"thought\": 3}}")),
        4 => Manner::Says(format!("{bad}{}\", \"target\": \"p99\"}}", "Evil. ".repeat(200))),
        5 => Manner::Unfinished(format!("{bad}\"}}")),
        _ => Manner::Says(sensible(request)),
    }
}

#[tokio::test]
async fn no_public_word_of_an_answer_that_failed_ever_appears() {
    let server = serve(moody).await;
    let fast = settings(&server.base_url, "retries = 1\ntimeout_s = 1.5");
    let lineup = lineup(fast, &["llm", "random"], &Rules::classic(), "moody");
    let (played, tape) = recorded(&lineup).await;
    assert!(is_over(&played));
    let remedies: Vec<Remedy> = faults(&played.log).iter().map(|fault| fault.1).collect();
    assert!(remedies.contains(&Remedy::Retry), "some were asked again");
    assert!(remedies.contains(&Remedy::Fallback), "some fell back");
    for event in &played.log.events {
        if let Event::AgentSayStream(chunk) = event {
            assert_eq!(chunk.channel, Channel::Public);
            assert!(!chunk.chunk.contains(FORBIDDEN), "{chunk:?}");
        }
    }
    let mut town = DialectView::<Mafia>::new(Viewer::Public, Arc::new(LogDialect));
    let heard = town.catch_up(&played.log, "moody").join("\n");
    for hidden in [FORBIDDEN, "AGENT_FAULT", "AGENT_USAGE", "AGENT_THINK"] {
        assert!(!heard.contains(hidden), "the town hears {hidden}");
    }
    assert!(jsonl(&played.log, &lineup).contains(FORBIDDEN), "thoughts are streamed as they come");
    drop(server);
    let (again, difference) = replayed(&tape).await;
    assert_eq!(difference, None);
    assert_eq!(jsonl(&again.log, &lineup), jsonl(&played.log, &lineup));
}

#[tokio::test]
async fn a_seat_that_fails_five_times_in_a_row_is_not_asked_again() {
    let server = serve(|_, _| Manner::Status(401, "")).await;
    let lineup =
        lineup(settings(&server.base_url, ""), &["llm", "random"], &Rules::classic(), "deg");
    let played = play(&lineup, &Wires::Live).await;
    assert!(is_over(&played));
    assert!(server.asked() <= 5 * 5, "five seats, five times each");
    let ended = played.state.board.ended.as_deref().expect("it ended");
    assert!(ended.degraded);
}

#[tokio::test]
async fn a_spent_budget_means_fallbacks() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let mut settings = settings(&server.base_url, "");
    settings.budget_tokens = Some(600);
    let lineup = lineup(settings, &["llm"], &Rules::classic(), "budget");
    let played = play(&lineup, &Wires::Live).await;
    assert!(is_over(&played));
    assert_eq!(server.asked(), 5, "120 tokens an answer");
    let spent = faults(&played.log).iter().any(|(reason, _)| reason.contains("budget"));
    assert!(spent);
}

#[tokio::test]
async fn a_tape_that_does_not_fit_says_so() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let lineup = lineup(settings(&server.base_url, ""), &["llm"], &Rules::sized(5, 1), "fit");
    let (_, tape) = recorded(&lineup).await;
    let text = String::from_utf8(tape).expect("a tape is text");
    let other = text.replacen("I trust nobody", "I trust Ada", 1);
    let (_, difference) = replayed(other.as_bytes()).await;
    assert!(difference.is_some(), "later prompts quote the changed words");
    let torn = text.replacen("\"heard\"", "\"herd\"", 1);
    assert!(read_tape(torn.as_bytes()).is_err());
}
