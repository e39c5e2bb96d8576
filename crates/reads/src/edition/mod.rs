//! Authorized edition: its catalogue entry and its views, which are read from its pack.

mod amended_by;
mod amendments;
mod bodies;
mod headings;
mod lineage;
mod own_text;
mod pieces;
mod reserve;
mod stored_json;
mod view_items;

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use norma_api::shapes::{Lineage, RelatedEdition, StandardSummary, Status, StatusReason};
use norma_editions::pack;
use norma_model::{Asset, Digest};
use norma_render::{Offsets, PackDirectory, PackIndex, PackPart, Plan, Stored};
use norma_store::{BlobReader, EditionHandle, GrantedEdition};
use tokio::sync::OnceCell;

pub(crate) use self::amended_by::{AmendedBy, AmendedItem, member};
pub(crate) use self::amendments::VisibleAmendments;
pub(crate) use self::bodies::{Coded, ViewFront};
pub(crate) use self::headings::{SectionHeading, outline_of, with_those_around};
pub(crate) use self::lineage::{FoundLineage, labelled};
pub use self::pieces::StoredPieces;
use self::pieces::{Assembled, Fragments, SEGMENT, StoredBytes};
pub(crate) use self::view_items::ViewItems;
use crate::Failure;
use crate::failed::{failed, unlicensed};
use crate::gzip::gzip;
use crate::services::RequestServices;
use crate::summary;
use crate::word_filter::WordFilter;

/// An edition that the access step allows its caller to use.
pub(crate) struct AuthorizedEdition {
    granted: GrantedEdition,
    /// The request names the canonical URN.
    is_exact: bool,
    /// `None`: a later version of Norma wrote the pack.
    directory: Option<PackDirectory>,
    offsets: OnceCell<Arc<Offsets>>,
    index: OnceCell<Arc<PackIndex>>,
    /// Set once the request has reserved memory for working on fragments.
    reserved: OnceCell<()>,
    services: RequestServices,
}

/// A provision and its context, each as JSON.
pub(crate) struct ProvisionContext {
    /// The provision as it is stored.
    pub(crate) provision: Bytes,
    /// The section of the provision, as in the content.
    pub(crate) section: Bytes,
    /// The names of the sections around it, outermost first.
    pub(crate) ancestors: Vec<String>,
    /// The lineage; `None` while the document waits for its lineages.
    pub(crate) lineage: Option<Lineage<'static>>,
}

impl AuthorizedEdition {
    /// To be called where the store granted the edition: by the access step, and for the lineages of an
    /// edition that it gave.
    pub(crate) fn new(granted: GrantedEdition, is_exact: bool, services: &RequestServices) -> Arc<Self> {
        let directory = PackDirectory::parse(&granted.entry().directory);
        Arc::new(Self {
            granted,
            is_exact,
            directory,
            offsets: OnceCell::new(),
            index: OnceCell::new(),
            reserved: OnceCell::new(),
            services: services.clone(),
        })
    }

    /// The same edition for a part of the request that is made alone: its memory is given back before the
    /// next part.
    pub(crate) fn for_part(&self) -> Arc<Self> {
        let memory = self.services.memory.for_part();
        let services = RequestServices { memory, ..self.services.clone() };
        Self::new(self.granted.clone(), self.is_exact, &services)
    }

    /// The canonical URN of the edition.
    pub(crate) fn urn(&self) -> &str {
        self.granted.entry().summary.urn.as_str()
    }

    /// Names the state of its source and derivation.
    pub(crate) fn revision(&self) -> &str {
        &self.granted.entry().revision
    }

    /// The date of publication that it states.
    pub(crate) fn published_on(&self) -> Option<&str> {
        self.granted.entry().summary.published_on.as_ref().map(|date| date.as_str())
    }

    /// The status that the catalogue gives the edition: in force, withdrawn, and so on.
    pub(crate) fn status(&self) -> Status {
        self.granted.entry().status.into()
    }

    /// Why it is in force again, as far as the caller may know.
    pub(crate) fn status_reason(&self) -> Option<StatusReason> {
        self.granted.has_recalled_successor().then_some(StatusReason::SuccessorRecalled)
    }

    /// The time when the catalogue last changed for this edition.
    pub(crate) fn updated(&self) -> Option<Timestamp> {
        Timestamp::try_from(self.granted.entry().updated).ok()
    }

