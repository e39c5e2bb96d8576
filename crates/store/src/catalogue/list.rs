//! Lists in SQL: grants and filters as conditions, pages by key.

use norma_model::urn::reference_key;
use norma_model::{Identifier, tokens};

use crate::access::{Level, Rights};
use crate::catalogue::entry::{LISTED, summary, words};
use crate::catalogue::ordered_ids::OrderedIds;
use crate::catalogue::rights::{Form, are_many, condition, prefix_upper_bound};
use crate::catalogue::status::SAME_LANGUAGE;
use crate::catalogue::{edition, micros, time};
use crate::columns::DRAFT;
use crate::engine::{Row, Sql, Value};
use crate::page::{Key, ListRow, Query, Sort};
use crate::scans::Scan;
use crate::{Error, Result, columns};

/// How many rows fit.
pub(crate) fn count(query: &Query, rights: &Rights) -> Sql {
    let mut sql = Sql::new("SELECT COUNT(*) AS rows FROM editions e WHERE ");
    conditions(&mut sql, query, rights, Form::Sets);
    sql
}

/// Runs a count.
pub(crate) async fn number(scan: &Scan<'_>, sql: Sql) -> Result<u64> {
    let rows = scan.read(sql).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.int("rows"))?.unsigned_abs())
}

/// All matching rows in ascending order, for a query with few matches.
pub(crate) async fn ordered_ids(scan: &Scan<'_>, query: &Query, rights: &Rights) -> Result<OrderedIds> {
    let column = column(query.sort);
    let mut sql = Sql::new(&format!("SELECT {column} AS sorted, e.urn, e.id FROM editions e WHERE "));
    conditions(&mut sql, query, rights, Form::Sets);
    sql.push(&format!(" ORDER BY {column}, e.urn"));
    let mut ordered = OrderedIds::new(query.sort);
    for row in scan.read(sql).await? {
        ordered.push(row.int("id")?, || key(query.sort, &row))?;
    }
    Ok(ordered)
}

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
        published_from,
        published_to,
        updated_since,
        level,
    } = query;
    let texts = (words, identifiers, publishers, references, numbers, parts, languages, ics);
    let rest = (kinds, statuses, latest, published_from, published_to, updated_since, level);
    (rights.name(), format!("{texts:?} {rest:?}"))
}

/// Names what [`ordered_ids`] gives.
pub(crate) fn ordered_ids_key(query: &Query, rights: &Rights) -> (Sort, QueryKey) {
    (query.sort, query_key(query, rights))
}

fn column(sort: Sort) -> &'static str {
    match sort {
        Sort::Reference => "e.sort_key",
        Sort::Published => "e.published_on",
        Sort::Updated => "e.updated",
    }
}

fn key(sort: Sort, row: &Row) -> Result<Key> {
    let value = match sort {
        Sort::Updated => row.int("sorted")?.to_string(),
        Sort::Reference | Sort::Published => row.text("sorted")?.to_owned(),
    };
    Ok(Key { value, urn: row.text("urn")?.to_owned() })
}

/// The rows with these ids, each with its key, in the order of the query. One that went since the ids were
/// ordered is not there.
pub(crate) async fn rows_of(
    scan: &Scan<'_>,
    query: &Query,
    rights: &Rights,
    ids: &[i64],
) -> Result<Vec<(Key, Option<ListRow>)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (column, order) = (column(query.sort), if query.descending { "DESC" } else { "ASC" });
    let mut sql = Sql::new(&format!(
        "SELECT {LISTED}, {column} AS sorted FROM editions e WHERE e.recalled IS NULL AND e.id IN "
    ));
    sql.tuple(ids.iter().map(|id| Value::from(*id)));
    sql.push(&format!(" ORDER BY {column} {order}, e.urn {order}"));
    scan.read(sql).await?.iter().map(|row| listed(row, query, rights)).collect()
}

/// The rows after the key `after`, at most `limit`, each with its key. Scans the index of the order and skips
/// rows that do not match, which is quick when many match. Where there are many rights, `None` marks a row
/// that they do not cover.
pub(crate) async fn scan_index(
    scan: &Scan<'_>,
    query: &Query,
    rights: &Rights,
    after: Option<&Key>,
    limit: u32,
) -> Result<Vec<(Key, Option<ListRow>)>> {
    let column = column(query.sort);
    let (beyond, order) = if query.descending { ("<", "DESC") } else { (">", "ASC") };
    let mut sql =
        Sql::new(&format!("SELECT {LISTED}, {column} AS sorted FROM editions e WHERE e.recalled IS NULL"));
    if !are_many(rights) {
        sql.push(" AND ");
        allowed(&mut sql, query, rights, Form::Tests);
    }
    filters(&mut sql, query, rights, Form::Tests);
    if let Some(key) = after {
        let value = match query.sort {
            Sort::Updated => Value::from(key.value.parse::<i64>().map_err(|_| invalid_key(key))?),
            Sort::Reference | Sort::Published => Value::from(key.value.as_str()),
        };
        sql.push(&format!(" AND ({column}, e.urn) {beyond} ")).tuple([value, key.urn.as_str().into()]);
    }
    sql.push(&format!(" ORDER BY {column} {order}, e.urn {order} LIMIT ")).arg(i64::from(limit));
    scan.read(sql).await?.iter().map(|row| listed(row, query, rights)).collect()
}

