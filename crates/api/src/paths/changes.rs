//! Row of the table of operations for changes since a cursor.

use super::ResponseBody::Json;
use super::parameters::{one, or};
use super::tags::STANDARDS;
use super::{Caching, Description, Method, Parameter, Requirement, ValueFormat};
use crate::problem::Code;

const PARAMETERS: &[Parameter] = &[
    one(
        "since",
        ValueFormat::Text,
        "`next` of the answer before. Without it the answer has no changes, and the cursor to begin with.",
        "bm8gcGFnZSBiZWZvcmU",
    ),
    or(
        one(
            "limit",
            ValueFormat::Number(500),
            "Most changes of one answer. Settings of the service change default and maximum; `GET /limits` returns them.",
            "50",
        ),
        "50",
    ),
];

pub(super) const CHANGES_SINCE: Description = Description {
    method: Method::Get,
    path: "/api/content/v1/changes",
    id: "listChanges",
    summary: "List what changed since a cursor",
    description: "What changed of the standards that you may see, in order, each edition once by its last change. Ask without \
                  `since`, list all standards, and then ask again and again with `next`: as long as nothing changed that you \
                  see, the answer is the same, and with `If-None-Match` it is 304. `refresh` says that your grants changed: \
                  list all standards again.",
    tag: STANDARDS,
    parameters: PARAMETERS,
    body: None,
    success: "The changes in their order, and the cursor for the next request.",
    answers: &[Json(&["ChangeList"])],
    requirement: Requirement::Token,
    discoverable: &[],
    caching: Caching::Private,
    own_problems: &[Code::InvalidParameter, Code::InvalidCursor, Code::CursorEnded],
};
