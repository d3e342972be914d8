//! A real HTTP server that speaks the chat-completions stream, well or badly.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parlor_kernel::{Log, Seal};
use parlor_mafia::{Event, Mafia, Rules};
use parlor_players::llm::Settings;
use parlor_players::{Company, Control, EmptyHouse, Playbill, Played, Wires};
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
    /// A status that is no success.
    Status(u16, &'static str),
    /// A success that is no stream.
    Page,
    /// A stream that never ends.
    Endless,
}

/// A server, its address, and how many requests it has had.
pub struct Server {
    pub base_url: String,
    pub asked: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts a server. `manner` gets the number of the request, from 0, and its
/// body.
pub async fn serve(manner: impl Fn(usize, &Value) -> Manner + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let asked = Arc::new(AtomicUsize::new(0));
    let (manner, count) = (Arc::new(manner), Arc::clone(&asked));
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (manner, count) = (Arc::clone(&manner), Arc::clone(&count));
            tokio::spawn(async move {
                drop(answer(stream, &*manner, &count).await);
            });
        }
    });
    Server { base_url, asked, task }
}

async fn answer(
    mut stream: TcpStream,
    manner: &(dyn Fn(usize, &Value) -> Manner + Send + Sync),
    count: &AtomicUsize,
) -> std::io::Result<()> {
    let Some(request) = read_request(&mut stream).await? else { return Ok(()) };
    let number = count.fetch_add(1, Ordering::Relaxed);
    match manner(number, &request) {
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
        Manner::Status(status, headers) => {
            let body = r#"{"error":{"message":"not now"}}"#;
            let length = body.len();
            let text = format!(
                "HTTP/1.1 {status} No\r\n{headers}content-type: application/json\r\n\
                 connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
            );
            stream.write_all(text.as_bytes()).await
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
    }
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<Option<Value>> {
    let mut bytes = Vec::new();
    loop {
        let head_end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(head_end) = head_end {
            let head = String::from_utf8_lossy(&bytes[..head_end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"))
                .and_then(|length| length.trim().parse::<usize>().ok())
                .unwrap_or(0);
            let body = &bytes[head_end + 4..];
            if body.len() >= length {
                assert!(head.starts_with("post /v1/chat/completions "), "{head}");
                return Ok(serde_json::from_slice(&body[..length]).ok());
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

/// Settings for a table at this server, with more of them in `llm`.
pub fn settings(base_url: &str, llm: &str) -> Settings {
    let text = format!("[llm]\nbase_url = \"{base_url}\"\nmodel = \"test\"\n{llm}");
    toml::from_str(&text).expect("the settings can be read")
}

/// A game where these agents sit in turn.
pub fn bill(settings: Settings, agents: &[&str], rules: &Rules, seed: &str) -> Playbill {
    let agents: Vec<String> = agents.iter().map(|agent| (*agent).to_owned()).collect();
    Company::new(settings)
        .bill(&format!("game-{seed}"), rules, Seal::named(seed), &agents)
        .expect("everyone can be seated")
}

/// Plays it.
pub async fn play(bill: &Playbill, wires: &Wires) -> Played<Mafia> {
    let show = bill.stage(wires, Control::default()).expect("everyone can be seated");
    show.play(&mut EmptyHouse).await
}

/// The log as it is exported.
pub fn jsonl(log: &Log<Mafia>, bill: &Playbill) -> String {
    let line = |envelope| serde_json::to_string(&envelope).expect("an envelope is JSON");
    let lines: Vec<String> = log.envelopes(&bill.opening.game_id).into_iter().map(line).collect();
    lines.join("\n")
}

/// The reasons of every fault, with what came of it.
pub fn faults(log: &Log<Mafia>) -> Vec<(String, parlor_mafia::Remedy)> {
    let fault = |event: &Event| match event {
        Event::AgentFault(fault) => Some((fault.reason.to_string(), fault.remedy)),
        _ => None,
    };
    log.events.iter().filter_map(fault).collect()
}
