//! Text of a section without its provisions, which are found by themselves.

use std::collections::HashSet;

use norma_editions::search::{AnchoredProvision, SectionText};

use super::AuthorizedEdition;
use crate::Failure;
use crate::json::parsed;

/// Most provisions that are taken out of the text of a section: 1 to 2 MB of JSON.
const MOST_PROVISIONS: u32 = 1_000;

impl AuthorizedEdition {
    /// The text of the section at this index of the document order, without its provisions. Of a section
    /// with very many, it is the whole text: to take them out would need too much memory.
    pub(crate) async fn own_text(&self, section: &SectionText, index: usize) -> Result<String, Failure> {
        let index_of_edition = self.index().await?;
        let Some(in_outline) = index_of_edition.outline.sections.get(index) else {
            return Err(self.unreadable("a section"));
        };
        let (first, end) = in_outline.provisions;
        if end - first > MOST_PROVISIONS {
            return Ok(section.text.clone());
        }
        let indexes: Vec<u32> = (first..end).collect();
        let mut provisions = Vec::with_capacity(indexes.len());
        for fragment in self.fragments(&indexes).await? {
            provisions.push(parsed::<AnchoredProvision>(&fragment)?);
        }
        Ok(section.without(provisions, &HashSet::new()))
    }
}
