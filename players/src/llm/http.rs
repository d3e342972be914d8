//! The wire over HTTP: any endpoint that speaks chat completions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde_json::Value;

use crate::agent::BoxFuture;
use crate::llm::address::{Address, Endpoint, HttpError};
use crate::llm::way::{Form, FormRefused, Way};
use crate::llm::wire::{ModelCall, ModelReply, Received, Wire, WireFault};

/// The longest line of a stream, in bytes: far more than any delta needs.
const LONGEST_LINE: usize = 1 << 20;

/// How much of a refusal's body is kept, in characters.
const KEPT_BODY: usize = 400;

/// How much of a refusal's body is read, in bytes.
const READ_BODY: usize = 4096;

/// A model, and the way that is set for it.
type Asked = (String, Option<Way>);

/// An endpoint, and what was found out about it.
#[derive(Clone)]
pub struct Http {
    client: Client,
    endpoint: Arc<Endpoint>,
    /// How each model wants to be asked: found out once.
    forms: Arc<Mutex<HashMap<Asked, Form>>>,
}

impl Http {
    /// The endpoint at this address.
    pub fn new(address: &Address) -> Result<Http, HttpError> {
        let endpoint = Endpoint::new(address)?;
        let client = client(&endpoint.url)?;
        Ok(Http { client, endpoint: Arc::new(endpoint), forms: Arc::default() })
    }

    fn form(&self, asked: &Asked) -> Option<Form> {
        self.forms.lock().unwrap_or_else(PoisonError::into_inner).get(asked).copied()
    }

    fn remember(&self, asked: &Asked, form: Form) {
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        forms.insert(asked.clone(), form);
    }

    /// Sends a request, in other forms if the endpoint refuses this one.
    async fn ask(&self, call: &ModelCall) -> Result<Lines, WireFault> {
        let model = call.request.get("model").and_then(Value::as_str).unwrap_or_default();
        let asked = (model.to_owned(), call.way);
        let mut form = self.form(&asked).unwrap_or_else(|| Form::first(call.way));
        let mut refusal = None;
        loop {
            let request = form.request(&call.request, &call.answer);
            let fault = match self.send(&request).await {
                Ok(lines) => {
                    self.remember(&asked, form);
                    return Ok(lines);
                }
                Err(fault) => fault,
            };
            form = match form.after(&fault, &request, call.way.is_none()) {
                FormRefused::Named(next) => {
                    self.remember(&asked, next);
                    next
                }
                FormRefused::Perhaps(next) => next,
                // The first refusal is about the request as it was meant.
                FormRefused::Otherwise => return Err(refusal.unwrap_or(fault)),
            };
            refusal.get_or_insert(fault);
        }
    }

    /// Sends a request and looks whether an answer comes back.
    async fn send(&self, request: &Value) -> Result<Lines, WireFault> {
        let request = self
            .client
            .post(self.endpoint.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .headers(self.endpoint.headers.clone())
            .body(request.to_string());
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
        let kind = header(CONTENT_TYPE).unwrap_or("no content type").to_ascii_lowercase();
        let lines = |response| Lines { response: Box::new(response), unread: Vec::new() };
        if kind.starts_with("text/event-stream") {
            Ok(lines(response))
        } else if kind.starts_with("application/json") {
            let mut lines = lines(response);
            lines.make_stream().await?;
            Ok(lines)
        } else {
            Err(WireFault::NoStream(kind))
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
    fn call(&self, call: ModelCall) -> Box<dyn ModelReply> {
        let (began, within_ms) = (Instant::now(), call.within_ms);
        let progress = Progress::Unsent(Box::new(call));
        Box::new(HttpReply { http: self.clone(), began, within_ms, progress })
    }

    fn rest(&self, time: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// An answer under way, line by line.
struct Lines {
    response: Box<Response>,
    unread: Vec<u8>,
}

impl Lines {
    /// The next line; none at the end.
    async fn next(&mut self) -> Result<Option<String>, WireFault> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line);
                return Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()));
            }
            if !self.read_on().await? {
                if self.unread.is_empty() {
                    return Ok(None);
                }
                self.unread.push(b'\n');
            }
        }
    }

    /// Reads what comes next. False at the end.
    async fn read_on(&mut self) -> Result<bool, WireFault> {
        if self.unread.len() > LONGEST_LINE {
            return Err(WireFault::EndlessLine(LONGEST_LINE));
        }
        let bytes = self.response.chunk().await;
        let bytes = bytes.map_err(|error| WireFault::Broken(innermost(&error)))?;
        self.unread.extend_from_slice(bytes.as_deref().unwrap_or_default());
        Ok(bytes.is_some())
    }

    /// An endpoint that does not stream sends one object: it becomes the one
    /// line of a stream.
    async fn make_stream(&mut self) -> Result<(), WireFault> {
        while self.read_on().await? {}
        let whole: Value = serde_json::from_slice(&self.unread)
            .map_err(|error| WireFault::Broken(error.to_string()))?;
        self.unread = format!("data: {whole}\n").into_bytes();
        Ok(())
    }
}

enum Progress {
    Unsent(Box<ModelCall>),
    Streaming(Lines),
    Over,
}

struct HttpReply {
    http: Http,
    began: Instant,
    within_ms: u64,
    progress: Progress,
}

impl HttpReply {
    fn elapsed(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn without_secrets(&self, text: String) -> String {
        self.http.endpoint.without_secrets(text)
    }

    fn fault_without_secrets(&self, fault: WireFault) -> WireFault {
        let clean = |text| self.without_secrets(text).chars().take(KEPT_BODY).collect();
        match fault {
            WireFault::Status { status, retry_after_ms, body } => {
                WireFault::Status { status, retry_after_ms, body: clean(body) }
            }
            WireFault::NoStream(kind) => WireFault::NoStream(clean(kind)),
            WireFault::Unreachable(why) => WireFault::Unreachable(clean(why)),
            WireFault::Broken(why) => WireFault::Broken(clean(why)),
            other => other,
        }
    }

    /// The next line; none at the end.
    async fn line(&mut self) -> Result<Option<String>, WireFault> {
        if let Progress::Unsent(call) = &self.progress {
            let lines = self.http.ask(call).await?;
            self.progress = Progress::Streaming(lines);
        }
        match &mut self.progress {
            Progress::Streaming(lines) => lines.next().await,
            _ => Ok(None),
        }
    }
}

impl ModelReply for HttpReply {
    fn next(&mut self) -> BoxFuture<'_, Received> {
        Box::pin(async move {
            let left = self.within_ms.saturating_sub(self.elapsed());
            let read = tokio::time::timeout(Duration::from_millis(left), self.line()).await;
            let at = self.elapsed();
            let fault = match read {
                Ok(Ok(Some(line))) => {
                    return Received::Line { at, line: self.without_secrets(line) };
                }
                Ok(Ok(None)) => return Received::End { at },
                Ok(Err(fault)) => self.fault_without_secrets(fault),
                Err(_) => WireFault::TimedOut(self.within_ms),
            };
            self.progress = Progress::Over;
            Received::Failed { at, fault }
        })
    }
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
