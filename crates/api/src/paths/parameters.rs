//! Parameters of the operations.

use super::{Parameter, ParameterLocation, ValueFormat};
use crate::media::View;
use crate::query::MAX_DEPTH;

// The patterns take all that the service takes, so that a gateway which checks requests by them refuses
// nothing that would have been answered; white space around a value is dropped. A test below compares them
// with the parsers.

/// Text that is not blank and has no control characters.
pub(super) const WORDS: &str =
    "^[^\\x00-\\x1f\\x7f-\\x9f\\ufffd]*[^\\s\\x00-\\x1f\\x7f-\\x9f\\ufffd][^\\x00-\\x1f\\x7f-\\x9f\\ufffd]*$";
/// A year, a month or a day; a time after it is not read. The 29th of February is refused in other years than
/// leap years.
const DATE: &str = "^\\s*[0-9]{4}(-(0[1-9]|1[0-2])|-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|-(0[13-9]|1[0-2])-(29|30)|\
                    -(0[13578]|1[02])-31|-02-29)?(T.*)?\\s*$";
/// A day, or an instant; the parser says what is wrong with other text of this shape.
pub(crate) const INSTANT: &str = "^\\s*[+-]?[0-9]{4,6}-?[0-9]{2}-?[0-9]{2}([Tt ].*)?\\s*$";
/// URNs, and the other forms that publishers write (aliases): a namespace, `std` or a series of the IETF, and
/// segments of what follows. The grammar of segments is left to the parser.
pub(super) const URN: &str = "^\\s*([Uu][Rr][Nn]:)?[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:\
                   ([Ss][Tt][Dd]|[Rr][Ff][Cc]|[Ff][Yy][Ii]|[Bb][Cc][Pp]|[Ii][Dd]):[A-Za-z0-9.,:|_+-]+\\s*$";
/// White space around it has no control characters.
pub(super) const LANGUAGE: &str =
    "^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*[^\\S\\x00-\\x1f\\x7f-\\x9f]*$";
const PROVISION: &str = "^([Pp][Rr][Vv]|[Ll][Ii][Nn])_[A-Za-z2-7]{25}[AaEeIiMmQqUuYy4]$";
pub(super) const ICS: &str = "^[0-9][0-9.]*$";

pub(super) const fn one(
    name: &'static str,
    values: ValueFormat,
    description: &'static str,
    example: &'static str,
) -> Parameter {
    Parameter {
        name,
        location: ParameterLocation::Query,
        values,
        required: false,
        repeatable: false,
        description,
        example,
        default: None,
    }
}

const fn path(
    name: &'static str,
    values: ValueFormat,
    description: &'static str,
    example: &'static str,
) -> Parameter {
    let location = ParameterLocation::Path;
    Parameter { location, required: true, ..one(name, values, description, example) }
}

pub(super) const fn many(
    name: &'static str,
    values: ValueFormat,
    description: &'static str,
    example: &'static str,
) -> Parameter {
    Parameter { repeatable: true, ..one(name, values, description, example) }
}

/// The same, with what holds where it is absent.
pub(super) const fn or(parameter: Parameter, default: &'static str) -> Parameter {
    Parameter { default: Some(default), ..parameter }
}

const ID: Parameter = path(
    "id",
    ValueFormat::Matching(URN),
    "URN of the standard, each colon percent-encoded. Without language, or without edition and language, it means \
     the latest published edition that you may see; `Content-Location` then names it.",
    "urn:nsb:std:nsb:4210:ed-1:en",
);

pub(super) const TYPES: &[&str] =
    &["is", "ts", "tr", "pas", "iwa", "guide", "amendment", "corrigendum", "other"];
pub(super) const STATUSES: &[&str] = &["draft", "published", "superseded", "withdrawn"];
pub(super) const PROVISION_TYPES: &[&str] =
    &["requirement", "recommendation", "permission", "capability", "externalConstraint"];
pub(super) const LEVELS: &[&str] = &["discover", "read"];
pub(super) const SORTS: &[&str] =
    &["reference", "-reference", "published", "-published", "updated", "-updated"];

