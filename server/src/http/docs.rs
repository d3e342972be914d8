//! The server described for programs: every call, and the schema of every
//! message.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use parlor_kernel::EventSchema;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};

use super::messages::{Group, groups};
use super::request::Caller;
use super::{
    admin, asyncapi, commands, control, events, health, lobby, moderation, openapi, replays,
    sessions, views,
};
use crate::api_error::{ApiError, ErrorBody};
use crate::registry::Registry;

#[derive(OpenApi)]
#[openapi(
    info(title = "Parlor", description = "A server for parlor games with hidden information."),
    paths(
        lobby::create, lobby::list, lobby::quick, lobby::show, lobby::join, lobby::seat_bot,
        lobby::start, lobby::rematch, lobby::decline_rematch, control::pause, control::resume, control::step,
        control::pace, control::terminate, commands::command, commands::ticket, events::stream,
        views::snapshot, views::log, replays::tell, moderation::report, admin::tables,
        moderation::remove, moderation::erase, moderation::erase_everywhere, moderation::hide,
        moderation::show, moderation::block, moderation::blocks, moderation::lift,
        moderation::reports, moderation::close_report, views::games, views::game,
        sessions::create, sessions::show, sessions::join, sessions::reconnect,
        sessions::seat_ai, sessions::unseat_ai, sessions::export, health::alive, health::ready, health::metrics,
        openapi::openapi, asyncapi::asyncapi, schema_index, dialect_schemas, schema,
    ),
    components(schemas(ErrorBody)),
    modifiers(&SeatToken)
)]
pub struct Api;

struct SeatToken;

impl utoipa::Modify for SeatToken {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("seat", SecurityScheme::Http(bearer));
    }
}

/// Every dialect and the messages it knows; and those of sockets and rooms.
#[utoipa::path(get, path = "/api/schemas", tag = "docs", responses((status = 200, description = "Dialects", body = Object)))]
pub async fn schema_index(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
) -> Result<Json<Value>, ApiError> {
    registry.limits.read(from)?;
    let mut dialects = Map::new();
    for Group { address, messages } in groups() {
        let names = |commands: bool| -> Vec<&str> {
            let wanted = messages.iter().filter(|message| message.is_command == commands);
            wanted.map(|message| message.name.as_str()).collect()
        };
        let named = json!({ "events": names(false), "commands": names(true) });
        dialects.insert(address, named);
    }
    Ok(Json(json!({ "dialects": dialects })))
}

/// Every dialect that some game is spoken in.
pub fn dialects() -> Vec<&'static str> {
    let mut dialects: Vec<_> = parlor_house::games().flat_map(|game| game.dialects()).collect();
    dialects.sort_unstable();
    dialects.dedup();
    dialects
}

fn messages(asked: &str) -> Result<Vec<EventSchema>, ApiError> {
    let group = groups().into_iter().find(|group| group.address == asked);
    group.map(|group| group.messages).ok_or(ApiError::NoSuchPage)
}

/// The JSON Schemas of one dialect.
#[utoipa::path(get, path = "/api/schemas/{dialect}", tag = "docs",
    params(("dialect" = String, Path, description = "Such as koikoi.protocol")), responses(
    (status = 200, description = "Events and commands by name", body = Object),
    (status = 404, description = "No such dialect", body = ErrorBody),
))]
pub async fn dialect_schemas(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(dialect): Path<String>,
) -> Result<Json<Value>, ApiError> {
    registry.limits.read(from)?;
    let (mut events, mut commands) = (Map::new(), Map::new());
    for message in messages(&dialect)? {
        let side = if message.is_command { &mut commands } else { &mut events };
        side.insert(message.name, message.schema);
    }
    Ok(Json(json!({ "dialect": dialect, "events": events, "commands": commands })))
}

/// The JSON Schema of one message.
#[utoipa::path(get, path = "/api/schemas/{dialect}/{name}", tag = "docs",
    params(("dialect" = String, Path, description = "Such as koikoi.protocol"),
        ("name" = String, Path, description = "Such as TurnCompleted")), responses(
    (status = 200, description = "The schema", body = Object),
    (status = 404, description = "No such message", body = ErrorBody),
))]
pub async fn schema(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path((dialect, name)): Path<(String, String)>,
) -> Result<Json<Value>, ApiError> {
    registry.limits.read(from)?;
    let found = messages(&dialect)?.into_iter().find(|message| message.name == name);
    found.map(|message| Json(message.schema)).ok_or(ApiError::NoSuchPage)
}
