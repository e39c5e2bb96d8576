//! Authored provisions: what the source itself marks is kept whole and never split.

use std::collections::BTreeMap;

use norma_model::{Origin, ProvisionKind};

use super::Input;
use super::draft::{Draft, Type};
use super::judge::{Manner, judge};
use super::language::Language;
use super::sentences::sentences;
use super::words::tokens;

/// The provisions that the source marks: one for each mark in each section.
pub(super) fn authored(input: &Input<'_>, language: Option<&'static Language>, manner: Manner) -> Vec<Draft> {
    let mut marks: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (index, block) in input.blocks.iter().enumerate().filter(|(_, b)| !b.range.is_empty()) {
        if let Some(authored) = &block.authored {
            marks.entry((block.section, authored.mark)).or_default().push(index);
        }
    }
    marks.into_values().filter_map(|marked| provision(&marked, input, language, manner)).collect()
}

fn provision(
    marked: &[usize],
    input: &Input<'_>,
    language: Option<&'static Language>,
    manner: Manner,
) -> Option<Draft> {
    let Input { sections, blocks, limits, .. } = *input;
    let (&first, &last) = (marked.first()?, marked.last()?);
    let text = &sections[blocks[first].section].text;
    let hits: Vec<_> = language
        .into_iter()
        .flat_map(|language| {
            marked.iter().flat_map(move |&at| {
                let block = &blocks[at];
                sentences(text, block.range.clone(), &block.spans, language)
                    .into_iter()
                    .filter(move |sentence| sentence.len() <= limits.sentence_bytes)
                    .flat_map(move |sentence| {
                        let tokens = tokens(text, sentence, &block.spans, &language.lexicon);
                        judge(text, &tokens, language, manner)
                    })
            })
        })
        .collect();
    let mark = blocks[first].authored.as_ref()?;
    let hit = match mark.kind {
        Some(kind) => hits.iter().find(|hit| hit.kind == kind).or(hits.first()),
        None => hits.iter().min_by_key(|hit| hit.kind),
    };
    let kind = mark.kind.or(hit.map(|hit| hit.kind));
    let same = hit.filter(|hit| Some(hit.kind) == kind);
    let sure = if mark.kind.is_some() { 1.0 } else { hit.map_or(0.5, |hit| hit.confidence) };
    Some(Draft {
        block: first,
        section: blocks[first].section,
        range: trimmed(text, blocks[first].range.start..blocks[last].range.end),
        lead: Vec::new(),
        r#type: Type {
            // A marked block without any verbal form still binds whoever marked it as a provision.
            kind: kind.unwrap_or(ProvisionKind::Requirement),
            rule: "authored",
            verbal_form: hit.map(|hit| hit.verbal_form.clone()).unwrap_or_default(),
            place: hit.map(|hit| hit.place.clone()),
            negated: same.is_some_and(|hit| hit.rule.negated),
            confidence: sure,
            alternatives: &[],
        },
        container: norma_model::Container::Block,
        origin: Origin::Authored,
        element: mark.element.or(blocks[first].element).map(Into::into),
        xml: (first == last).then(|| blocks[first].xml.clone()).flatten(),
        blocks: marked.to_vec(),
        terms: None,
        further: false,
    })
}

fn trimmed(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let piece = &text[range.clone()];
    range.start + piece.len() - piece.trim_start().len()..range.start + piece.trim_end().len()
}
