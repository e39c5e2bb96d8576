//! Rights in SQL: a condition on rows of editions for what a viewer may see.

use std::collections::BTreeMap;

use crate::access::{Level, Rights};
use crate::engine::{Sql, Value};

/// Number of prefixes above which they are many: SQL searches them one by one.
const MANY: usize = 16;

/// The form of a condition, which an engine turns into a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Finds the matching rows, each kind of rule by its index: for few matches.
    Sets,
    /// Each row is tested by itself: when many fit.
    Tests,
}

impl Form {
    fn end(self) -> &'static str {
        match self {
            Self::Sets => "",
            Self::Tests => ")",
        }
    }
}

fn rows<const N: usize>(sql: &mut Sql, rows: Vec<[Value; N]>) {
    for (index, row) in rows.into_iter().enumerate() {
        if index > 0 {
            sql.push(", ");
        }
        sql.tuple(row);
    }
}

/// The lowest text above all with `prefix`, which is ASCII and not empty.
pub(crate) fn prefix_upper_bound(prefix: &str) -> String {
    let mut chars: Vec<char> = prefix.chars().collect();
    if let Some(last) = chars.last_mut() {
        *last = char::from_u32(u32::from(*last) + 1).unwrap_or(char::MAX);
    }
    chars.into_iter().collect()
}

/// Whether there are so many that testing each row for them costs more in SQL than here.
pub(crate) fn are_many(rights: &Rights) -> bool {
    rights.prefixes.len() > MANY
}

/// The same as a condition on the row `table` of editions: true if the level is at least `least`.
pub(crate) fn condition(rights: &Rights, sql: &mut Sql, table: &str, least: Level, form: Form) {
    if rights.prefixes.get("").is_some_and(|level| *level >= least) {
        sql.push("1 = 1");
        return;
    }
    let given = |rules: &BTreeMap<String, Level>| {
        let keys = rules.iter().filter(|(_, level)| **level >= least).map(|(key, _)| key.clone());
        keys.collect::<Vec<_>>()
    };
    let uncovered = |mut keys: Vec<String>| {
        keys.retain(|key| !rights.is_covered(key, least));
        keys
    };
    let range = |prefix: &String| [prefix.as_str().into(), prefix_upper_bound(prefix).into()];
    let mut ranges: Vec<[Value; 2]> = uncovered(given(&rights.prefixes)).iter().map(range).collect();
    let exact: Vec<Value> = uncovered(given(&rights.exact)).into_iter().map(Value::from).collect();
    // A class is a range but for what sorts between it and its first subclass.
    let class = |class: &String| match form {
        Form::Sets => [class.as_str().into(), format!("{class}.").into(), format!("{class}/").into()],
        Form::Tests => [format!("% {class} %").into(), format!("% {class}.%").into(), "".into()],
    };
    let classes: Vec<[Value; 3]> = given(&rights.classes).iter().map(class).collect();
    let lists: Vec<Value> = rights
        .lists
        .iter()
        .filter(|(_, level, _)| *level >= least)
        .map(|(grant, _, _)| Value::from(*grant))
        .collect();
    // Hidden from the planner where rows are tested: an index on URNs would lose the order that is walked.
    let urn = match form {
        Form::Sets => format!("{table}.urn"),
        Form::Tests => format!("COALESCE({table}.urn, '')"),
    };
    let kinds = [ranges.is_empty(), exact.is_empty(), classes.is_empty(), lists.is_empty()];
    if ranges.len() == 1 && kinds == [false, true, true, true] {
        // The commonest case, which an index on URNs can serve alone.
        let [low, high] = ranges.remove(0);
        sql.push(&format!("{urn} >= ")).arg(low).push(&format!(" AND {urn} < ")).arg(high);
        return;
    }
    // One alternative for each kind of rule, whatever their number: a chain of ORs has a limit in SQLite.
    let (open, between, one) = match form {
        Form::Sets => (format!("{table}.id IN ("), " UNION ALL ", "x.urn"),
        Form::Tests => ("(".to_owned(), " OR ", urn.as_str()),
    };
    let mut alternatives = 0;
    let mut alternative = |sql: &mut Sql, set: &str, test: &str| {
        sql.push(if alternatives > 0 { between } else { &open });
        sql.push(if form == Form::Sets { set } else { test });
        alternatives += 1;
    };
    if !ranges.is_empty() {
        alternative(sql, "SELECT x.id FROM (VALUES ", "EXISTS (SELECT 1 FROM (VALUES ");
        rows(sql, ranges);
        let join = if form == Form::Sets { "JOIN editions x ON" } else { "WHERE" };
        sql.push(&format!(") AS span {join} {one} >= span.column1 AND {one} < span.column2"));
        sql.push(form.end());
    }
    if !exact.is_empty() {
        alternative(sql, "SELECT x.id FROM editions x WHERE x.urn IN ", &format!("{urn} IN "));
        sql.tuple(exact);
    }
    if !lists.is_empty() {
        let test = format!("EXISTS (SELECT 1 FROM grant_urns g WHERE g.urn = {urn} AND g.grant_id IN ");
        let set = "SELECT x.id FROM grant_urns g JOIN editions x ON x.urn = g.urn WHERE g.grant_id IN ";
        alternative(sql, set, &test);
        sql.tuple(lists).push(form.end());
    }
    if !classes.is_empty() {
        let set = "SELECT i.edition FROM edition_ics i, (VALUES ";
        alternative(sql, set, "EXISTS (SELECT 1 FROM (VALUES ");
        rows(sql, classes);
        sql.push(&match form {
            Form::Sets => ") AS class WHERE i.code >= class.column1 AND i.code < class.column3 \
                 AND (i.code = class.column1 OR i.code >= class.column2)"
                .to_owned(),
            Form::Tests => format!(
                ") AS class WHERE ' ' || {table}.ics || ' ' LIKE class.column1 \
                 OR ' ' || {table}.ics || ' ' LIKE class.column2)"
            ),
        });
    }
    sql.push(if alternatives > 0 { ")" } else { "1 = 0" });
}
