//! Bytes in flight: a bound on the memory of answers until their clients have received them, in total and for
//! each client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::Failure;
use bytes::Bytes;
use norma_api::problem::Code;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use norma_settings::Settings;

/// Answers with at most this many bytes are not counted: the number of connections bounds them.
const UNCOUNTED: usize = 64 << 10;

/// One client may have one of this many shares of all bytes in flight.
pub const CLIENT_SHARES: usize = 4;

/// Counts of bytes in flight, of all clients and of each that has some.
pub struct BytesInFlight {
    all: Arc<Semaphore>,
    bound: usize,
    /// Longest time that the begin of an answer waits for memory.
    timeout: Duration,
    clients: Mutex<HashMap<(String, String), Weak<Semaphore>>>,
}

impl BytesInFlight {
    /// As the settings say.
    pub fn from_settings(settings: &Settings) -> Arc<Self> {
        let bytes = settings.limits.max_bytes_in_flight.bytes();
        Arc::new(Self::new(bytes, settings.store.store_timeout.std()))
    }

    /// Allows at most this many bytes; the begin of an answer waits at most this long.
    fn new(bytes: u64, timeout: Duration) -> Self {
        let bound = usize::try_from(bytes).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self { all: Arc::new(Semaphore::new(bound)), bound, timeout, clients: Mutex::default() }
    }

    /// The bytes in flight now.
    pub fn bytes(&self) -> u64 {
        (self.bound - self.all.available_permits().min(self.bound)) as u64
    }

    /// The share of a client, named by tenant and client.
    pub fn share(&self, client: (String, String)) -> Share {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let max = self.bound / CLIENT_SHARES;
        let own = match clients.get(&client).and_then(Weak::upgrade) {
            Some(known) => known,
            None => {
                // Clients without a request are forgotten when a new one comes.
                clients.retain(|_, share| share.strong_count() > 0);
                let own = Arc::new(Semaphore::new(max));
                clients.insert(client, Arc::downgrade(&own));
                own
            }
        };
        Share { own, all: Arc::clone(&self.all), max, bound: self.bound, timeout: self.timeout }
    }
}

/// The bytes that one client may have in flight.
#[derive(Clone)]
pub struct Share {
    own: Arc<Semaphore>,
    all: Arc<Semaphore>,
    max: usize,
    bound: usize,
    timeout: Duration,
}

impl Share {
    /// Waits until this many more bytes may be in flight. What is larger than the whole share waits for the
    /// whole share. Few bytes need none.
    async fn reserve(&self, bytes: usize) -> Reservation {
        if bytes <= UNCOUNTED {
            return Reservation::default();
        }
        let (own, all) = self.permits(bytes);
        // A client that waits for its own bytes to be taken keeps no room from others.
        let own = Arc::clone(&self.own).acquire_many_owned(own).await;
        let all = Arc::clone(&self.all).acquire_many_owned(all).await;
        Reservation { bytes, own: own.ok(), all: all.ok() }
    }

    /// The same for the begin of an answer, which waits for a limited time.
    pub(crate) async fn reserve_within_timeout(&self, bytes: usize) -> Result<Reservation, Failure> {
        tokio::time::timeout(self.timeout, self.reserve(bytes)).await.map_err(|_| full())
    }

    /// Grows a reservation to this many bytes if that needs no waiting; otherwise it stays as it is.
    fn try_grow(&self, held: &mut Reservation, bytes: usize) -> bool {
        let (own, all) = self.permits(bytes);
        if !try_grow(&mut held.own, &self.own, own) || !try_grow(&mut held.all, &self.all, all) {
            return false;
        }
        held.bytes = bytes;
        true
    }

    /// The permits for this many bytes: from the client's share, and from all.
    fn permits(&self, bytes: usize) -> (u32, u32) {
        let permits = |bound: usize| u32::try_from(bytes.min(bound)).unwrap_or(u32::MAX);
        (permits(self.max), permits(self.bound))
    }
}

