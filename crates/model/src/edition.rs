//! The edition: one published state of a standard, with everything that was derived from its source.

mod characters;

use characters::{Characters, collapses_to};
use foldhash::HashSet;

use crate::table::Table;
use crate::{
    EditionContexts, Formula, Graphic, Ics, Instruction, Metadata, Provision, Relation, Section, Status,
    Term, TextBlock, Urn,
};

/// One published state of a standard. Its parts agree with each other; see [`Edition::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edition(EditionParts);

/// The parts of an edition, before they are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct EditionParts {
    /// Name of the edition.
    pub urn: Urn,
    /// Designation, titles, dates and rights.
    pub metadata: Metadata,
    /// State of the document when the source was made: a draft, published or withdrawn.
    pub status: Status,
    /// Classes, without repeats, in source order.
    pub ics: Vec<Ics>,
    /// Relations to other documents.
    pub relations: Vec<Relation>,
    /// The hierarchy in document order, parents before children.
    pub sections: Vec<Section>,
    /// The sections within others whose own text continues after them, in document order.
    pub interruptions: Vec<Interruption>,
    /// Provisions in document order.
    pub provisions: Vec<Provision>,
    /// Terms in document order.
    pub terms: Vec<Term>,
    /// Graphics in document order.
    pub graphics: Vec<Graphic>,
    /// Tables in document order.
    pub tables: Vec<Table>,
    /// Numbered formulae in document order.
    pub formulae: Vec<Formula>,
    /// The blocks of its text in document order.
    pub blocks: Vec<TextBlock>,
    /// The instructions of an amendment or corrigendum in document order; other documents have none.
    pub instructions: Vec<Instruction>,
    /// What decides what its provisions and sections say and is not a part of their words.
    pub contexts: EditionContexts,
}

/// A section within another one whose own text continues after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// Index of the section within, whose parent is interrupted.
    pub section: usize,
    /// Bytes of the parent's own text before it.
    pub at: usize,
}

/// Contradiction between the parts of an edition: an error of the program, not of the source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the parts of {urn} disagree: {what}")]
pub struct Inconsistency {
    urn: Urn,
    what: String,
}

impl Edition {
    /// Checks the parts: ids are unique, sections in pre-order with correct levels, indices within bounds,
    /// and provisions in document order. The slice of each anchor equals the provision's text.
    ///
    /// # Errors
    /// [`Inconsistency`] names the first contradiction.
    pub fn new(parts: EditionParts) -> Result<Self, Inconsistency> {
        match parts.disagreement() {
            None => Ok(Self(parts)),
            Some(what) => Err(Inconsistency { urn: parts.urn, what }),
        }
    }

    /// The parts of the edition.
    pub fn into_parts(self) -> EditionParts {
        self.0
    }
}

impl std::ops::Deref for Edition {
    type Target = EditionParts;

    fn deref(&self) -> &EditionParts {
        &self.0
    }
}

impl EditionParts {
    /// The first contradiction between the parts.
    fn disagreement(&self) -> Option<String> {
        if self.metadata.languages.is_empty() {
            return Some("no language".to_owned());
        }
        self.sections_disagree()
            .or_else(|| self.parts_disagree())
            .or_else(|| self.provisions_disagree())
            .or_else(|| self.contexts_disagree())
    }

    fn contexts_disagree(&self) -> Option<String> {
        let EditionContexts { provisions, sections } = &self.contexts;
        let lists = [(provisions.len(), self.provisions.len()), (sections.len(), self.sections.len())];
        for (contexts, things) in lists {
            if contexts != 0 && contexts != things {
                return Some(format!("{contexts} contexts are those of {things} provisions or sections"));
            }
        }
        for (context, provision) in provisions.iter().zip(&self.provisions) {
            if context.terms.iter().any(|&term| term >= self.terms.len()) {
                let label = &provision.label;
                return Some(format!(
                    "the context of provision {label} refers to a term that does not exist"
                ));
            }
        }
        None
    }

    fn sections_disagree(&self) -> Option<String> {
        // The sections around the next one, outermost first.
        let mut open: Vec<usize> = Vec::new();
        for (index, section) in self.sections.iter().enumerate() {
            let level = usize::from(section.level);
            open.truncate(level.saturating_sub(1));
            let depth_fits = open.len() + 1 == level;
            if !depth_fits || section.parent != open.last().copied() {
                return Some(format!("section {} is not in pre-order", section.id));
            }
            open.push(index);
        }
        for interruption in &self.interruptions {
            if !self.is_within_text(interruption) {
                let section = interruption.section;
                return Some(format!("the interruption by section {section} is not within a text"));
            }
        }
        repeated(self.sections.iter().map(|section| section.id.as_str()), "section")
    }

