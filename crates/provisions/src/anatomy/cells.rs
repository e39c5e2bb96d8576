//! Quantities of cells: a cell that holds one value and nothing else, with the unit that it prints, or its
//! column, row or table.

mod head_words;
mod heads;
mod limits;

use head_words::dimension;
use heads::heads_of;
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
    let texts = grid.rows.iter().flatten().map(|cell| &*cell.text);
    // Where the table shows its decimal sign, it parts no thousands: “1.005” next to “25.6”.
    // A number in a cell counts without a unit, which is mostly in a head.
    let has_unit = |_: &str, _: usize| true;
    let decimal = decimal_sign(texts, has_unit).or(None);
    let reader = CellReader { table, separators: Separators { decimal, thousands: table.thousands } };
    let across = reader.across(grid);
    grid.unit = reader.unit_of_table(around, &across);
    let skipped = usize::from(reader.has_head_for_unit_of_table(grid, &across));
    reader.add_units_of_columns(grid, skipped);
    let column_of_units = reader.column_of_units(grid);
    let repeated_words = reader.repeated_words(grid);
    let mut contexts = Vec::with_capacity(grid.columns.len());
    for (at, column) in grid.columns.iter().enumerate() {
        contexts.push(reader.context(at, column, skipped, grid.unit.as_ref()));
    }
    let context = TableContext {
        unit: grid.unit.as_ref(),
        columns: &grid.columns,
        contexts,
        column_of_units,
        limit: around.iter().find_map(|text| reader.limit_of_table(text)),
        repeated_words,
    };
    for row in &mut grid.rows {
        let row_context = reader.row_context(row, &context);
        for cell in row {
            if Some(cell.column) == context.column_of_units {
                continue;
            }
            cell.quantity = reader.quantity_in_table(cell, &row_context, &context).map(Box::new);
        }
    }
}

/// The values for cells from what is around the table and from the heads of its columns.
struct TableContext<'t> {
    /// The unit of the whole table.
    unit: Option<&'t Unit>,
    columns: &'t [Column],
    /// What the heads of each column say.
    contexts: Vec<ColumnContext>,
    /// The column in which each row has its unit.
    column_of_units: Option<u32>,
    limit: Option<TableLimit>,
    /// Words behind numbers that are the unit of their column, in order.
    repeated_words: Vec<(u32, String)>,
}

/// The values for cells from the heads of a column.
struct ColumnContext {
    /// True where values may have the unit of the table.
    takes: bool,
    /// True if the column has names of clauses, classes or types.
    names: bool,
    /// True if the plain numbers of the column name the rows.
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
    /// True if a column has what is limited; one of another measured quantity says for what it is.
    fn holds(&self, column: &ColumnContext) -> bool {
        column.dimension.is_none() || column.dimension == self.dimension
    }
}

/// The values for cells from the head of a row.
struct RowContext {
    unit: Option<Unit>,
    limit: Option<Comparator>,
    /// True if the plain numbers of the row name the columns.
    numbers: bool,
    /// True where values may have the unit of the table.
    takes: bool,
}

struct CellReader<'a> {
    table: &'a QuantityTable,
    /// The signs in the numbers of this table.
    separators: Separators,
}

