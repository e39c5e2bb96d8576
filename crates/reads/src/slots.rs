//! Slots: blocking threads for work of requests that takes more than about a millisecond. The threads of the
//! runtime stay free for small reads, probes and connections. Clients take [`Turns`].

use std::sync::Arc;
use std::time::Instant;

use norma_store::{Turn, TurnClient, Turns};

use norma_settings::LimitSettings;

/// Most bytes whose inflating, parsing and filtering takes less than a millisecond, at 128 MB/s or more.
const QUICK: u64 = 128 << 10;

/// The slots of a running service.
pub struct Slots {
    turns: Arc<Turns>,
    searches: Arc<BegunSearches>,
}

/// The slots as one client uses them.
#[derive(Clone)]
pub struct ClientSlots {
    turns: Arc<Turns>,
    searches: Arc<BegunSearches>,
    client: TurnClient,
}

impl Slots {
    /// As many slots as the settings say.
    pub fn from_settings(limits: &LimitSettings) -> Self {
        let (slots, per_tenant) = sizes(limits);
        let searches = BegunSearches::of_slots(slots, slots_per_tenant(limits));
        Self { turns: Turns::new(slots, per_tenant), searches: Arc::new(searches) }
    }

    /// The slots for a client of a tenant.
    pub fn of_client(&self, client: TurnClient) -> ClientSlots {
        ClientSlots { turns: Arc::clone(&self.turns), searches: Arc::clone(&self.searches), client }
    }

    /// Number of requests that wait for a slot.
    pub fn waiting(&self) -> usize {
        self.turns.waiting()
    }
}

/// Number of slots, and the most that one tenant may have.
fn sizes(limits: &LimitSettings) -> (usize, usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let slots = if limits.work_slots == 0 { cores.saturating_sub(1) } else { limits.work_slots };
    let slots = slots.max(1);
    // One tenant leaves half of the slots to the others.
    (slots, slots.div_ceil(2))
}

/// Most slots of one tenant.
pub fn slots_per_tenant(limits: &LimitSettings) -> usize {
    let (_, per_tenant) = sizes(limits);
    per_tenant
}

impl ClientSlots {
    /// The client that they are used by.
    pub fn client(&self) -> &TurnClient {
        &self.client
    }

    /// Runs `work` on a blocking thread when it is this client's turn. A caller that goes away while it waits
    /// leaves the queue; work that has begun continues to its end and keeps its slot until then.
    ///
    /// # Panics
    /// As `work` does.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let asked = Instant::now();
        let turn = self.turns.take(&self.client).await;
        metrics::histogram!("norma_slot_wait_seconds").record(asked.elapsed().as_secs_f64());
        let worked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let begun = Instant::now();
            let done = work();
            metrics::histogram!("norma_slot_work_seconds").record(begun.elapsed().as_secs_f64());
            done
        });
        match worked.await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime ends, and this task with it.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Waits until a search of this client may begin: as many of one client as its tenant has slots, and four
    /// for each slot in all, of one tenant half of them. A caller that goes away while it waits leaves the
    /// queue.
    pub async fn begin_search(&self) -> BegunSearch {
        self.searches.begin(&self.client).await
    }

    /// Runs work in steps until one gives the result. Each step is a turn of its own, as in
    /// [`run`](Self::run): between two of them, other clients have theirs. Where the caller goes away, no
    /// further step begins.
    ///
    /// # Panics
    /// As a step does.
    pub async fn run_in_steps<W, T>(&self, mut work: W, step: fn(&mut W) -> Option<T>) -> T
    where
        W: Send + 'static,
        T: Send + 'static,
    {
        loop {
            let one_step = move || {
                let done = step(&mut work);
                (work, done)
            };
            let (rest, done) = self.run(one_step).await;
            if let Some(done) = done {
                return done;
            }
            work = rest;
        }
    }

    /// Runs `work` on this many bytes: at once if they are few, else in a slot.
    ///
    /// # Panics
    /// As `work` does.
    pub async fn run_sized<T: Send + 'static>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        if bytes <= QUICK { work() } else { self.run(work).await }
    }
}

/// Searches that are begun for each slot: they take turns at it, and each holds a few megabytes.
const BEGUN_SEARCHES: usize = 4;

