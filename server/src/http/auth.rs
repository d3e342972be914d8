//! Who a request comes from. A token travels in a header or a cookie, never
//! in an address; a browser's stream brings a ticket that is good once.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use parlor_kernel::Viewer;

use crate::api_error::ApiError;
use crate::registry::Registry;
use crate::secrets::TokenHash;
use crate::table::Credential;

/// Who sends this, as far as they prove it.
pub fn credential(
    registry: &Registry,
    headers: &HeaderMap,
    ticket: Option<&str>,
    table: &str,
) -> Result<Credential, ApiError> {
    if headers.contains_key(header::AUTHORIZATION) {
        let token = bearer_token(headers).ok_or(ApiError::Unauthenticated)?;
        return Ok(bearer(registry, token));
    }
    if let Some(ticket) = ticket {
        let viewer = registry.tickets.redeem(ticket, table).ok_or(ApiError::Unauthenticated)?;
        return Ok(Credential::Known(viewer));
    }
    match cookie(headers, table) {
        Some(_) if !origin_is_ours(registry, headers) => {
            Err(ApiError::Forbidden("another site may not act for you here".to_owned()))
        }
        Some(cookie) => Ok(Credential::Token(TokenHash::of(cookie.value()))),
        None => Ok(Credential::Nobody),
    }
}

/// The token of a seat as the request brings it.
pub fn seat_token(headers: &HeaderMap, table: &str) -> Option<String> {
    let bearer = bearer_token(headers).map(str::to_owned);
    bearer.or_else(|| cookie(headers, table).map(|cookie| cookie.value().to_owned()))
}

/// The header with a key that lets its holder seat language models.
const AGENT_KEY: &str = "x-agent-key";

/// Whether a request comes from the admin, or brings a key for agents.
pub fn may_seat_agents(registry: &Registry, headers: &HeaderMap) -> bool {
    let key = headers.get(AGENT_KEY).and_then(|key| key.to_str().ok()).map(TokenHash::of);
    let keys = &registry.config.agent_keys;
    is_admin(registry, headers) || key.is_some_and(|key| keys.iter().any(|known| key.is_of(known)))
}

/// The token in `Authorization: Bearer …`; the scheme is taken in any case.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.trim_start().split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}

/// Whose token this is: the admin's, or some seat's.
pub fn bearer(registry: &Registry, token: &str) -> Credential {
    let token = TokenHash::of(token);
    match &registry.config.admin_token {
        Some(admin) if token.is_of(admin) => Credential::Known(Viewer::Admin),
        _ => Credential::Token(token),
    }
}

/// Whether a request brings the admin's token.
pub fn is_admin(registry: &Registry, headers: &HeaderMap) -> bool {
    let token = bearer_token(headers).map(|token| bearer(registry, token));
    matches!(token, Some(Credential::Known(Viewer::Admin)))
}

fn cookie<'a>(headers: &'a HeaderMap, table: &str) -> Option<Cookie<'a>> {
    let name = cookie_name(table);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
}

fn cookie_name(table: &str) -> String {
    format!("parlor-{table}")
}

/// The cookie that keeps a browser in its seat: sent to this table only,
/// never to scripts, never from other sites.
pub fn table_cookie(table: &str, token: &str) -> Option<HeaderValue> {
    Cookie::build((cookie_name(table), token))
        .path(format!("/api/v1/tables/{table}"))
        .http_only(true)
        .same_site(SameSite::Strict)
        .max_age(Duration::WEEK)
        .to_string()
        .parse()
        .ok()
}

/// Whether a request comes from our own pages, an allowed origin, or no page
/// at all.
pub fn origin_is_ours(registry: &Registry, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let own = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = own.is_some_and(|host| {
        origin.strip_prefix("http://") == Some(host)
            || origin.strip_prefix("https://") == Some(host)
    });
    is_own || registry.config.origins.iter().any(|allowed| allowed == origin)
}
