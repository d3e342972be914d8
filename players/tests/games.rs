//! Whole games with language models over a real connection.

mod common;

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{Counts, Manner, faults, jsonl, lineup, live, play, sensible, serve, settings};
use parlor_kernel::{Awaiting, DialectView, Game, Log, LogDialect, Viewer, reexecute};
use parlor_mafia::{Channel, Event, Mafia, Remedy, Rules, Votes};
use parlor_players::llm::{AgentSettings, Endpoints, Recorder, read_tape};
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
    let wires = Wires::Recorded(Arc::clone(&recorder), Arc::new(Endpoints::default()));
    let played = play(lineup, &wires).await;
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
    let played = play(&lineup, &live()).await;
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
    let played = play(&lineup, &live()).await;
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

/// Rules under which nobody sees how the others vote.
fn sealed() -> Rules {
    Rules { votes: Votes::Sealed, ..Rules::sized(7, 2) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sealed_decisions_are_asked_at_once_and_replay_to_the_byte() {
    // Each answers at a pace of its own, so that none ends in the order of seats.
    let server = serve(|number, request| {
        let pause = Duration::from_millis([9, 1, 5, 3][number % 4]);
        Manner::Slowly(sensible(request), pause)
    })
    .await;
    let lineup = lineup(settings(&server.base_url, ""), &["llm"], &sealed(), "sealed");
    let (played, tape) = recorded(&lineup).await;
    assert!(is_over(&played));
    assert_eq!(faults(&played.log), []);
    let busiest = Counts::of(&server.counts.busiest);
    assert!(busiest >= 5, "the living vote at once, not {busiest} of them");
    let vote = |event: &Event| match event {
        Event::VoteCast(vote) => Some((vote.round_number, vote.ballot, vote.voter_id)),
        _ => None,
    };
    let votes: Vec<_> = played.log.events.iter().filter_map(vote).collect();
    assert!(votes.is_sorted(), "what they decided is taken seat by seat: {votes:?}");
    drop(server);
    for _ in 0..3 {
        let (again, difference) = replayed(&tape).await;
        assert_eq!(difference, None);
        assert_eq!(jsonl(&again.log, &lineup), jsonl(&played.log, &lineup));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_who_is_asked_at_once_sees_what_another_answers() {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&requests);
    let server = serve(move |_, request| {
        keep.lock().expect("no test panics with it").push(request.to_string());
        Manner::Says(sensible(request))
    })
    .await;
    let at_once = |rules: &Rules, seed: &str| {
        let lineup = lineup(settings(&server.base_url, ""), &["llm"], rules, seed);
        async move { play(&lineup, &live()).await }
    };
    at_once(&sealed(), "unseen").await;
    let sealed: Vec<String> = std::mem::take(&mut *requests.lock().expect("no test panics"));
    assert!(sealed.iter().any(|it| it.contains("the town votes")));
    assert!(!sealed.iter().any(|it| it.contains("Votes so far")));
    // Where votes are open, and among the mafia, one after the other sees them.
    at_once(&Rules::sized(7, 2), "seen").await;
    let open = requests.lock().expect("no test panics").clone();
    assert!(open.iter().any(|it| it.contains("Votes so far")));
    assert!(open.iter().any(|it| it.contains("would kill")));
}

#[tokio::test]
async fn every_budget_is_kept_and_a_spent_one_asks_nobody() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let url = &server.base_url;
    let file =
        format!("[llm]\nbase_url = \"{url}\"\nmodel = \"m\"\n[agents.poor]\nbudget_tokens = 240\n");
    let settings: AgentSettings = toml::from_str(&file).expect("settings");
    let lineup = lineup(settings, &["poor", "random"], &Rules::sized(7, 2), "poor");
    let played = play(&lineup, &live()).await;
    assert!(is_over(&played));
    let reasons: Vec<String> = faults(&played.log).into_iter().map(|it| it.0).collect();
    let spent = "no answer: the game's budget of tokens for 'poor' is spent";
    assert!(reasons.iter().all(|reason| reason == spent) && !reasons.is_empty(), "{reasons:?}");
    // Those of one night are asked at once, before the first has spent anything.
    assert!((2..=4).contains(&server.asked()), "{}", server.asked());
}

#[tokio::test]
async fn budgets_in_money_are_kept_like_those_in_tokens() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let url = &server.base_url;
    let prices = "price_in = 1.0\nprice_out = 4.0";
    let model = format!("[llm]\nbase_url = \"{url}\"\nmodel = \"m\"\n{prices}\n[agents.poor]\n");
    for (file, spent) in [
        (format!("budget_dollars = 0.0003\n{model}"), "the game's budget of money is spent"),
        (format!("budget_dollars_day = 0.0003\n{model}"), "the day's budget of money is spent"),
        (
            format!("{model}budget_dollars = 0.0003\n"),
            "the game's budget of money for 'poor' is spent",
        ),
    ] {
        let asked = server.asked();
        let settings: AgentSettings = toml::from_str(&file).expect("settings");
        let endpoints = Endpoints::new(&settings).expect("endpoints");
        let lineup = lineup(settings, &["poor", "random"], &Rules::sized(7, 2), "poor");
        let played = play(&lineup, &Wires::Live(endpoints)).await;
        assert!(is_over(&played));
        let reasons: Vec<String> = faults(&played.log).into_iter().map(|it| it.0).collect();
        let spent = format!("no answer: {spent}");
        assert!(
            reasons.iter().all(|reason| *reason == spent) && !reasons.is_empty(),
            "{reasons:?}"
        );
        assert!((1..=6).contains(&(server.asked() - asked)), "{}", server.asked() - asked);
    }
}

#[tokio::test]
async fn a_days_budget_is_for_all_games_and_is_recorded_with_them() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let mut settings = settings(&server.base_url, "");
    settings.budget_tokens_day = Some(1_200);
    let endpoints = Endpoints::new(&settings).expect("endpoints");
    let reel = Reel::default();
    let recorder = Recorder::new(Box::new(reel.clone()));
    let lineups = ["one", "two"]
        .map(|seed| lineup(settings.clone(), &["llm", "bayes"], &Rules::sized(7, 2), seed));
    let mut logs = Vec::new();
    for lineup in &lineups {
        let wires = Wires::Recorded(Arc::clone(&recorder), Arc::clone(&endpoints));
        logs.push(play(lineup, &wires).await.log);
    }
    assert!((10..=16).contains(&server.asked()), "120 tokens an answer: {}", server.asked());
    let of_day = |log: &Log<Mafia>| {
        faults(log)
            .iter()
            .any(|(reason, _)| reason.ends_with("the day's budget of tokens is spent"))
    };
    assert!(of_day(&logs[1]), "the second game goes on with what the first left");
    recorder.finish().expect("a tape in memory is written");
    for (game, log) in read_tape(&*reel.bytes()).expect("a tape").into_iter().zip(&logs) {
        let again = play(&game.lineup, &Wires::Taped(Arc::clone(&game))).await;
        assert_eq!(game.difference(), None);
        assert_eq!(jsonl(&again.log, &game.lineup), jsonl(log, &game.lineup));
    }
}
