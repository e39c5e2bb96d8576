//! Comparison of a value: the operator in the words around it, as a composition of a few kinds of words.
//!
//! An operator is a fixed phrase (`at least`, `≤`), a comparative with `than`, a verb of limit (`exceed`), or a
//! word of limit before its noun (`maximum width of`). Whether it is negated is asked of its clause
//! ([`super::scope`]). Without an operator the value is `equal` only behind a word that proves it.

use norma_model::Comparator;

use super::comparison_table::{ComparisonTable, has};
use super::words::{Phrase, Words, beginning, ending};

/// Words between a noun of limit and its value, at most.
const NOUN_REACH: usize = 6;
/// Words of what is counted or measured, before a comparison behind it, at most.
const COUNTED_REACH: usize = 3;
/// Words between a comparative and `than`, at most: “a greater width than”.
const NOUNS_BEFORE_THAN: usize = 2;
/// Words of a subject, at most.
const SUBJECT_REACH: usize = 14;
/// Words of an inserted phrase that a verb may follow, at most.
const INSERTED_REACH: usize = 12;

/// An operator, and the index of its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operator {
    pub(super) comparator: Comparator,
    pub(super) start: usize,
    /// What negates it.
    pub(super) kind: OperatorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatorKind {
    /// A comparative or a preposition: a negation makes its opposite.
    Comparative,
    /// A verb; also negated behind the value in German.
    Verb { finite: bool },
    /// A phrase that includes the value: it is not known what its negation means.
    Fixed,
}

/// What the words around a value say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Stated(Comparator),
    /// A value that may share the comparator of the value before it.
    Joined,
    NotStated,
}

/// A value among the words of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Index of its first word, and of the word behind it.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Grammar of comparisons over the words of a sentence.
#[derive(Clone, Copy)]
pub(super) struct Grammar<'a> {
    pub(super) words: &'a Words<'a>,
    pub(super) table: &'a ComparisonTable,
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

impl<'a> Grammar<'a> {
    /// What the words around a value say of it.
    pub(super) fn comparison(&self, place: Place) -> Comparison {
        // The lead-in is read on by a value with which its item begins.
        let first = if place.start == self.words.led { 0 } else { self.words.led };
        if let Some(operator) = self.operator_before(self.lead_end(place.start), first) {
            return match self.scoped(operator, place, first) {
                Some(comparator) => Comparison::Stated(comparator),
                None => Comparison::NotStated,
            };
        }
        if let Some(operator) = self.operator_after(place, first) {
            return match self.scoped(operator, place, first) {
                Some(comparator) => Comparison::Stated(comparator),
                None => Comparison::NotStated,
            };
        }
        self.value(place, first)
    }

    /// Whether a range that begins here is not negated and under no other operator.
    pub(super) fn is_plain_range(&self, place: Place) -> bool {
        let first = if place.start == self.words.led { 0 } else { self.words.led };
        let operator = self.operator_before(place.start, first);
        let limited = operator.is_some_and(|operator| operator.kind != OperatorKind::Fixed);
        !limited && self.negations(place.start, first).is_some_and(|count| count.is_multiple_of(2))
    }

    /// Whether words behind a value compare with it, and none before it.
    pub(super) fn is_limited_behind(&self, place: Place) -> bool {
        let first = if place.start == self.words.led { 0 } else { self.words.led };
        self.operator_before(place.start, first).is_none() && self.operator_after(place, first).is_some()
    }

    /// The comparator that a phrase before a value is, if it is nothing else: `more than`.
    pub(super) fn operator_of_phrase(&self) -> Option<Comparator> {
        let end = self.words.all.len();
        let operator = self.operator_before(end, 0)?;
        let place = Place { start: end, end };
        let comparator = self.scoped(operator, place, 0)?;
        let negation = &self.words.all[..operator.start];
        let is_negation = |word: &str| has(&self.table.negations, word) || has(&self.table.denials, word);
        negation
            .iter()
            .all(|word| is_negation(word.text) || has(&self.table.adjacent, word.text))
            .then_some(comparator)
    }

    /// The comparator for a value behind all words, if there is an operator.
    pub(super) fn comparator_at_end(&self) -> Option<Comparator> {
        let end = self.words.all.len();
        let operator = self.operator_before(end, 0)?;
        self.scoped(operator, Place { start: end, end }, 0)
    }

