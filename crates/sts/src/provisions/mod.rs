//! Finds the provisions of an edition: reads its blocks sentence by sentence, by rules that stand as data.

mod authored;
mod clauses;
mod conventions;
mod derive;
mod draft;
mod eval;
mod finish;
mod gold;
mod identity;
mod judge;
mod language;
mod lead;
mod lexicon;
mod matching;
mod notes;
mod pattern;
mod phrases;
mod place;
mod references;
mod sentences;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use norma_model::{Lang, Provision, Section, Term, Urn};

use crate::Limits;
use crate::blocks::Block;
use crate::diagnostic::Flaws;
use conventions::Conventions;
use judge::Manner;
use language::Language;
use terms::Vocabulary;

pub use eval::{GoldError, Report, Row, eval};

/// What provisions are looked for in.
pub(crate) struct Input<'a> {
    pub(crate) urn: &'a Urn,
    pub(crate) language: &'a Lang,
    pub(crate) sections: &'a [Section],
    pub(crate) blocks: &'a [Block<'a>],
    pub(crate) terms: &'a [Term],
    pub(crate) limits: &'a Limits,
    /// How many provisions there may be; reading ends soon after there are more.
    pub(crate) most: usize,
}

/// What was found, in document order.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) provisions: Vec<Provision>,
    /// Obligations where none should stand, and what was not read; by the block.
    pub(crate) flaws: Flaws,
}

/// Finds the provisions of an edition; `None` when there are more than there may be. Without rules for its language only
/// those that the source marks are found.
pub(crate) fn find(input: &Input<'_>) -> Option<Found> {
    let language = Language::of(input.language);
    let roles = place::roles(input.sections, language);
    let conventions = Conventions::of(input.urn.as_partial(), input.sections, |conventions| {
        language.is_some_and(|language| derive::uses_shall(input, language, &roles, conventions))
    });
    let manner = Manner { conventions, ..Manner::default() };
    let mut drafts = authored::authored(input, language, manner);
    let vocabulary = Vocabulary::new(input.terms, input.language);
    let mut flaws = Flaws::new(input.limits.flaws);
    if let Some(language) = language {
        let derived;
        (derived, flaws) = derive::derived(input, language, &roles, &vocabulary, conventions)?;
        drafts.extend(derived);
    }
    if drafts.len() > input.most {
        return None;
    }
    drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    Some(Found { provisions: finish::finish(input, drafts, &vocabulary), flaws })
}
