//! Operators before a value: fixed phrases, comparatives with `than`, verbs and nouns of limit.

use norma_model::Comparator;

use super::comparison::{Grammar, NOUN_REACH, Operator, OperatorKind, SUBJECT_REACH};
use super::comparison_table::has;
use super::sentence_words::ending;

/// Words between a comparative and `than`, at most: “a greater width than”.
const NOUNS_BEFORE_THAN: usize = 2;

impl<'a> Grammar<'a> {
    pub(super) fn operator_before(&self, index: usize, first: usize) -> Option<Operator> {
        let bracket = if self.words.before(index, first) == Some("(") { index - 1 } else { index };
        // “at least F = 5 kN”
        if let Some(symbol) = self.symbol_before(bracket, first)
            && let Some(operator) = self.operator_before(symbol, first)
        {
            return Some(operator);
        }
        let directly = self.operator_at(bracket, first);
        if directly.is_some() {
            return directly;
        }
        // “ne dépasse pas 5 mm”
        if self.has_before(&self.table.adjacent, bracket, first)
            && let Some(verb) = self.verb_before(bracket - 1, first)
        {
            return Some(verb);
        }
        let skipped = self.skipped(index, first);
        if skipped < bracket
            && let Some(operator) = self.operator_at(skipped, first)
        {
            return Some(operator);
        }
        self.operator_of_noun(skipped, first).or_else(|| self.operator_of_subject(skipped, first))
    }

    /// The index of a symbol that an equals sign gives the value before this index: `F =`.
    fn symbol_before(&self, index: usize, first: usize) -> Option<usize> {
        const LONGEST: usize = 3;
        if self.words.before(index, first) != Some("=") {
            return None;
        }
        let symbol = self.words.before(index - 1, first)?;
        let is_symbol = symbol.starts_with(char::is_alphabetic) && symbol.chars().count() <= LONGEST;
        is_symbol.then_some(index - 2)
    }

    /// The longest phrase of comparison that ends before this index: where it begins, and its comparator.
    pub(super) fn phrase_before(&self, index: usize, first: usize) -> Option<(usize, Comparator)> {
        let mut longest: Option<(usize, Comparator)> = None;
        for (comparator, phrases) in &self.table.before {
            if let Some(start) = ending(phrases, self.words, index, first)
                && longest.is_none_or(|(other, _)| start < other)
            {
                longest = Some((start, *comparator));
            }
        }
        longest
    }

    /// An operator that ends before this index: the longer one of a phrase and a comparative, else a verb.
    pub(super) fn operator_at(&self, index: usize, first: usize) -> Option<Operator> {
        let comparative = self.comparative_before(index, first);
        let Some((start, comparator)) = self.phrase_before(index, first) else {
            return comparative.or_else(|| self.verb_before(index, first));
        };
        let phrase = self.fixed_operator(comparator, start, first);
        match comparative {
            Some(comparative) if comparative.start < phrase.start => Some(comparative),
            _ => Some(phrase),
        }
    }

    /// The operator of a phrase: “below” and “at or below” have opposites, “at least” has none that is
    /// known.
    pub(super) fn fixed_operator(&self, comparator: Comparator, start: usize, first: usize) -> Operator {
        let including = match comparator {
            Comparator::MoreThan => Comparator::AtLeast,
            Comparator::LessThan => Comparator::AtMost,
            _ => return Operator { comparator, start, kind: OperatorKind::Fixed },
        };
        let kind = OperatorKind::Comparative;
        match ending(&self.table.equal_or, self.words, start, first) {
            Some(start) => Operator { comparator: including, start, kind },
            None => Operator { comparator, start, kind },
        }
    }

    /// `wider than`, `greater than or equal to`, `eine größere Breite als`.
    pub(super) fn comparative_before(&self, index: usize, first: usize) -> Option<Operator> {
        let included = ending(&self.table.or_equal, self.words, index, first);
        let mut end = included.unwrap_or(index);
        let than = self.words.before(end, first).unwrap_or_default();
        let directly = has(&self.table.than_directly, than);
        if directly || has(&self.table.than, than) {
            end -= 1;
        } else if included.is_none() {
            return None;
        }
        let nouns = if directly || included.is_some() { 0 } else { NOUNS_BEFORE_THAN };
        let (is_more, start) = self.degree_before(end, first, nouns)?;
        // “la face inférieure d’un”, “supérieure de 5 mm à”: no comparison with what follows.
        let only = &self.table.than_of_forms;
        if !only.is_empty() && included.is_none() && !has(only, than) {
            let has_own_form = self.table.comparative(self.word(start)?).is_some();
            if has_own_form {
                return None;
            }
        }
        let equal_or = ending(&self.table.equal_or, self.words, start, first);
        let includes_value = included.is_some() || equal_or.is_some();
        let comparator = match (is_more, includes_value) {
            (true, true) => Comparator::AtLeast,
            (true, false) => Comparator::MoreThan,
            (false, true) => Comparator::AtMost,
            (false, false) => Comparator::LessThan,
        };
        Some(Operator { comparator, start: equal_or.unwrap_or(start), kind: OperatorKind::Comparative })
    }

