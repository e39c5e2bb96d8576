//! Errors of exports.

use crate::format::format_names;
use crate::sheet;

/// Error of an export.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The name of a format that does not exist.
    #[error("expected the format {known}, found `{0}`", known = names())]
    UnknownFormat(String),
    /// A format that has only one standard in a file, for several of them.
    #[error(
        "expected one standard for the format `{format}`, found {found}: export each into a file of its own"
    )]
    OneStandard {
        /// Name of the format.
        format: &'static str,
        /// Number of standards.
        found: usize,
    },
    /// A format that a comparison has not.
    #[error("expected `csv`, `xlsx`, `oscal` or `reqif` for a comparison, found `{0}`")]
    NotOfComparison(&'static str),
    /// A comparison in which no two provisions belong together.
    #[error("expected at least one pair of provisions, found none: leave a filter out, or export it as CSV")]
    NoPairs,
    /// HTML of a section that cannot be read.
    #[error("cannot read the text of a section: {0}")]
    Markup(String),
    /// A state of ids that cannot be read.
    #[error("cannot read the state of ids: {0}")]
    State(String),
    /// There is nothing to export.
    #[error("expected at least one provision, found none: widen the selection or leave a filter out")]
    NothingSelected,
    /// A provision without lineage, where lineages are the ids.
    #[error(
        "{0} has no lineage yet: its document waits for them to be updated; try again after some seconds"
    )]
    NoLineage(String),
    /// More characters than a cell of XLSX can have.
    #[error(
        "{id}: expected at most {} characters in `{column}`, found {found}; export it as CSV",
        sheet::MAX_CHARACTERS
    )]
    TooLong {
        /// Id of the provision or table.
        id: String,
        /// Head of the column.
        column: String,
        /// Characters, counted in UTF-16.
        found: usize,
    },
    /// A character that XML 1.0, of which XLSX is made, cannot hold.
    #[error("{id}: found U+{found:04X} in `{column}`, which XLSX cannot hold; export it as CSV")]
    Character {
        /// Id of the provision or table.
        id: String,
        /// Head of the column.
        column: String,
        /// Code point of the refused character.
        found: u32,
    },
    /// More sheets, rows or columns than a workbook can have.
    #[error("expected at most {most} {what} in XLSX, found {found}: export fewer standards at once, or CSV")]
    TooMany {
        /// What there are too many of: `rows`, `columns`, `tables`.
        what: &'static str,
        /// Most that a workbook can have.
        most: usize,
        /// Number of them that the export has.
        found: usize,
    },
    /// The workbook or archive cannot be written.
    #[error("cannot make the file: {0}")]
    Workbook(String),
}

/// The names of all formats, as a sentence has them.
fn names() -> String {
    let mut names = format_names();
    let last = names.pop().unwrap_or_default();
    format!("{} or {last}", names.join(", "))
}