/// The row; `None` with the key if the rights, which may be slightly older than the row, do not cover it.
fn listed(row: &Row, query: &Query, rights: &Rights) -> Result<(Key, Option<ListRow>)> {
    let key = key(query.sort, row)?;
    let level = rights.level(&key.urn, &words(row, "ics")?);
    let Some(level) = level.filter(|level| query.level.is_none_or(|wanted| wanted == *level)) else {
        return Ok((key, None));
    };
    let listed = ListRow {
        summary: summary(row)?,
        status: columns::read_status(row.int("status")?)?,
        revision: row.text("revision")?.to_owned(),
        updated: time(row.int("updated")?),
        level,
    };
    Ok((key, Some(listed)))
}

pub(crate) fn invalid_key(key: &Key) -> Error {
    Error::Invalid(format!("`{}` is not a valid position in a list of this order", key.value))
}

/// All that must be true of the row `e`.
fn conditions(sql: &mut Sql, query: &Query, rights: &Rights, form: Form) {
    sql.push("e.recalled IS NULL AND ");
    allowed(sql, query, rights, form);
    filters(sql, query, rights, form);
}

/// The condition of grants on the row `e`.
fn allowed(sql: &mut Sql, query: &Query, rights: &Rights, form: Form) {
    condition(rights, sql, "e", query.level.unwrap_or(Level::Discover), form);
    if query.level == Some(Level::Discover) {
        sql.push(" AND NOT (");
        condition(rights, sql, "e", Level::Read, form);
        sql.push(")");
    }
}

/// The condition of the query on the row `e`.
fn filters(sql: &mut Sql, query: &Query, rights: &Rights, form: Form) {
    one_of(sql, "e.number", query.numbers.iter().map(String::as_str));
    one_of(sql, "e.part", query.parts.iter().map(String::as_str));
    for (index, reference) in query.references.iter().enumerate() {
        // Of the dates that may follow: a semicolon is next to the colon.
        let key = reference_key(reference);
        sql.push(if index > 0 { " OR " } else { " AND (" });
        sql.push("e.reference_key = ")
            .arg(key.as_str())
            .push(" OR e.reference_key >= ")
            .arg(format!("{key}:"));
        sql.push(" AND e.reference_key < ").arg(format!("{key};"));
    }
    sql.push(if query.references.is_empty() { "" } else { ")" });
    one_of(sql, "LOWER(e.publisher)", query.publishers.iter().map(|p| p.to_ascii_lowercase()));
    one_of(sql, "e.kind", query.kinds.iter().map(|kind| columns::kind(*kind)));
    one_of(sql, "e.status", query.statuses.iter().map(|status| columns::status(*status)));
    if !query.languages.is_empty() {
        sql.push(" AND EXISTS (SELECT 1 FROM edition_languages a WHERE a.edition = e.id");
        one_of(sql, "a.language", query.languages.iter().map(|l| l.as_str()));
        sql.push(")");
    }
    if !query.ics.is_empty() {
        sql.push(if form == Form::Sets {
            " AND e.id IN (SELECT i.edition FROM edition_ics i WHERE ("
        } else {
            " AND (("
        });
        for (index, code) in query.ics.iter().enumerate() {
            sql.push(if index > 0 { " OR " } else { "" });
            match form {
                Form::Sets => sql
                    .push("i.code >= ")
                    .arg(code.as_str())
                    .push(" AND i.code < ")
                    .arg(prefix_upper_bound(code)),
                Form::Tests => begins(sql, "e.ics", code),
            };
        }
        sql.push("))");
    }
    if !query.words.is_empty() {
        sql.push(" AND (1 = 0");
        for text in &query.words {
            sql.push(" OR (1 = 1");
            for word in tokens(text) {
                match form {
                    Form::Sets => {
                        sql.push(" AND e.id IN (SELECT w.edition FROM edition_words w WHERE w.word >= ");
                        sql.arg(word.as_str())
                            .push(" AND w.word < ")
                            .arg(format!("{word}\u{10ffff}"))
                            .push(")")
                    }
                    Form::Tests => begins(sql.push(" AND "), "e.words", &word),
                };
            }
            sql.push(")");
        }
        sql.push(")");
    }
    identifiers(sql, &query.identifiers);
    dates(sql, query);
    if query.latest {
        sql.push(&format!(
            " AND e.status <> {DRAFT} AND NOT EXISTS (SELECT 1 FROM editions l WHERE l.stem = e.stem \
             AND l.edition_key > e.edition_key AND l.status <> {DRAFT} AND l.recalled IS NULL AND {SAME_LANGUAGE} AND "
        ));
        condition(rights, sql, "l", Level::Discover, Form::Tests);
        sql.push(")");
    }
}

