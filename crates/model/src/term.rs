//! Terms: concepts with their designations and definitions (ISO 10241-1; TBX, ISO 30042).

use crate::{Lang, TermId};

/// One concept of the edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Unique in the edition.
    pub id: TermId,
    /// Number of the entry: `3.2`.
    pub number: Option<String>,
    /// Its designations, in source order.
    pub designations: Vec<Designation>,
    /// Its definitions, one for each language stated.
    pub definitions: Vec<Definition>,
    /// Subject fields.
    pub domains: Vec<TermText>,
    /// Notes to entry.
    pub notes: Vec<TermText>,
    /// Examples.
    pub examples: Vec<TermText>,
    /// The sources of the entry.
    pub sources: Vec<TermText>,
    /// Index of its section in [`crate::EditionParts::sections`].
    pub section: usize,
}

impl Term {
    /// The designation to use in a language: the preferred one, else any of that language, else of another
    /// one.
    pub fn designation_in(&self, language: &Lang) -> Option<&Designation> {
        let is_preferred = |one: &Designation| one.status == DesignationStatus::Preferred;
        self.designations.iter().min_by_key(|one| (one.language != *language, !is_preferred(one)))
    }

    /// Its designations, the preferred ones before all others, each kind in source order.
    pub fn designations_preferred_first(&self) -> impl Iterator<Item = &Designation> {
        let (preferred, others): (Vec<_>, Vec<_>) =
            self.designations.iter().partition(|one| one.status == DesignationStatus::Preferred);
        preferred.into_iter().chain(others)
    }
}

/// One word, phrase or symbol for a concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Designation {
    /// The designation as text.
    pub text: String,
    /// Status that the publisher gives it.
    pub status: DesignationStatus,
    /// Kind as the source names it: `acronym`, `symbol`, `fullForm`…
    pub kind: Option<String>,
    /// Part of speech as the source names it: `noun`, `verb`…
    pub part_of_speech: Option<String>,
    /// Its language.
    pub language: Lang,
}

/// Status that the publisher gives a designation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DesignationStatus {
    /// The one to use.
    Preferred,
    /// May be used.
    Admitted,
    /// Not to be used.
    Deprecated,
}

/// A definition in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its language.
    pub language: Lang,
    /// As plain text.
    pub text: String,
    /// As the source's own markup, well-formed alone.
    pub xml: String,
}

/// A note, example, source or subject field in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermText {
    /// Its language.
    pub language: Lang,
    /// As plain text.
    pub text: String,
}
