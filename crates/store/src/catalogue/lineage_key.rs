//! The row with the key of lineage ids.

use std::time::SystemTime;

use bytes::Bytes;

use crate::catalogue::feed::{self, Subject};
use crate::engine::{Engine, Sql, Transaction};
use crate::{LineageKey, Result, StoreError};

/// The key in force.
pub(crate) async fn load(engine: &dyn Engine) -> Result<LineageKey> {
    let rows = engine.read(Sql::new("SELECT secret FROM lineage_key WHERE one = 1")).await?;
    let secret = rows.first().map(|row| row.bytes("secret")).transpose()?;
    let secret = secret.and_then(|secret| secret.as_ref().try_into().ok());
    secret
        .map(LineageKey::new)
        .ok_or_else(|| StoreError::corrupt("the catalogue has no lineage key of 128 bits"))
}

/// Replaces the key in use. False, and nothing done, where it is the same.
pub(crate) async fn put(tx: &mut dyn Transaction, key: &LineageKey, now: SystemTime) -> Result<bool> {
    feed::lock(tx).await?;
    let sql = Sql::new("UPDATE lineage_key SET secret = $1 WHERE one = 1 AND secret <> $2");
    let secret = Bytes::copy_from_slice(&key.secret());
    if tx.run(sql.bind(secret.clone()).bind(secret)).await? == 0 {
        return Ok(false);
    }
    feed::record(tx, &[Subject::LineageKey], now).await?;
    Ok(true)
}
