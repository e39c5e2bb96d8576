//! Quantities of cells: a cell that holds one value and nothing else, with the unit that it prints, or its column, row or table.

use norma_model::table::{Cell, CellQuantity, Column, Grid, Unit, UnitOrigin};
use norma_model::{Comparator, Lang};

use super::quantities::{Found, QuantityTable, quantities};
use super::units::{is_symbol, unit_at};
use super::{Anatomy, ENGLISH, lower_case};

/// Heads of columns that hold units.
const UNIT_HEADS: &[&str] = &["unit", "units", "einheit", "einheiten", "unité", "unités", "unidad"];
/// What is before the unit at the end of a head: “Length in mm”.
const IN: &[&str] = &[" in ", " en "];
/// Units of one letter that end a head without a sign before them: “Force N”. Other letters name classes and variables.
const LETTERS: &[&str] = &["m", "g", "s", "h", "N", "V", "W", "K"];
/// Bytes of a cell that is looked into; longer ones hold sentences.
const LONGEST: usize = 80;
/// Words of a sentence that says the unit of a table: “All dimensions are in millimetres”.
const MOST_WORDS: usize = 8;

/// Reads the quantities of a table: `around` are its caption and the sentences at it, and `language` that of its section.
pub fn read_cells(grid: &mut Grid, around: &[&str], language: &Lang) {
    let table = &Anatomy::of(language).unwrap_or(&ENGLISH).quantities;
    let cells = || grid.rows.iter().flatten().map(|cell| &*cell.text);
    let decimal = [',', '.'].map(|sign| cells().any(|text| has_decimals(text, sign)));
    // Where the table shows its decimal sign, it parts no thousands: “1.005” next to “25.6”.
    let thousands = match decimal {
        [true, false] => table.thousands.filter(|sign| *sign != ','),
        [false, true] => table.thousands.filter(|sign| *sign != '.'),
        _ => table.thousands,
    };
    let reader = Reader { table, thousands };
    grid.unit = around.iter().find_map(|text| reader.unit_of_sentence(text));
    for column in &mut grid.columns {
        column.unit = reader.unit_of_column(column);
    }
    let units = reader.column_of_units(grid);
    // Of each column, whether its plain numbers name the rows, and the limit that its head sets.
    let columns = grid.columns.iter().map(|column| {
        let limit = column.heads.iter().rev().find_map(|head| reader.limit_of_head(head));
        (reader.numbers_rows(column), limit)
    });
    let columns: Vec<_> = columns.collect();
    for row in &mut grid.rows {
        let unit_of_row = reader.unit_of_row(row, units);
        for cell in row.iter_mut().filter(|cell| Some(cell.column) != units) {
            let at = cell.column as usize;
            let (Some(column), Some(&(numbers_rows, limit))) = (grid.columns.get(at), columns.get(at)) else {
                continue;
            };
            let is_label = at == 0 || cell.is_head || numbers_rows;
            let outer = [
                (column.unit.as_ref(), UnitOrigin::Column),
                (unit_of_row.as_ref().filter(|_| !is_label), UnitOrigin::Row),
                (grid.unit.as_ref().filter(|_| !is_label), UnitOrigin::Table),
            ];
            let outer = outer.into_iter().find_map(|(unit, from)| Some((unit?, from)));
            let quantity = reader.quantity(cell, outer, is_label);
            cell.quantity = quantity.map(|quantity| match (quantity.comparator, limit) {
                (Comparator::Equal, Some(limit)) => Box::new(CellQuantity { comparator: limit, ..quantity }),
                _ => Box::new(quantity),
            });
        }
    }
}

struct Reader<'a> {
    table: &'a QuantityTable,
    /// The sign that parts thousands in this table.
    thousands: Option<char>,
}

