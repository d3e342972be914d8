//! The calls described for programs: OpenAPI. The handlers say most of it; what
//! follows from the games on offer, and what every call may answer, is added
//! here, once for all.

#![allow(clippy::indexing_slicing, reason = "documents of our own making, no input")]

mod orders;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use super::docs::{self, Api};
use super::request::Caller;
use crate::api_error::ApiError;
use crate::registry::Registry;

/// The OpenAPI description of this server.
#[utoipa::path(get, path = "/api/openapi.json", tag = "docs", responses((status = 200, description = "OpenAPI", body = Object)))]
pub async fn openapi(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
) -> Result<Json<Value>, ApiError> {
    // It is written anew each time.
    registry.limits.read(from)?;
    Ok(Json(document(&registry)))
}

fn document(registry: &Registry) -> Value {
    let mut document = serde_json::to_value(Api::openapi()).unwrap_or_default();
    let schemas = &mut document["components"]["schemas"];
    for (name, schema) in orders::schemas(registry) {
        schemas[name] = schema;
    }
    let Some(paths) = document["paths"].as_object_mut() else { return document };
    for (path, calls) in paths {
        for (method, call) in calls.as_object_mut().into_iter().flatten() {
            bound_parameters(call);
            if let Some(links) = links(method, path) {
                call["responses"]["201"]["links"] = links;
            }
            add_answers(path, call);
        }
    }
    document
}

/// What a parameter of this name must be like, wherever it stands.
fn bounds(name: &str) -> Option<Value> {
    let seats = "seat:([0-9]|[12][0-9]|3[01])";
    Some(match name {
        "status" => {
            json!({ "type": "string", "enum": crate::record::Status::ALL.map(crate::record::Status::name) })
        }
        "view" => {
            json!({ "type": "string", "pattern": format!("^(admin|postmortem|public|town|{seats})$") })
        }
        "dialect" => json!({ "type": "string", "enum": docs::dialects() }),
        "after" => json!({ "type": "string", "pattern": "^(evt_(snapshot_)?)?[0-9]{1,18}$" }),
        // A client that has seen no id yet may send an empty one.
        "Last-Event-ID" => {
            json!({ "type": "string", "pattern": "^((evt_(snapshot_)?)?[0-9]{1,18})?$" })
        }
        "limit" => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        // No table has more of them.
        "seat" => json!({ "type": "integer", "minimum": 0, "maximum": 31 }),
        "Idempotency-Key" => {
            json!({ "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]([ -~]*[!-~])?$" })
        }
        _ => return None,
    })
}

fn bound_parameters(call: &mut Value) {
    let parameters = call.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        // In an address a dialect is a text: /api/schemas knows more of them.
        let is_text = parameter["in"] == "path" && parameter["schema"]["type"] == "string";
        let named = parameter["name"].as_str().filter(|_| !is_text);
        if let Some(schema) = named.and_then(bounds) {
            parameter["schema"] = schema;
        }
    }
}

/// What a call may answer beside what its handler says.
fn add_answers(path: &str, call: &mut Value) {
    let has_body = call.get("requestBody").is_some();
    let parameters = call["parameters"].as_array().map_or(0, Vec::len);
    let of_table = path.contains("{table}");
    let of_game = path.starts_with("/api/v1/") || path.starts_with("/api/sessions");
    let may = [
        ("400", has_body || parameters > 0, "MALFORMED, or another code that says what is wrong"),
        ("401", of_table, "UNAUTHENTICATED: an unknown token or ticket"),
        ("403", of_table, "FORBIDDEN: another site acts for a player"),
        ("404", of_table, "TABLE_NOT_FOUND"),
        ("408", has_body, "TOO_SLOW: the rest of the body did not come in time"),
        ("413", has_body, "TOO_LARGE"),
        (
            "429",
            true,
            "RATE_LIMITED, TOO_MANY_CONNECTIONS, TOO_MANY_GUESSES, or another code for too much of \
             one address; `Retry-After` says for how many seconds",
        ),
        ("500", of_table, "BROKEN_LOG: the stored log of this game cannot be read"),
        (
            "503",
            of_game,
            "STORE_UNAVAILABLE, STOPPING or HOUSE_FULL: nothing has changed, try again",
        ),
    ];
    let Some(answers) = call["responses"].as_object_mut() else { return };
    for (status, is_possible, meaning) in may {
        if is_possible && !answers.contains_key(status) {
            answers.insert(status.to_owned(), refusal(meaning));
        }
    }
    for status in ["429", "503"] {
        if let Some(answer) = answers.get_mut(status) {
            answer["headers"] = json!({ "Retry-After": {
                "description": "After how many seconds the same may be tried again",
                "schema": { "type": "integer", "minimum": 1 },
            }});
        }
    }
}

