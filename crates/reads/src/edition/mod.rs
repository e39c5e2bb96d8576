//! Authorized edition: its catalogue entry and its views, which are read from its pack.

mod bodies;
mod lineage;
mod pieces;
mod reserve;
mod stored_json;

use std::sync::Arc;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use jiff::Timestamp;
use norma_api::media::{ContentCoding, View};
use norma_api::shapes::{Lineage, RelatedEdition, StandardSummary, Status};
use norma_editions::pack;
use norma_model::{Asset, Digest, LineageId};
use norma_render::{MIN_COMPRESSED, Offsets, PackDirectory, PackIndex, PackPart, Plan, Stored};
use norma_store::{BlobReader, EditionHandle, GrantedEdition};
use tokio::sync::OnceCell;

use self::bodies::are_in_head;
pub(crate) use self::lineage::{FoundLineage, labelled};
pub use self::pieces::StoredPieces;
use self::pieces::{Assembled, AssembledBytes, Fragments, SEGMENT, StoredBytes};
use crate::Failure;
use crate::body::{Body, MAX_BUFFERED, MIN_COMPRESSED_ANSWER};
use crate::failed::{failed, unlicensed};
use crate::gzip::gzip;
use crate::services::RequestServices;
use crate::summary;
use crate::tag::{VERSION, digest};
use crate::word_filter::WordFilter;

/// An edition that the access step allows its caller to use.
pub(crate) struct AuthorizedEdition {
    granted: GrantedEdition,
    /// Whether the request names its canonical URN.
    is_exact: bool,
    /// `None`: a later version of Norma wrote the pack.
    directory: Option<PackDirectory>,
    offsets: OnceCell<Arc<Offsets>>,
    index: OnceCell<Arc<PackIndex>>,
    /// Set once the request has reserved memory for working on fragments.
    reserved: OnceCell<()>,
    services: RequestServices,
}

/// A view in one coding, whose bytes are not read yet.
pub(crate) struct Coded {
    /// The text of a strong entity tag for these bytes, without quotes.
    pub(crate) tag: String,
    /// The bytes.
    pub(crate) body: Body,
}

/// A provision and its context, each as JSON.
pub(crate) struct ProvisionContext {
    /// The provision.
    pub(crate) provision: Bytes,
    /// Its section, as in the content.
    pub(crate) section: Bytes,
    /// The names of the sections around it, outermost first.
    pub(crate) ancestors: Vec<String>,
    /// Its lineage.
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

    /// Its canonical URN.
    pub(crate) fn urn(&self) -> &str {
        self.granted.entry().summary.urn.as_str()
    }

    /// Names the state of its source and derivation.
    pub(crate) fn revision(&self) -> &str {
        &self.granted.entry().revision
    }

