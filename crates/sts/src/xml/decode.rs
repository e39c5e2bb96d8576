//! Decoding: the bytes of a source as text, by its byte order mark or its declared encoding.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::xml::position::line_column;
use crate::{ExtractionError, ExtractionLimits};

/// A source as text.
pub(crate) struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// Name of the encoding of the source (WHATWG Encoding Standard).
    pub charset: &'static str,
}

/// Decodes a source (XML 1.0, appendix F).
pub(crate) fn decode<'a>(
    source: &'a [u8],
    limits: &ExtractionLimits,
) -> Result<Decoded<'a>, ExtractionError> {
    // Offsets in the text have 32 bits.
    let most = limits.source_bytes.min(u32::MAX as usize);
    if source.len() > most {
        let message = format!("the source has {} bytes; at most {most} are read", source.len());
        return Err(ExtractionError::new("source-too-large", (1, 1), message));
    }
    let (encoding, body) = match Encoding::for_bom(source) {
        Some((encoding, mark)) => (encoding, &source[mark..]),
        None => (without_mark(source)?, source),
    };
    if encoding == UTF_8 {
        let text = std::str::from_utf8(body).map_err(|e| undecodable(body, e.valid_up_to(), "UTF-8"))?;
        return Ok(Decoded { text: Cow::Borrowed(text), charset: encoding.name() });
    }
    let text = encoding
        .decode_without_bom_handling_and_without_replacement(body)
        .ok_or_else(|| undecodable(body, 0, encoding.name()))?;
    Ok(Decoded { text, charset: encoding.name() })
}

/// The encoding of a source without byte order mark: recognised by its first bytes, or declared.
fn without_mark(source: &[u8]) -> Result<&'static Encoding, ExtractionError> {
    match source {
        [b'<', 0, ..] => return Ok(UTF_16LE),
        [0, b'<', ..] => return Ok(UTF_16BE),
        _ => {}
    }
    let head = &source[..source.len().min(256)];
    let Some(label) = declared_label(head) else { return Ok(UTF_8) };
    let encoding = Encoding::for_label(label).ok_or_else(|| unknown(label))?;
    // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
    Ok(if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
}

/// The label of the encoding in the XML declaration at the start of a source (XML 1.0, section 4.3.3).
fn declared_label(head: &[u8]) -> Option<&[u8]> {
    if !head.starts_with(b"<?xml") {
        return None;
    }
    let end = memchr::memmem::find(head, b"?>")?;
    let declaration = &head[..end];
    let after = memchr::memmem::find(declaration, b"encoding")? + "encoding".len();
    let rest = declaration[after..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *rest.first().filter(|q| matches!(q, b'"' | b'\''))?;
    let length = memchr::memchr(quote, &rest[1..])?;
    Some(&rest[1..=length])
}

/// The error of a source whose bytes are in the encoding up to `valid`.
fn undecodable(body: &[u8], valid: usize, charset: &str) -> ExtractionError {
    let before = std::str::from_utf8(&body[..valid]).unwrap_or_default();
    let message = format!("the bytes from here on are not {charset}");
    ExtractionError::new("wrong-encoding", line_column(before, before.len()), message)
}

fn unknown(label: &[u8]) -> ExtractionError {
    let message = format!("the declared encoding `{}` is not known", String::from_utf8_lossy(label));
    ExtractionError::new("wrong-encoding", (1, 1), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &[u8]) -> (String, &'static str) {
        let decoded = decode(source, &ExtractionLimits::default()).expect("decodes");
        (decoded.text.into_owned(), decoded.charset)
    }

    #[test]
    fn marks_and_declarations_tell_the_encoding() {
        assert_eq!(read("\u{feff}<a>é</a>".as_bytes()), ("<a>é</a>".into(), "UTF-8"));
        let wide: Vec<u8> = "\u{feff}<a>é</a>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&wide), ("<a>é</a>".into(), "UTF-16BE"));
        let unmarked: Vec<u8> = "<a>é</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&unmarked), ("<a>é</a>".into(), "UTF-16LE"));
        let (text, charset) = read(b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a>\xe9</a>");
        assert!(text.ends_with("<a>é</a>") && charset == "windows-1252");
        assert_eq!(read(b"<?xml version='1.0' encoding='UTF-16'?><a/>").1, "UTF-8");
    }

    #[test]
    fn bytes_that_are_not_in_the_encoding_are_refused_where_they_stand() {
        let error = decode(b"<a>\n\xe9</a>", &ExtractionLimits::default()).err().expect("refused");
        assert_eq!((error.code, error.line, error.column), ("wrong-encoding", 2, 1));
    }

    #[test]
    fn a_source_over_the_limit_is_refused() {
        let limits = ExtractionLimits { source_bytes: 3, ..ExtractionLimits::default() };
        assert_eq!(decode(b"<a/>", &limits).err().map(|e| e.code), Some("source-too-large"));
    }
}
