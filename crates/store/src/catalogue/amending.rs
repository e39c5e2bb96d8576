//! Which amendments changed `amendedBy` of which edition, and when. That an edition is amended is not public,
//! so these changes are not in the row of the edition (docs/decisions/0004-hidden-editions.md).

use std::collections::{BTreeMap, BTreeSet};

use crate::Result;
use crate::catalogue::amended_names::AmendedNames;
use crate::catalogue::changes::EditionEvent;
use crate::catalogue::edition::EditionRows;
use crate::engine::{Sql, Transaction};

/// The columns of a row.
pub(crate) const COLUMNS: &str = "amended, amendment, first, seq";

const AGAIN: &str = " ON CONFLICT (amended, amendment) DO UPDATE SET seq = excluded.seq";

/// The editions that an edition amends, as far as they are stored.
pub(crate) async fn amended_by(tx: &mut dyn Transaction, rows: &EditionRows) -> Result<BTreeSet<String>> {
    let AmendedNames { reference_keys, documents } = rows.amended()?;
    let mut found = BTreeSet::new();
    for (column, names) in [("reference_key", reference_keys), ("stem", documents)] {
        if names.is_empty() {
            continue;
        }
        let mut sql = Sql::new(&format!("SELECT urn FROM editions WHERE {column} IN "));
        sql.tuple(names.into_iter().map(Into::into));
        for row in tx.read(sql).await? {
            found.insert(row.text("urn")?.to_owned());
        }
    }
    found.remove(rows.text("urn"));
    Ok(found)
}

/// Notes the events of amendments, which have these numbers. What changed only the status of an amendment
/// changes nothing of the editions that it amends.
pub(crate) async fn record(
    tx: &mut dyn Transaction,
    amended: &BTreeMap<String, BTreeSet<String>>,
    seen: &[(String, EditionEvent, i64)],
) -> Result<()> {
    let mut rows = Vec::new();
    for (urn, event, seq) in seen {
        if *event == EditionEvent::Status {
            continue;
        }
        for one in amended.get(urn).into_iter().flatten() {
            rows.push(vec![one.as_str().into(), urn.as_str().into(), (*seq).into(), (*seq).into()]);
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    tx.insert("amendment_changes", COLUMNS, rows, AGAIN).await.map(drop)
}
