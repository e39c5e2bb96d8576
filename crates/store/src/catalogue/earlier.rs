//! Rows of earlier revisions.

use std::time::SystemTime;

use bytes::Bytes;
use norma_model::Urn;

use crate::catalogue::edition::EditionRows;
use crate::catalogue::{feed, micros, time};
use crate::columns;
use crate::earlier::{
    EarlierRevision, MAX_EARLIER_REVISIONS, ReplacedRevision, ReplacedSource, RetainedRevision,
    RetainedUnits, RevisionForm, RevisionLimits,
};
use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::{Result, StoreError};

/// The columns except the edition, which has another number in each store. The last one is the checksum of
/// the others.
const COLUMNS: &str = "number, revision, replaced_at, form, source, source_size, pictures, difference, deriver, units, units_size, \
     reason, checksum";

/// The columns that a checksum covers.
const CHECKED: &str = "number, revision, replaced_at, form, source, source_size, pictures, difference, deriver, units, units_size, reason";

/// Code of [`RevisionForm::Retained`] in the column `form`.
const RETAINED: i64 = 0;
/// Code of [`RevisionForm::SameSource`] in the column `form`.
const SAME_SOURCE: i64 = 1;
/// Code of [`RevisionForm::Pruned`] in the column `form`.
const PRUNED: i64 = 2;

/// The values of [`COLUMNS`].
pub(crate) type EarlierRow = Vec<SqlValue>;

/// The earlier revisions of an edition in this revision, the oldest first.
///
/// # Errors
/// [`StoreError::Contended`] where the edition is in another revision meanwhile, and those of the engine.
pub(crate) async fn list(engine: &dyn Engine, urn: &Urn, revision: &str) -> Result<Vec<EarlierRevision>> {
    let sql = "SELECT e.revision AS present, r.number, r.revision, r.replaced_at, r.form, r.deriver, r.units_size, r.reason \
         FROM editions e LEFT JOIN earlier_revisions r ON r.edition = e.id WHERE e.urn = $1 ORDER BY r.number";
    let rows = engine.read(Sql::new(sql).bind(urn.as_str())).await?;
    let present = rows.first().and_then(|row| row.text("present").ok());
    if present != Some(revision) {
        return Err(StoreError::Contended(format!("{urn} was replaced meanwhile")));
    }
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        if row.maybe_int("number")?.is_some() {
            found.push(read_earlier(row)?);
        }
    }
    Ok(found)
}

fn read_earlier(row: &ResultRow) -> Result<EarlierRevision> {
    let form = match row.int("form")? {
        RETAINED => RevisionForm::Retained,
        SAME_SOURCE => RevisionForm::SameSource,
        PRUNED => RevisionForm::Pruned,
        code => return Err(StoreError::corrupt(format!("{code} is not a form of an earlier revision"))),
    };
    Ok(EarlierRevision {
        number: row.int("number")?,
        revision: row.text("revision")?.to_owned(),
        replaced_at: time(row.int("replaced_at")?),
        form,
        deriver: row.text("deriver")?.to_owned(),
        units_size: row.int("units_size")?.unsigned_abs(),
        reason: row.text("reason")?.to_owned(),
    })
}

/// The retained earlier revisions of an edition from the number `least` on, the newest first. Each is stored
/// as a difference from its successor, so there are none where the edition is not at `revision` any more.
///
/// # Errors
/// [`StoreError::Corrupt`] where a row does not match its checksum, and those of the engine.
pub(crate) async fn retained(
    engine: &dyn Engine,
    urn: &Urn,
    revision: &str,
    least: i64,
) -> Result<Vec<RetainedRevision>> {
    let columns = COLUMNS.replace(", ", ", r.");
    let sql = format!(
        "SELECT r.{columns} FROM editions e JOIN earlier_revisions r ON r.edition = e.id \
         WHERE e.urn = $1 AND e.revision = $2 AND r.form = $3 AND r.number >= $4 ORDER BY r.number DESC"
    );
    let sql = Sql::new(&sql).bind(urn.as_str()).bind(revision).bind(RETAINED).bind(least);
    let mut found = Vec::new();
    for row in engine.read(sql).await? {
        expect_whole(&row, urn)?;
        found.push(RetainedRevision {
            number: row.int("number")?,
            source: row.digest("source")?,
            source_size: row.int("source_size")?.unsigned_abs(),
            pictures: row.bytes("pictures")?.clone(),
            difference: row.bytes("difference")?.clone(),
            units: RetainedUnits {
                deriver: row.text("deriver")?.to_owned(),
                size: row.int("units_size")?.unsigned_abs(),
                difference: row.bytes("units")?.clone(),
                reason: row.text("reason")?.to_owned(),
            },
        });
    }
    Ok(found)
}

fn expect_whole(row: &ResultRow, urn: &Urn) -> Result<()> {
    let what = format!("the earlier revision {} of {urn}", row.text("revision")?);
    columns::expect_row(row, "checksum", CHECKED, &what)
}