pub(super) const LIST: &[Parameter] = &[
    or(
        one(
            "limit",
            ValueFormat::Number(500),
            "Items per page. Settings of the service change default and maximum; `GET /limits` returns them.",
            "50",
        ),
        "50",
    ),
    one(
        "cursor",
        ValueFormat::Text,
        "`next` of the page before. It carries filters and order: leave them out or repeat them unchanged.",
        "bm8gcGFnZSBiZWZvcmU",
    ),
    or(
        one(
            "sort",
            ValueFormat::OneOf(SORTS),
            "Sort order; `-` reverses it. Ties are broken by URN.",
            "-updated",
        ),
        "reference",
    ),
    many(
        "q",
        ValueFormat::Matching(WORDS),
        "Words that reference or title hold, all of them.",
        "bicycle anchors",
    ),
    many(
        "urn",
        ValueFormat::Matching(URN),
        "URN, with or without edition and language.",
        "urn:nsb:std:nsb:4210",
    ),
    many("publisher", ValueFormat::Matching(WORDS), "Publisher.", "NSB"),
    many(
        "reference",
        ValueFormat::Matching(WORDS),
        "Designation as printed, in any case and spacing. Without a date it means all editions: `ISO 712`.",
        "NSB 4210:2019",
    ),
    many("number", ValueFormat::Matching(WORDS), "Number without part.", "4210"),
    many("part", ValueFormat::Matching(WORDS), "Part of a number: `1` of ISO 6529-1.", "1"),
    many("type", ValueFormat::OneOf(TYPES), "Kind of document.", "ts"),
    many("status", ValueFormat::OneOf(STATUSES), "Whether it is in force.", "published"),
    many("language", ValueFormat::Matching(LANGUAGE), "Language of the text (BCP 47).", "en"),
    many("ics", ValueFormat::Matching(ICS), "ICS code or the beginning of one: `43` finds `43.150`.", "43"),
    one(
        "edition",
        ValueFormat::OneOf(&["latest"]),
        "Only the latest edition of each standard that you may see.",
        "latest",
    ),
    one(
        "publishedFrom",
        ValueFormat::Matching(DATE),
        "Published on this day, month or year, or later.",
        "2016",
    ),
    one(
        "publishedTo",
        ValueFormat::Matching(DATE),
        "Published on this day, month or year, or earlier.",
        "2020-06",
    ),
    one(
        "updatedSince",
        ValueFormat::Instant,
        "Changed in the catalogue at this instant or later. A grant changes no standard: to see what it opened, list without this \
         filter and compare `revision` and `status` with what you have.",
        "2026-01-31T00:00:00Z",
    ),
    many("access", ValueFormat::OneOf(LEVELS), "What you may do with it.", "read"),
];

const TYPE: Parameter =
    many("type", ValueFormat::OneOf(PROVISION_TYPES), "Type of provision.", "requirement");
const NORMATIVE: Parameter = one(
    "normative",
    ValueFormat::Boolean,
    "Only provisions of normative sections (`true`) or of informative ones (`false`).",
    "true",
);
const TEXT: Parameter =
    many("q", ValueFormat::Matching(WORDS), "Words that the provision's text holds, all of them.", "anchor");

const LINEAGE: Parameter = one(
    "include",
    ValueFormat::OneOf(&["lineage"]),
    "The id of the lineage of each provision. A provision has none while its document waits for its lineages to be updated.",
    "lineage",
);

pub(super) const PROVISION_FILTERS: &[Parameter] = &[ID, TYPE, NORMATIVE, TEXT, LINEAGE];

pub(super) const STANDARD: &[Parameter] = &[ID];

const fn fields(view: View) -> Parameter {
    one(
        "fields",
        ValueFormat::ListOf(view.members()),
        "Members of the answer, separated by commas; all of them where it is absent. `status`, `urn` and `revision` are always there.",
        "metadata,ics,relations",
    )
}

pub(super) const COMPLETE: &[Parameter] = &[ID, fields(View::Complete)];

pub(super) const METADATA: &[Parameter] = &[ID, fields(View::Metadata)];

pub(super) const SECTIONS: &[Parameter] = &[
    ID,
    one(
        "depth",
        ValueFormat::Number(MAX_DEPTH),
        "Levels of the hierarchy, from the top; all of them where it is absent. `counts` and `totalCounts` stay as they are.",
        "1",
    ),
];

pub(super) const CONTENT: &[Parameter] = &[
    ID,
    one(
        "section",
        ValueFormat::Matching(WORDS),
        "Id or number of a section: only it and the sections within it. Not with `application/xml`.",
        "4.2",
    ),
];

pub(super) const SELECTION: &[Parameter] = &[
    ID,
    path(
        "selection",
        ValueFormat::Text,
        "Which provisions: clauses `4.2`, single ones `4.2(3)`, ranges `5-7` and `4.2(3)-4.4(1)`, `annex:A`, `table:2`, `figure:1` (those that \
         refer to it), `term:3.2`, `id:…`, `all`; `!` excludes. Items are separated by commas within a kind, kinds by semicolons.",
        "4.2(1-3),!4.2(2);table:2",
    ),
    TYPE,
    NORMATIVE,
    TEXT,
    LINEAGE,
];

