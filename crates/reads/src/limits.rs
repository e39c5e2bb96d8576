//! Limits of reads that no setting changes, each with its reason.

use std::time::Duration;

use norma_editions::search::MAX_MATCHES;

/// References in one request to resolve assets: the pictures of a long page, each of which is one lookup in a
/// list that is in memory.
pub const MAX_ASSET_REFERENCES: usize = 100;

/// Ids or labels in one request to migrate: as many as a body of 64 KiB holds with 65 bytes for each.
/// Memory for all of them is reserved before any is looked up.
pub const MAX_MIGRATED_IDS: usize = 1000;

/// Citations in one request to resolve: those of a long document are sent in several requests. Each looks
/// up one edition and reads its sections.
pub const MAX_CITATIONS: usize = 100;

/// Quotations in one request to verify: those of a long document are sent in several requests. Each looks up
/// at most 50 units and is compared with eight of them.
pub const MAX_QUOTATIONS: usize = 100;

/// Characters of a quotation: half a page of print.
pub const MAX_QUOTATION_CHARACTERS: usize = *norma_quotations::QUOTATION_CHARACTERS.end();

/// Comparisons of 2,000 and more provisions made at once on request, each on a core, and as many of fewer.
/// One leaves the other cores to short reads.
pub(crate) const MAX_COMPARISONS: usize = 1;

/// Time that a comparison waits for its turn and for memory, before 503. A client that repeats its request
/// later costs less than one whose connection waits.
pub(crate) const COMPARISON_TIMEOUT: Duration = Duration::from_secs(1);

/// Limits of reads of a running service.
#[derive(Clone, Debug)]
pub struct ReadLimits {
    /// Time for which the URL of an asset works, in whole seconds. It is not revoked earlier, so it is as
    /// short as a reader of a page allows. Default: 15 minutes, the longest time that a replaced signing
    /// key is kept for.
    pub asset_url_lifetime: Duration,
    /// Units that match a search at most. Default: [`MAX_MATCHES`].
    pub search_matches: u64,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { asset_url_lifetime: norma_store::MAX_ASSET_URL_LIFETIME, search_matches: MAX_MATCHES }
    }
}
