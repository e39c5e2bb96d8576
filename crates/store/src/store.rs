//! The store itself: one short method for each thing that can be asked of it.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use norma_model::{Digest, ProvisionId, Urn};
use tokio::sync::Mutex;

use crate::access::{Grant, Policy, Tenant, Viewer};
use crate::blobs::Blobs;
use crate::catalogue::maintain::{self, Act, Kept, Stats};
use crate::catalogue::publish::{self, Stored};
use crate::catalogue::{admin, feed, schema};
use crate::engine::{Engine, Sql, Transaction};
use crate::entry::{Blob, Outcome, Publication};
use crate::generation::{Generation, Present};
use crate::location::EngineLocation;
use crate::seen::Seen;
use crate::sqlite::Sqlite;
use crate::{Change, Error, Location, Result, Settings, codes, random};

/// Digests that the collector looks at in one transaction.
const COLLECTED_AT_ONCE: usize = 200;

/// Runs work on a transaction by [`Store::write`]. A macro, because a closure that borrows the transaction cannot
/// be said to give a future that may change threads.
macro_rules! transact {
    ($store:expr, |$tx:ident| $work:expr) => {
        $store
            .write(move |mut owned| async move {
                let $tx = &mut *owned;
                let done = $work.await?;
                Ok((owned, done))
            })
            .await
    };
}

/// A store of editions. Cloning gives another handle on the same one.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    engine: Box<dyn Engine>,
    blobs: Blobs,
    settings: Settings,
    present: RwLock<Present>,
    looking: Mutex<()>,
}

