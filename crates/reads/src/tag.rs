//! Entity tags, and digests of what they name.

use data_encoding::HEXLOWER;
use http::HeaderValue;
use sha2::{Digest, Sha256};

use crate::Failure;

/// The version of the program, in the tags of answers that it composes: another version may make other bytes
/// from the same parts.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A strong entity tag of what names the bytes.
///
/// # Errors
/// It is not ASCII.
pub fn tag(name: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(["\"", name, "\""].concat()).map_err(|error| Failure::internal(&error))
}

/// Sixteen hexadecimal digits of the SHA-256 digest: 64 bits distinguish the states of one resource.
pub fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes)[..8])
}
