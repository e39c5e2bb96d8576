//! Relations: what an edition says of other documents.

use crate::PartialUrn;

/// How one document stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RelationKind {
    /// It takes the place of the other.
    Replaces,
    /// It changes the other in part.
    Amends,
    /// It takes the other over as its own.
    Adopts,
    /// The other is indispensable for its application.
    NormativeReference,
    /// The other is named for information.
    InformativeReference,
    /// Any other tie that the source states.
    Related,
}

/// One document that the edition relates to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The kind of tie.
    pub kind: RelationKind,
    /// The other document as cited: `ISO 712:2009`.
    pub reference: String,
    /// The other document's URN, worked out from the reference's own text alone.
    pub urn: Option<PartialUrn>,
    /// Whether the reference names one dated edition.
    pub dated: bool,
    /// Title of the other document as cited.
    pub title: Option<String>,
    /// Indices in [`crate::EditionParts::sections`] of the sections that cite it, in order.
    pub sections: Vec<usize>,
}
