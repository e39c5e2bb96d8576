//! The change feed: every change of the catalogue gets a number, visible in the order of the numbers.

use std::time::SystemTime;

use crate::Result;
use crate::catalogue::{micros, time};
use crate::engine::{Engine, Row, Sql, Transaction};

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The edition with this URN was published, replaced, withdrawn, reinstated, recalled or removed.
    Edition(String),
    /// The access of this tenant changed: grants, suspension, the tenant itself.
    Tenant(String),
    /// The keys that sign asset addresses changed.
    SigningKeys,
}

/// One entry of the change feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number; later changes have higher ones.
    pub sequence: u64,
    /// When it was made, by the clock of whoever made it.
    pub at: SystemTime,
    /// What changed.
    pub subject: Subject,
}

/// Numbers a change. Whoever changes something later waits here until this transaction has ended, so that no
/// number becomes visible before a lower one, and so that what follows in the transaction sees all before it.
pub(crate) async fn record(tx: &mut dyn Transaction, subject: &Subject, now: SystemTime) -> Result<()> {
    let (kind, name) = match subject {
        Subject::Edition(urn) => ("edition", urn.as_str()),
        Subject::Tenant(tenant) => ("tenant", tenant.as_str()),
        Subject::SigningKeys => ("signing-keys", ""),
    };
    tx.run(Sql::new("UPDATE feed SET seq = seq + 1 WHERE one = 1")).await?;
    let entry = "INSERT INTO changes (seq, at, kind, subject) SELECT seq, $1, $2, $3 FROM feed WHERE one = 1";
    tx.run(Sql::new(entry).bind(micros(now)).bind(kind).bind(name)).await?;
    Ok(())
}

/// The number of the last change; 0 when there was none.
pub(crate) async fn sequence(engine: &dyn Engine) -> Result<u64> {
    let rows = engine.read(Sql::new("SELECT seq FROM feed WHERE one = 1")).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.int(0))?.unsigned_abs())
}

/// The changes after this number, oldest first.
pub(crate) async fn after(engine: &dyn Engine, sequence: u64, limit: u32) -> Result<Vec<Change>> {
    let sql = "SELECT seq, at, kind, subject FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2";
    let rows = engine.read(Sql::new(sql).bind(sequence).bind(i64::from(limit))).await?;
    rows.iter().map(change).collect()
}

fn change(row: &Row) -> Result<Change> {
    let name = row.text(3)?.to_owned();
    let subject = match row.text(2)? {
        "edition" => Subject::Edition(name),
        "tenant" => Subject::Tenant(name),
        _ => Subject::SigningKeys,
    };
    Ok(Change { sequence: row.int(0)?.unsigned_abs(), at: time(row.int(1)?), subject })
}