/// Grows held permits to this number if that needs no waiting; false leaves them as they are.
fn try_grow(held: &mut Option<OwnedSemaphorePermit>, from: &Arc<Semaphore>, permits: u32) -> bool {
    let has = held.as_ref().map_or(0, |held| held.num_permits() as u32);
    let missing = permits.saturating_sub(has);
    let Ok(more) = Arc::clone(from).try_acquire_many_owned(missing) else { return false };
    match held {
        Some(held) => held.merge(more),
        None => *held = Some(more),
    }
    true
}

/// The failure when no memory is free.
fn full() -> Failure {
    metrics::counter!("norma_unavailable_total", "reason" => "memory").increment(1);
    let detail = "Too many response bytes are in flight. Read pending responses, then retry.";
    Failure::new(Code::Unavailable, detail).with(http::header::RETRY_AFTER, "2")
}

/// Bytes of a whole body, which count while they are referenced, unless they are few.
pub async fn reserve_whole(share: impl FnOnce() -> Share, bytes: Bytes) -> Result<Bytes, Failure> {
    if bytes.len() <= UNCOUNTED {
        return Ok(bytes);
    }
    Ok(share().reserve_within_timeout(bytes.len()).await?.with(bytes))
}

/// The memory of one request: first an upper bound for making its answer, then the answer until its client
/// has received it.
#[derive(Clone)]
pub struct RequestMemory(Arc<Held>);

struct Held {
    share: Share,
    reservation: Mutex<Reservation>,
}

impl RequestMemory {
    /// The memory of a client's request, still empty.
    pub fn new(share: Share) -> Self {
        Self(Arc::new(Held { share, reservation: Mutex::default() }))
    }

    /// The memory, still empty, for a part of the request that is made alone and given back before the next.
    pub fn for_part(&self) -> Self {
        Self::new(self.0.share.clone())
    }

    /// Reserves this many more bytes. A request that holds nothing waits for them; one that holds some does
    /// not, as others may wait for what it holds.
    ///
    /// # Errors
    /// There is no room.
    pub async fn add(&self, bytes: u64) -> Result<(), Failure> {
        let Held { share, reservation } = &*self.0;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        {
            let mut held = reservation.lock().unwrap_or_else(PoisonError::into_inner);
            if held.bytes > 0 {
                let sum = held.bytes.saturating_add(bytes);
                return if share.try_grow(&mut held, sum) { Ok(()) } else { Err(full()) };
            }
        }
        let reserved = share.reserve_within_timeout(bytes).await?;
        *reservation.lock().unwrap_or_else(PoisonError::into_inner) = reserved;
        Ok(())
    }

    /// Changes the reservation to this many bytes: returns the rest, or reserves the missing ones.
    ///
    /// # Errors
    /// There is no room.
    pub async fn hold(&self, bytes: usize) -> Result<(), Failure> {
        let missing = {
            let mut held = self.0.reservation.lock().unwrap_or_else(PoisonError::into_inner);
            held.shrink(bytes);
            bytes - held.bytes
        };
        if missing == 0 { Ok(()) } else { self.add(missing as u64).await }
    }

    /// A whole body, which holds the reservation for its bytes while it is referenced. All else is given
    /// back.
    ///
    /// # Errors
    /// There is no room.
    pub async fn cover(&self, bytes: Bytes) -> Result<Bytes, Failure> {
        let Held { share, reservation } = &*self.0;
        let mut held = std::mem::take(&mut *reservation.lock().unwrap_or_else(PoisonError::into_inner));
        if bytes.len() <= held.bytes {
            held.shrink(bytes.len());
            return Ok(held.with(bytes));
        }
        drop(held);
        reserve_whole(|| share.clone(), bytes).await
    }
}

/// A reservation for bytes in flight, which is returned when it is dropped.
#[derive(Default)]
pub(crate) struct Reservation {
    bytes: usize,
    own: Option<OwnedSemaphorePermit>,
    all: Option<OwnedSemaphorePermit>,
}

impl Reservation {
    /// Bytes that hold this reservation while they are referenced.
    fn with(self, bytes: Bytes) -> Bytes {
        if self.own.is_none() {
            return bytes;
        }
        Bytes::from_owner(ReservedBytes { bytes, _reservation: self })
    }

