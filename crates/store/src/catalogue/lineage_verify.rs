//! Verification of the rows of comparisons and partitions against their checksums.

use crate::catalogue::lineage::{COMPARISON_CHECKED, PARTITION_CHECKED};
use crate::engine::{Engine, Sql, SqlValue};
use crate::{Result, columns};

/// Comparisons or partitions that one query verifies: each may have several MiB.
const VERIFIED_AT_ONCE: usize = 20;

/// The stored comparisons and partitions that do not match their checksums, and the number of all. They are
/// no loss: what reads them makes them again.
pub(crate) async fn verify(engine: &dyn Engine) -> Result<(u64, Vec<String>)> {
    let (mut count, mut damaged) = (0, Vec::new());
    let mut last: Option<[SqlValue; 3]> = None;
    loop {
        let mut sql = Sql::new(&format!("SELECT {COMPARISON_CHECKED}, checksum FROM comparisons"));
        if let Some(last) = last {
            sql.push(" WHERE (older, newer, language) > ").tuple(last);
        }
        sql.push(" ORDER BY older, newer, language LIMIT ").arg(VERIFIED_AT_ONCE);
        let rows = engine.read(sql).await?;
        let Some(row) = rows.last() else { break };
        last =
            Some([row.value("older")?.clone(), row.value("newer")?.clone(), row.value("language")?.clone()]);
        for row in &rows {
            count += 1;
            let what = format!("the comparison of {} with {}", row.text("older")?, row.text("newer")?);
            let checked = columns::expect_row(row, "checksum", COMPARISON_CHECKED, &what);
            damaged.extend(checked.err().map(|error| error.to_string()));
        }
    }
    let mut last = String::new();
    loop {
        let sql = format!(
            "SELECT {PARTITION_CHECKED}, checksum FROM lineages WHERE done > 0 AND stem > $1 ORDER BY stem LIMIT $2"
        );
        let rows = engine.read(Sql::new(&sql).bind(last.as_str()).bind(VERIFIED_AT_ONCE)).await?;
        let Some(row) = rows.last() else { return Ok((count, damaged)) };
        row.text("stem")?.clone_into(&mut last);
        for row in &rows {
            count += 1;
            let what = format!("the lineages of {}", row.text("stem")?);
            let checked = columns::expect_row(row, "checksum", PARTITION_CHECKED, &what);
            damaged.extend(checked.err().map(|error| error.to_string()));
        }
    }
}
