//! Rows of the table of operations for citations and quotations.

use super::ResponseBody::Json;
use super::tags::STANDARDS;
use super::{Caching, Description, Method, Requirement};

pub(super) const RESOLVE_CITATIONS: Description = Description {
    method: Method::Post,
    path: "/api/content/v1/citations/resolve",
    id: "resolveCitations",
    summary: "Resolve printed citations",
    description: "Takes citations as people write them in English, French and German, and says for each which edition and which \
                  places of it are meant: `NSB 4210:2025, 4.2(1)`, `EN ISO 13849-1:2023-12, 6.2.3 b)`, `Abschnitt 4.2 der DIN 476`, \
                  `Tables 1 and 2`. It says what superseded and amended the edition, and what became of each place in the latest \
                  one. Editions that you may not see do not exist for it; of those that you may only discover, sections \
                  alone are places. A text is read as a whole or is `unreadable`: no place is guessed.",
    tag: STANDARDS,
    parameters: &[],
    body: Some("CitationsRequest"),
    success: "Where each citation leads, in the order of the request.",
    answers: &[Json(&["CitationsAnswer"])],
    requirement: Requirement::Token,
    discoverable: &[],
    caching: Caching::Never,
    own_problems: &[],
};

pub(super) const VERIFY_QUOTATIONS: Description = Description {
    method: Method::Post,
    path: "/api/content/v1/quotations/verify",
    id: "verifyQuotations",
    summary: "Verify quotations",
    description: "Takes texts that are said to be in standards, each with a citation, a URN or an id, and says for each whether \
                  it is there: as it reads, with other typography, with words left out, with words changed, in another edition, or \
                  not at all. Omissions and changes that give a provision another meaning are marked. The answer has the \
                  whole provision with its citation, and what superseded and amended the edition. Editions that you may not see do not \
                  exist for it, and nothing is said of the text of an edition that you may not read.",
    tag: STANDARDS,
    parameters: &[],
    body: Some("QuotationsRequest"),
    success: "A verdict on each quotation, in the order of the request.",
    answers: &[Json(&["QuotationsAnswer"])],
    requirement: Requirement::Token,
    discoverable: &[],
    caching: Caching::Never,
    own_problems: &[],
};
