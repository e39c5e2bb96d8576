//! Assembly of provisions from drafts: labels, ids, anchors, references and terms.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashMap;
use norma_model::whitespace::collapse;
use norma_model::{
    Anchor, EditionContexts, Origin, Provision, ProvisionId, ProvisionSurroundings, Reference,
    ReferenceTarget, Section, Slice,
};

use super::anatomy::{self, Anatomy, Scalars, Separators};
use super::context::ContextReader;
use super::draft::ProvisionDraft;
use super::identity::{ProvisionFingerprint, ids, words};
use super::input::Input;
use super::meaning::without_print;
use super::references::{Mention, References};
use super::section_context::{provision_ranges, section_contexts};
use super::terms::Vocabulary;
use super::tokenizer::spans_in;
use crate::blocks::{Block, BlockKind, TokenSpan};
use crate::identifier::{PATHS, leading_identifier};

/// Provisions in document order, with what belongs to them.
pub(super) struct AssembledProvisions {
    pub(super) provisions: Vec<Provision>,
    /// The ids that they have under the former URN.
    pub(super) former_ids: Vec<ProvisionId>,
    pub(super) contexts: EditionContexts,
}

/// The provisions of drafts.
pub(super) fn assemble(
    input: &Input<'_>,
    drafts: Vec<ProvisionDraft>,
    vocabularies: &[Vocabulary<'_>],
) -> AssembledProvisions {
    let references = References::new(input);
    let mut reader = ContextReader::new(input, &references, vocabularies);
    let mut provision_contexts: Vec<ProvisionSurroundings> = Vec::with_capacity(drafts.len());
    for draft in &drafts {
        provision_contexts.push(reader.context(draft));
    }
    drop(reader);
    let ranges = provision_ranges(input, &drafts);
    let mut mentions: Vec<Vec<Mention>> = Vec::with_capacity(drafts.len());
    for draft in &drafts {
        mentions.push(references.mentions(draft.block, draft.range.clone(), &spans(input, draft)));
    }
    // The items of a list share their lead-ins.
    let mut leads = HashMap::default();
    let mut fingerprints: Vec<ProvisionFingerprint> = Vec::with_capacity(drafts.len());
    for (draft, mentions) in drafts.iter().zip(&mentions) {
        fingerprints.push(fingerprint(input, &references, draft, mentions, &mut leads));
    }
    let former_ids = input.former_urn.map(|former| ids(former, &fingerprints)).unwrap_or_default();
    let ids = ids(input.urn, &fingerprints);
    drop(fingerprints);
    let has_dependencies = drafts.iter().any(|draft| !draft.dependencies.is_empty());
    let mut assembler = Assembler {
        input,
        references: &references,
        vocabularies,
        holders: if has_dependencies { holders(input, &drafts) } else { HashMap::default() },
        labels: Labels::new(input.sections),
        counted: (0, Scalars::default()),
        anatomies: Anatomies { input, references: &references, separators: separators(input), lead: None },
    };
    let mut provisions = Vec::with_capacity(drafts.len());
    for ((draft, mentions), id) in drafts.into_iter().zip(mentions).zip(ids) {
        provisions.push(assembler.provision(draft, &mentions, id));
    }
    let sections = section_contexts(input, &references, ranges, &provisions, &provision_contexts);
    let contexts = EditionContexts { provisions: provision_contexts, sections };
    AssembledProvisions { provisions, former_ids, contexts }
}

/// Makes provisions of drafts, which come in document order.
struct Assembler<'a> {
    input: &'a Input<'a>,
    references: &'a References<'a>,
    /// The terms of the edition, for each language.
    vocabularies: &'a [Vocabulary<'a>],
    /// The part of the document with each identifier.
    holders: HashMap<String, &'a str>,
    labels: Labels<'a>,
    /// The section of the last draft, counted up to its position.
    counted: (usize, Scalars),
    anatomies: Anatomies<'a>,
}