pub(super) const TABLE: &[Parameter] =
    &[ID, path("table", ValueFormat::Text, "Id or number of the table: `tab_1`, `1`, `A.2`.", "1")];

pub(super) const PROVISION_ID: &[Parameter] = &[path(
    "id",
    ValueFormat::Matching(PROVISION),
    "Id of the provision, or of its lineage.",
    // Of a sample, whose ids are the same in each store.
    "prv_2zufqtxvuva3243a2disdxshlu",
)];

pub(super) const RELATIONS: &[&str] = &["same", "reworded", "split", "merged", "new", "removed"];

pub(super) const FACETS: &[&str] = &[
    "strength",
    "negation",
    "quantity",
    "bound",
    "condition",
    "subject",
    "references",
    "terms",
    "dependsOn",
    "moved",
];

pub(super) const LIKELIHOODS: &[&str] = &["certain", "high", "likely"];

pub(super) const COMPARISON: &[Parameter] = &[
    ID,
    Parameter {
        required: true,
        ..one(
            "with",
            ValueFormat::Matching(URN),
            "URN of the other edition, older or newer, written as in the path or with plain colons.",
            "urn:nsb:std:nsb:4210:ed-2:en",
        )
    },
    many("relation", ValueFormat::OneOf(RELATIONS), "Only items with this relation.", "reworded"),
    many(
        "type",
        ValueFormat::OneOf(PROVISION_TYPES),
        "Only items of which one provision has this type.",
        "requirement",
    ),
    many("changed", ValueFormat::OneOf(FACETS), "Only pairs with one of these kinds of change.", "bound"),
    many("likelihood", ValueFormat::OneOf(LIKELIHOODS), "Only pairs that are this sure.", "likely"),
    one(
        "section",
        ValueFormat::Matching(WORDS),
        "Id or number of a section: only items with a provision in it or in the sections within it, in either edition.",
        "4.2",
    ),
    one("include", ValueFormat::OneOf(&["text"]), "The texts of provisions that you may read.", "text"),
    one(
        "language",
        ValueFormat::Matching(LANGUAGE),
        "The language to compare, where the editions have several in common; otherwise the first of the older one.",
        "en",
    ),
    or(
        one(
            "differentDocuments",
            ValueFormat::Boolean,
            "Whether editions of different documents may be compared.",
            "true",
        ),
        "false",
    ),
    or(one("limit", ValueFormat::Number(2000), "Items per page.", "2000"), "2000"),
    one(
        "cursor",
        ValueFormat::Text,
        "`next` of the page before. It carries the filters: leave them out or repeat them unchanged.",
        "bm8gcGFnZSBiZWZvcmU",
    ),
];

pub(super) const MIGRATE: &[Parameter] = &[
    ID,
    one(
        "from",
        ValueFormat::Matching(URN),
        "URN of an edition that you may read. Labels in the body are of this edition; a lineage id is compared by its member in it.",
        "urn:nsb:std:nsb:4210:ed-1:en",
    ),
    one("include", ValueFormat::OneOf(&["text"]), "The texts of the provisions of this edition.", "text"),
];

pub(super) const SIGNED: &[Parameter] =
    &[path("signed", ValueFormat::Text, "The signed token in the URL from `assets/resolve`.", "c2lnbmVk")];

pub(super) const GUIDE: &[Parameter] =
    &[path("guide", ValueFormat::Text, "Name of a guide.", "using-the-api")];

