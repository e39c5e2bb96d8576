//! Heads of columns and rows, captions and sentences: the units and limits that they give to cells.

use std::sync::LazyLock;

use norma_model::Comparator;
use norma_model::table::{Cell, Column, Grid, Unit};
use serde::Deserialize;

use super::{CellReader, TableLimit, without_marks};
use crate::anatomy::units::{is_symbol, size, whole_unit};

/// The file `heads.toml`, which says what each list is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct HeadWords {
    unit_heads: Vec<String>,
    joints: Vec<String>,
    counts: Vec<String>,
    names: Vec<String>,
    values: Vec<String>,
    of: Vec<String>,
    dimensions: Vec<String>,
    included: Vec<String>,
    measure: Vec<MeasuredQuantity>,
}

/// A measured quantity.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasuredQuantity {
    /// One unit of its dimension.
    unit: String,
    /// Its units of one letter.
    letters: Vec<String>,
    names: Vec<String>,
}

static WORDS: LazyLock<HeadWords> =
    LazyLock::new(|| toml::from_str(include_str!("heads.toml")).expect("tests read the file"));

/// Whether a list has a word.
fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|known| known == word)
}

/// Most words of a sentence with the unit of a table: “All dimensions are in millimetres”.
const MOST_WORDS: usize = 8;
/// Most bytes of the symbol of a measured quantity, with its index: `C_S`.
const LONGEST_SYMBOL: usize = 6;
/// Whether a text is the symbol of a unit, in brackets or not: `mm`, `[kg/m^3]`.
pub fn is_unit_symbol(text: &str) -> bool {
    is_symbol(bare(text))
}

