//! Quantities of cells: a cell that holds one value and nothing else, with the unit that it prints, or its
//! column, row or table.

mod heads;

use heads::dimension;
pub use heads::is_unit_symbol;
use norma_model::table::{Cell, CellQuantity, Column, Grid, Unit, UnitOrigin};
use norma_model::{Comparator, Lang};

use super::numbers::{Notation, Separators, decimal_sign, number_at};
use super::quantities::{FoundQuantity, QuantityTable, QuantityText, quantities};
use super::{Anatomy, ENGLISH, lower_case};

/// Most bytes of a cell that is read; longer ones hold sentences.
const LONGEST: usize = 80;
/// A unit that is added for reading a number without one.
const ANY_UNIT: &str = "kg";
/// Most words behind the number of a cell that are its unit, if the column repeats them: “36,0 Rockwell
/// units”.
const MOST_UNIT_WORDS: usize = 2;

/// Reads the quantities of a table: `around` are its caption and the sentences at it, and `language` that of
/// its section.
pub fn read_cells(grid: &mut Grid, around: &[&str], language: &Lang) {
    let table = &Anatomy::of(language).unwrap_or(&ENGLISH).quantities;
    let cells = || grid.rows.iter().flatten().map(|cell| &*cell.text);
    // Where the table shows its decimal sign, it parts no thousands: “1.005” next to “25.6”.
    let decimal = decimal_sign(cells(), |_, _| true).or(None);
    let reader = CellReader { table, separators: Separators { decimal, thousands: table.thousands } };
    let across = reader.across(grid);
    let sentences = around.iter().copied().chain(across.iter().map(|text| &**text));
    grid.unit = sentences.into_iter().find_map(|text| reader.unit_of_sentence(text));
    let skipped = usize::from(across.iter().any(|text| {
        grid.columns.first().is_some_and(|column| column.heads.first() == Some(text))
            && reader.unit_of_sentence(text).is_some()
    }));
    reader.add_units_of_columns(grid, skipped);
    let units = reader.column_of_units(grid);
    let columns: Vec<ColumnContext> = (0..)
        .zip(&grid.columns)
        .map(|(at, column)| reader.context(at, column, skipped, grid.unit.as_ref()))
        .collect();
    let words = reader.repeated_words(grid);
    let limit_of_table = around.iter().find_map(|text| reader.limit_of_table(text));
    for row in &mut grid.rows {
        let head = row
            .first()
            .filter(|cell| cell.column == 0)
            .map(|cell| without_marks(&cell.text, &cell.footnotes));
        let line = RowContext {
            unit: reader.unit_of_row(row, units),
            limit: head.as_ref().and_then(|head| reader.limit_of_head(head)),
            numbers: head.as_ref().is_some_and(|head| reader.numbers_rows(head)),
            takes: head.as_ref().is_none_or(|head| reader.may_have(grid.unit.as_ref(), head)),
        };
        for cell in row.iter_mut().filter(|cell| Some(cell.column) != units) {
            let at = cell.column as usize;
            let (Some(column), Some(context)) = (grid.columns.get(at), columns.get(at)) else { continue };
            let is_label =
                context.is_label || cell.is_head || at > 0 && line.numbers && is_digits(&cell.text);
            let of_table = grid.unit.as_ref().filter(|_| !is_label && line.takes && context.takes);
            let outer = [
                (column.unit.as_ref(), UnitOrigin::Column),
                (line.unit.as_ref().filter(|_| !is_label && at > 0), UnitOrigin::Row),
                (of_table, UnitOrigin::Table),
            ];
            let outer = outer.into_iter().find_map(|(unit, from)| Some((unit?, from)));
            let words = reader.words_after(cell).filter(|own| words.binary_search(own).is_ok());
            let found = reader.quantity(cell, outer, is_label, words.as_ref().map(|(_, words)| &**words));
            // “5.1 to 5.3” below “Clauses”, “0A” below “Code”
            let is_name = |found: &CellQuantity| match &found.unit {
                None => context.names,
                Some((unit, UnitOrigin::Cell)) => {
                    is_label && unit.text.len() == 1 && !cell.text.contains(char::is_whitespace)
                }
                Some(_) => false,
            };
            let found = found.filter(|found| !is_name(found));
            let of_table =
                limit_of_table.as_ref().filter(|limit| at > 0 && !is_label && limit.holds(context));
            let limit = context
                .limit
                .or(line.limit.filter(|_| at > 0))
                .or_else(|| of_table.map(|limit| limit.comparator));
            cell.quantity = found.map(|quantity| match (quantity.comparator, limit, &quantity.tolerance) {
                (Comparator::Equal, Some(limit), None) => {
                    Box::new(CellQuantity { comparator: limit, ..quantity })
                }
                _ => Box::new(quantity),
            });
        }
    }
}

