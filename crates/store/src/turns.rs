//! Turns: the order of requests that wait for a few resources, such as threads or connections.
//!
//! Tenants take turns, and within a tenant its clients do: a client that asks for much waits for itself, and
//! a tenant with many clients gets no more turns than one with a single client.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// A client that takes turns with others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnClient {
    /// The tenant, by which turns are given first.
    pub tenant: Arc<str>,
    /// The name of the client, which is unique within the tenant.
    pub name: Arc<str>,
}

/// A limited number of turns at once.
pub struct Turns {
    per_tenant: usize,
    state: Mutex<TurnsState>,
}

struct TurnsState {
    free: usize,
    tenants: HashMap<Arc<str>, TenantTurns>,
    /// Tenants with waiting requests; the next turn first.
    order: VecDeque<Arc<str>>,
}

/// A tenant that has turns or waits for one.
#[derive(Default)]
struct TenantTurns {
    running: usize,
    waiting: HashMap<Arc<str>, VecDeque<oneshot::Sender<Turn>>>,
    /// Clients with waiting requests; the next turn first.
    order: VecDeque<Arc<str>>,
}

/// A turn; when this is dropped, the next in order gets it.
pub struct Turn {
    turns: Arc<Turns>,
    tenant: Arc<str>,
}

impl Turns {
    /// This number of turns, of which one tenant has at most `per_tenant` at once.
    pub fn new(turns: usize, per_tenant: usize) -> Arc<Self> {
        let state = TurnsState { free: turns, tenants: HashMap::new(), order: VecDeque::new() };
        Arc::new(Self { per_tenant, state: Mutex::new(state) })
    }

    /// Waits for the client's turn. Who goes away while they wait leaves the queue.
    pub async fn take(self: &Arc<Self>, client: &TurnClient) -> Turn {
        let waiting = match self.state().enqueue(client, self.per_tenant) {
            Some(waiting) => waiting,
            None => return Turn { turns: Arc::clone(self), tenant: Arc::clone(&client.tenant) },
        };
        self.assign();
        waiting.await.expect("who waits in the queue is sent a turn or has no receiver")
    }

    /// Number of requests that wait.
    pub fn waiting(&self) -> usize {
        let state = self.state();
        state.tenants.values().flat_map(|tenant| tenant.waiting.values()).map(VecDeque::len).sum()
    }

    fn state(&self) -> MutexGuard<'_, TurnsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free turns to the next requests.
    fn assign(self: &Arc<Self>) {
        loop {
            let Some((tenant, waiter)) = self.state().next(self.per_tenant) else { return };
            // If the request is gone, the turn comes back here and is dropped, which gives it to the next
            // one.
            drop(waiter.send(Turn { turns: Arc::clone(self), tenant }));
        }
    }
}

