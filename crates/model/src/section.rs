//! Sections: the elements of an edition's hierarchy, with their content.

use crate::{Lang, SectionId};

/// Kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Foreword, national forewords included.
    Foreword,
    /// Introduction before the first clause.
    Introduction,
    /// Clause with the scope of the document.
    Scope,
    /// List of normative references.
    NormativeReferences,
    /// Clause with terms and definitions.
    Terms,
    /// One entry of a term.
    Term,
    /// Any clause of the body.
    Clause,
    /// Annex, normative or informative.
    Annex,
    /// Bibliography at the end of the document.
    Bibliography,
    /// Footnotes gathered in one place.
    Footnotes,
    /// Alphabetical index of the document.
    Index,
    /// Any other part of front or back matter.
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
    /// Kind of section: clause, annex, front or back matter.
    pub kind: SectionKind,
    /// Language of its text: one of the document's; the main one when none is detected.
    pub language: Lang,
    /// Set where its text is normative.
    pub normative: bool,
    /// Depth: 1 at the top.
    pub level: u16,
    /// Index of the section around it.
    pub parent: Option<usize>,
    /// Number of adoptions between its text and the innermost document. It is 0 in a document that adopts
    /// none and in the one that all others adopt, and 1 in the adoption around that one.
    pub layer: u8,
    /// Markup without that of nested sections, well-formed alone.
    pub xml: String,
    /// Text without that of nested sections.
    pub text: String,
}
