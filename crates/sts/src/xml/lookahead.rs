//! Looking ahead: where something that is rare stands next in a text.

use std::ops::Range;

use memchr::memmem::Finder;

/// Where something stands next. Asked of rising places, it looks at each byte once.
pub(crate) struct Lookahead {
    finder: Finder<'static>,
    found: Option<usize>,
}

impl Lookahead {
    pub(crate) fn new(sought: &'static str) -> Self {
        Self { finder: Finder::new(sought), found: None }
    }

    /// The first place from one on where it begins; behind the end where there is none.
    pub(crate) fn from(&mut self, bytes: &[u8], start: usize) -> usize {
        match self.found {
            Some(found) if found >= start => found,
            _ => {
                let found = self.finder.find(&bytes[start..]).map_or(bytes.len(), |found| start + found);
                self.found = Some(found);
                found
            }
        }
    }

    /// Whether it begins in a part of the text.
    pub(crate) fn is_in(&mut self, bytes: &[u8], part: &Range<usize>) -> bool {
        self.from(bytes, part.start) < part.end
    }
}
