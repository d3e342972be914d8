//! A game as tables play it: opened, resumed, spoken with clients.

use parlor_kernel::{
    AnswerNotice, ClientMessage, Envelope, ErrorNotice, EventSchema, MessageError, Offered,
    Opening, Presence, RefusalNotice, Seal, Seat,
};
use serde_json::Value;

use super::{GameInfo, OnOffer, typed_opening};
use crate::agents::Agents;
use crate::error::HouseError;
use crate::playing::{Act, Match, Playing, Proposal, Refusal};

/// A game as tables play it.
pub trait AtTables: GameInfo {
    /// Opens a game: its first step is proposed.
    fn open(
        &self,
        opening: Opening<Value>,
        agents: &Agents,
        now: u64,
    ) -> Result<(Box<dyn Playing>, Proposal), HouseError>;
    /// Folds a game back from its log.
    fn resume(&self, log: &[Envelope], agents: &Agents) -> Result<Box<dyn Playing>, HouseError>;
    /// The dialect of this name, if it is spoken in it.
    fn speaks(&self, dialect: &str) -> Result<&'static str, HouseError>;
    /// The schemas of a dialect.
    fn schemas(&self, dialect: &str) -> Result<Vec<EventSchema>, HouseError>;
    /// Understands a client's message in a dialect.
    fn hear(&self, dialect: &str, message: &[u8]) -> Result<ClientMessage<Act>, MessageError>;
    /// Why this message, which is a move, is refused at a table whose game has
    /// not begun; none if it is no move.
    fn too_early(&self, dialect: &str, seat: Seat, message: &[u8]) -> Option<Refusal>;
    /// A refusal in a dialect.
    fn refusal(&self, dialect: &str, notice: &RefusalNotice) -> Option<String>;
    /// What the server does not take, in a dialect that has words for it.
    fn error(&self, dialect: &str, notice: &ErrorNotice) -> Option<String>;
    /// What came of a command under a key, in a dialect that has words for it.
    fn answer(&self, dialect: &str, notice: &AnswerNotice) -> Option<String>;
    /// A coming or going in a dialect.
    fn presence(&self, dialect: &str, presence: &Presence) -> Option<String>;
}

impl<G: Offered> AtTables for OnOffer<G> {
    fn open(
        &self,
        opening: Opening<Value>,
        agents: &Agents,
        now: u64,
    ) -> Result<(Box<dyn Playing>, Proposal), HouseError> {
        let (table, proposal) = Match::<G>::open(typed_opening::<G>(opening)?, agents, now);
        if let Some(absent) = table.absent() {
            return Err(HouseError::Absent(absent));
        }
        Ok((Box::new(table), proposal))
    }

    fn resume(&self, log: &[Envelope], agents: &Agents) -> Result<Box<dyn Playing>, HouseError> {
        Ok(Box::new(Match::<G>::resume(log, agents)?))
    }

    fn speaks(&self, dialect: &str) -> Result<&'static str, HouseError> {
        self.dialect(dialect).map(|spoken| spoken.name())
    }

    fn schemas(&self, dialect: &str) -> Result<Vec<EventSchema>, HouseError> {
        Ok(self.dialect(dialect)?.schemas())
    }

    fn hear(&self, dialect: &str, message: &[u8]) -> Result<ClientMessage<Act>, MessageError> {
        let spoken =
            self.dialect(dialect).map_err(|error| MessageError::Malformed(error.to_string()))?;
        Ok(match spoken.hear(message)? {
            ClientMessage::Act(action) => ClientMessage::Act(Act::new(action)),
            ClientMessage::Acknowledge { position } => ClientMessage::Acknowledge { position },
            ClientMessage::Join { player_id, token, after } => {
                ClientMessage::Join { player_id, token, after }
            }
        })
    }

    fn too_early(&self, dialect: &str, seat: Seat, message: &[u8]) -> Option<Refusal> {
        let Ok(ClientMessage::Act(action)) = self.dialect(dialect).ok()?.hear(message) else {
            return None;
        };
        let (unopened, dice) = (G::State::default(), Seal::named("").dice(""));
        let decided = G::decide(&unopened, seat, &action, &dice, &mut Vec::new());
        decided.err().map(|refusal| Refusal::by(&refusal))
    }

    fn refusal(&self, dialect: &str, notice: &RefusalNotice) -> Option<String> {
        Some(self.dialect(dialect).ok()?.refusal(notice))
    }

    fn error(&self, dialect: &str, notice: &ErrorNotice) -> Option<String> {
        self.dialect(dialect).ok()?.error(notice)
    }

    fn answer(&self, dialect: &str, notice: &AnswerNotice) -> Option<String> {
        self.dialect(dialect).ok()?.answer(notice)
    }

    fn presence(&self, dialect: &str, presence: &Presence) -> Option<String> {
        Some(self.dialect(dialect).ok()?.presence(presence))
    }
}
