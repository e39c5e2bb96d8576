//! Words of the amended text, compared with what an instruction says of them.

use std::ops::Range;

/// A text contains words if it has them as whole words, whatever the white space, dashes and apostrophes. No
/// text contains the empty words.
pub(crate) fn contains(text: &str, words: &str) -> bool {
    let (text, words) = (plain(text), plain(words));
    if words.is_empty() {
        return false;
    }
    let mut from = 0;
    while let Some(found) = text[from..].find(&words) {
        let (start, end) = (from + found, from + found + words.len());
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        // Letters directly before or after would make a longer word.
        let begins = !is_letter(words.chars().next()) || !is_letter(before);
        let ends = !is_letter(words.chars().next_back()) || !is_letter(after);
        if begins && ends && !is_in_number(&text, start, end) {
            return true;
        }
        // The words begin with a character of the text, which is skipped.
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

/// True for a text that contains each of these words.
pub(crate) fn contains_all(text: &str, words: &[impl AsRef<str>]) -> bool {
    words.iter().all(|words| contains(text, words.as_ref()))
}

fn is_letter(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

/// A found number is in a longer one if a sign and a digit are next to it: 5 in `0,5` and in `5.2`.
fn is_in_number(text: &str, start: usize, end: usize) -> bool {
    let mut before = text[..start].chars().rev();
    let mut after = text[end..].chars();
    let found = &text[start..end];
    found.starts_with(is_digit) && goes_on(before.next(), before.next())
        || found.ends_with(is_digit) && goes_on(after.next(), after.next())
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// A number goes on with a sign and a digit behind that.
fn goes_on(sign: Option<char>, digit: Option<char>) -> bool {
    matches!(sign, Some(',' | '.')) && digit.is_some_and(is_digit)
}

/// Two titles are the same if their letters and digits are, whatever the case and signs.
pub(crate) fn same_title(one: &str, other: &str) -> bool {
    let (one, other) = (letters(one), letters(other));
    !one.is_empty() && one == other
}

/// The letters and digits of a text in lower case.
fn letters(text: &str) -> String {
    let mut letters = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            letters.extend(c.to_lowercase());
        }
    }
    letters
}

/// The text with plain white space, dashes, quotation marks and apostrophes.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.trim().chars() {
        let c = match c {
            c if c.is_whitespace() => ' ',
            '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
            '’' | '‘' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            other => other,
        };
        let repeats = (c == ' ' || c == '-') && plain.ends_with(c);
        if !repeats {
            plain.push(c);
        }
    }
    plain
}

/// The sentences of a block: a full stop, question or exclamation mark ends one where white space and a
/// capital, digit or bracket follow, unless a single letter or a number is before the full stop.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, mark) in text.char_indices() {
        if !matches!(mark, '.' | '!' | '?') {
            continue;
        }
        let end = at + 1;
        let rest = &text[end..];
        let next = rest.trim_start();
        let begins = next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '(');
        if rest.len() == next.len() || !begins {
            continue;
        }
        let word = text[start..at].rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let is_short = word.chars().count() < 2 || word.chars().all(|c| c.is_ascii_digit());
        if mark == '.' && is_short {
            continue;
        }
        sentences.push(start..end);
        start = end + (rest.len() - next.len());
    }
    if start < text.len() {
        sentences.push(start..text.len());
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_whatever_their_dashes() {
        assert!(contains("in accordance with ISO 16634:--, Clause 9", "ISO 16634:—, Clause 9"));
        assert!(contains("a mass of 15 g", "15"));
        assert!(!contains("a mass of 150 g", "15"));
        assert!(!contains("a mass of 0,5 g", "5"));
        assert!(!contains("see 5.2", "5"));
        assert!(!contains("lids", "lid"));
        assert!(!contains("lid", " "));
    }

    #[test]
    fn sentences_end_at_full_stops_before_capitals() {
        let shown = |text: &str| sentences(text).into_iter().map(|r| text[r].to_owned()).collect::<Vec<_>>();
        assert_eq!(
            shown("The lid closes. It is red (see 4.1). E. g. this."),
            ["The lid closes.", "It is red (see 4.1).", "E. g. this."]
        );
        assert_eq!(shown("No stop"), ["No stop"]);
        assert!(sentences("").is_empty());
    }

    #[test]
    fn titles_are_compared_by_their_letters() {
        assert!(same_title("Sample divider,", "Sample Divider"));
        assert!(!same_title("General", "Generals"));
        assert!(!same_title("", "—"));
    }
}
