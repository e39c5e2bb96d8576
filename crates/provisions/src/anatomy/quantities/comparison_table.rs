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
    /// Whether the verb is at the end of its clause.
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

impl ComparisonTable {
    /// Whether an adjective names the greater side.
    pub(super) fn adjective(&self, word: &str) -> Option<bool> {
        let listed = |word: &str| match (has(&self.up, word), has(&self.down, word)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        // French adjectives agree: “larges”, “hautes”.
        let singular = word.strip_suffix('s').unwrap_or(word);
        let masculine = singular.strip_suffix('e').unwrap_or(singular);
        listed(word).or_else(|| listed(singular)).or_else(|| listed(masculine))
    }

    /// Whether a comparative names the greater side: `wider`, `größere`, `supérieures`.
    pub(super) fn comparative(&self, word: &str) -> Option<bool> {
        let listed = |word: &str| match (has(&self.up_comparatives, word), has(&self.down_comparatives, word))
        {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let inflected =
            ["e", "en", "er", "es", "em", "s"].into_iter().filter_map(|end| word.strip_suffix(end));
        let forms: Vec<&str> = std::iter::once(word).chain(inflected).collect();
        if let Some(side) = forms.iter().find_map(|form| listed(form)) {
            return Some(side);
        }
        let ending = self.comparative_ending.as_deref()?;
        forms.into_iter().filter_map(|form| form.strip_suffix(ending)).find_map(|stem| self.base(stem))
    }

    /// The side of an adjective by the stem of its comparative: `wid`, `heavi`, `bigg`, `läng`.
    fn base(&self, stem: &str) -> Option<bool> {
        let listed = |word: &str| match (has(&self.up, word), has(&self.down, word)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let with_e = [stem, "e"].concat();
        let with_y = stem.strip_suffix('i').map(|stem| [stem, "y"].concat());
        let mut letters = stem.chars().rev();
        let doubled = letters.next().filter(|last| letters.next() == Some(*last));
        let single = doubled.map(|last| &stem[..stem.len() - last.len_utf8()]);
        let plain = stem.replace('ä', "a").replace('ö', "o").replace('ü', "u");
        listed(stem)
            .or_else(|| listed(&with_e))
            .or_else(|| listed(&with_y?))
            .or_else(|| listed(single?))
            .or_else(|| listed(&plain))
    }

    /// The comparator of a word that limits its noun: `maximum`, `Mindestbreite`.
    pub(super) fn limit_of_word(&self, word: &str) -> Option<Comparator> {
        let starts = |nouns: &[String]| {
            nouns.iter().any(|noun| word.strip_prefix(noun.as_str()).is_some_and(|rest| rest.len() > 2))
        };
        if has(&self.maximum, word) || starts(&self.maximum_nouns) {
            return Some(Comparator::AtMost);
        }
        (has(&self.minimum, word) || starts(&self.minimum_nouns)).then_some(Comparator::AtLeast)
    }
}
