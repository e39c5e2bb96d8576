//! Rows of comparisons, partitions, retired ids and correspondences.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::SystemTime;

use bytes::Bytes;
use norma_model::{Partition, ProvisionId, Urn};

use crate::catalogue::edition::EditionRows;
use crate::catalogue::feed::{self, Subject};
use crate::catalogue::{ROW_BATCH, comparison};
use crate::columns::{self, DRAFT};
use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::lineage::{Correspondence, DocumentEdition, LineageDocument, LineageUpdate, Retired};
use crate::{Result, StoreError};

/// Editions that take part in lineages.
const ELIGIBLE: &str = "e.supplement_kind IS NULL AND e.stated <>";

/// Marks the partitions of these documents to be made again; a document that always had one edition has none.
pub(crate) async fn touch(tx: &mut dyn Transaction, stems: &BTreeSet<String>) -> Result<()> {
    let stems: Vec<SqlValue> = stems.iter().map(|stem| stem.as_str().into()).collect();
    for chunk in stems.chunks(ROW_BATCH) {
        let mut sql = Sql::new("UPDATE lineages SET wanted = wanted + 1 WHERE stem IN ");
        sql.tuple(chunk.iter().cloned());
        tx.run(sql).await?;
        let mut sql = Sql::new(
            "INSERT INTO lineages (stem, wanted, done, matcher, links, checksum) SELECT e.stem, 1, 0, 0, ",
        );
        sql.arg(Bytes::new()).push(&format!(", 0 FROM editions e WHERE {ELIGIBLE} {DRAFT} AND e.stem IN "));
        sql.tuple(chunk.iter().cloned());
        sql.push(" GROUP BY e.stem HAVING COUNT(*) > 1 ON CONFLICT (stem) DO NOTHING");
        tx.run(sql).await?;
    }
    Ok(())
}

/// Stores the ids of provisions that an edition no longer has, because it is removed or another state
/// replaces it. `successors` are pairs of an id and the id that carries its lineage on. Comparisons of the
/// edition go.
pub(crate) async fn retire(
    tx: &mut dyn Transaction,
    stored: &EditionRows,
    new: Option<&EditionRows>,
    successors: &[(ProvisionId, ProvisionId)],
) -> Result<()> {
    let urn = stored.text("urn");
    let named = new.unwrap_or(stored);
    let (name, stem) = (named.text("urn"), named.text("stem"));
    tx.run(Sql::new("DELETE FROM comparisons WHERE older = $1").bind(urn)).await?;
    tx.run(Sql::new("DELETE FROM comparisons WHERE newer = $1").bind(urn)).await?;
    let mut present = HashSet::new();
    if let Some(new) = new {
        present.extend(new.provisions());
    }
    let mut heirs = BTreeMap::new();
    for (id, heir) in successors {
        // An id that still exists needs no heir.
        if !present.contains(id) && present.contains(heir) {
            heirs.insert(*id, *heir);
        }
    }
    let by_rules = new.is_some_and(|new| new.has_same_source(stored));
    let mut gone = BTreeMap::new();
    for (id, ordinal) in stored.provisions().into_iter().zip(0_u32..) {
        if present.contains(&id) {
            continue;
        }
        let retired = Retired {
            id,
            edition: name.to_owned(),
            ordinal,
            heir: heirs.get(&id).copied(),
            revision: stored.text("revision").to_owned(),
            by_rules,
        };
        gone.insert(id, retired);
    }
    put_retired(tx, stem, gone.values()).await?;
    for stem in BTreeSet::from([stem, stored.text("stem")]) {
        follow(tx, stem, &heirs).await?;
    }
    Ok(())
}

