//! Assembly of provisions from drafts: labels, ids, anchors, references and terms.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashMap;
use norma_model::whitespace::collapse;
use norma_model::{Anchor, Lang, Origin, Provision, ProvisionId, Reference, ReferenceTarget, Section, Slice};

use super::anatomy::{self, Anatomy, Scalars, Separators};
use super::draft::ProvisionDraft;
use super::identity::{ProvisionFingerprint, ids, words};
use super::input::Input;
use super::references::{Mention, References};
use super::terms::Vocabulary;
use super::tokenizer::spans_in;
use crate::blocks::{Block, BlockKind, SpanKind, TokenSpan};
use crate::identifier::{PATHS, leading_identifier};

/// The provisions of drafts in document order, with the ids that they have under the former URN.
pub(super) fn assemble(
    input: &Input<'_>,
    drafts: Vec<ProvisionDraft>,
    vocabularies: &[Vocabulary<'_>],
) -> (Vec<Provision>, Vec<ProvisionId>) {
    let references = References::new(input);
    let mentions: Vec<Vec<Mention>> = drafts
        .iter()
        .map(|draft| references.mentions(draft.block, draft.range.clone(), &spans(input, draft)))
        .collect();
    // The items of a list share their lead-ins.
    let mut leads = HashMap::default();
    let fingerprints: Vec<ProvisionFingerprint> = drafts
        .iter()
        .zip(&mentions)
        .map(|(draft, mentions)| fingerprint(input, &references, draft, mentions, &mut leads))
        .collect();
    let former_ids = input.former_urn.map(|former| ids(former, &fingerprints)).unwrap_or_default();
    let ids = ids(input.urn, &fingerprints);
    drop(fingerprints);
    let has_dependencies = drafts.iter().any(|draft| !draft.dependencies.is_empty());
    let holders = if has_dependencies { holders(input, &drafts) } else { HashMap::default() };
    let mut labels = Labels::new(input.sections);
    let mut counted = (0, Scalars::default());
    let separators = separators(input);
    let mut anatomies = Anatomies { input, references: &references, separators, lead: None };
    let provisions = drafts
        .into_iter()
        .zip(mentions)
        .zip(ids)
        .map(|((draft, mentions), id)| {
            let section = &input.sections[draft.section];
            let block = &input.blocks[draft.block];
            let spans = spans(input, &draft);
            let vocabulary = &vocabularies[input.language_of_block(draft.block)];
            let kind = draft.r#type.kind;
            let text = collapse(&section.text[draft.range.clone()]);
            let lead_in = lead_in(input, &draft.lead);
            let anatomy = anatomies.read(&draft, &text, lead_in.as_deref(), &mentions);
            let anchor = anchor(&section.text, &draft, &mut counted);
            Provision {
                id,
                label: labels.next(draft.section).into(),
                identifier: draft.names.identifier,
                item_label: draft.names.item_label,
                kind,
                verbal_form: draft.r#type.verbal_form.into(),
                negated: draft.r#type.negated,
                text: text.into(),
                xml: draft
                    .xml
                    .and_then(|xml| section.xml.get(xml.start as usize..xml.end as usize))
                    .map(Into::into),
                lead_in: lead_in.map(Into::into),
                container: draft.container,
                normative: section.normative,
                section: draft.section,
                table: block.table.map(|table| table as usize),
                references: draft
                    .dependencies
                    .iter()
                    .flat_map(|&at| dependency(input, &references, &holders, at))
                    .chain(References::references(&section.text, &mentions))
                    .collect(),
                quantities: anatomy.quantities.into(),
                conditions: anatomy.conditions.into(),
                subject: anatomy.subject,
                terms: draft
                    .terms
                    .unwrap_or_else(|| vocabulary.used(&section.text, draft.range.clone(), &spans, None))
                    .into(),
                anchor,
                origin: draft.origin,
                rule: draft.r#type.rule,
                confidence: draft.r#type.confidence,
                alternatives: draft.r#type.alternatives,
            }
        })
        .collect();
    (provisions, former_ids)
}

/// The table, or else the section, with each identifier of a requirement or class. An address is also held by
/// the path in it: `/req/core/x` of `https://example.org/spec/req/core/x`.
fn holders<'a>(input: &Input<'a>, drafts: &[ProvisionDraft]) -> HashMap<String, &'a str> {
    let holder = |block: &Block<'_>| match block.table.and_then(|table| input.tables.get(table as usize)) {
        Some(table) => table.id.as_str(),
        None => input.sections[block.section].id.as_str(),
    };
    let mut holders: HashMap<String, &'a str> = HashMap::default();
    let mut add = |name: &str, holder: &'a str| {
        holders.entry(name.to_owned()).or_insert(holder);
        let path = PATHS.iter().find_map(|path| name.find(path)).filter(|at| *at > 0);
        path.map(|at| holders.entry(name[at..].to_owned()).or_insert(holder));
    };
    for draft in drafts {
        draft.names.identifier.iter().for_each(|name| add(name, holder(&input.blocks[draft.block])));
    }
    for section in input.sections {
        let found = section.title.as_deref().and_then(leading_identifier);
        found.into_iter().for_each(|found| add(found.name, section.id.as_str()));
    }
    let heads = input.blocks.iter().filter(|block| {
        block.table.is_some()
            && matches!(block.kind, BlockKind::Other | BlockKind::TableHeader | BlockKind::Caption)
    });
    for block in heads {
        let text = &input.sections[block.section].text[block.range.clone()];
        let found = leading_identifier(text).filter(|found| found.rest.is_empty());
        found.into_iter().for_each(|found| add(found.name, holder(block)));
    }
    holders
}

