//! The server: tables, seats, clocks, and the transports that people and
//! programs connect by.
//!
//! A command goes straight through: bytes, transport, seat, dialect, table,
//! rules, log on disk; and back: what each viewer sees, dialect, transport.

mod api_error;
mod codes;
mod config;
mod http;
mod limits;
mod record;
mod registry;
mod secrets;
mod socket_error;
mod socketio;
mod subscription_guard;
mod table;
mod time;
mod websocket;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use parlor_store::{Store, StoreError};
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};

pub use config::{Config, Limits};
pub use record::{Record, SeatEntry, Status};
pub use registry::Registry;
pub use secrets::{new_code, new_table_id};

/// Requests under way when the server is told to stop have this long.
const STOP_WITHIN: Duration = Duration::from_secs(3);

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The log cannot be opened.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The address cannot be bound.
    #[error("cannot listen on {0}: {1}; choose another with --listen")]
    Listen(SocketAddr, std::io::Error),
    /// The running games cannot be read.
    #[error("the running games cannot be taken up again: {0}")]
    Wake(String),
    /// The listening socket failed.
    #[error("the server broke off: {0}")]
    Io(#[from] std::io::Error),
}

/// What every connection is told, whatever is spoken over it.
fn prepare(stream: &TcpStream, stalled_after: Duration) -> std::io::Result<()> {
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
    /// Opens the log, takes the address and wakes running games.
    pub async fn bind(config: Config) -> Result<Server, ServeError> {
        http::record_metrics();
        let listen = config.listen;
        let store = Store::open(&config.store).await?;
        let subscriber =
            TcpListener::bind(listen).await.map_err(|error| ServeError::Listen(listen, error))?;
        let registry = Registry::new(config, store);
        let resumed = registry
            .resume_running()
            .await
            .map_err(|refusal| ServeError::Wake(refusal.to_string()))?;
        tracing::info!(games = resumed, "running games taken up again");
        Ok(Server { registry, subscriber })
    }

    /// Where it listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.subscriber.local_addr()
    }

    /// Serves until `until` is done, then stops so that nothing acknowledged
    /// is lost.
    pub async fn serve(
        self,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Server { registry, subscriber } = self;
        let stopping = Arc::clone(&registry);
        let (rooms, sockets) = socketio::layer(&registry);
        let router = http::router(Arc::clone(&registry), rooms);
        registry.close_inactive_rooms();
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
            served = serving.into_future() => served?,
            () = patience => tracing::warn!("some connections did not close in time and were cut"),
        }
        registry.close().await;
        tracing::info!("stopped");
        Ok(())
    }
}
