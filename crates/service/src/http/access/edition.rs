//! An edition that a caller may use: its place in the catalogue, its views and its index, read from the store.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::header;
use bytes::Bytes;
use futures::future::BoxFuture;
use jiff::Timestamp;
use norma_api::media::{ContentCoding, View};
use norma_api::shapes::{RelatedEdition, Status, Summary};
use norma_handlers::{AuthorizedEdition, Body, Coded, Failure, Pieces};
use norma_model::{Asset, Digest, Outline};
use norma_store::{BlobReader, Encoding, Visible};
use tokio::sync::OnceCell;

use super::words;
use crate::http::body::STREAMED;
use crate::http::failed::failed;
use crate::render::compress::{self, Beginning};
use crate::render::{INDEX, Index};
use crate::state::Shared;

/// An edition that the access step let its caller use.
pub(in crate::http) struct Authorized {
    shared: Arc<Shared>,
    visible: Visible,
    /// Whether it was asked for by its canonical URN.
    exact: bool,
    index: OnceCell<Arc<Index>>,
}

impl Authorized {
    /// To be called by the access step only.
    pub(super) fn new(shared: Arc<Shared>, visible: Visible, exact: bool) -> Self {
        Self { shared, visible, exact, index: OnceCell::new() }
    }

    fn stored(&self, name: &str, coding: ContentCoding) -> Result<&norma_store::View, Failure> {
        self.visible.entry().view(name, encoding(coding)).ok_or_else(|| self.lacks(name))
    }

    async fn blob(&self, digest: &Digest) -> Result<Bytes, Failure> {
        self.shared.store.blob(digest).await.map_err(failed)?.ok_or_else(|| self.lacks("blob"))
    }

    /// Stored bytes, to be read piece by piece.
    async fn reader(&self, digest: &Digest, size: u64) -> Result<BlobReader, Failure> {
        let blob = self.shared.store.blob_reader(digest).await.map_err(failed)?;
        let blob = blob.ok_or_else(|| self.lacks("blob"))?;
        blob.has_size(size).map_err(failed)?;
        Ok(blob)
    }

    fn pieces<'a>(
        &'a self,
        digest: &'a Digest,
        size: u64,
    ) -> BoxFuture<'a, Result<Arc<dyn Pieces>, Failure>> {
        Box::pin(async move {
            let blob = self.reader(digest, size).await?;
            let stored = Stored { front: Bytes::new(), blob, range: 0..size, end: Bytes::new() };
            Ok(Arc::new(stored) as Arc<dyn Pieces>)
        })
    }

    async fn read_index(&self) -> Result<&Arc<Index>, Failure> {
        let read = async || {
            let bytes = self.blob(&self.stored(INDEX, ContentCoding::Identity)?.digest).await?;
            Index::from_bytes(&bytes).map(Arc::new).ok_or_else(|| self.lacks(INDEX))
        };
        self.index.get_or_try_init(read).await
    }

    /// A view that another version of Norma did not write, or a damaged store.
    fn lacks(&self, what: &str) -> Failure {
        let detail = "This view of the standard has to be rebuilt by the operator.";
        Failure::new(norma_api::Code::Unavailable, detail).with(header::RETRY_AFTER, "60").caused_by(format!(
            "{what} of {} is missing; run `norma rebuild`",
            self.visible.entry().summary.urn
        ))
    }
}

impl AuthorizedEdition for Authorized {
    fn urn(&self) -> &str {
        self.visible.entry().summary.urn.as_str()
    }

    fn revision(&self) -> &str {
        &self.visible.entry().revision
    }

    fn status(&self) -> Status {
        self.visible.entry().status.into()
    }

    fn updated(&self) -> Option<Timestamp> {
        Timestamp::try_from(self.visible.entry().updated).ok()
    }

