//! Putting pre-rendered fragments together without reading or rendering them again.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

/// The members that every view begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Head<'a> {
    /// URN of the edition.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
}

/// A rendered list view with the place of each of its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sliced {
    /// The view.
    pub bytes: Vec<u8>,
    /// The byte range of each item within it, in order.
    pub fragments: Vec<Range<usize>>,
}

impl Sliced {
    /// The bytes of each item, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.fragments.iter().map(|range| &self.bytes[range.clone()])
    }
}

/// Writes `head`'s members and then the member `list` with the fragments as its items.
pub fn splice<F: AsRef<[u8]>>(
    head: &impl Serialize,
    list: &str,
    fragments: impl IntoIterator<Item = F>,
) -> Vec<u8> {
    let mut bytes = open(head, list);
    for (place, fragment) in fragments.into_iter().enumerate() {
        if place > 0 {
            bytes.push(b',');
        }
        bytes.extend_from_slice(fragment.as_ref());
    }
    bytes.extend_from_slice(b"]}");
    bytes
}

/// As [`splice`], rendering the items and noting their places.
pub(super) fn slice<T: Serialize>(
    head: &impl Serialize,
    list: &str,
    items: impl IntoIterator<Item = T>,
) -> Sliced {
    let mut bytes = open(head, list);
    let mut fragments = Vec::new();
    for item in items {
        if !fragments.is_empty() {
            bytes.push(b',');
        }
        let start = bytes.len();
        serde_json::to_writer(&mut bytes, &item).expect(INFALLIBLE);
        fragments.push(start..bytes.len());
    }
    bytes.extend_from_slice(b"]}");
    Sliced { bytes, fragments }
}

/// Renders a shape.
pub(super) fn render(shape: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(shape).expect(INFALLIBLE)
}

const INFALLIBLE: &str = "shapes have text keys and a vector takes every byte";

fn open(head: &impl Serialize, list: &str) -> Vec<u8> {
    let mut bytes = render(head);
    bytes.pop();
    bytes.extend_from_slice(b",\"");
    bytes.extend_from_slice(list.as_bytes());
    bytes.extend_from_slice(b"\":[");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sliced_is_spliced_back_to_the_same_bytes() {
        let head = Head { urn: "urn:x".into(), revision: "r\"1".into() };
        for items in [vec![], vec!["one"], vec!["a,b", "{}]"]] {
            let whole = slice(&head, "items", &items);
            assert_eq!(splice(&head, "items", whole.items()), whole.bytes);
            let read: serde_json::Value = serde_json::from_slice(&whole.bytes).unwrap();
            assert_eq!(read["items"], serde_json::json!(items));
        }
    }
}
