//! Sentence boundaries, by the sentence library and the abbreviations of the field.

mod plain_text;
mod reading;

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3};

use self::plain_text::plain_breaks;
use self::reading::{Reading, THING};
use super::language::{Language, Splitter};
use super::lexicon::ListSet;
use crate::blocks::{SpanKind, TokenSpan};

/// The sentences of `text[range]`, in bytes of the text, without white space around them. Brackets around
/// whole sentences are part of none.
pub(super) fn sentences(
    text: &str,
    range: Range<usize>,
    spans: &[TokenSpan],
    language: &Language,
) -> Vec<Range<usize>> {
    let mut ends = Vec::new();
    let mut brackets = Vec::new();
    if may_hold_several(&text[range.clone()]) {
        let mut reading = Reading::new(text, range.clone(), spans);
        brackets = reading.blank_brackets();
        ends = reading.ends(language);
    }
    ends.push(range.end);
    let mut sentences = Vec::with_capacity(ends.len());
    let mut start = range.start;
    for end in ends {
        let end = past_marks(end, spans).min(range.end);
        if end <= start {
            continue;
        }
        let mut inner = text[start..end]
            .char_indices()
            .filter(|&(at, c)| !c.is_whitespace() && brackets.binary_search(&(start + at)).is_err());
        if let Some((first, c)) = inner.next() {
            let (last, c) = inner.next_back().unwrap_or((first, c));
            sentences.push(start + first..start + last + c.len_utf8());
        }
        start = end;
    }
    sentences
}

/// The sentences of a long text as [`sentences`] gives them, as many at a time as have no more than `longest`
/// bytes together; `None` matches one that has more.
pub(super) fn stretches<'a>(
    text: &'a str,
    range: Range<usize>,
    spans: &'a [TokenSpan],
    language: &'a Language,
    longest: usize,
) -> impl Iterator<Item = Option<Vec<Range<usize>>>> + 'a {
    let Range { mut start, end } = range;
    let mut within_long = false;
    std::iter::from_fn(move || {
        while start < end {
            let until = text.ceil_char_boundary(start + longest.max(1)).min(end);
            let mut found = sentences(text, start..until, spans, language);
            if until < end {
                // The last may go on.
                found.pop();
            }
            match found.as_slice() {
                [] => {
                    start = until;
                    if until < end && !std::mem::replace(&mut within_long, true) {
                        return Some(None);
                    }
                }
                [rest, ..] if within_long => (start, within_long) = (rest.end, false),
                [.., last] => {
                    start = last.end;
                    return Some(Some(found));
                }
            }
        }
        None
    })
}

/// True if a sentence may end before the end of the text.
fn may_hold_several(text: &str) -> bool {
    let inner = text.trim_end();
    let inner = inner.get(..inner.len().saturating_sub(1)).unwrap_or(inner);
    let bytes = inner.as_bytes();
    memchr3(b'.', b'!', b'?', bytes).is_some()
        || memchr(b'\n', bytes).is_some()
        || !inner.is_ascii() && inner.contains(['…', '。'])
}

/// Footnote marks directly after a sentence belong to it.
fn past_marks(mut end: usize, spans: &[TokenSpan]) -> usize {
    for span in &spans[spans.partition_point(|span| span.range.start < end)..] {
        if span.range.start > end {
            break;
        }
        if matches!(span.kind, SpanKind::FootnoteMark { .. }) {
            end = span.range.end;
        }
    }
    end
}

/// The ends of sentences by the sentence library, without the white space after them.
fn breaks(text: &str, splitter: Splitter) -> Vec<usize> {
    if let Some(breaks) = plain_breaks(text, splitter) {
        return breaks;
    }
    let boundaries = splitter.get_sentence_boundaries(text);
    boundaries.iter().map(|boundary| boundary.start_byte + boundary.text.trim_end().len()).collect()
}

