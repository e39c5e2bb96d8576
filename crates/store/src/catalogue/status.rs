//! Whether an edition is in force, worked out again for each edition that a change can touch.

use std::time::SystemTime;

use crate::Result;
use crate::catalogue::micros;
use crate::engine::{Sql, Transaction, Value};

/// True where the row `r` (an edition) says by citation `c` that it takes the place of the row `e`: a dated
/// citation names the designation, an undated one every edition of another standard.
pub(crate) const CITES: &str = "(c.dated = 1 AND c.reference_key = e.reference_key \
     OR c.dated = 0 AND c.stem = e.stem AND r.stem <> c.stem)";

/// Works out the status of these editions again. The caller holds the feed's lock.
pub(crate) async fn settle(tx: &mut dyn Transaction, mut touched: Vec<i64>, now: SystemTime) -> Result<()> {
    touched.sort_unstable();
    touched.dedup();
    if touched.is_empty() {
        return Ok(());
    }
    let mut sql = Sql::new(&format!(
        "SELECT e.id, e.status, CASE \
            WHEN e.withdrawn = 1 OR e.stated = 3 THEN 3 \
            WHEN e.stated = 0 THEN 0 \
            WHEN e.stated = 2 THEN 2 \
            WHEN EXISTS (SELECT 1 FROM editions l WHERE l.stem = e.stem AND l.edition_key > e.edition_key \
                AND l.stated <> 0 AND l.recalled IS NULL AND {SAME_LANGUAGE}) THEN 2 \
            WHEN EXISTS (SELECT 1 FROM citations c JOIN editions r ON r.id = c.edition \
                WHERE c.kind = 'replaces' AND r.id <> e.id AND r.stated <> 0 AND r.recalled IS NULL AND {CITES}) THEN 2 \
            ELSE 1 END \
         FROM editions e WHERE e.id IN "
    ));
    sql.tuple(touched.into_iter().map(Value::from));
    for row in tx.read(sql).await? {
        let (id, old, new) = (row.int(0)?, row.int(1)?, row.int(2)?);
        if old != new {
            let sql = Sql::new("UPDATE editions SET status = $1, updated = $2 WHERE id = $3");
            tx.run(sql.bind(new).bind(micros(now)).bind(id)).await?;
        }
    }
    Ok(())
}

/// True where the rows `l` and `e` (editions) have a language in common.
pub(crate) const SAME_LANGUAGE: &str = "EXISTS (SELECT 1 FROM edition_languages a \
     JOIN edition_languages b ON b.language = a.language WHERE a.edition = l.id AND b.edition = e.id)";

/// The editions whose status can depend on this one: those of its stem, and those that its citations name.
pub(crate) async fn touched_by(tx: &mut dyn Transaction, id: i64) -> Result<Vec<i64>> {
    let sql = "SELECT o.id FROM editions o JOIN editions x ON o.stem = x.stem WHERE x.id = $1 \
         UNION SELECT e.id FROM citations c JOIN editions e ON e.reference_key = c.reference_key \
            WHERE c.edition = $1 AND c.kind = 'replaces' AND c.dated = 1 \
         UNION SELECT e.id FROM citations c JOIN editions e ON e.stem = c.stem \
            WHERE c.edition = $1 AND c.kind = 'replaces' AND c.dated = 0";
    tx.read(Sql::new(sql).bind(id)).await?.iter().map(|row| row.int(0)).collect()
}
