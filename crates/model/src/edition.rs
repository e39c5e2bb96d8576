//! The edition: one published state of a standard, with everything that was derived from its source.

mod characters;

use characters::{Characters, collapses_to};
use foldhash::HashSet;

use crate::table::{Cell, Table};
use crate::{Formula, Graphic, Ics, Metadata, Provision, Relation, Section, Status, Term, Urn};

/// One published state of a standard. Its parts agree with each other; see [`Edition::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edition(EditionParts);

/// The parts of an edition, before they are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct EditionParts {
    /// Its name.
    pub urn: Urn,
    /// Its metadata.
    pub metadata: Metadata,
    /// Whether the source was a draft, published or withdrawn when it was made.
    pub status: Status,
    /// Classes, without repeats, in source order.
    pub ics: Vec<Ics>,
    /// Its relations to other documents.
    pub relations: Vec<Relation>,
    /// Its hierarchy in document order, parents before children.
    pub sections: Vec<Section>,
    /// The sections within others whose own text continues after them, in document order.
    pub interruptions: Vec<Interruption>,
    /// Its provisions in document order.
    pub provisions: Vec<Provision>,
    /// Its terms in document order.
    pub terms: Vec<Term>,
    /// Its graphics in document order.
    pub graphics: Vec<Graphic>,
    /// Its tables in document order.
    pub tables: Vec<Table>,
    /// Its numbered formulae in document order.
    pub formulae: Vec<Formula>,
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
    fn disagreement(&self) -> Option<String> {
        if self.metadata.languages.is_empty() {
            return Some("no language".to_owned());
        }
        self.sections_disagree().or_else(|| self.parts_disagree()).or_else(|| self.provisions_disagree())
    }

    fn sections_disagree(&self) -> Option<String> {
        let mut open: Vec<usize> = Vec::new();
        for (index, section) in self.sections.iter().enumerate() {
            open.truncate(usize::from(section.level).saturating_sub(1));
            let depth_fits = open.len() + 1 == usize::from(section.level);
            if !depth_fits || section.parent != open.last().copied() {
                return Some(format!("section {} is not in pre-order", section.id));
            }
            open.push(index);
        }
        let within = |one: &&Interruption| {
            let parent = self.sections.get(one.section).and_then(|section| section.parent);
            !parent.is_some_and(|parent| self.sections[parent].text.is_char_boundary(one.at))
        };
        if let Some(one) = self.interruptions.iter().find(within) {
            return Some(format!("the interruption by section {} is not within a text", one.section));
        }
        repeated(self.sections.iter().map(|s| s.id.as_str()), "section")
    }

    fn parts_disagree(&self) -> Option<String> {
        let beyond = |section: usize| section >= self.sections.len();
        repeated(self.terms.iter().map(|t| t.id.as_str()), "term")
            .or_else(|| repeated(self.graphics.iter().map(|g| g.id.as_str()), "graphic"))
            .or_else(|| repeated(self.tables.iter().map(|t| t.id.as_str()), "table"))
            .or_else(|| {
                let term = self.terms.iter().find(|t| beyond(t.section))?;
                Some(format!("term {} refers to a section that does not exist", term.id))
            })
            .or_else(|| {
                let graphic = self.graphics.iter().find(|g| g.section.is_some_and(beyond))?;
                Some(format!("graphic {} refers to a section that does not exist", graphic.id))
            })
            .or_else(|| {
                let table = self.tables.iter().find(|t| beyond(t.section))?;
                Some(format!("table {} refers to a section that does not exist", table.id))
            })
            .or_else(|| {
                let formula = self.formulae.iter().find(|formula| beyond(formula.section))?;
                Some(format!("formula {} refers to a section that does not exist", formula.number))
            })
            .or_else(|| {
                let within = |indices: &[u32], list: usize| indices.iter().all(|&at| (at as usize) < list);
                let fits = |cell: &Cell| {
                    within(&cell.graphics, self.graphics.len())
                        && within(&cell.provisions, self.provisions.len())
                };
                let cells = |table: &&Table| table.grid().is_some_and(|g| !g.rows.iter().flatten().all(fits));
                let table = self.tables.iter().find(cells)?;
                Some(format!("table {} refers to a graphic or provision that does not exist", table.id))
            })
            .or_else(|| {
                let relation = self.relations.iter().find(|r| r.sections.iter().any(|&s| beyond(s)))?;
                Some(format!("relation {} refers to a section that does not exist", relation.reference))
            })
    }

    fn provisions_disagree(&self) -> Option<String> {
        let mut ids = HashSet::default();
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
            if provision.terms.iter().any(|&t| t >= self.terms.len()) {
                return Some(format!("provision {label} refers to a term that does not exist"));
            }
            if provision.table.is_some_and(|t| t >= self.tables.len()) {
                return Some(format!("provision {label} refers to a table that does not exist"));
            }
            let slice = text.slice(provision.anchor.start, provision.anchor.end);
            if !slice.is_some_and(|slice| collapses_to(slice, &provision.text)) {
                return Some(format!("the anchor of provision {label} does not select its text"));
            }
            let form = provision.anchor.verbal_form;
            if form.is_some_and(|form| text.slice(form.start, form.end).is_none()) {
                return Some(format!("the verbal form of provision {label} is outside its section"));
            }
            last = Some((provision.section, text));
        }
        None
    }
}

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
