//! Citations: which document a `std` or an entry of a bibliography names.

use norma_model::PartialUrn;

use crate::names::Name;
use crate::tree::Node;

/// A cited document.
#[derive(Clone, Debug)]
pub(crate) struct Cited {
    /// As cited.
    pub reference: String,
    pub urn: Option<PartialUrn>,
    pub dated: bool,
    pub title: Option<String>,
}

impl Cited {
    /// Reads a designation.
    pub(crate) fn read(reference: String, title: Option<String>) -> Self {
        let citation = PartialUrn::from_reference(&reference);
        Self {
            dated: citation.as_ref().is_some_and(|c| c.dated),
            urn: citation.map(|c| c.urn),
            reference,
            title,
        }
    }
}

/// What a citation within a line names.
pub(crate) fn of(node: Node<'_>) -> Option<Cited> {
    let title = node.child(Name::Title).or_else(|| node.child(Name::Article)).and_then(Node::words);
    let reference = node.all(Name::StdRef).find_map(Node::words).or_else(|| designation(node))?;
    let mut cited = Cited::read(reference, title);
    if cited.urn.is_none() {
        let stated = node
            .attr("std-id")
            .map(str::to_owned)
            .into_iter()
            .chain(node.all(Name::StdId).filter_map(Node::words));
        if let Some(citation) = stated.filter_map(|id| PartialUrn::from_reference(&id)).next() {
            cited.urn = Some(citation.urn);
            cited.dated |= citation.dated;
        }
    }
    Some(cited)
}

/// What an entry of a list of references names.
pub(crate) fn of_entry(entry: Node<'_>) -> Option<Cited> {
    if let Some(std) = entry.all(Name::Std).next() {
        return of(std);
    }
    let label = entry.child(Name::Label);
    let mut words = String::new();
    for child in entry.elements().filter(|n| Some(*n) != label) {
        if let Some(text) = child.words() {
            words.push_str(if words.is_empty() { "" } else { " " });
            words.push_str(&text);
        }
    }
    let title = entry
        .descendants()
        .find(|n| matches!(n.name(), Name::Article | Name::ChapterTitle | Name::Source | Name::Title))
        .and_then(Node::words);
    (!words.is_empty()).then(|| Cited::read(words, title))
}

/// The words of a `std` without identifiers and title: the designation is often bare text.
fn designation(node: Node<'_>) -> Option<String> {
    let mut words = String::new();
    for child in node.children() {
        match child.name() {
            Name::Title | Name::StdId | Name::StdIdGroup | Name::Fn | Name::Footnote | Name::Xref => {}
            Name::Text => words.push_str(child.characters()),
            _ => words.push_str(&child.words().unwrap_or_default()),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.trim_end_matches([',', ';', ' ']).to_owned();
    (!words.is_empty()).then_some(words)
}
