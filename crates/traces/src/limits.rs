//! Limits of the spans that wait for a collector, which no setting changes.

use std::time::Duration;

/// Limits of the spans that wait for a collector.
#[derive(Clone, Copy, Debug)]
pub struct TraceLimits {
    /// Spans that wait to be sent, at most; further ones are counted and dropped. Default: 4,096, twice what
    /// OpenTelemetry advises (OTEL_BSP_MAX_QUEUE_SIZE), since one request has several spans.
    pub queue: usize,
    /// Time that a span waits for others that are sent with it. Default: 2 s.
    pub interval: Duration,
    /// Time that the collector may take for a batch of spans, repetitions included; then they are dropped and
    /// counted. Default: 10 s, that of OpenTelemetry (OTEL_EXPORTER_OTLP_TIMEOUT).
    pub timeout: Duration,
}

impl Default for TraceLimits {
    fn default() -> Self {
        Self { queue: 4096, interval: Duration::from_secs(2), timeout: Duration::from_secs(10) }
    }
}