    /// Returns what exceeds this many bytes. Few bytes need no room.
    fn shrink(&mut self, bytes: usize) {
        if bytes >= self.bytes {
            return;
        }
        let counted = if bytes <= UNCOUNTED { 0 } else { bytes };
        for held in [&mut self.own, &mut self.all] {
            if counted == 0 {
                *held = None;
            } else if let Some(held) = held {
                drop(held.split(held.num_permits().saturating_sub(counted)));
            }
        }
        self.bytes = counted;
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

    fn in_flight() -> BytesInFlight {
        BytesInFlight::new(4 * SHARE as u64, Duration::ZERO)
    }

    #[tokio::test]
    async fn bytes_are_in_flight_until_their_last_handle_goes() {
        let in_flight = in_flight();
        let bytes = in_flight.share(client("a")).reserve(300_000).await.with(Bytes::from(vec![7; 300_000]));
        let rest = bytes.slice(200..);
        drop(bytes);
        assert_eq!((in_flight.bytes(), rest.len()), (300_000, 299_800));
        drop(rest);
        assert_eq!(in_flight.bytes(), 0);
    }

    #[tokio::test]
    async fn a_client_has_a_quarter_and_waits_alone_for_more() {
        let in_flight = in_flight();
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
        drop(others);
        drop(held);
        assert_eq!(in_flight.bytes(), 0);
    }

    #[tokio::test]
    async fn what_is_larger_than_a_share_has_all_of_it_and_counts_whole() {
        let in_flight = in_flight();
        let share = in_flight.share(client("a"));
        let held = share.reserve(3 * SHARE).await;
        assert_eq!(in_flight.bytes(), 3 * SHARE as u64);
        assert!(share.reserve(100_000).now_or_never().is_none());
        drop(held);
        assert!(share.reserve(9 * SHARE).now_or_never().is_some());
        assert_eq!(in_flight.bytes(), 0);
    }

    #[tokio::test]
    async fn few_bytes_wait_for_nothing() {
        let in_flight = in_flight();
        let share = in_flight.share(client("a"));
        let _held = share.reserve(SHARE).await;
        assert!(share.reserve(UNCOUNTED).now_or_never().is_some());
        assert_eq!(in_flight.bytes(), SHARE as u64);
    }

    #[tokio::test]
    async fn who_has_nothing_in_flight_is_forgotten() {
        let in_flight = in_flight();
        for name in ["a", "b", "c"] {
            in_flight.share(client(name)).reserve(100_000).await;
        }
        assert_eq!(in_flight.clients.lock().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_request_reserves_a_bound_and_its_body_keeps_what_it_needs() {
        let in_flight = in_flight();
        let request = || RequestMemory::new(in_flight.share(client("a")));
        let memory = request();
        memory.add(600_000).await.unwrap();
        let body = memory.cover(Bytes::from(vec![7; 200_000])).await.unwrap();
        assert_eq!(in_flight.bytes(), 200_000);
        drop(body);
        assert_eq!(in_flight.bytes(), 0);
        // Small bodies keep nothing, and one that is larger than the bound has room for itself.
        memory.add(600_000).await.unwrap();
        let small = memory.cover(Bytes::from(vec![7; 200])).await.unwrap();
        assert_eq!((in_flight.bytes(), small.len()), (0, 200));
        memory.add(100_000).await.unwrap();
        let large = memory.cover(Bytes::from(vec![7; 300_000])).await.unwrap();
        assert_eq!((in_flight.bytes(), large.len()), (300_000, 300_000));
    }

    #[tokio::test]
    async fn a_request_that_holds_room_does_not_wait_for_more() {
        let in_flight = in_flight();
        let request = || RequestMemory::new(in_flight.share(client("a")));
        let (one, other) = (request(), request());
        one.add(400_000).await.unwrap();
        other.add(400_000).await.unwrap();
        one.add(200_000).await.unwrap();
        assert_eq!(in_flight.bytes(), SHARE as u64);
        let refused = other.add(100_000).now_or_never().expect("nothing is waited for");
        assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
        one.hold(100_000).await.unwrap();
        assert_eq!(in_flight.bytes(), 500_000);
        other.hold(900_000).await.unwrap();
        assert_eq!(in_flight.bytes(), SHARE as u64);
        drop((one, other));
        assert_eq!(in_flight.bytes(), 0);
    }
}
