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
use norma_store::{Client, current_client, for_client};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::in_flight::RequestMemory;

/// Stored bytes beyond this size are not held whole for an answer: four pieces of the store.
pub(super) const MAX_BUFFERED: u64 = 4 * norma_store::BlobReader::PIECE;

/// Starts a body: the first piece is read now, so that damage found in it can still be answered. What is found later breaks
/// the answer off. The request holds what the body takes until its last piece was sent.
pub(super) async fn stream_body(
    pieces: Arc<dyn Pieces>,
    range: Range<u64>,
    id: &str,
    memory: RequestMemory,
) -> Result<Body, Failure> {
    memory.hold(pieces.memory()).await?;
    let mut rest =
        Remaining { pieces, range, room: Arc::new(Semaphore::new(1)), memory, client: current_client() };
    let first = rest.read().await?;
    let id = id.to_owned();
    let rest = stream::try_unfold((rest, id), async |(mut rest, id)| {
        if rest.range.is_empty() {
            return Ok::<_, BoxError>(None);
        }
        match rest.read().await {
            Ok(piece) => Ok(Some((piece, (rest, id)))),
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
    /// Room for one piece that was read and not sent. The buffers of the socket hold enough to go on with meanwhile.
    room: Arc<Semaphore>,
    memory: RequestMemory,
    client: Client,
}

impl Remaining {
    /// The next bytes, up to the end of a piece, once there is room for them.
    async fn read(&mut self) -> Result<Bytes, Failure> {
        if self.range.is_empty() {
            return Ok(Bytes::new());
        }
        let permit = self.room.clone().acquire_owned().await.ok();
        let piece = self.pieces.piece_from(self.range.start);
        let mut bytes = for_client(self.client.clone(), piece).await?;
        let left = usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX);
        if bytes.is_empty() {
            let detail = "The service could not read all of the answer.";
            return Err(Failure::new(Code::Internal, detail).caused_by("stored bytes end too early"));
        }
        bytes.truncate(left);
        self.range.start += bytes.len() as u64;
        Ok(Bytes::from_owner(ReadPiece { bytes, _permit: permit, _memory: self.memory.clone() }))
    }
}

/// A piece until it was sent.
struct ReadPiece {
    bytes: Bytes,
    _permit: Option<OwnedSemaphorePermit>,
    _memory: RequestMemory,
}

impl AsRef<[u8]> for ReadPiece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
