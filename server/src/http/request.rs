//! What every request brings: an address, and a body within bounds.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::BytesMut;
use futures_util::StreamExt;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{BODY_LIMIT, moderation};
use crate::api_error::ApiError;
use crate::front_door::Sender;
use crate::limits::{Address, Excess};
use crate::registry::Registry;
use crate::socketio;

/// The client a request came from, as limits count it. The front door has
/// decided who that is, whatever proxies stand between.
#[derive(Clone, Copy, Debug)]
pub struct Caller(pub Address);

impl Caller {
    /// Whoever sent a request with this head.
    pub fn of(parts: &Parts) -> Caller {
        let sender = parts.extensions.get::<Sender>();
        let address = sender.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |sender| sender.address);
        Caller(Address::of(address))
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Caller::of(parts))
    }
}

/// Lets a request in unless its address asks too much.
pub async fn admit(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    request: Request,
    next: Next,
) -> Response {
    if let Err(error) = registry.blocks.check(from)
        && moderation::check_admin(&registry, request.headers()).is_err()
    {
        return error.into_response();
    }
    let is_secure = request.extensions().get::<Sender>().is_some_and(|sender| sender.is_secure);
    let response = pass_on(&registry, from, request, next).await;
    if is_secure { with_secure_cookies(response) } else { response }
}

/// What is given to someone who came by TLS travels by nothing else.
fn with_secure_cookies(mut response: Response) -> Response {
    for (name, value) in response.headers_mut() {
        if name == header::SET_COOKIE
            && let Ok(secure) = HeaderValue::from_bytes(&[value.as_bytes(), b"; Secure"].concat())
        {
            *value = secure;
        }
    }
    response
}

async fn pass_on(registry: &Registry, from: Address, request: Request, next: Next) -> Response {
    if socketio::is_for_sockets(request.uri()) {
        return socketio::admit(registry, from, request, next).await;
    }
    match registry.limits.call(from) {
        Ok(()) => in_shape(next.run(request).await).await,
        Err(error) => error.into_response(),
    }
}

/// Addresses that no call can read are refused in axum's plain words; every
/// refusal of this server has one shape.
async fn in_shape(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_plain = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !(is_plain && response.status() == StatusCode::BAD_REQUEST) {
        return response;
    }
    let words = axum::body::to_bytes(response.into_body(), BODY_LIMIT).await.unwrap_or_default();
    ApiError::Malformed(String::from_utf8_lossy(&words).into_owned()).into_response()
}

/// A request body, within bounds.
pub async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, ApiError> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Excess::Size(BODY_LIMIT).into(),
        _ => ApiError::Malformed("the body could not be read".to_owned()),
    })
}

/// A request body of at most so many bytes.
pub async fn body_of(request: Request, most: usize) -> Result<Bytes, ApiError> {
    let broken = |_| ApiError::Malformed("the body could not be read".to_owned());
    // Who says how much is to come is refused before it comes.
    let told = request.headers().get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    if told.and_then(|it| it.parse::<usize>().ok()).is_some_and(|told| told > most) {
        return Err(Excess::Size(most).into());
    }
    let mut chunks = request.into_body().into_data_stream();
    let mut bytes = BytesMut::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(broken)?;
        if bytes.len() + chunk.len() > most {
            return Err(Excess::Size(most).into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// A whole number as JSON Schema has it: `3.0` is one, too.
pub fn whole(number: &Value) -> Option<u64> {
    let rounded = |number: f64| (number.fract() == 0.0 && number >= 0.0).then_some(number as u64);
    number.as_u64().or_else(|| rounded(number.as_f64()?))
}

/// Reads a field that is a whole number, or null.
pub fn whole_or_null<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    let value = Value::deserialize(field)?;
    match whole(&value) {
        None if !value.is_null() => Err(D::Error::custom(format!("{value} is no whole number"))),
        number => Ok(number),
    }
}

/// Reads a field that is a whole number.
pub fn whole_number<'de, D: Deserializer<'de>>(field: D) -> Result<u64, D::Error> {
    whole_or_null(field)?.ok_or_else(|| D::Error::custom("null is no whole number"))
}

/// A JSON body of one shape.
pub struct Payload<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Payload<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let bytes = body(request, state).await?;
        serde_json::from_slice(&bytes)
            .map(Payload)
            .map_err(|error| ApiError::Malformed(format!("the body is not as it must be: {error}")))
    }
}
