//! Input and result of the search for provisions.

use norma_model::{EditionContexts, Graphic, Lang, Provision, ProvisionId, Section, Table, Term, Urn};

use crate::blocks::{Block, Numbered};
use crate::diagnostics::Diagnostics;

/// Bounds on the search. Hints name them as the settings of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Most bytes of a sentence that is read; longer ones are reported. Default: 64 KiB.
    pub sentence_bytes: usize,
    /// Diagnostics of one kind that are listed. Default: 1000.
    pub diagnostics: usize,
    /// Most provisions of an edition; the search ends soon after there are more. Default: any number.
    pub provisions: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { sentence_bytes: 64 << 10, diagnostics: 1000, provisions: usize::MAX }
    }
}

/// The texts in which provisions are searched, with their context.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// URN of the edition, which enters the ids.
    pub urn: &'a Urn,
    /// The earlier URN of the edition, if it has another one now.
    pub former_urn: Option<&'a Urn>,
    /// Languages of the text, the most used first.
    pub languages: &'a [Lang],
    /// The index of the language of each section; blocks in another have their own.
    pub language_of: &'a [usize],
    /// The sections, with their texts.
    pub sections: &'a [Section],
    /// The units of reading of the texts, in document order.
    pub blocks: &'a [Block<'a>],
    /// The terms that a provision may use.
    pub terms: &'a [Term],
    /// The tables that a reference may name.
    pub tables: &'a [Table],
    /// The figures that a reference may name.
    pub graphics: &'a [Graphic],
    /// The numbered formulae and groups that a reference may name.
    pub numbered: &'a [Numbered],
    /// The document's own reference: `ISO 712:2009`.
    pub reference: &'a str,
    /// The limits of reading and of results.
    pub limits: &'a SearchLimits,
}

impl Input<'_> {
    /// The index of the language of a block.
    pub(crate) fn language_of_block(&self, block: usize) -> usize {
        let block = &self.blocks[block];
        block.language.map_or(self.language_of[block.section], usize::from)
    }
}

/// The results, in document order.
#[derive(Debug)]
pub struct FoundProvisions {
    /// The provisions in document order.
    pub provisions: Vec<Provision>,
    /// The ids that the provisions have under the former URN, in the same order; empty without one.
    pub former_ids: Vec<ProvisionId>,
    /// What is around the provisions and in the sections, and decides what they say.
    pub contexts: EditionContexts,
    /// True for a text that may state duties without a verbal form, which no rule finds: a law.
    pub duties_without_verbal_form: bool,
    /// Misplaced obligations, and sentences that were not read; by the block.
    pub diagnostics: Diagnostics,
}
