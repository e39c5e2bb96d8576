//! Document-wide lookups used while section text is written: ids, citations, footnotes.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt};
use norma_model::{Digest, Formula, Lang, SectionKind};
use sha2::{Digest as _, Sha256};

use crate::document::structure::Structure;
use norma_provisions::blocks::Cited;
use norma_provisions::blocks::{CrossReferenceTarget, Numbered, ReferencedPartKind};

use crate::document::citation;
use crate::languages;
use crate::text::list::{generated, items, list_type};
use crate::text::lookups::Lookups;
use crate::text::math::{FormulaDecimalSign, decimal_sign};
use crate::text::{caption_of, caption_title, label, words};
use crate::xml::invisible::visible;
use crate::xml::names::Name;
use crate::xml::position::offset32;
use crate::xml::tree::{Tree, XmlNode};
use norma_model::label::number_of;

/// Written for a label that is in another section and not known yet: a character that XML does not have.
pub(crate) const UNKNOWN_LABEL: &str = "\u{ffff}";

/// A document with the ids of its parts in the views.
pub(crate) struct DocumentIndex<'t> {
    pub tree: &'t Tree<'t>,
    pub structure: Structure<'t>,
    /// Main language of the text.
    pub language: Lang,
    /// Id of a table by its element.
    pub tables: HashMap<usize, (usize, String)>,
    /// Id of a graphic by its element; for a figure the id of its first graphic.
    pub graphics: HashMap<usize, String>,
    /// Index of a term by the element of its entry, its section or a designation.
    pub terms: HashMap<usize, usize>,
    /// First cross-reference to a footnote by the footnote's id.
    footnote_references: HashMap<&'t str, usize>,
    /// Whether the document changes another.
    pub amends: bool,
    /// The sign that parts decimals, once a formula has asked for it.
    pub decimal_sign: OnceCell<FormulaDecimalSign>,
    /// Labels of parts that are in other sections, by id, where this is the markup of one section.
    pub labels_elsewhere: Option<HashMap<String, String>>,
    /// Cache of the numbers of footnotes without labels.
    footnote_numbers: OnceCell<HashMap<usize, u32>>,
    /// Cache of the first numbers of lists that continue others.
    first_numbers: RefCell<HashMap<usize, u32>>,
    /// Cache of the positions of items in their lists.
    positions: RefCell<HashMap<usize, u32>>,
    /// Cache of citations by element, for text, lists of references and mentions.
    cited: RefCell<HashMap<usize, Rc<[Rc<Cited>]>>>,
}

impl<'t> DocumentIndex<'t> {
    /// Collects the ids of the parts; `tables` and `graphics` are the ids in the order of the structure.
    pub(crate) fn new(
        tree: &'t Tree<'t>,
        structure: Structure<'t>,
        language: Lang,
        tables: &[String],
        graphics: &[String],
    ) -> Self {
        let mut document = Self {
            tree,
            structure,
            language,
            tables: HashMap::new(),
            graphics: HashMap::new(),
            terms: HashMap::new(),
            footnote_references: HashMap::new(),
            amends: false,
            decimal_sign: OnceCell::new(),
            labels_elsewhere: None,
            footnote_numbers: OnceCell::new(),
            first_numbers: RefCell::default(),
            positions: RefCell::default(),
            cited: RefCell::default(),
        };
        for (index, ((node, _), id)) in document.structure.tables.iter().zip(tables).enumerate() {
            document.tables.insert(node.id(), (index, id.clone()));
            if let Some(group) = node.parent().filter(|parent| parent.name() == Name::TableWrapGroup) {
                document.tables.entry(group.id()).or_insert((index, id.clone()));
            }
        }
        for ((node, _), id) in document.structure.graphics.iter().zip(graphics) {
            document.graphics.insert(node.id(), id.clone());
            for figure in node.ancestors().filter(|n| matches!(n.name(), Name::Fig | Name::FigGroup)) {
                document.graphics.entry(figure.id()).or_insert_with(|| id.clone());
            }
        }
        for (index, (entry, _)) in document.structure.terms.iter().enumerate() {
            for node in entry.descendants().filter(|n| n.is_element() && n.xml_id().is_some()) {
                document.terms.entry(node.id()).or_insert(index);
            }
            document.terms.insert(entry.id(), index);
            if let Some(section) = entry.ancestors().find(|n| n.name() == Name::TermSec) {
                document.terms.entry(section.id()).or_insert(index);
            }
        }
        for node in tree.root().descendants() {
            match node.name() {
                Name::Xref if is_footnote_reference(node) => {
                    for rid in node.attr("rid").unwrap_or_default().split_whitespace() {
                        document.footnote_references.entry(rid).or_insert(node.id());
                    }
                }
                Name::EditingInstruction => document.amends = true,
                _ => {}
            }
        }
        document
    }

