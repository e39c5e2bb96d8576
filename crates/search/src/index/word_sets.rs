//! Sets of the units of a segment that have a word themselves, around them, or as a part of another one.

use std::sync::Arc;

use super::error::SearchError;
use super::matching::{SegmentTexts, add_prefix, damaged, prefix_range};
use super::steps::UnitSet;
use crate::query::Element;

/// Words that are compared at once with the middle of a word: about 1 ms.
pub(super) const READ_AT_ONCE: u32 = 10_000;
/// Letters of the beginning that two long German words have in common: `Salzsprühtest`, `Salzsprühnebel`.
const SAME_BEGINNING: usize = 8;
/// What long German words begin with in the list of parts.
pub(super) const FIRST_LONG_WORD: &[u8] = b">";

impl SegmentTexts {
    /// A set that reads the units that have an element as a word, a designation, a prefix or a part.
    pub(super) fn own(&self, element: &Element) -> Result<UnitSet, SearchError> {
        let mut set = match self.weak(element)? {
            Some(weak) => weak,
            None => self.empty_set(),
        };
        self.add_terms(&mut set, &self.title, self.fields.title, &element.terms)?;
        self.add_terms(&mut set, &self.text, self.fields.text, &element.terms)?;
        if element.is_designation {
            self.add_terms(&mut set, &self.document, self.fields.document, &element.terms)?;
        }
        Ok(set)
    }

    /// A set that reads the units with words that an element may be made of, or that begin as it does.
    pub(super) fn fragments(&self, element: &Element) -> Result<UnitSet, SearchError> {
        let mut set = self.empty_set();
        self.add_terms(&mut set, &self.title, self.fields.title, &element.fragments)?;
        self.add_terms(&mut set, &self.text, self.fields.text, &element.fragments)?;
        if let Some((end, _)) = element.typed.char_indices().nth(SAME_BEGINNING) {
            add_prefix(&mut set, &self.parts, &format!(">{}", &element.typed[..end]))?;
        }
        Ok(set)
    }

    /// Lets a set read the units with long German words that have an element in the middle. At most
    /// [`READ_AT_ONCE`] words of the segment are compared with it, those after a key. Returns the last one,
    /// or `None` at the end.
    pub(super) fn add_middle(
        &self,
        set: &mut UnitSet,
        element: &Element,
        after: &[u8],
    ) -> Result<Option<Vec<u8>>, SearchError> {
        let wanted: Vec<&str> = element.parts.iter().filter_map(|part| part.strip_prefix('>')).collect();
        let (_, to) = prefix_range(">");
        let mut terms = self.parts.terms().range().gt(after).lt(to).into_stream().map_err(damaged)?;
        let mut compared = 0;
        while terms.advance() {
            let word = std::str::from_utf8(terms.key()).map_err(damaged)?;
            if wanted.iter().any(|part| word.contains(part)) {
                set.pending.push((Arc::clone(&self.parts), terms.value().clone()));
            }
            compared += 1;
            if compared == READ_AT_ONCE {
                return Ok(Some(terms.key().to_vec()));
            }
        }
        Ok(None)
    }

    /// A set that reads the units around which an element is, as a word, a prefix or a part.
    pub(super) fn around(&self, element: &Element) -> Result<UnitSet, SearchError> {
        let mut set = self.empty_set();
        self.add_terms(&mut set, &self.context, self.fields.context, &element.terms)?;
        for part in &element.parts {
            add_prefix(&mut set, &self.context, part)?;
        }
        if let Some(prefix) = &element.prefix {
            add_prefix(&mut set, &self.context, prefix)?;
            add_prefix(&mut set, &self.context, &format!("={prefix}"))?;
        }
        Ok(set)
    }
}
