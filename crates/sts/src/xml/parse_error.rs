//! Errors of text that cannot be parsed, with position and words.

use memchr::memchr_iter;

use crate::xml::repair::Repaired;
use crate::{ExtractionError, ExtractionLimits};

/// The reason why a text was not read to its end, with the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    /// The text is not well-formed from here on, uses an undeclared prefix, or has too many nodes.
    Markup(usize),
    /// The text ends at this byte, within the element that begins at `open`.
    Truncated { open: usize, at: usize },
    /// The text has no element.
    NoRoot,
    /// Markup outside the root element, where only comments and instructions are allowed.
    Outside(usize),
    /// This node is nested too deep.
    Depth(usize),
    /// An attribute of this element is too long.
    Attribute(usize),
    /// This declaration is of one prefix too many.
    Prefixes(usize),
}

/// The reason why a text could not be parsed.
pub(crate) enum ParseError {
    /// A prefix has no declaration.
    Prefix(String),
    /// The text is not well-formed, or beyond a limit.
    Refused(ExtractionError),
}

/// Converts an error of the reader.
pub(super) fn parse_error(
    repaired: &Repaired<'_>,
    limits: &ExtractionLimits,
    error: ReadError,
) -> ParseError {
    let refused = |at, code, message: String| ParseError::Refused(repaired.refusal(code, at, message));
    match error {
        ReadError::Markup(at) => malformed(repaired, limits, at),
        ReadError::Truncated { open, at } => {
            let tag = repaired.text[open + 1..].split([' ', '\t', '\r', '\n', '/', '>']).next();
            let (line, column) = repaired.position(open);
            let message = format!(
                "the file ends before `</{}>`, the end of the element that begins at {line}:{column}",
                tag.unwrap_or_default()
            );
            not_well_formed(repaired, at, &message)
        }
        ReadError::NoRoot => not_well_formed(repaired, 0, "the file has no element"),
        ReadError::Outside(at) => {
            let message = match repaired.text[at..].as_bytes() {
                [b'<', b'/', ..] => "an end tag has no start tag before it",
                [b'<', ..] => "a second root element follows the first; a document has one",
                _ => "text is outside the root element",
            };
            not_well_formed(repaired, at, message)
        }
        ReadError::Depth(at) => {
            let message = format!("elements are nested deeper than {}", limits.depth);
            refused(at, "too-deep", message)
        }
        ReadError::Attribute(at) => {
            let message = format!("an attribute has more than {} bytes", limits.attribute_bytes);
            refused(at, "attribute-too-large", message)
        }
        ReadError::Prefixes(at) => {
            let message = format!("the document declares more than {} prefixes", limits.prefixes);
            refused(at, "too-many-prefixes", message)
        }
    }
}

fn not_well_formed(repaired: &Repaired<'_>, at: usize, message: &str) -> ParseError {
    let message = format!("the XML is not well-formed: {message}");
    ParseError::Refused(repaired.refusal("not-well-formed", at, message))
}

/// Describes the error by parsing the text with another parser, whose errors have messages.
fn malformed(repaired: &Repaired<'_>, limits: &ExtractionLimits, stopped: usize) -> ParseError {
    let text: &str = &repaired.text;
    if let Some(closer) = missing_closer(&text[stopped..]) {
        let message = format!("the file ends before `{closer}` closes the markup that begins here");
        return not_well_formed(repaired, stopped, &message);
    }
    let options = roxmltree::ParsingOptions { nodes_limit: limits.nodes, ..Default::default() };
    let (at, sentence) = match roxmltree::Document::parse_with_options(text, options) {
        Err(roxmltree::Error::UnknownNamespace(prefix, _)) => return ParseError::Prefix(prefix),
        Err(roxmltree::Error::NodesLimitReached) => {
            let message = format!("the document has more than {} elements and texts", limits.nodes);
            return ParseError::Refused(repaired.refusal("too-many-nodes", 0, message));
        }
        // An error of the whole document has no position.
        Err(error) if error.pos() == roxmltree::TextPos::new(1, 1) => (stopped, error.to_string()),
        Err(error) => (offset_of(text, error.pos()), error.to_string()),
        Ok(_) => (stopped, "a name, a declaration or a tag is malformed".to_owned()),
    };
    not_well_formed(repaired, at, without_position(&sentence))
}

/// The end of the markup at the start of a text, where the text does not have it.
fn missing_closer(text: &str) -> Option<&'static str> {
    const CLOSERS: [(&str, &str); 4] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<", ">")];
    let (_, closer) = CLOSERS.into_iter().find(|(opener, _)| text.starts_with(opener))?;
    if text.contains(closer) { None } else { Some(closer) }
}

/// The byte of a row and a column, which the other parser counts in characters from 1.
fn offset_of(text: &str, position: roxmltree::TextPos) -> usize {
    let line = match position.row {
        0 | 1 => 0,
        row => memchr_iter(b'\n', text.as_bytes()).nth(row as usize - 2).map_or(0, |end| end + 1),
    };
    let rest = &text[line..];
    let column = rest.char_indices().nth(position.col.saturating_sub(1) as usize);
    line + column.map_or(rest.len(), |(byte, _)| byte)
}

/// A sentence of the other parser without the position at its end, which counts in the repaired text.
fn without_position(sentence: &str) -> &str {
    match sentence.rsplit_once(" at ") {
        Some((message, position)) if position.bytes().all(|b| b.is_ascii_digit() || b == b':') => message,
        _ => sentence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_without_its_end_is_named_by_that_end() {
        assert_eq!(missing_closer("<!-- a > b"), Some("-->"));
        assert_eq!(missing_closer("<?a"), Some("?>"));
        assert_eq!(missing_closer("<a b"), Some(">"));
        assert_eq!(missing_closer("<a>"), None);
        assert_eq!(missing_closer("a"), None);
    }

    #[test]
    fn a_position_in_characters_is_a_byte_and_leaves_the_sentence() {
        assert_eq!(offset_of("ab\néx", roxmltree::TextPos::new(2, 2)), 5);
        assert_eq!(offset_of("ab", roxmltree::TextPos::new(1, 9)), 2);
        assert_eq!(without_position("unexpected end at 3:14"), "unexpected end");
        assert_eq!(without_position("an end at the start"), "an end at the start");
    }
}
