//! The store itself: opening it, reading it, and keeping up with what changes in it.

mod batch;
mod copy;
mod operate;
mod verify;
mod write;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use norma_model::{Digest, ProvisionId, Urn};
use tokio::sync::Mutex;

pub use self::batch::{Batch, Batches, Publications};
pub use self::copy::Copied;
pub use self::operate::Collected;
pub use self::verify::Verified;
use crate::access::{Policy, Viewer};
use crate::blobs::{BlobReader, Blobs};
use crate::catalogue::maintain::{self, Kept, Stats};
use crate::catalogue::{blob, feed, schema};
use crate::engine::{Engine, Sql};
use crate::entry::{Blob, Entry};
use crate::generation::{Generation, Present};
use crate::location::EngineLocation;
use crate::postgres::PostgresEngine;
use crate::scans::{Scan, Scans};
use crate::seen::Seen;
use crate::sqlite::Sqlite;
use crate::{Change, Error, Location, Result, Settings, State, codes};

/// A store of editions. Cloning gives another handle on the same one.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    engine: Box<dyn Engine>,
    blobs: Blobs,
    scans: Scans,
    settings: Settings,
    present: RwLock<Present>,
    /// Held while somebody looks; the last failure to look, and when it was.
    looking: Mutex<Option<(Instant, Error)>>,
    looking_behind: AtomicBool,
}

impl Store {
    /// Opens the store, making it where the settings allow.
    ///
    /// # Errors
    /// [`Error::Absent`] where there is none and the settings say not to make it; [`Error::NewerSchema`],
    /// [`Error::EarlierSchema`] and [`Error::NoSchema`] when program and store do not fit; [`Error::Unavailable`] when the
    /// engine does not answer.
    pub async fn open(location: &Location, settings: &Settings) -> Result<Self> {
        let absent = || Error::Absent { place: location.to_string() };
        if !settings.make && location.is_missing_file() {
            return Err(absent());
        }
        let engine = engine(location, settings).await?;
        if !settings.make && !schema::is_store(&*engine).await? {
            return Err(absent());
        }
        if settings.migrate {
            schema::make(&*engine, location).await?;
        } else {
            schema::check(&*engine, location).await?;
        }
        let looked = Instant::now();
        let state = feed::state(&*engine).await?;
        let generation = Arc::new(Generation::load(&*engine, state, settings).await?);
        Ok(Self(Arc::new(Inner {
            scans: Scans::new(settings),
            blobs: Blobs::open_at(location, settings)?,
            settings: settings.clone(),
            present: RwLock::new(Present { generation, looked }),
            looking: Mutex::new(None),
            looking_behind: AtomicBool::new(false),
            engine,
        })))
    }