impl CellReader<'_> {
    /// Texts across the whole table: a head of all columns, and rows of one cell.
    pub(super) fn across(&self, grid: &Grid) -> Vec<Box<str>> {
        let first = |column: &Column| column.heads.first().cloned();
        let head = grid.columns.first().and_then(first);
        let head = head.filter(|head| {
            grid.columns.len() > 1 && grid.columns.iter().all(|c| first(c).as_ref() == Some(head))
        });
        let rows = grid.rows.iter().filter(|row| {
            row.len() == 1 && row[0].columns as usize == grid.columns.len() && row[0].columns > 1
        });
        head.into_iter().chain(rows.map(|row| row[0].text.clone())).collect()
    }

    /// Finds the unit of each column, by its heads without the first ones that are skipped.
    pub(super) fn add_units_of_columns(&self, grid: &mut Grid, skipped: usize) {
        for column in &mut grid.columns {
            column.unit = self.unit_of_column(column, skipped);
        }
        // “t (min)” next to “C (pulses)”: a word in brackets is a unit where other columns have theirs there.
        if grid.columns.iter().any(|column| column.unit.is_some()) {
            for column in grid.columns.iter_mut().filter(|column| column.unit.is_none()) {
                column.unit =
                    column.heads.last().and_then(|head| unit_word(&without_marks(head, &column.footnotes)));
            }
        }
    }

    /// The unit that the heads of a column name, the lowest head first.
    fn unit_of_column(&self, column: &Column, skipped: usize) -> Option<Unit> {
        let heads: Vec<String> =
            column.heads.iter().skip(skipped).map(|head| without_marks(head, &column.footnotes)).collect();
        let all = heads.join(" ");
        // A unit above numbers is the unit of these: “Fraction in %” above 90 and 95.
        let lowest = heads.iter().rev().take_while(|head| !self.is_number(head));
        let is_row_of_units = heads.len() > 1;
        lowest.into_iter().find_map(|head| {
            let alone = || {
                let unit = self.whole_unit(bare(head)).filter(|unit| !matches!(&*unit.text, "min" | "pH"))?;
                // A word alone names what is in the column: “Year”, “Bytes”.
                let is_unit = if is_row_of_units {
                    !is_letter(&unit.text) || measures(&all, &unit.text)
                } else {
                    is_symbol(&unit.text) && !is_letter(&unit.text)
                };
                is_unit.then_some(unit)
            };
            alone().filter(|_| is_row_of_units).or_else(|| self.unit_at_end(head, &all)).or_else(alone)
        })
    }

    /// The column in which each row has its unit: by its head, or because all its cells are units.
    pub(super) fn column_of_units(&self, grid: &Grid) -> Option<u32> {
        let holds_units = |at: u32| {
            let cells = grid.rows.iter().flatten().filter(|cell| cell.column == at && !cell.text.is_empty());
            let mut cells = cells.map(|cell| self.whole_unit(&without_marks(&cell.text, &cell.footnotes)));
            cells.next().flatten().is_some() && cells.next().flatten().is_some() && cells.all(|u| u.is_some())
        };
        let mut columns = (0_u32..).zip(&grid.columns);
        columns.find(|(at, column)| is_of_units(column) || holds_units(*at)).map(|(at, _)| at)
    }

    /// The unit in the column of units, else that at the end of the first cell.
    pub(super) fn unit_of_row(&self, row: &[Cell], units: Option<u32>) -> Option<Unit> {
        let text = |cell: &Cell| without_marks(&cell.text, &cell.footnotes);
        let Some(cell) = row.iter().find(|cell| Some(cell.column) == units) else {
            let head = text(row.first().filter(|cell| cell.column == 0)?);
            return self.unit_at_end(&head, &head);
        };
        let printed = text(cell);
        // Each text in a column of units is a unit, known or not.
        let unknown = || {
            let is_word = printed.len() <= 24 && printed.starts_with(char::is_alphabetic);
            is_word.then(|| Unit { text: (*printed).into(), ucum: None })
        };
        self.whole_unit(bare(&printed)).or_else(unknown)
    }

    /// The unit of “Dimensions in millimetres”, or of “Masses (kg)”.
    pub(super) fn unit_of_sentence(&self, text: &str) -> Option<Unit> {
        let text = text.trim().trim_end_matches(['.', ':', ';']);
        let lower = text.to_lowercase();
        // “Dimensions in millimetres unless stated otherwise”
        if WORDS.dimensions.iter().any(|opener| lower.starts_with(opener.as_str()))
            && let Some(at) =
                WORDS.joints.iter().filter_map(|joint| Some(text.find(joint.as_str())? + joint.len())).min()
        {
            let word = text[at..].split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.')).next();
            return self.whole_unit(word.unwrap_or_default());
        }
        let unit = self.unit_in_brackets(text).or_else(|| self.unit_after(text, &WORDS.joints))?;
        let is_short = text.split_whitespace().count() <= MOST_WORDS;
        (is_short && (!is_letter(&unit.text) || measures(text, &unit.text))).then_some(unit)
    }

    /// The unit at the end of a head: “Mass (kg)”, “Length in mm”, “t, °C”, “Mass kg”, “p/kPa”. `all` are the
    /// heads around it.
    fn unit_at_end(&self, head: &str, all: &str) -> Option<Unit> {
        let head = self.without_limit(head);
        let last = head.rsplit(char::is_whitespace).next()?;
        let class = || {
            let mut words = head
                .trim_end_matches([')', ']'])
                .rsplit(|c: char| !c.is_alphanumeric())
                .filter(|w| !w.is_empty());
            words.nth(1).is_some_and(|word| self.table.is_label(&word.to_lowercase()))
        };
        let is_plain = |unit: &Unit| !is_letter(&unit.text) || measures(all, &unit.text);
        self.unit_of_last_words(head, all)
            // One letter after a comma is the symbol of what is measured.
            .or_else(|| self.unit_after(head, &[",", ";"]).filter(|unit| !is_letter(&unit.text)))
            .or_else(|| {
                // “Residue % (m/m)”: the brackets say more of the unit.
                let before = head.strip_suffix(')')?.rsplit_once('(')?.0.trim_end();
                let last = before
                    .rsplit(char::is_whitespace)
                    .next()
                    .filter(|last| !is_letter(last) && is_symbol(last))?;
                self.whole_unit(last)
            })
            .or_else(|| self.unit_in_brackets(head).filter(|unit| is_plain(unit) || !class()))
            .or_else(|| {
                self.unit_after(head, &WORDS.joints).filter(|unit| is_plain(unit) || is_short_symbol(head))
            })
            // A quantity divided by its unit (ISO 80000-1, 7.1.4).
            .or_else(|| self.unit_after(last, &["/"]).filter(|unit| is_plain(unit) || is_short_symbol(last)))
            // “Length in mm (see 5.2)”
            .or_else(|| {
                let (before, _) = head.strip_suffix(')')?.rsplit_once('(')?;
                self.unit_at_end(before.trim_end(), all)
            })
    }

    /// The unit in the last words of a head: `kg`, `kg m^2`, `N · m`, `W/(m K)`.
    fn unit_of_last_words(&self, head: &str, all: &str) -> Option<Unit> {
        let mut found: Option<Unit> = None;
        for (at, blank) in head.char_indices().rev().filter(|(_, c)| c.is_whitespace()) {
            let (before, last) = (&head[..at], &head[at + blank.len_utf8()..]);
            if last.len() > 24 || before.ends_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            let Some(unit) =
                self.whole_unit(last).filter(|_| is_symbol(last) && last != "min" && last != "pH")
            else {
                continue;
            };
            // “Time t/s” divides by the unit of a time, “Speed m/s” does not.
            let divided = last.split_once('/').filter(|(symbol, unit)| {
                is_letter(symbol) && dimension(all).is_some() && dimension(all) == self.dimension_of(unit)
            });
            if let Some((_, unit)) = divided {
                return self.whole_unit(unit);
            }
            // `A` of “Area A m^2” is a symbol of what is measured, `J` of “Entropy J K^−1” is not.
            let first = last.split(char::is_whitespace).next().unwrap_or_default();
            let positive = found.is_some()
                && is_letter(first)
                && !last.contains(['−', '⁻', '-', '·', '⋅'])
                && last.ends_with(|c: char| !c.is_alphabetic());
            if !positive && (!is_letter(last) || measures(all, last)) {
                found = Some(unit);
            }
        }
        found
    }

    /// The limit that a head sets for its column or row: “Maximum mass”, “Mass, max.”, “up to and including”.
    pub(super) fn limit_of_head(&self, head: &str) -> Option<Comparator> {
        let head = head.to_lowercase();
        let phrase =
            WORDS.included.iter().find_map(|words| head.strip_suffix(words.as_str())).unwrap_or(&head);
        let ends = [head.split_whitespace().next(), head.split_whitespace().next_back()];
        self.table.comparator_of(phrase.trim()).or_else(|| {
            // “Uniformity, max. °C”
            let short = head.split_whitespace().filter(|word| word.ends_with('.'));
            ends.into_iter().flatten().chain(short).find_map(|word| {
                let word = word.trim_matches(|c: char| matches!(c, ',' | ';' | '(' | ')'));
                self.table.limit_of(word).or_else(|| self.table.limit_of(&format!("{word}.")))
            })
        })
    }

    /// The limit that a caption or a sentence at a table sets: “Maximum widths”, “The width shall not
    /// exceed:”.
    pub(super) fn limit_of_table(&self, text: &str) -> Option<TableLimit> {
        let lower = text.trim().to_lowercase();
        let comparator = match lower.strip_suffix(':') {
            Some(lead_in) => self.table.comparator_at_end(lead_in)?,
            None => self.table.limit_of(lower.split_whitespace().next()?)?,
        };
        Some(TableLimit { comparator, dimension: dimension(text) })
    }

    /// A head without a limit at its end: “Ash, %, max.”.
    fn without_limit<'h>(&self, head: &'h str) -> &'h str {
        let (before, last) = head.rsplit_once(char::is_whitespace).unwrap_or(("", head));
        let word = last.trim_matches(|c: char| matches!(c, '(' | ')')).to_lowercase();
        let is_limit = self.table.limit_of(&word).is_some()
            || word != "min" && self.table.limit_of(&format!("{word}.")).is_some();
        if is_limit { before.trim_end_matches([',', ';', ' ']) } else { head }
    }

    fn unit_in_brackets(&self, text: &str) -> Option<Unit> {
        let inner = inside_last_brackets(text)?;
        let is_argument = text[..text.len() - inner.len() - 2].ends_with(char::is_alphanumeric);
        let unit = self.whole_unit(inner.trim()).filter(|unit| !is_argument || !is_letter(&unit.text));
        unit.or_else(|| self.unit_after(&format!(" {inner}"), &WORDS.joints))
    }

    /// The unit after the last one of these words or signs.
    fn unit_after(&self, text: &str, joints: &[impl AsRef<str>]) -> Option<Unit> {
        let ends = joints.iter().filter_map(|joint| Some(text.rfind(joint.as_ref())? + joint.as_ref().len()));
        self.whole_unit(bare(text[ends.max()?..].trim()))
    }

    /// The dimension of a unit, by one of its units.
    fn dimension_of(&self, unit: &str) -> Option<&'static str> {
        let ucum = whole_unit(unit, &self.table.units)??;
        let base = size(&ucum).map_or(if ucum == "Cel" { "K" } else { &ucum }, |(base, _)| base);
        WORDS.measure.iter().map(|measure| &*measure.unit).find(|known| *known == base)
    }

    /// The unit that a text is.
    fn whole_unit(&self, text: &str) -> Option<Unit> {
        let ucum = whole_unit(text, &self.table.units)?;
        Some(Unit { text: text.into(), ucum: ucum.map(Into::into) })
    }

    /// Whether the plain numbers under a head name clauses, classes or rows: “Clause”, “Item no.”, “Type of
    /// test”.
    pub(super) fn numbers_rows(&self, head: &str) -> bool {
        let head = head.to_lowercase();
        let words: Vec<&str> = head.split(|c: char| c.is_whitespace() || matches!(c, '’' | '\'')).collect();
        let is_name = |word: &&str| {
            let word = word.replace('-', "");
            let known = |word: &str| self.table.is_label(word) || has(&WORDS.names, word);
            !has(&WORDS.values, &word) && (known(&word) || word.strip_suffix('s').is_some_and(known))
        };
        let named =
            || words.first().is_some_and(is_name) && words.get(1).is_some_and(|word| has(&WORDS.of, word));
        !is_count(&head)
            && (words.len() <= 3 && words.last().is_some_and(is_name)
                || named()
                || matches!(&*head, "#" | "№" | "n°" | "nº"))
    }

    /// Whether a head states that the numbers below are counts, or measures in the unit of the table, and do
    /// not name rows.
    pub(super) fn is_measured(&self, unit: Option<&Unit>, heads: &str) -> bool {
        let of_table = || dimension(heads).is_some() || is_short_symbol(heads);
        is_count(&heads.to_lowercase()) || unit.is_some() && of_table() && self.may_have(unit, heads)
    }

    /// Whether the measured quantity of a head may have a unit: a count has none, and a mass no millimetres.
    pub(super) fn may_have(&self, unit: Option<&Unit>, heads: &str) -> bool {
        let of_unit = unit.and_then(|unit| size(unit.ucum.as_deref()?)).map(|(base, _)| base);
        !is_count(&heads.to_lowercase())
            && dimension(heads).zip(of_unit).is_none_or(|(own, of_unit)| own == of_unit)
    }
}

