//! Sentence boundaries, by the sentence library and the abbreviations of the field.

mod plain_text;

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3};

use self::plain_text::plain_breaks;
use super::language::{Language, Splitter};
use super::lexicon::ListSet;
use crate::blocks::{SpanKind, TokenSpan};

/// The word that replaces a formula, reference or citation: it is capitalised, ends no sentence and is not an
/// abbreviation.
const THING: &str = "Zxqv";

/// The sentences of `text[range]`, in bytes of the text, without white space around them. Brackets around
/// whole sentences are part of none.
pub(super) fn sentences(
    text: &str,
    range: Range<usize>,
    spans: &[TokenSpan],
    language: &Language,
) -> Vec<Range<usize>> {
    let (mut ends, brackets) = if may_hold_several(&text[range.clone()]) {
        let mut reading = Reading::new(text, range.clone(), spans);
        let brackets = reading.blank_brackets();
        (reading.ends(language), brackets)
    } else {
        (Vec::new(), Vec::new())
    };
    ends.push(range.end);
    let outside = |at: usize, c: char| c.is_whitespace() || brackets.binary_search(&at).is_ok();
    let mut sentences = Vec::with_capacity(ends.len());
    let mut start = range.start;
    for end in ends {
        let end = past_marks(end, spans).min(range.end);
        if end <= start {
            continue;
        }
        let mut inner = text[start..end].char_indices().filter(|&(at, c)| !outside(start + at, c));
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

/// Whether a sentence may end before the end of the text.
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
        if matches!(span.kind, SpanKind::FootnoteMark) {
            end = span.range.end;
        }
    }
    end
}

/// The text as the sentence library reads it, and where each stretch of it came from.
struct Reading<'t> {
    text: Cow<'t, str>,
    /// Offset in `text` and offset in the source, ascending.
    joints: Vec<(usize, usize)>,
    /// Places in `text` at which a sentence ends for another reason than punctuation.
    breaks: Vec<usize>,
}

impl<'t> Reading<'t> {
    fn new(source: &'t str, range: Range<usize>, spans: &[TokenSpan]) -> Self {
        let counts = |span: &TokenSpan| {
            span.range.start >= range.start
                && span.range.end <= range.end
                && !matches!(span.kind, SpanKind::Term { .. })
        };
        let text = &source[range.clone()];
        let odd = |c: char| c.is_whitespace() && c != ' ';
        if !spans.iter().any(counts) && !text.contains(odd) {
            return Self { text: text.into(), joints: vec![(0, range.start)], breaks: Vec::new() };
        }
        let mut reading = Self {
            text: Cow::Owned(String::with_capacity(range.len())),
            joints: Vec::new(),
            breaks: Vec::new(),
        };
        let mut at = range.start;
        for span in spans.iter().filter(|s| s.range.start >= range.start && s.range.end <= range.end) {
            if matches!(span.kind, SpanKind::Term { .. }) || span.range.start < at {
                continue;
            }
            reading.copy(source, at..span.range.start);
            let inner = &source[span.range.clone()];
            at = span.range.end;
            if matches!(span.kind, SpanKind::FootnoteMark) || inner.is_empty() {
                continue;
            }
            reading.joints.push((reading.text.len(), span.range.start));
            reading.text.to_mut().push_str(THING);
            // A full stop that was taken into the span ends the sentence all the same.
            if inner.ends_with(['.', '!', '?']) && begins_anew(&source[at..range.end]) {
                reading.joints.push((reading.text.len(), at - 1));
                reading.text.to_mut().push_str(&inner[inner.len() - 1..]);
            }
            let on_its_own_line = source[at..range.end].trim_start_matches([' ', '\t']).starts_with('\n')
                && source[range.start..span.range.start].trim_end_matches([' ', '\t']).ends_with('\n');
            if on_its_own_line && begins_anew(&source[at..range.end]) {
                reading.breaks.push(reading.text.len());
            }
        }
        reading.copy(source, at..range.end);
        reading
    }

    /// White space becomes blanks, so that a line break within a paragraph means nothing.
    fn copy(&mut self, source: &str, range: Range<usize>) {
        self.joints.push((self.text.len(), range.start));
        let text = self.text.to_mut();
        let mut last = range.start;
        // Blanks stay as they are, and most text holds no other white space: only what might be is looked at.
        let unlike = |b: &u8| !b.is_ascii() || b.is_ascii_control();
        while let Some(offset) = source.as_bytes()[last..range.end].iter().position(unlike) {
            let at = last + offset;
            let Some(c) = source[at..range.end].chars().next() else { break };
            let after = at + c.len_utf8();
            if c.is_whitespace() {
                text.push_str(&source[last..at]);
                text.push(' ');
                if c.len_utf8() > 1 {
                    self.joints.push((text.len(), after));
                }
            } else {
                text.push_str(&source[last..after]);
            }
            last = after;
        }
        text.push_str(&source[last..range.end]);
    }

