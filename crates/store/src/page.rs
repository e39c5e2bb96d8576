//! Queries, keys and pages of lists.

use std::time::SystemTime;

use norma_model::{Identifier, Lang, PartialDate, StandardType, Status};

use crate::access::Level;
use crate::entry::{OperatorNotice, Summary};
use crate::{Result, StoreError};

/// Most rows of a page of a list.
pub const MAX_PAGE_ROWS: u32 = 500;

/// Refuses a page of no rows, and of more than [`MAX_PAGE_ROWS`].
pub(crate) fn check_limit(limit: u32) -> Result<()> {
    if (1..=MAX_PAGE_ROWS).contains(&limit) {
        return Ok(());
    }
    Err(StoreError::Invalid(format!("a page has between 1 and {MAX_PAGE_ROWS} rows, not {limit}")))
}

/// The filters and order of a list. Values of one member are alternatives, members add up; an empty member
/// asks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The order of the rows, and which rows follow a key.
    pub sort: Sort,
    /// The order turned round.
    pub descending: bool,
    /// Texts, one of which must match: each of its words begins a word of reference or title.
    pub words: Vec<String>,
    /// These editions; a partial URN means all editions that it matches.
    pub identifiers: Vec<Identifier>,
    /// Publishers, in any case.
    pub publishers: Vec<String>,
    /// Designations as printed: `ISO 712:2009`; one without a date means all editions.
    pub references: Vec<String>,
    /// Numbers of standards without part; alternatives.
    pub numbers: Vec<String>,
    /// Parts of standards; alternatives.
    pub parts: Vec<String>,
    /// Kinds of documents; alternatives.
    pub kinds: Vec<StandardType>,
    /// Statuses as of now; alternatives.
    pub statuses: Vec<Status>,
    /// Languages of the text.
    pub languages: Vec<Lang>,
    /// ICS codes that begin so.
    pub ics: Vec<String>,
    /// Only editions without a later one, among those that the viewer may see; drafts do not count.
    pub latest: bool,
    /// With `latest`, also older editions that an identifier names by their edition, or by an alias.
    pub named: bool,
    /// Published then or later.
    pub published_from: Option<PartialDate>,
    /// Published then or earlier.
    pub published_to: Option<PartialDate>,
    /// Changed in the catalogue then or later.
    pub updated_since: Option<SystemTime>,
    /// With exactly this level of access.
    pub level: Option<Level>,
}

/// The order of a list; equal rows are ordered by URN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// By designation, as people count: ISO 9 before ISO 10.
    #[default]
    Reference,
    /// By date of publication; unknown dates first.
    Published,
    /// By the time of the last change in the catalogue.
    Updated,
}

/// A position in a list: after the row that gave the key. It holds for the sort that it came from only, and
/// stays right while editions are added and removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageKey {
    /// Value of the sort's column.
    pub value: String,
    /// URN of the row.
    pub urn: String,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// The fields that the source states.
    pub summary: Summary,
    /// The status as of now, which the other editions of the document decide too.
    pub status: Status,
    /// State of source and derivation.
    pub revision: String,
    /// The time when the catalogue last changed for it.
    pub updated: SystemTime,
    /// The level at which the viewer may use it.
    pub level: Level,
    /// What the operator says of its withdrawal.
    pub notice: Option<OperatorNotice>,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage {
    /// The rows, in order.
    pub rows: Vec<ListRow>,
    /// The begin of the next page; `None` at the end.
    pub next: Option<PageKey>,
    /// Number of rows on all pages.
    pub total: u64,
}
