//! Export of finished spans: a task that sends them, and ends when the service stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use norma_settings::{TraceSettings, UnusableSetting};
use opentelemetry_sdk::trace::SpanData;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::TraceLimits;

#[cfg(feature = "otlp")]
use super::otlp::start_sending;

/// Refuses a collector in a build without the library that sends spans.
#[cfg(not(feature = "otlp"))]
fn start_sending(
    _: &TraceSettings,
    _: TraceLimits,
    _: mpsc::Receiver<SpanData>,
    _: oneshot::Receiver<()>,
    _: Arc<Lost>,
) -> Result<JoinHandle<()>, UnusableSetting> {
    let why = "this program was built without traces; leave the setting empty, or build it with the Cargo feature `traces`";
    Err(UnusableSetting { setting: "traces-endpoint", why: why.to_owned() })
}

/// Number of spans that did not reach the collector.
#[derive(Default)]
pub(super) struct Lost(pub(super) AtomicU64);

impl Lost {
    /// Counts some, by the reason.
    pub(super) fn count(&self, reason: &'static str, spans: u64) {
        self.0.fetch_add(spans, Ordering::Relaxed);
        metrics::counter!("norma_spans_lost_total", "reason" => reason).increment(spans);
    }
}

/// The task that sends spans.
pub(super) struct Exporter {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Exporter {
    /// Starts to send what comes through the queue.
    ///
    /// # Errors
    /// Names the setting that cannot be used.
    pub(super) fn start(
        settings: &TraceSettings,
        limits: TraceLimits,
        waiting: mpsc::Receiver<SpanData>,
        lost: Arc<Lost>,
    ) -> Result<Self, UnusableSetting> {
        let (stop, stopped) = oneshot::channel();
        let task = start_sending(settings, limits, waiting, stopped, lost)?;
        Ok(Self { stop, task })
    }

    /// Sends what waits, within a time, and ends.
    pub(super) async fn stop(self, limit: Duration) {
        let Self { stop, mut task } = self;
        // If the task has ended, there is nothing to wait for.
        let _ = stop.send(());
        match tokio::time::timeout(limit, &mut task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the export of traces ended early"),
            Err(_) => {
                task.abort();
                tracing::warn!("spans of traces are lost: the collector did not take them before the stop");
            }
        }
    }
}
