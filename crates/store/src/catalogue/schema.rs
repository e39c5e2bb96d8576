//! The schema: made where there is none, safely when two do it at once; refused where it is another one.

use std::time::Duration;

use crate::engine::{Engine, Sql};
use crate::{Error, Location, Result};

/// Version of the schema. Stores of earlier versions are refused: nothing was released. A change of `schema-1.sql` before
/// the release raises this number.
const VERSION: i64 = 6;

/// How long to wait before the next attempt where another program makes the schema.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

const VERSION_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY);";

/// Refuses a store of another schema, or of none.
pub(crate) async fn check(engine: &dyn Engine, location: &Location) -> Result<()> {
    match engine.schema_version().await? {
        VERSION => Ok(()),
        0 => Err(Error::NoSchema { location: location.to_string() }),
        found if found < VERSION => Err(Error::EarlierSchema { location: location.to_string(), found }),
        found => Err(Error::NewerSchema { location: location.to_string(), found, known: VERSION }),
    }
}

/// Makes the schema where there is none; false when it is there.
pub(crate) async fn make(engine: &dyn Engine, location: &Location) -> Result<bool> {
    if engine.schema_version().await? > 0 {
        return check(engine, location).await.map(|()| false);
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
    tx.script(VERSION_TABLE).await?;
    if !tx.read(Sql::new("SELECT version FROM schema_version")).await?.is_empty() {
        return Ok(false);
    }
    tx.script(engine.schema()).await?;
    tx.run(Sql::new("INSERT INTO schema_version (version) VALUES ($1)").bind(VERSION)).await?;
    tx.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use norma_model::Digest;

    use super::*;
    use crate::Settings;
    use crate::engine::{Row, Stored, Transaction};
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

        async fn blob(&self, digest: &Digest) -> Result<Option<Stored>> {
            self.0.blob(digest).await
        }

        async fn begin(&self) -> Result<Box<dyn Transaction>> {
            self.0.begin().await
        }

        async fn schema_version(&self) -> Result<i64> {
            self.0.schema_version().await
        }

        fn schema(&self) -> &'static str {
            SLOW
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_waits_for_a_schema_waits_as_long_as_it_takes() {
        let folder = tempfile::tempdir().unwrap();
        let location: Location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let settings = Settings { patience: Duration::from_millis(20), ..Settings::default() };
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
        gone.script(VERSION_TABLE).await.unwrap();
        gone.script(one.schema()).await.unwrap();
        drop(gone);
        assert!(make(&one, &location).await.unwrap());
    }
}
