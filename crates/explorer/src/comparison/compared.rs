//! A comparison with the outlines of its editions.

use std::collections::HashMap;
use std::sync::Arc;

use norma_api::shapes::ComparisonView;
use norma_model::table::Grid;

use crate::phrases::{ENGLISH, Words};

/// A comparison with texts, and the outlines of its editions.
pub struct Compared<'a> {
    /// All items of the comparison, with their texts.
    pub view: &'a ComparisonView<'a>,
    /// Outlines of the older and of the newer edition.
    pub outlines: [EditionOutline; 2],
    /// Words for readers, in the language of the page.
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
    /// The position of each provision, by its id.
    pub(crate) provisions: HashMap<String, ComparedPosition>,
    /// Names of tables by their ids.
    tables: HashMap<String, String>,
    /// Sections of tables, by the ids of the tables.
    table_sections: HashMap<String, usize>,
    /// Cells of tables by their ids.
    grids: HashMap<String, Arc<Grid>>,
}

/// Where a provision is in its edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ComparedPosition {
    /// Index of the provision in document order.
    pub(crate) index: usize,
    /// Index of its section.
    pub(crate) section: usize,
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
            let position = ComparedPosition { index: self.provisions.len(), section };
            self.provisions.insert(id.to_owned(), position);
        }
    }

    /// Adds a table with its label, its caption and the id of its section.
    pub fn add_table(&mut self, id: &str, label: Option<&str>, caption: Option<&str>, section: &str) {
        if let Some(section) = self.section(section) {
            self.table_sections.insert(id.to_owned(), section);
        }
        let name = [label, caption].into_iter().flatten().collect::<Vec<_>>().join("  ");
        self.tables.insert(id.to_owned(), name);
    }

    /// Adds the cells of a table, so that the page can show it with the changed ones marked.
    pub fn add_grid(&mut self, id: &str, grid: Arc<Grid>) {
        self.grids.insert(id.to_owned(), grid);
    }

    pub(crate) fn grid(&self, id: &str) -> Option<&Grid> {
        self.grids.get(id).map(|grid| &**grid)
    }

    pub(crate) fn section(&self, id: &str) -> Option<usize> {
        self.sections_by_id.get(id).copied()
    }

    pub(crate) fn table(&self, id: &str) -> Option<&str> {
        self.tables.get(id).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The section that has a table.
    pub(crate) fn section_of_table(&self, id: &str) -> Option<&ComparedSection> {
        self.table_sections.get(id).map(|&section| &self.sections[section])
    }

    pub(crate) fn provision(&self, id: &str) -> Option<ComparedPosition> {
        self.provisions.get(id).copied()
    }
}

impl EditionOutline {
    /// The section at an index, then those around it from the inside out.
    pub(crate) fn with_ancestors(&self, section: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(section), |&index| self.sections[index].parent)
    }
}

impl ComparedSection {
    /// The section in few words: its label, else its title, else its id.
    pub(crate) fn short(&self) -> &str {
        self.label.as_ref().or(self.title.as_ref()).unwrap_or(&self.id)
    }

    /// Label and title of the section, else its id.
    pub(crate) fn heading(&self) -> String {
        let parts = [self.label.as_deref(), self.title.as_deref()];
        let written = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
        if written.is_empty() { self.id.clone() } else { written }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provisions_of_unknown_sections_are_left_out_of_the_order() {
        let mut outline = EditionOutline::default();
        outline.add_section("sec_4", Some("4"), None, None);
        outline.add_section("sec_4.1", Some("4.1"), None, Some("sec_4"));
        for (id, section) in [("a", "sec_4"), ("b", "sec_9"), ("c", "sec_4.1")] {
            outline.add_provision(id, section);
        }
        assert_eq!(outline.provision("b"), None);
        assert_eq!(outline.provision("c"), Some(ComparedPosition { index: 1, section: 1 }));
        assert_eq!(outline.with_ancestors(1).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn a_table_without_label_and_caption_has_no_name() {
        let mut outline = EditionOutline::default();
        outline.add_table("t1", Some("Table 1"), Some("Loads"), "sec_4");
        outline.add_table("t2", None, None, "sec_4");
        assert_eq!(outline.table("t1"), Some("Table 1  Loads"));
        assert_eq!(outline.table("t2"), None);
    }
}
