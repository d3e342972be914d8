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
//!
//! This is what every game must say. What only some need has small traits of
//! its own, whose functions all have defaults: [`Hosted`](crate::Hosted) for
//! tables, [`Told`](crate::Told) for wires, [`Quick`](crate::Quick) for speed,
//! and the parts of [`Offered`](crate::Offered).

use std::fmt::Debug;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::awaiting::Awaiting;
use crate::dice::Dice;
use crate::opened::Opened;
use crate::opening::Opening;
use crate::refusal::Refuse;
use crate::seat::{Seat, Viewer};

/// A parlor game. The type itself is a name tag; its functions are the rules.
pub trait Game: Sized + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The name the game goes by everywhere: `koikoi`.
    const NAME: &'static str;
    /// The version of the event format, `v` in the envelope.
    const VERSION: u32;

    /// The house rules of one table.
    type Rules: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What a seat may try. Its schema leaves out what no client may send.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send + Sync;
    /// What happened, in full. Serialised adjacently tagged as `eventType` and `payload`.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// The table's truth.
    type State: Clone + Debug + PartialEq + Default + Send + Sync;
    /// What one viewer sees of an event. Serialised like `Event`.
    type Seen: Clone + Debug + PartialEq + Serialize + JsonSchema + Send + Sync;
    /// A viewer's truth.
    type Knowledge: Clone + Debug + PartialEq + Serialize + JsonSchema + Send + Sync;
    /// Why an action is not taken.
    type Refusal: Refuse;

    /// How many seats these rules play with.
    fn seats(rules: &Self::Rules) -> RangeInclusive<usize>;

    /// The first step of a game: its first event carries the opening.
    fn open(opening: Opening<Self::Rules>, dice: &Dice, out: &mut Vec<Self::Event>);

    /// What the truth keeps of its opening; none before the first event.
    fn opened(state: &Self::State) -> Option<&Opened<Self::Rules>>;

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
    fn proceed(_state: &Self::State, _dice: &Dice, _out: &mut Vec<Self::Event>) {}

    /// Folds one event into the truth. Total and deterministic: a log folds
    /// the same everywhere, forever.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// Whom the game waits for.
    fn awaiting(state: &Self::State) -> Awaiting;

    /// What a viewer sees of an event. `state` is the truth just after it.
    /// The one function that decides what is hidden.
    fn see(state: &Self::State, event: &Self::Event, viewer: Viewer) -> Option<Self::Seen>;

    /// What a viewer knows before the first event.
    fn unaware(viewer: Viewer) -> Self::Knowledge;

    /// Folds what was seen into what is known.
    fn learn(knowledge: &mut Self::Knowledge, seen: &Self::Seen);

    /// The actions open to the seat that knows this, each in its plainest
    /// form; none if it has nothing to do. Exactly what `decide` accepts.
    fn options(knowledge: &Self::Knowledge, out: &mut Vec<Self::Action>);
}

/// Takes the defaults of traits a game has nothing to add to:
/// `plain!(Dice: Told, Quick);`
#[macro_export]
macro_rules! plain {
    ($game:ty: $($part:ident),+ $(,)?) => {
        $(impl $crate::$part for $game {})+
    };
}
