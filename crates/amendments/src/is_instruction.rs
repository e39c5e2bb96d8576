//! Recognition of instructions: whether a paragraph of an amendment is one, if the source does not say so.

use crate::instruction_words::InstructionWords;
use crate::mentions::{InstructionReading, Named};
use crate::tokenizer::{InstructionTokenKind, tokens};

/// A text is an instruction if it tells the editor of another document what to do: it orders (“Replace the
/// third paragraph”) or says in a passive what happens to a part (“Annex B shall be deleted”). “Insert the
/// probe” is not an instruction: its object is not a part of a document. False for a language without rules.
pub fn is_instruction(text: &str, language: &str) -> bool {
    let Some(words) = InstructionWords::of(language) else { return false };
    let tokens = tokens(text, words);
    let reading = InstructionReading { text, tokens: &tokens, words };
    for at in 0..tokens.len() {
        let Some(word) = reading.word(at) else { continue };
        if words.orders.contains_key(word) {
            // “ist zu streichen” has the word of the order “Anhang B streichen”.
            let is_passive_form = words.is_german && follows_auxiliary(&reading, at);
            if is_order(&reading, at) || is_passive_form && is_passive(&reading, at) {
                return true;
            }
        }
        if words.passives.contains_key(word) && is_passive(&reading, at) {
            return true;
        }
    }
    false
}

/// True for an order at a token whose object is a part of a document, quoted words or “the following”.
fn is_order(reading: &InstructionReading<'_>, at: usize) -> bool {
    if !begins_clause(reading, at) {
        return false;
    }
    let small = &reading.words.small;
    let mut next = at + 1;
    while let Some(word) = reading.word(next) {
        // The object begins behind articles and “the following new”.
        if reading.words.kinds.contains_key(word) {
            break;
        }
        if !small.articles.contains(word) && !small.new.contains(word) {
            break;
        }
        next += 1;
    }
    let end = reading.tokens.len();
    if next >= end {
        // “Delete the existing text.”
        return next > at + 1;
    }
    match &reading.tokens[next].kind {
        InstructionTokenKind::Quote(_) => true,
        // “Add, after 4.4, the following”: the part may be anywhere behind the comma.
        InstructionTokenKind::Stop(',') => reading.mentions(next..end).iter().any(|mention| !mention.is_new),
        InstructionTokenKind::Stop(_) => next > at + 1,
        // The object is a part, or a place of one comes directly after the verb.
        _ => match reading.mentions(at + 1..end).first() {
            Some(mention) => mention.tokens.start <= next + 1,
            None => false,
        },
    }
}

/// A verb begins its clause if it is at the beginning, or behind a stop, a number or “and”.
fn begins_clause(reading: &InstructionReading<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match &reading.tokens[before].kind {
        InstructionTokenKind::Stop(_) | InstructionTokenKind::Number { .. } => true,
        InstructionTokenKind::Word(word) => reading.words.small.and.contains(word),
        InstructionTokenKind::Quote(_) | InstructionTokenKind::Label(_) => false,
    }
}

/// An auxiliary comes directly before a word: “ist zu”.
fn follows_auxiliary(reading: &InstructionReading<'_>, at: usize) -> bool {
    at > 0 && reading.is_one_of(at - 1, &reading.words.small.auxiliaries)
}

/// True for a passive that has a part of a document as its subject or says where text goes.
fn is_passive(reading: &InstructionReading<'_>, at: usize) -> bool {
    let auxiliaries = &reading.words.small.auxiliaries;
    let has_auxiliary = (0..at).any(|before| reading.is_one_of(before, auxiliaries));
    // “entfällt” says the same without an auxiliary.
    let needs_none = matches!(reading.word(at), Some("entfällt" | "entfallen"));
    if !has_auxiliary && !needs_none {
        return false;
    }
    let mentions = reading.mentions(0..at);
    let Some(subject) = mentions.first() else { return false };
    // The subject comes first, perhaps behind a preposition: “In 4.1 …”, “The second sentence of 4.2 …”.
    let is_at_head = subject.tokens.start <= 3;
    is_at_head && mentions.iter().any(|mention| !matches!(mention.named, Named::ThisClause))
}
