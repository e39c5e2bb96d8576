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
mod context;
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
mod meaning;
mod negation;
mod notes;
mod opening;
mod orders;
mod pattern;
mod phrases;
mod references;
mod section_context;
mod sentences;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod tokenizer;
mod word_lists;
mod word_uses;

use norma_model::Lang;

use assemble::AssembledProvisions;
use classify::ReadingMode;
use conventions::{Conventions, Soll, is_law};
use diagnostics::Diagnostics;
use language::Language;
use terms::Vocabulary;

pub use anatomy::{has_number, is_unit_symbol, read_cells, read_sentence};
pub use input::{FoundProvisions, Input, SearchLimits};
pub use references::plain_references;
pub use word_uses::{WordUses, begins_note, decimal_sign_of, word_uses};

/// Finds the provisions of an edition; `None` if there are more than the limit. Each section is read by the
/// rules of its language; without rules only those that the source marks are found.
pub fn find(input: &Input<'_>) -> Option<FoundProvisions> {
    let conventions = document_conventions(input);
    let mode = ReadingMode { conventions, ..ReadingMode::default() };
    let mut drafts = Vec::new();
    let mut diagnostics = Diagnostics::new(input.limits.diagnostics);
    let vocabularies: Vec<Vocabulary<'_>> =
        input.languages.iter().map(|lang| Vocabulary::new(input.terms, lang)).collect();
    for (index, lang) in input.languages.iter().enumerate() {
        let language = Language::of(lang);
        for draft in authored::authored(input, language, mode) {
            // Those of other languages are read by their own rules.
            if input.language_of_block(draft.block) == index {
                drafts.push(draft);
            }
        }
        if let Some(language) = language {
            let roles = eligibility::roles(input.sections, Some(language));
            let (derived, found) =
                derive::derived(input, index, language, &roles, &vocabularies[index], conventions)?;
            drafts.extend(derived);
            diagnostics.extend(found);
        }
    }
    if drafts.len() > input.limits.provisions {
        return None;
    }
    let duties_without_verbal_form = conventions.law && !input.blocks.is_empty();
    if duties_without_verbal_form {
        let message =
            "a law may state duties in the present tense, without a verbal form; none of these is found";
        diagnostics.add("duties-in-present-tense", 0, message);
    }
    drafts.sort_by_key(|draft| (draft.section, draft.range.start, draft.further));
    let AssembledProvisions { provisions, former_ids, contexts } =
        assemble::assemble(input, drafts, &vocabularies);
    Some(FoundProvisions { provisions, former_ids, contexts, duties_without_verbal_form, diagnostics })
}

/// What the whole document says about the meaning of its verbal forms.
fn document_conventions(input: &Input<'_>) -> Conventions {
    let (urn, sections) = (input.urn.as_partial(), input.sections);
    let mut conventions = Conventions::of(urn, sections, |conventions| {
        let Some(english) = language_with_code(input, "en").and_then(Language::of) else { return false };
        let roles = eligibility::roles(sections, Some(english));
        derive::uses_shall(input, english, &roles, conventions)
    });
    let has_german = language_with_code(input, "de").is_some();
    let has_french = language_with_code(input, "fr").is_some();
    conventions.law = (has_german || has_french) && is_law(urn, sections);
    if has_german {
        conventions.soll = Soll::of(sections, conventions.law);
    }
    conventions
}

/// The first language of the document with a primary subtag.
fn language_with_code<'a>(input: &Input<'a>, code: &str) -> Option<&'a Lang> {
    input.languages.iter().find(|lang| lang.primary() == code)
}

/// The languages for which there are rules, by their primary subtags.
pub fn languages() -> impl Iterator<Item = &'static str> {
    Language::codes()
}

/// True for a language with rules; provisions of others are not found, unless the source marks them.
pub fn has_rules(language: &Lang) -> bool {
    Language::of(language).is_some()
}
