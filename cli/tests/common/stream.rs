//! Server-sent events, read by hand, so that every byte is seen.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::PATIENCE;
use super::house::{Answer, House};

/// One message of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its `id:`, if it has one.
    pub position: Option<u64>,
    /// Its data.
    pub text: String,
}

impl Message {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("a message is JSON")
    }

    /// What kind of message this is, in any dialect.
    pub fn name(&self) -> String {
        let body = self.json();
        let names = ["event", "event_type", "eventType", "type"];
        let name = names.iter().find_map(|field| body[*field].as_str());
        name.expect("a message has a name").to_owned()
    }

    /// Who is awaited after it, where it says so: the state and the player.
    pub fn next_state(&self) -> Option<(String, String)> {
        let body = self.json();
        let next = &body["next_state"];
        let text = |names: [&str; 2]| {
            names.iter().find_map(|name| next[*name].as_str()).map(str::to_owned)
        };
        Some((text(["type", "state_type"])?, text(["active_player", "active_player_id"])?))
    }
}

/// How to open a stream.
#[derive(Clone, Copy, Default)]
pub struct Hearing<'a> {
    pub table: &'a str,
    pub token: Option<&'a str>,
    pub dialect: &'a str,
    pub after: Option<u64>,
    pub last_event_id: Option<u64>,
    pub ticket: Option<&'a str>,
}

impl Hearing<'_> {
    /// Opens the stream; an answer that is none is given back.
    pub fn open(&self, house: &House) -> Result<Stream, Answer> {
        let mut query = format!("dialect={}", self.dialect);
        if let Some(after) = self.after {
            query += &format!("&after={after}");
        }
        if let Some(ticket) = self.ticket {
            query += &format!("&ticket={ticket}");
        }
        let mut head = format!(
            "GET /api/v1/tables/{}/events?{query} HTTP/1.1\r\nHost: {}\r\n",
            self.table, house.address
        );
        if let Some(token) = self.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        if let Some(position) = self.last_event_id {
            head += &format!("Last-Event-ID: {position}\r\n");
        }
        let socket = TcpStream::connect(&house.address).expect("the server listens");
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut reader = BufReader::new(socket);
        reader.get_mut().write_all(format!("{head}\r\n").as_bytes()).expect("the request is sent");
        let mut stream = Stream { reader, lines: Vec::new(), received: Vec::new(), ended: false };
        stream.read_head().map(|()| stream)
    }
}

/// An open stream.
pub struct Stream {
    reader: BufReader<TcpStream>,
    /// Bytes of the body not yet read as events.
    lines: Vec<u8>,
    /// Every byte of the body so far.
    received: Vec<u8>,
    ended: bool,
}

impl Stream {
    fn read_head(&mut self) -> Result<(), Answer> {
        let mut headers = Vec::new();
        let status = self.read_line().expect("a status line");
        loop {
            let line = self.read_line().expect("a header");
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        if status == 200 {
            assert!(headers.contains(&("content-type".into(), "text/event-stream".into())));
            return Ok(());
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.and_then(|(_, value)| value.parse().ok()).expect("a length");
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).expect("a body");
        Err(Answer { status, text: String::from_utf8(body).expect("a text"), headers })
    }

    fn read_line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    /// One chunk of the body; false at its end.
    fn read_chunk(&mut self) -> std::io::Result<bool> {
        let size = self.read_line()?;
        let size = usize::from_str_radix(&size, 16).unwrap_or(0);
        if size == 0 {
            self.ended = true;
            return Ok(false);
        }
        let mut chunk = vec![0; size];
        self.reader.read_exact(&mut chunk)?;
        self.read_line()?;
        self.received.extend_from_slice(&chunk);
        self.lines.extend_from_slice(&chunk);
        Ok(true)
    }

    fn take_message(&mut self) -> Option<Message> {
        loop {
            let end = self.lines.windows(2).position(|pair| pair == b"\n\n")?;
            let block: Vec<u8> = self.lines.drain(..end + 2).collect();
            let block = String::from_utf8(block).expect("events are text");
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            if let Some(data) = field("data: ") {
                let position = field("id: ").map(|id| id.parse().expect("an id is a number"));
                return Some(Message { position, text: data.to_owned() });
            }
        }
    }

    /// The next message; none at the end, also where the connection breaks.
    /// Fails if nothing comes.
    pub fn next(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.take_message() {
                return Some(message);
            }
            if self.ended {
                return None;
            }
            match self.read_chunk() {
                Ok(_) => {}
                Err(error) if is_timeout(&error) => panic!("nothing came for {PATIENCE:?}"),
                Err(_) => self.ended = true,
            }
        }
    }

    /// The next message of the log itself: refusals and presence are skipped.
    pub fn next_event(&mut self) -> Option<Message> {
        loop {
            let message = self.next()?;
            if message.position.is_some() {
                return Some(message);
            }
        }
    }

    /// The next `count` messages of the log.
    #[track_caller]
    pub fn take(&mut self, count: usize) -> Vec<Message> {
        (0..count).map(|_| self.next_event().expect("an event")).collect()
    }

    /// Messages of the log up to and with the first of this name.
    #[track_caller]
    pub fn take_until(&mut self, name: &str) -> Vec<Message> {
        let mut taken = Vec::new();
        loop {
            let message = self.next_event().expect("an event");
            let last = message.name() == name;
            taken.push(message);
            if last {
                return taken;
            }
        }
    }

    /// Whether no message comes for this long.
    pub fn is_silent_for(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while self.take_message().is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            self.reader.get_ref().set_read_timeout(Some(left)).expect("a timeout");
            let waited = self.reader.fill_buf().map(|_| ());
            self.reader.get_ref().set_read_timeout(Some(PATIENCE)).expect("a timeout");
            match waited {
                Err(error) if is_timeout(&error) => return true,
                Err(_) => return false,
                // Heartbeats are no messages.
                Ok(()) => drop(self.read_chunk()),
            }
        }
        false
    }

    /// Every byte of the body so far.
    pub fn received(&self) -> &[u8] {
        &self.received
    }
}

pub fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
