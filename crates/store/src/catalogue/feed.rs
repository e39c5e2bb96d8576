//! The change feed: every change of the catalogue gets a number, visible in the order of the numbers.

use std::time::SystemTime;

use crate::catalogue::{micros, time};
use crate::engine::{Engine, Row, Sql, Transaction};
use crate::{Result, random};

/// A state of the catalogue, named by its last change. Equal states hold the same, also where a database was put back
/// to an earlier moment and went on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Number of the change; 0 when there was none.
    pub sequence: u64,
    /// What tells the change from another of the same number.
    pub mark: i64,
}

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
    let entry = "INSERT INTO changes (seq, at, kind, subject, mark) SELECT seq, $1, $2, $3, $4 FROM feed WHERE one = 1";
    tx.run(Sql::new(entry).bind(micros(now)).bind(kind).bind(name).bind(random::mark())).await?;
    Ok(())
}

/// The present state.
pub(crate) async fn state(engine: &dyn Engine) -> Result<State> {
    let sql =
        "SELECT f.seq, COALESCE(c.mark, 0) FROM feed f LEFT JOIN changes c ON c.seq = f.seq WHERE f.one = 1";
    let rows = engine.read(Sql::new(sql)).await?;
    match rows.first() {
        Some(row) => Ok(State { sequence: row.int(0)?.unsigned_abs(), mark: row.int(1)? }),
        None => Ok(State { sequence: 0, mark: 0 }),
    }
}

/// Whether the catalogue was in this state once.
pub(crate) async fn was(engine: &dyn Engine, state: State) -> Result<bool> {
    let sql = "SELECT 1 FROM changes WHERE seq = $1 AND mark = $2";
    Ok(!engine.read(Sql::new(sql).bind(state.sequence).bind(state.mark)).await?.is_empty())
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
