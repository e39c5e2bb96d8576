//! Finds the provisions of an edition: reads its blocks sentence by sentence, by rules that stand as data.

use norma_model::{Lang, Provision, Section, Table, Term, Urn};

use crate::blocks::Block;

/// What provisions are looked for in.
pub(crate) struct Input<'a> {
    pub(crate) urn: &'a Urn,
    pub(crate) language: &'a Lang,
    pub(crate) sections: &'a [Section],
    pub(crate) blocks: &'a [Block],
    pub(crate) terms: &'a [Term],
    pub(crate) tables: &'a [Table],
}

/// What was found, in document order.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) provisions: Vec<Provision>,
    pub(crate) diagnostics: Vec<Flaw>,
}

/// An obligation where none should stand.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// Index of the block.
    pub(crate) block: usize,
    /// `provision-in-note` and the like.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: String,
}

/// Finds the provisions of an edition.
pub(crate) fn find(input: &Input<'_>) -> Found {
    let _ = (input.urn, input.language, input.sections, input.blocks, input.terms, input.tables);
    Found::default()
}
