//! Syntax of XML below that of tags: white space, names, characters and references.

use std::borrow::Cow;

use memchr::memchr_iter;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::BytesRef;

use super::ReadResult;
use crate::xml::parse_error::ReadError;

/// Bytes of the text that are searched for control characters at once.
const CHUNK: usize = 256;

pub(super) fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// The target of an instruction is a name with at most one colon.
pub(super) fn is_target(target: &str) -> bool {
    target.splitn(2, ':').all(is_name)
}

/// The prefix of a name, which may be empty, and its local name. Whether the prefix is one shows when it is
/// looked up.
pub(super) fn split_qualified_name(name: &str) -> Option<(&str, &str)> {
    match name.bytes().position(|b| b == b':') {
        Some(0) => None,
        Some(colon) => Some((&name[..colon], &name[colon + 1..])),
        None => Some(("", name)),
    }
}

/// A name without a colon (Namespaces in XML 1.0, production 4).
pub(super) fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_character)
}

/// Characters with which a name may begin (XML 1.0, production 4).
fn is_name_start(c: char) -> bool {
    matches!(c,
        'a'..='z' | 'A'..='Z' | '_'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Characters that a name may hold (XML 1.0, production 4a).
fn is_name_character(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '0'..='9' | '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// Offset of the first byte of a character that XML forbids (XML 1.0, production 2); a control character
/// comes before U+FFFE and U+FFFF.
pub(super) fn first_invalid_character(bytes: &[u8]) -> Option<usize> {
    // Whole chunks without an early exit, so that the loop is vectorised.
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        let has_control = chunk.iter().fold(false, |any, byte| any | is_control(byte));
        if has_control {
            let within = chunk.iter().position(is_control)?;
            return Some(index * CHUNK + within);
        }
    }
    memchr_iter(0xef, bytes).find(|&at| matches!(bytes[at..], [_, 0xbf, 0xbe | 0xbf, ..]))
}

fn is_control(byte: &u8) -> bool {
    *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Character data that begins at offset `at`, with its references resolved.
pub(super) fn resolve_references(text: Cow<'_, str>, at: usize) -> ReadResult<Cow<'static, str>> {
    let mut parts = text.split('&');
    let mut resolved = String::with_capacity(text.len());
    resolved.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or(ReadError::Markup(at))?;
        resolved.push(reference(name).ok_or(ReadError::Markup(at))?);
        resolved.push_str(rest);
    }
    Ok(Cow::Owned(resolved))
}

/// The character of a reference; an invalid number gives the replacement character, as in other parsers.
fn reference(name: &str) -> Option<char> {
    use quick_xml::Error::Escape;
    use quick_xml::escape::{EscapeError::InvalidCharRef, ParseCharRefError::InvalidCodepoint};
    let c = match BytesRef::new(name).resolve_char_ref() {
        Ok(Some(c)) => c,
        Ok(None) => return resolve_xml_entity(name)?.chars().next(),
        Err(Escape(InvalidCharRef(InvalidCodepoint(_)))) => char::REPLACEMENT_CHARACTER,
        Err(_) => return None,
    };
    let is_valid = first_invalid_character(c.encode_utf8(&mut [0; 4]).as_bytes()).is_none();
    is_valid.then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_prefix_before_its_first_colon() {
        assert_eq!(split_qualified_name("p"), Some(("", "p")));
        assert_eq!(split_qualified_name("mml:math"), Some(("mml", "math")));
        assert_eq!(split_qualified_name(":p"), None);
        assert!(is_name("été-1") && !is_name("1a") && !is_name("a:b") && !is_name(""));
        assert!(is_target("a:b") && !is_target("a:b:c"));
    }

    #[test]
    fn characters_that_xml_forbids_are_found() {
        assert_eq!(first_invalid_character(b"a\tb\n\r"), None);
        let text = format!("{}\u{1}", "a".repeat(700));
        assert_eq!(first_invalid_character(text.as_bytes()), Some(700));
        assert_eq!(first_invalid_character("a\u{fffe}".as_bytes()), Some(1));
        assert_eq!(first_invalid_character("\u{fffd}\u{ff00}".as_bytes()), None);
    }

    #[test]
    fn references_are_resolved_and_malformed_ones_refused() {
        let resolved = |text: &'static str| resolve_references(text.into(), 7).ok();
        assert_eq!(resolved("a &lt;&#65;&#x42;").as_deref(), Some("a <AB"));
        for malformed in ["&", "&lt", "&nbsp;", "&#x1;", "&;"] {
            assert_eq!(resolved(malformed), None, "{malformed}");
        }
    }
}
