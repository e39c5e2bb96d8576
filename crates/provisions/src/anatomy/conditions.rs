//! Conditions of a sentence: “if”, “when”, “unless”, “in the case of”, and “for …” in front, as far as their
//! ends are certain.

use std::ops::Range;

use serde::Deserialize;

use super::subject::{SubjectTable, subject};

/// The words of a language that open conditions, and those around them that show where they end. All are in
/// lower case.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ConditionTable {
    /// Openers at the beginning of a sentence.
    initial: Vec<String>,
    /// Verbs that open a condition at the beginning of a sentence, if its verbal form is another: “Should it
    /// rain, …”.
    inverted: Vec<String>,
    /// Openers anywhere after it.
    inner: Vec<String>,
    /// Phrases that begin like an opener but are not a condition.
    never: Vec<String>,
    /// Last words of phrases in front that give a reason or purpose: “For safety reasons, …”.
    reasons: Vec<String>,
    /// Words before an opener that belong to the condition: `except`, `only`.
    restricting: Vec<String>,
    /// Words after which an opener does not open a condition: “detect if”, “than when”, “for example if”.
    not_after: Vec<String>,
    /// Words after a comma that continue the condition: “, except on Sundays”.
    going_on: Vec<String>,
    /// Words after a comma that continue it up to the next comma: “, which is wet, …”.
    relatives: Vec<String>,
    /// Words after a comma that begin a purpose, a result or a remark: “, in order to …”, “, as described in
    /// …”.
    ending: Vec<String>,
    /// Endings of such words: `ing`.
    #[serde(default)]
    participle: Option<String>,
    /// Words that may begin the main clause after a condition: `then`.
    then: Vec<String>,
    /// Verbal forms of main clauses, which conditions do not have.
    main_verbs: Vec<String>,
    /// Verbal forms that a condition may have, and also a main clause after its comma.
    weak_verbs: Vec<String>,
    /// Words before the last of several: `and`.
    coordinators: Vec<String>,
    /// Pronouns that may be the whole subject of the main clause.
    pronouns: Vec<String>,
    /// First words of a subject that follows a condition without a comma: “if it is wet its lid shall …”.
    #[serde(default)]
    determiners: Vec<String>,
    /// Words after which such a word does not begin a subject: `of`.
    #[serde(default)]
    joining: Vec<String>,
    /// True if the verb follows a fronted condition without a comma (“Bei Frost ist …”).
    #[serde(default)]
    verb_second: bool,
}

/// Most bytes of a condition; a longer text has more than one.
const LONGEST: usize = 1000;
/// Most conditions that are listed for a text.
const MOST: usize = 16;
/// Most words of a fronted condition without a comma.
const FRONTED_WORDS: usize = 10;

/// A text whose conditions and subject are read.
#[derive(Clone, Copy)]
pub(super) struct ConditionSentence<'a> {
    pub(super) text: &'a str,
    /// The text in lower case, byte for byte.
    pub(super) lower: &'a str,
    /// Bytes of the verbal form, if this text has it.
    pub(super) form: Option<&'a Range<usize>>,
    pub(super) table: &'a ConditionTable,
    pub(super) subjects: &'a SubjectTable,
}

