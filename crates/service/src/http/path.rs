//! Path parameters, parsed at the door: an identifier that cannot exist goes no further.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use norma_api::problem::{Code, ProblemError};
use norma_model::{Identifier, ProvisionId, Selection};

use super::problem::Failure;

/// The standard that the path names.
pub(super) struct StandardId(pub Identifier);

/// The selection that the path names.
pub(super) struct Selected(pub Selection);

/// The provision that the path names.
pub(super) struct Provision(pub ProvisionId);

/// What follows `/assets/`: it says itself what it stands for.
pub(super) struct Signed(pub String);

/// The problem code that the path names.
pub(super) struct ProblemCode(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Signed {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        parameter(parts, state, "signed").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ProblemCode {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        parameter(parts, state, "code").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StandardId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let text = parameter(parts, state, "id").await?;
        Identifier::parse(&text).map(Self).map_err(|error| {
            let cause = ProblemError {
                detail: error.to_string().into(),
                parameter: Some("id".into()),
                ..Default::default()
            };
            Failure::new(Code::InvalidUrn, format!("This is no URN of a standard: {error}.")).because(cause)
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Selected {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let text = parameter(parts, state, "selection").await?;
        text.parse().map(Self).map_err(Failure::from)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Provision {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let text = parameter(parts, state, "id").await?;
        text.parse().map(Self).map_err(|_| provision_not_found())
    }
}

/// The answer for a provision that is not there, and for one that the caller may not see: the same.
pub(super) fn provision_not_found() -> Failure {
    Failure::new(Code::ProvisionNotFound, "There is no provision with this id that you may see.")
}

/// The answer where no route leads.
pub(super) fn nothing_here() -> Failure {
    Failure::new(Code::NotFound, "No operation has this path.")
}

async fn parameter<S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Result<String, Failure> {
    // A path that is not UTF-8 once decoded names nothing.
    let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| nothing_here())?;
    let value = parameters.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned());
    value.ok_or_else(nothing_here)
}
