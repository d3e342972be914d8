//! The wire over HTTP: any endpoint that speaks chat completions.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, Url};

use crate::agent::BoxFuture;
use crate::llm::wire::{Call, Received, Reply, Wire, WireFault};

/// The longest line of a stream, in bytes: far more than any delta needs.
const LONGEST_LINE: usize = 1 << 20;

/// How much of a refusal's body is kept, in characters.
const KEPT_BODY: usize = 200;

/// What stands where an endpoint repeated its key.
const KEY_LEFT_OUT: &str = "[the key]";

/// How much of a refusal's body is read, in bytes.
const READ_BODY: usize = 4096;

/// An endpoint that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The key is not where it should be.
    #[error("the environment has no variable {0} with the key of the endpoint")]
    NoKey(String),
    /// There is no client for such an address.
    #[error("'{0}' is no address of an endpoint; one looks like https://api.example.org/v1")]
    BadAddress(String),
    /// The machine gives no client.
    #[error("no HTTP client could be made: {0}")]
    NoClient(String),
}

/// An endpoint by its address and key.
pub struct Http {
    client: Client,
    url: Url,
    key: Option<String>,
}

impl Http {
    /// The endpoint at this address; `key_env` names the variable of the
    /// environment that holds its key, where it needs one.
    pub fn new(base_url: &str, key_env: Option<&str>) -> Result<Http, HttpError> {
        let url = format!("{}/chat/completions", base_url.trim_end_matches('/'));
        let url = Url::parse(&url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| HttpError::BadAddress(base_url.to_owned()))?;
        let key = match key_env {
            None => None,
            Some(name) => Some(
                std::env::var(name)
                    .ok()
                    .filter(|key| !key.is_empty())
                    .ok_or_else(|| HttpError::NoKey(name.to_owned()))?,
            ),
        };
        Ok(Http { client: client(&url)?, url, key })
    }

    fn request(&self, call: &Call) -> RequestBuilder {
        let request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .body(call.request.to_string());
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }
}

/// One client for all endpoints on this machine and one for those elsewhere:
/// their connections are kept and shared. A proxy is no way to this machine.
fn client(url: &Url) -> Result<Client, HttpError> {
    static CLIENTS: [OnceLock<Client>; 2] = [OnceLock::new(), OnceLock::new()];
    let is_here = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let kept = &CLIENTS[usize::from(is_here)];
    if let Some(client) = kept.get() {
        return Ok(client.clone());
    }
    // Someone else in this program may have chosen the provider already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = Client::builder()
        .user_agent(concat!("parlor/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none());
    let builder = if is_here { builder.no_proxy() } else { builder };
    let client = builder.build().map_err(|error| HttpError::NoClient(error.to_string()))?;
    Ok(kept.get_or_init(|| client).clone())
}

impl Wire for Http {
    fn call(&self, call: Call) -> Box<dyn Reply> {
        let progress = Progress::Unsent(Box::new(self.request(&call)));
        let (within_ms, key) = (call.within_ms, self.key.clone());
        Box::new(HttpReply { began: Instant::now(), within_ms, progress, key })
    }

    fn rest(&self, time: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(time))
    }
}

enum Progress {
    Unsent(Box<RequestBuilder>),
    Streaming { response: Box<Response>, unread: Vec<u8> },
    Over,
}

struct HttpReply {
    began: Instant,
    within_ms: u64,
    progress: Progress,
    key: Option<String>,
}

impl HttpReply {
    fn elapsed(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Some endpoints repeat the key they refuse. What comes back is written
    /// down, and the key must not be.
    fn without_key(&self, text: String) -> String {
        match &self.key {
            Some(key) if text.contains(key.as_str()) => text.replace(key.as_str(), KEY_LEFT_OUT),
            _ => text,
        }
    }

    fn fault_without_key(&self, fault: WireFault) -> WireFault {
        match fault {
            WireFault::Status { status, retry_after_ms, body } => {
                let body = self.without_key(body).chars().take(KEPT_BODY).collect();
                WireFault::Status { status, retry_after_ms, body }
            }
            WireFault::NoStream(kind) => {
                WireFault::NoStream(self.without_key(kind).chars().take(KEPT_BODY).collect())
            }
            other => other,
        }
    }

    /// The next line; none at the end.
    async fn line(&mut self) -> Result<Option<String>, WireFault> {
        if let Progress::Unsent(_) = self.progress {
            let Progress::Unsent(request) = std::mem::replace(&mut self.progress, Progress::Over)
            else {
                return Ok(None);
            };
            let response = Box::new(accepted(*request).await?);
            self.progress = Progress::Streaming { response, unread: Vec::new() };
        }
        let Progress::Streaming { response, unread } = &mut self.progress else { return Ok(None) };
        loop {
            if let Some(end) = unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = unread.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line);
                return Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()));
            }
            if unread.len() > LONGEST_LINE {
                return Err(WireFault::EndlessLine(LONGEST_LINE));
            }
            match response.chunk().await {
                Ok(Some(bytes)) => unread.extend_from_slice(&bytes),
                Ok(None) if unread.is_empty() => return Ok(None),
                Ok(None) => unread.push(b'\n'),
                Err(error) => return Err(WireFault::Broken(innermost(&error))),
            }
        }
    }
}

impl Reply for HttpReply {
    fn next(&mut self) -> BoxFuture<'_, Received> {
        Box::pin(async move {
            let left = self.within_ms.saturating_sub(self.elapsed());
            let read = tokio::time::timeout(Duration::from_millis(left), self.line()).await;
            let at = self.elapsed();
            let fault = match read {
                Ok(Ok(Some(line))) => return Received::Line { at, line: self.without_key(line) },
                Ok(Ok(None)) => return Received::End { at },
                Ok(Err(fault)) => self.fault_without_key(fault),
                Err(_) => WireFault::TimedOut(self.within_ms),
            };
            self.progress = Progress::Over;
            Received::Failed { at, fault }
        })
    }
}

/// Sends the request and looks whether a stream comes back.
async fn accepted(request: RequestBuilder) -> Result<Response, WireFault> {
    let response =
        request.send().await.map_err(|error| WireFault::Unreachable(innermost(&error)))?;
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let status = response.status();
    if !status.is_success() {
        let seconds: Option<u64> = header(RETRY_AFTER).and_then(|text| text.parse().ok());
        let retry_after_ms = seconds.map(|seconds| seconds.saturating_mul(1000));
        let body = beginning(response).await;
        return Err(WireFault::Status { status: status.as_u16(), retry_after_ms, body });
    }
    let kind = header(CONTENT_TYPE).unwrap_or("no content type");
    if !kind.to_ascii_lowercase().starts_with("text/event-stream") {
        return Err(WireFault::NoStream(kind.to_owned()));
    }
    Ok(response)
}

async fn beginning(mut response: Response) -> String {
    let mut body = Vec::new();
    while body.len() < READ_BODY
        && let Ok(Some(bytes)) = response.chunk().await
    {
        body.extend_from_slice(&bytes);
    }
    let text = String::from_utf8_lossy(&body).split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().filter(|letter| !letter.is_control()).collect()
}

/// The cause at the bottom says what went wrong; those above it repeat the
/// address.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
