//! Lists in SQL: grants and filters as conditions, pages by key.

use norma_model::Identifier;

use crate::access::{Level, Rights, past};
use crate::catalogue::entry::{LISTED, LISTED_WIDTH, summary};
use crate::catalogue::status::SAME_LANGUAGE;
use crate::catalogue::{micros, publish, time};
use crate::engine::{Engine, Sql, Value};
use crate::page::{Key, Listed, Query, Sort};
use crate::{Error, Result, codes, keys};

/// How many rows fit.
pub(crate) fn count(query: &Query, rights: &Rights) -> Sql {
    let mut sql = Sql::new("SELECT COUNT(*) FROM editions e WHERE ");
    conditions(&mut sql, query, rights);
    sql
}

/// How many rows there are at all, recalled ones left out.
pub(crate) fn count_all() -> Sql {
    Sql::new("SELECT COUNT(*) FROM editions e WHERE e.recalled IS NULL")
}

/// Runs a count.
pub(crate) async fn number(engine: &dyn Engine, sql: Sql) -> Result<u64> {
    let rows = engine.read(sql).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.int(0))?.unsigned_abs())
}

/// How an engine should go about a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Walk the index of the order and leave out what does not fit: when much fits.
    Walk,
    /// Find what fits, then sort: when little fits.
    Gather,
}

impl Way {
    /// The cheaper way to `limit` rows when `fitting` of `all` fit: a walk looks at `limit * all / fitting`
    /// rows, gathering at `fitting`.
    pub(crate) fn to(limit: u32, fitting: u64, all: u64) -> Self {
        if fitting.saturating_mul(fitting) > u64::from(limit).saturating_mul(all) {
            Self::Walk
        } else {
            Self::Gather
        }
    }
}

/// The rows behind `after`, at most `limit`, each with its key.
pub(crate) async fn rows(
    engine: &dyn Engine,
    query: &Query,
    rights: &Rights,
    after: Option<&Key>,
    limit: u32,
    way: Way,
) -> Result<Vec<(Listed, Key)>> {
    let column = match query.sort {
        Sort::Reference => "e.sort_key",
        Sort::Published => "e.published_on",
        Sort::Updated => "e.updated",
    };
    let (beyond, order) = if query.descending { ("<", "DESC") } else { (">", "ASC") };
    let mut sql = Sql::default();
    match way {
        Way::Walk => {
            sql.push(&format!("SELECT {LISTED}, {column} FROM editions e WHERE "));
            conditions(&mut sql, query, rights);
        }
        Way::Gather => {
            sql.push("WITH fitting AS MATERIALIZED (SELECT e.id FROM editions e WHERE ");
            conditions(&mut sql, query, rights);
            sql.push(&format!(
                ") SELECT {LISTED}, {column} FROM fitting f JOIN editions e ON e.id = f.id WHERE e.recalled IS NULL"
            ));
        }
    }
    if let Some(key) = after {
        let value = match query.sort {
            Sort::Updated => Value::from(key.value.parse::<i64>().map_err(|_| no_key(key))?),
            Sort::Reference | Sort::Published => Value::from(key.value.as_str()),
        };
        sql.push(&format!(" AND ({column}, e.urn) {beyond} ")).tuple([value, key.urn.as_str().into()]);
    }
    sql.push(&format!(" ORDER BY {column} {order}, e.urn {order} LIMIT ")).arg(i64::from(limit));
    let mut rows = Vec::new();
    for row in engine.read(sql).await? {
        let summary = summary(&row)?;
        let urn = summary.urn.to_string();
        let level = rights.level(&urn, &summary.ics);
        let value = match query.sort {
            Sort::Updated => row.int(LISTED_WIDTH)?.to_string(),
            Sort::Reference | Sort::Published => row.text(LISTED_WIDTH)?.to_owned(),
        };
        let listed = Listed {
            summary,
            status: codes::read_status(row.int(13)?)?,
            revision: row.text(14)?.to_owned(),
            updated: time(row.int(15)?),
            level: level.ok_or_else(|| Error::corrupt("a row was listed that no grant covers"))?,
        };
        rows.push((listed, Key { value, urn }));
    }
    Ok(rows)
}

