//! Document-wide lookups used while section text is written: ids, citations, footnotes.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt};
use norma_model::{Lang, SectionKind};
use norma_provisions::blocks::{Cited, CrossReferenceTarget, ReferencedPartKind};

use crate::document::citation;
use crate::document::printed_number::is_letter;
use crate::document::structure::Structure;
use crate::text::list::{generated, items, list_type};
use crate::text::lookups::Lookups;
use crate::text::math::{FormulaDecimalSign, decimal_sign};
use crate::text::{label, words};
use crate::xml::names::Name;
use crate::xml::position::offset32;
use crate::xml::tree::{Tree, XmlNode};

/// Written for a label that is in another section and not known yet: a character that XML does not have.
pub(crate) const UNKNOWN_LABEL: &str = "\u{ffff}";

/// A document with the ids of its parts in the views.
pub(crate) struct DocumentIndex<'t> {
    pub tree: &'t Tree<'t>,
    pub structure: Structure<'t>,
    /// Main language of the text.
    pub language: Lang,
    /// Index and id of a table by its element; for a group of tables those of its first one.
    pub tables: HashMap<usize, (usize, String)>,
    /// Id of a graphic by its element; for a figure or group of figures the id of its first graphic.
    pub graphics: HashMap<usize, String>,
    /// Index of a term by the element of its entry, its section or a designation.
    pub terms: HashMap<usize, usize>,
    /// First cross-reference to a footnote by the footnote's id.
    footnote_references: HashMap<&'t str, usize>,
    /// The document is an amendment or corrigendum, or has instructions of one.
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
        document.index_tables(tables);
        document.index_graphics(graphics);
        document.index_terms();
        document.index_references();
        document
    }

    /// A group of tables has the id of its first table.
    fn index_tables(&mut self, ids: &[String]) {
        for (index, ((node, _), id)) in self.structure.tables.iter().zip(ids).enumerate() {
            self.tables.insert(node.id(), (index, id.clone()));
            if let Some(parent) = node.parent()
                && parent.name() == Name::TableWrapGroup
            {
                self.tables.entry(parent.id()).or_insert((index, id.clone()));
            }
        }
    }

    /// A figure and a group of figures have the id of their first graphic.
    fn index_graphics(&mut self, ids: &[String]) {
        for ((node, _), id) in self.structure.graphics.iter().zip(ids) {
            self.graphics.insert(node.id(), id.clone());
            for holder in node.ancestors() {
                if matches!(holder.name(), Name::Fig | Name::FigGroup) {
                    self.graphics.entry(holder.id()).or_insert_with(|| id.clone());
                }
            }
        }
    }

    /// A cross-reference may name the section of a term, its entry, or any element in the entry.
    fn index_terms(&mut self) {
        for (index, (entry, _)) in self.structure.terms.iter().enumerate() {
            for node in entry.descendants() {
                if node.is_element() && node.xml_id().is_some() {
                    self.terms.entry(node.id()).or_insert(index);
                }
            }
            self.terms.insert(entry.id(), index);
            if let Some(section) = entry.ancestors().find(|n| n.name() == Name::TermSec) {
                self.terms.entry(section.id()).or_insert(index);
            }
        }
    }

    fn index_references(&mut self) {
        for node in self.tree.root().descendants() {
            match node.name() {
                Name::Xref if is_footnote_reference(node) => {
                    for rid in node.attr("rid").unwrap_or_default().split_whitespace() {
                        self.footnote_references.entry(rid).or_insert(node.id());
                    }
                }
                Name::EditingInstruction => self.amends = true,
                _ => {}
            }
        }
    }

    /// The part of a node, or else the smallest part around it: a formula, an item of a list or a footnote
    /// belongs to its table or section.
    pub(super) fn target(&self, node: XmlNode<'t>) -> Option<CrossReferenceTarget> {
        for holder in std::iter::once(node).chain(node.ancestors()) {
            let Some(id) = self.id_in_views(holder) else { continue };
            if holder == node {
                return Some(CrossReferenceTarget { id, within: None });
            }
            let kind = match node.name() {
                Name::DispFormula | Name::DispFormulaGroup | Name::InlineFormula => {
                    ReferencedPartKind::Formula
                }
                Name::ListItem | Name::List => ReferencedPartKind::Item,
                _ => ReferencedPartKind::Other,
            };
            return Some(CrossReferenceTarget { id, within: Some(kind) });
        }
        None
    }

    /// The id in the views of a node that is a section, table or graphic.
    fn id_in_views(&self, node: XmlNode<'t>) -> Option<String> {
        if let Some(section) = self.section_at(node) {
            return Some(self.structure.sections[section].id.as_str().to_owned());
        }
        if let Some((_, id)) = self.tables.get(&node.id()) {
            return Some(id.clone());
        }
        self.graphics.get(&node.id()).cloned()
    }

    /// The section that a node is, or that it belongs to as a part of a run of loose content.
    fn section_at(&self, node: XmlNode<'t>) -> Option<usize> {
        self.structure.section_of(node).or_else(|| self.structure.run_of.get(&node.id()).copied())
    }

    /// The innermost section around a node.
    pub(super) fn section_around(&self, node: XmlNode<'t>) -> Option<usize> {
        node.ancestors().find_map(|ancestor| self.section_at(ancestor))
    }

    /// The label that a list gives to an item without one.
    fn generated_label(&self, item: XmlNode<'t>) -> Option<String> {
        if !matches!(item.name(), Name::ListItem | Name::HtmlLi) {
            return None;
        }
        let list = item.parent()?;
        let number = self.first_number(list).saturating_add(self.position(item, list) - 1);
        // A bullet says nothing in a cross-reference.
        generated(list_type(list), number).filter(|label| label.contains(char::is_alphanumeric))
    }

    /// Position of an item in its list, from 1.
    fn position(&self, item: XmlNode<'t>, list: XmlNode<'t>) -> u32 {
        let mut positions = self.positions.borrow_mut();
        if let Some(position) = positions.get(&item.id()) {
            return *position;
        }
        for (position, item) in (1..).zip(items(list)) {
            positions.insert(item.id(), position);
        }
        positions[&item.id()]
    }

    /// The number of a footnote without label among those of its section, if it is in its text.
    fn footnote_number(&self, footnote: XmlNode<'t>) -> Option<u32> {
        let numbers = self.footnote_numbers.get_or_init(|| self.numbered_footnotes());
        numbers.get(&footnote.id()).copied()
    }

    /// The numbers of all footnotes that are at their marks, counted in each section.
    fn numbered_footnotes(&self) -> HashMap<usize, u32> {
        let mut numbers = HashMap::new();
        let mut counts: HashMap<Option<usize>, u32> = HashMap::new();
        for footnote in self.tree.root().all(Name::Fn) {
            if is_inline_footnote(footnote) {
                let count = counts.entry(self.section_around(footnote)).or_default();
                *count += 1;
                numbers.insert(footnote.id(), *count);
            }
        }
        numbers
    }

    /// The label of a part in another section, where this is the document of one section; empty labels are
    /// those of parts that are known to have none.
    fn label_elsewhere(&self, rid: &str) -> Option<String> {
        match self.labels_elsewhere.as_ref()?.get(rid) {
            Some(label) if label.is_empty() => None,
            Some(label) => Some(label.clone()),
            None => Some(UNKNOWN_LABEL.to_owned()),
        }
    }

    fn read_citations(&self, node: XmlNode<'t>) -> Rc<[Rc<Cited>]> {
        let language = self.language.primary();
        let cited = match node.name() {
            Name::Ref => citation::from_entry(node, language),
            _ => citation::from_citation(node, language).into_iter().collect(),
        };
        cited.into_iter().map(Rc::new).collect()
    }
}

