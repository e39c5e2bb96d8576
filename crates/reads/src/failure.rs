//! Failures of requests: status, problem code and detail for the caller, and a cause for the log.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use norma_api::media::Media;
use norma_api::problem::{Code, Problem, ProblemError};
use norma_api::query::{ListQueryError, ParameterError};
use norma_api::shapes::{Lineage, RelatedProvision};
use norma_model::SelectionError;

/// The reason why a request is refused. [`Failure::render`] makes a problem document of it.
#[derive(Clone, Debug)]
pub struct Failure(Box<FailureParts>);

/// The parts of a failure, boxed: every result of an operation has room for one, and few requests fail.
#[derive(Clone, Debug)]
struct FailureParts {
    code: Code,
    detail: Cow<'static, str>,
    errors: Vec<ProblemError<'static>>,
    replaced: Option<Replaced>,
    headers: HeaderMap,
    /// The cause, for the log only.
    cause: Option<String>,
}

/// The successors of a provision that is no longer published.
#[derive(Clone, Debug)]
struct Replaced {
    successors: Vec<RelatedProvision<'static>>,
    lineage: Option<Lineage<'static>>,
}

impl Failure {
    /// A failure with a sentence about this request, which reveals nothing about the implementation.
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let (detail, headers) = (detail.into(), HeaderMap::new());
        Self(Box::new(FailureParts {
            code,
            detail,
            errors: Vec::new(),
            replaced: None,
            headers,
            cause: None,
        }))
    }

    /// Adds the name of the wrong parameter, header or member.
    pub fn because(mut self, error: ProblemError<'static>) -> Self {
        self.0.errors.push(error);
        self
    }

    /// Adds the provisions that continue the requested one, and their lineage.
    pub fn replaced_by(
        mut self,
        successors: Vec<RelatedProvision<'static>>,
        lineage: Option<Lineage<'static>>,
    ) -> Self {
        self.0.replaced = Some(Replaced { successors, lineage });
        self
    }

    /// Adds a header to the answer.
    pub fn with(mut self, name: HeaderName, value: impl Into<Cow<'static, str>>) -> Self {
        if let Ok(value) = HeaderValue::from_str(&value.into()) {
            self.0.headers.insert(name, value);
        }
        self
    }

    /// Adds the cause for the log, which is written there once, with the request's id.
    pub fn caused_by(mut self, cause: impl Into<String>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// The failure of something within.
    pub fn internal(cause: &dyn std::error::Error) -> Self {
        Self::broken(chain(cause))
    }

    /// The failure of an operation that panicked: the request fails, the service continues.
    pub fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Self::broken(format!("an operation panicked: {said}"))
    }

    fn broken(cause: String) -> Self {
        Self::new(Code::Internal, "The service could not make the answer; the cause is in its log.")
            .caused_by(cause)
    }

    /// Something that the service depends on is not available.
    pub fn unavailable(cause: &dyn std::error::Error) -> Self {
        Self::new(Code::Unavailable, "The service cannot answer at the moment.")
            .with(header::RETRY_AFTER, "2")
            .caused_by(chain(cause))
    }

    /// The failure for stored bytes in a form that another version derived and this version does not read.
    pub fn unreadable(cause: impl std::fmt::Display) -> Self {
        Self::new(Code::Unavailable, "This view of the standard has to be rebuilt by the operator.")
            .with(header::RETRY_AFTER, "60")
            .caused_by(format!("{cause}; run `norma rebuild`"))
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The cause, for the log only.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The sentence about this request.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// The problem document (RFC 9457) with the request's id; its page is below the path of the public URL.
    pub fn render(self, instance: &str, base_path: &str) -> Response<Bytes> {
        let status = self.status();
        let FailureParts { code, detail, errors, replaced, headers, cause } = *self.0;
        match cause {
            Some(cause) if code == Code::Internal => {
                tracing::error!(request = instance, cause, "a request failed");
            }
            Some(cause) => tracing::warn!(request = instance, cause, "a request could not be answered"),
            None => {}
        }
        let mut problem = Problem::new(code, detail, instance).below(base_path).with_errors(errors);
        if let Some(Replaced { successors, lineage }) = replaced {
            (problem.successors, problem.lineage) = (successors, lineage);
        }
        let body = problem.to_json();
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Media::Problem.content_type()));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

impl From<ParameterError> for Failure {
    fn from(error: ParameterError) -> Self {
        Self::new(error.code(), error.to_string()).because(error.problem_error())
    }
}

impl From<ListQueryError> for Failure {
    fn from(error: ListQueryError) -> Self {
        Self::new(error.code(), error.to_string()).because(error.problem_error())
    }
}

impl From<SelectionError> for Failure {
    fn from(error: SelectionError) -> Self {
        let cause = ProblemError {
            detail: error.reason.clone().into(),
            parameter: Some("selection".into()),
            offset: Some(error.offset),
            ..ProblemError::default()
        };
        Self::new(Code::InvalidSelection, format!("The selection cannot be read {error}.")).because(cause)
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |e| e.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The answer where no operation has the path.
pub fn nothing_here() -> Failure {
    Failure::new(Code::NotFound, "No operation has this path.")
}

/// The failure for a provision that does not exist or that the caller may not see; both are the same.
pub(crate) fn provision_not_found() -> Failure {
    Failure::new(Code::ProvisionNotFound, "There is no provision with this id that you may see.")
}

/// The failure for a standard that another request sees in a newer state than this one.
pub(crate) fn replaced_meanwhile(detail: &'static str) -> Failure {
    Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1")
}
