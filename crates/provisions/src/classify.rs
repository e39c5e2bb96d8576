//! Classification of a sentence: the provisions that it holds by the rules of its language.

use std::cell::LazyCell;
use std::ops::{Deref, Range};

use norma_model::{Alternative, ProvisionKind};

use super::clauses::{is_finite, main_clauses, opens_clause};
use super::conventions::{Conventions, KeyWords, Must};
use super::language::{Conditions, Exclusions, Language, LanguageRule};
use super::lexicon::Uses;
use super::matching::{Match, SentenceView, starts_within};
use super::negation::{Denial, denial};
use super::pattern::{Pattern, PatternItem};
use super::tokenizer::{Marks, SentenceToken, TokenKind, Writing};

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
    /// Whether they are in a main clause.
    pub(super) main: bool,
    /// Whether they are in brackets, as a remark.
    pub(super) bracketed: bool,
    /// Their position, in bytes of the section's text.
    pub(super) form_range: Range<usize>,
    /// Whether an earlier one in the sentence has the same type: it is not a provision of its own, but a list
    /// may complete it.
    pub(super) again: bool,
}

/// The mode in which the sentence is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReadingMode {
    pub(super) conventions: Conventions,
    /// Whether it is in a procedure or test method.
    pub(super) procedure: bool,
    /// Whether it is in a list of things, in which a word such as `filter` is a name and not an imperative.
    pub(super) inventory: bool,
    /// Whether it is one of a group of orders outside of procedures, which are binding by their form alone.
    pub(super) by_form: bool,
}

