//! Terms: entries of TBX and items of definition lists, in all their languages.

use foldhash::{HashMap, HashSet};
use norma_model::{Definition, Designation, DesignationStatus, Lang, Term, TermId, TermText};

use crate::document::book::Book;
use crate::document::markup;
use crate::text;
use crate::xml::names::Name;
use crate::xml::tree::Node;
use norma_provisions::label::number_of;

/// The terms of a document, in the order of its plan.
pub(crate) fn terms(book: &Book<'_>) -> Vec<Term> {
    let mut ids = Ids::default();
    book.plan
        .terms
        .iter()
        .map(|&(node, section)| {
            let number = match node.name() {
                Name::TermEntry => number(node),
                _ => None,
            };
            let id = ids.pick(book, node, number.as_deref());
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
                Name::TermEntry => entry(book, node, &mut term),
                _ => item(book, node, &mut term),
            }
            shrink(&mut term);
            term
        })
        .collect()
}

/// Gives back the room for more of each: lists of one or two, in each of thousands of terms.
fn shrink(term: &mut Term) {
    term.designations.shrink_to_fit();
    term.definitions.shrink_to_fit();
    for texts in [&mut term.domains, &mut term.notes, &mut term.examples, &mut term.sources] {
        texts.shrink_to_fit();
    }
}

/// The number of an entry: of its section of terms, else of the clause that holds it alone.
fn number(entry: Node<'_>) -> Option<String> {
    let alone = |clause: &Node<'_>| {
        let mut behind = std::iter::successors(entry.next(), |n| n.next());
        clause.child(Name::TermEntry) == Some(entry) && behind.all(|n| n.name() != Name::TermEntry)
    };
    let clause = || entry.parent().filter(|n| n.name() == Name::Sec).filter(alone);
    let label = |holder: Node<'_>| number_of(&holder.child(Name::Label)?.words()?);
    let entries = entry.ancestors().filter(|n| n.name() == Name::TermSec);
    entries.filter_map(label).next().or_else(|| label(clause()?))
}

#[derive(Default)]
struct Ids {
    counts: HashMap<String, usize>,
    taken: HashSet<String>,
}

impl Ids {
    fn pick(&mut self, book: &Book<'_>, node: Node<'_>, number: Option<&str>) -> TermId {
        if let Some(id) = node.xml_id().filter(|id| book.tree.is_unique(id)) {
            self.taken.insert(id.to_owned());
            return TermId::new(id);
        }
        let base = number.unwrap_or("term");
        let count = self.counts.entry(base.to_owned()).or_default();
        loop {
            *count += 1;
            let id = format!("{base}~{count}");
            if !book.tree.knows(&id) && self.taken.insert(id.clone()) {
                return TermId::new(id);
            }
        }
    }
}

/// Reads an entry of TBX (ISO 30042).
fn entry<'t>(book: &Book<'t>, node: Node<'t>, term: &mut Term) {
    for set in node.elements().filter(|n| n.name() == Name::LangSet) {
        let language = language_of(set).unwrap_or_else(|| book.language.clone());
        for part in set.elements() {
            let text = || {
                let text = text::passage(book, term.section, part);
                (!text.is_empty()).then(|| TermText { language: language.clone(), text })
            };
            match part.name() {
                Name::Tig | Name::Ntig => designation(book, part, &language, term),
                Name::Definition => {
                    if let Some(TermText { language, text }) = text() {
                        term.definitions.push(Definition {
                            language,
                            text,
                            xml: markup::of_element(book.tree, part),
                        });
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
    }
}

fn designation<'t>(book: &Book<'t>, tig: Node<'t>, language: &Lang, term: &mut Term) {
    let value = |name| {
        let node = tig.all(name).next()?;
        node.attr("value").map(|v| v.trim().to_owned()).or_else(|| node.words())
    };
    let status = match value(Name::NormativeAuthorization).unwrap_or_default().to_ascii_lowercase() {
        v if v.contains("deprecated") || v.contains("superseded") => DesignationStatus::Deprecated,
        v if v.contains("admitted") => DesignationStatus::Admitted,
        _ => DesignationStatus::Preferred,
    };
    for word in tig.all(Name::Term) {
        let text = text::line(book, term.section, word);
        if !text.is_empty() {
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
fn item<'t>(book: &Book<'t>, node: Node<'t>, term: &mut Term) {
    let language = std::iter::once(node).chain(node.ancestors()).find_map(language_of);
    let language = language.unwrap_or_else(|| book.language.clone());
    for part in node.elements() {
        match part.name() {
            Name::Term => {
                let text = text::line(book, term.section, part);
                if !text.is_empty() {
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
                let text = text::passage(book, term.section, part);
                if !text.is_empty() {
                    let xml = markup::of_element(book.tree, part);
                    term.definitions.push(Definition { language: language.clone(), text, xml });
                }
            }
            _ => {}
        }
    }
}

fn language_of(node: Node<'_>) -> Option<Lang> {
    node.attr("lang")?.parse().ok()
}
