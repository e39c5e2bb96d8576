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
    /// Whether the verb follows a fronted condition without a comma (“Bei Frost ist …”).
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
        let mut found: Vec<Range<usize>> = self.initial().into_iter().collect();
        let mut at = found.first().map_or(0, |first| first.end);
        while let Some(start) = next_opener(lower, at, table).filter(|_| found.len() < MOST) {
            let end = self.end_of(start);
            let condition = &text[start..end.max(start)];
            let abbreviation = condition.starts_with(|c: char| c.is_uppercase());
            if condition.contains(' ') && !abbreviation {
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
        let inverted = form.start > 0 && begins(lower, &table.inverted);
        if !(inverted || begins(lower, &table.initial)) || begins(lower, &table.never) {
            return None;
        }
        let before = &text[..form.start];
        let commas: Vec<usize> = commas(before).collect();
        let Some(&last) = commas.last() else {
            if !table.verb_second {
                return self.unparted(form);
            }
            let fronted = before.trim_end();
            let short = fronted.split_whitespace().count() <= FRONTED_WORDS;
            let whole = !inverted && short && !fronted.is_empty();
            return (whole && !ends_with(&lower[..fronted.len()], &table.reasons))
                .then_some(0..fronted.len());
        };
        // “If it is wet, the lid, which is red, shall …”: the last two commas enclose what belongs to the
        // subject.
        let verb = [&table.main_verbs, &table.weak_verbs]
            .into_iter()
            .any(|verbs| begins(&lower[form.start..], verbs));
        let comma = match (verb && before[last + 1..].trim().is_empty(), commas.len()) {
            (false, _) | (true, 1) => last,
            (true, 2) => return None,
            (true, all) => commas[all - 3],
        };
        let main = lower[comma + 1..form.start].trim();
        let first = main.split(' ').next().unwrap_or_default();
        let led = comma < last
            || main.is_empty()
            || (commas.len() == 1 && begins(lower, &table.inner))
            || table.then.iter().any(|then| main == then)
            || table.pronouns.iter().any(|pronoun| pronoun == main || pronoun == first && main.len() < 16);
        let start = form.start - before[comma + 1..].trim_start().len();
        // “For rice, where it is dry, the mass, the volume and the age shall …”: the last comma is one of the
        // subject.
        let row = comma == last
            && commas.len() > 1
            && main.split_whitespace().any(|word| holds(&table.coordinators, word));
        let reason = !begins(lower, &table.inner) && ends_with(&lower[..comma], &table.reasons);
        if row || reason {
            return None;
        }
        (led || subject(start, self).is_some()).then_some(0..comma)
    }

    /// The condition at the begin of a sentence whose main clause follows without a comma.
    fn unparted(self, form: &Range<usize>) -> Option<Range<usize>> {
        let Self { lower, table, .. } = self;
        const FEWEST_WORDS: usize = 3;
        let mut starts = lower[..form.start].match_indices(' ').map(|(at, _)| at).filter(|&at| {
            let word = |text: &str, last: bool| {
                let mut words = text.split_whitespace();
                if last { words.next_back() } else { words.next() }.unwrap_or_default().to_owned()
            };
            holds(&table.determiners, &word(&lower[at..form.start], false))
                && !holds(&table.joining, &word(&lower[..at], true))
        });
        let start = starts.next_back()?;
        let condition = &lower[..start];
        let clause =
            opener_length(lower, &table.inner) > 0 && condition.split_whitespace().count() >= FEWEST_WORDS;
        let whole = clause && subject(start, self).is_some();
        let then = table.then.iter().find_map(|then| condition.strip_suffix(then.as_str()));
        whole.then_some(0..then.unwrap_or(condition).trim_end().len())
    }

    /// The end of a condition within the sentence: the end of its bracket or of its part of the sentence, or
    /// a comma after which something else begins.
    fn end_of(self, start: usize) -> usize {
        let Self { text, lower, form, table, .. } = self;
        let rest = &text[start..text.floor_char_boundary(start + LONGEST)];
        let closed = part_end(rest);
        if closed == rest.len() && start + closed < text.len() {
            return start;
        }
        let part = &rest[..closed];
        let open = |text: &str| text.matches('(').count() != text.matches(')').count();
        let before_form = form.and_then(|form| form.start.checked_sub(start));
        let before_form = before_form.filter(|&form| form < closed && !open(&part[..form]));
        let within = |form: &Range<usize>| {
            let between = text.get(form.end..start).unwrap_or_default();
            between.starts_with(',') && commas(between).count() == 1
        };
        let aside = lower[..start].trim_end().ends_with([',', '(']) || form.is_some_and(within);
        // “es sei denn, er ist …”
        let opener = if table.verb_second { opener_length(&lower[start..], &table.inner) } else { 0 };
        // “…, das nass ist, …”: a comma that encloses what belongs to the condition, and the next one.
        let mut enclosed = false;
        let comma = commas(part).filter(|&comma| comma > opener).find(|&comma| {
            let next = lower[start + comma + 1..start + closed].trim_start();
            if std::mem::take(&mut enclosed) && !begins(next, &table.coordinators) {
                return false;
            }
            enclosed = begins(next, &table.relatives) && next.contains(',');
            if enclosed || begins(next, &table.going_on) {
                return false;
            }
            let word = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            let participle =
                table.participle.as_ref().is_some_and(|end| word.len() > 5 && word.ends_with(end));
            let main = holds_phrase(next, &table.main_verbs) || holds_phrase(next, &table.weak_verbs);
            let goes_on = begins(next, &table.coordinators) && !main;
            !goes_on
                && (aside
                    || before_form.is_some()
                    || main
                    || participle
                    || begins(next, &table.ending)
                    || part[..comma].split_whitespace().count() <= SHORT_WORDS)
        });
        if comma.is_none()
            && (before_form.is_some() || holds_phrase(&lower[start..start + closed], &table.main_verbs))
        {
            return start;
        }
        let end = match (comma, before_form) {
            (Some(comma), Some(form)) if comma > form => return start,
            (Some(comma), _) => comma,
            (None, _) => closed,
        };
        start + part[..end].trim_end_matches(['.', ',', ';', ' ', '!', '?']).len()
    }
}

