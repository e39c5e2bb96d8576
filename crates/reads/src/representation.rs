//! Representations: headers, entity tag and body of an answer; the bytes are made when they are needed.

use std::sync::Arc;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures::future::BoxFuture;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use norma_api::media::{ContentCoding, Media};
use norma_api::shapes::ViewHead;
use sha2::{Digest, Sha256};

use crate::traits::{Coded, StoredPieces};
use crate::{AuthorizedEdition, Failure, Request, gzip};

/// The headers and body of an answer, before the conditions of the request are checked.
pub struct Representation<'e> {
    /// Its strong entity tag, quotes included; `None` if it is made for this request and conditions do not
    /// apply.
    pub tag: Option<HeaderValue>,
    /// The time of its last change.
    pub modified: Option<Timestamp>,
    /// `Content-Type` and further headers. Those of caching come from the table of operations where they are
    /// not here.
    pub headers: HeaderMap,
    /// Whether a range of its bytes can be requested.
    pub has_ranges: bool,
    /// Its bytes.
    pub body: Body<'e>,
}

/// The bytes of a representation.
pub enum Body<'e> {
    /// Few enough to be in memory.
    Whole {
        /// Their number, if it is known before they are made.
        size: Option<u64>,
        /// Makes them when they are needed.
        make: BoxFuture<'e, Result<Bytes, Failure>>,
    },
    /// Few enough to be in memory, but costly: HEAD does not make them, and its answer then has no
    /// `Content-Length`.
    OfGet(BoxFuture<'e, Result<Bytes, Failure>>),
    /// Read while they are sent.
    Pieces {
        /// Their number; `None` if it is known only at the end.
        size: Option<u64>,
        /// Opens them.
        open: BoxFuture<'e, Result<Arc<dyn StoredPieces>, Failure>>,
    },
    /// A body whose bytes are in gzip, under a tag of its own.
    InGzip(Box<Body<'e>>),
    /// Number and form are known only when the bytes are needed.
    Deferred(BoxFuture<'e, Result<Body<'e>, Failure>>),
}

impl<'e> Body<'e> {
    /// Bytes that `make` gives when they are needed.
    pub fn lazy(make: impl Future<Output = Result<Bytes, Failure>> + Send + 'e) -> Self {
        Self::Whole { size: None, make: Box::pin(make) }
    }

    /// Bytes that `make` gives when a GET needs them.
    pub fn of_get(make: impl Future<Output = Result<Bytes, Failure>> + Send + 'e) -> Self {
        Self::OfGet(Box::pin(make))
    }

    /// This number of bytes, which `make` gives when they are needed.
    pub fn lazy_sized(size: u64, make: impl Future<Output = Result<Bytes, Failure>> + Send + 'e) -> Self {
        Self::Whole { size: Some(size), make: Box::pin(make) }
    }

    /// A body that `make` gives when it is needed.
    pub fn deferred(make: impl Future<Output = Result<Self, Failure>> + Send + 'e) -> Self {
        Self::Deferred(Box::pin(make))
    }

    /// Bytes that are there.
    pub fn from_bytes(bytes: Bytes) -> Self {
        Self::lazy(async { Ok(bytes) })
    }
}

impl<'e> Representation<'e> {
    /// A representation of this `Content-Type` under this tag (see [`tag`]).
    pub fn new(content_type: HeaderValue, tag: Option<HeaderValue>, body: Body<'e>) -> Self {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, content_type);
        Self { tag, modified: None, headers, has_ranges: false, body }
    }

    /// JSON of a shape of the contract, made for this request.
    ///
    /// # Errors
    /// None for shapes of the contract.
    pub fn from_shape(shape: &impl serde::Serialize) -> Result<Self, Failure> {
        let body = json(shape)?;
        let content_type = HeaderValue::from_static(Media::Json.content_type());
        Ok(Self::new(content_type, Some(tag(&digest(&body))?), Body::from_bytes(body)))
    }

    /// The same in this coding, where the bytes are many.
    ///
    /// # Errors
    /// None for shapes of the contract.
    pub(crate) fn from_large_shape(
        shape: &impl serde::Serialize,
        coding: ContentCoding,
    ) -> Result<Self, Failure> {
        let identity = json(shape)?;
        let content_type = HeaderValue::from_static(Media::Json.content_type());
        let name = digest(&identity);
        if coding == ContentCoding::Identity || (identity.len() as u64) < MIN_COMPRESSED_ANSWER {
            return Ok(Self::new(content_type, Some(tag(&name)?), Body::from_bytes(identity)));
        }
        let tag = tag(&format!("{name}.{}", coding.name()))?;
        let body = Body::from_bytes(gzip(&identity)?);
        Ok(Self::new(content_type, Some(tag), Body::InGzip(Box::new(body))))
    }

    /// A view of an edition as it is stored.
    pub(crate) fn view(
        edition: &'e dyn AuthorizedEdition,
        request: Request<'_>,
        media: Media,
        coding: ContentCoding,
        coded: Coded<'e>,
    ) -> Result<Self, Failure> {
        let content_type = HeaderValue::from_static(media.content_type());
        let mut representation = Self::new(content_type, Some(tag(&coded.tag)?), coded.body);
        representation.modified = edition.updated();
        representation.coded(coding);
        representation.locate(edition, request, &[edition.urn()])?;
        Ok(representation)
    }

    /// JSON or text made for this request from an edition and what `parts` name. The canonical URN gives the
    /// same under the path of `arguments`, with the same query.
    pub(crate) fn generated(
        edition: &'e dyn AuthorizedEdition,
        request: Request<'_>,
        media: Media,
        (parts, arguments): (&[&str], &[&str]),
        body: Body<'e>,
    ) -> Result<Self, Failure> {
        let inputs = [&[VERSION, edition.urn(), edition.revision()], parts].concat().join("\n");
        let content_type = HeaderValue::from_static(media.content_type());
        let mut representation = Self::new(content_type, Some(tag(&digest(inputs.as_bytes()))?), body);
        representation.modified = edition.updated();
        representation.locate(edition, request, arguments)?;
        Ok(representation)
    }

    /// Adds which edition was meant, if the request did not name it.
    fn locate(
        &mut self,
        edition: &dyn AuthorizedEdition,
        request: Request<'_>,
        arguments: &[&str],
    ) -> Result<(), Failure> {
        if edition.is_exact() {
            return Ok(());
        }
        let path = request.operation.path_with(arguments);
        let query = request.query();
        let location = if query.is_empty() { path } else { format!("{path}?{query}") };
        self.set(header::CONTENT_LOCATION, &location)
    }

    /// Adds the coding of the bytes.
    pub fn coded(&mut self, coding: ContentCoding) {
        if coding != ContentCoding::Identity {
            self.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
    }

    /// Sets a header.
    ///
    /// # Errors
    /// The value cannot be sent: what is sent here is ASCII by construction, unless the store is damaged.
    pub fn set(&mut self, name: HeaderName, value: &str) -> Result<(), Failure> {
        let value = HeaderValue::from_str(value).map_err(|error| Failure::internal(&error))?;
        self.headers.insert(name, value);
        Ok(())
    }
}

/// Most stored bytes that are held whole for an answer: four pieces of the store.
pub const MAX_BUFFERED: u64 = 4 * norma_store::BlobReader::PIECE;

/// Fewest bytes of a selection or of a page of a search that are compressed. 8 KiB take 20 µs and become 2
/// KB; fewer save a packet or two (`bench/RESULTS.md`, Gzip of answers that are made for a request).
pub(crate) const MIN_COMPRESSED_ANSWER: u64 = 8 << 10;

/// The version of the program, in the tags of answers that it composes: another version may make other bytes
/// from the same parts.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The members that every view of an edition begins with.
pub(crate) fn head(edition: &dyn AuthorizedEdition) -> ViewHead<'_> {
    ViewHead { urn: edition.urn().into(), revision: edition.revision().into() }
}

/// A strong entity tag of what names the bytes.
///
/// # Errors
/// It is not ASCII.
pub fn tag(name: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(["\"", name, "\""].concat()).map_err(|error| Failure::internal(&error))
}

/// Sixteen hexadecimal digits of the SHA-256 digest: 64 bits distinguish the states of one resource.
pub fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes)[..8])
}

/// Renders a shape of the contract.
///
/// # Errors
/// None for shapes of the contract.
pub fn json(shape: &impl serde::Serialize) -> Result<Bytes, Failure> {
    serde_json::to_vec(shape).map(Bytes::from).map_err(|error| Failure::internal(&error))
}

/// Parses a stored fragment.
///
/// # Errors
/// [`Failure::unreadable`]: its members are not those of this version.
pub(crate) fn parsed<'a, T: serde::Deserialize<'a>>(fragment: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(fragment)
        .map_err(|error| Failure::unreadable(format_args!("a stored fragment cannot be read: {error}")))
}