/// The dependency of a requirement, as a block names it. It is the target of the markup, else the words, with
/// the part of this document that has them as identifier.
fn dependency(
    input: &Input<'_>,
    references: &References<'_>,
    holders: &HashMap<String, &str>,
    at: usize,
) -> Vec<Reference> {
    let block = &input.blocks[at];
    let text = &input.sections[block.section].text;
    let spans: Vec<&TokenSpan> = block.spans.iter().collect();
    let found = References::references(text, &references.mentions(at, block.range.clone(), &spans));
    match found.is_empty() {
        true => {
            let text = collapse(&text[block.range.clone()]);
            let target = holders.get(text.as_str()).map(|id| ReferenceTarget::Part((*id).to_owned()));
            vec![Reference { text, target, date: None, clause: None, itself: false }]
        }
        false => found,
    }
}

/// Tokens within a draft.
fn spans<'a>(input: &Input<'a>, draft: &ProvisionDraft) -> Vec<&'a TokenSpan> {
    let within = |s: &&TokenSpan| s.range.start >= draft.range.start && s.range.end <= draft.range.end;
    let begun = |&b: &usize| spans_in(&input.blocks[b].spans, &draft.range).iter();
    draft.blocks.iter().flat_map(begun).filter(within).collect()
}

/// The fingerprint of a draft, from which its id is made; `mentions` are those of its text, `leads` those of
/// lead-ins read before.
fn fingerprint<'a>(
    input: &Input<'a>,
    references: &References<'_>,
    draft: &ProvisionDraft,
    mentions: &[Mention],
    leads: &mut HashMap<(usize, Range<usize>), Cow<'a, str>>,
) -> ProvisionFingerprint {
    for (block, range) in &draft.lead {
        leads.entry((*block, range.clone())).or_insert_with(|| {
            let lead = &input.blocks[*block];
            let spans: Vec<&TokenSpan> = spans_in(&lead.spans, range).iter().collect();
            let mentions = references.mentions(*block, range.clone(), &spans);
            without_print(&input.sections[lead.section].text, range.clone(), &spans, &mentions)
        });
    }
    let text = &input.sections[draft.section].text;
    let spans = spans(input, draft);
    // Labels of alternatives are between their blocks.
    let parts: Vec<Range<usize>> = match draft.origin {
        Origin::Derived if draft.blocks.len() > 1 => {
            let within =
                |b: &usize| input.blocks[*b].range.start.max(draft.range.start)..input.blocks[*b].range.end;
            draft.blocks.iter().map(within).collect()
        }
        _ => vec![draft.range.clone()],
    };
    let own: Vec<Cow<'_, str>> =
        parts.into_iter().map(|part| without_print(text, part, &spans, mentions)).collect();
    let lead = draft.lead.iter().map(|lead| leads[lead].as_ref());
    ProvisionFingerprint {
        words: words(lead.chain(own.iter().map(AsRef::as_ref))),
        apart: draft.further.then_some(draft.r#type.kind),
    }
}

/// A text without footnote marks, and with the meaning of references in place of their print.
fn without_print<'t>(
    text: &'t str,
    range: Range<usize>,
    spans: &[&TokenSpan],
    mentions: &[Mention],
) -> Cow<'t, str> {
    let marks = spans.iter().filter(|s| matches!(s.kind, SpanKind::FootnoteMark));
    let marks = marks.map(|mark| (mark.range.clone(), ""));
    let tokens = mentions.iter().flat_map(|m| &m.tokens);
    let mut changes: Vec<(Range<usize>, &str)> =
        marks.chain(tokens.map(|(range, token)| (range.clone(), token.as_str()))).collect();
    changes.sort_by_key(|(range, _)| range.start);
    let mut replaced = Cow::Borrowed("");
    let mut at = range.start;
    for (change, with) in changes {
        if change.start >= at && change.end <= range.end {
            replaced += &text[at..change.start];
            replaced.to_mut().push_str(with);
            at = change.end;
        }
    }
    replaced += &text[at..range.end];
    replaced
}

