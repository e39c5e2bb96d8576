//! Schema of the database: created once, also when two programs do it concurrently; another version is refused.

use std::time::Duration;

use crate::engine::{Engine, Sql};
use crate::{Error, Location, Result};

/// Version of the schema. A change of `schema-1.sql` before the release raises this number, and stores of lower ones are refused.
const VERSION: i64 = 2;

/// The table with the version. Those of stores made before it had another name.
const TABLE: &str = "norma_schema";

/// The table with the version of stores made before 0.2.
const EARLIER_TABLE: &str = "schema_version";

/// How long to wait before the next attempt where another program makes the schema.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

const MAKE_TABLE: &str = "CREATE TABLE IF NOT EXISTS norma_schema (version BIGINT PRIMARY KEY);";

/// Refuses a store of another schema; false where none exists.
async fn is_there(engine: &dyn Engine, location: &Location) -> Result<bool> {
    let earlier = || Error::EarlierSchema { location: location.to_string() };
    if !engine.has_table(TABLE).await? {
        return if engine.has_table(EARLIER_TABLE).await? { Err(earlier()) } else { Ok(false) };
    }
    let rows = engine.read(Sql::new("SELECT COALESCE(MAX(version), 0) AS version FROM norma_schema")).await?;
    match rows.first().map_or(Ok(0), |row| row.int("version"))? {
        0 => Ok(false),
        VERSION => Ok(true),
        found if found < VERSION => Err(earlier()),
        found => Err(Error::NewerSchema { location: location.to_string(), found, known: VERSION }),
    }
}

/// Whether there is a store, of whatever schema.
pub(crate) async fn is_store(engine: &dyn Engine) -> Result<bool> {
    Ok(engine.has_table(TABLE).await? || engine.has_table(EARLIER_TABLE).await?)
}

/// Refuses a store of another schema, or of none.
pub(crate) async fn check(engine: &dyn Engine, location: &Location) -> Result<()> {
    match is_there(engine, location).await? {
        true => Ok(()),
        false => Err(Error::NoSchema { location: location.to_string() }),
    }
}

/// Creates the schema where none exists; false when it exists.
pub(crate) async fn make(engine: &dyn Engine, location: &Location) -> Result<bool> {
    if is_there(engine, location).await? {
        return Ok(false);
    }
    loop {
        match attempt(engine).await {
            // Another program makes it; this lasts as long as its transaction, and goes with it.
            Err(Error::Contended(_)) => tokio::time::sleep(RETRY_INTERVAL).await,
            Err(error) => return Err(error),
            Ok(made) => return check(engine, location).await.map(|()| made),
        }
    }
}

/// Makes the schema in one transaction, which begins with a table that only one program at a time can make.
async fn attempt(engine: &dyn Engine) -> Result<bool> {
    let mut tx = engine.begin().await?;
    tx.script(MAKE_TABLE).await?;
    if !tx.read(Sql::new("SELECT version FROM norma_schema")).await?.is_empty() {
        return Ok(false);
    }
    tx.script(engine.schema()).await?;
    tx.run(Sql::new("INSERT INTO norma_schema (version) VALUES ($1)").bind(VERSION)).await?;
    tx.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use bytes::Bytes;

    use super::*;
    use crate::Settings;
    use crate::engine::{Row, Transaction};
    use crate::sqlite::Sqlite;

    /// A store whose schema takes several times as long as anybody waits for a lock, and can be made once.
    struct Slow(Sqlite);

    const SLOW: &str = "
        CREATE TABLE slow (n INTEGER);
        INSERT INTO slow WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 2000000)
            SELECT MAX(n) FROM count;
    ";

    #[async_trait]
    impl Engine for Slow {
        async fn read(&self, sql: Sql) -> Result<Vec<Row>> {
            self.0.read(sql).await
        }

        async fn piece(&self, key: i64) -> Result<Option<Bytes>> {
            self.0.piece(key).await
        }

        async fn begin(&self) -> Result<Box<dyn Transaction>> {
            self.0.begin().await
        }

        async fn has_table(&self, name: &str) -> Result<bool> {
            self.0.has_table(name).await
        }

        fn schema(&self) -> &'static str {
            SLOW
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_waits_for_a_schema_waits_as_long_as_it_takes() {
        let folder = tempfile::tempdir().unwrap();
        let location: Location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let settings = Settings { acquire_timeout: Duration::from_millis(20), ..Settings::default() };
        let open = async || Slow(Sqlite::open(&folder.path().join("norma.db"), &settings).await.unwrap());
        let [one, two] = [open().await, open().await];
        let (one, two) = tokio::join!(make(&one, &location), make(&two, &location));
        assert_ne!(one.unwrap(), two.unwrap());
        assert_eq!(open().await.read(Sql::new("SELECT n FROM slow")).await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn who_goes_away_while_the_schema_is_made_leaves_none() {
        let folder = tempfile::tempdir().unwrap();
        let location: Location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let one = Slow(Sqlite::open(&folder.path().join("norma.db"), &Settings::default()).await.unwrap());
        let mut gone = one.begin().await.unwrap();
        gone.script(MAKE_TABLE).await.unwrap();
        gone.script(one.schema()).await.unwrap();
        drop(gone);
        assert!(make(&one, &location).await.unwrap());
    }
}
