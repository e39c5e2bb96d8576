//! Bodies of views: stored bytes as they are, and what is composed of stored parts, made whole or while it is
//! sent.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use norma_api::media::View;
use norma_handlers::{Body, Failure, Pieces};
use norma_render::{Part, Plan, Stored};
use norma_store::BlobReader;

use super::edition::Authorized;
use super::pieces::{Assembled, Raw, Sequence};
use crate::http::body::MAX_BUFFERED;
use crate::http::failed::failed;

impl Authorized {
    /// What makes the identity bytes of a view, after `front` where it has members of the catalogue; or of
    /// those members among `fields`, after `front`, that list items.
    pub(super) async fn plan(&self, view: View, fields: Fields<'_>, front: Bytes) -> Result<Plan, Failure> {
        let directory = self.directory()?;
        Ok(match (Part::of(view), fields) {
            (Some(part), _) => Plan::part(part, directory),
            (None, Some(fields)) if are_in_head(fields) => Plan::bytes([&*front, b"}"].concat()),
            (None, Some(fields)) => Plan::fields(view, fields, front, directory, self.offsets().await?),
            (None, None) => Plan::view(view, front, directory, self.offsets().await?)
                .map_err(|damaged| self.unreadable(damaged.what))?,
        })
    }

    /// Bytes that are sent as they are stored.
    pub(super) fn stored(&self, Stored { range, .. }: &Stored) -> Body<'_> {
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

    pub(super) fn open(
        &self,
        blob: BlobReader,
        start: u64,
    ) -> BoxFuture<'_, Result<Arc<dyn Pieces>, Failure>> {
        Box::pin(async move { Ok(Arc::new(Raw { blob, start }) as Arc<dyn Pieces>) })
    }

    /// The identity bytes of a view, made while they are sent where they are many.
    pub(super) fn identity<'e>(
        &'e self,
        view: View,
        fields: Fields<'e>,
        front: Bytes,
        size: u64,
    ) -> Body<'e> {
        if size <= MAX_BUFFERED {
            return Body::lazy_sized(size, async move {
                self.services.memory.add(self.memory_of(view)?.saturating_add(size)).await?;
                match Part::of(view) {
                    Some(part) => self.part(part).await,
                    None => self.assemble(self.plan(view, fields, front).await?, size).await,
                }
            });
        }
        let open = async move {
            let (assembled, parsed) = self.streamed(view, fields, front, size).await?;
            Ok(Arc::new(Sequence::new(assembled, parsed)) as Arc<dyn Pieces>)
        };
        Body::Pieces { size: Some(size), open: Box::pin(open) }
    }

    /// A view that is made while it is sent, and how many bytes of memory that takes for what its plan is
    /// made of.
    pub(super) async fn streamed(
        &self,
        view: View,
        fields: Fields<'_>,
        front: Bytes,
        size: u64,
    ) -> Result<(Assembled, u64), Failure> {
        let parsed = if Part::of(view).is_some() { 0 } else { self.parsed_memory(&[Part::Offsets])? };
        self.services.memory.add(Sequence::memory_with(parsed)).await?;
        Ok((self.assembled(self.plan(view, fields, front).await?, size)?, parsed))
    }

    /// A composed view in gzip, compressed while it is sent where it is large.
    pub(super) fn compressed<'e>(
        &'e self,
        view: View,
        fields: Fields<'e>,
        front: Bytes,
        size: u64,
    ) -> Body<'e> {
        if size > MAX_BUFFERED {
            let open = async move {
                let (assembled, parsed) = self.streamed(view, fields, front, size).await?;
                Ok(Arc::new(Sequence::new(assembled.in_gzip(), parsed)) as Arc<dyn Pieces>)
            };
            return Body::Pieces { size: None, open: Box::pin(open) };
        }
        Body::lazy(async move {
            self.services.memory.add(self.memory_of(view)?.saturating_add(2 * size)).await?;
            let identity = self.assemble(self.plan(view, fields, front).await?, size).await?;
            let _step = self.services.trace.step("compress");
            self.services.slots.run_sized(size, move || norma_handlers::gzip(&identity)).await
        })
    }
}

/// The members of a composed view that are asked for; `None`: all of them.
pub(super) type Fields<'e> = Option<&'e [&'static str]>;

/// Whether these members come from the head of the pack, which tells nothing of the text.
pub(super) fn are_in_head(fields: &[&str]) -> bool {
    fields.iter().all(|field| ["relatedEditions", "metadata", "ics", "relations"].contains(field))
}
