//! Bytes of a representation, which are made when they are needed.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;

use crate::Failure;
use crate::edition::StoredPieces;

/// Most stored bytes that are held whole for an answer: four pieces of the store.
pub const MAX_BUFFERED: u64 = 4 * norma_store::BlobReader::PIECE;

/// Fewest bytes of a selection or of a page of a search that are compressed. 8 KiB take 20 µs and become 2
/// KB; fewer save a packet or two (`bench/RESULTS.md`, Gzip of answers that are made for a request).
pub(crate) const MIN_COMPRESSED_ANSWER: u64 = 8 << 10;

/// The bytes of a representation.
pub enum Body {
    /// Few enough to be in memory.
    Whole {
        /// Their number, if it is known before they are made.
        size: Option<u64>,
        /// Makes them when they are needed.
        make: BoxFuture<'static, Result<Bytes, Failure>>,
    },
    /// Few enough to be in memory, but costly: HEAD does not make them, and its answer then has no
    /// `Content-Length`.
    OfGet(BoxFuture<'static, Result<Bytes, Failure>>),
    /// Read while they are sent.
    Pieces {
        /// Their number; `None` if it is known only at the end.
        size: Option<u64>,
        /// Opens the bytes when they are needed.
        open: BoxFuture<'static, Result<Arc<StoredPieces>, Failure>>,
    },
    /// A body whose bytes are in gzip, under a tag of its own.
    InGzip(Box<Body>),
    /// Number and form are known only when the bytes are needed.
    Deferred(BoxFuture<'static, Result<Body, Failure>>),
}

impl Body {
    /// Bytes that `make` gives when they are needed.
    pub fn lazy(make: impl Future<Output = Result<Bytes, Failure>> + Send + 'static) -> Self {
        Self::Whole { size: None, make: Box::pin(make) }
    }

    /// Bytes that `make` gives when a GET needs them.
    pub fn of_get(make: impl Future<Output = Result<Bytes, Failure>> + Send + 'static) -> Self {
        Self::OfGet(Box::pin(make))
    }

    /// This number of bytes, which `make` gives when they are needed.
    pub fn lazy_sized(
        size: u64,
        make: impl Future<Output = Result<Bytes, Failure>> + Send + 'static,
    ) -> Self {
        Self::Whole { size: Some(size), make: Box::pin(make) }
    }

    /// A body that `make` gives when it is needed.
    pub fn deferred(make: impl Future<Output = Result<Self, Failure>> + Send + 'static) -> Self {
        Self::Deferred(Box::pin(make))
    }

    /// Bytes that are already in memory.
    pub fn from_bytes(bytes: Bytes) -> Self {
        Self::lazy(async { Ok(bytes) })
    }
}