    /// Replaces brackets around whole sentences by blanks, since the library takes what is in brackets for
    /// one part of a sentence. Gives their places in the source, ascending.
    fn blank_brackets(&mut self) -> Vec<usize> {
        if memchr::memchr2(b'(', b'[', self.text.as_bytes()).is_none() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut open = Vec::new();
        // Whether a sentence ended before this place, and how many did.
        let (mut ended, mut marked, mut sentences) = (true, false, 0);
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' => {
                    open.push((at, c, ended, sentences));
                    continue;
                }
                ')' | ']' => {
                    if let Some((from, bracket, begins, before)) = open.pop()
                        && begins
                        && marked
                        && sentences > before
                        && (bracket == '(') == (c == ')')
                    {
                        found.extend([from, at]);
                    }
                    continue;
                }
                '.' | '!' | '?' => marked = true,
                _ if c.is_whitespace() => {
                    ended |= marked;
                    marked = false;
                }
                _ => {
                    sentences += usize::from(ended && c.is_uppercase());
                    (ended, marked) = (false, false);
                }
            }
        }
        found.sort_unstable();
        for &at in &found {
            self.text.to_mut().replace_range(at..at + 1, " ");
        }
        found.into_iter().map(|at| self.source(at)).collect()
    }

    fn source(&self, offset: usize) -> usize {
        let joint = self.joints.partition_point(|&(at, _)| at <= offset) - 1;
        let (at, source) = self.joints[joint];
        source + (offset - at)
    }

    /// The ends of sentences before the end of the text, in bytes of the source.
    fn ends(&self, language: &Language) -> Vec<usize> {
        let mut found = breaks(&self.text, language.splitter);
        found.retain(|&end| !goes_on(&self.text[..end], &self.text[end..], language));
        let mut ends: Vec<usize> = overlooked(&self.text, &found, language)
            .chain(self.breaks.iter().copied())
            .chain(found.iter().copied())
            .map(|end| self.source_end(end))
            .collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Source offset of an end: the end of what is before it, not the start of what follows.
    fn source_end(&self, end: usize) -> usize {
        match end.checked_sub(1) {
            None => self.source(0),
            Some(before) => {
                let joint = self.joints.partition_point(|&(at, _)| at <= before);
                let limit = self.joints.get(joint).map_or(usize::MAX, |&(_, source)| source);
                let thing = self.text[..end].ends_with(THING);
                if thing { limit } else { (self.source(before) + 1).min(limit) }
            }
        }
    }
}

/// The ends of sentences by the sentence library, without the white space after them.
fn breaks(text: &str, splitter: Splitter) -> Vec<usize> {
    if let Some(breaks) = plain_breaks(text, splitter) {
        return breaks;
    }
    let boundaries = splitter.get_sentence_boundaries(text);
    boundaries.iter().map(|boundary| boundary.start_byte + boundary.text.trim_end().len()).collect()
}

fn begins_anew(rest: &str) -> bool {
    rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with(char::is_uppercase)
}

/// Whether the library broke a sentence in two: within a name, at an abbreviation or an ordinal number, or
/// before a word in lower case.
fn goes_on(before: &str, after: &str, language: &Language) -> bool {
    let next = after.trim_start();
    let Some(first) = next.chars().next() else { return true };
    let (pair, word) = last_words(before);
    if next.len() == after.len() && first.is_alphanumeric() {
        // `LIST.XML` is a name; what begins a sentence without a blank before it is a known word (“… shut.The
        // lid …”).
        return before.ends_with('.')
            && (word[..word.len() - 1].contains('.') || !is_starting(next, language));
    }
    if first.is_uppercase() && ends_here(pair, word, next, language) {
        return false;
    }
    is_abbreviated(pair, word, language)
        || is_ordinal(pair, word, language)
        || (is_short(word) && is_counter(next, language))
        || (is_initial(word)
            && first.is_ascii_digit()
            && (is_abbreviated("", pair, language) || numbers(next)))
        || (before.ends_with('.') && first.is_lowercase() && !next.starts_with("pH"))
}

/// Whether a text begins with a number of an article that has a hyphen: `L. 121-1`.
fn numbers(next: &str) -> bool {
    let word = next.split(|c: char| !(c.is_ascii_digit() || c == '-')).next().unwrap_or_default();
    word.contains('-') && !word.ends_with('-')
}