    /// Makes the schema of a store without opening it; false when it is there. Safe to do twice, and by two at once.
    ///
    /// # Errors
    /// [`Error::EarlierSchema`] and [`Error::NewerSchema`] as in [`open`](Self::open).
    pub async fn migrate(location: &Location, settings: &Settings) -> Result<bool> {
        schema::make(&*engine(location, settings).await?, location).await
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        &*self.0.engine
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.0.blobs
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) async fn scan(&self, viewer: &Viewer) -> Result<Scan<'_>> {
        self.0.scans.begin(self.engine(), viewer).await
    }

    /// The catalogue as this viewer sees it, not older than the setting `stale_after` allows.
    pub async fn seen_by(&self, viewer: &Viewer) -> Result<Seen<'_>> {
        let generation = self.present().await?;
        let rights = generation.rights(viewer);
        Ok(Seen { store: self, generation, rights, viewer: viewer.clone() })
    }

    /// Tenants, suspensions, grants and signing keys, not older than the setting `stale_after` allows.
    pub async fn policy(&self) -> Result<Arc<Policy>> {
        Ok(Arc::clone(&self.present().await?.policy))
    }

    /// The same as of now.
    pub async fn policy_now(&self) -> Result<Arc<Policy>> {
        Ok(Arc::clone(&self.refresh().await?.policy))
    }

    /// The state of the catalogue that a read would know of now: what was read of the same state is still true.
    pub async fn known_state(&self) -> Result<State> {
        Ok(self.present().await?.state)
    }

    /// The pack of an edition, to be read piece by piece.
    pub fn pack(&self, entry: &Entry) -> BlobReader {
        BlobReader::new(self, Arc::clone(&entry.pack_row))
    }

    /// The blob with this digest, to be read piece by piece.
    pub async fn blob_reader(&self, digest: &Digest) -> Result<Option<BlobReader>> {
        let row = blob::find(self.engine(), digest).await?;
        Ok(row.map(|row| BlobReader::new(self, Arc::new(row))))
    }

    /// All bytes with this digest, not from memory, and hashed again.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when they are not what they were.
    pub async fn blob_verified(&self, digest: &Digest) -> Result<Option<Blob>> {
        match blob::find(self.engine(), digest).await? {
            Some(row) => self.blobs().read_verified(self.engine(), &row).await.map(Some),
            None => Ok(None),
        }
    }

    /// What the catalogue holds of an edition, for whoever runs the store: no grant is asked for.
    pub async fn entry(&self, urn: &Urn) -> Result<Option<Arc<Entry>>> {
        let generation = self.present().await?;
        let record = generation.record(self.engine(), urn.as_str()).await?;
        Ok(record.map(|record| Arc::clone(&record.entry)))
    }

    /// The stored editions behind `after`, in the order of their URNs, at most `limit`.
    pub async fn editions(&self, after: Option<&Urn>, limit: u32) -> Result<Vec<Kept>> {
        maintain::kept(self.engine(), after, limit).await
    }

    /// The stored editions that were made from this source.
    pub async fn from_source(&self, source: &Digest) -> Result<Vec<Kept>> {
        maintain::from_source(self.engine(), source).await
    }

    /// How many stored editions another version of the deriving program made.
    pub async fn derived_by_others(&self, deriver: &str) -> Result<u64> {
        maintain::derived_by_others(self.engine(), deriver).await
    }

    /// Ids of the provisions of an edition, in document order; `None` when there is no such edition.
    pub async fn provisions(&self, urn: &Urn) -> Result<Option<Vec<ProvisionId>>> {
        let sql =
            "SELECT p.provisions FROM editions e JOIN edition_parts p ON p.edition = e.id WHERE e.urn = $1";
        let rows = self.engine().read(Sql::new(sql).bind(urn.as_str())).await?;
        rows.first().map(|row| Ok(codes::unpack_provisions(row.bytes("provisions")?))).transpose()
    }

    /// How much there is.
    pub async fn stats(&self) -> Result<Stats> {
        maintain::stats(self.engine()).await
    }

    /// The present state of the catalogue: cheap, for polling.
    pub async fn state(&self) -> Result<State> {
        feed::state(self.engine()).await
    }

    /// The changes after this number, oldest first, at most `limit`.
    pub async fn changes_after(&self, sequence: u64, limit: u32) -> Result<Vec<Change>> {
        feed::after(self.engine(), sequence, limit).await
    }

    /// Whether the catalogue can only be read, because its file or folder cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.engine().is_read_only()
    }

    /// Whether engine and object store answer now: for readiness.
    pub async fn check(&self) -> Result<()> {
        self.refresh().await?;
        match &self.0.blobs.objects {
            Some(objects) => objects.check().await,
            None => Ok(()),
        }
    }

    async fn present(&self) -> Result<Arc<Generation>> {
        let (generation, age) = {
            let present = self.0.present.read().unwrap_or_else(PoisonError::into_inner);
            (Arc::clone(&present.generation), present.looked.elapsed())
        };
        if age >= self.settings().stale_after {
            return self.refresh().await;
        }
        if age >= self.settings().look_after && !self.0.looking_behind.swap(true, Ordering::AcqRel) {
            let store = self.clone();
            tokio::spawn(async move {
                if let Err(error) = store.refresh().await {
                    tracing::debug!(%error, "the catalogue could not be looked at");
                }
                store.0.looking_behind.store(false, Ordering::Release);
            });
        }
        Ok(generation)
    }

    /// Looks whether the catalogue changed; those who come meanwhile share the look, and its failure.
    async fn refresh(&self) -> Result<Arc<Generation>> {
        let asked = Instant::now();
        let mut failure = self.0.looking.lock().await;
        if let Some((_, error)) = failure.as_ref().filter(|(when, _)| *when >= asked) {
            return Err(error.clone());
        }
        let present = {
            let present = self.0.present.read().unwrap_or_else(PoisonError::into_inner);
            if present.looked >= asked {
                return Ok(Arc::clone(&present.generation));
            }
            Arc::clone(&present.generation)
        };
        let looked = Instant::now();
        let generation = match self.look(present).await {
            Ok(generation) => generation,
            Err(error) => {
                *failure = Some((Instant::now(), error.clone()));
                return Err(error);
            }
        };
        let mut present = self.0.present.write().unwrap_or_else(PoisonError::into_inner);
        *present = Present { generation: Arc::clone(&generation), looked };
        Ok(generation)
    }

    async fn look(&self, present: Arc<Generation>) -> Result<Arc<Generation>> {
        let state = feed::state(self.engine()).await?;
        if state == present.state {
            return Ok(present);
        }
        Ok(Arc::new(present.next(self.engine(), state, self.settings()).await?))
    }
}

async fn engine(location: &Location, settings: &Settings) -> Result<Box<dyn Engine>> {
    Ok(match &location.engine {
        EngineLocation::Sqlite(path) => Box::new(Sqlite::open(path, settings).await?),
        EngineLocation::Postgres(address) => Box::new(PostgresEngine::open(address, settings).await?),
    })
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}
