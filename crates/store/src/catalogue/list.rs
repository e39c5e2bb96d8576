//! Lists in SQL: rows by their numbers, and names that are aliases. What fits a query, and in which order, is
//! the work of the index of editions.

use std::collections::HashSet;

use norma_model::Identifier;

use crate::access::Rights;
use crate::catalogue::entry::{LISTED, notice, summary, words};
use crate::catalogue::{edition, time};
use crate::engine::{Engine, ResultRow, Sql, SqlValue};
use crate::page::{ListRow, Query};
use crate::{Result, columns};

/// The name of rights, and a query in words.
pub(crate) type QueryKey = ([u8; 32], String);

/// A name of all that matches, in any order: equal names have equal matches.
pub(crate) fn query_key(query: &Query, rights: &Rights) -> QueryKey {
    let Query {
        sort: _,
        descending: _,
        words,
        identifiers,
        publishers,
        references,
        numbers,
        parts,
        kinds,
        statuses,
        languages,
        ics,
        latest,
        named,
        published_from,
        published_to,
        updated_since,
        level,
    } = query;
    let texts = (words, identifiers, publishers, references, numbers, parts, languages, ics);
    let rest = (kinds, statuses, latest, named, published_from, published_to, updated_since, level);
    (rights.name(), format!("{texts:?} {rest:?}"))
}

/// Numbers of the rows of editions that have one of these names as an alias.
pub(crate) async fn aliased(engine: &dyn Engine, identifiers: &[Identifier]) -> Result<HashSet<i64>> {
    if identifiers.is_empty() {
        return Ok(HashSet::new());
    }
    let mut sql = Sql::new("SELECT edition FROM aliases WHERE alias IN ");
    sql.tuple(identifiers.iter().map(|identifier| SqlValue::from(edition::alias(identifier))));
    engine.read(sql).await?.iter().map(|row| row.int("edition")).collect()
}

/// The rows of these numbers, in their order. One that is gone or recalled, or that the rights do not cover,
/// is left out: it may be newer than the list.
pub(crate) async fn rows_of(
    engine: &dyn Engine,
    query: &Query,
    rights: &Rights,
    ids: &[i64],
) -> Result<Vec<ListRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new(&format!(
        "SELECT {LISTED}, e.id, e.notice, e.noticed FROM editions e WHERE e.recalled IS NULL AND e.id IN "
    ));
    sql.tuple(ids.iter().map(|id| SqlValue::from(*id)));
    let mut rows = Vec::with_capacity(ids.len());
    for row in engine.read(sql).await? {
        let id = row.int("id")?;
        let position = ids.iter().position(|asked| *asked == id);
        if let Some(listed) = listed(&row, query, rights)? {
            rows.push((position, listed));
        }
    }
    rows.sort_by_key(|(position, _)| *position);
    Ok(rows.into_iter().map(|(_, listed)| listed).collect())
}

/// `None` where the rights, which may be slightly older than the row, do not cover it.
fn listed(row: &ResultRow, query: &Query, rights: &Rights) -> Result<Option<ListRow>> {
    let Some(level) = rights.level(row.text("urn")?, &words(row, "ics")?) else { return Ok(None) };
    if query.level.is_some_and(|wanted| wanted != level) {
        return Ok(None);
    }
    Ok(Some(ListRow {
        summary: summary(row)?,
        status: columns::read_status(row.int("status")?)?,
        revision: row.text("revision")?.to_owned(),
        updated: time(row.int("updated")?),
        level,
        notice: notice(row)?,
    }))
}
