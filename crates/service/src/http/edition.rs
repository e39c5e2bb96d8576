//! An edition that a caller was let in to: its views, its index, its place in the catalogue.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use bytes::Bytes;
use jiff::Timestamp;
use norma_api::Operation;
use norma_api::media::View;
use norma_store::{BlobReader, Encoding, Entry, Level, Related, Visible};

use super::body::{STREAMED, StoredBody};
use super::deliver::{Answer, Representation};
use super::etag::ETag;
use super::negotiate::{self, Coding};
use super::problem::Failure;
use crate::render::compress::Beginning;
use crate::render::{self, INDEX, Index};
use crate::state::Shared;

/// An edition and what its caller may do with it.
pub(super) struct Edition {
    app: Arc<Shared>,
    visible: Visible,
    /// Whether it was asked for by its canonical URN.
    exact: bool,
}

impl Edition {
    pub(super) fn new(app: Arc<Shared>, visible: Visible) -> Self {
        Self { app, visible, exact: true }
    }

    /// The same, asked for by an alias or a URN that lacks parts: the answer names the one that was meant.
    pub(super) fn under_another_name(self) -> Self {
        Self { exact: false, ..self }
    }

    /// Other editions that it is tied to, as far as the caller may see them.
    pub(super) fn related(&self) -> Vec<Related> {
        self.visible.related()
    }

    /// What the catalogue says of it.
    pub(super) fn entry(&self) -> &Arc<Entry> {
        self.visible.entry()
    }

    /// What the caller may do with it.
    pub(super) fn level(&self) -> Level {
        self.visible.level()
    }

    /// Its URN as text.
    pub(super) fn urn(&self) -> &str {
        self.entry().summary.urn.as_str()
    }

    /// When the catalogue last changed what it says of it.
    pub(super) fn updated(&self) -> Option<Timestamp> {
        Timestamp::try_from(self.entry().updated).ok()
    }

    /// Sends a stored view as it is, in the coding that the caller would rather have.
    pub(super) async fn send(&self, view: View, operation: Operation, request: &Parts) -> Answer {
        let (stored, coding) = self.stored(view, request)?;
        let media = HeaderValue::from_static(view.media().content_type());
        let tag = ETag::new(&[&stored.digest.hex()[..TAG_DIGITS], coding.name()]);
        let representation = self.representation(tag, media, coding, operation);
        if stored.size > STREAMED {
            let body = async {
                let blob = self.reader(&stored).await?;
                Ok(StoredBody { front: Bytes::new(), blob, range: 0..stored.size, end: Bytes::new() })
            };
            return representation.stream(request, stored.size, body).await;
        }
        representation.answer(request, self.blob(&stored.digest)).await
    }

    /// Sends a stored view with the catalogue's members, rendered as `head`, in front of it.
    pub(super) async fn send_with(
        &self,
        head: Vec<u8>,
        view: View,
        operation: Operation,
        request: &Parts,
    ) -> Answer {
        debug_assert!(render::has_standing(view));
        let (stored, coding) = self.stored(view, request)?;
        let media = HeaderValue::from_static(view.media().content_type());
        let standing = crate::digest::short(&head);
        let tag = ETag::new(&[&stored.digest.hex()[..TAG_DIGITS], &standing, coding.name()]);
        let mut representation = self.representation(tag, media, coding, operation);
        // Other editions and grants change what stands in front; no one date tells when.
        representation.modified = None;
        // The plain form begins with a bracket that the head has too.
        let skipped = u64::from(coding == Coding::Identity).min(stored.size);
        if stored.size > STREAMED {
            let beginning = Beginning::new(&head, coding.encoding());
            let kept = skipped..stored.size - beginning.replaced() as u64;
            let size = beginning.front.len() as u64 + (kept.end - kept.start) + beginning.end_size() as u64;
            let body = async {
                let blob = self.reader(&stored).await?;
                let end = beginning.end(&blob.read(kept.end..stored.size).await?).into();
                Ok(StoredBody { front: beginning.front.into(), blob, range: kept, end })
            };
            return representation.stream(request, size, body).await;
        }
        let key = format!("{}.{standing}.{}", stored.digest.hex(), coding.name());
        let body = self.app.spliced(key, async || {
            let tail = self.blob(&stored.digest).await?.slice(skipped as usize..);
            Ok(Bytes::from(render::compress::begun(&head, &tail, coding.encoding())))
        });
        representation.answer(request, body).await
    }

    /// The headers that every representation of this edition has.
    pub(super) fn representation(
        &self,
        tag: ETag,
        content_type: HeaderValue,
        coding: Coding,
        operation: Operation,
    ) -> Representation {
        let mut representation = Representation::json(tag, self.updated());
        representation.content_type = content_type;
        representation.coding = (coding != Coding::Identity).then(|| coding.name());
        if !self.exact {
            representation.headers.push((header::CONTENT_LOCATION, operation.path_with(&[self.urn()])));
        }
        representation
    }

