//! A comparison with the outlines of its editions.

use std::collections::HashMap;

use norma_api::shapes::ComparisonView;

use crate::phrases::{ENGLISH, Words};

/// A comparison with texts, and the outlines of its editions.
pub struct Compared<'a> {
    /// All items of the comparison, with their texts.
    pub view: &'a ComparisonView<'a>,
    /// Outlines of the older and of the newer edition.
    pub outlines: [EditionOutline; 2],
    /// The language of its words.
    pub(crate) words: &'static Words,
}

impl<'a> Compared<'a> {
    /// A comparison in English.
    pub fn new(view: &'a ComparisonView<'a>, outlines: [EditionOutline; 2]) -> Self {
        Self { view, outlines, words: ENGLISH }
    }
}

/// Where the provisions of an edition are: in which order, in which sections.
#[derive(Debug, Default)]
pub struct EditionOutline {
    pub(crate) sections: Vec<ComparedSection>,
    sections_by_id: HashMap<String, usize>,
    /// Order and section of each provision.
    pub(crate) provisions: HashMap<String, (usize, usize)>,
    /// Names of tables by their ids.
    tables: HashMap<String, String>,
}

#[derive(Debug)]
pub(crate) struct ComparedSection {
    pub(crate) id: String,
    pub(crate) label: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) parent: Option<usize>,
}

impl EditionOutline {
    /// Adds the next section in document order. Its parent was added before.
    pub fn add_section(&mut self, id: &str, label: Option<&str>, title: Option<&str>, parent: Option<&str>) {
        let parent = parent.and_then(|id| self.section(id));
        self.sections_by_id.insert(id.to_owned(), self.sections.len());
        let [label, title] = [label, title].map(|text| text.map(str::to_owned));
        self.sections.push(ComparedSection { id: id.to_owned(), label, title, parent });
    }

    /// Adds the next provision in document order; one of an unknown section is left out.
    pub fn add_provision(&mut self, id: &str, section: &str) {
        if let Some(section) = self.section(section) {
            self.provisions.insert(id.to_owned(), (self.provisions.len(), section));
        }
    }

    /// Adds a table with its label and caption.
    pub fn add_table(&mut self, id: &str, label: Option<&str>, caption: Option<&str>) {
        let name = [label, caption].into_iter().flatten().collect::<Vec<_>>().join("  ");
        self.tables.insert(id.to_owned(), name);
    }

    pub(crate) fn section(&self, id: &str) -> Option<usize> {
        self.sections_by_id.get(id).copied()
    }

    pub(crate) fn table(&self, id: &str) -> Option<&str> {
        self.tables.get(id).map(String::as_str).filter(|name| !name.is_empty())
    }

    pub(crate) fn provision(&self, id: &str) -> Option<(usize, usize)> {
        self.provisions.get(id).copied()
    }
}

impl ComparedSection {
    /// In few words: its label, else its title.
    pub(crate) fn short(&self) -> &str {
        self.label.as_ref().or(self.title.as_ref()).unwrap_or(&self.id)
    }

    /// As its heading: label and title.
    pub(crate) fn heading(&self) -> String {
        let parts = [self.label.as_deref(), self.title.as_deref()];
        let written = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
        if written.is_empty() { self.id.clone() } else { written }
    }
}
