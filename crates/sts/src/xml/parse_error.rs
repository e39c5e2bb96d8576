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
    let rest = &text[stopped..];
    let closers = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<", ">")];
    let closer = closers.iter().find_map(|(opener, closer)| rest.starts_with(opener).then_some(closer));
    if let Some(closer) = closer.filter(|closer| !rest.contains(**closer)) {
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
        Err(error) => {
            let at = error.pos();
            let line = match at.row {
                0 | 1 => 0,
                row => memchr_iter(b'\n', text.as_bytes()).nth(row as usize - 2).map_or(0, |n| n + 1),
            };
            let rest = &text[line..];
            let mut columns = rest.char_indices();
            let byte = columns.nth(at.col.saturating_sub(1) as usize).map_or(rest.len(), |(i, _)| i);
            (line + byte, error.to_string())
        }
        Ok(_) => (stopped, "a name, a declaration or a tag is malformed".to_owned()),
    };
    // The parser ends its sentences with its own position, which counts in the repaired text.
    let message = match sentence.rfind(" at ") {
        Some(end) if sentence[end + 4..].bytes().all(|b| b.is_ascii_digit() || b == b':') => &sentence[..end],
        _ => &sentence,
    };
    not_well_formed(repaired, at, message)
}