fn begins(lower: &str, phrases: &[String]) -> bool {
    opener_length(lower, phrases) > 0
}

/// The length of the longest phrase with which the text begins.
fn opener_length(lower: &str, phrases: &[String]) -> usize {
    let begun = phrases.iter().filter(|phrase| {
        lower
            .strip_prefix(phrase.as_str())
            .is_some_and(|rest| phrase.ends_with(['’', '\'']) || !rest.starts_with(char::is_alphanumeric))
    });
    begun.map(String::len).max().unwrap_or(0)
}

/// The length of a word of the list at the begin of the text, with the blank after it.
pub(super) fn then_length(lower: &str, table: &ConditionTable) -> usize {
    let found = table
        .then
        .iter()
        .find(|then| lower.strip_prefix(then.as_str()).is_some_and(|rest| rest.starts_with(' ')));
    found.map_or(0, |then| then.len() + 1)
}

fn next_opener(lower: &str, from: usize, table: &ConditionTable) -> Option<usize> {
    let starts = lower[from..].char_indices().map(|(offset, _)| from + offset);
    let mut starts = starts.filter(|&at| at > 0 && lower[..at].ends_with([' ', '(', '\u{a0}']));
    starts.find(|&at| {
        begins(&lower[at..], &table.inner)
            && !begins(&lower[at..], &table.never)
            && (!ends_with(&lower[..at], &table.not_after) || is_opening(&lower[..at]))
    })
}

/// Whether a sentence opens with these words and a comma, and really begins after them: “For example, if …”.
fn is_opening(before: &str) -> bool {
    const FEW_WORDS: usize = 2;
    before.trim_end().ends_with(',') && before.split_whitespace().count() <= FEW_WORDS
}

/// The begin of a condition with this opener: with the word before it that restricts it (“except when”).
fn restricted(lower: &str, start: usize, table: &ConditionTable) -> usize {
    let before = lower[..start].trim_end();
    let word = table.restricting.iter().find(|word| ends_with(before, std::slice::from_ref(word)));
    word.map_or(start, |word| before.len() - word.len())
}

/// Most words of a condition before a comma that is an aside: “if at all possible”.
const SHORT_WORDS: usize = 3;

/// The end of the open bracket, or else of the part of the sentence.
fn part_end(text: &str) -> usize {
    let mut depth = 0_usize;
    let end = text.char_indices().find(|&(_, c)| {
        let closes = depth == 0 && matches!(c, ')' | ']' | ';' | ':');
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        closes
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// Commas outside of brackets, and not within numbers.
fn commas(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut depth = 0_usize;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let number = text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
        (byte == b',' && depth == 0 && !number).then_some(at)
    })
}

fn holds(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

/// Whether one of the phrases is in the text, as words.
fn holds_phrase(text: &str, phrases: &[String]) -> bool {
    std::iter::once(0)
        .chain(text.match_indices(' ').map(|(at, _)| at + 1))
        .any(|at| begins(&text[at..], phrases))
}

/// Whether the text ends with one of the phrases, as words.
fn ends_with(text: &str, phrases: &[String]) -> bool {
    let text = text.trim_end();
    phrases.iter().any(|phrase| {
        text.strip_suffix(phrase.as_str()).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}
