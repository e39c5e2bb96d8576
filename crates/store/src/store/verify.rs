//! Reading every blob again: what shows that a backup, a copy or a bucket is whole.

use std::collections::HashSet;

use norma_model::{Digest, Urn};

use crate::catalogue::copy;
use crate::catalogue::maintain::Kept;
use crate::{Error, Result, Store};

/// Editions that are asked for at once.
const EDITIONS_AT_ONCE: u32 = 500;

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
    /// Reads every blob that an edition refers to and compares it with its digest. `progress` is told after each
    /// edition, and of each damaged blob.
    ///
    /// # Errors
    /// Those of the engine; a damaged blob is counted and told, and stops nothing.
    pub async fn verify(
        &self,
        progress: &mut (dyn FnMut(Verified, Option<&str>) + Send),
    ) -> Result<Verified> {
        let mut done = Verified::default();
        let mut seen: HashSet<Digest> = HashSet::new();
        let mut after: Option<Urn> = None;
        loop {
            let some = self.editions(after.as_ref(), EDITIONS_AT_ONCE).await?;
            let Some(last) = some.last() else { return Ok(done) };
            after = Some(last.urn.clone());
            for kept in &some {
                for digest in copy::digests_of(self.engine(), &kept.urn).await? {
                    if !seen.insert(digest) {
                        continue;
                    }
                    let damage = match self.blobs().verify(self.engine(), &digest, |_, _| {}).await {
                        Ok(Some(size)) => {
                            done.bytes += size;
                            None
                        }
                        Ok(None) => Some(format!("the blob {digest} is missing")),
                        Err(Error::Corrupt(why)) => Some(why),
                        Err(error) => return Err(error),
                    };
                    done.blobs += 1;
                    if let Some(damage) = damage {
                        done.damaged += 1;
                        let remedy = self.remedy(kept, &digest).await?;
                        progress(done, Some(&format!("{}: {damage}; {remedy}", kept.urn)));
                    }
                }
                done.editions += 1;
                progress(done, None);
            }
        }
    }

    /// How what this blob holds can be had again.
    async fn remedy(&self, kept: &Kept, digest: &Digest) -> Result<String> {
        let entry = self.entry(&kept.urn).await?;
        let is_asset = entry.is_some_and(|entry| entry.asset(digest).is_some());
        Ok(if *digest == kept.source || is_asset {
            format!("it came with the document: `norma ingest --mend {}`", kept.origin)
        } else {
            format!("it was derived: `norma rebuild {}`", kept.urn)
        })
    }
}
