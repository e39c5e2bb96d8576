//! Failures of calls, by what they mean to a person.

use axum::http::StatusCode;
use norma_client::{ClientError, Code};
use norma_export::ExportError;

/// Why a page cannot be shown.
#[derive(Debug)]
pub(crate) struct PageFailure {
    pub(crate) kind: FailureKind,
    /// What the service or the client says of it.
    pub(crate) detail: String,
}

/// What a failure means to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    NotFound,
    Unlicensed,
    Recalled,
    Gone,
    Refused,
    SearchOff,
    /// The two editions cannot be compared.
    NotComparable,
    /// The explorer was started without the store of an operator.
    NoStore,
    /// The request is not one that the service accepts.
    Wrong,
    /// The service answers, and has no time or room for this.
    Busy,
    Away,
    Other,
}

impl FailureKind {
    /// The status of the page that shows the failure.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NotFound | Self::SearchOff | Self::NoStore => StatusCode::NOT_FOUND,
            Self::Unlicensed => StatusCode::FORBIDDEN,
            Self::Recalled | Self::Gone => StatusCode::GONE,
            Self::Wrong | Self::NotComparable => StatusCode::BAD_REQUEST,
            Self::Busy | Self::Away => StatusCode::SERVICE_UNAVAILABLE,
            Self::Refused | Self::Other => StatusCode::BAD_GATEWAY,
        }
    }
}

impl FailureKind {
    /// True if the same request may be answered later, without another address or grant.
    pub(crate) fn may_pass(self) -> bool {
        matches!(self, Self::Refused | Self::Busy | Self::Away | Self::Other)
    }
}

impl From<ClientError> for PageFailure {
    fn from(error: ClientError) -> Self {
        let kind = match (&error, error.code()) {
            (_, Some(Code::ContentNotLicensed)) => FailureKind::Unlicensed,
            (_, Some(Code::StandardRecalled)) => FailureKind::Recalled,
            (_, Some(Code::InvalidUrn)) => FailureKind::NotFound,
            (_, Some(Code::ProvisionGone | Code::ProvisionReplaced)) => FailureKind::Gone,
            (_, Some(Code::NotComparable | Code::ComparisonTooLarge)) => FailureKind::NotComparable,
            (_, Some(Code::SearchOff)) => FailureKind::SearchOff,
            (_, Some(Code::Unavailable | Code::Timeout | Code::RateLimited)) => FailureKind::Busy,
            (ClientError::Problem { problem, .. }, _) => match problem.status {
                400 => FailureKind::Wrong,
                401 | 403 => FailureKind::Refused,
                404 => FailureKind::NotFound,
                _ => FailureKind::Other,
            },
            (
                ClientError::TokenRefused { .. } | ClientError::Credential { .. } | ClientError::Config(_),
                _,
            ) => FailureKind::Refused,
            (ClientError::Unreachable { .. }, _) => FailureKind::Away,
            (ClientError::Unexpected { .. }, _) => FailureKind::Other,
        };
        Self { kind, detail: error.to_string() }
    }
}

impl From<ExportError> for PageFailure {
    fn from(error: ExportError) -> Self {
        Self::other(error.to_string())
    }
}

impl PageFailure {
    /// Something that a person cannot change by another address or grant.
    pub(crate) fn other(detail: impl Into<String>) -> Self {
        Self { kind: FailureKind::Other, detail: detail.into() }
    }

    /// An answer that is not of the expected shape.
    pub(crate) fn unexpected(reason: &str) -> Self {
        Self::other(format!("the answer is not of the expected shape: {reason}"))
    }

    /// Something that is not there.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self { kind: FailureKind::NotFound, detail: detail.into() }
    }

    /// True if the standard exists and the caller may discover it, but not read it.
    pub(crate) fn is_unlicensed(&self) -> bool {
        self.kind == FailureKind::Unlicensed
    }
}
