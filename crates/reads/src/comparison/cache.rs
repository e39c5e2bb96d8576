//! Comparisons of a running service: a few are made at a time, and they are cached within `comparison-memory`
//! while their pages are read.

use std::collections::{HashMap, HashSet, VecDeque};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::limits::{COMPARISON_TIMEOUT, MAX_COMPARISONS};
use crate::{ComparedPair, Failure};
use http::header;
use norma_api::problem::Code;
use norma_store::{TurnClient, Turns};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use norma_settings::LimitSettings;

/// Comparisons of fewer provisions than this have turns of their own: matching them takes less than 0.1 s.
const SMALL: usize = 2000;

/// Bytes of a step in which memory is counted.
const STEP: u64 = 1024;

/// The comparisons of a running service.
pub struct Comparisons {
    memory: Arc<Semaphore>,
    /// Steps of memory in all.
    bound: u32,
    small: Arc<Turns>,
    /// Large ones come in order of arrival.
    large: Arc<Semaphore>,
    timeout: Duration,
    state: Mutex<ComparisonsState>,
    /// Requests that wait for memory: nothing is cached meanwhile.
    waiting: AtomicUsize,
    /// Number of comparisons made.
    made: AtomicU64,
    /// A comparison came or was given up.
    changed: Notify,
}

#[derive(Default)]
struct ComparisonsState {
    cached: HashMap<Arc<str>, Arc<CachedComparison>>,
    /// Keys of cached comparisons, the oldest first.
    order: VecDeque<Arc<str>>,
    /// Keys of those that are made now.
    in_progress: HashSet<Arc<str>>,
}

/// A comparison that a request asks for.
pub(crate) struct WantedComparison {
    /// Names it, with the states of its editions.
    pub(crate) key: Arc<str>,
    /// Number of the provisions of both editions.
    pub(crate) provisions: usize,
    /// Bytes of memory that making it takes, at most.
    pub(crate) memory: u64,
    /// The client that asks.
    pub(crate) client: TurnClient,
}

/// A comparison, and its room in memory.
pub(crate) struct CachedComparison {
    compared: ComparedPair,
    _room: OwnedSemaphorePermit,
}

impl CachedComparison {
    /// The comparison, without its room.
    pub(crate) fn pair(&self) -> &ComparedPair {
        &self.compared
    }
}

/// The next step of a request for a comparison.
enum Next {
    Take(Arc<CachedComparison>),
    WaitForOther,
    WaitForTurn,
    Make,
}

/// A comparison that is being made, until this is dropped.
struct Begun {
    comparisons: Arc<Comparisons>,
    key: Arc<str>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.comparisons.state().in_progress.remove(&self.key);
        self.comparisons.changed.notify_waiters();
    }
}