/// Adds the revision of an edition that another one replaces, and removes what is beyond the limits. Without
/// a [`ReplacedRevision`], the name alone is stored.
///
/// # Errors
/// [`StoreError::Contended`] where the publication was made for another revision, and those of the engine.
pub(crate) async fn replace(
    tx: &mut dyn Transaction,
    edition: i64,
    [stored, new]: [&EditionRows; 2],
    replaced: Option<&ReplacedRevision>,
    now: SystemTime,
) -> Result<()> {
    let revision = stored.text("revision");
    for (number, units) in replaced.iter().flat_map(|replaced| &replaced.derived_again) {
        put_units(tx, edition, *number, units).await?;
    }
    if revision != new.text("revision") {
        let sql = "SELECT COALESCE(MAX(number), 0) AS last FROM earlier_revisions WHERE edition = $1";
        let rows = tx.read(Sql::new(sql).bind(edition)).await?;
        let number = rows.first().map_or(Ok(0), |row| row.int("last"))? + 1;
        let source = replaced.map_or(&ReplacedSource::Lost, |replaced| &replaced.retained);
        let row = new_row(number, revision, source, now);
        insert(tx, edition, vec![row]).await?;
        if let ReplacedSource::Lost = source {
            prune_before(tx, edition, number).await?;
        }
        let sql = "DELETE FROM earlier_revisions WHERE edition = $1 AND number <= $2";
        tx.run(Sql::new(sql).bind(edition).bind(number - MAX_EARLIER_REVISIONS)).await?;
    }
    match replaced {
        Some(replaced) => prune(tx, edition, replaced.limits, now).await,
        None => Ok(()),
    }
}

fn new_row(number: i64, revision: &str, source: &ReplacedSource, now: SystemTime) -> EarlierRow {
    let form = match source {
        ReplacedSource::Same => SAME_SOURCE,
        ReplacedSource::Lost => PRUNED,
        ReplacedSource::Retained(_) => RETAINED,
    };
    let mut row = vec![number.into(), revision.into(), micros(now).into(), form.into()];
    match source {
        ReplacedSource::Retained(retained) => row.extend(retained_values(retained)),
        ReplacedSource::Same | ReplacedSource::Lost => row.extend(nothing_retained()),
    }
    row.push(columns::checksum(&row).into());
    row
}

/// The values of [`COLUMNS`] after the form.
fn retained_values(retained: &RetainedRevision) -> [SqlValue; 8] {
    let units = &retained.units;
    [
        Bytes::copy_from_slice(retained.source.as_bytes()).into(),
        retained.source_size.into(),
        retained.pictures.clone().into(),
        retained.difference.clone().into(),
        units.deriver.as_str().into(),
        units.difference.clone().into(),
        units.size.into(),
        units.reason.as_str().into(),
    ]
}

/// The values of [`COLUMNS`] after the form, where nothing is retained.
fn nothing_retained() -> [SqlValue; 8] {
    let empty = || SqlValue::from(Bytes::new());
    [empty(), 0_u64.into(), empty(), empty(), "".into(), empty(), 0_u64.into(), "".into()]
}

async fn insert(tx: &mut dyn Transaction, edition: i64, rows: Vec<EarlierRow>) -> Result<()> {
    let rows = rows.into_iter().map(|row| [vec![edition.into()], row].concat()).collect();
    let columns = format!("edition, {COLUMNS}");
    tx.insert("earlier_revisions", &columns, rows, "").await.map(drop)
}

/// The rows of an edition, by number.
async fn rows_in(tx: &mut dyn Transaction, edition: i64) -> Result<Vec<EarlierRow>> {
    let sql = format!("SELECT {COLUMNS} FROM earlier_revisions WHERE edition = $1 ORDER BY number");
    tx.read(Sql::new(&sql).bind(edition)).await?.iter().map(values).collect()
}

fn values(row: &ResultRow) -> Result<EarlierRow> {
    COLUMNS.split(", ").map(|column| row.value(column).cloned()).collect()
}

/// The index of a column.
fn index_of(column: &str) -> usize {
    COLUMNS.split(", ").position(|name| name == column).unwrap_or_default()
}

/// Writes a changed row, with its checksum.
async fn rewrite(tx: &mut dyn Transaction, edition: i64, mut row: EarlierRow) -> Result<()> {
    row.pop();
    row.push(columns::checksum(&row).into());
    let number = row[index_of("number")].clone();
    let mut sql = Sql::new("DELETE FROM earlier_revisions WHERE edition = ");
    sql.arg(edition).push(" AND number = ").arg(number);
    tx.run(sql).await?;
    insert(tx, edition, vec![row]).await
}

