//! Citations: the document that a `std` or an entry of a bibliography names.

use norma_model::urn::find_publisher;
use norma_model::whitespace::collapse;
use norma_model::{Citation, PartialDate, PartialUrn};
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

/// Reads a designation; without one in the text, all of the text is the reference and names no document.
pub(crate) fn parse(reference: String, title: Option<String>) -> Cited {
    let reference = read_once(reference);
    let citation = PartialUrn::from_reference(&reference);
    let cited = Cited { reference: shortened(reference), urn: None, dated: false, date: None, title };
    match citation {
        Some(citation) => with_designation(cited, citation),
        None => cited,
    }
}

/// A cited document with the URN and date of its designation. A date that it has already stays.
fn with_designation(mut cited: Cited, citation: Citation) -> Cited {
    cited.urn = Some(citation.urn);
    cited.dated |= citation.dated;
    cited.date = cited.date.or(citation.year);
    cited
}

/// Reads an entry of a list: a designation, then a title; or words about another work.
fn parse_entry(words: String, title: Option<String>) -> Cited {
    let words = read_once(words);
    let Some((start, citation)) = designation_in(&words) else { return parse(words, title) };
    let title = title.or_else(|| title_after_designation(&words[start + citation.end..]));
    // Dashes and spaces stay as printed where the designation is all that there is.
    let is_whole = start == 0 && words.chars().count() == citation.text.chars().count();
    let reference = if is_whole { words } else { citation.text.clone() };
    with_designation(Cited { reference, urn: None, dated: false, date: None, title }, citation)
}

/// The title in the words that follow a designation, `, Title`; `None` where none follow.
fn title_after_designation(words: &str) -> Option<String> {
    let is_separator = |c: char| c.is_whitespace() || ",;.:-–—".contains(c);
    let title = without_mark(words).trim_start_matches(is_separator);
    if title.is_empty() {
        return None;
    }
    Some(shortened(title.to_owned()))
}

/// A text without the mark of a footnote at its start that is not a cross-reference: `^2), Title`.
fn without_mark(text: &str) -> &str {
    let Some(mark) = text.strip_prefix('^') else { return text };
    match mark.find([',', ';', ' ']) {
        Some(end) => &mark[end..],
        None => "",
    }
}

/// The designation at the start of an entry, also after its publisher (`IETF: RFC 3986`) or its authors
/// (`A. Doe, RFC 3986`), and where it begins.
fn designation_in(words: &str) -> Option<(usize, Citation)> {
    if let Some(citation) = PartialUrn::from_reference(words) {
        return Some((0, citation));
    }
    let head = words.char_indices().nth(MAX_REFERENCE).map_or(words, |(end, _)| &words[..end]);
    let mut marks_before = 0;
    for (mark, _) in head.match_indices([',', ':', '.']) {
        if !head[mark + 1..].starts_with(' ') {
            continue;
        }
        let is_first_mark = marks_before == 0;
        marks_before += 1;
        let rest = words[mark + 1..].trim_start();
        // The publisher comes first and alone: `ISO / TC 211: ISO 9999`. After other words, such as authors,
        // only the number of a series is certain to be the cited work.
        let is_after_publisher = is_first_mark && is_publisher(&head[..mark]);
        if !is_after_publisher && !begins_with_series(rest) {
            continue;
        }
        if let Some(citation) = PartialUrn::from_reference(rest) {
            return Some((words.len() - rest.len(), citation));
        }
    }
    None
}

/// A series of the IETF, whose numbers are unique without a publisher, is at the start of the text.
fn begins_with_series(text: &str) -> bool {
    ["RFC ", "IETF RFC ", "BCP ", "IETF BCP "].iter().any(|series| text.starts_with(series))
}

/// The words are a publisher, or begin with one and its committee: `ISO / TC 211`.
fn is_publisher(words: &str) -> bool {
    if words.len() > MAX_PUBLISHER || words.contains('(') {
        return false;
    }
    let first = words.split([' ', '/']).next().unwrap_or_default();
    find_publisher(words).is_some() || find_publisher(first).is_some()
}

/// At most [`MAX_REFERENCE`] characters, of whole words.
fn shortened(text: String) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_REFERENCE) else { return text };
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", text[..end].trim_end_matches([',', ';', ' ']))
}

/// The documents that an entry of a list of references names.
pub(crate) fn from_entry(entry: XmlNode<'_>, language: &str) -> Vec<Cited> {
    let mut cited = Vec::new();
    for element in entry.elements() {
        if element.name().is_citation() {
            cited.extend(from_citation(element, language));
        }
    }
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
        Name::Std => return from_std(citation),
        Name::CitationAlternatives => return from_alternatives(citation, language),
        _ => {}
    }
    match citation.all(Name::Std).next() {
        Some(std) => from_std_in_citation(std, citation),
        None if is_joined(citation) => from_elements(citation),
        None => from_words(citation),
    }
}

