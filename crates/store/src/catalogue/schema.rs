//! Schema of the database: an ordered list of migrations, each applied once, also when two programs apply
//! them at once.
//!
//! A new store has all of them in one transaction; an older store has each in a transaction of its own, so
//! that one that is interrupted leaves the version before it whole (docs/decisions/0015-migrations.md).

use std::time::Duration;

use crate::engine::{Engine, ResultRow, Sql, Transaction};
use crate::{Location, Result, StoreError};

/// Version of the schema: the number of the last migration.
const VERSION: i64 = FIRST + 1;

/// Number of the first migration. Programs that were never released made stores of lower versions, which are
/// refused.
const FIRST: i64 = 6;

/// The table with the versions.
const TABLE: &str = "norma_schema";

/// Pause before the next attempt while another program migrates the store.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Most attempts at a migration that other writers interrupt, by a deadlock for example.
const ATTEMPTS: u32 = 8;

/// Makes the table if it is missing, which one program at a time can do, and locks its rows until the
/// transaction ends.
const LOCK: &str = "CREATE TABLE IF NOT EXISTS norma_schema (version BIGINT PRIMARY KEY); \
    UPDATE norma_schema SET version = version;";

/// Waits until the writers of the catalogue have ended. Later ones wait for the migration, and then find the
/// new version.
const LOCK_WRITERS: &str = "UPDATE feed SET seq = seq;";

/// The version in force; 0 of an empty table.
const FOUND: &str = "SELECT COALESCE(MAX(version), 0) AS version FROM norma_schema";

/// The result of [`Store::migrate`](crate::Store::migrate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migrated {
    /// There was no schema; it was made.
    Made,
    /// The schema was an older one.
    From {
        /// Version that was found.
        version: i64,
        /// Version that the schema has now.
        to: i64,
    },
    /// The schema was up to date, or another program migrated it meanwhile.
    Nothing,
}

/// The version that this number of migrations makes.
fn version_after(migrations: usize) -> i64 {
    FIRST - 1 + i64::try_from(migrations).expect("there are few migrations")
}

fn read_version(rows: &[ResultRow]) -> Result<i64> {
    rows.first().map_or(Ok(0), |row| row.int("version"))
}

/// The version of a store, at most that of the program; 0 where no schema exists.
async fn version(engine: &dyn Engine, location: &Location) -> Result<i64> {
    if !engine.has_table(TABLE).await? {
        return Ok(0);
    }
    let found = read_version(&engine.read(Sql::new(FOUND)).await?)?;
    let known = version_after(engine.migrations().len());
    if found > known {
        return Err(StoreError::NewerSchema { location: location.to_string(), found, known });
    }
    if found > 0 && found < FIRST {
        return Err(StoreError::EarlierSchema { location: location.to_string(), found });
    }
    Ok(found)
}

/// True if there is a store, of whatever schema.
pub(crate) async fn is_store(engine: &dyn Engine) -> Result<bool> {
    engine.has_table(TABLE).await
}

/// Refuses a store of another schema, or of none.
pub(crate) async fn check(engine: &dyn Engine, location: &Location) -> Result<()> {
    let known = version_after(engine.migrations().len());
    match version(engine, location).await? {
        0 => Err(StoreError::NoSchema { location: location.to_string() }),
        found if found < known => {
            Err(StoreError::OlderSchema { location: location.to_string(), found, known })
        }
        _ => Ok(()),
    }
}

/// Refuses to continue if the version, as just read, is not the one with which this program opened the store.
pub(crate) fn expect_unchanged(found: i64) -> Result<()> {
    if found == VERSION { Ok(()) } else { Err(StoreError::SchemaChanged { found, known: VERSION }) }
}

/// As [`expect_unchanged`], for the version as a transaction reads it: the version at its commit if it holds
/// the lock of the catalogue.
pub(crate) async fn expect_unchanged_in(tx: &mut dyn Transaction) -> Result<()> {
    expect_unchanged(read_version(&tx.read(Sql::new(FOUND)).await?)?)
}

/// Makes the schema if none exists, and migrates an older one.
pub(crate) async fn migrate(engine: &dyn Engine, location: &Location) -> Result<Migrated> {
    let before = version(engine, location).await?;
    if before == 0 && engine.is_foreign().await? {
        return Err(StoreError::Invalid(format!(
            "{location} is the database of another program: it has tables, and none of Norma; name another file as `store`"
        )));
    }
    let to = version_after(engine.migrations().len());
    let (mut found, mut is_mine, mut interrupted) = (before, false, 0);
    while found < to {
        match step(engine).await {
            // Another program migrates; this lasts as long as its transaction.
            Ok(SchemaAttempt::Locked) => tokio::time::sleep(RETRY_INTERVAL).await,
            Ok(SchemaAttempt::Applied) => (is_mine, interrupted) = (true, 0),
            Ok(SchemaAttempt::Nothing) => {}
            Err(StoreError::Contended(cause)) if interrupted < ATTEMPTS => {
                interrupted += 1;
                tracing::debug!(%cause, interrupted, "a migration is tried again");
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
            Err(error) => return Err(error),
        }
        found = version(engine, location).await?;
    }
    Ok(match (is_mine, before) {
        (false, _) => Migrated::Nothing,
        (true, 0) => Migrated::Made,
        (true, version) => {
            tracing::info!(from = version, to, "the schema of the store was migrated");
            Migrated::From { version, to }
        }
    })
}

/// The result of one attempt.
enum SchemaAttempt {
    /// Another program holds the lock.
    Locked,
    Applied,
    /// There was nothing to do.
    Nothing,
}

/// Applies the next migration in one transaction, or all of them to a database without a schema.
async fn step(engine: &dyn Engine) -> Result<SchemaAttempt> {
    let lock = async {
        let mut tx = engine.begin().await?;
        tx.script(LOCK).await?;
        Ok(tx)
    };
    let mut tx = match lock.await {
        Err(StoreError::Contended(_)) => return Ok(SchemaAttempt::Locked),
        tx => tx?,
    };
    let found = read_version(&tx.read(Sql::new(FOUND)).await?)?;
    let migrations = engine.migrations();
    if found >= version_after(migrations.len()) {
        return Ok(SchemaAttempt::Nothing);
    }
    if found > 0 {
        tx.script(LOCK_WRITERS).await?;
    }
    for (index, migration) in migrations.iter().enumerate() {
        let version = version_after(index + 1);
        if version <= found {
            continue;
        }
        tx.script(migration).await?;
        let sql = Sql::new("INSERT INTO norma_schema (version) VALUES ($1)");
        tx.run(sql.bind(version)).await?;
        // A new store has all of them in this transaction.
        if found > 0 {
            break;
        }
    }
    tx.commit().await?;
    Ok(SchemaAttempt::Applied)
}

#[cfg(test)]
mod tests;
