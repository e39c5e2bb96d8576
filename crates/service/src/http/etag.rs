//! Conditional requests: entity tags and dates (RFC 9110, section 13).

use std::time::SystemTime;

use axum::http::{HeaderMap, header};
use jiff::Timestamp;

/// A strong entity tag, quotes included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ETag(String);

impl ETag {
    /// The tag of a representation: what it is made of, joined.
    pub(super) fn new(parts: &[&str]) -> Self {
        Self(format!("\"{}\"", parts.join(".")))
    }

    /// As it stands in the header.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether one of the tags of a header value is this one; `weak` ignores a leading `W/`.
    fn listed_in(&self, value: &str, weak: bool) -> bool {
        value.split(',').map(str::trim).any(|tag| {
            let tag = if weak { tag.strip_prefix("W/").unwrap_or(tag) } else { tag };
            tag == "*" || tag == self.0
        })
    }
}

/// What the conditions of a GET or HEAD come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Send the representation.
    Send,
    /// The caller has it: 304.
    NotModified,
    /// `If-Match` or `If-Unmodified-Since` fails: 412.
    Failed,
}

/// Evaluates the conditions in the order of RFC 9110, section 13.2.2.
pub(super) fn condition(headers: &HeaderMap, tag: &ETag, modified: Option<Timestamp>) -> Condition {
    let joined = |name: header::HeaderName| {
        let values: Vec<&str> = headers.get_all(name).iter().filter_map(|v| v.to_str().ok()).collect();
        (!values.is_empty()).then(|| values.join(","))
    };
    let since = |name: header::HeaderName| {
        // All three forms of a date that HTTP knows (RFC 9110, section 5.6.7).
        httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
    };
    let whole_seconds =
        modified.and_then(|m| Timestamp::from_second(m.as_second()).ok()).map(SystemTime::from);
    if let Some(tags) = joined(header::IF_MATCH) {
        if !tag.listed_in(&tags, false) {
            return Condition::Failed;
        }
    } else if let (Some(date), Some(modified)) = (since(header::IF_UNMODIFIED_SINCE), whole_seconds)
        && modified > date
    {
        return Condition::Failed;
    }
    if let Some(tags) = joined(header::IF_NONE_MATCH) {
        if tag.listed_in(&tags, true) {
            return Condition::NotModified;
        }
    } else if let (Some(date), Some(modified)) = (since(header::IF_MODIFIED_SINCE), whole_seconds)
        && modified <= date
    {
        return Condition::NotModified;
    }
    Condition::Send
}

/// A time as HTTP writes it (RFC 9110, section 5.6.7).
pub(super) fn http_date(time: Timestamp) -> String {
    httpdate::fmt_http_date(time.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_follow_the_order_of_the_standard() {
        let tag = ETag::new(&["a", "br"]);
        let time: Timestamp = "2026-03-01T10:00:00.5Z".parse().unwrap();
        assert_eq!(http_date(time), "Sun, 01 Mar 2026 10:00:00 GMT");
        use header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};
        let same = "Sun, 01 Mar 2026 10:00:00 GMT";
        let earlier = "Sun, 01 Mar 2026 09:00:00 GMT";
        for (sent, comes_to) in [
            (vec![], Condition::Send),
            (vec![(IF_NONE_MATCH, "\"a.br\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"x\", W/\"a.br\"")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "*")], Condition::NotModified),
            (vec![(IF_NONE_MATCH, "\"a\"")], Condition::Send),
            (vec![(IF_NONE_MATCH, "\"a\""), (IF_MODIFIED_SINCE, same)], Condition::Send),
            (vec![(IF_MODIFIED_SINCE, same)], Condition::NotModified),
            (vec![(IF_MODIFIED_SINCE, "Sunday, 01-Mar-26 10:00:00 GMT")], Condition::NotModified),
            (vec![(IF_MODIFIED_SINCE, "Sun Mar  1 10:00:00 2026")], Condition::NotModified),
            (vec![(IF_MODIFIED_SINCE, "Sun Mar  1 09:59:59 2026")], Condition::Send),
            (vec![(IF_MODIFIED_SINCE, earlier)], Condition::Send),
            (vec![(IF_MODIFIED_SINCE, "yesterday")], Condition::Send),
            (vec![(IF_MATCH, "\"a.br\"")], Condition::Send),
            (vec![(IF_MATCH, "W/\"a.br\"")], Condition::Failed),
            (vec![(IF_UNMODIFIED_SINCE, earlier)], Condition::Failed),
        ] {
            let headers = sent.iter().map(|(n, v)| (n.clone(), v.parse().unwrap())).collect();
            assert_eq!(condition(&headers, &tag, Some(time)), comes_to, "{sent:?}");
        }
    }
}
