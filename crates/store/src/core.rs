//! State that the handles on a store share: engine, blobs, index of editions and the current snapshot.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use tokio::sync::Mutex;

use crate::access::Viewer;
use crate::blobs::Blobs;
use crate::catalogue::{feed, schema};
use crate::edition_index::EditionIndex;
use crate::engine::Engine;
use crate::fair::Fair;
use crate::location::EngineLocation;
use crate::snapshot::{CurrentSnapshot, Snapshot};
use crate::sqlite::Sqlite;
use crate::turns::{Turn, TurnClient, Turns};
use crate::{Location, Result, StoreError, StoreOptions};

/// A store, as its handles share it.
pub(crate) struct Core {
    engine: Box<dyn Engine>,
    blobs: Blobs,
    editions: EditionIndex,
    list_turns: Arc<Turns>,
    settings: StoreOptions,
    current: RwLock<CurrentSnapshot>,
    /// The last failure and its time, locked during a check.
    last_failure: Mutex<Option<(Instant, StoreError)>>,
    refreshing: AtomicBool,
}

impl Core {
    /// Opens a store, making it where the settings allow.
    pub(crate) async fn open(location: &Location, settings: &StoreOptions) -> Result<Arc<Self>> {
        let absent = || StoreError::Absent { location: location.to_string() };
        if !settings.make && location.is_missing_file()? {
            return Err(absent());
        }
        let engine = engine(location, settings).await?;
        if !settings.make && !schema::is_store(&*engine).await? {
            return Err(absent());
        }
        // A read-only store is refused for its version, not because it cannot be written.
        if settings.make && settings.migrate && !engine.is_read_only() {
            schema::migrate(&*engine, location).await?;
        } else {
            schema::check(&*engine, location).await?;
        }
        let checked_at = Instant::now();
        let state = feed::state(&*engine).await?;
        let snapshot = Arc::new(Snapshot::load(&*engine, state).await?);
        Ok(Arc::new(Self {
            editions: EditionIndex::new(),
            list_turns: list_turns(),
            blobs: Blobs::open_at(location, settings)?,
            settings: settings.clone(),
            current: RwLock::new(CurrentSnapshot { snapshot, checked_at, is_replaced: false }),
            last_failure: Mutex::new(None),
            refreshing: AtomicBool::new(false),
            engine,
        }))
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    pub(crate) fn settings(&self) -> &StoreOptions {
        &self.settings
    }

    pub(crate) fn editions(&self) -> &EditionIndex {
        &self.editions
    }

    /// Waits for the turn of a client that lists.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the turn does not come within the setting `acquire_timeout`.
    pub(crate) async fn list_turn(&self, viewer: &Viewer) -> Result<Turn> {
        let client = TurnClient { tenant: viewer.tenant().into(), name: viewer.client().into() };
        let timeout = self.settings.acquire_timeout;
        let turn = tokio::time::timeout(timeout, self.list_turns.take(&client)).await;
        turn.map_err(|_| {
            let (client, tenant) = (viewer.client(), viewer.tenant());
            let waited = format!("client {client} of tenant {tenant} waited {timeout:?} for its turn");
            StoreError::unavailable("list standards", waited)
        })
    }

    /// The current snapshot, at most as old as the setting `max_staleness` allows.
    pub(crate) async fn snapshot(self: &Arc<Self>) -> Result<Arc<Snapshot>> {
        let (snapshot, age, is_replaced) = {
            let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
            (Arc::clone(&current.snapshot), current.checked_at.elapsed(), current.is_replaced)
        };
        if is_replaced || age >= self.settings().max_staleness {
            return self.refresh().await;
        }
        if age >= self.settings().refresh_interval && !self.refreshing.swap(true, Ordering::AcqRel) {
            let core = Arc::clone(self);
            tokio::spawn(async move {
                if let Err(error) = core.refresh().await {
                    tracing::debug!(%error, "the catalogue could not be read");
                }
                core.refreshing.store(false, Ordering::Release);
            });
        }
        Ok(snapshot)
    }

    /// Checks whether the catalogue changed; concurrent callers share the check and its failure.
    pub(crate) async fn refresh(&self) -> Result<Arc<Snapshot>> {
        let started = Instant::now();
        let mut failure = self.last_failure.lock().await;
        if let Some((_, error)) = failure.as_ref().filter(|(when, _)| *when >= started) {
            return Err(error.clone());
        }
        let current = {
            let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
            if current.checked_at >= started {
                return Ok(Arc::clone(&current.snapshot));
            }
            Arc::clone(&current.snapshot)
        };
        let checked_at = Instant::now();
        let snapshot = match self.load_snapshot(current).await {
            Ok(snapshot) => snapshot,
            Err(error) => {
                if matches!(error, StoreError::Replaced { .. }) {
                    self.current.write().unwrap_or_else(PoisonError::into_inner).is_replaced = true;
                }
                *failure = Some((Instant::now(), error.clone()));
                return Err(error);
            }
        };
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = CurrentSnapshot { snapshot: Arc::clone(&snapshot), checked_at, is_replaced: false };
        Ok(snapshot)
    }

    async fn load_snapshot(&self, current: Arc<Snapshot>) -> Result<Arc<Snapshot>> {
        let state = feed::state(self.engine()).await?;
        if state == current.state {
            return Ok(current);
        }
        Ok(Arc::new(current.next(self.engine(), state).await?))
    }
}

/// The lists that are worked on at once: on half of the processors, so that reads go on; of one tenant on a
/// quarter.
fn list_turns() -> Arc<Turns> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Turns::new((processors / 2).max(1), (processors / 4).max(1))
}

