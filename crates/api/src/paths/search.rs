//! Parameters of a search.

use norma_model::Lang;

use super::parameters::{many, one, or, words_of};
use super::{Parameter, ValueFormat};
use crate::shapes::{ProvisionType, SearchFacet, SearchKind, Status};
use crate::values::{IcsPrefix, NonBlankText, StandardName};

/// Most hits of a page of a search.
const MAX_HITS: u32 = 100;

pub(super) const SEARCH: &[Parameter] = &[
    Parameter {
        required: true,
        ..one(
            "q",
            ValueFormat::of::<NonBlankText>(),
            "Search text: words, in any form; `\"a phrase\"`; `-excluded`; `prefix*`; a designation, label or id as written. All words must \
             be in one text. At most 1,000 bytes and as many words as `GET /limits` says.",
            "pull-out force",
        )
    },
    many("in", ValueFormat::OneOf(words_of!(SearchKind)), "Kind of text that is found.", "provision"),
    many(
        "type",
        ValueFormat::OneOf(words_of!(ProvisionType)),
        "Only provisions of this type.",
        "requirement",
    ),
    one(
        "normative",
        ValueFormat::Boolean,
        "Only provisions of normative sections (`true`) or of informative ones (`false`).",
        "true",
    ),
    many(
        "language",
        ValueFormat::of::<Lang>(),
        "Language of the standard (BCP 47). One alone also says in which language the words are.",
        "en",
    ),
    many(
        "ics",
        ValueFormat::of::<IcsPrefix>(),
        "ICS code or the beginning of one: `43` finds `43.150`.",
        "43",
    ),
    many("publisher", ValueFormat::of::<NonBlankText>(), "Publisher of the standard, as written.", "NSB"),
    many(
        "status",
        ValueFormat::OneOf(words_of!(Status)),
        "Status of the standard, which says whether it is in force.",
        "published",
    ),
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
        ValueFormat::of::<StandardName>(),
        "Only in this standard: a URN, with or without edition and language. One with an edition is found whatever `edition` says.",
        "urn:nsb:std:nsb:4210",
    ),
    one(
        "facets",
        ValueFormat::ListOf(words_of!(SearchFacet)),
        "Values to count the hits by, separated by commas.",
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
