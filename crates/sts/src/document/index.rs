//! Document-wide lookups used while section text is written: ids, citations, footnotes.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use norma_model::{Lang, SectionKind};

use crate::document::structure::Structure;
use norma_provisions::blocks::Cited;
use norma_provisions::blocks::{Formula, PartKind, Target};

use crate::document::citation;
use crate::text::lookups::Lookups;
use crate::text::{label, words};
use crate::xml::names::Name;
use crate::xml::tree::{Node, Tree};
use norma_provisions::label::number_of;

/// A document with the ids of its parts in the views.
pub(crate) struct DocumentIndex<'t> {
    pub tree: &'t Tree<'t>,
    pub structure: Structure<'t>,
    /// Main language of the text.
    pub language: Lang,
    /// Id of a table by its element.
    pub tables: HashMap<usize, (usize, String)>,
    /// Id of a graphic by its element; of a figure that of its first graphic.
    pub graphics: HashMap<usize, String>,
    /// Index of a term by the element of its entry, its section or a designation.
    pub terms: HashMap<usize, usize>,
    /// Ids that a cross-reference to a footnote names.
    pub referenced_footnotes: HashSet<&'t str>,
    /// Whether the document changes another.
    pub amends: bool,
    /// Cache of citations by element: text, lists of references and mentions look them up.
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
            referenced_footnotes: HashSet::new(),
            amends: false,
            cited: RefCell::default(),
        };
        for (index, ((node, _), id)) in document.structure.tables.iter().zip(tables).enumerate() {
            document.tables.insert(node.id(), (index, id.clone()));
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
                    document
                        .referenced_footnotes
                        .extend(node.attr("rid").unwrap_or_default().split_whitespace());
                }
                Name::EditingInstruction => document.amends = true,
                _ => {}
            }
        }
        document
    }

    /// The part that a node is, else the smallest one around it: a formula, an item of a list or a footnote is
    /// found in its table or section.
    fn target(&self, node: Node<'t>) -> Option<Target> {
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
            Name::DispFormula | Name::DispFormulaGroup | Name::InlineFormula => PartKind::Formula,
            Name::ListItem | Name::List => PartKind::Item,
            _ => PartKind::Other,
        };
        Some(Target { id, within: (holder != node).then_some(kind) })
    }

    /// The numbered formulae, in document order.
    pub(crate) fn formulas(&self) -> Vec<Formula> {
        let formulas = self.tree.root().all(Name::DispFormula);
        let formula = |node: Node<'t>| {
            let number = number_of(&label(node)?)?;
            Some(Formula { number, part: self.target(node)?.id })
        };
        formulas.filter_map(formula).collect()
    }
}

impl<'t> Lookups<'t> for DocumentIndex<'t> {
    fn language(&self) -> &str {
        self.language.primary()
    }

    fn amends(&self) -> bool {
        self.amends
    }

    fn is_section(&self, node: Node<'t>) -> bool {
        self.structure.section_of(node).is_some()
    }

    fn defines_terms(&self, section: usize) -> bool {
        self.structure.sections.get(section).is_some_and(|section| section.kind == SectionKind::Terms)
    }

    fn table(&self, node: Node<'t>) -> Option<usize> {
        self.tables.get(&node.id()).map(|(index, _)| *index)
    }

    fn term(&self, id: &str) -> Option<usize> {
        let node = self.tree.by_id(id)?;
        self.terms.get(&node.id()).copied()
    }

    fn targets(&self, rids: &str) -> Vec<Target> {
        rids.split_whitespace().filter_map(|rid| self.target(self.tree.by_id(rid)?)).collect()
    }

    fn display_label(&self, rid: &str) -> Option<String> {
        let node = self.tree.by_id(rid)?;
        let entry = || label(node.ancestors().take(2).find(|n| n.name() == Name::TermSec)?);
        let title = |holder: Node<'t>| words(holder.child(Name::Title)?);
        label(node).or_else(entry).or_else(|| title(node)).or_else(|| title(node.child(Name::Caption)?))
    }

    fn citations(&self, node: Node<'t>) -> Rc<[Rc<Cited>]> {
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

    fn refers_to_footnote(&self, id: &str) -> bool {
        self.referenced_footnotes.contains(id)
    }
}

/// Whether a cross-reference points at a footnote.
pub(crate) fn is_footnote_reference(xref: Node<'_>) -> bool {
    matches!(xref.attr("ref-type"), Some("fn" | "table-fn"))
}