impl Assembler<'_> {
    fn provision(&mut self, draft: ProvisionDraft, mentions: &[Mention], id: ProvisionId) -> Provision {
        let section = &self.input.sections[draft.section];
        let text = collapse(&section.text[draft.range.clone()]);
        let lead_in = lead_in(self.input, &draft.lead);
        let anatomy = self.anatomies.read(&draft, &text, lead_in.as_deref(), mentions);
        let anchor = anchor(&section.text, &draft, &mut self.counted);
        let references = self.references_of(&draft, mentions);
        let terms = match draft.terms {
            Some(terms) => terms,
            None => {
                let vocabulary = &self.vocabularies[self.input.language_of_block(draft.block)];
                let spans = spans(self.input, &draft);
                vocabulary.used(&section.text, draft.range.clone(), &spans, None)
            }
        };
        let xml = draft.xml.and_then(|xml| section.xml.get(xml.start as usize..xml.end as usize));
        Provision {
            id,
            label: self.labels.next(draft.section).into(),
            identifier: draft.names.identifier,
            item_label: draft.names.item_label,
            kind: draft.r#type.kind,
            verbal_form: draft.r#type.verbal_form.into(),
            negated: draft.r#type.negated,
            text: text.into(),
            xml: xml.map(Into::into),
            lead_in: lead_in.map(Into::into),
            container: draft.container,
            normative: section.normative,
            section: draft.section,
            table: self.input.blocks[draft.block].table.map(|table| table as usize),
            references: references.into(),
            quantities: anatomy.quantities.into(),
            conditions: anatomy.conditions.into(),
            subject: anatomy.subject,
            terms: terms.into(),
            anchor,
            origin: draft.origin,
            rule: draft.r#type.rule,
            confidence: draft.r#type.confidence,
            alternatives: draft.r#type.alternatives,
        }
    }

    /// The dependencies of a requirement, then the references in its text.
    fn references_of(&self, draft: &ProvisionDraft, mentions: &[Mention]) -> Vec<Reference> {
        let mut references = Vec::new();
        for &at in &draft.dependencies {
            references.extend(dependency(self.input, self.references, &self.holders, at));
        }
        let text = &self.input.sections[draft.section].text;
        references.extend(References::references(text, mentions));
        references
    }
}

/// The table, or else the section, with each identifier of a requirement or class. An address is also held by
/// the path in it: `/req/core/x` of `https://example.org/spec/req/core/x`.
fn holders<'a>(input: &Input<'a>, drafts: &[ProvisionDraft]) -> HashMap<String, &'a str> {
    let mut holders: HashMap<String, &'a str> = HashMap::default();
    for draft in drafts {
        if let Some(name) = &draft.names.identifier {
            add_holder(&mut holders, name, holder(input, &input.blocks[draft.block]));
        }
    }
    for section in input.sections {
        if let Some(found) = section.title.as_deref().and_then(leading_identifier) {
            add_holder(&mut holders, found.name, section.id.as_str());
        }
    }
    for block in input.blocks {
        let is_head = matches!(block.kind, BlockKind::Other | BlockKind::TableHeader | BlockKind::Caption);
        if block.table.is_none() || !is_head {
            continue;
        }
        let text = &input.sections[block.section].text[block.range.clone()];
        if let Some(found) = leading_identifier(text)
            && found.rest.is_empty()
        {
            add_holder(&mut holders, found.name, holder(input, block));
        }
    }
    holders
}

/// The id of the table of a block, else of its section.
fn holder<'a>(input: &Input<'a>, block: &Block<'_>) -> &'a str {
    match block.table.and_then(|table| input.tables.get(table as usize)) {
        Some(table) => table.id.as_str(),
        None => input.sections[block.section].id.as_str(),
    }
}

/// Adds the holder of a name, and of the path in it, if they have none.
fn add_holder<'a>(holders: &mut HashMap<String, &'a str>, name: &str, holder: &'a str) {
    holders.entry(name.to_owned()).or_insert(holder);
    if let Some(at) = PATHS.iter().find_map(|path| name.find(path))
        && at > 0
    {
        holders.entry(name[at..].to_owned()).or_insert(holder);
    }
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
    if !found.is_empty() {
        return found;
    }
    let text = collapse(&text[block.range.clone()]);
    let target = holders.get(text.as_str()).map(|id| ReferenceTarget::Part((*id).to_owned()));
    vec![Reference { text, target, date: None, clause: None, itself: false }]
}