    /// Whether a value is in the subject of a verb behind it.
    pub(super) fn is_in_subject(&self, place: Place) -> bool {
        for at in place.end..place.end + SUBJECT_REACH {
            let Some(word) = self.word(at).filter(|word| !matches!(*word, "," | ";" | ":" | ".")) else {
                return false;
            };
            if has(&self.table.modals, word) {
                return true;
            }
        }
        false
    }

    /// Whether the words are an operator behind a value: `or more`.
    pub(super) fn is_operator_after(&self) -> bool {
        self.phrase_after(0).is_some_and(|(_, end)| end == self.words.all.len())
    }

    /// Where the words before a value end: without the verb that ends its lead-in (“darf höchstens betragen: 5 mm”).
    fn lead_end(&self, start: usize) -> usize {
        if start != self.words.led {
            // “within: 20 days”
            let colon = self.words.before(start, self.words.led) == Some(":");
            return start - usize::from(colon);
        }
        ending(&self.table.values, self.words, start, 0).filter(|_| self.table.verb_final).unwrap_or(start)
    }

    fn word(&self, index: usize) -> Option<&'a str> {
        self.words.get(index)
    }

    /// Where the words before a value begin that change nothing: brackets, articles, `exactly`.
    fn skipped(&self, mut index: usize, first: usize) -> usize {
        while let Some(word) = self.words.before(index, first) {
            if word != "(" && !has(&self.table.transparent, word) {
                break;
            }
            index -= 1;
        }
        index
    }

    fn operator_before(&self, index: usize, first: usize) -> Option<Operator> {
        let bracket = if self.words.before(index, first) == Some("(") { index - 1 } else { index };
        // “ne dépasse pas 5 mm”
        let negated_verb = self
            .words
            .before(bracket, first)
            .filter(|word| has(&self.table.adjacent, word))
            .and_then(|_| self.verb_before(bracket - 1, first));
        self.operator_at(bracket, first).or(negated_verb).or_else(|| {
            let skipped = self.skipped(index, first);
            let near = self.operator_at(skipped, first).filter(|_| skipped < bracket);
            near.or_else(|| self.operator_of_noun(skipped, first))
                .or_else(|| self.operator_of_subject(skipped, first))
        })
    }

    /// An operator that ends before this index.
    fn operator_at(&self, index: usize, first: usize) -> Option<Operator> {
        let fixed = self.table.before.iter().filter_map(|(comparator, phrases)| {
            Some((ending(phrases, self.words, index, first)?, *comparator))
        });
        let fixed = fixed
            .min_by_key(|(start, _)| *start)
            .map(|(start, comparator)| self.fixed_operator(comparator, start, first));
        let comparative = self.comparative_before(index, first);
        match (fixed, comparative) {
            (Some(fixed), Some(comparative)) if comparative.start < fixed.start => Some(comparative),
            (None, comparative) => comparative.or_else(|| self.verb_before(index, first)),
            (fixed, _) => fixed,
        }
    }

    /// The operator of a phrase: “below” and “at or below” have opposites, “at least” has none that is known.
    fn fixed_operator(&self, comparator: Comparator, start: usize, first: usize) -> Operator {
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
    fn comparative_before(&self, index: usize, first: usize) -> Option<Operator> {
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
        let equal_or = ending(&self.table.equal_or, self.words, start, first);
        let comparator = match (is_more, included.is_some() || equal_or.is_some()) {
            (true, true) => Comparator::AtLeast,
            (true, false) => Comparator::MoreThan,
            (false, true) => Comparator::AtMost,
            (false, false) => Comparator::LessThan,
        };
        Some(Operator { comparator, start: equal_or.unwrap_or(start), kind: OperatorKind::Comparative })
    }

    /// The comparative that ends before this index: whether it names the greater side, and where it begins.
    fn degree_before(&self, end: usize, first: usize, nouns: usize) -> Option<(bool, usize)> {
        // A noun may stand between it and `than`: “a greater width than”.
        for noun in 0..=nouns {
            let at = end.checked_sub(noun).filter(|at| *at > first)?;
            let word = self.word(at - 1)?;
            if let Some(is_more) = self.degree(word) {
                return Some((is_more, at - 1));
            }
            let adverb =
                at.checked_sub(2).filter(|adverb| *adverb >= first).and_then(|adverb| self.word(adverb));
            if let (Some(side), Some(adverb)) = (self.table.adjective(word), adverb) {
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

    /// Whether a word that is a comparative by itself names the greater side.
    pub(super) fn degree(&self, word: &str) -> Option<bool> {
        if has(&self.table.more, word) {
            return Some(true);
        }
        if has(&self.table.less, word) {
            return Some(false);
        }
        self.table.comparative(word)
    }

    fn verb_before(&self, index: usize, first: usize) -> Option<Operator> {
        let word = self.words.before(index, first)?;
        self.verb(word, index - 1)
    }

    fn verb(&self, word: &str, start: usize) -> Option<Operator> {
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
    fn operator_of_noun(&self, index: usize, first: usize) -> Option<Operator> {
        let fixed = |comparator, start| Operator { comparator, start, kind: OperatorKind::Fixed };
        let mut at = index;
        let behind_of = self.words.before(index, first).is_some_and(|word| has(&self.table.of, word));
        if behind_of {
            at -= 1;
        }
        for _ in 0..NOUN_REACH {
            let word = self.words.before(at, first)?;
            if let Some(comparator) = self.table.limit_of_word(word) {
                return Some(fixed(comparator, at - 1));
            }
            if !behind_of {
                return None;
            }
            if let Some(verb) = self.verb(word, at - 1) {
                return Some(verb);
            }
            let plain = word.chars().all(|c| c.is_alphabetic()) || word == "-";
            if !plain || has(&self.table.stops, word) && !has(&self.table.transparent, word) {
                return None;
            }
            at -= 1;
        }
        None
    }

    /// “The maximum width shall be”: a word of limit in the noun of the subject, whose verb is directly before.
    fn operator_of_subject(&self, index: usize, first: usize) -> Option<Operator> {
        // “doit être de”
        let behind_of = self.words.before(index, first).is_some_and(|word| has(&self.table.of, word));
        let value = index - usize::from(behind_of);
        let mut verb = value;
        while self
            .words
            .before(verb, first)
            .is_some_and(|word| has(&self.table.modals, word) || has(&self.table.auxiliaries, word))
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
        for at in start..verb {
            let word = self.word(at)?;
            if let Some(comparator) = self.table.limit_of_word(word) {
                return Some(Operator { comparator, start: at, kind: OperatorKind::Fixed });
            }
            if has(&self.table.stops, word) && !has(&self.table.transparent, word) {
                return None;
            }
        }
        None
    }

    fn operator_after(&self, place: Place, first: usize) -> Option<Operator> {
        let operator = self.phrase_after(place.end).map(|(operator, _)| operator);
        operator.or_else(|| self.verb_after(place, first))
    }

    /// `or more`, `maximum`, `oder länger`, also behind what is counted or measured (“three holes or more”, “5 m
    /// in length or more”); and where it ends.
    fn phrase_after(&self, end: usize) -> Option<(Operator, usize)> {
        self.phrase_directly_after(end).or_else(|| {
            let joint = self.word(end).is_some_and(|word| has(&self.table.within, word));
            let noun = end + usize::from(joint);
            for at in noun..noun + COUNTED_REACH {
                let word = self.word(at)?;
                let plain = word.chars().all(char::is_alphabetic);
                let is_unit = word.len() < 3;
                if !plain || is_unit || has(&self.table.stops, word) || has(&self.table.modals, word) {
                    return None;
                }
                if let Some(found) = self.phrase_directly_after(at + 1) {
                    return Some(found);
                }
            }
            None
        })
    }

    fn phrase_directly_after(&self, end: usize) -> Option<(Operator, usize)> {
        let mut at = end;
        if self.word(at) == Some(")") {
            at += 1;
        }
        // “12 V d.c. or more”
        if let Some(current) = beginning(&currents(), self.words, at) {
            at = current;
        }
        let adjective = self.word(at).is_some_and(|word| self.table.adjective(word).is_some());
        for at in [at, at + usize::from(adjective)] {
            let phrases =
                self.table.after.iter().filter_map(|(comparator, phrases)| {
                    Some((beginning(phrases, self.words, at)?, *comparator))
                });
            if let Some((end, comparator)) = phrases.max_by_key(|(end, _)| *end) {
                return Some((Operator { comparator, start: at, kind: OperatorKind::Fixed }, end));
            }
            let joint = self.word(at).filter(|word| has(&self.table.or, word) || has(&self.table.and, word));
            let degree = joint.and_then(|_| self.degree(self.word(at + 1)?));
            let compares = self.word(at + 2).is_some_and(|word| has(&self.table.than, word));
            if let Some(is_more) = degree.filter(|_| !compares) {
                let comparator = if is_more { Comparator::AtLeast } else { Comparator::AtMost };
                return Some((Operator { comparator, start: at, kind: OperatorKind::Comparative }, at + 2));
            }
        }
        None
    }

    /// A verb of limit behind the value: “shall not be exceeded”, “darf 5 mm bei 20 °C nicht überschreiten”.
    fn verb_after(&self, place: Place, first: usize) -> Option<Operator> {
        let mut at = place.end;
        if !self.table.verb_final {
            loop {
                let word = self.word(at)?;
                if let Some(verb) = self.verb(word, at) {
                    return (at > place.end).then_some(verb);
                }
                let is_part = has(&self.table.modals, word)
                    || has(&self.table.auxiliaries, word)
                    || has(&self.table.negations, word)
                    || has(&self.table.adjacent, word);
                if !is_part {
                    return None;
                }
                at += 1;
            }
        }
        if self.is_circumstance(place.start, first) {
            return None;
        }
        let mut is_joined = false;
        // “Überschreitet die Masse 5 kg”
        let clause = self.clause_start(place.start, first);
        if let Some(verb) =
            self.word(clause).and_then(|word| self.verb(word, clause)).filter(|_| clause < place.start)
        {
            return Some(verb);
        }
        loop {
            let word = self.word(at)?;
            if let Some(verb) = self.verb(word, at) {
                return Some(verb);
            }
            match word {
                ";" | ":" | "." | "(" => return None,
                // “, gemessen bei 20 °C, nicht überschreiten”
                "," => {
                    let closing = (at + 1..at + INSERTED_REACH).find(|at| self.word(*at) == Some(","))?;
                    let behind = closing + 1;
                    let is_negation = self.word(behind).is_some_and(|word| has(&self.table.negations, word));
                    return self.verb(self.word(behind + 1).filter(|_| is_negation)?, behind + 1);
                }
                _ => {}
            }
            // “eine Breite von 2 m und eine Höhe von 4 m nicht überschreiten”
            is_joined |= has(&self.table.coordinators, word);
            let continues = self.word(at - 1).is_some_and(|before| matches!(before, "." | ","));
            if is_number(word) && !continues && !is_joined && !self.is_circumstance(at, first) {
                return None;
            }
            at += 1;
        }
    }

    /// Whether a word of a circumstance is before this index: “bei 20 °C”.
    fn is_circumstance(&self, index: usize, first: usize) -> bool {
        let mut index = self.skipped(index, first);
        // “bei einer Dicke von 5 mm”
        if self.words.before(index, first).is_some_and(|word| has(&self.table.of, word)) {
            index -= 1;
            for _ in 0..NOUN_REACH {
                let part = self.words.before(index, first);
                if part.is_none_or(|word| has(&self.table.stops, word) && !has(&self.table.transparent, word))
                {
                    break;
                }
                index -= 1;
            }
        }
        ending(&self.table.circumstances, self.words, index, first).is_some()
    }

    fn clause_start(&self, index: usize, first: usize) -> usize {
        let mut start = index;
        while self.words.before(start, first).is_some_and(|word| !matches!(word, "," | ";" | ":")) {
            start -= 1;
        }
        start
    }

    /// Whether the word at this index opens a subordinate clause.
    pub(super) fn is_subordinator(&self, index: usize) -> bool {
        if beginning(&self.table.subordinators, self.words, index).is_none() {
            return false;
        }
        // “plus étroite que 20 mm”
        let is_than = self.word(index).is_some_and(|word| has(&self.table.than, word));
        !(is_than && self.degree_before(index, 0, 0).is_some())
    }

    /// Whether a value without operator is proved to be the value itself.
    fn value(&self, place: Place, first: usize) -> Comparison {
        if self.is_compared_by_unknown(place.end)
            || ending(&self.table.unknown, self.words, place.start, first).is_some()
        {
            return Comparison::NotStated;
        }
        let equal = Comparison::Stated(Comparator::Equal);
        let index = self.skipped(place.start, first);
        let Some(word) = self.words.before(index, first) else { return equal };
        // “four months before the meeting”
        let behind = self.word(place.end).is_some_and(|word| has(&self.table.values_behind, word));
        if behind || matches!(word, ":" | "=") {
            return equal;
        }
        if matches!(word, "," | "×" | "x" | "*" | "/") || has(&self.table.coordinators, word) {
            return Comparison::Joined;
        }
        if let Some(verb) = ending(&self.table.values, self.words, index, first) {
            let negated = self.negations(verb, first) != Some(0) || self.is_negated_behind(place.end);
            return if negated { Comparison::NotStated } else { equal };
        }
        let circumstance = [place.start, index]
            .into_iter()
            .any(|index| ending(&self.table.circumstances, self.words, index, first).is_some());
        if circumstance {
            return equal;
        }
        if has(&self.table.of, word) {
            // “from a height of 3 m”
            let is_open = self.noun_is_open(index - 1, first);
            return if is_open { Comparison::NotStated } else { equal };
        }
        if self.table.verb_final && self.ends_with_value_verb(place) {
            let negated = self.negations(index, first) != Some(0) || self.is_negated_behind(place.end);
            let directly = has(&self.table.modals, word) || self.verb_is_next(place);
            return if negated || !directly { Comparison::NotStated } else { equal };
        }
        Comparison::NotStated
    }

    /// Whether the noun before `of` is a limit of an unknown side, or one from which on a value counts.
    fn noun_is_open(&self, index: usize, first: usize) -> bool {
        let mut at = index;
        for _ in 0..NOUN_REACH {
            let Some(word) = self.words.before(at, first) else { return false };
            if has(&self.table.open, word) || has(&self.table.from, word) {
                return true;
            }
            let is_part = has(&self.table.transparent, word) || has(&self.table.of, word);
            if has(&self.table.stops, word) && !is_part {
                return false;
            }
            at -= 1;
        }
        false
    }

    /// Whether a word that is not known may compare behind the value: “5 mm or thereabouts”.
    fn is_compared_by_unknown(&self, end: usize) -> bool {
        let joined = self.word(end).is_some_and(|word| has(&self.table.or, word));
        let word = self.word(end + 1).unwrap_or_default();
        let goes_on = has(&self.table.transparent, word) || has(&self.table.stops, word);
        joined && word.starts_with(char::is_alphabetic) && !goes_on
    }

    /// Whether a number that counts the noun behind it is that number: no word before it may compare.
    pub(super) fn is_plain_count(&self, place: Place) -> bool {
        let first = if place.start == self.words.led { 0 } else { self.words.led };
        let index = self.skipped(place.start, first);
        let Some(word) = self.words.before(index, first) else { return true };
        let compares = has(&self.table.than, word)
            || has(&self.table.from, word) && index == place.start
            || has(&self.table.negations, word)
            || has(&self.table.adjacent, word)
            || has(&self.table.denials, word)
            || has(&self.table.open, word)
            || self.degree(word).is_some();
        let unknown = ending(&self.table.unknown, self.words, place.start, first).is_some();
        let behind = self.is_compared_by_unknown(place.end) || self.operator_after(place, first).is_some();
        !compares && !unknown && !behind && self.operator_before(place.start, first).is_none()
    }

    /// Whether an article that may be a one is a number: “at least one”, “one or more”.
    pub(super) fn is_counted_one(&self, place: Place) -> bool {
        let first = if place.start == self.words.led { 0 } else { self.words.led };
        let joined = self.word(place.end).is_some_and(|word| has(&self.table.or, word));
        // “pas moins qu’une connaissance”: an article; “plus d’un” is a number.
        let before = self.words.before(place.start, first).unwrap_or_default();
        let is_article = !self.table.than_directly.is_empty() && has(&self.table.than, before);
        !is_article && self.operator_before(place.start, first).is_some()
            || joined && self.phrase_directly_after(place.end).is_some()
    }

    /// Whether the clause ends with a verb that says that a value is the value: “betragen”.
    fn ends_with_value_verb(&self, place: Place) -> bool {
        let shares = self.word(place.end) == Some(",");
        let mut at = place.end;
        while let Some(word) = self.word(at) {
            if beginning(&self.table.values, self.words, at).is_some() {
                return true;
            }
            // “muss 5 m, die Höhe 3 m betragen”
            let is_digit = is_number(word);
            let ends = match word {
                "," => !shares,
                ";" | ":" => true,
                _ => {
                    let joined = self.word(at - 1).is_some_and(|before| {
                        let is_sign = matches!(before, "×" | "x" | "." | ",");
                        is_sign || is_number(before) || has(&self.table.coordinators, before)
                    });
                    has(&self.table.modals, word) || is_digit && !joined && !shares
                }
            };
            if ends {
                return false;
            }
            at += 1;
        }
        false
    }

    /// Whether that verb follows the value or its adjective: “5 mm breit ist”.
    fn verb_is_next(&self, place: Place) -> bool {
        let adjective = self.word(place.end).is_some_and(|word| self.table.adjective(word).is_some());
        beginning(&self.table.values, self.words, place.end + usize::from(adjective)).is_some()
    }
}

/// What kind of voltage a unit is of, which is no part of it.
fn currents() -> [Phrase; 4] {
    ["d.c.", "a.c.", "dc", "ac"].map(|current| Phrase::from(current.to_owned()))
}