impl ReadingMode {
    /// Whether the rule applies at all.
    fn asks_for(self, rule: &LanguageRule) -> bool {
        let Conditions { procedure, form, soll, law, .. } = rule.conditions;
        (!law || self.conventions.law)
            && (!procedure || self.procedure && form == self.by_form)
            && soll.is_none_or(|soll| soll == self.conventions.soll)
            && (self.conventions.key_words != KeyWords::Plain || !rule.conditions.bcp14)
            && (self.conventions.must != Must::Nothing || !rule.conditions.must)
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
        let stated = rule.conditions.must.then(|| self.conventions.must.reading()).flatten();
        let (kind, confidence, alternatives) =
            stated.unwrap_or((rule.kind, rule.confidence, rule.alternatives.as_slice()));
        let own = FormReading { id: &rule.id, kind, negated: rule.negated, confidence, alternatives };
        let (Some(denied), Some(denial)) = (&rule.denied, denial) else { return Some(own) };
        if denial.of_complement {
            return Some(FormReading { negated: true, ..own });
        }
        // What is denied follows the word that denies it, or the verbal form that an earlier word denies.
        let behind = denial.words.last().map_or(0, |last| last + 1);
        let is_subject = behind <= found.range.end;
        let phrases = if is_subject { &denied.subject_not_before } else { &denied.not_before };
        let at = behind.max(found.range.end);
        if phrases.iter().any(|phrase| phrase.follows(view, at).is_some()) {
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

/// Most words between a match and a word that rules it out.
const REACH: usize = 120;

/// Most words before a match at which a longer phrase around it may begin.
const BEFORE: usize = 16;

/// The provisions of one sentence, in the order of their words; the first of each type counts, and others are
/// marked `again`.
pub(super) fn classify(
    text: &str,
    tokens: &[SentenceToken],
    language: &'static Language,
    mode: ReadingMode,
) -> Vec<Hit> {
    let starts = starts(tokens, language);
    let view = SentenceView { tokens, starts: &starts, closing: language.word_lists.closing_clause };
    let mut found = matches(view, language, mode);
    let asks = || tokens.last().is_some_and(|last| &text[last.range.clone()] == "?");
    let all = 0..tokens.len();
    if !found.is_empty() && (asks() || holds_within(&language.no_provisions, view, all, |_| true)) {
        found.clear();
    }
    let verb = |found: &Match| {
        let finite = found.words.iter().copied().find(|&word| is_finite(&tokens[word], language));
        finite.or(found.words.first().copied()).unwrap_or(found.range.start)
    };
    let mut modal: Vec<usize> = found.iter().map(|(_, found)| verb(found)).collect();
    modal.sort_unstable();
    // An order is one wherever it is: then no clause need be distinguished from another.
    let clauses = match found.iter().all(|(rule, _)| rule.is_command()) {
        true => Vec::new(),
        false => main_clauses(view, language, &modal),
    };
    let main = |rule: &LanguageRule, found: &Match| rule.is_command() || clauses[verb(found)];
    // What a recital says is in a subordinate clause; only a whole sentence has a main clause after it.
    let recital = is_recital(tokens, language);
    let ends = Marks::SENTENCE_END.union(Marks::COLON);
    let fragment = recital && !tokens.last().is_some_and(|last| last.is_mark(ends));
    found.retain(|(rule, found)| {
        !fragment
            && (!(rule.conditions.main || recital) || main(rule, found))
            && (!rule.conditions.denied
                || denial(view, language, found, verb(found), &clauses, rule.kind).is_some())
    });
    if found.len() > 1 {
        found = without_overlaps(found, tokens.len());
    }
    let mut hits = Vec::with_capacity(found.len());
    for (rule, mut found) in found {
        let denial = match &rule.denied {
            Some(_) => denial(view, language, &found, verb(&found), &clauses, rule.kind),
            None => None,
        };
        // “It may not be possible”: what is denied is a state, and forbids nothing.
        let Some(reading) = mode.reading(rule, &found, denial.as_ref(), view) else { continue };
        let is_main = main(rule, &found);
        let bracketed = is_bracketed(&tokens[..found.range.start]);
        if let Some(denial) = denial {
            found.words.extend(denial.words);
            found.words.sort_unstable();
            found.words.dedup();
        }
        hits.push(Hit {
            rule,
            reading: reading.id,
            negated: reading.negated,
            kind: reading.kind,
            confidence: reading.confidence,
            alternatives: reading.alternatives,
            verbal_form: form(&found, tokens, text),
            main: is_main,
            bracketed,
            form_range: form_range(&found, tokens),
            again: false,
        });
    }
    choose(hits)
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

/// Whether one of the words is in capitals.
fn holds_capitals(words: &str) -> bool {
    words.split_whitespace().any(|word| {
        let letters = word.chars().filter(|c| c.is_alphabetic());
        letters.clone().count() > 1 && letters.clone().all(char::is_uppercase)
    })
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
    let all = 0..tokens.len();
    let itself = Match { range: verb..verb + 1, words: vec![verb] };
    if tokens.last().is_some_and(|last| &text[last.range.clone()] == "?") {
        return "a question does not bind".to_owned();
    }
    if holds_within(&language.no_provisions, view, all, |_| true) {
        return "the sentence draws attention to something, explains key words, or changes a text".to_owned();
    }
    if is_recital(tokens, language) {
        return "a recital gives reasons".to_owned();
    }
    if is_next_to(&language.never, &itself, view) || is_with(&language.never, &itself, view) {
        return "the sentence draws attention to something, or speaks of the word".to_owned();
    }
    let rules = language.rules_at(tokens, verb).map(|rule| &language.rules[rule]);
    let mut rules = rules.filter(|rule| rule.pattern.at(view, verb).is_some()).peekable();
    let Some(first) = rules.peek().copied() else { return "no rule reads it as one".to_owned() };
    let written = rules.find(|rule| mode.asks_for(rule) && !rule.conditions.bcp14);
    match written {
        Some(_) if mode.conventions.key_words == KeyWords::Bcp14UpperOnly => {
            "the document gives meaning to key words in capitals only".to_owned()
        }
        written => {
            format!("rule `{}` excludes it by other words of the sentence", written.unwrap_or(first).id)
        }
    }
}

/// Whether a bracket is open behind these tokens.
fn is_bracketed(before: &[SentenceToken]) -> bool {
    let last = before.iter().rev().find(|token| token.is_mark(Marks::OPENING.union(Marks::CLOSING)));
    last.is_some_and(|last| last.is_mark(Marks::OPENING))
}

/// Whether a sentence begins like one that gives reasons for another: “considering that …,”.
pub(super) fn is_recital(tokens: &[SentenceToken], language: &Language) -> bool {
    tokens.first().is_some_and(|first| first.is_plain_word() && first.is_in(language.word_lists.recital))
}

/// Rules that match in the sentence, in the order of the table.
fn matches(
    view: SentenceView<'_>,
    language: &'static Language,
    mode: ReadingMode,
) -> Vec<(&'static LanguageRule, Match)> {
    let mut candidates: Vec<(usize, usize)> = Vec::new();
    let keys = view.tokens.iter().enumerate();
    for (at, _) in keys.filter(|(_, t)| t.known.uses.intersects(Uses::KEY) && t.is_plain_word()) {
        let rules = language.rules_at(view.tokens, at).filter(|&rule| mode.asks_for(&language.rules[rule]));
        rules.for_each(|rule| candidates.push((rule, at)));
    }
    if mode.procedure && !view.tokens.is_empty() {
        let starts = view.starts.iter();
        candidates
            .extend(starts.flat_map(|&at| language.keyless_rules().iter().map(move |&rule| (rule, at))));
        candidates.retain(|&(rule, _)| mode.asks_for(&language.rules[rule]));
    }
    candidates.sort_unstable();
    // Few sentences explain words; the others are asked once.
    let all = 0..view.tokens.len();
    let explained = LazyCell::new(|| holds_within(&language.never.not_with, view, all, |_| true));
    candidates
        .into_iter()
        .filter_map(|(index, at)| {
            let rule = &language.rules[index];
            holds(rule, view, at, language, mode, &explained).map(|found| (rule, found))
        })
        .collect()
}

/// Assigns each word to the first rule that uses it; the remaining matches are in the order of their words.
fn without_overlaps(
    found: Vec<(&'static LanguageRule, Match)>,
    tokens: usize,
) -> Vec<(&'static LanguageRule, Match)> {
    let mut used = vec![false; tokens];
    let mut accepted: Vec<_> = found
        .into_iter()
        .filter(|(_, found)| {
            let free = found.words.iter().all(|&word| !used[word]);
            if free {
                found.words.iter().for_each(|&word| used[word] = true);
            }
            free
        })
        .collect();
    accepted.sort_by_key(|(_, found)| found.range.start);
    accepted
}

fn holds(
    rule: &LanguageRule,
    view: SentenceView<'_>,
    at: usize,
    language: &Language,
    mode: ReadingMode,
    explained: &impl Deref<Target = bool>,
) -> Option<Match> {
    let conditions = &rule.conditions;
    if (conditions.verbless && mode.inventory && view.tokens[at].is_in(language.word_lists.things))
        || (conditions.inside && at == 0)
    {
        return None;
    }
    let found = rule.pattern.at(view, at)?;
    let written = |word: usize| view.tokens[word].writing;
    let allowed = |word: usize| view.tokens[word].kind == TokenKind::Mark || conditions.allow(written(word));
    if !found.words.iter().all(|&word| allowed(word)) {
        return None;
    }
    let key_words = || found.words.iter().filter(|&&word| view.tokens[word].is_in(language.word_lists.bcp14));
    let upper = key_words().all(|&word| written(word) == Writing::Upper);
    if conditions.bcp14 && !upper {
        return None;
    }
    if !conditions.bcp14
        && mode.conventions.key_words == KeyWords::Bcp14UpperOnly
        && key_words().any(|&word| written(word) != Writing::Upper)
    {
        return None;
    }
    let around = |around| is_next_to(around, &found, view);
    let with = |around| is_with(around, &found, view);
    if around(&rule.around)
        || with(&rule.around)
        || around(&language.never)
        || **explained && with(&language.never)
    {
        return None;
    }
    if conditions.verbless {
        let rest = found.range.start + 1..view.tokens.len().min(found.range.start + REACH);
        // A relative clause between commas belongs to the subject, and the verb comes after it.
        let closing =
            |at: usize| opens_clause(view, language, at) && !view.tokens[at - 1].is_mark(Marks::COMMA);
        let mut clause = rest.take_while(|&at| !closing(at));
        if clause.any(|at| is_finite(&view.tokens[at], language)) {
            return None;
        }
    }
    Some(found)
}

fn is_with(around: &Exclusions, found: &Match, view: SentenceView<'_>) -> bool {
    let start = found.range.start;
    holds_within(&around.not_with, view, start.saturating_sub(REACH)..start, |end| end <= start)
}

fn is_next_to(around: &Exclusions, found: &Match, view: SentenceView<'_>) -> bool {
    let Range { start, end } = found.range;
    around.not_before.iter().any(|p| p.follows(view, end).is_some())
        || around.not_after.iter().any(|p| p.precedes(view, start))
        || holds_within(&around.not_within, view, start..end, |to| to <= end)
        || holds_within(&around.not_amid, view, start.saturating_sub(BEFORE)..start + 1, |to| to >= end)
}

/// Whether a pattern holds from a token of the range on, to an end that counts. What it begins with is looked
/// for first: all patterns at all tokens took an eighth of the instructions of a document of 320 KB.
fn holds_within(
    patterns: &[Pattern],
    view: SentenceView<'_>,
    range: Range<usize>,
    counts: impl Fn(usize) -> bool,
) -> bool {
    patterns.iter().any(|pattern| {
        let holds = |at: usize| pattern.follows(view, at).is_some_and(&counts);
        match pattern.items.first() {
            Some(PatternItem::Start) => starts_within(view, range.clone()).any(holds),
            Some(first) => range.clone().any(|at| first.may_begin(view.tokens.get(at)) && holds(at)),
            None => false,
        }
    })
}

/// From the first word that decided to the last.
fn form_range(found: &Match, tokens: &[SentenceToken]) -> Range<usize> {
    let first = found.words.first().copied().unwrap_or(found.range.start);
    let last = found.words.last().copied().unwrap_or(first);
    tokens[first].range.start..tokens[last].range.end
}

/// The words that decided the type, with an ellipsis for others between them.
fn form(found: &Match, tokens: &[SentenceToken], text: &str) -> String {
    let words = if found.words.is_empty() { vec![found.range.start] } else { found.words.clone() };
    let mut form = String::new();
    let mut last = None;
    for word in words {
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

/// Positions where the sentence or its main clause may begin: first, after an opening phrase, after its
/// commas.
fn starts(tokens: &[SentenceToken], language: &Language) -> Vec<usize> {
    let mut starts = vec![0];
    let Some(first) = tokens.first() else { return starts };
    let view = SentenceView { tokens, starts: &[0], closing: language.word_lists.closing_clause };
    starts.extend(language.openings.iter().filter_map(|p| p.follows(view, 0)));
    let title = tokens.iter().take(8).position(|t| t.is_mark(Marks::COLON.union(Marks::DASH)));
    starts.extend(title.map(|at| at + 1));
    if first.is_in(language.word_lists.fronting) {
        starts
            .extend(tokens.iter().enumerate().filter(|(_, t)| t.is_mark(Marks::COMMA)).map(|(at, _)| at + 1));
    }
    starts.retain(|&at| at == 0 || tokens.get(at).is_some_and(|t| t.kind == TokenKind::Word));
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Whether the hit's type is one that the document must not hide in a note or an introduction.
pub(super) fn binds(hit: &Hit) -> bool {
    is_duty(hit) && hit.confidence >= 0.85 && !hit.rule.conditions.procedure
}

/// Whether somebody has to comply with provisions of the hit's type.
pub(super) fn is_duty(hit: &Hit) -> bool {
    matches!(hit.kind, ProvisionKind::Requirement | ProvisionKind::Recommendation)
}
