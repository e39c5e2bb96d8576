//! Grids of random tables: those of CALS compared with a painter that fills squares one by one, and equal
//! tables in both models.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::collections::BTreeMap;
use std::fmt::Write;

use norma_model::table::Grid;
use norma_sts::{ExtractionOptions, extract};

/// Numbers that look random, the same for the same seed (xorshift64).
struct Rolls(u64);

impl Rolls {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

fn grid(table: &str) -> Grid {
    let source = format!(
        "<standard xml:lang='en'><front><std-meta><std-ident><originator>NSB</originator><doc-number>77</doc-number>\
         <edition>1</edition></std-ident><content-language>en</content-language><std-ref>NSB 77:2020</std-ref></std-meta></front>\
         <body><sec id='s'><label>4</label><table-wrap>{table}</table-wrap></sec></body></standard>"
    );
    let edition = extract(source.as_bytes(), &ExtractionOptions::default()).unwrap().edition;
    edition.tables[0].grid().unwrap().clone()
}

/// Text, first column, columns and rows of each cell, row by row.
type Cells = Vec<Vec<(String, usize, usize, usize)>>;

fn cells(grid: &Grid) -> Cells {
    let row = |row: &Vec<norma_model::table::Cell>| {
        row.iter()
            .map(|c| (c.text.to_string(), c.column as usize, c.columns as usize, c.rows as usize))
            .collect()
    };
    grid.rows.iter().map(row).collect()
}

/// The form in which an entry states its columns.
#[derive(Clone)]
enum Position {
    Next,
    Column(String),
    Columns(String, String),
    Span(String),
}

struct Entry {
    position: Position,
    more_rows: usize,
}

/// A CALS table with names that are defined, repeated, out of order, or not there.
struct Cals {
    /// Name and number, from 1, of each `colspec`.
    columns: Vec<(Option<String>, Option<usize>)>,
    spans: Vec<(String, String, String)>,
    groups: Vec<Vec<Vec<Entry>>>,
}

impl Cals {
    fn random(rolls: &mut Rolls) -> Self {
        let width = 1 + rolls.below(6);
        let columns = (0..width).map(|at| {
            let name = (!rolls.one_in(5)).then(|| format!("c{}", if rolls.one_in(9) { 0 } else { at }));
            (name, rolls.one_in(6).then(|| 1 + rolls.below(width + 2)))
        });
        let columns = columns.collect();
        let name = |rolls: &mut Rolls| format!("c{}", rolls.below(width + 2));
        let spans = (0..rolls.below(3)).map(|at| (format!("s{at}"), name(rolls), name(rolls))).collect();
        let entry = |rolls: &mut Rolls| Entry {
            position: match rolls.below(6) {
                0 => Position::Column(name(rolls)),
                1 => Position::Columns(name(rolls), name(rolls)),
                2 => Position::Span(format!("s{}", rolls.below(4))),
                _ => Position::Next,
            },
            more_rows: if rolls.one_in(4) { rolls.below(5) } else { 0 },
        };
        let row = |rolls: &mut Rolls| (0..rolls.below(width + 2)).map(|_| entry(rolls)).collect();
        let group = |rolls: &mut Rolls| (0..1 + rolls.below(5)).map(|_| row(rolls)).collect();
        Self { columns, spans, groups: (0..1 + rolls.below(2)).map(|_| group(rolls)).collect() }
    }

    fn xml(&self) -> String {
        let mut xml = "<table><tgroup>".to_owned();
        for (name, number) in &self.columns {
            let name = name.as_ref().map(|name| format!(" colname='{name}'")).unwrap_or_default();
            let number = number.map(|number| format!(" colnum='{number}'")).unwrap_or_default();
            let _ = write!(xml, "<colspec{name}{number}/>");
        }
        for (name, first, last) in &self.spans {
            let _ = write!(xml, "<spanspec spanname='{name}' namest='{first}' nameend='{last}'/>");
        }
        let mut text = 0;
        for group in &self.groups {
            xml += "<tbody>";
            for row in group {
                xml += "<row>";
                for Entry { position, more_rows } in row {
                    let position = match position {
                        Position::Next => String::new(),
                        Position::Column(name) => format!(" colname='{name}'"),
                        Position::Columns(first, last) => format!(" namest='{first}' nameend='{last}'"),
                        Position::Span(name) => format!(" spanname='{name}'"),
                    };
                    let _ = write!(xml, "<entry{position} morerows='{more_rows}'>x{text}</entry>");
                    text += 1;
                }
                xml += "</row>";
            }
            xml += "</tbody>";
        }
        xml + "</tgroup></table>"
    }

