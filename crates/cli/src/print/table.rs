//! Tables that fit the terminal: text gets the width, and empty columns are left out. Words are not broken,
//! so that URNs and ids can be copied.
//!
//! Where the columns of a row do not fit side by side, the widest go below it, each on lines of its own; but
//! of two columns the second has the rest of the width. Without a terminal a row is one line.

use std::fmt::{Display, Formatter, Result};

use anstyle::Style;
use norma_audit::terminal::escaped;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style;

/// The narrowest terminal, in columns, for which tables are fitted.
const NARROWEST: usize = 40;

/// Least width of a column whose text is wider.
const READABLE: usize = 26;

/// Spaces between two columns.
const GAP: usize = 2;

/// Spaces in front of each line below a row.
const INDENT: usize = 4;

/// A table whose cells are escaped.
pub(crate) struct PrintedTable {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    width: usize,
}

/// A table with these columns.
pub(crate) fn table(columns: &[&str]) -> PrintedTable {
    let heads = columns.iter().map(|head| escaped(head).into_owned()).collect();
    PrintedTable { heads, rows: Vec::new(), width: width() }
}

/// Columns of the terminal: `COLUMNS`, or the terminal's own value; no limit without either.
#[allow(clippy::disallowed_methods, reason = "the variable says how wide the terminal is")]
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let of_terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into());
    // Some terminals do not know how wide they are, and say 0.
    columns.or_else(of_terminal).map_or(usize::MAX, |columns: usize| columns.max(NARROWEST))
}

/// The positions of the columns of a table.
struct TableLayout {
    /// The columns side by side.
    row: Vec<FittedColumn>,
    /// The columns below each row.
    below: Vec<usize>,
}

/// A column of a table with its width on the terminal.
struct FittedColumn {
    column: usize,
    width: usize,
    /// True if all cells are numbers, which are aligned at the right.
    is_numeric: bool,
}

impl PrintedTable {
    /// Adds a row with a cell for each column, in their order; control characters are escaped.
    pub(crate) fn add_row(&mut self, cells: impl IntoIterator<Item: AsRef<str>>) {
        self.rows.push(cells.into_iter().map(|cell| escaped(cell.as_ref()).into_owned()).collect());
    }

    /// Prints the table, in colours if the terminal has them.
    pub(crate) fn print(&self) {
        super::styled(format_args!("{self:#}"));
    }

