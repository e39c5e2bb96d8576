//! Document type declaration: the end of the prolog, and the entities that the internal subset declares.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::xml::entities::{Entities, Entity};

/// One past a comment, instruction or CDATA section that begins here; one without an end extends to the end
/// of the text.
pub(super) fn past_opaque(source: &str, at: usize) -> Option<usize> {
    let rest = &source.as_bytes()[at..];
    let closer = match rest.get(1)? {
        b'?' => "?>",
        b'!' if rest.starts_with(b"<!--") => "-->",
        b'!' if rest.starts_with(b"<![CDATA[") => "]]>",
        _ => return None,
    };
    match memmem::find(rest, closer.as_bytes()) {
        Some(found) => Some(at + found + closer.len()),
        None => Some(source.len()),
    }
}

/// Offset of the root element, or the end of what can be read before it.
pub(super) fn prolog_end(source: &str) -> usize {
    let mut at = 0;
    loop {
        at = source.len() - source[at..].trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
        if source[at..].starts_with("<!DOCTYPE") {
            at = past_doctype(source, at, &mut Entities::default());
        } else if let Some(past) = past_opaque(source, at) {
            at = past;
        } else {
            return at;
        }
    }
}

/// Bytes of the document type declaration before the root element; its entities are declared.
pub(super) fn doctype(source: &str, root: usize, entities: &mut Entities) -> Option<Range<usize>> {
    let mut at = 0;
    while at < root {
        at += memchr(b'<', &source.as_bytes()[at..root])?;
        if source[at..].starts_with("<!DOCTYPE") {
            return Some(at..past_doctype(source, at, entities));
        }
        at = past_opaque(source, at)?;
    }
    None
}

/// One past a document type declaration (XML 1.0, section 2.8). The entities of its internal subset are
/// declared. Its declarations are read or skipped whole, so that the next `>` is the end.
fn past_doctype(source: &str, start: usize, entities: &mut Entities) -> usize {
    let bytes = source.as_bytes();
    let mut at = start + "<!DOCTYPE".len();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = past_quoted(bytes, at),
            b'>' => return at + 1,
            b'<' if source[at..].starts_with("<!ENTITY") => at = declaration(source, at, entities),
            b'<' => at = past_opaque(source, at).unwrap_or_else(|| past_declaration(bytes, at)),
            _ => at += 1,
        }
    }
    source.len()
}

/// One past the quotation mark that closes the one at `at`.
fn past_quoted(bytes: &[u8], at: usize) -> usize {
    memchr(bytes[at], &bytes[at + 1..]).map_or(bytes.len(), |end| at + end + 2)
}

/// One past the `>` of a declaration; those in quoted values do not end it.
fn past_declaration(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = past_quoted(bytes, at),
            b'>' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Reads one entity declaration (XML 1.0, section 4.2); parameter entities have no use without a DTD.
fn declaration(source: &str, start: usize, entities: &mut Entities) -> usize {
    let end = past_declaration(source.as_bytes(), start);
    let body = source[start..end].trim_start_matches("<!ENTITY").trim_start();
    if let Some((name, rest)) = body.split_once([' ', '\t', '\r', '\n']) {
        let rest = rest.trim_start();
        let quoted = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => rest[1..].split_once(quote),
            _ => None,
        };
        match quoted {
            Some((value, _)) => entities.declare(name, Entity::Internal(with_characters(value))),
            None if name != "%" => entities.declare(name, Entity::External),
            None => {}
        }
    }
    end
}

/// A literal entity value with its character references resolved (XML 1.0, section 4.4.8).
fn with_characters(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(start) = rest.find("&#") {
        out.push_str(&rest[..start]);
        rest = &rest[start + "&#".len()..];
        match character_of(rest) {
            Some((character, length)) => {
                out.push(character);
                rest = &rest[length..];
            }
            None => out.push_str("&#"),
        }
    }
    out.push_str(rest);
    out
}

/// The character of a reference whose text after `&#` begins here, and the bytes of that text with its
/// semicolon.
fn character_of(reference: &str) -> Option<(char, usize)> {
    let end = reference.find(|c: char| !c.is_ascii_alphanumeric())?;
    if !reference[end..].starts_with(';') {
        return None;
    }
    let code = match reference[..end].strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => reference[..end].parse().ok()?,
    };
    Some((char::from_u32(code)?, end + ";".len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_characters_in_entity_values_are_resolved_where_they_are_whole() {
        assert_eq!(with_characters("a&#38;&#x3c;b"), "a&<b");
        for malformed in ["&#;", "&#x;", "&#38", "&#3.8;", "&#xd800;", "&#&#"] {
            assert_eq!(with_characters(malformed), malformed);
        }
        assert_eq!(with_characters("&#&#65;"), "&#A");
    }
}
