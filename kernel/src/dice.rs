//! Labelled dice: the only randomness a game ever meets.
//!
//! Every purpose has its own stream, keyed from the game's 256-bit seed, its
//! id and a label (`deal/3`, `vote-tie/1/1`), so that a new draw somewhere
//! never shifts another. The streams are frozen: a game played today must
//! re-execute to the same cards in ten years. Test vectors hold them still.
//!
//! * key = SHA-256(`"parlor.dice.v1\0"` ‖ seed ‖ len(game id) as u32 LE ‖ game id ‖ label)
//! * stream = ChaCha20 (RFC 8439), nonce 0, counter 0, read as u32 LE
//! * `below(n)`: multiply–shift with rejection (Lemire), so every value is equally likely
//! * `shuffle`: Fisher–Yates from the last index down
//! * `roll`: one more than `below(faces)`, for each die in turn

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The 256 bits a whole game follows from. A secret until the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed([u8; 32]);

/// The text is not a seed written as 64 hexadecimal digits.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("a seed is written as 64 hexadecimal digits")]
pub struct SeedError;

impl Seed {
    /// A seed nobody can guess, from the operating system.
    pub fn fresh() -> Seed {
        let mut bytes = [0; 32];
        // The operating system's generator fails only where the platform has
        // none; a server that cannot draw a secret seed must not deal cards.
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        Seed(bytes)
    }

    /// The seed a human-readable name stands for, for tests and simulations.
    pub fn named(name: &str) -> Seed {
        Seed(tagged_hash("parlor.seed.v1", &[name.as_bytes()]))
    }

    /// The seed with exactly these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// The seed's bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Never prints the seed: a log line must not give a game away.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

impl Serialize for Seed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        unhex(text).map(Seed).ok_or(SeedError)
    }
}

