//! Terms: entries of TBX and items of definition lists, in all their languages.

use foldhash::{HashMap, HashSet};
use norma_model::{Definition, Designation, DesignationStatus, Lang, Term, TermId, TermText};

use crate::document::index::DocumentIndex;
use crate::document::markup;
use crate::text;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_model::label::number_of;

/// The terms of a document, in the order of its plan.
pub(crate) fn terms(document: &DocumentIndex<'_>) -> Vec<Term> {
    let mut ids = IdAllocator::default();
    document
        .structure
        .terms
        .iter()
        .map(|&(node, section)| {
            let number = match node.name() {
                Name::TermEntry => number(node),
                _ => None,
            };
            let id = ids.allocate(document, node, number.as_deref());
            let mut term = Term {
                id,
                number,
                designations: Vec::new(),
                definitions: Vec::new(),
                domains: Vec::new(),
                notes: Vec::new(),
                examples: Vec::new(),
                sources: Vec::new(),
                section,
            };
            match node.name() {
                Name::TermEntry => entry(document, node, &mut term),
                _ => item(document, node, &mut term),
            }
            shrink(&mut term);
            term
        })
        .collect()
}

/// Returns unused memory: lists of one or two, in each of thousands of terms.
fn shrink(term: &mut Term) {
    term.designations.shrink_to_fit();
    term.definitions.shrink_to_fit();
    for texts in [&mut term.domains, &mut term.notes, &mut term.examples, &mut term.sources] {
        texts.shrink_to_fit();
    }
}

/// The number of an entry: of its section of terms, else of the clause that holds it alone.
fn number(entry: XmlNode<'_>) -> Option<String> {
    let alone = |clause: &XmlNode<'_>| {
        let mut following = std::iter::successors(entry.next(), |n| n.next());
        clause.child(Name::TermEntry) == Some(entry) && following.all(|n| n.name() != Name::TermEntry)
    };
    let clause = || entry.parent().filter(|n| n.name() == Name::Sec).filter(alone);
    let label = |holder: XmlNode<'_>| number_of(&text::label(holder)?);
    let entries = entry.ancestors().filter(|n| n.name() == Name::TermSec);
    entries.filter_map(label).next().or_else(|| label(clause()?))
}

#[derive(Default)]
struct IdAllocator {
    counts: HashMap<String, usize>,
    taken: HashSet<String>,
}

impl IdAllocator {
    fn allocate(&mut self, document: &DocumentIndex<'_>, node: XmlNode<'_>, number: Option<&str>) -> TermId {
        if let Some(id) = node.xml_id().filter(|id| document.tree.is_unique(id)) {
            self.taken.insert(id.to_owned());
            return TermId::new(id);
        }
        let base = number.unwrap_or("term");
        let count = self.counts.entry(base.to_owned()).or_default();
        loop {
            *count += 1;
            let id = format!("{base}~{count}");
            if !document.tree.has_id(&id) && self.taken.insert(id.clone()) {
                return TermId::new(id);
            }
        }
    }
}

/// Reads an entry of TBX (ISO 30042). What is above its languages is in the document's own.
fn entry<'t>(document: &DocumentIndex<'t>, node: XmlNode<'t>, term: &mut Term) {
    for set in node.elements() {
        if set.name() == Name::LangSet {
            let language = XmlNode::language(set).unwrap_or_else(|| document.language.clone());
            set.elements().for_each(|part| entry_part(document, part, &language, term));
        } else {
            entry_part(document, set, &document.language, term);
        }
    }
}

fn entry_part<'t>(document: &DocumentIndex<'t>, part: XmlNode<'t>, language: &Lang, term: &mut Term) {
    let text = || {
        let text = text::paragraphs(document, part);
        (!text.is_empty()).then(|| TermText { language: language.clone(), text })
    };
    match part.name() {
        Name::Tig | Name::Ntig => {
            designation(document, part, language, term);
            let usage = part.all(Name::UsageNote).map(|note| text::paragraphs(document, note));
            let usage = usage.filter(|text| !text.is_empty());
            term.notes.extend(usage.map(|text| TermText { language: language.clone(), text }));
        }
        Name::Definition => {
            if let Some(TermText { language, text }) = text() {
                let xml = markup::element_markup(document.tree, part);
                term.definitions.push(Definition { language, text, xml });
            }
        }
        Name::SubjectField => term.domains.extend(text()),
        Name::Note => term.notes.extend(text()),
        Name::Example => term.examples.extend(text()),
        Name::Source | Name::XSource => term.sources.extend(text().or_else(|| {
            let target = part.attr("xtarget").or_else(|| part.attr("target"))?;
            Some(TermText { language: language.clone(), text: target.trim().to_owned() })
        })),
        _ => {}
    }
}

fn designation<'t>(document: &DocumentIndex<'t>, tig: XmlNode<'t>, language: &Lang, term: &mut Term) {
    let value = |name| {
        let node = tig.all(name).next()?;
        node.attr("value").map(|v| v.trim().to_owned()).or_else(|| node.normalized_text())
    };
    let status = match value(Name::NormativeAuthorization).unwrap_or_default().to_ascii_lowercase() {
        v if v.contains("deprecated") || v.contains("superseded") => DesignationStatus::Deprecated,
        v if v.contains("admitted") => DesignationStatus::Admitted,
        _ => DesignationStatus::Preferred,
    };
    for word in tig.all(Name::Term) {
        if let Some(text) = text::line(Some(document), word) {
            term.designations.push(Designation {
                text,
                status,
                kind: value(Name::TermType),
                part_of_speech: value(Name::PartOfSpeech),
                language: language.clone(),
            });
        }
    }
}

/// Reads an item of a definition list.
fn item<'t>(document: &DocumentIndex<'t>, node: XmlNode<'t>, term: &mut Term) {
    let language = std::iter::once(node).chain(node.ancestors()).find_map(XmlNode::language);
    let language = language.unwrap_or_else(|| document.language.clone());
    for part in node.elements() {
        match part.name() {
            Name::Term => {
                if let Some(text) = text::line(Some(document), part) {
                    term.designations.push(Designation {
                        text,
                        status: DesignationStatus::Preferred,
                        kind: None,
                        part_of_speech: None,
                        language: language.clone(),
                    });
                }
            }
            Name::Def => {
                let text = text::paragraphs(document, part);
                if !text.is_empty() {
                    let xml = markup::element_markup(document.tree, part);
                    term.definitions.push(Definition { language: language.clone(), text, xml });
                }
            }
            _ => {}
        }
    }
}
