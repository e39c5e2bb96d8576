//! Tables of correspondence of publishers: CSV rows that say which provision of an older edition became which
//! of a newer one.

use std::collections::HashMap;
use std::fmt;

use norma_compare::{AuthoredRelation, Units};
use norma_model::{Lang, ProvisionId, Urn};
use norma_store::{Correspondence, LineageDocument, Store};

use crate::comparison::{self, ComparisonError};

/// The columns of a table of correspondence, by the names in its first line; others are ignored.
pub const COLUMNS: [&str; 5] = ["older_urn", "older", "newer_urn", "newer", "relation"];

/// Characters of a cell that a message shows.
const SHOWN: usize = 60;

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Number of rows that are stored.
    pub rows: usize,
    /// The documents that they are of.
    pub documents: Vec<String>,
}

/// The reason why a table was refused. Nothing of it is stored then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A row is not what it must be.
    #[error("line {line}, column `{column}`: {why}")]
    Row {
        /// The line, counted from 1.
        line: u64,
        /// Name of the column.
        column: &'static str,
        /// The expected and the found value.
        why: String,
    },
    /// The file is not such a table.
    #[error("{0}")]
    Table(String),
    /// An edition cannot be read.
    #[error(transparent)]
    Edition(#[from] ComparisonError),
}

impl From<norma_store::StoreError> for ImportError {
    fn from(error: norma_store::StoreError) -> Self {
        Self::Edition(error.into())
    }
}

/// A row as it is written, with what is known without a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRow {
    /// The line where it begins, counted from 1.
    pub line: u64,
    /// URN of the edition that comes first in the order of the document.
    pub older_urn: Urn,
    /// Id or label of the older provision; empty only for `new`.
    pub older: String,
    /// URN of the edition that comes later.
    pub newer_urn: Urn,
    /// Id or label of the newer provision; empty only for `removed`.
    pub newer: String,
    /// What became of the older provision, as the publisher says.
    pub relation: AuthoredRelation,
}

/// Reads a table: CSV as in RFC 4180, in UTF-8, whose first line names the columns.
///
/// # Errors
/// Names line and column of the first cell that is not what it must be.
pub fn parse(bytes: &[u8]) -> Result<Vec<ImportRow>, ImportError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let broken = |error: csv::Error| ImportError::Table(format!("the table cannot be read: {error}"));
    let header = reader.headers().map_err(broken)?;
    let mut indices = [0; COLUMNS.len()];
    for (index, column) in indices.iter_mut().zip(COLUMNS) {
        // A spreadsheet may write a byte order mark before the first name.
        let position = header.iter().position(|name| name.trim_start_matches('\u{feff}') == column);
        let Some(position) = position else {
            let found = shortened(&header.iter().collect::<Vec<_>>().join(","));
            return Err(ImportError::Table(format!(
                "line 1 has no column `{column}`: expected the names {}, found {found:?}",
                COLUMNS.join(",")
            )));
        };
        *index = position;
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(broken)?;
        rows.push(Cells { record: &record, indices }.row()?);
    }
    if rows.is_empty() {
        return Err(ImportError::Table("the table has no rows after its first line".to_owned()));
    }
    Ok(rows)
}

/// The cells of one line of a table.
struct Cells<'r> {
    record: &'r csv::StringRecord,
    /// For each of [`COLUMNS`], its position in the line.
    indices: [usize; COLUMNS.len()],
}

impl<'r> Cells<'r> {
    fn row(&self) -> Result<ImportRow, ImportError> {
        let (older_urn, newer_urn) = (self.urn(0)?, self.urn(2)?);
        let Some(relation) = AuthoredRelation::from_word(self.cell(4)) else {
            let words = AuthoredRelation::ALL.map(|(_, word)| word).join(", ");
            let found = shortened(self.cell(4));
            return Err(self.refuse(4, format!("expected one of {words}, found `{found}`")));
        };
        let older = self.provision(1, relation, AuthoredRelation::New)?;
        let newer = self.provision(3, relation, AuthoredRelation::Removed)?;
        Ok(ImportRow { line: self.line(), older_urn, older, newer_urn, newer, relation })
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    /// The text in a column, by its index in [`COLUMNS`].
    fn cell(&self, column: usize) -> &'r str {
        self.record.get(self.indices[column]).unwrap_or_default()
    }

