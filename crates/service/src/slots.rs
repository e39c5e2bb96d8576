//! Slots: blocking threads for work of requests that takes more than about a millisecond. The threads of the runtime stay free for
//! small reads, probes and connections.
//!
//! Tenants take turns, and within a tenant its clients do: a client that asks for much waits for itself, and a tenant with many clients
//! gets no more turns than one with a single client.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::config::Limits;

/// Inflating, parsing and filtering of so many bytes takes less than a millisecond, at least 128 MB/s.
const QUICK: u64 = 128 << 10;

/// The slots of a running service.
pub(crate) struct Slots {
    per_tenant: usize,
    state: Mutex<State>,
}

/// The slots as one client uses them.
#[derive(Clone)]
pub(crate) struct ClientSlots {
    slots: Arc<Slots>,
    tenant: Arc<str>,
    client: Arc<str>,
}

struct State {
    free: usize,
    tenants: HashMap<Arc<str>, Tenant>,
    /// Tenants with waiting work; the next turn first.
    turns: VecDeque<Arc<str>>,
}

/// A tenant that works or waits.
#[derive(Default)]
struct Tenant {
    running: usize,
    waiting: HashMap<Arc<str>, VecDeque<oneshot::Sender<Permit>>>,
    /// Clients with waiting work; the next turn first.
    turns: VecDeque<Arc<str>>,
}

/// A slot until this is dropped; the next in turn gets it then.
struct Permit {
    slots: Arc<Slots>,
    tenant: Arc<str>,
}

impl Slots {
    /// As many slots as the settings say.
    pub(crate) fn from_settings(limits: &Limits) -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let slots = if limits.work_slots == 0 { cores.saturating_sub(1) } else { limits.work_slots };
        let slots = slots.max(1);
        let per_tenant =
            if limits.work_slots_per_tenant == 0 { slots.div_ceil(2) } else { limits.work_slots_per_tenant };
        Self::new(slots, per_tenant)
    }

    /// So many slots, of which one tenant has at most `per_tenant` at once.
    fn new(slots: usize, per_tenant: usize) -> Arc<Self> {
        let state = State { free: slots, tenants: HashMap::new(), turns: VecDeque::new() };
        Arc::new(Self { per_tenant, state: Mutex::new(state) })
    }

    /// The slots as a client of a tenant uses them.
    pub(crate) fn of_client(self: &Arc<Self>, tenant: &str, client: &str) -> ClientSlots {
        ClientSlots { slots: Arc::clone(self), tenant: tenant.into(), client: client.into() }
    }

    /// How many requests wait for a slot.
    pub(crate) fn waiting(&self) -> usize {
        let state = self.state();
        state.tenants.values().flat_map(|tenant| tenant.waiting.values()).map(VecDeque::len).sum()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free slots to those whose turn it is.
    fn assign(self: &Arc<Self>) {
        loop {
            let Some((tenant, waiter)) = self.state().next(self.per_tenant) else { return };
            // Where the request is gone, the permit comes back here and is dropped, which gives the slot to the next.
            drop(waiter.send(Permit { slots: Arc::clone(self), tenant }));
        }
    }
}

impl State {
    /// Takes a free slot for the request whose turn it is, if there are both. Requests that ended while they waited are passed over.
    fn next(&mut self, per_tenant: usize) -> Option<(Arc<str>, oneshot::Sender<Permit>)> {
        while self.free > 0 {
            let turn = self.turns.iter().position(|name| self.tenants[name].running < per_tenant)?;
            let name = self.turns.remove(turn)?;
            let tenant = self.tenants.get_mut(&name)?;
            let client = tenant.turns.pop_front()?;
            let queue = tenant.waiting.get_mut(&client)?;
            let waiter = queue.pop_front()?;
            if queue.is_empty() {
                tenant.waiting.remove(&client);
            } else {
                tenant.turns.push_back(client);
            }
            if !tenant.turns.is_empty() {
                self.turns.push_back(Arc::clone(&name));
            }
            if !waiter.is_closed() {
                tenant.running += 1;
                self.free -= 1;
                return Some((name, waiter));
            }
            self.forget_idle(&name);
        }
        None
    }

    fn forget_idle(&mut self, tenant: &Arc<str>) {
        if self.tenants.get(tenant).is_some_and(|tenant| tenant.running == 0 && tenant.turns.is_empty()) {
            self.tenants.remove(tenant);
        }
    }

    /// Puts a request behind the others of its client.
    fn enqueue(&mut self, tenant_name: &Arc<str>, client: &Arc<str>) -> oneshot::Receiver<Permit> {
        let (waiter, permit) = oneshot::channel();
        let tenant = self.tenants.entry(Arc::clone(tenant_name)).or_default();
        if tenant.turns.is_empty() {
            self.turns.push_back(Arc::clone(tenant_name));
        }
        let queue = tenant.waiting.entry(Arc::clone(client)).or_default();
        if queue.is_empty() {
            tenant.turns.push_back(Arc::clone(client));
        }
        // Requests that ended while they waited: a client that sends many and drops them keeps no memory.
        queue.retain(|waiter| !waiter.is_closed());
        queue.push_back(waiter);
        permit
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.slots.state();
        state.free += 1;
        if let Some(tenant) = state.tenants.get_mut(&self.tenant) {
            tenant.running -= 1;
        }
        state.forget_idle(&self.tenant);
        drop(state);
        self.slots.assign();
    }
}