    /// Whether it is in force.
    pub(crate) fn status(&self) -> Status {
        self.granted.entry().status.into()
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

    /// Whether the request names its canonical URN. Else the answer says which edition was meant.
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

    /// The codings in which a view is available, the smallest first.
    pub(crate) fn codings(&self, view: View) -> Vec<ContentCoding> {
        let has_gzip = self.directory.as_ref().is_some_and(|directory| match PackPart::of(view) {
            Some(part) => directory.part(part).compressed,
            None => directory.size(view) >= MIN_COMPRESSED as u64,
        });
        match has_gzip {
            true => vec![ContentCoding::Gzip, ContentCoding::Identity],
            false => vec![ContentCoding::Identity],
        }
    }

    /// A view in one of its codings; of a composed view, these members and those that are always included.
    /// `live_members` is put in front where the view is sent with members of the catalogue.
    ///
    /// # Errors
    /// The view is not in the store; or the caller may only discover the edition and asks for more than that.
    pub(crate) fn view(
        self: &Arc<Self>,
        view: View,
        members: Option<Vec<&'static str>>,
        coding: ContentCoding,
        live_members: Option<Vec<u8>>,
    ) -> Result<Coded, Failure> {
        if view != View::Sections && !members.as_deref().is_some_and(are_in_head) {
            self.expect_readable()?;
        }
        let directory = self.directory()?;
        let front = live_members.map_or(Bytes::from_static(b"{"), Bytes::from);
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
        let picked = members.as_deref().unwrap_or_default().join(",");
        let made_of = [VERSION.as_bytes(), picked.as_bytes(), &front].concat();
        let tag = format!("{pack}.{}.{}.{coded}", view.name(), digest(&made_of));
        let body = match members {
            None => {
                // The opening brace is one byte of both.
                let replaced = if view.has_live_fields() { front.len() as u64 - 1 } else { 0 };
                let size = directory.size(view).saturating_add(replaced);
                self.made(view, None, front, size, coding)
            }
            Some(picked) => {
                let edition = Arc::clone(self);
                Body::deferred(async move {
                    let front = edition.front(&picked, front).await?;
                    let size = edition.plan(view, Some(&picked), front.clone()).await?.size();
                    Ok(edition.made(view, Some(picked), front, size, coding))
                })
            }
        };
        Ok(Coded { tag, body })
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

    /// Items of a view, by their indexes in ascending order: provisions of [`View::Provisions`], sections of
    /// [`View::Content`] and of [`View::ContentText`]. `front` is the JSON object that the items end, up to
    /// the opening bracket of their list; text has none, and a blank line after each section. Provisions
    /// begin with their lineages, where these are given for all provisions of the edition. Many bytes are in
    /// this coding.
    pub(crate) async fn items(
        self: &Arc<Self>,
        view: View,
        front: Bytes,
        (indexes, lineages): (Vec<u32>, Option<Vec<LineageId>>),
        coding: ContentCoding,
    ) -> Result<Body, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let offsets = self.offsets().await?.clone();
        let edition = Arc::clone(self);
        let lineages = lineages.map(Arc::new);
        // Made twice: once for its size, which uses it up.
        let plan = move || {
            let indexes = indexes.clone();
            let plan = match view {
                View::ContentText => Plan::text(&offsets, indexes.into_iter().map(|index| index as usize)),
                _ => {
                    let part =
                        if view == View::Provisions { PackPart::Provisions } else { PackPart::Content };
                    let lineages = lineages.clone();
                    let lineage = move |index: u32| {
                        let id = lineages.as_ref()?.get(index as usize)?;
                        Some(format!("\"lineage\":{{\"id\":\"{id}\"}},"))
                    };
                    Plan::items(part, front.clone(), &offsets, indexes, lineage)
                }
            };
            plan.map_err(|damaged| edition.unreadable(damaged.what))
        };
        let size = plan()?.size();
        let edition = Arc::clone(self);
        let is_gzip = coding == ContentCoding::Gzip && size >= MIN_COMPRESSED_ANSWER;
        if size > MAX_BUFFERED {
            let open = async move {
                let parsed = edition.parsed_memory(&[PackPart::Offsets])?;
                let assembled = edition.assembled(plan()?, size)?;
                let assembled = if is_gzip { assembled.in_gzip() } else { assembled };
                Ok(AssembledBytes::new(assembled, parsed).into())
            };
            let body = Body::Pieces { size: (!is_gzip).then_some(size), open: Box::pin(open) };
            return Ok(if is_gzip { Body::InGzip(Box::new(body)) } else { body });
        }
        if !is_gzip {
            return Ok(Body::lazy_sized(size, async move { edition.assemble(plan()?, size).await }));
        }
        // HEAD does not make it to state its length.
        let body = Body::of_get(async move {
            let identity = edition.assemble(plan()?, size).await?;
            edition.compressed(identity).await
        });
        Ok(Body::InGzip(Box::new(body)))
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
        let range = offsets.item(index).ok_or_else(damaged)?;
        let provision = reader.read(PackPart::Provisions, range).await?;
        let range = offsets.section(around).ok_or_else(damaged)?;
        let section = reader.read(PackPart::Content, range).await?;
        let mut ancestors = Vec::new();
        let mut above = offsets.parent_of(around);
        while let Some(one) = above {
            ancestors.extend(offsets.heading(one).map(str::to_owned));
            above = offsets.parent_of(one);
        }
        ancestors.reverse();
        Ok(ProvisionContext { provision, section, ancestors, lineage })
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

/// Digits of a digest in an entity tag: 64 bits distinguish the states of one resource.
const TAG_DIGITS: usize = 16;