/// Updates the publisher's tables of a document: heirs replace the provisions that they named. Comparisons
/// that were made with them are those of an edition that changed, and are gone.
async fn follow(
    tx: &mut dyn Transaction,
    stem: &str,
    heirs: &BTreeMap<ProvisionId, ProvisionId>,
) -> Result<()> {
    if heirs.is_empty() {
        return Ok(());
    }
    let carried_by = |id: Option<ProvisionId>| id.map(|id| *heirs.get(&id).unwrap_or(&id));
    let sql = "SELECT older, newer, place, relation, older_id, newer_id FROM correspondences WHERE stem = $1";
    for row in tx.read(Sql::new(sql).bind(stem)).await? {
        let Correspondence { older, older_id, newer, newer_id, .. } = read_correspondence(&row)?;
        let (older_heir, newer_heir) = (carried_by(older_id), carried_by(newer_id));
        if (older_heir, newer_heir) == (older_id, newer_id) {
            continue;
        }
        let sql = "UPDATE correspondences SET older_id = $1, newer_id = $2 WHERE older = $3 AND newer = $4 AND place = $5";
        let sql = Sql::new(sql).bind(id_value(older_heir.as_ref())).bind(id_value(newer_heir.as_ref()));
        tx.run(sql.bind(older.as_str()).bind(newer.as_str()).bind(row.int("place")?)).await?;
    }
    Ok(())
}

async fn put_retired(
    tx: &mut dyn Transaction,
    stem: &str,
    retired: impl Iterator<Item = &Retired>,
) -> Result<()> {
    let mut rows = Vec::new();
    for Retired { id, edition, ordinal, heir, revision, by_rules } in retired {
        rows.push(vec![
            id_value(Some(id)),
            stem.into(),
            edition.as_str().into(),
            i64::from(*ordinal).into(),
            id_value(heir.as_ref()),
            revision.as_str().into(),
            (*by_rules).into(),
        ]);
    }
    let again = "ON CONFLICT (id) DO UPDATE SET edition = excluded.edition, place = excluded.place, heir = excluded.heir, \
                 revision = excluded.revision, rules = excluded.rules";
    let columns = "id, stem, edition, place, heir, revision, rules";
    tx.insert("retired_provisions", columns, rows, again).await.map(drop)
}

/// An id as a column; empty for no id.
fn id_value(id: Option<&ProvisionId>) -> SqlValue {
    let bytes = match id {
        Some(id) => Bytes::copy_from_slice(id.as_bytes()),
        None => Bytes::new(),
    };
    bytes.into()
}

fn read_id(row: &ResultRow, column: &str) -> Result<Option<ProvisionId>> {
    let bytes = row.bytes(column)?;
    match <[u8; 16]>::try_from(bytes.as_ref()) {
        Ok(bits) => Ok(Some(ProvisionId::from_bytes(bits))),
        Err(_) if bytes.is_empty() => Ok(None),
        Err(_) => Err(StoreError::corrupt(format!(
            "column {column} has {} bytes, expected 16 or none",
            bytes.len()
        ))),
    }
}

fn read_retired(row: &ResultRow) -> Result<Retired> {
    let id = read_id(row, "id")?.ok_or_else(|| StoreError::corrupt("a retired provision has no id"))?;
    let ordinal = u32::try_from(row.int("place")?).map_err(StoreError::corrupt)?;
    Ok(Retired {
        id,
        edition: row.text("edition")?.to_owned(),
        ordinal,
        heir: read_id(row, "heir")?,
        revision: row.text("revision")?.to_owned(),
        by_rules: row.int("rules")? != 0,
    })
}

/// Documents after this one that changed since their partition was made. With `matcher`, also those with a
/// partition of an earlier version of the matcher.
pub(crate) async fn changed(
    engine: &dyn Engine,
    matcher: Option<u32>,
    after: &str,
    limit: usize,
) -> Result<Vec<String>> {
    let mut sql = Sql::new("SELECT stem FROM lineages WHERE stem > ");
    sql.arg(after).push(" AND (done <> wanted");
    if let Some(matcher) = matcher {
        sql.push(" OR matcher < ").arg(i64::from(matcher));
    }
    sql.push(") ORDER BY stem LIMIT ").arg(limit);
    engine.read(sql).await?.iter().map(|row| Ok(row.text("stem")?.to_owned())).collect()
}

/// The document of a provision that is no longer published.
pub(crate) async fn document_of(engine: &dyn Engine, id: &ProvisionId) -> Result<Option<String>> {
    Ok(retired(engine, id).await?.map(|(stem, _)| stem))
}

/// The row of a document, not decoded yet; a document that never had two editions has none.
pub struct StoredPartition(Option<ResultRow>);

/// The row of a document.
pub struct PartitionRow {
    pub(crate) wanted: i64,
    pub(crate) done: i64,
    pub(crate) matcher: u32,
    pub(crate) partition: Partition,
}

