//! Parameters of the operations.

use norma_model::lineage::Asked;
use norma_model::{Lang, PartialDate};

use super::{Parameter, ParameterLocation, ValueFormat};
use crate::media::View;
use crate::query::{AskedRevision, MAX_COMPARED, MAX_DEPTH, Sort};
use crate::shapes::{
    AccessLevel, ComparisonRelation, Facet, Likelihood, ProvisionType, StandardType, Status,
};
use crate::values::{IcsPrefix, Instant, NonBlankText, StandardName};

/// The words of a type with a closed list of them.
macro_rules! words_of {
    ($type:ty) => {{
        const WORDS: [&str; <$type>::ALL.len()] = {
            let mut words = [""; <$type>::ALL.len()];
            let mut at = 0;
            while at < words.len() {
                words[at] = <$type>::ALL[at].as_str();
                at += 1;
            }
            words
        };
        &WORDS
    }};
}
pub(super) use words_of;

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
    ValueFormat::of::<StandardName>(),
    "URN of the standard, each colon percent-encoded. Without language, or without edition and language, it means \
     the latest published edition that you may see; `Content-Location` then names it.",
    "urn:nsb:std:nsb:4210:ed-1:en",
);

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
            ValueFormat::OneOf(words_of!(Sort)),
            "Sort order; `-` reverses it. Ties are broken by URN.",
            "-updated",
        ),
        "reference",
    ),
    many(
        "q",
        ValueFormat::of::<NonBlankText>(),
        "Words that reference or title hold, all of them.",
        "bicycle anchors",
    ),
    many(
        "urn",
        ValueFormat::of::<StandardName>(),
        "URN, with or without edition and language.",
        "urn:nsb:std:nsb:4210",
    ),
    many("publisher", ValueFormat::of::<NonBlankText>(), "Publisher of the standard, as written.", "NSB"),
    many(
        "reference",
        ValueFormat::of::<NonBlankText>(),
        "Designation as printed, in any case and spacing. Without a date it means all editions: `ISO 712`.",
        "NSB 4210:2019",
    ),
    many("number", ValueFormat::of::<NonBlankText>(), "Number of the standard, without part.", "4210"),
    many("part", ValueFormat::of::<NonBlankText>(), "Part of a number: `1` of ISO 6529-1.", "1"),
    many(
        "type",
        ValueFormat::OneOf(words_of!(StandardType)),
        "Kind of document: a standard, an amendment, a report, or another.",
        "ts",
    ),
    many(
        "status",
        ValueFormat::OneOf(words_of!(Status)),
        "Status of the edition, which says whether it is in force.",
        "published",
    ),
    many("language", ValueFormat::of::<Lang>(), "Language of the text (BCP 47).", "en"),
    many(
        "ics",
        ValueFormat::of::<IcsPrefix>(),
        "ICS code or the beginning of one: `43` finds `43.150`.",
        "43",
    ),
    one(
        "edition",
        ValueFormat::OneOf(&["latest"]),
        "Only the latest edition of each standard that you may see.",
        "latest",
    ),
    one(
        "publishedFrom",
        ValueFormat::of::<PartialDate>(),
        "Published on this day, month or year, or later.",
        "2016",
    ),
    one(
        "publishedTo",
        ValueFormat::of::<PartialDate>(),
        "Published on this day, month or year, or earlier.",
        "2020-06",
    ),
    one(
        "updatedSince",
        ValueFormat::of::<Instant>(),
        "Changed in the catalogue at this instant or later. A grant changes no standard: to see what it opened, list without this \
         filter and compare `revision` and `status` with what you have.",
        "2026-01-31T00:00:00Z",
    ),
    many(
        "access",
        ValueFormat::OneOf(words_of!(AccessLevel)),
        "Level of your access to the standard.",
        "read",
    ),
];

const TYPE: Parameter = many(
    "type",
    ValueFormat::OneOf(words_of!(ProvisionType)),
    "Type of provision, by its verbal form.",
    "requirement",
);
const NORMATIVE: Parameter = one(
    "normative",
    ValueFormat::Boolean,
    "Only provisions of normative sections (`true`) or of informative ones (`false`).",
    "true",
);
const TEXT: Parameter = many(
    "q",
    ValueFormat::of::<NonBlankText>(),
    "Words that the provision's text holds, all of them.",
    "anchor",
);

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
        ValueFormat::of::<NonBlankText>(),
        "Id or number of a section: only it and the sections within it. Not with `application/xml`.",
        "4.2",
    ),
];

pub(super) const SELECTION: &[Parameter] = &[
    ID,
    path(
        "selection",
        ValueFormat::Text,
        "Selection of provisions: clauses `4.2`, single ones `4.2(3)`, ranges `5-7` and `4.2(3)-4.4(1)`, `annex:A`, `table:2`, `figure:1` (those that \
         refer to it), `term:3.2`, `id:…`, `all`; `!` excludes. Items are separated by commas within a kind, kinds by semicolons. \
         Places as printed are read as well: `Clause 4.2`, `Tabelle 2`, `4.2 to 4.4`.",
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
    ValueFormat::of::<Asked>(),
    "Id of the provision, or of its lineage.",
    // Of a sample, whose ids are the same in each store.
    "prv_2zufqtxvuva3243a2disdxshlu",
)];