impl TurnsState {
    /// Gives a free turn to the next request, if there are both. Requests that ended while they waited are
    /// passed over.
    fn next(&mut self, per_tenant: usize) -> Option<(Arc<str>, oneshot::Sender<Turn>)> {
        while self.free > 0 {
            let next = self.order.iter().position(|name| self.tenants[name].running < per_tenant)?;
            let name = self.order.remove(next)?;
            let tenant = self.tenants.get_mut(&name)?;
            let client = tenant.order.pop_front()?;
            let queue = tenant.waiting.get_mut(&client)?;
            let waiter = queue.pop_front()?;
            if queue.is_empty() {
                tenant.waiting.remove(&client);
            } else {
                tenant.order.push_back(client);
            }
            if !tenant.order.is_empty() {
                self.order.push_back(Arc::clone(&name));
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
        if self.tenants.get(tenant).is_some_and(|tenant| tenant.running == 0 && tenant.order.is_empty()) {
            self.tenants.remove(tenant);
        }
    }

    /// Takes a free turn if no request waits (`None`), else queues the request behind the others of its
    /// client.
    fn enqueue(&mut self, client: &TurnClient, per_tenant: usize) -> Option<oneshot::Receiver<Turn>> {
        let is_first = self.order.is_empty() && self.free > 0;
        let tenant = self.tenants.entry(Arc::clone(&client.tenant)).or_default();
        if is_first && tenant.running < per_tenant {
            tenant.running += 1;
            self.free -= 1;
            return None;
        }
        let (waiter, turn) = oneshot::channel();
        if tenant.order.is_empty() {
            self.order.push_back(Arc::clone(&client.tenant));
        }
        let queue = tenant.waiting.entry(Arc::clone(&client.name)).or_default();
        if queue.is_empty() {
            tenant.order.push_back(Arc::clone(&client.name));
        }
        // Requests that ended while they waited: a client that sends many and drops them keeps no memory.
        queue.retain(|waiter| !waiter.is_closed());
        queue.push_back(waiter);
        Some(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        state.free += 1;
        if let Some(tenant) = state.tenants.get_mut(&self.tenant) {
            tenant.running -= 1;
        }
        state.forget_idle(&self.tenant);
        drop(state);
        self.turns.assign();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    fn caller(tenant: &str, client: &str) -> TurnClient {
        TurnClient { tenant: tenant.into(), name: client.into() }
    }

    /// Requests of clients, each written as "tenant/client", in this order of waiting.
    fn waiting(turns: &Arc<Turns>, clients: &[&str]) -> Vec<(String, BoxFuture<'static, Turn>)> {
        let request = |name: &&str| {
            let (tenant, client) = name.split_once('/').unwrap();
            let (turns, caller) = (Arc::clone(turns), caller(tenant, client));
            let mut turn = async move { turns.take(&caller).await }.boxed();
            assert!((&mut turn).now_or_never().is_none(), "{name} waits");
            ((*name).to_owned(), turn)
        };
        clients.iter().map(request).collect()
    }

    /// The names of those with a turn now, each with its turn.
    fn served(requests: &mut Vec<(String, BoxFuture<'static, Turn>)>) -> Vec<(String, Turn)> {
        let mut served = Vec::new();
        requests.retain_mut(|(name, turn)| match turn.now_or_never() {
            Some(turn) => {
                served.push((name.clone(), turn));
                false
            }
            None => true,
        });
        served
    }

    /// The order in which requests get turns, once the turn `held` ends.
    fn order(held: Turn, mut requests: Vec<(String, BoxFuture<'static, Turn>)>) -> Vec<String> {
        drop(held);
        let mut order = Vec::new();
        while !requests.is_empty() {
            let one = served(&mut requests);
            assert_eq!(one.len(), 1, "there is one turn");
            order.extend(one.into_iter().map(|(name, _turn)| name));
        }
        order
    }

    fn taken(turns: &Arc<Turns>, tenant: &str, client: &str) -> Option<Turn> {
        turns.take(&caller(tenant, client)).now_or_never()
    }

    #[test]
    fn tenants_take_turns_and_within_a_tenant_its_clients() {
        let turns = Turns::new(1, 1);
        let held = taken(&turns, "t", "a").unwrap();
        let requests = waiting(&turns, &["t/a", "t/a", "t/a", "t/b", "u/c", "u/c"]);
        assert_eq!(turns.waiting(), 6);
        assert_eq!(order(held, requests), ["t/a", "u/c", "t/b", "u/c", "t/a", "t/a"]);
        assert_eq!((turns.waiting(), turns.state().free), (0, 1));
        assert!(turns.state().tenants.is_empty(), "who has no turn and does not wait is forgotten");
    }

    #[test]
    fn a_tenant_has_its_part_of_the_turns_and_leaves_the_others_free() {
        let turns = Turns::new(3, 2);
        let held: Vec<_> = (0..2).map(|_| taken(&turns, "t", "a").unwrap()).collect();
        let mut requests = waiting(&turns, &["t/a", "t/b"]);
        assert!(served(&mut requests).is_empty());
        let other = taken(&turns, "u", "c");
        assert!(other.is_some(), "the third turn is for other tenants");
        assert!(taken(&turns, "u", "c").is_none());
        drop(held);
        assert_eq!(served(&mut requests).len(), 2);
    }

    #[test]
    fn a_request_that_ends_while_it_waits_takes_no_turn() {
        let turns = Turns::new(1, 1);
        let held = taken(&turns, "t", "a").unwrap();
        let ended = waiting(&turns, &["t/a", "t/a", "t/b"]);
        drop(ended);
        let requests = waiting(&turns, &["t/a"]);
        assert_eq!(turns.waiting(), 2, "those of the same client are forgotten at once");
        assert_eq!(order(held, requests), ["t/a"]);
        // One that ends after it got its turn, and before it used it, gives it back.
        let held = taken(&turns, "t", "a").unwrap();
        let requests = waiting(&turns, &["t/a"]);
        drop(held);
        drop(requests);
        assert_eq!((turns.waiting(), turns.state().free), (0, 1));
    }
}
