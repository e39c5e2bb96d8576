//! Export of spans by OTLP over HTTP: a task that sends them in batches.

use std::sync::Arc;
use std::time::Duration;

use norma_settings::{TraceSettings, UnusableSetting};
use opentelemetry::KeyValue;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SpanData, SpanExporter as _};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::export::Lost;
use crate::TraceLimits;
use crate::setting_rules::headers;

/// Most spans in one export: OpenTelemetry's default (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).
const BATCH: usize = 512;

/// Starts to send what comes through the queue, until the stop, and then what is left in it.
///
/// # Errors
/// Names the setting that the library refuses.
pub(super) fn start_sending(
    settings: &TraceSettings,
    limits: TraceLimits,
    waiting: mpsc::Receiver<SpanData>,
    stopped: oneshot::Receiver<()>,
    lost: Arc<Lost>,
) -> Result<JoinHandle<()>, UnusableSetting> {
    // A redirect would take `traces-headers`, and what is in the spans, to a host that no setting names.
    #[expect(clippy::disallowed_methods, reason = "the one client of the exporter")]
    let client = reqwest::Client::builder();
    let client = client
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| refused_endpoint(error.to_string()))?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(&settings.traces_endpoint)
        .with_headers(headers(settings).unwrap_or_default())
        .with_timeout(limits.timeout)
        .with_http_client(client)
        .build()
        .map_err(|error| refused_endpoint(error.to_string()))?;
    let sending = Sending {
        exporter: with_resource(exporter, &settings.traces_service_name),
        waiting,
        batch: Vec::with_capacity(BATCH),
        interval: limits.interval,
        lost,
        is_failing: false,
    };
    Ok(tokio::spawn(sending.run(stopped)))
}

fn refused_endpoint(why: String) -> UnusableSetting {
    UnusableSetting { setting: "traces-endpoint", why }
}

/// Adds to each export which service, and which instance of it, sends it.
fn with_resource(mut exporter: SpanExporter, service: &str) -> SpanExporter {
    // Not the variables that the library knows: all settings are those of the service.
    let resource = Resource::builder_empty()
        .with_service_name(service.to_owned())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("service.instance.id", uuid::Uuid::new_v4().to_string()))
        .build();
    exporter.set_resource(&resource);
    exporter
}

struct Sending {
    exporter: SpanExporter,
    waiting: mpsc::Receiver<SpanData>,
    batch: Vec<SpanData>,
    interval: Duration,
    lost: Arc<Lost>,
    is_failing: bool,
}

impl Sending {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut is_stopping = false;
        loop {
            tokio::select! {
                biased;
                _ = &mut stopped, if !is_stopping => {
                    is_stopping = true;
                    self.waiting.close();
                    continue;
                }
                () = self.fill() => {}
            }
            if self.batch.is_empty() {
                return;
            }
            self.send().await;
        }
    }

    /// Waits for a span, and for others that come soon after it. No span is lost where this is not awaited to
    /// its end. The batch stays empty when there will be no more.
    async fn fill(&mut self) {
        let Self { waiting, batch, interval, .. } = self;
        if batch.is_empty() && waiting.recv_many(batch, BATCH).await == 0 {
            return;
        }
        let others = async {
            while batch.len() < BATCH {
                let room = BATCH - batch.len();
                if waiting.recv_many(batch, room).await == 0 {
                    return;
                }
            }
        };
        // Later ones go with the next batch.
        let _ = tokio::time::timeout(*interval, others).await;
    }

    /// Sends the batch. A failure is logged when failures begin.
    async fn send(&mut self) {
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        let spans = batch.len() as u64;
        match self.exporter.export(batch).await {
            Ok(()) if self.is_failing => {
                self.is_failing = false;
                tracing::info!("the collector of traces takes spans again");
            }
            Ok(()) => {}
            Err(error) => {
                self.lost.count("export", spans);
                if !self.is_failing {
                    self.is_failing = true;
                    tracing::warn!(%error, "spans of traces are lost: look at traces-endpoint and the collector");
                }
            }
        }
    }
}