pub(crate) fn tagged_hash(tag: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(tag.as_bytes());
    hasher.update([0]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

pub(crate) fn hex(bytes: &[u8; 32]) -> String {
    base16ct::lower::encode_string(bytes)
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let written = base16ct::mixed::decode(text, &mut bytes).ok()?.len();
    (written == bytes.len()).then_some(bytes)
}

/// Shuffles and rolls whose outcome is fixed beforehand, by label. Of a shuffle,
/// element `i` of the result is element `order[i]` of what was to be shuffled;
/// of a roll, the faces themselves are given, from 1. For scripts and tests; a
/// stacked game says so in its first event.
pub type Stacked = BTreeMap<String, Vec<u16>>;

/// All the streams of one game.
#[derive(Clone)]
pub struct Dice {
    keyed: Sha256,
    stacked: Stacked,
    watched: Option<Drawn>,
}

/// What was drawn from watched dice, in order.
pub(crate) type Drawn = Arc<Mutex<Vec<Draw>>>;

/// One use of a label. The laws look at these, and stack them otherwise.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draw {
    pub(crate) label: String,
    /// The outcome as [`Stacked`] has it; empty for a bare stream.
    pub(crate) outcome: Vec<u16>,
    /// How many faces the dice of a roll have; 0 if it was no roll.
    pub(crate) faces: u8,
}

impl Dice {
    /// The dice of the game `game_id`, played from `seed`.
    pub fn new(seed: &Seed, game_id: &str) -> Dice {
        Dice::stacked(seed, game_id, Stacked::new())
    }

    /// Dice some of whose shuffles and rolls are fixed beforehand.
    pub fn stacked(seed: &Seed, game_id: &str, stacked: Stacked) -> Dice {
        let mut keyed = Sha256::new();
        keyed.update(b"parlor.dice.v1\0");
        keyed.update(seed.0);
        keyed.update((game_id.len() as u32).to_le_bytes());
        keyed.update(game_id.as_bytes());
        Dice { keyed, stacked, watched: None }
    }

    /// The stream for one purpose. The same label gives the same stream again.
    pub fn stream(&self, label: impl fmt::Display) -> Stream {
        self.note(&label, 0, Vec::new);
        self.keyed_by(label)
    }

    /// Shuffles with the stream of `label`, or as stacked for that label.
    pub fn shuffle<T: Clone>(&self, label: impl fmt::Display, items: &mut [T]) {
        if let Some(order) = self.given(&label, items.len()) {
            self.note(&label, 0, || order.clone());
            return put_in_order(items, order);
        }
        if self.watched.is_some() {
            let mut order: Vec<u16> = (0..items.len() as u16).collect();
            self.keyed_by(&label).shuffle(&mut order);
            put_in_order(items, &order);
            return self.note(&label, 0, || order);
        }
        self.keyed_by(label).shuffle(items);
    }

    /// Rolls so many dice, whose faces count from 1, with the stream of
    /// `label`, or as stacked for that label.
    pub fn roll(&self, label: impl fmt::Display, faces: u8, count: usize) -> Vec<u8> {
        let on_a_die = |face: &&u16| (1..=u16::from(faces)).contains(*face);
        let given = self.given(&label, count).filter(|given| given.iter().all(|f| on_a_die(&f)));
        let rolled: Vec<u8> = match given {
            Some(given) => given.iter().map(|face| *face as u8).collect(),
            None => {
                let mut stream = self.keyed_by(&label);
                (0..count).map(|_| stream.below(faces.into()) as u8 + 1).collect()
            }
        };
        self.note(&label, faces, || rolled.iter().map(|face| u16::from(*face)).collect());
        rolled
    }

    /// The same dice with one more outcome fixed.
    pub(crate) fn with(&self, label: &str, outcome: Vec<u16>) -> Dice {
        let mut stacked = self.stacked.clone();
        stacked.insert(label.to_owned(), outcome);
        Dice { keyed: self.keyed.clone(), stacked, watched: None }
    }

    /// The same dice, and the list in which they note what is drawn from them.
    pub(crate) fn watched(&self) -> (Dice, Drawn) {
        let drawn = Drawn::default();
        (Dice { watched: Some(Arc::clone(&drawn)), ..self.clone() }, drawn)
    }

    fn keyed_by(&self, label: impl fmt::Display) -> Stream {
        use fmt::Write;
        let mut key = Keying(self.keyed.clone());
        // Hashing takes any text; a label is plain text that writes itself.
        write!(key, "{label}").expect("a label is text");
        Stream::keyed(key.0.finalize().into())
    }

    fn given(&self, label: &impl fmt::Display, count: usize) -> Option<&Vec<u16>> {
        if self.stacked.is_empty() {
            return None;
        }
        self.stacked.get(&label.to_string()).filter(|given| given.len() == count)
    }

    fn note(&self, label: &impl fmt::Display, faces: u8, outcome: impl FnOnce() -> Vec<u16>) {
        if let Some(drawn) = &self.watched {
            let draw = Draw { label: label.to_string(), outcome: outcome(), faces };
            drawn.lock().unwrap_or_else(PoisonError::into_inner).push(draw);
        }
    }
}

fn put_in_order<T: Clone>(items: &mut [T], order: &[u16]) {
    let before = items.to_vec();
    for (item, from) in items.iter_mut().zip(order) {
        if let Some(put) = before.get(usize::from(*from)) {
            *item = put.clone();
        }
    }
}

/// A key that takes in the text written to it.
struct Keying(Sha256);

impl fmt::Write for Keying {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

const BUFFERED: usize = 256;

/// One stream of random numbers.
pub struct Stream {
    cipher: ChaCha20,
    buffer: [u8; BUFFERED],
    used: usize,
}

impl Stream {
    fn keyed(key: [u8; 32]) -> Stream {
        Stream {
            cipher: ChaCha20::new(&key.into(), &[0; 12].into()),
            buffer: [0; BUFFERED],
            used: BUFFERED,
        }
    }

    /// Kept apart so that drawing, which mostly reads the buffer, is inlined.
    #[cold]
    fn refill(&mut self) {
        self.cipher.write_keystream(&mut self.buffer);
        self.used = 0;
    }

    /// The next 32 bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.used == BUFFERED {
            self.refill();
        }
        let word = &self.buffer[self.used..self.used + 4];
        self.used += 4;
        u32::from_le_bytes([word[0], word[1], word[2], word[3]])
    }

    /// A number below `bound`, each equally likely. Below 0 or 1 there is
    /// only 0, and nothing is drawn.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let mut wide = u64::from(self.next_u32()) * u64::from(bound);
        if (wide as u32) < bound {
            let refused = bound.wrapping_neg() % bound;
            while (wide as u32) < refused {
                wide = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (wide >> 32) as u32
    }

    /// One of the items, each equally likely; none if there are none.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Shuffles in place.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(stacked: Stacked) -> Dice {
        Dice::stacked(&Seed::named("rolls"), "game", stacked)
    }

    #[test]
    fn a_roll_is_drawn_or_as_given_and_a_roll_that_does_not_fit_is_not_taken() {
        let drawn = dice(Stacked::new()).roll("roll/1", 6, 5);
        assert_eq!(drawn, [4, 6, 1, 6, 3], "frozen");
        let given = |faces: &[u16]| dice([("roll/1".to_owned(), faces.to_vec())].into());
        assert_eq!(given(&[6, 1, 1, 2, 3]).roll("roll/1", 6, 5), [6, 1, 1, 2, 3]);
        assert_eq!(given(&[7, 1, 1, 2, 3]).roll("roll/1", 6, 5), drawn, "no die has a seven");
        assert_eq!(given(&[1, 1]).roll("roll/1", 6, 5), drawn, "there are five dice");
    }

    #[test]
    fn watched_dice_fall_alike_and_can_be_stacked_from_what_they_note() {
        let plain = dice(Stacked::new());
        let (watched, drawn) = plain.watched();
        let shuffled = |dice: &Dice| {
            let mut cards = *b"abcdefgh";
            dice.shuffle("deal/1", &mut cards);
            cards
        };
        assert_eq!(shuffled(&watched), shuffled(&plain));
        assert_eq!(watched.roll("roll/1", 6, 9), plain.roll("roll/1", 6, 9));
        let drawn = drawn.lock().unwrap().clone();
        let again = plain.with("deal/1", drawn[0].outcome.clone());
        assert_eq!(shuffled(&again), shuffled(&plain));
        assert_eq!(drawn[1].label, "roll/1");
        assert_eq!(drawn[1].faces, 6);
    }
}