/// The values for cells from the heads of a column.
struct ColumnContext {
    /// Whether its values may have the unit of the table.
    takes: bool,
    /// It has names of clauses, classes, types.
    names: bool,
    /// Its plain numbers name the rows.
    is_label: bool,
    /// Limit that its plain values are.
    limit: Option<Comparator>,
    /// The dimension of what its heads measure.
    dimension: Option<&'static str>,
}

/// A limit that a caption or a sentence at a table sets for its values.
struct TableLimit {
    comparator: Comparator,
    /// The dimension of what it limits.
    dimension: Option<&'static str>,
}

impl TableLimit {
    /// Whether a column has what is limited; one of another measured quantity says for what it is.
    fn holds(&self, column: &ColumnContext) -> bool {
        column.dimension.is_none() || column.dimension == self.dimension
    }
}

/// The values for cells from the head of a row.
struct RowContext {
    unit: Option<Unit>,
    limit: Option<Comparator>,
    /// Its plain numbers name the columns.
    numbers: bool,
    /// Whether its values may have the unit of the table.
    takes: bool,
}

struct CellReader<'a> {
    table: &'a QuantityTable,
    /// The signs in the numbers of this table.
    separators: Separators,
}

impl CellReader<'_> {
    /// The context from the heads of a column, without the first ones that are skipped.
    fn context(&self, at: usize, column: &Column, skipped: usize, of_table: Option<&Unit>) -> ColumnContext {
        let heads = column.heads.iter().skip(skipped);
        let heads: Vec<String> = heads.map(|head| without_marks(head, &column.footnotes)).collect();
        let all = heads.join(" ");
        let names = heads.last().is_some_and(|head| self.numbers_rows(head));
        let is_label = names || at == 0 && !self.is_measured(of_table, &all);
        // A limit above heads that are numbers is a limit of these.
        let mut below = heads.iter().rev().take_while(|head| !self.is_number(head));
        let limit = below.find_map(|head| self.limit_of_head(head));
        let (takes, dimension) = (self.may_have(of_table, &all), dimension(&all));
        ColumnContext { takes, names, is_label, limit, dimension }
    }

    /// The quantity of a cell that has nothing else. `is_label`: a plain number names the row, and does not
    /// count. `words` are the unit of the cell and of others of its column.
    fn quantity(
        &self,
        cell: &Cell,
        outer: Option<(&Unit, UnitOrigin)>,
        is_label: bool,
        words: Option<&str>,
    ) -> Option<CellQuantity> {
        let text = without_marks(&cell.text, &cell.footnotes).replace(">=", "≥").replace("<=", "≤");
        let text = text.strip_prefix('+').filter(|rest| !rest.contains(['−', '-'])).unwrap_or(&text);
        if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if let Some((found, unit)) = self.only(text) {
            return Some(quantity(found, Some((unit, UnitOrigin::Cell))));
        }
        if let Some((number, word)) = words.and_then(|word| Some((text.strip_suffix(word)?, word))) {
            let (found, _) = self.only(&with_unit(number.trim_end(), ANY_UNIT))?;
            return Some(quantity(found, Some((Unit { text: word.into(), ucum: None }, UnitOrigin::Cell))));
        }
        if outer.is_none() && is_year(text) {
            return None;
        }
        let (found, _) = self.only(&with_unit(text, ANY_UNIT))?;
        let is_value = matches!(found.comparator, None | Some(Comparator::Equal));
        let is_plain = is_value && found.tolerance.is_none();
        let outer = outer.map(|(unit, from)| (unit.clone(), from));
        (outer.is_some() || !is_label || !is_plain).then(|| quantity(found, outer))
    }

    /// The quantity with a unit of a text that has only words of comparison around it.
    fn only(&self, text: &str) -> Option<(FoundQuantity, Unit)> {
        let lower = lower_case(text);
        let source =
            QuantityText { text, lower: &lower, lead_in: "", excluded: &[], separators: self.separators };
        let mut found = quantities(source, self.table);
        let one = found.pop().filter(|_| found.is_empty())?;
        let unit = one.unit.as_ref()?;
        let unit = Unit { text: text[unit.range.clone()].into(), ucum: unit.ucum.clone().map(Into::into) };
        let before = lower[..one.range.start].trim_matches(|c: char| c.is_whitespace() || c == '(');
        let after = lower[one.range.end..].trim_matches(|c: char| c.is_whitespace() || c == ')');
        // “R = 127.7 Ω” names what is measured.
        let compares = (before.is_empty()
            || before == "+"
            || before == "±"
            || before.ends_with('=') && !has_number(before)
            || self.table.is_before(before))
            && (after.is_empty() || self.table.is_after(after));
        compares.then_some((one, unit))
    }

    /// The words behind numbers that several cells of a column have, with the column: “36,0 Rockwell
    /// units”.
    fn repeated_words(&self, grid: &Grid) -> Vec<(u32, String)> {
        let mut found: Vec<(u32, String)> =
            grid.rows.iter().flatten().filter_map(|cell| self.words_after(cell)).collect();
        found.sort_unstable();
        let repeated = found.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
        repeated.map(|same| same[0].clone()).collect()
    }

    fn words_after(&self, cell: &Cell) -> Option<(u32, String)> {
        let text = without_marks(&cell.text, &cell.footnotes);
        let number = number_at(&text, 0, Notation { words: None, separators: self.separators })?;
        let words = text.get(number.range.end..)?.strip_prefix([' ', '\u{a0}'])?;
        let is_words = words.chars().all(|c| c.is_alphabetic() || c == ' ')
            && words.split(' ').count() <= MOST_UNIT_WORDS;
        let lower = words.to_lowercase();
        let compares =
            self.table.is_after(&lower) || lower.split(' ').any(|word| self.table.is_function_word(word));
        (is_words && !compares).then(|| (cell.column, words.to_owned()))
    }

    /// Whether a text is a number and nothing else.
    fn is_number(&self, text: &str) -> bool {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        let text = text.split('^').next().unwrap_or_default().trim_end();
        number_at(text, 0, Notation { words: None, separators: self.separators })
            .is_some_and(|number| number.range.end == text.len())
    }
}

fn quantity(found: FoundQuantity, unit: Option<(Unit, UnitOrigin)>) -> CellQuantity {
    CellQuantity {
        // A bare number in a cell is the value.
        comparator: found.comparator.unwrap_or(Comparator::Equal),
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

/// Whether a text has a number, indices and powers aside: “1 au =” has one, “y_1 = R =” has none.
pub fn has_number(text: &str) -> bool {
    let begins = |(at, c): (usize, char)| {
        let before = text[..at].trim_end_matches(['−', '-']);
        c.is_ascii_digit() && !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '^'))
    };
    text.char_indices().any(begins)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year: u32| (1900..2100).contains(&year))
}
