//! Operations of an operator: withdrawal and recall, tenants and grants, garbage collection.

use std::time::{Duration, SystemTime};

use norma_model::{Digest, Urn};

use crate::access::{Grant, Tenant};
use crate::catalogue::maintain::{self, EditionChange};
use crate::catalogue::{admin, blob};
use crate::transact::transact;
use crate::{Result, Store};

/// Digests that the collector looks at in one transaction.
const GC_BATCH: usize = 200;

/// Documents that are put in order in one transaction.
const DOCUMENTS_AT_ONCE: usize = 500;

/// Time after which an object that no row names cannot belong to an edition that is being published.
const PUBLISHING_TAKES: Duration = Duration::from_secs(3600);

/// The result of a collection of unused blobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Number of blobs removed, with objects that no catalogue entry names.
    pub blobs: u64,
    /// Bytes of the removed blobs.
    pub bytes: u64,
}

impl Collected {
    fn add(&mut self, more: Self) {
        self.blobs += more.blobs;
        self.bytes += more.bytes;
    }
}

/// Time for which `norma gc` keeps a blob that no edition refers to since it was written or used: longer than
/// any transaction takes that is about to refer to it.
pub const GC_GRACE: Duration = Duration::from_secs(24 * 3600);

impl Store {
    /// Marks an edition as no longer in force; false when no edition has this URN. It is still served, with
    /// the notice, a text for callers. An edition without a notice has an empty one, with its time.
    pub async fn withdraw(&self, urn: &Urn, notice: Option<&str>, now: SystemTime) -> Result<bool> {
        let notice = notice.unwrap_or_default();
        self.change_edition(urn, EditionChange::Withdraw { notice }, now).await
    }

    /// Stops serving an edition; false when no edition has this URN. The reason is for the operator alone.
    /// Callers who have a grant read the notice.
    pub async fn recall(
        &self,
        urn: &Urn,
        reason: &str,
        notice: Option<&str>,
        now: SystemTime,
    ) -> Result<bool> {
        let notice = notice.unwrap_or_default();
        self.change_edition(urn, EditionChange::Recall { reason, notice }, now).await
    }

    /// Ends the withdrawal and recall of an edition; false when no edition has this URN.
    pub async fn reinstate(&self, urn: &Urn, now: SystemTime) -> Result<bool> {
        self.change_edition(urn, EditionChange::Reinstate, now).await
    }

    /// Removes an edition; false when no edition has this URN. Its blobs stay until they are collected.
    pub async fn remove(&self, urn: &Urn, now: SystemTime) -> Result<bool> {
        self.change_edition(urn, EditionChange::Remove, now).await
    }

    async fn change_edition(&self, urn: &Urn, change: EditionChange<'_>, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| maintain::change_edition(tx, urn, change, now))
    }

    /// Writes the deriver of each of these editions, in one step: its version, with a mark for a later
    /// derivation. No caller sees it.
    pub async fn set_derivers(&self, derivers: &[(Urn, String)]) -> Result<()> {
        transact!(self, |tx| maintain::set_derivers(tx, derivers))
    }

    /// Computes for all editions which is the latest of its document, and which is in force, and returns the
    /// number of those for which one of both changes: where an earlier version of the program ordered them in
    /// another way.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn renew_order(&self, now: SystemTime) -> Result<usize> {
        let (mut renewed, mut after) = (0, String::new());
        loop {
            let documents = &maintain::documents(self.engine(), &after, DOCUMENTS_AT_ONCE).await?;
            let Some(last) = documents.last() else { return Ok(renewed) };
            after.clone_from(last);
            renewed += transact!(self, |tx| maintain::renew_order(tx, documents, now))?;
        }
    }

    /// Adds a tenant, or changes the one with this id.
    ///
    /// # Errors
    /// [`StoreError::Invalid`](crate::StoreError::Invalid) when another tenant has the same issuer.
    pub async fn put_tenant(&self, tenant: &Tenant, now: SystemTime) -> Result<()> {
        transact!(self, |tx| admin::put_tenant(tx, tenant, now))
    }

    /// Removes a tenant with its grants; false when no tenant has this id.
    pub async fn remove_tenant(&self, id: &str, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| admin::remove_tenant(tx, id, now))
    }

    /// Suspends one client of a tenant, or ends its suspension. A GUID counts in any case, another name
    /// letter for letter.
    ///
    /// # Errors
    /// [`StoreError::Invalid`](crate::StoreError::Invalid) when the client's name is empty or has white
    /// space.
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
    ///
    /// # Errors
    /// [`StoreError::Invalid`](crate::StoreError::Invalid) for a client's name as in
    /// [`suspend_client`](Self::suspend_client), and for a last day before the first.
    pub async fn add_grant(&self, grant: &Grant, now: SystemTime) -> Result<Option<i64>> {
        transact!(self, |tx| admin::add_grant(tx, grant, now))
    }

    /// Takes a grant back; false when no grant has this id.
    pub async fn remove_grant(&self, id: i64, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| admin::remove_grant(tx, id, now))
    }

    /// Makes a new key for asset URLs; URLs that the earlier one signed stay valid until they expire.
    pub async fn rotate_signing_key(&self, now: SystemTime) -> Result<()> {
        transact!(self, |tx| admin::rotate_signing_key(tx, now))
    }

    /// Removes unreferenced blobs that were not put or used for this long. Removes objects of that age that
    /// no catalogue entry names, which a program left that stopped between the two. Search indexes that no
    /// process builds any more go first.
    pub async fn gc(&self, grace_period: Duration, now: SystemTime) -> Result<Collected> {
        self.forget_search_indexes(now).await?;
        let cutoff = now.checked_sub(grace_period).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut collected = Collected::default();
        let mut after = None;
        loop {
            let digests = blob::garbage(self.engine(), after, cutoff, GC_BATCH).await?;
            let Some(last) = digests.last() else { break };
            after = Some(*last);
            collected.add(self.collect(&digests, cutoff).await?);
        }
        let cutoff = cutoff.min(now.checked_sub(PUBLISHING_TAKES).unwrap_or(SystemTime::UNIX_EPOCH));
        collected.add(self.collect_orphans(cutoff).await?);
        Ok(collected)
    }

    /// Removes those of these blobs that nothing refers to, and that were last put or used before `cutoff`.
    pub(crate) async fn collect(&self, digests: &[Digest], cutoff: SystemTime) -> Result<Collected> {
        let mut collected = Collected::default();
        for digests in digests.chunks(GC_BATCH) {
            for (size, key) in transact!(self, |tx| blob::collect(tx, digests, cutoff))? {
                if let (Some(key), Some(objects)) = (key, &self.blobs().objects) {
                    objects.delete(&key).await?;
                }
                collected.blobs += 1;
                collected.bytes += size;
            }
        }
        Ok(collected)
    }

    async fn collect_orphans(&self, cutoff: SystemTime) -> Result<Collected> {
        let mut collected = Collected::default();
        let Some(objects) = &self.blobs().objects else { return Ok(collected) };
        for batch in objects.older_than(cutoff).await?.chunks(GC_BATCH) {
            let named = blob::named(self.engine(), batch.iter().map(|(key, _)| key.as_str())).await?;
            for (key, size) in batch.iter().filter(|(key, _)| !named.contains(key)) {
                objects.delete(key).await?;
                collected.blobs += 1;
                collected.bytes += size;
            }
        }
        Ok(collected)
    }
}
