//! Verification of all blobs against their digests, for a backup, a copy or a bucket.

use std::collections::HashSet;

use norma_model::{Digest, Urn};

use crate::catalogue::{blob, publish};
use crate::{Error, Result, Store};

/// Editions that are asked for at once.
const EDITION_BATCH: u32 = 500;

/// How far a verification has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Editions looked at.
    pub editions: u64,
    /// Blobs read; one that several editions share counts once.
    pub blobs: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Blobs that are missing or are not what they were.
    pub damaged: u64,
}

impl Store {
    /// Reads every blob that an edition refers to and compares it with its digest. `progress` is called after each
    /// edition, and for each damaged blob.
    ///
    /// # Errors
    /// Those of the engine; a damaged blob is counted and reported, and stops nothing.
    pub async fn verify(
        &self,
        progress: &mut (dyn FnMut(Verified, Option<&str>) + Send),
    ) -> Result<Verified> {
        let mut done = Verified::default();
        let mut checked: HashSet<Digest> = HashSet::new();
        let mut after: Option<Urn> = None;
        loop {
            let batch = self.editions(after.as_ref(), EDITION_BATCH).await?;
            let Some(last) = batch.last() else { return Ok(done) };
            after = Some(last.urn.clone());
            for edition in &batch {
                // One that was removed since it was listed has none.
                let stored = publish::read_one(self.engine(), &edition.urn).await?;
                for digest in stored.map(|stored| stored.blobs()).transpose()?.unwrap_or_default() {
                    if !checked.insert(digest) {
                        continue;
                    }
                    let row = blob::find(self.engine(), &digest).await?;
                    let damage = match &row {
                        None => Some(format!("the blob {digest} is missing")),
                        Some(row) => match self.blobs().verify(self.engine(), row, |_| {}).await {
                            Ok(()) => {
                                done.bytes += row.layout.size();
                                None
                            }
                            Err(Error::Corrupt(why)) => Some(why),
                            Err(error) => return Err(error),
                        },
                    };
                    done.blobs += 1;
                    if let Some(damage) = damage {
                        done.damaged += 1;
                        let (urn, origin) = (&edition.urn, &edition.origin);
                        progress(
                            done,
                            Some(&format!("{urn}: {damage}; put it back: `norma ingest --repair {origin}`")),
                        );
                    }
                }
                done.editions += 1;
                progress(done, None);
            }
        }
    }
}
