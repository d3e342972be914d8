//! The pages people see, served from memory.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::refusal::Refusal;

#[derive(Embed)]
#[folder = "pages/"]
struct Pages;

/// The front page.
pub async fn front() -> Result<Response, Refusal> {
    page("index.html")
}

/// The calls of this server, readable.
pub async fn docs() -> Result<Response, Refusal> {
    page("docs.html")
}

/// Styles and scripts of the pages.
pub async fn file(Path(file): Path<String>) -> Result<Response, Refusal> {
    page(&file)
}

fn page(name: &str) -> Result<Response, Refusal> {
    let page = Pages::get(name).ok_or(Refusal::NoSuchPage)?;
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    Ok(([(header::CONTENT_TYPE, kind)], page.data.into_owned()).into_response())
}