    fn summary(&self) -> Summary<'_> {
        words::entry(self.visible.entry(), self.visible.level())
    }

    fn related(&self) -> Vec<RelatedEdition<'static>> {
        let related = self.visible.related().into_iter();
        related
            .map(|other| RelatedEdition {
                kind: words::related(other.kind),
                urn: other.urn.to_string().into(),
                reference: other.reference.into(),
            })
            .collect()
    }

    fn is_exact(&self) -> bool {
        self.exact
    }

    fn asset(&self, digest: &Digest) -> Option<&Asset> {
        self.visible.entry().asset(digest)
    }

    fn codings(&self, view: View) -> Vec<ContentCoding> {
        let mut codings = vec![ContentCoding::Brotli, ContentCoding::Gzip, ContentCoding::Identity];
        codings.retain(|&coding| self.stored(view.name(), coding).is_ok());
        codings
    }

    fn view(
        &self,
        view: View,
        coding: ContentCoding,
        standing: Option<Vec<u8>>,
    ) -> Result<Coded<'_>, Failure> {
        let stored = self.stored(view.name(), coding)?;
        let name = &stored.digest.hex()[..TAG_DIGITS];
        let Some(head) = standing else {
            let body = match stored.size > STREAMED {
                true => Body::Pieces { size: stored.size, open: self.pieces(&stored.digest, stored.size) },
                false => Body::made(self.blob(&stored.digest)),
            };
            return Ok(Coded { tag: format!("{name}.{}", coding.name()), body });
        };
        let tag = format!("{name}.{}.{}", norma_handlers::digest(&head), coding.name());
        // The plain form begins with a bracket that the head has too.
        let skipped = u64::from(coding == ContentCoding::Identity).min(stored.size);
        if stored.size <= STREAMED {
            let body = Body::made(async move {
                let tail = self.blob(&stored.digest).await?.slice(skipped as usize..);
                Ok(Bytes::from(compress::begun(&head, &tail, encoding(coding))))
            });
            return Ok(Coded { tag, body });
        }
        let beginning = Beginning::new(&head, encoding(coding));
        let kept = skipped..stored.size - beginning.replaced() as u64;
        let size = beginning.front.len() as u64 + (kept.end - kept.start) + beginning.end_size() as u64;
        let open = Box::pin(async move {
            let blob = self.reader(&stored.digest, stored.size).await?;
            let end = beginning.end(&blob.read(kept.end..stored.size).await.map_err(failed)?).into();
            let stored = Stored { front: beginning.front.into(), blob, range: kept, end };
            Ok(Arc::new(stored) as Arc<dyn Pieces>)
        });
        Ok(Coded { tag, body: Body::Pieces { size, open } })
    }

    fn index(&self) -> BoxFuture<'_, Result<Arc<dyn norma_handlers::Index>, Failure>> {
        Box::pin(async { Ok(self.read_index().await?.clone() as Arc<dyn norma_handlers::Index>) })
    }

    fn fragments<'a>(&'a self, view: View, places: &'a [u32]) -> BoxFuture<'a, Result<Vec<Bytes>, Failure>> {
        Box::pin(async move {
            let index = self.read_index().await?;
            let all = match view {
                View::Provisions => &index.provisions,
                View::ContentText => &index.text,
                _ => &index.content,
            };
            let stored = self.stored(view.name(), ContentCoding::Identity)?;
            let stored = match stored.size > STREAMED {
                true => Fragments::Large(Box::new((
                    self.reader(&stored.digest, stored.size).await?,
                    Mutex::default(),
                ))),
                false => Fragments::Whole(self.blob(&stored.digest).await?),
            };
            let mut fragments = Vec::with_capacity(places.len());
            for &place in places {
                let range = all.get(place as usize).ok_or_else(|| self.lacks(view.name()))?;
                fragments.push(stored.get(*range).await?);
            }
            Ok(fragments)
        })
    }

    fn asset_bytes<'a>(&'a self, asset: &'a Asset) -> BoxFuture<'a, Result<Arc<dyn Pieces>, Failure>> {
        self.pieces(&asset.digest, asset.size)
    }
}