/// Tokens within a draft.
fn spans<'a>(input: &Input<'a>, draft: &ProvisionDraft) -> Vec<&'a TokenSpan> {
    let mut within = Vec::new();
    for &block in &draft.blocks {
        for span in spans_in(&input.blocks[block].spans, &draft.range) {
            if span.range.start >= draft.range.start && span.range.end <= draft.range.end {
                within.push(span);
            }
        }
    }
    within
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
    let mut own: Vec<Cow<'_, str>> = Vec::with_capacity(draft.blocks.len());
    if draft.origin == Origin::Derived && draft.blocks.len() > 1 {
        // Labels of alternatives are between their blocks.
        for &block in &draft.blocks {
            let range = &input.blocks[block].range;
            let part = range.start.max(draft.range.start)..range.end;
            own.push(without_print(text, part, &spans, mentions));
        }
    } else {
        own.push(without_print(text, draft.range.clone(), &spans, mentions));
    }
    let lead = draft.lead.iter().map(|lead| leads[lead].as_ref());
    ProvisionFingerprint {
        words: words(lead.chain(own.iter().map(AsRef::as_ref))),
        apart: draft.further.then_some(draft.r#type.kind),
    }
}

/// The sentences of a lead-in, one after the other; `None` where there are none.
fn lead_in(input: &Input<'_>, lead: &[(usize, Range<usize>)]) -> Option<String> {
    let mut joined = String::new();
    for (at, (block, range)) in lead.iter().enumerate() {
        if at > 0 {
            joined.push(' ');
        }
        let section = input.blocks[*block].section;
        joined += &collapse(&input.sections[section].text[range.clone()]);
    }
    (!joined.is_empty()).then_some(joined)
}

/// What the signs in numbers mean, for each language of a document.
fn separators(input: &Input<'_>) -> Vec<Separators> {
    let mut separators = Vec::with_capacity(input.languages.len());
    for (index, lang) in input.languages.iter().enumerate() {
        let sections = input.sections.iter().zip(input.language_of);
        let own = sections.filter(|(_, language)| **language == index).map(|(section, _)| section);
        separators.push(match Anatomy::of(lang) {
            Some(anatomy) => anatomy.separators(own),
            None => Separators::default(),
        });
    }
    separators
}

/// The anatomy of provisions; those of a list share that of their lead-in.
struct Anatomies<'a> {
    input: &'a Input<'a>,
    references: &'a References<'a>,
    /// The signs in numbers, for each language.
    separators: Vec<Separators>,
    /// The lead-in that was read last: the next item often shares it.
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
        let mut found = match lead_in {
            Some(lead_in) => self.lead_in(tables, draft, lead_in),
            None => anatomy::FoundAnatomy::default(),
        };
        let source = &input.sections[draft.section].text;
        let form = match &draft.r#type.form_range {
            Some(form) if is_within(form, &draft.range) => {
                Some(collapsed_range(source, draft.range.start, form))
            }
            _ => None,
        };
        let words = References::words(source, mentions);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let lead_in = lead_in.unwrap_or_default();
        let part = anatomy::AnatomyText { text, in_lead_in: false, lead_in, form: form.as_ref() };
        tables.add(part, separators, &words, &mut found);
        found
    }

    fn lead_in(&mut self, tables: &Anatomy, draft: &ProvisionDraft, lead_in: &str) -> anatomy::FoundAnatomy {
        let form = draft.r#type.form_range.clone();
        if let Some(last) = &self.lead
            && last.sentences == draft.lead
            && last.form == form
        {
            return last.found.clone();
        }
        let mut words = Vec::new();
        let mut own = None;
        let mut before = 0;
        for (block, range) in &draft.lead {
            let source = &self.input.sections[self.input.blocks[*block].section].text;
            let spans: Vec<&TokenSpan> = spans_in(&self.input.blocks[*block].spans, range).iter().collect();
            words.extend(References::words(source, &self.references.mentions(*block, range.clone(), &spans)));
            if let Some(form) = &form
                && is_within(form, range)
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

fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
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
        let name = match named.number.as_deref() {
            Some(number) if self.counts[number] == 1 => number,
            _ => named.id.as_str(),
        };
        let ordinal = self.last.1.to_string();
        [name, "(", ordinal.as_str(), ")"].concat()
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
    let scalar = |byte: usize| {
        if byte < first {
            start - text[byte..first].chars().count()
        } else {
            start + text[first..byte].chars().count()
        }
    };
    let form = draft.r#type.form_range.as_ref();
    let verbal_form = form.map(|form| Slice { start: scalar(form.start), end: scalar(form.end) });
    Anchor { element: draft.element.clone(), start, end: scalar(draft.range.end), verbal_form }
}
