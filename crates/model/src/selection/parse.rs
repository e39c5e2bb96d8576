//! Parser of selections: a cursor over characters, so that each error has its offset.

use std::str::FromStr;

use super::{
    MAX_SELECTION_ITEMS, MAX_SELECTION_LENGTH, Selection, SelectionError, SelectionItem, SelectionKind,
};

impl FromStr for Selection {
    type Err = SelectionError;

    /// Reads a selection.
    ///
    /// # Errors
    /// The first unexpected character, and what was expected.
    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let text: Vec<char> = text.chars().take(MAX_SELECTION_LENGTH + 1).collect();
        if text.len() > MAX_SELECTION_LENGTH {
            return Err(refusal(
                MAX_SELECTION_LENGTH,
                format!("a selection has at most {MAX_SELECTION_LENGTH} characters"),
            ));
        }
        let mut reader = SelectionParser { text: &text, at: 0, items: Vec::new() };
        reader.part()?;
        while reader.take(';') {
            reader.part()?;
        }
        match reader.peek() {
            None => Ok(Self::from_items(reader.items)),
            Some(_) => Err(reader.unexpected("`,` and an item, `;` and a part, or the end")),
        }
    }
}

fn refusal(offset: usize, reason: impl Into<String>) -> SelectionError {
    SelectionError { offset, reason: reason.into() }
}

struct SelectionParser<'t> {
    text: &'t [char],
    at: usize,
    items: Vec<SelectionItem>,
}

