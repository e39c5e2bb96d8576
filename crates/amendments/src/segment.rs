//! Segments of an instruction: each has one verb, and says what the amended document has and what is new.

use std::ops::Range;

use foldhash::HashSet;

use crate::instruction_words::Verb;
use crate::mentions::InstructionReading;
use crate::read::without;
use crate::tokenizer::InstructionTokenKind;

/// A part of an instruction with one verb.
#[derive(Clone, Debug)]
pub(crate) struct InstructionSegment {
    /// What the verb asks for; `None` where no verb is known.
    pub(crate) verb: Option<Verb>,
    /// The token of the verb.
    pub(crate) verb_at: Option<usize>,
    /// The tokens that speak of what the amended document has.
    pub(crate) old: Vec<Range<usize>>,
    /// Set where it names no part and no words of the amended document.
    pub(crate) names_nothing: bool,
}

/// The segments of an instruction, and the new text that follows its colon.
pub(crate) fn segments(reading: &InstructionReading<'_>) -> (Vec<InstructionSegment>, Option<String>) {
    let (end, new_text) = cut_at_colon(reading);
    let mut starts = vec![0];
    let mut verb_seen = false;
    for at in 0..end {
        let is_verb = verb_at(reading, at).is_some();
        let begins = match &reading.tokens[at].kind {
            InstructionTokenKind::Stop('.' | ';') => verb_seen && first_verb(reading, at + 1..end).is_some(),
            InstructionTokenKind::Word(word) if reading.words.small.and.contains(word) => {
                verb_seen && is_order(reading, at + 1)
            }
            _ => false,
        };
        verb_seen |= is_verb;
        if begins {
            starts.push(at + 1);
            verb_seen = false;
        }
    }
    let mut segments = Vec::new();
    for (index, &start) in starts.iter().enumerate() {
        let until = if index + 1 < starts.len() { starts[index + 1] } else { end };
        if start < until {
            segments.push(segment(reading, start..until));
        }
    }
    (segments, new_text)
}

/// The token at which new text begins, and that text: what follows a colon behind the verb.
fn cut_at_colon(reading: &InstructionReading<'_>) -> (usize, Option<String>) {
    let all = reading.tokens.len();
    let mut verb_seen = false;
    for at in 0..all {
        verb_seen |= verb_at(reading, at).is_some();
        if reading.tokens[at].kind == InstructionTokenKind::Stop(':') && verb_seen && at + 1 < all {
            let text = reading.text[reading.tokens[at].range.end..].trim();
            return (at, (!text.is_empty()).then(|| text.to_owned()));
        }
    }
    (all, None)
}

/// What the verb at a token asks for; `None` where the token is not a verb.
fn verb_at(reading: &InstructionReading<'_>, at: usize) -> Option<Verb> {
    reading.words.verb(reading.word(at)?)
}

fn first_verb(reading: &InstructionReading<'_>, mut range: Range<usize>) -> Option<usize> {
    range.find(|&at| verb_at(reading, at).is_some())
}

fn is_order(reading: &InstructionReading<'_>, at: usize) -> bool {
    match reading.word(at) {
        Some(word) => reading.words.orders.contains_key(word),
        None => false,
    }
}

fn segment(reading: &InstructionReading<'_>, range: Range<usize>) -> InstructionSegment {
    let verb_token = first_verb(reading, range.clone());
    let verb = verb_token.and_then(|at| verb_at(reading, at));
    let cut = new_part(reading, range.clone(), verb, verb_token);
    let old = match &cut {
        Some(cut) => without(range, cut),
        None => vec![range],
    };
    let names_nothing = !old.iter().any(|part| names_something(reading, part, verb));
    InstructionSegment { verb, verb_at: verb_token, old, names_nothing }
}

/// Some tokens name something of the amended document if they mention a part that is not new, or quote words.
/// Words that are quoted after “substitute” or “add” are new.
fn names_something(reading: &InstructionReading<'_>, tokens: &Range<usize>, verb: Option<Verb>) -> bool {
    for mention in reading.mentions(tokens.clone()) {
        if !mention.is_new {
            return true;
        }
    }
    let brings_quotes = matches!(verb, Some(Verb::Replace | Verb::Add));
    !brings_quotes && tokens.clone().any(|at| reading.is_quote(at))
}

/// The tokens that speak of what is new.
fn new_part(
    reading: &InstructionReading<'_>,
    range: Range<usize>,
    verb: Option<Verb>,
    verb_token: Option<usize>,
) -> Option<Range<usize>> {
    let small = &reading.words.small;
    match verb? {
        Verb::Replace | Verb::Change => {
            let start = first_of(reading, &range, &small.with)?;
            Some(start..end_of_new(reading, start + 1, &range, verb_token))
        }
        Verb::Renumber => {
            let start = first_of(reading, &range, &small.r#as)?;
            match verb_token {
                // “als 4.5 zu nummerieren”
                Some(verb) if verb > start => Some(start..verb),
                _ => Some(start..range.end),
            }
        }
        Verb::Read => {
            let verb_token = verb_token?;
            match first_of(reading, &range, &small.instead_of) {
                Some(instead) if instead > verb_token => Some(verb_token..instead),
                _ => Some(verb_token..end_of_new(reading, verb_token + 1, &range, None)),
            }
        }
        Verb::Add | Verb::Delete => None,
    }
}

/// The first token that is one of these words.
fn first_of(
    reading: &InstructionReading<'_>,
    range: &Range<usize>,
    words: &HashSet<String>,
) -> Option<usize> {
    range.clone().find(|&at| reading.is_one_of(at, words))
}

/// The token after the new text that begins at a token: after quoted words, or at the verb behind it.
fn end_of_new(
    reading: &InstructionReading<'_>,
    start: usize,
    range: &Range<usize>,
    verb_token: Option<usize>,
) -> usize {
    let mut at = start;
    while at < range.end && is_before_quote(reading, at) {
        at += 1;
    }
    if at < range.end && reading.is_quote(at) {
        return at + 1;
    }
    match verb_token {
        Some(verb) if verb >= start => verb,
        _ => range.end,
    }
}

/// True for a word that may be between “with” and quoted words: “with the value “5””.
fn is_before_quote(reading: &InstructionReading<'_>, at: usize) -> bool {
    let small = &reading.words.small;
    reading.is_one_of(at, &small.articles) || reading.is_one_of(at, &small.nouns)
}
