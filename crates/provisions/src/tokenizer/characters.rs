//! Characters of words and numbers: the class of each byte, and how far a word or number goes.

/// The kinds of tokens that a byte may begin.
pub(super) const OTHER: u8 = 0;
pub(super) const LETTER: u8 = 1;
pub(super) const DIGIT: u8 = 2;
pub(super) const SPACE: u8 = 3;
const BEYOND_ASCII: u8 = 4;

pub(super) static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b' ' | b'\t'..=b'\r' => SPACE,
            0x80.. => BEYOND_ASCII,
            _ => OTHER,
        };
        byte += 1;
    }
    classes
};

/// True for a no-break space and the block of general punctuation, which has most characters outside ASCII
/// in English: they are neither letters nor numbers, so that no table need be asked.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{206f}')
}

/// True for a letter. Latin ones are decided without a look at any table.
pub(super) fn is_letter(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}') || c.is_alphabetic()
}

/// True for a letter or a digit.
fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_letter(c) || c.is_numeric()
}

/// True if a word of letters may go on with the text after it.
pub(super) fn continues(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(0x80..) => {
            text.starts_with(|c: char| matches!(c, '’' | '\u{2011}' | '\u{ad}') || !is_sign(c) && in_word(c))
        }
        Some(byte) => matches!(byte, b'0'..=b'9' | b'\'' | b'-'),
        None => false,
    }
}

/// Digits with the signs between them: `0,5`, `4.2.1`, `9001:2015`, `10 %` without the percent sign.
pub(super) fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let part = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut length = 0;
    while let Some(byte) = bytes.get(length) {
        if !byte.is_ascii() {
            return long_number_length(text);
        }
        if !part(length) {
            if !matches!(byte, b'.' | b',' | b':' | b'-' | b'/') {
                break;
            }
            match bytes.get(length + 1) {
                Some(0x80..) => return long_number_length(text),
                _ if part(length + 1) => {}
                _ => break,
            }
        }
        length += 1;
    }
    length
}

fn long_number_length(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins =
            matches!(c, '.' | ',' | ':' | '-' | '/') && chars.peek().is_some_and(|(_, next)| in_word(*next));
        if !in_word(c) && !joins {
            return at;
        }
        length = at + c.len_utf8();
    }
    length
}

/// Letters and digits with hyphens, slashes of unit (`and/or`) left out, and apostrophes between them.
pub(super) fn word_length(text: &str, elision: bool) -> usize {
    let bytes = text.as_bytes();
    let part = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut length = 0;
    let is_inner_hyphen = |at: usize| at > 0 && bytes.get(at) == Some(&b'-') && part(at + 1);
    while part(length) || is_inner_hyphen(length) {
        length += 1;
    }
    match (bytes.get(length), bytes.get(length + 1)) {
        (Some(b'\'' | 0x80..), _) | (Some(b'-'), Some(0x80..)) => long_word_length(text, elision),
        _ => length,
    }
}

fn long_word_length(text: &str, elision: bool) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut end = 0;
    while let Some((at, c)) = chars.next() {
        let between = chars.peek().is_some_and(|(_, next)| in_word(*next));
        let apostrophe = matches!(c, '\'' | '’');
        if apostrophe && elision {
            return if between { at + c.len_utf8() } else { at };
        }
        let joins = apostrophe || matches!(c, '-' | '\u{2011}' | '\u{ad}');
        let continues = in_word(c) || (joins && between);
        if !continues {
            return at;
        }
        end = at + c.len_utf8();
    }
    end
}