    /// The item of a list for this edition, with the caller's access level.
    pub(crate) fn summary(&self) -> StandardSummary<'_> {
        summary::of_entry(self.granted.entry(), self.granted.level())
    }

    /// Related editions that the caller may see.
    pub(crate) fn related(&self) -> Vec<RelatedEdition<'static>> {
        let mut related = Vec::new();
        for other in self.granted.related() {
            related.push(RelatedEdition {
                kind: summary::relation(other.kind),
                urn: other.urn.to_string().into(),
                reference: other.reference.into(),
            });
        }
        related
    }

    /// True if the request names the canonical URN. Else the answer says which edition was meant.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The asset with this digest.
    pub(crate) fn asset(&self, digest: &Digest) -> Option<&Asset> {
        self.granted.entry().asset(digest)
    }

    /// As the store granted it.
    pub(crate) fn granted(&self) -> &GrantedEdition {
        &self.granted
    }

    /// This number of levels of the section hierarchy, in JSON.
    pub(crate) async fn hierarchy(&self, depth: u32) -> Result<Bytes, Failure> {
        let size = self.directory()?.part(PackPart::Sections).size;
        self.services.memory.add(size.saturating_mul(2)).await?;
        let cut = move |bytes: Bytes| Ok(stored_json::of_depth(&bytes, depth).into());
        self.read_part(PackPart::Sections, cut).await?.map_err(failed)
    }

    /// The index, in which sections, provisions and graphics are found.
    pub(crate) async fn index(&self) -> Result<Arc<PackIndex>, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let index =
            self.index.get_or_try_init(|| self.parsed(PackPart::Index, PackIndex::from_bytes)).await?;
        Ok(Arc::clone(index))
    }

    /// The provisions among these whose text has the words of the filter, by their indexes in ascending
    /// order.
    pub(crate) async fn matching(&self, indexes: Vec<u32>, words: WordFilter) -> Result<Vec<u32>, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let reader = self.reader().await?;
        let _step = self.services.trace.step("filter");
        reader.matching(&indexes, &Arc::new(words)).await
    }

    /// The JSON of a few provisions, by their indexes.
    pub(crate) async fn fragments(&self, indexes: &[u32]) -> Result<Vec<Bytes>, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let offsets = self.offsets().await?;
        let mut reader = self.reader().await?;
        let _step = self.services.trace.step("compose");
        let mut fragments = Vec::with_capacity(indexes.len());
        for &index in indexes {
            let range = offsets.item(index as usize);
            let range = range.ok_or_else(|| self.unreadable(PackPart::Provisions.name()))?;
            // A copy: a slice keeps its whole segment in memory.
            fragments.push(Bytes::copy_from_slice(&reader.read(PackPart::Provisions, range).await?));
        }
        Ok(fragments)
    }

    /// The provision at this index of the document order, with its context and with this lineage.
    pub(crate) async fn provision(
        &self,
        index: usize,
        lineage: Option<&FoundLineage>,
    ) -> Result<ProvisionContext, Failure> {
        self.expect_readable()?;
        let content = self.directory()?.part(PackPart::Content).size.min(SEGMENT);
        let others = lineage.map_or(0, FoundLineage::memory);
        let own = self.fragment_memory()?.saturating_add(content);
        self.services.memory.add(own.saturating_add(others)).await?;
        let lineage = match lineage {
            Some(lineage) => Some(lineage.labelled().await?),
            None => None,
        };
        let offsets = self.offsets().await?;
        let mut reader = self.reader().await?;
        let _step = self.services.trace.step("compose");
        let damaged = || self.unreadable("a provision");
        let around = offsets.section_of(index).ok_or_else(damaged)?;
        let of_provision = offsets.item(index).ok_or_else(damaged)?;
        let provision = reader.read(PackPart::Provisions, of_provision).await?;
        let of_section = offsets.section(around).ok_or_else(damaged)?;
        let section = reader.read(PackPart::Content, of_section).await?;
        Ok(ProvisionContext { provision, section, ancestors: ancestors(offsets, around), lineage })
    }

    /// The JSON of the table at this index of the document order.
    pub(crate) async fn table(&self, index: usize) -> Result<Bytes, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let offsets = self.parsed(PackPart::TableOffsets, Offsets::from_bytes).await?;
        let range = offsets.item(index).ok_or_else(|| self.unreadable(PackPart::Tables.name()))?;
        // The JSON as it is stored, and what is made of it.
        self.services.memory.add(3 * (range.end - range.start)).await?;
        let mut reader = Fragments::new(self.pack(), self.directory()?, &offsets, &self.services);
        let _step = self.services.trace.step("compose");
        reader.read(PackPart::Tables, range).await
    }

    /// The JSON of the section at this index of the document order, as in the content.
    pub(crate) async fn section(&self, index: usize) -> Result<Bytes, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let range = self.offsets().await?.section(index).ok_or_else(|| self.unreadable("a section"))?;
        self.reader().await?.read(PackPart::Content, range).await
    }

    /// The JSON of all terms.
    pub(crate) async fn terms(&self) -> Result<Bytes, Failure> {
        self.expect_readable()?;
        self.services.memory.add(self.directory()?.part(PackPart::Terms).size.saturating_mul(3)).await?;
        self.part(PackPart::Terms).await
    }

    /// The bytes of one of its assets, to be read piece by piece.
    pub(crate) async fn asset_bytes(&self, digest: &Digest) -> Result<Arc<StoredPieces>, Failure> {
        let blob = self.expect_readable()?.asset(digest).await.map_err(failed)?;
        let blob = blob.ok_or_else(|| self.unreadable("a picture"))?;
        Ok(StoredBytes { blob, start: 0 }.into())
    }

    /// The failure for a pack that a later version of Norma wrote, or for a damaged store.
    pub(crate) fn unreadable(&self, what: &str) -> Failure {
        Failure::unreadable(format_args!("{what} of {} cannot be read", self.granted.entry().summary.urn))
    }

    /// Refuses content to a caller who may only discover the edition, whatever its operation declares.
    fn expect_readable(&self) -> Result<EditionHandle, Failure> {
        self.granted.readable().ok_or_else(|| unlicensed(&self.granted.entry().summary.urn))
    }

    fn directory(&self) -> Result<&PackDirectory, Failure> {
        self.directory.as_ref().ok_or_else(|| self.unreadable("the directory"))
    }

    fn pack(&self) -> BlobReader {
        self.granted.pack()
    }

    /// The JSON of the provision with this ordinal; its memory is already reserved.
    async fn fragment(&self, ordinal: usize) -> Result<Bytes, Failure> {
        self.expect_readable()?;
        let range = self.offsets().await?.item(ordinal).ok_or_else(|| self.unreadable("a provision"))?;
        self.reader().await?.read(PackPart::Provisions, range).await
    }

    /// The bytes of a plan, in this number.
    fn assembled(&self, plan: Plan, size: u64) -> Result<Assembled, Failure> {
        Ok(Assembled::new(self.pack(), (plan, size), self.directory()?, self.services.slots.clone()))
    }

    /// All bytes that come of a plan.
    async fn assemble(&self, plan: Plan, size: u64) -> Result<Bytes, Failure> {
        let _step = self.services.trace.step("compose");
        self.assembled(plan, size)?.all().await
    }

    /// Bytes that were made for the request, in gzip.
    async fn compressed(&self, identity: Bytes) -> Result<Bytes, Failure> {
        let _step = self.services.trace.step("compress");
        let size = identity.len() as u64;
        self.services.slots.run_sized(size, move || gzip(&identity)).await
    }

    async fn reader(&self) -> Result<Fragments<'_>, Failure> {
        Ok(Fragments::new(self.pack(), self.directory()?, self.offsets().await?, &self.services))
    }

    /// The identity bytes of a part.
    async fn part(&self, part: PackPart) -> Result<Bytes, Failure> {
        self.read_part(part, Ok).await?.map_err(failed)
    }

    async fn offsets(&self) -> Result<&Arc<Offsets>, Failure> {
        self.offsets.get_or_try_init(|| self.parsed(PackPart::Offsets, Offsets::from_bytes)).await
    }

    /// The result of `read` for the identity bytes of a part.
    async fn parsed<T: Send + 'static>(
        &self,
        part: PackPart,
        read: fn(&[u8]) -> Option<T>,
    ) -> Result<Arc<T>, Failure> {
        self.expect_readable()?;
        let read = move |bytes: Bytes| Ok(read(&bytes));
        let read = self.read_part(part, read).await?.map_err(failed)?;
        read.map(Arc::new).ok_or_else(|| self.unreadable(part.name()))
    }

    /// Inflates a part and works on it, in a slot if it is large.
    async fn read_part<T: Send + 'static>(
        &self,
        part: PackPart,
        work: impl FnOnce(Bytes) -> Result<T, norma_store::StoreError> + Send + 'static,
    ) -> Result<Result<T, norma_store::StoreError>, Failure> {
        let directory = self.directory()?.clone();
        let _step = self.services.trace.step("read");
        let Stored { range, size, .. } = directory.part(part).clone();
        let pack = self.pack();
        let stored = pack.read(range).await.map_err(failed)?;
        let inflate = move || work(pack::identity(&pack, &directory, part, stored)?);
        Ok(self.services.slots.run_sized(size, inflate).await)
    }
}

/// The headings of the sections around a section, outermost first. One without a heading is left out.
fn ancestors(offsets: &Offsets, section: usize) -> Vec<String> {
    let mut headings = Vec::new();
    let mut above = offsets.parent_of(section);
    while let Some(one) = above {
        headings.extend(offsets.heading(one).map(str::to_owned));
        above = offsets.parent_of(one);
    }
    headings.reverse();
    headings
}
