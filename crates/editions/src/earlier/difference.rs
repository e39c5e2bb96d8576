//! Differences: bytes as a Zstandard frame with other bytes, which are nearly the same, as its prefix.

use std::io::{Read, Write};

use bytes::Bytes;
use zstd::stream::{read, write};

/// Compression level of Zstandard (1 to 19).
const LEVEL: i32 = 9;

/// Logarithms of the smallest and the largest window, in bytes: a frame refers no farther back.
const WINDOW_LOGS: [u32; 2] = [10, 30];

/// The logarithm of a window that reaches from the end of the bytes to the start of the prefix.
fn window_log(prefix: &[u8], size: u64) -> u32 {
    let reach = (prefix.len() as u64).saturating_add(size).max(1);
    let [least, most] = WINDOW_LOGS;
    (u64::BITS - reach.leading_zeros()).clamp(least, most)
}

/// The difference of `bytes` from `prefix`.
pub(super) fn encode(prefix: &[u8], bytes: &[u8]) -> Bytes {
    let write = || {
        let mut encoder = write::Encoder::with_ref_prefix(Vec::new(), LEVEL, prefix)?;
        encoder.long_distance_matching(true)?;
        encoder.window_log(window_log(prefix, bytes.len() as u64))?;
        encoder.include_checksum(true)?;
        encoder.write_all(bytes)?;
        encoder.finish()
    };
    write().expect("memory takes what is written, and the parameters are in their ranges").into()
}

/// The bytes with this size that have this difference from `prefix`; `None` where it is damaged or of other
/// bytes.
pub(super) fn decode(prefix: &[u8], difference: &[u8], size: u64) -> Option<Bytes> {
    let mut decoder = read::Decoder::with_ref_prefix(difference, prefix).ok()?;
    decoder.window_log_max(window_log(prefix, size)).ok()?;
    let mut bytes = Vec::with_capacity(usize::try_from(size).ok()?);
    decoder.take(size.saturating_add(1)).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then(|| bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_sentence_costs_few_bytes_and_another_prefix_or_a_damage_is_found() {
        let mut text = String::new();
        for n in 0..4000 {
            text.push_str(&format!(
                "<p id=\"p{n}\">The anchor {n} shall withstand {} N.</p>\n",
                n * 7919 % 10_007
            ));
        }
        let corrected = text.replace("The anchor 1700 shall", "The bolt 1700 shall not");
        assert_ne!(corrected, text);
        let difference = encode(corrected.as_bytes(), text.as_bytes());
        assert!(difference.len() < 200, "{}", difference.len());
        let size = text.len() as u64;
        assert_eq!(decode(corrected.as_bytes(), &difference, size).as_deref(), Some(text.as_bytes()));
        assert_eq!(decode(text.as_bytes(), &difference, size), None, "a frame has a checksum");
        assert_eq!(decode(corrected.as_bytes(), &difference, size - 1), None);
        assert_eq!(decode(corrected.as_bytes(), &difference[..difference.len() / 2], size), None);
    }

    #[test]
    fn bytes_without_anything_in_common_and_no_bytes_read_back() {
        for (prefix, bytes) in [("", ""), ("", "abc"), ("abc", ""), ("abc", "xyz")] {
            let difference = encode(prefix.as_bytes(), bytes.as_bytes());
            let read = decode(prefix.as_bytes(), &difference, bytes.len() as u64);
            assert_eq!(read.as_deref(), Some(bytes.as_bytes()));
        }
    }
}
