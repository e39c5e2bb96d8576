//! Stored JSON of an edition, cut to the levels or members that a request asks for.

use std::collections::BTreeMap;

use norma_api::media::HEAD_MEMBERS;
use serde_json::value::RawValue;

/// The bytes of a hierarchy down to a level: lists at this depth are emptied.
pub(super) fn of_depth(hierarchy: &[u8], depth: u32) -> Vec<u8> {
    // The view and each section around has two brackets: its own, and that of its list.
    let around = 2 * depth as usize + 1;
    let (mut open, mut is_left_out, mut is_text, mut is_escaped) = (0, false, false, false);
    let mut rest = Vec::with_capacity(hierarchy.len());
    for &byte in hierarchy {
        match byte {
            // Brackets in texts count for nothing.
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'}' | b']' => {
                open -= 1;
                is_left_out &= open != around;
            }
            _ => {}
        }
        if !is_left_out {
            rest.push(byte);
        }
        if !is_text && matches!(byte, b'{' | b'[') {
            is_left_out |= byte == b'[' && open == around;
            open += 1;
        }
    }
    rest
}

/// The members of the stored head of a standard that are always included or among `fields`, without braces.
pub(super) fn members_of_head(head: &[u8], fields: &[&str]) -> Option<String> {
    let head: BTreeMap<&str, &RawValue> = serde_json::from_slice(head).ok()?;
    let mut names = vec!["urn", "revision"];
    names.extend(HEAD_MEMBERS.into_iter().filter(|name| fields.contains(name)));
    let mut members = Vec::with_capacity(names.len());
    for name in names {
        members.push(format!("\"{name}\":{}", head.get(name)?));
    }
    Some(members.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hierarchy_of_few_levels_has_no_sections_below_them() {
        let of = |below: &str| {
            format!(
                r#"{{"sections":[{{"title":"[\"{{","counts":{{"terms":1}},"children":[{below}]}},{{"children":[]}}]}}"#
            )
        };
        let second = |below: &str| format!(r#"{{"counts":{{}},"children":[{below}]}}"#);
        let whole = of(&format!("{},{}", second(&second("")), second("")));
        let cut = |depth| String::from_utf8(of_depth(whole.as_bytes(), depth)).unwrap();
        assert_eq!(cut(1), of(""));
        assert_eq!(cut(2), of(&format!("{},{}", second(""), second(""))));
        assert_eq!(cut(3), whole);
    }

    #[test]
    fn members_of_a_head_keep_their_order_and_their_bytes() {
        let head = br#"{"urn":"u","revision":"r","metadata":{"a": 1.50},"ics":[],"relations":[{}]}"#;
        let picked = |fields: &[&str]| members_of_head(head, fields).unwrap();
        assert_eq!(
            picked(&["relations", "metadata"]),
            r#""urn":"u","revision":"r","metadata":{"a": 1.50},"relations":[{}]"#
        );
        assert_eq!(picked(&["sections"]), r#""urn":"u","revision":"r""#);
        assert_eq!(members_of_head(b"{}", &[]), None);
    }
}
