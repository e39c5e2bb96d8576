//! One section: its markup read again, its text written again with notes, and HTML composed from both.

use std::cell::OnceCell;

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
use crate::text::noted_section;
use crate::xml::names::Name;
use crate::xml::reader;
use crate::xml::tree::Tree;

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
    let tree = reader::read(input.markup, &ExtractionLimits::default()).ok();
    let marked = tree.as_ref().and_then(|tree| write_markup(standard, input, tree, html, taken));
    if marked.is_none() {
        // Markup that cannot be read: the text alone.
        for paragraph in input.text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
            html.begin(Tag::P, &[]);
            html.text(paragraph);
            html.end(Tag::P);
        }
    }
    marked.unwrap_or(false)
}

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
    document.labels_elsewhere = Some(HashMap::default());
    let (mut text, mut notes) = noted_section(&document, 0);
    if text.contains(UNKNOWN_LABEL) {
        document.labels_elsewhere = Some(labels(&document, &text, input.text));
        (text, notes) = noted_section(&document, 0);
    }
    // The whole document may show another decimal sign than this section.
    if text != input.text && document.decimal_sign.get().is_some() {
        for sign in [FormulaDecimalSign::Comma, FormulaDecimalSign::Point, FormulaDecimalSign::Unknown] {
            document.decimal_sign = OnceCell::from(sign);
            (text, notes) = noted_section(&document, 0);
            if text == input.text {
                break;
            }
        }
    }
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

/// The labels of parts in other sections, as the stored text has them: what is there between the words around
/// them. Without these words the part is in no section, and has none.
fn labels(document: &DocumentIndex<'_>, text: &str, stored: &str) -> HashMap<String, String> {
    let mut labels = HashMap::default();
    let references = document.tree.root().all(Name::Xref).filter(|xref| xref.is_blank());
    let ids = references.flat_map(|xref| xref.attr("rid").unwrap_or_default().split_whitespace());
    let unknown: Vec<&str> = ids.filter(|id| !document.tree.has_id(id)).collect();
    let mut parts = text.split(UNKNOWN_LABEL);
    let mut rest = parts.next().and_then(|first| stored.strip_prefix(first));
    let mut parts = parts.peekable();
    for id in unknown {
        let part = parts.next().unwrap_or_default();
        let end = rest.and_then(|rest| match parts.peek() {
            Some(_) => rest.find(part),
            None => rest.strip_suffix(part).map(str::len),
        });
        let found = rest.zip(end).map(|(rest, end)| (&rest[..end], &rest[end + part.len()..]));
        labels.entry(id.to_owned()).or_insert_with(|| found.unwrap_or_default().0.to_owned());
        rest = found.map(|(_, after)| after);
    }
    labels
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
    let nodes = document.structure.graphics.iter().filter(|(_, section)| section.is_some());
    let nodes: Vec<_> = nodes.map(|(node, _)| *node).collect();
    if nodes.len() == input.graphics.len() {
        return nodes.iter().map(|node| node.id()).zip(&input.graphics).collect();
    }
    let by_id = |id: Option<&str>| input.graphics.iter().find(|picture| Some(picture.id) == id);
    nodes.iter().filter_map(|node| Some((node.id(), by_id(node.xml_id())?))).collect()
}

/// Provisions and their verbal forms by bytes of the text.
fn marks<'a>(text: &str, provisions: &'a [ProvisionMark<'a>]) -> Vec<Marked<'a>> {
    let mut chars: Vec<usize> = Vec::new();
    let slices = provisions.iter().flat_map(|p| [Some((p.start, p.end)), p.verbal_form]).flatten();
    slices.for_each(|(start, end)| chars.extend([start, end]));
    chars.sort_unstable();
    chars.dedup();
    let mut bytes: HashMap<usize, usize> = HashMap::default();
    let mut wanted = chars.into_iter().peekable();
    for (index, (at, _)) in text.char_indices().chain([(text.len(), ' ')]).enumerate() {
        if wanted.next_if_eq(&index).is_some() {
            bytes.insert(index, at);
        }
    }
    let slice = |start: usize, end: usize| {
        let (start, end) = (*bytes.get(&start)?, *bytes.get(&end)?);
        (start < end).then_some((start, end))
    };
    let mut marks = Vec::new();
    let mut forms = HashSet::default();
    for provision in provisions {
        let whole = slice(provision.start, provision.end);
        marks.extend(whole.map(|(start, end)| Marked { start, end, provision: Some(provision) }));
        // Several provisions may be completed by one lead-in.
        let form = provision.verbal_form.and_then(|(start, end)| slice(start, end));
        marks.extend(form.filter(|form| forms.insert(*form)).map(|(start, end)| Marked {
            start,
            end,
            provision: None,
        }));
    }
    marks
}
