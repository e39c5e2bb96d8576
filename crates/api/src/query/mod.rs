//! Strict parser of query strings: unknown parameters and invalid values are errors.

mod changes;
mod comparison;
mod cursor;
mod list;
mod parts;
mod revision;
mod search;

pub use changes::ChangesQuery;
pub use comparison::{ComparisonPosition, ComparisonQuery, MAX_COMPARED, MigrateQuery};
pub use cursor::Position;
pub use list::{ListFilters, ListQuery, ListQueryError, Sort, SortBy};
pub use parts::{ContentQuery, FieldsQuery, MAX_DEPTH, ProvisionsQuery, SectionsQuery};
pub use revision::{AskedRevision, ParseAskedRevisionError};
pub use search::SearchQuery;

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use url::form_urlencoded;

use crate::paths::{Operation, ValueFormat};
use crate::problem::{Code, ProblemError};
use crate::values::{NonBlankText, ParameterValue};

/// How large a query may be: pages of the list, and values that cost work for each standard or provision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// Standards on a page when the caller does not say.
    pub page_size: u32,
    /// Standards on a page at most.
    pub max_page_size: u32,
    /// Values of all parameters of one query.
    pub max_values: usize,
    /// Words of all `q` of one query, as [`norma_model::tokens()`] counts them.
    pub max_words: usize,
}

impl Default for QueryLimits {
    /// Pages of 50 and at most 500, 100 values, 32 words.
    fn default() -> Self {
        Self { page_size: 50, max_page_size: 500, max_values: 100, max_words: 32 }
    }
}

/// Error of parsing the parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// The operation has no such parameter.
    #[error("unknown parameter `{name}`{}", suggestion.map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The text that was found.
        name: String,
        /// The closest parameter, where one is close.
        suggestion: Option<&'static str>,
        /// All parameters of the operation.
        allowed: Vec<&'static str>,
    },
    /// The value is not one that the parameter can have.
    #[error("`{name}`: {reason}")]
    Invalid {
        /// The name of the parameter.
        name: &'static str,
        /// What was found and what is expected.
        reason: String,
        /// The closest right value, where one is close.
        suggestion: Option<&'static str>,
        /// All right values, where the list is closed.
        allowed: Vec<&'static str>,
    },
}

impl ParameterError {
    /// The code of the problem that it makes.
    pub const fn code(&self) -> Code {
        match self {
            Self::Unknown { .. } => Code::UnknownParameter,
            Self::Invalid { .. } => Code::InvalidParameter,
        }
    }

    /// The part of the request that is wrong, for `errors[]`.
    pub fn problem_error(&self) -> ProblemError<'static> {
        let (name, suggestion, allowed) = match self {
            Self::Unknown { name, suggestion, allowed } => (name.clone().into(), suggestion, allowed),
            Self::Invalid { name, suggestion, allowed, .. } => (Cow::Borrowed(*name), suggestion, allowed),
        };
        ProblemError {
            detail: self.to_string().into(),
            parameter: Some(name),
            suggestion: suggestion.map(Cow::Borrowed),
            allowed: allowed.iter().copied().map(Cow::Borrowed).collect(),
            ..ProblemError::default()
        }
    }
}

/// The parameters of a query string, known to be among those that the operation has.
pub struct Parameters<'q> {
    operation: Operation,
    pairs: Vec<(&'static str, Cow<'q, str>)>,
    limits: QueryLimits,
}