fn no_key(key: &Key) -> Error {
    Error::Invalid(format!("`{}` is no place in a list of this order", key.value))
}

/// All that must be true of the row `e`.
fn conditions(sql: &mut Sql, query: &Query, rights: &Rights) {
    sql.push("e.recalled IS NULL AND ");
    rights.condition(sql, "e", query.level.unwrap_or(Level::Discover));
    if query.level == Some(Level::Discover) {
        sql.push(" AND NOT ");
        rights.condition(sql, "e", Level::Read);
    }
    one_of(sql, "e.number", query.numbers.iter().map(String::as_str));
    one_of(sql, "LOWER(e.publisher)", query.publishers.iter().map(|p| p.to_ascii_lowercase()));
    one_of(sql, "e.kind", query.kinds.iter().map(|kind| codes::kind(*kind)));
    one_of(sql, "e.status", query.statuses.iter().map(|status| codes::status(*status)));
    if !query.languages.is_empty() {
        sql.push(" AND EXISTS (SELECT 1 FROM edition_languages a WHERE a.edition = e.id");
        one_of(sql, "a.language", query.languages.iter().map(|l| l.as_str()));
        sql.push(")");
    }
    if !query.ics.is_empty() {
        sql.push(" AND e.id IN (SELECT i.edition FROM edition_ics i WHERE 1 = 0");
        for code in &query.ics {
            sql.push(" OR i.code >= ").arg(code.as_str()).push(" AND i.code < ").arg(past(code));
        }
        sql.push(")");
    }
    for word in keys::words(&query.words) {
        sql.push(" AND e.id IN (SELECT w.edition FROM edition_words w WHERE w.word >= ").arg(word.as_str());
        sql.push(" AND w.word < ").arg(format!("{word}\u{10ffff}")).push(")");
    }
    identifiers(sql, &query.identifiers);
    dates(sql, query);
    if query.latest {
        sql.push(" AND e.status <> 0 AND NOT EXISTS (SELECT 1 FROM editions l WHERE l.stem = e.stem ");
        sql.push("AND l.edition_key > e.edition_key AND l.status <> 0 AND l.recalled IS NULL AND ");
        sql.push(SAME_LANGUAGE).push(" AND ");
        rights.condition(sql, "l", Level::Discover);
        sql.push(")");
    }
}

fn one_of<T: Into<Value>>(sql: &mut Sql, column: &str, values: impl Iterator<Item = T>) {
    let values: Vec<Value> = values.map(Into::into).collect();
    if !values.is_empty() {
        sql.push(&format!(" AND {column} IN ")).tuple(values);
    }
}

fn identifiers(sql: &mut Sql, identifiers: &[Identifier]) {
    if identifiers.is_empty() {
        return;
    }
    sql.push(" AND (1 = 0");
    for identifier in identifiers {
        match identifier {
            Identifier::Urn(urn) => {
                sql.push(" OR e.urn = ").arg(urn.as_str());
            }
            Identifier::Partial(urn) => {
                let prefix = if urn.edition().is_some() { format!("{urn}:") } else { format!("{urn}:ed-") };
                sql.push(" OR e.urn >= ").arg(prefix.as_str()).push(" AND e.urn < ").arg(past(&prefix));
            }
            Identifier::Alias(_) => {}
        }
        let alias = publish::alias(identifier);
        sql.push(" OR e.id IN (SELECT x.edition FROM aliases x WHERE x.alias = ").arg(alias).push(")");
    }
    sql.push(")");
}

/// A date that lacks day or month fits when any day of it does.
fn dates(sql: &mut Sql, query: &Query) {
    if let Some(from) = &query.published_from {
        sql.push(" AND e.published_on <> '' AND e.published_on >= SUBSTR(").arg(from.as_str());
        sql.push(", 1, LENGTH(e.published_on))");
    }
    if let Some(to) = &query.published_to {
        let length = to.as_str().len();
        sql.push(&format!(" AND e.published_on <> '' AND SUBSTR(e.published_on, 1, {length}) <= "));
        sql.arg(to.as_str());
    }
    if let Some(since) = query.updated_since {
        sql.push(" AND e.updated >= ").arg(micros(since));
    }
}
