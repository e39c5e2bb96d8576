//! Documents of generated sentences, and their provisions as the project finds them.

use std::rc::Rc;

use norma_compare::{ComparisonUnit, UnitReference, find as find_passage};
use norma_model::{Lang, Provision, Section, SectionId, SectionKind, Urn};
use norma_provisions::blocks::{Block, BlockKind, ListItem};
use norma_provisions::{Input, SearchLimits, find};
use norma_quotations::CandidateUnit;

use crate::template::{Part, Sentence, printed};

/// Sentences with the units that they are in the index.
pub(crate) struct Document {
    pub(crate) language: Lang,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) units: Vec<ComparisonUnit>,
    /// Of each unit its sentence and item.
    pub(crate) origins: Vec<(usize, Option<usize>)>,
}

impl Document {
    pub(crate) fn new(language: &str, sentences: Vec<Sentence>) -> Self {
        let language: Lang = language.parse().expect("a language");
        let found = provisions(&language, &sentences);
        let mut units = Vec::new();
        let mut origins = Vec::new();
        for (index, sentence) in sentences.iter().enumerate() {
            let texts: Vec<(Option<usize>, String)> = match sentence.items.len() {
                0 => vec![(None, printed(&sentence.parts))],
                count => (0..count).map(|item| (Some(item), printed(&sentence.items[item]))).collect(),
            };
            for (item, text) in texts {
                let provision = found.iter().find(|one| one.section == index && *one.text == *text);
                let lead_in = item.map(|_| printed(&sentence.parts).into());
                units.push(unit(provision, units.len(), index, text, lead_in));
                origins.push((index, item));
            }
        }
        Self { language, sentences, units, origins }
    }

    /// The units as candidates.
    pub(crate) fn candidates(&self) -> Vec<CandidateUnit<'_>> {
        let units = self.units.iter().enumerate();
        units.map(|(index, unit)| CandidateUnit::of_provision(unit, index, &self.language)).collect()
    }

    /// The parts of a unit's text.
    pub(crate) fn parts(&self, unit: usize) -> &[Part] {
        let (sentence, item) = self.origins[unit];
        let sentence = &self.sentences[sentence];
        item.map_or(&sentence.parts, |item| &sentence.items[item])
    }
}

fn unit(
    provision: Option<&Provision>,
    index: usize,
    section: usize,
    text: String,
    lead_in: Option<Box<str>>,
) -> ComparisonUnit {
    let plain = ComparisonUnit {
        id: format!("prv_{index}").into(),
        text: text.into(),
        lead_in,
        section,
        ..ComparisonUnit::default()
    };
    // A sentence that the rules do not know is a unit without anatomy.
    let Some(provision) = provision else { return plain };
    let references = provision.references.iter();
    ComparisonUnit {
        verbal_form: find_passage(&provision.text, provision.lead_in.as_deref(), &provision.verbal_form),
        lead_in: provision.lead_in.clone(),
        kind: Some(provision.kind),
        negated: provision.negated,
        quantities: provision.quantities.to_vec(),
        conditions: provision.conditions.to_vec(),
        references: references
            .map(|one| UnitReference { text: one.text.as_str().into(), target: None })
            .collect(),
        ..plain
    }
}

/// The provisions of the sentences, each of which is a section.
fn provisions(language: &Lang, sentences: &[Sentence]) -> Vec<Provision> {
    let urn: Urn = format!("urn:iso:std:iso:1:ed-1:{language}").parse().expect("a URN");
    let mut sections = Vec::new();
    let mut blocks = Vec::new();
    for (index, sentence) in sentences.iter().enumerate() {
        let mut section = section(index, language);
        let lead_in = blocks.len();
        let text = printed(&sentence.parts);
        blocks.push(block(index, &mut section, BlockKind::Paragraph, &text, None));
        for item in &sentence.items {
            let position = Rc::new(ListItem { list: index, lead_in: Some(lead_in), label: None, depth: 1 });
            blocks.push(block(index, &mut section, BlockKind::ListItem, &printed(item), Some(position)));
        }
        sections.push(section);
    }
    let found = find(&Input {
        urn: &urn,
        former_urn: None,
        languages: std::slice::from_ref(language),
        language_of: &vec![0; sections.len()],
        sections: &sections,
        blocks: &blocks,
        terms: &[],
        tables: &[],
        graphics: &[],
        numbered: &[],
        reference: "",
        limits: &SearchLimits::default(),
    });
    found.expect("any number of provisions").provisions
}

fn section(index: usize, language: &Lang) -> Section {
    Section {
        id: SectionId::new(format!("sec_{index}")),
        source_id: None,
        label: None,
        number: Some((index + 1).to_string().into()),
        title: None,
        kind: SectionKind::Clause,
        language: language.clone(),
        normative: true,
        level: 1,
        parent: None,
        layer: 0,
        xml: String::new(),
        text: String::new(),
    }
}

fn block(
    index: usize,
    section: &mut Section,
    kind: BlockKind,
    text: &str,
    item: Option<Rc<ListItem>>,
) -> Block<'static> {
    let start = section.text.len();
    section.text.push_str(text);
    let range = start..section.text.len();
    section.text.push_str("\n\n");
    Block { section: index, kind, range, item, ..Block::default() }
}
