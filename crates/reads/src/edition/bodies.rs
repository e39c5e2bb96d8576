//! Bodies of views: stored bytes as they are, or composed from stored parts, as a whole or while they are
//! sent.

use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::{ContentCoding, HEAD_MEMBERS, View};
use norma_render::{PackPart, Plan, Stored};

use super::AuthorizedEdition;
use super::pieces::{AssembledBytes, StoredBytes};
use super::stored_json::members_of_head;
use crate::Failure;
use crate::body::{Body, MAX_BUFFERED};
use crate::failed::failed;

impl AuthorizedEdition {
    /// The plan for the identity bytes of a view, after `front` where it has members from the catalogue. With
    /// `members`, only those members that list items, after `front`.
    pub(super) async fn plan(
        &self,
        view: View,
        members: Option<&[&'static str]>,
        front: Bytes,
    ) -> Result<Plan, Failure> {
        let directory = self.directory()?;
        Ok(match (PackPart::of(view), members) {
            (Some(part), _) => Plan::part(part, directory),
            (None, Some(members)) if are_in_head(members) => Plan::bytes([&*front, b"}"].concat()),
            (None, Some(members)) => Plan::fields(view, members, front, directory, self.offsets().await?),
            (None, None) => Plan::view(view, front, directory, self.offsets().await?)
                .map_err(|damaged| self.unreadable(damaged.what))?,
        })
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
        let stored = members_of_head(&self.part(PackPart::Head).await?, members);
        let stored = stored.ok_or_else(|| self.unreadable("the head"))?;
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
                let assembled = edition.assembled(plan, size)?;
                let assembled = if is_gzip { assembled.in_gzip() } else { assembled };
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
            Some(part) => self.part(part).await,
            None => self.assemble(self.plan(view, members, front).await?, size).await,
        }
    }
}

/// Whether these members come from the head of the pack, which reveals nothing of the text.
pub(super) fn are_in_head(members: &[&str]) -> bool {
    members.iter().all(|member| *member == "relatedEditions" || HEAD_MEMBERS.contains(member))
}
