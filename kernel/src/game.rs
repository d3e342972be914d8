//! What a game is: one page, read it before anything else.
//!
//! ```text
//! Rules     the house rules of a table      Refusal    why not, as a code and a sentence
//! Action    what a seat may try             Event      what happened, in full
//! State     fold of Events (the truth)      Seen       what one viewer sees of an Event
//!                                           Knowledge  fold of Seen (a player's truth)
//! ```
//!
//! A game is pure: no clock, no I/O, no randomness but the dice. What a viewer
//! may know is decided by [`Game::see`] and nowhere else; everything that
//! leaves a table is made from `Seen` and `Knowledge`, which cannot name what
//! is hidden.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize as DeriveSerialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::dialect::schema_of;
use crate::dice::{Dice, Stream};
use crate::payload::payload_of;
use crate::seal::Seal;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::times::Times;

/// A refusal is a stable code for programs and a sentence for people.
pub trait Refuse: Debug + Display + Send + Sync {
    /// The code on the wire, such as `INVALID_CARD`.
    fn code(&self) -> &'static str;

    /// The precise reason, where the code is a coarse one.
    fn reason(&self) -> Option<&'static str> {
        None
    }

    /// Whether the same action might be fine at another moment: the state is
    /// against it, not the action itself.
    fn is_untimely(&self) -> bool {
        false
    }
}

/// Who sits in a seat, as the first event tells everyone.
#[derive(Clone, Debug, PartialEq, DeriveSerialize, Deserialize, JsonSchema)]
pub struct Sitting {
    /// `p1`, `p2`, … in seating order.
    pub player_id: String,
    /// The name the player goes by.
    pub name: String,
    /// The bot in this seat, by name; none for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

/// Everything a game is opened with. It is part of the first event, so a log
/// is enough to play the game again.
#[derive(Clone, Debug, PartialEq, DeriveSerialize, Deserialize)]
pub struct Opening<R> {
    /// The game's id; the dice depend on it.
    pub game_id: String,
    /// The house rules, in full.
    pub rules: R,
    /// Who sits where.
    pub seats: Arc<[Sitting]>,
    /// The sealed seed.
    pub seal: Seal,
}

impl<R> Opening<R> {
    /// The dice this game is played with.
    pub fn dice(&self) -> Dice {
        self.seal.dice(&self.game_id)
    }
}

/// What the house may be told to do with a game, by whoever runs it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveSerialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Order {
    /// End it before its time.
    CallOff {
        /// Why, for everyone to read.
        reason: String,
    },
    /// Let nobody act until it is resumed.
    Pause,
    /// Go on.
    Resume,
}

/// Whom a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaiting {
    /// These seats may act; `kind` names what is asked of them. No seat at
    /// all: the game is paused until the house is told to go on.
    Seats {
        /// Who.
        seats: SeatSet,
        /// What for, in the game's own words (`AWAITING_HAND_PLAY`).
        kind: &'static str,
    },
    /// Nobody: the house goes on by itself after a pause fit for people to
    /// see what happened. `kind` names the pause.
    House {
        /// What happens next, in the game's own words.
        kind: &'static str,
    },
    /// Nobody, ever: the game is over.
    Nobody,
}

impl Awaiting {
    /// Whether this seat may act now.
    pub fn includes(&self, seat: Seat) -> bool {
        matches!(self, Awaiting::Seats { seats, .. } if seats.contains(seat))
    }
}

/// The moves of a seat, in the order of [`Game::options`]. Who picks one by its
/// number has no need of the others, so they need not be laid out.
pub trait Moves<A>: Default {
    /// How many there are.
    fn count(&self) -> usize;

    /// The one with this number, from 0.
    fn nth(&self, number: usize) -> Option<A>;
}

impl<A: Clone> Moves<A> for Vec<A> {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn nth(&self, number: usize) -> Option<A> {
        self.get(number).cloned()
    }
}

