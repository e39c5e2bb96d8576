//! Services that editions use while they answer one request.

use norma_editions::lineage::Refresher;
use norma_traces::Trace;

use crate::http::in_flight::RequestMemory;
use crate::slots::ClientSlots;

/// The services for an edition while it answers one request.
#[derive(Clone)]
pub(super) struct RequestServices {
    pub(super) memory: RequestMemory,
    pub(super) lineages: Refresher,
    pub(super) slots: ClientSlots,
    pub(super) trace: Trace,
}
