//! What the program can be told.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use parlor_kernel::Viewer;
use parlor_server::{ForwardedHeader, Network};

/// A server for parlor games with hidden information.
///
/// Commands come in, events go out, and the log of events is the game.
#[derive(Parser)]
#[command(name = "parlor", version, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serve games over HTTP, SSE, WebSocket and Socket.IO
    Serve(Box<ServeArgs>),
    /// Play many games in process and report who wins, with 95 % intervals
    Sim(SimArgs),
    /// Play against bots at the terminal, full screen
    ///
    /// A choice is made by its number. `?` helps, `rules` shows the rules of the table, `log` what
    /// happened so far, and `q` leaves. Where the output is no terminal everything is plain text.
    Play(PlayArgs),
    /// Watch one game of agents live: thoughts and words apart
    Watch(WatchArgs),
    /// Let agents play each other in rotated seats on the same seeds, and report
    Arena(ArenaArgs),
    /// Play a scenario: one JSON object in, what happens out
    Script {
        /// A file with the scenario, or - for standard input
        file: String,
    },
    /// Answer questions about rules: one JSON object a line in, one a line out
    Ask {
        /// The game, such as koikoi
        game: String,
        /// The question, such as yaku; `parlor rules GAME` lists them
        question: String,
    },
    /// Show presets, options, bots and dialects as JSON, with their meaning
    Rules {
        /// The game; all games if it is not said
        game: Option<String>,
    },
    /// List stored games
    Games {
        #[command(flatten)]
        store: StoreArg,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Write a stored game as JSONL, one event a line, or in a format of its own
    Export {
        #[command(flatten)]
        store: StoreArg,
        /// The game's id, as `parlor games` lists it
        id: String,
        /// jsonl, or a format of the game, such as phh for stud; `parlor rules GAME` lists them
        #[arg(long, default_value = JSONL)]
        format: String,
        /// Only this deal or round, counted from 1, in a format of the game
        #[arg(long, alias = "round", value_name = "N")]
        deal: Option<u32>,
        /// Whose eyes: admin, postmortem, public (or town), seat:N
        #[arg(long, default_value = "admin")]
        view: Viewer,
        /// Where to write; standard output if it is not said
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
    /// Read games back from JSONL, from an archive (FILE.jsonl.gz) or a format such as PHH (FILE.phh)
    ///
    /// JSONL with gaps, forks, foreign or edited events is refused, and so is a deal in another
    /// format that breaks the rules of its game.
    Import {
        #[command(flatten)]
        store: StoreArg,
        /// The file
        file: PathBuf,
        /// jsonl, or a format of a game; judged by the file's name if it is not said
        #[arg(long)]
        format: Option<String>,
    },
    /// Tell a game in words
    Replay {
        #[command(flatten)]
        store: StoreArg,
        /// A JSONL file or the id of a stored game
        game: String,
        /// Show the table as it stood after this event
        #[arg(long)]
        at: Option<u64>,
        /// Whose eyes: admin, postmortem, public (or town), seat:N
        #[arg(long, default_value = "admin")]
        view: Viewer,
        /// Print JSON instead of words
        #[arg(long)]
        json: bool,
    },
    /// Play a game again from its seed and compare every event
    Verify {
        #[command(flatten)]
        store: StoreArg,
        /// A JSONL file or the id of a stored game
        game: String,
    },
    /// Copy the store, also while a server runs on it, and check the copy
    Backup {
        #[command(flatten)]
        store: StoreArg,
        /// Where to put the copy; nothing may be there yet
        file: PathBuf,
    },
    /// Put a backup in the store's place, once it is checked
    Restore {
        #[command(flatten)]
        store: StoreArg,
        /// The backup
        file: PathBuf,
        /// Replace the store that is there; it is kept beside the new one as STORE.replaced
        #[arg(long)]
        overwrite: bool,
    },
    /// Check a store from end to end: what is wrong with it, and what to do
    Doctor {
        #[command(flatten)]
        store: StoreArg,
        /// Play every game again and compare, too; takes long
        #[arg(long)]
        deep: bool,
    },
    /// Move finished games to a compressed file and make the store smaller; the server must be stopped
    ///
    /// What is written is read back and compared before the store is touched. `parlor import FILE`
    /// brings the games back.
    Archive {
        #[command(flatten)]
        store: StoreArg,
        /// Games whose last event is from before this day (UTC)
        #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
        before: time::Date,
        /// Where to write them, one event a line, as gzip: games.jsonl.gz; nothing may be there yet
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Write the manual, one page a command, for `man`
    Man {
        /// The folder to write to; it is made if it is not there
        folder: PathBuf,
    },
}

/// A day as it is typed.
fn day(text: &str) -> Result<time::Date, String> {
    let mut parts = text.split('-');
    let mut number = |digits: usize| -> Option<u16> {
        let part = parts.next().filter(|part| part.len() == digits)?;
        part.parse().ok()
    };
    let (year, month, day) = (number(4), number(2), number(2));
    let date = || {
        let month = time::Month::try_from(u8::try_from(month?).ok()?).ok()?;
        time::Date::from_calendar_date(year?.into(), month, u8::try_from(day?).ok()?).ok()
    };
    let date = date().filter(|_| parts.next().is_none());
    date.ok_or_else(|| "a day is written like 2026-01-31".to_owned())
}

/// The format every game is written in: its log.
pub const JSONL: &str = "jsonl";

#[derive(clap::Args)]
pub struct StoreArg {
    /// Where the log is kept: sqlite:PATH
    #[arg(long, value_name = "URL", env = "PARLOR_STORE", default_value = "sqlite:parlor.db")]
    pub store: String,
}

#[derive(clap::Args)]
pub struct ServeArgs {
    /// Where to listen [default: 127.0.0.1:7777]
    #[arg(long, value_name = "ADDR", env = "PARLOR_LISTEN")]
    pub listen: Option<SocketAddr>,
    /// Where metrics and readiness are told without a token: an address that only the operator
    /// reaches. Elsewhere /metrics needs the admin's token
    #[arg(long, alias = "operator-listen", value_name = "ADDR", env = "PARLOR_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// A certificate in PEM, followed by those that vouch for it: serve by TLS. It is read again
    /// when it changes
    #[arg(long, value_name = "FILE", env = "PARLOR_TLS_CERT")]
    pub tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM
    #[arg(long, value_name = "FILE", env = "PARLOR_TLS_KEY")]
    pub tls_key: Option<PathBuf>,
    /// A network whose proxies are believed when they say whom they bring; repeatable
    #[arg(long, value_name = "CIDR", env = "PARLOR_TRUSTED_PROXY", value_delimiter = ';')]
    pub trusted_proxy: Vec<Network>,
    /// Where they say it: X-Forwarded-For (with X-Forwarded-Proto) or Forwarded
    /// [default: X-Forwarded-For]
    #[arg(long, value_name = "HEADER", env = "PARLOR_FORWARDED_HEADER")]
    pub forwarded_header: Option<ForwardedHeader>,
    /// Trusted proxies begin each connection with the PROXY protocol, version 1 or 2
    #[arg(long, env = "PARLOR_PROXY_PROTOCOL")]
    pub proxy_protocol: bool,
    /// Where the log is kept: sqlite:PATH, or memory: (lost on stop) [default: sqlite:parlor.db]
    #[arg(long, value_name = "URL", env = "PARLOR_STORE")]
    pub store: Option<String>,
    /// The token that opens admin views; without one they are off
    #[arg(long, value_name = "T", env = "PARLOR_ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// What a table gets that names no rules; repeatable
    #[arg(
        long,
        value_name = "GAME=PRESET[,option=value…]",
        env = "PARLOR_DEFAULT_RULES",
        value_delimiter = ';'
    )]
    pub default_rules: Vec<String>,
    /// A web origin allowed beside the server's own; repeatable
    #[arg(long, value_name = "O", env = "PARLOR_ORIGIN", value_delimiter = ';')]
    pub origin: Vec<String>,
    /// Rate limits; `off` for load tests. Each has its key in the table "limits" of the file
    #[arg(long, value_name = "on|off", env = "PARLOR_LIMITS")]
    pub limits: Option<Switch>,
    /// How long a bot waits before it moves; 0: at once [default: 700]
    #[arg(long, value_name = "MS", env = "PARLOR_BOT_PACE")]
    pub bot_pace: Option<u64>,
    /// How long a round's result stays before the next deal [default: 2500; 0 with --bot-pace 0]
    #[arg(long, value_name = "MS", env = "PARLOR_ROUND_PAUSE")]
    pub round_pause: Option<u64>,
    /// How long nothing may happen in a Socket.IO room before it is closed [default: 172800]
    #[arg(long, value_name = "S", env = "PARLOR_INACTIVE_AFTER", value_parser = clap::value_parser!(u64).range(1..))]
    pub inactive_after: Option<u64>,
    /// How long a waiting table stays in the lobby when nobody is at it [default: 60]
    #[arg(long, value_name = "S", env = "PARLOR_AWAY_AFTER")]
    pub away_after: Option<u64>,
    /// How long a waiting table that nobody is at can be come back to before it is ended; rooms
    /// have --inactive-after [default: 7200]
    #[arg(long, value_name = "S", env = "PARLOR_LAPSE_AFTER", value_parser = clap::value_parser!(u64).range(1..))]
    pub lapse_after: Option<u64>,
    /// How long a table that nobody uses stays in memory; after that it is read again from the
    /// log by whoever comes back [default: 60]
    #[arg(long, value_name = "S", env = "PARLOR_IDLE_AFTER")]
    pub idle_after: Option<u64>,
    /// How long a client may take nothing of what it is sent before its connection is cut (on
    /// Linux) [default: 60]
    #[arg(long, value_name = "S", env = "PARLOR_STALLED_AFTER")]
    pub stalled_after: Option<u64>,
    /// A TOML file with language models, to be seated at tables by name; keys come from the
    /// environment
    #[arg(long, value_name = "FILE", env = "PARLOR_AGENTS")]
    pub agents: Option<PathBuf>,
    /// How many language models are asked at the same time, at all tables [default: 16]
    #[arg(long, value_name = "N", env = "PARLOR_AGENTS_AT_ONCE")]
    pub agents_at_once: Option<usize>,
    /// A key that lets its holder seat language models, as the admin may: sent as X-Agent-Key;
    /// repeatable
    #[arg(
        long,
        value_name = "KEY",
        env = "PARLOR_AGENT_KEY",
        value_delimiter = ';',
        hide_env_values = true
    )]
    pub agent_key: Vec<String>,
    /// How many language models anyone else may seat, by address and day [default: 0]
    #[arg(long, value_name = "N", env = "PARLOR_AGENTS_PER_DAY")]
    pub agents_per_day: Option<u32>,
    /// How many threads run tables and connections, beside the one that writes the log
    /// [default: one less than there are cores]
    #[arg(long, value_name = "N", env = "PARLOR_THREADS")]
    pub threads: Option<usize>,
    /// Tables may name their seed
    #[arg(long, env = "PARLOR_ALLOW_SEEDS")]
    pub allow_seeds: bool,
    /// Settings in TOML; flags and environment win over it
    #[arg(long, value_name = "FILE", env = "PARLOR_CONFIG")]
    pub config: Option<PathBuf>,
    /// Check the settings and the store, say what is wrong, and serve nothing
    #[arg(long)]
    pub check: bool,
    /// How to write log lines
    #[arg(long, value_name = "text|json", env = "PARLOR_LOG_FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(clap::Args)]
