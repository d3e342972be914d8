//! The report as a table for a terminal.

use std::fmt::Write;

use crate::arena::rate::Measured;
use crate::arena::report::{AgentReport, Report};

impl Report {
    /// The report as lines of text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let Report { game, game_version, parlor, date, games, seeds, seed, elapsed_s, .. } = self;
        writeln!(
            text,
            "{game} {game_version}, parlor {parlor}, {date}; rules {}",
            self.rules_named
        )?;
        writeln!(
            text,
            "{games} games on {seeds} seeds from '{seed}' in {elapsed_s:.2} s; {} degraded, {} too \
             little played and {} called off",
            self.degraded, self.unplayed, self.called_off
        )?;
        writeln!(text, "rank  agent         score   95 % interval     town    mafia   plays as")?;
        let mut agents: Vec<&AgentReport> = self.agents.iter().collect();
        // The sort is stable: equals stay in the order of their names.
        agents.sort_by_key(|agent| agent.standing.rank.unwrap_or(u32::MAX));
        for agent in &agents {
            let rank = agent.standing.rank.map_or("–".to_owned(), |rank| rank.to_string());
            let [town, mafia] =
                [0, 1].map(|side| share(agent.sides.get(side).and_then(|group| group.wins.rate)));
            let score = share(agent.standing.score);
            let interval = agent
                .standing
                .ci95
                .map_or("–".to_owned(), |[low, high]| format!("[{low:.4}, {high:.4}]"));
            let plays = agent.plays.told();
            let why = agent.standing.unranked.as_deref();
            let why = why.map(|why| format!("; unranked: it {why}")).unwrap_or_default();
            writeln!(
                text,
                "{rank:<5} {:<13} {score:<7} {interval:<17} {town:<7} {mafia:<7} {plays}{why}",
                agent.agent
            )?;
        }
        writeln!(text, "agent         as          seats   wins  rate    95 % interval")?;
        for agent in &agents {
            for group in &agent.roles {
                measured(text, agent, group.group, &group.wins, "")?;
            }
        }
        writeln!(text, "agent         day         votes   hits  rate    95 % interval     chance")?;
        for agent in &agents {
            for day in &agent.votes {
                let chance = format!("  {}", share(day.chance));
                measured(text, agent, &day.day.to_string(), &day.hits, &chance)?;
            }
        }
        writeln!(
            text,
            "agent         decisions  fallbacks  invalid  cut off  requests  ms a decision"
        )?;
        for agent in &agents {
            let latency = agent.mean_latency_ms.map_or("–".to_owned(), |ms| format!("{ms:.0}"));
            writeln!(
                text,
                "{:<13} {:>9} {:>10} {:>8} {:>8} {:>9} {latency:>14}",
                agent.agent,
                agent.decisions,
                share(agent.fallback_rate),
                share(agent.invalid_rate),
                agent.cut_off,
                agent.requests,
            )?;
        }
        writeln!(text, "agent         tokens read  cached  written  reasoning  estimated  cost")?;
        for agent in &agents {
            let (about, cost) = match (agent.estimated_tokens > 0, agent.cost_usd) {
                (_, None) => ("", "unknown".to_owned()),
                (is_estimate, Some(cost)) => {
                    (if is_estimate { "about " } else { "" }, format!("${cost:.4}"))
                }
            };
            writeln!(
                text,
                "{:<13} {:>11} {:>7} {:>8} {:>10} {:>10}  {about}{cost}",
                agent.agent,
                agent.prompt_tokens,
                agent.cached_tokens,
                agent.completion_tokens,
                agent.reasoning_tokens,
                agent.estimated_tokens,
            )?;
        }
        Ok(())
    }
}

fn share(rate: Option<f64>) -> String {
    rate.map_or("–".to_owned(), |rate| format!("{rate:.4}"))
}

fn measured(
    text: &mut String,
    agent: &AgentReport,
    group: &str,
    it: &Measured,
    more: &str,
) -> std::fmt::Result {
    let (Some(rate), Some([low, high])) = (it.rate, it.ci95) else { return Ok(()) };
    writeln!(
        text,
        "{:<13} {group:<9} {:>7} {:>6}  {rate:.4}  [{low:.4}, {high:.4}]{more}",
        agent.agent, it.n, it.hits
    )
}
