//! Bodies of views: stored bytes as they are, or composed from stored parts, as a whole or while they are
//! sent.

use std::sync::Arc;

use crate::{Body, Failure, StoredPieces};
use bytes::Bytes;
use futures::future::BoxFuture;
use norma_api::media::{ContentCoding, HEAD_MEMBERS, View};
use norma_render::{PackPart, Plan, Stored};
use norma_store::BlobReader;

use super::pieces::{AssembledBytes, Raw};
use crate::edition::Authorized;
use crate::failed::failed;
use crate::representation::MAX_BUFFERED;

impl Authorized {
    /// The plan for the identity bytes of a view, after `front` where it has members from the catalogue. With
    /// `fields`, only those members that list items, after `front`.
    pub(crate) async fn plan(
        &self,
        view: View,
        fields: RequestedFields<'_>,
        front: Bytes,
    ) -> Result<Plan, Failure> {
        let directory = self.directory()?;
        Ok(match (PackPart::of(view), fields) {
            (Some(part), _) => Plan::part(part, directory),
            (None, Some(fields)) if are_in_head(fields) => Plan::bytes([&*front, b"}"].concat()),
            (None, Some(fields)) => Plan::fields(view, fields, front, directory, self.offsets().await?),
            (None, None) => Plan::view(view, front, directory, self.offsets().await?)
                .map_err(|damaged| self.unreadable(damaged.what))?,
        })
    }

    /// Bytes that are sent as they are stored.
    pub(crate) fn stored(&self, Stored { range, .. }: &Stored) -> Body<'_> {
        let (range, size) = (range.clone(), range.end - range.start);
        match size > MAX_BUFFERED {
            true => Body::Pieces { size: Some(size), open: self.open(self.pack(), range.start) },
            false => Body::lazy_sized(size, async move {
                self.services.memory.add(size).await?;
                let _step = self.services.trace.step("read");
                self.pack().read(range).await.map_err(failed)
            }),
        }
    }

    pub(crate) fn open(
        &self,
        blob: BlobReader,
        start: u64,
    ) -> BoxFuture<'_, Result<Arc<dyn StoredPieces>, Failure>> {
        Box::pin(async move { Ok(Arc::new(Raw { blob, start }) as Arc<dyn StoredPieces>) })
    }

    /// The begin of an answer with these members: members from the catalogue, then those of the stored head.
    pub(crate) async fn front(&self, fields: &[&str], live_fields: Bytes) -> Result<Bytes, Failure> {
        let mut memory = self.directory()?.part(PackPart::Head).size.saturating_mul(2);
        if !are_in_head(fields) {
            memory = memory.saturating_add(self.parsed_memory(&[PackPart::Offsets])?);
        }
        self.services.memory.add(memory).await?;
        let members = crate::members_of_head(&self.part(PackPart::Head).await?, fields);
        let members = members.ok_or_else(|| self.unreadable("the head"))?;
        Ok([&*live_fields, members.as_bytes()].concat().into())
    }

    /// This number of identity bytes of a view, in a coding. They are made, and a composed view is
    /// compressed, while they are sent where they are many.
    pub(crate) fn made<'e>(
        &'e self,
        view: View,
        fields: RequestedFields<'e>,
        front: Bytes,
        size: u64,
        coding: ContentCoding,
    ) -> Body<'e> {
        let is_gzip = coding == ContentCoding::Gzip;
        if size > MAX_BUFFERED {
            let open = async move {
                let parsed =
                    if PackPart::of(view).is_some() { 0 } else { self.parsed_memory(&[PackPart::Offsets])? };
                self.services.memory.add(AssembledBytes::memory_with(parsed)).await?;
                let assembled = self.assembled(self.plan(view, fields, front).await?, size)?;
                let assembled = if is_gzip { assembled.in_gzip() } else { assembled };
                Ok(Arc::new(AssembledBytes::new(assembled, parsed)) as Arc<dyn StoredPieces>)
            };
            return Body::Pieces { size: (!is_gzip).then_some(size), open: Box::pin(open) };
        }
        let identity = async move |sizes: u64| {
            self.services.memory.add(self.memory_of(view)?.saturating_add(sizes)).await?;
            match PackPart::of(view) {
                Some(part) => self.part(part).await,
                None => self.assemble(self.plan(view, fields, front).await?, size).await,
            }
        };
        if !is_gzip {
            return Body::lazy_sized(size, async move { identity(size).await });
        }
        Body::lazy(async move {
            let identity = identity(2 * size).await?;
            self.compressed(identity).await
        })
    }
}

/// The requested members of a composed view; `None` for all of them.
pub(crate) type RequestedFields<'e> = Option<&'e [&'static str]>;

/// Whether these members come from the head of the pack, which reveals nothing of the text.
pub(crate) fn are_in_head(fields: &[&str]) -> bool {
    fields.iter().all(|field| *field == "relatedEditions" || HEAD_MEMBERS.contains(field))
}
