//! A tape of games with language models: everything that came over the wire
//! and off the clock, so that the games can be played again without either.
//!
//! One JSON object a line. A game begins with its lineup and ends with the
//! times of its steps; between them lie its calls and what came back, and the
//! lines of other games that ran at the same time.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::agent::BoxFuture;
use crate::clock::{Clock, WallClock};
use crate::lineup::Lineup;
use crate::llm::account::Tokens;
use crate::llm::wire::{ModelCall, ModelReply, Received, Wire, WireFault};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum TapeLine {
    Lineup(Box<Lineup>),
    #[serde(untagged)]
    Exchange {
        call: ModelCall,
        heard: Vec<Received>,
    },
    #[serde(untagged)]
    Clock {
        game: String,
        clock: Vec<u64>,
    },
}

/// Why a tape cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// It cannot be written or read.
    #[error("the recording cannot be written or read: {0}")]
    Io(#[from] std::io::Error),
    /// A line is no part of a recording.
    #[error("line {0} is no part of a recording: {1}")]
    Line(usize, serde_json::Error),
    /// There is no game on it.
    #[error("there is no game in this recording")]
    Empty,
}

/// What is behind a lock stays whole when a thread dies: every change is one
/// step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a tape.
pub struct Recorder {
    out: Mutex<Output>,
}

struct Output {
    writer: Box<dyn Write + Send>,
    failed: Option<std::io::Error>,
}

impl Recorder {
    /// Records to this writer.
    pub fn new(writer: Box<dyn Write + Send>) -> Arc<Recorder> {
        Arc::new(Recorder { out: Mutex::new(Output { writer, failed: None }) })
    }

    /// Begins to record a game.
    pub fn begin(self: &Arc<Recorder>, lineup: &Lineup) -> Arc<RecordedGame> {
        self.write(&TapeLine::Lineup(Box::new(lineup.clone())));
        let game = lineup.opening.game_id.clone();
        Arc::new(RecordedGame { recorder: Arc::clone(self), game, times: Mutex::default() })
    }

    /// The first failure to write stays, and is told by [`Recorder::finish`].
    fn write(&self, line: &TapeLine) {
        let mut out = lock(&self.out);
        if out.failed.is_some() {
            return;
        }
        let written = serde_json::to_string(line)
            .map_err(std::io::Error::from)
            .and_then(|text| writeln!(out.writer, "{text}"));
        out.failed = written.err();
    }

    /// Whether everything was written.
    pub fn finish(&self) -> Result<(), TapeError> {
        let mut out = lock(&self.out);
        match out.failed.take() {
            Some(error) => Err(error.into()),
            None => Ok(out.writer.flush()?),
        }
    }
}

/// A game that is recorded: its clock, and a wire around another.
pub struct RecordedGame {
    recorder: Arc<Recorder>,
    game: String,
    times: Mutex<Vec<u64>>,
}

impl RecordedGame {
    /// The same wire, recorded.
    pub fn wire(self: &Arc<RecordedGame>, inner: Arc<dyn Wire>) -> Arc<dyn Wire> {
        Arc::new(RecordedWire { recorder: Arc::clone(&self.recorder), inner })
    }
}

impl Clock for RecordedGame {
    fn now(&self) -> u64 {
        let now = WallClock.now();
        lock(&self.times).push(now);
        now
    }
}

/// The times are written when the game is let go: it is over then.
impl Drop for RecordedGame {
    fn drop(&mut self) {
        let clock = std::mem::take(&mut *lock(&self.times));
        self.recorder.write(&TapeLine::Clock { game: std::mem::take(&mut self.game), clock });
    }
}

struct RecordedWire {
    recorder: Arc<Recorder>,
    inner: Arc<dyn Wire>,
}

impl Wire for RecordedWire {
    fn call(&self, call: ModelCall) -> Box<dyn ModelReply> {
        let inner = self.inner.call(call.clone());
        let recorder = Arc::clone(&self.recorder);
        Box::new(RecordedReply { inner, recorder, call: Some(call), heard: Vec::new() })
    }

    fn rest(&self, time: Duration) -> BoxFuture<'_, ()> {
        self.inner.rest(time)
    }

    fn book(&self, tokens: &Tokens) {
        self.inner.book(tokens);
    }
}

