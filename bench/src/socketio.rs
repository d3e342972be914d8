//! A light Socket.IO client: one WebSocket, no polling, no acknowledgements.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::Outcome;
use crate::client::Socket;

/// The packets of Engine.IO 4 that a client meets, as they begin.
const OPEN: char = '0';
const PING: &str = "2";
const PONG: &str = "3";
/// Engine.IO's message, then Socket.IO's kind of packet.
const CONNECT: &str = "40";
const EVENT: &str = "42";

/// Someone connected to a Socket.IO server.
pub struct SocketIo(Socket);

impl SocketIo {
    /// Connects, with what the server wants to know of them.
    pub async fn connect(server: SocketAddr, auth: &Value) -> Outcome<SocketIo> {
        let mut socket = Socket::open(server, "/socket.io/?EIO=4&transport=websocket").await?;
        let opened = socket.text().await?;
        if !opened.starts_with(OPEN) {
            return Err(format!("no Engine.IO: {opened}").into());
        }
        socket.send(format!("{CONNECT}{auth}")).await?;
        let mut socket = SocketIo(socket);
        let connected = socket.packet().await?;
        if !connected.starts_with(CONNECT) {
            return Err(format!("not let in: {connected}").into());
        }
        Ok(socket)
    }

    /// Sends an event.
    pub async fn emit(&mut self, name: &str, data: Option<&Value>) -> Outcome<()> {
        let event = match data {
            Some(data) => json!([name, data]),
            None => json!([name]),
        };
        self.0.send(format!("{EVENT}{event}")).await
    }

    /// What the next event of this name carries; others are passed over.
    pub async fn hear(&mut self, name: &str) -> Outcome<Value> {
        loop {
            let packet = self.packet().await?;
            let event = packet.strip_prefix(EVENT).ok_or_else(|| format!("ended: {packet}"))?;
            let mut event: Value = serde_json::from_str(event)?;
            match event[0].as_str() {
                Some("error") => return Err(format!("refused: {event}").into()),
                Some(heard) if heard == name => return Ok(event[1].take()),
                _ => {}
            }
        }
    }

    /// The next packet; heartbeats are answered.
    async fn packet(&mut self) -> Outcome<Utf8Bytes> {
        loop {
            let packet = self.0.text().await?;
            if packet.as_str() != PING {
                return Ok(packet);
            }
            self.0.send(PONG.to_owned()).await?;
        }
    }
}