fn refusal(meaning: &str) -> Value {
    json!({
        "description": meaning,
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorBody" } } },
    })
}

/// Where one goes from a table, or a session, that has just been created.
fn links(method: &str, path: &str) -> Option<Value> {
    let mut links = Map::new();
    let mut lead = |name: &str, method: &str, call: &str, given: Value| {
        let reference = format!("#/paths/{}/{method}", call.replace('/', "~1"));
        links.insert(name.to_owned(), json!({ "operationRef": reference, "parameters": given }));
    };
    match (method, path) {
        ("post", "/api/v1/tables" | "/api/v1/tables/quick") => {
            let table = || json!({ "table": "$response.body#/table_id" });
            let spoken = || json!({ "table": "$response.body#/table_id", "dialect": "log" });
            let at = |call: &str| format!("/api/v1/tables/{{table}}{call}");
            lead("show", "get", &at(""), table());
            lead("join", "post", &at("/seats"), table());
            lead("start", "post", &at("/start"), table());
            lead("snapshot", "get", &at("/snapshot"), spoken());
            lead("log", "get", &at("/log"), spoken());
            lead("ticket", "post", &at("/ticket"), table());
            lead("rematch", "post", &at("/rematch"), table());
            lead("pause", "post", &at("/pause"), table());
            lead("step", "post", &at("/step"), table());
            lead("resume", "post", &at("/resume"), table());
            lead("pace", "post", &at("/pace"), table());
            lead("terminate", "post", &at("/terminate"), table());
        }
        ("post", "/api/sessions") => {
            let session = || json!({ "code": "$response.body#/sessionCode" });
            let hosted = || json!({ "code": "$response.body#/sessionCode", "X-Secret-Id": "$response.body#/secretId" });
            lead("show", "get", "/api/sessions/{code}", session());
            lead("join", "post", "/api/sessions/{code}/join", session());
            lead("seatAi", "post", "/api/sessions/{code}/ai", hosted());
            lead("export", "get", "/api/sessions/{code}/events/export", hosted());
        }
        _ => return None,
    }
    Some(Value::Object(links))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use parlor_store::Store;

    use super::*;
    use crate::config::Config;

    async fn served() -> Value {
        let store = Store::open("memory:").await.unwrap();
        document(&Registry::new(Config::default(), store))
    }

    fn references<'a>(node: &'a Value, found: &mut BTreeSet<&'a str>) {
        match node {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value.as_str().filter(|_| name == "$ref" || name == "operationRef") {
                        Some(reference) => drop(found.insert(reference)),
                        None => references(value, found),
                    }
                }
            }
            Value::Array(nodes) => nodes.iter().for_each(|node| references(node, found)),
            _ => {}
        }
    }

    #[tokio::test]
    async fn every_reference_leads_somewhere() {
        let document = served().await;
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        assert!(found.len() > 30, "{found:?}");
        for reference in found {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }

    #[tokio::test]
    async fn every_call_says_what_it_may_answer() {
        let document = served().await;
        for (path, calls) in document["paths"].as_object().unwrap() {
            for (method, call) in calls.as_object().unwrap() {
                let answers = call["responses"].as_object().unwrap();
                let has = |status: &str| answers.contains_key(status);
                assert!(has("429"), "{method} {path}");
                let retry =
                    |status: &str| call["responses"][status]["headers"]["Retry-After"].is_object();
                assert!(retry("429") && (!has("503") || retry("503")), "{method} {path}");
                assert!(!path.contains('{') || has("404"), "{method} {path}");
                assert!(call.get("requestBody").is_none() || has("413"), "{method} {path}");
            }
        }
    }

    #[tokio::test]
    async fn what_the_schema_of_an_order_allows_can_be_laid() {
        let document = served().await;
        let orders = document.pointer("/components/schemas/TableOrder/anyOf").unwrap();
        let games: BTreeSet<&str> = orders
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|order| order.pointer("/properties/game/const")?.as_str())
            .collect();
        assert_eq!(games, parlor_house::games().map(|game| game.name()).collect());
        for order in orders.as_array().unwrap() {
            let game = order.pointer("/properties/game/const").unwrap().as_str().unwrap();
            let game = parlor_house::game(game).unwrap();
            let least = order.pointer("/properties/seats/minItems").unwrap().as_u64().unwrap();
            for form in order.pointer("/properties/rules/anyOf").unwrap().as_array().unwrap() {
                for preset in form["enum"].as_array().into_iter().flatten() {
                    let rules = game.resolve_rules(preset).unwrap();
                    let seats = game.seats(&rules).unwrap();
                    assert!(seats.contains(&(least as usize)), "{} {preset}", game.name());
                }
            }
        }
    }
}
