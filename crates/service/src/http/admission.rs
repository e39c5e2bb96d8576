//! Limits on the connections of a listener: in all, and from one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use ipnet::IpNet;

use crate::limits::network;

/// The connections of one listener.
pub(crate) struct Admission {
    max: usize,
    /// Most connections from one address; `None` for no limit of its own.
    max_per_address: Option<usize>,
    /// Addresses that speak for many.
    exempt: Vec<IpNet>,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// The slot of one connection, which is freed when this is dropped.
pub(super) struct ConnectionSlot {
    admission: Arc<Admission>,
    /// The network that the connection counts for.
    network: Option<IpAddr>,
}

impl Admission {
    /// Limits of `max` connections, and `max_per_address` from one IPv4 address or IPv6 /64. Those from
    /// `exempt` networks count only for `max`.
    pub(crate) fn new(max: usize, max_per_address: Option<usize>, exempt: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { max, max_per_address, exempt, open: Mutex::default() })
    }

    /// The networks whose connections have no limit per address.
    pub(super) fn exempt(&self) -> &[IpNet] {
        &self.exempt
    }

    /// A slot for a connection from this address, or the setting whose limit is reached.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Result<ConnectionSlot, &'static str> {
        let address = address.to_canonical();
        let is_exempt = self.exempt.iter().any(|exempt| exempt.contains(&address));
        let mut open = self.lock();
        if open.all >= self.max {
            return Err("max-connections");
        }
        let mut counted = None;
        if let Some(max) = self.max_per_address
            && !is_exempt
        {
            let network = network(address);
            let count = open.by_network.entry(network).or_default();
            if *count >= max {
                return Err("max-connections-per-address");
            }
            *count += 1;
            counted = Some(network);
        }
        open.all += 1;
        Ok(ConnectionSlot { admission: self.clone(), network: counted })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.admission.lock();
        open.all -= 1;
        if let Some(network) = self.network
            && let Some(count) = open.by_network.get_mut(&network)
        {
            *count -= 1;
            if *count == 0 {
                open.by_network.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(admission: &Arc<Admission>, address: &str) -> Result<ConnectionSlot, &'static str> {
        admission.admit(address.parse().unwrap())
    }

    #[test]
    fn an_address_has_its_share_whatever_it_calls_itself_and_gets_it_back() {
        let proxies = vec!["10.0.0.0/8".parse().unwrap()];
        let admission = Admission::new(6, Some(1), proxies);
        for (first, same, other) in [
            ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"),
        ] {
            let slot = admitted(&admission, first);
            assert!(slot.is_ok() && admitted(&admission, other).is_ok());
            assert_eq!(admitted(&admission, same).err(), Some("max-connections-per-address"));
            drop(slot);
            assert!(admitted(&admission, same).is_ok());
        }
        let proxied: Vec<_> = (0..6).map(|_| admitted(&admission, "10.0.0.1")).collect();
        assert!(proxied.iter().all(Result::is_ok));
        assert_eq!(admitted(&admission, "10.0.0.1").err(), Some("max-connections"));
        drop(proxied);
        assert!(admitted(&admission, "192.0.2.1").is_ok());
        assert!(admission.lock().by_network.is_empty());
    }
}
