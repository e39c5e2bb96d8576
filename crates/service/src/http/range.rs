//! Byte ranges of assets (RFC 9110, section 14): one range at a time; several are answered with the whole.
//! The reader of `Range` is ours: that of `headers` knows one case of the unit only, takes `+1` for a number
//! and does not distinguish an invalid range from one beyond the end.

use axum::http::{HeaderMap, header};
use headers::{HeaderMapExt, IfRange};

/// The result of a `Range` header for a body of a known length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// All of it: 200.
    Whole,
    /// Bytes `start..end`, which are sent with 206.
    Part(u64, u64),
    /// A range beyond the end, which is answered with 416.
    Nothing,
}

/// Reads `Range`, unless `If-Range` names another tag than ours. A date there never fits: an asset has no
/// date of its own, and the tag of its bytes is the stronger validator (section 13.1.5).
pub(super) fn requested_range(
    headers: &HeaderMap,
    tag: Option<&headers::ETag>,
    length: u64,
) -> RequestedRange {
    if headers.contains_key(header::IF_RANGE)
        && headers.typed_get::<IfRange>().is_none_or(|known| known.is_modified(tag, None))
    {
        return RequestedRange::Whole;
    }
    let Some(Ok(sent)) = headers.get(header::RANGE).map(|value| value.to_str()) else {
        return RequestedRange::Whole;
    };
    let Some((first, last)) = single_range(sent) else { return RequestedRange::Whole };
    let (start, end) = match (number(first), number(last)) {
        (Some(start), Some(last)) if start <= last => (start, last.saturating_add(1).min(length)),
        (Some(start), None) if last.trim().is_empty() => (start, length),
        (None, Some(suffix)) if first.trim().is_empty() => (length.saturating_sub(suffix), length),
        // A range that makes no sense is to be ignored (section 14.2).
        _ => return RequestedRange::Whole,
    };
    if start < end { RequestedRange::Part(start, end) } else { RequestedRange::Nothing }
}

/// The two ends of one range of bytes, as written; `None` for another unit or for several ranges. The case of
/// units does not count (section 14.1).
fn single_range(sent: &str) -> Option<(&str, &str)> {
    let (unit, range) = sent.trim().split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") || range.contains(',') {
        return None;
    }
    range.split_once('-')
}

/// A number that is written in digits without a sign; `None` also where there are no digits.
fn number(text: &str) -> Option<u64> {
    let digits = text.trim();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag() -> Option<headers::ETag> {
        "\"t\"".parse().ok()
    }

    #[test]
    fn single_suffix_and_impossible_ranges_are_distinguished() {
        let ask = |range: &str| {
            requested_range(
                &HeaderMap::from_iter([(header::RANGE, range.parse().unwrap())]),
                tag().as_ref(),
                10,
            )
        };
        for (range, comes_to) in [
            ("bytes=0-3", RequestedRange::Part(0, 4)),
            ("bytes=8-99", RequestedRange::Part(8, 10)),
            ("bytes=5-", RequestedRange::Part(5, 10)),
            ("bytes=-3", RequestedRange::Part(7, 10)),
            ("bytes=-30", RequestedRange::Part(0, 10)),
            ("bytes=10-", RequestedRange::Nothing),
            ("bytes=-0", RequestedRange::Nothing),
            ("Bytes=0-3", RequestedRange::Part(0, 4)),
            ("bytes=+1-3", RequestedRange::Whole),
            ("bytes=4-2", RequestedRange::Whole),
            ("bytes=0-1,3-4", RequestedRange::Whole),
            ("lines=1-2", RequestedRange::Whole),
        ] {
            assert_eq!(ask(range), comes_to, "{range}");
        }
    }

    #[test]
    fn if_range_with_another_tag_or_a_date_asks_for_the_whole() {
        for (known, comes_to) in [
            ("\"t\"", RequestedRange::Part(0, 4)),
            ("\"old\"", RequestedRange::Whole),
            ("W/\"t\"", RequestedRange::Whole),
            ("Sun, 01 Mar 2026 10:00:00 GMT", RequestedRange::Whole),
        ] {
            let mut headers = HeaderMap::from_iter([(header::RANGE, "bytes=0-3".parse().unwrap())]);
            headers.insert(header::IF_RANGE, known.parse().unwrap());
            assert_eq!(requested_range(&headers, tag().as_ref(), 10), comes_to, "{known}");
        }
    }
}
