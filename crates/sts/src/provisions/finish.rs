//! Finishing: turns drafts into provisions with labels, ids, anchors, references and terms.

use std::collections::HashMap;
use std::ops::Range;

use norma_model::{Alternative, Anchor, Provision, Reference, ReferenceTarget, Section};

use super::Input;
use super::draft::Draft;
use super::identity::{Substance, ids, words};
use super::language::Language;
use super::terms::Vocabulary;
use crate::blocks::{Span, SpanKind};

/// The provisions of drafts in document order.
pub(super) fn finish(input: &Input<'_>, drafts: Vec<Draft>) -> Vec<Provision> {
    let substances: Vec<Substance> = drafts.iter().map(|d| substance(input, d)).collect();
    let ids = ids(input.urn, &substances);
    let mut labels = Labels::new(input.sections);
    let mut places = Places::default();
    let elision = Language::of(input.language).is_some_and(|l| l.elision);
    let vocabulary = Vocabulary::new(input.terms, input.language, elision);
    drafts
        .into_iter()
        .zip(ids)
        .map(|(draft, id)| {
            let section = &input.sections[draft.section];
            let block = &input.blocks[draft.block];
            let spans = spans(input, &draft);
            let kind = draft.r#type.kind;
            Provision {
                id,
                label: labels.next(draft.section),
                kind,
                verbal_form: draft.r#type.verbal_form,
                negated: draft.r#type.negated,
                text: collapsed(&section.text[draft.range.clone()]),
                xml: draft.xml.and_then(|xml| section.xml.get(xml)).map(str::to_owned),
                lead_in: lead_in(input, &draft.lead),
                container: draft.container,
                normative: section.normative,
                section: draft.section,
                table: block.table.and_then(|at| input.tables.get(at)).map(|table| table.id.clone()),
                references: references(&section.text, &spans),
                terms: vocabulary.used(&section.text, draft.range.clone(), &spans, input.language),
                anchor: places.anchor(draft.section, &section.text, &draft.range, draft.element),
                origin: draft.origin,
                rule: draft.r#type.rule,
                confidence: draft.r#type.confidence,
                alternatives: draft
                    .r#type
                    .alternatives
                    .into_iter()
                    .map(|(kind, confidence)| Alternative { kind, confidence })
                    .collect(),
            }
        })
        .collect()
}

/// Tokens within a draft.
fn spans(input: &Input<'_>, draft: &Draft) -> Vec<Span> {
    let within = |s: &&Span| s.range.start >= draft.range.start && s.range.end <= draft.range.end;
    draft.blocks.iter().flat_map(|&b| input.blocks[b].spans.iter().filter(within).cloned()).collect()
}

fn substance(input: &Input<'_>, draft: &Draft) -> Substance {
    let section = &input.sections[draft.section];
    let lead = draft.lead.iter().map(|(block, range)| {
        let block = &input.blocks[*block];
        without_marks(&input.sections[block.section].text, range.clone(), block.spans.iter())
    });
    let spans = spans(input, draft);
    let own = without_marks(&section.text, draft.range.clone(), spans.iter());
    let pieces: Vec<String> = lead.chain([own]).collect();
    Substance {
        words: words(pieces.iter().map(String::as_str)),
        number: section.number.clone().unwrap_or_default(),
        apart: draft.further.then_some(draft.r#type.kind),
    }
}

fn without_marks<'s>(text: &str, range: Range<usize>, spans: impl Iterator<Item = &'s Span>) -> String {
    let mut kept = String::with_capacity(range.len());
    let mut at = range.start;
    for mark in spans.filter(|s| matches!(s.kind, SpanKind::FootnoteMark)) {
        if mark.range.start >= at && mark.range.end <= range.end {
            kept.push_str(&text[at..mark.range.start]);
            at = mark.range.end;
        }
    }
    kept.push_str(&text[at..range.end]);
    kept
}

fn lead_in(input: &Input<'_>, lead: &[(usize, Range<usize>)]) -> Option<String> {
    let sentences = lead
        .iter()
        .map(|(block, range)| collapsed(&input.sections[input.blocks[*block].section].text[range.clone()]));
    let joined = sentences.collect::<Vec<_>>().join(" ");
    (!joined.is_empty()).then_some(joined)
}

/// What the sentence refers to; a reference to several places stands once for each.
fn references(text: &str, spans: &[Span]) -> Vec<Reference> {
    let mut references = Vec::new();
    for span in spans {
        let words = collapsed(&text[span.range.clone()]);
        let mut refer = |target| references.push(Reference { text: words.clone(), target });
        match &span.kind {
            SpanKind::CrossReference { targets } if targets.is_empty() => refer(None),
            SpanKind::CrossReference { targets } => {
                targets.iter().for_each(|t| refer(Some(ReferenceTarget::Part(t.clone()))));
            }
            SpanKind::Citation { urn } => refer(urn.clone().map(ReferenceTarget::Urn)),
            _ => {}
        }
    }
    references
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Labels: the section's number where it alone bears it, else its id, and the provision's place in it.
struct Labels<'a> {
    sections: &'a [Section],
    bearers: HashMap<&'a str, usize>,
    last: (usize, usize),
}

impl<'a> Labels<'a> {
    fn new(sections: &'a [Section]) -> Self {
        let mut bearers: HashMap<&str, usize> = HashMap::new();
        for number in sections.iter().filter_map(|s| s.number.as_deref()) {
            *bearers.entry(number).or_default() += 1;
        }
        Self { sections, bearers, last: (usize::MAX, 0) }
    }

    /// The label of the next provision of a section; provisions come in document order.
    fn next(&mut self, section: usize) -> String {
        let (last, n) = self.last;
        self.last = (section, if last == section { n + 1 } else { 1 });
        let named = &self.sections[section];
        let number = named.number.as_deref().filter(|n| self.bearers[n] == 1);
        format!("{}({})", number.unwrap_or(named.id.as_str()), self.last.1)
    }
}

/// Counts Unicode scalar values onward from the last place asked for.
#[derive(Default)]
struct Places {
    section: usize,
    byte: usize,
    scalar: usize,
}

impl Places {
    fn anchor(
        &mut self,
        section: usize,
        text: &str,
        range: &Range<usize>,
        element: Option<String>,
    ) -> Anchor {
        if section != self.section || range.start < self.byte {
            *self = Self { section, byte: 0, scalar: 0 };
        }
        let start = self.scalar + text[self.byte..range.start].chars().count();
        *self = Self { section, byte: range.start, scalar: start };
        Anchor { element, start, end: start + text[range.clone()].chars().count() }
    }
}
