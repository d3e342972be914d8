//! Which models play, from a TOML file.
//!
//! ```toml
//! personas = true            # give every model a manner of its own
//! budget_tokens = 400000     # for one game, all seats together
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
use std::path::Path;

use parlor_mafia::PlayerId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// At most so many tries more.
pub const MOST_RETRIES: u8 = 2;

/// What a file says of the agents.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether models get manners of their own.
    pub personas: bool,
    /// How many tokens one game may take, all seats together.
    pub budget_tokens: Option<u64>,
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
    /// The model's name there.
    pub model: Option<String>,
    /// The variable of the environment that holds the key.
    pub key_env: Option<String>,
    /// How freely it writes.
    pub temperature: Option<f64>,
    /// How many tokens an answer may have.
    pub max_tokens: Option<u32>,
    /// How long a decision may take, with all its tries, in seconds.
    pub timeout_s: Option<f64>,
    /// How often a failed request is sent again.
    pub retries: Option<u8>,
    /// Dollars for a million tokens read.
    pub price_in: Option<f64>,
    /// Dollars for a million tokens written.
    pub price_out: Option<f64>,
    /// A manner to play in.
    pub persona: Option<String>,
    /// More fields for the request, as the endpoint knows them.
    pub extra: Option<Map<String, Value>>,
}

/// A model, ready to be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Model {
    /// The endpoint's address, up to `/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The variable of the environment that holds the key.
    pub key_env: Option<String>,
    /// How freely it writes; the endpoint's own choice if none.
    pub temperature: Option<f64>,
    /// How many tokens an answer may have.
    pub max_tokens: u32,
    /// How long a decision may take, with all its tries.
    pub timeout_ms: u64,
    /// How often a failed request is sent again.
    pub retries: u8,
    /// Dollars for a million tokens read, and written, where they are known.
    pub prices: Option<(f64, f64)>,
    /// A manner to play in.
    pub persona: Option<String>,
    /// More fields for the request.
    pub extra: Map<String, Value>,
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

impl Settings {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Settings, SettingsError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SettingsError::File(name.clone(), error))?;
        let settings: Settings =
            toml::from_str(&text).map_err(|error| SettingsError::Toml(name, error))?;
        let is_seat = |seat: &&String| seat.parse::<PlayerId>().is_err();
        match settings.seats.keys().find(is_seat) {
            Some(wrong) => Err(SettingsError::NoSeat(wrong.clone())),
            None => Ok(settings),
        }
    }

    /// Who is wished for in a seat.
    pub fn seat(&self, player: PlayerId) -> Option<&SeatOptions> {
        self.seats.get(&player.to_string())
    }

    /// A model by these options, called `agent` where something is wrong.
    pub fn model(&self, agent: &str, options: &ModelOptions) -> Result<Model, SettingsError> {
        let usual = &self.llm;
        let wrong = |what| SettingsError::Value { agent: agent.to_owned(), what };
        let base_url = options.base_url.clone().or_else(|| usual.base_url.clone());
        let name = options.model.clone().or_else(|| usual.model.clone());
        let timeout_s = options.timeout_s.or(usual.timeout_s).unwrap_or(60.0);
        let retries = options.retries.or(usual.retries).unwrap_or(MOST_RETRIES);
        let max_tokens = options.max_tokens.or(usual.max_tokens).unwrap_or(1_000);
        let price_in = options.price_in.or(usual.price_in);
        let price_out = options.price_out.or(usual.price_out);
        let temperature = options.temperature.or(usual.temperature);
        let mut extra = usual.extra.clone().unwrap_or_default();
        extra.extend(options.extra.clone().unwrap_or_default());
        if !(0.01..=3_600.0).contains(&timeout_s) {
            return Err(wrong("timeout_s is a number of seconds up to 3600"));
        }
        if retries > MOST_RETRIES {
            return Err(wrong("retries is 0, 1 or 2"));
        }
        if !(1..=100_000).contains(&max_tokens) {
            return Err(wrong("max_tokens is 1 to 100000"));
        }
        if temperature.is_some_and(|it| !(0.0..=2.0).contains(&it)) {
            return Err(wrong("temperature is 0 to 2"));
        }
        if [price_in, price_out].iter().flatten().any(|price| !(0.0..1e6).contains(price)) {
            return Err(wrong("prices are dollars for a million tokens"));
        }
        Ok(Model {
            base_url: base_url.ok_or_else(|| wrong("base_url is missing"))?,
            model: name.ok_or_else(|| wrong("model is missing"))?,
            key_env: options.key_env.clone().or_else(|| usual.key_env.clone()),
            temperature,
            max_tokens,
            timeout_ms: (timeout_s * 1000.0) as u64,
            retries,
            prices: price_in.zip(price_out),
            persona: options.persona.clone().or_else(|| usual.persona.clone()),
            extra,
        })
    }
}

impl Model {
    /// What tokens cost, in millionths of a dollar; none if the price is
    /// unknown.
    pub fn cost_micros(&self, read: u64, written: u64) -> Option<u64> {
        // Dollars for a million tokens are millionths of a dollar for one.
        let (price_in, price_out) = self.prices?;
        Some((read as f64 * price_in + written as f64 * price_out).round() as u64)
    }
}
