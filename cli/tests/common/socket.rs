//! A WebSocket client.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::error::Error;
use tungstenite::protocol::frame::Frame as RawFrame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::{Message as Frame, WebSocket};

use super::PATIENCE;
use super::house::{House, Table};
use super::stream::{Message, is_timeout};

/// An open WebSocket.
pub struct Socket {
    socket: WebSocket<TcpStream>,
    received: Vec<u8>,
}

impl Socket {
    /// Opens a socket; a refusal gives its status.
    pub fn open(house: &House, table: &Table, dialect: &str) -> Result<Socket, u16> {
        Socket::open_from(house, &format!("table={}&dialect={dialect}", table.id), None)
    }

    /// Opens a socket from a page of `origin`.
    pub fn open_from(house: &House, query: &str, origin: Option<&str>) -> Result<Socket, u16> {
        Socket::open_at(house, &format!("/ws?{query}"), origin)
    }

    /// Opens a socket at another address.
    pub fn open_at(house: &House, path: &str, origin: Option<&str>) -> Result<Socket, u16> {
        let stream = TcpStream::connect(&house.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let address = format!("ws://{}{path}", house.address);
        let mut request = address.into_client_request().expect("a request");
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        }
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Socket { socket, received: Vec::new() }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("no WebSocket: {error}"),
        }
    }

    /// Says who it is where the contract has no way of its own, and hears
    /// everything from the first event on; without a seat it watches.
    pub fn enter(&mut self, table: &Table, seat: Option<usize>) {
        self.say(&match seat.and_then(|seat| table.token(seat)) {
            Some(token) => json!({ "type": "auth", "token": token, "after": 0 }),
            None => json!({ "type": "watch", "after": 0 }),
        });
    }

    /// Joins as the protocol has it.
    pub fn join(&mut self, table: &Table, seat: usize, after: Option<u64>) {
        let mut join = joining(table, seat);
        if let Some(after) = after {
            join["after"] = after.into();
        }
        self.say(&join);
    }

    pub fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string()).expect("the message is sent");
    }

    pub fn say_text(&mut self, text: &str) -> Result<(), Error> {
        self.socket.send(Frame::text(text))
    }

    pub fn say_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.socket.send(Frame::binary(bytes.to_vec()))
    }

    /// Sends bytes as if they were a text.
    pub fn say_no_text(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let text = OpCode::Data(Data::Text);
        self.socket.send(Frame::Frame(RawFrame::message(bytes.to_vec(), text, true)))
    }

    /// Closes it, and says so.
    pub fn close(&mut self) {
        self.socket.close(None).expect("the closing is sent");
    }

    /// Says this again and again without ever listening, until the server
    /// takes no more of it for a while.
    pub fn flood(&mut self, message: &Value) {
        let a_while = Some(Duration::from_secs(2));
        self.socket.get_ref().set_write_timeout(a_while).expect("a timeout");
        while self.say_text(&message.to_string()).is_ok() {}
    }

    /// The next message; none when the socket is closed. Fails if nothing comes.
    pub fn next(&mut self) -> Option<Message> {
        let text = self.next_text()?;
        Some(Message { position: position_of(&text), text })
    }

    /// The same, whatever it is.
    pub fn next_text(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Frame::Text(text)) => {
                    self.received.extend_from_slice(text.as_bytes());
                    return Some(text.as_str().to_owned());
                }
                Ok(Frame::Close(_)) => return None,
                Ok(_) => {}
                Err(Error::Io(error)) if is_timeout(&error) => {
                    panic!("nothing came for {PATIENCE:?}")
                }
                Err(_) => return None,
            }
        }
    }

    /// The code the server closes it with, whatever comes before; none if it
    /// breaks off.
    pub fn closing_code(&mut self) -> Option<u16> {
        self.closing().map(|(code, _)| code)
    }

    /// The code and the reason the server closes it with.
    pub fn closing(&mut self) -> Option<(u16, String)> {
        loop {
            match self.socket.read() {
                Ok(Frame::Close(frame)) => {
                    return frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                }
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Whether the server answers the closing and then ends the connection.
    pub fn is_closed_in_order(&mut self) -> bool {
        loop {
            match self.socket.read() {
                Ok(_) => {}
                Err(Error::ConnectionClosed) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Whether the line breaks off without a word, after whatever still comes,
    /// in less than this time.
    pub fn breaks_off_within(&mut self, time: Duration) -> bool {
        let began = Instant::now();
        self.socket.get_ref().set_read_timeout(Some(time)).expect("a timeout");
        while began.elapsed() < time {
            match self.socket.read() {
                Ok(Frame::Close(_)) => return false,
                Ok(_) => {}
                Err(Error::Io(error)) => return !is_timeout(&error),
                Err(_) => return true,
            }
        }
        false
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

    /// Whether nothing comes for this long.
    pub fn is_silent_for(&mut self, time: Duration) -> bool {
        self.socket.get_ref().set_read_timeout(Some(time)).expect("a timeout");
        let silent = matches!(self.socket.read(), Err(Error::Io(error)) if is_timeout(&error));
        self.socket.get_ref().set_read_timeout(Some(PATIENCE)).expect("a timeout");
        silent
    }

    /// Every text so far.
    pub fn received(&self) -> &[u8] {
        &self.received
    }
}

/// How a player joins, or asks for a snapshot.
pub fn joining(table: &Table, seat: usize) -> Value {
    json!({
        "command": "GameRequestJoin",
        "player_id": format!("p{}", seat + 1),
        "session_token": table.token(seat).expect("a token"),
    })
}

/// The position an event id speaks of; refusals and the like have none.
fn position_of(text: &str) -> Option<u64> {
    let body: Value = serde_json::from_str(text).ok()?;
    // An envelope counts from 0; a snapshot says how much it reflects.
    if let Some(sequence) = body["sequence"].as_u64().filter(|_| body["gameId"].is_string()) {
        return Some(sequence + u64::from(body["eventType"] != "SNAPSHOT"));
    }
    let id = ["event_id", "id"].iter().find_map(|name| body[*name].as_str())?;
    let id = id.strip_prefix("evt_")?;
    id.strip_prefix("snapshot_").unwrap_or(id).parse().ok()
}
