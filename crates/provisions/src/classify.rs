//! Classification of a sentence: the provisions that it holds by the rules of its language.

mod rule_matches;

use std::ops::Range;

use norma_model::{Alternative, ProvisionKind};

use super::clauses::main_clauses;
use super::conventions::{Conventions, KeyWords, Must};
use super::language::{Language, LanguageRule};
use super::matching::{Match, SentenceView};
use super::negation::{Denial, denial};
use super::tokenizer::{Marks, SentenceToken};
use rule_matches::{RuleMatch, RuleMatcher, holds_within, is_next_to, is_with, starts, without_overlaps};

/// A reading of a sentence as a provision.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) rule: &'static LanguageRule,
    /// The name of the reading: that of the rule, or of what it says where its verb is denied.
    pub(super) reading: &'static str,
    pub(super) negated: bool,
    /// The rule's type and confidence, or those that the document's conventions give.
    pub(super) kind: ProvisionKind,
    pub(super) confidence: f32,
    pub(super) alternatives: &'static [Alternative],
    /// The words that decided.
    pub(super) verbal_form: String,
    /// True for words in a main clause.
    pub(super) main: bool,
    /// True for words in brackets, which are a remark.
    pub(super) bracketed: bool,
    /// Their position, in bytes of the section's text.
    pub(super) form_range: Range<usize>,
    /// True if an earlier one in the sentence has the same type: it is not a provision of its own, but a list
    /// may complete it.
    pub(super) again: bool,
}

/// The mode in which the sentence is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReadingMode {
    pub(super) conventions: Conventions,
    /// True in a procedure or test method.
    pub(super) procedure: bool,
    /// True in a list of things, in which a word such as `filter` is a name and not an imperative.
    pub(super) inventory: bool,
    /// True in a group of orders outside of procedures, which are binding by their form alone.
    pub(super) by_form: bool,
}

impl ReadingMode {
    /// True if the rule applies at all.
    fn asks_for(self, rule: &LanguageRule) -> bool {
        let conditions = &rule.conditions;
        if conditions.law && !self.conventions.law {
            return false;
        }
        if conditions.procedure && !(self.procedure && conditions.form == self.by_form) {
            return false;
        }
        if conditions.soll.is_some_and(|soll| soll != self.conventions.soll) {
            return false;
        }
        if conditions.bcp14 && self.conventions.key_words == KeyWords::Plain {
            return false;
        }
        !conditions.must || self.conventions.must != Must::Nothing
    }

    /// Type, confidence and alternatives of what a rule finds. `None` where its verb is denied and that says
    /// nothing.
    fn reading(
        self,
        rule: &'static LanguageRule,
        found: &Match,
        denial: Option<&Denial>,
        view: SentenceView<'_>,
    ) -> Option<FormReading> {
        let stated = if rule.conditions.must { self.conventions.must.reading() } else { None };
        let (kind, confidence, alternatives) =
            stated.unwrap_or((rule.kind, rule.confidence, rule.alternatives.as_slice()));
        let own = FormReading { id: &rule.id, kind, negated: rule.negated, confidence, alternatives };
        let (Some(denied), Some(denial)) = (&rule.denied, denial) else { return Some(own) };
        if denial.of_complement {
            return Some(FormReading { negated: true, ..own });
        }
        // What is denied follows the word that denies it, or the verbal form that an earlier word denies.
        let behind_denial = denial.words.last().map_or(0, |last| last + 1);
        let is_subject = behind_denial <= found.range.end;
        let phrases = if is_subject { &denied.subject_not_before } else { &denied.not_before };
        let denied_from = behind_denial.max(found.range.end);
        // “It may not be possible”: what is denied is a state, and forbids nothing.
        if phrases.iter().any(|phrase| phrase.follows(view, denied_from).is_some()) {
            return None;
        }
        if stated.is_some() {
            return Some(FormReading { id: &denied.id, negated: true, ..own });
        }
        Some(FormReading {
            id: &denied.id,
            kind: denied.kind.unwrap_or(rule.kind),
            negated: true,
            confidence: denied.confidence,
            alternatives: &denied.alternatives,
        })
    }
}

/// What a verbal form says.
struct FormReading {
    id: &'static str,
    kind: ProvisionKind,
    negated: bool,
    confidence: f32,
    alternatives: &'static [Alternative],
}

