//! Notes and examples set as plain paragraphs (“NOTE 1 – …”, “Example: …”), recognized by their first words.

use super::eligibility::Misplaced;
use super::language::Language;
use super::lexicon::ListSet;
use super::matching::SentenceView;
use super::pattern::Pattern;
use super::tokenizer::SentenceToken;

/// The kind of note or example that a sentence begins; `None` for any other. The word is in capitals or
/// begins with one, and a mark, a number or a new sentence follows: “Note the time”, “NOTE that …” and “Note
/// 3 is …” are no notes.
pub(super) fn begun(text: &str, language: &Language) -> Option<Misplaced> {
    let text = text.trim_start_matches(['(', '[', '—', '–', '•', ' ']);
    let word = &text[..text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())];
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let begun = if is_among(word, &language.notes.note) {
        Misplaced::Note
    } else if is_among(word, &language.notes.example) {
        Misplaced::Example
    } else {
        return None;
    };
    let behind_word = &text[word.len()..];
    let behind_number = behind_number(behind_word);
    let mut behind = behind_number.unwrap_or(behind_word);
    for suffix in &language.notes.suffix {
        behind = behind.trim_start().strip_prefix(suffix.as_str()).unwrap_or(behind);
    }
    let next = behind.trim_start();
    let is_mark = next.is_empty() || next.starts_with([':', '.', ')', ']']);
    if is_mark || begins_with_dash(next) || behind.starts_with('\t') {
        return Some(begun);
    }
    // Without a mark, a number or capitals show that the word is a label and not a part of the sentence.
    let is_label = behind_number.is_some() || word.chars().all(char::is_uppercase);
    let begins_sentence =
        next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || "“\"«„‘(".contains(c));
    if is_label && begins_sentence { Some(begun) } else { None }
}

/// The text behind the number of a note or example, with the marks that follow it; `None` without a number.
fn behind_number(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    let word = rest.split_whitespace().next()?;
    let number = word.trim_end_matches([':', '.', ')', ',', '–', '—', '-']);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some(&rest[number.len()..])
}

/// True if a text begins with a dash that no word follows directly, as in a compound.
fn begins_with_dash(text: &str) -> bool {
    let Some(behind) = text.strip_prefix(['–', '—', '-', '−']) else { return false };
    behind.is_empty() || behind.starts_with(char::is_whitespace)
}

/// True if a word in any case is in a list of words in lower case.
fn is_among(word: &str, known: &[String]) -> bool {
    for known in known {
        if known.len() == word.len() && word.chars().flat_map(char::to_lowercase).eq(known.chars()) {
            return true;
        }
    }
    false
}

/// True if a sentence or lead-in introduces an example: by its beginning or, where it binds nobody, in any
/// part.
pub(super) fn tells_example(tokens: &[SentenceToken], anywhere: bool, language: &Language) -> bool {
    let beginnings = if anywhere { tokens.len() } else { 1 };
    (0..beginnings).any(|at| holds(&language.notes.example_phrases, tokens, at))
}

/// True if a sentence is a part of an example: “in this example”.
pub(super) fn is_in_example(tokens: &[SentenceToken], language: &Language) -> bool {
    holds(&language.notes.this_example, tokens, 0)
}

/// True if a sentence gives a name: “all red keys are called gate keys”.
pub(super) fn gives_name(tokens: &[SentenceToken], language: &Language) -> bool {
    (0..tokens.len()).any(|at| holds(&language.naming, tokens, at))
}

/// True if one of the patterns matches from this token on.
pub(super) fn holds(phrases: &[Pattern], tokens: &[SentenceToken], at: usize) -> bool {
    let view = SentenceView { tokens, starts: &[0], closing: ListSet::default() };
    phrases.iter().any(|phrase| phrase.follows(view, at).is_some())
}
