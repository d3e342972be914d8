//! Mafia as the house offers it.

use std::sync::Arc;

use parlor_kernel::{BotKind, Dialect, Offered, RulesError, RulesGuide, Score, SeatSet, plain};

use crate::circle::PlayerId;
use crate::game::Mafia;
use crate::role::Team;
use crate::rules::Rules;
use crate::state::State;
use crate::{bots, wire};

impl Offered for Mafia {
    const ABOUT: &'static str =
        "a town by day, its mafia by night: kill, protect, ask, argue and vote";
    const ROUND_NAME: &'static str = "days";

    /// Names tell nothing of who plays the seat.
    const NAMES: &'static [&'static str] = &[
        "Ada", "Boris", "Clara", "Dmitri", "Elsa", "Felix", "Greta", "Hugo", "Ines", "Jonas",
        "Kaya", "Leon", "Mira", "Nils", "Olga", "Pablo", "Quinn", "Rosa", "Stefan", "Tove",
    ];

    fn guide() -> RulesGuide<Rules> {
        Rules::guide()
    }

    fn check(rules: &Rules) -> Result<(), RulesError> {
        rules.check()
    }

    fn dialects() -> Vec<Arc<dyn Dialect<Mafia>>> {
        wire::dialects()
    }

    fn bots() -> Vec<BotKind<Mafia>> {
        bots::bots()
    }

    /// A point for everyone on the side that won, dead or alive.
    fn score(state: &State) -> Score {
        let everyone = state.rules().map(Rules::everyone).unwrap_or_default();
        let winner = winner(state);
        let has_won = |player: &PlayerId| Some(state.cast.role(*player).team()) == winner;
        Score {
            points: everyone.iter().map(|player| i64::from(has_won(&player))).collect(),
            winners: everyone.iter().filter(has_won).map(PlayerId::seat).collect::<SeatSet>(),
            rounds: state.board.day.into(),
        }
    }

    fn counts(state: &State) -> Vec<(&'static str, u64)> {
        vec![
            ("town_wins", u64::from(winner(state) == Some(Team::Town))),
            ("mafia_wins", u64::from(winner(state) == Some(Team::Mafia))),
            ("degraded", u64::from(!state.faults.degraded.is_empty())),
        ]
    }
}

plain!(Mafia: Written);

fn winner(state: &State) -> Option<Team> {
    state.board.ended.as_deref().and_then(|ended| ended.winner)
}
