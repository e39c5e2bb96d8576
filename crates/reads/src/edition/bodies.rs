//! Bodies of views and of items of views, with their entity tags: stored bytes as they are, or composed from
//! stored parts, as a whole or while they are sent.

use std::sync::Arc;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures::future::BoxFuture;
use norma_api::media::{ContentCoding, HEAD_MEMBERS, View};
use norma_render::{Damaged, MIN_COMPRESSED, Offsets, PackPart, Plan, Stored};

use super::AuthorizedEdition;
use super::pieces::{AssembledBytes, StoredBytes};
use super::stored_json::members_of_head;
use super::view_items::ViewItems;
use crate::Failure;
use crate::body::{Body, MAX_BUFFERED, MIN_COMPRESSED_ANSWER};
use crate::failed::failed;
use crate::tag::{VERSION, digest};

/// Digits of a digest in an entity tag: 64 bits distinguish the states of one resource.
const TAG_DIGITS: usize = 16;

/// A view in one coding, whose bytes are not read yet.
pub(crate) struct Coded {
    /// The text of a strong entity tag for these bytes, without quotes.
    pub(crate) tag: String,
    /// The bytes in the coding.
    pub(crate) body: Body,
}

/// The begin of a view, instead of the opening brace of the stored bytes.
pub(crate) enum ViewFront {
    /// The opening brace: the stored bytes are sent as they are.
    Stored,
    /// An opening brace and members of the catalogue, each with its comma.
    Live(Vec<u8>),
    /// The same with what amendments change, which is read only where the answer has bytes.
    Amended {
        /// Names the state that the bytes depend on, besides the edition itself.
        state: String,
        /// Reads what amendments change, and makes the bytes.
        make: BoxFuture<'static, Result<Vec<u8>, Failure>>,
    },
}

/// Items of a view as they will be sent. The plan for them is made twice: once for its size, which uses it
/// up.
struct PlannedItems {
    view: View,
    front: Bytes,
    offsets: Arc<Offsets>,
    items: Arc<ViewItems>,
}

impl PlannedItems {
    fn plan(&self) -> Result<Plan, Damaged> {
        let indexes = self.items.indexes.clone();
        let part = match self.view {
            View::ContentText => {
                return Plan::text(&self.offsets, indexes.into_iter().map(|index| index as usize));
            }
            View::Provisions => PackPart::Provisions,
            _ => PackPart::Content,
        };
        let (view, items) = (self.view, Arc::clone(&self.items));
        let first_members = move |index| items.first_members(view, index);
        Plan::items(part, self.front.clone(), &self.offsets, indexes, first_members)
    }
}

impl AuthorizedEdition {
    /// The codings in which a view is available, the smallest first.
    pub(crate) fn codings(&self, view: View) -> Vec<ContentCoding> {
        let has_gzip = match (&self.directory, PackPart::of(view)) {
            (None, _) => false,
            (Some(directory), Some(part)) => directory.part(part).compressed,
            (Some(directory), None) => directory.size(view) >= MIN_COMPRESSED as u64,
        };
        if has_gzip {
            vec![ContentCoding::Gzip, ContentCoding::Identity]
        } else {
            vec![ContentCoding::Identity]
        }
    }

    /// A view in one of its codings; of a composed view, these members and those that are always included.
    /// Nothing is read before the bytes are needed.
    ///
    /// # Errors
    /// The view is not in the store; or the caller may only discover the edition and asks for more than that.
    pub(crate) fn view(
        self: &Arc<Self>,
        view: View,
        members: Option<Vec<&'static str>>,
        coding: ContentCoding,
        front: ViewFront,
    ) -> Result<Coded, Failure> {
        if view != View::Sections && !members.as_deref().is_some_and(are_in_head) {
            self.expect_readable()?;
        }
        let tag = self.tag_of_view(view, members.as_deref(), coding, &front)?;
        let body = match front {
            ViewFront::Stored => self.view_behind(Bytes::from_static(b"{"), view, members, coding)?,
            ViewFront::Live(front) => self.view_behind(front.into(), view, members, coding)?,
            ViewFront::Amended { make, .. } => {
                let edition = Arc::clone(self);
                Body::deferred(async move {
                    let front = make.await?;
                    edition.view_behind(front.into(), view, members, coding)
                })
            }
        };
        Ok(Coded { tag, body })
    }

