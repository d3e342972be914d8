//! Which models play, from a TOML file.
//!
//! ```toml
//! personas = true            # give every model a manner of its own
//! budget_tokens = 400000     # for one game, all seats together
//! budget_tokens_day = 5000000 # for one day, all games together
//! budget_dollars = 0.50      # the same in money, where the prices are known
//! budget_dollars_day = 5.0
//!
//! [llm]                      # what holds for every model
//! base_url = "http://127.0.0.1:11434/v1"
//! model = "small"
//!
//! [agents.large]             # a model by name, to be seated as `large`
//! model = "large"
//! key_env = "LARGE_KEY"
//! temperature = 0.4
//!
//! [seats]                    # who sits where, whatever the command line says
//! p1 = "bayes"
//! p2 = "large"
//! p3 = { model = "small", temperature = 1.0, persona = "You are in a hurry." }
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parlor_mafia::PlayerId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::llm::account::{Prices, Tokens};
use crate::llm::address::{Address, Given};
use crate::llm::budget::BudgetLimits;
use crate::llm::way::{NEWER_CAP, Way};

/// At most so many tries more.
pub const MOST_RETRIES: u8 = 2;

/// What a file says of the agents.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentSettings {
    /// Whether models get manners of their own.
    pub personas: bool,
    /// How many tokens one game may take, all seats together.
    pub budget_tokens: Option<u64>,
    /// How many tokens one day may take, all games together. Days are counted
    /// in UTC.
    pub budget_tokens_day: Option<u64>,
    /// How many dollars one game may cost, all seats together.
    pub budget_dollars: Option<f64>,
    /// How many dollars one day may cost, all games together.
    pub budget_dollars_day: Option<f64>,
    /// The file in which the day's tokens are added up; beside this one, and
    /// called like it, if none is said.
    pub day_account: Option<PathBuf>,
    /// What holds for every model.
    pub llm: ModelOptions,
    /// Models by name.
    pub agents: BTreeMap<String, ModelOptions>,
    /// Who sits where.
    pub seats: BTreeMap<String, SeatOptions>,
}

/// What is said of a seat: an agent's name, or a model of its own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
pub enum SeatOptions {
    /// An agent by name.
    Named(String),
    /// A model only this seat has.
    Own(Box<ModelOptions>),
}

impl TryFrom<toml::Value> for SeatOptions {
    type Error = toml::de::Error;

    fn try_from(value: toml::Value) -> Result<SeatOptions, Self::Error> {
        match value {
            toml::Value::String(name) => Ok(SeatOptions::Named(name)),
            table => Ok(SeatOptions::Own(Box::new(table.try_into()?))),
        }
    }
}

/// What is said of a model; what is not said is taken from `[llm]`, or is as
/// usual.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelOptions {
    /// The endpoint's address, up to `/v1`.
    pub base_url: Option<String>,
    /// What follows it, if not `/chat/completions`.
    pub path: Option<String>,
    /// More headers, for its requests.
    pub headers: Option<BTreeMap<String, Given>>,
    /// More of the query of its address.
    pub query: Option<BTreeMap<String, Given>>,
    /// The model's name there.
    pub model: Option<String>,
    /// The variable of the environment that holds the key.
    pub key_env: Option<String>,
    /// How freely it writes.
    pub temperature: Option<f64>,
    /// How it is told what an answer looks like.
    pub answers: Option<Answers>,
    /// How many tokens an answer may have.
    pub max_tokens: Option<u32>,
    /// How many tokens of reasoning may come before it.
    pub max_reasoning_tokens: Option<u32>,
    /// How long a decision may take, with all its tries, in seconds.
    pub timeout_s: Option<f64>,
    /// How often a failed request is sent again.
    pub retries: Option<u8>,
    /// Dollars for a million tokens read.
    pub price_in: Option<f64>,
    /// Dollars for a million tokens written.
    pub price_out: Option<f64>,
    /// Dollars for a million tokens that were read before; as those read, if
    /// left out.
    pub price_cached: Option<f64>,
    /// Dollars for a million tokens of reasoning; as those written, if left
    /// out.
    pub price_reasoning: Option<f64>,
    /// How many tokens it may take in one game, in all its seats.
    pub budget_tokens: Option<u64>,
    /// How many dollars it may cost in one game, in all its seats.
    pub budget_dollars: Option<f64>,
    /// A manner to play in.
    pub persona: Option<String>,
    /// More fields for the request, as the endpoint knows them.
    pub extra: Option<Map<String, Value>>,
}

/// How a model is told what an answer looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// In the strictest way that its endpoint takes.
    #[default]
    Auto,
    /// By a JSON schema.
    JsonSchema,
    /// As a tool that must be called.
    Tools,
    /// As any JSON object.
    Json,
    /// In words.
    Text,
}

