//! HTTP transport: token, response cache with conditional requests, retries, problems.

use std::sync::Arc;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use norma_api::{Media, Operation, Problem};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_LOCATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_NONE_MATCH, RETRY_AFTER,
};
use reqwest::{Method, Response, StatusCode};

use crate::error::{ClientError, bare};
use crate::retry::{RetryPolicy, retry_after};
use crate::token::{AccessToken, Tokens};

/// HTTP clients, tokens and response cache, shared by all clones.
pub(crate) struct Transport {
    pub(crate) http: reqwest::Client,
    /// Without a slash at its end.
    pub(crate) service: String,
    pub(crate) tokens: Tokens,
    pub(crate) retries: RetryPolicy,
    /// Responses by URL and media type; `None` when nothing is to be cached.
    pub(crate) answers: Option<ClientCache>,
    /// Most bytes of one response.
    pub(crate) max_answer_bytes: u64,
}

/// Responses by URL and media type, bounded in their total bytes.
pub(crate) type ClientCache = Cache<(String, Media), RawResponse, ByteWeighter>;

/// Weighs an answer by its bytes.
#[derive(Clone)]
pub(crate) struct ByteWeighter;

impl Weighter<(String, Media), RawResponse> for ByteWeighter {
    fn weight(&self, (url, _): &(String, Media), answer: &RawResponse) -> u64 {
        (url.len() + answer.body.len()) as u64
    }
}

/// A response whose body is not parsed yet.
#[derive(Clone, Debug)]
pub struct RawResponse {
    /// The body, after decompression.
    pub body: Bytes,
    /// Media type of the body, with parameters.
    pub content_type: String,
    /// Entity tag of these bytes.
    pub etag: Option<String>,
    /// URL of the edition found, when the URN did not name one.
    pub content_location: Option<String>,
}

