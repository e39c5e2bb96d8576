//! Finishing: turns drafts into provisions with labels, ids, anchors, references and terms.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashMap;
use norma_model::spaces::is_collapsed;
use norma_model::{Anchor, Provision, Reference, Section, Slice};

use super::Input;
use super::draft::Draft;
use super::identity::{Substance, ids, words};
use super::references::references;
use super::terms::Vocabulary;
use super::words::spans_in;
use crate::blocks::{Block, Span, SpanKind};

/// The provisions of drafts in document order.
pub(super) fn finish(
    input: &Input<'_>,
    drafts: Vec<Draft>,
    vocabularies: &[Vocabulary<'_>],
) -> Vec<Provision> {
    let substances: Vec<Substance> = drafts.iter().map(|d| substance(input, d)).collect();
    let ids = ids(input.urn, &substances);
    let mut labels = Labels::new(input.sections);
    let mut places = Places::default();
    drafts
        .into_iter()
        .zip(ids)
        .map(|(draft, id)| {
            let section = &input.sections[draft.section];
            let block = &input.blocks[draft.block];
            let spans = spans(input, &draft);
            let vocabulary = &vocabularies[input.language_of[draft.section]];
            let kind = draft.r#type.kind;
            Provision {
                id,
                label: labels.next(draft.section).into(),
                identifier: draft.names.identifier,
                item_label: draft.names.item_label,
                kind,
                verbal_form: draft.r#type.verbal_form.into(),
                negated: draft.r#type.negated,
                text: collapsed(&section.text[draft.range.clone()]).into(),
                xml: draft
                    .xml
                    .and_then(|xml| section.xml.get(xml.start as usize..xml.end as usize))
                    .map(Into::into),
                lead_in: lead_in(input, &draft.lead).map(Into::into),
                container: draft.container,
                normative: section.normative,
                section: draft.section,
                table: block.table.map(|table| table as usize),
                references: draft
                    .dependencies
                    .iter()
                    .flat_map(|&at| dependency(&section.text, &input.blocks[at]))
                    .chain(references(&section.text, draft.range.clone(), &spans))
                    .collect(),
                terms: draft
                    .terms
                    .unwrap_or_else(|| vocabulary.used(&section.text, draft.range.clone(), &spans, None))
                    .into(),
                anchor: places.anchor(
                    draft.section,
                    &section.text,
                    &draft.range,
                    draft.r#type.place,
                    draft.element,
                ),
                origin: draft.origin,
                rule: draft.r#type.rule,
                confidence: draft.r#type.confidence,
                alternatives: draft.r#type.alternatives,
            }
        })
        .collect()
}

/// What a requirement depends on: what the markup refers to, else the words.
fn dependency(text: &str, block: &Block<'_>) -> Vec<Reference> {
    let spans: Vec<&Span> = block.spans.iter().collect();
    let found = references(text, block.range.clone(), &spans);
    match found.is_empty() {
        true => vec![Reference { text: collapsed(&text[block.range.clone()]), target: None }],
        false => found,
    }
}

/// Tokens within a draft.
fn spans<'a>(input: &Input<'a>, draft: &Draft) -> Vec<&'a Span> {
    let within = |s: &&Span| s.range.start >= draft.range.start && s.range.end <= draft.range.end;
    let begun = |&b: &usize| spans_in(&input.blocks[b].spans, &draft.range).iter();
    draft.blocks.iter().flat_map(begun).filter(within).collect()
}

fn substance(input: &Input<'_>, draft: &Draft) -> Substance {
    let section = &input.sections[draft.section];
    let lead = draft.lead.iter().map(|(block, range)| {
        let block = &input.blocks[*block];
        let spans = spans_in(&block.spans, range);
        without_marks(&input.sections[block.section].text, range.clone(), spans)
    });
    let spans = spans(input, draft);
    let own = without_marks(&section.text, draft.range.clone(), spans);
    let pieces: Vec<Cow<'_, str>> = lead.chain([own]).collect();
    Substance {
        words: words(pieces.iter().map(AsRef::as_ref)),
        number: section.number.as_deref().unwrap_or_default().to_owned(),
        apart: draft.further.then_some(draft.r#type.kind),
    }
}

fn without_marks<'t, 's>(
    text: &'t str,
    range: Range<usize>,
    spans: impl IntoIterator<Item = &'s Span>,
) -> Cow<'t, str> {
    let mut kept = Cow::Borrowed("");
    let mut at = range.start;
    for mark in spans.into_iter().filter(|s| matches!(s.kind, SpanKind::FootnoteMark)) {
        if mark.range.start >= at && mark.range.end <= range.end {
            kept += &text[at..mark.range.start];
            at = mark.range.end;
        }
    }
    kept += &text[at..range.end];
    kept
}

fn lead_in(input: &Input<'_>, lead: &[(usize, Range<usize>)]) -> Option<String> {
    let sentences = lead
        .iter()
        .map(|(block, range)| collapsed(&input.sections[input.blocks[*block].section].text[range.clone()]));
    let joined = sentences.collect::<Vec<_>>().join(" ");
    (!joined.is_empty()).then_some(joined)
}

pub(super) fn collapsed(text: &str) -> String {
    if is_collapsed(text) {
        return text.to_owned();
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

/// Labels: the section's number where it alone bears it, else its id, and the provision's place in it.
struct Labels<'a> {
    sections: &'a [Section],
    bearers: HashMap<&'a str, usize>,
    last: (usize, usize),
}

impl<'a> Labels<'a> {
    fn new(sections: &'a [Section]) -> Self {
        let mut bearers: HashMap<&str, usize> = HashMap::default();
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
        let ordinal = self.last.1.to_string();
        [number.unwrap_or(named.id.as_str()), "(", ordinal.as_str(), ")"].concat()
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
        form: Option<Range<usize>>,
        element: Option<Box<str>>,
    ) -> Anchor {
        if section != self.section || range.start < self.byte {
            *self = Self { section, byte: 0, scalar: 0 };
        }
        let start = self.scalar + text[self.byte..range.start].chars().count();
        *self = Self { section, byte: range.start, scalar: start };
        let scalar = |byte: usize| match byte < range.start {
            true => start - text[byte..range.start].chars().count(),
            false => start + text[range.start..byte].chars().count(),
        };
        let verbal_form = form.map(|form| Slice { start: scalar(form.start), end: scalar(form.end) });
        Anchor { element, start, end: scalar(range.end), verbal_form }
    }
}
