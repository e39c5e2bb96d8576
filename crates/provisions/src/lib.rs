//! Provisions of an edition: requirements, recommendations, permissions, capabilities and external constraints, found in its
//! [`blocks`] sentence by sentence by rules that are data.
//!
//! It knows text and its units, never the markup that they come from, and depends on `norma-model` alone.

mod anatomy;
mod assemble;
mod authored;
pub mod blocks;
mod classify;
mod clauses;
mod conventions;
mod derive;
pub mod diagnostics;
mod draft;
mod eligibility;
mod eval;
mod expressions;
mod gold;
pub mod identifier;
mod identity;
mod input;
pub mod label;
mod language;
mod lead_in;
mod lexicon;
mod matching;
mod notes;
mod opening;
mod orders;
mod pattern;
mod phrases;
mod references;
mod sentences;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod tokenizer;

use norma_model::Lang;

use classify::ReadingMode;
use conventions::{Conventions, Soll};
use diagnostics::{Diagnostics, RawDiagnostic};
use eligibility::{Eligibility, Role};
use language::Language;
use terms::Vocabulary;

pub use eval::{ClassRow, Counts, GoldError, Report, Row, eval};
pub use input::{Found, Input, Limits};

/// Finds the provisions of an edition; `None` when there are more than there may be. Each section is read by the rules of
/// its language; without rules only those that the source marks are found.
pub fn find(input: &Input<'_>) -> Option<Found> {
    let english = input.languages.iter().filter(|lang| lang.primary() == "en").find_map(Language::of);
    let conventions = Conventions::of(input.urn.as_partial(), input.sections, |conventions| {
        english.is_some_and(|english| {
            let roles = eligibility::roles(input.sections, Some(english));
            derive::uses_shall(input, english, &roles, conventions)
        })
    });
    let german = input.languages.iter().any(|lang| lang.primary() == "de");
    let soll = if german { Soll::of(input.urn.as_partial(), input.sections) } else { Soll::default() };
    let conventions = Conventions { soll, ..conventions };
    let mode = ReadingMode { conventions, ..ReadingMode::default() };
    let mut drafts = Vec::new();
    let mut diagnostics = Diagnostics::new(input.limits.diagnostics);
    let vocabularies: Vec<_> =
        input.languages.iter().map(|lang| Vocabulary::new(input.terms, lang)).collect();
    for (index, lang) in input.languages.iter().enumerate() {
        let language = Language::of(lang);
        let within = |section: usize| input.language_of[section] == index;
        let roles = eligibility::roles(input.sections, language);
        drafts.extend(authored::authored(input, language, mode).into_iter().filter(|d| within(d.section)));
        if let Some(language) = language {
            let (derived, found) =
                derive::derived(input, index, language, &roles, &vocabularies[index], conventions)?;
            drafts.extend(derived);
            diagnostics.extend(found);
            if drafts.is_empty() && diagnostics.is_empty() {
                unread_form(input, index, language, &roles)
                    .into_iter()
                    .for_each(|diagnostic| diagnostics.push(diagnostic));
            }
        }
    }
    if drafts.len() > input.limits.provisions {
        return None;
    }
    drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    let (provisions, former_ids) = assemble::assemble(input, drafts, &vocabularies);
    Some(Found { provisions, former_ids, diagnostics })
}

/// Whether there are rules for a language.
pub fn has_rules(language: &Lang) -> bool {
    Language::of(language).is_some()
}

/// The first verbal form of a text in which no provision was found, with the reason.
fn unread_form(
    input: &Input<'_>,
    index: usize,
    language: &Language,
    roles: &[Role],
) -> Option<RawDiagnostic> {
    let (block, form) = (0..input.blocks.len()).find_map(|at| {
        let block = &input.blocks[at];
        let text = &input.sections[block.section].text[block.range.clone()];
        let start =
            language.spelled_traces(text).next().filter(|_| input.language_of[block.section] == index)?;
        let end = text[start..].find(|c: char| !c.is_alphabetic()).map_or(text.len(), |end| start + end);
        Some((at, &text[start..end]))
    })?;
    let reason = match eligibility::eligibility(&input.blocks[block], roles[input.blocks[block].section]) {
        Eligibility::Ignored => "this part of the document states none",
        _ => "no rule reads its sentence as one",
    };
    let message = format!("`{form}` is in the text, and no provision was found: {reason}");
    Some(RawDiagnostic { code: "no-provision", at: block, message })
}
