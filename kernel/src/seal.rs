//! The seal on a game's seed: published as a commitment in the first event,
//! opened in the last, so that players can check that the deals were fixed
//! before the first card was played.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dice::{Dice, Seed, Stacked, hex, tagged_hash};

/// How the labels of rolls begin.
const ROLLS: &str = "roll/";

/// A seed with the salt that hides it and the commitment that binds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seal {
    seed: Seed,
    salt: Seed,
    commitment: String,
    #[serde(default, skip_serializing_if = "Stacked::is_empty")]
    stacked: Stacked,
    /// What the dice are keyed with in place of the game's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

/// What the last event shows: enough to recompute the commitment and every
/// draw of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeedOpening {
    /// The seed, as 64 hexadecimal digits.
    #[schemars(with = "String")]
    pub seed: Seed,
    /// The salt, as 64 hexadecimal digits.
    #[schemars(with = "String")]
    pub salt: Seed,
    /// What the dice were keyed with, where it was not the game's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

impl Seal {
    /// Seals a seed nobody can guess.
    pub fn fresh() -> Seal {
        Seal::new(Seed::fresh(), Seed::fresh(), Stacked::new())
    }

    /// Seals the seed that a name stands for; the salt follows from it too.
    pub fn named(name: &str) -> Seal {
        Seal::stacked(name, Stacked::new())
    }

    /// A named seal over a game some of whose shuffles are fixed.
    pub fn stacked(name: &str, stacked: Stacked) -> Seal {
        let seed = Seed::named(name);
        Seal::new(seed, named_salt(&seed), stacked)
    }

    /// A seal seen from outside: the commitment is known, what is inside is
    /// not. For imagined worlds; its dice are nobody's.
    pub fn closed(commitment: &str) -> Seal {
        let unknown = Seed::from_bytes([0; 32]);
        Seal {
            seed: unknown,
            salt: unknown,
            commitment: commitment.to_owned(),
            stacked: Stacked::new(),
            scope: None,
        }
    }

    fn new(seed: Seed, salt: Seed, stacked: Stacked) -> Seal {
        let commitment = commit(&seed, &salt);
        Seal { seed, salt, commitment, stacked, scope: None }
    }

    /// The same seal with dice that depend on `scope` in place of the game's
    /// id: two games with the same seed and scope are dealt alike.
    pub fn scoped(self, scope: &str) -> Seal {
        Seal { scope: Some(scope.to_owned()), ..self }
    }

    /// SHA-256 over salt and seed: safe to publish before the game.
    pub fn commitment(&self) -> &str {
        &self.commitment
    }

    /// Whether the commitment is the one that binds this seed and salt. A
    /// seal that was read may say anything.
    pub fn is_sound(&self) -> bool {
        self.open().opens(&self.commitment)
    }

    /// Whether some shuffles were given beforehand, not drawn.
    pub fn is_stacked(&self) -> bool {
        !self.stacked.is_empty()
    }

    /// Whether every deck that was given has every card once. What is given to
    /// a roll are faces, which may come often.
    pub fn gives_whole_decks(&self) -> bool {
        let decks = self.stacked.iter().filter(|(label, _)| !label.starts_with(ROLLS));
        decks.map(|(_, order)| order).all(|order| {
            let cards: BTreeSet<u16> = order.iter().copied().collect();
            cards.len() == order.len()
                && cards.last().is_none_or(|last| usize::from(*last) + 1 == order.len())
        })
    }

    /// Whether the seed is one that a name stands for, as far as the seal
    /// tells: its salt then follows from it.
    pub fn is_named(&self) -> bool {
        self.salt == named_salt(&self.seed)
    }

    /// What the dice are keyed with in place of the game's id, if anything is.
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// The dice that follow from the seed.
    pub fn dice(&self, game_id: &str) -> Dice {
        let scope = self.scope.as_deref().unwrap_or(game_id);
        Dice::stacked(&self.seed, scope, self.stacked.clone())
    }

    /// Opens the seal. Only the last event of a game may carry this.
    pub fn open(&self) -> SeedOpening {
        SeedOpening { seed: self.seed, salt: self.salt, scope: self.scope.clone() }
    }
}

impl SeedOpening {
    /// Whether this is what `commitment` was a commitment to.
    pub fn opens(&self, commitment: &str) -> bool {
        commit(&self.seed, &self.salt) == commitment
    }
}

fn named_salt(seed: &Seed) -> Seed {
    Seed::from_bytes(tagged_hash("parlor.salt.v1", &[seed.bytes()]))
}

fn commit(seed: &Seed, salt: &Seed) -> String {
    hex(&tagged_hash("parlor.seal.v1", &[salt.bytes(), seed.bytes()]))
}
