//! Order of the editions of a document, and their status (in force, superseded, withdrawn), recomputed for
//! each edition that a change can affect.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use crate::Result;
use crate::catalogue::edition::EditionRows;
use crate::catalogue::{ROW_BATCH, lineage, micros};
use crate::columns::{DRAFT, PUBLISHED, REPLACES, SUPERSEDED, WITHDRAWN};
use crate::edition_order::{EditionName, edition_keys};
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
    /// The editions of these documents.
    pub(crate) fn documents(document_urns: BTreeSet<String>) -> Self {
        Self { document_urns, ..Self::default() }
    }

    /// Adds the editions whose status can depend on this one.
    pub(crate) fn by(&mut self, stored: &EditionRows) -> Result<()> {
        stored.affects(&mut self.document_urns, &mut self.reference_keys)
    }

    /// The keys of one kind, for statements with a list.
    fn batches(keys: &BTreeSet<String>) -> Vec<Vec<SqlValue>> {
        let keys: Vec<SqlValue> = keys.iter().map(|key| SqlValue::from(key.as_str())).collect();
        keys.chunks(ROW_BATCH).map(<[SqlValue]>::to_vec).collect()
    }
}

/// The editions that computing place and status again changed, by their URNs.
#[derive(Default)]
pub(crate) struct StatusChanges {
    /// Those with another status.
    pub(crate) status: BTreeSet<String>,
    /// Those with another place in their document, which no caller sees.
    pub(crate) order: BTreeSet<String>,
}

impl StatusChanges {
    /// Number of editions for which one of both changed.
    pub(crate) fn count(&self) -> usize {
        self.status.union(&self.order).count()
    }
}

/// An edition as the order of its document needs it.
struct OrderedRow {
    id: i64,
    urn: String,
    edition: String,
    published_on: String,
    edition_key: String,
}

/// Puts the editions of documents in order again. Adds their numbers to `touched`, and to `changed` the
/// URNs of those that have another place now; the lineages of their documents are to be made again.
async fn reorder(
    tx: &mut dyn Transaction,
    document_urns: &BTreeSet<String>,
    touched: &mut BTreeSet<i64>,
    changed: &mut BTreeSet<String>,
) -> Result<()> {
    let mut documents: BTreeMap<String, Vec<OrderedRow>> = BTreeMap::new();
    for batch in Affected::batches(document_urns) {
        let mut sql =
            Sql::new("SELECT id, urn, stem, edition, published_on, edition_key FROM editions WHERE stem IN ");
        sql.tuple(batch);
        for row in tx.read(sql).await? {
            let text = |column| row.text(column).map(str::to_owned);
            documents.entry(text("stem")?).or_default().push(OrderedRow {
                id: row.int("id")?,
                urn: text("urn")?,
                edition: text("edition")?,
                published_on: text("published_on")?,
                edition_key: text("edition_key")?,
            });
        }
    }
    let mut reordered = BTreeSet::new();
    for (document, editions) in documents {
        let names: Vec<EditionName<'_>> = editions
            .iter()
            .map(|one| EditionName { edition: &one.edition, published_on: &one.published_on })
            .collect();
        for (edition, key) in editions.iter().zip(edition_keys(&names)) {
            touched.insert(edition.id);
            if key != edition.edition_key {
                let sql = Sql::new("UPDATE editions SET edition_key = $1 WHERE id = $2");
                tx.run(sql.bind(key).bind(edition.id)).await?;
                changed.insert(edition.urn.clone());
                reordered.insert(document.clone());
            }
        }
    }
    lineage::touch(tx, &reordered).await
}

/// Computes the place of these editions in their documents and their status again, and returns those for
/// which one of both changes, for the feed. The caller holds the feed's lock: what others published meanwhile
/// counts.
pub(crate) async fn recompute_status(
    tx: &mut dyn Transaction,
    affected: Affected,
    now: SystemTime,
) -> Result<StatusChanges> {
    let (mut touched, mut changed) = (BTreeSet::new(), StatusChanges::default());
    reorder(tx, &affected.document_urns, &mut touched, &mut changed.order).await?;
    for batch in Affected::batches(&affected.reference_keys) {
        let mut sql = Sql::new("SELECT id FROM editions WHERE reference_key IN ");
        sql.tuple(batch);
        for row in tx.read(sql).await? {
            touched.insert(row.int("id")?);
        }
    }
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
                changed.status.insert(row.text("urn")?.to_owned());
            }
        }
    }
    Ok(changed)
}
