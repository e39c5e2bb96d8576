//! Services that editions use while they answer one request.

use crate::http::in_flight::RequestMemory;
use crate::lineage::Refresher;
use crate::slots::ClientSlots;
use crate::traces::Trace;

/// What an edition uses of the service while it answers one request.
#[derive(Clone)]
pub(super) struct RequestServices {
    pub(super) memory: RequestMemory,
    pub(super) lineages: Refresher,
    pub(super) slots: ClientSlots,
    pub(super) trace: Trace,
}
