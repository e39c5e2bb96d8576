//! Matches of rules in a sentence, and the words around a match that rule it out.

use std::cell::OnceCell;
use std::ops::Range;

use super::ReadingMode;
use crate::clauses::{is_finite, opens_clause};
use crate::conventions::KeyWords;
use crate::language::{Exclusions, Language, LanguageRule};
use crate::lexicon::Uses;
use crate::matching::{Match, SentenceView, starts_within};
use crate::pattern::{Pattern, PatternItem};
use crate::tokenizer::{Marks, SentenceToken, TokenKind, Writing};

/// A rule that matches in a sentence.
pub(super) struct RuleMatch {
    pub(super) rule: &'static LanguageRule,
    pub(super) found: Match,
    /// The verb of the match: the first finite one of its words, else the first word.
    pub(super) verb: usize,
}

/// Most words between a match and a word that rules it out.
const REACH: usize = 120;

/// Most words before a match at which a longer phrase around it may begin.
const BEFORE: usize = 16;

/// A sentence in which rules are matched.
pub(super) struct RuleMatcher<'a> {
    view: SentenceView<'a>,
    language: &'static Language,
    mode: ReadingMode,
    /// True if the sentence explains words. Few do, so that each is asked once and not for each rule.
    explains: OnceCell<bool>,
}

impl<'a> RuleMatcher<'a> {
    pub(super) fn new(view: SentenceView<'a>, language: &'static Language, mode: ReadingMode) -> Self {
        Self { view, language, mode, explains: OnceCell::new() }
    }

    /// The rules that match, in the order of the table.
    pub(super) fn matches(&self) -> Vec<RuleMatch> {
        let mut candidates = self.candidates();
        candidates.sort_unstable();
        let mut matches = Vec::new();
        for (index, at) in candidates {
            let rule = &self.language.rules[index];
            if let Some(found) = self.match_at(rule, at) {
                let verb = self.verb_of(&found);
                matches.push(RuleMatch { rule, found, verb });
            }
        }
        matches
    }

    /// Rules that may match, by their index in the table, each with the token at which it is tried.
    fn candidates(&self) -> Vec<(usize, usize)> {
        let mut candidates = Vec::new();
        for (at, token) in self.view.tokens.iter().enumerate() {
            if !token.known.uses.intersects(Uses::KEY) || !token.is_plain_word() {
                continue;
            }
            for rule in self.language.rules_at(self.view.tokens, at) {
                if self.mode.asks_for(&self.language.rules[rule]) {
                    candidates.push((rule, at));
                }
            }
        }
        // Rules without a key are those of orders, which begin a clause of a procedure.
        if self.mode.procedure && !self.view.tokens.is_empty() {
            for &at in self.view.starts {
                for &rule in self.language.keyless_rules() {
                    if self.mode.asks_for(&self.language.rules[rule]) {
                        candidates.push((rule, at));
                    }
                }
            }
        }
        candidates
    }

    fn verb_of(&self, found: &Match) -> usize {
        for &word in &found.words {
            if is_finite(&self.view.tokens[word], self.language) {
                return word;
            }
        }
        found.words.first().copied().unwrap_or(found.range.start)
    }

    /// The match of a rule at a token; `None` where it does not match or something rules it out.
    fn match_at(&self, rule: &LanguageRule, at: usize) -> Option<Match> {
        let conditions = &rule.conditions;
        // In an inventory “filter” is the name of a thing, not an order.
        let is_thing = self.mode.inventory && self.view.tokens[at].is_in(self.language.word_lists.things);
        if conditions.verbless && is_thing {
            return None;
        }
        if conditions.inside && at == 0 {
            return None;
        }
        let found = rule.pattern.at(self.view, at)?;
        if !self.is_written_for(rule, &found) || self.is_excluded(rule, &found) {
            return None;
        }
        if conditions.verbless && self.has_verb_behind(&found) {
            return None;
        }
        Some(found)
    }

    /// True if the words of a match are in the capitals or small letters that the rule and the conventions of
    /// the document ask for.
    fn is_written_for(&self, rule: &LanguageRule, found: &Match) -> bool {
        let upper_only = self.mode.conventions.key_words == KeyWords::Bcp14UpperOnly;
        let needs_capitals = rule.conditions.bcp14 || upper_only;
        for &word in &found.words {
            let token = &self.view.tokens[word];
            if token.kind != TokenKind::Mark && !rule.conditions.allow(token.writing) {
                return false;
            }
            let is_key_word = token.is_in(self.language.word_lists.bcp14);
            if needs_capitals && is_key_word && token.writing != Writing::Upper {
                return false;
            }
        }
        true
    }