pub(super) const PROBLEM: &[Parameter] =
    &[path("code", ValueFormat::Text, "Code of a problem.", "invalid-urn")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{ListQuery, QueryLimits, Sort};
    use crate::shapes::{AccessLevel, ComparisonRelation, ProvisionType, StandardType, Status};
    use proptest::prelude::*;
    use url::form_urlencoded;

    fn within_anchors(pattern: &'static str) -> &'static str {
        pattern.strip_prefix('^').and_then(|p| p.strip_suffix('$')).unwrap()
    }

    fn read(name: &str, value: &str) -> Result<ListQuery, crate::query::ListQueryError> {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
        ListQuery::parse(&query, QueryLimits::default())
    }

    /// The parameters of the list that have a pattern.
    const PATTERNS: [(&str, &str); 6] = [
        ("urn", URN),
        ("q", WORDS),
        ("publishedTo", DATE),
        ("updatedSince", INSTANT),
        ("language", LANGUAGE),
        ("ics", ICS),
    ];

    /// Segments of identifiers, right and wrong ones.
    const SEGMENT: &str = "std|STD|iso|xnb-nsb|rfc|id|8141|4210|1a|-1|-1-2|ed-2|ed-2026-02|en|en,fr|fr-de|v1|amd|sup|1|1998|\
                           2010-05|stage-60\\.60|draft|tr|guide|ts|cancelled|clause|\\|\\|amd|_amd|\\+amd|p\\.1203||#4|é";
    const DAY: &str = "[12][0-9]{3}(-?[01][0-9](-?[0-3][0-9])?)?";

    fn value() -> impl Strategy<Value = String> {
        let identifier = format!("[ ]?(urn:|URN:)?[a-z-]{{1,4}}(:({SEGMENT})){{1,7}}[ :]?");
        let instant =
            format!("[ ]?{DAY}([T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9](\\.[0-9])?)?(Z|[+-]0[0-9]:?00)?)?[ ]?");
        let language = "[ ]?[A-Za-z0-9]{1,4}([_-][A-Za-z0-9]{0,9}){0,2}[ ]?".to_owned();
        let other = "[0-9. ]{1,6}|\\PC{0,4}|[ \\t]|\\p{Cc}".to_owned();
        let one = [identifier, instant, language, other]
            .map(|pattern| proptest::string::string_regex(&pattern).unwrap());
        one.into_iter().map(Strategy::boxed).reduce(|a, b| a.prop_union(b).boxed()).unwrap()
    }

    proptest! {
        #[test]
        fn whatever_a_parser_accepts_matches_the_pattern_of_its_parameter(value in value()) {
            for (name, pattern) in PATTERNS {
                let fits = regex::Regex::new(pattern).unwrap().is_match(&value);
                prop_assert!(fits || read(name, &value).is_err(), "{name}={value:?}");
            }
        }

        #[test]
        fn whatever_matches_the_pattern_of_a_parameter_is_accepted(
            [words, language, ics, provision] in [WORDS, LANGUAGE, ICS, PROVISION].map(within_anchors),
        ) {
            prop_assert!(provision.parse::<norma_model::lineage::Asked>().is_ok(), "{provision}");
            for (name, value) in [("q", words), ("language", language), ("ics", ics)] {
                let read = read(name, &value);
                prop_assert!(read.is_ok(), "{read:?}");
                let read = read.unwrap();
                let again = ListQuery::parse(&read.canonical(), QueryLimits::default()).unwrap();
                prop_assert_eq!(again.canonical(), read.canonical());
            }
        }

        #[test]
        fn every_day_of_the_calendar_matches_and_is_accepted(days in -87_000i32..362_000) {
            let day = jiff::civil::date(1970, 1, 1).saturating_add(jiff::Span::new().days(days)).to_string();
            prop_assert!(regex::Regex::new(DATE).unwrap().is_match(&day) && read("publishedTo", &day).is_ok(), "{day}");
        }
    }

    #[test]
    fn urns_of_all_grammars_match_and_are_accepted() {
        let pattern = regex::Regex::new(URN).unwrap();
        for urn in [
            "urn:xnb:std:xnb-nsb:4210:ed-2026-02:en",
            "urn:nsb:std:nsb:ts:4250:-2:stage-40.20:amd:1:ed-1:en,fr",
            "URN:NSB:STD:NSB:4210",
            "urn:iec:std:iec:60050-351:2013-11:::",
            "urn:ietf:rfc:8141",
            "nsb:std:nsb:4210:v1",
        ] {
            assert!(pattern.is_match(urn) && read("urn", urn).is_ok(), "{urn}");
        }
        for text in ["urn:isbn:9780000000000", "4210", "urn:nsb:std:", "https://nsb.example/std/4210"] {
            assert!(!pattern.is_match(text) && read("urn", text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_words_of_the_table_are_the_words_of_the_shapes() {
        fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> Vec<&'static str> {
            all.iter().map(|&w| word(w)).collect()
        }
        assert_eq!(TYPES, words(StandardType::ALL, StandardType::as_str));
        assert_eq!(STATUSES, words(Status::ALL, Status::as_str));
        assert_eq!(PROVISION_TYPES, words(ProvisionType::ALL, ProvisionType::as_str));
        assert_eq!(RELATIONS, words(ComparisonRelation::ALL, ComparisonRelation::as_str));
        assert_eq!(LEVELS, words(AccessLevel::ALL, AccessLevel::as_str));
        assert_eq!(SORTS, words(Sort::ALL, Sort::as_str));
    }
}