/// A unique name of the state of a document's partition. `None` if it is not that of the present editions, by
/// this version of the matcher or a later one.
pub(crate) async fn state(engine: &dyn Engine, stem: &str, least: u32) -> Result<Option<String>> {
    let sql = Sql::new("SELECT wanted, done, matcher FROM lineages WHERE stem = $1").bind(stem);
    let rows = engine.lookup(sql).await?;
    let Some(row) = rows.first() else { return Ok(Some(String::new())) };
    let (wanted, done) = (row.int("wanted")?, row.int("done")?);
    let matcher = u32::try_from(row.int("matcher")?).unwrap_or_default();
    Ok((done == wanted && matcher >= least).then(|| state_name(done, matcher)))
}

/// A name of the partition after this number of changes, by this version of the matcher.
pub(crate) fn state_name(done: i64, matcher: u32) -> String {
    format!("{done}.{matcher}")
}

/// The columns of a partition that its checksum covers.
pub(crate) const PARTITION_CHECKED: &str = "stem, done, matcher, links";

/// The partition of a document as it is stored.
pub(crate) async fn partition(engine: &dyn Engine, stem: &str) -> Result<StoredPartition> {
    let sql = format!("SELECT wanted, {PARTITION_CHECKED}, checksum FROM lineages WHERE stem = $1");
    let mut rows = engine.lookup(Sql::new(&sql).bind(stem)).await?;
    Ok(StoredPartition(rows.pop()))
}

impl StoredPartition {
    /// Number of bytes that are decoded.
    pub fn size(&self) -> u64 {
        match &self.0 {
            Some(row) => row.bytes("links").map_or(0, |links| links.len() as u64),
            None => 0,
        }
    }

    /// Compares it with its checksum and decodes it, which takes some milliseconds for editions with
    /// thousands of provisions.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where the row is not one of a partition.
    pub fn decode(self) -> Result<Option<PartitionRow>> {
        let Some(row) = &self.0 else { return Ok(None) };
        let is_whole = columns::expect_row(row, "checksum", PARTITION_CHECKED, &"a partition").is_ok();
        let wanted = row.int("wanted")?;
        let matcher = u32::try_from(row.int("matcher")?).unwrap_or_default();
        match columns::unpacked::<Partition>(row.bytes("links")?) {
            Ok(partition) if is_whole && partition.is_valid() => {
                Ok(Some(PartitionRow { wanted, done: row.int("done")?, matcher, partition }))
            }
            // A damaged one, and one of another version of Norma, is made again: no state is done.
            _ => Ok(Some(PartitionRow { wanted, done: -1, matcher, partition: Partition::default() })),
        }
    }
}

/// A document with its editions, correspondences and partition. The partition's row is read first: an edition
/// that comes later is then in the count that the caller does not know of.
pub(crate) async fn document(engine: &dyn Engine, stem: &str) -> Result<LineageDocument> {
    let row = partition(engine, stem).await?.decode()?;
    // A document that never had two editions has no row.
    let absent = PartitionRow { wanted: 0, done: 0, matcher: 0, partition: Partition::default() };
    let PartitionRow { wanted, done, matcher, partition } = row.unwrap_or(absent);
    let editions = document_editions(engine, stem).await?;
    let sql = "SELECT older, newer, relation, older_id, newer_id FROM correspondences WHERE stem = $1 \
         ORDER BY older, newer, place";
    let rows = engine.read(Sql::new(sql).bind(stem)).await?;
    let correspondences = rows.iter().map(read_correspondence).collect::<Result<_>>()?;
    let sql = "SELECT id, edition, place, heir, revision, rules FROM retired_provisions WHERE stem = $1 AND heir = $2";
    let rows = engine.read(Sql::new(sql).bind(stem).bind(Bytes::new())).await?;
    let without_heir = rows.iter().map(read_retired).collect::<Result<_>>()?;
    Ok(LineageDocument {
        stem: stem.to_owned(),
        editions,
        correspondences,
        wanted,
        done,
        matcher,
        partition,
        without_heir,
    })
}