    /// The text of the entity tag of a view. It names what the bytes are made from, and nothing is read.
    fn tag_of_view(
        &self,
        view: View,
        members: Option<&[&'static str]>,
        coding: ContentCoding,
        front: &ViewFront,
    ) -> Result<String, Failure> {
        let directory = self.directory()?;
        let coding_name = coding.name();
        let Some(part) = PackPart::of(view) else {
            let pack = &self.granted.entry().pack.hex()[..TAG_DIGITS];
            let picked = members.unwrap_or_default().join(",");
            let front: &[u8] = match front {
                ViewFront::Stored => b"{",
                ViewFront::Live(front) => front,
                ViewFront::Amended { state, .. } => state.as_bytes(),
            };
            let made_of = [VERSION.as_bytes(), picked.as_bytes(), front].concat();
            return Ok(format!("{pack}.{}.{}.{coding_name}", view.name(), digest(&made_of)));
        };
        let stored = directory.part(part);
        let identity = HEXLOWER.encode(&stored.identity_tag.to_be_bytes());
        Ok(match front {
            ViewFront::Stored if coding == ContentCoding::Gzip => {
                format!("{}.{coding_name}", HEXLOWER.encode(&stored.tag.to_be_bytes()))
            }
            ViewFront::Stored => format!("{identity}.{coding_name}"),
            ViewFront::Live(front) => format!("{identity}.{}.{coding_name}", digest(front)),
            ViewFront::Amended { state, .. } => {
                // Other parts of the edition decide what amendments change in this one.
                let made_of = [VERSION, self.revision(), state].join("\n");
                format!("{identity}.{}.{coding_name}", digest(made_of.as_bytes()))
            }
        })
    }

    /// The bytes of a view behind `front`, which has the opening brace.
    fn view_behind(
        self: &Arc<Self>,
        front: Bytes,
        view: View,
        members: Option<Vec<&'static str>>,
        coding: ContentCoding,
    ) -> Result<Body, Failure> {
        let directory = self.directory()?;
        // The opening brace is one byte of both.
        let more = (front.len() as u64).saturating_sub(1);
        if let Some(part) = PackPart::of(view) {
            let stored = directory.part(part);
            if &*front == b"{" && coding == ContentCoding::Gzip {
                return Ok(self.stored(stored));
            }
            return Ok(self.made(view, None, front, stored.size.saturating_add(more), coding));
        }
        let Some(picked) = members else {
            let more = if view.has_live_fields() { more } else { 0 };
            let size = directory.size(view).saturating_add(more);
            return Ok(self.made(view, None, front, size, coding));
        };
        let edition = Arc::clone(self);
        Ok(Body::deferred(async move {
            let front = edition.front(&picked, front).await?;
            let size = edition.plan(view, Some(&picked), front.clone()).await?.size();
            Ok(edition.made(view, Some(picked), front, size, coding))
        }))
    }

    /// Items of a view: provisions of [`View::Provisions`], sections of [`View::Content`] and of
    /// [`View::ContentText`]. `front` is the JSON object that the items end, up to the opening bracket of
    /// their list; text has none, and a blank line after each section. Many bytes are in this coding.
    pub(crate) async fn items(
        self: &Arc<Self>,
        view: View,
        front: Bytes,
        items: ViewItems,
        coding: ContentCoding,
    ) -> Result<Body, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let offsets = self.offsets().await?.clone();
        let planned = PlannedItems { view, front, offsets, items: Arc::new(items) };
        let size = self.undamaged(planned.plan())?.size();
        let is_gzip = coding == ContentCoding::Gzip && size >= MIN_COMPRESSED_ANSWER;
        let edition = Arc::clone(self);
        let body = if size > MAX_BUFFERED {
            let open = async move {
                let parsed = edition.parsed_memory(&[PackPart::Offsets])?;
                let plan = edition.undamaged(planned.plan())?;
                let mut assembled = edition.assembled(plan, size)?;
                if is_gzip {
                    assembled = assembled.in_gzip();
                }
                Ok(AssembledBytes::new(assembled, parsed).into())
            };
            Body::Pieces { size: (!is_gzip).then_some(size), open: Box::pin(open) }
        } else if is_gzip {
            // HEAD does not make it to state its length.
            Body::of_get(async move {
                let plan = edition.undamaged(planned.plan())?;
                let identity = edition.assemble(plan, size).await?;
                edition.compressed(identity).await
            })
        } else {
            Body::lazy_sized(size, async move {
                let plan = edition.undamaged(planned.plan())?;
                edition.assemble(plan, size).await
            })
        };
        Ok(if is_gzip { Body::InGzip(Box::new(body)) } else { body })
    }

