//! Bringing the schema up to date, safely when two do it at once.

use std::time::Duration;

use crate::engine::{Engine, Sql, Transaction};
use crate::{Error, Result, random};

/// How long to wait between two looks at a lock that somebody holds.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

const BOOTSTRAP: &str = "
    CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS locks (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until BIGINT NOT NULL);
";

/// Refuses a schema that this program does not know or that wants migrating.
pub(crate) async fn check(engine: &dyn Engine) -> Result<()> {
    let (found, known) = (engine.schema_version().await?, known(engine));
    match found.cmp(&known) {
        std::cmp::Ordering::Greater => Err(Error::NewerSchema { found, known }),
        std::cmp::Ordering::Less => Err(Error::OlderSchema { found, known }),
        std::cmp::Ordering::Equal => Ok(()),
    }
}

/// Brings the schema up to date and says how many steps that took.
pub(crate) async fn migrate(engine: &dyn Engine) -> Result<usize> {
    match check(engine).await {
        Err(Error::OlderSchema { .. }) => {}
        other => return other.map(|()| 0),
    }
    // Two who make a table at once collide in PostgreSQL, also where it may exist already.
    while let Err(error) = bootstrap(engine).await {
        wait_for_others(error).await?;
    }
    let mut done = 0;
    while step(engine).await? {
        done += 1;
    }
    check(engine).await.map(|()| done)
}

async fn bootstrap(engine: &dyn Engine) -> Result<()> {
    let mut tx = engine.begin().await?;
    tx.script(BOOTSTRAP).await?;
    tx.commit().await
}

fn known(engine: &dyn Engine) -> i64 {
    i64::try_from(engine.migrations().len()).expect("a handful of scripts")
}

/// Does the next step; false when there is none.
async fn step(engine: &dyn Engine) -> Result<bool> {
    let mut tx = alone(engine).await?;
    let rows = tx.read(Sql::new("SELECT COALESCE(MAX(version), 0) FROM schema_version")).await?;
    let found = rows.first().map_or(Ok(0), |row| row.int(0))?;
    let next = usize::try_from(found).ok().and_then(|found| engine.migrations().get(found));
    let Some(script) = next else { return Ok(false) };
    tx.script(script).await?;
    tx.run(Sql::new("INSERT INTO schema_version (version) VALUES ($1)").bind(found + 1)).await?;
    tx.commit().await?;
    Ok(true)
}

/// A transaction beside which nobody migrates. Its lock is that on a row, portable where advisory locks are not: it
/// lasts as long as the step does, and goes with whoever held it.
async fn alone(engine: &dyn Engine) -> Result<Box<dyn Transaction>> {
    let claim = "INSERT INTO locks (name, holder, until) VALUES ('migrate', $1, 0) \
                 ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = 0";
    loop {
        let claimed = async {
            let mut tx = engine.begin().await?;
            tx.run(Sql::new(claim).bind(random::name())).await?;
            Ok(tx)
        };
        match claimed.await {
            Ok(tx) => return Ok(tx),
            Err(error) => wait_for_others(error).await?,
        }
    }
}

/// Waits a moment where others were in the way, for as long as they take.
async fn wait_for_others(error: Error) -> Result<()> {
    match error {
        Error::Contended(_) => tokio::time::sleep(LOOK_AGAIN).await,
        error => return Err(error),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use norma_model::Digest;

    use super::*;
    use crate::Settings;
    use crate::engine::{Row, Stored};
    use crate::sqlite::Sqlite;

    /// A store whose one migration takes several times as long as anybody waits for a lock, and can be done once.
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

        fn migrations(&self) -> &'static [&'static str] {
            &[SLOW]
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_lock_lasts_as_long_as_the_step_under_it() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { patience: Duration::from_millis(20), ..Settings::default() };
        let open = async || Slow(Sqlite::open(&folder.path().join("norma.db"), &settings).await.unwrap());
        let [one, two] = [open().await, open().await];
        let (one, two) = tokio::join!(migrate(&one), migrate(&two));
        assert_eq!(one.unwrap() + two.unwrap(), 1);
        assert_eq!(open().await.read(Sql::new("SELECT n FROM slow")).await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn the_lock_of_whoever_went_away_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let open =
            async || Slow(Sqlite::open(&folder.path().join("norma.db"), &Settings::default()).await.unwrap());
        let one = open().await;
        bootstrap(&one).await.unwrap();
        let gone = alone(&one).await.unwrap();
        drop(gone);
        assert_eq!(migrate(&open().await).await.unwrap(), 1);
    }
}