impl<'q> Parameters<'q> {
    /// Reads a query string (without `?`) as the table of operations declares the parameters.
    ///
    /// # Errors
    /// A parameter that the operation does not have, characters that no value has, or more values than
    /// `limits` allow.
    pub fn parse(operation: Operation, query: &'q str, limits: QueryLimits) -> Result<Self, ParameterError> {
        let mut pairs = Vec::new();
        if query.is_empty() || !operation.is_strict() {
            return Ok(Self { operation, pairs, limits });
        }
        let allowed = operation.query_parameters();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let Some(&known) = allowed.iter().find(|a| **a == name) else {
                return Err(ParameterError::Unknown {
                    suggestion: closest(&name, &allowed),
                    name: name.into_owned(),
                    allowed,
                });
            };
            if value.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER) {
                return Err(invalid(
                    known,
                    "found control characters or invalid UTF-8, which no value may have",
                ));
            }
            if pairs.len() == limits.max_values {
                let most = limits.max_values;
                return Err(invalid(
                    known,
                    format!(
                        "the query has more than {most} values; expected at most {most} (`max-query-values`)"
                    ),
                ));
            }
            pairs.push((known, value));
        }
        Ok(Self { operation, pairs, limits })
    }

    /// What the table of operations says of a parameter.
    fn declared(&self, name: &str) -> ValueFormat {
        let declared = self.operation.describe().parameters.iter().find(|parameter| parameter.name == name);
        declared.expect("a query has parameters of its operation only").values
    }

    /// The words that a parameter can have.
    fn allowed(&self, name: &str) -> &'static [&'static str] {
        match self.declared(name) {
            ValueFormat::OneOf(words) | ValueFormat::ListOf(words) => words,
            ValueFormat::Boolean => &["true", "false"],
            other => unreachable!("`{name}` has no list of words: {other:?}"),
        }
    }

    /// The values of a parameter as they are written.
    fn written(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.pairs.iter().filter(move |(found, _)| *found == name).map(|(_, value)| &**value)
    }

    /// The value, as it is written, of a parameter that may occur once.
    fn written_once(&self, name: &'static str) -> Result<Option<&str>, ParameterError> {
        let mut values = self.written(name);
        let value = values.next();
        if values.next().is_some() {
            return Err(invalid(name, "found several values, expected one"));
        }
        Ok(value)
    }

    /// A value that is read as the type that the table names.
    fn read<T: ParameterValue>(&self, name: &'static str, value: &str) -> Result<T, ParameterError> {
        debug_assert_eq!(self.declared(name), ValueFormat::of::<T>(), "{name}");
        expect_text(name, value)?;
        value.parse().map_err(|error: T::Err| invalid(name, error))
    }

    /// The texts of a parameter. The operation looks up what they name.
    fn texts(&self, name: &'static str) -> Result<Vec<String>, ParameterError> {
        let read = |value: &str| expect_text(name, value).map(|()| value.to_owned());
        self.written(name).map(read).collect()
    }

    /// The text of a parameter that may occur once. The operation looks up what it names.
    fn text(&self, name: &'static str) -> Result<Option<String>, ParameterError> {
        let Some(value) = self.written_once(name)? else { return Ok(None) };
        expect_text(name, value)?;
        Ok(Some(value.to_owned()))
    }

    /// Every text of a parameter whose words are searched for.
    fn searched_texts(&self, name: &'static str) -> Result<Vec<String>, ParameterError> {
        let texts = self.all(name, |NonBlankText(text)| text)?;
        let words: usize = texts.iter().map(|text| norma_model::tokens(text).len()).sum();
        let most = self.limits.max_words;
        if words > most {
            let reason = format!("found {words} words, expected at most {most} (`max-query-words`)");
            return Err(invalid(name, reason));
        }
        Ok(texts)
    }

    /// Every value of a parameter that may be repeated, read as a type of the table; `take` takes what is
    /// wanted of it.
    fn all<T: ParameterValue, R>(
        &self,
        name: &'static str,
        take: impl Fn(T) -> R,
    ) -> Result<Vec<R>, ParameterError> {
        self.written(name).map(|value| self.read(name, value).map(&take)).collect()
    }

    /// The value of a parameter that may occur once.
    fn one<T: ParameterValue>(&self, name: &'static str) -> Result<Option<T>, ParameterError> {
        self.written_once(name)?.map(|value| self.read(name, value)).transpose()
    }

    /// The whole number from 1 on of a parameter that may occur once; the table has the greatest one.
    fn number(&self, name: &'static str) -> Result<Option<u32>, ParameterError> {
        match self.declared(name) {
            ValueFormat::Number(most) => self.number_up_to(name, most),
            other => unreachable!("`{name}` is not a number: {other:?}"),
        }
    }

    /// The same where settings give the greatest one.
    fn number_up_to(&self, name: &'static str, most: u32) -> Result<Option<u32>, ParameterError> {
        let Some(written) = self.text(name)? else { return Ok(None) };
        match written.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
            _ => Err(invalid(name, format!("`{written}` is not a whole number from 1 to {most}"))),
        }
    }

    /// Every value of a parameter that has a closed list of words.
    fn words<T: FromStr>(&self, name: &'static str) -> Result<Vec<T>, ParameterError> {
        let allowed = self.allowed(name);
        let read = |value: &str| value.parse().map_err(|_| not_allowed(name, value, allowed));
        self.written(name).map(read).collect()
    }

    /// The value of a parameter that may occur once and has a closed list of words.
    fn word<T: FromStr>(&self, name: &'static str) -> Result<Option<T>, ParameterError> {
        self.text(name)?;
        Ok(self.words(name)?.into_iter().next())
    }

    /// The value of a parameter that may occur once and is `true` or `false`.
    fn boolean(&self, name: &'static str) -> Result<Option<bool>, ParameterError> {
        self.word(name)
    }

    /// The words, separated by commas, of a parameter that may occur once and has a closed list of them.
    fn list(&self, name: &'static str) -> Result<Option<Vec<&'static str>>, ParameterError> {
        let Some(list) = self.text(name)? else { return Ok(None) };
        let allowed = self.allowed(name);
        let words = list.split(',').map(|word| known_word(name, word, allowed));
        words.collect::<Result<_, _>>().map(Some)
    }

    /// The word of a parameter that may occur once and has a closed list of them, as in the list.
    fn choice(&self, name: &'static str) -> Result<Option<&'static str>, ParameterError> {
        let Some(value) = self.text(name)? else { return Ok(None) };
        known_word(name, &value, self.allowed(name)).map(Some)
    }
}

fn expect_text(name: &'static str, value: &str) -> Result<(), ParameterError> {
    if value.trim().is_empty() {
        return Err(invalid(name, "found an empty value; set a value or leave the parameter out"));
    }
    Ok(())
}

/// A word as it is in a closed list.
fn known_word(
    name: &'static str,
    word: &str,
    allowed: &[&'static str],
) -> Result<&'static str, ParameterError> {
    let known = allowed.iter().copied().find(|allowed| *allowed == word);
    known.ok_or_else(|| not_allowed(name, word, allowed))
}

fn invalid(name: &'static str, reason: impl Display) -> ParameterError {
    ParameterError::Invalid { name, reason: reason.to_string(), suggestion: None, allowed: Vec::new() }
}

/// A value outside of a closed list of words.
fn not_allowed(name: &'static str, value: &str, allowed: &[&'static str]) -> ParameterError {
    let reason = match allowed {
        [only] => format!("`{value}` is not `{only}`, the one value it can have"),
        _ => format!("`{value}` is not one of: {}", allowed.join(", ")),
    };
    ParameterError::Invalid { name, reason, suggestion: closest(value, allowed), allowed: allowed.to_vec() }
}

