//! Cursors: opaque texts that contain a query and the position where a page of it ended.

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where a page ended: the sort key and the URN of its last standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Value of the sorted field; empty where the standard has none.
    pub key: String,
    /// URN, which breaks ties.
    pub urn: String,
}

/// Bytes of the digest that shows an altered cursor. It guards against accidents, not against forgers: a
/// cursor opens nothing that its filters would not.
const DIGEST: usize = 8;

pub(super) fn encode(query: &str, position: &Position) -> String {
    let body = serde_json::to_vec(&(query, position)).expect("texts always serialise");
    let digest = Sha256::digest(&body);
    BASE64URL_NOPAD.encode(&[&digest[..DIGEST], &body].concat())
}

pub(super) fn decode(cursor: &str) -> Option<(String, Position)> {
    let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
    let (digest, body) = bytes.split_at_checked(DIGEST)?;
    if Sha256::digest(body)[..DIGEST] != *digest {
        return None;
    }
    serde_json::from_slice(body).ok()
}