impl SelectionParser<'_> {
    fn part(&mut self) -> Result<(), SelectionError> {
        let start = self.at;
        let word: String =
            self.ahead(|c| c.is_alphanumeric() || c == '_').iter().collect::<String>().to_lowercase();
        let next = self.text.get(start + word.chars().count()).copied();
        if word == "all" && matches!(next, None | Some(';' | ',')) {
            self.at += 3;
            return match self.peek() {
                Some(',') => {
                    Err(refusal(self.at, "`all` must be alone in its part: write `;` instead of `,`"))
                }
                _ => self.push(SelectionItem {
                    kind: SelectionKind::All,
                    minus: false,
                    name: String::new(),
                    ordinals: None,
                    to: None,
                    offset: start,
                }),
            };
        }
        let mut kind = SelectionKind::Clause;
        if next == Some(':') {
            kind = match word.as_str() {
                "clause" | "annex" => SelectionKind::Clause,
                "table" => SelectionKind::Table,
                "figure" => SelectionKind::Figure,
                "term" => SelectionKind::Term,
                "id" => SelectionKind::Id,
                _ => {
                    return Err(refusal(
                        start,
                        format!(
                            "`{word}` is not a kind: write `clause`, `annex`, `table`, `figure`, `term` or `id`"
                        ),
                    ));
                }
            };
            self.at = start + word.chars().count() + 1;
        }
        let is_annex = next == Some(':') && word == "annex";
        self.item(kind, is_annex)?;
        while self.take(',') {
            self.item(kind, is_annex)?;
        }
        Ok(())
    }

    fn item(&mut self, kind: SelectionKind, is_annex: bool) -> Result<(), SelectionError> {
        let minus = self.take('!');
        let offset = self.at;
        if is_annex && self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(refusal(offset, "the number of an annex begins with a letter, as in `annex:A.1`"));
        }
        let name = self.name(kind)?;
        let ordinals = self.ordinals()?;
        let is_label =
            kind == SelectionKind::Clause && matches!(ordinals, Some((first, last)) if first == last);
        let to = match is_label && self.take('-') {
            true => Some((self.name(kind)?, self.ordinal_in_brackets()?)),
            false => None,
        };
        self.push(SelectionItem { kind, minus, name, ordinals, to, offset })
    }

    /// A name, letters of a number in upper case.
    fn name(&mut self, kind: SelectionKind) -> Result<String, SelectionError> {
        let offset = self.at;
        let name: String = match kind {
            SelectionKind::Id => self.ahead(fits_id).iter().collect(),
            _ => self.ahead(fits_name).iter().collect(),
        };
        if name.is_empty() {
            return Err(self.unexpected(if kind == SelectionKind::Id {
                "an id"
            } else {
                "a number such as `4.2` or `A.1`"
            }));
        }
        if kind != SelectionKind::Id {
            if let Some(stray) = stray_separator(&name) {
                return Err(refusal(
                    offset + stray,
                    "expected a digit or letter on both sides of `.` and `-`",
                ));
            }
            if name.eq_ignore_ascii_case("all") && self.text.get(offset + 3) != Some(&'(') {
                return Err(refusal(offset, "`all` must be alone in its part"));
            }
        }
        self.at += name.chars().count();
        let is_numeric = kind != SelectionKind::Id && name.split('-').all(is_number);
        Ok(if is_numeric { name.to_ascii_uppercase() } else { name })
    }

    fn ordinal_in_brackets(&mut self) -> Result<Option<u32>, SelectionError> {
        if !self.take('(') {
            return Ok(None);
        }
        let ordinal = self.ordinal()?;
        if self.take(')') { Ok(Some(ordinal)) } else { Err(self.unexpected("`)`")) }
    }

    fn ordinals(&mut self) -> Result<Option<(u32, u32)>, SelectionError> {
        if !self.take('(') {
            return Ok(None);
        }
        let first = self.ordinal()?;
        let offset = self.at + 1;
        let last = if self.take('-') { self.ordinal()? } else { first };
        if last < first {
            return Err(refusal(offset, format!("the range is reversed: write ({last}-{first})")));
        }
        if !self.take(')') {
            return Err(self.unexpected("`)`"));
        }
        Ok(Some((first, last)))
    }

    fn ordinal(&mut self) -> Result<u32, SelectionError> {
        let digits: String = self.ahead(|c| c.is_ascii_digit()).iter().collect();
        if digits.is_empty() {
            return Err(self.unexpected("the ordinal of a provision, from 1"));
        }
        let ordinal = digits.parse().ok().filter(|&n| n > 0);
        let ordinal = ordinal.ok_or_else(|| {
            refusal(self.at, format!("`{digits}` is not a valid ordinal: expected a number from 1"))
        })?;
        self.at += digits.len();
        Ok(ordinal)
    }

    fn push(&mut self, item: SelectionItem) -> Result<(), SelectionError> {
        if self.items.len() == MAX_SELECTION_ITEMS {
            return Err(refusal(item.offset, format!("a selection has at most {MAX_SELECTION_ITEMS} items")));
        }
        self.items.push(item);
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += usize::from(there);
        there
    }

    /// The characters from here on that fit.
    fn ahead(&self, fits: impl Fn(char) -> bool) -> &[char] {
        let rest = &self.text[self.at..];
        &rest[..rest.iter().position(|&c| !fits(c)).unwrap_or(rest.len())]
    }

    fn unexpected(&self, wanted: &str) -> SelectionError {
        let found =
            self.peek().map_or("the end of the selection".to_owned(), |c| format!("`{}`", c.escape_debug()));
        refusal(self.at, format!("found {found}, expected {wanted}"))
    }
}

/// Whether a name of a `clause:`, `table:` or `term:` part may hold this character.
fn fits_name(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || "._-~".contains(c) } else { fits_id(c) }
}

fn fits_id(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !",;()!".contains(c)
}

/// The first `.` or `-` that is not between other characters, in a name that begins like a number.
fn stray_separator(name: &str) -> Option<usize> {
    let separator = |c: char| c == '.' || c == '-';
    let first = name.chars().next()?;
    if !first.is_ascii_digit() && !separator(first) {
        return None;
    }
    let mut apart = false;
    for (at, c) in name.chars().enumerate() {
        if separator(c) && !apart {
            return Some(at);
        }
        apart = !separator(c);
    }
    (!apart).then(|| name.chars().count() - 1)
}

/// Whether a name is digits or up to three annex letters, then digits after full stops.
fn is_number(text: &str) -> bool {
    let digits = |field: &str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    let mut fields = text.split('.');
    let first = fields.next().unwrap_or_default();
    let annex = (1..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_alphabetic());
    (digits(first) || annex) && fields.all(digits)
}
