//! Authorized edition: its catalogue entry and its views, which are read from its pack.

mod bodies;
mod found;
mod lineage;
mod pieces;
mod reserve;

use std::sync::Arc;

use crate::{
    AuthorizedEdition, Body, Coded, Failure, Fits, Lineages, ProvisionContext, ProvisionLineage, StoredPieces,
};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures::future::BoxFuture;
use jiff::Timestamp;
use norma_api::media::{ContentCoding, View};
use norma_api::shapes::{RelatedEdition, StandardSummary, Status};
use norma_editions::pack;
use norma_model::{Asset, Digest, LineageId, ProvisionId};
use norma_render::{MIN_COMPRESSED, Offsets, PackDirectory, PackIndex, PackPart, Plan, Stored};
use norma_store::{BlobReader, EditionHandle, GrantedEdition};
use tokio::sync::OnceCell;

use self::bodies::{RequestedFields, are_in_head};
use self::found::FoundIndex;
use self::pieces::{Assembled, AssembledBytes, Fragments, Raw, SEGMENT};
use crate::convert;
use crate::failed::{failed, unlicensed};
use crate::representation::{MAX_BUFFERED, MIN_COMPRESSED_ANSWER};
use crate::services::RequestServices;

pub use self::lineage::labelled;

/// An edition that the access step allows its caller to use.
pub struct Authorized {
    pub(crate) granted: GrantedEdition,
    /// Whether the request names its canonical URN.
    exact: bool,
    /// `None`: a later version of Norma wrote the pack.
    pub(crate) directory: Option<PackDirectory>,
    offsets: OnceCell<Arc<Offsets>>,
    index: OnceCell<Arc<FoundIndex>>,
    /// Set once the request has reserved memory for working on fragments.
    pub(crate) reserved: OnceCell<()>,
    pub(crate) services: RequestServices,
}

impl Authorized {
    /// To be called by the access step only.
    pub fn new(granted: GrantedEdition, exact: bool, services: &RequestServices) -> Self {
        let directory = PackDirectory::parse(&granted.entry().directory);
        Self {
            granted,
            exact,
            directory,
            offsets: OnceCell::new(),
            index: OnceCell::new(),
            reserved: OnceCell::new(),
            services: services.clone(),
        }
    }

    /// Refuses content to a caller who may only discover the edition, whatever its operation declares.
    pub(crate) fn expect_readable(&self) -> Result<EditionHandle, Failure> {
        self.granted.readable().ok_or_else(|| unlicensed(&self.granted.entry().summary.urn))
    }

    /// Refuses tables of an edition that was stored before tables were data.
    fn expect_tables(&self) -> Result<(), Failure> {
        match self.directory()?.part(PackPart::Tables).size {
            0 => Err(Failure::before_rebuild("tables can be read")),
            _ => Ok(()),
        }
    }

    pub(crate) fn directory(&self) -> Result<&PackDirectory, Failure> {
        self.directory.as_ref().ok_or_else(|| self.unreadable("the directory"))
    }

    pub(crate) fn pack(&self) -> BlobReader {
        self.granted.pack()
    }

    /// The JSON of the provision with this ordinal; its memory is already reserved.
    pub(crate) async fn fragment(&self, ordinal: usize) -> Result<Bytes, Failure> {
        self.expect_readable()?;
        let range = self.offsets().await?.item(ordinal).ok_or_else(|| self.unreadable("a provision"))?;
        self.reader().await?.read(PackPart::Provisions, range).await
    }

    /// The bytes of a plan, in this number.
    pub(crate) fn assembled(&self, plan: Plan, size: u64) -> Result<Assembled, Failure> {
        Ok(Assembled::new(self.pack(), (plan, size), self.directory()?, self.services.slots.clone()))
    }

    /// All bytes that come of a plan.
    pub(crate) async fn assemble(&self, plan: Plan, size: u64) -> Result<Bytes, Failure> {
        let _step = self.services.trace.step("compose");
        self.assembled(plan, size)?.all().await
    }

    /// Bytes that were made for the request, in gzip.
    async fn compressed(&self, identity: Bytes) -> Result<Bytes, Failure> {
        let _step = self.services.trace.step("compress");
        let size = identity.len() as u64;
        self.services.slots.run_sized(size, move || crate::gzip(&identity)).await
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

    async fn reader(&self) -> Result<Fragments<'_>, Failure> {
        Ok(Fragments::new(self.pack(), self.directory()?, self.offsets().await?, &self.services))
    }

    /// The identity bytes of a part.
    pub(crate) async fn part(&self, part: PackPart) -> Result<Bytes, Failure> {
        self.read_part(part, Ok).await?.map_err(failed)
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

    pub(crate) async fn offsets(&self) -> Result<&Arc<Offsets>, Failure> {
        self.offsets.get_or_try_init(|| self.parsed(PackPart::Offsets, Offsets::from_bytes)).await
    }

    async fn read_index(&self) -> Result<&Arc<FoundIndex>, Failure> {
        let read = |bytes: &[u8]| PackIndex::from_bytes(bytes).map(FoundIndex);
        self.index.get_or_try_init(|| self.parsed(PackPart::Index, read)).await
    }

    /// The failure for a pack that a later version of Norma wrote, or for a damaged store.
    pub(crate) fn unreadable(&self, what: &str) -> Failure {
        Failure::unreadable(format_args!("{what} of {} cannot be read", self.granted.entry().summary.urn))
    }
}

impl AuthorizedEdition for Authorized {
    fn urn(&self) -> &str {
        self.granted.entry().summary.urn.as_str()
    }

