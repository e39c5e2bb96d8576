//! Standards to export, and options.

use norma_api::shapes::{BibliographicData, Provision, SectionNode, Table, Term};

/// What the column `id` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdColumn {
    /// The provision in its edition: `prv_…`.
    #[default]
    Provision,
    /// The lineage of the provision, which has the same id in all editions: `lin_…`.
    Lineage,
}

/// Options of an export.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions<'a> {
    /// What the column `id` names.
    pub identity: IdColumn,
    /// URL of the service that the standards come from.
    pub service: &'a str,
}

/// A standard with what is exported of it, all of one revision.
#[derive(Clone, Debug)]
pub struct ExportedStandard<'a> {
    /// What a bibliography says of it.
    pub bibliographic: BibliographicData<'a>,
    /// The provisions that are exported; with their lineages for the column `lineage`.
    pub provisions: Vec<Provision<'a>>,
    /// The terms, whose designations the column `terms` has.
    pub terms: Vec<Term<'a>>,
    /// The tables. CSV does not have them.
    pub tables: Vec<Table<'a>>,
    /// The section hierarchy, for the column `levels`.
    pub outline: Vec<SectionNode<'a>>,
}