    /// The cells of each row: every square that a cell fills is painted, and the next cell goes to the first
    /// square without paint.
    fn painted(&self) -> Cells {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        let mut next = 1;
        for (name, number) in &self.columns {
            let own = number.unwrap_or(next);
            next = own + 1;
            if let Some(name) = name {
                names.entry(name).or_insert(own - 1);
            }
        }
        let columns = |first: &str, last: &str| -> Option<(usize, usize)> {
            let first = *names.get(first)?;
            let last = names.get(last).copied().unwrap_or(first);
            Some((first, last.max(first) - first + 1))
        };
        let position = |position: &Position| match position {
            Position::Next => None,
            Position::Column(name) => columns(name, name),
            Position::Columns(first, last) => columns(first, last),
            Position::Span(name) => {
                let (_, first, last) = self.spans.iter().find(|(known, ..)| known == name)?;
                columns(first, last)
            }
        };
        let (mut rows, mut text) = (Cells::new(), 0);
        for group in &self.groups {
            let mut paint = vec![[false; 40]; group.len()];
            for (at, row) in group.iter().enumerate() {
                let (mut line, mut next) = (Vec::new(), 0);
                for entry in row {
                    let named = position(&entry.position).filter(|(first, _)| *first >= next);
                    let (first, width) = named.unwrap_or((next, 1));
                    let first = (first..40).find(|column| !paint[at][*column]).unwrap();
                    let height = (entry.more_rows + 1).min(group.len() - at);
                    for row in &mut paint[at..at + height] {
                        row[first..first + width].fill(true);
                    }
                    line.push((format!("x{text}"), first, width, height));
                    text += 1;
                    next = first + width;
                }
                rows.push(line);
            }
        }
        rows
    }
}

#[test]
fn a_cals_table_has_the_grid_that_a_painter_of_squares_gives() {
    let mut rolls = Rolls(40);
    let mut filled = 0;
    for _ in 0..2000 {
        let table = Cals::random(&mut rolls);
        let painted = table.painted();
        filled += painted.iter().flatten().filter(|(_, _, columns, rows)| columns * rows > 1).count();
        let xml = table.xml();
        assert_eq!(cells(&grid(&xml)), painted, "{xml}");
    }
    assert!(filled > 2000, "{filled} cells fill several squares");
}

/// A table whose cells fill all squares without an overlap, in XHTML and CALS.
fn in_both_models(rolls: &mut Rolls) -> (String, String) {
    let (width, height) = (1 + rolls.below(6), 1 + rolls.below(6));
    let mut paint = vec![vec![false; width]; height];
    let (mut xhtml, mut cals) = ("<table><tbody>".to_owned(), "<table><tgroup>".to_owned());
    (0..width).for_each(|at| cals += &format!("<colspec colname='c{at}'/>"));
    for first in 0..width {
        (first..width).for_each(|last| {
            cals += &format!("<spanspec spanname='s{first}-{last}' namest='c{first}' nameend='c{last}'/>");
        });
    }
    cals += "<tbody>";
    for row in 0..height {
        xhtml += "<tr>";
        cals += "<row>";
        for column in 0..width {
            if paint[row][column] {
                continue;
            }
            let free = paint[row][column..].iter().take_while(|painted| !**painted).count();
            let (columns, rows) = (1 + rolls.below(free), 1 + rolls.below(height - row));
            paint[row..row + rows].iter_mut().for_each(|row| row[column..column + columns].fill(true));
            let last = column + columns - 1;
            xhtml += &format!("<td colspan='{columns}' rowspan='{rows}'>{row}.{column}</td>");
            let position = match rolls.below(3) {
                0 if columns == 1 => String::new(),
                1 => format!(" spanname='s{column}-{last}'"),
                _ => format!(" namest='c{column}' nameend='c{last}'"),
            };
            cals += &format!("<entry{position} morerows='{}'>{row}.{column}</entry>", rows - 1);
        }
        xhtml += "</tr>";
        cals += "</row>";
    }
    (xhtml + "</tbody></table>", cals + "</tbody></tgroup></table>")
}

#[test]
fn equal_tables_in_both_models_have_equal_grids() {
    let mut rolls = Rolls(44);
    for _ in 0..500 {
        let (xhtml, cals) = in_both_models(&mut rolls);
        assert_eq!(grid(&xhtml), grid(&cals), "{cals}");
    }
}

#[test]
fn a_column_with_a_number_beyond_all_tables_is_not_one() {
    let specs = format!("<colspec colname='a' colnum='{}'/><colspec colname='b'/>", usize::MAX);
    let row = "<row><entry colname='b'>x</entry><entry>y</entry></row>";
    let table = format!("<table><tgroup cols='2'>{specs}<tbody>{row}</tbody></tgroup></table>");
    assert_eq!(cells(&grid(&table)), [[("x".to_owned(), 0, 1, 1), ("y".to_owned(), 1, 1, 1)]]);
}