struct RecordedReply {
    inner: Box<dyn ModelReply>,
    recorder: Arc<Recorder>,
    call: Option<ModelCall>,
    heard: Vec<Received>,
}

impl ModelReply for RecordedReply {
    fn next(&mut self) -> BoxFuture<'_, Received> {
        Box::pin(async move {
            let heard = self.inner.next().await;
            self.heard.push(heard.clone());
            heard
        })
    }
}

/// Written also when whoever listened had heard enough.
impl Drop for RecordedReply {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            let heard = std::mem::take(&mut self.heard);
            self.recorder.write(&TapeLine::Exchange { call, heard });
        }
    }
}

/// What was asked and answered, by seat and the number of its call.
type Exchanges = HashMap<(usize, u32), (ModelCall, Vec<Received>)>;

/// A game read from a tape: a wire and a clock that say what they said then.
pub struct TapedGame {
    /// What was played.
    pub lineup: Lineup,
    times: Mutex<VecDeque<u64>>,
    exchanges: Mutex<Exchanges>,
    difference: Arc<Mutex<Option<String>>>,
}

impl TapedGame {
    /// Where playing it again first asked something else than was recorded.
    pub fn difference(&self) -> Option<String> {
        lock(&self.difference).clone()
    }

    fn answer(&self, call: &ModelCall) -> Result<Vec<Received>, String> {
        let key = (call.seat.index(), call.number);
        match lock(&self.exchanges).remove(&key) {
            Some((recorded, heard)) if recorded == *call => Ok(heard),
            Some(_) => Err(format!("call {} of {} was another one", call.number, call.seat)),
            None => Err(format!("{} made no call {}", call.seat, call.number)),
        }
    }
}

impl Clock for TapedGame {
    fn now(&self) -> u64 {
        lock(&self.times).pop_front().unwrap_or(0)
    }
}

impl Wire for TapedGame {
    fn call(&self, call: ModelCall) -> Box<dyn ModelReply> {
        let heard = self.answer(&call).unwrap_or_else(|difference| {
            lock(&self.difference).get_or_insert_with(|| difference.clone());
            vec![Received::Failed { at: 0, fault: WireFault::NotRecorded(difference) }]
        });
        Box::new(TapedReply(heard.into()))
    }

    fn rest(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

struct TapedReply(VecDeque<Received>);

impl ModelReply for TapedReply {
    fn next(&mut self) -> BoxFuture<'_, Received> {
        let missing = || WireFault::NotRecorded("the recording stops here".to_owned());
        let next = self.0.pop_front();
        let heard = next.unwrap_or_else(|| Received::Failed { at: 0, fault: missing() });
        Box::pin(std::future::ready(heard))
    }
}

/// Reads every game on a tape, in the order they began.
pub fn read_tape(tape: impl BufRead) -> Result<Vec<Arc<TapedGame>>, TapeError> {
    let mut order = Vec::new();
    let mut games: BTreeMap<String, TapedGame> = BTreeMap::new();
    for (number, line) in (1..).zip(tape.lines()) {
        let line = line?;
        let read = serde_json::from_str(&line).map_err(|error| TapeError::Line(number, error))?;
        match read {
            TapeLine::Lineup(lineup) => {
                let game = lineup.opening.game_id.clone();
                order.push(game.clone());
                let taped = TapedGame {
                    lineup: *lineup,
                    times: Mutex::default(),
                    exchanges: Mutex::default(),
                    difference: Arc::default(),
                };
                games.insert(game, taped);
            }
            TapeLine::Exchange { call, heard } => {
                if let Some(game) = games.get(&call.game) {
                    let key = (call.seat.index(), call.number);
                    lock(&game.exchanges).insert(key, (call, heard));
                }
            }
            TapeLine::Clock { game, clock } => {
                if let Some(game) = games.get(&game) {
                    *lock(&game.times) = clock.into();
                }
            }
        }
    }
    let taped: Vec<_> = order.iter().filter_map(|game| games.remove(game)).map(Arc::new).collect();
    if taped.is_empty() { Err(TapeError::Empty) } else { Ok(taped) }
}
