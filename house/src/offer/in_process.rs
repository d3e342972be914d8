//! A game without a server: simulated, played by a person, scripted, asked.

use parlor_kernel::{Offered, Opening};
use serde_json::Value;

use super::{GameInfo, OnOffer};
use crate::error::HouseError;
use crate::human::{Human, PlayedGame, play};
use crate::script::run_script;
use crate::sim::{SimReport, SimSpec, simulate};

/// A game as it is played in process.
pub trait InProcess: GameInfo {
    /// Plays many games among bots.
    fn simulate(
        &self,
        spec: &SimSpec,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SimReport, HouseError>;
    /// Plays one game: the seat without a bot asks this person.
    fn play(
        &self,
        opening: Opening<Value>,
        person: &mut dyn Human,
    ) -> Result<PlayedGame, HouseError>;
    /// Plays a scenario.
    fn script(&self, script: &Value) -> Result<Value, HouseError>;
    /// Answers one question about the rules.
    fn ask(&self, question: &str, input: &Value) -> Result<Value, HouseError>;
}

impl<G: Offered> InProcess for OnOffer<G> {
    fn simulate(
        &self,
        spec: &SimSpec,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SimReport, HouseError> {
        simulate::<G>(spec, progress)
    }

    fn play(
        &self,
        opening: Opening<Value>,
        person: &mut dyn Human,
    ) -> Result<PlayedGame, HouseError> {
        play::<G>(opening, person)
    }

    fn script(&self, script: &Value) -> Result<Value, HouseError> {
        run_script::<G>(script)
    }

    fn ask(&self, question: &str, input: &Value) -> Result<Value, HouseError> {
        Ok(G::ask(question, input)?)
    }
}
