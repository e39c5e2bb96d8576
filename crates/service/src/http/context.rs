//! Request context: facts about a request for headers, counts and audit, which never decide about access.

use std::time::Instant;

use axum::body::HttpBody;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_audit::{Audit, Read};
use norma_reads::{BytesInFlight, RequestMemory, RequestedStandards, Share};
use norma_traces::{Trace, Traces};

use super::route::Route;
use crate::limits::Rate;
use crate::telemetry::RequestCounts;

/// The request's id, from the caller or made here.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_REQUEST_ID: usize = 128;

/// The known facts about a request.
pub(super) struct RequestContext {
    id: HeaderValue,
    started: Instant,
    method: Method,
    /// The template of its path, by which counts and audit distinguish requests; empty for an unknown path.
    template: &'static str,
    /// The path and query, with selection and provision; empty for assets. Only reads with known parameters
    /// are audited, so that nothing but these gets into the audit.
    target: String,
    /// Tenant and client of a caller with an accepted token.
    pub(super) caller: Option<(String, String)>,
    /// The standards whose content was requested.
    pub(super) standards: RequestedStandards,
    /// The caller's remaining rate, which every answer states.
    pub(super) rate: Option<Rate>,
    /// The trace of the request, if it is recorded.
    pub(super) trace: Trace,
    memory: Option<RequestMemory>,
}

impl RequestContext {
    pub(super) fn new(request: &Parts, route: &Route<'_>, traces: &Traces, public_url: &str) -> Self {
        // The URL of an asset is as good as its bytes: no log may have one.
        let target = match route.template == Operation::Asset.path() {
            true => "",
            false => request.uri.path_and_query().map_or("", |target| target.as_str()),
        };
        // A path that is not in the table is not recorded: it may contain anything.
        let path = (!target.is_empty() && !route.template.is_empty()).then(|| request.uri.path());
        let names = (method_label(&request.method), route.template);
        Self {
            id: request_id(&request.headers),
            started: Instant::now(),
            method: request.method.clone(),
            template: route.template,
            target: target.to_owned(),
            caller: None,
            standards: RequestedStandards::default(),
            rate: None,
            trace: traces.request(request, names, path, public_url),
            memory: None,
        }
    }

    /// The request's id, as in `X-Request-Id`.
    pub(super) fn id(&self) -> &str {
        self.id.to_str().expect("an id is visible ASCII")
    }

    /// The caller's share of the bytes in flight, if there is a caller.
    pub(super) fn share(&self, in_flight: &BytesInFlight) -> Share {
        in_flight.share(self.caller.clone().unwrap_or_default())
    }

    /// The memory of the request, once its caller is known.
    pub(super) fn memory(&mut self, in_flight: &BytesInFlight) -> RequestMemory {
        let caller = &self.caller;
        let new = || RequestMemory::new(in_flight.share(caller.clone().unwrap_or_default()));
        self.memory.get_or_insert_with(new).clone()
    }

    /// Completes an answer: adds the headers that every answer has, and removes the body for HEAD.
    pub(super) fn complete(&self, response: &mut Response) {
        let size = response.body().size_hint().exact();
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, self.id.clone());
        if let Some(rate) = &self.rate {
            headers.extend(rate.headers().map(|(name, value)| (name, value.into())));
        }
        add_security_headers(headers);
        if self.method == Method::HEAD {
            if let Some(size) = size {
                headers.entry(header::CONTENT_LENGTH).or_insert(size.into());
            }
            *response.body_mut() = axum::body::Body::empty();
        }
    }

    /// Writes one line for the audit if content was requested or searched.
    pub(super) fn audit(&self, audit: &Audit, response: &Response) {
        let RequestedStandards { standard, other, is_search, found } = &self.standards;
        if standard.is_none() && !is_search && found.is_empty() {
            return;
        }
        let Some((tenant, client)) = &self.caller else { return };
        let bytes = stated_length(response).or(response.body().size_hint().exact());
        audit.read(&Read {
            request: self.id(),
            tenant,
            client,
            standard: standard.as_ref(),
            other: other.as_ref(),
            found,
            method: method_label(&self.method),
            part: self.template,
            path: &self.target,
            status: response.status().as_u16(),
            bytes,
        });
    }

    /// Completes the trace: the result of the request, and the ids of its lines in log and audit.
    pub(super) fn complete_trace(&self, response: &Response, problem: Option<Code>) {
        let (trace, status) = (&self.trace, response.status());
        trace.set_number("http.response.status_code", status.as_u16().into());
        trace.set_text("norma.request_id", self.id());
        for (name, standard) in
            [("norma.standard", &self.standards.standard), ("norma.with", &self.standards.other)]
        {
            if let Some(standard) = standard {
                trace.set_text(name, &standard.urn);
            }
        }
        if let Some(problem) = problem {
            trace.set_text("norma.problem", problem.as_str());
            // An error of the caller is not a failure of the service (semantic conventions for HTTP spans,
            // status).
            if status.is_server_error() {
                trace.fail(problem.as_str());
            }
        }
    }

    /// Counts the request, which ends here.
    pub(super) fn count(&self, counts: &RequestCounts, response: &Response) {
        let status = response.status().as_u16();
        counts.request(method_label(&self.method), self.template, status, self.started.elapsed());
    }
}

/// The caller's id when it is short and visible ASCII, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    if let Some(id) = headers.get(REQUEST_ID)
        && (1..=MAX_REQUEST_ID).contains(&id.len())
        && id.as_bytes().iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(b))
    {
        return id.clone();
    }
    let mut text = uuid::Uuid::encode_buffer();
    let id = uuid::Uuid::new_v4().hyphenated().encode_lower(&mut text);
    HeaderValue::from_str(id).expect("a UUID is ASCII")
}

/// The length that an answer states. That of HEAD has no bytes.
fn stated_length(response: &Response) -> Option<u64> {
    response.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Adds the headers for browsers: they must not guess the type of a body; a page may load only listed
/// sources, and no other page may frame it. Scripts come from this service alone; what is asked for from a
/// page goes to this service alone.
pub(super) fn add_security_headers(headers: &mut HeaderMap) {
    const POLICY: HeaderValue = HeaderValue::from_static(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return };
    let is_page = kind.as_bytes().starts_with(b"text/html");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if is_page {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(POLICY);
    }
}

/// The label for a method: a method that a stranger invents must not become one.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "OPTIONS" => "OPTIONS",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "PATCH" => "PATCH",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_callers_where_it_is_short_and_of_safe_characters_and_else_a_new_one() {
        let id = |sent: &str| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_str(sent).unwrap())]);
            request_id(&headers).to_str().unwrap().to_owned()
        };
        let longest = "a".repeat(MAX_REQUEST_ID);
        for sent in ["a", "Order-7:b_2.1", &longest] {
            assert_eq!(id(sent), sent);
        }
        let too_long = "a".repeat(MAX_REQUEST_ID + 1);
        for sent in ["", "a b", "a;b", "a/b", &too_long] {
            assert!(uuid::Uuid::try_parse(&id(sent)).is_ok(), "{sent}");
        }
    }

    #[test]
    fn methods_that_a_stranger_invents_have_one_label() {
        for (sent, label) in [("GET", "GET"), ("PATCH", "PATCH"), ("get", "other"), ("BREW", "other")] {
            assert_eq!(method_label(&Method::from_bytes(sent.as_bytes()).unwrap()), label);
        }
    }
}
