//! Passages in quotation marks, with the habits of English, German and French.

use std::ops::Range;

/// Fewest and most characters of a passage that is verified.
pub(crate) const PASSAGE_CHARACTERS: Range<usize> = 12..2001;
/// Fewest words of a passage: fewer are a term or a name.
const FEWEST_WORDS: usize = 3;
/// Farthest closing mark, in characters: a mark that is not closed there was something else.
const FARTHEST_MARK: usize = 4000;

/// A passage in quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuotedPassage {
    /// Bytes with the marks.
    pub(crate) range: Range<usize>,
    /// Bytes of the words.
    pub(crate) inner: Range<usize>,
}

/// Opening marks, each with the marks that close it.
const MARKS: [(char, &[char]); 7] = [
    ('“', &['”', '“']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('‹', &['›']),
    ('»', &['«']),
    ('›', &['‹']),
    ('"', &['"']),
];

/// The passages of a text in order, each with words enough to be a quotation.
pub(crate) fn quoted_passages(text: &str) -> Vec<QuotedPassage> {
    let mut passages = Vec::new();
    let mut at = 0;
    while let Some((start, open)) = next_mark(text, at) {
        let inside = start + open.len_utf8();
        at = inside;
        if !opens(text, start, inside) {
            continue;
        }
        let Some(end) = closing(text, inside, open) else { continue };
        let close = text[end..].chars().next().map_or(1, char::len_utf8);
        at = end + close;
        let inner = trimmed(text, inside..end);
        if has_passage_words(&text[inner.clone()]) {
            passages.push(QuotedPassage { range: start..at, inner });
        }
    }
    passages
}

fn next_mark(text: &str, from: usize) -> Option<(usize, char)> {
    let (at, mark) = text[from..].char_indices().find(|(_, c)| MARKS.iter().any(|(open, _)| open == c))?;
    Some((from + at, mark))
}

/// Whether a mark opens a passage: a word begins behind it, and none ends before it. `5"` are inches.
fn opens(text: &str, start: usize, inside: usize) -> bool {
    let before = text[..start].chars().next_back();
    let is_within_word = before.is_some_and(|c| c.is_alphanumeric());
    let mut after = text[inside..].chars();
    let next = after.next();
    // French sets a space behind its marks.
    let is_spaced = next.is_some_and(char::is_whitespace) && text[start..].starts_with('"');
    !is_within_word && next.is_some() && !is_spaced
}

/// The byte of the mark that closes a passage. A passage of the same marks within it is a part of it.
fn closing(text: &str, inside: usize, open: char) -> Option<usize> {
    let closing = MARKS.iter().find(|(mark, _)| *mark == open).map(|(_, closing)| *closing)?;
    let mut depth = 0_u32;
    for (count, (at, c)) in text[inside..].char_indices().enumerate() {
        if count > FARTHEST_MARK {
            return None;
        }
        let is_closing =
            closing.contains(&c) && !(open == '“' && c == '“' && !ends_word(&text[..inside + at]));
        if is_closing {
            let after = text[inside + at + c.len_utf8()..].chars().next();
            let is_inch = c == '"' && after.is_some_and(char::is_alphanumeric);
            if is_inch {
                continue;
            }
            if depth == 0 {
                return Some(inside + at);
            }
            depth -= 1;
        } else if c == open {
            depth += 1;
        }
    }
    None
}

fn ends_word(text: &str) -> bool {
    text.ends_with(|c: char| !c.is_whitespace() && c != '(')
}

/// A range without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + inner.len() - inner.trim_start().len();
    start..start + inner.trim().len()
}

/// Whether a text is long enough, and has words, to be looked for in a standard.
pub(crate) fn has_passage_words(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
    text.chars().count() >= PASSAGE_CHARACTERS.start && words.take(FEWEST_WORDS).count() == FEWEST_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_found_in_the_marks_of_three_languages() {
        for (text, expected) in [
            ("It says “the lid shall be shut”.", vec!["the lid shall be shut"]),
            (
                "Es heißt „der Deckel muss zu sein“ und »er muss dicht sein«.",
                vec!["der Deckel muss zu sein", "er muss dicht sein"],
            ),
            ("Il dit « le couvercle doit être fermé ».", vec!["le couvercle doit être fermé"]),
            (
                "a \"lid shall be shut\" and \"it is always shut\"",
                vec!["lid shall be shut", "it is always shut"],
            ),
            ("a 5\" pipe and a 6\" pipe of that size", vec![]),
            ("the “lid” of “two words”", vec![]),
            ("“a, “b c d” and e f”", vec!["a, “b c d” and e f"]),
            ("“— … — … — … — …”", vec![]),
        ] {
            let found: Vec<&str> =
                quoted_passages(text).into_iter().map(|passage| &text[passage.inner]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