pub(super) const COMPARISON: &[Parameter] = &[
    ID,
    Parameter {
        required: true,
        ..one(
            "with",
            ValueFormat::of::<StandardName>(),
            "URN of the other edition, older or newer, written as in the path or with plain colons.",
            "urn:nsb:std:nsb:4210:ed-2:en",
        )
    },
    one(
        "withRevision",
        ValueFormat::of::<AskedRevision>(),
        "`revision` of the edition that `with` names, or a day (UTC), which means the first revision of that day; the present one \
         where it is absent. Then `with` may be the edition in the path. Needs a grant to read both.",
        "2026-01-31",
    ),
    many(
        "relation",
        ValueFormat::OneOf(words_of!(ComparisonRelation)),
        "Only items with this relation.",
        "reworded",
    ),
    many(
        "type",
        ValueFormat::OneOf(words_of!(ProvisionType)),
        "Only items of which one provision has this type.",
        "requirement",
    ),
    many(
        "changed",
        ValueFormat::OneOf(words_of!(Facet)),
        "Only pairs with one of these kinds of change.",
        "bound",
    ),
    many("likelihood", ValueFormat::OneOf(words_of!(Likelihood)), "Only pairs that are this sure.", "likely"),
    one(
        "section",
        ValueFormat::of::<NonBlankText>(),
        "Id or number of a section: only items with a provision in it or in the sections within it, in either edition.",
        "4.2",
    ),
    one("include", ValueFormat::OneOf(&["text"]), "The texts of provisions that you may read.", "text"),
    one(
        "language",
        ValueFormat::of::<Lang>(),
        "The language to compare, where the editions have several in common; otherwise the first of the older one.",
        "en",
    ),
    or(
        one(
            "differentDocuments",
            ValueFormat::Boolean,
            "True to compare editions of different documents.",
            "true",
        ),
        "false",
    ),
    or(one("limit", ValueFormat::Number(MAX_COMPARED), "Items per page.", "2000"), "2000"),
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
        ValueFormat::of::<StandardName>(),
        "URN of an edition that you may read. Labels in the body are of this edition; a lineage id is compared by its member in it.",
        "urn:nsb:std:nsb:4210:ed-1:en",
    ),
    one(
        "fromRevision",
        ValueFormat::of::<AskedRevision>(),
        "`revision` of the edition `from`, or else of this one, that was stored with the ids or labels; or a day (UTC), which means \
         the first revision of that day. All of them are then compared from that revision on.",
        "2026-01-31",
    ),
    one(
        "include",
        ValueFormat::OneOf(&["text"]),
        "The texts of the provisions of this edition, and of those of an earlier revision that they were compared with.",
        "text",
    ),
];

pub(super) const SIGNED: &[Parameter] =
    &[path("signed", ValueFormat::Text, "The signed token in the URL from `assets/resolve`.", "c2lnbmVk")];

pub(super) const GUIDE: &[Parameter] =
    &[path("guide", ValueFormat::Text, "Name of a guide.", "using-the-api")];

pub(super) const PROBLEM: &[Parameter] =
    &[path("code", ValueFormat::Text, "Code of a problem.", "invalid-urn")];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::form_urlencoded;

    use super::*;
    use crate::query::{ListQuery, QueryLimits};
    use crate::values::ParameterValue;

    fn within_anchors(pattern: &'static str) -> &'static str {
        pattern.strip_prefix('^').and_then(|p| p.strip_suffix('$')).unwrap()
    }

    fn read(name: &str, value: &str) -> Result<ListQuery, crate::query::ListQueryError> {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
        ListQuery::parse(&query, QueryLimits::default())
    }

    /// The parameters of the list that have a pattern, with it.
    fn patterns() -> Vec<(&'static str, regex::Regex)> {
        let pattern = |parameter: &Parameter| match parameter.values {
            ValueFormat::Matching(pattern) => Some((parameter.name, regex::Regex::new(pattern).unwrap())),
            _ => None,
        };
        LIST.iter().filter_map(pattern).collect()
    }

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
            for (name, pattern) in patterns() {
                let fits = pattern.is_match(&value);
                prop_assert!(fits || read(name, &value).is_err(), "{name}={value:?}");
            }
        }

        #[test]
        fn whatever_matches_the_pattern_of_a_parameter_is_accepted(
            [words, language, ics, provision] in
                [NonBlankText::PATTERN, Lang::PATTERN, IcsPrefix::PATTERN, Asked::PATTERN].map(within_anchors),
        ) {
            prop_assert!(provision.parse::<Asked>().is_ok(), "{provision}");
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
            prop_assert!(regex::Regex::new(PartialDate::PATTERN).unwrap().is_match(&day) && read("publishedTo", &day).is_ok(), "{day}");
        }
    }

    #[test]
    fn urns_of_all_grammars_match_and_are_accepted() {
        let pattern = regex::Regex::new(StandardName::PATTERN).unwrap();
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
}