impl norma_handlers::Index for Index {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn pictures(&self, reference: &str) -> Vec<Option<Digest>> {
        self.pictures_named(reference).map(|picture| picture.digest.map(Digest::from_bytes)).collect()
    }
}

/// Stored bytes with others before and after them.
struct Stored {
    front: Bytes,
    blob: BlobReader,
    /// Which of the stored bytes.
    range: Range<u64>,
    end: Bytes,
}

impl Stored {
    /// The stored bytes from `at` to the end of their piece, or to the end of the range.
    async fn stored_from(&self, at: u64) -> Result<Bytes, Failure> {
        let n = at / BlobReader::PIECE;
        let piece = self.blob.piece(u32::try_from(n).unwrap_or(u32::MAX)).await.map_err(failed)?;
        let begins = n * BlobReader::PIECE;
        let end = self.range.end.min(begins + BlobReader::PIECE);
        let within = |at: u64| usize::try_from(at - begins).unwrap_or(usize::MAX).min(piece.len());
        Ok(piece.slice(within(at)..within(end)))
    }
}

impl Pieces for Stored {
    fn largest(&self) -> usize {
        self.front.len() + BlobReader::PIECE.min(self.blob.size()) as usize
    }

    fn piece_from(&self, at: u64) -> BoxFuture<'_, Result<Bytes, Failure>> {
        Box::pin(async move {
            let Some(at) = at.checked_sub(self.front.len() as u64) else {
                // With the first stored piece, so that damage found in it can still be answered.
                let first = self.stored_from(self.range.start).await?;
                return Ok([&self.front[at as usize..], &first].concat().into());
            };
            let at = self.range.start + at;
            match at < self.range.end {
                true => self.stored_from(at).await,
                false => Ok(self.end.slice((at - self.range.end) as usize..)),
            }
        })
    }
}

/// A stored view of which fragments are wanted.
enum Fragments {
    /// In memory.
    Whole(Bytes),
    /// Read piece by piece: of a large view, only the pieces that the fragments lie in are. With the last one that was read,
    /// which most of the following fragments lie in.
    Large(Box<(BlobReader, Mutex<(u64, Bytes)>)>),
}

impl Fragments {
    /// The bytes between two places of the view; none where it ends before.
    async fn get(&self, (start, end): (u32, u32)) -> Result<Bytes, Failure> {
        let (blob, last) = match self {
            Self::Whole(bytes) if start <= end && end as usize <= bytes.len() => {
                return Ok(bytes.slice(start as usize..end as usize));
            }
            Self::Whole(_) => return Ok(Bytes::new()),
            Self::Large(large) => (&large.0, &large.1),
        };
        let (start, end) = (u64::from(start), u64::from(end));
        let known = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let within = |(from, bytes): &(u64, Bytes)| {
            let place =
                usize::try_from(start.checked_sub(*from)?).ok()?..usize::try_from(end - *from).ok()?;
            (place.start <= place.end && place.end <= bytes.len()).then(|| bytes.slice(place))
        };
        if let Some(found) = within(&known) {
            return Ok(found);
        }
        if end.div_ceil(BlobReader::PIECE) - start / BlobReader::PIECE > 1 {
            return blob.read(start..end).await.map_err(failed);
        }
        let n = start / BlobReader::PIECE;
        let read = (n * BlobReader::PIECE, blob.piece(n as u32).await.map_err(failed)?);
        let found = within(&read).unwrap_or_default();
        *last.lock().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(found)
    }
}

/// Digits of a digest in an entity tag: 64 bits tell the states of one resource apart.
const TAG_DIGITS: usize = 16;

/// The stored encoding of a coding.
fn encoding(coding: ContentCoding) -> Encoding {
    match coding {
        ContentCoding::Identity => Encoding::Identity,
        ContentCoding::Gzip => Encoding::Gzip,
        ContentCoding::Brotli => Encoding::Brotli,
    }
}
