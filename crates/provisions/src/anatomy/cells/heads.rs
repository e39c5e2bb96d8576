//! Heads of columns and rows, captions and sentences: the units that they give to cells.

use norma_model::table::{Cell, Column, Grid, Unit};

use super::head_words::{
    WORDS, bare, dimension, has, inside_last_brackets, is_count, is_letter, is_short_symbol, measures,
};
use super::{CellReader, without_marks};
use crate::anatomy::units::{is_symbol, size, whole_unit};

/// Most words of a sentence with the unit of a table: “All dimensions are in millimetres”.
const MOST_WORDS: usize = 8;
/// Most bytes of a unit in a head or in a column of units: longer texts are words.
const LONGEST_UNIT: usize = 24;

/// True if a text is the symbol of a unit, in brackets or not: `mm`, `[kg/m^3]`.
pub fn is_unit_symbol(text: &str) -> bool {
    is_symbol(bare(text))
}

impl CellReader<'_> {
    /// Texts across the whole table: a head of all columns, and rows of one cell.
    pub(super) fn across(&self, grid: &Grid) -> Vec<Box<str>> {
        let mut texts: Vec<Box<str>> = head_of_all_columns(grid).map(Box::from).into_iter().collect();
        for row in &grid.rows {
            let [cell] = row.as_slice() else { continue };
            if cell.columns > 1 && cell.columns as usize == grid.columns.len() {
                texts.push(cell.text.clone());
            }
        }
        texts
    }

    /// Finds the unit of each column, by its heads without the first ones that are skipped.
    pub(super) fn add_units_of_columns(&self, grid: &mut Grid, skipped: usize) {
        for column in &mut grid.columns {
            column.unit = self.unit_of_column(column, skipped);
        }
        if grid.columns.iter().all(|column| column.unit.is_none()) {
            return;
        }
        // “t (min)” next to “C (pulses)”: a word in brackets is a unit where other columns have theirs there.
        for column in &mut grid.columns {
            if column.unit.is_none()
                && let Some(head) = column.heads.last()
            {
                column.unit = unit_word(&without_marks(head, &column.footnotes));
            }
        }
    }

    /// The unit that the heads of a column name, the lowest head first.
    fn unit_of_column(&self, column: &Column, skipped: usize) -> Option<Unit> {
        let heads = heads_of(column, skipped);
        let all = heads.join(" ");
        let is_row_of_units = heads.len() > 1;
        for head in heads.iter().rev() {
            // A unit above numbers is the unit of these: “Fraction in %” above 90 and 95.
            if self.is_number(head) {
                return None;
            }
            let found = if is_row_of_units {
                self.unit_in_row_of_units(head, &all).or_else(|| self.unit_at_end(head, &all))
            } else {
                self.unit_at_end(head, &all).or_else(|| self.unit_of_only_head(head))
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The unit that one of several heads of a column is.
    fn unit_in_row_of_units(&self, head: &str, all: &str) -> Option<Unit> {
        let unit = self.unambiguous_unit(head)?;
        if is_plain(&unit, all) { Some(unit) } else { None }
    }

    /// The unit that the only head of a column is.
    fn unit_of_only_head(&self, head: &str) -> Option<Unit> {
        let unit = self.unambiguous_unit(head)?;
        // A word alone names what is in the column: “Year”, “Bytes”.
        let is_unit = is_symbol(&unit.text) && !is_letter(&unit.text);
        is_unit.then_some(unit)
    }

    /// The unit that a head is; `min` is also “minimum”, and `pH` names what is measured.
    fn unambiguous_unit(&self, head: &str) -> Option<Unit> {
        let unit = self.whole_unit(bare(head))?;
        let is_ambiguous = matches!(&*unit.text, "min" | "pH");
        (!is_ambiguous).then_some(unit)
    }

    /// The column in which each row has its unit: by its head, or because all its cells are units.
    pub(super) fn column_of_units(&self, grid: &Grid) -> Option<u32> {
        for (at, column) in (0_u32..).zip(&grid.columns) {
            if is_of_units(column) || self.holds_units(grid, at) {
                return Some(at);
            }
        }
        None
    }

    /// True if a column has several cells with text, and each is a unit.
    fn holds_units(&self, grid: &Grid, column: u32) -> bool {
        let mut units = 0;
        for cell in grid.rows.iter().flatten() {
            if cell.column != column || cell.text.is_empty() {
                continue;
            }
            let text = without_marks(&cell.text, &cell.footnotes);
            if self.whole_unit(&text).is_none() {
                return false;
            }
            units += 1;
        }
        units > 1
    }

    /// The unit in the column of units, else that at the end of the first cell.
    pub(super) fn unit_of_row(&self, row: &[Cell], units: Option<u32>) -> Option<Unit> {
        for cell in row {
            if Some(cell.column) == units {
                return self.unit_in_column_of_units(cell);
            }
        }
        let first = row.first()?;
        if first.column != 0 {
            return None;
        }
        let head = without_marks(&first.text, &first.footnotes);
        self.unit_at_end(&head, &head)
    }

    /// The unit of a cell in the column of units, where each text is a unit, known or not.
    fn unit_in_column_of_units(&self, cell: &Cell) -> Option<Unit> {
        let printed = without_marks(&cell.text, &cell.footnotes);
        let known = self.whole_unit(bare(&printed));
        if known.is_some() {
            return known;
        }
        let is_word = printed.len() <= LONGEST_UNIT && printed.starts_with(char::is_alphabetic);
        is_word.then(|| Unit { text: printed.into(), ucum: None })
    }

    /// The unit of “Dimensions in millimetres”, or of “Masses (kg)”.
    pub(super) fn unit_of_sentence(&self, text: &str) -> Option<Unit> {
        let text = text.trim().trim_end_matches(['.', ':', ';']);
        let lower = text.to_lowercase();
        // “Dimensions in millimetres unless stated otherwise”
        let opens = WORDS.dimensions.iter().any(|opener| lower.starts_with(opener.as_str()));
        if opens && let Some(at) = behind_first_joint(text) {
            let ends_word = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.');
            let word = text[at..].split(ends_word).next().unwrap_or_default();
            return self.whole_unit(word);
        }
        if text.split_whitespace().count() > MOST_WORDS {
            return None;
        }
        let unit = match self.unit_in_brackets(text) {
            Some(unit) => unit,
            None => self.unit_after(text, &WORDS.joints)?,
        };
        if is_plain(&unit, text) { Some(unit) } else { None }
    }

    /// The unit at the end of a head: “Mass (kg)”, “Length in mm”, “t, °C”, “Mass kg”, “p/kPa”. `all` are the
    /// heads around it. The forms are tried from the surest to the least sure.
    fn unit_at_end(&self, head: &str, all: &str) -> Option<Unit> {
        let head = self.without_limit(head);
        if let Some(unit) = self.unit_of_last_words(head, all) {
            return Some(unit);
        }
        // One letter after a comma is the symbol of what is measured.
        if let Some(unit) = self.unit_after(head, &[",", ";"])
            && !is_letter(&unit.text)
        {
            return Some(unit);
        }
        if let Some(unit) = self.unit_before_brackets(head) {
            return Some(unit);
        }
        // “Class (A)”: a letter behind a word such as “class” is a name.
        if let Some(unit) = self.unit_in_brackets(head)
            && (is_plain(&unit, all) || !self.is_last_word_labelled(head))
        {
            return Some(unit);
        }
        if let Some(unit) = self.unit_after(head, &WORDS.joints)
            && (is_plain(&unit, all) || is_short_symbol(head))
        {
            return Some(unit);
        }
        // A quantity divided by its unit (ISO 80000-1, 7.1.4).
        let last = head.rsplit(char::is_whitespace).next()?;
        if let Some(unit) = self.unit_after(last, &["/"])
            && (is_plain(&unit, all) || is_short_symbol(last))
        {
            return Some(unit);
        }
        // “Length in mm (see 5.2)”
        let (before, _) = head.strip_suffix(')')?.rsplit_once('(')?;
        self.unit_at_end(before.trim_end(), all)
    }

    /// The symbol before brackets that say more of it: “Residue % (m/m)”.
    fn unit_before_brackets(&self, head: &str) -> Option<Unit> {
        let (before, _) = head.strip_suffix(')')?.rsplit_once('(')?;
        let last = before.trim_end().rsplit(char::is_whitespace).next()?;
        if is_letter(last) || !is_symbol(last) {
            return None;
        }
        self.whole_unit(last)
    }

    /// True if the word before the last one says that the last one is a name: “Type A”.
    fn is_last_word_labelled(&self, head: &str) -> bool {
        let head = head.trim_end_matches([')', ']']);
        let mut words = head.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        match words.nth(1) {
            Some(word) => self.table.is_label(&word.to_lowercase()),
            None => false,
        }
    }

    /// The unit in the last words of a head: `kg`, `kg m^2`, `N · m`, `W/(m K)`.
    fn unit_of_last_words(&self, head: &str, all: &str) -> Option<Unit> {
        let mut found: Option<Unit> = None;
        for (at, blank) in head.char_indices().rev() {
            if !blank.is_whitespace() {
                continue;
            }
            let (before, last) = (&head[..at], &head[at + blank.len_utf8()..]);
            if last.len() > LONGEST_UNIT || before.ends_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            if !is_symbol(last) || matches!(last, "min" | "pH") {
                continue;
            }
            let Some(unit) = self.whole_unit(last) else { continue };
            if let Some(divisor) = self.divisor_of_symbol(last, all) {
                return self.whole_unit(divisor);
            }
            // The letter before a unit may be the symbol of what is measured.
            let begins_with_symbol = found.is_some() && may_begin_with_symbol(last);
            if !begins_with_symbol && is_plain(&unit, all) {
                found = Some(unit);
            }
        }
        found
    }

    /// The unit by which the symbol of a quantity is divided: “Time t/s” divides by the unit of a time,
    /// “Speed m/s” does not.
    fn divisor_of_symbol<'h>(&self, text: &'h str, heads: &str) -> Option<&'h str> {
        let (symbol, unit) = text.split_once('/')?;
        if !is_letter(symbol) {
            return None;
        }
        let measured = dimension(heads)?;
        (self.dimension_of(unit) == Some(measured)).then_some(unit)
    }

    fn unit_in_brackets(&self, text: &str) -> Option<Unit> {
        let inner = inside_last_brackets(text)?;
        // “f(V)”: a letter behind another one is an argument.
        let is_argument = text[..text.len() - inner.len() - 2].ends_with(char::is_alphanumeric);
        if let Some(unit) = self.whole_unit(inner.trim())
            && !(is_argument && is_letter(&unit.text))
        {
            return Some(unit);
        }
        self.unit_after(&format!(" {inner}"), &WORDS.joints)
    }

    /// The unit after the last one of these words or signs.
    fn unit_after(&self, text: &str, joints: &[impl AsRef<str>]) -> Option<Unit> {
        let mut last_end = None;
        for joint in joints {
            let joint = joint.as_ref();
            let end = text.rfind(joint).map(|start| start + joint.len());
            last_end = last_end.max(end);
        }
        self.whole_unit(bare(text[last_end?..].trim()))
    }

    /// The dimension of a unit, by one of its units.
    fn dimension_of(&self, unit: &str) -> Option<&'static str> {
        let ucum = whole_unit(unit, &self.table.units)??;
        let base = match size(&ucum) {
            Some((base, _)) => base,
            None if ucum == "Cel" => "K",
            None => &ucum,
        };
        for measure in &WORDS.measure {
            if measure.unit == base {
                return Some(&measure.unit);
            }
        }
        None
    }

    /// The unit that a text is.
    fn whole_unit(&self, text: &str) -> Option<Unit> {
        let ucum = whole_unit(text, &self.table.units)?;
        Some(Unit { text: text.into(), ucum: ucum.map(Into::into) })
    }

    /// True if the plain numbers under a head name clauses, classes or rows: “Clause”, “Item no.”, “Type of
    /// test”.
    pub(super) fn numbers_rows(&self, head: &str) -> bool {
        let head = head.to_lowercase();
        if is_count(&head) {
            return false;
        }
        if matches!(&*head, "#" | "№" | "n°" | "nº") {
            return true;
        }
        let words: Vec<&str> = head.split(|c: char| c.is_whitespace() || matches!(c, '’' | '\'')).collect();
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
        if words.len() <= 3 && self.is_name_of_rows(last) {
            return true;
        }
        let names_of_something = words.len() > 1 && has(&WORDS.of, words[1]);
        names_of_something && self.is_name_of_rows(first)
    }

    /// True if a word, in singular or plural, names rows by their numbers.
    fn is_name_of_rows(&self, word: &str) -> bool {
        let word = word.replace('-', "");
        if has(&WORDS.values, &word) {
            return false;
        }
        let is_name = |word: &str| self.table.is_label(word) || has(&WORDS.names, word);
        is_name(&word) || word.strip_suffix('s').is_some_and(is_name)
    }

    /// True if a head states that the numbers below are counts, or measures in the unit of the table, and do
    /// not name rows.
    pub(super) fn is_measured(&self, unit: Option<&Unit>, heads: &str) -> bool {
        if is_count(&heads.to_lowercase()) {
            return true;
        }
        if unit.is_none() {
            return false;
        }
        let names_quantity = dimension(heads).is_some() || is_short_symbol(heads);
        names_quantity && self.may_have(unit, heads)
    }

    /// True if the measured quantity of a head may have a unit: a count has none, and a mass no millimetres.
    pub(super) fn may_have(&self, unit: Option<&Unit>, heads: &str) -> bool {
        if is_count(&heads.to_lowercase()) {
            return false;
        }
        let ucum = unit.and_then(|unit| unit.ucum.as_deref());
        let Some((of_unit, _)) = ucum.and_then(size) else { return true };
        match dimension(heads) {
            Some(of_heads) => of_heads == of_unit,
            None => true,
        }
    }
}

