//! Bytes in flight: a bound on what answers hold in memory until their clients have taken it, in all and for each client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use norma_api::problem::Code;
use norma_handlers::Failure;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Settings;

/// Answers of so few bytes are not counted: the number of connections bounds them.
const UNCOUNTED: usize = 64 << 10;

/// One client may have this part of all bytes in flight.
const CLIENT_SHARES: usize = 4;

/// How many bytes there are, of all clients and of each that has some.
pub(crate) struct BytesInFlight {
    all: Arc<Semaphore>,
    bound: usize,
    /// How long the beginning of an answer waits for room.
    timeout: Duration,
    clients: Mutex<HashMap<(String, String), Weak<Semaphore>>>,
}

impl BytesInFlight {
    /// As the settings say.
    pub(crate) fn from_settings(settings: &Settings) -> Arc<Self> {
        let bytes = settings.limits.max_bytes_in_flight.bytes();
        Arc::new(Self::new(bytes, settings.store.store_timeout.std()))
    }

    /// Takes so many bytes at most, and lets the beginning of an answer wait this long for room.
    fn new(bytes: u64, timeout: Duration) -> Self {
        let bound = usize::try_from(bytes).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self { all: Arc::new(Semaphore::new(bound)), bound, timeout, clients: Mutex::default() }
    }

    /// The bytes in flight now.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bound - self.all.available_permits().min(self.bound)) as u64
    }

    /// The share of a client, named by tenant and client.
    pub(super) fn share(&self, client: (String, String)) -> Share {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let max = self.bound / CLIENT_SHARES;
        let known = clients.get(&client).and_then(Weak::upgrade);
        let own = known.unwrap_or_else(|| {
            clients.retain(|_, share| share.strong_count() > 0);
            let own = Arc::new(Semaphore::new(max));
            clients.insert(client, Arc::downgrade(&own));
            own
        });
        Share { own, all: Arc::clone(&self.all), max, timeout: self.timeout }
    }
}

/// What one client may have in flight.
#[derive(Clone)]
pub(super) struct Share {
    own: Arc<Semaphore>,
    all: Arc<Semaphore>,
    max: usize,
    timeout: Duration,
}

impl Share {
    /// Waits until so many bytes more may be in flight. An answer larger than the whole share waits for the whole share.
    /// Few bytes need none.
    pub(super) async fn reserve(&self, bytes: usize) -> Reservation {
        if bytes <= UNCOUNTED {
            return Reservation { _own: None, _all: None };
        }
        let bytes = u32::try_from(bytes.min(self.max)).unwrap_or(u32::MAX);
        // A client that waits for its own bytes to be taken keeps no room from others.
        let own = Arc::clone(&self.own).acquire_many_owned(bytes).await;
        let all = Arc::clone(&self.all).acquire_many_owned(bytes).await;
        Reservation { _own: own.ok(), _all: all.ok() }
    }

    /// The same for the beginning of an answer, which does not wait for ever.
    pub(super) async fn reserve_within_timeout(&self, bytes: usize) -> Result<Reservation, Failure> {
        tokio::time::timeout(self.timeout, self.reserve(bytes)).await.map_err(|_| {
            let detail = "Too much is on its way to callers that have not read it yet.";
            Failure::new(Code::Unavailable, detail).with(axum::http::header::RETRY_AFTER, "2")
        })
    }
}

/// Bytes of a whole body, which are counted while anybody holds them, unless they are few.
pub(super) async fn reserve_whole(share: impl FnOnce() -> Share, bytes: Bytes) -> Result<Bytes, Failure> {
    if bytes.len() <= UNCOUNTED {
        return Ok(bytes);
    }
    Ok(share().reserve_within_timeout(bytes.len()).await?.with(bytes))
}

/// Reservation for bytes in flight; it is given back when they are dropped.
pub(super) struct Reservation {
    _own: Option<OwnedSemaphorePermit>,
    _all: Option<OwnedSemaphorePermit>,
}

impl Reservation {
    /// Bytes that keep this room for as long as anybody holds them.
    pub(super) fn with(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(ReservedBytes { bytes, _reservation: self })
    }
}

struct ReservedBytes {
    bytes: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const SHARE: usize = 1_000_000;

    fn client(name: &str) -> (String, String) {
        ("tenant".to_owned(), name.to_owned())
    }

    #[tokio::test]
    async fn bytes_are_in_flight_until_their_last_handle_goes() {
        let in_flight = BytesInFlight::new(4 * SHARE as u64, Duration::ZERO);
        let bytes = in_flight.share(client("a")).reserve(300_000).await.with(Bytes::from(vec![7; 300_000]));
        let rest = bytes.slice(200..);
        drop(bytes);
        assert_eq!((in_flight.bytes(), rest.len()), (300_000, 299_800));
        drop(rest);
        assert_eq!(in_flight.bytes(), 0);
    }

    #[tokio::test]
    async fn a_client_has_a_quarter_and_waits_alone_for_more() {
        let in_flight = BytesInFlight::new(4 * SHARE as u64, Duration::ZERO);
        let share = in_flight.share(client("a"));
        let held = share.reserve(SHARE).await;
        assert!(share.reserve(100_000).now_or_never().is_none(), "its share is used up");
        assert!(
            in_flight.share(client("a")).reserve(100_000).now_or_never().is_none(),
            "however it is asked for"
        );
        assert_eq!(share.reserve_within_timeout(100_000).await.err().unwrap().code(), Code::Unavailable);
        let others = [
            in_flight.share(client("b")).reserve(SHARE).await,
            in_flight.share(client("c")).reserve(SHARE).await,
        ];
        assert_eq!(in_flight.bytes(), 3 * SHARE as u64);
        drop(held);
        // Larger than a share: all of the share.
        assert!(share.reserve(9 * SHARE).now_or_never().is_some());
        drop(others);
        assert_eq!(in_flight.bytes(), 0);
    }

    #[tokio::test]
    async fn few_bytes_wait_for_nothing() {
        let in_flight = BytesInFlight::new(4 * SHARE as u64, Duration::ZERO);
        let share = in_flight.share(client("a"));
        let _held = share.reserve(SHARE).await;
        assert!(share.reserve(UNCOUNTED).now_or_never().is_some());
        assert_eq!(in_flight.bytes(), SHARE as u64);
    }

    #[tokio::test]
    async fn who_has_nothing_in_flight_is_forgotten() {
        let in_flight = BytesInFlight::new(4 * SHARE as u64, Duration::ZERO);
        for name in ["a", "b", "c"] {
            in_flight.share(client(name)).reserve(100_000).await;
        }
        assert_eq!(in_flight.clients.lock().unwrap().len(), 1);
    }
}