    /// Number of rows without the head.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(column)).map(String::as_str)
    }

    fn layout(&self) -> TableLayout {
        let mut row: Vec<usize> = (0..self.heads.len()).filter(|column| self.is_used(*column)).collect();
        let mut below = Vec::new();
        loop {
            if let Some(widths) = self.widths(&row).or_else(|| self.widths_of_last(&row)) {
                let mut columns = Vec::with_capacity(row.len());
                for (column, width) in row.into_iter().zip(widths) {
                    columns.push(FittedColumn { column, width, is_numeric: self.is_numeric(column) });
                }
                below.sort_unstable();
                return TableLayout { row: columns, below };
            }
            // The first column names the row. Long texts go together.
            let widest = row[1..].iter().map(|column| self.natural(*column)).max().unwrap_or_default();
            let long = widest.div_ceil(2).max(READABLE + 1).min(widest);
            below.extend(row.extract_if(1.., |column| self.natural(*column) >= long));
        }
    }

    /// False for a column whose cells are all empty; without rows, each column is shown.
    fn is_used(&self, column: usize) -> bool {
        self.rows.is_empty() || self.cells(column).any(|cell| !cell.is_empty())
    }

    /// The widths of columns that do not fit and cannot go below: the two of a table of two, or a single one.
    fn widths_of_last(&self, columns: &[usize]) -> Option<Vec<usize>> {
        match columns {
            [first, second] if self.heads.len() == 2 => {
                let first = self.natural(*first);
                let rest = self.width.saturating_sub(first + GAP);
                Some(vec![first, self.natural(*second).min(rest)])
            }
            [one] => Some(vec![self.natural(*one)]),
            _ => None,
        }
    }

    fn natural(&self, column: usize) -> usize {
        self.widest(column, UnicodeWidthStr::width)
    }

    /// The widths of these columns side by side, if they fit: the widest are reduced, as far as they stay
    /// readable.
    fn widths(&self, columns: &[usize]) -> Option<Vec<usize>> {
        let room = self.width.saturating_sub(GAP * columns.len().saturating_sub(1));
        let (mut widths, mut least) = (Vec::new(), Vec::new());
        for &column in columns {
            let natural = self.natural(column);
            widths.push(natural);
            least.push(self.widest(column, longest_word).max(READABLE.min(natural)));
        }
        loop {
            let over = widths.iter().sum::<usize>().saturating_sub(room);
            if over == 0 {
                return Some(widths);
            }
            let may_shrink = (0..widths.len()).filter(|index| widths[*index] > least[*index]);
            let widest = may_shrink.max_by_key(|index| widths[*index])?;
            let mut next = 0;
            for (index, width) in widths.iter().enumerate() {
                if index != widest {
                    next = next.max(*width);
                }
            }
            // Down to the next widest, and from there one by one.
            let step = widths[widest].saturating_sub(next).clamp(1, over);
            widths[widest] = least[widest].max(widths[widest] - step);
        }
    }

    fn widest(&self, column: usize, measure: impl Fn(&str) -> usize) -> usize {
        let head = self.heads.get(column).map(String::as_str);
        self.cells(column).chain(head).map(measure).max().unwrap_or_default()
    }

    fn is_numeric(&self, column: usize) -> bool {
        let is_number = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
        !self.rows.is_empty() && self.cells(column).all(is_number)
    }

    /// Writes the cells of a row that are side by side, in as many lines as the longest needs, then those
    /// below.
    fn write_row(
        &self,
        f: &mut Formatter<'_>,
        layout: &TableLayout,
        row: &[String],
        is_head: bool,
    ) -> Result {
        let mut wrapped = Vec::with_capacity(layout.row.len());
        for fitted in &layout.row {
            wrapped.push(wrap(cell(row, fitted.column), fitted.width));
        }
        for index in 0..wrapped.iter().map(Vec::len).max().unwrap_or_default() {
            // Spaces that are written only if more text follows on the line.
            let mut due = 0;
            for (fitted, lines) in layout.row.iter().zip(&wrapped) {
                let line = lines.get(index).copied().unwrap_or_default();
                if line.is_empty() {
                    due += fitted.width + GAP;
                    continue;
                }
                let rest = fitted.width.saturating_sub(line.width());
                let (before, after) = if fitted.is_numeric { (due + rest, 0) } else { (due, rest) };
                write!(f, "{:before$}", "")?;
                paint(f, line, style_of(cell(row, fitted.column), is_head))?;
                due = after + GAP;
            }
            writeln!(f)?;
        }
        for &column in &layout.below {
            self.write_below(f, layout, column, cell(row, column), is_head)?;
        }
        Ok(())
    }

    /// Writes a cell below its row, behind the head of its column if several columns are there.
    fn write_below(
        &self,
        f: &mut Formatter<'_>,
        layout: &TableLayout,
        column: usize,
        cell: &str,
        is_head: bool,
    ) -> Result {
        let is_named = layout.below.len() > 1;
        if cell.is_empty() || (is_head && is_named) {
            return Ok(());
        }
        let head = self.heads[column].as_str();
        let text = if is_named { format!("{head}: {cell}") } else { cell.to_owned() };
        let style = style_of(cell, is_head);
        for (index, line) in wrap(&text, self.width.saturating_sub(INDENT)).into_iter().enumerate() {
            write!(f, "{:INDENT$}", "")?;
            match line.strip_prefix(head) {
                Some(rest) if is_named && index == 0 => {
                    paint(f, head, style_of("…", is_head))?;
                    paint(f, rest, style)?;
                }
                _ => paint(f, line, style)?,
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", String::as_str)
}

fn style_of(cell: &str, is_head: bool) -> Style {
    if is_head { style::HEAD } else { style::of(cell) }
}

/// Writes a text in a style, if the terminal has styles.
fn paint(f: &mut Formatter<'_>, text: &str, style: Style) -> Result {
    let style = if f.alternate() { style } else { Style::new() };
    write!(f, "{style}{text}{style:#}")
}

impl Display for PrintedTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let layout = self.layout();
        if self.heads.iter().any(|head| !head.is_empty()) {
            self.write_row(f, &layout, &self.heads, true)?;
        }
        for row in &self.rows {
            self.write_row(f, &layout, row, false)?;
        }
        Ok(())
    }
}