    /// True if other words of the sentence rule a match out, by the rule or by the language.
    fn is_excluded(&self, rule: &LanguageRule, found: &Match) -> bool {
        if is_next_to(&rule.around, found, self.view) || is_with(&rule.around, found, self.view) {
            return true;
        }
        let never = &self.language.never;
        is_next_to(never, found, self.view) || self.explains_words() && is_with(never, found, self.view)
    }

    /// True if a phrase that explains words is anywhere in the sentence: a quick test before the one at each
    /// match.
    fn explains_words(&self) -> bool {
        *self.explains.get_or_init(|| {
            let all = 0..self.view.tokens.len();
            holds_within(&self.language.never.not_with, self.view, all, |_| true)
        })
    }

    /// True if a finite verb is in the clause behind a match: then what looks like an order is its subject.
    fn has_verb_behind(&self, found: &Match) -> bool {
        let tokens = self.view.tokens;
        let end = tokens.len().min(found.range.start + REACH);
        for at in found.range.start + 1..end {
            // A relative clause between commas belongs to the subject, and the verb comes after it.
            let is_behind_comma = tokens[at - 1].is_mark(Marks::COMMA);
            if !is_behind_comma && opens_clause(self.view, self.language, at) {
                return false;
            }
            if is_finite(&tokens[at], self.language) {
                return true;
            }
        }
        false
    }
}

/// Assigns each word to the first rule that uses it; the remaining matches are in the order of their words.
pub(super) fn without_overlaps(found: Vec<RuleMatch>, tokens: usize) -> Vec<RuleMatch> {
    let mut used = vec![false; tokens];
    let mut accepted = Vec::with_capacity(found.len());
    for matched in found {
        let words = &matched.found.words;
        if words.iter().any(|&word| used[word]) {
            continue;
        }
        for &word in words {
            used[word] = true;
        }
        accepted.push(matched);
    }
    accepted.sort_by_key(|matched| matched.found.range.start);
    accepted
}

/// True if a phrase before a match in its sentence rules it out.
pub(super) fn is_with(around: &Exclusions, found: &Match, view: SentenceView<'_>) -> bool {
    let start = found.range.start;
    holds_within(&around.not_with, view, start.saturating_sub(REACH)..start, |end| end <= start)
}

/// True if words next to a match, or a longer phrase that it is a part of, rule it out.
pub(super) fn is_next_to(around: &Exclusions, found: &Match, view: SentenceView<'_>) -> bool {
    let Range { start, end } = found.range;
    if around.not_before.iter().any(|pattern| pattern.follows(view, end).is_some()) {
        return true;
    }
    if around.not_after.iter().any(|pattern| pattern.precedes(view, start)) {
        return true;
    }
    if holds_within(&around.not_within, view, start..end, |to| to <= end) {
        return true;
    }
    holds_within(&around.not_amid, view, start.saturating_sub(BEFORE)..start + 1, |to| to >= end)
}

/// True if a pattern holds from a token of the range on, to an end that counts. What it begins with is looked
/// for first: all patterns at all tokens took an eighth of the instructions of a document of 320 KB.
pub(super) fn holds_within(
    patterns: &[Pattern],
    view: SentenceView<'_>,
    range: Range<usize>,
    counts: impl Fn(usize) -> bool,
) -> bool {
    for pattern in patterns {
        let holds = |at: usize| pattern.follows(view, at).is_some_and(&counts);
        let is_there = match pattern.items.first() {
            Some(PatternItem::Start) => starts_within(view, range.clone()).any(holds),
            Some(first) => range.clone().any(|at| first.may_begin(view.tokens.get(at)) && holds(at)),
            None => false,
        };
        if is_there {
            return true;
        }
    }
    false
}

/// Positions where the sentence or its main clause may begin: first, after an opening phrase, after its
/// commas.
pub(super) fn starts(tokens: &[SentenceToken], language: &Language) -> Vec<usize> {
    const LONGEST_TITLE: usize = 8;
    let mut starts = vec![0];
    let Some(first) = tokens.first() else { return starts };
    let view = SentenceView { tokens, starts: &[0], closing: language.word_lists.closing_clause };
    for opening in &language.openings {
        starts.extend(opening.follows(view, 0));
    }
    // “Lids: …”
    let ends_title = |token: &SentenceToken| token.is_mark(Marks::COLON.union(Marks::DASH));
    if let Some(end) = tokens.iter().take(LONGEST_TITLE).position(ends_title) {
        starts.push(end + 1);
    }
    // “In winter, …”
    if first.is_in(language.word_lists.fronting) {
        for (at, token) in tokens.iter().enumerate() {
            if token.is_mark(Marks::COMMA) {
                starts.push(at + 1);
            }
        }
    }
    starts.retain(|&at| at == 0 || tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word));
    starts.sort_unstable();
    starts.dedup();
    starts
}