/// A parlor game. The type itself is a name tag; its functions are the rules.
pub trait Game: Sized + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The name the game goes by everywhere: `koikoi`.
    const NAME: &'static str;
    /// The version of the event format, `v` in the envelope.
    const VERSION: u32;

    /// The house rules of one table.
    type Rules: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What a seat may try.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What happened, in full. Serialised adjacently tagged as `eventType` and `payload`.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// The table's truth.
    type State: Clone + Debug + PartialEq + Default + Send + Sync;
    /// What one viewer sees of an event. Serialised like `Event`.
    type Seen: Clone + Debug + PartialEq + Serialize + JsonSchema + Send + Sync;
    /// A viewer's truth.
    type Knowledge: Clone + Debug + PartialEq + Serialize + Send + Sync;
    /// Why an action is not taken.
    type Refusal: Refuse;
    /// The moves of one seat; a `Vec` of them where nothing shorter says it.
    type Moves: Moves<Self::Action>;

    /// How many seats these rules play with.
    fn seats(rules: &Self::Rules) -> RangeInclusive<usize>;

    /// The first step of a game: its first event carries the opening.
    fn open(opening: Opening<Self::Rules>, dice: &Dice, out: &mut Vec<Self::Event>);

    /// What an action makes happen, or why it is refused. Never both: on a
    /// refusal `out` is left as it was.
    fn decide(
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
        dice: &Dice,
        out: &mut Vec<Self::Event>,
    ) -> Result<(), Self::Refusal>;

    /// What the house does while [`Awaiting::House`]; nothing at other times.
    fn proceed(state: &Self::State, dice: &Dice, out: &mut Vec<Self::Event>);

    /// Folds one event into the truth. Total and deterministic: a log folds
    /// the same everywhere, forever.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// Whom the game waits for.
    fn awaiting(state: &Self::State) -> Awaiting;

    /// How long this seat may think about what it is asked now; none where
    /// no clock runs.
    fn clock(state: &Self::State, seat: Seat) -> Option<Duration>;

    /// What happens for a seat whose time is up: an action `decide` accepts,
    /// or none if the seat is not awaited.
    fn timeout(state: &Self::State, seat: Seat) -> Option<Self::Action>;

    /// What a viewer sees of an event. `state` is the truth just after it.
    /// The one function that decides what is hidden.
    fn see(state: &Self::State, event: &Self::Event, viewer: Viewer) -> Option<Self::Seen>;

    /// What everyone sees alike of an event; none where it depends on the
    /// viewer, or that is not worth telling. `see` says the same to each.
    #[inline]
    fn see_alike(_event: &Self::Event) -> Option<Self::Seen> {
        None
    }

    /// What a viewer knows before the first event.
    fn unaware(viewer: Viewer) -> Self::Knowledge;

    /// Folds what was seen into what is known.
    fn learn(knowledge: &mut Self::Knowledge, seen: &Self::Seen);

    /// The actions open to the seat that knows this, each in its plainest
    /// form; none if it has nothing to do. Exactly what `decide` accepts.
    fn options(knowledge: &Self::Knowledge, out: &mut Vec<Self::Action>);

    /// The same for this seat, read from the truth, in place of what `out`
    /// held: for games that are played out among players who do not look, and
    /// so need no views.
    fn moves(state: &Self::State, seat: Seat, out: &mut Self::Moves);

    /// What this seat may do beside its moves, awaited or not: leave, sit
    /// out, speak. Nobody waits for it, and bots are not asked.
    fn asides(_knowledge: &Self::Knowledge, _out: &mut Vec<Self::Action>) {}

    /// Seats that are never asked again, such as those of the dead: whoever
    /// plays games out in process need not keep their views.
    #[inline]
    fn retired(_state: &Self::State) -> SeatSet {
        SeatSet::EMPTY
    }

    /// Whether this leaves the question a seat is asked as it was: words
    /// before its move, a report about its agent. Its clock runs on.
    fn is_aside(_action: &Self::Action) -> bool {
        false
    }

    /// What an order to the house makes happen; nothing where the game does
    /// not know it, or cannot follow it now.
    fn obey(_state: &Self::State, _order: &Order, _out: &mut Vec<Self::Event>) {}

    /// Whether something of this game stays closed for good. The postmortem
    /// is then told what [`Game::see`] lets through, instead of being handed
    /// the log as it is stored.
    fn keeps_closed(_state: &Self::State) -> bool {
        false
    }

    /// A full truth that agrees with everything known: one of the worlds
    /// this viewer might be in, each equally likely as far as cards go.
    fn imagine(knowledge: &Self::Knowledge, dice: &mut Stream) -> Self::State;

    /// The opening inside the first event.
    fn opening(event: &Self::Event) -> Option<&Opening<Self::Rules>>;

    /// The name of the event, as `eventType` has it.
    fn event_type(event: &Self::Event) -> &'static str;

    /// Whether some viewer may not see all of this event.
    fn is_private(event: &Self::Event) -> bool;

    /// The payload as it is stored. Beside the event's own fields it may tell
    /// readers of a single line what follows from the game before it, such as
    /// names beside ids and times; reading it back ignores that. `state` is the
    /// truth just after the event.
    fn payload(_state: &Self::State, event: &Self::Event, _times: &Times) -> Box<RawValue> {
        payload_of(event)
    }

    /// The same for what a viewer sees, in the canonical envelope.
    fn payload_seen(
        _knowledge: &Self::Knowledge,
        seen: &Self::Seen,
        _times: &Times,
    ) -> Box<RawValue> {
        payload_of(seen)
    }

    /// The schema of what is seen, tagged, with all that `payload_seen` tells.
    fn schema_seen() -> Value {
        schema_of::<Self::Seen>()
    }

    /// Whether a client may send this. What an agent's keeper reports about
    /// its agent is an action too, but none for a wire.
    fn is_for_clients(_action: &Self::Action) -> bool {
        true
    }
}