/// True if the library broke a sentence in two: within a name, at an abbreviation or an ordinal number, or
/// before a word in lower case.
fn goes_on(before: &str, after: &str, language: &Language) -> bool {
    let next = after.trim_start();
    let Some(first) = next.chars().next() else { return true };
    let (pair, word) = last_words(before);
    let has_blank = next.len() < after.len();
    if !has_blank && first.is_alphanumeric() {
        if !before.ends_with('.') {
            return false;
        }
        // `LIST.XML` is a name; what begins a sentence without a blank before it is a known word (“… shut.The
        // lid …”).
        let has_inner_stop = word[..word.len() - 1].contains('.');
        return has_inner_stop || !is_starting(next, language);
    }
    if first.is_uppercase() && ends_here(pair, word, next, language) {
        return false;
    }
    if is_abbreviated(pair, word, language) || is_ordinal(pair, word, language) {
        return true;
    }
    if is_short(word) && is_counter(next, language) {
        return true;
    }
    // “art. L. 121-1”
    if is_initial(word) && first.is_ascii_digit() {
        let names_article = is_abbreviated("", pair, language) || is_hyphenated_number(next);
        if names_article {
            return true;
        }
    }
    before.ends_with('.') && first.is_lowercase() && !next.starts_with("pH")
}

/// True if a text begins with a number of an article that has a hyphen: `L. 121-1`.
fn is_hyphenated_number(next: &str) -> bool {
    let word = next.split(|c: char| !(c.is_ascii_digit() || c == '-')).next().unwrap_or_default();
    word.contains('-') && !word.ends_with('-')
}

/// True if the word, or the two words, are an abbreviation that the table has; an elided article before it is
/// not a part of it.
fn is_abbreviated(pair: &str, word: &str, language: &Language) -> bool {
    if is_abbreviation(word, language) {
        return true;
    }
    // Most words end no abbreviation of two words, so that the pair is seldom composed.
    if !pair.is_empty() && language.may_end_pair(word) && is_abbreviation(&format!("{pair} {word}"), language)
    {
        return true;
    }
    if !language.lexicon.elision {
        return false;
    }
    match word.rsplit(['\'', '’']).next() {
        Some(rest) if rest != word => is_abbreviation(rest, language),
        _ => false,
    }
}

fn is_abbreviation(text: &str, language: &Language) -> bool {
    let abbreviations = &language.abbreviations;
    if abbreviations.contains(text) {
        return true;
    }
    text.contains(char::is_uppercase) && abbreviations.contains(text.to_lowercase().as_str())
}

/// “der 2. Deckel”, “jede 3. Schraube”.
fn is_ordinal(pair: &str, word: &str, language: &Language) -> bool {
    let number = word.strip_suffix('.').unwrap_or_default();
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && is_listed(pair, language.word_lists.ordinal, language)
}

/// A few letters, of which the first is a capital: `Bl.`, `Ziff.`, `Drg.`
fn is_short(word: &str) -> bool {
    const LONGEST: usize = 4;
    let letters = word.strip_suffix('.').unwrap_or_default();
    if letters == THING || !(2..=LONGEST).contains(&letters.chars().count()) {
        return false;
    }
    letters.starts_with(char::is_uppercase)
        && letters.chars().all(char::is_alphabetic)
        && letters.contains(char::is_lowercase)
}

/// What an abbreviated noun counts by: a letter, a Roman number, another abbreviation (`No. A`).
fn is_counter(next: &str, language: &Language) -> bool {
    let word = next.split(char::is_whitespace).next().unwrap_or_default();
    let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
    let is_roman = bare.len() > 1 && bare.bytes().all(|byte| b"IVXLC".contains(&byte));
    if is_roman || is_short(word) {
        return true;
    }
    let is_letter = bare.chars().count() == 1 && bare.starts_with(char::is_uppercase);
    if !is_letter {
        return false;
    }
    // “A lid …” begins with an article.
    let is_before_word = next[word.len()..].trim_start().starts_with(char::is_lowercase);
    !(is_before_word && is_starting(next, language))
}

/// A letter with a full stop: “L.”, “d’L.”.
fn is_initial(word: &str) -> bool {
    let letter = word.rsplit(['\'', '’']).next().unwrap_or(word).strip_suffix('.').unwrap_or_default();
    letter.chars().count() == 1 && letter.starts_with(char::is_uppercase)
}

/// True if a text begins like a sentence, with a known word in lower case except its first letter.
fn is_starting(text: &str, language: &Language) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let rest = &text[word.len()..];
    let is_whole_word = rest.starts_with([' ', ',', '\u{a0}', '’', '\'']);
    if !is_whole_word || !word.starts_with(char::is_uppercase) {
        return false;
    }
    is_listed(word, language.word_lists.starting, language)
}

