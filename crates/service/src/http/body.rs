//! Response bodies that are read from the store while they are sent, one piece at a time: the next is read
//! when the client has received the one before.

use std::sync::Arc;

use axum::BoxError;
use axum::body::Body;
use bytes::Bytes;
use futures::stream;
use norma_api::problem::Code;
use norma_reads::{Failure, RequestMemory, StoredPieces};
use norma_store::{TurnClient, current_client, for_client};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Starts a body: the first piece is read now, so that damage found in it can still be answered. What is
/// found later breaks the answer off. The request holds what the body takes until its last piece was sent.
/// `range`: the first byte and the end; without an end, all that the pieces have.
pub(super) async fn stream_body(
    pieces: Arc<StoredPieces>,
    range: (u64, Option<u64>),
    id: &str,
    memory: RequestMemory,
) -> Result<Body, Failure> {
    memory.hold(pieces.memory()).await?;
    let (start, end) = range;
    let client = current_client();
    let mut rest = Remaining { pieces, start, end, room: Arc::new(Semaphore::new(1)), memory, client };
    let first = rest.read().await?.unwrap_or_default();
    let id = id.to_owned();
    let rest = stream::try_unfold((rest, id), async |(mut rest, id)| match rest.read().await {
        Ok(piece) => Ok::<_, BoxError>(piece.map(|piece| (piece, (rest, id)))),
        Err(failure) => {
            let cause = failure.cause().unwrap_or_default().to_owned();
            tracing::error!(request = id, cause, "an answer was broken off");
            Err(cause.into())
        }
    });
    Ok(Body::from_stream(futures::StreamExt::chain(stream::iter([Ok(first)]), rest)))
}

/// The rest that is still to be read.
struct Remaining {
    pieces: Arc<StoredPieces>,
    start: u64,
    /// The end; `None` if it is not known in advance.
    end: Option<u64>,
    /// A permit for one piece that was read and not sent. The buffers of the socket hold enough to go on with
    /// meanwhile.
    room: Arc<Semaphore>,
    memory: RequestMemory,
    client: TurnClient,
}

impl Remaining {
    /// The next bytes, up to the end of a piece, once a piece may be read; `None` at the end.
    async fn read(&mut self) -> Result<Option<Bytes>, Failure> {
        if self.end.is_some_and(|end| self.start >= end) {
            return Ok(None);
        }
        let permit = self.room.clone().acquire_owned().await.ok();
        let piece = self.pieces.piece_from(self.start);
        let mut bytes = for_client(self.client.clone(), piece).await?;
        let Some(end) = self.end else {
            self.start = self.start.saturating_add(bytes.len() as u64);
            return Ok((!bytes.is_empty()).then(|| self.held(bytes, permit)));
        };
        if bytes.is_empty() {
            let detail = "The service could not read all of the answer.";
            return Err(Failure::new(Code::Internal, detail).caused_by("stored bytes end too early"));
        }
        bytes.truncate(usize::try_from(end - self.start).unwrap_or(usize::MAX));
        self.start += bytes.len() as u64;
        Ok(Some(self.held(bytes, permit)))
    }

    fn held(&self, bytes: Bytes, permit: Option<OwnedSemaphorePermit>) -> Bytes {
        Bytes::from_owner(ReadPiece { bytes, _permit: permit, _memory: self.memory.clone() })
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