    /// The part of a node, or else the smallest part around it: a formula, an item of a list or a footnote
    /// belongs to its table or section.
    fn target(&self, node: XmlNode<'t>) -> Option<CrossReferenceTarget> {
        let (holder, id) = std::iter::once(node).chain(node.ancestors()).find_map(|node| {
            let at = node.id();
            let section = self.structure.section_of(node).or_else(|| self.structure.run_of.get(&at).copied());
            let id = section
                .map(|s| self.structure.sections[s].id.as_str().to_owned())
                .or_else(|| self.tables.get(&at).map(|(_, id)| id.clone()))
                .or_else(|| self.graphics.get(&at).cloned());
            Some((node, id?))
        })?;
        let kind = match node.name() {
            Name::DispFormula | Name::DispFormulaGroup | Name::InlineFormula => ReferencedPartKind::Formula,
            Name::ListItem | Name::List => ReferencedPartKind::Item,
            _ => ReferencedPartKind::Other,
        };
        Some(CrossReferenceTarget { id, within: (holder != node).then_some(kind) })
    }

    /// The label that a list gives to an item without one.
    fn generated_label(&self, item: XmlNode<'t>) -> Option<String> {
        let list = item.parent().filter(|_| matches!(item.name(), Name::ListItem | Name::HtmlLi))?;
        let position = *self.positions.borrow_mut().entry(item.id()).or_insert_with(|| 0);
        let position = match position {
            0 => {
                let mut positions = self.positions.borrow_mut();
                positions.extend((1..).zip(items(list)).map(|(position, item)| (item.id(), position)));
                positions[&item.id()]
            }
            position => position,
        };
        let number = self.first_number(list).saturating_add(position - 1);
        generated(list_type(list), number).filter(|label| label.contains(char::is_alphanumeric))
    }

    /// The numbered formulae, and the groups of figures, tables and formulae with those of their members, in
    /// document order. Then the tables and figures that go on in others with the same number.
    pub(crate) fn numbered(&self) -> Vec<Numbered> {
        let mut numbered = Vec::new();
        let mut repeated = Repeated::default();
        for node in self.tree.root().descendants() {
            let grouped = || node.parent().is_some_and(|parent| is_group(parent.name()));
            let kind = match node.name() {
                Name::DispFormula | Name::DispFormulaGroup => ReferencedPartKind::Formula,
                Name::FigGroup => ReferencedPartKind::Figure,
                Name::TableWrapGroup => ReferencedPartKind::Table,
                Name::Fig if grouped() || has_labelled_pictures(node) => ReferencedPartKind::Figure,
                Name::Graphic if node.child(Name::Label).is_some() => ReferencedPartKind::Figure,
                Name::Fig | Name::TableWrap => {
                    repeated.add(node);
                    continue;
                }
                _ => continue,
            };
            let number = match node.name() {
                Name::Graphic => number_of_picture(node),
                _ => printed_number(node),
            };
            if let (Some(number), Some(target)) = (number, self.target(node)) {
                numbered.push(Numbered { kind, number, part: target.id });
            }
        }
        for (kind, number, first) in repeated.continued() {
            numbered.extend(self.target(first).map(|target| Numbered { kind, number, part: target.id }));
        }
        numbered
    }

    /// The number of a footnote without label among those of its section, if it is in its text.
    fn footnote_number(&self, footnote: XmlNode<'t>) -> Option<u32> {
        let numbers = self.footnote_numbers.get_or_init(|| {
            let mut numbers = HashMap::new();
            let mut counts: HashMap<Option<usize>, u32> = HashMap::new();
            for node in self.tree.root().all(Name::Fn).filter(|node| is_inline_footnote(*node)) {
                let count = counts.entry(self.section_around(node)).or_default();
                *count += 1;
                numbers.insert(node.id(), *count);
            }
            numbers
        });
        numbers.get(&footnote.id()).copied()
    }

    /// The section that a node is in.
    fn section_around(&self, node: XmlNode<'t>) -> Option<usize> {
        let own = |n: XmlNode<'t>| {
            self.structure.section_of(n).or_else(|| self.structure.run_of.get(&n.id()).copied())
        };
        node.ancestors().find_map(own)
    }

    /// The numbered formulae, in document order.
    pub(crate) fn formulae(&self) -> Vec<Formula> {
        let nodes = self.tree.root().descendants().filter(|node| node.name() == Name::DispFormula);
        let formula = nodes.filter_map(|node| {
            let at = |n: XmlNode<'t>| {
                self.structure.section_of(n).or_else(|| self.structure.run_of.get(&n.id()).copied())
            };
            let section = node.ancestors().find_map(at)?;
            let number = printed_number(node)?.into();
            let mut digest = Sha256::new();
            let label = node.children().find(|n| n.name() == Name::Label).map_or(0..0, |n| n.range());
            for part in node.descendants().filter(|part| !label.contains(&part.range().start)) {
                digest.update(format!("{:?}<", part.name()));
                let words = part.characters().trim();
                // An invisible operator alone is all that its element says.
                let seen = visible(words);
                digest.update(if seen.is_empty() { words } else { &*seen });
            }
            Some(Formula { number, section, digest: Digest::from_bytes(digest.finalize().into()) })
        });
        formula.collect()
    }
}