    fn refuse(&self, column: usize, why: String) -> ImportError {
        ImportError::Row { line: self.line(), column: COLUMNS[column], why }
    }

    fn urn(&self, column: usize) -> Result<Urn, ImportError> {
        let text = self.cell(column);
        match text.parse() {
            Ok(urn) => Ok(urn),
            Err(error) => {
                let why = format!("expected the URN of an edition, found `{}`: {error}", shortened(text));
                Err(self.refuse(column, why))
            }
        }
    }

    /// The name of a provision, which a row has unless its relation is `none`.
    fn provision(
        &self,
        column: usize,
        relation: AuthoredRelation,
        none: AuthoredRelation,
    ) -> Result<String, ImportError> {
        let text = self.cell(column);
        if relation != none && text.is_empty() {
            let none = none.word();
            let why =
                format!("expected the id or label of a provision, found nothing; only `{none}` has none");
            return Err(self.refuse(column, why));
        }
        if relation == none && !text.is_empty() {
            let (relation, found) = (relation.word(), shortened(text));
            let why = format!("expected nothing for the relation `{relation}`, found `{found}`");
            return Err(self.refuse(column, why));
        }
        Ok(text.to_owned())
    }
}

impl ImportRow {
    fn refuse(&self, column: &'static str, why: String) -> ImportError {
        ImportError::Row { line: self.line, column, why }
    }
}

/// Imports a table: all of its rows, or none. They take the place of earlier rows for the same two editions.
/// The partitions of the documents are to be updated then.
///
/// # Errors
/// Names line and column of the first row that names nothing, or that cannot be.
pub async fn import(store: &Store, bytes: &[u8]) -> Result<Imported, ImportError> {
    let rows = parse(bytes)?;
    let mut editions = NamedEditions { store, documents: HashMap::new(), units: HashMap::new() };
    let mut resolved = Vec::with_capacity(rows.len());
    for row in &rows {
        resolved.push(editions.correspondence(row).await?);
    }
    store.put_correspondences(&resolved, crate::clock::now()).await?;
    let mut documents: Vec<String> = editions.documents.into_keys().collect();
    documents.sort_unstable();
    Ok(Imported { rows: resolved.len(), documents })
}

/// The editions that rows name, each read once.
struct NamedEditions<'s> {
    store: &'s Store,
    documents: HashMap<String, LineageDocument>,
    units: HashMap<Urn, Units>,
}

impl NamedEditions<'_> {
    async fn correspondence(&mut self, row: &ImportRow) -> Result<Correspondence, ImportError> {
        let stem = row.older_urn.document_urn();
        if row.newer_urn.document_urn() != stem {
            let found = &row.newer_urn;
            let why =
                format!("expected an edition of {stem}, found {found}; a table is of one document a row");
            return Err(row.refuse(COLUMNS[2], why));
        }
        if !self.documents.contains_key(stem) {
            self.documents.insert(stem.to_owned(), self.store.document(stem).await?);
        }
        let older_index = self.read(row, &row.older_urn, COLUMNS[0]).await?;
        let newer_index = self.read(row, &row.newer_urn, COLUMNS[2]).await?;
        if older_index >= newer_index {
            let (older, newer) = (&row.older_urn, &row.newer_urn);
            let why = format!("expected an edition that comes after {older}, found {newer}");
            return Err(row.refuse(COLUMNS[2], why));
        }
        let older = self.provision(row, &row.older, &row.older_urn, COLUMNS[1])?;
        let newer = self.provision(row, &row.newer, &row.newer_urn, COLUMNS[3])?;
        if let (Some(older), Some(newer)) = (&older, &newer)
            && older.language != newer.language
        {
            let (expected, found) = (older.language_code(), newer.language_code());
            let why = format!("expected a provision in {expected}, found one in {found}");
            return Err(row.refuse(COLUMNS[3], why));
        }
        Ok(Correspondence {
            older: row.older_urn.clone(),
            older_id: older.map(|named| named.id),
            newer: row.newer_urn.clone(),
            newer_id: newer.map(|named| named.id),
            relation: row.relation.word().to_owned(),
        })
    }

    /// Reads the units of an edition, and returns its position in the order of its document.
    async fn read(&mut self, row: &ImportRow, urn: &Urn, column: &'static str) -> Result<usize, ImportError> {
        let editions = &self.documents[urn.document_urn()].editions;
        let Some(position) = editions.iter().position(|edition| edition.urn == *urn) else {
            let why = format!(
                "expected a stored edition that is neither a draft nor a supplement, found {urn}; \
                 `norma list` shows what is stored"
            );
            return Err(row.refuse(column, why));
        };
        if !self.units.contains_key(urn) {
            let Some(entry) = self.store.entry(urn).await? else {
                return Err(row.refuse(column, format!("{urn} was removed meanwhile")));
            };
            self.units.insert(urn.clone(), comparison::units(&self.store.handle(&entry)).await?);
        }
        Ok(position)
    }

    /// The provision that a cell names; `None` for an empty cell.
    fn provision(
        &self,
        row: &ImportRow,
        text: &str,
        urn: &Urn,
        column: &'static str,
    ) -> Result<Option<NamedProvision>, ImportError> {
        if text.is_empty() {
            return Ok(None);
        }
        match NamedProvision::new(text, &self.units[urn]) {
            Ok(named) => Ok(Some(named)),
            Err(why) => Err(row.refuse(column, format!("{why} in {urn}"))),
        }
    }
}

