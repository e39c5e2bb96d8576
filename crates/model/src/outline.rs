//! Outline of an edition: ids and numbers of its parts, enough to resolve a selection without the content.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::label::number_of;
use crate::{Edition, ProvisionId, ProvisionKind, ReferenceTarget, SectionId, TableId, TermId};

mod index;

pub(crate) use index::{OutlineIndex, PartLookup};

/// Sections, provisions, tables and terms of an edition by id and number, in document order.
///
/// It serialises by position (postcard); no field name of it is part of any contract. Lookup tables are built
/// at the first selection and cached: do not change the parts after that, build a new outline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// All sections in document order, parents before children.
    pub sections: Vec<OutlineSection>,
    /// All provisions in document order.
    pub provisions: Vec<OutlineProvision>,
    /// All tables in document order.
    pub tables: Vec<OutlineTable>,
    /// All terms in document order.
    pub terms: Vec<OutlineTerm>,
    /// The figures, which are stored apart from the rest.
    #[serde(skip)]
    figures: Vec<OutlineFigure>,
    #[serde(skip)]
    lazy: index::Lazy,
}

/// Position of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineSection {
    /// Id of the section.
    pub id: SectionId,
    /// Number of the section, where it has one: `4.2`.
    pub number: Option<Box<str>>,
    /// Index of the section around it.
    pub parent: Option<u32>,
    /// One past the index of the last section of its subtree.
    pub end: u32,
    /// Provisions of the section itself: first index and one past the last.
    pub provisions: (u32, u32),
}

/// Position of a provision and the values that filters use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineProvision {
    /// Id of the provision.
    pub id: ProvisionId,
    /// Type by the verbal form.
    pub kind: ProvisionKind,
    /// Set where its section is normative.
    pub normative: bool,
    /// Index of the section that it is in.
    pub section: u32,
    /// Index of the table that it is in.
    pub table: Option<u32>,
    /// Indices of the terms it uses.
    pub terms: Vec<u32>,
}

/// Id and number of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineTable {
    /// Id of the table.
    pub id: TableId,
    /// Number without the word of the label: `A.1`.
    pub number: Option<String>,
}

impl OutlineTable {
    /// True for a number that ends with a letter, like that of a part of a group: `2A`.
    pub fn is_lettered(&self) -> bool {
        let Some(number) = &self.number else { return false };
        let mut from_end = number.chars().rev();
        let ends_with_letter = from_end.next().is_some_and(|c| c.is_ascii_uppercase());
        let has_digit_before = from_end.next().is_some_and(|c| c.is_ascii_digit());
        ends_with_letter && has_digit_before
    }
}

/// Id and number of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineTerm {
    /// Id of the term entry.
    pub id: TermId,
    /// Number without the word of the label: `A.1`.
    pub number: Option<String>,
}

/// Id and number of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineFigure {
    /// Id of the figure.
    pub id: String,
    /// Number without the word of the label: `A.1`.
    pub number: Option<String>,
    /// Indices of the provisions that refer to it, ascending.
    pub provisions: Vec<u32>,
}

impl Outline {
    /// The outline of these parts, each in document order.
    pub fn new(
        sections: Vec<OutlineSection>,
        provisions: Vec<OutlineProvision>,
        tables: Vec<OutlineTable>,
        terms: Vec<OutlineTerm>,
    ) -> Self {
        Self { sections, provisions, tables, terms, figures: Vec::new(), lazy: index::Lazy::default() }
    }

    /// The same with these figures, in document order.
    pub fn with_figures(self, figures: Vec<OutlineFigure>) -> Self {
        Self { figures, lazy: index::Lazy::default(), ..self }
    }

    /// The figures, in document order.
    pub fn figures(&self) -> &[OutlineFigure] {
        &self.figures
    }

    /// The outline of an edition.
    pub fn from_edition(edition: &Edition) -> Self {
        let mut provisions = Vec::with_capacity(edition.provisions.len());
        for provision in &edition.provisions {
            provisions.push(OutlineProvision {
                id: provision.id,
                kind: provision.kind,
                normative: provision.normative,
                section: index32(provision.section),
                table: provision.table.map(index32),
                terms: provision.terms.iter().map(|&term| index32(term)).collect(),
            });
        }
        let mut tables = Vec::with_capacity(edition.tables.len());
        for table in &edition.tables {
            tables.push(OutlineTable { id: table.id.clone(), number: table.number.clone() });
        }
        let mut terms = Vec::with_capacity(edition.terms.len());
        for term in &edition.terms {
            terms.push(OutlineTerm { id: term.id.clone(), number: term.number.clone() });
        }
        Self::new(sections(edition), provisions, tables, terms).with_figures(figures(edition))
    }

    /// Lookup tables, built on first use.
    pub(crate) fn index(&self) -> &OutlineIndex {
        self.lazy.get_or_build(self)
    }
}

fn index32(index: usize) -> u32 {
    u32::try_from(index).expect("limits keep an edition below 2^32 parts")
}

/// The sections of an edition, each with the extent of its subtree.
fn sections(edition: &Edition) -> Vec<OutlineSection> {
    let mut sections = Vec::with_capacity(edition.sections.len());
    for (index, section) in edition.sections.iter().enumerate() {
        // Provisions are in document order, so that those of one section are adjacent.
        let first = edition.provisions.partition_point(|provision| provision.section < index);
        let end = edition.provisions.partition_point(|provision| provision.section <= index);
        sections.push(OutlineSection {
            id: section.id.clone(),
            number: section.number.clone(),
            parent: section.parent.map(index32),
            end: index32(index + 1),
            provisions: (index32(first), index32(end)),
        });
    }
    // From the last one, so that the subtree of a section is complete before its parent takes its end.
    for index in (0..sections.len()).rev() {
        if let Some(parent) = sections[index].parent {
            let end = sections[index].end;
            let parent = &mut sections[parent as usize];
            parent.end = parent.end.max(end);
        }
    }
    sections
}

/// The figures of an edition, each once however many graphics it has, with the provisions that refer to it or
/// to one of its graphics.
fn figures(edition: &Edition) -> Vec<OutlineFigure> {
    let mut figures: Vec<OutlineFigure> = Vec::new();
    let mut at_id: HashMap<&str, usize> = HashMap::new();
    for graphic in &edition.graphics {
        let Some(id) = &graphic.figure_id else { continue };
        let at = *at_id.entry(id).or_insert_with(|| {
            let number = graphic.label.as_deref().and_then(number_of);
            figures.push(OutlineFigure { id: id.clone(), number, provisions: Vec::new() });
            figures.len() - 1
        });
        at_id.entry(graphic.id.as_str()).or_insert(at);
    }
    for (index, provision) in (0..).zip(&edition.provisions) {
        for reference in &provision.references {
            let Some(ReferenceTarget::Part(part)) = &reference.target else { continue };
            let Some(&at) = at_id.get(part.as_str()) else { continue };
            if figures[at].provisions.last() != Some(&index) {
                figures[at].provisions.push(index);
            }
        }
    }
    figures
}
