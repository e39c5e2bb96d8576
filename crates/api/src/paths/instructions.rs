//! The operation that lists what an amendment changes.

use super::ResponseBody::Json;
use super::parameters::STANDARD;
use super::{Caching, Description, Method, Requirement};

/// Instructions of an amendment.
pub(super) const INSTRUCTIONS: Description = Description {
    method: Method::Get,
    path: "/api/content/v1/standards/{id}/instructions",
    id: "getInstructions",
    summary: "Read what an amendment changes",
    description: "The instructions of an amendment or corrigendum: operation, part as printed, new text, and \
    the parts of the amended editions that each changes. A part that is not certain is not resolved, \
    with the reason. Other standards have none.",
    tag: super::tags::CHANGES,
    parameters: STANDARD,
    body: None,
    success: "The instructions in document order.",
    answers: &[Json(&["InstructionsView"])],
    requirement: Requirement::Read,
    discoverable: &[],
    caching: Caching::Private,
    own_problems: &[],
};