/// True if a word of a column begins with this text.
fn begins<'a>(sql: &'a mut Sql, column: &str, text: &str) -> &'a mut Sql {
    let text = text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    sql.push(&format!("' ' || {column} LIKE ")).arg(format!("% {text}%")).push(r" ESCAPE '\'")
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
                sql.push(" OR e.urn >= ")
                    .arg(prefix.as_str())
                    .push(" AND e.urn < ")
                    .arg(prefix_upper_bound(&prefix));
            }
            Identifier::Alias(_) => {}
        }
        let alias = edition::alias(identifier);
        sql.push(" OR e.id IN (SELECT x.edition FROM aliases x WHERE x.alias = ").arg(alias).push(")");
    }
    sql.push(")");
}

/// A condition on dates: a date without day or month matches when any day of it does.
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
        // An index of another order than the one that is walked would not help.
        let column = if query.sort == Sort::Updated { "e.updated" } else { "COALESCE(e.updated, 0)" };
        sql.push(&format!(" AND {column} >= ")).arg(micros(since));
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::entry::Publication;
    use crate::{Day, Grant, Scope, Settings, Store, Tenant, Viewer};

    fn publication(number: u32, title: &str, ics: &[&str]) -> Publication {
        let mut publication = Publication::empty(&format!("urn:iso:std:iso:{number}:ed-1:en"));
        publication.summary.reference = format!("ISO {number}:2020");
        publication.summary.title = title.to_owned();
        publication.summary.ics = ics.iter().map(|code| (*code).to_owned()).collect();
        publication
    }

    #[tokio::test]
    async fn rows_that_are_found_by_an_index_are_those_that_pass_the_test_of_each_row() {
        let folder = tempfile::tempdir().unwrap();
        let location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let store = Store::open(&location, &Settings::default()).await.unwrap();
        let publications = [
            publication(1, "Rice, 5 % broken", &["67.060", "01.040.67"]),
            publication(2, "Ricers\u{ad} a_b", &["67.060.10"]),
            publication(3, "Price of rice", &["67", "13.110"]),
            publication(4, "大米 稻谷", &["670", "67/060", "6%"]),
            publication(5, "RICE", &[]),
        ];
        store.publish_all(&publications, SystemTime::UNIX_EPOCH).await;
        let today: Day = "2026-05-01".parse().unwrap();
        let viewer = |tenant: &str| Viewer::verified(tenant, "c", today.clone());
        let urn = "urn:iso:std:iso:5:ed-1:en".parse::<norma_model::Urn>().unwrap();
        let scopes = [
            vec![Scope::Urns("*".parse().unwrap())],
            vec![Scope::Urns("urn:iso:std:iso:4:*".parse().unwrap()), Scope::List([urn].into())],
            vec![Scope::Ics("67".to_owned())],
            vec![Scope::Ics("67.060".to_owned()), Scope::Ics("13".to_owned())],
            vec![Scope::Ics("01".to_owned()), Scope::Urns("urn:iso:std:iso:3:ed-1:en".parse().unwrap())],
        ];
        let words = ["rice", "ric", "ri ce", "%", "_", "a_b", "5", "大", "稻谷", "RICE broken"];
        let codes = ["6", "67", "67.060", "67.", "%", "_7", "6%", "67/", "\\"];
        let words = words.map(|text| Query { words: vec![text.to_owned()], ..Query::default() });
        let codes = codes.map(|code| Query { ics: vec![code.to_owned()], ..Query::default() });
        let mut found = 0;
        for (n, scopes) in scopes.into_iter().enumerate() {
            let tenant = n.to_string();
            let row = Tenant { id: tenant.clone(), ..Tenant::default() };
            store.put_tenant(&row, SystemTime::UNIX_EPOCH).await.unwrap();
            for scope in scopes {
                let tenant = tenant.clone();
                let grant =
                    Grant { tenant, client: None, scope, level: Level::Read, from: None, until: None };
                store.add_grant(&grant, SystemTime::UNIX_EPOCH).await.unwrap().unwrap();
            }
            let viewer = viewer(&tenant);
            let rights = store.policy().await.unwrap().rights(&viewer);
            let scan = &store.core().scan(&viewer).await.unwrap();
            for query in words.iter().chain(&codes).chain([&Query::default()]) {
                let walked = scan_index(scan, query, &rights, None, 100).await.unwrap();
                let walked: Vec<i64> = walked.iter().map(|(key, _)| number_of(key)).collect();
                let ordered = ordered_ids(scan, query, &rights).await.unwrap();
                let rows =
                    rows_of(scan, query, &rights, ordered.around(None, false, 100).unwrap().0).await.unwrap();
                let ordered: Vec<i64> = rows.iter().map(|(key, _)| number_of(key)).collect();
                assert_eq!(walked, ordered, "tenant {n}: {query:?}");
                assert!(rows.iter().all(|(_, listed)| listed.is_some()), "tenant {n}: {query:?}");
                assert_eq!(number(scan, count(query, &rights)).await.unwrap(), ordered.len() as u64);
                found += ordered.len();
            }
        }
        assert!(found > 100, "{found}");
    }

    fn number_of(key: &Key) -> i64 {
        key.urn.split(':').nth(4).unwrap().parse().unwrap()
    }
}