/// The heads of a column without the first ones that are skipped, and without marks of footnotes.
pub(super) fn heads_of(column: &Column, skipped: usize) -> Vec<String> {
    column.heads.iter().skip(skipped).map(|head| without_marks(head, &column.footnotes)).collect()
}

/// The first head of each of several columns, if they share it.
fn head_of_all_columns(grid: &Grid) -> Option<&str> {
    let head = grid.columns.first()?.heads.first()?;
    let is_shared = grid.columns.iter().all(|column| column.heads.first() == Some(head));
    (is_shared && grid.columns.len() > 1).then_some(&**head)
}

/// The end of the first word or sign that parts a measured quantity from its unit.
fn behind_first_joint(text: &str) -> Option<usize> {
    let ends = WORDS.joints.iter().filter_map(|joint| Some(text.find(joint.as_str())? + joint.len()));
    ends.min()
}

/// True for a unit that is not a single letter, or the letter of a unit of what heads measure.
fn is_plain(unit: &Unit, heads: &str) -> bool {
    !is_letter(&unit.text) || measures(heads, &unit.text)
}

/// True if a letter and a power may be a symbol and a unit: `A` of “Area A m^2” is a symbol of what is
/// measured, `J` of “Entropy J K^−1” is not.
fn may_begin_with_symbol(words: &str) -> bool {
    let first = words.split(char::is_whitespace).next().unwrap_or_default();
    if !is_letter(first) || words.contains(['−', '⁻', '-', '·', '⋅']) {
        return false;
    }
    words.ends_with(|c: char| !c.is_alphabetic())
}

fn is_of_units(column: &Column) -> bool {
    column.heads.iter().any(|head| has(&WORDS.unit_heads, &head.to_lowercase()))
}

/// “C_S (pulses)”: a word in brackets behind a symbol.
fn unit_word(head: &str) -> Option<Unit> {
    let inner = inside_last_brackets(head)?;
    let is_word = inner.len() > 2 && inner.chars().all(char::is_lowercase);
    let symbol = head[..head.len() - inner.len() - 2].trim_end_matches([' ', '/', '\n']);
    let is_behind_symbol = !symbol.contains(' ') && is_short_symbol(symbol);
    (is_word && is_behind_symbol).then(|| Unit { text: inner.into(), ucum: None })
}
