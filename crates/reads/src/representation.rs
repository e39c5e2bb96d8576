//! Representations: headers, entity tag and body of an answer; the bytes are made when they are needed.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use norma_api::media::{ContentCoding, Media};
use norma_api::shapes::ViewHead;

use crate::body::{Body, MIN_COMPRESSED_ANSWER};
use crate::edition::{AuthorizedEdition, Coded};
use crate::gzip::gzip;
use crate::json::json;
use crate::tag::{VERSION, digest, tag};
use crate::{Failure, Request};

/// The headers and body of an answer, before the conditions of the request are checked.
pub struct Representation {
    /// The strong entity tag, quotes included; `None` if it is made for this request and conditions do not
    /// apply.
    pub tag: Option<HeaderValue>,
    /// The time of the last change; `None` where several states with dates of their own make up the answer.
    pub modified: Option<Timestamp>,
    /// `Content-Type` and further headers. Those of caching come from the table of operations where they are
    /// not here.
    pub headers: HeaderMap,
    /// A range of the bytes can be requested.
    pub has_ranges: bool,
    /// Callers may cache the answer as its operation allows. What was found in an index that is still being
    /// built may not be cached.
    pub is_final: bool,
    /// The bytes, which are made when they are needed.
    pub body: Body,
}

impl Representation {
    /// A representation of this `Content-Type` under this tag (see [`tag`]).
    pub fn new(content_type: HeaderValue, tag: Option<HeaderValue>, body: Body) -> Self {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, content_type);
        Self { tag, modified: None, headers, has_ranges: false, is_final: true, body }
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

    /// JSON of a shape of the contract that conditions do not apply to: it depends on what the body of the
    /// request asks.
    ///
    /// # Errors
    /// None for shapes of the contract.
    pub(crate) fn without_tag(shape: &impl serde::Serialize) -> Result<Self, Failure> {
        let content_type = HeaderValue::from_static(Media::Json.content_type());
        Ok(Self::new(content_type, None, Body::from_bytes(json(shape)?)))
    }

    /// A view of an edition as it is stored.
    pub(crate) fn view(
        edition: &AuthorizedEdition,
        request: Request<'_>,
        media: Media,
        coding: ContentCoding,
        coded: Coded,
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
        edition: &AuthorizedEdition,
        request: Request<'_>,
        media: Media,
        (parts, arguments): (&[&str], &[&str]),
        body: Body,
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
        edition: &AuthorizedEdition,
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

/// The members that every view of an edition begins with.
pub(crate) fn head(edition: &AuthorizedEdition) -> ViewHead<'_> {
    ViewHead { urn: edition.urn().into(), revision: edition.revision().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_compressed_where_it_is_large_under_a_tag_of_its_own() {
        let tag = |text: &str, coding| {
            let made = Representation::from_large_shape(&[text], coding).unwrap();
            let is_gzip = matches!(made.body, Body::InGzip(_));
            (made.tag.unwrap().to_str().unwrap().to_owned(), is_gzip)
        };
        let large = "a".repeat(MIN_COMPRESSED_ANSWER as usize);
        let (identity, is_gzip) = tag(&large, ContentCoding::Identity);
        assert!(!is_gzip);
        let (coded, is_gzip) = tag(&large, ContentCoding::Gzip);
        assert!(is_gzip);
        assert_eq!(coded, format!("{}.gzip\"", identity.trim_end_matches('"')));
        let (small, is_gzip) = tag("a", ContentCoding::Gzip);
        assert!(!is_gzip && !small.contains("gzip"), "{small}");
    }
}