/// The document of the best form of a citation that gives a URN, else that of the best form.
fn from_alternatives(citation: XmlNode<'_>, language: &str) -> Option<Cited> {
    let mut best = None;
    for form in alternatives(citation, language) {
        let Some(cited) = from_citation(form, language) else { continue };
        if cited.urn.is_some() {
            return Some(cited);
        }
        best.get_or_insert(cited);
    }
    best
}

/// The document that a `std` names, with what only the citation around it has.
fn from_std_in_citation(std: XmlNode<'_>, citation: XmlNode<'_>) -> Option<Cited> {
    let from_all_words = || from_words(citation).filter(|cited| cited.urn.is_some());
    let mut cited = match from_std(std) {
        Some(cited) if cited.urn.is_some() => cited,
        // The publisher may be next to the element that has the number.
        without_urn => from_all_words().or(without_urn)?,
    };
    if cited.title.is_none() {
        cited.title = title(citation);
    }
    // The title may be plain words after that element.
    if cited.title.is_none()
        && let Some(with_words) = from_all_words()
        && with_words.urn == cited.urn
    {
        cited.title = with_words.title;
    }
    Some(cited)
}

/// The document that a `std` names.
pub(crate) fn from_std(std: XmlNode<'_>) -> Option<Cited> {
    let title = std.child(Name::Title).or_else(|| std.child(Name::Article)).and_then(words);
    let reference = printed_reference(std)
        .or_else(|| designation(std))
        .or_else(|| stated(std))
        .or_else(|| title.clone())?;
    let mut cited = parse(reference, title);
    if cited.urn.is_none()
        && let Some(citation) = identified(std)
    {
        cited = with_designation(cited, citation);
    }
    Some(with_year(cited, std))
}

/// The reference that a `std` prints: the first dated one of its `std-ref`, else the first.
fn printed_reference(std: XmlNode<'_>) -> Option<String> {
    let mut first = None;
    for reference in std.all(Name::StdRef).filter_map(words) {
        if is_label(&reference) {
            continue;
        }
        if PartialUrn::from_reference(&reference).is_some_and(|citation| citation.dated) {
            return Some(reference);
        }
        first.get_or_insert(reference);
    }
    first
}

/// The document that the identifiers of a `std` name, which print does not show.
fn identified(std: XmlNode<'_>) -> Option<Citation> {
    if let Some(citation) = std.attr("std-id").and_then(PartialUrn::from_reference) {
        return Some(citation);
    }
    for id in std.all(Name::StdId).filter_map(words) {
        if let Some(citation) = PartialUrn::from_reference(&id) {
            return Some(citation);
        }
    }
    PartialUrn::from_reference(&stated(std)?)
}

/// The document that a citation names in elements without words between them.
fn from_elements(citation: XmlNode<'_>) -> Option<Cited> {
    let title = title(citation);
    let mut candidates = Vec::new();
    for element in citation.elements() {
        if may_have_designation(element.name()) {
            candidates.extend(words(element));
        }
    }
    // The designation is in one element, or its number is next to its publisher.
    let in_one_element = candidates.iter().find_map(|candidate| PartialUrn::from_reference(candidate));
    if let Some(designation) = in_one_element.or_else(|| joined_designation(citation, &candidates)) {
        return Some(with_year(parse(designation.text, title), citation));
    }
    let texts: Vec<String> = citation.elements().filter_map(words).collect();
    if texts.is_empty() {
        return None;
    }
    Some(parse_entry(texts.join(", "), title))
}

/// Elements that may have a designation or the number of one; some publishers use names of their own.
fn may_have_designation(name: Name) -> bool {
    matches!(
        name,
        Name::Source | Name::PubId | Name::StdId | Name::StdDesignation | Name::StdRef | Name::Unknown
    )
}

/// The designation that the publisher of a citation and one of these texts are together.
fn joined_designation(citation: XmlNode<'_>, candidates: &[String]) -> Option<Citation> {
    let publisher = publisher(citation)?;
    for candidate in candidates {
        if !candidate.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        if let Some(designation) = PartialUrn::from_reference(&format!("{publisher} {candidate}")) {
            return Some(designation);
        }
    }
    None
}

/// The words of the first element that names a publisher, the most specific name of elements first.
fn publisher(citation: XmlNode<'_>) -> Option<String> {
    const ELEMENTS: [Name; 6] = [
        Name::StdOrganization,
        Name::StdOrg,
        Name::StdOrgAbbrev,
        Name::PublisherName,
        Name::Institution,
        Name::Collab,
    ];
    ELEMENTS.into_iter().find_map(|name| citation.all(name).find_map(words))
}

/// A citation without a date in its designation, dated by a separate element for the year.
fn with_year(mut cited: Cited, citation: XmlNode<'_>) -> Cited {
    if cited.urn.is_none() || cited.dated {
        return cited;
    }
    let is_date = |year: &String| year.parse::<PartialDate>().is_ok();
    let mut years = citation.all(Name::Year).filter_map(words).filter(is_date);
    // Of several years, one may be that of another document.
    let (Some(year), None) = (years.next(), years.next()) else { return cited };
    if !cited.reference.contains(&year) {
        cited.reference = format!("{}:{year}", cited.reference);
    }
    cited.dated = true;
    cited.date = Some(year);
    cited
}

