//! The seal on a game's seed: published as a commitment in the first event,
//! opened in the last, so that players can check that the deals were fixed
//! before the first card was played.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dice::{Dice, Seed, Stacked, hex, tagged_hash};

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
        let salt = Seed::from_bytes(tagged_hash("parlor.salt.v1", &[seed.bytes()]));
        Seal::new(seed, salt, stacked)
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

fn commit(seed: &Seed, salt: &Seed) -> String {
    hex(&tagged_hash("parlor.seal.v1", &[salt.bytes(), seed.bytes()]))
}
