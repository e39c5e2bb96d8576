//! Slots: blocking threads for work of requests that takes more than about a millisecond. The threads of the
//! runtime stay free for small reads, probes and connections. Clients take [`Turns`].

use std::sync::Arc;
use std::time::Instant;

use norma_store::{TurnClient, Turns};

use norma_settings::LimitSettings;

/// Most bytes whose inflating, parsing and filtering takes less than a millisecond, at 128 MB/s or more.
const QUICK: u64 = 128 << 10;

/// The slots of a running service.
pub struct Slots(Arc<Turns>);

/// The slots as one client uses them.
#[derive(Clone)]
pub struct ClientSlots {
    slots: Arc<Turns>,
    client: TurnClient,
}

impl Slots {
    /// As many slots as the settings say.
    pub fn from_settings(limits: &LimitSettings) -> Self {
        let (slots, per_tenant) = sizes(limits);
        Self(Turns::new(slots, per_tenant))
    }

    /// The slots for a client of a tenant.
    pub fn of_client(&self, client: TurnClient) -> ClientSlots {
        ClientSlots { slots: Arc::clone(&self.0), client }
    }

    /// Number of requests that wait for a slot.
    pub fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

/// Number of slots, and the most that one tenant may have.
fn sizes(limits: &LimitSettings) -> (usize, usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let slots = if limits.work_slots == 0 { cores.saturating_sub(1) } else { limits.work_slots };
    let slots = slots.max(1);
    let per_tenant =
        if limits.work_slots_per_tenant == 0 { slots.div_ceil(2) } else { limits.work_slots_per_tenant };
    (slots, per_tenant)
}

/// Most slots of one tenant.
pub fn slots_per_tenant(limits: &LimitSettings) -> usize {
    let (slots, per_tenant) = sizes(limits);
    per_tenant.min(slots)
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
        let turn = self.slots.take(&self.client).await;
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

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn work_runs_on_another_thread_and_its_panic_is_the_callers() {
        let client = TurnClient { tenant: "t".into(), name: "a".into() };
        let client = Slots(Turns::new(1, 1)).of_client(client);
        let here = std::thread::current().id();
        assert_ne!(client.run(|| std::thread::current().id()).await, here);
        let work = || -> u8 { panic!("a flaw") };
        let panicked = std::panic::AssertUnwindSafe(client.run(work)).catch_unwind().await;
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"a flaw"));
        assert_eq!(client.run(|| 7).await, 7, "the slot is free again");
    }

    #[test]
    fn there_is_one_slot_at_least_and_a_tenant_has_half_of_them() {
        let slots = |work_slots, work_slots_per_tenant| {
            let mut limits = norma_settings::Settings::defaults().limits;
            (limits.work_slots, limits.work_slots_per_tenant) = (work_slots, work_slots_per_tenant);
            sizes(&limits)
        };
        assert_eq!((slots(1, 0), slots(7, 0), slots(8, 3)), ((1, 1), (7, 4), (8, 3)));
        assert!(slots(0, 0).0 >= 1);
    }
}
