//! Games in process: led by hand, many at once, and whatever agents do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parlor_kernel::laws::opening;
use parlor_kernel::{Awaiting, Cause, Game, Order, reexecute};
use parlor_mafia::bots::Random;
use parlor_mafia::{Action, Event, Mafia, Rules, State};
use parlor_players::{
    ActionSender, Agent, AgentGame, Bot, BoxFuture, Controller, Observer, Played, Question,
    Unobserved, play_many,
};
use tokio::sync::mpsc;

fn agents(make: impl Fn() -> Box<dyn Agent<Mafia>>, rules: &Rules) -> Vec<Box<dyn Agent<Mafia>>> {
    (0..rules.circle()).map(|_| make()).collect()
}

fn random() -> Box<dyn Agent<Mafia>> {
    Box::new(Bot::new(Box::new(Random)))
}

fn show(make: impl Fn() -> Box<dyn Agent<Mafia>>, seed: &str) -> AgentGame<Mafia> {
    let rules = Rules::classic();
    AgentGame::new(opening::<Mafia>(&rules, rules.circle(), seed), agents(make, &rules))
}

fn is_over(played: &Played<Mafia>) -> bool {
    Mafia::awaiting(&played.state) == Awaiting::Nobody
}

#[tokio::test]
async fn bots_are_agents_and_their_game_plays_again_from_its_log() {
    let played = show(random, "bots").play(&mut Unobserved).await;
    assert!(is_over(&played));
    assert_eq!(reexecute(&played.log).as_ref(), Ok(&played.state));
}

#[tokio::test]
async fn the_same_seed_gives_the_same_game() {
    let first = show(random, "same").play(&mut Unobserved).await;
    let second = show(random, "same").play(&mut Unobserved).await;
    assert_eq!(first.log.events, second.log.events);
}

/// Does what it was made to do, whatever it is asked.
struct Stubborn(Vec<Action>);

impl Agent<Mafia> for Stubborn {
    fn act(&mut self, _: Question<Mafia>, sender: ActionSender<Mafia>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            for action in &self.0 {
                drop(sender.act(action.clone()).await);
            }
        })
    }
}

#[tokio::test]
async fn a_game_ends_even_if_agents_do_nothing_of_use() {
    let nothing = || -> Box<dyn Agent<Mafia>> { Box::new(Stubborn(Vec::new())) };
    let dreams =
        || -> Box<dyn Agent<Mafia>> { Box::new(Stubborn(vec![Action::think("I dream.")])) };
    let nonsense = || -> Box<dyn Agent<Mafia>> {
        Box::new(Stubborn(vec![Action::say("Me!"), Action::Bid { amount: 9 }]))
    };
    for make in [nothing as fn() -> _, dreams, nonsense] {
        let played = show(make, "useless").play(&mut Unobserved).await;
        assert!(is_over(&played));
        assert!(reexecute(&played.log).is_ok());
    }
}

/// Tells of every event it sees.
struct Ticker(mpsc::UnboundedSender<&'static str>);

impl Observer<Mafia> for Ticker {
    fn witness(&mut self, _: &State, event: &Event) {
        let _ = self.0.send(parlor_kernel::event_type(event));
    }
}

type Events = mpsc::UnboundedReceiver<&'static str>;

/// What happens up to an event of this type.
async fn until(events: &mut Events, last: &str) -> Vec<&'static str> {
    let mut heard = Vec::new();
    while heard.last() != Some(&last) {
        let next = tokio::time::timeout(Duration::from_secs(20), events.recv()).await;
        heard.push(next.ok().flatten().unwrap_or_else(|| panic!("no {last} after {heard:?}")));
    }
    heard
}

async fn stands_still(events: &mut Events) -> bool {
    tokio::time::sleep(Duration::from_millis(50)).await;
    events.try_recv().is_err()
}

