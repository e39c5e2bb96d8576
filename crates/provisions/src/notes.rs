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
    let among = |known: &[String]| {
        let is = |known: &String| word.chars().flat_map(char::to_lowercase).eq(known.chars());
        known.iter().filter(|known| known.len() == word.len()).any(is)
    };
    let begun = match &language.notes {
        notes if among(&notes.note) => Misplaced::Note,
        notes if among(&notes.example) => Misplaced::Example,
        _ => return None,
    };
    let rest = text[word.len()..].trim_start();
    let number = rest.split_whitespace().next().unwrap_or_default();
    let number = number.trim_end_matches([':', '.', ')', ',', '–', '—', '-']);
    let numbered = number.starts_with(|c: char| c.is_ascii_digit());
    let mut behind = if numbered { &rest[number.len()..] } else { &text[word.len()..] };
    for suffix in &language.notes.suffix {
        behind = behind.trim_start().strip_prefix(suffix.as_str()).unwrap_or(behind);
    }
    let next = behind.trim_start();
    let dash = next.starts_with(['–', '—', '-', '−']) && next.chars().nth(1).is_none_or(char::is_whitespace);
    let marked =
        dash || next.is_empty() || next.starts_with([':', '.', ')', ']']) || behind.starts_with('\t');
    let upper = word.chars().all(char::is_uppercase);
    let anew = next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || "“\"«„‘(".contains(c));
    (marked || (numbered || upper) && anew).then_some(begun)
}

/// Whether a sentence or lead-in introduces an example: by its beginning or, where it binds nobody, in any
/// part.
pub(super) fn tells_example(tokens: &[SentenceToken], anywhere: bool, language: &Language) -> bool {
    (0..if anywhere { tokens.len() } else { 1 }).any(|at| holds(&language.notes.example_phrases, tokens, at))
}

/// Whether a sentence is a part of an example: “in this example”.
pub(super) fn is_in_example(tokens: &[SentenceToken], language: &Language) -> bool {
    holds(&language.notes.this_example, tokens, 0)
}

/// Whether a sentence gives a name: “all red keys are called gate keys”.
pub(super) fn gives_name(tokens: &[SentenceToken], language: &Language) -> bool {
    (0..tokens.len()).any(|at| holds(&language.naming, tokens, at))
}

fn holds(phrases: &[Pattern], tokens: &[SentenceToken], at: usize) -> bool {
    let view = SentenceView { tokens, starts: &[0], closing: ListSet::default() };
    phrases.iter().any(|phrase| phrase.follows(view, at).is_some())
}
