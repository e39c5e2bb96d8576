//! JSON writing into byte buffers, and unescaping of JSON strings in chunks.

use serde::Serialize;

/// Appends a shape of the API, or another value, as JSON.
pub(crate) fn write(shape: impl Serialize, bytes: &mut Vec<u8>) {
    serde_json::to_writer(bytes, &shape).expect("shapes have text keys, and a vector takes every byte");
}

/// A shape of the API, or another value, as JSON.
pub(crate) fn bytes(shape: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(shape, &mut bytes);
    bytes
}

/// Appends a further member up to its value.
pub(crate) fn open_member(name: &str, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(b",\"");
    bytes.extend_from_slice(name.as_bytes());
    bytes.extend_from_slice(b"\":");
}

/// Appends another member that is a list, up to its first item.
pub(crate) fn open_list(name: &str, bytes: &mut Vec<u8>) {
    open_member(name, bytes);
    bytes.push(b'[');
}

/// Appends items with commas between them.
pub(crate) fn write_items<T: Serialize>(items: impl IntoIterator<Item = T>, bytes: &mut Vec<u8>) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        write(item, bytes);
    }
}

/// The text of the inside of a JSON string; `None` for an escape that serde_json does not write.
pub fn unescape(inside: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(inside.len());
    Unescape::default().write(inside, &mut text)?;
    Some(text)
}

/// Takes the insides of a JSON string in chunks and gives its text.
#[derive(Default)]
pub(crate) struct Unescape {
    /// The begin of an escape that is not complete yet.
    escape: Vec<u8>,
}

impl Unescape {
    /// Appends the text of the next chunk; `None` for an escape that serde_json does not write.
    pub(crate) fn write(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
        while let Some((&first, rest)) = bytes.split_first() {
            if self.escape.is_empty() && first != b'\\' {
                let (plain, rest) = bytes.split_at(memchr::memchr(b'\\', bytes).unwrap_or(bytes.len()));
                out.extend_from_slice(plain);
                bytes = rest;
                continue;
            }
            self.escape.push(first);
            bytes = rest;
            let meant = match *self.escape {
                [b'\\', b'n'] => b'\n',
                [b'\\', b'r'] => b'\r',
                [b'\\', b't'] => b'\t',
                [b'\\', b'b'] => 0x08,
                [b'\\', b'f'] => 0x0c,
                [b'\\', c @ (b'"' | b'\\')] => c,
                // Only control characters are written by number (RFC 8259, section 7).
                [b'\\', b'u', b'0', b'0', high, low] => {
                    let code = char::from(high).to_digit(16)? * 16 + char::from(low).to_digit(16)?;
                    u8::try_from(code).ok().filter(u8::is_ascii)?
                }
                [b'\\'] | [b'\\', b'u', ..] if self.escape.len() < 6 => continue,
                _ => return None,
            };
            out.push(meant);
            self.escape.clear();
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_read_back_from_its_json_in_any_stretches(text in "(\\PC|[\u{0}-\u{20}\"\\\\\u{7f}]){0,40}", at: prop::sample::Index) {
            let json = bytes(&text);
            let inside = &json[1..json.len() - 1];
            let (first, second) = inside.split_at(at.index(inside.len() + 1));
            let (mut unescape, mut out) = (Unescape::default(), Vec::new());
            prop_assert!(unescape.write(first, &mut out).is_some() && unescape.write(second, &mut out).is_some());
            prop_assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    #[test]
    fn an_escape_that_is_never_written_is_refused() {
        for bad in [&b"\\x"[..], b"\\u1234", b"\\u00zz", b"\\u00ff"] {
            assert!(Unescape::default().write(bad, &mut Vec::new()).is_none());
        }
    }
}