    /// A plan, if the pack has what it needs.
    fn undamaged(&self, plan: Result<Plan, Damaged>) -> Result<Plan, Failure> {
        plan.map_err(|damaged| self.unreadable(damaged.what))
    }

    /// The plan for the identity bytes of a view, after `front` where it has members from the catalogue. With
    /// `members`, only those members that list items, after `front`.
    pub(super) async fn plan(
        &self,
        view: View,
        members: Option<&[&'static str]>,
        front: Bytes,
    ) -> Result<Plan, Failure> {
        let directory = self.directory()?;
        if let Some(part) = PackPart::of(view) {
            return Ok(match &*front {
                b"{" => Plan::part(part, directory),
                _ => Plan::part_behind(front, part, directory),
            });
        }
        let Some(members) = members else {
            return self.undamaged(Plan::view(view, front, directory, self.offsets().await?));
        };
        if are_in_head(members) {
            return Ok(Plan::bytes([&*front, b"}"].concat()));
        }
        Ok(Plan::fields(view, members, front, directory, self.offsets().await?))
    }

    /// Bytes that are sent as they are stored.
    pub(super) fn stored(self: &Arc<Self>, Stored { range, .. }: &Stored) -> Body {
        let (range, size) = (range.clone(), range.end - range.start);
        let edition = Arc::clone(self);
        if size > MAX_BUFFERED {
            let open = async move { Ok(StoredBytes { blob: edition.pack(), start: range.start }.into()) };
            return Body::Pieces { size: Some(size), open: Box::pin(open) };
        }
        Body::lazy_sized(size, async move {
            edition.services.memory.add(size).await?;
            let _step = edition.services.trace.step("read");
            edition.pack().read(range).await.map_err(failed)
        })
    }

    /// The begin of an answer with these members: members from the catalogue, then those of the stored head.
    pub(super) async fn front(&self, members: &[&str], live_members: Bytes) -> Result<Bytes, Failure> {
        let mut memory = self.directory()?.part(PackPart::Head).size.saturating_mul(2);
        if !are_in_head(members) {
            memory = memory.saturating_add(self.parsed_memory(&[PackPart::Offsets])?);
        }
        self.services.memory.add(memory).await?;
        let head = self.part(PackPart::Head).await?;
        let stored = members_of_head(&head, members).ok_or_else(|| self.unreadable("the head"))?;
        Ok([&*live_members, stored.as_bytes()].concat().into())
    }

    /// This number of identity bytes of a view, in a coding. They are made, and a composed view is
    /// compressed, while they are sent where they are many.
    pub(super) fn made(
        self: &Arc<Self>,
        view: View,
        members: Option<Vec<&'static str>>,
        front: Bytes,
        size: u64,
        coding: ContentCoding,
    ) -> Body {
        let edition = Arc::clone(self);
        let is_gzip = coding == ContentCoding::Gzip;
        if size > MAX_BUFFERED {
            let open = async move {
                let is_composed = PackPart::of(view).is_none();
                let parsed = if is_composed { edition.parsed_memory(&[PackPart::Offsets])? } else { 0 };
                edition.services.memory.add(AssembledBytes::memory_with(parsed)).await?;
                let plan = edition.plan(view, members.as_deref(), front).await?;
                let mut assembled = edition.assembled(plan, size)?;
                if is_gzip {
                    assembled = assembled.in_gzip();
                }
                Ok(AssembledBytes::new(assembled, parsed).into())
            };
            return Body::Pieces { size: (!is_gzip).then_some(size), open: Box::pin(open) };
        }
        if !is_gzip {
            return Body::lazy_sized(size, async move {
                edition.services.memory.add(edition.memory_of(view)?).await?;
                edition.identity(view, members.as_deref(), front, size).await
            });
        }
        Body::lazy(async move {
            edition.services.memory.add(edition.memory_of(view)?.saturating_add(2 * size)).await?;
            let identity = edition.identity(view, members.as_deref(), front, size).await?;
            edition.compressed(identity).await
        })
    }

    /// This number of identity bytes of a view. Their memory is already reserved.
    async fn identity(
        &self,
        view: View,
        members: Option<&[&'static str]>,
        front: Bytes,
        size: u64,
    ) -> Result<Bytes, Failure> {
        match PackPart::of(view) {
            Some(part) if &*front == b"{" => self.part(part).await,
            _ => self.assemble(self.plan(view, members, front).await?, size).await,
        }
    }
}

/// True if these members come from the head of the pack, which reveals nothing of the text.
fn are_in_head(members: &[&str]) -> bool {
    members.iter().all(|member| *member == "relatedEditions" || HEAD_MEMBERS.contains(member))
}
