//! The table in words, for clients that do not know the game: what happened,
//! what the viewer knows, what it may do, whose turn it is. Every game is
//! spoken in it, and it is made of what is seen and known only.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::awaiting::Awaiting;
use crate::canonical;
use crate::dialect::{
    ClientMessage, Dialect, EventSchema, MessageError, Moment, options_of, schema_of,
};
use crate::dice::{Dice, Seed};
use crate::envelope::raw;
use crate::game::Game;
use crate::notice::{PlainPresence, PlainRefusal};
use crate::offered::{Offered, Score};
use crate::seat::{Seat, Viewer};
use crate::spoken::Outline;

/// The name of the dialect that tells every game in words.
pub const WORDS: &str = "words";

/// So many worlds are imagined to find what is alike in all of them.
const WORLDS: usize = 16;

/// The table in words, for every game: each step of which the viewer sees
/// something is one wire event.
pub struct WordsDialect;

/// Something the viewer may do.
#[derive(Debug, Serialize, JsonSchema)]
struct Choice {
    /// What it is, in a few words.
    label: String,
    /// What to send for it.
    command: Value,
}

/// How the game stands, where the viewer may know it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Standing")]
struct ScoreTold {
    /// Each seat's points.
    points: Vec<i64>,
    /// The seats that have won.
    winners: Vec<u8>,
    /// How many rounds were played.
    rounds: u64,
}

/// What both messages tell.
#[derive(Debug, Serialize, JsonSchema)]
struct Words {
    /// The position in the stream.
    position: u64,
    /// Milliseconds since 1970.
    timestamp: u64,
    /// What just happened, a sentence each; nothing in a snapshot.
    lines: Vec<String>,
    /// The table as the viewer knows it, in a few lines of text.
    picture: String,
    /// The seats that are waited for, as far as the viewer knows.
    turn: Vec<u8>,
    /// How long they may think, from this message on; null where no clock
    /// runs or the viewer cannot know it.
    seconds: Option<u32>,
    /// The viewer's moves; nothing where it is not asked.
    options: Vec<Choice>,
    /// What the viewer may do beside its moves.
    asides: Vec<Choice>,
    /// How it stands; null where the viewer cannot know it.
    score: Option<ScoreTold>,
    /// Whether the game is over.
    over: bool,
}

/// A step of the game.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "step")]
struct StepMessage {
    r#type: StepTag,
    #[serde(flatten)]
    words: Words,
}

/// The present as a whole.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "snapshot")]
struct SnapshotMessage {
    r#type: SnapshotTag,
    #[serde(flatten)]
    words: Words,
    /// What is left on the clock, in whole seconds; null where none runs.
    seconds_left: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
enum StepTag {
    #[serde(rename = "step")]
    Step,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
enum SnapshotTag {
    #[serde(rename = "snapshot")]
    Snapshot,
}

impl<G: Offered> Dialect<G> for WordsDialect {
    fn name(&self) -> &'static str {
        WORDS
    }