fn is_of_units(column: &Column) -> bool {
    column.heads.iter().any(|head| has(&WORDS.unit_heads, &head.to_lowercase()))
}

fn is_count(head: &str) -> bool {
    WORDS.counts.iter().any(|opener| head.starts_with(opener.as_str()))
}

/// The measured quantities with words in a head; compounds end with them.
fn measured(heads: &str) -> impl Iterator<Item = &'static MeasuredQuantity> {
    let heads = heads.to_lowercase();
    WORDS.measure.iter().filter(move |measure| {
        let mut words = heads.split(|c: char| !c.is_alphabetic());
        words.any(|word| measure.names.iter().any(|name| word.ends_with(name.as_str())))
    })
}

pub(super) fn dimension(heads: &str) -> Option<&'static str> {
    measured(heads).next().map(|measure| &*measure.unit)
}

/// Whether a unit of one letter is a unit of a quantity that heads name.
fn measures(heads: &str, letter: &str) -> bool {
    measured(heads).any(|measure| has(&measure.letters, letter))
}

/// Whether the text before the unit in “U in V”, “t/s” is the symbol of the measured quantity.
fn is_short_symbol(head: &str) -> bool {
    let symbol = head.split([' ', '/']).next().unwrap_or_default();
    symbol.len() <= LONGEST_SYMBOL
        && symbol.chars().filter(|c| c.is_alphabetic()).count() <= 3
        && symbol.starts_with(char::is_alphabetic)
        && (symbol.chars().count() == 1
            || symbol.contains(['_', '^'])
            || symbol.ends_with(|c: char| c.is_ascii_digit()))
}

/// “C_S (pulses)”: a word in brackets behind a symbol.
fn unit_word(head: &str) -> Option<Unit> {
    let inner = inside_last_brackets(head)?;
    let symbol = head[..head.len() - inner.len() - 2].trim_end_matches([' ', '/', '\n']);
    let is_word = inner.len() > 2 && inner.chars().all(char::is_lowercase);
    (is_word && !symbol.contains(' ') && is_short_symbol(symbol))
        .then(|| Unit { text: inner.into(), ucum: None })
}

/// The text in the brackets at the end of a text: `W/(m K)` in “k (W/(m K))”.
fn inside_last_brackets(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 1 => return text.get(at + 1..text.len() - 1),
            '(' | '[' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// A text without the brackets around it.
fn bare(text: &str) -> &str {
    inside_last_brackets(text).filter(|inner| inner.len() + 2 == text.len()).unwrap_or(text).trim()
}

fn is_letter(text: &str) -> bool {
    text.chars().count() == 1 && text.starts_with(char::is_alphabetic)
}
