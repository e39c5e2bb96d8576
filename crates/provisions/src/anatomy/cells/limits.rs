//! Limits that heads, captions and sentences at a table set for the values of cells.

use norma_model::Comparator;

use super::head_words::{WORDS, dimension};
use super::{CellReader, TableLimit};

impl CellReader<'_> {
    /// The limit that a head sets for its column or row: “Maximum mass”, “Mass, max.”, “up to and including”.
    pub(super) fn limit_of_head(&self, head: &str) -> Option<Comparator> {
        let head = head.to_lowercase();
        let phrase = without_included(&head).trim();
        if let Some(comparator) = self.table.comparator_of(phrase) {
            return Some(comparator);
        }
        let mut words = head.split_whitespace();
        let ends = [words.next(), words.next_back()];
        // “Uniformity, max. °C”
        let abbreviations = head.split_whitespace().filter(|word| word.ends_with('.'));
        for word in ends.into_iter().flatten().chain(abbreviations) {
            let word = word.trim_matches([',', ';', '(', ')']);
            let limit = self.table.limit_of(word).or_else(|| self.table.limit_of(&format!("{word}.")));
            if limit.is_some() {
                return limit;
            }
        }
        None
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
    pub(super) fn without_limit<'h>(&self, head: &'h str) -> &'h str {
        let (before, last) = head.rsplit_once(char::is_whitespace).unwrap_or(("", head));
        let word = last.trim_matches(['(', ')']).to_lowercase();
        let is_word = self.table.limit_of(&word).is_some();
        // “min” is a unit, where “min.” is a limit.
        let is_abbreviation = word != "min" && self.table.limit_of(&format!("{word}.")).is_some();
        if is_word || is_abbreviation { before.trim_end_matches([',', ';', ' ']) } else { head }
    }
}

/// A head without the words that include its limit: “up to and including”.
fn without_included(head: &str) -> &str {
    for words in &WORDS.included {
        if let Some(phrase) = head.strip_suffix(words.as_str()) {
            return phrase;
        }
    }
    head
}