impl Transport {
    /// Requests an operation in one media type. Path arguments are in the order of the path.
    pub(crate) async fn get(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
        media: Media,
    ) -> Result<RawResponse, ClientError> {
        let key = (self.url(operation, arguments, query), media);
        let cached = self.answers.as_ref().and_then(|answers| answers.get(&key));
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(media.name()));
        if let Some(cached) = &cached
            && let Some(etag) = &cached.etag
            && let Ok(etag) = HeaderValue::from_str(etag)
        {
            headers.insert(IF_NONE_MATCH, etag);
        }
        let response = self.send(Method::GET, &key.0, &headers, None).await?;
        if response.status() == StatusCode::NOT_MODIFIED
            && let Some(cached) = cached
        {
            return Ok(cached);
        }
        let fetched = self.fetched(&key.0, response).await?;
        // Without an entity tag, a cached response could not be revalidated.
        if let Some(answers) = &self.answers
            && fetched.etag.is_some()
        {
            answers.insert(key, fetched.clone());
        }
        Ok(fetched)
    }

    /// Requests an operation in one media type, unless its answer still has this entity tag.
    pub(crate) async fn get_unless(
        &self,
        operation: Operation,
        arguments: &[&str],
        (query, media): (&str, Media),
        etag: &str,
    ) -> Result<Option<RawResponse>, ClientError> {
        let url = self.url(operation, arguments, query);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(media.name()));
        if let Ok(etag) = HeaderValue::from_str(etag) {
            headers.insert(IF_NONE_MATCH, etag);
        }
        let response = self.send(Method::GET, &url, &headers, None).await?;
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        self.fetched(&url, response).await.map(Some)
    }

    /// Sends a JSON body to an operation.
    pub(crate) async fn post(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
        body: Vec<u8>,
    ) -> Result<RawResponse, ClientError> {
        let url = self.url(operation, arguments, query);
        let json = HeaderValue::from_static(Media::Json.name());
        let headers = HeaderMap::from_iter([(ACCEPT, json.clone()), (CONTENT_TYPE, json)]);
        let response = self.send(Method::POST, &url, &headers, Some(body.into())).await?;
        self.fetched(&url, response).await
    }

    /// URL of an operation with the arguments of its path and a query string without `?`.
    fn url(&self, operation: Operation, arguments: &[&str], query: &str) -> String {
        let separator = if query.is_empty() { "" } else { "?" };
        format!("{}{}{separator}{query}", self.service, operation.path_with(arguments))
    }

    /// Fetches a resolved URL. The URL is signed, so that no token is sent with it.
    pub(crate) async fn get_resolved(&self, url: &str) -> Result<RawResponse, ClientError> {
        let response =
            self.http.get(url).send().await.map_err(|error| ClientError::unreachable(url, error))?;
        if !response.status().is_success() {
            return Err(failure(url, response).await);
        }
        self.fetched(url, response).await
    }

    /// Sends a request with a token, and retries it as the policy says.
    async fn send(
        &self,
        method: Method,
        url: &str,
        headers: &HeaderMap,
        body: Option<Bytes>,
    ) -> Result<Response, ClientError> {
        let mut refused_token = false;
        let mut attempt = 0;
        loop {
            let token = self.tokens.token(Instant::now()).await?;
            let mut request = self.http.request(method.clone(), url).headers(headers.clone());
            request = request.header(AUTHORIZATION, bearer(&token)?);
            if let Some(body) = &body {
                request = request.body(body.clone());
            }
            let (error, may_retry) = match request.send().await {
                Ok(response) => {
                    let status = response.status();
                    if status.is_success() || status == StatusCode::NOT_MODIFIED {
                        return Ok(response);
                    }
                    // The signing key may have been withdrawn before the token expired: retry once with a new
                    // token.
                    if status == StatusCode::UNAUTHORIZED && !refused_token {
                        refused_token = true;
                        self.tokens.forget(&token);
                        continue;
                    }
                    let is_busy = matches!(status.as_u16(), 429 | 503);
                    (failure(url, response).await, is_busy)
                }
                Err(error) => {
                    // Of another failure it is not known whether the service has acted on the request.
                    let is_unsent = error.is_connect();
                    (ClientError::unreachable(url, error), is_unsent)
                }
            };
            if !may_retry {
                return Err(error);
            }
            let retry_after = match &error {
                ClientError::Problem { retry_after, .. } => *retry_after,
                _ => None,
            };
            match self.retries.wait(attempt, retry_after, jitter()) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(error),
            }
            attempt += 1;
        }
    }

    /// Reads a response of at most the allowed length.
    async fn fetched(&self, url: &str, mut response: Response) -> Result<RawResponse, ClientError> {
        let content_type = field(response.headers(), &CONTENT_TYPE).unwrap_or_default();
        let etag = field(response.headers(), &ETAG);
        let content_location = field(response.headers(), &CONTENT_LOCATION);
        let status = response.status().as_u16();
        let mut body = BytesMut::new();
        while let Some(chunk) =
            response.chunk().await.map_err(|error| ClientError::unreachable(url, error))?
        {
            if (body.len() + chunk.len()) as u64 > self.max_answer_bytes {
                let reason = format!("expected at most {} bytes", self.max_answer_bytes);
                return Err(ClientError::Unexpected { url: bare(url), status, reason });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(RawResponse { body: body.freeze(), content_type, etag, content_location })
    }
}

/// A header field, where it is text.
fn field(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?;
    Some(text.to_owned())
}

fn bearer(token: &Arc<AccessToken>) -> Result<HeaderValue, ClientError> {
    let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {}", token.as_str())) else {
        let what = "the identity provider's token has characters that are not allowed in a header";
        return Err(ClientError::Credential { what: what.to_owned() });
    };
    value.set_sensitive(true);
    Ok(value)
}

/// A random number from 0 to 1.
fn jitter() -> f64 {
    f64::from(getrandom::u32().unwrap_or_default()) / f64::from(u32::MAX)
}

/// Reads the problem of a response, or makes an error about its form.
async fn failure(url: &str, response: Response) -> ClientError {
    let status = response.status().as_u16();
    let retry_after = match field(response.headers(), &RETRY_AFTER) {
        Some(value) => retry_after(&value, crate::clock::now()),
        None => None,
    };
    let body = match response.bytes().await {
        Ok(body) => body,
        Err(error) => return ClientError::unreachable(url, error),
    };
    match serde_json::from_slice::<Problem<'static>>(&body) {
        Ok(problem) => ClientError::Problem { problem: Box::new(problem), retry_after },
        Err(_) => ClientError::Unexpected {
            url: bare(url),
            status,
            reason: "expected a problem (RFC 9457)".to_owned(),
        },
    }
}
