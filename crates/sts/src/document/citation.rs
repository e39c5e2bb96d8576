//! Citations: the document that a `std` or an entry of a bibliography names.

use norma_model::urn::find_publisher;
use norma_model::{PartialDate, PartialUrn};
use norma_provisions::blocks::Cited;

use crate::document::designation::read_once;
use crate::text::words;
use crate::xml::invisible::visible;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Longest reference in characters; a citation of another work may be a paragraph.
const MAX_REFERENCE: usize = 200;
/// Longest name of a publisher before a designation, in bytes.
const MAX_PUBLISHER: usize = 80;

/// Reads a designation.
pub(crate) fn parse(reference: String, title: Option<String>) -> Cited {
    let reference = read_once(reference);
    let citation = PartialUrn::from_reference(&reference);
    let cited = Cited { reference: shortened(reference), urn: None, dated: false, date: None, title };
    named(cited, citation)
}

/// A cited document with the values of its designation.
fn named(cited: Cited, citation: Option<norma_model::Citation>) -> Cited {
    let Some(citation) = citation else { return cited };
    let (dated, date) = (cited.dated || citation.dated, cited.date.or(citation.year));
    Cited { urn: Some(citation.urn), dated, date, ..cited }
}

/// Reads an entry of a list: a designation, then a title; or words about another work.
fn parse_entry(words: String, title: Option<String>) -> Cited {
    let words = read_once(words);
    let Some((at, citation)) = designation_in(&words) else { return parse(words, title) };
    let text = citation.text.as_str();
    let after = without_mark(&words[at + citation.end..]);
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || ",;.:-–—".contains(c));
    let title = title.or_else(|| (!after.is_empty()).then(|| shortened(after.to_owned())));
    // Dashes and spaces stay as printed where the designation is all that there is.
    let whole = at == 0 && words.chars().count() == text.chars().count();
    let reference = if whole { words } else { text.to_owned() };
    named(Cited { reference, urn: None, dated: false, date: None, title }, Some(citation))
}

/// A text without the mark of a footnote at its start that is not a cross-reference: `^2), Title`.
fn without_mark(text: &str) -> &str {
    let Some(mark) = text.strip_prefix('^') else { return text };
    mark.find([',', ';', ' ']).map_or("", |end| &mark[end..])
}

/// The designation at the start of an entry, also after its publisher (`IETF: RFC 3986`) or its authors
/// (`A. Doe, RFC 3986`), and where it begins.
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

/// The documents that an entry of a list of references names.
pub(crate) fn from_entry(entry: XmlNode<'_>, language: &str) -> Vec<Cited> {
    let citations = entry.elements().filter(|n| n.name().is_citation());
    let mut cited: Vec<Cited> = citations.filter_map(|citation| from_citation(citation, language)).collect();
    if cited.iter().any(|cited| cited.urn.is_some()) {
        // Next to standards, the others are comments on them.
        cited.retain(|cited| cited.urn.is_some());
        return cited;
    }
    match entry.all(Name::Std).next() {
        Some(std) => from_std(std).into_iter().collect(),
        None if cited.len() == 1 => cited,
        None => from_words(entry).into_iter().collect(),
    }
}

/// The document that a citation names.
pub(crate) fn from_citation(citation: XmlNode<'_>, language: &str) -> Option<Cited> {
    match citation.name() {
        Name::Std => from_std(citation),
        Name::CitationAlternatives => {
            let mut cited =
                alternatives(citation, language).into_iter().filter_map(|n| from_citation(n, language));
            let first = cited.next()?;
            if first.urn.is_some() {
                Some(first)
            } else {
                cited.find(|other| other.urn.is_some()).or(Some(first))
            }
        }
        _ => match citation.all(Name::Std).next() {
            Some(std) => {
                let cited = from_std(std);
                // The publisher may be next to the element that has the number.
                let named = cited.as_ref().is_some_and(|cited| cited.urn.is_some());
                let around = || from_words(citation).filter(|cited| cited.urn.is_some());
                let cited = if named { cited } else { around().or(cited) };
                // The title may be plain words after that element.
                let titled = |urn: &Option<PartialUrn>| around().filter(|words| words.urn == *urn)?.title;
                cited.map(|mut cited| {
                    cited.title = cited.title.or_else(|| title(citation)).or_else(|| titled(&cited.urn));
                    cited
                })
            }
            None if is_joined(citation) => from_elements(citation),
            None => from_words(citation),
        },
    }
}

/// The document that a `std` names.
pub(crate) fn from_std(node: XmlNode<'_>) -> Option<Cited> {
    let title = node.child(Name::Title).or_else(|| node.child(Name::Article)).and_then(words);
    let mut references = node.all(Name::StdRef).filter_map(words).filter(|reference| !is_label(reference));
    let is_dated =
        |reference: &String| PartialUrn::from_reference(reference).is_some_and(|found| found.dated);
    let first = references.next();
    let reference = match first {
        Some(first) if !is_dated(&first) => Some(references.find(is_dated).unwrap_or(first)),
        first => first,
    };
    let reference =
        reference.or_else(|| designation(node)).or_else(|| stated(node)).or_else(|| title.clone())?;
    let mut cited = parse(reference, title);
    if cited.urn.is_none() {
        let ids = node
            .attr("std-id")
            .map(str::to_owned)
            .into_iter()
            .chain(node.all(Name::StdId).filter_map(words))
            .chain(stated(node));
        let citation = ids.filter_map(|id| PartialUrn::from_reference(&id)).next();
        cited = named(cited, citation);
    }
    Some(with_year(cited, node))
}