impl Reader<'_> {
    /// The quantity that a cell holds and nothing else. `is_label`: a plain number names the row, and does not count.
    fn quantity(
        &self,
        cell: &Cell,
        outer: Option<(&Unit, UnitOrigin)>,
        is_label: bool,
    ) -> Option<CellQuantity> {
        let text = without_marks(&cell.text, &cell.footnotes).replace(">=", "≥").replace("<=", "≤");
        if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if let Some((found, unit)) = self.only(&text) {
            return Some(quantity(found, Some((unit, UnitOrigin::Cell))));
        }
        // A number is read with the unit that is printed elsewhere. Where none is, any unit does, and goes again.
        let of_cell = |unit: &str| self.only(&with_unit(&text, unit));
        match outer {
            Some((unit, from)) => {
                let (found, _) = of_cell(&unit.text)?;
                Some(quantity(found, Some((unit.clone(), from))))
            }
            None if is_year(&text) => None,
            None => {
                let (found, _) = of_cell("%")?;
                let is_plain = found.comparator == Comparator::Equal && found.tolerance.is_none();
                (!is_label || !is_plain).then(|| quantity(found, None))
            }
        }
    }

    /// The quantity with a unit that a text is, with words of comparison around it.
    fn only(&self, text: &str) -> Option<(Found, Unit)> {
        let lower = lower_case(text);
        let mut found = quantities(text, &lower, &[], self.table, self.thousands);
        let one = found.pop().filter(|_| found.is_empty())?;
        let unit = one.unit.as_ref()?;
        let unit = Unit { text: text[unit.range.clone()].into(), ucum: unit.ucum.clone().map(Into::into) };
        let before = lower[..one.range.start].trim_matches(|c: char| c.is_whitespace() || c == '(');
        let after = lower[one.range.end..].trim_matches(|c: char| c.is_whitespace() || c == ')');
        // “R = 127.7 Ω” names what is measured.
        let compares = (before.is_empty()
            || before == "+"
            || before == "±"
            || before.ends_with('=')
            || self.table.is_before(before))
            && (after.is_empty() || self.table.is_after(after));
        compares.then_some((one, unit))
    }

    /// The unit that the heads of a column name, the lowest head first.
    fn unit_of_column(&self, column: &Column) -> Option<Unit> {
        column.heads.iter().rev().find_map(|head| {
            let head = without_marks(head, &column.footnotes);
            self.unit_at_end(&head).or_else(|| {
                let unit = self.whole_unit(&head)?;
                // Alone, one letter is a symbol, and `min` a limit.
                (column.heads.len() > 1 || !is_letter(&unit.text))
                    .then_some(unit)
                    .filter(|unit| *unit.text != *"min")
            })
        })
    }

    /// The column in which each row has its unit: by its head, or because all its cells are units.
    fn column_of_units(&self, grid: &Grid) -> Option<u32> {
        let is_named = |column: &Column| {
            column.heads.iter().any(|head| UNIT_HEADS.contains(&head.to_lowercase().as_str()))
        };
        let holds_units = |at: u32| {
            let cells = grid.rows.iter().flatten().filter(|cell| cell.column == at && !cell.text.is_empty());
            let mut cells = cells.map(|cell| self.whole_unit(&without_marks(&cell.text, &cell.footnotes)));
            cells.next().flatten().is_some() && cells.next().flatten().is_some() && cells.all(|u| u.is_some())
        };
        let mut columns = (0_u32..).zip(&grid.columns);
        columns.find(|(at, column)| is_named(column) || holds_units(*at)).map(|(at, _)| at)
    }

    /// The unit in the column of units, else that at the end of the first cell.
    fn unit_of_row(&self, row: &[Cell], units: Option<u32>) -> Option<Unit> {
        let text = |cell: &Cell| without_marks(&cell.text, &cell.footnotes);
        match row.iter().find(|cell| Some(cell.column) == units) {
            Some(cell) => self.whole_unit(&text(cell)),
            None => {
                row.first().filter(|cell| cell.column == 0).and_then(|cell| self.unit_at_end(&text(cell)))
            }
        }
    }

    /// The unit of “Dimensions in millimetres”, or of “Masses (kg)”.
    fn unit_of_sentence(&self, text: &str) -> Option<Unit> {
        let text = text.trim().trim_end_matches('.');
        let is_short = text.split_whitespace().count() <= MOST_WORDS;
        self.unit_in_brackets(text).or_else(|| self.unit_after(text, IN)).filter(|_| is_short)
    }

    /// The unit at the end of a head: “Mass (kg)”, “Length in mm”, “t, °C”, “Mass kg”.
    fn unit_at_end(&self, head: &str) -> Option<Unit> {
        self.unit_in_brackets(head)
            .or_else(|| self.unit_after(head, IN))
            // One letter after a comma is the symbol of what is measured.
            .or_else(|| self.unit_after(head, &[", ", "; "]).filter(|unit| !is_letter(&unit.text)))
            .or_else(|| {
                let (before, last) = head.rsplit_once(char::is_whitespace)?;
                if before.ends_with(|c: char| c.is_ascii_digit()) {
                    return None;
                }
                let is_class = || {
                    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
                    self.table.is_label(&word)
                };
                let unit = self.whole_unit(last).filter(|_| is_symbol(last) && last != "min")?;
                (!is_letter(last) || LETTERS.contains(&last) && !is_class()).then_some(unit)
            })
            // “p/kPa”: a quantity divided by its unit (ISO 80000-1, 7.1.4).
            .or_else(|| self.unit_after(head.rsplit(char::is_whitespace).next()?, &["/"]))
    }

    /// The limit that a head sets for its column: “Maximum mass”, “Mass, max.”.
    fn limit_of_head(&self, head: &str) -> Option<Comparator> {
        let head = head.to_lowercase();
        let ends = [head.split_whitespace().next(), head.split_whitespace().next_back()];
        ends.into_iter().flatten().find_map(|word| {
            let word = word.trim_matches(|c: char| matches!(c, ',' | ';' | '(' | ')'));
            self.table.limit_of(word).or_else(|| self.table.limit_of(&format!("{word}.")))
        })
    }

    fn unit_in_brackets(&self, text: &str) -> Option<Unit> {
        let inner = text.strip_suffix([')', ']'])?;
        let (_, inner) = inner.rsplit_once(['(', '['])?;
        self.whole_unit(inner.trim()).or_else(|| self.unit_after(&format!(" {inner}"), IN))
    }

    fn unit_after(&self, text: &str, joints: &[&str]) -> Option<Unit> {
        let last = joints.iter().filter_map(|joint| Some(text.rfind(joint)? + joint.len())).max()?;
        self.whole_unit(text[last..].trim())
    }

    /// The unit that a text is.
    fn whole_unit(&self, text: &str) -> Option<Unit> {
        let unit = unit_at(text, 0, &self.table.units).filter(|unit| unit.range.end == text.len())?;
        Some(Unit { text: text.into(), ucum: unit.ucum.map(Into::into) })
    }

    /// Whether the plain numbers of a column name clauses, classes or rows: “Clause”, “Item no.”.
    fn numbers_rows(&self, column: &Column) -> bool {
        column.heads.last().is_some_and(|head| {
            let head = head.to_lowercase();
            let words: Vec<&str> = head.split_whitespace().collect();
            words.len() <= 3 && words.last().is_some_and(|word| self.table.is_label(word))
                || matches!(head.as_str(), "#" | "№" | "n°" | "nº")
        })
    }
}

