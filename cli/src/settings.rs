//! Settings from flags, environment and file, in that order.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parlor_house::Agents;
use parlor_players::Models;
use parlor_server::{Config, ForwardedHeader, Limits, Network, Proxies, TlsFiles};
use serde::Deserialize;
use serde_json::Value;

use crate::args::{ServeArgs, Switch};
use crate::error::CliError;
use crate::rules_text;

/// The file has a key for every flag, with `_` for `-`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    listen: Option<SocketAddr>,
    #[serde(alias = "operator_listen")]
    metrics_listen: Option<SocketAddr>,
    tls_cert: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    trusted_proxy: Vec<Network>,
    forwarded_header: Option<ForwardedHeader>,
    proxy_protocol: bool,
    store: Option<String>,
    admin_token: Option<String>,
    default_rules: BTreeMap<String, RulesInFile>,
    origin: Vec<String>,
    limits: Option<LimitsInFile>,
    bot_pace: Option<u64>,
    round_pause: Option<u64>,
    agents: Option<PathBuf>,
    agents_at_once: Option<usize>,
    agent_key: Vec<String>,
    agents_per_day: Option<u32>,
    allow_seeds: bool,
    inactive_after: Option<u64>,
    idle_after: Option<u64>,
    away_after: Option<u64>,
    lapse_after: Option<u64>,
    stalled_after: Option<u64>,
    threads: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RulesInFile {
    Text(String),
    Table(Value),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LimitsInFile {
    Switch(String),
    Table(Limits),
}

/// More threads than any machine has cores are a slip of the pen.
const THREADS: RangeInclusive<usize> = 1..=1024;

/// More questions at a time would only wait for one another.
const AGENTS_AT_ONCE: RangeInclusive<usize> = 1..=1024;

/// In seconds, up to a day: the system counts them in a small number.
const STALLED_AFTER: RangeInclusive<u64> = 1..=86_400;

/// In seconds, up to a day.
const PATIENCE: RangeInclusive<u32> = 1..=86_400;

/// How many connections a setting can allow.
const CONNECTIONS: RangeInclusive<u32> = 1..=10_000_000;

/// Everything a server is told.
pub struct Settings {
    /// What the server itself is told.
    pub config: Config,
    /// How many threads run it, beside the one that writes the log.
    pub threads: usize,
}

impl Settings {
    /// How it would serve, in a few lines for whoever set it up.
    pub fn lines(&self) -> Vec<String> {
        let Config { listen, store, admin_token, limits, origins, .. } = &self.config;
        let on_off = |is_on| if is_on { "on" } else { "off" };
        let mut lines = vec![
            format!("listens on {listen}, with {} threads", self.threads),
            format!("keeps its log in {store}"),
            format!("admin {}, limits {}", on_off(admin_token.is_some()), on_off(limits.is_some())),
        ];
        if !origins.is_empty() {
            lines.push(format!("pages from {} may act for players", origins.join(", ")));
        }
        lines
    }
}

/// Reads flags, environment and file.
pub fn gather(args: ServeArgs) -> Result<Settings, CliError> {
    let file = args.config.as_deref().map(read).transpose()?.unwrap_or_default();
    let defaults = Config::default();
    let bot_pace = args.bot_pace.or(file.bot_pace).map(Duration::from_millis);
    let at_once = bot_pace.is_some_and(|pace| pace.is_zero());
    let round_pause = args.round_pause.or(file.round_pause).map(Duration::from_millis);
    let admin_token = args.admin_token.or(file.admin_token);
    if admin_token.as_deref().is_some_and(|token| token.len() < 8) {
        return Err(CliError::usage("an admin token has at least 8 characters"));
    }
    let origins = if args.origin.is_empty() { file.origin } else { args.origin };
    if let Some(wrong) = origins.iter().find(|origin| !is_origin(origin)) {
        return Err(CliError::usage(format_args!(
            "'{wrong}' is no web origin; one looks like https://games.example.org"
        )));
    }
    let agent_keys = if args.agent_key.is_empty() { file.agent_key } else { args.agent_key };
    if agent_keys.iter().any(|key| key.len() < 8) {
        return Err(CliError::usage("a key for agents has at least 8 characters"));
    }
    let agents_at_once = args.agents_at_once.or(file.agents_at_once);
    within("agents_at_once", AGENTS_AT_ONCE, agents_at_once)?;
    let stalled_after = args.stalled_after.or(file.stalled_after);
    within("stalled_after", STALLED_AFTER, stalled_after)?;
    let threads = args.threads.or(file.threads);
    within("threads", THREADS, threads)?;
    let agents_file = args.agents.or(file.agents);
    let agents_per_day = args.agents_per_day.or(file.agents_per_day);
    for (name, is_said) in [
        ("agents_at_once", agents_at_once.is_some()),
        ("agent_key", !agent_keys.is_empty()),
        ("agents_per_day", agents_per_day.is_some()),
    ] {
        if is_said && agents_file.is_none() {
            return Err(CliError::usage(format_args!("{name} says nothing without agents")));
        }
    }
    let tls = tls(args.tls_cert.or(file.tls_cert), args.tls_key.or(file.tls_key))?;
    let proxies = proxies(
        if args.trusted_proxy.is_empty() { file.trusted_proxy } else { args.trusted_proxy },
        args.forwarded_header.or(file.forwarded_header),
        args.proxy_protocol || file.proxy_protocol,
    )?;
    let config = Config {
        metrics_listen: args.metrics_listen.or(file.metrics_listen),
        tls,
        proxies,
        listen: args.listen.or(file.listen).unwrap_or(defaults.listen),
        store: args.store.or(file.store).unwrap_or(defaults.store),
        admin_token,
        default_rules: default_rules(file.default_rules, &args.default_rules)?,
        origins,
        limits: limits(args.limits, file.limits)?,
        bot_pace: bot_pace.unwrap_or(defaults.bot_pace),
        round_pause: round_pause.unwrap_or(if at_once {
            Duration::ZERO
        } else {
            defaults.round_pause
        }),
        agents: agents(agents_file.as_deref())?,
        agents_at_once: agents_at_once.unwrap_or(defaults.agents_at_once),
        agent_keys,
        agents_per_day: agents_per_day.unwrap_or(defaults.agents_per_day),
        allow_seeds: args.allow_seeds || file.allow_seeds,
        idle_after: args
            .idle_after
            .or(file.idle_after)
            .map_or(defaults.idle_after, Duration::from_secs),
        inactive_after: args
            .inactive_after
            .or(file.inactive_after)
            .map_or(defaults.inactive_after, Duration::from_secs),
        away_after: args
            .away_after
            .or(file.away_after)
            .map_or(defaults.away_after, Duration::from_secs),
        lapse_after: args
            .lapse_after
            .or(file.lapse_after)
            .map_or(defaults.lapse_after, Duration::from_secs),
        stalled_after: stalled_after.map_or(defaults.stalled_after, Duration::from_secs),
    };
    Ok(Settings { config, threads: threads.unwrap_or_else(threads_for_this_machine) })
}

/// A certificate is of no use without its key, and a key without its certificate.
fn tls(cert: Option<PathBuf>, key: Option<PathBuf>) -> Result<Option<TlsFiles>, CliError> {
    match (cert, key) {
        (None, None) => Ok(None),
        (Some(cert), Some(key)) => Ok(Some(TlsFiles { cert, key })),
        (Some(_), None) => Err(CliError::usage("--tls-cert needs --tls-key beside it")),
        (None, Some(_)) => Err(CliError::usage("--tls-key needs --tls-cert beside it")),
    }
}

/// What is said of proxies means nothing where none is trusted.
fn proxies(
    trusted: Vec<Network>,
    header: Option<ForwardedHeader>,
    protocol: bool,
) -> Result<Proxies, CliError> {
    if trusted.is_empty() && protocol {
        return Err(CliError::usage("--proxy-protocol needs --trusted-proxy: who may speak it"));
    }
    if trusted.is_empty() && header.is_some() {
        return Err(CliError::usage("--forwarded-header needs --trusted-proxy: who may write it"));
    }
    Ok(Proxies { trusted, header: header.unwrap_or_default(), protocol })
}

fn within<N: PartialOrd + Display>(
    name: &str,
    allowed: RangeInclusive<N>,
    asked: Option<N>,
) -> Result<(), CliError> {
    match asked.filter(|asked| !allowed.contains(asked)) {
        None => Ok(()),
        Some(asked) => {
            let (least, most) = allowed.into_inner();
            Err(CliError::usage(format_args!("{name} is {least} to {most}, not {asked}")))
        }
    }
}

/// One core is left to the thread that writes the log.
fn threads_for_this_machine() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores - 1).clamp(*THREADS.start(), *THREADS.end())
}

