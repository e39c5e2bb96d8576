//! Services that reads of a running service share, and those of one request.

use std::sync::Arc;

use norma_editions::lineage::Refresher;
use norma_editions::search::EditionSearch;
use norma_settings::Settings;
use norma_traces::Trace;

use crate::comparison::Comparisons;
use crate::in_flight::{BytesInFlight, RequestMemory};
use crate::limits::ReadLimits;
use crate::slots::{ClientSlots, Slots};

/// The state that the reads of a running service share.
pub struct ReadState {
    /// The settings of the service.
    pub settings: Settings,
    /// Limits that no setting changes.
    pub limits: ReadLimits,
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

impl ReadState {
    /// As the settings say.
    pub fn new(
        settings: &Settings,
        limits: ReadLimits,
        search: Option<EditionSearch>,
        lineages: Refresher,
    ) -> Arc<Self> {
        Arc::new(Self {
            in_flight: BytesInFlight::from_settings(settings),
            slots: Slots::from_settings(&settings.limits),
            comparisons: Comparisons::from_settings(&settings.limits),
            search,
            lineages,
            settings: settings.clone(),
            limits,
        })
    }
}

/// The services for one request.
#[derive(Clone)]
pub(crate) struct RequestServices {
    pub(crate) shared: Arc<ReadState>,
    /// The memory of the request.
    pub(crate) memory: RequestMemory,
    /// Threads for long work, as the caller uses them.
    pub(crate) slots: ClientSlots,
    /// The trace of the request.
    pub(crate) trace: Trace,
}