/// The editions of a document that take part in lineages, the oldest first.
async fn document_editions(engine: &dyn Engine, stem: &str) -> Result<Vec<DocumentEdition>> {
    let sql = format!(
        "SELECT e.urn, e.revision, e.languages, p.provisions, p.provisions_checksum FROM editions e \
         JOIN edition_parts p ON p.edition = e.id WHERE e.stem = $1 AND {ELIGIBLE} {DRAFT} \
         ORDER BY e.edition_key, e.published_on, e.urn"
    );
    let mut editions = Vec::new();
    for row in engine.read(Sql::new(&sql).bind(stem)).await? {
        let mut languages = Vec::new();
        for language in row.text("languages")?.split(' ') {
            languages.push(language.parse().map_err(StoreError::corrupt)?);
        }
        editions.push(DocumentEdition {
            urn: columns::read_urn(row.text("urn")?)?,
            revision: row.text("revision")?.to_owned(),
            languages,
            provisions: columns::read_provisions(&row)?,
        });
    }
    Ok(editions)
}

fn read_correspondence(row: &ResultRow) -> Result<Correspondence> {
    Ok(Correspondence {
        older: columns::read_urn(row.text("older")?)?,
        older_id: read_id(row, "older_id")?,
        newer: columns::read_urn(row.text("newer")?)?,
        newer_id: read_id(row, "newer_id")?,
        relation: row.text("relation")?.to_owned(),
    })
}

/// Stores a partition and its heirs. False, without any change, if the document changed meanwhile, or if its
/// partition is of a later version of the matcher. The catalogue's lock and the count let one writer at a
/// time through, on every engine.
pub(crate) async fn put(tx: &mut dyn Transaction, update: &LineageUpdate, now: SystemTime) -> Result<bool> {
    feed::lock(tx).await?;
    let links = columns::packed(&update.partition);
    let matcher = i64::from(update.matcher);
    let checked: [SqlValue; 4] =
        [update.stem.as_str().into(), update.wanted.into(), matcher.into(), links.clone().into()];
    let sql = "UPDATE lineages SET done = wanted, matcher = $1, links = $2, checksum = $3 \
         WHERE stem = $4 AND wanted = $5 AND matcher <= $6";
    let sql = Sql::new(sql).bind(matcher).bind(links).bind(columns::checksum(&checked));
    if tx.run(sql.bind(update.stem.as_str()).bind(update.wanted).bind(matcher)).await? == 0 {
        return Ok(false);
    }
    put_retired(tx, &update.stem, update.inherited.iter()).await?;
    comparison::keep_neighbours(tx, &update.partition).await?;
    record_editions(tx, update.partition.editions.iter().map(|edition| &*edition.urn), now).await?;
    Ok(true)
}

/// Replaces the correspondences of each two editions that these name.
pub(crate) async fn put_correspondences(
    tx: &mut dyn Transaction,
    rows: &[Correspondence],
    now: SystemTime,
) -> Result<()> {
    feed::lock(tx).await?;
    let pairs: BTreeSet<(&str, &str)> =
        rows.iter().map(|row| (row.older.as_str(), row.newer.as_str())).collect();
    for (older, newer) in &pairs {
        clear_correspondences(tx, older, newer).await?;
    }
    let (mut values, mut named, mut documents) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (index, row) in rows.iter().enumerate() {
        values.push(vec![
            row.older.as_str().into(),
            row.newer.as_str().into(),
            index.into(),
            row.older.document_urn().into(),
            row.relation.as_str().into(),
            id_value(row.older_id.as_ref()),
            id_value(row.newer_id.as_ref()),
        ]);
        named.extend([row.older.as_str(), row.newer.as_str()]);
        documents.insert(row.older.document_urn().to_owned());
    }
    let columns = "older, newer, place, stem, relation, older_id, newer_id";
    tx.insert("correspondences", columns, values, "").await?;
    record_editions(tx, named, now).await?;
    touch(tx, &documents).await
}

/// Removes the correspondences of two editions, and returns their number.
pub(crate) async fn drop_correspondences(
    tx: &mut dyn Transaction,
    older: &Urn,
    newer: &Urn,
    now: SystemTime,
) -> Result<u64> {
    feed::lock(tx).await?;
    let count = clear_correspondences(tx, older.as_str(), newer.as_str()).await?;
    if count > 0 {
        record_editions(tx, [older.as_str(), newer.as_str()], now).await?;
        touch(tx, &BTreeSet::from([older.document_urn().to_owned()])).await?;
    }
    Ok(count)
}

