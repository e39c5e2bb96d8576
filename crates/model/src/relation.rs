//! Relations of an edition to other documents.

use crate::PartialUrn;

/// Kind of relation from one document to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RelationKind {
    /// It replaces the other.
    Replaces,
    /// It changes the other in part.
    Amends,
    /// It adopts the other as its own.
    Adopts,
    /// The other is indispensable for its application.
    NormativeReference,
    /// The other is named for information.
    InformativeReference,
    /// Any other relation that the source states.
    Related,
}

/// One document that the edition relates to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The other document as cited: `ISO 712:2009`.
    pub reference: String,
    /// The other document's URN, derived from the text of the reference alone.
    pub urn: Option<PartialUrn>,
    /// Set where the reference names one dated edition.
    pub dated: bool,
    /// Year or date of that edition, as cited: `2009`, `2008-12`.
    pub date: Option<String>,
    /// Title of the other document as cited.
    pub title: Option<String>,
    /// Indices in [`crate::EditionParts::sections`] of the sections that cite it, in order.
    pub sections: Vec<usize>,
}
