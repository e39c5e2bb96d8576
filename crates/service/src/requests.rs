//! Requests in flight: how many each client has at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The requests in flight of all clients.
pub(crate) struct Requests {
    most: u32,
    /// By tenant.
    clients: Mutex<HashMap<Box<str>, Clients>>,
}

/// How many each client of a tenant has.
type Clients = HashMap<Box<str>, Arc<AtomicU32>>;

/// The place of one request; free again when this is dropped.
pub(crate) struct Place(Arc<AtomicU32>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Requests {
    /// At most `most` for each client.
    pub(crate) fn new(most: u32) -> Self {
        Self { most, clients: Mutex::default() }
    }

    /// A place for one more request of a client; `None` when it has too many.
    pub(crate) fn enter(&self, tenant: &str, client: &str) -> Option<Place> {
        let place = Place(self.count(tenant, client));
        // The place is counted first and given back where it is one too many.
        (place.0.fetch_add(1, Relaxed) < self.most).then_some(place)
    }

    fn count(&self, tenant: &str, client: &str) -> Arc<AtomicU32> {
        let mut tenants = self.clients.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(count) = tenants.get(tenant).and_then(|clients| clients.get(client)) {
            return count.clone();
        }
        tenants.entry(tenant.into()).or_default().entry(client.into()).or_default().clone()
    }

    /// Forgets clients without a request; to be called now and then.
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
    fn each_client_has_its_own_places_and_gets_them_back() {
        let requests = Requests::new(2);
        let held: Vec<_> = (0..2).map(|_| requests.enter("tenant", "a").unwrap()).collect();
        assert!(requests.enter("tenant", "a").is_none() && requests.enter("tenant", "a").is_none());
        assert!(requests.enter("tenant", "b").is_some() && requests.enter("other", "a").is_some());
        requests.forget_idle();
        assert!(requests.enter("tenant", "a").is_none(), "what is in flight is not forgotten");
        drop(held);
        assert!(requests.enter("tenant", "a").is_some());
        requests.forget_idle();
        assert!(requests.clients.lock().unwrap().is_empty());
    }
}
