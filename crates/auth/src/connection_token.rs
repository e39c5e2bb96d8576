//! What a connection presented last: callers keep their connections, and send the same header with each request.

use std::sync::{Mutex, PoisonError};

use crate::cache::Fingerprint;

/// The `Authorization` that was accepted last on one connection, so that the next request with the same one costs a
/// comparison instead of a hash. It goes with the connection, and says nothing of whether the token is good still.
#[derive(Default)]
pub struct ConnectionToken(Mutex<Option<(Box<[u8]>, Fingerprint)>>);

impl ConnectionToken {
    /// The fingerprint of the token in this header, when it is the one that was accepted last.
    pub(crate) fn fingerprint(&self, header: &[u8]) -> Option<Fingerprint> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().filter(|(last, _)| same(last, header)).map(|(_, fingerprint)| *fingerprint)
    }

    pub(crate) fn remember(&self, header: &[u8], fingerprint: Fingerprint) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((header.into(), fingerprint));
    }
}

/// Looks at all bytes, so that the time says nothing of how many are right: behind a proxy, callers may share a
/// connection.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
}
