//! Bringing the schema up to date, safely when two do it at once.

use std::time::{Duration, SystemTime};

use crate::catalogue::micros;
use crate::engine::{Engine, Sql};
use crate::{Error, Result, random};

/// The lock of somebody who went away is taken over after this time.
const LOCK_EXPIRES: Duration = Duration::from_secs(60);

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

/// Brings the schema up to date and says how many steps that took. A lock row with an expiry keeps two from
/// doing it at once: portable, where advisory locks are not.
pub(crate) async fn migrate(engine: &dyn Engine) -> Result<usize> {
    match check(engine).await {
        Err(Error::OlderSchema { .. }) => {}
        other => return other.map(|()| 0),
    }
    // Two who make a table at once collide in PostgreSQL, also where it may exist already.
    while let Err(error) = bootstrap(engine).await {
        if !matches!(error, Error::Contended(_)) {
            return Err(error);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let holder = random::name();
    while !lock(engine, &holder).await? {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let done = steps(engine).await;
    let mut tx = engine.begin().await?;
    tx.run(Sql::new("DELETE FROM locks WHERE name = 'migrate' AND holder = $1").bind(holder)).await?;
    tx.commit().await?;
    done
}

async fn bootstrap(engine: &dyn Engine) -> Result<()> {
    let mut tx = engine.begin().await?;
    tx.script(BOOTSTRAP).await?;
    tx.commit().await
}

fn known(engine: &dyn Engine) -> i64 {
    i64::try_from(engine.migrations().len()).expect("a handful of scripts")
}

async fn lock(engine: &dyn Engine, holder: &str) -> Result<bool> {
    let now = SystemTime::now();
    let claim = "INSERT INTO locks (name, holder, until) VALUES ('migrate', $1, $2) \
                 ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until \
                 WHERE locks.until < $3";
    let claim = Sql::new(claim).bind(holder).bind(micros(now + LOCK_EXPIRES)).bind(micros(now));
    let mut tx = engine.begin().await?;
    let claimed = tx.run(claim).await? == 1;
    tx.commit().await?;
    Ok(claimed)
}

async fn steps(engine: &dyn Engine) -> Result<usize> {
    let mut done = 0;
    let found = engine.schema_version().await?;
    for (version, script) in (1i64..).zip(engine.migrations()).filter(|(version, _)| *version > found) {
        let mut tx = engine.begin().await?;
        tx.script(script).await?;
        tx.run(Sql::new("INSERT INTO schema_version (version) VALUES ($1)").bind(version)).await?;
        tx.commit().await?;
        done += 1;
    }
    Ok(done)
}
