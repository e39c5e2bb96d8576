//! The comparison of tables: 200 generated changes of one step, each of which is reported exactly, and 50
//! that change no meaning and are not reported.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::{PartRelation, TableChange, Units, compare};
use norma_sts::{ExtractionOptions, extract};

/// Numbers that a seed chooses.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[derive(Clone)]
struct Table {
    caption: String,
    note: String,
    heads: Vec<String>,
    /// The first cell of a row is its name.
    rows: Vec<Vec<String>>,
    /// Whether the names of rows are marked as heads.
    is_marked: bool,
}

const HEADS: [&str; 7] = ["Width mm", "Mass kg", "Colour", "Load kN", "Remark", "Angle °", "Bolts"];
const NAMES: [&str; 10] = ["gate", "lid", "rope", "valve", "lamp", "crate", "hinge", "pump", "sieve", "mast"];
const WORDS: [&str; 6] = ["red", "blue", "of steel", "see the owner", "none", "on request"];

impl Table {
    fn new(random: &mut Random) -> Self {
        let columns = 2 + random.below(4);
        let heads: Vec<String> =
            std::iter::once("Part").chain(HEADS.into_iter().take(columns)).map(str::to_owned).collect();
        let row = |name: &&str, random: &mut Random| {
            let cells = heads[1..].iter().map(|head| cell(head, random)).collect::<Vec<_>>();
            std::iter::once((*name).to_owned()).chain(cells).collect()
        };
        let rows = NAMES[..3 + random.below(6)].iter().map(|name| row(name, random)).collect();
        Self {
            caption: "Sizes of parts".into(),
            note: "Measured in the yard.".into(),
            heads,
            rows,
            is_marked: random.below(2) == 0,
        }
    }

    fn xml(&self) -> String {
        let cells = |cells: &[String], head: &str| -> String {
            let tag = |at: usize| if at == 0 { head } else { "td" };
            (0..).zip(cells).map(|(at, cell)| format!("<{0}>{cell}</{0}>", tag(at))).collect()
        };
        let head: String = self.heads.iter().map(|head| format!("<th>{head}</th>")).collect();
        let name = if self.is_marked { "th" } else { "td" };
        let rows: String = self.rows.iter().map(|row| format!("<tr>{}</tr>", cells(row, name))).collect();
        format!(
            "<table-wrap id=\"tab_1\"><label>Table 1</label><caption><title>{}</title></caption><table><thead><tr>{head}</tr></thead>\
             <tbody>{rows}</tbody></table><table-wrap-foot><non-normative-note><label>NOTE</label><p>{}</p></non-normative-note>\
             </table-wrap-foot></table-wrap>",
            self.caption, self.note
        )
    }

    fn units(&self, edition: u8) -> Units {
        let source = format!(
            "<standard><front><std-meta><std-ident><originator>NSB</originator><doc-number>7</doc-number><edition>{edition}</edition>\
             </std-ident><content-language>en</content-language><std-ref type=\"dated\">NSB 7:200{edition}</std-ref></std-meta></front>\
             <body><sec><label>5</label><title>Parts</title><p>Parts shall conform to <xref rid=\"tab_1\">Table 1</xref>.</p>{}</sec>\
             </body></standard>",
            self.xml()
        );
        Units::from(&*extract(source.as_bytes(), &ExtractionOptions::default()).unwrap().edition)
    }
}

/// A cell of a column.
fn cell(head: &str, random: &mut Random) -> String {
    match head {
        "Colour" | "Remark" => WORDS[random.below(WORDS.len())].to_owned(),
        "Load kN" => format!("≥ {}", 1 + random.below(40)),
        _ => (1 + random.below(2000)).to_string(),
    }
}

/// Another cell for the same column, and which of quantity and bound changed.
fn other(old: &str, random: &mut Random) -> (String, &'static str) {
    if let Some(value) = old.strip_prefix("≥ ") {
        return match random.below(2) {
            0 => (format!("≤ {value}"), "bound"),
            _ => (format!("≥ {}", value.parse::<u32>().unwrap() + 3), "quantity"),
        };
    }
    match old.parse::<u32>() {
        Ok(value) => ((value + 1 + random.below(50) as u32).to_string(), "quantity"),
        Err(_) => (format!("{old} and dry"), ""),
    }
}