impl ConditionSentence<'_> {
    /// The conditions, in order, as bytes.
    pub(super) fn conditions(self) -> Vec<Range<usize>> {
        let Self { text, lower, table, .. } = self;
        let mut found = Vec::new();
        let mut at = 0;
        if let Some(first) = self.initial() {
            at = first.end;
            found.push(first);
        }
        while found.len() < MOST {
            let Some(start) = next_opener(lower, at, table) else { break };
            let end = self.end_of(start);
            let condition = &text[start..end.max(start)];
            // “IF” is an abbreviation.
            let is_abbreviation = condition.starts_with(|c: char| c.is_uppercase());
            if condition.contains(' ') && !is_abbreviation {
                found.push(restricted(lower, start, table)..end);
            }
            at = text.ceil_char_boundary(end.max(start + 1));
        }
        found
    }

    /// The condition with which the sentence begins.
    fn initial(self) -> Option<Range<usize>> {
        let Self { text, lower, table, .. } = self;
        let form = self.form?;
        let is_inverted = form.start > 0 && begins(lower, &table.inverted);
        if !is_inverted && !begins(lower, &table.initial) {
            return None;
        }
        if begins(lower, &table.never) {
            return None;
        }
        let before = &text[..form.start];
        let commas: Vec<usize> = commas(before).collect();
        if commas.is_empty() {
            return if table.verb_second { self.fronted(form, is_inverted) } else { self.unparted(form) };
        }
        let comma = self.closing_comma(form, &commas)?;
        let main = lower[comma + 1..form.start].trim();
        let is_last = Some(&comma) == commas.last();
        // “For rice, where it is dry, the mass, the volume and the age shall …”: the last comma is one of the
        // subject.
        let is_coordinated = main.split_whitespace().any(|word| holds(&table.coordinators, word));
        if is_last && commas.len() > 1 && is_coordinated {
            return None;
        }
        let is_clause = begins(lower, &table.inner);
        if !is_clause && ends_with(&lower[..comma], &table.reasons) {
            return None;
        }
        let is_only_comma_of_clause = commas.len() == 1 && is_clause;
        if !is_last || is_only_comma_of_clause || self.is_begin_of_main_clause(main) {
            return Some(0..comma);
        }
        let start = form.start - before[comma + 1..].trim_start().len();
        subject(start, self)?;
        Some(0..comma)
    }

    /// The condition before a finite verb that follows without a comma: “Bei Frost ist …”.
    fn fronted(self, form: &Range<usize>, is_inverted: bool) -> Option<Range<usize>> {
        let fronted = self.text[..form.start].trim_end();
        // An inverted condition has its own verb, so that a comma must follow.
        if is_inverted || fronted.is_empty() || fronted.split_whitespace().count() > FRONTED_WORDS {
            return None;
        }
        let is_reason = ends_with(&self.lower[..fronted.len()], &self.table.reasons);
        (!is_reason).then_some(0..fronted.len())
    }

    /// Of the commas before the verbal form, the one that ends the condition.
    fn closing_comma(self, form: &Range<usize>, commas: &[usize]) -> Option<usize> {
        let last = *commas.last()?;
        let is_directly_before_form = self.text[last + 1..form.start].trim().is_empty();
        let from_form = &self.lower[form.start..];
        let is_verb = begins(from_form, &self.table.main_verbs) || begins(from_form, &self.table.weak_verbs);
        if !is_verb || !is_directly_before_form {
            return Some(last);
        }
        // “If it is wet, the lid, which is red, shall …”: the last two commas enclose what belongs to the
        // subject.
        match commas.len() {
            1 => Some(last),
            2 => None,
            all => Some(commas[all - 3]),
        }
    }

    /// True if the words between a condition and the verbal form show that the main clause begins there.
    fn is_begin_of_main_clause(self, main: &str) -> bool {
        const LONGEST_WITH_PRONOUN: usize = 15;
        if main.is_empty() || holds(&self.table.then, main) || holds(&self.table.pronouns, main) {
            return true;
        }
        let first = main.split(' ').next().unwrap_or_default();
        main.len() <= LONGEST_WITH_PRONOUN && holds(&self.table.pronouns, first)
    }

    /// The condition at the begin of a sentence whose main clause follows without a comma.
    fn unparted(self, form: &Range<usize>) -> Option<Range<usize>> {
        const FEWEST_WORDS: usize = 3;
        let Self { lower, table, .. } = self;
        let start = self.start_of_unparted_subject(form)?;
        let condition = &lower[..start];
        if !begins(lower, &table.inner) || condition.split_whitespace().count() < FEWEST_WORDS {
            return None;
        }
        subject(start, self)?;
        let then = table.then.iter().find_map(|then| condition.strip_suffix(then.as_str()));
        Some(0..then.unwrap_or(condition).trim_end().len())
    }

    /// The blank before the last word ahead of the verbal form that may begin a subject.
    fn start_of_unparted_subject(self, form: &Range<usize>) -> Option<usize> {
        let Self { lower, table, .. } = self;
        for (at, _) in lower[..form.start].match_indices(' ').rev() {
            let next = lower[at..form.start].split_whitespace().next().unwrap_or_default();
            let previous = lower[..at].split_whitespace().next_back().unwrap_or_default();
            if holds(&table.determiners, next) && !holds(&table.joining, previous) {
                return Some(at);
            }
        }
        None
    }

    /// The end of a condition within the sentence: the end of its bracket or of its part of the sentence, or
    /// a comma after which something else begins. The start where the end is not certain.
    fn end_of(self, start: usize) -> usize {
        let Self { text, lower, table, .. } = self;
        let rest = &text[start..text.floor_char_boundary(start + LONGEST)];
        let closed = part_end(rest);
        if closed == rest.len() && start + closed < text.len() {
            return start;
        }
        let part = &rest[..closed];
        let form = self.form_within(part, start);
        let end = match self.comma_behind(part, start, form.is_some()) {
            // A condition has no verbal form of a provision.
            Some(comma) if form.is_some_and(|form| comma > form) => return start,
            Some(comma) => comma,
            None if form.is_some() || holds_phrase(&lower[start..start + closed], &table.main_verbs) => {
                return start;
            }
            None => closed,
        };
        start + part[..end].trim_end_matches(['.', ',', ';', ' ', '!', '?']).len()
    }

    /// The offset of the verbal form in a part of the sentence that begins at `start`, outside of brackets.
    fn form_within(self, part: &str, start: usize) -> Option<usize> {
        let offset = self.form?.start.checked_sub(start)?;
        if offset >= part.len() {
            return None;
        }
        let before = &part[..offset];
        let is_in_bracket = before.matches('(').count() != before.matches(')').count();
        (!is_in_bracket).then_some(offset)
    }

    /// The first comma of a part of the sentence behind which something else than its condition begins.
    fn comma_behind(self, part: &str, start: usize, is_before_form: bool) -> Option<usize> {
        let Self { lower, table, .. } = self;
        let is_aside = self.is_aside(start);
        // “es sei denn, er ist …”
        let opener = if table.verb_second { opener_length(&lower[start..], &table.inner) } else { 0 };
        // “…, das nass ist, …”: a comma that encloses what belongs to the condition, and the next one.
        let mut is_enclosing = false;
        for comma in commas(part) {
            if comma <= opener {
                continue;
            }
            let next = lower[start + comma + 1..start + part.len()].trim_start();
            let is_coordinated = begins(next, &table.coordinators);
            let closes = std::mem::take(&mut is_enclosing);
            if closes && !is_coordinated {
                continue;
            }
            is_enclosing = begins(next, &table.relatives) && next.contains(',');
            if is_enclosing || begins(next, &table.going_on) {
                continue;
            }
            let has_verb = holds_phrase(next, &table.main_verbs) || holds_phrase(next, &table.weak_verbs);
            if is_coordinated && !has_verb {
                continue;
            }
            if is_aside || is_before_form || has_verb || self.begins_remark(next) {
                return Some(comma);
            }
            if part[..comma].split_whitespace().count() <= SHORT_WORDS {
                return Some(comma);
            }
        }
        None
    }

    /// True if a text begins with words that add something to the sentence and not to its condition.
    fn begins_remark(self, next: &str) -> bool {
        begins(next, &self.table.ending) || self.is_participle(next)
    }

    /// True if a condition that begins here is between commas or in brackets, or behind the first comma after
    /// the verbal form.
    fn is_aside(self, start: usize) -> bool {
        if self.lower[..start].trim_end().ends_with([',', '(']) {
            return true;
        }
        let Some(form) = self.form else { return false };
        let between = self.text.get(form.end..start).unwrap_or_default();
        between.starts_with(',') && commas(between).count() == 1
    }

    /// True if a text begins with a participle: “, keeping …”.
    fn is_participle(self, next: &str) -> bool {
        const SHORTEST: usize = 6;
        let Some(ending) = &self.table.participle else { return false };
        let word = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        word.len() >= SHORTEST && word.ends_with(ending)
    }
}

