//! Authored provisions: those that the source itself marks are kept whole and never split.

use std::collections::BTreeMap;

use norma_model::{Origin, ProvisionKind};

use super::classify::{Hit, ReadingMode, classify};
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
    let mut marks: BTreeMap<MarkKey, Vec<usize>> = BTreeMap::new();
    let mut heads: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut dependencies: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, block) in input.blocks.iter().enumerate() {
        if block.range.is_empty() {
            continue;
        }
        if let (BlockKind::Dependency, Some(table)) = (block.kind, block.table) {
            dependencies.entry(table).or_default().push(index);
        }
        let Some(authored) = &block.authored else { continue };
        let (section, mark) = (block.section, authored.mark);
        if is_head(block.kind) {
            heads.entry((section, mark)).or_default().push(index);
        } else {
            let own_block = authored.each.then_some(index);
            marks.entry(MarkKey { section, mark, own_block }).or_default().push(index);
        }
    }
    let mut provisions = Vec::with_capacity(marks.len());
    for (MarkKey { section, mark, .. }, marked) in marks {
        let Some(mut draft) = provision(&marked, input, language, mode) else { continue };
        if draft.names.identifier.is_none()
            && let Some(heads) = heads.get(&(section, mark))
        {
            let text = &input.sections[section].text;
            draft.names.identifier =
                heads.iter().find_map(|&head| identifier(&text[input.blocks[head].range.clone()]));
        }
        if let Some(table) = input.blocks[draft.block].table
            && let Some(dependencies) = dependencies.get(&table)
        {
            draft.dependencies = dependencies.clone();
        }
        provisions.push(draft);
    }
    provisions
}

/// The blocks of one provision: those of a mark in a section, or one of them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct MarkKey {
    section: usize,
    mark: usize,
    /// The block, where each is a provision of its own.
    own_block: Option<usize>,
}

/// True if a marked block is a head of a provision, whose words do not belong to it.
fn is_head(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::Title
            | BlockKind::Caption
            | BlockKind::TableHeader
            | BlockKind::Other
            | BlockKind::Dependency
    )
}

/// The identifier of a head that holds one.
fn identifier(head: &str) -> Option<Box<str>> {
    let found = leading_identifier(head)?;
    if found.rest.is_empty() || found.marked { Some(found.name.into()) } else { None }
}

/// The provision of marked blocks; `None` for the statement of a table without a type and a verbal form.
fn provision(
    marked: &[usize],
    input: &Input<'_>,
    language: Option<&'static Language>,
    mode: ReadingMode,
) -> Option<ProvisionDraft> {
    let blocks = input.blocks;
    let (&first, &last) = (marked.first()?, marked.last()?);
    let first_block = &blocks[first];
    let mark = first_block.authored.as_ref()?;
    let text = &input.sections[first_block.section].text;
    let mut range = trimmed(text, first_block.range.start..blocks[last].range.end);
    let mut names = DocumentNames {
        identifier: mark.identifier.as_deref().map(Into::into),
        item_label: mark.label.as_deref().map(Into::into),
    };
    let mut stated = mark.kind;
    let mut hits = Vec::new();
    if let Some(language) = language {
        let opening = cut(text, &mut range, &first_block.spans, language);
        if let Some(name) = opening.identifier {
            let identifier = &text[name];
            // `Recommendation 5` states the type.
            stated = identifier.split_whitespace().next().and_then(kind_of_word).or(stated);
            names.identifier = Some(identifier.into());
        }
        if let Some(label) = opening.label {
            names.item_label = Some(text[label].into());
        }
        hits = self::hits(marked, range.start, input, language, mode);
    }
    if mark.tabular && mark.kind.is_none() && hits.is_empty() {
        return None;
    }
    Some(ProvisionDraft {
        block: first,
        section: first_block.section,
        names,
        range,
        lead: Vec::new(),
        r#type: type_of(stated, &hits),
        container: norma_model::Container::Block,
        origin: Origin::Authored,
        element: mark.element.or(first_block.element).map(Into::into),
        xml: if first == last { first_block.xml.clone() } else { None },
        blocks: marked.to_vec(),
        dependencies: Vec::new(),
        terms: None,
        further: false,
    })
}

/// The type of a marked provision: the stated one, with the verbal form that has it, or else that of the
/// strongest verbal form.
fn type_of(stated: Option<ProvisionKind>, hits: &[Hit]) -> Type {
    let hit = match stated {
        Some(kind) => hits.iter().find(|hit| hit.kind == kind).or(hits.first()),
        None => hits.iter().min_by_key(|hit| hit.kind),
    };
    let (kind, confidence) = match (stated, hit) {
        (Some(stated), _) => (stated, 1.0),
        (None, Some(hit)) => (hit.kind, hit.confidence),
        // A marked block without any verbal form is a provision all the same, since its author marked it as
        // one.
        (None, None) => (ProvisionKind::Requirement, 0.5),
    };
    let rule = "authored";
    let Some(hit) = hit else {
        return Type {
            kind,
            rule,
            verbal_form: String::new(),
            form_range: None,
            negated: false,
            confidence,
            alternatives: &[],
        };
    };
    Type {
        kind,
        rule,
        verbal_form: hit.verbal_form.clone(),
        form_range: Some(hit.form_range.clone()),
        // The denial of a verbal form of another type says nothing of the stated one.
        negated: hit.kind == kind && hit.negated,
        confidence,
        alternatives: &[],
    }
}

/// What rules find in the marked blocks from a byte on.
fn hits(
    marked: &[usize],
    start: usize,
    input: &Input<'_>,
    language: &'static Language,
    mode: ReadingMode,
) -> Vec<Hit> {
    let mut hits = Vec::new();
    for &at in marked {
        let block = &input.blocks[at];
        let text = &input.sections[block.section].text;
        // A block may hold nothing but the opening.
        if block.range.end <= start {
            continue;
        }
        let own = block.range.start.max(start)..block.range.end;
        for sentence in sentences(text, own, &block.spans, language) {
            if sentence.len() <= input.limits.sentence_bytes {
                let tokens = tokens(text, sentence, &block.spans, &language.lexicon);
                hits.extend(classify(text, &tokens, language, mode));
            }
        }
    }
    hits
}

fn trimmed(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let piece = &text[range.clone()];
    range.start + piece.len() - piece.trim_start().len()..range.start + piece.trim_end().len()
}