fn read(path: &Path) -> Result<File, CliError> {
    let wrong = |error: &dyn std::fmt::Display| {
        CliError::usage(format_args!("the settings in {} cannot be used: {error}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    toml::from_str(&text).map_err(|error| wrong(&error))
}

/// The language models of a file, with their keys.
fn agents(path: Option<&Path>) -> Result<Agents, CliError> {
    let mut agents = Agents::NONE;
    if let Some(path) = path {
        let settings = parlor_players::llm::AgentSettings::read(path).map_err(CliError::usage)?;
        let models = Models::new(&settings).map_err(|error| {
            CliError::usage(format_args!(
                "the agents in {} cannot be used: {error}",
                path.display()
            ))
        })?;
        agents.add(Arc::new(models));
    }
    Ok(agents)
}

fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ']))
}

fn limits(flag: Option<Switch>, file: Option<LimitsInFile>) -> Result<Option<Limits>, CliError> {
    let filed = match file {
        None => Some(Limits::default()),
        Some(LimitsInFile::Table(limits)) => {
            refuse_zeros(&limits)?;
            Some(limits)
        }
        Some(LimitsInFile::Switch(word)) if word == "off" => None,
        Some(LimitsInFile::Switch(word)) if word == "on" => Some(Limits::default()),
        Some(LimitsInFile::Switch(word)) => {
            return Err(CliError::usage(format_args!("limits are on or off, not '{word}'")));
        }
    };
    let limits = match flag {
        None => filed,
        Some(Switch::On) => filed.or_else(|| Some(Limits::default())),
        Some(Switch::Off) => None,
    };
    if let Some(limits) = &limits {
        within("connections", CONNECTIONS, Some(limits.connections))?;
        within("connections_per_address", CONNECTIONS, Some(limits.connections_per_address))?;
        within("head_seconds", PATIENCE, Some(limits.head_seconds))?;
        within("body_seconds", PATIENCE, Some(limits.body_seconds))?;
        within("keep_alive_seconds", PATIENCE, Some(limits.keep_alive_seconds))?;
    }
    Ok(limits)
}

/// A limit of nothing reads as "no limit" to one person and as "none at all" to
/// another.
fn refuse_zeros(limits: &Limits) -> Result<(), CliError> {
    let limits = serde_json::to_value(limits).map_err(CliError::usage)?;
    let mut zeros = limits.as_object().into_iter().flatten().filter(|(_, most)| **most == 0);
    match zeros.next() {
        None => Ok(()),
        Some((name, _)) => Err(CliError::usage(format_args!(
            "limits.{name} is at least 1, not 0; limits = \"off\" turns all limits off"
        ))),
    }
}

fn default_rules(
    file: BTreeMap<String, RulesInFile>,
    flags: &[String],
) -> Result<BTreeMap<String, Value>, CliError> {
    let mut rules = BTreeMap::new();
    for (game, asked) in file {
        let asked = match asked {
            RulesInFile::Text(text) => rules_text::parse(&text)?,
            RulesInFile::Table(table) => table,
        };
        rules.insert(game, asked);
    }
    for flag in flags {
        let (game, text) = flag.split_once('=').ok_or_else(|| {
            CliError::usage(format_args!("'{flag}' is not GAME=PRESET[,option=value…]"))
        })?;
        rules.insert(game.to_owned(), rules_text::parse(text)?);
    }
    for (game, asked) in &rules {
        let offer = parlor_house::game(game).ok_or_else(|| unknown_game(game))?;
        offer.resolve_rules(asked).map_err(CliError::usage)?;
    }
    Ok(rules)
}

/// There is no such game.
pub fn unknown_game(name: &str) -> CliError {
    let known = parlor_house::game_names();
    CliError::usage(format_args!("there is no game '{name}'; games are {known}"))
}
