//! Normal form of the text of a citation: plain spaces, hyphens and quotation marks, nothing around it.

use super::cited::{MAX_CITATION_LENGTH, UnreadableCitation};

/// Pairs of marks around a whole citation.
const AROUND: [(char, char); 6] = [('(', ')'), ('[', ']'), ('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];

/// The text without marks around it, with single spaces.
///
/// # Errors
/// It is too long or empty.
pub(super) fn normal(text: &str) -> Result<String, UnreadableCitation> {
    if text.chars().nth(MAX_CITATION_LENGTH).is_some() {
        return Err(UnreadableCitation::new(format!(
            "it is longer than {MAX_CITATION_LENGTH} characters; send the citation alone"
        )));
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match plain_character(c) {
            Some(' ') if plain.ends_with(' ') || plain.is_empty() => {}
            Some(c) => plain.push(c),
            None => {}
        }
    }
    let mut inner = without_end(&plain);
    while let Some(within) = without_marks(inner) {
        inner = within;
    }
    if inner.is_empty() {
        return Err(UnreadableCitation::new("it is empty; expected for example `ISO 712:2009, 4.2(1)`"));
    }
    Ok(inner.to_owned())
}

/// One character in plain form; `None` for one that is not seen.
pub(super) fn plain_character(c: char) -> Option<char> {
    match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '™' | '®' => None,
        '\u{2010}' | '\u{2011}' => Some('-'),
        '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{2015}' | '\u{2212}' => Some('–'),
        '’' | 'ʼ' | '`' | '´' => Some('\''),
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

/// The text without the full stop of its sentence.
fn without_end(text: &str) -> &str {
    text.trim().trim_end_matches(['.', ':']).trim_end()
}

/// The text within marks that begin and end it; the label of a list such as `[3]` is left out.
fn without_marks(text: &str) -> Option<&str> {
    if let Some((label, rest)) = text.strip_prefix('[').and_then(|text| text.split_once("] "))
        && !label.contains(' ')
    {
        return Some(without_end(rest));
    }
    for (open, close) in AROUND {
        if let Some(within) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            return Some(without_end(within));
        }
    }
    None
}