/// The document that the words of a citation or an entry name.
pub(crate) fn from_words(citation: XmlNode<'_>) -> Option<Cited> {
    let text = match citation.child(Name::Label) {
        Some(label) => words_without_label(citation, label)?,
        None => words(citation)?,
    };
    Some(with_year(parse_entry(text, title(citation)), citation))
}

/// The words of the elements of an entry except its label.
fn words_without_label(entry: XmlNode<'_>, label: XmlNode<'_>) -> Option<String> {
    let mut texts = Vec::new();
    for element in entry.elements() {
        if element != label {
            texts.extend(words(element));
        }
    }
    let text = texts.join(" ");
    if text.is_empty() { None } else { Some(text) }
}

/// The title of the cited work: that of an article or chapter, else its source unless that is a designation.
fn title(citation: XmlNode<'_>) -> Option<String> {
    let is_title = |n: &XmlNode<'_>| {
        matches!(n.name(), Name::Article | Name::ChapterTitle | Name::StdTitle | Name::Title)
    };
    if let Some(title) = citation.descendants().find(is_title).and_then(words) {
        return Some(title);
    }
    let mut sources = citation.all(Name::Source).filter_map(words);
    sources.find(|source| !source.is_empty() && PartialUrn::from_reference(source).is_none())
}

/// The form of a citation that is used when there are several: in the language of the document, with words
/// between its elements.
pub(crate) fn best_citation<'t>(node: XmlNode<'t>, language: &str) -> Option<XmlNode<'t>> {
    alternatives(node, language).into_iter().next()
}

/// The forms of a citation, the best one first.
fn alternatives<'t>(node: XmlNode<'t>, language: &str) -> Vec<XmlNode<'t>> {
    let mut forms: Vec<XmlNode<'t>> = node.elements().filter(|n| n.name().is_citation()).collect();
    forms.sort_by_key(|form| (language_rank(*form, language), is_joined(*form)));
    forms
}

/// The rank of a form by its language: the language of the document, none stated, any other.
fn language_rank(form: XmlNode<'_>, language: &str) -> u8 {
    match form.language() {
        Some(own) if own.primary() == language => 0,
        None => 1,
        Some(_) => 2,
    }
}

/// The elements of the citation have no words between them, so that punctuation has to separate them.
pub(crate) fn is_joined(citation: XmlNode<'_>) -> bool {
    if matches!(citation.name(), Name::ElementCitation | Name::NlmCitation) {
        return true;
    }
    let content = citation.elements().filter(|n| !n.name().is_attached()).count();
    content > 1 && citation.children().all(|n| n.name() != Name::Text)
}

/// The designation from the parts of a `std-ident`: `IETF RFC 8141`.
fn stated(node: XmlNode<'_>) -> Option<String> {
    let ident = node.child(Name::StdIdent)?;
    let part = |name| ident.child(name).and_then(words);
    let mut number = part(Name::DocNumber)?;
    let mut designation = part(Name::Originator)?;
    if let Some(part_number) = part(Name::PartNumber) {
        number = format!("{number}-{}", part_number.trim_start_matches('-'));
    }
    // Other values of `doc-type` describe the document and are not printed in its designation.
    if let Some(kind) = part(Name::DocType)
        && norma_model::urn::document_type(&kind).is_some()
    {
        designation = format!("{designation} {kind}");
    }
    Some(format!("{designation} {number}"))
}

/// Labels of entries, `[16]`, are not designations.
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
    let text = collapse(&text);
    let text = text.trim_matches([',', ';', ' ']);
    if text.is_empty() { None } else { Some(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_gives_its_designation_after_a_publisher_or_authors_and_its_title() {
        for (entry, reference, title) in [
            ("ISO 9999:2020, Lids of boxes", "ISO 9999:2020", Some("Lids of boxes")),
            ("IETF: RFC 3986, Identifiers", "RFC 3986", Some("Identifiers")),
            ("A. Doe, B. Roe, RFC 3986", "RFC 3986", None),
            ("ISO / TC 211: ISO 9999, Lids", "ISO 9999", Some("Lids")),
            ("A. Doe: ISO 9999, Lids", "A. Doe: ISO 9999, Lids", None),
        ] {
            let cited = parse_entry(entry.to_owned(), None);
            assert_eq!((cited.reference.as_str(), cited.title.as_deref()), (reference, title), "{entry}");
        }
    }

    #[test]
    fn a_long_reference_is_cut_after_a_word() {
        let reference = shortened("word, ".repeat(50));
        assert!(reference.ends_with("word…") && reference.chars().count() <= MAX_REFERENCE);
        assert_eq!(shortened("short".to_owned()), "short");
    }

    #[test]
    fn a_label_has_only_digits_in_brackets() {
        assert!(is_label("[16]"));
        assert!(!is_label("[ISO]") && !is_label("16") && !is_label("[16"));
    }
}
