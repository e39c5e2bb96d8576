//! Provisions of an edition: requirements, recommendations, permissions, capabilities and external
//! constraints, found in its [`blocks`] sentence by sentence by rules that are data.
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
mod expressions;
pub mod identifier;
mod identity;
mod input;
mod language;
mod lead_in;
mod lexicon;
mod matching;
mod negation;
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
mod word_lists;

use norma_model::Lang;

use classify::ReadingMode;
use conventions::{Conventions, Soll, is_law};
use diagnostics::Diagnostics;
use language::Language;
use terms::Vocabulary;

pub use anatomy::{has_number, is_unit_symbol, read_cells, read_sentence};
pub use input::{FoundProvisions, Input, SearchLimits};

/// Finds the provisions of an edition; `None` if there are more than the limit. Each section is read by the
/// rules of its language; without rules only those that the source marks are found.
pub fn find(input: &Input<'_>) -> Option<FoundProvisions> {
    let english = input.languages.iter().filter(|lang| lang.primary() == "en").find_map(Language::of);
    let conventions = Conventions::of(input.urn.as_partial(), input.sections, |conventions| {
        english.is_some_and(|english| {
            let roles = eligibility::roles(input.sections, Some(english));
            derive::uses_shall(input, english, &roles, conventions)
        })
    });
    let german = input.languages.iter().any(|lang| lang.primary() == "de");
    let french = input.languages.iter().any(|lang| lang.primary() == "fr");
    let law = (german || french) && is_law(input.urn.as_partial(), input.sections);
    let soll = if german { Soll::of(input.sections, law) } else { Soll::default() };
    let conventions = Conventions { soll, law, ..conventions };
    let mode = ReadingMode { conventions, ..ReadingMode::default() };
    let mut drafts = Vec::new();
    let mut diagnostics = Diagnostics::new(input.limits.diagnostics);
    let vocabularies: Vec<_> =
        input.languages.iter().map(|lang| Vocabulary::new(input.terms, lang)).collect();
    for (index, lang) in input.languages.iter().enumerate() {
        let language = Language::of(lang);
        let within = |block: usize| input.language_of_block(block) == index;
        let roles = eligibility::roles(input.sections, language);
        drafts.extend(authored::authored(input, language, mode).into_iter().filter(|d| within(d.block)));
        if let Some(language) = language {
            let (derived, found) =
                derive::derived(input, index, language, &roles, &vocabularies[index], conventions)?;
            drafts.extend(derived);
            diagnostics.extend(found);
        }
    }
    if drafts.len() > input.limits.provisions {
        return None;
    }
    let duties_without_verbal_form = law && !input.blocks.is_empty();
    if duties_without_verbal_form {
        let message =
            "a law may state duties in the present tense, without a verbal form; none of these is found";
        diagnostics.add("duties-in-present-tense", 0, message);
    }
    drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    let (provisions, former_ids) = assemble::assemble(input, drafts, &vocabularies);
    Some(FoundProvisions { provisions, former_ids, duties_without_verbal_form, diagnostics })
}

/// The languages for which there are rules, by their primary subtags.
pub fn languages() -> impl Iterator<Item = &'static str> {
    Language::codes()
}

/// Whether there are rules for a language.
pub fn has_rules(language: &Lang) -> bool {
    Language::of(language).is_some()
}