fn lead_in(input: &Input<'_>, lead: &[(usize, Range<usize>)]) -> Option<String> {
    let sentences = lead
        .iter()
        .map(|(block, range)| collapse(&input.sections[input.blocks[*block].section].text[range.clone()]));
    let joined = sentences.collect::<Vec<_>>().join(" ");
    (!joined.is_empty()).then_some(joined)
}

/// What the signs in numbers mean, for each language of a document.
fn separators(input: &Input<'_>) -> Vec<Separators> {
    let of = |(index, lang): (usize, &Lang)| {
        let sections = input.sections.iter().zip(input.language_of);
        let own = sections.filter(|(_, language)| **language == index).map(|(section, _)| section);
        Anatomy::of(lang).map_or_else(Separators::default, |anatomy| anatomy.separators(own))
    };
    input.languages.iter().enumerate().map(of).collect()
}

/// The anatomy of provisions; those of a list share that of their lead-in.
struct Anatomies<'a> {
    input: &'a Input<'a>,
    references: &'a References<'a>,
    /// The signs in numbers, for each language.
    separators: Vec<Separators>,
    /// The last lead-in.
    lead: Option<LeadInAnatomy>,
}

/// The anatomy of a lead-in, with the sentences and the verbal form that identify it.
struct LeadInAnatomy {
    sentences: Vec<(usize, Range<usize>)>,
    form: Option<Range<usize>>,
    found: anatomy::FoundAnatomy,
}

