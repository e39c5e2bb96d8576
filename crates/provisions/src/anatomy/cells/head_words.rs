//! Words of heads: the lists of `heads.toml`, and the measured quantities that the words of a head name.

use std::sync::LazyLock;

use serde::Deserialize;

/// The file `heads.toml`, which says what each list is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct HeadWords {
    pub(super) unit_heads: Vec<String>,
    pub(super) joints: Vec<String>,
    pub(super) counts: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) values: Vec<String>,
    pub(super) of: Vec<String>,
    pub(super) dimensions: Vec<String>,
    pub(super) included: Vec<String>,
    pub(super) measure: Vec<MeasuredQuantity>,
}

/// What a head says is measured: a length, a mass.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasuredQuantity {
    /// One unit of its dimension.
    pub(super) unit: String,
    /// The units of one letter in which it is measured.
    letters: Vec<String>,
    names: Vec<String>,
}

impl MeasuredQuantity {
    /// True if heads in lower case have one of its names. A compound ends with one.
    fn is_named_in(&self, heads: &str) -> bool {
        for word in heads.split(|c: char| !c.is_alphabetic()) {
            if self.names.iter().any(|name| word.ends_with(name.as_str())) {
                return true;
            }
        }
        false
    }
}

pub(super) static WORDS: LazyLock<HeadWords> =
    LazyLock::new(|| toml::from_str(include_str!("heads.toml")).expect("tests read the file"));

/// Most bytes of the symbol of a measured quantity, with its index: `C_S`.
const LONGEST_SYMBOL: usize = 6;
/// Most letters of such a symbol.
const MOST_LETTERS: usize = 3;

/// True if a list has a word.
pub(super) fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|known| known == word)
}

/// True if a head in lower case begins with words for a count: “number of”.
pub(super) fn is_count(head: &str) -> bool {
    WORDS.counts.iter().any(|opener| head.starts_with(opener.as_str()))
}

/// The dimension of the first measured quantity that heads name, as one of its units.
pub(super) fn dimension(heads: &str) -> Option<&'static str> {
    let heads = heads.to_lowercase();
    for measure in &WORDS.measure {
        if measure.is_named_in(&heads) {
            return Some(&measure.unit);
        }
    }
    None
}

/// True if a unit of one letter is a unit of a quantity that heads name.
pub(super) fn measures(heads: &str, letter: &str) -> bool {
    let heads = heads.to_lowercase();
    for measure in &WORDS.measure {
        if has(&measure.letters, letter) && measure.is_named_in(&heads) {
            return true;
        }
    }
    false
}

/// True if the text before the unit in “U in V”, “t/s” is the symbol of the measured quantity.
pub(super) fn is_short_symbol(head: &str) -> bool {
    let symbol = head.split([' ', '/']).next().unwrap_or_default();
    if symbol.len() > LONGEST_SYMBOL || !symbol.starts_with(char::is_alphabetic) {
        return false;
    }
    let letters = symbol.chars().filter(|c| c.is_alphabetic()).count();
    if letters > MOST_LETTERS {
        return false;
    }
    // Several letters without an index are a word.
    let has_index = symbol.contains(['_', '^']) || symbol.ends_with(|c: char| c.is_ascii_digit());
    symbol.chars().count() == 1 || has_index
}

/// True if a text is one letter.
pub(super) fn is_letter(text: &str) -> bool {
    text.chars().count() == 1 && text.starts_with(char::is_alphabetic)
}

/// The text in the brackets at the end of a text: `W/(m K)` in “k (W/(m K))”.
pub(super) fn inside_last_brackets(text: &str) -> Option<&str> {
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
pub(super) fn bare(text: &str) -> &str {
    match inside_last_brackets(text) {
        Some(inner) if inner.len() + 2 == text.len() => inner.trim(),
        _ => text.trim(),
    }
}
