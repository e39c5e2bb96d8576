//! Permits for catalogue scans: lists use at most half of the connections and one client at most a quarter,
//! so that a client with many lists delays only itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::access::Viewer;
use crate::engine::{Engine, Permit, Row, Sql};
use crate::{Error, Result, Settings};

/// The scans that may run at the same time.
pub(crate) struct Scans {
    all: Arc<Semaphore>,
    per_client: usize,
    /// By tenant and client; those without a scan are removed.
    clients: Mutex<HashMap<(String, String), Weak<Semaphore>>>,
    timeout: Duration,
}

/// An engine that statements of one scan run on.
pub(crate) struct Scan<'a> {
    engine: &'a dyn Engine,
    permit: Arc<Permit>,
}

impl Scans {
    pub(crate) fn new(settings: &Settings) -> Self {
        let share = |parts: u32| (settings.connections / parts).max(1) as usize;
        Self {
            all: Arc::new(Semaphore::new(share(2))),
            per_client: share(4),
            clients: Mutex::default(),
            timeout: settings.acquire_timeout,
        }
    }

    /// Waits for this client's turn, then for that among all clients.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the turn does not come within the setting `acquire_timeout`.
    pub(crate) async fn begin<'a>(&self, engine: &'a dyn Engine, viewer: &Viewer) -> Result<Scan<'a>> {
        let client = self.client(viewer);
        let turn = async {
            let client = client.acquire_owned().await.ok()?;
            let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Permit { client, all })
        };
        match tokio::time::timeout(self.timeout, turn).await {
            Ok(Some(permit)) => Ok(Scan { engine, permit: Arc::new(permit) }),
            _ => Err(Error::unavailable(
                "list standards",
                format!(
                    "client {} of tenant {} waited {:?} for its turn; {} of its lists may run at once",
                    viewer.client(),
                    viewer.tenant(),
                    self.timeout,
                    self.per_client
                ),
            )),
        }
    }

    fn client(&self, viewer: &Viewer) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|_, semaphore| semaphore.strong_count() > 0);
        let key = (viewer.tenant().to_owned(), viewer.client().to_owned());
        if let Some(semaphore) = clients.get(&key).and_then(Weak::upgrade) {
            return semaphore;
        }
        let semaphore = Arc::new(Semaphore::new(self.per_client));
        clients.insert(key, Arc::downgrade(&semaphore));
        semaphore
    }
}

impl Scan<'_> {
    /// Runs a query under the permit.
    pub(crate) async fn read(&self, sql: Sql) -> Result<Vec<Row>> {
        self.engine.read(Sql { permit: Some(Arc::clone(&self.permit)), ..sql }).await
    }
}
