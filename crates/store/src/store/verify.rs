//! Verification of all blobs against their digests and of the catalogue against its checksums, for a backup,
//! a copy or a bucket.

use std::collections::{BTreeSet, HashSet};

use norma_model::{Digest, Urn};

use crate::catalogue::{blob, lineage_verify, publish};
use crate::{Result, Store, StoreError};

/// Editions of one query.
const EDITION_BATCH: u32 = 500;

/// Progress of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Editions looked at.
    pub editions: u64,
    /// Blobs read; one that several editions share counts once.
    pub blobs: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Comparisons and partitions into lineages read.
    pub records: u64,
    /// Blobs that are missing or damaged, and damaged rows of the catalogue.
    pub damaged: u64,
}

impl Store {
    /// Reads every referenced blob and compares it with its digest. Then compares the rows of the edition,
    /// with its directory and its list of ids, and those of comparisons and lineages, with their checksums.
    /// `progress` is called after each edition, and for each damage.
    ///
    /// # Errors
    /// Those of the engine; a damage is counted and reported, and stops nothing.
    pub async fn verify(
        &self,
        progress: &mut (dyn FnMut(Verified, Option<&str>) + Send),
    ) -> Result<Verified> {
        let mut done = Verified::default();
        let mut checked: HashSet<Digest> = HashSet::new();
        let mut after: Option<Urn> = None;
        loop {
            let batch = self.editions(after.as_ref(), EDITION_BATCH).await?;
            let Some(last) = batch.last() else { break };
            after = Some(last.urn.clone());
            for edition in &batch {
                // One that was removed since it was listed has none.
                let stored = publish::read_one(self.engine(), &edition.urn).await?;
                let (urn, origin) = (&edition.urn, &edition.origin);
                let mut report = |done: &mut Verified, damage: &str| {
                    done.damaged += 1;
                    let hint = format!("put it back: `norma ingest --repair {origin}`");
                    progress(*done, Some(&format!("{urn}: {damage}; {hint}")));
                };
                let blobs =
                    match stored.as_ref().map(|stored| stored.expect_whole().and_then(|()| stored.blobs())) {
                        Some(Ok(blobs)) => blobs,
                        Some(Err(StoreError::Corrupt(why))) => {
                            report(&mut done, &why);
                            // Its pack, where its pictures cannot be known.
                            stored.iter().map(|stored| stored.pack).collect()
                        }
                        Some(Err(error)) => return Err(error),
                        None => BTreeSet::new(),
                    };
                for digest in blobs {
                    if !checked.insert(digest) {
                        continue;
                    }
                    let row = blob::find(self.engine(), &digest).await;
                    let damage = match &row {
                        Err(StoreError::Corrupt(why)) => Some(why.clone()),
                        Err(error) => return Err(error.clone()),
                        Ok(None) => Some(format!("the blob {digest} is missing")),
                        Ok(Some(row)) => match self.blobs().verify(self.engine(), row, |_| {}).await {
                            Ok(()) => {
                                done.bytes += row.layout.size();
                                None
                            }
                            Err(StoreError::Corrupt(why)) => Some(why),
                            Err(error) => return Err(error),
                        },
                    };
                    done.blobs += 1;
                    if let Some(damage) = damage {
                        report(&mut done, &damage);
                    }
                }
                done.editions += 1;
                progress(done, None);
            }
        }
        let (records, damaged) = lineage_verify::verify(self.engine()).await?;
        done.records = records;
        for damage in damaged {
            done.damaged += 1;
            progress(done, Some(&format!("{damage}; it is made again when it is needed")));
        }
        Ok(done)
    }
}