/// A provision that a row names.
struct NamedProvision {
    id: ProvisionId,
    language: Option<Lang>,
}

impl NamedProvision {
    /// The provision with this id or label.
    fn new(text: &str, units: &Units) -> Result<Self, NotNamed> {
        let mut found = Vec::new();
        for unit in &units.units {
            if *unit.id == *text || unit.label.as_deref() == Some(text) {
                found.push(unit);
            }
        }
        let [unit] = found[..] else { return Err(NotNamed { text: shortened(text), found: found.len() }) };
        let id = unit.id.parse().map_err(|_| NotNamed { text: shortened(text), found: 0 })?;
        Ok(Self { id, language: units.sections[unit.section].language.clone() })
    }

    /// The language for a message; empty where the section has none.
    fn language_code(&self) -> String {
        self.language.as_ref().map_or_else(String::new, Lang::to_string)
    }
}

/// The reason why a text does not name a provision.
struct NotNamed {
    text: String,
    found: usize,
}

/// The beginning of a cell, for messages.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for NotNamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, found } = self;
        match found {
            0 => write!(f, "expected the id or label of a provision, found `{text}`, which names none"),
            found => write!(
                f,
                "expected the id or label of one provision, found `{text}`, which names {found}: write the id"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "older_urn,older,newer_urn,newer,relation\n";

    fn refused(rows: &str) -> String {
        parse(format!("{HEADER}{rows}").as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn rows_are_read_with_their_lines() {
        let (a, b) = ("urn:nsb:std:nsb:1:ed-1:en", "urn:nsb:std:nsb:1:ed-2:en");
        let text = format!(
            "relation,older_urn,older,newer_urn,newer,note\n same ,{a},4.1(1),{b},\"4,2\",x\nnew,{a},,{b},5,\n"
        );
        let rows = parse(text.as_bytes()).unwrap();
        assert_eq!((rows[0].line, &*rows[0].older, &*rows[0].newer), (2, "4.1(1)", "4,2"));
        assert_eq!((rows[1].line, &*rows[1].older, rows[1].relation), (3, "", AuthoredRelation::New));
    }

    #[test]
    fn a_wrong_cell_is_named_by_line_and_column() {
        let (a, b) = ("urn:nsb:std:nsb:1:ed-1:en", "urn:nsb:std:nsb:1:ed-2:en");
        let good = format!("{a},1,{b},2,same\n");
        assert!(refused(&format!("{good}iso 1,1,{b},2,same")).starts_with("line 3, column `older_urn`"));
        assert!(
            refused(&format!("{a},1,{b},2,equal"))
                .starts_with("line 2, column `relation`: expected one of same")
        );
        assert!(refused(&format!("{a},,{b},2,same")).starts_with("line 2, column `older`"));
        assert!(refused(&format!("{a},1,{b},2,removed")).starts_with("line 2, column `newer`"));
        assert!(refused(&format!("{a},1,{b}\n")).contains("line: 2"));
        assert!(refused("").contains("no rows"));
        assert!(parse(b"a,b\n1,2\n").unwrap_err().to_string().contains("no column `older_urn`"));
    }
}
