//! Failures of requests: status, problem code and detail for the caller, and a cause for the log.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use norma_api::media::Media;
use norma_api::problem::{Code, Problem, ProblemError};
use norma_api::query::{ListQueryError, ParameterError};
use norma_api::shapes::{ComparisonRelation, Facet, Lineage, RelatedProvision};
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
    relation: Option<ComparisonRelation>,
    changed: Vec<Facet>,
}

impl Failure {
    /// A failure with a sentence about this request, which reveals nothing about the implementation.
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(FailureParts {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            replaced: None,
            headers: HeaderMap::new(),
            cause: None,
        }))
    }

    /// A failure with the wrong parameter, where the sentence about the request is the one about it.
    pub(crate) fn of_parameter(
        code: Code,
        parameter: &'static str,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        let detail = detail.into();
        let cause = ProblemError {
            detail: detail.clone(),
            parameter: Some(parameter.into()),
            ..ProblemError::default()
        };
        Self::new(code, detail).because(cause)
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
        self.0.replaced = Some(Replaced { successors, lineage, relation: None, changed: Vec::new() });
        self
    }

    /// Adds what became of the requested provision, to a failure with its successors.
    pub fn with_change(mut self, relation: ComparisonRelation, changed: Vec<Facet>) -> Self {
        if let Some(replaced) = &mut self.0.replaced {
            (replaced.relation, replaced.changed) = (Some(relation), changed);
        }
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

    /// The failure of something within the service: 500, with the cause in the log.
    pub fn internal(cause: &dyn std::error::Error) -> Self {
        Self::broken(chain(cause))
    }

    /// The failure of an operation that panicked: the request fails, the service continues.
    pub fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let said = if let Some(said) = panic.downcast_ref::<String>() {
            said
        } else if let Some(said) = panic.downcast_ref::<&str>() {
            said
        } else {
            "no message"
        };
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

    /// The status of the answer, which its code decides (`api/src/problem.rs`).
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The code of the problem document.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// True if the same request may succeed within some seconds.
    pub(crate) fn is_passing(&self) -> bool {
        let seconds = self.0.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let is_soon = seconds.and_then(|seconds| seconds.parse::<u32>().ok()).is_some_and(|wait| wait < 60);
        self.0.code == Code::Unavailable && is_soon
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
        if let Some(Replaced { successors, lineage, relation, changed }) = replaced {
            (problem.successors, problem.lineage) = (successors, lineage);
            (problem.relation, problem.changed) = (relation, changed);
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

/// An error with its sources, the outermost first.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(failure: Failure) -> (u16, serde_json::Value) {
        let response = failure.render("request-1", "/base");
        (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap())
    }

    #[test]
    fn a_failure_of_a_parameter_names_it_and_says_the_same_of_it() {
        let failure = Failure::of_parameter(Code::InvalidParameter, "with", "`with`: expected a URN.");
        let (status, problem) = rendered(failure);
        assert_eq!((status, &problem["detail"]), (400, &"`with`: expected a URN.".into()));
        let errors = serde_json::json!([{ "detail": "`with`: expected a URN.", "parameter": "with" }]);
        assert_eq!(problem["errors"], errors);
    }

    #[test]
    fn a_cause_is_for_the_log_and_not_in_the_answer() {
        let cause = std::io::Error::other("the disk is full");
        let failure = Failure::internal(&cause);
        assert_eq!(failure.cause(), Some("the disk is full"));
        let (status, problem) = rendered(failure);
        assert_eq!(status, 500);
        assert!(!problem.to_string().contains("disk"), "{problem}");
    }

    #[test]
    fn a_panic_is_logged_with_its_message() {
        let cause =
            |panic: Box<dyn std::any::Any + Send>| Failure::panicked(&*panic).cause().unwrap().to_owned();
        assert_eq!(cause(Box::new("a flaw")), "an operation panicked: a flaw");
        assert_eq!(cause(Box::new("flaw 7".to_owned())), "an operation panicked: flaw 7");
        assert_eq!(cause(Box::new(7)), "an operation panicked: no message");
    }
}