/// Changes a table in one step, and says how the change must be reported.
fn change(table: &mut Table, kind: usize, random: &mut Random) -> String {
    let row = random.below(table.rows.len());
    let column = 1 + random.below(table.heads.len() - 1);
    let name = table.rows[row][0].clone();
    let head = table.heads[column].clone();
    match kind {
        0 | 1 => {
            let old = table.rows[row][column].clone();
            let (new, facet) = other(&old, random);
            table.rows[row][column].clone_from(&new);
            format!("cell {name}, {head}: {old} > {new} {facet}")
        }
        2 => {
            let new: Vec<String> = std::iter::once("wick".to_owned())
                .chain(table.heads[1..].iter().map(|head| cell(head, random)))
                .collect();
            table.rows.insert(random.below(table.rows.len() + 1), new);
            "row New wick".to_owned()
        }
        3 => {
            table.rows.remove(row);
            format!("row Removed {name}")
        }
        4 => {
            let at = 1 + random.below(table.heads.len());
            table.heads.insert(at, "Height mm".into());
            table.rows.iter_mut().for_each(|row| row.insert(at, cell("Height mm", random)));
            "column New Height mm".to_owned()
        }
        5 => {
            table.heads.remove(column);
            table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
            format!("column Removed {head}")
        }
        6 => {
            table.caption = "Sizes of wooden parts".into();
            "caption".to_owned()
        }
        7 => {
            table.note = "Measured in the yard, in summer.".into();
            "notes".to_owned()
        }
        8 => {
            let moved = table.rows.remove(0);
            table.rows.push(moved);
            format!("row Moved {}", table.rows[table.rows.len() - 1][0])
        }
        _ => {
            let new = table.heads[column].replace(['m', 'k'], "c") + "s";
            table.heads[column].clone_from(&new);
            format!("column Changed {head} > {new}")
        }
    }
}

/// Writes a table in another way with the same meaning.
fn rewrite(table: &mut Table, kind: usize, random: &mut Random) {
    let row = random.below(table.rows.len());
    let cell = &mut table.rows[row][1];
    match kind {
        0 => *cell = format!(" \n {cell} "),
        1 => *cell = format!("<bold>{cell}</bold>"),
        2 => *cell = format!("{cell} mm"),
        3 => table.heads[1] = "Width <italic>mm</italic>".into(),
        _ => table.caption = " Sizes  of parts".into(),
    }
}

/// The changes in a table, in the words of [`change`].
fn named(change: &TableChange) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for cell in &change.cells {
        let facets = [("quantity", cell.value_changed), ("bound", cell.bound_changed)];
        let facets: Vec<&str> =
            facets.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
        let (old, new) = (&cell.text.older, &cell.text.newer);
        names.push(format!("cell {}, {}: {old} > {new} {}", cell.row, cell.column, facets.join(" ")));
    }
    for (word, lines) in [("row", &change.rows), ("column", &change.columns)] {
        for line in lines {
            let both = match (&line.older, &line.newer) {
                (Some(older), Some(newer)) if older != newer => format!("{older} > {newer}"),
                (older, newer) => newer.as_ref().or(older.as_ref()).unwrap().to_string(),
            };
            names.push(format!("{word} {:?} {both}", line.relation));
        }
    }
    names.extend(change.caption.as_ref().map(|_| "caption".to_owned()));
    names.extend(change.notes_changed.then(|| "notes".to_owned()));
    names
}

#[test]
fn each_change_of_one_step_is_named_exactly() {
    let mut wrong = Vec::new();
    for number in 0..200 {
        let mut random = Random(number);
        let older = Table::new(&mut random);
        let mut newer = older.clone();
        let expected = change(&mut newer, number as usize % 10, &mut random);
        let (a, b) = (older.units(1), newer.units(2));
        let found = compare(&a, &b);
        let names = named(&found.tables[0]);
        let depends = &found.links[0].facets.depends_on;
        if names != [expected.as_str()]
            || depends.len() != 1
            || found.tables[0].relation != PartRelation::Changed
        {
            wrong.push(format!("{number}: expected {expected}, found {names:?}, {depends:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of 200:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_changes_no_meaning_is_no_change() {
    for number in 0..50 {
        let mut random = Random(1000 + number);
        let older = Table::new(&mut random);
        let mut newer = older.clone();
        rewrite(&mut newer, number as usize % 5, &mut random);
        let found = compare(&older.units(1), &newer.units(2));
        assert_eq!(
            (named(&found.tables[0]), found.tables[0].relation),
            (vec![], PartRelation::Same),
            "{number}"
        );
        assert!(found.links[0].facets.depends_on.is_empty(), "{number}");
    }
}
