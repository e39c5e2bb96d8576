//! Per-connection cache of the last accepted `Authorization` header, which callers send again on the same
//! connection.

use std::sync::{Mutex, PoisonError};

use crate::cache::TokenFingerprint;

/// The last accepted `Authorization` header of one connection. The next request with it costs a comparison
/// instead of a hash. Whether the token is still valid is checked each time.
#[derive(Default)]
pub struct ConnectionToken(Mutex<Option<(Box<[u8]>, TokenFingerprint)>>);

impl ConnectionToken {
    /// The fingerprint of the token in this header, if the header was the last accepted one.
    pub(crate) fn fingerprint(&self, header: &[u8]) -> Option<TokenFingerprint> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (last_header, fingerprint) = last.as_ref()?;
        if same(last_header, header) { Some(*fingerprint) } else { None }
    }

    pub(crate) fn remember(&self, header: &[u8], fingerprint: TokenFingerprint) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((header.into(), fingerprint));
    }
}

/// Compares in constant time. Callers of one proxy may share a connection, and must not learn from the time
/// how many bytes match.
fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut differing = 0;
    for (a, b) in one.iter().zip(other) {
        differing |= a ^ b;
    }
    differing == 0
}
