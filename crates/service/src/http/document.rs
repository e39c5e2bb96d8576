//! Documents about the service: the same bytes for everybody, made once, in each coding, with their entity tags.

use axum::http::HeaderValue;
use axum::http::request::Parts;
use bytes::Bytes;
use norma_store::Encoding;

use super::deliver::{Answer, Representation};
use super::etag::ETag;
use super::negotiate::{self, Coding};
use crate::render::compress::{self, Compression, Stream};

/// Bytes that everybody may read.
pub(crate) struct Document {
    content_type: HeaderValue,
    /// The best coding first, identity last.
    forms: Vec<(Coding, ETag, Bytes)>,
}

/// Made once and sent often, but made while somebody waits.
const COMPRESSION: Compression = Compression { gzip: 6, brotli: 5 };

impl Document {
    /// A document under this value of `Content-Type`.
    pub(crate) fn new(content_type: &'static str, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let digest = crate::digest::short(&bytes);
        let mut forms: Vec<_> = (compress::forms(&bytes, Stream::Whole, COMPRESSION))
            .map(|(encoding, form)| (Coding::of(encoding), Bytes::from(form)))
            .chain([(Coding::Identity, bytes.clone())])
            .map(|(coding, form)| (coding, ETag::new(&[&digest, coding.name()]), form))
            .collect();
        forms.sort_by_key(|(coding, _, _)| std::cmp::Reverse(*coding));
        Self { content_type: HeaderValue::from_static(content_type), forms }
    }

    /// Sends it to whoever does not have it yet.
    pub(super) async fn answer(&self, request: &Parts) -> Answer {
        let offered: Vec<Coding> = self.forms.iter().map(|(coding, _, _)| *coding).collect();
        let chosen = negotiate::coding(&request.headers, &offered);
        let (coding, tag, bytes) =
            self.forms.iter().find(|(coding, _, _)| *coding == chosen).expect("what is offered is there");
        let mut representation = Representation::public(tag.clone(), self.content_type.clone());
        representation.coding = (*coding != Coding::Identity).then(|| coding.name());
        representation.answer(request, async { Ok(bytes.clone()) }).await
    }
}

impl Coding {
    fn of(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Identity => Self::Identity,
            Encoding::Gzip => Self::Gzip,
            Encoding::Brotli => Self::Brotli,
        }
    }
}