fn begins(lower: &str, phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| begins_with(lower, phrase))
}

/// True if a text begins with the words of a phrase.
fn begins_with(lower: &str, phrase: &str) -> bool {
    let Some(rest) = lower.strip_prefix(phrase) else { return false };
    phrase.ends_with(['’', '\'']) || !rest.starts_with(char::is_alphanumeric)
}

/// The length of the longest phrase with which the text begins.
fn opener_length(lower: &str, phrases: &[String]) -> usize {
    let begun = phrases.iter().filter(|phrase| begins_with(lower, phrase));
    begun.map(String::len).max().unwrap_or(0)
}

/// The length of a word of the list at the begin of the text, with the blank after it.
pub(super) fn then_length(lower: &str, table: &ConditionTable) -> usize {
    for then in &table.then {
        if lower.strip_prefix(then.as_str()).is_some_and(|rest| rest.starts_with(' ')) {
            return then.len() + 1;
        }
    }
    0
}

/// The next byte at which a condition begins within the sentence.
fn next_opener(lower: &str, from: usize, table: &ConditionTable) -> Option<usize> {
    for (offset, _) in lower[from..].char_indices() {
        let (before, rest) = lower.split_at(from + offset);
        if !before.ends_with([' ', '(', '\u{a0}']) {
            continue;
        }
        if !begins(rest, &table.inner) || begins(rest, &table.never) {
            continue;
        }
        if !ends_with(before, &table.not_after) || is_opening(before) {
            return Some(from + offset);
        }
    }
    None
}

