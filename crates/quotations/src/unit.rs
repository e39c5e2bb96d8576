//! Units that a quotation may be from: provisions, and other text of an edition.

use norma_compare::ComparisonUnit;
use norma_model::{Lang, Passage, Quantity};

/// A provision, or another text of an edition: the text of a section, a definition, a note.
#[derive(Clone, Debug)]
pub struct CandidateUnit<'t> {
    /// Its plain text.
    pub text: &'t str,
    /// The sentence that it completes.
    pub lead_in: Option<&'t str>,
    /// Labels that print has in front of it and its plain text does not: `a)`, `REQ-12`, `4.2`, `Fastening`.
    pub labels: Vec<&'t str>,
    /// The language of its text.
    pub language: &'t Lang,
    /// Whether it is a text of many sentences, of which a quotation needs only those that it names: of a
    /// provision each word counts.
    pub is_running_text: bool,
    /// The passage of its verbal form, if it has one.
    pub verbal_form: Option<Passage>,
    /// Its values, limits, ranges and counts.
    pub quantities: &'t [Quantity],
    /// Its conditions.
    pub conditions: &'t [Passage],
    /// Its references, as they read.
    pub references: Vec<&'t str>,
    /// Its section and its index in the edition. Units of one section with consecutive indices are adjacent.
    pub position: Option<(usize, usize)>,
}

impl<'t> CandidateUnit<'t> {
    /// A text of which no more is known.
    pub fn of_text(text: &'t str, language: &'t Lang) -> Self {
        Self {
            text,
            lead_in: None,
            labels: Vec::new(),
            language,
            is_running_text: true,
            verbal_form: None,
            quantities: &[],
            conditions: &[],
            references: Vec::new(),
            position: None,
        }
    }

    /// A provision, by its index in the edition.
    pub fn of_provision(unit: &'t ComparisonUnit, index: usize, language: &'t Lang) -> Self {
        Self {
            text: &unit.text,
            lead_in: unit.lead_in.as_deref(),
            labels: unit.label.as_deref().into_iter().collect(),
            language,
            is_running_text: false,
            verbal_form: unit.verbal_form,
            quantities: &unit.quantities,
            conditions: &unit.conditions,
            references: unit.references.iter().map(|reference| &*reference.text).collect(),
            position: Some((unit.section, index)),
        }
    }
}
