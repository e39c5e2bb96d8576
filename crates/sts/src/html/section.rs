//! One section: its markup read again, its text written again with notes, and HTML composed from both.

use std::cell::OnceCell;
use std::ops::Range;

use foldhash::{HashMap, HashSet};
use norma_model::Lang;

use super::compose::{Composer, Marked, SectionNotes};
use super::markup::{Attribute, Html, Tag};
use super::parts::{HtmlPicture, HtmlStandard, ProvisionMark, SectionInput};
use crate::ExtractionLimits;
use crate::document::graphics::assign_ids;
use crate::document::index::{DocumentIndex, UNKNOWN_LABEL};
use crate::document::structure::Structure;
use crate::text::math::FormulaDecimalSign;
use crate::text::noted::TextNotes;
use crate::text::noted_section;
use crate::xml::names::Name;
use crate::xml::reader;
use crate::xml::tree::{Tree, XmlNode};

/// Writes a section up to its end tag; whether its text is the stored one.
pub(super) fn write(
    standard: &HtmlStandard,
    input: &SectionInput<'_>,
    html: &mut Html,
    taken: &mut HashSet<String>,
) -> bool {
    let mut attributes = vec![(Attribute::Id, input.id), (Attribute::Type, input.kind)];
    // Without a language of its own, a section that is sent alone has the direction of the standard.
    let language = input.language.unwrap_or(&standard.language);
    attributes.extend(input.language.map(|language| (Attribute::Lang, language)));
    attributes.extend(standard.direction(language).map(|dir| (Attribute::Dir, dir)));
    attributes.retain(|(_, value)| !value.is_empty() && !value.contains(char::is_whitespace));
    html.begin(Tag::Section, &attributes);
    if let Ok(tree) = reader::read(input.markup, &ExtractionLimits::default())
        && let Some(marked) = write_markup(standard, input, &tree, html, taken)
    {
        return marked;
    }
    // Markup that cannot be read: the text alone.
    for paragraph in input.text.split("\n\n") {
        if !paragraph.trim().is_empty() {
            html.begin(Tag::P, &[]);
            html.text(paragraph);
            html.end(Tag::P);
        }
    }
    false
}

/// Writes the content of a section from its markup; `None` if the markup is not that of one section.
fn write_markup<'t>(
    standard: &HtmlStandard,
    input: &SectionInput<'_>,
    tree: &'t Tree<'t>,
    html: &mut Html,
    taken: &mut HashSet<String>,
) -> Option<bool> {
    let structure = Structure::new(tree, ExtractionLimits::default().parts_of(input.markup.len()));
    if structure.sections.len() != 1 {
        return None;
    }
    let language = standard.words.clone().unwrap_or_else(Lang::en);
    let tables = assign_ids(tree, structure.tables.iter().map(|(node, _)| *node), "table");
    let graphics = assign_ids(tree, structure.graphics.iter().map(|(node, _)| *node), "graphic");
    let mut document = DocumentIndex::new(tree, structure, language, &tables, &graphics);
    let (text, notes) = stored_text(&mut document, input.text);
    let marked = text == input.text;
    let provisions: &[ProvisionMark<'_>] = if marked { &input.provisions } else { &[] };
    let known = SectionNotes {
        standard,
        section: input.id,
        heading: [Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6][usize::from(input.level.clamp(1, 5) - 1)],
        ids: ids(&document, input),
        pictures: pictures(&document, input),
        notes: &notes,
        marked: &marks(&text, provisions),
    };
    Composer::new(known, &text, html, taken).compose();
    Some(marked)
}

/// The text of the section with its notes, as the stored one as far as possible: labels and the decimal sign
/// may come from other sections.
fn stored_text<'t>(document: &mut DocumentIndex<'t>, stored: &str) -> (String, TextNotes<'t>) {
    document.labels_elsewhere = Some(HashMap::default());
    let (mut text, mut notes) = noted_section(document, 0);
    if text.contains(UNKNOWN_LABEL) {
        document.labels_elsewhere = Some(labels(document, &text, stored));
        (text, notes) = noted_section(document, 0);
    }
    // The whole document may show another decimal sign than this section.
    if text != stored && document.decimal_sign.get().is_some() {
        for sign in [FormulaDecimalSign::Comma, FormulaDecimalSign::Point, FormulaDecimalSign::Unknown] {
            document.decimal_sign = OnceCell::from(sign);
            (text, notes) = noted_section(document, 0);
            if text == stored {
                break;
            }
        }
    }
    (text, notes)
}

/// The labels of parts in other sections, as the stored text has them: what is there between the words around
/// them. Without these words the part is in no section, and has none.
fn labels(document: &DocumentIndex<'_>, text: &str, stored: &str) -> HashMap<String, String> {
    let mut labels = HashMap::default();
    let mut words_between = text.split(UNKNOWN_LABEL);
    // The stored text after the last label; `None` once the words around one are not in it.
    let mut rest = words_between.next().and_then(|first| stored.strip_prefix(first));
    let mut words_between = words_between.peekable();
    for xref in document.tree.root().all(Name::Xref) {
        if !xref.is_blank() {
            continue;
        }
        for id in xref.attr("rid").unwrap_or_default().split_whitespace() {
            if document.tree.has_id(id) {
                continue;
            }
            let words = words_between.next().unwrap_or_default();
            let is_last = words_between.peek().is_none();
            let found = rest.and_then(|rest| label_and_rest(rest, words, is_last));
            let (label, _) = found.unwrap_or_default();
            labels.entry(id.to_owned()).or_insert_with(|| label.to_owned());
            rest = found.map(|(_, after)| after);
        }
    }
    labels
}

