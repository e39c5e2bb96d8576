//! Status of editions (in force, superseded, withdrawn), recomputed for each edition that a change can
//! affect.

use std::collections::BTreeSet;
use std::time::SystemTime;

use crate::Result;
use crate::catalogue::edition::EditionRows;
use crate::catalogue::{ROW_BATCH, micros};
use crate::columns::{DRAFT, PUBLISHED, REPLACES, SUPERSEDED, WITHDRAWN};
use crate::engine::{Sql, SqlValue, Transaction};

/// True if the row `r` (an edition) says by citation `c` that it replaces the row `e`: a dated citation names
/// the designation, an undated one every edition of another standard.
pub(crate) const CITES: &str = "(c.dated = 1 AND c.reference_key = e.reference_key \
     OR c.dated = 0 AND c.stem = e.stem AND r.stem <> c.stem)";

/// True if the rows `l` and `e` (editions) have a language in common.
pub(crate) const SAME_LANGUAGE: &str = "EXISTS (SELECT 1 FROM edition_languages a \
     JOIN edition_languages b ON b.language = a.language WHERE a.edition = l.id AND b.edition = e.id)";

/// The editions whose status a change can affect: those of these standards and those with these reference
/// keys.
#[derive(Default)]
pub(crate) struct Affected {
    document_urns: BTreeSet<String>,
    reference_keys: BTreeSet<String>,
}

impl Affected {
    /// Adds the editions whose status can depend on this one.
    pub(crate) fn by(&mut self, stored: &EditionRows) -> Result<()> {
        stored.affects(&mut self.document_urns, &mut self.reference_keys)
    }

    /// Asks for their numbers.
    fn queries(self) -> Vec<Sql> {
        let query = |column: &str, keys: BTreeSet<String>| {
            let keys: Vec<SqlValue> = keys.into_iter().map(SqlValue::from).collect();
            let query = |batch: &[SqlValue]| {
                let mut sql = Sql::new(&format!("SELECT id FROM editions WHERE {column} IN "));
                sql.tuple(batch.iter().cloned());
                sql
            };
            keys.chunks(ROW_BATCH).map(query).collect::<Vec<_>>()
        };
        let mut queries = query("stem", self.document_urns);
        queries.extend(query("reference_key", self.reference_keys));
        queries
    }
}

/// Computes the status of these editions again, and returns the URNs of those whose status changes, for the
/// feed. The caller holds the feed's lock: what others published meanwhile counts.
pub(crate) async fn recompute_status(
    tx: &mut dyn Transaction,
    affected: Affected,
    now: SystemTime,
) -> Result<BTreeSet<String>> {
    let mut touched = BTreeSet::new();
    for sql in affected.queries() {
        for row in tx.read(sql).await? {
            touched.insert(row.int("id")?);
        }
    }
    let mut changed = BTreeSet::new();
    let touched: Vec<SqlValue> = touched.into_iter().map(SqlValue::from).collect();
    for batch in touched.chunks(ROW_BATCH) {
        let mut sql = Sql::new(&format!(
            "SELECT e.id, e.urn, e.status, CASE \
                WHEN e.withdrawn = 1 OR e.stated = {WITHDRAWN} THEN {WITHDRAWN} \
                WHEN e.stated = {DRAFT} THEN {DRAFT} \
                WHEN e.stated = {SUPERSEDED} THEN {SUPERSEDED} \
                WHEN EXISTS (SELECT 1 FROM editions l WHERE l.stem = e.stem AND l.edition_key > e.edition_key \
                    AND l.stated <> {DRAFT} AND l.recalled IS NULL AND {SAME_LANGUAGE}) THEN {SUPERSEDED} \
                WHEN EXISTS (SELECT 1 FROM citations c JOIN editions r ON r.id = c.edition \
                    WHERE c.kind = '{REPLACES}' AND r.id <> e.id AND r.stated <> {DRAFT} AND r.recalled IS NULL \
                    AND {CITES}) THEN {SUPERSEDED} \
                ELSE {PUBLISHED} END AS computed \
             FROM editions e WHERE e.id IN "
        ));
        sql.tuple(batch.iter().cloned());
        for row in tx.read(sql).await? {
            let (id, computed) = (row.int("id")?, row.int("computed")?);
            if computed != row.int("status")? {
                let sql = Sql::new("UPDATE editions SET status = $1, updated = $2 WHERE id = $3");
                tx.run(sql.bind(computed).bind(micros(now)).bind(id)).await?;
                changed.insert(row.text("urn")?.to_owned());
            }
        }
    }
    Ok(changed)
}
