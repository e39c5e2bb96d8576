//! Sentence boundaries of plain text, in which each mark can be judged by itself.

use memchr::{memchr, memchr3, memchr3_iter};

use crate::language::Splitter;

/// The ends of sentences of text in Latin letters without quotation marks, addresses and rows of marks, with
/// apostrophes between letters and brackets around words: there the library asks for nothing but its marks
/// one by one. `None` for other text.
pub(super) fn plain_breaks(text: &str, splitter: Splitter) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    // All of it is looked at, so that many bytes can be at once.
    let odd = bytes.iter().fold(false, |odd, &byte| {
        odd | (byte < b' ')
            | (b'{'..=b'\x7f').contains(&byte)
            | (byte == b'"')
            | (byte == b'\'')
            | (byte == b'<')
            | (byte == b'>')
            | (byte == b'@')
            | (b'['..=b']').contains(&byte)
            | (byte == b'`')
    });
    if odd || !text.is_ascii() && !is_latin(text) || !brackets_words(text) {
        return None;
    }
    let mut breaks = Vec::new();
    let mut start = 0;
    for at in memchr3_iter(b'.', b'!', b'?', bytes) {
        if text[at + 1..].trim_start().starts_with(['.', '!', '?']) {
            return None;
        }
        if let Some(end) = splitter.find_boundary(text, at, at + 1).filter(|&end| end > start) {
            breaks.push(start + text[start..end].trim_end().len());
            start = end;
        }
    }
    Some(breaks)
}

/// Whether it holds no other character beyond ASCII than Latin letters, apostrophes between letters, blanks
/// and signs of units.
fn is_latin(text: &str) -> bool {
    let parts = |(at, sign): (usize, &str)| {
        text[..at].ends_with(char::is_alphabetic) && text[at + sign.len()..].starts_with(char::is_alphabetic)
    };
    let known = |c: char| {
        c.is_ascii() || matches!(c, '\u{c0}'..='\u{24f}' | '’' | '\u{a0}' | '°' | '±' | '²' | '³' | 'µ' | '·')
    };
    text.chars().all(known) && text.match_indices('’').all(parts)
}

/// Whether brackets hold words alone: no mark, no bracket, and nothing that could be the label of a list's
/// item.
fn brackets_words(text: &str) -> bool {
    let roman =
        |byte: u8| matches!(byte.to_ascii_lowercase(), b'i' | b'v' | b'x' | b'l' | b'c' | b'd' | b'm');
    let mut pieces = text.split('(');
    let free = |piece: &str| memchr(b')', piece.as_bytes()).is_none();
    pieces.next().is_none_or(free)
        && pieces.all(|piece| {
            let Some((within, behind)) = piece.split_once(')') else { return false };
            let last = within.rsplit(' ').next().unwrap_or_default().as_bytes();
            free(behind)
                && memchr3(b'.', b'!', b'?', within.as_bytes()).is_none()
                && last.len() > 1
                && last.iter().all(u8::is_ascii_alphabetic)
                && !last.iter().all(|&byte| roman(byte))
        })
}
