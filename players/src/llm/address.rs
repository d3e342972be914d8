//! Where an endpoint is and what it must be sent: its address, its headers and
//! its secrets, which stay in the environment.

use std::collections::BTreeMap;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;

/// An endpoint that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// A secret is not where it should be.
    #[error("the environment has no variable {0} with the key of the endpoint")]
    NoKey(String),
    /// There is no client for such an address.
    #[error("'{0}' is no address of an endpoint; one looks like https://api.example.org/v1")]
    BadAddress(String),
    /// A secret stands in the file.
    #[error("the address of an endpoint holds a password; keep it in the environment (key_env)")]
    Password,
    /// No request can carry this header.
    #[error("'{0}' is no header of a request, or its value cannot be one")]
    BadHeader(String),
    /// The machine gives no client.
    #[error("no HTTP client could be made: {0}")]
    NoClient(String),
}

/// A text of the settings, or the name of the variable that holds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "toml::Value")]
pub enum Given {
    /// The text itself.
    Plain(String),
    /// It is a secret, in this variable of the environment.
    InEnvironment(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InEnvironment {
    env: String,
}

impl TryFrom<toml::Value> for Given {
    type Error = toml::de::Error;

    fn try_from(value: toml::Value) -> Result<Given, Self::Error> {
        match value {
            toml::Value::String(text) => Ok(Given::Plain(text)),
            table => table.try_into().map(|it: InEnvironment| Given::InEnvironment(it.env)),
        }
    }
}

/// What the settings say of where an endpoint is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The address, up to `/v1`; it may hold a query.
    pub base_url: String,
    /// What follows it; chat completions have a path of their own.
    pub path: Option<String>,
    /// The variable of the environment that holds the key.
    pub key_env: Option<String>,
    /// More headers.
    pub headers: BTreeMap<String, Given>,
    /// More of the query.
    pub query: BTreeMap<String, Given>,
}

const PATH: &str = "chat/completions";

/// What stands where an endpoint repeated a secret.
const LEFT_OUT: &str = "[the key]";

/// An endpoint with all that the environment says of it.
#[derive(Clone)]
pub struct Endpoint {
    /// Where requests go.
    pub url: Url,
    /// What goes with each.
    pub headers: HeaderMap,
    secrets: Vec<String>,
}

impl Endpoint {
    /// Looks everything up.
    pub fn new(address: &Address) -> Result<Endpoint, HttpError> {
        let mut secrets = Vec::new();
        let mut url = url(address)?;
        for (name, given) in &address.query {
            let value = look_up(given, &mut secrets)?;
            url.query_pairs_mut().append_pair(name, &value);
        }
        let mut headers = HeaderMap::new();
        if let Some(name) = &address.key_env {
            let key = secret(name, &mut secrets)?;
            headers.insert(AUTHORIZATION, header(name, &format!("Bearer {key}"), true)?);
        }
        for (name, given) in &address.headers {
            let value = look_up(given, &mut secrets)?;
            let is_secret = matches!(given, Given::InEnvironment(_));
            let bad = |_| HttpError::BadHeader(name.clone());
            let key = HeaderName::try_from(name.as_str()).map_err(bad)?;
            headers.insert(key, header(name, &value, is_secret)?);
        }
        // The longest first: one may be a part of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Ok(Endpoint { url, headers, secrets })
    }

    /// Some endpoints repeat the key they refuse. What comes back is written
    /// down, and no secret may be.
    pub fn without_secrets(&self, mut text: String) -> String {
        for secret in &self.secrets {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), LEFT_OUT);
            }
        }
        text
    }
}

fn url(address: &Address) -> Result<Url, HttpError> {
    let bad = || HttpError::BadAddress(address.base_url.clone());
    let mut url = Url::parse(&address.base_url).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad());
    }
    if url.password().is_some() {
        return Err(HttpError::Password);
    }
    url.set_fragment(None);
    let base = url.path().trim_end_matches('/').to_owned();
    let path = address.path.as_deref().unwrap_or(PATH).trim_start_matches('/');
    // Whoever gives the whole address means it.
    let is_whole = address.path.is_none() && base.ends_with(&format!("/{PATH}"));
    url.set_path(&if is_whole { base } else { format!("{base}/{path}") });
    Ok(url)
}

fn look_up(given: &Given, secrets: &mut Vec<String>) -> Result<String, HttpError> {
    match given {
        Given::Plain(text) => Ok(text.clone()),
        Given::InEnvironment(name) => secret(name, secrets),
    }
}

fn secret(name: &str, secrets: &mut Vec<String>) -> Result<String, HttpError> {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    let value = value.ok_or_else(|| HttpError::NoKey(name.to_owned()))?;
    secrets.push(value.clone());
    Ok(value)
}

fn header(name: &str, value: &str, is_secret: bool) -> Result<HeaderValue, HttpError> {
    let mut value =
        HeaderValue::try_from(value).map_err(|_| HttpError::BadHeader(name.to_owned()))?;
    value.set_sensitive(is_secret);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(base_url: &str, path: Option<&str>) -> String {
        let path = path.map(str::to_owned);
        let address = Address { base_url: base_url.to_owned(), path, ..Address::default() };
        url(&address).map_or_else(|error| error.to_string(), |url| url.to_string())
    }

    #[test]
    fn any_base_path_and_query_make_an_address() {
        for (base, path, whole) in [
            ("http://a/v1", None, "http://a/v1/chat/completions"),
            ("http://a/v1/", None, "http://a/v1/chat/completions"),
            ("http://a", None, "http://a/chat/completions"),
            (
                "https://a/openai/deployments/d?api-version=1",
                None,
                "https://a/openai/deployments/d/chat/completions?api-version=1",
            ),
            ("http://a/x/chat/completions?y=z", None, "http://a/x/chat/completions?y=z"),
            ("http://a/v1", Some("/talk"), "http://a/v1/talk"),
        ] {
            assert_eq!(at(base, path), whole);
        }
        assert!(at("ftp://a/v1", None).contains("is no address"));
        assert!(at("http://me:secret@a/v1", None).contains("key_env"));
        assert!(!at("http://me:secret@a/v1", None).contains("secret"));
    }
}
