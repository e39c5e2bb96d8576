//! Store: the handle for operators and ingest, which reads without grants and writes.

mod batch;
mod copy;
mod earlier;
mod lineage;
mod operate;
mod verify;
mod write;

use std::sync::Arc;

use norma_model::{Digest, ProvisionId, Urn};

pub use self::batch::{Batch, Batches, Publications};
pub use self::copy::Copied;
pub use self::operate::{Collected, GC_GRACE};
pub use self::verify::Verified;
use crate::blob::Blob;
use crate::blobs::Blobs;
use crate::catalogue::maintain::{self, CataloguedEdition, Stats, StoredEdition};
use crate::catalogue::schema::{self, Migrated};
use crate::catalogue::{blob, lineage as lineage_rows};
use crate::core::{self, Core};
use crate::engine::Engine;
use crate::entry::Entry;
use crate::reader::Reader;
use crate::{EditionHandle, Location, Query, Result, SearchableEditions, StoreOptions};

/// A store of editions, for ingest and operators. Cloning gives another handle on the same one.
///
/// ```
/// use std::time::SystemTime;
///
/// use norma_store::{Location, Store, StoreOptions, Tenant};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> norma_store::Result<()> {
/// let folder = tempfile::tempdir().expect("a temporary folder");
/// let location: Location = folder.path().join("norma.db").display().to_string().parse()?;
/// let store = Store::open(&location, &StoreOptions::default()).await?;
/// let tenant = Tenant { id: "acme".to_owned(), ..Tenant::default() };
/// store.put_tenant(&tenant, SystemTime::now()).await?;
/// let stats = store.stats().await?;
/// assert_eq!((stats.tenants, stats.editions), (1, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Store(Reader);

/// A store can do what its reader can.
impl std::ops::Deref for Store {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.0
    }
}

impl Store {
    /// Opens the store, making it where the settings allow.
    ///
    /// # Errors
    /// [`StoreError::Absent`](crate::StoreError::Absent) where none exists and the settings say not to create
    /// it; [`StoreError::NewerSchema`](crate::StoreError::NewerSchema),
    /// [`StoreError::OlderSchema`](crate::StoreError::OlderSchema),
    /// [`StoreError::EarlierSchema`](crate::StoreError::EarlierSchema) and
    /// [`StoreError::NoSchema`](crate::StoreError::NoSchema) when program and store do not fit;
    /// [`StoreError::Unavailable`](crate::StoreError::Unavailable) when the engine does not answer.
    pub async fn open(location: &Location, settings: &StoreOptions) -> Result<Self> {
        Ok(Self(Reader::new(Core::open(location, settings).await?)))
    }

    /// Makes the schema of a store, or brings an older one to the version of this program, without opening
    /// the store. Safe to do twice, and by two at once; one that is interrupted goes on where it stopped. The
    /// blobs are left alone.
    ///
    /// # Errors
    /// [`StoreError::EarlierSchema`](crate::StoreError::EarlierSchema) and
    /// [`StoreError::NewerSchema`](crate::StoreError::NewerSchema) as in [`open`](Self::open).
    pub async fn migrate(location: &Location, settings: &StoreOptions) -> Result<Migrated> {
        schema::migrate(&*core::engine(location, settings).await?, location).await
    }

    /// The store for a service.
    pub fn reader(&self) -> Reader {
        self.0.clone()
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        self.core().engine()
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        self.core().blobs()
    }

    pub(crate) fn settings(&self) -> &StoreOptions {
        self.core().settings()
    }

    /// An edition with its pack, its assets and its comparisons.
    pub fn handle(&self, entry: &Arc<Entry>) -> EditionHandle {
        EditionHandle::new(self.core(), entry)
    }

    /// All bytes with this digest, read from storage and hashed again.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`](crate::StoreError::Corrupt) when they are not what they were.
    pub async fn blob_verified(&self, digest: &Digest) -> Result<Option<Blob>> {
        match blob::find(self.engine(), digest).await? {
            Some(row) => self.blobs().read_verified(self.engine(), &row).await.map(Some),
            None => Ok(None),
        }
    }

    /// The catalogue entry of an edition, for the operator: no grant is needed.
    pub async fn entry(&self, urn: &Urn) -> Result<Option<Arc<Entry>>> {
        let snapshot = self.core().snapshot().await?;
        let record = snapshot.record(self.engine(), urn.as_str()).await?;
        Ok(record.map(|record| Arc::clone(&record.entry)))
    }

    /// The editions that fit a query, for a search in them by an operator: no grant is needed. The level of
    /// the query counts for nothing.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn searchable(&self, query: &Query) -> Result<SearchableEditions> {
        SearchableEditions::of_operator(self.core(), query).await
    }

    /// The stored editions after `after`, ordered by URN, at most `limit`.
    pub async fn editions(&self, after: Option<&Urn>, limit: u32) -> Result<Vec<StoredEdition>> {
        maintain::stored_editions(self.engine(), after, limit).await
    }

    /// The editions after `after` with the values that an operator's list shows, ordered by URN, at most
    /// `limit`.
    pub async fn catalogue(&self, after: Option<&Urn>, limit: u32) -> Result<Vec<CataloguedEdition>> {
        maintain::catalogued_editions(self.engine(), after, limit).await
    }

    /// The stored editions that were made from this source.
    pub async fn from_source(&self, source: &Digest) -> Result<Vec<StoredEdition>> {
        maintain::from_source(self.engine(), source).await
    }

    /// Ids of the provisions of an edition, in document order; `None` when there is no such edition.
    pub async fn provisions(&self, urn: &Urn) -> Result<Option<Vec<ProvisionId>>> {
        lineage_rows::provisions(self.engine(), urn.as_str()).await
    }

    /// Counts of the contents of the store.
    pub async fn stats(&self) -> Result<Stats> {
        maintain::stats(self.engine()).await
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}
