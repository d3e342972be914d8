//! Engine.IO, the transport below Socket.IO: how much may come in, and how
//! often.
//!
//! A client takes any refused request of a session for the end of it. So a
//! session that asks too often waits, and only what opens a new one is refused.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::api_error::ApiError;
use crate::http::BODY_LIMIT;
use crate::limits::{Address, Excess};
use crate::registry::Registry;

/// Where Engine.IO answers.
const PATH: &str = "/socket.io";

/// How much Engine.IO packs into one answer to a poll. It has one setting for
/// this and for what it takes in, and a packet that does not fit an answer is
/// put aside and lost when the client changes to WebSocket. So everything
/// fits: no game is as long as this, and no client's integers are shorter.
pub const ANSWER_LIMIT: u64 = i32::MAX as u64;

/// Whether a request is for Engine.IO.
pub fn is_for_sockets(uri: &Uri) -> bool {
    uri.path().strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Passes a request on to Engine.IO.
pub async fn admit(registry: &Registry, from: Address, request: Request, next: Next) -> Response {
    if !continues_a_session(request.uri()) {
        return match registry.limits.call(from) {
            Ok(()) => state_limit(next.run(request).await).await,
            Err(error) => error.into_response(),
        };
    }
    registry.limits.poll(from).await;
    if *request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    match to_bytes(body, BODY_LIMIT).await {
        Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(error) => {
            // A body that breaks off ends the session: the client does not
            // send this again, and must not seem to be there.
            let broken = futures_util::stream::once(async { Err::<Bytes, _>(error) });
            next.run(Request::from_parts(parts, Body::from_stream(broken))).await;
            ApiError::from(Excess::Size(BODY_LIMIT)).into_response()
        }
    }
}

fn continues_a_session(uri: &Uri) -> bool {
    uri.query().unwrap_or_default().split('&').any(|pair| pair.starts_with("sid="))
}

/// Tells a client that polls how much it may send at a time, so that it parts
/// what it has. Engine.IO would name its own limit.
async fn state_limit(response: Response) -> Response {
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let mut packet = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    if let Some(mut handshake) = handshake(&packet)
        && let Some(limit) = handshake.get_mut("maxPayload")
    {
        *limit = BODY_LIMIT.into();
        packet = format!("0{handshake}").into();
    }
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(packet.len()));
    Response::from_parts(parts, Body::from(packet))
}

/// What the packet that opens a session tells the client.
fn handshake(packet: &[u8]) -> Option<Value> {
    let handshake: Value = serde_json::from_slice(packet.strip_prefix(b"0")?).ok()?;
    handshake.get("maxPayload").is_some().then_some(handshake)
}