impl CellReader<'_> {
    /// The unit of the whole table: in its caption, in a sentence at it, or in a text across it.
    fn unit_of_table(&self, around: &[&str], across: &[Box<str>]) -> Option<Unit> {
        for text in around.iter().copied().chain(across.iter().map(|text| &**text)) {
            let unit = self.unit_of_sentence(text);
            if unit.is_some() {
                return unit;
            }
        }
        None
    }

    /// True if the first head of the columns is across all of them and names the unit of the table, so that
    /// it says nothing of a column.
    fn has_head_for_unit_of_table(&self, grid: &Grid, across: &[Box<str>]) -> bool {
        let first = grid.columns.first().and_then(|column| column.heads.first());
        let Some(head) = first else { return false };
        across.contains(head) && self.unit_of_sentence(head).is_some()
    }

    /// The context from the heads of a column, without the first ones that are skipped.
    fn context(&self, at: usize, column: &Column, skipped: usize, of_table: Option<&Unit>) -> ColumnContext {
        let heads = heads_of(column, skipped);
        let all = heads.join(" ");
        let names = heads.last().is_some_and(|head| self.numbers_rows(head));
        let is_label = names || at == 0 && !self.is_measured(of_table, &all);
        ColumnContext {
            takes: self.may_have(of_table, &all),
            names,
            is_label,
            limit: self.limit_of_heads(&heads),
            dimension: dimension(&all),
        }
    }

    /// The limit that the heads of a column set, the lowest head first.
    fn limit_of_heads(&self, heads: &[String]) -> Option<Comparator> {
        for head in heads.iter().rev() {
            // A limit above heads that are numbers is a limit of these.
            if self.is_number(head) {
                return None;
            }
            let limit = self.limit_of_head(head);
            if limit.is_some() {
                return limit;
            }
        }
        None
    }

    /// The context from the head of a row, which is the cell of the first column.
    fn row_context(&self, row: &[Cell], table: &TableContext<'_>) -> RowContext {
        let unit = self.unit_of_row(row, table.column_of_units);
        let Some(first) = row.first().filter(|cell| cell.column == 0) else {
            return RowContext { unit, limit: None, numbers: false, takes: true };
        };
        let head = without_marks(&first.text, &first.footnotes);
        RowContext {
            unit,
            limit: self.limit_of_head(&head),
            numbers: self.numbers_rows(&head),
            takes: self.may_have(table.unit, &head),
        }
    }

    /// The quantity of a cell with the unit and the limit that the table gives it.
    fn quantity_in_table(
        &self,
        cell: &Cell,
        row: &RowContext,
        table: &TableContext<'_>,
    ) -> Option<CellQuantity> {
        let at = cell.column as usize;
        let column = table.contexts.get(at)?;
        let in_numbered_row = at > 0 && row.numbers && is_digits(&cell.text);
        let is_label = column.is_label || cell.is_head || in_numbered_row;
        let outer = outer_unit(cell, is_label, row, table);
        let words = self.repeated_words_after(cell, table);
        let mut quantity = self.quantity(cell, outer, is_label, words.as_deref())?;
        if is_name(&quantity, cell, is_label, column) {
            return None;
        }
        let is_plain = quantity.comparator == Comparator::Equal && quantity.tolerance.is_none();
        if is_plain && let Some(limit) = outer_limit(at, is_label, row, table) {
            quantity.comparator = limit;
        }
        Some(quantity)
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
        let text = without_plus(&text);
        if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if let Some((found, unit)) = self.only(text) {
            return Some(quantity(found, Some((unit, UnitOrigin::Cell))));
        }
        if let Some(words) = words
            && let Some(number) = text.strip_suffix(words)
        {
            let (found, _) = self.only(&with_unit(number.trim_end(), ANY_UNIT))?;
            let unit = Unit { text: words.into(), ucum: None };
            return Some(quantity(found, Some((unit, UnitOrigin::Cell))));
        }
        if outer.is_none() && is_year(text) {
            return None;
        }
        let (found, _) = self.only(&with_unit(text, ANY_UNIT))?;
        if let Some((unit, origin)) = outer {
            return Some(quantity(found, Some((unit.clone(), origin))));
        }
        let is_value = matches!(found.comparator, None | Some(Comparator::Equal));
        let is_plain = is_value && found.tolerance.is_none();
        if is_label && is_plain { None } else { Some(quantity(found, None)) }
    }

    /// The quantity with a unit of a text that has only words of comparison around it.
    fn only(&self, text: &str) -> Option<(FoundQuantity, Unit)> {
        let lower = lower_case(text);
        let source =
            QuantityText { text, lower: &lower, lead_in: "", excluded: &[], separators: self.separators };
        let mut found = quantities(source, self.table);
        let one = found.pop()?;
        if !found.is_empty() {
            return None;
        }
        let unit = one.unit.as_ref()?;
        let unit = Unit { text: text[unit.range.clone()].into(), ucum: unit.ucum.clone().map(Into::into) };
        let after = lower[one.range.end..].trim_matches(|c: char| c.is_whitespace() || c == ')');
        if !after.is_empty() && !self.table.is_after(after) {
            return None;
        }
        let before = lower[..one.range.start].trim_matches(|c: char| c.is_whitespace() || c == '(');
        if self.may_precede(before) { Some((one, unit)) } else { None }
    }

    /// True if a text before the only quantity of a cell leaves it the only content.
    fn may_precede(&self, before: &str) -> bool {
        if matches!(before, "" | "+" | "±") {
            return true;
        }
        // “R = 127.7 Ω” names what is measured.
        if before.ends_with('=') && !has_number(before) {
            return true;
        }
        self.table.is_before(before)
    }

    /// The words behind numbers that several cells of a column have, with the column: “36,0 Rockwell
    /// units”.
    fn repeated_words(&self, grid: &Grid) -> Vec<(u32, String)> {
        let cells = grid.rows.iter().flatten();
        let mut found: Vec<(u32, String)> = cells.filter_map(|cell| self.words_after(cell)).collect();
        found.sort_unstable();
        let mut repeated = Vec::new();
        for same in found.chunk_by(|a, b| a == b) {
            if same.len() > 1 {
                repeated.push(same[0].clone());
            }
        }
        repeated
    }

    /// The words behind the number of a cell, if others of its column have them too.
    fn repeated_words_after(&self, cell: &Cell, table: &TableContext<'_>) -> Option<String> {
        let own = self.words_after(cell)?;
        table.repeated_words.binary_search(&own).ok()?;
        let (_, words) = own;
        Some(words)
    }

    /// The words behind the number of a cell that may be its unit, with the column.
    fn words_after(&self, cell: &Cell) -> Option<(u32, String)> {
        let text = without_marks(&cell.text, &cell.footnotes);
        let number = number_at(&text, 0, Notation { words: None, separators: self.separators })?;
        let words = text.get(number.range.end..)?.strip_prefix([' ', '\u{a0}'])?;
        let is_words = words.chars().all(|c| c.is_alphabetic() || c == ' ');
        if !is_words || words.split(' ').count() > MOST_UNIT_WORDS {
            return None;
        }
        let lower = words.to_lowercase();
        // “36 or more” compares.
        if self.table.is_after(&lower) {
            return None;
        }
        for word in lower.split(' ') {
            if self.table.is_function_word(word) {
                return None;
            }
        }
        Some((cell.column, words.to_owned()))
    }

    /// True if a text is a number and nothing else.
    fn is_number(&self, text: &str) -> bool {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        let text = text.split('^').next().unwrap_or_default().trim_end();
        let number = number_at(text, 0, Notation { words: None, separators: self.separators });
        number.is_some_and(|number| number.range.end == text.len())
    }
}

