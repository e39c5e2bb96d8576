//! Words of what is around a unit: titles above it, captions, other names of what it names.

use std::collections::HashMap;
use std::sync::Arc;

use crate::LanguageText;
use crate::analyse::{Token, analyse_parts};

/// Words that a unit has not itself, but that say what it is about. Cloning gives another handle on the same
/// words, since most units of a section have the same.
#[derive(Clone, Debug, Default)]
pub struct WordsAround(Arc<[String]>);

impl WordsAround {
    /// The words of some texts.
    pub fn of(texts: &[LanguageText<'_>]) -> Self {
        let mut terms = Vec::new();
        for token in analyse_parts(texts) {
            if !token.is_stop_word() {
                terms.extend(token.parts());
                terms.push(token.term);
            }
        }
        Self::of_terms(terms)
    }

    /// The same with the words of others.
    pub fn with(&self, others: &[Self]) -> Self {
        let mut terms = self.0.to_vec();
        for Self(other) in others {
            terms.extend_from_slice(other);
        }
        Self::of_terms(terms)
    }

    fn of_terms(mut terms: Vec<String>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        Self(terms.into())
    }

    /// The words and their parts, each once.
    pub(crate) fn terms(&self) -> &[String] {
        &self.0
    }
}

/// Terms of a standard that have other names: a text with the preferred one is found by these.
#[derive(Debug, Default)]
pub struct OtherNames {
    /// By the first word of a preferred name.
    by_first_word: HashMap<String, Vec<NamedTerm>>,
}

/// A preferred name, word by word, with the words of the other names.
#[derive(Debug)]
struct NamedTerm {
    preferred: Vec<String>,
    others: WordsAround,
}

impl OtherNames {
    /// Adds a term by its preferred name and the others, all in one language.
    pub fn add(&mut self, preferred: &LanguageText<'_>, others: &[LanguageText<'_>]) {
        let preferred = words_in_a_row(std::slice::from_ref(preferred));
        let Some(first) = preferred.first().cloned() else { return };
        let term = NamedTerm { preferred, others: WordsAround::of(others) };
        self.by_first_word.entry(first).or_default().push(term);
    }

    /// The words of other names of what a text names.
    pub fn of(&self, texts: &[LanguageText<'_>]) -> Vec<WordsAround> {
        let mut found = Vec::new();
        if self.by_first_word.is_empty() {
            return found;
        }
        let words = words_in_a_row(texts);
        for (at, word) in words.iter().enumerate() {
            for term in self.by_first_word.get(word).into_iter().flatten() {
                if words[at..].starts_with(&term.preferred) {
                    found.push(term.others.clone());
                }
            }
        }
        found
    }
}

/// The words of a text, without tokens that it has in addition to them: designations and whole numbers whose
/// groups are words.
fn words_in_a_row(texts: &[LanguageText<'_>]) -> Vec<String> {
    let is_word = |token: &Token| !token.is_designation && !token.is_grouped;
    analyse_parts(texts).into_iter().filter(is_word).map(|token| token.term).collect()
}

#[cfg(test)]
mod tests {
    use norma_model::Lang;

    use super::*;

    #[test]
    fn a_text_with_the_preferred_name_of_a_term_has_its_other_names_around_it() {
        let text = |text: &'static str| LanguageText::new(text, &Lang::en());
        let mut names = OtherNames::default();
        names.add(&text("ground anchor"), &[text("bicycle hook")]);
        let found = |of: &'static str| names.of(&[text(of)]);
        assert_eq!(found("Ground anchors shall hold.")[0].terms(), ["=bicycle", "bicycl", "hook"]);
        assert!(found("An anchor in the ground").is_empty());
    }

    #[test]
    fn the_words_around_a_unit_are_there_once_without_stop_words() {
        let text = |text: &'static str| LanguageText::new(text, &Lang::en());
        let titles = WordsAround::of(&[text("Test of the anchor"), text("Anchors")]);
        assert_eq!(titles.terms(), ["=anchors", "anchor", "test"]);
        assert_eq!(
            titles.with(&[WordsAround::of(&[text("load")])]).terms(),
            ["=anchors", "anchor", "load", "test"]
        );
    }
}
