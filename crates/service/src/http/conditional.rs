//! Conditional requests (RFC 9110, section 13): a representation becomes an answer with its bytes, without
//! them, or with a range of them.

use std::convert::Infallible;
use std::ops::Range;
use std::time::SystemTime;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use headers::{Header, HeaderMapExt, IfMatch, IfModifiedSince, IfNoneMatch, IfUnmodifiedSince, LastModified};
use jiff::Timestamp;
use norma_api::ContentCoding;
use norma_api::paths::Caching;
use norma_api::problem::Code;
use norma_reads::{Body as Content, Failure, MAX_BUFFERED, Representation, RequestMemory};

use super::body;
use super::range::{RequestedRange, requested_range};

/// The answer to a request whose representation is known.
pub(super) type HandlerResult = Result<Response, Failure>;

/// A representation ready to send: its head, and its bytes once they were needed. It can be given again.
pub(super) struct PreparedResponse {
    tag: Option<headers::ETag>,
    modified: Option<SystemTime>,
    headers: HeaderMap,
    is_public: bool,
    body: Option<Bytes>,
}

/// Answers with a representation under a request's conditions. The second part of the result can be sent
/// again.
pub(super) async fn answer(
    representation: Representation,
    caching: Caching,
    (method, headers, id): (&Method, &HeaderMap, &str),
    memory: impl FnOnce() -> RequestMemory,
) -> Result<(Response, Option<PreparedResponse>), Failure> {
    let Representation { tag, modified, headers: own_headers, has_ranges, is_final, mut body } =
        representation;
    let caching = if is_final { caching } else { Caching::Never };
    let mut prepared = PreparedResponse::new(tag, modified, own_headers, caching);
    if let Some(answer) = prepared.without_body(headers) {
        let is_streamed = matches!(body, Content::Pieces { .. });
        return Ok((answer?, (!is_streamed).then_some(prepared)));
    }
    while let Content::Deferred(make) = body {
        body = make.await?;
    }
    if let Content::InGzip(coded) = body {
        let gzip = HeaderValue::from_static(ContentCoding::Gzip.name());
        prepared.headers.insert(header::CONTENT_ENCODING, gzip);
        body = *coded;
    }
    let is_head = method == Method::HEAD;
    match body {
        Content::Whole { size: Some(size), make: _ } if is_head => {
            Ok((prepared.head(Some(size)), Some(prepared)))
        }
        Content::OfGet(_) if is_head => Ok((prepared.head(None), Some(prepared))),
        Content::Whole { make, .. } | Content::OfGet(make) => {
            prepared.body = Some(make.await?);
            let cover = async |bytes| memory().cover(bytes).await;
            let response = prepared.answer(headers, cover).await.expect("the body is there")?;
            let is_small = prepared.size() as u64 <= MAX_BUFFERED;
            Ok((response, is_small.then_some(prepared)))
        }
        // Of HEAD, nothing is read.
        Content::Pieces { size, open: _ } if is_head => Ok((prepared.head(size), None)),
        Content::Pieces { size: None, open } => {
            let body = body::stream_body(open.await?, (0, None), id, memory()).await?;
            Ok((prepared.with_body(body), None))
        }
        Content::Pieces { size: Some(size), open } => {
            // A range is for GET only (RFC 9110, section 14.2).
            let requested = if has_ranges && method == Method::GET {
                requested_range(headers, prepared.tag.as_ref(), size)
            } else {
                RequestedRange::Whole
            };
            let (status, range) = sent_range(requested, size)?;
            prepared.set_range(status, &range, size);
            let body = body::stream_body(open.await?, (range.start, Some(range.end)), id, memory()).await?;
            let mut response = prepared.with_body(body);
            *response.status_mut() = status;
            Ok((response, None))
        }
        Content::Deferred(_) | Content::InGzip(_) => unreachable!("they are opened above, once"),
    }
}

/// The status of an answer with the requested range of a body of this size, and the bytes that are sent.
fn sent_range(requested: RequestedRange, size: u64) -> Result<(StatusCode, Range<u64>), Failure> {
    match requested {
        RequestedRange::Whole => Ok((StatusCode::OK, 0..size)),
        RequestedRange::Part(start, end) => Ok((StatusCode::PARTIAL_CONTENT, start..end)),
        RequestedRange::Nothing => {
            let detail = format!("The asset has {size} bytes; the range lies beyond them.");
            Err(Failure::new(Code::RangeNotSatisfiable, detail)
                .with(header::CONTENT_RANGE, format!("bytes */{size}")))
        }
    }
}

