//! Authored provisions: those that the source itself marks are kept whole and never split.

use std::collections::BTreeMap;

use norma_model::{Origin, ProvisionKind};

use super::classify::{ReadingMode, classify};
use super::draft::{DocumentNames, ProvisionDraft, Type};
use super::input::Input;
use super::language::Language;
use super::opening::cut;
use super::sentences::sentences;
use super::tokenizer::tokens;
use crate::blocks::BlockKind;
use crate::identifier::{kind_of_word, leading_identifier};

/// The provisions that the source marks: one for each mark in each section, or for each block of it.
pub(super) fn authored(
    input: &Input<'_>,
    language: Option<&'static Language>,
    mode: ReadingMode,
) -> Vec<ProvisionDraft> {
    let mut marks: BTreeMap<(usize, usize, usize), Vec<usize>> = BTreeMap::new();
    let mut heads: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut dependencies: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, block) in input.blocks.iter().enumerate().filter(|(_, b)| !b.range.is_empty()) {
        if let (BlockKind::Dependency, Some(table)) = (block.kind, block.table) {
            dependencies.entry(table).or_default().push(index);
        }
        let Some(authored) = &block.authored else { continue };
        let is_head = matches!(
            block.kind,
            BlockKind::Title
                | BlockKind::Caption
                | BlockKind::TableHeader
                | BlockKind::Other
                | BlockKind::Dependency
        );
        if is_head {
            heads.entry((block.section, authored.mark)).or_default().push(index);
        } else {
            let own = if authored.each { index } else { 0 };
            marks.entry((block.section, authored.mark, own)).or_default().push(index);
        }
    }
    let provision = |((section, mark, _), marked): ((usize, usize, usize), Vec<usize>)| {
        let table = input.blocks[*marked.first()?].table;
        let draft = provision(&marked, input, language, mode)?;
        let name =
            |&head: &usize| identifier(&input.sections[section].text[input.blocks[head].range.clone()]);
        let head = || heads.get(&(section, mark))?.iter().find_map(name);
        let identifier = draft.names.identifier.or_else(head);
        let dependencies = table.and_then(|table| dependencies.get(&table)).cloned().unwrap_or_default();
        Some(ProvisionDraft { names: DocumentNames { identifier, ..draft.names }, dependencies, ..draft })
    };
    marks.into_iter().filter_map(provision).collect()
}

/// The identifier of a head that holds one.
fn identifier(head: &str) -> Option<Box<str>> {
    let found = leading_identifier(head)?;
    (found.rest.is_empty() || found.marked).then(|| found.name.into())
}

fn provision(
    marked: &[usize],
    input: &Input<'_>,
    language: Option<&'static Language>,
    mode: ReadingMode,
) -> Option<ProvisionDraft> {
    let Input { sections, blocks, limits, .. } = *input;
    let (&first, &last) = (marked.first()?, marked.last()?);
    let text = &sections[blocks[first].section].text;
    let mark = blocks[first].authored.as_ref()?;
    let mut range = trimmed(text, blocks[first].range.start..blocks[last].range.end);
    let mut names = DocumentNames {
        identifier: mark.identifier.as_deref().map(Into::into),
        item_label: mark.label.as_deref().map(Into::into),
    };
    let mut stated = mark.kind;
    if let Some(language) = language {
        let opening = cut(text, &mut range, &blocks[first].spans, language);
        if let Some(own) = opening.identifier.map(|name| &text[name]) {
            stated = own.split_whitespace().next().and_then(kind_of_word).or(stated);
            names.identifier = Some(own.into());
        }
        names.item_label = opening.label.map(|label| text[label].into()).or(names.item_label);
    }
    let hits: Vec<_> = language
        .into_iter()
        .flat_map(|language| {
            let start = range.start;
            // A block may hold nothing but the opening.
            marked.iter().filter(move |&&at| blocks[at].range.end > start).flat_map(move |&at| {
                let block = &blocks[at];
                let own = block.range.start.max(start)..block.range.end;
                sentences(text, own, &block.spans, language)
                    .into_iter()
                    .filter(move |sentence| sentence.len() <= limits.sentence_bytes)
                    .flat_map(move |sentence| {
                        let tokens = tokens(text, sentence, &block.spans, &language.lexicon);
                        classify(text, &tokens, language, mode)
                    })
            })
        })
        .collect();
    let hit = match stated {
        Some(kind) => hits.iter().find(|hit| hit.kind == kind).or(hits.first()),
        None => hits.iter().min_by_key(|hit| hit.kind),
    };
    if mark.tabular && mark.kind.is_none() && hit.is_none() {
        return None;
    }
    let kind = stated.or(hit.map(|hit| hit.kind));
    let same = hit.filter(|hit| Some(hit.kind) == kind);
    let sure = if stated.is_some() { 1.0 } else { hit.map_or(0.5, |hit| hit.confidence) };
    Some(ProvisionDraft {
        block: first,
        section: blocks[first].section,
        names,
        range,
        lead: Vec::new(),
        r#type: Type {
            // A marked block without any verbal form is a provision all the same, since its author marked it
            // as one.
            kind: kind.unwrap_or(ProvisionKind::Requirement),
            rule: "authored",
            verbal_form: hit.map(|hit| hit.verbal_form.clone()).unwrap_or_default(),
            form_range: hit.map(|hit| hit.form_range.clone()),
            negated: same.is_some_and(|hit| hit.negated),
            confidence: sure,
            alternatives: &[],
        },
        container: norma_model::Container::Block,
        origin: Origin::Authored,
        element: mark.element.or(blocks[first].element).map(Into::into),
        xml: (first == last).then(|| blocks[first].xml.clone()).flatten(),
        blocks: marked.to_vec(),
        dependencies: Vec::new(),
        terms: None,
        further: false,
    })
}

fn trimmed(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let piece = &text[range.clone()];
    range.start + piece.len() - piece.trim_start().len()..range.start + piece.trim_end().len()
}