/// Tables and figures by their numbers, with those that go on with the first of them.
#[derive(Default)]
struct Repeated<'t> {
    /// The first, and whether one follows that continues it, and one that does not.
    first: HashMap<(ReferencedPartKind, String), FirstPart<'t>>,
}

struct FirstPart<'t> {
    node: XmlNode<'t>,
    goes_on: bool,
    is_ambiguous: bool,
}

impl<'t> Repeated<'t> {
    fn add(&mut self, node: XmlNode<'t>) {
        let kind = match node.name() {
            Name::Fig => ReferencedPartKind::Figure,
            _ => ReferencedPartKind::Table,
        };
        let Some(number) = printed_number(node) else { return };
        let Some(first) = self.first.get_mut(&(kind, number.clone())) else {
            let first = FirstPart { node, goes_on: false, is_ambiguous: false };
            self.first.insert((kind, number), first);
            return;
        };
        match continues(node, first.node) {
            true => first.goes_on = true,
            false => first.is_ambiguous = true,
        }
    }

    /// The first parts of those that go on, unless another part has their number.
    fn continued(self) -> impl Iterator<Item = (ReferencedPartKind, String, XmlNode<'t>)> {
        let mut continued: Vec<_> =
            self.first.into_iter().filter(|(_, first)| first.goes_on && !first.is_ambiguous).collect();
        continued.sort_by_key(|(_, first)| first.node.id());
        continued.into_iter().map(|((kind, number), first)| (kind, number, first.node))
    }
}

/// Whether a table or figure continues one before it with its number: it says so, or it has the same label
/// and caption and follows it under one parent.
fn continues<'t>(node: XmlNode<'t>, before: XmlNode<'t>) -> bool {
    let says = |text: Option<String>| text.is_some_and(|text| languages::says_continued(&text));
    let caption = |node: XmlNode<'t>| words(caption_title(caption_of(node)?));
    if says(label(node)) || says(caption(node)) {
        return true;
    }
    let same_caption = caption(node).is_some() && caption(node) == caption(before);
    same_caption && label(node) == label(before) && node.parent() == before.parent()
}

/// Whether pictures of a figure have labels of their own.
fn has_labelled_pictures(figure: XmlNode<'_>) -> bool {
    figure.all(Name::Graphic).any(|picture| picture.child(Name::Label).is_some())
}

/// The number of a picture in a figure: that of the figure with the picture's letter, `1B`.
fn number_of_picture(picture: XmlNode<'_>) -> Option<String> {
    let own = label(picture)?;
    let figure = picture.ancestors().find(|n| n.name() == Name::Fig)?;
    let number = printed_number(figure)?;
    // `b)`, or the figure's own number before it: `Figure 1 b)`.
    let last = own.rsplit(char::is_whitespace).next().unwrap_or(&own);
    let before = own[..own.len() - last.len()].trim();
    let fits = before.is_empty() || number_of(before).as_ref() == Some(&number);
    (is_letter(last) && fits).then(|| number + &number_of(last).unwrap_or_default())
}

/// Whether an element groups figures, tables or formulae under one number.
fn is_group(name: Name) -> bool {
    matches!(name, Name::FigGroup | Name::TableWrapGroup | Name::DispFormulaGroup)
}

/// The number of a figure, table or formula: in a group, that of the group with its own letter, `2A`.
pub(crate) fn printed_number(part: XmlNode<'_>) -> Option<String> {
    let own = label(part);
    let number = own.as_deref().and_then(number_of);
    let group = part.parent().filter(|parent| is_group(parent.name()));
    let group = group.and_then(label).and_then(|label| number_of(&label));
    match (group, number) {
        (Some(group), Some(letter)) if is_letter(own.as_deref().unwrap_or_default()) => Some(group + &letter),
        (group, None) => group,
        (_, number) => number,
    }
}

/// Whether a label is one letter and the marks around it: `a)`, `(b)`.
fn is_letter(label: &str) -> bool {
    let letter = label.trim_matches(|c: char| !c.is_alphanumeric());
    letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_alphabetic())
}

/// The list that a list continues.
fn continued<'t>(tree: &'t Tree<'t>, list: XmlNode<'t>) -> Option<XmlNode<'t>> {
    let before = tree.by_id(list.attr("continued-from")?.trim())?;
    (before.name() == list.name() && before.id() < list.id()).then_some(before)
}