fn is_listed(word: &str, list: ListSet, language: &Language) -> bool {
    language.lexicon.look_up(&word.to_lowercase()).lists.intersects(list)
}

/// Full stops that the library takes for those of an abbreviation or an initial, and which end a sentence
/// here: after a unit (“5 min. Then”), the letter of a class or an annex (“type B. Type A”), “5 p.m.”,
/// “etc.”, and before a paragraph (“… shut. (2) The lid …”). Those found anyway, ascending, need no look.
fn overlooked<'a>(
    text: &'a str,
    found: &'a [usize],
    language: &'a Language,
) -> impl Iterator<Item = usize> + 'a {
    let ends = memchr_iter(b'.', text.as_bytes()).map(|at| at + 1);
    ends.filter(move |&end| {
        if !text[end..].starts_with(' ') || found.binary_search(&end).is_ok() {
            return false;
        }
        let (pair, word) = last_words(&text[..end]);
        let next = text[end..].trim_start();
        if is_paragraph_mark(next) {
            // “… halten. (2) Sie dürfen …”, but “Abs. (2) Satz 1”.
            return !is_abbreviated(pair, word, language);
        }
        next.starts_with(char::is_uppercase) && ends_here(pair, word, next, language)
    })
}

/// True if a text begins with the number of a paragraph in brackets and a word that begins a sentence.
fn is_paragraph_mark(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(") "));
    let Some((number, rest)) = inner else { return false };
    let digits = number.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(number);
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number && rest.trim_start().starts_with(char::is_uppercase)
}

/// True if a sentence ends with a word and its full stop, and begins with the capital after it.
fn ends_here(pair: &str, word: &str, next: &str, language: &Language) -> bool {
    let abbreviated = is_abbreviated("", word, language);
    let word = word.strip_suffix('.').unwrap_or(word);
    // “at 5 p.m. The gate”, but “e.g. Type B”; “in the U.K. The gate”, but “the U.S. Standard”.
    if !abbreviated && is_dotted(word) {
        if word.chars().all(|c| c == '.' || c.is_lowercase()) {
            return true;
        }
        let is_upper = word.chars().all(|c| c == '.' || c.is_uppercase());
        return is_upper && is_starting(next, language);
    }
    // “use a berth ID. A guest”, but “CERT. NO. A 5”.
    let is_upper = word.chars().all(char::is_uppercase);
    if is_upper && word.chars().count() > 1 && is_starting(next, language) {
        let (_, second) = next.split_once(' ').unwrap_or_default();
        if second.starts_with(char::is_lowercase) {
            return true;
        }
    }
    if is_listed(word, language.word_lists.closing, language) {
        return true;
    }
    if !may_be_unit(word) {
        return false;
    }
    // “type B. Type A”
    if is_upper && word.chars().count() == 1 {
        return is_listed(pair, language.word_lists.lettered, language);
    }
    let is_after_number = pair.ends_with(|c: char| c.is_ascii_digit() || c == ')');
    if !is_after_number && !word.contains('/') {
        return false;
    }
    // “5 min. Then”, but “5 Mio. Euro”.
    let is_multiple = abbreviated && word.starts_with(char::is_uppercase);
    !is_multiple || is_starting(next, language)
}

/// True for letters with full stops between them: `p.m`, `U.K`.
fn is_dotted(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|letter| letter.chars().count() == 1)
}

/// True if a word has the length and the characters of a unit, or of a quotient of units.
fn may_be_unit(word: &str) -> bool {
    const LONGEST_UNIT: usize = 4;
    const LONGEST_QUOTIENT: usize = 9;
    let longest = if word.contains('/') { LONGEST_QUOTIENT } else { LONGEST_UNIT };
    if word.is_empty() || word.chars().count() > longest {
        return false;
    }
    word.chars().all(|c| c.is_alphabetic() || matches!(c, '°' | '%' | '²' | '³' | '·' | '/'))
}

/// The last word, and the one before it.
fn last_words(before: &str) -> (&str, &str) {
    let parts = |c: char| c.is_whitespace() || matches!(c, '(' | '[');
    let word = before.rsplit(parts).next().unwrap_or("");
    let rest = before[..before.len() - word.len()].trim_end();
    (rest.rsplit(parts).next().unwrap_or(""), word)
}

#[cfg(test)]
mod tests;
