//! The query of the list of standards.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use norma_model::{Lang, PartialDate};
use url::form_urlencoded;

use super::cursor::{self, Position};
use super::{ParameterError, Parameters, QueryLimits};
use crate::paths::Operation;
use crate::problem::{Code, ProblemError};
use crate::shapes::{AccessLevel, StandardType, Status};
use crate::values::{IcsPrefix, Instant, NonBlankText, StandardName};

/// Query of one page of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// Most standards on the page, at least 1.
    pub limit: u32,
    /// Order of the standards.
    pub sort: Sort,
    /// Filters that the standards match.
    pub filters: ListFilters,
    /// Where the page before ended; `None` for the first page.
    pub after: Option<Position>,
}

/// Filters of the list: values of one field are alternatives, and all fields must match. An empty field
/// matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilters {
    /// Words that reference or title hold; all words of one value.
    pub q: Vec<String>,
    /// URNs as written, with or without edition and language.
    pub urn: Vec<String>,
    /// Publishers as written; alternatives.
    pub publisher: Vec<String>,
    /// Designations as printed; one without a date means all editions.
    pub reference: Vec<String>,
    /// Numbers of standards without part; alternatives.
    pub number: Vec<String>,
    /// Parts of standards; alternatives.
    pub part: Vec<String>,
    /// Kinds of document; alternatives.
    pub types: Vec<StandardType>,
    /// Statuses of editions; alternatives.
    pub status: Vec<Status>,
    /// Languages of the text.
    pub language: Vec<Lang>,
    /// Beginnings of ICS codes.
    pub ics: Vec<String>,
    /// Only the latest edition of each standard that the caller may see.
    pub latest: bool,
    /// Published then or later.
    pub published_from: Option<PartialDate>,
    /// Published then or earlier; a year or month means its end.
    pub published_to: Option<PartialDate>,
    /// Changed in the catalogue then or later.
    pub updated_since: Option<Timestamp>,
    /// Levels of the caller's access; alternatives.
    pub access: Vec<AccessLevel>,
}

/// Order of the list; ties are broken by URN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sort {
    /// The value that is compared.
    pub by: SortBy,
    /// The greatest value comes first.
    pub descending: bool,
}

/// What the order of the list compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// The designation of the document.
    #[default]
    Reference,
    /// The date of publication.
    Published,
    /// When the catalogue last changed it.
    Updated,
}

impl Sort {
    /// Every order that a query can name.
    pub const ALL: &[Self] = &[
        Self { by: SortBy::Reference, descending: false },
        Self { by: SortBy::Reference, descending: true },
        Self { by: SortBy::Published, descending: false },
        Self { by: SortBy::Published, descending: true },
        Self { by: SortBy::Updated, descending: false },
        Self { by: SortBy::Updated, descending: true },
    ];

    /// As it is written in a query.
    pub const fn as_str(self) -> &'static str {
        match (self.by, self.descending) {
            (SortBy::Reference, false) => "reference",
            (SortBy::Reference, true) => "-reference",
            (SortBy::Published, false) => "published",
            (SortBy::Published, true) => "-published",
            (SortBy::Updated, false) => "updated",
            (SortBy::Updated, true) => "-updated",
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Sort {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|s| s.as_str() == text).ok_or(())
    }
}

/// Error of parsing a query of the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListQueryError {
    /// A parameter is unknown or wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The cursor was altered or cut short.
    #[error("`cursor` was not made by this service; use `next` of the previous page unchanged")]
    Cursor,
    /// The cursor belongs to another query.
    #[error("`cursor` was made for other filters or another order; repeat the same ones or leave them out")]
    OtherQuery,
}

impl ListQueryError {
    /// The code of the problem that it makes.
    pub const fn code(&self) -> Code {
        match self {
            Self::Parameter(error) => error.code(),
            Self::Cursor | Self::OtherQuery => Code::InvalidCursor,
        }
    }

    /// The part of the request that is wrong, for `errors[]`.
    pub fn problem_error(&self) -> ProblemError<'static> {
        match self {
            Self::Parameter(error) => error.problem_error(),
            Self::Cursor | Self::OtherQuery => ProblemError {
                detail: self.to_string().into(),
                parameter: Some("cursor".into()),
                ..ProblemError::default()
            },
        }
    }
}

impl Default for ListQuery {
    /// The first page of everything, in the default order and size.
    fn default() -> Self {
        Self {
            limit: QueryLimits::default().page_size,
            sort: Sort::default(),
            filters: ListFilters::default(),
            after: None,
        }
    }
}

