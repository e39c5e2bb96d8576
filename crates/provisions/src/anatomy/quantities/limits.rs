//! Limits: the words before and after a value that make it a maximum or minimum, and their negations.

use std::collections::BTreeMap;

use norma_model::Comparator;

use super::{CURRENTS, NEGATION_REACH, QuantityScan};

impl<'a> QuantityScan<'a> {
    pub(super) fn limit(&self, before: &str, end: usize) -> Option<Comparator> {
        let mut rest = self.lower[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ')');
        rest = CURRENTS.iter().find_map(|word| rest.strip_prefix(word)?.strip_prefix(' ')).unwrap_or(rest);
        let longest = |table: &BTreeMap<Comparator, Vec<String>>, holds: &dyn Fn(&str) -> bool| {
            let phrases = table
                .iter()
                .flat_map(|(kind, phrases)| phrases.iter().map(move |phrase| (phrase.len(), *kind, phrase)));
            phrases
                .filter(|(_, _, phrase)| holds(phrase))
                .max_by_key(|(length, ..)| *length)
                .map(|(_, kind, _)| kind)
        };
        let starts = |rest: &str, phrase: &str| {
            rest.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let verb = self.verb_at_end(before, rest);
        let exceeded = self.without_measure(before);
        longest(&self.table.before, &|phrase| Self::ends_with(before, phrase))
            .or_else(|| {
                exceeded.and_then(|before| longest(&self.table.before, &|p| Self::ends_with(before, p)))
            })
            .or_else(|| longest(&self.table.after, &|phrase| starts(rest, phrase)))
            .or_else(|| longest(&self.table.after, &|phrase| verb.is_some_and(|verb| starts(verb, phrase))))
    }

    /// The text before `a value of`, if that is the object of a verb: “shall not exceed the limit of 5 mm”.
    fn without_measure(&self, before: &'a str) -> Option<&'a str> {
        let phrase =
            self.table.measures.iter().find_map(|word| before.strip_suffix(word.as_str()))?.trim_end();
        let mut words = phrase.rsplitn(3, ' ').skip(1);
        let determined = words.next().is_some_and(|word| self.table.determiners.iter().any(|d| d == word));
        words
            .next()
            .filter(|rest| determined && self.table.exceed.iter().any(|verb| Self::ends_with(rest, verb)))
    }

    /// The end of the clause from `nicht` on, whose verb limits the last value before it that is not a
    /// circumstance: “darf 5 mm bei 20 °C nicht überschreiten”. A phrase may be inserted: “darf 5 mm,
    /// gemessen bei 20 °C, nicht überschreiten”.
    fn verb_at_end<'t>(&self, before: &str, rest: &'t str) -> Option<&'t str> {
        let circumstance =
            |before: &str| self.table.adverbial.iter().any(|word| Self::ends_with(before.trim_end(), word));
        if !self.table.verb_final || circumstance(before) {
            return None;
        }
        let ends = [", ", "; ", ". ", ": ", " ("].iter().filter_map(|sign| rest.find(sign));
        let end = ends.min().unwrap_or(rest.len());
        let inserted = rest[end..].strip_prefix(", ").and_then(|phrase| phrase.split_once(", "));
        let behind =
            inserted.filter(|(phrase, _)| !phrase.contains([';', ':', '(']) && !phrase.contains(". "));
        if let Some((_, verb)) = behind.filter(|(_, verb)| verb.starts_with("nicht ")) {
            return (!rest[..end].contains(|c: char| c.is_ascii_digit())).then_some(verb);
        }
        let clause = &rest[..end];
        let at = clause.find(" nicht ")?;
        let mut digits = clause[..at].char_indices().filter(|(_, c)| c.is_ascii_digit());
        let first = |(digit, _): &(usize, char)| {
            let before = &clause[..*digit];
            (before.is_empty() || before.ends_with(char::is_whitespace)) && !circumstance(before)
        };
        digits.find(first).is_none().then_some(&rest[at + 1..])
    }

    /// Whether one of the words before the limit negates it.
    pub(super) fn is_negated(&self, before: &str) -> bool {
        let words =
            before.rsplit(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
        words.take(NEGATION_REACH + 1).any(|word| self.is_negation(word)) || self.begins_negated(before)
    }

    fn is_negation(&self, word: &str) -> bool {
        self.table.negations.iter().any(|negation| negation == word)
    }

    /// Whether the clause begins with its negation: “No member may hold more than one seat”, “In no case …”.
    fn begins_negated(&self, before: &str) -> bool {
        let clause = before.rsplit([',', ';', ':', '.']).next().unwrap_or_default();
        clause.len() == before.len() && clause.split_whitespace().take(2).any(|word| self.is_negation(word))
    }
}