/// The lines of a text, each of at most `width` columns unless a word is longer.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<&str> {
    let mut lines = vec![];
    let (mut start, mut end, mut next) = (0, 0, 0);
    for word in words(text) {
        next += word.len();
        let before = next - word.len();
        if end > start && text[start..next].trim_end().width() > width {
            lines.push(text[start..end].trim_end());
            start = before;
        }
        end = next;
    }
    lines.push(text[start..].trim_end());
    lines
}

/// The pieces after which a line may end: words with the white space behind them, and single wide characters,
/// since Chinese and Japanese have no spaces between words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices().peekable();
        let end = loop {
            let (at, character) = characters.next()?;
            let ends = match characters.peek() {
                None => true,
                Some((_, next)) => {
                    (character.is_whitespace() && !next.is_whitespace())
                        || (is_wide(character) && !next.is_whitespace())
                        || (is_wide(*next) && !character.is_whitespace())
                }
            };
            if ends {
                break at + character.len_utf8();
            }
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

fn is_wide(character: char) -> bool {
    character.width() == Some(2)
}

fn longest_word(text: &str) -> usize {
    words(text).map(|word| word.trim_end().width()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const URN: &str = "urn:nsb:std:nsb:4210:ed-2:en";
    const TEXT: &str = "A ground anchor shall withstand the forces of Table 1 after the exposure.";

    fn shown(width: usize, heads: &[&str], rows: &[&[&str]]) -> String {
        let mut table = PrintedTable { width, ..table(heads) };
        rows.iter().for_each(|row| table.add_row(*row));
        table.to_string()
    }

    #[test]
    fn text_gets_the_width_and_empty_columns_are_left_out() {
        let table = shown(80, &["label", "note", "count", "text", "URN"], &[&["4.1", "", "7", TEXT, URN]]);
        let expected = "\
label  count  text                                  URN
4.1        7  A ground anchor shall withstand the   urn:nsb:std:nsb:4210:ed-2:en
              forces of Table 1 after the
              exposure.
";
        assert_eq!(table, expected, "{table}");
        let record = shown(50, &["", ""], &[&["text", TEXT], &["URN", URN]]);
        let expected = format!(
            "text  A ground anchor shall withstand the forces\n      of Table 1 after the exposure.\nURN   {URN}\n"
        );
        assert_eq!(record, expected, "{record}");
    }

    #[test]
    fn what_does_not_fit_goes_below_its_row_and_no_word_is_broken() {
        let one = shown(50, &["label", "text", "URN"], &[&["4.1", TEXT, URN]]);
        assert_eq!(
            one,
            format!(
                "label  URN\n    text\n4.1    {URN}\n    A ground anchor shall withstand the forces of\n    Table 1 after \
                 the exposure.\n"
            )
        );
        let two = shown(50, &["label", "older", "newer", "URN"], &[&["4.1", TEXT, TEXT, URN]]);
        assert!(two.contains("\n    older: A ground anchor shall withstand the\n"), "{two}");
        let long = "x".repeat(70);
        assert!(shown(50, &["id", "digest"], &[&[URN, &long]]).contains(&long));
    }

    #[test]
    fn width_is_that_of_the_terminal_and_not_a_number_of_characters() {
        assert_eq!(wrap("地面アンカー", 8), ["地面アン", "カー"]);
        assert_eq!(wrap("Bügel und Bügel", 9), ["Bügel und", "Bügel"]);
        assert_eq!(wrap("", 9), [""]);
    }
}
