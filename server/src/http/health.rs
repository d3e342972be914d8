//! Health and metrics.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::registry::Registry;

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

/// Ready: the store could write right now.
#[utoipa::path(get, path = "/readyz", tag = "house", responses(
    (status = 200, description = "Ready"), (status = 503, description = "The store cannot be written to"),
))]
pub async fn ready(State(registry): State<Arc<Registry>>) -> Result<Json<Value>, ApiError> {
    registry.store.ping().await?;
    Ok(Json(json!({ "status": "ready" })))
}

/// Metrics in Prometheus' text format.
#[utoipa::path(get, path = "/metrics", tag = "house", responses((status = 200, description = "Metrics")))]
pub async fn metrics() -> impl IntoResponse {
    let text = METRICS.get().map(PrometheusHandle::render).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