/// Adds a row to the feed for each of these editions, so that instances drop cached values such as their
/// comparison.
async fn record_editions(
    tx: &mut dyn Transaction,
    urns: impl IntoIterator<Item = &str>,
    now: SystemTime,
) -> Result<()> {
    let subjects: Vec<Subject> = urns.into_iter().map(|urn| Subject::Edition(urn.to_owned())).collect();
    feed::record(tx, &subjects, now).await.map(drop)
}

/// Removes the correspondences of two editions, and the comparisons that were made with them.
async fn clear_correspondences(tx: &mut dyn Transaction, older: &str, newer: &str) -> Result<u64> {
    let sql = Sql::new("DELETE FROM comparisons WHERE older = $1 AND newer = $2");
    tx.run(sql.bind(older).bind(newer)).await?;
    let sql = Sql::new("DELETE FROM correspondences WHERE older = $1 AND newer = $2");
    tx.run(sql.bind(older).bind(newer)).await
}

/// The correspondences of two editions.
pub(crate) async fn correspondences(
    engine: &dyn Engine,
    older: &Urn,
    newer: &Urn,
) -> Result<Vec<Correspondence>> {
    let sql = "SELECT older, newer, relation, older_id, newer_id FROM correspondences \
         WHERE older = $1 AND newer = $2 ORDER BY place";
    let rows = engine.read(Sql::new(sql).bind(older.as_str()).bind(newer.as_str())).await?;
    rows.iter().map(read_correspondence).collect()
}

/// The columns of a comparison that its checksum covers.
pub(crate) const COMPARISON_CHECKED: &str =
    "older, newer, language, older_revision, newer_revision, matcher, record";

/// The retired provision with this id, and its document.
pub(crate) async fn retired(engine: &dyn Engine, id: &ProvisionId) -> Result<Option<(String, Retired)>> {
    let sql = "SELECT id, stem, edition, place, heir, revision, rules FROM retired_provisions WHERE id = $1";
    let rows = engine.lookup(Sql::new(sql).bind(id_value(Some(id)))).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some((row.text("stem")?.to_owned(), read_retired(row)?)))
}

/// All retired provisions of a document.
pub(crate) async fn all_retired(engine: &dyn Engine, stem: &str) -> Result<Vec<Retired>> {
    let sql = "SELECT id, edition, place, heir, revision, rules FROM retired_provisions WHERE stem = $1 ORDER BY id";
    engine.read(Sql::new(sql).bind(stem)).await?.iter().map(read_retired).collect()
}

/// The ids that a provision of this edition had in earlier revisions of it.
pub(crate) async fn earlier_ids(
    engine: &dyn Engine,
    edition: &str,
    id: &ProvisionId,
) -> Result<Vec<ProvisionId>> {
    let (mut found, mut open) = (BTreeSet::new(), vec![*id]);
    while let Some(next) = open.pop() {
        let sql = Sql::new(
            "SELECT id, edition, place, heir, revision, rules FROM retired_provisions WHERE heir = $1 AND edition = $2",
        );
        for row in engine.lookup(sql.bind(id_value(Some(&next))).bind(edition)).await? {
            let earlier = read_retired(&row)?.id;
            if earlier != *id && found.insert(earlier) {
                open.push(earlier);
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// The id of the provision with this ordinal in an edition.
pub(crate) async fn provision_at(
    engine: &dyn Engine,
    urn: &str,
    ordinal: usize,
) -> Result<Option<ProvisionId>> {
    let Some(ids) = provisions(engine, urn).await? else { return Ok(None) };
    Ok(ids.get(ordinal).copied())
}

/// Ids of the provisions of an edition, in document order.
pub(crate) async fn provisions(engine: &dyn Engine, urn: &str) -> Result<Option<Vec<ProvisionId>>> {
    provisions_of(engine, urn, None).await
}

/// Ids of the provisions of an edition in this revision, in document order; `None` where it has another one.
pub(crate) async fn provisions_of(
    engine: &dyn Engine,
    urn: &str,
    revision: Option<&str>,
) -> Result<Option<Vec<ProvisionId>>> {
    let sql = "SELECT e.urn, e.revision, p.provisions, p.provisions_checksum FROM editions e \
         JOIN edition_parts p ON p.edition = e.id WHERE e.urn = $1";
    let rows = engine.lookup(Sql::new(sql).bind(urn)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let found = row.text("revision")?;
    if revision.is_some_and(|revision| revision != found) {
        return Ok(None);
    }
    columns::read_provisions(row).map(Some)
}
