//! Short digests that tell the states of one thing apart.

use sha2::{Digest, Sha256};

/// Sixteen hexadecimal digits of the SHA-256 digest.
pub(crate) fn short(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