/// The unit for a cell that prints none: that of its column, else of its row, else of the table.
fn outer_unit<'t>(
    cell: &Cell,
    is_label: bool,
    row: &'t RowContext,
    table: &'t TableContext<'_>,
) -> Option<(&'t Unit, UnitOrigin)> {
    let at = cell.column as usize;
    if let Some(unit) = &table.columns[at].unit {
        return Some((unit, UnitOrigin::Column));
    }
    if is_label {
        return None;
    }
    if at > 0
        && let Some(unit) = &row.unit
    {
        return Some((unit, UnitOrigin::Row));
    }
    let takes = row.takes && table.contexts[at].takes;
    let unit = table.unit.filter(|_| takes)?;
    Some((unit, UnitOrigin::Table))
}

/// The limit for a plain value of a cell: that of its column, else of its row, else of the table.
fn outer_limit(at: usize, is_label: bool, row: &RowContext, table: &TableContext<'_>) -> Option<Comparator> {
    let column = &table.contexts[at];
    if column.limit.is_some() {
        return column.limit;
    }
    if at == 0 {
        return None;
    }
    if row.limit.is_some() {
        return row.limit;
    }
    let limit = table.limit.as_ref()?;
    (!is_label && limit.holds(column)).then_some(limit.comparator)
}

/// True if what reads like a quantity is a name: “5.1 to 5.3” below “Clauses”, “0A” below “Code”.
fn is_name(quantity: &CellQuantity, cell: &Cell, is_label: bool, column: &ColumnContext) -> bool {
    match &quantity.unit {
        None => column.names,
        Some((unit, UnitOrigin::Cell)) => {
            is_label && unit.text.len() == 1 && !cell.text.contains(char::is_whitespace)
        }
        Some(_) => false,
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

/// A text without the plus before its value; the plus of a deviation, “+2 −1”, remains.
fn without_plus(text: &str) -> &str {
    match text.strip_prefix('+') {
        Some(rest) if !rest.contains(['−', '-']) => rest,
        _ => text,
    }
}

/// A text with a unit after its last number: “10 or more” with `min` is “10 min or more”.
fn with_unit(text: &str, unit: &str) -> String {
    let last_digit = text.rfind(|c: char| c.is_ascii_digit());
    let mut after = last_digit.map_or(text.len(), |last| last + 1);
    if text[after..].starts_with(')') {
        after += 1;
    }
    let rest = &text[after..];
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return [text, " ", unit].concat();
    }
    // “25 (max.)” is “25 max.”.
    let inner = rest.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) => [&text[..after], " ", unit, " ", inner].concat(),
        None => [&text[..after], " ", unit, rest].concat(),
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

/// True if a text has a number, indices and powers aside: “1 au =” has one, “y_1 = R =” has none.
pub fn has_number(text: &str) -> bool {
    for (at, c) in text.char_indices() {
        if !c.is_ascii_digit() {
            continue;
        }
        let before = text[..at].trim_end_matches(['−', '-']);
        let goes_on = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '^'));
        if !goes_on {
            return true;
        }
    }
    false
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year: u32| (1900..2100).contains(&year))
}