    /// The comparative that ends before this index: whether it names the greater side, and where it begins.
    pub(super) fn degree_before(&self, end: usize, first: usize, nouns: usize) -> Option<(bool, usize)> {
        // A noun may be between it and `than`: “a greater width than”.
        for noun in 0..=nouns {
            let at = end.checked_sub(noun)?;
            let word = self.words.before(at, first)?;
            if let Some(is_more) = self.degree(word) {
                return Some((is_more, at - 1));
            }
            // “less wide than”
            if let Some(adverb) = self.words.before(at - 1, first)
                && let Some(side) = self.table.adjective(word)
            {
                if has(&self.table.more, adverb) {
                    return Some((side, at - 2));
                }
                if has(&self.table.less, adverb) {
                    return Some((!side, at - 2));
                }
            }
            if !word.chars().all(char::is_alphabetic) || has(&self.table.stops, word) {
                return None;
            }
        }
        None
    }

    /// True for a comparative by itself that names the greater side, false for the smaller side, `None` for
    /// other words.
    pub(super) fn degree(&self, word: &str) -> Option<bool> {
        if has(&self.table.more, word) {
            return Some(true);
        }
        if has(&self.table.less, word) {
            return Some(false);
        }
        self.table.comparative(word)
    }

    pub(super) fn verb_before(&self, index: usize, first: usize) -> Option<Operator> {
        let word = self.words.before(index, first)?;
        self.verb(word, index - 1)
    }

    pub(super) fn verb(&self, word: &str, start: usize) -> Option<Operator> {
        let comparator = if has(&self.table.exceed, word) {
            Comparator::MoreThan
        } else if has(&self.table.undercut, word) {
            Comparator::LessThan
        } else {
            return None;
        };
        let kind = OperatorKind::Verb { finite: has(&self.table.finite, word) };
        Some(Operator { comparator, start, kind })
    }

    /// `maximum width of`, `exceed a total mass of`.
    pub(super) fn operator_of_noun(&self, index: usize, first: usize) -> Option<Operator> {
        let kind = OperatorKind::Fixed;
        let behind_of = self.has_before(&self.table.of, index, first);
        let mut at = if behind_of { index - 1 } else { index };
        for _ in 0..NOUN_REACH {
            let word = self.words.before(at, first)?;
            if let Some(comparator) = self.table.limit_of_word(word) {
                return Some(Operator { comparator, start: at - 1, kind });
            }
            if !behind_of {
                return None;
            }
            // “within a distance of 40 m”
            match self.phrase_before(at, first) {
                Some((start, comparator @ (Comparator::AtMost | Comparator::AtLeast))) => {
                    return Some(Operator { comparator, start, kind });
                }
                Some(_) => return None,
                None => {}
            }
            if let Some(verb) = self.verb(word, at - 1) {
                return Some(verb);
            }
            let is_plain = word == "-" || word.chars().all(char::is_alphabetic);
            if !is_plain || has(&self.table.stops, word) && !has(&self.table.transparent, word) {
                return None;
            }
            at -= 1;
        }
        None
    }

    /// “The maximum width shall be”: a word of limit in the noun of the subject, whose verb is directly
    /// before.
    pub(super) fn operator_of_subject(&self, index: usize, first: usize) -> Option<Operator> {
        // “doit être de”
        let behind_of = self.has_before(&self.table.of, index, first);
        let value = if behind_of { index - 1 } else { index };
        let mut verb = value;
        while self.has_before(&self.table.modals, verb, first)
            || self.has_before(&self.table.auxiliaries, verb, first)
        {
            verb -= 1;
        }
        if verb == value || verb == first {
            return None;
        }
        let mut start = verb;
        for _ in 0..SUBJECT_REACH {
            match self.words.before(start, first) {
                Some(word) if word != "," && !self.is_subordinator(start - 1) => start -= 1,
                _ => break,
            }
        }
        // Only the noun itself, not what follows with a preposition.
        let mut found: Option<Operator> = None;
        for at in start..verb {
            let word = self.word(at)?;
            if let Some(comparator) = self.table.limit_of_word(word) {
                match &mut found {
                    Some(other) if other.comparator != comparator => other.kind = OperatorKind::Unknown,
                    Some(_) => {}
                    None => found = Some(Operator { comparator, start: at, kind: OperatorKind::Fixed }),
                }
            }
            let joins = found.is_some() && has(&self.table.coordinators, word);
            if has(&self.table.stops, word) && !has(&self.table.transparent, word) && !joins {
                break;
            }
        }
        found
    }
}