    /// A JSON representation made for this request out of the edition and what `parts` name; `target` is the path and
    /// query under which the canonical URN gives the same.
    pub(super) fn json(&self, parts: &[&str], target: (Operation, &[&str], &str)) -> Representation {
        let made_of = [&[self.urn(), &self.entry().revision], parts].concat().join("\n");
        let mut representation =
            Representation::json(ETag::new(&[&crate::digest::short(made_of.as_bytes())]), self.updated());
        if !self.exact {
            let (operation, arguments, query) = target;
            let path = operation.path_with(arguments);
            let location = if query.is_empty() { path } else { format!("{path}?{query}") };
            representation.headers.push((header::CONTENT_LOCATION, location));
        }
        representation
    }

    /// The identity bytes of a view, to take fragments of.
    pub(super) async fn view(&self, view: View) -> Result<Fragments, Failure> {
        let stored =
            self.entry().view(view.name(), Encoding::Identity).ok_or_else(|| self.lacks(view.name()))?;
        Ok(match stored.size > STREAMED {
            true => Fragments::Large(Box::new((self.reader(stored).await?, Mutex::default()))),
            false => Fragments::Whole(self.blob(&stored.digest).await?),
        })
    }

    /// Where fragments lie in its views.
    pub(super) async fn index(&self) -> Result<Arc<Index>, Failure> {
        let stored = self.entry().view(INDEX, Encoding::Identity).ok_or_else(|| self.lacks(INDEX))?;
        let digest = stored.digest;
        self.app
            .index(digest, async || {
                let bytes = self.blob(&digest).await?;
                Index::from_bytes(&bytes).ok_or_else(|| self.lacks(INDEX))
            })
            .await
    }

    fn stored(&self, view: View, request: &Parts) -> Result<(norma_store::View, Coding), Failure> {
        let available: Vec<Coding> = [Coding::Brotli, Coding::Gzip, Coding::Identity]
            .into_iter()
            .filter(|coding| self.entry().view(view.name(), coding.encoding()).is_some())
            .collect();
        let coding = negotiate::coding(&request.headers, &available);
        let stored = self.entry().view(view.name(), coding.encoding());
        Ok((stored.ok_or_else(|| self.lacks(view.name()))?.clone(), coding))
    }

    async fn blob(&self, digest: &norma_model::Digest) -> Result<Bytes, Failure> {
        self.app.store.blob(digest).await?.ok_or_else(|| self.lacks("blob"))
    }

    /// A stored view, to be read piece by piece.
    async fn reader(&self, stored: &norma_store::View) -> Result<BlobReader, Failure> {
        let blob = self.app.store.blob_reader(&stored.digest).await?;
        let blob = blob.ok_or_else(|| self.lacks("blob"))?;
        blob.has_size(stored.size)?;
        Ok(blob)
    }

    /// A view that another version of Norma did not write, or a damaged store.
    fn lacks(&self, what: &str) -> Failure {
        let detail = "This view of the standard has to be rebuilt by the operator.";
        Failure::new(norma_api::Code::Unavailable, detail)
            .with(header::RETRY_AFTER, "60")
            .caused_by(format!("{what} of {} is missing; run `norma rebuild`", self.urn()))
    }
}

/// A stored view of which fragments are wanted.
pub(super) enum Fragments {
    /// In memory.
    Whole(Bytes),
    /// Read piece by piece: of a large view, only the pieces that the fragments lie in are. With the last one that was read,
    /// which most of the following fragments lie in.
    Large(Box<(BlobReader, Mutex<(u64, Bytes)>)>),
}

impl Fragments {
    /// The bytes between two places of the view; none where it ends before.
    pub(super) async fn get(&self, (start, end): (u32, u32)) -> Result<Bytes, Failure> {
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
            return Ok(blob.read(start..end).await?);
        }
        let n = start / BlobReader::PIECE;
        let read = (n * BlobReader::PIECE, blob.piece(n as u32).await?);
        let found = within(&read).unwrap_or_default();
        *last.lock().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(found)
    }
}

/// Digits of a digest in an entity tag: 64 bits tell the states of one resource apart.
const TAG_DIGITS: usize = 16;

impl Coding {
    /// The stored encoding of this coding.
    pub(super) fn encoding(self) -> Encoding {
        match self {
            Self::Identity => Encoding::Identity,
            Self::Gzip => Encoding::Gzip,
            Self::Brotli => Encoding::Brotli,
        }
    }
}
