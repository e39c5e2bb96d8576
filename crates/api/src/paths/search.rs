//! Parameters of a search.

use super::parameters::{ICS, LANGUAGE, PROVISION_TYPES, STATUSES, URN, WORDS, many, one, or};
use super::{Parameter, ValueFormat};

pub(super) const UNITS: &[&str] = &["standard", "section", "provision", "term", "table"];

pub(super) const SEARCH_FACETS: &[&str] =
    &["kind", "type", "normative", "publisher", "status", "language", "ics"];

/// Most hits of a page of a search.
pub(crate) const MAX_HITS: u32 = 100;

pub(super) const SEARCH: &[Parameter] = &[
    Parameter {
        required: true,
        ..one(
            "q",
            ValueFormat::Matching(WORDS),
            "What to find: words, in any form; `\"a phrase\"`; `-excluded`; `prefix*`; a designation, label or id as written. All words must \
             be in one text. At most 1,000 bytes and as many words as `GET /limits` says.",
            "pull-out force",
        )
    },
    many("in", ValueFormat::OneOf(UNITS), "Kind of text.", "provision"),
    many("type", ValueFormat::OneOf(PROVISION_TYPES), "Only provisions of this type.", "requirement"),
    one(
        "normative",
        ValueFormat::Boolean,
        "Only provisions of normative sections (`true`) or of informative ones (`false`).",
        "true",
    ),
    many(
        "language",
        ValueFormat::Matching(LANGUAGE),
        "Language of the standard (BCP 47). One alone also says in which language the words are.",
        "en",
    ),
    many("ics", ValueFormat::Matching(ICS), "ICS code or the beginning of one: `43` finds `43.150`.", "43"),
    many("publisher", ValueFormat::Matching(WORDS), "Publisher.", "NSB"),
    many("status", ValueFormat::OneOf(STATUSES), "Whether the standard is in force.", "published"),
    or(
        one(
            "edition",
            ValueFormat::OneOf(&["latest", "all"]),
            "The latest edition of each standard that you may see, or all of them.",
            "all",
        ),
        "latest",
    ),
    many(
        "urn",
        ValueFormat::Matching(URN),
        "Only in this standard: a URN, with or without edition and language. One with an edition is found whatever `edition` says.",
        "urn:nsb:std:nsb:4210",
    ),
    one(
        "facets",
        ValueFormat::ListOf(SEARCH_FACETS),
        "What to count the hits by, separated by commas.",
        "type,status",
    ),
    one(
        "group",
        ValueFormat::OneOf(&["standard"]),
        "An item for each standard, with its best three hits, in `standards` instead of `items`.",
        "standard",
    ),
    or(one("limit", ValueFormat::Number(MAX_HITS), "Items per page.", "20"), "20"),
    one(
        "cursor",
        ValueFormat::Text,
        "`next` of the page before, with the same `q` and filters.",
        "bm8gcGFnZSBiZWZvcmU",
    ),
];
