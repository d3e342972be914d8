//! Who a request comes from. A token travels in a header or a cookie, never
//! in an address; a browser's stream brings a ticket that is good once.

use axum::http::{HeaderMap, HeaderValue, header};
use parlor_kernel::Viewer;

use crate::hall::Hall;
use crate::refusal::Refusal;
use crate::secrets::TokenHash;
use crate::table::Credential;

/// Who sends this, as far as they prove it.
pub fn credential(
    hall: &Hall,
    headers: &HeaderMap,
    ticket: Option<&str>,
    table: &str,
) -> Result<Credential, Refusal> {
    if let Some(header) = headers.get(header::AUTHORIZATION) {
        let token = header.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        return Ok(bearer(hall, token.ok_or(Refusal::Unauthenticated)?.trim()));
    }
    if let Some(ticket) = ticket {
        let viewer = hall.tickets.redeem(ticket, table).ok_or(Refusal::Unauthenticated)?;
        return Ok(Credential::Known(viewer));
    }
    match cookie(headers, table) {
        Some(_) if !origin_is_ours(hall, headers) => {
            Err(Refusal::Forbidden("another site may not act for you here".to_owned()))
        }
        Some(token) => Ok(Credential::Token(TokenHash::of(token))),
        None => Ok(Credential::Nobody),
    }
}

/// Whose token this is: the admin's, or some seat's.
pub fn bearer(hall: &Hall, token: &str) -> Credential {
    let token = TokenHash::of(token);
    // Hashes are compared, so the time it takes tells nothing of the token.
    match &hall.config.admin_token {
        Some(admin) if TokenHash::of(admin) == token => Credential::Known(Viewer::Admin),
        _ => Credential::Token(token),
    }
}

fn cookie<'a>(headers: &'a HeaderMap, table: &str) -> Option<&'a str> {
    let name = cookie_name(table);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

fn cookie_name(table: &str) -> String {
    format!("parlor-{table}")
}

/// The cookie that keeps a browser in its seat: sent to this table only,
/// never to scripts, never from other sites.
pub fn table_cookie(table: &str, token: &str) -> Option<HeaderValue> {
    let name = cookie_name(table);
    format!(
        "{name}={token}; Path=/api/v1/tables/{table}; HttpOnly; SameSite=Strict; Max-Age=604800"
    )
    .parse()
    .ok()
}

/// Whether a request comes from our own pages, an allowed origin, or no page
/// at all.
pub fn origin_is_ours(hall: &Hall, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let own = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = own.is_some_and(|host| {
        origin.strip_prefix("http://") == Some(host)
            || origin.strip_prefix("https://") == Some(host)
    });
    is_own || hall.config.origins.iter().any(|allowed| allowed == origin)
}