/// Searches that are begun. A search is made in many turns at the slots. Without this bound, all searches
/// that a client has sent would be begun, and each would take as long as all of them together.
struct BegunSearches {
    of_clients: Arc<Turns>,
    all: Arc<Turns>,
}

/// A search that is begun, until this is dropped.
pub struct BegunSearch {
    _of_client: Turn,
    _of_all: Turn,
}

impl BegunSearches {
    /// At most four for each slot, half of them of one tenant, and this number of one client.
    fn of_slots(slots: usize, of_client: usize) -> Self {
        let all = BEGUN_SEARCHES * slots;
        // The number of clients has no bound.
        Self { of_clients: Turns::new(usize::MAX, of_client), all: Turns::new(all, all / 2) }
    }

    async fn begin(&self, client: &TurnClient) -> BegunSearch {
        // Each client is limited by itself here, as tenants are elsewhere.
        let name: Arc<str> = format!("{}\n{}", client.tenant, client.name).into();
        let own = TurnClient { tenant: Arc::clone(&name), name };
        let _of_client = self.of_clients.take(&own).await;
        let _of_all = self.all.take(client).await;
        BegunSearch { _of_client, _of_all }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn work_runs_on_another_thread_and_its_panic_is_the_callers() {
        let client = TurnClient { tenant: "t".into(), name: "a".into() };
        let searches = Arc::new(BegunSearches::of_slots(1, 1));
        let client = Slots { turns: Turns::new(1, 1), searches }.of_client(client);
        let here = std::thread::current().id();
        assert_ne!(client.run(|| std::thread::current().id()).await, here);
        let work = || -> u8 { panic!("a flaw") };
        let panicked = std::panic::AssertUnwindSafe(client.run(work)).catch_unwind().await;
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"a flaw"));
        assert_eq!(client.run(|| 7).await, 7, "the slot is free again");
    }

    #[tokio::test]
    async fn work_in_steps_leaves_turns_to_others_between_them() {
        let slots = Slots { turns: Turns::new(1, 1), searches: Arc::new(BegunSearches::of_slots(1, 1)) };
        let of = |tenant: &str| slots.of_client(TurnClient { tenant: tenant.into(), name: "a".into() });
        let (sender, steps) = std::sync::mpsc::channel();
        let work = |tenant: &'static str| (tenant, sender.clone(), 0);
        let step =
            |(tenant, steps, done): &mut (&'static str, std::sync::mpsc::Sender<&'static str>, u32)| {
                steps.send(*tenant).unwrap();
                *done += 1;
                (*done == 3).then_some(*done)
            };
        let (long, short) = (of("long"), of("short"));
        tokio::join!(long.run_in_steps(work("long"), step), short.run_in_steps(work("short"), step));
        // The other one begins after a single step. Which one goes on then depends on which asks first.
        let steps: Vec<_> = steps.try_iter().collect();
        assert_eq!((&steps[..2], steps.len()), (&["long", "short"][..], 6));
    }

    #[test]
    fn a_client_begins_one_search_after_the_other_and_others_begin_theirs() {
        let searches = BegunSearches::of_slots(1, 1);
        let begin = |tenant: &str, name: &str| {
            let client = TurnClient { tenant: tenant.into(), name: name.into() };
            async { searches.begin(&client).await }.now_or_never()
        };
        let first = begin("t", "a");
        assert!(first.is_some() && begin("t", "a").is_none());
        let of_other_client = begin("t", "b");
        assert!(of_other_client.is_some() && begin("t", "c").is_none(), "a tenant has half");
        let others = [begin("u", "a"), begin("v", "a")];
        assert!(others.iter().all(Option::is_some) && begin("w", "a").is_none(), "four for the one slot");
        drop(first);
        assert!(begin("w", "a").is_some());
        drop((of_other_client, others));
        assert!(begin("t", "a").is_some());
    }

    #[test]
    fn there_is_one_slot_at_least_and_a_tenant_has_half_of_them() {
        let slots = |work_slots| {
            let mut limits = norma_settings::Settings::defaults().limits;
            limits.work_slots = work_slots;
            sizes(&limits)
        };
        assert_eq!((slots(1), slots(7), slots(8)), ((1, 1), (7, 4), (8, 4)));
        assert!(slots(0).0 >= 1);
    }
}