#[tokio::test]
async fn a_game_is_paused_stepped_and_resumed() {
    let (ticker, mut events) = mpsc::unbounded_channel();
    let control = Controller::default();
    control.pause();
    let game = AgentGame { control: control.clone(), ..show(random, "led") };
    let playing = tokio::spawn(async move { game.play(&mut Ticker(ticker)).await });
    let opens = ["GAME_CREATED", "PHASE_CHANGED", "GAME_PAUSED"];
    assert_eq!(until(&mut events, "GAME_PAUSED").await, opens);
    for _ in 0..2 {
        assert!(stands_still(&mut events).await);
        control.step();
        let step = ["GAME_RESUMED", "NIGHT_ACTION_SUBMITTED", "GAME_PAUSED"];
        assert_eq!(until(&mut events, "GAME_PAUSED").await, step);
    }
    assert!(stands_still(&mut events).await);
    control.resume();
    assert_eq!(until(&mut events, "GAME_ENDED").await.first(), Some(&"GAME_RESUMED"));
    let played = playing.await.expect("the game is played");
    assert!(reexecute(&played.log).is_ok());
}

/// Never comes to an end.
struct Dreamer;

impl Agent<Mafia> for Dreamer {
    fn act(&mut self, _: Question<Mafia>, sender: ActionSender<Mafia>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            while sender.act(Action::think("Hm.")).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
    }
}

#[tokio::test]
async fn a_game_is_called_off_in_the_midst_of_a_thought() {
    let control = Controller::default();
    let game = AgentGame { control: control.clone(), ..show(|| Box::new(Dreamer), "called off") };
    let playing = tokio::spawn(async move { game.play(&mut Unobserved).await });
    tokio::time::sleep(Duration::from_millis(30)).await;
    control.call_off("enough");
    let played = playing.await.expect("the game is played");
    assert!(is_over(&played));
    let last = played.log.steps.last().map(|step| &step.cause);
    let order = Order::CallOff { reason: "enough".to_owned() };
    assert_eq!(last, Some(&Cause::Order { order }));
    assert!(reexecute(&played.log).is_ok());
}

#[tokio::test]
async fn a_pause_holds_back_words_in_the_midst_of_a_thought() {
    let (ticker, mut events) = mpsc::unbounded_channel();
    let control = Controller::default();
    let game = AgentGame { control: control.clone(), ..show(|| Box::new(Dreamer), "held back") };
    let playing = tokio::spawn(async move { game.play(&mut Ticker(ticker)).await });
    until(&mut events, "AGENT_THINK_STREAM").await;
    control.pause();
    until(&mut events, "GAME_PAUSED").await;
    assert!(stands_still(&mut events).await);
    control.resume();
    until(&mut events, "AGENT_THINK_STREAM").await;
    control.call_off("enough");
    assert!(is_over(&playing.await.expect("the game is played")));
}

#[tokio::test]
async fn a_pace_makes_time_pass() {
    let rules = Rules { discussion_rounds: 0, ..Rules::sized(5, 1) };
    let control = Controller::default();
    control.pace(Duration::from_millis(5));
    let opening = opening::<Mafia>(&rules, 5, "pace");
    let game = AgentGame { control, ..AgentGame::new(opening, agents(random, &rules)) };
    let played = game.play(&mut Unobserved).await;
    let times: Vec<u64> = played.log.steps.iter().map(|step| step.timestamp).collect();
    let decisions = times.len() as u64 - 1;
    assert!(times[times.len() - 1] - times[0] >= 5 * (decisions - 1), "{times:?}");
    assert!(times.is_sorted());
}

/// A bot that notes how many decide at the same time.
struct Counted {
    bot: Bot<Mafia>,
    busy: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Agent<Mafia> for Counted {
    fn act(&mut self, question: Question<Mafia>, sender: ActionSender<Mafia>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let now = self.busy.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
            self.bot.act(question, sender).await;
            self.busy.fetch_sub(1, Ordering::SeqCst);
        })
    }
}

#[tokio::test]
async fn many_games_run_at_once_but_no_more_than_allowed() {
    let (busy, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counted = || -> Box<dyn Agent<Mafia>> {
        let (busy, most) = (Arc::clone(&busy), Arc::clone(&most));
        Box::new(Counted { bot: Bot::new(Box::new(Random)), busy, most })
    };
    let games = (0..12).map(|number| (number, show(counted, &format!("many {number}"))));
    let mut ended = Vec::new();
    play_many(games, 3, |number, played| {
        assert!(is_over(&played));
        ended.push(number);
    })
    .await;
    ended.sort_unstable();
    assert_eq!(ended, (0..12).collect::<Vec<_>>());
    assert_eq!(most.load(Ordering::SeqCst), 3);
}