impl Answers {
    fn way(self) -> Option<Way> {
        match self {
            Answers::Auto => None,
            Answers::JsonSchema => Some(Way::JsonSchema),
            Answers::Tools => Some(Way::Tools),
            Answers::Json => Some(Way::Json),
            Answers::Text => Some(Way::Text),
        }
    }
}

/// A model, ready to be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Model {
    /// The endpoint's address, up to `/v1` and without a query.
    pub base_url: String,
    /// More about its address. It may hold secrets, and a recording is played
    /// without it.
    #[serde(skip)]
    pub address: Address,
    /// The model's name there.
    pub model: String,
    /// The variable of the environment that holds the key.
    pub key_env: Option<String>,
    /// How freely it writes; the endpoint's own choice if none.
    pub temperature: Option<f64>,
    /// In which way it is told what an answer looks like; none: the strictest
    /// that its endpoint takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Way>,
    /// How many tokens an answer may have.
    pub max_tokens: u32,
    /// How many tokens of reasoning may come before it.
    #[serde(default = "usual_reasoning")]
    pub max_reasoning_tokens: u32,
    /// How long a decision may take, with all its tries.
    pub timeout_ms: u64,
    /// How often a failed request is sent again.
    pub retries: u8,
    /// Dollars for a million tokens read, and written, where they are known.
    pub prices: Option<(f64, f64)>,
    /// Dollars for a million tokens that were read before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_cached: Option<f64>,
    /// Dollars for a million tokens of reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_reasoning: Option<f64>,
    /// How many tokens it may take in one game, in all its seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
    /// How many millionths of a dollar it may cost in one game, in all its seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_micros: Option<u64>,
    /// A manner to play in.
    pub persona: Option<String>,
    /// More fields for the request.
    pub extra: Map<String, Value>,
}

/// How many of the units in which money is counted are a dollar.
pub const MICROS: u64 = 1_000_000;

fn micros(dollars: f64) -> u64 {
    (dollars * MICROS as f64).round() as u64
}

/// The most tokens an answer may be allowed.
pub const MOST_TOKENS: u32 = 100_000;

fn usual_reasoning() -> u32 {
    16_000
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{0} cannot be read: {1}")]
    File(String, std::io::Error),
    /// The file is not written as it must be.
    #[error("{0} cannot be used: {1}")]
    Toml(String, toml::de::Error),
    /// A value is out of range.
    #[error("the model '{agent}' cannot be used: {what}")]
    Value {
        /// Whose.
        agent: String,
        /// What is wrong.
        what: &'static str,
    },
    /// A seat that is none.
    #[error("'{0}' is no seat; seats are p1, p2, …")]
    NoSeat(String),
}