/// The engine that a location names.
pub(crate) async fn engine(location: &Location, settings: &StoreOptions) -> Result<Box<dyn Engine>> {
    let engine: Box<dyn Engine> = match &location.engine {
        EngineLocation::Sqlite(path) => Box::new(Sqlite::open(path, settings).await?),
        EngineLocation::Postgres(address) => open_postgres(address, settings).await?,
    };
    Ok(Box::new(Fair::new(engine, settings)))
}

#[cfg(feature = "postgres")]
async fn open_postgres(address: &str, settings: &StoreOptions) -> Result<Box<dyn Engine>> {
    crate::postgres::PostgresEngine::open(address, settings).await
}

#[cfg(not(feature = "postgres"))]
async fn open_postgres(_: &str, _: &StoreOptions) -> Result<Box<dyn Engine>> {
    let why = "this program was built without PostgreSQL; use a SQLite file, or build it with the Cargo feature `postgres`";
    Err(StoreError::Invalid(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use futures::FutureExt;
    use norma_model::Identifier;

    use super::*;
    use crate::entry::Publication;
    use crate::{Grant, GrantScope, Level, Query, Store, Tenant};

    const URN: &str = "urn:iso:std:iso:1:ed-1:en";

    /// A store with one edition that the tenant `t` may read.
    async fn filled(folder: &std::path::Path, acquire_timeout: Duration) -> Store {
        let location = folder.join("norma.db").to_str().unwrap().parse().unwrap();
        let options = StoreOptions { acquire_timeout, ..StoreOptions::default() };
        let store = Store::open(&location, &options).await.unwrap();
        let now = SystemTime::UNIX_EPOCH;
        store.publish(&Publication::empty(URN), now).await.unwrap();
        store.put_tenant(&Tenant { id: "t".to_owned(), ..Tenant::default() }, now).await.unwrap();
        let (tenant, scope) = ("t".to_owned(), GrantScope::Urns("*".parse().unwrap()));
        let grant = Grant { tenant, client: None, scope, level: Level::Read, from: None, until: None };
        store.add_grant(&grant, now).await.unwrap();
        store
    }

    fn viewer(client: &str) -> Viewer {
        Viewer::verified("t", client, "2026-05-01".parse().unwrap())
    }

    /// All turns that clients of the tenant can have at once.
    fn all_turns(core: &Core) -> Vec<Turn> {
        std::iter::from_fn(|| core.list_turn(&viewer("busy")).now_or_never()).map(Result::unwrap).collect()
    }

    #[tokio::test]
    async fn a_list_whose_turn_does_not_come_is_refused_and_others_get_the_next_turn() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path(), Duration::from_millis(20)).await;
        let turns = all_turns(store.core());
        let view = store.view_for(&viewer("busy")).await.unwrap();
        let refused = view.list(&Query::default(), None, 50).await;
        assert!(
            matches!(&refused, Err(StoreError::Unavailable { tried, .. }) if tried == "list standards"),
            "{refused:?}"
        );
        drop(turns);
        let other = store.view_for(&viewer("other")).await.unwrap();
        assert_eq!(other.list(&Query::default(), None, 50).await.unwrap().total, 1);
    }

    #[tokio::test]
    async fn a_read_needs_no_turn() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path(), Duration::from_millis(20)).await;
        let _turns = all_turns(store.core());
        let view = store.view_for(&viewer("other")).await.unwrap();
        assert!(view.find(&Identifier::parse(URN).unwrap(), &[]).await.unwrap().is_some());
    }
}