impl PreparedResponse {
    fn new(
        tag: Option<HeaderValue>,
        modified: Option<Timestamp>,
        mut headers: HeaderMap,
        caching: Caching,
    ) -> Self {
        let (control, vary) = match caching {
            Caching::Never => (Some("no-store"), None),
            // The operation knows for how long the URL is good.
            Caching::SignedUrl => (None, None),
            // Revalidated on each use, which costs a 304.
            Caching::Private => {
                // Each use asks the service, and a tag holds what its caller sees: callers need no variants.
                (Some("private, no-cache"), Some("Accept, Accept-Encoding, Accept-Language"))
            }
            Caching::Public => (Some("public, max-age=300"), Some("Accept-Encoding")),
        };
        if let Some(control) = control {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
        }
        if let Some(vary) = vary {
            headers.entry(header::VARY).or_insert(HeaderValue::from_static(vary));
        }
        let modified = modified.map(SystemTime::from);
        if let Some(modified) = modified {
            headers.typed_insert(LastModified::from(modified));
        }
        let strong = tag.as_ref().and_then(|tag| headers::ETag::decode(&mut [tag].into_iter()).ok());
        headers.extend(tag.map(|tag| (header::ETAG, tag)));
        Self { tag: strong, modified, headers, is_public: caching == Caching::Public, body: None }
    }

    /// The answer to HEAD for a body of this size. Where the size is not known, the body is an empty stream:
    /// an empty body would state a `Content-Length` of 0.
    fn head(&self, size: Option<u64>) -> Response {
        let Some(size) = size else {
            let empty = futures::stream::empty::<Result<Bytes, Infallible>>();
            return self.with_body(Body::from_stream(empty));
        };
        let mut response = self.with_body(Body::empty());
        response.headers_mut().insert(header::CONTENT_LENGTH, size.into());
        response
    }

    /// Adds the length of what is sent of a body of this size, and its place where it is a part.
    fn set_range(&mut self, status: StatusCode, range: &Range<u64>, size: u64) {
        self.headers.insert(header::CONTENT_LENGTH, (range.end - range.start).into());
        if status == StatusCode::PARTIAL_CONTENT {
            let part = format!("bytes {}-{}/{size}", range.start, range.end - 1);
            let part = HeaderValue::try_from(part).expect("digits are ASCII");
            self.headers.insert(header::CONTENT_RANGE, part);
        }
    }

    fn with_body(&self, body: Body) -> Response {
        let mut response = Response::new(body);
        *response.headers_mut() = self.headers.clone();
        response
    }

    /// Number of bytes that the body has in memory.
    pub(super) fn size(&self) -> usize {
        self.body.as_ref().map_or(0, Bytes::len)
    }

    /// The answer under a request's conditions; `None` if it needs bytes that are not in memory. `cover`
    /// gives them a reservation.
    pub(super) async fn answer(
        &self,
        conditions: &HeaderMap,
        cover: impl AsyncFnOnce(Bytes) -> Result<Bytes, Failure>,
    ) -> Option<HandlerResult> {
        if let Some(answer) = self.without_body(conditions) {
            return Some(answer);
        }
        let bytes = self.body.clone()?;
        // Public documents are in memory once, however many clients read them.
        if self.is_public {
            return Some(Ok(self.with_body(Body::from(bytes))));
        }
        match cover(bytes).await {
            Ok(covered) => Some(Ok(self.with_body(Body::from(covered)))),
            Err(failure) => Some(Err(failure)),
        }
    }

    /// The answer if a request's conditions need no bytes.
    fn without_body(&self, conditions: &HeaderMap) -> Option<HandlerResult> {
        match condition(conditions, self.tag.as_ref()?, self.modified) {
            Condition::Failed => {
                let detail = "The representation is not the one that the precondition names.";
                Some(Err(Failure::new(Code::PreconditionFailed, detail)))
            }
            Condition::NotModified => {
                let mut response = StatusCode::NOT_MODIFIED.into_response();
                *response.headers_mut() = self.headers.clone();
                for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING, header::CONTENT_DISPOSITION] {
                    response.headers_mut().remove(name);
                }
                Some(Ok(response))
            }
            Condition::Send => None,
        }
    }
}

/// The result of the conditions of a GET or HEAD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// The representation is sent: no condition holds against it.
    Send,
    /// The caller has it: 304.
    NotModified,
    /// `If-Match` or `If-Unmodified-Since` fails: 412.
    Failed,
}

