//! Sections: the elements of an edition's hierarchy, with their content.

use crate::{Lang, SectionId};

/// Kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Foreword, national forewords included.
    Foreword,
    /// Introduction.
    Introduction,
    /// Scope.
    Scope,
    /// List of normative references.
    NormativeReferences,
    /// Terms and definitions.
    Terms,
    /// One term entry.
    Term,
    /// Any clause of the body.
    Clause,
    /// Annex.
    Annex,
    /// Bibliography.
    Bibliography,
    /// Footnotes gathered in one place.
    Footnotes,
    /// Index.
    Index,
    /// Anything else.
    Other,
}

/// One element of the hierarchy. Sections are in document order, parents before children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Unique in the edition.
    pub id: SectionId,
    /// The source's own id, where the section's `id` differs from it.
    pub source_id: Option<Box<str>>,
    /// Label as written: `4.2.1`, `Annex A`.
    pub label: Option<Box<str>>,
    /// Label without its leading word, white space and final dot; letters in upper case.
    pub number: Option<Box<str>>,
    /// Title as plain text.
    pub title: Option<Box<str>>,
    /// Its kind.
    pub kind: SectionKind,
    /// Language of its text: one of the document's; the main one when none is detected.
    pub language: Lang,
    /// Whether its text is normative.
    pub normative: bool,
    /// Depth: 1 at the top.
    pub level: u16,
    /// Index of the section around it.
    pub parent: Option<usize>,
    /// Number of adoptions between its text and the innermost document. It is 0 in a document that adopts
    /// none and in the one that all others adopt, and 1 in the adoption around that one.
    pub layer: u8,
    /// Its own markup without its nested sections, well-formed alone.
    pub xml: String,
    /// Its own text without its nested sections.
    pub text: String,
}
