//! Bodies that are read from the store while they are sent: one piece at a time, each when the client has taken the one
//! before.

use std::ops::Range;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Method, header};
use axum::response::Response;
use bytes::Bytes;
use futures::{StreamExt, stream};
use norma_store::BlobReader;

use super::in_flight::Share;
use super::problem::Failure;
use super::trace::Notes;

/// Stored bytes beyond this size are not held whole for an answer.
pub(super) const STREAMED: u64 = 4 * BlobReader::PIECE;

/// The answer to a request for so many stored bytes; of HEAD, nothing is read.
pub(super) async fn response(
    request: &Parts,
    size: u64,
    body: impl Future<Output = Result<StoredBody, Failure>>,
) -> Result<Response, Failure> {
    let body = match request.method {
        Method::HEAD => Body::empty(),
        _ => body.await?.begin(request).await?,
    };
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_LENGTH, size.into());
    Ok(response)
}

/// A body of stored bytes, with others before and after them.
pub(super) struct StoredBody {
    /// What is sent first.
    pub(super) front: Bytes,
    /// The stored bytes.
    pub(super) blob: BlobReader,
    /// Which of them.
    pub(super) range: Range<u64>,
    /// What is sent last.
    pub(super) end: Bytes,
}

impl StoredBody {
    /// Starts it: the first piece is read now, so that damage found in it can still be answered. What is found later breaks
    /// the answer off.
    pub(super) async fn begin(self, request: &Parts) -> Result<Body, Failure> {
        let notes = Notes::of(&request.extensions);
        let Self { front, blob, range, end } = self;
        let mut rest = Rest { share: notes.share(), blob, range };
        let room = rest.share.room_to_begin(rest.ahead()).await?;
        let first = room.with(rest.read().await?);
        let pieces = stream::try_unfold((rest, notes), async |(mut rest, notes)| {
            if rest.range.is_empty() {
                return Ok(None);
            }
            let room = rest.share.room(rest.ahead()).await;
            match rest.read().await {
                Ok(piece) => Ok(Some((room.with(piece), (rest, notes)))),
                Err(error) => {
                    let (request, digest) = (notes.id(), rest.blob.digest());
                    tracing::error!(request, %digest, %error, "an answer was broken off");
                    Err(error)
                }
            }
        });
        let whole = stream::iter([Ok(front), Ok(first)]).chain(pieces).chain(stream::iter([Ok(end)]));
        Ok(Body::from_stream(whole.filter(|part| {
            let is_empty = part.as_ref().is_ok_and(Bytes::is_empty);
            async move { !is_empty }
        })))
    }
}

/// What is still to be read.
struct Rest {
    share: Share,
    blob: BlobReader,
    range: Range<u64>,
}

impl Rest {
    /// Bytes that the next piece takes in memory, of which fewer may be sent.
    fn ahead(&self) -> usize {
        BlobReader::PIECE.min(self.blob.size()) as usize
    }

    /// The next bytes, up to the end of a piece.
    async fn read(&mut self) -> Result<Bytes, norma_store::Error> {
        let start = self.range.start;
        let n = start / BlobReader::PIECE;
        let piece = self.blob.piece(u32::try_from(n).unwrap_or(u32::MAX)).await?;
        let begins = n * BlobReader::PIECE;
        let end = self.range.end.min(begins + BlobReader::PIECE);
        self.range.start = end;
        let within = |at: u64| usize::try_from(at - begins).unwrap_or(usize::MAX).min(piece.len());
        Ok(piece.slice(within(start)..within(end)))
    }
}