    fn revision(&self) -> &str {
        &self.granted.entry().revision
    }

    fn status(&self) -> Status {
        self.granted.entry().status.into()
    }

    fn updated(&self) -> Option<Timestamp> {
        Timestamp::try_from(self.granted.entry().updated).ok()
    }

    fn summary(&self) -> StandardSummary<'_> {
        convert::entry(self.granted.entry(), self.granted.level())
    }

    fn related(&self) -> Vec<RelatedEdition<'static>> {
        let related = self.granted.related().into_iter();
        related
            .map(|other| RelatedEdition {
                kind: convert::related(other.kind),
                urn: other.urn.to_string().into(),
                reference: other.reference.into(),
            })
            .collect()
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn asset(&self, digest: &Digest) -> Option<&Asset> {
        self.granted.entry().asset(digest)
    }

    fn codings(&self, view: View) -> Vec<ContentCoding> {
        let has_gzip = self.directory.as_ref().is_some_and(|directory| match PackPart::of(view) {
            Some(part) => directory.part(part).compressed,
            None => directory.size(view) >= MIN_COMPRESSED as u64,
        });
        let gzip = has_gzip.then_some(ContentCoding::Gzip);
        gzip.into_iter().chain([ContentCoding::Identity]).collect()
    }

    fn view<'e>(
        &'e self,
        view: View,
        fields: RequestedFields<'e>,
        coding: ContentCoding,
        live_fields: Option<Vec<u8>>,
    ) -> Result<Coded<'e>, Failure> {
        if view != View::Sections && !fields.is_some_and(are_in_head) {
            self.expect_readable()?;
        }
        if view == View::Tables {
            self.expect_tables()?;
        }
        let directory = self.directory()?;
        let front = live_fields.map_or(Bytes::from_static(b"{"), Bytes::from);
        if let Some(part) = PackPart::of(view) {
            let stored = directory.part(part);
            let (checksum, body) = match coding {
                ContentCoding::Gzip => (stored.tag, self.stored(stored)),
                ContentCoding::Identity => {
                    (stored.identity_tag, self.made(view, None, front, stored.size, coding))
                }
            };
            let tag = [&*HEXLOWER.encode(&checksum.to_be_bytes()), ".", coding.name()].concat();
            return Ok(Coded { tag, body });
        }
        let (pack, coded) = (&self.granted.entry().pack.hex()[..TAG_DIGITS], coding.name());
        let picked = fields.map(|fields| fields.join(",")).unwrap_or_default();
        let made_of = [crate::VERSION.as_bytes(), picked.as_bytes(), &front].concat();
        let tag = format!("{pack}.{}.{}.{coded}", view.name(), crate::digest(&made_of));
        let body = match fields {
            None => {
                // The opening brace is one byte of both.
                let replaced = if view.has_live_fields() { front.len() as u64 - 1 } else { 0 };
                let size = directory.size(view).saturating_add(replaced);
                self.made(view, None, front, size, coding)
            }
            Some(picked) => Body::deferred(async move {
                let front = self.front(picked, front).await?;
                let size = self.plan(view, fields, front.clone()).await?.size();
                Ok(self.made(view, fields, front, size, coding))
            }),
        };
        Ok(Coded { tag, body })
    }

    fn hierarchy(&self, depth: u32) -> BoxFuture<'_, Result<Bytes, Failure>> {
        Box::pin(async move {
            self.services
                .memory
                .add(self.directory()?.part(PackPart::Sections).size.saturating_mul(2))
                .await?;
            let cut = move |bytes: Bytes| Ok(crate::of_depth(&bytes, depth).into());
            self.read_part(PackPart::Sections, cut).await?.map_err(failed)
        })
    }

    fn index(&self) -> BoxFuture<'_, Result<Arc<dyn crate::EditionLookup>, Failure>> {
        Box::pin(async {
            self.expect_readable()?;
            self.reserve_work().await?;
            Ok(self.read_index().await?.clone() as Arc<dyn crate::EditionLookup>)
        })
    }

    fn items(
        &self,
        view: View,
        front: Bytes,
        (indexes, lineages): (Vec<u32>, Option<Vec<LineageId>>),
        coding: ContentCoding,
    ) -> BoxFuture<'_, Result<Body<'_>, Failure>> {
        Box::pin(async move {
            self.expect_readable()?;
            self.reserve_work().await?;
            let offsets = self.offsets().await?.clone();
            let lineages = lineages.map(Arc::new);
            let part = if view == View::Provisions { PackPart::Provisions } else { PackPart::Content };
            let plan = move |indexes: Vec<u32>| match view {
                View::ContentText => Plan::text(&offsets, indexes.into_iter().map(|index| index as usize)),
                _ => {
                    let lineages = lineages.clone();
                    let lineage = move |index: u32| {
                        let id = lineages.as_ref()?.get(index as usize)?;
                        Some(format!("\"lineage\":{{\"id\":\"{id}\"}},"))
                    };
                    Plan::items(part, front.clone(), &offsets, indexes, lineage)
                }
            };
            let plan = move |indexes| plan(indexes).map_err(|damaged| self.unreadable(damaged.what));
            let size = plan(indexes.clone())?.size();
            let is_gzip = coding == ContentCoding::Gzip && size >= MIN_COMPRESSED_ANSWER;
            if size > MAX_BUFFERED {
                let open = async move {
                    let parsed = self.parsed_memory(&[PackPart::Offsets])?;
                    let assembled = self.assembled(plan(indexes)?, size)?;
                    let assembled = if is_gzip { assembled.in_gzip() } else { assembled };
                    Ok(Arc::new(AssembledBytes::new(assembled, parsed)) as Arc<dyn StoredPieces>)
                };
                let body = Body::Pieces { size: (!is_gzip).then_some(size), open: Box::pin(open) };
                return Ok(if is_gzip { Body::InGzip(Box::new(body)) } else { body });
            }
            if !is_gzip {
                return Ok(Body::lazy_sized(size, async move { self.assemble(plan(indexes)?, size).await }));
            }
            // HEAD does not make it to state its length.
            Ok(Body::InGzip(Box::new(Body::of_get(async move {
                let identity = self.assemble(plan(indexes)?, size).await?;
                self.compressed(identity).await
            }))))
        })
    }

    fn matching(&self, indexes: Vec<u32>, fits: Fits) -> BoxFuture<'_, Result<Vec<u32>, Failure>> {
        Box::pin(async move {
            self.expect_readable()?;
            self.reserve_work().await?;
            let reader = self.reader().await?;
            let _step = self.services.trace.step("filter");
            reader.matching(&indexes, &fits).await
        })
    }

    fn fragments<'a>(&'a self, indexes: &'a [u32]) -> BoxFuture<'a, Result<Vec<Bytes>, Failure>> {
        Box::pin(async move {
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
        })
    }

    fn provision<'a>(
        &'a self,
        index: usize,
        lineage: Option<&'a dyn ProvisionLineage>,
    ) -> BoxFuture<'a, Result<ProvisionContext, Failure>> {
        Box::pin(async move {
            self.expect_readable()?;
            let content = self.directory()?.part(PackPart::Content).size.min(SEGMENT);
            let others = lineage.map_or(0, |lineage| lineage.memory());
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
            let range = offsets.item(index).ok_or_else(damaged)?;
            let provision = reader.read(PackPart::Provisions, range).await?;
            let range = offsets.section(around).ok_or_else(damaged)?;
            let section = reader.read(PackPart::Content, range).await?;
            let above = std::iter::successors(offsets.parent_of(around), |&one| offsets.parent_of(one));
            let mut ancestors: Vec<String> =
                above.filter_map(|one| offsets.heading(one)).map(str::to_owned).collect();
            ancestors.reverse();
            Ok(ProvisionContext { provision, section, ancestors, lineage })
        })
    }

    fn table(&self, index: usize) -> BoxFuture<'_, Result<Bytes, Failure>> {
        Box::pin(async move {
            self.expect_readable()?;
            self.expect_tables()?;
            self.reserve_work().await?;
            let offsets = self.parsed(PackPart::TableOffsets, Offsets::from_bytes).await?;
            let range = offsets.item(index).ok_or_else(|| self.unreadable(PackPart::Tables.name()))?;
            // The JSON as it is stored, and what is made of it.
            self.services.memory.add(3 * (range.end - range.start)).await?;
            let mut reader = Fragments::new(self.pack(), self.directory()?, &offsets, &self.services);
            let _step = self.services.trace.step("compose");
            reader.read(PackPart::Tables, range).await
        })
    }

    fn lineage(
        &self,
        id: ProvisionId,
        ordinal: usize,
    ) -> BoxFuture<'_, Result<Option<Box<dyn ProvisionLineage>>, Failure>> {
        Box::pin(self.find_lineage(id, ordinal))
    }

    fn lineages(&self) -> BoxFuture<'_, Result<Option<Lineages>, Failure>> {
        Box::pin(self.find_lineages())
    }

    fn lineage_state(&self) -> BoxFuture<'_, Result<Option<String>, Failure>> {
        Box::pin(self.find_lineage_state())
    }

    fn asset_bytes<'a>(&'a self, asset: &'a Asset) -> BoxFuture<'a, Result<Arc<dyn StoredPieces>, Failure>> {
        Box::pin(async move {
            let blob = self.expect_readable()?.asset(&asset.digest).await.map_err(failed)?;
            let blob = blob.ok_or_else(|| self.unreadable("a picture"))?;
            Ok(Arc::new(Raw { blob, start: 0 }) as Arc<dyn StoredPieces>)
        })
    }
}

/// Digits of a digest in an entity tag: 64 bits distinguish the states of one resource.
const TAG_DIGITS: usize = 16;