/// The label of a lettered picture, with that of its figure: `a)` of a figure is `Figure 1 a)` elsewhere.
fn label_of_picture(node: XmlNode<'_>) -> Option<String> {
    if node.name() != Name::Graphic {
        return None;
    }
    let figure = node.ancestors().find(|n| n.name() == Name::Fig)?;
    let letter = label(node)?;
    if !is_letter(&letter) {
        return None;
    }
    Some(format!("{} {letter}", label(figure)?))
}

/// The label of the section of a term, for its entry or a part directly in that.
fn label_of_term_section(node: XmlNode<'_>) -> Option<String> {
    label(node.ancestors().take(2).find(|n| n.name() == Name::TermSec)?)
}

fn words_of_title(holder: XmlNode<'_>) -> Option<String> {
    words(holder.child(Name::Title)?)
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

    fn footnote(&self, rid: &str) -> Option<u32> {
        let footnote = self.tree.by_id(rid).filter(|node| node.name() == Name::Fn)?;
        u32::try_from(footnote.id()).ok()
    }

    fn footnote_mark(&self, rid: &str, section: usize) -> Option<String> {
        let footnote = self.tree.by_id(rid).filter(|node| node.name() == Name::Fn)?;
        if self.section_around(footnote) != Some(section) {
            return None;
        }
        Some(format!("{})", self.footnote_number(footnote)?))
    }

    fn display_label(&self, rid: &str) -> Option<String> {
        let Some(node) = self.tree.by_id(rid) else { return self.label_elsewhere(rid) };
        label_of_picture(node)
            .or_else(|| label(node))
            .or_else(|| self.generated_label(node))
            .or_else(|| label_of_term_section(node))
            .or_else(|| words_of_title(node))
            .or_else(|| words_of_title(node.child(Name::Caption)?))
    }

    fn citations(&self, node: XmlNode<'t>) -> Rc<[Rc<Cited>]> {
        let mut cache = self.cited.borrow_mut();
        Rc::clone(cache.entry(node.id()).or_insert_with(|| self.read_citations(node)))
    }

    fn cited(&self, rid: &str) -> Rc<[Rc<Cited>]> {
        match self.tree.by_id(rid) {
            Some(entry) if entry.name() == Name::Ref => self.citations(entry),
            _ => Rc::default(),
        }
    }

    fn footnote_reference(&self, id: &str) -> Option<usize> {
        self.footnote_references.get(id).copied()
    }

    fn first_number(&self, list: XmlNode<'t>) -> u32 {
        // Back to the list whose number is known or that continues no other, without recursion: a document
        // may chain all its lists.
        let mut later = Vec::new();
        let mut at = list;
        let mut number = loop {
            if let Some(number) = self.first_numbers.borrow().get(&at.id()) {
                break *number;
            }
            let Some(before) = continued(self.tree, at) else { break stated_first_number(at) };
            later.push(at);
            at = before;
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

/// The number that a list states for its first item, else 1.
fn stated_first_number(list: XmlNode<'_>) -> u32 {
    list.attr("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1)
}

/// A footnote at its mark is not in a group of footnotes or under a table.
pub(crate) fn is_inline_footnote(footnote: XmlNode<'_>) -> bool {
    footnote.parent().is_none_or(|p| !matches!(p.name(), Name::FnGroup | Name::TableWrapFoot | Name::Legend))
}

/// Cross-references to footnotes are marks in print, also those in tables.
pub(crate) fn is_footnote_reference(xref: XmlNode<'_>) -> bool {
    matches!(xref.attr("ref-type"), Some("fn" | "table-fn"))
}
