//! Sentence boundaries of plain text, in which each mark can be judged by itself.

use memchr::{memchr3, memchr3_iter};

use crate::language::Splitter;

/// The ends of sentences of text in Latin letters without quotation marks, addresses and rows of marks, with
/// apostrophes between letters and brackets around words: there the library asks for nothing but its marks
/// one by one. `None` for other text.
pub(super) fn plain_breaks(text: &str, splitter: Splitter) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    if has_special_byte(bytes) || !text.is_ascii() && !is_latin(text) || !brackets_words(text) {
        return None;
    }
    let mut breaks = Vec::new();
    let mut start = 0;
    for at in memchr3_iter(b'.', b'!', b'?', bytes) {
        if text[at + 1..].trim_start().starts_with(['.', '!', '?']) {
            return None;
        }
        if let Some(end) = splitter.find_boundary(text, at, at + 1)
            && end > start
        {
            breaks.push(start + text[start..end].trim_end().len());
            start = end;
        }
    }
    Some(breaks)
}

/// True if a text has a byte of a mark that changes the meaning of those around it. No byte ends the search
/// early, so that many can be looked at at once.
fn has_special_byte(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |special, &byte| {
        special
            | (byte < b' ')
            | (b'{'..=b'\x7f').contains(&byte)
            | (byte == b'"')
            | (byte == b'\'')
            | (byte == b'<')
            | (byte == b'>')
            | (byte == b'@')
            | (b'['..=b']').contains(&byte)
            | (byte == b'`')
    })
}

/// True for a text whose characters beyond ASCII are Latin letters, apostrophes between letters, blanks
/// and signs of units.
fn is_latin(text: &str) -> bool {
    for c in text.chars() {
        let is_known = c.is_ascii()
            || matches!(c, '\u{c0}'..='\u{24f}' | '’' | '\u{a0}' | '°' | '±' | '²' | '³' | 'µ' | '·');
        if !is_known {
            return false;
        }
    }
    for (at, apostrophe) in text.match_indices('’') {
        let follows_letter = text[..at].ends_with(char::is_alphabetic);
        let precedes_letter = text[at + apostrophe.len()..].starts_with(char::is_alphabetic);
        if !follows_letter || !precedes_letter {
            return false;
        }
    }
    true
}

/// True if brackets hold words alone: no mark, no bracket, and nothing that could be the label of a list's
/// item.
fn brackets_words(text: &str) -> bool {
    let mut pieces = text.split('(');
    let before = pieces.next().unwrap_or_default();
    if before.contains(')') {
        return false;
    }
    for piece in pieces {
        let Some((within, behind)) = piece.split_once(')') else { return false };
        if behind.contains(')') || memchr3(b'.', b'!', b'?', within.as_bytes()).is_some() {
            return false;
        }
        let last = within.rsplit(' ').next().unwrap_or_default().as_bytes();
        let is_word = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
        if !is_word || last.iter().all(|&byte| is_roman_digit(byte)) {
            return false;
        }
    }
    true
}

fn is_roman_digit(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'i' | b'v' | b'x' | b'l' | b'c' | b'd' | b'm')
}
