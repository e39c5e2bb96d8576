//! Rows of comparisons and lineages for another store: those that cannot be derived there. Partitions are
//! made again.

use std::collections::BTreeSet;

use crate::catalogue::{feed, lineage};
use crate::engine::{Engine, Sql, SqlValue, Transaction};
use crate::{Result, columns};

/// A table whose rows have the same meaning in each store.
pub(crate) struct CopiedTable {
    name: &'static str,
    /// The columns of the table, those of the primary key first.
    columns: &'static str,
    /// Number of columns of the primary key.
    key: usize,
    /// The action of an INSERT when the row exists.
    again: &'static str,
    /// Rows that are read at once.
    batch: usize,
    /// The column with the document whose partition follows from the rows.
    stem: Option<usize>,
}

const COMPARISONS: &str = "comparisons";

pub(crate) const TABLES: [CopiedTable; 3] = [
    CopiedTable {
        name: COMPARISONS,
        columns: "older, newer, language, older_revision, newer_revision, matcher, record, checksum",
        key: 3,
        again: "ON CONFLICT (older, newer, language) DO NOTHING",
        // Their records are large.
        batch: 20,
        stem: None,
    },
    CopiedTable {
        name: "retired_provisions",
        columns: "id, stem, edition, place, heir, revision, rules",
        key: 1,
        again: "ON CONFLICT (id) DO UPDATE SET heir = excluded.heir",
        batch: 500,
        stem: None,
    },
    CopiedTable {
        name: "correspondences",
        columns: "older, newer, place, stem, relation, older_id, newer_id",
        key: 3,
        again: "ON CONFLICT (older, newer, place) DO UPDATE SET stem = excluded.stem, relation = excluded.relation, \
                older_id = excluded.older_id, newer_id = excluded.newer_id",
        batch: 500,
        stem: Some(3),
    },
];

impl CopiedTable {
    /// The next rows after `last`, in the order of the primary key.
    pub(crate) async fn page(
        &self,
        engine: &dyn Engine,
        last: Option<&Vec<SqlValue>>,
    ) -> Result<Vec<Vec<SqlValue>>> {
        let columns: Vec<&str> = self.columns.split(", ").collect();
        let key = columns[..self.key].join(", ");
        let mut sql = Sql::new(&format!("SELECT {} FROM {}", self.columns, self.name));
        if let Some(last) = last {
            sql.push(&format!(" WHERE ({key}) > ")).tuple(last[..self.key].iter().cloned());
        }
        sql.push(&format!(" ORDER BY {key} LIMIT ")).arg(self.batch);
        let mut page = Vec::new();
        for row in engine.read(sql).await? {
            let mut values = Vec::with_capacity(columns.len());
            for column in &columns {
                values.push(row.value(column)?.clone());
            }
            page.push(values);
        }
        Ok(page)
    }

    /// The rows that another store gets: for comparisons, those of neighbours.
    pub(crate) async fn copied(
        &self,
        engine: &dyn Engine,
        rows: Vec<Vec<SqlValue>>,
    ) -> Result<Vec<Vec<SqlValue>>> {
        if self.name != COMPARISONS {
            return Ok(rows);
        }
        let mut copied = Vec::with_capacity(rows.len());
        for row in rows {
            let [SqlValue::Text(Some(older)), SqlValue::Text(Some(newer)), ..] = &row[..] else { continue };
            let stem = columns::read_urn(older)?;
            let document = lineage::partition(engine, stem.document_urn()).await?.decode()?;
            if document.is_some_and(|document| document.partition.are_neighbours(older, newer)) {
                copied.push(row);
            }
        }
        Ok(copied)
    }

    /// Writes rows that another store gave.
    pub(crate) async fn write(&self, tx: &mut dyn Transaction, rows: &[Vec<SqlValue>]) -> Result<()> {
        if self.stem.is_some() {
            feed::lock(tx).await?;
        }
        tx.insert(self.name, self.columns, rows.to_vec(), self.again).await?;
        let mut stems = BTreeSet::new();
        if let Some(column) = self.stem {
            for row in rows {
                if let Some(SqlValue::Text(Some(stem))) = row.get(column) {
                    stems.insert(stem.clone());
                }
            }
        }
        lineage::touch(tx, &stems).await
    }
}