/// Whether the word, or the two words, are an abbreviation that the table has; an elided article before it is
/// none of it.
fn is_abbreviated(pair: &str, word: &str, language: &Language) -> bool {
    let listed = |text: &str| {
        language.abbreviations.contains(text)
            || (text.contains(char::is_uppercase)
                && language.abbreviations.contains(text.to_lowercase().as_str()))
    };
    let elided = || word.rsplit(['\'', '’']).next().filter(|rest| language.lexicon.elision && *rest != word);
    listed(word)
        || (!pair.is_empty() && language.may_end_pair(word) && listed(&format!("{pair} {word}")))
        || elided().is_some_and(listed)
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
    let length = letters.chars().count();
    letters.starts_with(char::is_uppercase)
        && letters.chars().all(char::is_alphabetic)
        && letters.contains(char::is_lowercase)
        && (2..=LONGEST).contains(&length)
        && letters != THING
}

/// What an abbreviated noun counts by: a letter, a Roman number, another abbreviation (`No. A`).
fn is_counter(next: &str, language: &Language) -> bool {
    let word = next.split(char::is_whitespace).next().unwrap_or_default();
    let article =
        is_starting(next, language) && next[word.len()..].trim_start().starts_with(char::is_lowercase);
    let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
    let letter = bare.chars().count() == 1 && bare.starts_with(char::is_uppercase);
    let roman = bare.len() > 1 && bare.bytes().all(|byte| b"IVXLC".contains(&byte));
    letter && !article || roman || is_short(word)
}

fn is_initial(word: &str) -> bool {
    let letter = word.rsplit(['\'', '’']).next().unwrap_or(word).strip_suffix('.').unwrap_or_default();
    letter.chars().count() == 1 && letter.starts_with(char::is_uppercase)
}

/// Whether a text begins like a sentence, with a known word in lower case except its first letter.
fn is_starting(text: &str, language: &Language) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let rest = &text[word.len()..];
    let sentence = word.starts_with(char::is_uppercase) && rest.starts_with([' ', ',', '\u{a0}', '’', '\'']);
    sentence && is_listed(word, language.word_lists.starting, language)
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
    ends.filter(|&end| text[end..].starts_with(' ') && found.binary_search(&end).is_err()).filter(|&end| {
        let (pair, word) = last_words(&text[..end]);
        let next = text[end..].trim_start();
        if is_paragraph_mark(next) {
            // “… halten. (2) Sie dürfen …”, but “Abs. (2) Satz 1”.
            return !is_abbreviated(pair, word, language);
        }
        next.starts_with(char::is_uppercase) && ends_here(pair, word, next, language)
    })
}

/// Whether a text begins with the number of a paragraph in brackets and a word that begins a sentence.
fn is_paragraph_mark(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(") "));
    let Some((number, rest)) = inner else { return false };
    let digits = number.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(number);
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number && rest.trim_start().starts_with(char::is_uppercase)
}

fn ends_here(pair: &str, word: &str, next: &str, language: &Language) -> bool {
    const LONGEST_UNIT: usize = 4;
    const LONGEST_QUOTIENT: usize = 9;
    let abbreviated = is_abbreviated("", word, language);
    let word = word.strip_suffix('.').unwrap_or(word);
    // “at 5 p.m. The gate”, but “e.g. Type B”; “in the U.K. The gate”, but “the U.S. Standard”.
    let dotted = word.contains('.') && word.split('.').all(|letter| letter.chars().count() == 1);
    if dotted && !abbreviated {
        let lower = word.chars().all(|c| c == '.' || c.is_lowercase());
        return lower || word.chars().all(|c| c == '.' || c.is_uppercase()) && is_starting(next, language);
    }
    // “use a berth ID. A guest”, but “CERT. NO. A 5”.
    let capitals = word.chars().count() > 1 && word.chars().all(char::is_uppercase);
    let second = next.split_once(' ').map_or("", |(_, rest)| rest);
    if capitals && is_starting(next, language) && second.starts_with(char::is_lowercase) {
        return true;
    }
    let unit = !word.is_empty()
        && word.chars().count() <= if word.contains('/') { LONGEST_QUOTIENT } else { LONGEST_UNIT }
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '°' | '%' | '²' | '³' | '·' | '/'));
    let after_number = pair.ends_with(|c: char| c.is_ascii_digit() || c == ')');
    let letter = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let lettered = || is_listed(pair, language.word_lists.lettered, language);
    // “5 min. Then”, but “5 Mio. Euro”.
    let multiple = abbreviated && word.starts_with(char::is_uppercase);
    let measured = || (after_number || word.contains('/')) && (!multiple || is_starting(next, language));
    is_listed(word, language.word_lists.closing, language)
        || unit && (if letter { lettered() } else { measured() })
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