    fn is_within_text(&self, interruption: &Interruption) -> bool {
        let Some(section) = self.sections.get(interruption.section) else { return false };
        let Some(parent) = section.parent else { return false };
        self.sections[parent].text.is_char_boundary(interruption.at)
    }

    fn parts_disagree(&self) -> Option<String> {
        repeated(self.terms.iter().map(|term| term.id.as_str()), "term")
            .or_else(|| repeated(self.graphics.iter().map(|graphic| graphic.id.as_str()), "graphic"))
            .or_else(|| repeated(self.tables.iter().map(|table| table.id.as_str()), "table"))
            .or_else(|| self.sections_missing())
            .or_else(|| self.table_parts_missing())
            .or_else(|| self.relation_sections_missing())
    }

    /// A part whose section does not exist.
    fn sections_missing(&self) -> Option<String> {
        for term in &self.terms {
            if self.is_missing(term.section) {
                return Some(format!("term {} refers to a section that does not exist", term.id));
            }
        }
        for graphic in &self.graphics {
            if graphic.section.is_some_and(|section| self.is_missing(section)) {
                return Some(format!("graphic {} refers to a section that does not exist", graphic.id));
            }
        }
        for table in &self.tables {
            if self.is_missing(table.section) {
                return Some(format!("table {} refers to a section that does not exist", table.id));
            }
        }
        for formula in &self.formulae {
            if self.is_missing(formula.section) {
                return Some(format!("formula {} refers to a section that does not exist", formula.number));
            }
        }
        None
    }

    fn is_missing(&self, section: usize) -> bool {
        section >= self.sections.len()
    }

    /// A table with a cell whose graphics or provisions do not exist.
    fn table_parts_missing(&self) -> Option<String> {
        for table in &self.tables {
            let Some(grid) = table.grid() else { continue };
            for cell in grid.rows.iter().flatten() {
                let graphics_exist = are_below(&cell.graphics, self.graphics.len());
                let provisions_exist = are_below(&cell.provisions, self.provisions.len());
                if !graphics_exist || !provisions_exist {
                    let id = &table.id;
                    return Some(format!("table {id} refers to a graphic or provision that does not exist"));
                }
            }
        }
        None
    }

    /// A relation that a section states which does not exist.
    fn relation_sections_missing(&self) -> Option<String> {
        for relation in &self.relations {
            if relation.sections.iter().any(|&section| self.is_missing(section)) {
                let reference = &relation.reference;
                return Some(format!("relation {reference} refers to a section that does not exist"));
            }
        }
        None
    }

    fn provisions_disagree(&self) -> Option<String> {
        let mut ids = HashSet::default();
        // The section of the provision before, and its text: provisions of one section share its index.
        let mut last: Option<(usize, Characters)> = None;
        for provision in &self.provisions {
            let label = &provision.label;
            if !ids.insert(provision.id) {
                return Some(format!("two provisions are {}", provision.id));
            }
            let Some(section) = self.sections.get(provision.section) else {
                return Some(format!("provision {label} refers to a section that does not exist"));
            };
            let text = match last.take() {
                Some((index, text)) if index == provision.section => text,
                Some((index, _)) if index > provision.section => {
                    return Some(format!("provision {label} is not in document order"));
                }
                _ => Characters::new(&section.text),
            };
            if provision.terms.iter().any(|&term| term >= self.terms.len()) {
                return Some(format!("provision {label} refers to a term that does not exist"));
            }
            if provision.table.is_some_and(|table| table >= self.tables.len()) {
                return Some(format!("provision {label} refers to a table that does not exist"));
            }
            let slice = text.slice(provision.anchor.start, provision.anchor.end);
            if !slice.is_some_and(|slice| collapses_to(slice, &provision.text)) {
                return Some(format!("the anchor of provision {label} does not select its text"));
            }
            if let Some(form) = provision.anchor.verbal_form
                && text.slice(form.start, form.end).is_none()
            {
                return Some(format!("the verbal form of provision {label} is outside its section"));
            }
            last = Some((provision.section, text));
        }
        None
    }
}

/// True where all indices are those of a list of this length.
fn are_below(indices: &[u32], length: usize) -> bool {
    indices.iter().all(|&index| (index as usize) < length)
}

/// A complaint about the first id that comes twice.
fn repeated<'a>(ids: impl Iterator<Item = &'a str>, what: &str) -> Option<String> {
    let mut known = HashSet::default();
    for id in ids {
        if !known.insert(id) {
            return Some(format!("two {what}s are `{id}`"));
        }
    }
    None
}

#[cfg(test)]
mod tests;
