//! Slices of a text by offsets in Unicode scalar values, with an index so that counting does not start from 0
//! each time.

use crate::whitespace::is_collapsed;

/// Bytes between two entries of the index.
const STEP: usize = 64;

/// A text and the number of scalar values before every [`STEP`]th byte; `None` for ASCII, where the two
/// counts are equal.
pub(super) struct Characters<'t> {
    text: &'t str,
    index: Option<Vec<usize>>,
}

/// True for the first byte of a scalar value in UTF-8.
fn begins(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

impl<'t> Characters<'t> {
    /// Builds the index of a text that has characters of several bytes; ASCII needs none.
    pub(super) fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self { text, index: None };
        }
        let mut index = Vec::with_capacity(text.len().div_ceil(STEP));
        let mut before = 0;
        for bytes in text.as_bytes().chunks(STEP) {
            index.push(before);
            // As small a sum as will do, so that many bytes are counted at once.
            let count: u8 = bytes.iter().map(|&byte| u8::from(begins(byte))).sum();
            before += usize::from(count);
        }
        Self { text, index: Some(index) }
    }

    /// The slice from the first offset up to, not including, the second; `None` unless both are in the text
    /// and in order.
    pub(super) fn slice(&self, start: usize, end: usize) -> Option<&'t str> {
        self.text.get(self.byte(start)?..self.byte(end)?)
    }

    /// The byte at which a scalar value starts; the end of the text after the last one.
    fn byte(&self, offset: usize) -> Option<usize> {
        let Some(index) = &self.index else { return Some(offset) };
        let step = index.partition_point(|&before| before <= offset) - 1;
        let from = step * STEP;
        let mut remaining = offset - index[step];
        for (at, &byte) in self.text.as_bytes()[from..].iter().enumerate() {
            if !begins(byte) {
                continue;
            }
            if remaining == 0 {
                return Some(from + at);
            }
            remaining -= 1;
        }
        if remaining == 0 { Some(self.text.len()) } else { None }
    }
}

/// A text collapses to another one if that has one space for each run of white space, and none at its ends.
pub(super) fn collapses_to(text: &str, collapsed: &str) -> bool {
    if text == collapsed && is_collapsed(text) {
        return true;
    }
    let mut rest = collapsed;
    for (index, word) in text.split_whitespace().enumerate() {
        let before_word = if index == 0 { "" } else { " " };
        let after = rest.strip_prefix(before_word).and_then(|rest| rest.strip_prefix(word));
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_are_those_that_counting_gives(text in "([a-z é\u{10ffff}]{0,70}){0,4}", start in 0usize..300, length in 0usize..300) {
            let count = text.chars().count();
            let counted = (start + length <= count).then(|| text.chars().skip(start).take(length).collect::<String>());
            prop_assert_eq!(Characters::new(&text).slice(start, start + length), counted.as_deref());
        }

        #[test]
        fn a_text_collapses_to_its_words_with_single_spaces(text in "[a \t\n\u{a0}b]{0,12}", other in "[a b]{0,6}") {
            let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert!(collapses_to(&text, &collapsed));
            prop_assert_eq!(collapses_to(&text, &other), collapsed == other);
        }
    }
}
