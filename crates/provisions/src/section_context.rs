//! Contexts of sections: what the sections say besides provisions to which a provision refers, itself or
//! through other sections.

use std::ops::Range;

use foldhash::HashMap;
use norma_model::{Provision, ProvisionSurroundings, Reference, ReferenceTarget, SectionOwnText};

use super::context::within_edition;
use super::draft::ProvisionDraft;
use super::identity::hash;
use super::input::Input;
use super::meaning::{meaning, spans_within};
use super::references::References;
use crate::blocks::{Block, BlockKind, TokenSpan};

/// Reads the contexts of sections.
struct SectionReader<'a> {
    input: &'a Input<'a>,
    references: &'a References<'a>,
    by_id: HashMap<&'a str, usize>,
    /// For each section the bytes of its text that are provisions or their lead-ins, in order.
    provisions: Vec<Vec<Range<usize>>>,
    found: Vec<SectionOwnText>,
    /// Sections that are still to be read.
    waiting: Vec<usize>,
}

/// The contexts of all sections. `ranges` are the [`provision_ranges`]; `contexts` are parallel to
/// `provisions`. A section to which nothing leads is not read, so that only what counts costs time.
pub(super) fn section_contexts<'a>(
    input: &'a Input<'a>,
    references: &'a References<'a>,
    ranges: Vec<Vec<Range<usize>>>,
    provisions: &[Provision],
    contexts: &[ProvisionSurroundings],
) -> Vec<SectionOwnText> {
    let by_id = input.sections.iter().enumerate().map(|(index, section)| (section.id.as_str(), index));
    let mut reader = SectionReader {
        input,
        references,
        by_id: by_id.collect(),
        provisions: ranges,
        found: vec![SectionOwnText::default(); input.sections.len()],
        waiting: Vec::new(),
    };
    for (provision, context) in provisions.iter().zip(contexts) {
        reader.reach(&provision.references);
        reader.reach(&context.references);
    }
    while let Some(section) = reader.waiting.pop() {
        reader.read(section);
    }
    reader.found
}

/// The bytes of each section's text that are provisions or lead-ins, in order and without overlap.
pub(super) fn provision_ranges(input: &Input<'_>, drafts: &[ProvisionDraft]) -> Vec<Vec<Range<usize>>> {
    let mut ranges: Vec<Vec<Range<usize>>> = vec![Vec::new(); input.sections.len()];
    for draft in drafts {
        ranges[draft.section].push(draft.range.clone());
        for (block, range) in &draft.lead {
            ranges[input.blocks[*block].section].push(range.clone());
        }
    }
    for list in &mut ranges {
        list.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(list.len());
        for range in list.drain(..) {
            match merged.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => merged.push(range),
            }
        }
        *list = merged;
    }
    ranges
}

impl SectionReader<'_> {
    /// Adds the sections that references name, with those in them, to what is read.
    fn reach(&mut self, references: &[Reference]) {
        for reference in references {
            let Some(ReferenceTarget::Part(id)) = &reference.target else { continue };
            let Some(&section) = self.by_id.get(id.as_str()) else { continue };
            let level = self.input.sections[section].level;
            let within = self.input.sections[section + 1..].iter().take_while(|inner| inner.level > level);
            let end = section + 1 + within.count();
            for index in section..end {
                // A hash says that a section was read or waits.
                if self.found[index].hash.is_none() {
                    self.found[index].hash = Some(0);
                    self.waiting.push(index);
                }
            }
        }
    }

    fn read(&mut self, section: usize) {
        let blocks = self.input.blocks;
        let first = blocks.partition_point(|block| block.section < section);
        let mut meanings: Vec<String> = Vec::new();
        let mut references: Vec<Reference> = Vec::new();
        for (index, block) in blocks.iter().enumerate().skip(first) {
            if block.section != section {
                break;
            }
            if !counts(block) {
                continue;
            }
            for piece in self.pieces(block) {
                let spans: Vec<&TokenSpan> = spans_within(&block.spans, &piece).iter().collect();
                let text = &self.input.sections[section].text;
                let mentions = self.references.mentions(index, piece.clone(), &spans);
                references.extend(within_edition(References::references(text, &mentions)));
                meanings.push(meaning(self.input, self.references, index, piece).into_owned());
            }
        }
        self.reach(&references);
        let text_hash = if meanings.is_empty() { 0 } else { hash(meanings.iter().map(String::as_str)) };
        self.found[section] = SectionOwnText { hash: Some(text_hash), references: references.into() };
    }

    /// The parts of a block that are no provisions.
    fn pieces(&self, block: &Block<'_>) -> Vec<Range<usize>> {
        let text = &self.input.sections[block.section].text;
        let mut pieces = Vec::new();
        let mut at = block.range.start;
        let mut add = |range: Range<usize>| {
            let is_text = range.start < range.end && text[range.clone()].contains(char::is_alphanumeric);
            if is_text {
                pieces.push(range);
            }
        };
        let provisions = &self.provisions[block.section];
        for provision in &provisions[provisions.partition_point(|range| range.end <= block.range.start)..] {
            if provision.start >= block.range.end {
                break;
            }
            add(at..provision.start.max(at));
            at = at.max(provision.end);
        }
        add(at..block.range.end.max(at));
        pieces
    }
}

/// True if a block is text of its section. Tables are compared by their cells, terms by their definitions;
/// notes and examples say nothing that has to be followed.
fn counts(block: &Block<'_>) -> bool {
    let is_text = matches!(
        block.kind,
        BlockKind::Paragraph
            | BlockKind::ListItem
            | BlockKind::DefinitionListEntry
            | BlockKind::Footnote
            | BlockKind::Warning
            | BlockKind::FigureKey
            | BlockKind::Quote
            | BlockKind::Code
    );
    is_text && block.table.is_none()
}