fn quantity(found: Found, unit: Option<(Unit, UnitOrigin)>) -> CellQuantity {
    CellQuantity {
        comparator: found.comparator,
        value: found.value.into(),
        upper: found.upper.map(Into::into),
        tolerance: found.tolerance.map(Into::into),
        unit,
    }
}

/// A text with a unit after its last number: “10 or more” with `min` is “10 min or more”.
fn with_unit(text: &str, unit: &str) -> String {
    let after = text.rfind(|c: char| c.is_ascii_digit()).map_or(text.len(), |last| last + 1);
    let after = if text[after..].starts_with(')') { after + 1 } else { after };
    if !(text[after..].is_empty() || text[after..].starts_with(char::is_whitespace)) {
        return [text, " ", unit].concat();
    }
    // “25 (max.)” is “25 max.”.
    let rest = text[after..].trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match rest {
        Some(rest) => [&text[..after], " ", unit, " ", rest].concat(),
        None => [&text[..after], " ", unit, &text[after..]].concat(),
    }
}

/// A text without the raised marks of footnotes.
fn without_marks(text: &str, marks: &[Box<str>]) -> String {
    let mut text = text.to_owned();
    for mark in marks {
        if let Some(at) = text.rfind(&format!("^{mark}")) {
            text.replace_range(at..at + 1 + mark.len(), "");
        }
    }
    text.trim().to_owned()
}

/// Whether a text has a number whose decimals follow this sign: not exactly three of them, or after a single zero.
fn has_decimals(text: &str, sign: char) -> bool {
    text.match_indices(sign).any(|(at, _)| {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (before, after) = (&text[..at], digits(&text[at + 1..]));
        let is_zero =
            before.ends_with('0') && !before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit());
        before.ends_with(|c: char| c.is_ascii_digit()) && (after > 0 && after != 3 || after == 3 && is_zero)
    })
}

fn is_letter(text: &str) -> bool {
    text.chars().count() == 1 && text.starts_with(char::is_alphabetic)
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year: u32| (1900..2100).contains(&year))
}
