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

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

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
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [0; 64];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    String::from_utf8_lossy(&digits).into_owned()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = (pair[0] as char).to_digit(16)?;
        let low = (pair[1] as char).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(bytes)
}

/// Shuffles whose outcome is fixed beforehand, by label: element `i` of the
/// result is element `order[i]` of what was to be shuffled. For scripts and
/// tests; a stacked game says so in its first event.
pub type Stacked = BTreeMap<String, Vec<u16>>;

/// All the streams of one game.
#[derive(Clone)]
pub struct Dice {
    keyed: Sha256,
    stacked: Stacked,
}

impl Dice {
    /// The dice of the game `game_id`, played from `seed`.
    pub fn new(seed: &Seed, game_id: &str) -> Dice {
        Dice::stacked(seed, game_id, Stacked::new())
    }

    /// Dice some of whose shuffles are fixed beforehand.
    pub fn stacked(seed: &Seed, game_id: &str, stacked: Stacked) -> Dice {
        let mut keyed = Sha256::new();
        keyed.update(b"parlor.dice.v1\0");
        keyed.update(seed.0);
        keyed.update((game_id.len() as u32).to_le_bytes());
        keyed.update(game_id.as_bytes());
        Dice { keyed, stacked }
    }

    /// The stream for one purpose. The same label gives the same stream again.
    pub fn stream(&self, label: impl fmt::Display) -> Stream {
        use fmt::Write;
        let mut key = Keying(self.keyed.clone());
        // Hashing takes any text; a label is plain text that writes itself.
        write!(key, "{label}").expect("a label is text");
        Stream::keyed(key.0.finalize().into())
    }

    /// Shuffles with the stream of `label`, or as stacked for that label.
    pub fn shuffle<T: Clone>(&self, label: impl fmt::Display, items: &mut [T]) {
        if !self.stacked.is_empty()
            && let Some(order) = self.stacked.get(&label.to_string())
            && order.len() == items.len()
        {
            let before = items.to_vec();
            for (item, from) in items.iter_mut().zip(order) {
                if let Some(put) = before.get(usize::from(*from)) {
                    *item = put.clone();
                }
            }
            return;
        }
        self.stream(label).shuffle(items);
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
