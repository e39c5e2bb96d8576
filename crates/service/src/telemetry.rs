//! Log, audit and metrics: what the operator sees of a running service. Tokens and signatures never get here.

use std::io;
use std::sync::Mutex;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::audit::AuditFile;
use crate::config::{Log, LogFormat};

/// Target of audit events: one for each read of content.
pub const AUDIT: &str = "norma::audit";

/// Upper bounds in seconds of the buckets that durations of requests are counted in.
const DURATION_BUCKETS: [f64; 9] = [0.0001, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 1.0, 10.0];

/// Why the log cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up the log: {0}")]
pub struct TelemetryError(String);

/// Sends the process's log to standard error and its audit events to the audit file, where one is set.
pub fn log(settings: &Log) -> Result<(), TelemetryError> {
    let filter = EnvFilter::try_new(&settings.log_level).map_err(|e| {
        TelemetryError(format!("`log-level`: {e}; write info or a filter such as norma_service=debug"))
    })?;
    let to_stderr = match settings.log_format {
        LogFormat::Text => {
            tracing_subscriber::fmt::layer().with_writer(io::stderr).with_target(false).boxed()
        }
        LogFormat::Json => {
            tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(io::stderr).boxed()
        }
    };
    let file = match settings.audit_file.as_str() {
        "" => None,
        path => Some(
            AuditFile::open(settings)
                .map_err(|e| TelemetryError(format!("`audit-file`: {path} cannot be written: {e}")))?,
        ),
    };
    let audit = file.map(|file| {
        tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .with_writer(Mutex::new(file))
            .with_filter(filter_fn(|event| event.target() == AUDIT))
    });
    tracing_subscriber::registry()
        .with(audit)
        .with(to_stderr.with_filter(filter))
        .try_init()
        .map_err(|e| TelemetryError(e.to_string()))
}

/// Starts counting; the handle prints the counts in Prometheus' text format.
pub fn metrics() -> PrometheusHandle {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &DURATION_BUCKETS)
        .expect("there are buckets");
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    // A second service in one process, as in tests, counts into the first one's recorder.
    if metrics::set_global_recorder(recorder).is_err() {
        tracing::debug!("metrics are already being counted");
    }
    handle
}
