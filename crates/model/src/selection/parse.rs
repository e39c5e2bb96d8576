//! Parser of selections: a cursor over characters, so that each error has its offset.

use std::str::FromStr;

use crate::printed::CitedLocation;

use super::{
    MAX_SELECTION_ITEMS, MAX_SELECTION_LENGTH, Selection, SelectionError, SelectionItem, SelectionKind,
};

impl FromStr for Selection {
    type Err = SelectionError;

    /// Reads a selection, or places as they are printed: `Clause 4.2`, `Tables 1 and 2`.
    ///
    /// # Errors
    /// The first unexpected character, and what was expected.
    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let selection = Self::from_grammar(text);
        // Printed places have spaces or signs. These signs fit an id, but no source has such ids.
        let has_space = text.contains(char::is_whitespace);
        let may_be_printed = has_space && selection.is_err() || text.contains(['§', '–', '—']);
        if may_be_printed && let Some(printed) = Self::from_printed(text) {
            return Ok(printed);
        }
        selection
    }
}

impl Selection {
    /// The selection of printed places; `None` where the text is something else.
    fn from_printed(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        for location in CitedLocation::read_all(text).ok()? {
            parts.push(location.to_selection()?);
        }
        Self::from_grammar(&parts.join(";")).ok()
    }

    /// Reads a selection of the grammar.
    fn from_grammar(text: &str) -> Result<Self, SelectionError> {
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
        let word: String = self.ahead(|c| c.is_alphanumeric() || c == '_').iter().collect();
        let word = word.to_lowercase();
        let word_end = self.at + word.chars().count();
        let after_word = self.text.get(word_end).copied();
        if word == "all" && matches!(after_word, None | Some(';' | ',')) {
            return self.all();
        }
        let mut kind = SelectionKind::Clause;
        let mut is_annex = false;
        if after_word == Some(':') {
            kind = self.kind(&word)?;
            is_annex = word == "annex";
            self.at = word_end + 1;
        }
        self.item(kind, is_annex)?;
        while self.take(',') {
            self.item(kind, is_annex)?;
        }
        Ok(())
    }

    /// Reads `all`, which is a part without items.
    fn all(&mut self) -> Result<(), SelectionError> {
        let offset = self.at;
        self.at += "all".len();
        if self.peek() == Some(',') {
            return Err(refusal(self.at, "`all` must be alone in its part: write `;` instead of `,`"));
        }
        self.push(SelectionItem {
            kind: SelectionKind::All,
            minus: false,
            name: String::new(),
            ordinals: None,
            to: None,
            offset,
        })
    }

    /// The kind that a word before a colon names.
    fn kind(&self, word: &str) -> Result<SelectionKind, SelectionError> {
        match word {
            "clause" | "annex" => Ok(SelectionKind::Clause),
            "table" => Ok(SelectionKind::Table),
            "figure" => Ok(SelectionKind::Figure),
            "term" => Ok(SelectionKind::Term),
            "id" => Ok(SelectionKind::Id),
            _ => {
                let reason = format!(
                    "`{word}` is not a kind: write `clause`, `annex`, `table`, `figure`, `term` or \
                     `id`"
                );
                Err(refusal(self.at, reason))
            }
        }
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
        let mut to = None;
        if is_label && self.take('-') {
            to = Some((self.name(kind)?, self.ordinal_in_brackets()?));
        }
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
            let is_id = kind == SelectionKind::Id;
            let expected = if is_id { "an id" } else { "a number such as `4.2` or `A.1`" };
            return Err(self.unexpected(expected));
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
        match digits.parse() {
            Ok(ordinal) if ordinal > 0 => {
                self.at += digits.len();
                Ok(ordinal)
            }
            _ => {
                let reason = format!("`{digits}` is not a valid ordinal: expected a number from 1");
                Err(refusal(self.at, reason))
            }
        }
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
        let is_next = self.peek() == Some(c);
        if is_next {
            self.at += 1;
        }
        is_next
    }

    /// The characters from here on that fit.
    fn ahead(&self, fits: impl Fn(char) -> bool) -> &[char] {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&c| !fits(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn unexpected(&self, wanted: &str) -> SelectionError {
        let found = match self.peek() {
            Some(c) => format!("`{}`", c.escape_debug()),
            None => "the end of the selection".to_owned(),
        };
        refusal(self.at, format!("found {found}, expected {wanted}"))
    }
}

/// True for a character that a name of a `clause:`, `table:` or `term:` part may hold.
fn fits_name(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || "._-~".contains(c) } else { fits_id(c) }
}

fn fits_id(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !",;()!".contains(c)
}

/// The first `.` or `-` that is not between other characters, in a name that begins like a number.
fn stray_separator(name: &str) -> Option<usize> {
    let first = name.chars().next()?;
    if !first.is_ascii_digit() && !is_separator(first) {
        return None;
    }
    let mut after_separator = true;
    for (at, c) in name.chars().enumerate() {
        if is_separator(c) && after_separator {
            return Some(at);
        }
        after_separator = is_separator(c);
    }
    if after_separator { Some(name.chars().count() - 1) } else { None }
}

fn is_separator(c: char) -> bool {
    c == '.' || c == '-'
}

/// A name is a number if it is digits or up to three annex letters, then digits after full stops.
fn is_number(text: &str) -> bool {
    let mut fields = text.split('.');
    let first = fields.next().unwrap_or_default();
    let is_annex = (1..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_alphabetic());
    (is_annex || is_digits(first)) && fields.all(is_digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