/// What a collection of unused blobs did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Blobs removed.
    pub blobs: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Store {
    /// Opens the store, making or migrating it where the settings allow.
    ///
    /// # Errors
    /// [`Error::NewerSchema`] and [`Error::OlderSchema`] when program and store do not fit; [`Error::Unavailable`]
    /// when the engine does not answer.
    pub async fn open(location: &Location, settings: &Settings) -> Result<Self> {
        let engine: Box<dyn Engine> = match &location.engine {
            EngineLocation::Sqlite(path) => Box::new(Sqlite::open(path, settings).await?),
            EngineLocation::Postgres(_) => {
                return Err(Error::Invalid("PostgreSQL is not built in".to_owned()));
            }
        };
        if settings.migrate {
            schema::migrate(&*engine).await?;
        } else {
            schema::check(&*engine).await?;
        }
        let looked = Instant::now();
        let sequence = feed::sequence(&*engine).await?;
        let generation = Arc::new(Generation::load(&*engine, sequence, settings).await?);
        Ok(Self(Arc::new(Inner {
            blobs: Blobs::new(settings),
            settings: settings.clone(),
            present: RwLock::new(Present { generation, looked }),
            looking: Mutex::new(()),
            engine,
        })))
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        &*self.0.engine
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The catalogue as this viewer sees it, not older than the setting `stale_after` allows.
    pub async fn seen_by(&self, viewer: &Viewer) -> Result<Seen<'_>> {
        let generation = self.present().await?;
        let rights = generation.rights(viewer);
        Ok(Seen { store: self, generation, rights })
    }

    /// Tenants, suspensions, grants and signing keys, not older than the setting `stale_after` allows.
    pub async fn policy(&self) -> Result<Arc<Policy>> {
        Ok(Arc::clone(&self.present().await?.policy))
    }

    /// The bytes with this digest.
    pub async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>> {
        self.0.blobs.read(self.engine(), digest).await
    }

    /// The bytes with this digest, hashed again.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when they are not what they were.
    pub async fn blob_verified(&self, digest: &Digest) -> Result<Option<Blob>> {
        self.0.blobs.read_verified(self.engine(), digest).await
    }

    /// Publishes an edition in one step: readers see what was there before, or all of this.
    ///
    /// # Errors
    /// [`Error::Conflict`] when the URN belongs to a document from another origin with another source.
    pub async fn publish(&self, publication: &Publication, now: SystemTime) -> Result<Outcome> {
        let before = self.engine().read(publish::stored(publication)).await?;
        if let Some(before) = Stored::of(&before)?
            && before.is_same(publication)?
        {
            return Ok(Outcome::Unchanged);
        }
        let blobs = publish::blobs(publication);
        let digests: Vec<Digest> = blobs.keys().copied().collect();
        let (blobs, digests) = (&blobs, digests.as_slice());
        transact!(self, |tx| async {
            publish::put(tx, blobs, now).await?;
            publish::publish(tx, publication, digests, now).await
        })
    }

    /// Marks an edition as no longer in force; false when there is none of this URN. It is still served.
    pub async fn withdraw(&self, urn: &Urn, now: SystemTime) -> Result<bool> {
        self.act(urn, Act::Withdraw, now).await
    }

    /// Stops serving an edition, for this reason; false when there is none of this URN.
    pub async fn recall(&self, urn: &Urn, reason: &str, now: SystemTime) -> Result<bool> {
        self.act(urn, Act::Recall(reason), now).await
    }

    /// Takes withdrawal and recall back; false when there is none of this URN.
    pub async fn reinstate(&self, urn: &Urn, now: SystemTime) -> Result<bool> {
        self.act(urn, Act::Reinstate, now).await
    }

    /// Removes an edition; false when there is none of this URN. Its blobs stay until they are collected.
    pub async fn remove(&self, urn: &Urn, now: SystemTime) -> Result<bool> {
        self.act(urn, Act::Remove, now).await
    }

    async fn act(&self, urn: &Urn, act: Act<'_>, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| maintain::act(tx, urn, act, now))
    }

    /// Adds a tenant, or changes the one with this id.
    pub async fn put_tenant(&self, tenant: &Tenant, now: SystemTime) -> Result<()> {
        transact!(self, |tx| admin::put_tenant(tx, tenant, now))
    }

    /// Removes a tenant with its grants; false when there is none of this id.
    pub async fn remove_tenant(&self, id: &str, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| admin::remove_tenant(tx, id, now))
    }

    /// Stops serving one client of a tenant, or serves it again.
    pub async fn suspend_client(
        &self,
        tenant: &str,
        client: &str,
        suspended: bool,
        now: SystemTime,
    ) -> Result<()> {
        transact!(self, |tx| admin::suspend_client(tx, tenant, client, suspended, now))
    }

    /// Adds a grant and gives its id; `None` when its tenant is unknown.
    pub async fn add_grant(&self, grant: &Grant, now: SystemTime) -> Result<Option<i64>> {
        transact!(self, |tx| admin::add_grant(tx, grant, now))
    }

    /// Takes a grant back; false when there is none of this id.
    pub async fn remove_grant(&self, id: i64, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| admin::remove_grant(tx, id, now))
    }

    /// Makes a new key for asset addresses; what the one before it signed still counts.
    pub async fn rotate_signing_key(&self, now: SystemTime) -> Result<()> {
        transact!(self, |tx| admin::rotate_signing_key(tx, now))
    }

    /// The stored editions behind `after`, in the order of their URNs, at most `limit`.
    pub async fn editions(&self, after: Option<&Urn>, limit: u32) -> Result<Vec<Kept>> {
        maintain::kept(self.engine(), after, limit).await
    }

    /// The stored editions that were made from this source.
    pub async fn from_source(&self, source: &Digest) -> Result<Vec<Kept>> {
        maintain::from_source(self.engine(), source).await
    }

    /// Ids of the provisions of an edition, in document order; `None` when there is no such edition.
    pub async fn provisions(&self, urn: &Urn) -> Result<Option<Vec<ProvisionId>>> {
        let sql =
            "SELECT p.provisions FROM editions e JOIN edition_parts p ON p.edition = e.id WHERE e.urn = $1";
        let rows = self.engine().read(Sql::new(sql).bind(urn.as_str())).await?;
        rows.first().map(|row| Ok(codes::unpack_provisions(row.bytes(0)?))).transpose()
    }

    /// How much there is.
    pub async fn stats(&self) -> Result<Stats> {
        maintain::stats(self.engine()).await
    }

    /// The number of the last change: cheap, for polling.
    pub async fn sequence(&self) -> Result<u64> {
        feed::sequence(self.engine()).await
    }

    /// The changes after this number, oldest first, at most `limit`.
    pub async fn changes_after(&self, sequence: u64, limit: u32) -> Result<Vec<Change>> {
        feed::after(self.engine(), sequence, limit).await
    }

    /// Whether reads and the catalogue's lock work now: for readiness.
    pub async fn check(&self) -> Result<()> {
        self.refresh().await.map(|_| ())
    }

    /// Removes blobs that nothing refers to and that nobody put or used for this long.
    pub async fn gc(&self, untouched_for: Duration, now: SystemTime) -> Result<Collected> {
        let cutoff = now.checked_sub(untouched_for).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut collected = Collected::default();
        let mut after = None;
        loop {
            let digests = maintain::garbage(self.engine(), after, cutoff, COLLECTED_AT_ONCE).await?;
            let Some(last) = digests.last() else { return Ok(collected) };
            after = Some(*last);
            let digests = digests.as_slice();
            let gone = transact!(self, |tx| maintain::collect(tx, digests, cutoff))?;
            collected.blobs += gone.len() as u64;
            collected.bytes += gone.iter().map(|(size, _)| size).sum::<u64>();
        }
    }

    /// Runs one transaction, again when others were in its way, and lets this handle see what it did.
    async fn write<T, F>(&self, work: impl Fn(Box<dyn Transaction>) -> F) -> Result<T>
    where
        F: Future<Output = Result<(Box<dyn Transaction>, T)>>,
    {
        let mut attempt = 1;
        loop {
            let done = async {
                let (tx, done) = work(self.engine().begin().await?).await?;
                tx.commit().await?;
                Ok(done)
            };
            match done.await {
                Err(Error::Contended(cause)) if attempt < self.settings().attempts => {
                    tracing::debug!(%cause, attempt, "a transaction is tried again");
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Ok(done) => {
                    // The change is made; whether this handle knows of it at once is another matter.
                    if let Err(error) = self.refresh().await {
                        tracing::warn!(%error, "the catalogue could not be looked at after a change");
                    }
                    return Ok(done);
                }
                Err(error) => return Err(error),
            }
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
        if age >= self.settings().look_after && self.0.looking.try_lock().is_ok() {
            let store = self.clone();
            tokio::spawn(async move {
                if let Err(error) = store.refresh().await {
                    tracing::debug!(%error, "the catalogue could not be looked at");
                }
            });
        }
        Ok(generation)
    }

    /// Looks whether the catalogue changed; those who come meanwhile share the look.
    pub(crate) async fn refresh(&self) -> Result<Arc<Generation>> {
        let asked = Instant::now();
        let _one = self.0.looking.lock().await;
        let present = {
            let present = self.0.present.read().unwrap_or_else(PoisonError::into_inner);
            if present.looked >= asked {
                return Ok(Arc::clone(&present.generation));
            }
            Arc::clone(&present.generation)
        };
        let looked = Instant::now();
        let sequence = feed::sequence(self.engine()).await?;
        let generation = if sequence == present.sequence {
            present
        } else {
            Arc::new(Generation::load(self.engine(), sequence, self.settings()).await?)
        };
        let mut present = self.0.present.write().unwrap_or_else(PoisonError::into_inner);
        *present = Present { generation: Arc::clone(&generation), looked };
        Ok(generation)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}

/// How long to wait before the next attempt: longer each time, and not the same for all.
fn pause(attempt: u32) -> Duration {
    Duration::from_millis(5 << attempt.min(8)).mul_f64(0.5 + random::fraction())
}