impl<'t> Lookups<'t> for DocumentIndex<'t> {
    fn language(&self) -> &str {
        self.language.primary()
    }

    fn decimal_sign(&self) -> FormulaDecimalSign {
        *self.decimal_sign.get_or_init(|| {
            let texts = self.tree.root().descendants().filter(|node| node.name() == Name::Text);
            decimal_sign(texts, self.language.primary())
        })
    }

    fn amends(&self) -> bool {
        self.amends
    }

    fn is_section(&self, node: XmlNode<'t>) -> bool {
        self.structure.section_of(node).is_some()
    }

    fn defines_terms(&self, section: usize) -> bool {
        self.structure.sections.get(section).is_some_and(|section| section.kind == SectionKind::Terms)
    }

    fn table(&self, node: XmlNode<'t>) -> Option<usize> {
        self.tables.get(&node.id()).map(|(index, _)| *index)
    }

    fn term(&self, id: &str) -> Option<usize> {
        let node = self.tree.by_id(id)?;
        self.terms.get(&node.id()).copied()
    }

    fn targets(&self, rids: &str) -> Vec<CrossReferenceTarget> {
        rids.split_whitespace().filter_map(|rid| self.target(self.tree.by_id(rid)?)).collect()
    }

    fn footnote_mark(&self, rid: &str, section: usize) -> Option<String> {
        let footnote = self.tree.by_id(rid).filter(|n| n.name() == Name::Fn)?;
        if self.section_around(footnote) != Some(section) {
            return None;
        }
        Some(format!("{})", self.footnote_number(footnote)?))
    }

    fn display_label(&self, rid: &str) -> Option<String> {
        let Some(node) = self.tree.by_id(rid) else {
            let label = self.labels_elsewhere.as_ref()?.get(rid).map_or(UNKNOWN_LABEL, String::as_str);
            return Some(label.to_owned()).filter(|label| !label.is_empty());
        };
        let entry = || label(node.ancestors().take(2).find(|n| n.name() == Name::TermSec)?);
        let title = |holder: XmlNode<'t>| words(holder.child(Name::Title)?);
        let item = || self.generated_label(node);
        // `a)` of a figure is `Figure 1 a)` elsewhere.
        let picture = || {
            let figure = node.ancestors().find(|n| n.name() == Name::Fig)?;
            let own = label(node).filter(|own| node.name() == Name::Graphic && is_letter(own))?;
            Some(format!("{} {own}", label(figure)?))
        };
        if let Some(label) = picture() {
            return Some(label);
        }
        label(node)
            .or_else(item)
            .or_else(entry)
            .or_else(|| title(node))
            .or_else(|| title(node.child(Name::Caption)?))
    }

    fn citations(&self, node: XmlNode<'t>) -> Rc<[Rc<Cited>]> {
        let language = self.language.primary();
        let read = || {
            let cited = match node.name() {
                Name::Ref => citation::from_entry(node, language),
                _ => citation::from_citation(node, language).into_iter().collect(),
            };
            cited.into_iter().map(Rc::new).collect()
        };
        self.cited.borrow_mut().entry(node.id()).or_insert_with(read).clone()
    }

    fn cited(&self, rid: &str) -> Rc<[Rc<Cited>]> {
        let entry = self.tree.by_id(rid).filter(|n| n.name() == Name::Ref);
        entry.map(|entry| self.citations(entry)).unwrap_or_default()
    }

    fn footnote_reference(&self, id: &str) -> Option<usize> {
        self.footnote_references.get(id).copied()
    }

    fn first_number(&self, list: XmlNode<'t>) -> u32 {
        // The lists that this one continues, back to one with a known number.
        let mut later = Vec::new();
        let mut at = list;
        let mut number = loop {
            if let Some(number) = self.first_numbers.borrow().get(&at.id()) {
                break *number;
            }
            match continued(self.tree, at) {
                Some(before) => later.push(std::mem::replace(&mut at, before)),
                None => break at.attr("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1),
            }
        };
        let mut numbers = self.first_numbers.borrow_mut();
        for list in later.into_iter().rev() {
            number = number.saturating_add(offset32(items(at).count()));
            numbers.insert(list.id(), number);
            at = list;
        }
        number
    }
}

/// Whether a footnote is at its mark, and not in a group of footnotes.
pub(crate) fn is_inline_footnote(footnote: XmlNode<'_>) -> bool {
    footnote.parent().is_none_or(|p| !matches!(p.name(), Name::FnGroup | Name::TableWrapFoot | Name::Legend))
}

/// Whether a cross-reference points at a footnote.
pub(crate) fn is_footnote_reference(xref: XmlNode<'_>) -> bool {
    matches!(xref.attr("ref-type"), Some("fn" | "table-fn"))
}
