//! Verification of all blobs against their digests and of the catalogue against its checksums, for a backup,
//! a copy or a bucket.

use std::collections::{BTreeSet, HashSet};

use norma_model::{Digest, Urn};

use crate::catalogue::{blob, earlier, lineage_verify, publish};
use crate::{Result, Store, StoreError, StoredEdition};

/// Editions of one query.
const EDITION_BATCH: u32 = 500;

/// Progress of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Editions whose rows and blobs were looked at.
    pub editions: u64,
    /// Blobs read; one that several editions share counts once.
    pub blobs: u64,
    /// Bytes of the blobs that are whole.
    pub bytes: u64,
    /// Earlier revisions, comparisons and partitions into lineages read.
    pub records: u64,
    /// Blobs that are missing or damaged, and damaged rows of the catalogue.
    pub damaged: u64,
}

struct Verification<'a> {
    done: Verified,
    /// Blobs that were read, by which editions share them.
    read: HashSet<Digest>,
    progress: &'a mut (dyn FnMut(Verified, Option<&str>) + Send),
}

impl Verification<'_> {
    fn report(&mut self, damage: &str) {
        self.done.damaged += 1;
        (self.progress)(self.done, Some(damage));
    }

    /// Reports a damage of an edition that another ingest of it repairs.
    fn report_edition(&mut self, edition: &StoredEdition, damage: &str) {
        let StoredEdition { urn, origin, .. } = edition;
        let hint = format!("put it back: `norma ingest --repair {origin}`");
        let damage: &str = &format!("{urn}: {damage}; {hint}");
        self.report(damage);
    }
}

impl Store {
    /// Reads every referenced blob and compares it with its digest. Then compares the rows of the edition,
    /// with its directory, its list of ids and its earlier revisions, and those of comparisons and lineages,
    /// with their checksums. `progress` is called after each edition, and for each damage.
    ///
    /// # Errors
    /// Those of the engine; a damage is counted and reported, and stops nothing.
    pub async fn verify(
        &self,
        progress: &mut (dyn FnMut(Verified, Option<&str>) + Send),
    ) -> Result<Verified> {
        let mut run = Verification { done: Verified::default(), read: HashSet::new(), progress };
        let mut after: Option<Urn> = None;
        loop {
            let batch = self.editions(after.as_ref(), EDITION_BATCH).await?;
            let Some(last) = batch.last() else { break };
            after = Some(last.urn.clone());
            for edition in &batch {
                self.verify_edition(&mut run, edition).await?;
                run.done.editions += 1;
                (run.progress)(run.done, None);
            }
        }
        self.verify_search_sets(&mut run).await?;
        let (records, damaged) = lineage_verify::verify(self.engine()).await?;
        run.done.records += records;
        for damage in damaged {
            run.report(&format!("{damage}; it is made again when it is needed"));
        }
        Ok(run.done)
    }

    /// Reads the parts of search indexes. An index of which one is damaged is to be built again.
    async fn verify_search_sets(&self, run: &mut Verification<'_>) -> Result<()> {
        for file in self.search_sets().await?.iter().flat_map(|(_, set)| &set.files) {
            for part in &file.parts {
                run.done.blobs += 1;
                match self.blob_verified(part).await {
                    Ok(Some(blob)) => run.done.bytes += blob.size(),
                    // Another set was published meanwhile.
                    Ok(None) => {}
                    Err(StoreError::Corrupt(why)) => {
                        run.report(&format!("search index: {why}; build it again: `norma search rebuild`"));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    async fn verify_edition(&self, run: &mut Verification<'_>, edition: &StoredEdition) -> Result<()> {
        for digest in self.verify_rows(run, edition).await? {
            // A blob that several editions share is read once.
            if run.read.insert(digest) {
                self.verify_blob(run, edition, &digest).await?;
            }
        }
        match earlier::rows(self.engine(), &edition.urn).await {
            Ok(rows) => run.done.records += rows.len() as u64,
            Err(StoreError::Corrupt(why)) => run.report(&format!("{why}; it can no longer be compared")),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Compares the rows of an edition with their checksums, and returns the digests of its blobs as far as
    /// they are known.
    async fn verify_rows(
        &self,
        run: &mut Verification<'_>,
        edition: &StoredEdition,
    ) -> Result<BTreeSet<Digest>> {
        // An edition that was removed since it was listed has no rows.
        let Some(stored) = publish::read_one(self.engine(), &edition.urn).await? else {
            return Ok(BTreeSet::new());
        };
        match stored.expect_whole().and_then(|()| stored.blobs()) {
            Ok(blobs) => Ok(blobs),
            Err(StoreError::Corrupt(why)) => {
                run.report_edition(edition, &why);
                // The rows may name wrong pictures. The pack has a column of its own.
                Ok(BTreeSet::from([stored.pack]))
            }
            Err(error) => Err(error),
        }
    }

    async fn verify_blob(
        &self,
        run: &mut Verification<'_>,
        edition: &StoredEdition,
        digest: &Digest,
    ) -> Result<()> {
        let verified = match blob::find(self.engine(), digest).await {
            Ok(Some(row)) => {
                let verified = self.blobs().verify(self.engine(), &row, |_| {}).await;
                verified.map(|()| row.layout.size())
            }
            Ok(None) => Err(StoreError::Corrupt(format!("the blob {digest} is missing"))),
            Err(error) => Err(error),
        };
        run.done.blobs += 1;
        match verified {
            Ok(bytes) => run.done.bytes += bytes,
            Err(StoreError::Corrupt(why)) => run.report_edition(edition, &why),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
