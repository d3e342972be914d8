//! One connection, from its first byte to its last, or until it becomes a
//! WebSocket.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Poll, ready};

use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use axum::response::IntoResponse;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{sleep_until, timeout};

use super::bodies::{AnswerBody, TimedBody};
use super::line::{Line, Transport};
use super::places::Place;
use super::pulse::Pulse;
use super::{FrontDoor, proxy_protocol};
use crate::api_error::ApiError;
use crate::limits::Address;

impl FrontDoor {
    /// Serves a connection.
    pub(super) async fn attend(
        self: Arc<Self>,
        stream: TcpStream,
        peer: IpAddr,
        places: [Option<Place>; 2],
    ) {
        let greeting = timeout(self.patience.head, self.greet(stream, peer, places));
        let greeted = tokio::select! {
            greeted = greeting => greeted,
            () = self.stop.cancelled() => return,
        };
        match greeted {
            Ok(Ok((line, peer))) => self.serve(line, peer).await,
            Ok(Err(error)) => tracing::debug!(%error, "a connection that says nothing we know"),
            Err(_) => tracing::debug!("a connection that says nothing"),
        }
    }

    /// What comes before the first request: a proxy's word, and TLS.
    async fn greet(
        &self,
        mut stream: TcpStream,
        mut peer: IpAddr,
        mut places: [Option<Place>; 2],
    ) -> io::Result<(Line, IpAddr)> {
        if self.proxies.protocol
            && self.proxies.trust(peer)
            && let Some(client) = proxy_protocol::read(&mut stream).await?
        {
            peer = client;
            if !self.proxies.trust(peer) {
                let [_, own] = &mut places;
                *own = Some(self.admit(Address::of(peer)).map_err(io::Error::other)?);
            }
        }
        let transport = match &self.tls {
            Some(tls) => Transport::Tls(Box::new(tls.accept(stream).await?)),
            None => Transport::Plain(stream),
        };
        Ok((Line { transport, pulse: Arc::new(Pulse::new()), _places: places }, peer))
    }

    /// Answers requests until either side has enough, or a WebSocket begins.
    async fn serve(self: Arc<Self>, line: Line, peer: IpAddr) {
        let pulse = Arc::clone(&line.pulse);
        let patience = match self.proxies.trust(peer) {
            true => self.patience.with_proxies(),
            false => self.patience,
        };
        let is_tls = matches!(line.transport, Transport::Tls(_));
        let door = &self;
        let answer = {
            let pulse = &pulse;
            service_fn(move |request| door.answer(peer, is_tls, pulse, request))
        };
        let connection = http1::Builder::new().serve_connection(TokioIo::new(line), answer);
        let mut connection = pin!(connection.with_upgrades());
        let mut stop = pin!(self.stop.cancelled());
        let mut is_stopping = false;
        let mut timer = pin!(None);
        poll_fn(|cx| {
            if !is_stopping && stop.as_mut().poll(cx).is_ready() {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
            if let Poll::Ready(end) = connection.as_mut().poll(cx) {
                if let Err(error) = end {
                    tracing::debug!(%error, "a connection broke");
                }
                return Poll::Ready(());
            }
            let Some(deadline) = pulse.deadline(patience) else { return Poll::Pending };
            if timer.as_ref().as_pin_ref().is_none() {
                timer.set(Some(sleep_until(deadline)));
            }
            let Some(mut timer) = timer.as_mut().as_pin_mut() else { return Poll::Pending };
            if timer.deadline() != deadline {
                timer.as_mut().reset(deadline);
            }
            ready!(timer.poll(cx));
            metrics::counter!("parlor_connections_timed_out_total").increment(1);
            Poll::Ready(())
        })
        .await;
    }

    /// Answers one request.
    async fn answer(
        &self,
        peer: IpAddr,
        is_tls: bool,
        pulse: &Arc<Pulse>,
        request: Request<Incoming>,
    ) -> Result<Response<AnswerBody>, Infallible> {
        pulse.answer();
        let sender = self.proxies.sender(peer, is_tls, request.headers());
        let response = match self.admit_behind_proxy(peer, sender.address, pulse) {
            Ok(()) => {
                let mut request = request.map(|body| match body.is_end_stream() {
                    true => Body::empty(),
                    false => Body::new(TimedBody::new(body, pulse, self.patience.body)),
                });
                request.extensions_mut().insert(sender);
                self.router.call(request).await.unwrap_or_else(|never| match never {})
            }
            Err(error) => error.into_response(),
        };
        let response = if pulse.is_slow() { too_slow() } else { response };
        // A connection that becomes a WebSocket waits for no other request.
        let waits = response.status() != StatusCode::SWITCHING_PROTOCOLS;
        Ok(response.map(|body| AnswerBody::new(body, waits.then_some(pulse))))
    }

    /// Clients behind a proxy share its connections, so each counts for as long
    /// as it is answered.
    fn admit_behind_proxy(
        &self,
        peer: IpAddr,
        client: IpAddr,
        pulse: &Pulse,
    ) -> Result<(), ApiError> {
        if self.proxies.trust(peer) && client != peer.to_canonical() {
            pulse.set_client(Some(self.admit(Address::of(client))?));
        }
        Ok(())
    }
}

/// Whatever became of the request, its sender is told that the rest never came.
fn too_slow() -> Response<Body> {
    let mut response = ApiError::TooSlow.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