/// True if a sentence opens with these words and a comma, and really begins after them: “For example, if …”.
fn is_opening(before: &str) -> bool {
    const FEW_WORDS: usize = 2;
    before.trim_end().ends_with(',') && before.split_whitespace().count() <= FEW_WORDS
}

/// The begin of a condition with this opener: with the word before it that restricts it (“except when”).
fn restricted(lower: &str, start: usize, table: &ConditionTable) -> usize {
    let before = lower[..start].trim_end();
    for word in &table.restricting {
        if ends_with_phrase(before, word) {
            return before.len() - word.len();
        }
    }
    start
}

/// Most words of a condition before a comma that is an aside: “if at all possible”.
const SHORT_WORDS: usize = 3;

/// The end of the open bracket, or else of the part of the sentence.
fn part_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            ')' | ']' | ';' | ':' if depth == 0 => return at,
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Commas outside of brackets, and not within numbers.
fn commas(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_in_number = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        (*byte == b',' && depth == 0 && !is_in_number).then_some(at)
    })
}

fn holds(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

/// True if one of the phrases is in the text, as words.
fn holds_phrase(text: &str, phrases: &[String]) -> bool {
    if begins(text, phrases) {
        return true;
    }
    for (blank, _) in text.match_indices(' ') {
        if begins(&text[blank + 1..], phrases) {
            return true;
        }
    }
    false
}

/// True if the text ends with one of the phrases, as words.
fn ends_with(text: &str, phrases: &[String]) -> bool {
    let text = text.trim_end();
    phrases.iter().any(|phrase| ends_with_phrase(text, phrase))
}

fn ends_with_phrase(text: &str, phrase: &str) -> bool {
    text.strip_suffix(phrase).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
}
