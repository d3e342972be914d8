//! The server: tables, seats, clocks, and the transports that people and
//! programs connect by.
//!
//! A command goes straight through: bytes, transport, seat, dialect, table,
//! rules, log on disk; and back: what each viewer sees, dialect, transport.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod api_error;
mod blocks;
mod codes;
mod config;
mod front_door;
mod http;
mod limits;
mod record;
mod registry;
mod reports;
mod secrets;
mod socket_error;
mod socketio;
mod subscription_guard;
mod table;
mod time;
mod websocket;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use parlor_store::Store;
use tokio::net::{TcpListener, TcpSocket};

use front_door::{FrontDoor, Tls};

pub use config::{Config, Limits};
pub use front_door::{ForwardedHeader, Network, Proxies, TlsFiles};
pub use record::{Record, SeatEntry, Status};
pub use registry::Registry;
pub use secrets::{new_code, new_table_id};

/// Requests under way when the server is told to stop have this long.
const STOP_WITHIN: Duration = Duration::from_secs(3);

/// So many connections the system keeps until they are let in: a crowd at once
/// must not keep out whoever comes in between.
const WAITING_TO_BE_LET_IN: u32 = 1024;

/// A server that listens but does not serve yet.
pub struct Server {
    registry: Arc<Registry>,
    listener: TcpListener,
    /// Where the operator asks how it is.
    operator: Option<TcpListener>,
    tls: Option<Tls>,
}

/// Takes an address. The error names the flag that chooses another.
fn listen_on(address: SocketAddr, flag: &str) -> io::Result<TcpListener> {
    let listen = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A server that starts again takes up its address at once.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(WAITING_TO_BE_LET_IN)
    };
    listen().map_err(|error: io::Error| {
        let sentence = format!("cannot listen on {address}: {error}; choose another with {flag}");
        io::Error::new(error.kind(), sentence)
    })
}

impl Server {
    /// Opens the log and takes the address. Running games are taken up beside
    /// what is served. The error is a sentence for whoever starts the server.
    pub async fn bind(config: Config) -> io::Result<Server> {
        http::record_metrics();
        let tls = config.tls.clone().map(Tls::new).transpose()?;
        let store = Store::open(&config.store).await.map_err(io::Error::other)?;
        let listener = listen_on(config.listen, "--listen")?;
        let operator = match config.metrics_listen {
            Some(address) => Some(listen_on(address, "--metrics-listen")?),
            None => None,
        };
        let registry = Registry::new(config, store);
        registry.blocks.read(&registry.store).await.map_err(|error| {
            io::Error::other(format!("the blocked addresses cannot be read: {error}"))
        })?;
        registry.wake_when_due();
        tracing::info!("running games are taken up as they fall due");
        if let Some(operator) = &operator {
            let address = operator.local_addr()?;
            tracing::info!(%address, "metrics and readiness are told the operator");
        }
        Ok(Server { registry, listener, operator, tls })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What an address of it begins with.
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// Serves until `until` is done, then stops so that nothing acknowledged
    /// is lost.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Server { registry, listener, operator, tls } = self;
        let (rooms, sockets) = socketio::layer(&registry);
        let router = http::router(Arc::clone(&registry), rooms);
        registry.close_inactive_rooms();
        registry.let_tables_lapse();
        let door = FrontDoor::new(&registry.config, tls, router, registry.stop.clone());
        let back_door = async {
            if let Some(operator) = operator {
                let router = http::operator_router(Arc::clone(&registry));
                let limits = Limits::default();
                FrontDoor::plain(Some(&limits), router, registry.stop.clone()).open(operator).await;
            }
        };
        let stopping = async {
            until.await;
            tracing::info!("stopping");
            registry.stop.cancel();
            sockets.close().await;
        };
        // Someone who never finishes a request must not hold up the stop.
        let patience = async {
            registry.stop.cancelled().await;
            tokio::time::sleep(STOP_WITHIN).await;
        };
        tokio::select! {
            _ = async { tokio::join!(door.open(listener), back_door, stopping) } => {}
            () = patience => tracing::warn!("some connections did not close in time and were cut"),
        }
        registry.close().await;
        tracing::info!("stopped");
        Ok(())
    }
}
