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
    /// In document order, parents before children.
    pub sections: Vec<OutlineSection>,
    /// In document order.
    pub provisions: Vec<OutlineProvision>,
    /// In document order.
    pub tables: Vec<OutlineTable>,
    /// In document order.
    pub terms: Vec<OutlineTerm>,
    /// Stored apart from the rest.
    #[serde(skip)]
    figures: Vec<OutlineFigure>,
    #[serde(skip)]
    lazy: index::Lazy,
}

/// Position of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineSection {
    /// Its id.
    pub id: SectionId,
    /// Its number.
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
    /// Its id.
    pub id: ProvisionId,
    /// Its type.
    pub kind: ProvisionKind,
    /// Whether its section is normative.
    pub normative: bool,
    /// Index of its section.
    pub section: u32,
    /// Index of its table.
    pub table: Option<u32>,
    /// Indices of the terms it uses.
    pub terms: Vec<u32>,
}

/// Id and number of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineTable {
    /// Its id.
    pub id: TableId,
    /// Its number.
    pub number: Option<String>,
}

impl OutlineTable {
    /// Whether its number ends with a letter, like that of a part of a group: `2A`.
    pub fn is_lettered(&self) -> bool {
        let mut last = self.number.iter().flat_map(|number| number.chars().rev());
        last.next().is_some_and(|c| c.is_ascii_uppercase()) && last.next().is_some_and(|c| c.is_ascii_digit())
    }
}

/// Id and number of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineTerm {
    /// Its id.
    pub id: TermId,
    /// Its number.
    pub number: Option<String>,
}

/// Id and number of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineFigure {
    /// Its id.
    pub id: String,
    /// Its number.
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
        let index32 = |index: usize| u32::try_from(index).expect("limits keep an edition below 2^32 parts");
        let mut sections: Vec<OutlineSection> = edition
            .sections
            .iter()
            .enumerate()
            .map(|(index, section)| {
                let first = edition.provisions.partition_point(|p| p.section < index);
                let end = edition.provisions.partition_point(|p| p.section <= index);
                OutlineSection {
                    id: section.id.clone(),
                    number: section.number.clone(),
                    parent: section.parent.map(index32),
                    end: index32(index + 1),
                    provisions: (index32(first), index32(end)),
                }
            })
            .collect();
        for index in (0..sections.len()).rev() {
            if let Some(parent) = sections[index].parent {
                let end = sections[index].end;
                let parent = &mut sections[parent as usize];
                parent.end = parent.end.max(end);
            }
        }
        let provisions = edition
            .provisions
            .iter()
            .map(|p| OutlineProvision {
                id: p.id,
                kind: p.kind,
                normative: p.normative,
                section: index32(p.section),
                table: p.table.map(index32),
                terms: p.terms.iter().map(|&t| index32(t)).collect(),
            })
            .collect();
        let tables = edition
            .tables
            .iter()
            .map(|t| OutlineTable { id: t.id.clone(), number: t.number.clone() })
            .collect();
        let terms = edition
            .terms
            .iter()
            .map(|t| OutlineTerm { id: t.id.clone(), number: t.number.clone() })
            .collect();
        Self::new(sections, provisions, tables, terms).with_figures(figures(edition))
    }

    /// Lookup tables, built on first use.
    pub(crate) fn index(&self) -> &OutlineIndex {
        self.lazy.get_or_build(self)
    }
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