/// A request that waits for memory, until this is dropped.
struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::SeqCst);
        Self(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Comparisons {
    /// As the settings say.
    pub fn from_settings(limits: &LimitSettings) -> Arc<Self> {
        Self::new(limits.comparison_memory.bytes(), MAX_COMPARISONS, COMPARISON_TIMEOUT)
    }

    /// A cache with this much memory in bytes, and turns for these numbers of small and of large comparisons
    /// at once.
    fn new(memory: u64, turns: usize, timeout: Duration) -> Arc<Self> {
        let bound = steps(memory);
        Arc::new(Self {
            memory: Arc::new(Semaphore::new(bound as usize)),
            bound,
            small: Turns::new(turns, turns),
            large: Arc::new(Semaphore::new(turns)),
            timeout,
            state: Mutex::default(),
            waiting: AtomicUsize::new(0),
            made: AtomicU64::new(0),
            changed: Notify::new(),
        })
    }

    /// Number of comparisons made since the start, without stored or cached ones.
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Counts a comparison that is made.
    pub(crate) fn count_made(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// Bytes of memory that comparisons have now.
    #[cfg(test)]
    fn bytes(&self) -> u64 {
        (self.bound as usize - self.memory.available_permits()) as u64 * STEP
    }

    /// The requested comparison: a cached one, or one that `make` makes when it is its turn. What was begun
    /// is finished and kept, whether or not its caller still waits; requests for the same one wait for it.
    ///
    /// # Errors
    /// Its turn or the memory did not come soon, or those of `make`.
    pub(crate) async fn get<M>(
        self: &Arc<Self>,
        wanted: &WantedComparison,
        make: M,
    ) -> Result<Arc<CachedComparison>, Failure>
    where
        M: Future<Output = Result<ComparedPair, Failure>> + Send + 'static,
    {
        let deadline = Instant::now() + self.timeout;
        let mut next_turn = pin!(self.turn(wanted));
        let mut turn = None;
        loop {
            let mut changed = pin!(self.changed.notified());
            // From here on, a change is not missed.
            changed.as_mut().enable();
            let next = self.state().next(&wanted.key, turn.is_some());
            match next {
                Next::Take(cached) => return Ok(cached),
                Next::Make => break,
                Next::WaitForTurn => tokio::select! {
                    biased;
                    taken = &mut next_turn => turn = Some(taken),
                    () = changed => {}
                    () = tokio::time::sleep_until(deadline) => return Err(busy()),
                },
                Next::WaitForOther => {
                    if turn.take().is_some() {
                        next_turn.set(self.turn(wanted));
                    }
                    changed.await;
                }
            }
        }
        let begun = Begun { comparisons: Arc::clone(self), key: Arc::clone(&wanted.key) };
        let room = timeout_at(deadline, self.reserve(steps(wanted.memory).min(self.bound)));
        let room = room.await.map_err(|_| busy())?;
        let made = tokio::spawn(async move {
            let made = make.await;
            drop(turn);
            made.map(|compared| begun.comparisons.keep(&begun.key, compared, room))
        });
        made.await.map_err(|error| Failure::internal(&error))?
    }

    /// Waits for the turn of a comparison, which lasts until the result is dropped.
    async fn turn(&self, wanted: &WantedComparison) -> Box<dyn Send> {
        if wanted.provisions < SMALL {
            return Box::new(self.small.take(&wanted.client).await);
        }
        let turn = Arc::clone(&self.large).acquire_owned().await;
        Box::new(turn.expect("turns are never closed"))
    }

    /// Waits for this many steps of memory. The comparisons that were cached first go.
    async fn reserve(&self, steps: u32) -> OwnedSemaphorePermit {
        let _waits = Waits::new(&self.waiting);
        loop {
            match Arc::clone(&self.memory).try_acquire_many_owned(steps) {
                Ok(room) => return room,
                Err(_) if self.state().forget_oldest() => {}
                Err(_) => break,
            }
        }
        let room = Arc::clone(&self.memory).acquire_many_owned(steps).await;
        room.expect("the memory is never closed")
    }

    /// Caches a comparison that was made, unless others wait for its memory.
    fn keep(
        &self,
        key: &Arc<str>,
        compared: ComparedPair,
        mut room: OwnedSemaphorePermit,
    ) -> Arc<CachedComparison> {
        let spare = room.num_permits().saturating_sub(steps(compared.memory() as u64) as usize);
        drop(room.split(spare));
        let cached = Arc::new(CachedComparison { compared, _room: room });
        let mut state = self.state();
        // A request is counted as waiting before it looks for something to drop.
        if self.waiting.load(Ordering::SeqCst) == 0 {
            state.cached.insert(Arc::clone(key), Arc::clone(&cached));
            state.order.push_back(Arc::clone(key));
        }
        cached
    }

    fn state(&self) -> MutexGuard<'_, ComparisonsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ComparisonsState {
    /// The next step of a request for a comparison. Where that is to make it, others wait from here on.
    fn next(&mut self, key: &Arc<str>, has_turn: bool) -> Next {
        if let Some(cached) = self.cached.get(key) {
            return Next::Take(Arc::clone(cached));
        }
        if self.in_progress.contains(key) {
            return Next::WaitForOther;
        }
        if !has_turn {
            return Next::WaitForTurn;
        }
        self.in_progress.insert(Arc::clone(key));
        Next::Make
    }

    /// Drops the oldest cached comparison; false if there is none.
    fn forget_oldest(&mut self) -> bool {
        let Some(key) = self.order.pop_front() else { return false };
        self.cached.remove(&key);
        true
    }
}

fn steps(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(STEP)).unwrap_or(u32::MAX).max(1)
}

/// The failure when a comparison gets no turn or no memory soon.
fn busy() -> Failure {
    metrics::counter!("norma_comparisons_refused_total").increment(1);
    let detail = "Other comparisons are being made. Retry after the time in `Retry-After`.";
    Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1")
}

#[cfg(test)]
mod tests {
    use norma_compare::{ComparisonRecord, UnitName};
    use tokio::sync::oneshot;

    use super::*;

    /// Comparisons with this much memory, whose requests do not wait.
    fn hasty(memory: u64) -> Arc<Comparisons> {
        Comparisons::new(memory, 1, Duration::ZERO)
    }

    fn patient(memory: u64) -> Arc<Comparisons> {
        Comparisons::new(memory, 1, Duration::from_secs(60))
    }

    fn wanted(key: &str, provisions: usize, memory: u64) -> WantedComparison {
        let client = TurnClient { tenant: "t".into(), name: "a".into() };
        WantedComparison { key: key.into(), provisions, memory, client }
    }

    /// A comparison that uses about 60 KiB of memory.
    fn compared() -> ComparedPair {
        let unit = UnitName { id: "prv_a".into(), label: None, kind: None };
        let (links, older_unmatched, newer_unmatched) = Default::default();
        let older = vec![unit; 800];
        let newer = Vec::new();
        let (outline, tables) = Default::default();
        let record = ComparisonRecord {
            version: 1,
            language: None,
            older,
            newer,
            links,
            older_unmatched,
            newer_unmatched,
            outline,
            tables,
        };
        ComparedPair::new(record, [Vec::new(), Vec::new()])
    }

    /// Requests a comparison, which is counted when it is made.
    async fn get(
        all: &Arc<Comparisons>,
        wanted: &WantedComparison,
    ) -> Result<Arc<CachedComparison>, Failure> {
        let counted = Arc::clone(all);
        let make = async move {
            counted.count_made();
            Ok(compared())
        };
        all.get(wanted, make).await
    }

    /// A request whose comparison is made when the sender is used; the receiver reports that it began.
    fn gated(
        all: &Arc<Comparisons>,
        wanted: WantedComparison,
    ) -> (tokio::task::JoinHandle<bool>, oneshot::Receiver<()>, oneshot::Sender<()>) {
        let ((begin, begun), (go, gate)) = (oneshot::channel(), oneshot::channel::<()>());
        let all = Arc::clone(all);
        let counted = Arc::clone(&all);
        let make = async move {
            counted.count_made();
            begin.send(()).unwrap();
            gate.await.map_err(|error| Failure::internal(&error))?;
            Ok(compared())
        };
        (tokio::spawn(async move { all.get(&wanted, make).await.is_ok() }), begun, go)
    }

    #[tokio::test]
    async fn equal_requests_cost_one_matching_at_once_and_later() {
        let all = patient(1 << 20);
        let a = wanted("a", 10, 1 << 16);
        let (one, two, three) = tokio::join!(get(&all, &a), get(&all, &a), get(&all, &a));
        assert!(Arc::ptr_eq(&one.unwrap(), &two.unwrap()) && three.is_ok());
        get(&all, &a).await.unwrap();
        assert_eq!(all.made(), 1);
        get(&all, &wanted("b", 10, 1 << 16)).await.unwrap();
        assert_eq!(all.made(), 2);
    }

    #[tokio::test]
    async fn cached_comparisons_stay_within_the_memory_and_the_oldest_go_first() {
        let all = hasty(200 << 10);
        for key in ["a", "b", "c", "d"] {
            get(&all, &wanted(key, 10, 150 << 10)).await.unwrap();
            assert!(all.bytes() <= 200 << 10);
            assert!(all.bytes() > 30 << 10, "what is kept is counted, {}", all.bytes());
        }
        get(&all, &wanted("d", 10, 150 << 10)).await.unwrap();
        assert_eq!(all.made(), 4);
        get(&all, &wanted("a", 10, 150 << 10)).await.unwrap();
        assert_eq!(all.made(), 5);
    }

    #[tokio::test]
    async fn what_readers_hold_is_waited_for_and_then_refused_with_a_time_to_retry() {
        let all = hasty(100 << 10);
        let held = get(&all, &wanted("a", 10, 90 << 10)).await.unwrap();
        let failure = get(&all, &wanted("b", 10, 90 << 10)).await.err().unwrap();
        let response = failure.render("r", "");
        assert_eq!(
            (response.status().as_u16(), &response.headers()["retry-after"]),
            (503, &"1".parse().unwrap())
        );
        drop(held);
        get(&all, &wanted("b", 10, 90 << 10)).await.unwrap();
        // One that needs more than there is has all of it.
        get(&all, &wanted("c", 10, 900 << 10)).await.unwrap();
        assert_eq!(all.made(), 3);
    }

    #[tokio::test]
    async fn small_comparisons_do_not_wait_for_a_large_one_and_large_ones_do() {
        let all = hasty(1 << 20);
        let (large, begun, go) = gated(&all, wanted("large", SMALL, 1 << 16));
        begun.await.unwrap();
        get(&all, &wanted("small", SMALL - 1, 1 << 16)).await.unwrap();
        let refused = get(&all, &wanted("other", SMALL, 1 << 16)).await.err().unwrap();
        assert_eq!(refused.code(), Code::Unavailable);
        go.send(()).unwrap();
        assert!(large.await.unwrap());
        get(&all, &wanted("other", SMALL, 1 << 16)).await.unwrap();
    }

    #[tokio::test]
    async fn a_comparison_is_finished_and_cached_though_its_caller_went_away() {
        let all = patient(1 << 20);
        let (caller, begun, go) = gated(&all, wanted("a", 10, 1 << 16));
        begun.await.unwrap();
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        go.send(()).unwrap();
        get(&all, &wanted("a", 10, 1 << 16)).await.unwrap();
        assert_eq!(all.made(), 1);
        // One that failed is made by the next caller.
        let (caller, begun, go) = gated(&all, wanted("b", 10, 1 << 16));
        begun.await.unwrap();
        drop(go);
        assert!(!caller.await.unwrap());
        get(&all, &wanted("b", 10, 1 << 16)).await.unwrap();
        assert_eq!((all.made(), all.state().in_progress.len()), (3, 0));
    }
}
