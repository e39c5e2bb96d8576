//! Memoised substring search for tokens that are rare in the text.

use std::ops::Range;

use memchr::memmem::Finder;

/// Next occurrence of a substring. With ascending start offsets it scans each byte once.
pub(crate) struct Lookahead {
    finder: Finder<'static>,
    found: Option<usize>,
}

impl Lookahead {
    pub(crate) fn new(sought: &'static str) -> Self {
        Self { finder: Finder::new(sought), found: None }
    }

    /// Offset of the first occurrence at or after `start`; the length of the text without one.
    pub(crate) fn from(&mut self, bytes: &[u8], start: usize) -> usize {
        if let Some(found) = self.found
            && found >= start
        {
            return found;
        }
        let found = self.finder.find(&bytes[start..]).map_or(bytes.len(), |found| start + found);
        self.found = Some(found);
        found
    }

    /// Looks for an occurrence that begins in this range of the text.
    pub(crate) fn is_in(&mut self, bytes: &[u8], part: &Range<usize>) -> bool {
        self.from(bytes, part.start) < part.end
    }
}
