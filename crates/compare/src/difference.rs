//! The word difference of two texts: the tokens of each that are not in the other, as offsets in Unicode
//! scalar values.

use similar::DiffOp;
use similar::algorithms::{Capture, Replace, myers};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use norma_model::typography::one_typography;

/// Most tokens of both texts for which edits are found; for more, the different part is one edit. Myers'
/// algorithm takes tokens times edits.
const TOKENS: usize = 8_000;

/// A part of a text: offsets in Unicode scalar values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextSpan {
    /// Offset of the first character of the part.
    pub start: usize,
    /// One past the offset of the last character.
    pub end: usize,
}

/// One edit: these words of the older text became those of the newer one. One of the two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Edit {
    /// The part of the older text; at the end of the token before where words were added.
    pub older: TextSpan,
    /// The part of the newer text; at the end of the token before where words were dropped.
    pub newer: TextSpan,
}

/// A word, number or other character of a text.
#[derive(Clone, Debug)]
pub(crate) struct TextToken<'a> {
    pub(crate) text: &'a str,
    /// Set where no white space is between the previous token and this one.
    pub(crate) glued: bool,
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
        let found = if is_combining_mark(c) && last != Class::Space {
            // It belongs to the character before it.
            last
        } else if last == Class::Digits && matches!(c, '.' | ',') && next_is_digit {
            // A decimal sign is a part of its number.
            Class::Digits
        } else {
            class(c)
        };
        let joins = found == last && (found != Class::Other || is_combining_mark(c));
        if found != Class::Space {
            let end = byte + c.len_utf8();
            if joins && let Some(token) = tokens.last_mut() {
                token.text = &text[start..end];
                token.span.end = index + 1;
            } else {
                start = byte;
                let glued = last != Class::Space;
                let span = TextSpan { start: index, end: index + 1 };
                tokens.push(TextToken { text: &text[byte..end], glued, span });
            }
        }
        last = found;
    }
    tokens
}

/// The text of each token in lower case.
pub(crate) fn lower_case(tokens: &[TextToken<'_>]) -> Vec<String> {
    tokens.iter().map(|token| token.text.to_lowercase()).collect()
}

fn keys(tokens: &[TextToken<'_>]) -> Vec<TokenKey> {
    let mut keys = Vec::with_capacity(tokens.len());
    for token in tokens {
        let text = one_typography(token.text);
        let text = if text.is_ascii() { text.into_owned() } else { text.nfc().collect() };
        keys.push((text, token.glued));
    }
    keys
}

/// The edits that change the older text into the newer one, in order. Exchanging the two texts exchanges the
/// two sides of each edit.
pub(crate) fn difference(older: &[TextToken<'_>], newer: &[TextToken<'_>]) -> Vec<Edit> {
    let (a, b) = (keys(older), keys(newer));
    // Of several shortest differences the algorithm's choice depends on the order of the texts.
    let swapped = b < a;
    let ops = if swapped { operations(&b, &a) } else { operations(&a, &b) };
    let mut edits = Vec::new();
    for op in ops {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (first, second) = (op.old_range(), op.new_range());
        let (of_older, of_newer) = if swapped { (second, first) } else { (first, second) };
        edits.push(Edit { older: span(older, of_older), newer: span(newer, of_newer) });
    }
    edits
}

fn operations(a: &[TokenKey], b: &[TokenKey]) -> Vec<DiffOp> {
    if a.len() + b.len() <= TOKENS {
        // Not `capture_diff_slices`: where it moves an operation over equal tokens, the operation keeps its
        // index in the other text.
        let mut found = Replace::new(Capture::new());
        let Ok(()) = myers::diff(&mut found, a, 0..a.len(), b, 0..b.len());
        return found.into_inner().into_ops();
    }
    let front = equal_at_start(a.iter(), b.iter());
    let back = equal_at_start(a[front..].iter().rev(), b[front..].iter().rev());
    let (old_len, new_len) = (a.len() - front - back, b.len() - front - back);
    if old_len + new_len == 0 {
        return Vec::new();
    }
    vec![DiffOp::Replace { old_index: front, old_len, new_index: front, new_len }]
}

/// The number of tokens that are equal before the first one that differs.
fn equal_at_start<'a>(a: impl Iterator<Item = &'a TokenKey>, b: impl Iterator<Item = &'a TokenKey>) -> usize {
    a.zip(b).take_while(|(x, y)| x == y).count()
}

/// The part of a text with some of its tokens; an empty one is at the end of the token before.
fn span(tokens: &[TextToken<'_>], range: std::ops::Range<usize>) -> TextSpan {
    let before = if range.start == 0 { 0 } else { tokens[range.start - 1].span.end };
    match tokens.get(range) {
        Some([first, .., last]) => TextSpan { start: first.span.start, end: last.span.end },
        Some([only]) => only.span,
        _ => TextSpan { start: before, end: before },
    }
}
