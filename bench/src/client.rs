//! A light client: enough HTTP to create a table and to send commands, a
//! WebSocket to play at it.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::Outcome;

/// Posts JSON and reads the JSON that comes back.
pub async fn post(server: SocketAddr, path: &str, token: &str, body: &Value) -> Outcome<Value> {
    let body = body.to_string();
    let bearer =
        if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n{bearer}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(server).await?;
    stream.set_nodelay(true)?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    if !head.starts_with("HTTP/1.1 20") {
        return Err(format!("{path}: {head} {body}").into());
    }
    Ok(serde_json::from_str(body)?)
}

/// A connection that a player's commands are posted on, one after the other.
pub struct CommandLine {
    stream: BufReader<TcpStream>,
    head: String,
    answer: Vec<u8>,
}

impl CommandLine {
    /// Connects, for commands to a table of Koi-Koi.
    pub async fn open(server: SocketAddr, table: &str, token: &str) -> Outcome<CommandLine> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let head = format!(
            "POST /api/v1/tables/{table}/commands?dialect=koikoi.protocol HTTP/1.1\r\n\
             Host: {server}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: "
        );
        Ok(CommandLine { stream: BufReader::new(stream), head, answer: Vec::new() })
    }

    /// Posts a command and reads its answer.
    pub async fn post(&mut self, command: &str) -> Outcome<()> {
        let request = format!("{}{}\r\n\r\n{command}", self.head, command.len());
        self.stream.write_all(request.as_bytes()).await?;
        let (mut status, mut length) = (String::new(), 0);
        self.stream.read_line(&mut status).await?;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await?;
            match line.trim().split_once(':') {
                None => break,
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse()?;
                }
                Some(_) => {}
            }
        }
        self.answer.resize(length, 0);
        self.stream.read_exact(&mut self.answer).await?;
        if !status.starts_with("HTTP/1.1 200") {
            let answer = String::from_utf8_lossy(&self.answer);
            return Err(format!("{} {answer}", status.trim()).into());
        }
        Ok(())
    }
}

/// A player's WebSocket.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Connects to a path.
    pub async fn open(server: SocketAddr, path: &str) -> Outcome<Socket> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let request = format!("ws://{server}{path}").into_client_request()?;
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let (socket, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        Ok(Socket(socket))
    }

    /// Connects to a table of Koi-Koi and joins.
    pub async fn join(
        server: SocketAddr,
        table: &str,
        player: &str,
        token: &str,
    ) -> Outcome<Socket> {
        let path = format!("/ws?table={table}&dialect=koikoi.protocol");
        let mut socket = Socket::open(server, &path).await?;
        let join =
            json!({ "command": "GameRequestJoin", "player_id": player, "session_token": token });
        socket.send(join.to_string()).await?;
        Ok(socket)
    }

    /// Sends a text.
    pub async fn send(&mut self, text: String) -> Outcome<()> {
        Ok(self.0.send(Message::text(text)).await?)
    }

    /// The next text.
    pub async fn text(&mut self) -> Outcome<Utf8Bytes> {
        loop {
            match self.0.next().await.ok_or("the server closed the connection")?? {
                Message::Text(text) => return Ok(text),
                Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
                _ => {}
            }
        }
    }

    /// The next message.
    pub async fn next(&mut self) -> Outcome<Value> {
        Ok(serde_json::from_str(&self.text().await?)?)
    }

    /// Skips one event without reading it; comings and goings are no events.
    pub async fn skip(&mut self) -> Outcome<()> {
        while self.text().await?.contains("\"PlayerConnectionChanged\"") {}
        Ok(())
    }
}
