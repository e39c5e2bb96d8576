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
    let mut terms = Vec::with_capacity(document.structure.terms.len());
    for &(node, section) in &document.structure.terms {
        let is_entry = node.name() == Name::TermEntry;
        let number = if is_entry { number(node) } else { None };
        let mut term = Term {
            id: ids.allocate(document, node, number.as_deref()),
            number,
            designations: Vec::new(),
            definitions: Vec::new(),
            domains: Vec::new(),
            notes: Vec::new(),
            examples: Vec::new(),
            sources: Vec::new(),
            section,
        };
        if is_entry {
            entry(document, node, &mut term);
        } else {
            item(document, node, &mut term);
        }
        shrink(&mut term);
        terms.push(term);
    }
    terms
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
    for section in entry.ancestors() {
        if section.name() == Name::TermSec
            && let Some(number) = number_in_label(section)
        {
            return Some(number);
        }
    }
    let clause = entry.parent()?;
    if clause.name() == Name::Sec && is_only_entry(clause, entry) { number_in_label(clause) } else { None }
}

fn is_only_entry(clause: XmlNode<'_>, entry: XmlNode<'_>) -> bool {
    let mut following = std::iter::successors(entry.next(), |n| n.next());
    clause.child(Name::TermEntry) == Some(entry) && following.all(|n| n.name() != Name::TermEntry)
}

fn number_in_label(holder: XmlNode<'_>) -> Option<String> {
    number_of(&text::label(holder)?)
}

/// Ids of terms: those of the source that are unique, else their numbers, counted.
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
    for part in node.elements() {
        if part.name() != Name::LangSet {
            entry_part(document, part, &document.language, term);
            continue;
        }
        let language = part.language().unwrap_or_else(|| document.language.clone());
        for part in part.elements() {
            entry_part(document, part, &language, term);
        }
    }
}

fn entry_part<'t>(document: &DocumentIndex<'t>, part: XmlNode<'t>, language: &Lang, term: &mut Term) {
    match part.name() {
        Name::Tig | Name::Ntig => {
            designation(document, part, language, term);
            for note in part.all(Name::UsageNote) {
                term.notes.extend(term_text(document, note, language));
            }
        }
        Name::Definition => {
            if let Some(TermText { language, text }) = term_text(document, part, language) {
                let xml = markup::element_markup(document.tree, part);
                term.definitions.push(Definition { language, text, xml });
            }
        }
        Name::SubjectField => term.domains.extend(term_text(document, part, language)),
        Name::Note => term.notes.extend(term_text(document, part, language)),
        Name::Example => term.examples.extend(term_text(document, part, language)),
        Name::Source | Name::XSource => term.sources.extend(source(document, part, language)),
        _ => {}
    }
}

/// The text of a part in a language; `None` where it is empty.
fn term_text<'t>(document: &DocumentIndex<'t>, part: XmlNode<'t>, language: &Lang) -> Option<TermText> {
    let text = text::paragraphs(document, part);
    if text.is_empty() { None } else { Some(TermText { language: language.clone(), text }) }
}

/// The source of an entry: its text, or else what it points at.
fn source<'t>(document: &DocumentIndex<'t>, part: XmlNode<'t>, language: &Lang) -> Option<TermText> {
    if let Some(text) = term_text(document, part, language) {
        return Some(text);
    }
    let target = part.attr("xtarget").or_else(|| part.attr("target"))?;
    Some(TermText { language: language.clone(), text: target.trim().to_owned() })
}

fn designation<'t>(document: &DocumentIndex<'t>, tig: XmlNode<'t>, language: &Lang, term: &mut Term) {
    for word in tig.all(Name::Term) {
        if let Some(text) = text::line(Some(document), word) {
            term.designations.push(Designation {
                text,
                status: status(tig),
                kind: first_value(tig, Name::TermType),
                part_of_speech: first_value(tig, Name::PartOfSpeech),
                language: language.clone(),
            });
        }
    }
}

/// The status of a designation: preferred where the source states none.
pub(crate) fn status(tig: XmlNode<'_>) -> DesignationStatus {
    let value = first_value(tig, Name::NormativeAuthorization).unwrap_or_default().to_ascii_lowercase();
    if value.contains("deprecated") || value.contains("superseded") {
        DesignationStatus::Deprecated
    } else if value.contains("admitted") {
        DesignationStatus::Admitted
    } else {
        DesignationStatus::Preferred
    }
}

/// The value of the first element of a name: its attribute, or else its text.
fn first_value(tig: XmlNode<'_>, name: Name) -> Option<String> {
    let node = tig.all(name).next()?;
    match node.attr("value") {
        Some(value) => Some(value.trim().to_owned()),
        None => node.normalized_text(),
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
                if let Some(TermText { language, text }) = term_text(document, part, &language) {
                    let xml = markup::element_markup(document.tree, part);
                    term.definitions.push(Definition { language, text, xml });
                }
            }
            _ => {}
        }
    }
}
