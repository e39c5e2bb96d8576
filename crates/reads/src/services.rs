//! What reads share in a running service, and what editions use while they answer one request.

use std::sync::Arc;

use norma_editions::lineage::Refresher;
use norma_editions::search::EditionSearch;
use norma_settings::Settings;
use norma_traces::Trace;

use crate::comparison::Comparisons;
use crate::in_flight::{BytesInFlight, RequestMemory};
use crate::slots::{ClientSlots, Slots};

/// The state that the reads of a running service share.
pub struct ReadState {
    /// The settings of the service.
    pub settings: Settings,
    /// The memory of answers.
    pub in_flight: Arc<BytesInFlight>,
    /// Threads for long work of requests.
    pub slots: Slots,
    /// Comparisons that are being made or cached.
    pub comparisons: Arc<Comparisons>,
    /// The full-text search; `None` where it is off.
    pub search: Option<EditionSearch>,
    /// Makes lineages again that requests find out of date.
    pub lineages: Refresher,
}

/// The services for an edition while it answers one request.
#[derive(Clone)]
pub struct RequestServices {
    /// The memory of the request.
    pub memory: RequestMemory,
    /// Makes lineages again.
    pub lineages: Refresher,
    /// Threads for long work, as the caller uses them.
    pub slots: ClientSlots,
    /// The trace of the request.
    pub trace: Trace,
}
