//! The pages people see, served from memory: the client, and the page that
//! describes the calls.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

use crate::refusal::Refusal;

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
const ASK_AGAIN: &str = "no-cache";

/// Any page of the client: which one is the client's own affair.
pub async fn client(headers: HeaderMap) -> Result<Response, Refusal> {
    serve("index.html", &headers, ASK_AGAIN)
}

/// What lies nowhere: a page for people, a refusal for programs.
pub async fn nowhere(headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if !accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        return Refusal::NoSuchPage.into_response();
    }
    match serve("index.html", &headers, ASK_AGAIN) {
        Ok(page) => (StatusCode::NOT_FOUND, page).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// Scripts, styles and card art, named by their contents.
pub async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, Refusal> {
    // They lie side by side: what leads elsewhere is no name of theirs.
    if file.contains('/') {
        return Err(Refusal::NoSuchPage);
    }
    serve(&format!("assets/{file}"), &headers, FOR_EVER)
}

/// The few files at the root that browsers ask for by name.
pub async fn root_file(uri: Uri, headers: HeaderMap) -> Result<Response, Refusal> {
    serve(uri.path().trim_start_matches('/'), &headers, ASK_AGAIN)
}

/// The calls of this server, readable.
pub async fn docs() -> Result<Response, Refusal> {
    docs_file(Path("docs.html".to_owned())).await
}

/// Styles and scripts of the page of calls.
pub async fn docs_file(Path(file): Path<String>) -> Result<Response, Refusal> {
    let page = Pages::get(&file).ok_or(Refusal::NoSuchPage)?;
    Ok(answer(&file, page, ASK_AGAIN))
}

fn serve(name: &str, headers: &HeaderMap, keep: &'static str) -> Result<Response, Refusal> {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    for (ending, coding) in [("br", "br"), ("gz", "gzip")] {
        if !accepts(accepted.unwrap_or_default(), coding) {
            continue;
        }
        if let Some(file) = Client::get(&format!("{name}.{ending}")) {
            let mut response = answer(name, file, keep);
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            return Ok(response);
        }
    }
    let file = Client::get(name).ok_or(Refusal::NoSuchPage)?;
    Ok(answer(name, file, keep))
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

fn answer(name: &str, file: EmbeddedFile, keep: &'static str) -> Response {
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
    ];
    (headers, file.data.into_owned()).into_response()
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
