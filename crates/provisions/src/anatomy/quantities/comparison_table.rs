//! Words that compare, by what they do in the grammar, and the forms of adjectives.

use std::collections::BTreeMap;

use norma_model::Comparator;
use serde::Deserialize;

use super::sentence_words::Phrase;

/// The words of a language that compare, by what they do in the grammar.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct ComparisonTable {
    /// Adverbs, prepositions and signs before a value.
    pub(super) before: BTreeMap<Comparator, Vec<Phrase>>,
    /// Words behind a value.
    pub(super) after: BTreeMap<Comparator, Vec<Phrase>>,
    /// Adverbs of degree, which are also comparatives of themselves: `more`.
    pub(super) more: Vec<String>,
    pub(super) less: Vec<String>,
    /// Adjectives and adverbs of which more is a greater value, and those of which more is a smaller one.
    pub(super) up: Vec<String>,
    pub(super) down: Vec<String>,
    /// The ending of their comparatives, in a language that forms them by one.
    pub(super) comparative_ending: Option<String>,
    /// Their comparatives, where they are not formed by rule.
    pub(super) up_comparatives: Vec<String>,
    pub(super) down_comparatives: Vec<String>,
    /// Words behind a comparative: `than`; and those that must follow it directly: `plus de`.
    pub(super) than: Vec<String>,
    pub(super) than_directly: Vec<String>,
    /// The only words behind a comparative that has a form of its own: `à` of `supérieur à`. Empty: all of
    /// those above.
    pub(super) than_of_forms: Vec<String>,
    /// Words that include the value, behind a comparative and before it.
    pub(super) or_equal: Vec<Phrase>,
    pub(super) equal_or: Vec<Phrase>,
    /// Words between a value and a comparative behind it.
    pub(super) or: Vec<String>,
    pub(super) and: Vec<String>,
    /// Words between a value and what is measured: `in length`.
    pub(super) within: Vec<String>,
    /// Words behind a value that say that it is the value: `lang` of a time.
    pub(super) values_behind: Vec<String>,
    /// Forms of verbs whose object is a limit: `exceed`; of those that are finite, no negation is before.
    pub(super) exceed: Vec<String>,
    pub(super) undercut: Vec<String>,
    pub(super) finite: Vec<String>,
    /// Words that make the noun behind or before them a limit, and beginnings of such nouns.
    pub(super) maximum: Vec<String>,
    pub(super) minimum: Vec<String>,
    pub(super) maximum_nouns: Vec<String>,
    pub(super) minimum_nouns: Vec<String>,
    /// Phrases for how far something may go, which a verb of decrease turns round: `up to`.
    pub(super) extents: Vec<Phrase>,
    /// Words before an amount by which something changes: `by` of “by up to 5 bar”.
    pub(super) amounts: Vec<String>,
    /// Verbs that say that something becomes less, and those that say that it becomes more.
    pub(super) decrease: Vec<String>,
    pub(super) increase: Vec<String>,
    /// Modals that allow: what something “may be reduced to” is a limit.
    pub(super) allowing: Vec<String>,
    /// Verbs whose object is what has to be endured, at least: `withstand`.
    pub(super) endure: Vec<String>,
    /// Nouns of a limit that do not say which.
    pub(super) open: Vec<String>,
    /// Words between a noun and its value: `of`.
    pub(super) of: Vec<String>,
    /// Words before a value or a noun that change nothing: articles, `exactly`.
    pub(super) transparent: Vec<String>,
    /// Words that end a phrase of a noun.
    pub(super) stops: Vec<String>,
    /// Verbs that say that a value is the value: `be`, `weigh`.
    pub(super) values: Vec<Phrase>,
    /// Words before a value that is a circumstance, and that value itself: `for 60 s`.
    pub(super) circumstances: Vec<Phrase>,
    /// Phrases before a value that compare in an unknown way: `down to`.
    pub(super) unknown: Vec<Phrase>,
    /// Words from which on a value counts: `from`.
    pub(super) from: Vec<String>,
    /// True if the verb is at the end of its clause.
    pub(super) verb_final: bool,
    pub(super) modals: Vec<String>,
    /// Modals that with a negation deny a duty: `need not`.
    pub(super) denying: Vec<String>,
    /// Words of a duty that is denied: `not required`.
    pub(super) duties: Vec<String>,
    /// Further finite verbs: `is`.
    pub(super) verbs: Vec<String>,
    /// Auxiliary verbs between a value and a verb of limit: `be`.
    pub(super) auxiliaries: Vec<String>,
    /// Negations of a verb.
    pub(super) negations: Vec<String>,
    /// Those that count only next to the operator.
    pub(super) adjacent: Vec<String>,
    /// Words with which a negation does not negate: `not only`.
    pub(super) only: Vec<String>,
    /// Negations of a noun, and prepositions and verbs that deny: `no`, `without`.
    pub(super) denials: Vec<String>,
    /// Negations of a noun that need a particle at the verb: `aucun`.
    pub(super) weak_denials: Vec<String>,
    /// Words that negate and join: `nor`.
    pub(super) nor: Vec<String>,
    /// Verbs and adjectives that forbid: `forbidden`.
    pub(super) bans: Vec<String>,
    /// Words that open a subordinate clause.
    pub(super) subordinators: Vec<Phrase>,
    /// Relative pronouns behind a comma.
    pub(super) relatives: Vec<String>,
    pub(super) coordinators: Vec<String>,
    /// Words behind which no negation before them counts: `but`.
    pub(super) adversatives: Vec<String>,
    /// Endings of adjectives that a negation before them may belong to.
    pub(super) attributive: Vec<String>,
}