pub struct SimArgs {
    /// The game, such as koikoi
    pub game: String,
    /// How many games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The bot in each seat [default: the weakest in as few seats as the rules allow]
    #[arg(long, value_name = "BOT,BOT,…", value_delimiter = ',')]
    pub seats: Vec<String>,
    /// The name every seed follows from: the same name plays the same games
    #[arg(long, default_value = "parlor")]
    pub seed: String,
    /// How many threads; 0: as many as the machine has
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// A preset, options as k=v, or both: nintendo,rounds=6
    #[arg(long, value_name = "PRESET or k=v,…")]
    pub rules: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct PlayArgs {
    /// The game, such as koikoi
    pub game: String,
    /// Who sits where; one of them is you [default: you first, then bots of middling strength in
    /// as few seats as the rules allow]
    #[arg(long, value_name = "you,BOT,…", value_delimiter = ',')]
    pub seats: Vec<String>,
    /// A preset, options as k=v, or both: nintendo,rounds=6
    #[arg(long, value_name = "PRESET or k=v,…")]
    pub rules: Option<String>,
    /// The name the seed follows from: the same name deals the same cards [default: a fresh seed]
    #[arg(long)]
    pub seed: Option<String>,
    /// What you are called
    #[arg(long)]
    pub name: Option<String>,
    /// Where to write the game as JSONL, one event a line, when it ends or you leave
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What every command with agents takes.
#[derive(clap::Args)]
pub struct AgentArgs {
    /// The game: mafia
    pub game: String,
    /// A TOML file with the language models, their endpoints and their seats
    #[arg(long, value_name = "FILE")]
    pub models: Option<PathBuf>,
    /// The name the seed follows from: the same name gives the same roles and lots
    #[arg(long)]
    pub seed: Option<String>,
    /// A preset, options as k=v, or both: 7p2m,votes=sealed
    #[arg(long, value_name = "PRESET or k=v,…")]
    pub rules: Option<String>,
    /// Record everything models are asked and answer, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct WatchArgs {
    #[command(flatten)]
    pub of: AgentArgs,
    /// Who plays, in turn until every seat is filled [default: the strongest bot]
    #[arg(long, value_name = "AGENT,…", value_delimiter = ',')]
    pub seats: Vec<String>,
    /// How long everything that happens stays before the next
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub pace: u64,
    /// Whose eyes: admin, public (or town), seat:N
    #[arg(long, default_value = "admin")]
    pub view: Viewer,
    /// Play a recording again, without any model
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "seats", "seed", "rules", "models"])]
    pub replay: Option<PathBuf>,
    /// Where to write the game as JSONL, one event a line
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub of: AgentArgs,
    /// The agents: bots, llm, and the models of the file
    #[arg(long, value_name = "AGENT,AGENT,…", value_delimiter = ',', required = true)]
    pub agents: Vec<String>,
    /// How many seeds; each is played once for every agent, everyone a seat further on
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// How many games run at once
    #[arg(long, default_value_t = 8, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub parallel: usize,
    /// A folder for report.html, report.csv, report.json and the log of every game
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
