//! Citations: which document a `std` or an entry of a bibliography names.

use norma_model::PartialUrn;
use norma_model::urn::find_publisher;
use norma_provisions::blocks::Cited;

use crate::document::index::is_footnote_reference;
use crate::xml::names::Name;
use crate::xml::tree::Node;

/// Longest reference in characters; a citation of another work may be a paragraph.
const MAX_REFERENCE: usize = 200;
/// Longest name of a publisher before a designation, in bytes.
const MAX_PUBLISHER: usize = 80;

/// Reads a designation.
pub(crate) fn parse(reference: String, title: Option<String>) -> Cited {
    let citation = PartialUrn::from_reference(&reference);
    Cited {
        dated: citation.as_ref().is_some_and(|c| c.dated),
        urn: citation.map(|c| c.urn),
        reference: shortened(reference),
        title,
    }
}

/// Reads an entry of a list: a designation, then a title; or words about another work.
pub(crate) fn parse_entry(words: String, title: Option<String>) -> Cited {
    let Some((at, citation)) = designation_in(&words) else { return parse(words, title) };
    let text = citation.text.as_str();
    let after =
        words[at..].strip_prefix(text).unwrap_or_default().trim_start_matches([',', ';', '.', ':', ' ']);
    let title = title.or_else(|| (!after.is_empty()).then(|| shortened(after.to_owned())));
    // Dashes and spaces stay as printed where the designation is all that there is.
    let whole = at == 0 && words.chars().count() == text.chars().count();
    let reference = if whole { words } else { text.to_owned() };
    Cited { reference, dated: citation.dated, urn: Some(citation.urn), title }
}

/// The designation at the start of an entry, also after its publisher (`IETF: RFC 3986`) or its authors (`A. Doe, RFC 3986`), and
/// where it begins.
fn designation_in(words: &str) -> Option<(usize, norma_model::Citation)> {
    if let Some(citation) = PartialUrn::from_reference(words) {
        return Some((0, citation));
    }
    let head = words.char_indices().nth(MAX_REFERENCE).map_or(words, |(end, _)| &words[..end]);
    let marks = head.match_indices([',', ':', '.']).filter(|(at, _)| head[at + 1..].starts_with(' '));
    marks.enumerate().find_map(|(index, (at, _))| {
        let rest = words[at + 1..].trim_start();
        let numbered =
            ["RFC ", "IETF RFC ", "BCP ", "IETF BCP "].iter().any(|series| rest.starts_with(series));
        // The publisher comes first and alone: `ISO / TC 211: ISO 9999`.
        let before = &head[..at];
        let first = before.split([' ', '/']).next().unwrap_or_default();
        let published = index == 0 && (find_publisher(before).is_some() || find_publisher(first).is_some());
        let alone = published && before.len() <= MAX_PUBLISHER && !before.contains('(');
        let citation = (numbered || alone).then(|| PartialUrn::from_reference(rest))??;
        Some((words.len() - rest.len(), citation))
    })
}

/// At most [`MAX_REFERENCE`] characters, of whole words.
fn shortened(text: String) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_REFERENCE) else { return text };
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", text[..end].trim_end_matches([',', ';', ' ']))
}

/// The document that an inline citation names.
pub(crate) fn from_element(node: Node<'_>) -> Option<Cited> {
    let title = node.child(Name::Title).or_else(|| node.child(Name::Article)).and_then(text_without_notes);
    let reference =
        node.all(Name::StdRef).find_map(text_without_notes).filter(|reference| !is_label(reference));
    let reference =
        reference.or_else(|| designation(node)).or_else(|| stated(node)).or_else(|| title.clone())?;
    let mut cited = parse(reference, title);
    if cited.urn.is_none() {
        let ids = node
            .attr("std-id")
            .map(str::to_owned)
            .into_iter()
            .chain(node.all(Name::StdId).filter_map(Node::normalized_text))
            .chain(stated(node));
        if let Some(citation) = ids.filter_map(|id| PartialUrn::from_reference(&id)).next() {
            cited.urn = Some(citation.urn);
            cited.dated |= citation.dated;
        }
    }
    Some(cited)
}

/// The designation that the parts of a `std-ident` make: `IETF RFC 8141`.
fn stated(node: Node<'_>) -> Option<String> {
    let ident = node.child(Name::StdIdent)?;
    let part = |name| ident.child(name).and_then(text_without_notes);
    let number = part(Name::DocNumber)?;
    let kind = part(Name::DocType).filter(|kind| norma_model::urn::document_type(kind).is_some());
    let number = match part(Name::PartNumber) {
        Some(part) => format!("{number}-{}", part.trim_start_matches('-')),
        None => number,
    };
    Some([part(Name::Originator)?].into_iter().chain(kind).chain([number]).collect::<Vec<_>>().join(" "))
}

/// Whether a text is the label of an entry, `[16]`, and no designation.
fn is_label(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.is_some_and(|inside| inside.chars().all(|c| c.is_ascii_digit()))
}

/// The document that an entry of a list of references names.
pub(crate) fn from_entry(entry: Node<'_>) -> Option<Cited> {
    if let Some(std) = entry.all(Name::Std).next() {
        return from_element(std);
    }
    let label = entry.child(Name::Label);
    let aside = |n: &Node<'_>| Some(*n) == label || is_aside(*n);
    let texts = entry.elements().filter(|n| !aside(n)).filter_map(text_without_notes);
    let text = texts.collect::<Vec<_>>().join(" ");
    let title = entry
        .descendants()
        .find(|n| matches!(n.name(), Name::Article | Name::ChapterTitle | Name::Source | Name::Title))
        .and_then(text_without_notes);
    (!text.is_empty()).then(|| parse_entry(text, title))
}

/// Whether a node is a footnote, its mark or a note: not part of a reference.
fn is_aside(node: Node<'_>) -> bool {
    matches!(node.name(), Name::Fn | Name::Footnote | Name::NonNormativeNote | Name::NormativeNote)
        || node.name() == Name::Xref && is_footnote_reference(node)
}

/// The characters below a node without asides, white space collapsed.
fn text_without_notes(node: Node<'_>) -> Option<String> {
    node.normalized_text_without(is_aside)
}

/// The words of a `std` without identifiers and title: the designation is often bare text.
fn designation(node: Node<'_>) -> Option<String> {
    let mut text = String::new();
    for child in node.children() {
        match child.name() {
            Name::Title | Name::StdId | Name::StdIdGroup | Name::StdIdent | Name::StdRef | Name::Xref => {}
            Name::Text => text.push_str(child.characters()),
            _ if is_aside(child) => {}
            _ => text.push_str(&text_without_notes(child).unwrap_or_default()),
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_matches([',', ';', ' ']).to_owned();
    (!text.is_empty()).then_some(text)
}