impl AgentSettings {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<AgentSettings, SettingsError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SettingsError::File(name.clone(), error))?;
        let mut settings: AgentSettings =
            toml::from_str(&text).map_err(|error| SettingsError::Toml(name.clone(), error))?;
        // As the settings are found, so is what they name.
        let account = settings.day_account.take();
        let beside = path.with_file_name(account.unwrap_or_else(|| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{file}.day").into()
        }));
        settings.day_account = Some(beside);
        let is_seat = |seat: &&String| seat.parse::<PlayerId>().is_err();
        match settings.seats.keys().find(is_seat) {
            Some(wrong) => Err(SettingsError::NoSeat(wrong.clone())),
            None => Ok(settings),
        }
    }

    /// What one game may take.
    pub fn game_limits(&self) -> BudgetLimits {
        BudgetLimits { tokens: self.budget_tokens, micros: self.budget_dollars.map(micros) }
    }

    /// What one day may take.
    pub fn day_limits(&self) -> BudgetLimits {
        BudgetLimits { tokens: self.budget_tokens_day, micros: self.budget_dollars_day.map(micros) }
    }

    /// Who is wished for in a seat.
    pub fn seat(&self, player: PlayerId) -> Option<&SeatOptions> {
        self.seats.get(&player.to_string())
    }

    /// A model by these options, called `agent` where something is wrong.
    pub fn model(&self, agent: &str, options: &ModelOptions) -> Result<Model, SettingsError> {
        let usual = &self.llm;
        let wrong = |what| SettingsError::Value { agent: agent.to_owned(), what };
        let address = self.address(options).ok_or_else(|| wrong("base_url is missing"))?;
        let name = options.model.clone().or_else(|| usual.model.clone());
        let timeout_s = options.timeout_s.or(usual.timeout_s).unwrap_or(60.0);
        let retries = options.retries.or(usual.retries).unwrap_or(MOST_RETRIES);
        let max_tokens = options.max_tokens.or(usual.max_tokens).unwrap_or(1_000);
        let max_reasoning_tokens = options.max_reasoning_tokens.or(usual.max_reasoning_tokens);
        let max_reasoning_tokens = max_reasoning_tokens.unwrap_or_else(usual_reasoning);
        let price_in = options.price_in.or(usual.price_in);
        let price_out = options.price_out.or(usual.price_out);
        let price_cached = options.price_cached.or(usual.price_cached);
        let price_reasoning = options.price_reasoning.or(usual.price_reasoning);
        let temperature = options.temperature.or(usual.temperature);
        let mut extra = usual.extra.clone().unwrap_or_default();
        extra.extend(options.extra.clone().unwrap_or_default());
        if !(0.01..=3_600.0).contains(&timeout_s) {
            return Err(wrong("timeout_s is a number of seconds up to 3600"));
        }
        if retries > MOST_RETRIES {
            return Err(wrong("retries is 0, 1 or 2"));
        }
        if !(1..=MOST_TOKENS).contains(&max_tokens) {
            return Err(wrong("max_tokens is 1 to 100000"));
        }
        if !(1..=1_000_000).contains(&max_reasoning_tokens) {
            return Err(wrong("max_reasoning_tokens is 1 to 1000000"));
        }
        if temperature.is_some_and(|it| !(0.0..=2.0).contains(&it)) {
            return Err(wrong("temperature is 0 to 2"));
        }
        let prices = [price_in, price_out, price_cached, price_reasoning];
        if prices.iter().flatten().any(|price| !(0.0..1e6).contains(price)) {
            return Err(wrong("prices are dollars for a million tokens"));
        }
        let budget_dollars = options.budget_dollars.or(usual.budget_dollars);
        let budgets = [budget_dollars, self.budget_dollars, self.budget_dollars_day];
        if budgets.iter().flatten().any(|dollars| !(0.0..1e9).contains(dollars)) {
            return Err(wrong("a budget in dollars is a number from 0 on"));
        }
        if budgets.iter().any(Option::is_some) && price_in.zip(price_out).is_none() {
            return Err(wrong("a budget in dollars needs its price_in and price_out"));
        }
        Ok(Model {
            base_url: plain(&address.base_url),
            model: name.ok_or_else(|| wrong("model is missing"))?,
            key_env: address.key_env.clone(),
            address,
            temperature,
            answers: options.answers.or(usual.answers).unwrap_or_default().way(),
            max_tokens,
            max_reasoning_tokens,
            timeout_ms: (timeout_s * 1000.0) as u64,
            retries,
            prices: price_in.zip(price_out),
            price_cached,
            price_reasoning,
            budget_tokens: options.budget_tokens.or(usual.budget_tokens),
            budget_micros: budget_dollars.map(micros),
            persona: options.persona.clone().or_else(|| usual.persona.clone()),
            extra,
        })
    }

    /// Where a model is asked. An address of its own has keys and headers of
    /// its own: those of another endpoint are not for it to see.
    fn address(&self, options: &ModelOptions) -> Option<Address> {
        let is_own = options.base_url.is_some();
        let usual = if is_own { ModelOptions::default() } else { self.llm.clone() };
        let mut headers = usual.headers.unwrap_or_default();
        headers.extend(options.headers.clone().unwrap_or_default());
        let mut query = usual.query.unwrap_or_default();
        query.extend(options.query.clone().unwrap_or_default());
        Some(Address {
            base_url: options.base_url.clone().or(usual.base_url)?,
            path: options.path.clone().or(usual.path),
            key_env: options.key_env.clone().or(usual.key_env),
            headers,
            query,
        })
    }
}

/// An address as it may be written down: what is behind a question mark, or
/// before an `@`, may be a secret.
fn plain(base_url: &str) -> String {
    let base = base_url.split(['?', '#']).next().unwrap_or_default();
    match (base.split_once("://"), base.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => base.to_owned(),
    }
}

impl Model {
    /// What tokens cost, in millionths of a dollar; none if the price is
    /// unknown. What took nothing cost nothing.
    pub fn cost_micros(&self, tokens: &Tokens) -> Option<u64> {
        if tokens.sum() == 0 {
            return Some(0);
        }
        self.prices().map(|prices| prices.cost_micros(tokens))
    }

    /// What each kind of token costs; none if that is unknown.
    pub fn prices(&self) -> Option<Prices> {
        let (read, written) = self.prices?;
        let cached = self.price_cached.unwrap_or(read);
        let reasoning = self.price_reasoning.unwrap_or(written);
        Some(Prices { read, cached, written, reasoning })
    }

    /// What it may take in one game, in all its seats.
    pub fn limits(&self) -> BudgetLimits {
        BudgetLimits { tokens: self.budget_tokens, micros: self.budget_micros }
    }

    /// How many tokens an answer may have, under whichever name it is said.
    pub fn cap(&self) -> u32 {
        let newer = self.extra.get(NEWER_CAP).and_then(Value::as_u64);
        newer.and_then(|cap| u32::try_from(cap).ok()).unwrap_or(self.max_tokens)
    }
}
