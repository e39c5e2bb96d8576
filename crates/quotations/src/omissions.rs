//! Omissions: what a quotation leaves out of a unit, and whether the unit says something else without it.

use std::ops::Range;

use norma_compare::words::{OpenedClause, compares, is_filler, is_restriction, negates, opened_clause};
use norma_provisions::word_uses;

use crate::roles::WordRoles;
use crate::target::{PreparedUnit, Target};
use crate::tokenizer::PrintedWord;
use crate::verdict::{CriticalOmission, Omission};

/// Words of a sentence that says to what a provision does not apply: an exception of it.
const NOT_APPLIED: [[&str; 2]; 8] = [
    ["not", "apply"],
    ["not", "hold"],
    ["gilt", "nicht"],
    ["gelten", "nicht"],
    ["applique", "pas"],
    ["appliquent", "pas"],
    ["vaut", "pas"],
    ["valent", "pas"],
];
/// Words that open an exception of what is denied: nobody may do it without that.
const WITHOUT: [&str; 3] = ["without", "sans", "ohne"];
/// Characters of a text that are read for the words that open a clause.
const OPENER: usize = 40;

/// A target with the roles of its words.
pub(crate) struct UnitReading<'a, 't> {
    pub(crate) target: &'a Target,
    pub(crate) roles: Vec<WordRoles>,
    pub(crate) units: &'a [&'a PreparedUnit<'t>],
}

impl UnitReading<'_, '_> {
    pub(crate) fn word(&self, index: usize) -> &PrintedWord {
        &self.target.words[index].word
    }

    pub(crate) fn unit_of(&self, index: usize) -> &PreparedUnit<'_> {
        self.units[self.target.pieces[self.target.words[index].piece].unit]
    }

    /// The text of some words of one piece, with the marks between them.
    pub(crate) fn text_of(&self, words: Range<usize>) -> String {
        if words.is_empty() {
            return String::new();
        }
        let piece = self.target.pieces[self.target.words[words.start].piece];
        let text = self.unit_of(words.start).text_of(piece);
        let (start, end) = (self.word(words.start).start, self.word(words.end - 1).end);
        text.chars().skip(start).take(end.saturating_sub(start)).collect()
    }

    /// The omissions of some words: one for each piece that they are in. Marks of footnotes and labels alone
    /// are not omitted.
    pub(crate) fn omissions(&self, words: Range<usize>) -> Vec<Omission> {
        let mut omissions = Vec::new();
        let mut start = words.start;
        while start < words.end {
            let piece = self.target.words[start].piece;
            let mut end = start + 1;
            while end < words.end && self.target.words[end].piece == piece {
                end += 1;
            }
            if self.target.words[start..end].iter().any(|word| !word.is_optional) {
                let critical = self.critical(start..end);
                omissions.push(Omission { text: self.text_of(start..end), critical });
            }
            start = end;
        }
        omissions
    }

    fn critical(&self, words: Range<usize>) -> Vec<CriticalOmission> {
        let mut critical = Vec::new();
        if self.excepts(words.clone()) {
            critical.push(CriticalOmission::Exception);
        }
        for index in words {
            if self.target.pieces[self.target.words[index].piece].in_lead_in {
                critical.push(CriticalOmission::LeadIn);
            }
            critical.extend(self.critical_words(index));
        }
        critical.sort_unstable();
        critical.dedup();
        critical
    }

    /// Whether words are a sentence that says to what the unit does not apply, or say without what it is
    /// denied.
    fn excepts(&self, words: Range<usize>) -> bool {
        let key = |index: usize| self.word(index).key.as_str();
        let mut pairs = words.clone().zip(words.clone().skip(1));
        if pairs.any(|(one, next)| NOT_APPLIED.contains(&[key(one), key(next)])) {
            return true;
        }
        let piece = |index: usize| self.target.words[index].piece;
        let Some(without) = words.into_iter().find(|index| WITHOUT.contains(&key(*index))) else {
            return false;
        };
        (0..without).any(|before| piece(before) == piece(without) && self.denies(before))
    }

    /// Why a word matters.
    fn critical_words(&self, index: usize) -> Vec<CriticalOmission> {
        let roles = self.roles[index];
        let key = self.word(index).key.as_str();
        let uses = word_uses(key, self.unit_of(index).unit.language);
        let mut critical = Vec::new();
        if self.denies(index) {
            critical.push(CriticalOmission::Negation);
        }
        if roles.in_verbal_form || uses.is_modal {
            critical.push(CriticalOmission::VerbalForm);
        }
        let opened = roles.in_clause.or_else(|| if uses.is_modal { None } else { self.opened(index) });
        match opened {
            Some(OpenedClause::Condition) => critical.push(CriticalOmission::Condition),
            Some(OpenedClause::Exception) => critical.push(CriticalOmission::Exception),
            None => {}
        }
        if uses.restricts || is_restriction(key) {
            critical.push(CriticalOmission::Condition);
        }
        if roles.in_limit {
            critical.push(CriticalOmission::Limit);
        }
        critical
    }

    /// Whether a word denies. In French, “a person” is `personne`, as is “nobody”: an article tells them
    /// apart.
    fn denies(&self, index: usize) -> bool {
        let key = self.word(index).key.as_str();
        let next = self.target.words.get(index + 1).map(|word| word.word.key.as_str());
        if negates(key, next) {
            return true;
        }
        let before = index.checked_sub(1).map(|before| self.word(before).key.as_str());
        is_denial(key, self.unit_of(index)) && !compares(key) && !before.is_some_and(is_filler)
    }

    /// What the words from an index on open.
    fn opened(&self, index: usize) -> Option<OpenedClause> {
        let target = &self.target.words[index];
        let text = self.unit_of(index).text_of(self.target.pieces[target.piece]);
        let words: String = text.chars().skip(target.word.start).take(OPENER).collect();
        opened_clause(&words)
    }
}

/// Whether a word denies in the language of a unit. The apostrophe of `n'` is between words.
pub(crate) fn is_denial(key: &str, unit: &PreparedUnit<'_>) -> bool {
    let language = unit.unit.language;
    word_uses(key, language).denies || key.len() == 1 && word_uses(&format!("{key}'"), language).denies
}
