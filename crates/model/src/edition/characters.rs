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

fn begins(byte: &u8) -> bool {
    byte & 0xC0 != 0x80
}

impl<'t> Characters<'t> {
    /// Builds the index.
    pub(super) fn new(text: &'t str) -> Self {
        let index = (!text.is_ascii()).then(|| {
            let entry = |all: &mut usize, bytes: &[u8]| {
                let before = *all;
                // As small a sum as will do, so that many bytes are counted at once.
                *all += usize::from(bytes.iter().map(|byte| u8::from(begins(byte))).sum::<u8>());
                Some(before)
            };
            text.as_bytes().chunks(STEP).scan(0, entry).collect()
        });
        Self { text, index }
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
        let starts = self.text.as_bytes()[from..].iter().enumerate().filter(|(_, byte)| begins(byte));
        let mut offsets = starts.map(|(at, _)| from + at).chain([self.text.len()]);
        offsets.nth(offset - index[step])
    }
}

/// Whether a text is another one with each run of white space collapsed to one space and none at its ends.
pub(super) fn collapses_to(text: &str, collapsed: &str) -> bool {
    if text == collapsed && is_collapsed(text) {
        return true;
    }
    let mut rest = Some(collapsed);
    for (index, word) in text.split_whitespace().enumerate() {
        rest = rest.and_then(|r| if index == 0 { Some(r) } else { r.strip_prefix(' ') }?.strip_prefix(word));
    }
    rest == Some("")
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