impl ListQuery {
    /// Reads a query string (without `?`).
    ///
    /// A cursor contains filters and order. They may be repeated next to it, but not changed; `limit` may be
    /// changed.
    pub fn parse(query: &str, limits: QueryLimits) -> Result<Self, ListQueryError> {
        Self::from_parameters(&Parameters::parse(Operation::Standards, query, limits)?)
    }

    /// Reads the parameters of a request.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ListQueryError> {
        let limits = parameters.limits;
        let limit = parameters.number_up_to("limit", limits.max_page_size)?.unwrap_or(limits.page_size);
        let (sort, filters) = (read_sort(parameters)?, read_filters(parameters)?);
        let Some(cursor) = parameters.text("cursor")? else {
            return Ok(Self { limit, sort, filters, after: None });
        };
        let (carried, position) = cursor::decode(&cursor).ok_or(ListQueryError::Cursor)?;
        let carried_parameters =
            Parameters::parse(Operation::Standards, &carried, limits).map_err(|_| ListQueryError::Cursor)?;
        let query = Self {
            limit,
            sort: read_sort(&carried_parameters).map_err(|_| ListQueryError::Cursor)?,
            filters: read_filters(&carried_parameters).map_err(|_| ListQueryError::Cursor)?,
            after: Some(position),
        };
        let repeated = parameters.pairs.iter().any(|(name, _)| !matches!(*name, "cursor" | "limit"));
        let same = Self { sort, filters, ..query.clone() }.canonical() == query.canonical();
        if repeated && !same { Err(ListQueryError::OtherQuery) } else { Ok(query) }
    }

    /// Order and filters in one canonical query string: equal for equal queries, whatever their page.
    pub fn canonical(&self) -> String {
        let ListFilters {
            q,
            urn,
            publisher,
            reference,
            number,
            part,
            types,
            status,
            language,
            ics,
            latest,
            published_from,
            published_to,
            updated_since,
            access,
        } = &self.filters;
        fn texts<T: ToString>(values: &[T]) -> Vec<String> {
            values.iter().map(ToString::to_string).collect()
        }
        let edition = if *latest { vec!["latest".to_owned()] } else { Vec::new() };
        let fields = [
            ("q", q.clone()),
            ("urn", urn.clone()),
            ("publisher", publisher.clone()),
            ("reference", reference.clone()),
            ("number", number.clone()),
            ("part", part.clone()),
            ("type", texts(types)),
            ("status", texts(status)),
            ("language", texts(language)),
            ("ics", ics.clone()),
            ("edition", edition),
            ("publishedFrom", texts(published_from.as_slice())),
            ("publishedTo", texts(published_to.as_slice())),
            ("updatedSince", texts(updated_since.as_slice())),
            ("access", texts(access)),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("sort", self.sort.as_str());
        for (name, mut values) in fields {
            values.sort_unstable();
            values.dedup();
            query.extend_pairs(values.iter().map(|value| (name, value)));
        }
        query.finish()
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        match &self.after {
            Some(position) => self.next(&self.cursor(position)),
            None => format!("limit={}&{}", self.limit, self.canonical()),
        }
    }

    /// The cursor of the page that begins after `position`.
    pub fn cursor(&self, position: &Position) -> String {
        cursor::encode(&self.canonical(), position)
    }

    /// The query string of the page with this cursor and the same limit.
    pub fn next(&self, cursor: &str) -> String {
        format!("limit={}&cursor={cursor}", self.limit)
    }
}

fn read_sort(parameters: &Parameters<'_>) -> Result<Sort, ParameterError> {
    Ok(parameters.word("sort")?.unwrap_or_default())
}

fn read_filters(parameters: &Parameters<'_>) -> Result<ListFilters, ParameterError> {
    Ok(ListFilters {
        q: parameters.searched_texts("q")?,
        urn: parameters.all("urn", |StandardName(name)| name)?,
        publisher: parameters.all("publisher", |NonBlankText(text)| text)?,
        reference: parameters.searched_texts("reference")?,
        number: parameters.all("number", |NonBlankText(text)| text)?,
        part: parameters.all("part", |NonBlankText(text)| text)?,
        types: parameters.words("type")?,
        status: parameters.words("status")?,
        language: parameters.all("language", |language: Lang| language)?,
        ics: parameters.all("ics", |IcsPrefix(digits)| digits)?,
        latest: parameters.choice("edition")?.is_some(),
        published_from: parameters.one("publishedFrom")?,
        published_to: parameters.one("publishedTo")?,
        updated_since: parameters.one("updatedSince")?.map(|Instant(instant)| instant),
        access: parameters.words("access")?,
    })
}
