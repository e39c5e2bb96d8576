//! Response bodies that are read from the store while they are sent, one piece at a time: the next is read when the client has
//! taken the one before.

use std::ops::Range;
use std::sync::Arc;

use axum::BoxError;
use axum::body::Body;
use bytes::Bytes;
use futures::stream;
use norma_api::problem::Code;
use norma_handlers::{Failure, Pieces};

use super::in_flight::Share;

/// Stored bytes beyond this size are not held whole for an answer: four pieces of the store.
pub(super) const MAX_BUFFERED: u64 = 4 * norma_store::BlobReader::PIECE;

/// Starts a body: the first piece is read now, so that damage found in it can still be answered. What is found later breaks
/// the answer off.
pub(super) async fn stream_body(
    pieces: Arc<dyn Pieces>,
    range: Range<u64>,
    id: &str,
    share: Share,
) -> Result<Body, Failure> {
    let mut rest = Remaining { pieces, range };
    let reservation = share.reserve_within_timeout(rest.pieces.max_piece()).await?;
    let first = reservation.with(rest.read().await?);
    let id = id.to_owned();
    let rest = stream::try_unfold((rest, share, id), async |(mut rest, share, id)| {
        if rest.range.is_empty() {
            return Ok::<_, BoxError>(None);
        }
        let reservation = share.reserve(rest.pieces.max_piece()).await;
        match rest.read().await {
            Ok(piece) => Ok(Some((reservation.with(piece), (rest, share, id)))),
            Err(failure) => {
                let cause = failure.cause().unwrap_or_default().to_owned();
                tracing::error!(request = id, cause, "an answer was broken off");
                Err(cause.into())
            }
        }
    });
    Ok(Body::from_stream(futures::StreamExt::chain(stream::iter([Ok(first)]), rest)))
}

/// What is still to be read.
struct Remaining {
    pieces: Arc<dyn Pieces>,
    range: Range<u64>,
}

impl Remaining {
    /// The next bytes, up to the end of a piece.
    async fn read(&mut self) -> Result<Bytes, Failure> {
        if self.range.is_empty() {
            return Ok(Bytes::new());
        }
        let mut piece = self.pieces.piece_from(self.range.start).await?;
        let left = usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX);
        if piece.is_empty() {
            let detail = "The service could not read all of the answer.";
            return Err(Failure::new(Code::Internal, detail).caused_by("stored bytes end too early"));
        }
        piece.truncate(left);
        self.range.start += piece.len() as u64;
        Ok(piece)
    }
}
