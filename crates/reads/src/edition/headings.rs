//! Headings of an edition: ids, numbers and titles of its sections, which a caller who may only discover it
//! may know.

use std::borrow::Cow;

use bytes::Bytes;
use norma_model::outline::OutlineSection;
use norma_model::{Outline, SectionId};
use norma_render::PackPart;
use serde::Deserialize;

use super::AuthorizedEdition;
use crate::Failure;

/// The name of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SectionHeading {
    pub(crate) id: String,
    pub(crate) number: Option<String>,
    pub(crate) title: Option<String>,
    /// Index of the section around it.
    parent: Option<u32>,
    /// One past the index of the last section of its subtree.
    end: u32,
}

/// The stored hierarchy.
#[derive(Deserialize)]
struct StoredHierarchy<'a> {
    #[serde(borrow)]
    sections: Vec<StoredHeading<'a>>,
}

/// One stored element of the hierarchy.
#[derive(Deserialize)]
struct StoredHeading<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    number: Option<Cow<'a, str>>,
    #[serde(borrow)]
    title: Option<Cow<'a, str>>,
    #[serde(borrow)]
    children: Vec<StoredHeading<'a>>,
}

impl AuthorizedEdition {
    /// The headings of its sections, in document order.
    ///
    /// # Errors
    /// They cannot be read, or there is no room for reading them.
    pub(crate) async fn headings(&self) -> Result<Vec<SectionHeading>, Failure> {
        let size = self.directory()?.part(PackPart::Sections).size;
        self.services.memory.add(size.saturating_mul(3)).await?;
        let read = |bytes: Bytes| {
            let stored: Option<StoredHierarchy<'_>> = serde_json::from_slice(&bytes).ok();
            Ok(stored.map(|stored| {
                let mut headings = Vec::new();
                add_headings(&stored.sections, None, &mut headings);
                headings
            }))
        };
        let headings = self.read_part(PackPart::Sections, read).await?.map_err(crate::failed::failed)?;
        headings.ok_or_else(|| self.unreadable(PackPart::Sections.name()))
    }
}

impl SectionHeading {
    /// The number, if it has one, and the title, if it has one, with a space between them.
    pub(crate) fn numbered_title(&self) -> String {
        let parts: Vec<&str> =
            [&self.number, &self.title].into_iter().flatten().map(String::as_str).collect();
        parts.join(" ")
    }
}

/// The section with this id and those around it, the innermost one first.
pub(crate) fn with_those_around<'h>(headings: &'h [SectionHeading], id: &str) -> Vec<&'h SectionHeading> {
    let mut found = Vec::new();
    let mut next = headings.iter().find(|heading| heading.id == id);
    while let Some(heading) = next {
        found.push(heading);
        next = heading.parent.and_then(|parent| headings.get(parent as usize));
    }
    found
}

/// Adds headings with those below them.
fn add_headings(stored: &[StoredHeading<'_>], parent: Option<u32>, headings: &mut Vec<SectionHeading>) {
    for one in stored {
        let index = headings.len();
        headings.push(SectionHeading {
            id: one.id.to_string(),
            number: one.number.as_deref().map(str::to_owned),
            title: one.title.as_deref().map(str::to_owned),
            parent,
            end: 0,
        });
        add_headings(&one.children, u32::try_from(index).ok(), headings);
        headings[index].end = u32::try_from(headings.len()).unwrap_or(u32::MAX);
    }
}

/// An outline of the sections alone.
pub(crate) fn outline_of(headings: &[SectionHeading]) -> Outline {
    let mut sections = Vec::with_capacity(headings.len());
    for heading in headings {
        sections.push(OutlineSection {
            id: SectionId::new(heading.id.as_str()),
            number: heading.number.as_deref().map(Into::into),
            parent: heading.parent,
            end: heading.end,
            provisions: (0, 0),
        });
    }
    Outline::new(sections, Vec::new(), Vec::new(), Vec::new())
}
