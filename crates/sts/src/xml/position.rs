//! Positions: line and column in the source of a byte of the repaired text.

use std::cell::{Cell, OnceCell};

/// Line and column, both from 1, the column in Unicode scalar values, of a byte of a text.
pub(crate) fn line_column(text: &str, at: usize) -> (u32, u32) {
    let at = at.min(text.len());
    let before = &text.as_bytes()[..at];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
    offsets32(line, characters(&before[start..]) + 1)
}

fn offsets32(line: usize, column: usize) -> (u32, u32) {
    (offset32(line), offset32(column))
}

/// Number of characters that begin in some bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}

/// A text whose lines are looked up often, mostly from the first to the last.
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// First byte of each line; filled on first use.
    starts: OnceCell<Vec<u32>>,
    /// The last byte looked up and its column, from which the next is counted: a document may be one line.
    last: Cell<(usize, usize)>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, starts: OnceCell::new(), last: Cell::new((0, 1)) }
    }

    /// Line and column of a byte, as [`line_column`] counts them.
    pub(crate) fn line_column(&self, at: usize) -> (u32, u32) {
        let starts = self.starts.get_or_init(|| line_starts(self.text));
        let at = at.min(self.text.len());
        let line = starts.partition_point(|&start| start as usize <= at);
        let start = starts[line - 1] as usize;
        let (last, last_column) = self.last.get();
        let is_on_from_last = (start..=at).contains(&last);
        let (from, column) = if is_on_from_last { (last, last_column) } else { (start, 1) };
        let column = column + characters(&self.text.as_bytes()[from..at]);
        self.last.set((at, column));
        offsets32(line, column)
    }
}

/// First byte of each line of a text.
fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| offset32(end + 1)));
    starts
}

/// An offset in a source of less than 4 GiB as 32 bits: millions are stored.
pub(crate) fn offset32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Map from offsets of the changed text to offsets of the source: one pair after each change.
#[derive(Clone, Debug, Default)]
pub(crate) struct OffsetMap {
    /// Pairs (byte in the changed text, byte in the source), ascending.
    steps: Vec<(u32, u32)>,
}

impl OffsetMap {
    /// Records that byte `changed` of the changed text is byte `source` of the source.
    pub(crate) fn note(&mut self, changed: usize, source: usize) {
        self.steps.push((offset32(changed), offset32(source)));
    }

    /// The byte of the source for one of the changed text; within an insertion, the offset of the insertion.
    pub(crate) fn source_of(&self, at: usize) -> usize {
        let next = self.steps.partition_point(|&(changed, _)| changed as usize <= at);
        let linear = match self.steps[..next].last() {
            Some(&(changed, source)) => source as usize + (at - changed as usize),
            None => at,
        };
        // A replacement that is longer than what it replaces ends before the next byte of the source.
        match self.steps.get(next) {
            Some(&(_, source)) => linear.min(source as usize),
            None => linear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_from_one() {
        assert_eq!(line_column("ab\néx", 5), (2, 2));
        assert_eq!(line_column("", 0), (1, 1));
        let text = "ab\néx\n\nz";
        let lines = Lines::new(text);
        let offsets: Vec<usize> =
            text.char_indices().map(|(at, _)| at).chain([text.len(), text.len() + 9]).collect();
        for &at in offsets.iter().chain(offsets.iter().rev()) {
            assert_eq!(lines.line_column(at), line_column(text, at), "{at}");
        }
    }

    #[test]
    fn bytes_after_a_change_map_back() {
        // "a&b;c" became "a1234567c"
        let mut offset_map = OffsetMap::default();
        offset_map.note(8, 4);
        assert_eq!([0, 1, 8].map(|n| offset_map.source_of(n)), [0, 1, 4]);
        assert_eq!(offset_map.source_of(7), 4);
    }
}