/// The document that a citation names in elements without words between them.
fn from_elements(citation: XmlNode<'_>) -> Option<Cited> {
    let title = title(citation);
    let text = |name| citation.all(name).find_map(words);
    let organization = [Name::StdOrganization, Name::StdOrg, Name::StdOrgAbbrev, Name::PublisherName]
        .into_iter()
        .chain([Name::Institution, Name::Collab])
        .find_map(text);
    let numbered = |name: Name| {
        matches!(name, Name::Source | Name::PubId | Name::StdId | Name::StdDesignation | Name::StdRef)
            || name == Name::Unknown
    };
    let candidates: Vec<String> =
        citation.elements().filter(|n| numbered(n.name())).filter_map(words).collect();
    // The designation is in one element, or its number is next to its publisher.
    let named =
        |reference: String| PartialUrn::from_reference(&reference).map(|citation| (citation, reference));
    let joined = || {
        let organization = organization?;
        let numbers = candidates.iter().filter(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        numbers.map(|number| format!("{organization} {number}")).find_map(named)
    };
    let Some((designation, _)) = candidates.iter().cloned().find_map(named).or_else(joined) else {
        let all: Vec<String> = citation.elements().filter_map(words).collect();
        return (!all.is_empty()).then(|| parse_entry(all.join(", "), title));
    };
    Some(with_year(parse(designation.text, title), citation))
}

/// A citation without a date in its designation, dated by a separate element for the year.
fn with_year(cited: Cited, citation: XmlNode<'_>) -> Cited {
    let mut years =
        citation.all(Name::Year).filter_map(words).filter(|year| year.parse::<PartialDate>().is_ok());
    match (years.next(), years.next()) {
        (Some(year), None) if cited.urn.is_some() && !cited.dated => {
            let is_printed = cited.reference.contains(&year);
            let reference = if is_printed { cited.reference } else { format!("{}:{year}", cited.reference) };
            Cited { reference, dated: true, date: Some(year), ..cited }
        }
        _ => cited,
    }
}

/// The document that the words of a citation or an entry name.
pub(crate) fn from_words(citation: XmlNode<'_>) -> Option<Cited> {
    let label = citation.child(Name::Label);
    let text = match label {
        Some(label) => {
            let texts = citation.elements().filter(|n| *n != label).filter_map(words);
            Some(texts.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
        }
        None => words(citation),
    };
    text.map(|text| with_year(parse_entry(text, title(citation)), citation))
}

/// The title of the cited work: that of an article or chapter, else its source unless that is a designation.
fn title(citation: XmlNode<'_>) -> Option<String> {
    let named = |n: &XmlNode<'_>| {
        matches!(n.name(), Name::Article | Name::ChapterTitle | Name::StdTitle | Name::Title)
    };
    let own = citation.descendants().find(named).and_then(words);
    own.or_else(|| {
        let sources = citation.all(Name::Source).filter_map(words);
        sources
            .filter(|source| PartialUrn::from_reference(source).is_none())
            .find(|source| !source.is_empty())
    })
}

/// The form of a citation that is used when there are several: in the language of the document, with words
/// between its elements.
pub(crate) fn best_citation<'t>(node: XmlNode<'t>, language: &str) -> Option<XmlNode<'t>> {
    alternatives(node, language).into_iter().next()
}

/// The forms of a citation, the best one first.
fn alternatives<'t>(node: XmlNode<'t>, language: &str) -> Vec<XmlNode<'t>> {
    let mut forms: Vec<XmlNode<'t>> = node.elements().filter(|n| n.name().is_citation()).collect();
    forms.sort_by_key(|form| {
        let own = form.language().map(|own| own.primary() == language);
        let foreign = match own {
            Some(true) => 0,
            None => 1,
            Some(false) => 2,
        };
        (foreign, is_joined(*form))
    });
    forms
}

/// Whether the elements of a citation have no words between them, so that punctuation has to separate them.
pub(crate) fn is_joined(citation: XmlNode<'_>) -> bool {
    let content = citation.elements().filter(|n| !n.name().is_attached()).count();
    match citation.name() {
        Name::ElementCitation | Name::NlmCitation => true,
        _ => content > 1 && citation.children().all(|n| n.name() != Name::Text),
    }
}

/// The designation from the parts of a `std-ident`: `IETF RFC 8141`.
fn stated(node: XmlNode<'_>) -> Option<String> {
    let ident = node.child(Name::StdIdent)?;
    let part = |name| ident.child(name).and_then(words);
    let number = part(Name::DocNumber)?;
    let kind = part(Name::DocType).filter(|kind| norma_model::urn::document_type(kind).is_some());
    let number = match part(Name::PartNumber) {
        Some(part) => format!("{number}-{}", part.trim_start_matches('-')),
        None => number,
    };
    Some([part(Name::Originator)?].into_iter().chain(kind).chain([number]).collect::<Vec<_>>().join(" "))
}

/// Whether a text is the label of an entry, `[16]`, and not a designation.
fn is_label(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.is_some_and(|inside| inside.chars().all(|c| c.is_ascii_digit()))
}

/// The words of a `std` without identifiers and title: the designation is often bare text.
fn designation(node: XmlNode<'_>) -> Option<String> {
    let mut text = String::new();
    for child in node.children() {
        match child.name() {
            Name::Title | Name::StdId | Name::StdIdGroup | Name::StdIdent | Name::StdRef | Name::Xref => {}
            // A superscript marks a footnote, and a note is not part of a reference.
            Name::Sup | Name::Fn | Name::Footnote | Name::NonNormativeNote | Name::NormativeNote => {}
            Name::Text => text.push_str(&visible(child.characters())),
            _ => text.push_str(&words(child).unwrap_or_default()),
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_matches([',', ';', ' ']).to_owned();
    (!text.is_empty()).then_some(text)
}