/// The label at the start of a text, before words that follow it, and the text after these words. The last
/// words end the text.
fn label_and_rest<'a>(text: &'a str, words: &str, is_last: bool) -> Option<(&'a str, &'a str)> {
    let end = if is_last { text.strip_suffix(words)?.len() } else { text.find(words)? };
    Some((&text[..end], &text[end + words.len()..]))
}

/// Ids of the API for tables and entries of terms, by node, where there are as many.
fn ids<'a>(document: &DocumentIndex<'_>, input: &SectionInput<'a>) -> HashMap<usize, &'a str> {
    let structure = &document.structure;
    let mut ids = HashMap::default();
    if structure.tables.len() == input.tables.len() {
        ids.extend(structure.tables.iter().map(|(node, _)| node.id()).zip(input.tables.iter().copied()));
    }
    if structure.terms.len() == input.terms.len() {
        ids.extend(structure.terms.iter().map(|(node, _)| node.id()).zip(input.terms.iter().copied()));
    }
    ids
}

/// Graphics by node: by their order, where there are as many, else by id.
fn pictures<'a>(
    document: &DocumentIndex<'_>,
    input: &'a SectionInput<'_>,
) -> HashMap<usize, &'a HtmlPicture<'a>> {
    let graphics = &document.structure.graphics;
    let nodes: Vec<XmlNode<'_>> =
        graphics.iter().filter(|(_, section)| section.is_some()).map(|(node, _)| *node).collect();
    let mut pictures = HashMap::default();
    if nodes.len() == input.graphics.len() {
        pictures.extend(nodes.iter().map(|node| node.id()).zip(&input.graphics));
        return pictures;
    }
    for node in nodes {
        let id = node.xml_id();
        if let Some(picture) = input.graphics.iter().find(|picture| Some(picture.id) == id) {
            pictures.insert(node.id(), picture);
        }
    }
    pictures
}

/// Provisions and their verbal forms by bytes of the text.
fn marks<'a>(text: &str, provisions: &'a [ProvisionMark<'a>]) -> Vec<Marked<'a>> {
    let offsets = byte_offsets(text, provisions);
    let mut marks = Vec::new();
    let mut forms = HashSet::default();
    for provision in provisions {
        if let Some(range) = byte_range(&offsets, provision.start, provision.end) {
            marks.push(Marked { start: range.start, end: range.end, provision: Some(provision) });
        }
        // Several provisions may be completed by one lead-in, whose verbal form is marked once.
        if let Some((start, end)) = provision.verbal_form
            && let Some(range) = byte_range(&offsets, start, end)
            && forms.insert(range.clone())
        {
            marks.push(Marked { start: range.start, end: range.end, provision: None });
        }
    }
    marks
}

/// The byte of each Unicode scalar value at which a provision or a verbal form begins or ends.
fn byte_offsets(text: &str, provisions: &[ProvisionMark<'_>]) -> HashMap<usize, usize> {
    let mut wanted: Vec<usize> = Vec::new();
    for provision in provisions {
        wanted.extend([provision.start, provision.end]);
        if let Some((start, end)) = provision.verbal_form {
            wanted.extend([start, end]);
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    let mut wanted = wanted.into_iter().peekable();
    let mut offsets = HashMap::default();
    let bytes = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    for (index, byte) in bytes.enumerate() {
        if wanted.next_if_eq(&index).is_some() {
            offsets.insert(index, byte);
        }
    }
    offsets
}

/// Bytes of a range of Unicode scalar values; `None` where it is empty or beyond the text.
fn byte_range(offsets: &HashMap<usize, usize>, start: usize, end: usize) -> Option<Range<usize>> {
    let range = *offsets.get(&start)?..*offsets.get(&end)?;
    if range.is_empty() { None } else { Some(range) }
}

#[cfg(test)]
mod tests {
    use super::{ProvisionMark, label_and_rest, marks};

    #[test]
    fn provisions_are_marked_by_bytes_and_a_shared_verbal_form_once() {
        let one = ProvisionMark { start: 0, end: 6, verbal_form: Some((2, 4)), ..ProvisionMark::default() };
        let other = ProvisionMark { start: 4, end: 6, ..one.clone() };
        let beyond = ProvisionMark { start: 5, end: 9, verbal_form: None, ..ProvisionMark::default() };
        let marks: Vec<_> = marks("é ≥ ab", &[one, other, beyond])
            .iter()
            .map(|m| (m.start, m.end, m.provision.is_some()))
            .collect();
        assert_eq!(marks, [(0, 9, true), (3, 7, false), (7, 9, true)]);
    }

    #[test]
    fn a_label_is_what_is_before_the_words_after_it() {
        assert_eq!(label_and_rest("4.2 and 4.3.", " and ", false), Some(("4.2", "4.3.")));
        assert_eq!(label_and_rest("4.3.", ".", true), Some(("4.3", "")));
        assert_eq!(label_and_rest("4.3.", ",", true), None);
    }
}
