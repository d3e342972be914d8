//! HTTP: every call, and what is the same for all of them.

mod admin;
mod asyncapi;
mod auth;
mod commands;
mod control;
mod docs;
mod events;
mod guides;
mod health;
mod lobby;
mod messages;
mod moderation;
mod openapi;
mod pages;
mod replays;
mod request;
mod sessions;
mod views;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::routing::{delete, get, post};
use socketioxide::layer::SocketIoLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::api_error::ApiError;
use crate::registry::Registry;
use crate::websocket;

pub use auth::{bearer, origin_is_ours};
pub use commands::table_and_dialect;
pub use health::record_metrics;
pub use request::Caller;

/// No request body may be longer.
pub const BODY_LIMIT: usize = 16 * 1024;

/// What the operator asks, on a listener of its own: nobody else gets there.
pub fn operator_router(registry: Arc<Registry>) -> Router {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready_in_detail))
        .route("/metrics", get(health::every_metric))
        .fallback(async || ApiError::NoSuchPage)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .with_state(registry)
}

/// Every route.
pub fn router(registry: Arc<Registry>, rooms: SocketIoLayer) -> Router {
    let tables = Router::new()
        .route("/tables", post(lobby::create).get(lobby::list))
        .route("/tables/quick", post(lobby::quick))
        .route("/tables/{table}", get(lobby::show))
        .route("/tables/{table}/seats", post(lobby::join))
        .route("/tables/{table}/bots", post(lobby::seat_bot))
        .route("/tables/{table}/start", post(lobby::start))
        .route("/tables/{table}/rematch", post(lobby::rematch))
        .route("/tables/{table}/rematch/decline", post(lobby::decline_rematch))
        .route("/tables/{table}/pause", post(control::pause))
        .route("/tables/{table}/resume", post(control::resume))
        .route("/tables/{table}/step", post(control::step))
        .route("/tables/{table}/pace", post(control::pace))
        .route("/tables/{table}/terminate", post(control::terminate))
        .route("/tables/{table}/ticket", post(commands::ticket))
        .route("/tables/{table}/commands", post(commands::command))
        .route("/tables/{table}/events", get(events::stream))
        .route("/tables/{table}/snapshot", get(views::snapshot))
        .route("/tables/{table}/log", get(views::log))
        .route("/replays", post(replays::tell).layer(DefaultBodyLimit::disable()))
        .route("/tables/{table}/reports", post(moderation::report))
        .route("/admin/tables", get(admin::tables))
        .route("/admin/tables/{table}/hide", post(moderation::hide))
        .route("/admin/tables/{table}/show", post(moderation::show))
        .route("/admin/tables/{table}/seats/{seat}/remove", post(moderation::remove))
        .route("/admin/tables/{table}/seats/{seat}/erase", post(moderation::erase))
        .route("/admin/erasures", post(moderation::erase_everywhere))
        .route("/admin/blocks", post(moderation::block).get(moderation::blocks))
        .route("/admin/blocks/{address}", delete(moderation::lift))
        .route("/admin/reports", get(moderation::reports))
        .route("/admin/reports/{report}/close", post(moderation::close_report))
        .route("/games", get(views::games))
        .route("/games/{game}", get(views::game));
    Router::new()
        .nest("/api/v1", tables)
        .nest("/sessions", sessions::router(&registry))
        .nest("/api/sessions", sessions::router(&registry))
        .route("/api/openapi.json", get(openapi::openapi))
        .route("/api/asyncapi.json", get(asyncapi::asyncapi))
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
        .route("/docs/{*guide}", get(guides::guide))
        .route("/pages/{file}", get(pages::docs_file))
        .fallback(pages::nowhere)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(rooms)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&registry), request::admit))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(cors(&registry))
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(header::REFERRER_POLICY, "no-referrer"))
        .layer(always(header::X_FRAME_OPTIONS, "DENY"))
        .layer(always(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ))
        .with_state(registry)
}

fn always(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

fn cors(registry: &Registry) -> CorsLayer {
    let origins = registry.config.origins.iter().filter_map(|origin| origin.parse().ok());
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
