//! A real HTTP server that speaks the chat-completions stream, well or badly.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How the server answers one request.
#[derive(Clone, Debug)]
pub enum Manner {
    /// A whole stream with this text, in small pieces.
    Says(String),
    /// The same, in one piece.
    AtOnce(String),
    /// The same, with a pause before each piece.
    Slowly(String, Duration),
    /// The stream begins and the connection is cut.
    CutOff(String),
    /// The stream begins and ends in good order, without an end of the answer.
    Unfinished(String),
    /// A whole stream of these deltas, with the reason why it ends.
    Streams(Vec<Value>, &'static str),
    /// The same, and this is what the endpoint says that it took; null says
    /// nothing.
    Counts(Vec<Value>, &'static str, Value),
    /// One object, and no stream.
    Whole(Value),
    /// A refusal with this body.
    Refuses(u16, String),
    /// A status that is no success.
    Status(u16, &'static str),
    /// A success that is no stream.
    Page,
    /// A stream that never ends.
    Endless,
    /// The request is taken, and nothing comes back.
    Hangs,
    /// A refusal that repeats the key it was sent.
    Repeats(u16),
}

/// What a server has had to do.
#[derive(Default)]
pub struct Counts {
    /// Requests.
    pub asked: AtomicUsize,
    /// Requests that were answered to the end.
    pub done: AtomicUsize,
    /// Requests whose client left before the end.
    pub left: AtomicUsize,
    /// Requests under way.
    busy: AtomicUsize,
    /// The most requests that were under way at once.
    pub busiest: AtomicUsize,
}

impl Counts {
    pub fn of(count: &AtomicUsize) -> usize {
        count.load(Ordering::Relaxed)
    }
}

/// A server, its address, and what it has had to do.
pub struct Server {
    pub base_url: String,
    pub counts: Arc<Counts>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    /// How many requests it has had.
    pub fn asked(&self) -> usize {
        Counts::of(&self.counts.asked)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts a server. `manner` gets the number of the request, from 0, and its
/// body.
pub async fn serve(manner: impl Fn(usize, &Value) -> Manner + Send + Sync + 'static) -> Server {
    serve_all(move |number, head, request| {
        assert!(head.starts_with("POST /v1/chat/completions "), "{head}");
        manner(number, request)
    })
    .await
}

/// The same at any path; `manner` gets the head of the request, too.
pub async fn serve_all(
    manner: impl Fn(usize, &str, &Value) -> Manner + Send + Sync + 'static,
) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let counts = Arc::new(Counts::default());
    let (manner, shared) = (Arc::new(manner), Arc::clone(&counts));
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Every piece is sent when it is said.
            drop(stream.set_nodelay(true));
            let (manner, counts) = (Arc::clone(&manner), Arc::clone(&shared));
            tokio::spawn(async move {
                let busy = counts.busy.fetch_add(1, Ordering::Relaxed) + 1;
                counts.busiest.fetch_max(busy, Ordering::Relaxed);
                let end = match answer(stream, &*manner, &counts.asked).await {
                    Ok(()) => &counts.done,
                    Err(_) => &counts.left,
                };
                counts.busy.fetch_sub(1, Ordering::Relaxed);
                end.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    Server { base_url, counts, task }
}

async fn answer(
    mut stream: TcpStream,
    manner: &(dyn Fn(usize, &str, &Value) -> Manner + Send + Sync),
    count: &AtomicUsize,
) -> std::io::Result<()> {
    let Some((head, request)) = read_request(&mut stream).await? else { return Ok(()) };
    let number = count.fetch_add(1, Ordering::Relaxed);
    match manner(number, &head, &request) {
        Manner::Says(text) => {
            stream_head(&mut stream).await?;
            speak(&mut stream, &text, Duration::ZERO).await?;
            finish(&mut stream, true).await
        }
        Manner::AtOnce(text) => {
            stream_head(&mut stream).await?;
            delta(&mut stream, &text).await?;
            finish(&mut stream, true).await
        }
        Manner::Slowly(text, pause) => {
            stream_head(&mut stream).await?;
            speak(&mut stream, &text, pause).await?;
            finish(&mut stream, true).await
        }
        Manner::CutOff(text) => {
            stream_head(&mut stream).await?;
            speak(&mut stream, &text, Duration::ZERO).await
        }
        Manner::Unfinished(text) => {
            stream_head(&mut stream).await?;
            speak(&mut stream, &text, Duration::ZERO).await?;
            finish(&mut stream, false).await
        }
        Manner::Streams(deltas, why) => {
            stream_deltas(&mut stream, deltas, why).await?;
            finish(&mut stream, true).await
        }
        Manner::Counts(deltas, why, usage) => {
            stream_deltas(&mut stream, deltas, why).await?;
            let usage = json!({ "choices": [], "usage": usage });
            chunk(&mut stream, &format!("data: {usage}\n\ndata: [DONE]\n\n")).await?;
            stream.write_all(b"0\r\n\r\n").await
        }
        Manner::Whole(object) => {
            let body = format!("{object:#}");
            let text = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(text.as_bytes()).await
        }
        Manner::Refuses(status, body) => refuse(&mut stream, status, "", &body).await,
        Manner::Status(status, headers) => {
            refuse(&mut stream, status, headers, r#"{"error":{"message":"not now"}}"#).await
        }
        Manner::Page => {
            let text = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\
                        content-length: 13\r\n\r\n<html></html>";
            stream.write_all(text.as_bytes()).await
        }
        Manner::Endless => {
            stream_head(&mut stream).await?;
            delta(&mut stream, "{\"thought\": \"").await?;
            loop {
                delta(&mut stream, "and on it goes. ").await?;
            }
        }
        Manner::Hangs => {
            while stream.read(&mut [0; 64]).await? > 0 {}
            Err(std::io::ErrorKind::ConnectionAborted.into())
        }
        Manner::Repeats(status) => {
            let is_key = |line: &&str| line.to_ascii_lowercase().starts_with("authorization:");
            let key = head.lines().find(is_key).unwrap_or_default();
            let body = json!({ "error": { "message": format!("not with '{key}'") } });
            refuse(&mut stream, status, "", &body.to_string()).await
        }
    }
}

async fn stream_deltas(
    stream: &mut TcpStream,
    deltas: Vec<Value>,
    why: &str,
) -> std::io::Result<()> {
    stream_head(stream).await?;
    for delta in deltas {
        let data = json!({ "choices": [{ "index": 0, "delta": delta }] });
        chunk(stream, &format!("data: {data}\n\n")).await?;
    }
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": why }] });
    chunk(stream, &format!("data: {end}\n\n")).await
}

async fn refuse(
    stream: &mut TcpStream,
    status: u16,
    headers: &str,
    body: &str,
) -> std::io::Result<()> {
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status} No\r\n{headers}content-type: application/json\r\n\
         connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await
}

/// The head of a request and its body.
async fn read_request(stream: &mut TcpStream) -> std::io::Result<Option<(String, Value)>> {
    let mut bytes = Vec::new();
    loop {
        let head_end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(head_end) = head_end {
            let sent = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
            let head = sent.to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"))
                .and_then(|length| length.trim().parse::<usize>().ok())
                .unwrap_or(0);
            let body = &bytes[head_end + 4..];
            if body.len() >= length {
                let request = serde_json::from_slice(&body[..length]).ok();
                return Ok(request.map(|request| (sent, request)));
            }
        }
        let mut more = [0; 8192];
        match stream.read(&mut more).await? {
            0 => return Ok(None),
            read => bytes.extend_from_slice(&more[..read]),
        }
    }
}

async fn stream_head(stream: &mut TcpStream) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
                transfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    chunk(stream, ": welcome\n\n").await
}

async fn chunk(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    let framed = format!("{:x}\r\n{text}\r\n", text.len());
    stream.write_all(framed.as_bytes()).await
}

async fn delta(stream: &mut TcpStream, content: &str) -> std::io::Result<()> {
    let data = json!({ "choices": [{ "index": 0, "delta": { "content": content } }] });
    chunk(stream, &format!("data: {data}\r\n\r\n")).await
}

/// Says a text a few letters at a time, cut where no word ends.
async fn speak(stream: &mut TcpStream, text: &str, pause: Duration) -> std::io::Result<()> {
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(7) {
        tokio::time::sleep(pause).await;
        delta(stream, &piece.iter().collect::<String>()).await?;
    }
    Ok(())
}

async fn finish(stream: &mut TcpStream, is_whole: bool) -> std::io::Result<()> {
    if is_whole {
        let end = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
        let usage = json!({
            "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 20 }
        });
        chunk(stream, &format!("data: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n")).await?;
    }
    stream.write_all(b"0\r\n\r\n").await
}

/// The last message of a request.
pub fn last_message(request: &Value) -> &str {
    let messages = request["messages"].as_array().expect("a request has messages");
    messages.last().and_then(|message| message["content"].as_str()).expect("and words")
}

/// A good answer to any question: it reads the legal list like a model would.
pub fn sensible(request: &Value) -> String {
    let asked = last_message(request);
    let thought = "I look around. Someone \"quiet\" is up to something…";
    if asked.contains("You have the floor") {
        let statement = "I trust nobody. Who was awake last night? Speak!";
        return json!({ "thought": thought, "statement": statement }).to_string();
    }
    let legal = asked.rsplit("Legal: ").next().expect("a legal list");
    let ids: Vec<&str> = legal
        .split(['.', ','])
        .take_while(|item| !item.contains("Answer"))
        .filter_map(|item| item.split_whitespace().next())
        .filter(|id| id.starts_with('p'))
        .collect();
    // Not always the first: the length of the prompt is as good as a die.
    let target = ids[asked.len() % ids.len()];
    format!("Here you are:\n```json\n{}\n```", json!({ "thought": thought, "target": target }))
}