pub(super) fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|known| known == word)
}

/// Endings of comparatives that agree with a noun: “breitere”, “supérieures”.
const INFLECTIONS: [&str; 6] = ["e", "en", "er", "es", "em", "s"];

impl ComparisonTable {
    /// True for an adjective that names the greater side, false for the smaller side, `None` for other words.
    pub(super) fn adjective(&self, word: &str) -> Option<bool> {
        // French adjectives agree: “larges”, “hautes”.
        let singular = word.strip_suffix('s').unwrap_or(word);
        let masculine = singular.strip_suffix('e').unwrap_or(singular);
        self.side(word).or_else(|| self.side(singular)).or_else(|| self.side(masculine))
    }

    /// The side that an adjective in this form names, as [`Self::adjective`] gives it.
    fn side(&self, word: &str) -> Option<bool> {
        if has(&self.up, word) {
            return Some(true);
        }
        has(&self.down, word).then_some(false)
    }

    /// True for a comparative that names the greater side (`wider`, `größere`, `supérieures`), false for the
    /// smaller side, `None` for other words.
    pub(super) fn comparative(&self, word: &str) -> Option<bool> {
        let inflected = || INFLECTIONS.into_iter().filter_map(|ending| word.strip_suffix(ending));
        for form in std::iter::once(word).chain(inflected()) {
            if has(&self.up_comparatives, form) {
                return Some(true);
            }
            if has(&self.down_comparatives, form) {
                return Some(false);
            }
        }
        let ending = self.comparative_ending.as_deref()?;
        for form in std::iter::once(word).chain(inflected()) {
            let Some(stem) = form.strip_suffix(ending) else { continue };
            let side = self.side_of_stem(stem);
            if side.is_some() {
                return side;
            }
        }
        None
    }

    /// The side of an adjective by the stem of its comparative: `wid`, `heavi`, `bigg`, `läng`.
    fn side_of_stem(&self, stem: &str) -> Option<bool> {
        let with_e = [stem, "e"].concat();
        if let Some(side) = self.side(stem).or_else(|| self.side(&with_e)) {
            return Some(side);
        }
        if let Some(stem) = stem.strip_suffix('i')
            && let Some(side) = self.side(&[stem, "y"].concat())
        {
            return Some(side);
        }
        if let Some(single) = without_doubled_letter(stem)
            && let Some(side) = self.side(single)
        {
            return Some(side);
        }
        let without_umlaut = stem.replace('ä', "a").replace('ö', "o").replace('ü', "u");
        self.side(&without_umlaut)
    }

    /// The comparator of a word that limits its noun: `maximum`, `Mindestbreite`.
    pub(super) fn limit_of_word(&self, word: &str) -> Option<Comparator> {
        if has(&self.maximum, word) || begins_compound(word, &self.maximum_nouns) {
            return Some(Comparator::AtMost);
        }
        let is_minimum = has(&self.minimum, word) || begins_compound(word, &self.minimum_nouns);
        is_minimum.then_some(Comparator::AtLeast)
    }
}

/// True if a word begins with one of some nouns and has another noun behind it: `Mindestbreite`.
fn begins_compound(word: &str, nouns: &[String]) -> bool {
    const SHORTEST_NOUN: usize = 3;
    for noun in nouns {
        if word.strip_prefix(noun.as_str()).is_some_and(|rest| rest.len() >= SHORTEST_NOUN) {
            return true;
        }
    }
    false
}

/// A stem without the second of two equal letters at its end: `big` of `bigg`.
fn without_doubled_letter(stem: &str) -> Option<&str> {
    let mut letters = stem.chars().rev();
    let last = letters.next()?;
    (letters.next() == Some(last)).then(|| &stem[..stem.len() - last.len_utf8()])
}
