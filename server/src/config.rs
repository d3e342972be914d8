//! What a server can be told.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use parlor_house::Agents;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::front_door::{Proxies, TlsFiles};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where metrics and readiness are told without a token; none: nowhere.
    pub metrics_listen: Option<SocketAddr>,
    /// The certificate and its key; none: no TLS.
    pub tls: Option<TlsFiles>,
    /// Proxies that are trusted to say whom they bring.
    pub proxies: Proxies,
    /// Where the log is kept: `sqlite:PATH` or `memory:`.
    pub store: String,
    /// The token that opens admin views; none: they are off.
    pub admin_token: Option<String>,
    /// The rules a table gets that names none, by game.
    pub default_rules: BTreeMap<String, Value>,
    /// Web origins allowed beside the server's own.
    pub origins: Vec<String>,
    /// Rate limits; none: off.
    pub limits: Option<Limits>,
    /// How long a bot waits before it moves.
    pub bot_pace: Duration,
    /// How long the result of a round stays before the next is dealt.
    pub round_pause: Duration,
    /// Agents that tables may seat beside a game's own bots.
    pub agents: Agents,
    /// How many agents are asked at the same time, at all tables together.
    pub agents_at_once: usize,
    /// Whether tables may name their seed.
    pub allow_seeds: bool,
    /// How long a table nobody uses stays in memory.
    pub idle_after: Duration,
    /// How long nothing may happen in a room before it is closed.
    pub inactive_after: Duration,
    /// How long a waiting table stays in the lobby when nobody is at it.
    pub away_after: Duration,
    /// How long a waiting table that nobody is at can be come back to; a hosted
    /// one has `inactive_after`.
    pub lapse_after: Duration,
    /// How long a client may take nothing of what it is sent.
    pub stalled_after: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 7777)),
            metrics_listen: None,
            tls: None,
            proxies: Proxies::default(),
            store: "sqlite:parlor.db".to_owned(),
            admin_token: None,
            default_rules: BTreeMap::new(),
            origins: Vec::new(),
            limits: Some(Limits::default()),
            bot_pace: Duration::from_millis(700),
            round_pause: Duration::from_millis(2500),
            agents: Agents::NONE,
            agents_at_once: 16,
            allow_seeds: false,
            idle_after: Duration::from_secs(60),
            inactive_after: Duration::from_secs(48 * 60 * 60),
            away_after: Duration::from_secs(60),
            lapse_after: Duration::from_secs(2 * 60 * 60),
            stalled_after: Duration::from_secs(60),
        }
    }
}

/// How much one client may ask for. Addresses count for calls without a
/// seat, seats for their commands.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Tables an address may open per minute.
    pub tables_per_minute: u32,
    /// Joins (and guesses at codes) an address may try per minute.
    pub joins_per_minute: u32,
    /// Other calls an address may make per second.
    pub calls_per_second: u32,
    /// Requests an address may make per second on open Socket.IO sessions;
    /// more of them wait.
    pub polls_per_second: u32,
    /// Commands a seat may send per second.
    pub commands_per_second: u32,
    /// Streams that may listen at one table.
    pub streams_per_table: u32,
    /// Session calls an address may make per minute.
    pub session_calls_per_minute: u32,
    /// Events a Socket.IO client may send in ten seconds.
    pub events_per_ten_seconds: u32,
    /// Connections that may be open, in all.
    pub connections: u32,
    /// Connections an address may have; behind a proxy, requests and streams
    /// at a time.
    pub connections_per_address: u32,
    /// Seconds for a connection's first words, a TLS handshake, and each
    /// request's head.
    pub head_seconds: u32,
    /// Seconds for a request's body, beside one for each 16 KiB of it.
    pub body_seconds: u32,
    /// Seconds from an answer to the next request on a connection.
    pub keep_alive_seconds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tables_per_minute: 60,
            joins_per_minute: 60,
            calls_per_second: 100,
            polls_per_second: 200,
            commands_per_second: 20,
            streams_per_table: 200,
            session_calls_per_minute: 100,
            events_per_ten_seconds: 30,
            connections: 10_000,
            connections_per_address: 512,
            head_seconds: 15,
            body_seconds: 30,
            keep_alive_seconds: 75,
        }
    }
}