impl ClientSlots {
    /// Runs `work` on a blocking thread when it is this client's turn. A caller that goes away while it waits leaves the queue; work that
    /// has begun goes on to its end and keeps its slot until then.
    ///
    /// # Panics
    /// As `work` does.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let asked = Instant::now();
        let permit = self.acquire().await;
        metrics::histogram!("norma_slot_wait_seconds").record(asked.elapsed().as_secs_f64());
        let worked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
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

    /// Runs `work` over so many bytes: here where they are few, else in a slot.
    ///
    /// # Panics
    /// As `work` does.
    pub(crate) async fn run_sized<T: Send + 'static>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        if bytes <= QUICK { work() } else { self.run(work).await }
    }

    async fn acquire(&self) -> Permit {
        let permit = self.slots.state().enqueue(&self.tenant, &self.client);
        self.slots.assign();
        permit.await.expect("a waiter in the queue is sent a permit or has no receiver")
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    /// Requests of clients, each written as "tenant/client", that wait in this order.
    fn waiting(slots: &Arc<Slots>, clients: &[&str]) -> Vec<(String, BoxFuture<'static, Permit>)> {
        let request = |name: &&str| {
            let (tenant, client) = name.split_once('/').unwrap();
            let client = slots.of_client(tenant, client);
            let mut turn = async move { client.acquire().await }.boxed();
            assert!((&mut turn).now_or_never().is_none(), "{name} waits");
            ((*name).to_owned(), turn)
        };
        clients.iter().map(request).collect()
    }

    /// The names of those that have a slot now, with their permits; they wait no more.
    fn served(requests: &mut Vec<(String, BoxFuture<'static, Permit>)>) -> Vec<(String, Permit)> {
        let mut served = Vec::new();
        requests.retain_mut(|(name, turn)| match turn.now_or_never() {
            Some(permit) => {
                served.push((name.clone(), permit));
                false
            }
            None => true,
        });
        served
    }

    /// The order in which requests are served, one after the other, once the slot that `held` has is free.
    fn order(held: Permit, mut requests: Vec<(String, BoxFuture<'static, Permit>)>) -> Vec<String> {
        drop(held);
        let mut order = Vec::new();
        while !requests.is_empty() {
            let one = served(&mut requests);
            assert_eq!(one.len(), 1, "there is one slot");
            order.extend(one.into_iter().map(|(name, _permit)| name));
        }
        order
    }

    fn acquired(slots: &Arc<Slots>, tenant: &str, client: &str) -> Option<Permit> {
        slots.of_client(tenant, client).acquire().now_or_never()
    }

    #[test]
    fn tenants_take_turns_and_within_a_tenant_its_clients() {
        let slots = Slots::new(1, 1);
        let held = acquired(&slots, "t", "a").unwrap();
        let requests = waiting(&slots, &["t/a", "t/a", "t/a", "t/b", "u/c", "u/c"]);
        assert_eq!(slots.waiting(), 6);
        assert_eq!(order(held, requests), ["t/a", "u/c", "t/b", "u/c", "t/a", "t/a"]);
        assert_eq!((slots.waiting(), slots.state().free), (0, 1));
        assert!(slots.state().tenants.is_empty(), "who neither works nor waits is forgotten");
    }

    #[test]
    fn a_tenant_has_its_part_of_the_slots_and_leaves_the_others_free() {
        let slots = Slots::new(3, 2);
        let held: Vec<_> = (0..2).map(|_| acquired(&slots, "t", "a").unwrap()).collect();
        let mut requests = waiting(&slots, &["t/a", "t/b"]);
        assert!(served(&mut requests).is_empty());
        let other = acquired(&slots, "u", "c");
        assert!(other.is_some(), "the third slot is for other tenants");
        assert!(acquired(&slots, "u", "c").is_none());
        drop(held);
        assert_eq!(served(&mut requests).len(), 2);
    }

    #[test]
    fn a_request_that_ends_while_it_waits_takes_no_slot() {
        let slots = Slots::new(1, 1);
        let held = acquired(&slots, "t", "a").unwrap();
        let ended = waiting(&slots, &["t/a", "t/a", "t/b"]);
        drop(ended);
        let requests = waiting(&slots, &["t/a"]);
        assert_eq!(slots.waiting(), 2, "those of the same client are forgotten at once");
        assert_eq!(order(held, requests), ["t/a"]);
        // One that ends after it got its slot, and before it used it, gives it back.
        let held = acquired(&slots, "t", "a").unwrap();
        let requests = waiting(&slots, &["t/a"]);
        drop(held);
        drop(requests);
        assert_eq!((slots.waiting(), slots.state().free), (0, 1));
    }

    #[tokio::test]
    async fn work_runs_on_another_thread_and_its_panic_is_the_callers() {
        let slots = Slots::new(1, 1);
        let client = slots.of_client("t", "a");
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
            let mut limits = crate::config::Settings::defaults().limits;
            (limits.work_slots, limits.work_slots_per_tenant) = (work_slots, work_slots_per_tenant);
            let slots = Slots::from_settings(&limits);
            let free = slots.state().free;
            (free, slots.per_tenant)
        };
        assert_eq!((slots(1, 0), slots(7, 0), slots(8, 3)), ((1, 1), (7, 4), (8, 3)));
        assert!(slots(0, 0).0 >= 1);
    }
}