    fn speak(
        &self,
        before: &G::Knowledge,
        step: &[G::Seen],
        after: &G::Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        let mut words = words::<G>(after, moment, moment.position + 1);
        if let Some((last, earlier)) = step.split_last() {
            // What is known may be long: it is copied between two things seen,
            // and most steps are one.
            let mut known = Cow::Borrowed(before);
            for seen in earlier {
                let mut then = G::Knowledge::clone(&known);
                G::learn(&mut then, seen);
                words.lines.extend(G::narrate(&known, seen, &then));
                known = Cow::Owned(then);
            }
            words.lines.extend(G::narrate(&known, last, after));
        }
        let message = StepMessage { r#type: StepTag::Step, words };
        out.push(raw(&message).get().to_owned());
    }

    /// A step is told in one wire event. To make it takes many worlds.
    fn count(&self, _: &G::Knowledge, _: &[G::Seen], _: &G::Knowledge, _: &Moment) -> usize {
        1
    }

    fn snapshot(&self, knowledge: &G::Knowledge, moment: &Moment) -> String {
        let words = words::<G>(knowledge, moment, moment.position);
        let seconds_left = moment.seconds_left;
        let message = SnapshotMessage { r#type: SnapshotTag::Snapshot, words, seconds_left };
        raw(&message).get().to_owned()
    }

    fn hear(&self, message: &[u8]) -> Result<ClientMessage<G::Action>, MessageError> {
        canonical::hear::<G>(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let said =
            |name: &str, schema| EventSchema { name: name.to_owned(), is_command: false, schema };
        let step = said("step", schema_of::<StepMessage>());
        let snapshot = said("snapshot", schema_of::<SnapshotMessage>());
        let told = [step, snapshot, PlainRefusal::schema(), PlainPresence::schema()];
        told.into_iter().chain(canonical::commands::<G::Action>()).collect()
    }
}

fn words<G: Offered>(knowledge: &G::Knowledge, moment: &Moment, position: u64) -> Words {
    let options = options_of::<G>(knowledge, moment.viewer);
    let mut asides = Vec::new();
    if moment.viewer.seat().is_some() {
        G::asides(knowledge, &mut asides);
        asides.retain(G::is_for_clients);
    }
    let common = Common::of::<G>(knowledge, moment.viewer, !options.is_empty());
    Words {
        position,
        timestamp: moment.timestamp,
        lines: Vec::new(),
        picture: G::picture(knowledge),
        turn: common.turn.into_iter().collect(),
        seconds: common.seconds,
        options: choices::<G>(knowledge, &options),
        asides: choices::<G>(knowledge, &asides),
        score: common.score,
        over: common.over,
    }
}

fn choices<G: Offered>(knowledge: &G::Knowledge, actions: &[G::Action]) -> Vec<Choice> {
    let choice = |action: &G::Action| Choice {
        label: G::label(knowledge, action),
        // An action is plain data with string keys.
        command: serde_json::to_value(action).expect("an action is plain data"),
    };
    actions.iter().map(choice).collect()
}

/// What is alike in every world the viewer may be in. It follows from what is
/// known alone, so that it cannot tell a secret: at Mafia's night the worlds
/// differ in who is awaited, and nobody is named.
struct Common {
    turn: BTreeSet<u8>,
    seconds: Option<u32>,
    score: Option<ScoreTold>,
    over: bool,
}

impl Common {
    fn of<G: Offered>(knowledge: &G::Knowledge, viewer: Viewer, is_asked: bool) -> Common {
        let own = viewer.seat().filter(|_| is_asked);
        // One that stands for all of them, or all of them.
        let (worlds, is_turn_open) = match G::outline(knowledge) {
            Some(Outline { state, is_turn_open }) => (vec![state], is_turn_open),
            None => (imagined::<G>(knowledge).collect(), true),
        };
        let mut turn = match is_turn_open {
            true => alike(worlds.iter().map(awaited::<G>)),
            false => alike(imagined::<G>(knowledge).map(|world| awaited::<G>(&world))),
        }
        .unwrap_or_default();
        // Its own moves a seat always knows.
        if let Some(seat) = viewer.seat() {
            turn.remove(&seat.0);
            turn.extend(own.map(|seat| seat.0));
        }
        let clock = |seat: Seat| match is_turn_open || own == Some(seat) {
            true => alike(worlds.iter().map(|world| G::clock(world, seat))).flatten(),
            false => alike(imagined::<G>(knowledge).map(|world| G::clock(&world, seat))).flatten(),
        };
        let seconds = own.or(turn.first().map(|seat| Seat(*seat))).and_then(clock);
        Common {
            seconds: seconds.map(|limit| limit.as_secs_f64().ceil() as u32),
            score: alike(worlds.iter().map(|world| standing(G::score(world)))),
            over: !worlds.is_empty()
                && worlds.iter().all(|world| G::awaiting(world) == Awaiting::Nobody),
            turn,
        }
    }
}

/// The worlds, each drawn when it is asked for.
fn imagined<G: Offered>(knowledge: &G::Knowledge) -> impl Iterator<Item = G::State> {
    let mut dice = Dice::new(&Seed::named(WORDS), G::NAME).stream("worlds");
    (0..WORLDS).map_while(move |_| G::world(knowledge, &mut dice))
}

fn awaited<G: Game>(state: &G::State) -> BTreeSet<u8> {
    match G::awaiting(state) {
        Awaiting::Seats { seats, .. } => seats.iter().map(|seat| seat.0).collect(),
        Awaiting::House { .. } | Awaiting::Nobody => BTreeSet::new(),
    }
}

fn standing(score: Score) -> ScoreTold {
    let winners = score.winners.iter().map(|seat| seat.0).collect();
    ScoreTold { points: score.points, winners, rounds: score.rounds }
}

/// The one thing they all say; none if they differ, and then the rest of them
/// are not asked.
fn alike<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_world_is_drawn_after_two_that_differ() {
        let mut drawn = 0;
        let worlds = |alike: u32| (0..WORLDS as u32).map(move |world| world.max(alike) - alike);
        let mut counted = |alike_until| {
            drawn = 0;
            (alike(worlds(alike_until).inspect(|_| drawn += 1)), drawn)
        };
        assert_eq!(counted(0), (None, 2));
        assert_eq!(counted(4), (None, 6));
        assert_eq!(counted(WORLDS as u32), (Some(0), WORLDS));
    }
}
