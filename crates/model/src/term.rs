//! Terms: concepts with their designations and definitions (ISO 10241-1; TBX, ISO 30042).

use crate::{Lang, TermId};

/// One concept of the edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Unique in the edition.
    pub id: TermId,
    /// Number of the entry: `3.2`.
    pub number: Option<String>,
    /// Words, phrases and symbols for the concept, in source order.
    pub designations: Vec<Designation>,
    /// Definitions, one for each language stated.
    pub definitions: Vec<Definition>,
    /// Subject fields in which the concept is used.
    pub domains: Vec<TermText>,
    /// Notes to the entry, in source order.
    pub notes: Vec<TermText>,
    /// Examples of the concept, in source order.
    pub examples: Vec<TermText>,
    /// The sources of the entry.
    pub sources: Vec<TermText>,
    /// Index of the section that it is in, in [`crate::EditionParts::sections`].
    pub section: usize,
}

impl Term {
    /// The designation to use in a language: the preferred one, else any of that language, else of another
    /// one.
    pub fn designation_in(&self, language: &Lang) -> Option<&Designation> {
        self.designations.iter().min_by_key(|designation| {
            let is_foreign = designation.language != *language;
            let is_not_preferred = designation.status != DesignationStatus::Preferred;
            (is_foreign, is_not_preferred)
        })
    }

    /// The designations, the preferred ones before all others, each kind in source order.
    pub fn designations_preferred_first(&self) -> impl Iterator<Item = &Designation> {
        let (preferred, others): (Vec<_>, Vec<_>) =
            self.designations.iter().partition(|one| one.status == DesignationStatus::Preferred);
        preferred.into_iter().chain(others)
    }
}

/// One word, phrase or symbol for a concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Designation {
    /// The designation as plain text.
    pub text: String,
    /// Status that the publisher gives it.
    pub status: DesignationStatus,
    /// Kind as the source names it: `acronym`, `symbol`, `fullForm`…
    pub kind: Option<String>,
    /// Part of speech as the source names it: `noun`, `verb`…
    pub part_of_speech: Option<String>,
    /// Language of the text.
    pub language: Lang,
}

/// Status that the publisher gives a designation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DesignationStatus {
    /// The one to use.
    Preferred,
    /// One that may be used too.
    Admitted,
    /// One that is not to be used.
    Deprecated,
}

/// A definition in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Language of the text.
    pub language: Lang,
    /// The definition as plain text.
    pub text: String,
    /// As the source's own markup, well-formed alone.
    pub xml: String,
}

/// A note, example, source or subject field in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermText {
    /// Language of the text.
    pub language: Lang,
    /// The note, example, source or field as plain text.
    pub text: String,
}
