//! Delivery: from a stored view to an answer with entity tag, coding, conditions and caching rules.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use jiff::Timestamp;
use norma_api::media::Media;
use norma_api::problem::{Code, ProblemError};
use norma_api::{Operation, query};

use super::body::{self, STREAMED, StoredBody};
use super::etag::{Condition, ETag, condition, http_date};
use super::in_flight;
use super::problem::Failure;
use super::trace::Notes;

/// The head of a request, for handlers that read no body. (A whole request cannot be shared between threads.)
pub(super) struct Ask(pub Parts);

impl<S: Send + Sync> FromRequest<S> for Ask {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(request.into_parts().0))
    }
}

/// What a handler answers.
pub(super) type Answer = Result<Response, Failure>;

/// One representation, before it is known whether the caller needs its bytes.
pub(super) struct Representation {
    /// Its strong entity tag.
    pub tag: ETag,
    /// When it last changed.
    pub modified: Option<Timestamp>,
    /// Value of `Content-Type`.
    pub content_type: HeaderValue,
    /// Value of `Content-Encoding`.
    pub coding: Option<&'static str>,
    /// Further headers.
    pub headers: Vec<(HeaderName, String)>,
    /// Values of `Cache-Control` and `Vary`.
    caching: (&'static str, &'static str),
}

/// What a caller may read: asked for anew each time, which costs a 304.
const PRIVATE: (&str, &str) =
    ("private, no-cache", "Authorization, Accept, Accept-Encoding, Accept-Language");

/// What everybody may read.
const PUBLIC: (&str, &str) = ("public, max-age=300", "Accept-Encoding");

impl Representation {
    /// JSON made for this very request.
    pub(super) fn json(tag: ETag, modified: Option<Timestamp>) -> Self {
        let content_type = HeaderValue::from_static(Media::Json.content_type());
        Self { tag, modified, content_type, coding: None, headers: Vec::new(), caching: PRIVATE }
    }

    /// A document that is the same for everybody.
    pub(super) fn public(tag: ETag, content_type: HeaderValue) -> Self {
        Self { tag, modified: None, content_type, coding: None, headers: Vec::new(), caching: PUBLIC }
    }

    /// The answer; `body` runs only when the caller does not have the bytes yet.
    pub(super) async fn answer(
        self,
        request: &Parts,
        body: impl Future<Output = Result<Bytes, Failure>>,
    ) -> Answer {
        let mut ready = self.ready();
        let answer = match ready.without_body(&request.headers) {
            Some(answer) => answer,
            None => {
                ready.body = Some(body.await?);
                ready.answer(request).await.expect("the body is there")
            }
        };
        answer.map(|mut response| {
            if ready.size() as u64 <= STREAMED {
                response.extensions_mut().insert(Arc::new(ready));
            }
            response
        })
    }

    /// The answer with so many stored bytes, which are read while they are sent; `body` runs only when the caller wants
    /// them.
    pub(super) async fn stream(
        self,
        request: &Parts,
        size: u64,
        body: impl Future<Output = Result<StoredBody, Failure>>,
    ) -> Answer {
        let ready = self.ready();
        if let Some(answer) = ready.without_body(&request.headers) {
            return answer;
        }
        let mut response = body::response(request, size, body).await?;
        response.headers_mut().extend(ready.headers);
        Ok(response)
    }

    fn ready(self) -> Ready {
        let Self { tag, modified, content_type, coding, headers: further, caching: (control, vary) } = self;
        let mut headers = HeaderMap::with_capacity(8 + further.len());
        headers.insert(header::CONTENT_TYPE, content_type);
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
        headers.insert(header::VARY, HeaderValue::from_static(vary));
        let date = modified.map(|time| (header::LAST_MODIFIED, http_date(time)));
        let named = (header::ETAG, tag.as_str().to_owned());
        for (name, value) in [named].into_iter().chain(date).chain(further) {
            // A URN is ASCII by construction; anything else would not be sent.
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        Ready { tag, modified, headers, is_public: (control, vary) == PUBLIC, body: None }
    }
}

/// A representation as it goes out: its head, and its bytes once somebody needed them. It can be given again.
pub(super) struct Ready {
    tag: ETag,
    modified: Option<Timestamp>,
    headers: HeaderMap,
    is_public: bool,
    body: Option<Bytes>,
}

impl Ready {
    /// How many bytes the body has in memory.
    pub(super) fn size(&self) -> usize {
        self.body.as_ref().map_or(0, Bytes::len)
    }

    /// The answer under a request's conditions; `None` when that takes bytes which are not here.
    pub(super) async fn answer(&self, request: &Parts) -> Option<Answer> {
        if let Some(answer) = self.without_body(&request.headers) {
            return Some(answer);
        }
        let bytes = self.body.clone()?;
        // What everybody may read is in memory once, however many read it.
        let bytes = match self.is_public {
            true => Ok(bytes),
            false => in_flight::counted(|| Notes::of(&request.extensions), bytes).await,
        };
        Some(bytes.map(|bytes| {
            let mut response = Response::new(Body::from(bytes));
            *response.headers_mut() = self.headers.clone();
            response
        }))
    }

    /// The answer where a request's conditions lead to one without the bytes.
    fn without_body(&self, conditions: &HeaderMap) -> Option<Answer> {
        match condition(conditions, &self.tag, self.modified) {
            Condition::Failed => {
                let detail = "The representation is not the one that the precondition names.";
                Some(Err(Failure::new(Code::PreconditionFailed, detail)))
            }
            Condition::NotModified => {
                let mut response = StatusCode::NOT_MODIFIED.into_response();
                *response.headers_mut() = self.headers.clone();
                response.headers_mut().remove(header::CONTENT_TYPE);
                response.headers_mut().remove(header::CONTENT_ENCODING);
                Some(Ok(response))
            }
            Condition::Send => None,
        }
    }
}

/// The media type to answer with, by `Accept`.
pub(super) fn media(request: &Parts, operation: Operation) -> Result<Media, Failure> {
    let values: Vec<&str> =
        request.headers.get_all(header::ACCEPT).iter().filter_map(|v| v.to_str().ok()).collect();
    let accept = (!values.is_empty()).then(|| values.join(","));
    Media::negotiate(accept.as_deref(), &operation.media()).map_err(|refused| {
        let allowed = refused.offered.iter().map(|m| m.name().into()).collect();
        let error = ProblemError {
            header: Some("Accept".into()),
            allowed,
            detail: refused.to_string().into(),
            ..ProblemError::default()
        };
        Failure::new(Code::NotAcceptable, "None of the accepted media types can be had here.").because(error)
    })
}

/// The query as sent.
pub(super) fn query(request: &Parts) -> &str {
    request.uri.query().unwrap_or_default()
}

/// Refuses any query parameter: for operations that have none.
pub(super) fn no_parameters(request: &Parts) -> Result<(), Failure> {
    let checked = query::Parameters::of(Operation::Limits, query(request), query::QueryLimits::default());
    checked.map(drop).map_err(Failure::from)
}

/// Renders a shape of the contract.
pub(super) fn json(shape: &impl serde::Serialize) -> Result<Bytes, Failure> {
    serde_json::to_vec(shape).map(Bytes::from).map_err(|error| Failure::internal(&error))
}
