//! Putting pre-rendered fragments together without reading or rendering them again.

use std::borrow::Cow;
use std::ops::Range;

use bytes::Bytes;
use serde::Serialize;

use super::json;

/// The members that every view begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Head<'a> {
    /// URN of the edition.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
}

/// A rendered list view with the place of each of its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sliced {
    /// The view.
    pub bytes: Bytes,
    /// The byte range of each item within it, in order.
    pub fragments: Vec<Range<usize>>,
}

impl Sliced {
    /// The bytes of each item, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.fragments.len()).map(|index| self.item(index))
    }

    /// The bytes of one item.
    pub(super) fn item(&self, index: usize) -> &[u8] {
        &self.bytes[self.fragments[index].clone()]
    }
}

/// Writes `head`'s members and then the member `list` with the fragments as its items.
pub fn splice<F: AsRef<[u8]>>(
    head: &impl Serialize,
    list: &str,
    fragments: impl IntoIterator<Item = F>,
) -> Vec<u8> {
    let mut bytes = render(head);
    bytes.pop();
    write_list(list, fragments, &mut bytes);
    bytes.push(b'}');
    bytes
}

/// As [`splice`], with items that `write` puts at the end of the bytes, noting their places. About `expected` bytes
/// come of it.
pub(super) fn slice<T>(
    head: &impl Serialize,
    list: &str,
    expected: usize,
    items: impl IntoIterator<Item = T>,
    write: impl FnMut(T, &mut Vec<u8>),
) -> Sliced {
    let mut bytes = render(head);
    bytes.pop();
    bytes.reserve(expected);
    let fragments = write_items(list, items, &mut bytes, write);
    bytes.push(b'}');
    Sliced { bytes: bytes.into(), fragments }
}

/// Writes a further member: a list of items that `write` puts at the end of the bytes. Gives their places.
pub(super) fn write_items<T>(
    name: &str,
    items: impl IntoIterator<Item = T>,
    bytes: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) -> Vec<Range<usize>> {
    open_list(name, bytes);
    let mut fragments = Vec::new();
    for item in items {
        if !fragments.is_empty() {
            bytes.push(b',');
        }
        let start = bytes.len();
        write(item, bytes);
        fragments.push(start..bytes.len());
    }
    bytes.push(b']');
    fragments
}

/// Writes a shape whole.
pub(super) fn write(shape: impl Serialize, bytes: &mut Vec<u8>) {
    json::write(&shape, bytes).expect(INFALLIBLE);
}

/// Writes a further member.
pub(super) fn write_member(name: &str, value: impl Serialize, bytes: &mut Vec<u8>) {
    open_member(name, bytes);
    write(value, bytes);
}

/// Writes a further member: a list of what is rendered already.
pub(super) fn write_list<F: AsRef<[u8]>>(
    name: &str,
    fragments: impl IntoIterator<Item = F>,
    bytes: &mut Vec<u8>,
) {
    open_list(name, bytes);
    for (place, fragment) in fragments.into_iter().enumerate() {
        if place > 0 {
            bytes.push(b',');
        }
        bytes.extend_from_slice(fragment.as_ref());
    }
    bytes.push(b']');
}

/// Begins a further member that is a list.
pub(super) fn open_list(name: &str, bytes: &mut Vec<u8>) {
    open_member(name, bytes);
    bytes.push(b'[');
}

fn open_member(name: &str, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(b",\"");
    bytes.extend_from_slice(name.as_bytes());
    bytes.extend_from_slice(b"\":");
}

/// Renders a shape.
pub(super) fn render(shape: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(shape, &mut bytes);
    bytes
}

const INFALLIBLE: &str = "shapes have text keys";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sliced_is_spliced_back_to_the_same_bytes() {
        let head = Head { urn: "urn:x".into(), revision: "r\"1".into() };
        for items in [vec![], vec!["one"], vec!["a,b", "{}]"]] {
            let whole = slice(&head, "items", 0, &items, write);
            assert_eq!(splice(&head, "items", whole.items()), whole.bytes);
            let read: serde_json::Value = serde_json::from_slice(&whole.bytes).unwrap();
            assert_eq!(read["items"], serde_json::json!(items));
        }
    }
}
