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

use axum::serve::ListenerExt;
use parlor_store::Store;
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};

pub use config::{Config, Limits};
pub use record::{Record, SeatEntry, Status};
pub use registry::Registry;
pub use secrets::{new_code, new_table_id};

/// Requests under way when the server is told to stop have this long.
const STOP_WITHIN: Duration = Duration::from_secs(3);

/// What every connection is told, whatever is spoken over it.
fn prepare(stream: &TcpStream, stalled_after: Duration) -> io::Result<()> {
    // Without this, Nagle's algorithm holds back small messages for 40 ms.
    stream.set_nodelay(true)?;
    // A client that never reads would keep its line, and megabytes of what it
    // does not read, for ever: the system waits as long as it says it is there.
    #[cfg(target_os = "linux")]
    SockRef::from(stream).set_tcp_user_timeout(Some(stalled_after))?;
    #[cfg(not(target_os = "linux"))]
    let _ = stalled_after;
    Ok(())
}

/// A server that listens but does not serve yet.
pub struct Server {
    registry: Arc<Registry>,
    subscriber: TcpListener,
}

impl Server {
    /// Opens the log and takes the address. Running games are taken up beside
    /// what is served. The error is a sentence for whoever starts the server.
    pub async fn bind(config: Config) -> io::Result<Server> {
        http::record_metrics();
        let listen = config.listen;
        let store = Store::open(&config.store).await.map_err(io::Error::other)?;
        let subscriber = TcpListener::bind(listen).await.map_err(|error| {
            let sentence =
                format!("cannot listen on {listen}: {error}; choose another with --listen");
            io::Error::new(error.kind(), sentence)
        })?;
        let registry = Registry::new(config, store);
        registry.blocks.read(&registry.store).await.map_err(|error| {
            io::Error::other(format!("the blocked addresses cannot be read: {error}"))
        })?;
        registry.wake_when_due();
        tracing::info!("running games are taken up as they fall due");
        Ok(Server { registry, subscriber })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.subscriber.local_addr()
    }

    /// Serves until `until` is done, then stops so that nothing acknowledged
    /// is lost.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Server { registry, subscriber } = self;
        let stopping = Arc::clone(&registry);
        let (rooms, sockets) = socketio::layer(&registry);
        let router = http::router(Arc::clone(&registry), rooms);
        registry.close_inactive_rooms();
        registry.let_tables_lapse();
        let stalled_after = registry.config.stalled_after;
        let subscriber = subscriber.tap_io(move |stream| {
            if let Err(error) = prepare(stream, stalled_after) {
                tracing::warn!(%error, "could not set the options of a socket");
            }
        });
        let serving =
            axum::serve(subscriber, router.into_make_service_with_connect_info::<SocketAddr>())
                .with_graceful_shutdown(async move {
                    until.await;
                    tracing::info!("stopping");
                    stopping.stop.cancel();
                    sockets.close().await;
                });
        // Someone who never finishes a request must not hold up the stop.
        let patience = async {
            registry.stop.cancelled().await;
            tokio::time::sleep(STOP_WITHIN).await;
        };
        tokio::select! {
            served = serving.into_future() => served.map_err(|error| {
                io::Error::new(error.kind(), format!("the server broke off: {error}"))
            })?,
            () = patience => tracing::warn!("some connections did not close in time and were cut"),
        }
        registry.close().await;
        tracing::info!("stopped");
        Ok(())
    }
}
