//! Places and documents of citations, taken apart.

use std::fmt;

use crate::urn::Citation;

/// Longest citation that is read, in Unicode scalar values.
pub const MAX_CITATION_LENGTH: usize = 500;
/// Most places that one citation names, a range counting as its two ends.
pub const MAX_CITED_LOCATIONS: usize = 50;

/// The designation of a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedDocument {
    /// The document with its year, as its designation is read.
    pub citation: Citation,
    /// The designation with its date and supplements, in plain characters.
    pub text: String,
    /// True for an edition with an amendment in its text: `EN 1090-2:2018+A1:2024`. Only the edition with
    /// this very designation is meant.
    pub is_consolidated: bool,
}

/// Kind of part that a place names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocationKind {
    /// A clause, an annex, or a clause of one.
    Clause,
    /// A table with its number.
    Table,
    /// A figure with its number.
    Figure,
    /// A formula with its number.
    Formula,
    /// An entry of a clause of terms.
    Term,
}

/// One place, or the places from one to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedLocation {
    /// The kind of part.
    pub kind: LocationKind,
    /// Number of the part, letters in upper case: `4.2`, `A.1`, `2A`.
    pub number: String,
    /// Ordinal of a provision of the part, or number of a paragraph: 1 in `4.2(1)`.
    pub ordinal: Option<u32>,
    /// What is meant within the part, from the outside to the inside.
    pub details: Vec<LocationDetail>,
    /// The last place of a range.
    pub to: Option<Box<RangeEnd>>,
}

/// The end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeEnd {
    /// The last place of the range, which belongs to it.
    pub location: CitedLocation,
    /// True if a hyphen joins the two places, which may as well be a part of one number: `Table 3-1`.
    pub is_hyphenated: bool,
}

/// Something smaller than a clause, table or figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationDetail {
    /// The kind of detail, by the word or the brackets of the citation.
    pub kind: DetailKind,
    /// The number or letter without brackets; `None` of the only note or example.
    pub value: Option<String>,
}

/// Kind of what is smaller than a clause, table or figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetailKind {
    /// A list item: `b)`.
    Item,
    /// A paragraph: `Absatz 2`.
    Paragraph,
    /// A sentence: `Satz 1`.
    Sentence,
    /// A note: `NOTE 1`.
    Note,
    /// An example: `EXAMPLE 2`.
    Example,
    /// A footnote of a table or figure.
    Footnote,
    /// A row of a table.
    Row,
    /// A column of a table.
    Column,
}

/// A citation that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct UnreadableCitation {
    /// What was found, and what is expected.
    pub reason: String,
}

impl UnreadableCitation {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }

    /// The failure for the text that is left where the reader cannot go on.
    pub(super) fn at(rest: &str) -> Self {
        let found: String = rest.trim().chars().take(40).collect();
        if found.is_empty() {
            return Self::new("it ends where a place is expected, such as `4.2`, `Annex A` or `Table 1`");
        }
        Self::new(format!(
            "`{}` is not a designation or a place; expected for example `ISO 712:2009, 4.2(1)` or `Annex A`",
            found.escape_debug()
        ))
    }
}

impl CitedLocation {
    /// A part without anything within it.
    pub(crate) fn new(kind: LocationKind, number: String) -> Self {
        Self { kind, number, ordinal: None, details: Vec::new(), to: None }
    }
}

impl LocationKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Clause => "",
            Self::Table => "table ",
            Self::Figure => "figure ",
            Self::Formula => "formula ",
            Self::Term => "term ",
        }
    }
}

impl DetailKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Paragraph => "paragraph",
            Self::Sentence => "sentence",
            Self::Note => "note",
            Self::Example => "example",
            Self::Footnote => "footnote",
            Self::Row => "row",
            Self::Column => "column",
        }
    }
}

/// The detail as it is cited in English: `item b`, `paragraph 2`, `note`.
impl fmt::Display for LocationDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{} {value}", self.kind.name()),
            None => f.write_str(self.kind.name()),
        }
    }
}

/// The place as it is cited in English: `4.2(1)`, `6.2.3 item b`, `table 1 to table 3`.
impl fmt::Display for CitedLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.prefix(), self.number)?;
        if let Some(ordinal) = self.ordinal {
            write!(f, "({ordinal})")?;
        }
        for detail in &self.details {
            write!(f, " {detail}")?;
        }
        match &self.to {
            Some(end) => write!(f, " to {}", end.location),
            None => Ok(()),
        }
    }
}
