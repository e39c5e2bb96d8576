//! Finds the provisions of an edition: reads its blocks sentence by sentence, by rules that stand as data.

mod authored;
mod clauses;
mod conventions;
mod derive;
mod draft;
mod eval;
mod expressions;
mod finish;
mod gold;
mod identity;
mod judge;
mod language;
mod lead;
mod lexicon;
mod matching;
mod notes;
mod opening;
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

use norma_model::{Graphic, Lang, Provision, Section, Table, Term, Urn};

use crate::Limits;
use crate::blocks::{Block, Formula};
use crate::diagnostic::{Flaw, Flaws};
use conventions::Conventions;
use judge::Manner;
use language::Language;
use place::{Place, Role};
use terms::Vocabulary;

pub use eval::{GoldError, Report, Row, eval};

/// What provisions are looked for in.
pub(crate) struct Input<'a> {
    pub(crate) urn: &'a Urn,
    /// Languages of the text, the most used first.
    pub(crate) languages: &'a [Lang],
    /// Of each section, the index of its language.
    pub(crate) language_of: &'a [usize],
    pub(crate) sections: &'a [Section],
    pub(crate) blocks: &'a [Block<'a>],
    pub(crate) terms: &'a [Term],
    pub(crate) tables: &'a [Table],
    pub(crate) graphics: &'a [Graphic],
    pub(crate) formulas: &'a [Formula],
    /// The document's own reference: `ISO 712:2009`.
    pub(crate) reference: &'a str,
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

/// Finds the provisions of an edition; `None` when there are more than there may be. Each section is read by the rules of
/// its language; without rules only those that the source marks are found.
pub(crate) fn find(input: &Input<'_>) -> Option<Found> {
    let english = input.languages.iter().filter(|lang| lang.primary() == "en").find_map(Language::of);
    let conventions = Conventions::of(input.urn.as_partial(), input.sections, |conventions| {
        english.is_some_and(|english| {
            let roles = place::roles(input.sections, Some(english));
            derive::uses_shall(input, english, &roles, conventions)
        })
    });
    let manner = Manner { conventions, ..Manner::default() };
    let mut drafts = Vec::new();
    let mut flaws = Flaws::new(input.limits.flaws);
    let vocabularies: Vec<_> =
        input.languages.iter().map(|lang| Vocabulary::new(input.terms, lang)).collect();
    for (index, lang) in input.languages.iter().enumerate() {
        let language = Language::of(lang);
        let within = |section: usize| input.language_of[section] == index;
        let roles = place::roles(input.sections, language);
        drafts.extend(authored::authored(input, language, manner).into_iter().filter(|d| within(d.section)));
        if let Some(language) = language {
            let (derived, found) =
                derive::derived(input, index, language, &roles, &vocabularies[index], conventions)?;
            drafts.extend(derived);
            flaws.extend(found);
            if drafts.is_empty() && flaws.is_empty() {
                unread_form(input, index, language, &roles).into_iter().for_each(|flaw| flaws.push(flaw));
            }
        }
    }
    if drafts.len() > input.most {
        return None;
    }
    drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    Some(Found { provisions: finish::finish(input, drafts, &vocabularies), flaws })
}

/// Whether there are rules for a language.
pub(crate) fn has_rules(language: &Lang) -> bool {
    Language::of(language).is_some()
}

/// The first verbal form of a text in which no provision was found, with the reason.
fn unread_form(input: &Input<'_>, index: usize, language: &Language, roles: &[Role]) -> Option<Flaw> {
    let (block, form) = (0..input.blocks.len()).find_map(|at| {
        let block = &input.blocks[at];
        let text = &input.sections[block.section].text[block.range.clone()];
        let start =
            language.spelled_traces(text).next().filter(|_| input.language_of[block.section] == index)?;
        let end = text[start..].find(|c: char| !c.is_alphabetic()).map_or(text.len(), |end| start + end);
        Some((at, &text[start..end]))
    })?;
    let reason = match place::place(&input.blocks[block], roles[input.blocks[block].section]) {
        Place::Silent => "this part of the document states none",
        _ => "no rule reads its sentence as one",
    };
    let message = format!("`{form}` is in the text, and no provision was found: {reason}");
    Some(Flaw { code: "no-provision", at: block, message })
}
