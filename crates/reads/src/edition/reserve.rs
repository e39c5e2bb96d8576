//! Reservations of memory: upper bounds for answers about an edition while they are made.

use norma_api::media::View;
use norma_render::{Assembly, PackPart, Stored};

use super::AuthorizedEdition;
use super::pieces::{FILTERED, SEGMENT};
use crate::Failure;
use crate::body::MAX_BUFFERED;

impl AuthorizedEdition {
    /// Most bytes of memory for parts once they are parsed.
    pub(super) fn parsed_memory(&self, parts: &[PackPart]) -> Result<u64, Failure> {
        let directory = self.directory()?;
        let mut stored: u64 = 0;
        for part in parts {
            stored += directory.part(*part).size;
        }
        Ok(stored.saturating_mul(PARSED))
    }

    /// Most bytes of memory for finding, filtering and sending items.
    fn working_memory(&self) -> Result<u64, Failure> {
        let directory = self.directory()?;
        let mut largest = 0;
        for part in [PackPart::Content, PackPart::Provisions, PackPart::Tables] {
            largest = directory.part(part).size.max(largest);
        }
        // The answer, and the same in gzip.
        let work = FILTERED + 2 * SEGMENT + Assembly::MEMORY as u64 + 2 * MAX_BUFFERED;
        Ok(self.parsed_memory(&[PackPart::Index, PackPart::Offsets])?.saturating_add(work.min(4 * largest)))
    }

    /// Reserves the memory for work on this edition, once for the request.
    pub(super) async fn reserve_work(&self) -> Result<(), Failure> {
        self.reserve_work_with(&[], 0).await
    }

    /// Reserves the memory for work on this edition and on others, and this many bytes more, at once: a
    /// request never waits while it holds a part of it.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) async fn reserve_work_with(&self, others: &[&Self], more: u64) -> Result<(), Failure> {
        let reserve = async || {
            let mut sum = self.working_memory()?.saturating_add(more);
            for other in others {
                sum = sum.saturating_add(other.working_memory()?);
            }
            self.services.memory.add(sum).await
        };
        self.reserved.get_or_try_init(reserve).await?;
        for other in others {
            // One that has reserved memory before is set already.
            let _ = other.reserved.set(());
        }
        Ok(())
    }

    /// Reserves this many bytes more, in addition to those for work on the edition.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) async fn reserve_more(&self, bytes: u64) -> Result<(), Failure> {
        self.services.memory.add(bytes).await
    }

    /// Most bytes of memory for reading one provision.
    pub(super) fn fragment_memory(&self) -> Result<u64, Failure> {
        let segment = self.directory()?.part(PackPart::Provisions).size.min(SEGMENT);
        Ok(self.parsed_memory(&[PackPart::Offsets])?.saturating_add(segment))
    }

    /// Most bytes of memory for making the identity bytes of a view, in addition to these.
    pub(super) fn memory_of(&self, view: View) -> Result<u64, Failure> {
        match PackPart::of(view) {
            Some(part) => {
                let Stored { range, .. } = self.directory()?.part(part);
                Ok(range.end - range.start)
            }
            None => Ok(self.parsed_memory(&[PackPart::Offsets])?.saturating_add(Assembly::MEMORY as u64)),
        }
    }
}

/// Most bytes of memory for each byte of a stored index or of stored offsets.
const PARSED: u64 = 16;
