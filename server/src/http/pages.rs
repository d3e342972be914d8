//! The pages people see, served from memory: the client, and the page that
//! describes the calls.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use rust_embed::{Embed, EmbeddedFile};
use sha2::{Digest, Sha256};

use crate::api_error::ApiError;

/// The client as Vite has built it. Beside each file that is worth it lies
/// the same compressed, `.br` and `.gz`.
#[derive(Embed)]
#[folder = "../web/dist/"]
struct Client;

#[derive(Embed)]
#[folder = "pages/"]
struct Pages;

/// A name that tells of the contents, so what it names never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// To be asked for again, every time.
pub const ASK_AGAIN: &str = "no-cache";

/// Any page of the client: which one is the client's own affair.
pub async fn client(headers: HeaderMap) -> Result<Response, ApiError> {
    serve("index.html", &headers, ASK_AGAIN)
}

/// What lies nowhere: a page for people, a refusal for programs.
pub async fn nowhere(headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if !accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        return ApiError::NoSuchPage.into_response();
    }
    match serve("index.html", &headers, ASK_AGAIN) {
        Ok(page) => (StatusCode::NOT_FOUND, page).into_response(),
        Err(error) => error.into_response(),
    }
}

/// Scripts, styles and card art, named by their contents.
pub async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    // They lie side by side: what leads elsewhere is no name of theirs.
    if file.contains('/') {
        return Err(ApiError::NoSuchPage);
    }
    serve(&format!("assets/{file}"), &headers, FOR_EVER)
}

/// The few files at the root that browsers ask for by name.
pub async fn root_file(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    serve(uri.path().trim_start_matches('/'), &headers, ASK_AGAIN)
}

/// The calls of this server, readable, and the way to the guides.
pub async fn docs(headers: HeaderMap) -> Result<Response, ApiError> {
    docs_file(Path("docs.html".to_owned()), headers).await
}

/// Styles and scripts of the documentation.
pub async fn docs_file(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let page = Pages::get(&file).ok_or(ApiError::NoSuchPage)?;
    Ok(answer(Found::embedded(&file, page), &headers, ASK_AGAIN))
}

fn serve(name: &str, headers: &HeaderMap, keep: &'static str) -> Result<Response, ApiError> {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    for (ending, coding) in [("br", "br"), ("gz", "gzip")] {
        if !accepts(accepted.unwrap_or_default(), coding) {
            continue;
        }
        if let Some(file) = Client::get(&format!("{name}.{ending}")) {
            let mut response = answer(Found::embedded(name, file), headers, keep);
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            return Ok(response);
        }
    }
    let file = Client::get(name).ok_or(ApiError::NoSuchPage)?;
    Ok(answer(Found::embedded(name, file), headers, keep))
}

/// Whether an `Accept-Encoding` lets a coding be used.
fn accepts(header: &str, coding: &str) -> bool {
    header.split(',').any(|offer| {
        let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::trim);
        let is_refused = weight.and_then(|weight| weight.parse::<f32>().ok()) == Some(0.0);
        name.trim().eq_ignore_ascii_case(coding) && !is_refused
    })
}

/// A file as it is handed out: its kind, its bytes, and a tag that is another
/// when they are.
#[derive(Clone)]
pub struct Found {
    kind: &'static str,
    data: Bytes,
    tag: Option<ETag>,
}

impl Found {
    /// A file of this name with these bytes.
    pub fn new(name: &str, data: Bytes) -> Found {
        let hash = Sha256::digest(&data);
        Found::hashed(name, data, &hash.into())
    }

    fn embedded(name: &str, file: EmbeddedFile) -> Found {
        let hash = file.metadata.sha256_hash();
        let data = match file.data {
            Cow::Borrowed(data) => Bytes::from_static(data),
            Cow::Owned(data) => data.into(),
        };
        Found::hashed(name, data, &hash)
    }

    fn hashed(name: &str, data: Bytes, hash: &[u8; 32]) -> Found {
        let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("webp") => "image/webp",
            Some("json") => "application/json",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        };
        let tag = format!("\"{}\"", base16ct::lower::encode_string(hash)).parse().ok();
        Found { kind, data, tag }
    }
}

/// The file, or that the one the browser has is still the same.
pub fn answer(file: Found, asked: &HeaderMap, keep: &'static str) -> Response {
    let known = asked.typed_get::<IfNoneMatch>();
    let is_known =
        known.zip(file.tag.as_ref()).is_some_and(|(known, tag)| !known.precondition_passes(tag));
    let kept = [(header::CACHE_CONTROL, keep), (header::VARY, "accept-encoding")];
    let mut response = if is_known {
        (StatusCode::NOT_MODIFIED, kept).into_response()
    } else {
        ([(header::CONTENT_TYPE, file.kind)], kept, file.data).into_response()
    };
    if let Some(tag) = file.tag {
        response.headers_mut().typed_insert(tag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn a_coding_is_used_where_it_is_offered_and_not_refused() {
        assert!(accepts("gzip, deflate, br", "br"));
        assert!(accepts("gzip;q=0.5", "gzip"));
        assert!(!accepts("gzip;q=0, br;q=0", "br"));
        assert!(!accepts("", "gzip"));
    }
}