impl Anatomies<'_> {
    fn read(
        &mut self,
        draft: &ProvisionDraft,
        text: &str,
        lead_in: Option<&str>,
        mentions: &[Mention],
    ) -> anatomy::FoundAnatomy {
        let input = self.input;
        let lang = &input.languages[input.language_of_block(draft.block)];
        let Some(tables) = Anatomy::of(lang) else { return anatomy::FoundAnatomy::default() };
        let separators = self.separators[input.language_of[draft.section]];
        let form = draft.r#type.form_range.as_ref();
        let mut found = lead_in
            .map_or_else(anatomy::FoundAnatomy::default, |lead_in| self.lead_in(tables, draft, lead_in));
        let source = &input.sections[draft.section].text;
        let form = form.filter(|form| form.start >= draft.range.start && form.end <= draft.range.end);
        let form = form.map(|form| collapsed_range(source, draft.range.start, form));
        let words = References::words(source, mentions);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let lead_in = lead_in.unwrap_or_default();
        let part = anatomy::AnatomyText { text, in_lead_in: false, lead_in, form: form.as_ref() };
        tables.add(part, separators, &words, &mut found);
        found
    }

    fn lead_in(&mut self, tables: &Anatomy, draft: &ProvisionDraft, lead_in: &str) -> anatomy::FoundAnatomy {
        let form = draft.r#type.form_range.clone();
        let last = self.lead.as_ref().filter(|last| last.sentences == draft.lead && last.form == form);
        if let Some(last) = last {
            return last.found.clone();
        }
        let mut words = Vec::new();
        let mut own = None;
        let mut before = 0;
        for (block, range) in &draft.lead {
            let source = &self.input.sections[self.input.blocks[*block].section].text;
            let spans: Vec<&TokenSpan> = spans_in(&self.input.blocks[*block].spans, range).iter().collect();
            words.extend(References::words(source, &self.references.mentions(*block, range.clone(), &spans)));
            if let Some(form) =
                form.as_ref().filter(|form| form.start >= range.start && form.end <= range.end)
            {
                let within = collapsed_range(source, range.start, form);
                own = Some(before + within.start..before + within.end);
            }
            before += collapse(&source[range.clone()]).len() + 1;
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut found = anatomy::FoundAnatomy::default();
        let part = anatomy::AnatomyText { text: lead_in, in_lead_in: true, lead_in: "", form: own.as_ref() };
        let separators = self.separators[self.input.language_of[draft.section]];
        tables.add(part, separators, &words, &mut found);
        self.lead = Some(LeadInAnatomy { sentences: draft.lead.clone(), form, found: found.clone() });
        found
    }
}

/// The range of a text once the white space from `start` on is collapsed.
fn collapsed_range(text: &str, start: usize, range: &Range<usize>) -> Range<usize> {
    let offset = |at: usize| {
        let before = &text[start..at];
        let length = collapse(before).len();
        length + usize::from(length > 0 && before.ends_with(char::is_whitespace))
    };
    offset(range.start)..offset(range.end)
}

/// Labels: the section's number if no other section has it, else its id, and the provision's ordinal in it.
struct Labels<'a> {
    sections: &'a [Section],
    counts: HashMap<&'a str, usize>,
    last: (usize, usize),
}

impl<'a> Labels<'a> {
    fn new(sections: &'a [Section]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::default();
        for number in sections.iter().filter_map(|s| s.number.as_deref()) {
            *counts.entry(number).or_default() += 1;
        }
        Self { sections, counts, last: (usize::MAX, 0) }
    }

    /// The label of the next provision of a section; provisions come in document order.
    fn next(&mut self, section: usize) -> String {
        let (last, n) = self.last;
        self.last = (section, if last == section { n + 1 } else { 1 });
        let named = &self.sections[section];
        let number = named.number.as_deref().filter(|n| self.counts[n] == 1);
        let ordinal = self.last.1.to_string();
        [number.unwrap_or(named.id.as_str()), "(", ordinal.as_str(), ")"].concat()
    }
}

/// The position of a draft in the text of its section; `counted` is the section of the last one, counted up
/// to that position.
fn anchor(text: &str, draft: &ProvisionDraft, counted: &mut (usize, Scalars)) -> Anchor {
    if counted.0 != draft.section {
        *counted = (draft.section, Scalars::default());
    }
    let first = draft.range.start;
    let start = counted.1.at(text, first);
    let scalar = |byte: usize| match byte < first {
        true => start - text[byte..first].chars().count(),
        false => start + text[first..byte].chars().count(),
    };
    let form = draft.r#type.form_range.as_ref();
    let verbal_form = form.map(|form| Slice { start: scalar(form.start), end: scalar(form.end) });
    Anchor { element: draft.element.clone(), start, end: scalar(draft.range.end), verbal_form }
}
