//! Failures of tools, each as one sentence that says what to do.

use norma_client::{ClientError, Code};

/// Why a tool gives no answer.
#[derive(Debug)]
pub(crate) struct ToolFailure {
    pub(crate) kind: ToolFailureKind,
    /// One sentence for the model and its user.
    pub(crate) sentence: String,
}

/// The class of a failure, as audit lines have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolFailureKind {
    /// The arguments are not those of the tool, or the service refuses their values.
    Invalid,
    NotFound,
    NotLicensed,
    Recalled,
    /// The service or the identity provider refuses this program.
    Refused,
    /// The service has no time for this caller now.
    Busy,
    /// No answer came, or not in time.
    Unreachable,
    Unexpected,
}

impl ToolFailureKind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not-found",
            Self::NotLicensed => "not-licensed",
            Self::Recalled => "recalled",
            Self::Refused => "refused",
            Self::Busy => "busy",
            Self::Unreachable => "unreachable",
            Self::Unexpected => "unexpected",
        }
    }
}

impl ToolFailure {
    pub(crate) fn new(kind: ToolFailureKind, sentence: impl Into<String>) -> Self {
        Self { kind, sentence: sentence.into() }
    }

    pub(crate) fn invalid(sentence: impl Into<String>) -> Self {
        Self::new(ToolFailureKind::Invalid, sentence)
    }
}

const NOT_LICENSED: &str = "Not licensed: you may see that this standard exists and its outline, not its text; \
                            ask the operator of the service for a licence.";
const RECALLED: &str = "Recalled: this edition must not be used; find another one with find_standards.";
/// Said where one of two editions may not be read.
pub(crate) const ONE_NOT_LICENSED: &str = "Not licensed: you may read only one of the two editions; ask the \
                                           operator of the service for a licence.";
/// Said where an answer cannot go on at a `next`.
pub(crate) const NEXT_OF_OTHER_CALL: &str =
    "This `next` is of another call or of an earlier revision; call again without it.";
const CHANGED_DURING_CALL: &str = "An edition changed during the call; call again without `next`.";
const DIFFERENT_DOCUMENTS: &str =
    "`older` and `newer` are editions of different documents; name two editions of one document.";
const ONE_EDITION: &str = "`older` and `newer` name the same edition; name two editions of one document.";
const AN_AMENDMENT: &str =
    "`older` or `newer` is an amendment, which has instructions in place of a text; read it with `read`.";
const TOO_LONG: &str = "The arguments are too long for the service; shorten them.";
const REFUSED: &str =
    "The service refuses this program; ask the person who runs it for the result of `norma doctor caller`.";
const UNREACHABLE: &str = "The service gave no answer in time; try again in a minute.";

impl From<ClientError> for ToolFailure {
    fn from(error: ClientError) -> Self {
        match &error {
            ClientError::Problem { problem, retry_after } => {
                let seconds = retry_after.map_or(5, |wait| wait.as_secs().max(1));
                of_problem(error.code(), problem.status, &problem.detail, seconds)
            }
            ClientError::Unreachable { .. } => Self::new(ToolFailureKind::Unreachable, UNREACHABLE),
            ClientError::TokenRefused { .. } | ClientError::Credential { .. } | ClientError::Config(_) => {
                Self::new(ToolFailureKind::Refused, REFUSED)
            }
            ClientError::Unexpected { status, .. } => of_status(*status),
        }
    }
}

/// The failure that a problem document reports.
fn of_problem(code: Option<Code>, status: u16, detail: &str, seconds: u64) -> ToolFailure {
    match code {
        Some(Code::ContentNotLicensed) => ToolFailure::new(ToolFailureKind::NotLicensed, NOT_LICENSED),
        Some(Code::StandardRecalled) => ToolFailure::new(ToolFailureKind::Recalled, RECALLED),
        // The pages of a comparison are read in one call.
        Some(Code::InvalidCursor) if detail.contains("comparison changed since") => {
            ToolFailure::new(ToolFailureKind::Busy, CHANGED_DURING_CALL)
        }
        Some(Code::InvalidCursor) => ToolFailure::invalid(NEXT_OF_OTHER_CALL),
        Some(Code::NotComparable) => not_comparable(detail),
        Some(Code::InvalidParameter) if detail.contains("may only be discovered") => {
            ToolFailure::new(ToolFailureKind::NotLicensed, ONE_NOT_LICENSED)
        }
        _ => match status {
            400 | 405..=409 | 411..=422 => {
                let detail = in_words_of_tools(detail);
                let sentence = format!("The service cannot use these arguments, correct them: {detail}");
                ToolFailure::invalid(sentence)
            }
            404 | 410 => {
                let sentence =
                    format!("Not found, look for it with find_standards, outline or search: {detail}");
                ToolFailure::new(ToolFailureKind::NotFound, sentence)
            }
            429 => {
                let sentence = format!("Too many calls at the moment; try again in {seconds} s.");
                ToolFailure::new(ToolFailureKind::Busy, sentence)
            }
            _ => of_status(status),
        },
    }
}

/// The failure of two editions that are not compared, in the words of the tool.
fn not_comparable(detail: &str) -> ToolFailure {
    if detail.contains("differentDocuments") {
        ToolFailure::invalid(DIFFERENT_DOCUMENTS)
    } else if detail.contains("withRevision") {
        ToolFailure::invalid(ONE_EDITION)
    } else if detail.contains("amends the other edition") {
        ToolFailure::invalid(AN_AMENDMENT)
    } else {
        ToolFailure::invalid(format!("These editions cannot be compared, name others: {detail}"))
    }
}

/// Names of the service in details, and those that the tools have for the same; settings of the service have
/// none.
const NAMES: [(&str, &str); 6] = [
    ("`q`", "`words`"),
    ("`with`", "`newer`"),
    ("`relation`", "`relations`"),
    ("`cursor`", "`next`"),
    (" (`max-query-words`)", ""),
    (" (`max-query-values`)", ""),
];

/// A detail of the service with the arguments of tools in place of its own parameters.
fn in_words_of_tools(detail: &str) -> String {
    NAMES.iter().fold(detail.to_owned(), |detail, (name, of_tools)| detail.replace(*name, of_tools))
}

/// The failure of an answer of which only the status is known.
fn of_status(status: u16) -> ToolFailure {
    match status {
        401 | 403 => ToolFailure::new(ToolFailureKind::Refused, REFUSED),
        413 | 414 | 431 => ToolFailure::invalid(TOO_LONG),
        404 => ToolFailure::new(
            ToolFailureKind::NotFound,
            "Not found; look for the standard with find_standards, and for the text with search.",
        ),
        429 => ToolFailure::new(
            ToolFailureKind::Busy,
            "Too many calls at the moment; try again in some seconds.",
        ),
        503 | 504 => ToolFailure::new(
            ToolFailureKind::Busy,
            "The service is busy or being restarted; try again in a minute.",
        ),
        _ => ToolFailure::new(
            ToolFailureKind::Unexpected,
            format!(
                "The service gave an answer that this program cannot use (status {status}); report this to its operator."
            ),
        ),
    }
}
