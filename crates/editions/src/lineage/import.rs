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
    /// Number of rows.
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
    /// The older edition.
    pub older_urn: Urn,
    /// Id or label of the older provision; empty only for `new`.
    pub older: String,
    /// The newer edition.
    pub newer_urn: Urn,
    /// Id or label of the newer provision; empty only for `removed`.
    pub newer: String,
    /// The relation.
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
        let name = |found: &str| found.trim_start_matches('\u{feff}') == column;
        *index = header.iter().position(name).ok_or_else(|| {
            let found = shortened(&header.iter().collect::<Vec<_>>().join(","));
            ImportError::Table(format!(
                "line 1 has no column `{column}`: expected the names {}, found {found:?}",
                COLUMNS.join(",")
            ))
        })?;
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |index: usize| record.get(indices[index]).unwrap_or_default();
        rows.push(row(line, cell)?);
    }
    match rows.is_empty() {
        true => Err(ImportError::Table("the table has no rows after its first line".to_owned())),
        false => Ok(rows),
    }
}

fn row<'a>(line: u64, cell: impl Fn(usize) -> &'a str) -> Result<ImportRow, ImportError> {
    let refuse = |index: usize, why: String| ImportError::Row { line, column: COLUMNS[index], why };
    let urn = |index: usize| {
        let text = cell(index);
        text.parse::<Urn>().map_err(|error| {
            refuse(index, format!("expected the URN of an edition, found `{}`: {error}", shortened(text)))
        })
    };
    let (older_urn, newer_urn) = (urn(0)?, urn(2)?);
    let relation = AuthoredRelation::from_word(cell(4)).ok_or_else(|| {
        let words = AuthoredRelation::ALL.map(|(_, word)| word).join(", ");
        refuse(4, format!("expected one of {words}, found `{}`", shortened(cell(4))))
    })?;
    let side = |index: usize, none: AuthoredRelation| match (cell(index), relation == none) {
        ("", false) => Err(refuse(
            index,
            format!(
                "expected the id or label of a provision, found nothing; only `{}` has none",
                none.word()
            ),
        )),
        ("", true) => Ok(String::new()),
        (found, true) => Err(refuse(
            index,
            format!("expected nothing for the relation `{}`, found `{}`", relation.word(), shortened(found)),
        )),
        (found, false) => Ok(found.to_owned()),
    };
    let (older, newer) = (side(1, AuthoredRelation::New)?, side(3, AuthoredRelation::Removed)?);
    Ok(ImportRow { line, older_urn, older, newer_urn, newer, relation })
}

/// Imports a table: all of its rows, or none. They take the place of earlier rows for the same two editions.
/// The partitions of the documents are to be updated then.
///
/// # Errors
/// Names line and column of the first row that names nothing, or that cannot be.
pub async fn import(store: &Store, bytes: &[u8]) -> Result<Imported, ImportError> {
    let rows = parse(bytes)?;
    let mut documents: HashMap<String, LineageDocument> = HashMap::new();
    let mut editions: HashMap<Urn, Units> = HashMap::new();
    let mut resolved = Vec::with_capacity(rows.len());
    for row in &rows {
        let refuse = |column, why: String| ImportError::Row { line: row.line, column, why };
        let stem = row.older_urn.document_urn();
        if row.newer_urn.document_urn() != stem {
            let why = format!(
                "expected an edition of {stem}, found {}; a table is of one document a row",
                row.newer_urn
            );
            return Err(refuse(COLUMNS[2], why));
        }
        if !documents.contains_key(stem) {
            documents.insert(stem.to_owned(), store.document(stem).await?);
        }
        let mut order = [0; 2];
        for (index, (urn, column)) in
            order.iter_mut().zip([(&row.older_urn, COLUMNS[0]), (&row.newer_urn, COLUMNS[2])])
        {
            let found = documents[stem].editions.iter().position(|edition| edition.urn == *urn);
            *index = found.ok_or_else(|| {
                refuse(column, format!("expected a stored edition that is neither a draft nor a supplement, found {urn}; `norma list` shows what is stored"))
            })?;
            if !editions.contains_key(urn) {
                let entry = store.entry(urn).await?;
                let entry = entry.ok_or_else(|| refuse(column, format!("{urn} was removed meanwhile")))?;
                editions.insert(urn.clone(), comparison::units(&store.handle(&entry)).await?);
            }
        }
        if order[0] >= order[1] {
            let why =
                format!("expected an edition that comes after {}, found {}", row.older_urn, row.newer_urn);
            return Err(refuse(COLUMNS[2], why));
        }
        let named = |text: &str, urn: &Urn, column| match text {
            "" => Ok(None),
            text => NamedProvision::new(text, &editions[urn])
                .map(Some)
                .map_err(|why| refuse(column, format!("{why} in {urn}"))),
        };
        let older = named(&row.older, &row.older_urn, COLUMNS[1])?;
        let newer = named(&row.newer, &row.newer_urn, COLUMNS[3])?;
        if let (Some(older), Some(newer)) = (&older, &newer)
            && older.language != newer.language
        {
            let language =
                |named: &NamedProvision| named.language.as_ref().map_or_else(String::new, Lang::to_string);
            let why =
                format!("expected a provision in {}, found one in {}", language(older), language(newer));
            return Err(refuse(COLUMNS[3], why));
        }
        resolved.push(Correspondence {
            older: row.older_urn.clone(),
            older_id: older.map(|named| named.id),
            newer: row.newer_urn.clone(),
            newer_id: newer.map(|named| named.id),
            relation: row.relation.word().to_owned(),
        });
    }
    store.put_correspondences(&resolved, crate::clock::now()).await?;
    let mut documents: Vec<String> = documents.into_keys().collect();
    documents.sort_unstable();
    Ok(Imported { rows: resolved.len(), documents })
}

/// A provision that a row names.
struct NamedProvision {
    id: ProvisionId,
    language: Option<Lang>,
}

impl NamedProvision {
    /// The provision with this id or label.
    fn new(text: &str, units: &Units) -> Result<Self, NotNamed> {
        let mut found =
            units.units.iter().filter(|unit| *unit.id == *text || unit.label.as_deref() == Some(text));
        let Some(unit) = found.next() else { return Err(NotNamed { text: shortened(text), found: 0 }) };
        match found.count() {
            0 => {}
            more => return Err(NotNamed { text: shortened(text), found: more + 1 }),
        }
        let id = unit.id.parse().map_err(|_| NotNamed { text: shortened(text), found: 0 })?;
        Ok(Self { id, language: units.sections[unit.section].language.clone() })
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
