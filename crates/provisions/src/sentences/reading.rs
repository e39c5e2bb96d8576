//! The text of a block as the sentence library reads it, and where each stretch of it came from.

use std::borrow::Cow;
use std::ops::Range;

use super::{breaks, goes_on, overlooked};
use crate::blocks::{SpanKind, TokenSpan};
use crate::language::Language;

/// The word that replaces a formula, reference or citation: it is capitalised, ends no sentence and is not an
/// abbreviation.
pub(super) const THING: &str = "Zxqv";

/// The text as the sentence library reads it, and where each stretch of it came from.
pub(super) struct Reading<'t> {
    text: Cow<'t, str>,
    /// Offset in `text` and offset in the source, ascending.
    joints: Vec<(usize, usize)>,
    /// Places in `text` at which a sentence ends for another reason than punctuation.
    breaks: Vec<usize>,
}

impl<'t> Reading<'t> {
    pub(super) fn new(source: &'t str, range: Range<usize>, spans: &[TokenSpan]) -> Self {
        let text = &source[range.clone()];
        let has_other_spaces = text.contains(|c: char| c.is_whitespace() && c != ' ');
        if !has_other_spaces && !spans.iter().any(|span| is_thing_within(span, &range)) {
            return Self { text: text.into(), joints: vec![(0, range.start)], breaks: Vec::new() };
        }
        let mut reading = Self {
            text: Cow::Owned(String::with_capacity(range.len())),
            joints: Vec::new(),
            breaks: Vec::new(),
        };
        let mut at = range.start;
        for span in spans {
            if is_thing_within(span, &range) && span.range.start >= at {
                reading.copy(source, at..span.range.start);
                reading.replace(source, &range, span);
                at = span.range.end;
            }
        }
        reading.copy(source, at..range.end);
        reading
    }

    /// Writes a word for the thing in a span; nothing for a mark of footnotes.
    fn replace(&mut self, source: &str, range: &Range<usize>, span: &TokenSpan) {
        let Range { start, end } = span.range;
        let thing = &source[start..end];
        if matches!(span.kind, SpanKind::FootnoteMark { .. }) || thing.is_empty() {
            return;
        }
        self.joints.push((self.text.len(), start));
        self.text.to_mut().push_str(THING);
        let after = &source[end..range.end];
        if !begins_anew(after) {
            return;
        }
        // A full stop that was taken into the span ends the sentence all the same.
        if thing.ends_with(['.', '!', '?']) {
            self.joints.push((self.text.len(), end - 1));
            self.text.to_mut().push_str(&thing[thing.len() - 1..]);
        }
        let before = &source[range.start..start];
        let is_on_its_own_line = after.trim_start_matches([' ', '\t']).starts_with('\n')
            && before.trim_end_matches([' ', '\t']).ends_with('\n');
        if is_on_its_own_line {
            self.breaks.push(self.text.len());
        }
    }

    /// White space becomes blanks, so that a line break within a paragraph means nothing.
    fn copy(&mut self, source: &str, range: Range<usize>) {
        self.joints.push((self.text.len(), range.start));
        let text = self.text.to_mut();
        let mut last = range.start;
        // Blanks stay as they are, and most text holds no other white space: only what might be is looked at.
        let may_be_space = |b: &u8| !b.is_ascii() || b.is_ascii_control();
        while let Some(offset) = source.as_bytes()[last..range.end].iter().position(may_be_space) {
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
    pub(super) fn blank_brackets(&mut self) -> Vec<usize> {
        if memchr::memchr2(b'(', b'[', self.text.as_bytes()).is_none() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut open: Vec<OpenBracket> = Vec::new();
        // At the beginning, and where a mark and a blank are before.
        let mut may_begin = true;
        let mut is_after_mark = false;
        let mut sentences = 0;
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' => {
                    let closing = if c == '(' { ')' } else { ']' };
                    open.push(OpenBracket { at, closing, may_begin, sentences_before: sentences });
                }
                ')' | ']' => {
                    let Some(bracket) = open.pop() else { continue };
                    let is_pair = bracket.closing == c;
                    let holds_sentences = is_after_mark && sentences > bracket.sentences_before;
                    if bracket.may_begin && holds_sentences && is_pair {
                        found.extend([bracket.at, at]);
                    }
                }
                '.' | '!' | '?' => is_after_mark = true,
                _ if c.is_whitespace() => {
                    may_begin |= is_after_mark;
                    is_after_mark = false;
                }
                _ => {
                    if may_begin && c.is_uppercase() {
                        sentences += 1;
                    }
                    may_begin = false;
                    is_after_mark = false;
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
    pub(super) fn ends(&self, language: &Language) -> Vec<usize> {
        let mut found = breaks(&self.text, language.splitter);
        found.retain(|&end| !goes_on(&self.text[..end], &self.text[end..], language));
        let overlooked = overlooked(&self.text, &found, language);
        let all = overlooked.chain(self.breaks.iter().copied()).chain(found.iter().copied());
        let mut ends: Vec<usize> = all.map(|end| self.source_end(end)).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Source offset of an end: the end of what is before it, not the start of what follows.
    fn source_end(&self, end: usize) -> usize {
        let Some(before) = end.checked_sub(1) else { return self.source(0) };
        let joint = self.joints.partition_point(|&(at, _)| at <= before);
        let limit = self.joints.get(joint).map_or(usize::MAX, |&(_, source)| source);
        if self.text[..end].ends_with(THING) { limit } else { (self.source(before) + 1).min(limit) }
    }
}

/// A bracket that is open while sentences are counted.
struct OpenBracket {
    at: usize,
    closing: char,
    /// True if a sentence may begin in it.
    may_begin: bool,
    sentences_before: usize,
}

/// True for a span in a range whose words are not those of the sentence: terms are read as they are.
fn is_thing_within(span: &TokenSpan, range: &Range<usize>) -> bool {
    let is_within = span.range.start >= range.start && span.range.end <= range.end;
    is_within && !matches!(span.kind, SpanKind::Term { .. })
}

fn begins_anew(rest: &str) -> bool {
    rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with(char::is_uppercase)
}
