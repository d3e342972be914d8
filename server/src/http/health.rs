//! Health and metrics.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::auth::is_admin;
use crate::api_error::{ApiError, ErrorBody};
use crate::registry::Registry;

/// A writer that takes longer to say that it is there is not.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();

/// Begins to record metrics. Once per process; later calls change nothing.
pub fn record_metrics() {
    let seconds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0];
    let sizes = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &seconds)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), &sizes)
        });
    // A second recorder in one process (tests) or odd buckets: the server
    // runs on without metrics of its own.
    if let Ok(handle) = builder.and_then(PrometheusBuilder::install_recorder) {
        drop(METRICS.set(handle));
    }
}

/// Alive.
#[utoipa::path(get, path = "/healthz", tag = "house", responses((status = 200, description = "Alive")))]
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "alive" }))
}

/// Ready: the store could write right now. Only the admin is told more than
/// that.
#[utoipa::path(get, path = "/readyz", tag = "house", responses(
    (status = 200, description = "Ready"),
    (status = 503, description = "The store cannot be written to"),
))]
pub async fn ready(State(registry): State<Arc<Registry>>, headers: HeaderMap) -> Response {
    let readiness = Readiness::of(&registry).await;
    match is_admin(&registry, &headers) {
        true => readiness.in_detail(),
        false => readiness.in_a_word(),
    }
}

/// The same with what is wrong, for the operator.
pub async fn ready_in_detail(State(registry): State<Arc<Registry>>) -> Response {
    Readiness::of(&registry).await.in_detail()
}

/// What the store says when it is asked whether it could write; it is the
/// writer itself who answers.
struct Readiness(Result<(), String>);

impl Readiness {
    async fn of(registry: &Registry) -> Readiness {
        Readiness(match timeout(ANSWER_WITHIN, registry.store.ping()).await {
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(_) => Err(format!("the writer has not answered for {ANSWER_WITHIN:?}")),
        })
    }

    fn status(&self) -> (StatusCode, &'static str) {
        match self.0 {
            Ok(()) => (StatusCode::OK, "ready"),
            Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "unready"),
        }
    }

    fn in_a_word(&self) -> Response {
        let (status, word) = self.status();
        (status, Json(json!({ "status": word }))).into_response()
    }

    fn in_detail(&self) -> Response {
        let (status, word) = self.status();
        let store = match &self.0 {
            Ok(()) => "it can be written to",
            Err(sentence) => sentence,
        };
        (status, Json(json!({ "status": word, "store": store }))).into_response()
    }
}

/// Metrics in Prometheus' text format, for the admin. They count everything,
/// also what nobody at a table may know of.
#[utoipa::path(get, path = "/metrics", tag = "house", responses(
    (status = 200, description = "Metrics", content_type = "text/plain"),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn metrics(
    State(registry): State<Arc<Registry>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    match is_admin(&registry, &headers) {
        true => Ok(every_metric().await),
        false => Err(ApiError::AdminOnly),
    }
}

/// The same for the operator.
pub async fn every_metric() -> Response {
    let text = METRICS.get().map(PrometheusHandle::render).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