/// The provisions of one sentence, in the order of their words. The first of each type counts; further ones
/// are marked `again`, and repeated commands are left out. A sentence whose matches are all in subordinate
/// clauses has one provision at most: see `choose`.
pub(super) fn classify(
    text: &str,
    tokens: &[SentenceToken],
    language: &'static Language,
    mode: ReadingMode,
) -> Vec<Hit> {
    let starts = starts(tokens, language);
    let view = SentenceView { tokens, starts: &starts, closing: language.word_lists.closing_clause };
    let mut found = RuleMatcher::new(view, language, mode).matches();
    if found.is_empty() || is_question(text, tokens) || states_nothing(view, language) {
        return Vec::new();
    }
    // “Whereas the lid shall …;” states nothing by itself. A recital counts only in a whole sentence, where a
    // main clause follows it.
    let recital = is_recital(tokens, language);
    let ends = Marks::SENTENCE_END.union(Marks::COLON);
    if recital && !tokens.last().is_some_and(|last| last.is_mark(ends)) {
        return Vec::new();
    }
    let sentence =
        ClassifiedSentence { text, view, language, mode, clauses: clauses(view, language, &found) };
    found.retain(|matched| sentence.counts(matched, recital));
    if found.len() > 1 {
        found = without_overlaps(found, tokens.len());
    }
    let mut hits = Vec::with_capacity(found.len());
    for matched in found {
        hits.extend(sentence.hit(matched));
    }
    choose(hits)
}

/// A sentence in which rules match.
struct ClassifiedSentence<'a> {
    text: &'a str,
    view: SentenceView<'a>,
    language: &'static Language,
    mode: ReadingMode,
    /// For each token up to the last verb, whether it is in a main clause; empty where all matches are
    /// orders.
    clauses: Vec<bool>,
}

/// Which tokens are in main clauses, as far as the matches ask for it.
fn clauses(view: SentenceView<'_>, language: &Language, found: &[RuleMatch]) -> Vec<bool> {
    // An order is one wherever it is: then no clause need be distinguished from another.
    if found.iter().all(|matched| matched.rule.is_command()) {
        return Vec::new();
    }
    let mut verbs: Vec<usize> = found.iter().map(|matched| matched.verb).collect();
    verbs.sort_unstable();
    main_clauses(view, language, &verbs)
}

impl ClassifiedSentence<'_> {
    fn is_main(&self, matched: &RuleMatch) -> bool {
        matched.rule.is_command() || self.clauses[matched.verb]
    }

    fn denial(&self, matched: &RuleMatch) -> Option<Denial> {
        let RuleMatch { rule, found, verb } = matched;
        denial(self.view, self.language, found, *verb, &self.clauses, rule.kind)
    }

    /// True if the conditions of a rule on clause and negation are met.
    fn counts(&self, matched: &RuleMatch, recital: bool) -> bool {
        let conditions = &matched.rule.conditions;
        if (conditions.main || recital) && !self.is_main(matched) {
            return false;
        }
        !conditions.denied || self.denial(matched).is_some()
    }

    /// The reading that a match gives; `None` where its verb is denied and that says nothing.
    fn hit(&self, mut matched: RuleMatch) -> Option<Hit> {
        let rule = matched.rule;
        let tokens = self.view.tokens;
        let denial = if rule.denied.is_some() { self.denial(&matched) } else { None };
        let reading = self.mode.reading(rule, &matched.found, denial.as_ref(), self.view)?;
        let main = self.is_main(&matched);
        let bracketed = is_bracketed(&tokens[..matched.found.range.start]);
        if let Some(denial) = denial {
            let words = &mut matched.found.words;
            words.extend(denial.words);
            words.sort_unstable();
            words.dedup();
        }
        Some(Hit {
            rule,
            reading: reading.id,
            negated: reading.negated,
            kind: reading.kind,
            confidence: reading.confidence,
            alternatives: reading.alternatives,
            verbal_form: form(&matched.found, tokens, self.text),
            main,
            bracketed,
            form_range: form_range(&matched.found, tokens),
            again: false,
        })
    }
}

/// True if a sentence ends with a question mark.
fn is_question(text: &str, tokens: &[SentenceToken]) -> bool {
    tokens.last().is_some_and(|last| &text[last.range.clone()] == "?")
}

/// True if a sentence draws attention to something, explains key words, or changes a text.
fn states_nothing(view: SentenceView<'_>, language: &Language) -> bool {
    holds_within(&language.no_provisions, view, 0..view.tokens.len(), |_| true)
}

