//! HTTP: every call, and what is the same for all of them.

mod admin;
mod admission;
mod commands;
mod docs;
mod events;
mod health;
mod knowledge;
mod lobby;
mod pages;
mod replays;
mod request;
mod sessions;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::routing::{get, post};
use socketioxide::layer::SocketIoLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::hall::Hall;
use crate::refusal::Refusal;
use crate::websocket;

pub use admission::{bearer, origin_is_ours};
pub use commands::spoken;
pub use health::record_metrics;

/// No request body may be longer.
pub const BODY_LIMIT: usize = 16 * 1024;

/// Every address of the house.
pub fn router(hall: Arc<Hall>, rooms: SocketIoLayer) -> Router {
    let tables = Router::new()
        .route("/tables", post(lobby::create).get(lobby::list))
        .route("/tables/quick", post(lobby::quick))
        .route("/tables/{table}", get(lobby::show))
        .route("/tables/{table}/seats", post(lobby::join))
        .route("/tables/{table}/bots", post(lobby::seat_bot))
        .route("/tables/{table}/start", post(lobby::start))
        .route("/tables/{table}/rematch", post(lobby::rematch))
        .route("/tables/{table}/terminate", post(lobby::terminate))
        .route("/tables/{table}/ticket", post(commands::ticket))
        .route("/tables/{table}/commands", post(commands::command))
        .route("/tables/{table}/events", get(events::stream))
        .route("/tables/{table}/snapshot", get(knowledge::snapshot))
        .route("/tables/{table}/log", get(knowledge::log))
        .route("/replays", post(replays::tell).layer(DefaultBodyLimit::max(replays::LOG_LIMIT)))
        .route("/admin/tables", get(admin::tables))
        .route("/games", get(knowledge::games))
        .route("/games/{game}", get(knowledge::game));
    Router::new()
        .nest("/api/v1", tables)
        .nest("/sessions", sessions::router(&hall))
        .nest("/api/sessions", sessions::router(&hall))
        .route("/api/openapi.json", get(docs::openapi))
        .route("/api/schemas", get(docs::schema_index))
        .route("/api/schemas/{dialect}", get(docs::dialect_schemas))
        .route("/api/schemas/{dialect}/{name}", get(docs::schema))
        .route("/ws", get(websocket::upgrade))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/", get(pages::client))
        .route("/t/{table}", get(pages::client))
        .route("/r/{*replay}", get(pages::client))
        .route("/r", get(pages::client))
        .route("/new/{game}", get(pages::client))
        .route("/rules/{game}", get(pages::client))
        .route("/admin", get(pages::client))
        .route("/assets/{file}", get(pages::asset))
        .route("/icon.svg", get(pages::root_file))
        .route("/docs", get(pages::docs))
        .route("/pages/{file}", get(pages::docs_file))
        .fallback(pages::nowhere)
        .method_not_allowed_fallback(async || Refusal::MethodNotAllowed)
        .layer(rooms)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&hall), request::admit))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(cors(&hall))
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(header::REFERRER_POLICY, "no-referrer"))
        .layer(always(header::X_FRAME_OPTIONS, "DENY"))
        .layer(always(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ))
        .with_state(hall)
}

fn always(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

fn cors(hall: &Hall) -> CorsLayer {
    let origins = hall.config.origins.iter().filter_map(|origin| origin.parse().ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("last-event-id"),
            HeaderName::from_static("x-secret-id"),
        ])
}
