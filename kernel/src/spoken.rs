//! A game in words, for people: at the terminal, in transcripts, in the
//! browser's table for any game. The defaults tell the plain data.

use crate::dice::Stream;
use crate::envelope::raw;
use crate::game::Game;
use crate::tagged::{event_type, payload_of};

/// What is alike in all worlds a viewer might be in.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline<S> {
    /// In every world the score, the viewer's own clock and whether the game is
    /// over are as in this state. What is secret in it says nothing.
    pub state: S,
    /// Whether whom the game awaits, and their clocks, are too. If not, worlds
    /// are imagined for it until two of them differ.
    pub is_turn_open: bool,
}

impl<S> Outline<S> {
    /// In every world everything is as in this state.
    pub const fn whole(state: S) -> Outline<S> {
        Outline { state, is_turn_open: true }
    }
}

/// A game in words.
pub trait Spoken: Game {
    /// One thing seen, told in a line; none if it is not worth a line.
    fn narrate(
        _before: &Self::Knowledge,
        seen: &Self::Seen,
        _after: &Self::Knowledge,
    ) -> Option<String> {
        Some(format!("{} {}", event_type(seen), payload_of(seen).get()))
    }

    /// The table as a viewer knows it, in a few lines of text.
    fn picture(knowledge: &Self::Knowledge) -> String {
        serde_json::to_string_pretty(knowledge).unwrap_or_default()
    }

    /// An action as it is put to the person who knows this, in a few words,
    /// with cards as [`Spoken::picture`] writes them: `bid 150`. Options of
    /// one moment differ in it.
    fn label(_knowledge: &Self::Knowledge, action: &Self::Action) -> String {
        raw(action).get().to_owned()
    }

    /// A world this viewer might be in, if the game can imagine one
    /// ([`Imagine`](crate::Imagine)). What is alike in many of them, such as
    /// whose turn it is, is told to those who do not know the game.
    fn world(_knowledge: &Self::Knowledge, _dice: &mut Stream) -> Option<Self::State> {
        None
    }

    /// One state that stands for all those worlds, if what is known says it: no
    /// world need then be imagined for whom the table waits and how it stands.
    /// The laws compare it to imagined ones.
    fn outline(_knowledge: &Self::Knowledge) -> Option<Outline<Self::State>> {
        None
    }

    /// What a person may enter now that no option says, in a sentence: options
    /// are only the plainest forms. None where they are all there is.
    fn typing(_knowledge: &Self::Knowledge) -> Option<String> {
        None
    }

    /// What a person means who enters this in place of an option's number;
    /// none if it means nothing. Whether it can be done is for `decide`.
    fn typed(_knowledge: &Self::Knowledge, _text: &str) -> Option<Self::Action> {
        None
    }
}
