//! The word difference of two texts: the tokens of each that are not in the other, as offsets in Unicode
//! scalar values.

use similar::DiffOp;
use similar::algorithms::{Capture, Replace, myers};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::typography::one_typography;

/// Most tokens of both texts for which edits are found; for more, the different part is one edit. Myers'
/// algorithm takes tokens times edits.
const TOKENS: usize = 8_000;

/// A part of a text: offsets in Unicode scalar values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextSpan {
    /// Offset of the first.
    pub start: usize,
    /// One past the offset of the last.
    pub end: usize,
}

/// One edit: these words of the older text became those of the newer one. One of the two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Edit {
    /// Part of the older text.
    pub older: TextSpan,
    /// Part of the newer text.
    pub newer: TextSpan,
}

/// A word, number or other character of a text.
#[derive(Clone, Debug)]
pub(crate) struct TextToken<'a> {
    /// As written.
    pub(crate) text: &'a str,
    /// Whether it follows the previous token without white space.
    pub(crate) glued: bool,
    /// Its position in the text.
    pub(crate) span: TextSpan,
}

/// The key by which two tokens are compared: text in NFC and one typography, and whether white space is in
/// front of it.
type TokenKey = (String, bool);

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Space,
    Letters,
    Digits,
    Other,
}

fn class(c: char) -> Class {
    match c {
        c if c.is_whitespace() => Class::Space,
        c if c.is_numeric() => Class::Digits,
        c if c.is_alphabetic() => Class::Letters,
        _ => Class::Other,
    }
}

/// The tokens of a text: runs of letters, numbers with their decimal signs, and each other character.
pub(crate) fn tokens(text: &str) -> Vec<TextToken<'_>> {
    let mut tokens: Vec<TextToken<'_>> = Vec::new();
    let (mut last, mut start) = (Class::Space, 0);
    let mut chars = text.char_indices().enumerate().peekable();
    while let Some((index, (byte, c))) = chars.next() {
        let next_is_digit = chars.peek().is_some_and(|(_, (_, next))| next.is_numeric());
        let found = match class(c) {
            _ if is_combining_mark(c) && last != Class::Space => last,
            Class::Other if last == Class::Digits && matches!(c, '.' | ',') && next_is_digit => Class::Digits,
            found => found,
        };
        let joins = found == last && (found != Class::Other || is_combining_mark(c));
        if found != Class::Space {
            let end = byte + c.len_utf8();
            match tokens.last_mut().filter(|_| joins) {
                Some(token) => {
                    token.text = &text[start..end];
                    token.span.end = index + 1;
                }
                None => {
                    start = byte;
                    let glued = last != Class::Space;
                    tokens.push(TextToken {
                        text: &text[byte..end],
                        glued,
                        span: TextSpan { start: index, end: index + 1 },
                    });
                }
            }
        }
        last = found;
    }
    tokens
}

fn keys(tokens: &[TextToken<'_>]) -> Vec<TokenKey> {
    let key = |text: &str| match text.is_ascii() {
        true => text.to_owned(),
        false => one_typography(text).nfc().collect(),
    };
    tokens.iter().map(|token| (key(token.text), token.glued)).collect()
}

/// The edits that change the older text into the newer one, in order. Exchanging the two texts exchanges the
/// two sides of each edit.
pub(crate) fn difference(older: &[TextToken<'_>], newer: &[TextToken<'_>]) -> Vec<Edit> {
    let (a, b) = (keys(older), keys(newer));
    // Of several shortest differences the algorithm's choice depends on the order of the texts.
    let swapped = b < a;
    let ops = if swapped { operations(&b, &a) } else { operations(&a, &b) };
    let edits = ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(|op| {
        let (first, second) = (op.old_range(), op.new_range());
        let (x, y) = if swapped { (second, first) } else { (first, second) };
        Edit { older: span(older, x), newer: span(newer, y) }
    });
    edits.collect()
}

fn operations(a: &[TokenKey], b: &[TokenKey]) -> Vec<DiffOp> {
    if a.len() + b.len() <= TOKENS {
        // Not `capture_diff_slices`: where it moves an operation over equal tokens, the operation keeps its
        // index in the other text.
        let mut found = Replace::new(Capture::new());
        let Ok(()) = myers::diff(&mut found, a, 0..a.len(), b, 0..b.len());
        return found.into_inner().into_ops();
    }
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (old_len, new_len) = (a.len() - front - back, b.len() - front - back);
    let differs = old_len + new_len > 0;
    differs
        .then_some(DiffOp::Replace { old_index: front, old_len, new_index: front, new_len })
        .into_iter()
        .collect()
}

/// The part of a text with some of its tokens; an empty one is at the end of the token before.
fn span(tokens: &[TextToken<'_>], range: std::ops::Range<usize>) -> TextSpan {
    let before = range.start.checked_sub(1).map_or(0, |index| tokens[index].span.end);
    match tokens.get(range) {
        Some([first, .., last]) => TextSpan { start: first.span.start, end: last.span.end },
        Some([only]) => only.span,
        _ => TextSpan { start: before, end: before },
    }
}