/// Evaluates the conditions in the order of RFC 9110, section 13.2.2. Tags that cannot be parsed match
/// nothing.
fn condition(headers: &HeaderMap, tag: &headers::ETag, modified: Option<SystemTime>) -> Condition {
    if headers.contains_key(header::IF_MATCH) {
        if !headers.typed_get::<IfMatch>().is_some_and(|tags| tags.precondition_passes(tag)) {
            return Condition::Failed;
        }
    } else if let (Some(date), Some(modified)) = (headers.typed_get::<IfUnmodifiedSince>(), modified)
        && !date.precondition_passes(modified)
    {
        return Condition::Failed;
    }
    if headers.contains_key(header::IF_NONE_MATCH) {
        if is_known(headers, tag) {
            return Condition::NotModified;
        }
    } else if let (Some(date), Some(modified)) = (headers.typed_get::<IfModifiedSince>(), modified)
        && !date.is_modified(modified)
    {
        return Condition::NotModified;
    }
    Condition::Send
}

/// True if `If-None-Match` names the tag, also with the suffix of a proxy that compressed the answer.
fn is_known(headers: &HeaderMap, tag: &headers::ETag) -> bool {
    let sent = headers.get_all(header::IF_NONE_MATCH);
    if names(IfNoneMatch::decode(&mut sent.iter()), tag) {
        return true;
    }
    let mut without_suffix = Vec::new();
    for tags in sent {
        without_suffix.extend(without_suffixes(tags));
    }
    names(IfNoneMatch::decode(&mut without_suffix.iter()), tag)
}

fn names(tags: Result<IfNoneMatch, headers::Error>, tag: &headers::ETag) -> bool {
    match tags {
        Ok(tags) => !tags.precondition_passes(tag),
        Err(_) => false,
    }
}

/// Entity tags without the suffixes that servers add when they compress: Apache `-gzip`, Jetty `--gzip`,
/// others `;gzip`.
fn without_suffixes(tags: &HeaderValue) -> Option<HeaderValue> {
    let mut text = tags.to_str().ok()?.to_owned();
    for coding in ["gzip", "br", "deflate", "zstd"] {
        for mark in ["--", "-", ";"] {
            text = text.replace(&format!("{mark}{coding}\""), "\"");
        }
    }
    HeaderValue::try_from(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_follow_the_order_of_the_standard() {
        let tag: headers::ETag = "\"a.br\"".parse().unwrap();
        let time: Timestamp = "2026-03-01T10:00:00.5Z".parse().unwrap();
        use header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};
        let same = "Sun, 01 Mar 2026 10:00:00 GMT";
        let earlier = "Sun, 01 Mar 2026 09:00:00 GMT";
        for (sent, comes_to) in [
            (vec![], Condition::Send),
            (vec![(IF_NONE_MATCH, "\"a.br\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\", W/\"a.br\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "*")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"a.br-gzip\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\", W/\"a.br--gzip\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\""), (IF_NONE_MATCH, "\"a.br;br\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"a-gzip\", \"a.brgzip\"")], Condition::Send),
            (vec![(IF_MATCH, "\"a.br-gzip\"")], Condition::Failed),
            (vec![(IF_NONE_MATCH, "\"a\"")], Condition::Send),
            (vec![(IF_NONE_MATCH, "\"a\""), (IF_MODIFIED_SINCE, same)], Condition::Send),
            (vec![(IF_MODIFIED_SINCE, same)], Condition::NotModified),
            (vec![(IF_MODIFIED_SINCE, "Sunday, 01-Mar-26 10:00:00 GMT")], Condition::NotModified),
            (vec![(IF_MODIFIED_SINCE, "Sun Mar  1 10:00:00 2026")], Condition::NotModified),
            (vec![(IF_MODIFIED_SINCE, "Sun Mar  1 09:59:59 2026")], Condition::Send),
            (vec![(IF_MODIFIED_SINCE, earlier)], Condition::Send),
            (vec![(IF_MODIFIED_SINCE, "yesterday")], Condition::Send),
            (vec![(IF_MATCH, "\"a.br\"")], Condition::Send),
            (vec![(IF_MATCH, "a.br")], Condition::Failed),
            (vec![(IF_NONE_MATCH, "a.br"), (IF_MODIFIED_SINCE, same)], Condition::Send),
            (vec![(IF_MATCH, "W/\"a.br\"")], Condition::Failed),
            (vec![(IF_UNMODIFIED_SINCE, earlier)], Condition::Failed),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in &sent {
                headers.append(name, value.parse().unwrap());
            }
            assert_eq!(condition(&headers, &tag, Some(time.into())), comes_to, "{sent:?}");
        }
    }
}
