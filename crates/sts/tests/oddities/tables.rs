//! Oddities of tables: spans, columns that cells name, and rows that end early.

use proptest::prelude::*;

use crate::common::{document, read, text};

/// A table as generated: the cells of each row with column, columns and rows that they span.
#[derive(Debug)]
struct Drawn {
    rows: Vec<Vec<(usize, usize, usize)>>,
    columns: usize,
}

/// Fills a grid with cells, whose spans are drawn, and leaves out the last cells of some rows.
fn draw(height: usize, columns: usize, mut next: impl FnMut(usize) -> usize) -> Drawn {
    let mut taken = vec![vec![false; columns]; height];
    let mut rows = Vec::new();
    for row in 0..height {
        let mut cells = Vec::new();
        for column in 0..columns {
            if taken[row][column] {
                continue;
            }
            let free = (column..columns).take_while(|&c| !taken[row][c]).count();
            let (wide, high) = (1 + next(free.min(3)), 1 + next((height - row).min(3)));
            for line in &mut taken[row..row + high] {
                line[column..column + wide].fill(true);
            }
            cells.push((column, wide, high));
        }
        let left_out = cells.iter().rev().take_while(|(_, _, high)| *high == 1).count().min(next(3));
        cells.truncate(cells.len() - left_out);
        rows.push(cells);
    }
    Drawn { rows, columns }
}

impl Drawn {
    fn word(row: usize, column: usize) -> String {
        format!("r{row}c{column}")
    }

    /// The lines that a painter makes of it: each cell in its first column.
    fn painted(&self) -> String {
        let line = |(row, cells): (usize, &Vec<(usize, usize, usize)>)| {
            let mut line = vec![String::new(); self.columns];
            for (column, ..) in cells {
                line[*column] = Self::word(row, *column);
            }
            line.join("\t").trim_end().to_owned()
        };
        let lines = self.rows.iter().enumerate().map(line).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    }

    fn xhtml(&self) -> String {
        let cell = |row, (column, wide, high): &(usize, usize, usize)| {
            format!("<td colspan='{wide}' rowspan='{high}'>{}</td>", Self::word(row, *column))
        };
        let row = |(at, cells): (usize, &Vec<(usize, usize, usize)>)| {
            format!("<tr>{}</tr>", cells.iter().map(|c| cell(at, c)).collect::<String>())
        };
        format!("<table><tbody>{}</tbody></table>", self.rows.iter().enumerate().map(row).collect::<String>())
    }

    fn cals(&self) -> String {
        let cell = |row, (column, wide, high): &(usize, usize, usize)| {
            let (first, last, more) = (column + 1, column + wide, high - 1);
            let word = Self::word(row, *column);
            format!("<entry namest='c{first}' nameend='c{last}' morerows='{more}'>{word}</entry>")
        };
        let row = |(at, cells): (usize, &Vec<(usize, usize, usize)>)| {
            format!("<row>{}</row>", cells.iter().map(|c| cell(at, c)).collect::<String>())
        };
        let specs: String = (1..=self.columns).map(|at| format!("<colspec colname='c{at}'/>")).collect();
        let rows: String = self.rows.iter().enumerate().map(row).collect();
        format!("<table><tgroup cols='{}'>{specs}<tbody>{rows}</tbody></tgroup></table>", self.columns)
    }
}

proptest! {
    #[test]
    fn cells_are_in_the_columns_that_a_painter_gives_them_in_xhtml_and_cals(
        height in 1..6_usize,
        columns in 1..6_usize,
        choices in prop::collection::vec(0..100_usize, 120),
    ) {
        let mut choices = choices.into_iter();
        let drawn = draw(height, columns, |below| choices.next().unwrap_or_default() % below.max(1));
        let body = |table: String| format!("<p>before</p><table-wrap>{table}</table-wrap>");
        let expected = format!("before\n\n{}", drawn.painted());
        prop_assert_eq!(text(&body(drawn.xhtml())), expected.trim_end());
        prop_assert_eq!(text(&body(drawn.cals())), expected.trim_end());
    }
}

#[test]
fn cals_entries_name_their_columns_one_by_one_by_range_and_by_span() {
    let specs = "<colspec colname='a'/><colspec colnum='2' colname='b'/><colspec colname='c'/><colspec colname='d'/>\
        <spanspec spanname='middle' namest='b' nameend='c'/>";
    let rows = "<row><entry>1</entry><entry spanname='middle'>2</entry><entry>3</entry></row>\
        <row><entry namest='a' nameend='c'>4</entry><entry>5</entry></row>\
        <row><entry colname='b'>6</entry><entry colname='d'>7</entry></row>\
        <row><entry colname='unknown'>8</entry><entry>9</entry></row>";
    let table =
        format!("<table-wrap><table><tgroup>{specs}<tbody>{rows}</tbody></tgroup></table></table-wrap>");
    assert_eq!(text(&table), "1\t2\t\t3\n4\t\t\t5\n\t6\t\t7\n8\t9");
}

#[test]
fn a_span_of_no_rows_reaches_to_the_end_of_its_group_and_no_further() {
    let table = "<table-wrap><table><tbody><tr><td rowspan='0'>a</td><td>b</td></tr><tr><td>c</td></tr></tbody>\
        <tbody><tr><td>d</td><td>e</td></tr></tbody></table></table-wrap>";
    assert_eq!(text(table), "a\tb\n\tc\nd\te");
}

#[test]
fn the_foot_of_a_table_comes_last_as_it_is_printed() {
    let table = "<table-wrap><table><thead><tr><th>Mass</th></tr></thead><tfoot><tr><td>Sum</td></tr></tfoot>\
        <tbody><tr><td>1</td></tr></tbody></table></table-wrap>";
    assert_eq!(text(table), "Mass\n1\nSum");
}

#[test]
fn huge_spans_are_bounded() {
    let table = "<table-wrap><table><tr><td colspan='65000' rowspan='65000'>a</td><td>b</td></tr>\
        <tr><td>c</td></tr></table></table-wrap>";
    let text = text(table);
    assert!(text.len() < 400, "{}", text.len());
    assert!(["a", "b", "c"].iter().all(|word| text.contains(word)), "{text}");
}

#[test]
fn tables_with_equal_cells_have_one_digest_in_both_models_and_exponents_count() {
    let digest = |cell: &str, cals: bool| {
        let table = match cals {
            true => {
                format!("<table><tgroup><tbody><row><entry>{cell}</entry></row></tbody></tgroup></table>")
            }
            false => format!("<table><tr><td>{cell}</td></tr></table>"),
        };
        read(&document(&format!("<sec><table-wrap>{table}</table-wrap></sec>"))).edition.tables[0].digest
    };
    assert!(digest("10<sup>3</sup>", false).is_some());
    assert_eq!(digest("10<sup>3</sup>", false), digest("10<sup>3</sup>", true));
    assert_ne!(digest("10<sup>3</sup>", false), digest("103", false));
    assert_eq!(digest("", false), None);
}