/// The provisions among several readings of one sentence.
fn choose(mut hits: Vec<Hit>) -> Vec<Hit> {
    if hits.len() < 2 {
        return hits;
    }
    // A modal in a subordinate clause counts only when the main clause has no provision; then the strongest.
    if hits.iter().any(|hit| hit.main) {
        hits.retain(|hit| hit.main);
    } else {
        hits.sort_by_key(|hit| (hit.kind, hit.form_range.start));
        hits.truncate(1);
    }
    if hits.iter().any(|hit| hit.rule.conditions.bcp14) {
        // In French and German most key words have their everyday rules.
        hits.retain(|hit| hit.rule.conditions.bcp14 || holds_capitals(&hit.verbal_form));
    }
    let mut chosen: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        let again = chosen.iter().any(|other| other.kind == hit.kind);
        if !(again && hit.rule.is_command()) {
            chosen.push(Hit { again, ..hit });
        }
    }
    chosen.sort_by_key(|hit| hit.form_range.start);
    chosen
}

/// True if one of the words is in capitals.
fn holds_capitals(words: &str) -> bool {
    for word in words.split_whitespace() {
        let mut letters = word.chars().filter(|c| c.is_alphabetic());
        // One letter may be the capital with which a sentence begins.
        if letters.clone().count() > 1 && letters.all(char::is_uppercase) {
            return true;
        }
    }
    false
}

/// The reason why a verb of duty in a sentence without any provision states none.
pub(super) fn silence(
    text: &str,
    tokens: &[SentenceToken],
    verb: usize,
    language: &'static Language,
    mode: ReadingMode,
) -> String {
    let starts = starts(tokens, language);
    let view = SentenceView { tokens, starts: &starts, closing: language.word_lists.closing_clause };
    if is_question(text, tokens) {
        return "a question does not bind".to_owned();
    }
    if states_nothing(view, language) {
        return "the sentence draws attention to something, explains key words, or changes a text".to_owned();
    }
    if is_recital(tokens, language) {
        return "a recital gives reasons".to_owned();
    }
    let itself = Match { range: verb..verb + 1, words: vec![verb] };
    if is_next_to(&language.never, &itself, view) || is_with(&language.never, &itself, view) {
        return "the sentence draws attention to something, or speaks of the word".to_owned();
    }
    let mut first = None;
    let mut applying = None;
    for index in language.rules_at(tokens, verb) {
        let rule = &language.rules[index];
        if rule.pattern.at(view, verb).is_none() {
            continue;
        }
        first = first.or(Some(rule));
        if mode.asks_for(rule) && !rule.conditions.bcp14 {
            applying = Some(rule);
            break;
        }
    }
    let Some(first) = first else { return "no rule reads it as one".to_owned() };
    if applying.is_some() && mode.conventions.key_words == KeyWords::Bcp14UpperOnly {
        return "the document gives meaning to key words in capitals only".to_owned();
    }
    let rule = applying.unwrap_or(first);
    format!("rule `{}` excludes it by other words of the sentence", rule.id)
}

/// True if a bracket is open behind these tokens.
fn is_bracketed(before: &[SentenceToken]) -> bool {
    let brackets = Marks::OPENING.union(Marks::CLOSING);
    match before.iter().rfind(|token| token.is_mark(brackets)) {
        Some(last) => last.is_mark(Marks::OPENING),
        None => false,
    }
}

/// True if a sentence begins like one that gives reasons for another: “considering that …,”.
pub(super) fn is_recital(tokens: &[SentenceToken], language: &Language) -> bool {
    tokens.first().is_some_and(|first| first.is_plain_word() && first.is_in(language.word_lists.recital))
}

/// From the first word that decided to the last.
fn form_range(found: &Match, tokens: &[SentenceToken]) -> Range<usize> {
    let first = found.words.first().copied().unwrap_or(found.range.start);
    let last = found.words.last().copied().unwrap_or(first);
    tokens[first].range.start..tokens[last].range.end
}

/// The words that decided the type, with an ellipsis for others between them.
fn form(found: &Match, tokens: &[SentenceToken], text: &str) -> String {
    let start = [found.range.start];
    let words = if found.words.is_empty() { &start } else { found.words.as_slice() };
    let mut form = String::new();
    let mut last = None;
    for &word in words {
        match last {
            Some(before) if before + 1 == word && !form.ends_with(['\'', '’']) => form.push(' '),
            Some(before) if before + 1 < word => form.push_str(" … "),
            _ => {}
        }
        form.push_str(&text[tokens[word].range.clone()]);
        last = Some(word);
    }
    form
}

/// True if the hit's type is one that the document must not hide in a note or an introduction.
pub(super) fn binds(hit: &Hit) -> bool {
    is_duty(hit) && hit.confidence >= 0.85 && !hit.rule.conditions.procedure
}

/// True if somebody has to comply with provisions of the hit's type.
pub(super) fn is_duty(hit: &Hit) -> bool {
    matches!(hit.kind, ProvisionKind::Requirement | ProvisionKind::Recommendation)
}
