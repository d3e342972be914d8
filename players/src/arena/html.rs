//! The report as a page of its own: tables and plots, nothing to fetch.

use std::fmt::Write;

use crate::arena::plot::{Dot, PlotLine, dots, escaped, lines};
use crate::arena::rate::Measured;
use crate::arena::report::{AgentReport, Group, PlaysAs, Report};

const STYLE: &str = "\
:root{--ink:#1c1b1a;--paper:#fbfaf8;--faint:#d9d5cf;--soft:#6d6862}
@media(prefers-color-scheme:dark){:root{--ink:#ece8e1;--paper:#191817;--faint:#3b3834;--soft:#a09a91}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
th,td{text-align:right;padding:.3rem .6rem;border-bottom:1px solid var(--faint);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
th{color:var(--soft);font-weight:600}p.note{color:var(--soft)}
svg{width:100%;height:auto;font-size:13px}svg text{fill:var(--ink)}
svg .tick{fill:var(--soft);font-size:12px}.grid{stroke:var(--faint)}
.bar{stroke-width:3;opacity:.45}.line{fill:none;stroke-width:2}.dashed{stroke-dasharray:5 4;opacity:.7}
.c0{stroke:#2f6fb0}.c1{stroke:#c4572b}.c2{stroke:#3f8f55}.c3{stroke:#8a58b5}.c4{stroke:#b58a1e}.c5{stroke:#3c9aa0}
.dot.c0{fill:#2f6fb0}.dot.c1{fill:#c4572b}.dot.c2{fill:#3f8f55}.dot.c3{fill:#8a58b5}.dot.c4{fill:#b58a1e}.dot.c5{fill:#3c9aa0}";

impl Report {
    /// The report as one HTML file.
    pub fn html(&self) -> String {
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>Parlor: an arena of Mafia</title><style>{STYLE}</style></head><body>\
             <h1>An arena of Mafia</h1>"
        );
        self.summary(&mut page);
        self.standing(&mut page);
        self.wins(&mut page);
        self.votes(&mut page);
        self.work(&mut page);
        page += "</body></html>\n";
        page
    }

    fn summary(&self, page: &mut String) {
        let names: Vec<String> = self.agents.iter().map(|it| escaped(&it.agent)).collect();
        let _ = write!(
            page,
            "<p>{} played {} games of {} seats on {} seeds (from '{}'), every agent in every seat \
             once for each seed. The town won {}.</p>\
             <p class=\"note\">{} {}, Parlor {}, {}. Rules: {}. The log of every game lies beside \
             this page, in <code>games</code>; report.json says which is which.</p>",
            names.join(", "),
            self.games,
            self.rules.players,
            self.seeds,
            escaped(&self.seed),
            told(&self.town_wins),
            self.game,
            self.game_version,
            self.parlor,
            self.date,
            escaped(&self.rules_named),
        );
        if self.degraded + self.called_off + self.unplayed > 0 {
            let _ = write!(
                page,
                "<p class=\"note\">A result counts as far as it was played: by the share of the \
                 seat's decisions, and of all at the table, that were no fallbacks. In {} games \
                 some seat fell back to the end. {} games of which less than half was played and \
                 {} games called off are in no rate of wins or votes.</p>",
                self.degraded, self.unplayed, self.called_off
            );
        }
        *page += "<p class=\"note\">Intervals are 95 %. Seats of one game, and games with one \
                  seed, hang together; the intervals allow for it.</p>";
    }

    fn standing(&self, page: &mut String) {
        *page += "<h2>Who did best</h2><p class=\"note\">The score is the mean of the win rates \
                  with the town and with the mafia. Ranks whose intervals overlap mean little. Who \
                  fell back in more than a quarter of its decisions has none.</p>\
                  <div class=\"wide\"><table><tr><th>agent</th><th>plays as</th><th>endpoint</th>\
                  <th>rank</th><th>score</th><th>95 %</th><th></th></tr>";
        let mut agents: Vec<&AgentReport> = self.agents.iter().collect();
        agents.sort_by_key(|agent| agent.standing.rank.unwrap_or(u32::MAX));
        for agent in agents {
            let standing = &agent.standing;
            let endpoint = match &agent.plays {
                PlaysAs::Bot => "",
                PlaysAs::Model { endpoint, .. } => endpoint,
            };
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td></tr>",
                escaped(&agent.agent),
                escaped(&agent.plays.told()),
                escaped(endpoint),
                standing.rank.map_or("–".to_owned(), |rank| rank.to_string()),
                number(standing.score, 3),
                interval(standing.ci95),
                standing.unranked.as_deref().unwrap_or_default(),
            );
        }
        *page += "</table></div>";
    }

    fn wins(&self, page: &mut String) {
        *page += "<h2>Wins by side and role</h2>";
        let mut side_dots = Vec::new();
        let mut role_dots = Vec::new();
        for (colour, agent) in self.agents.iter().enumerate() {
            side_dots.extend(agent.sides.iter().filter_map(|group| dot(agent, group, colour)));
            role_dots.extend(agent.roles.iter().filter_map(|group| dot(agent, group, colour)));
        }
        *page += &dots("Win rate by side", &side_dots);
        *page += &dots("Win rate by role", &role_dots);
        *page += "<div class=\"wide\"><table><tr><th>agent</th><th>as</th><th>seats</th>\
                  <th>wins</th><th>rate</th><th>95 %</th></tr>";
        for agent in &self.agents {
            for group in agent.sides.iter().chain(&agent.roles) {
                let _ = write!(
                    page,
                    "<tr><td>{}</td><td>{}</td>{}</tr>",
                    escaped(&agent.agent),
                    group.group,
                    cells(&group.wins)
                );
            }
        }
        *page += "</table></div>";
    }

    fn votes(&self, page: &mut String) {
        *page += "<h2>How well the town votes</h2><p class=\"note\">Votes of the town's side \
                  against someone: how many hit mafia, and how many blind votes would have.</p>";
        let mut drawn = Vec::new();
        for (colour, agent) in self.agents.iter().enumerate() {
            let points = |rate: &dyn Fn(usize) -> Option<(f64, Option<[f64; 2]>)>| {
                let point = |(place, day): (usize, &crate::arena::report::DayReport)| {
                    rate(place).map(|(rate, ci95)| (day.day, rate, ci95))
                };
                agent.votes.iter().enumerate().filter_map(point).collect::<Vec<_>>()
            };
            let hits = points(&|place| {
                let hits = &agent.votes[place].hits;
                hits.rate.map(|rate| (rate, hits.ci95))
            });
            let chance = points(&|place| agent.votes[place].chance.map(|rate| (rate, None)));
            let label = agent.agent.clone();
            let by_chance = format!("{label}, by chance");
            drawn.push(PlotLine { label, colour, is_dashed: false, points: hits });
            drawn.push(PlotLine { label: by_chance, colour, is_dashed: true, points: chance });
        }
        *page += &lines("Votes that hit mafia, day by day", &drawn);
        *page += "<div class=\"wide\"><table><tr><th>agent</th><th>day</th><th>votes</th>\
                  <th>hits</th><th>rate</th><th>95 %</th><th>chance</th><th>abstained</th></tr>";
        for agent in &self.agents {
            for day in &agent.votes {
                let _ = write!(
                    page,
                    "<tr><td>{}</td><td>{}</td>{}<td>{}</td><td>{}</td></tr>",
                    escaped(&agent.agent),
                    day.day,
                    cells(&day.hits),
                    number(day.chance, 3),
                    day.abstained
                );
            }
        }
        *page += "</table></div>";
    }

    fn work(&self, page: &mut String) {
        *page += "<h2>Failures, tokens and cost</h2><div class=\"wide\"><table><tr><th>agent</th>\
                  <th>decisions</th><th>fallbacks</th><th>rate</th><th>requests</th>\
                  <th>invalid</th><th>rate</th><th>cut off</th><th>tokens read</th><th>cached</th>\
                  <th>written</th><th>reasoning</th><th>estimated</th><th>ms a decision</th>\
                  <th>cost, $</th></tr>";
        for agent in &self.agents {
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&agent.agent),
                agent.decisions,
                agent.fallbacks,
                number(agent.fallback_rate, 4),
                agent.requests,
                agent.invalid,
                number(agent.invalid_rate, 4),
                agent.cut_off,
                agent.prompt_tokens,
                agent.cached_tokens,
                agent.completion_tokens,
                agent.reasoning_tokens,
                agent.estimated_tokens,
                number(agent.mean_latency_ms, 0),
                agent.cost_usd.map_or("unknown".to_owned(), |cost| format!("{cost:.4}")),
            );
        }
        *page += "</table></div>";
    }
}

fn dot(agent: &AgentReport, group: &Group, colour: usize) -> Option<Dot> {
    let label = format!("{} as {}", agent.agent, group.group);
    Some(Dot { label, colour, rate: group.wins.rate?, ci95: group.wins.ci95? })
}

fn told(measured: &Measured) -> String {
    match (measured.rate, measured.ci95) {
        (Some(rate), Some([low, high])) => {
            format!("{} of {} ({rate:.3}, [{low:.3}, {high:.3}])", measured.hits, measured.n)
        }
        _ => "none".to_owned(),
    }
}

fn cells(measured: &Measured) -> String {
    let interval = interval(measured.ci95);
    let (n, hits, rate) = (measured.n, measured.hits, number(measured.rate, 3));
    format!("<td>{n}</td><td>{hits}</td><td>{rate}</td><td>{interval}</td>")
}

fn interval(ci95: Option<[f64; 2]>) -> String {
    ci95.map_or("–".to_owned(), |[low, high]| format!("{low:.3} – {high:.3}"))
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}
