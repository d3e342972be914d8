//! Who did best: agents in order, if they played themselves.

use serde::Serialize;

use crate::arena::rate::Measured;
use crate::arena::report::AgentReport;

/// An agent that fell back in a greater share of its decisions has no rank: it
/// is not known who played.
pub const MOST_FALLBACKS: f64 = 0.25;

/// Where an agent stands among the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// From 1; none if it has no rank.
    pub rank: Option<u32>,
    /// Wins on both sides: the mean of the rate with the town and the rate
    /// with the mafia, whatever the rules make easier.
    pub score: Option<f64>,
    /// The 95 % interval of the score.
    pub ci95: Option<[f64; 2]>,
    /// Why it has no rank.
    pub unranked: Option<String>,
}

impl Standing {
    fn of(agent: &AgentReport) -> Standing {
        let unranked = |why: String| Standing { unranked: Some(why), ..Standing::default() };
        if let Some(share) = agent.fallback_rate.filter(|share| *share > MOST_FALLBACKS) {
            let percent = (share * 100.0).round();
            return unranked(format!("fell back in {percent} % of its decisions"));
        }
        let [Some((town, [t_low, t_high])), Some((mafia, [m_low, m_high]))] =
            [0, 1].map(|side| agent.sides.get(side).and_then(|group| known(&group.wins)))
        else {
            return unranked("played no game that counts on both sides".to_owned());
        };
        let score = (town + mafia) / 2.0;
        // Two independent halves: their squares add up.
        let low = (town - t_low).hypot(mafia - m_low) / 2.0;
        let high = (t_high - town).hypot(m_high - mafia) / 2.0;
        let ci95 = Some([(score - low).max(0.0), (score + high).min(1.0)]);
        Standing { rank: None, score: Some(score), ci95, unranked: None }
    }
}

fn known(wins: &Measured) -> Option<(f64, [f64; 2])> {
    wins.rate.zip(wins.ci95)
}

/// Ranks the agents; those with one score share one rank.
pub fn rank(agents: &mut [AgentReport]) {
    for agent in &mut *agents {
        agent.standing = Standing::of(agent);
    }
    let scores: Vec<f64> = agents.iter().filter_map(|agent| agent.standing.score).collect();
    for agent in agents {
        let better = |own: f64| scores.iter().filter(|score| **score > own).count() as u32 + 1;
        agent.standing.rank = agent.standing.score.map(better);
    }
}
