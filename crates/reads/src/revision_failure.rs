//! Failures about revisions of an edition: those that it does not have, and those that cannot be compared.

use jiff::Timestamp;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::AskedRevision;
use norma_editions::earlier::{RevisionError, Revisions};
use norma_model::Urn;
use norma_store::EarlierRevision;

use crate::Failure;

/// The failure for a name that means no retained source of an edition. It lists the revisions with which the
/// edition can be compared, and those that are retained and cannot be derived.
pub(crate) fn no_such_revision(
    error: RevisionError,
    urn: &Urn,
    name: &AskedRevision,
    revisions: &Revisions,
    parameter: &'static str,
) -> Failure {
    let (code, detail) = match error {
        RevisionError::Unknown => (
            Code::RevisionNotFound,
            format!("`{parameter}`: {urn} has no revision {name} that is known here."),
        ),
        RevisionError::Pruned => (
            Code::RevisionGone,
            format!("`{parameter}`: the source of {urn} in revision {name} was removed."),
        ),
    };
    let mut allowed = vec![revisions.present().to_owned().into()];
    let mut failure = Failure::new(code, detail.clone());
    let mut without_units = Vec::new();
    for one in revisions.retained() {
        if one.reason.is_empty() {
            allowed.push(one.revision.clone().into());
        } else {
            without_units.push(not_derived(urn, one));
        }
    }
    let cause = ProblemError {
        detail: detail.into(),
        parameter: Some(parameter.into()),
        allowed,
        ..ProblemError::default()
    };
    failure = failure.because(cause);
    for detail in without_units {
        let cause = ProblemError { detail: detail.into(), ..ProblemError::default() };
        failure = failure.because(cause);
    }
    failure
}

/// The failure for a retained revision without units.
pub(crate) fn not_comparable(urn: &Urn, revision: &EarlierRevision, parameter: &'static str) -> Failure {
    Failure::of_parameter(Code::RevisionGone, parameter, not_derived(urn, revision))
}

/// The sentence about a retained revision without units.
pub(crate) fn not_derived(urn: &Urn, revision: &EarlierRevision) -> String {
    let EarlierRevision { revision, replaced_at, reason, .. } = revision;
    let until = Timestamp::try_from(*replaced_at).unwrap_or(Timestamp::MIN);
    format!(
        "Revision {revision} of {urn}, replaced at {until:.0}, cannot be derived by this version: {reason}."
    )
}
