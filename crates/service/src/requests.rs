//! Limit on concurrent requests of a client.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The requests in flight of all clients.
pub(crate) struct Requests {
    max: u32,
    /// The clients with requests, by tenant.
    clients: Mutex<HashMap<Box<str>, Clients>>,
}

/// Number of requests in progress for each client of a tenant.
type Clients = HashMap<Box<str>, Arc<AtomicU32>>;

/// The slot of one request, which is freed when this is dropped.
pub(crate) struct RequestSlot(Arc<AtomicU32>);

impl Drop for RequestSlot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Requests {
    /// At most `max` for each client.
    pub(crate) fn new(max: u32) -> Self {
        Self { max, clients: Mutex::default() }
    }

    /// A slot for one more request of a client; `None` when it has too many.
    pub(crate) fn acquire(&self, tenant: &str, client: &str) -> Option<RequestSlot> {
        let slot = RequestSlot(self.count(tenant, client));
        // The slot is counted first and given back where it is one too many.
        (slot.0.fetch_add(1, Relaxed) < self.max).then_some(slot)
    }

    fn count(&self, tenant: &str, client: &str) -> Arc<AtomicU32> {
        let mut tenants = self.clients.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(count) = tenants.get(tenant).and_then(|clients| clients.get(client)) {
            return count.clone();
        }
        tenants.entry(tenant.into()).or_default().entry(client.into()).or_default().clone()
    }

    /// Removes clients without a request; called from time to time.
    pub(crate) fn forget_idle(&self) {
        let mut tenants = self.clients.lock().unwrap_or_else(|e| e.into_inner());
        tenants.retain(|_, clients| {
            clients.retain(|_, count| Arc::strong_count(count) > 1);
            !clients.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_own_slots_and_gets_them_back() {
        let requests = Requests::new(2);
        let held: Vec<_> = (0..2).map(|_| requests.acquire("tenant", "a").unwrap()).collect();
        assert!(requests.acquire("tenant", "a").is_none() && requests.acquire("tenant", "a").is_none());
        assert!(requests.acquire("tenant", "b").is_some() && requests.acquire("other", "a").is_some());
        requests.forget_idle();
        assert!(requests.acquire("tenant", "a").is_none(), "what is in flight is not forgotten");
        drop(held);
        assert!(requests.acquire("tenant", "a").is_some());
        requests.forget_idle();
        assert!(requests.clients.lock().unwrap().is_empty());
    }
}
