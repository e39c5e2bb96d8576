//! Check of the settings of reads: memory and comparisons.

use norma_settings::{LimitSettings, SettingFindings};
use norma_store::BlobReader;

/// Fewest bytes in flight: a client may have a quarter of them, enough for one piece of a blob.
const LEAST_IN_FLIGHT: u64 = 4 * BlobReader::PIECE;

/// Notes settings of reads that cannot work.
pub fn check_settings(limits: &LimitSettings, findings: &mut SettingFindings) {
    findings.expect(
        "max-bytes-in-flight",
        limits.max_bytes_in_flight.bytes() >= LEAST_IN_FLIGHT,
        "write 1MiB or more: a quarter of it holds one piece of a stored file",
    );
    findings.expect_more_than_zero("comparison-memory", limits.comparison_memory.bytes() == 0);
    findings.expect_more_than_zero("max-compared-provisions", limits.max_compared_provisions == 0);
}
