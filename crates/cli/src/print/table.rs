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

/// Between two columns.
const GAP: usize = 2;

/// Before what is below a row.
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
    /// The columns side by side, each with its width and whether it has numbers.
    row: Vec<(usize, usize, bool)>,
    /// The columns below each row.
    below: Vec<usize>,
}

impl PrintedTable {
    /// Adds a row.
    pub(crate) fn add_row(&mut self, cells: impl IntoIterator<Item: AsRef<str>>) {
        self.rows.push(cells.into_iter().map(|cell| escaped(cell.as_ref()).into_owned()).collect());
    }

    /// Prints the table, in colours if the terminal has them.
    pub(crate) fn print(&self) {
        super::styled(format_args!("{self:#}"));
    }

    /// Number of rows.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(column)).map(String::as_str)
    }

    fn layout(&self) -> TableLayout {
        let is_used =
            |column: &usize| self.rows.is_empty() || self.cells(*column).any(|cell| !cell.is_empty());
        let mut row: Vec<usize> = (0..self.heads.len()).filter(is_used).collect();
        let mut below = Vec::new();
        loop {
            let widths = self.widths(&row).or_else(|| match row[..] {
                [first, second] if self.heads.len() == 2 => {
                    let first = self.natural(first);
                    Some(vec![first, self.natural(second).min(self.width.saturating_sub(first + GAP))])
                }
                [one] => Some(vec![self.natural(one)]),
                _ => None,
            });
            if let Some(widths) = widths {
                let row = row.into_iter().zip(widths);
                let row = row.map(|(column, width)| (column, width, self.is_numeric(column))).collect();
                below.sort_unstable();
                return TableLayout { row, below };
            }
            // The first column names the row. Long texts go together.
            let widest = row[1..].iter().map(|column| self.natural(*column)).max().unwrap_or_default();
            let long = widest.div_ceil(2).max(READABLE + 1).min(widest);
            below.extend(row.extract_if(1.., |column| self.natural(*column) >= long));
        }
    }

    fn natural(&self, column: usize) -> usize {
        self.widest(column, UnicodeWidthStr::width)
    }

    /// The widths of these columns side by side, if they fit: the widest are reduced, as far as they stay
    /// readable.
    fn widths(&self, columns: &[usize]) -> Option<Vec<usize>> {
        let room = self.width.saturating_sub(GAP * columns.len().saturating_sub(1));
        let mut widths: Vec<usize> = columns.iter().map(|column| self.natural(*column)).collect();
        let least: Vec<usize> = columns
            .iter()
            .zip(&widths)
            .map(|(column, width)| self.widest(*column, longest_word).max(READABLE.min(*width)))
            .collect();
        loop {
            let over = widths.iter().sum::<usize>().saturating_sub(room);
            if over == 0 {
                return Some(widths);
            }
            let may_shrink = (0..widths.len()).filter(|at| widths[*at] > least[*at]);
            let widest = may_shrink.max_by_key(|at| widths[*at])?;
            let next = (0..widths.len()).filter(|at| *at != widest).map(|at| widths[at]).max().unwrap_or(0);
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
        let of = |column: usize| row.get(column).map_or("", String::as_str);
        let paint = |f: &mut Formatter<'_>, text: &str, cell: &str| {
            let style = if is_head { style::HEAD } else { style::of(cell) };
            let style = if f.alternate() { style } else { Style::new() };
            write!(f, "{style}{text}{style:#}")
        };
        let wrapped: Vec<Vec<&str>> =
            layout.row.iter().map(|(column, width, _)| wrap(of(*column), *width)).collect();
        for at in 0..wrapped.iter().map(Vec::len).max().unwrap_or_default() {
            let mut due = 0;
            for ((column, width, is_numeric), lines) in layout.row.iter().zip(&wrapped) {
                if let Some(line) = lines.get(at).filter(|line| !line.is_empty()) {
                    let rest = width.saturating_sub(line.width());
                    let before = if *is_numeric { due + rest } else { due };
                    write!(f, "{:before$}", "")?;
                    paint(f, line, of(*column))?;
                    due = if *is_numeric { 0 } else { rest };
                } else {
                    due += width;
                }
                due += GAP;
            }
            writeln!(f)?;
        }
        for column in &layout.below {
            let (head, cell) = (&self.heads[*column], of(*column));
            let is_named = layout.below.len() > 1;
            if cell.is_empty() || (is_head && layout.below.len() > 1) {
                continue;
            }
            let text = if is_named { format!("{head}: {cell}") } else { cell.to_owned() };
            for (at, line) in wrap(&text, self.width.saturating_sub(INDENT)).into_iter().enumerate() {
                write!(f, "{:INDENT$}", "")?;
                match line.strip_prefix(head.as_str()).filter(|_| is_named && at == 0) {
                    Some(rest) => {
                        paint(f, head, "…")?;
                        paint(f, rest, cell)?;
                    }
                    None => paint(f, line, cell)?,
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

impl Display for PrintedTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let layout = self.layout();
        if self.heads.iter().any(|head| !head.is_empty()) {
            self.write_row(f, &layout, &self.heads, true)?;
        }
        self.rows.iter().try_for_each(|row| self.write_row(f, &layout, row, false))
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
