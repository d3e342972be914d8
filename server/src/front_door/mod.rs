//! The front door: who is let in, how many at a time, and how long they may
//! take. What is said once they are in is no concern of it.
//!
//! A connection is counted when it is accepted. Its client is counted then too,
//! or, where a trusted proxy stands between, with each of its requests.

mod bodies;
mod connection;
mod line;
mod places;
mod proxies;
mod proxy_protocol;
mod pulse;
mod tls;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::service::TowerToHyperService;
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::api_error::ApiError;
use crate::config::{Config, Limits};
use crate::limits::Address;
use places::{Place, Places};
use pulse::Patience;

pub use proxies::{ForwardedHeader, Network, Proxies, Sender};
pub use tls::{Tls, TlsFiles};

/// Whoever cannot be let in for want of files is let in a little later.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// A shortage is over when there was none for this time.
const SHORTAGE_OVER: Duration = Duration::from_secs(10);
/// So many are told at a time why they are turned away; others find the door
/// closed.
const FAREWELLS: usize = 64;
/// And have this long to hear it.
const FAREWELL_WITHIN: Duration = Duration::from_secs(1);

/// A door with all that is checked there.
pub struct FrontDoor {
    router: TowerToHyperService<Router>,
    places: Arc<Places>,
    patience: Patience,
    proxies: Proxies,
    tls: Option<Arc<Tls>>,
    stalled_after: Duration,
    farewells: Arc<Semaphore>,
    connections: TaskTracker,
    stop: CancellationToken,
}

impl FrontDoor {
    /// The door of the public, behind which there is this.
    pub fn new(
        config: &Config,
        tls: Option<Tls>,
        router: Router,
        stop: CancellationToken,
    ) -> FrontDoor {
        FrontDoor {
            proxies: config.proxies.clone(),
            tls: tls.map(Arc::new),
            stalled_after: config.stalled_after,
            ..FrontDoor::plain(config.limits.as_ref(), router, stop)
        }
    }

    /// A door without TLS and proxies.
    pub fn plain(limits: Option<&Limits>, router: Router, stop: CancellationToken) -> FrontDoor {
        let most =
            |count: fn(&Limits) -> u32| limits.map_or(usize::MAX, |limits| count(limits) as usize);
        FrontDoor {
            router: TowerToHyperService::new(router),
            places: Places::new(
                most(|limits| limits.connections),
                most(|limits| limits.connections_per_address),
            ),
            patience: Patience::new(limits),
            proxies: Proxies::default(),
            tls: None,
            stalled_after: Duration::from_secs(60),
            farewells: Arc::new(Semaphore::new(FAREWELLS)),
            connections: TaskTracker::new(),
            stop,
        }
    }

    /// Lets people in until the server stops, and then waits for the requests
    /// under way.
    pub async fn open(self, listener: TcpListener) {
        let door = Arc::new(self);
        let tls = door.tls.clone().map(Tls::follow);
        let following = async {
            match tls {
                Some(following) => following.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = Arc::clone(&door).accept(&listener) => {}
            () = following => {}
            () = door.stop.cancelled() => {}
        }
        drop(listener);
        door.connections.close();
        door.connections.wait().await;
    }

    async fn accept(self: Arc<Self>, listener: &TcpListener) {
        let mut short_at: Option<Instant> = None;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    if short_at.is_some_and(|at| at.elapsed() > SHORTAGE_OVER) {
                        short_at = None;
                        tracing::info!("connections are accepted again");
                    }
                    self.let_in(stream, peer.ip());
                }
                // Whoever has gone before they were let in.
                Err(error) if is_theirs(&error) => {}
                Err(error) => {
                    if short_at.replace(Instant::now()).is_none() {
                        tracing::error!(%error, "no connection can be accepted, new ones wait; raise the number of open files (ulimit -n)");
                        metrics::counter!("parlor_accept_shortages_total").increment(1);
                    }
                    sleep(ACCEPT_AGAIN).await;
                }
            }
        }
    }

    fn let_in(self: &Arc<Self>, stream: TcpStream, peer: IpAddr) {
        if let Err(error) = self.prepare(&stream) {
            tracing::debug!(%error, "could not set the options of a socket");
        }
        match self.places_for(peer) {
            Ok(places) => {
                let door = Arc::clone(self);
                self.connections.spawn(door.attend(stream, peer, places));
            }
            Err(error) => self.turn_away(stream, &error),
        }
    }

    /// A place in all, and one of its address, unless a proxy's clients are
    /// counted instead.
    fn places_for(&self, peer: IpAddr) -> Result<[Option<Place>; 2], ApiError> {
        let own = match self.proxies.trust(peer) {
            true => None,
            false => Some(self.admit(Address::of(peer))?),
        };
        Ok([Some(self.places.enter()?), own])
    }

    /// Lets a client in: when it connects, or with a request that a proxy brings.
    fn admit(&self, client: Address) -> Result<Place, ApiError> {
        self.places.enter_as(client)
    }

    /// What every connection is told, whatever is spoken over it.
    fn prepare(&self, stream: &TcpStream) -> io::Result<()> {
        // Without this, Nagle's algorithm holds back small messages for 40 ms.
        stream.set_nodelay(true)?;
        // A client that never reads would keep its line, and megabytes of what it
        // does not read, for ever: the system waits as long as it says it is there.
        #[cfg(target_os = "linux")]
        SockRef::from(stream).set_tcp_user_timeout(Some(self.stalled_after))?;
        Ok(())
    }

    /// Says why someone is not let in, if that costs nothing much: by TLS it
    /// would cost a handshake.
    fn turn_away(&self, mut stream: TcpStream, error: &ApiError) {
        metrics::counter!("parlor_refusals_total", "code" => error.code()).increment(1);
        let Ok(permit) = Arc::clone(&self.farewells).try_acquire_owned() else { return };
        if self.tls.is_some() {
            return;
        }
        let text = farewell(error);
        self.connections.spawn(async move {
            let say = async {
                stream.write_all(text.as_bytes()).await?;
                stream.shutdown().await?;
                // Closed with something unread, a connection is reset, and
                // what was said is lost.
                let mut unread = [0; 1024];
                while stream.read(&mut unread).await? > 0 {}
                io::Result::Ok(())
            };
            drop(timeout(FAREWELL_WITHIN, say).await);
            drop(permit);
        });
    }
}

/// A refusal as bytes, for a connection that no request is read from.
fn farewell(error: &ApiError) -> String {
    let (status, body) = (error.status(), error.text());
    let retry_after = error.retry_after().unwrap_or(1);
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nretry-after: {retry_after}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Whether a connection could not be accepted for its own fault.
fn is_theirs(error: &io::Error) -> bool {
    use io::ErrorKind as E;
    matches!(error.kind(), E::ConnectionAborted | E::ConnectionReset | E::ConnectionRefused)
}