/// The closest of the allowed names, where one is close enough to have been meant.
fn closest(name: &str, allowed: &[&'static str]) -> Option<&'static str> {
    const CLOSE: f64 = 0.75;
    let name = name.to_lowercase();
    let likeness = |a: &str| strsim::jaro_winkler(&name, &a.to_lowercase());
    allowed
        .iter()
        .map(|&a| (likeness(a), a))
        .filter(|(likeness, _)| *likeness >= CLOSE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, a)| a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(query: &str) -> Result<ListQuery, ListQueryError> {
        ListQuery::parse(query, QueryLimits::default())
    }

    fn provisions(query: &str) -> Result<ProvisionsQuery, ParameterError> {
        ProvisionsQuery::from_parameters(&Parameters::parse(
            Operation::Provisions,
            query,
            QueryLimits::default(),
        )?)
    }

    fn content(query: &str) -> Result<ContentQuery, ParameterError> {
        ContentQuery::from_parameters(&Parameters::parse(Operation::Content, query, QueryLimits::default())?)
    }

    #[test]
    fn an_instant_is_read_as_it_is_meant_or_what_is_missing_is_said() {
        let read = |text: &str| {
            let query = format!("updatedSince={text}");
            list(&query)
                .map(|query| query.filters.updated_since.unwrap().to_string())
                .map_err(|error| error.to_string())
        };
        for same in [
            "2026-11-25T03:01:49Z",
            "2026-11-25%2003:01:49Z",
            "2026-11-25+03:01:49Z",
            "2026-11-25t04:01:49%2B01:00",
        ] {
            assert_eq!(read(same).as_deref(), Ok("2026-11-25T03:01:49Z"), "{same}");
        }
        assert_eq!(read("2026-11-25").as_deref(), Ok("2026-11-25T00:00:00Z"));
        for (text, said) in [
            ("2026-11-25%2003:01:49", "no zone"),
            ("2026-11-25T03:01:49", "no zone"),
            ("2026-11-25T03:01:49+01:00", "`+` in a query means a blank"),
            ("2026-11-25T25:00:00Z", "RFC 3339"),
            ("2026-13-25", "or a day"),
        ] {
            assert!(read(text).is_err_and(|error| error.contains(said)), "{text}");
        }
    }

    #[test]
    fn an_unknown_parameter_is_named_with_the_closest_one() {
        let error = list("publsher=ISO").unwrap_err();
        assert_eq!(error.to_string(), "unknown parameter `publsher`; did you mean `publisher`?");
        assert_eq!(error.code(), Code::UnknownParameter);
        assert_eq!(list("zzz=1").unwrap_err().problem_error().suggestion, None);
        for &operation in Operation::ALL {
            let read = |query| Parameters::parse(operation, query, QueryLimits::default());
            assert_eq!(read("a").is_err(), operation.is_strict(), "{operation:?}");
            assert!(read("").is_ok(), "{operation:?}");
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_what_may_be_written() {
        for (query, parameter) in [
            ("limit=0", "limit"),
            ("limit=501", "limit"),
            ("limit=ten", "limit"),
            ("limit=1&limit=2", "limit"),
            ("sort=title", "sort"),
            ("type=tss", "type"),
            ("edition=2", "edition"),
            ("language=english", "language"),
            ("ics=67a", "ics"),
            ("publishedFrom=2016-13", "publishedFrom"),
            ("updatedSince=yesterday", "updatedSince"),
            ("q=", "q"),
            ("q=a%00b", "q"),
            ("q=%ff", "q"),
        ] {
            let error = list(query).unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter, "{query}");
            assert_eq!(error.problem_error().parameter.as_deref(), Some(parameter), "{query}");
        }
        let error = list("status=publshed").unwrap_err().problem_error();
        assert_eq!(error.suggestion.as_deref(), Some("published"));
        assert_eq!(error.allowed, ["draft", "published", "superseded", "withdrawn"]);
    }

    #[test]
    fn repeated_filters_are_alternatives_in_any_order() {
        let query =
            list("type=ts&ics=67&type=tr&language=EN&edition=latest&updatedSince=2026-01-31").unwrap();
        assert_eq!(query.filters.types.len(), 2);
        assert!(query.filters.latest);
        assert_eq!(list(&query.query_string()).unwrap().canonical(), query.canonical());
        assert_eq!(list(&ListQuery::default().query_string()), Ok(ListQuery::default()));
        let turned = list(
            "updatedSince=2026-01-31T01:00:00%2B01:00&edition=latest&language=en&type=tr&type=ts&ics=67",
        );
        assert_eq!(turned.unwrap().canonical(), query.canonical());
    }

    #[test]
    fn a_query_with_too_many_values_or_words_is_refused_with_the_bound() {
        let repeated = |value: &str, times: usize| vec![value; times].join("&");
        for name in ["ics=67", "q=rice", "urn=urn:iso:std:iso:7301:ed-4:en", "type=is"] {
            let error = list(&repeated(name, 101)).unwrap_err();
            assert_eq!(error.code(), Code::InvalidParameter, "{name}");
            assert!(error.to_string().contains("at most 100 (`max-query-values`)"), "{error}");
        }
        assert!(list(&repeated("ics=67", 100)).is_ok());
        let words = |n: u32| (0..n).map(|n| n.to_string()).collect::<Vec<_>>().join("+");
        assert!(list(&format!("q={}", words(32))).is_ok());
        for too_many in [format!("q={}", words(33)), format!("q={}&q=1+2", words(31)), repeated("q=rice", 33)]
        {
            for error in [
                list(&too_many).unwrap_err().problem_error(),
                provisions(&too_many).unwrap_err().problem_error(),
            ] {
                assert!(error.detail.contains("at most 32 (`max-query-words`)"), "{error:?}");
                assert_eq!(error.parameter.as_deref(), Some("q"));
            }
        }
    }

    #[test]
    fn a_forged_cursor_has_the_same_bounds_as_a_query() {
        let ics: Vec<String> = (10..99).flat_map(|n| (0..9).map(move |m| format!("{n}.0{m}0"))).collect();
        let filters = ListFilters { ics, ..ListFilters::default() };
        let position = Position { key: String::new(), urn: "urn:x:std:1:ed-1:en".into() };
        let cursor = ListQuery { filters, ..ListQuery::default() }.cursor(&position);
        assert_eq!(list(&format!("cursor={cursor}")), Err(ListQueryError::Cursor));
    }

    #[test]
    fn a_cursor_carries_its_query_and_fits_no_other() {
        let query = list("type=ts&sort=-updated&limit=7").unwrap();
        let position = Position { key: "2026".into(), urn: "urn:x:std:1:ed-1:en".into() };
        let cursor = query.cursor(&position);
        let alone = list(&query.next(&cursor)).unwrap();
        assert_eq!(alone, ListQuery { after: Some(position), ..query });
        assert_eq!(list(&format!("cursor={cursor}&sort=-updated&type=ts&limit=7")), Ok(alone));
        assert_eq!(list(&format!("cursor={cursor}&type=tr")), Err(ListQueryError::OtherQuery));
        assert_eq!(list(&format!("cursor={cursor}&sort=-updated")), Err(ListQueryError::OtherQuery));
        for index in 0..cursor.len() {
            let mut altered = cursor.clone().into_bytes();
            altered[index] = if altered[index] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(list(&format!("cursor={altered}")), Err(ListQueryError::Cursor), "{altered}");
        }
    }

    #[test]
    fn filters_of_provisions_and_content_are_as_strict() {
        let query = provisions("type=requirement&type=permission&normative=true&q=a+b").unwrap();
        assert_eq!((query.types.len(), query.normative, query.q), (2, Some(true), vec!["a b".to_owned()]));
        let query = provisions("type=permission&normative=false&q=a%26b&q=c").unwrap();
        assert_eq!(provisions(&query.query_string()), Ok(query));
        let query = ContentQuery { section: Some("Annex A & B".into()) };
        assert_eq!(content(&query.query_string()), Ok(query));
        assert!(provisions("").unwrap().is_empty());
        for wrong in ["type=shall", "normative=yes", "normative=true&normative=false", "Type=requirement"] {
            assert!(provisions(wrong).is_err(), "{wrong}");
        }
        assert_eq!(content("section=4.2").unwrap().section.as_deref(), Some("4.2"));
        assert!(content("section=1&section=2").is_err());
    }

    proptest! {
        #[test]
        fn no_query_makes_it_panic(query in "([a-zA-Z]{0,13}=?[^&]{0,9}&?){0,4}") {
            let _ = list(&query);
            let _ = (provisions(&query), content(&query));
        }
    }
}