/// Writes the units of a retained revision that were derived again.
async fn put_units(tx: &mut dyn Transaction, edition: i64, number: i64, units: &RetainedUnits) -> Result<()> {
    for mut row in rows_in(tx, edition).await? {
        if row[index_of("number")] != number.into() || row[index_of("form")] != RETAINED.into() {
            continue;
        }
        row[index_of("deriver")] = units.deriver.as_str().into();
        row[index_of("units")] = units.difference.clone().into();
        row[index_of("units_size")] = units.size.into();
        row[index_of("reason")] = units.reason.as_str().into();
        rewrite(tx, edition, row).await?;
    }
    Ok(())
}

/// Removes the sources of the retained revisions with numbers below this one. Newer ones do not need them.
async fn prune_before(tx: &mut dyn Transaction, edition: i64, number: i64) -> Result<()> {
    for row in rows_in(tx, edition).await? {
        let SqlValue::Int(Some(own)) = row[index_of("number")] else { continue };
        if own >= number || row[index_of("form")] != RETAINED.into() {
            continue;
        }
        let empty: [(&str, SqlValue); 8] = [
            ("form", PRUNED.into()),
            ("source", Bytes::new().into()),
            ("source_size", 0_i64.into()),
            ("pictures", Bytes::new().into()),
            ("difference", Bytes::new().into()),
            ("units", Bytes::new().into()),
            ("units_size", 0_i64.into()),
            ("reason", "".into()),
        ];
        let mut row = row;
        for (column, value) in empty {
            row[index_of(column)] = value;
        }
        rewrite(tx, edition, row).await?;
    }
    Ok(())
}

/// Removes the sources of an edition that are beyond the limits.
pub(crate) async fn prune(
    tx: &mut dyn Transaction,
    edition: i64,
    limits: RevisionLimits,
    now: SystemTime,
) -> Result<()> {
    let sql = "SELECT number, replaced_at FROM earlier_revisions WHERE edition = $1 AND form = $2 ORDER BY number DESC";
    let rows = tx.read(Sql::new(sql).bind(edition).bind(RETAINED)).await?;
    let cutoff = cutoff(limits, now);
    let mut first_retained = None;
    for (index, row) in rows.iter().enumerate() {
        if index >= limits.count || row.int("replaced_at")? < cutoff {
            break;
        }
        first_retained = Some(row.int("number")?);
    }
    let Some(newest) = rows.first() else { return Ok(()) };
    let first_retained = first_retained.unwrap_or(newest.int("number")? + 1);
    prune_before(tx, edition, first_retained).await
}

/// The earliest time at which a revision was replaced that is still retained.
fn cutoff(limits: RevisionLimits, now: SystemTime) -> i64 {
    micros(now.checked_sub(limits.age).unwrap_or(SystemTime::UNIX_EPOCH))
}

/// The editions with sources that are beyond the limits.
pub(crate) async fn beyond(engine: &dyn Engine, limits: RevisionLimits, now: SystemTime) -> Result<Vec<i64>> {
    let sql = "SELECT edition FROM earlier_revisions WHERE form = $1 GROUP BY edition \
         HAVING COUNT(*) > $2 OR MIN(replaced_at) < $3 ORDER BY edition";
    let sql = Sql::new(sql).bind(RETAINED).bind(limits.count).bind(cutoff(limits, now));
    engine.read(sql).await?.iter().map(|row| row.int("edition")).collect()
}

/// The rows of an edition, by number; empty where there is no such edition.
///
/// # Errors
/// [`StoreError::Corrupt`] where a row does not match its checksum, and those of the engine.
pub(crate) async fn rows(engine: &dyn Engine, urn: &Urn) -> Result<Vec<EarlierRow>> {
    let columns = COLUMNS.replace(", ", ", r.");
    let sql = format!(
        "SELECT r.{columns} FROM editions e JOIN earlier_revisions r ON r.edition = e.id WHERE e.urn = $1 ORDER BY r.number"
    );
    let mut found = Vec::new();
    for row in engine.read(Sql::new(&sql).bind(urn.as_str())).await? {
        expect_whole(&row, urn)?;
        found.push(values(&row)?);
    }
    Ok(found)
}

/// Writes the rows of an edition that another store gave, in place of those that it has; false where there is
/// no such edition.
pub(crate) async fn write(
    tx: &mut dyn Transaction,
    urn: &Urn,
    rows: &[EarlierRow],
    now: SystemTime,
) -> Result<bool> {
    feed::lock(tx).await?;
    let found = tx.read(Sql::new("SELECT id FROM editions WHERE urn = $1").bind(urn.as_str())).await?;
    let Some(edition) = found.first() else { return Ok(false) };
    let edition = edition.int("id")?;
    remove(tx, edition).await?;
    insert(tx, edition, rows.to_vec()).await?;
    feed::record(tx, &[feed::Subject::Edition(urn.to_string())], now).await?;
    Ok(true)
}

/// Removes all rows of an edition.
pub(crate) async fn remove(tx: &mut dyn Transaction, edition: i64) -> Result<()> {
    tx.run(Sql::new("DELETE FROM earlier_revisions WHERE edition = $1").bind(edition)).await.map(drop)
}
