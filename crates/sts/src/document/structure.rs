//! Section structure: the elements and runs of loose content that are sections, and the content of each.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use norma_model::label::number_of;
use norma_model::{SectionId, SectionKind};

use crate::document::extent::Extent;
use crate::document::section_kind::{is_normative, kind_of};
use crate::document::section_title::{title, typed_number};
use crate::text::label;
use crate::xml::names::Name;
use crate::xml::tree::{Tree, XmlNode};

/// A section before its text is written.
pub(crate) struct SectionPlan<'t> {
    pub extent: Extent<'t>,
    /// Assigned when all sections are found; empty before.
    pub id: SectionId,
    /// The source's own id, where `id` is another one.
    pub source_id: Option<String>,
    pub label: Option<String>,
    /// The number in the label, or one that is typed into the title.
    pub number: Option<String>,
    pub title: Option<XmlNode<'t>>,
    pub kind: SectionKind,
    pub normative: bool,
    /// 1 for a section that is in no other.
    pub level: u16,
    pub parent: Option<usize>,
    /// 0 in the document itself or in one that others adopt, then 1 and more in the adoptions around it.
    pub layer: u8,
    /// Bytes of the repaired text that belong to other sections or to metadata, in order.
    pub excluded: Vec<Range<usize>>,
    /// Parts after the section that are struck out and in no other one, in order.
    pub struck_after: Vec<Range<usize>>,
}

/// Sections and parts of a document, in document order.
pub(crate) struct Structure<'t> {
    pub sections: Vec<SectionPlan<'t>>,
    /// Elements with metadata of the document, its adoptions or its parts.
    pub metadata: Vec<XmlNode<'t>>,
    /// Graphics with their section; `None` in metadata.
    pub graphics: Vec<(XmlNode<'t>, Option<usize>)>,
    /// Tables with their section.
    pub tables: Vec<(XmlNode<'t>, usize)>,
    /// Entries of terms and items of definition lists in a terms clause, with their section.
    pub terms: Vec<(XmlNode<'t>, usize)>,
    footnotes: usize,
    /// Parts before the first section that are struck out.
    struck_first: Vec<Range<usize>>,
    /// Layer of the container that is being read.
    layer: u8,
    /// The section of each element, for lookups of every node.
    section_of: Vec<Option<u32>>,
    /// Section by each node of a run of loose content.
    pub run_of: HashMap<usize, usize>,
    text: &'t str,
    /// Number of sections after which no further one is added, so that a hostile document takes little
    /// memory.
    most: usize,
}

/// Siblings between sections that are not sections themselves: together they are one.
#[derive(Clone, Copy)]
struct LooseRun<'t> {
    first: XmlNode<'t>,
    last: XmlNode<'t>,
}

impl<'t> Structure<'t> {
    /// Finds the sections of a document; beyond `most` parts the list may be incomplete.
    pub(crate) fn new(tree: &'t Tree<'t>, most: usize) -> Self {
        let mut structure = Self {
            sections: Vec::new(),
            metadata: Vec::new(),
            graphics: Vec::new(),
            tables: Vec::new(),
            terms: Vec::new(),
            footnotes: 0,
            struck_first: Vec::new(),
            layer: 0,
            section_of: vec![None; tree.nodes.len()],
            run_of: HashMap::new(),
            text: tree.text(),
            most,
        };
        let root = tree.root();
        if root.name().is_container() {
            structure.read_container(root);
        } else {
            structure.open_section(Extent::Whole(root), None);
        }
        structure.name_sections(tree);
        structure
    }

    /// Number of sections, terms, graphics, tables and footnotes.
    pub(crate) fn parts(&self) -> usize {
        self.sections.len() + self.terms.len() + self.graphics.len() + self.tables.len() + self.footnotes
    }

    /// The section that an element is.
    pub(crate) fn section_of(&self, node: XmlNode<'_>) -> Option<usize> {
        self.section_of[node.id()].map(|section| section as usize)
    }

    /// Reads a container: sections, metadata, other containers, and runs of anything else.
    fn read_container(&mut self, container: XmlNode<'t>) {
        let outer = self.layer;
        self.layer = layer_of(container).unwrap_or(outer);
        let mut run: Option<LooseRun<'t>> = None;
        for child in container.children() {
            if has_no_content(child) {
                continue;
            }
            // What is struck out within a run is a part of it.
            if child.struck().is_some() && run.is_none() {
                self.add_struck(child);
                continue;
            }
            let name = child.name();
            if is_loose(name) {
                let first = run.map_or(child, |run| run.first);
                run = Some(LooseRun { first, last: child });
                continue;
            }
            if let Some(run) = run.take() {
                self.open_run(container, run);
            }
            if name.is_metadata() {
                self.add_metadata(child);
            } else if name.is_container() {
                self.read_container(child);
            } else {
                self.open_section(Extent::Whole(child), None);
            }
        }
        if let Some(run) = run {
            self.open_run(container, run);
        }
        self.layer = outer;
    }

    /// Opens a section for a run of loose content. Its bytes end where the next sibling begins.
    fn open_run(&mut self, parent: XmlNode<'t>, run: LooseRun<'t>) {
        let LooseRun { first, last } = run;
        let end = if last.is_element() || last.struck().is_some() {
            last.range().end
        } else if let Some(next) = last.next() {
            // The range of character data ends with its first piece, where CDATA sections follow on each
            // other.
            next.range().start
        } else {
            self.text[..parent.range().end].rfind("</").unwrap_or(last.range().end)
        };
        self.open_section(Extent::Run { parent, first, last, end }, None);
    }

    /// Adds what is struck out between sections to the markup of the section before it; without one, of the
    /// section after it.
    fn add_struck(&mut self, node: XmlNode<'t>) {
        match self.sections.last_mut() {
            Some(section) => section.struck_after.push(node.range()),
            None => self.struck_first.push(node.range()),
        }
    }

    /// Adds a block of metadata, with the pictures in it: they are served although no text shows them.
    fn add_metadata(&mut self, block: XmlNode<'t>) {
        self.metadata.push(block);
        for node in block.descendants() {
            if matches!(node.name(), Name::Graphic | Name::InlineGraphic) {
                self.graphics.push((node, None));
            }
        }
    }

    /// Adds a section and reads what is in it. The sections in it are added after it, so that all are in the
    /// order of the document.
    fn open_section(&mut self, extent: Extent<'t>, parent: Option<usize>) {
        let index = self.sections.len();
        // One too many is enough for the caller to refuse the document.
        if index > self.most {
            return;
        }
        let above = parent.map(|p| &self.sections[p]);
        let kind = kind_of(extent, above.map(|p| p.kind));
        let normative = is_normative(extent, kind, above.map(|p| p.normative));
        let level = above.map_or(1, |p| p.level + 1);
        let element = extent.element();
        let label = element.and_then(label);
        let number = match (&label, element) {
            (Some(label), _) => number_of(label),
            (None, Some(element)) => typed_number(element, above.and_then(|p| p.number.as_deref())),
            (None, None) => None,
        };
        self.sections.push(SectionPlan {
            extent,
            id: SectionId::new(""),
            source_id: element.and_then(XmlNode::xml_id).map(str::to_owned),
            number,
            label,
            title: element.and_then(title),
            kind,
            normative,
            level,
            parent,
            layer: self.layer,
            excluded: Vec::new(),
            struck_after: std::mem::take(&mut self.struck_first),
        });
        match extent {
            Extent::Whole(node) => {
                self.section_of[node.id()] = u32::try_from(index).ok();
                self.read_children(node, index);
            }
            Extent::Run { .. } => {
                for node in extent.content() {
                    self.run_of.insert(node.id(), index);
                    self.read_node(node, index);
                }
            }
        }
    }

    fn read_children(&mut self, node: XmlNode<'t>, section: usize) {
        for child in node.children() {
            self.read_node(child, section);
        }
    }

    /// Reads a node within a section: nested sections are cut out, and the rest belongs to it.
    fn read_node(&mut self, node: XmlNode<'t>, section: usize) {
        match node.name() {
            Name::Text | Name::Other | Name::Math => return,
            name if name.is_metadata() => {
                self.sections[section].excluded.push(node.range());
                return self.add_metadata(node);
            }
            name if name.is_section() || name.is_outer_section() && self.is_sub_part(section) => {
                self.sections[section].excluded.push(node.range());
                return self.open_section(Extent::Whole(node), Some(section));
            }
            Name::Graphic | Name::InlineGraphic => self.graphics.push((node, Some(section))),
            Name::TableWrap => self.tables.push((node, section)),
            Name::Table if !within_table(node) => self.tables.push((node, section)),
            Name::Fn => self.footnotes += 1,
            Name::TermEntry => self.terms.push((node, section)),
            Name::DefItem
                if self.sections[section].kind == SectionKind::Terms && self.defines(node, section) =>
            {
                self.terms.push((node, section));
            }
            _ => {}
        }
        self.read_children(node, section);
    }

    /// An item of a definition list in a section of terms defines one. The key of a table, figure or formula
    /// does not.
    fn defines(&self, item: XmlNode<'_>, section: usize) -> bool {
        let element = self.sections[section].extent.element();
        for ancestor in item.ancestors() {
            if Some(ancestor) == element {
                break;
            }
            if matches!(
                ancestor.name(),
                Name::TableWrap | Name::Table | Name::Array | Name::Fig | Name::Legend | Name::DispFormula
            ) {
                return false;
            }
        }
        true
    }

    /// A part of a collection has its own parts and lists, which are outside of any other section.
    fn is_sub_part(&self, section: usize) -> bool {
        self.sections[section].extent.element().is_some_and(|n| n.name() == Name::SubPart)
    }

    fn name_sections(&mut self, tree: &Tree<'_>) {
        let mut ids = SectionIds { tree, counts: HashMap::new(), assigned: HashSet::new() };
        for section in &mut self.sections {
            let id = ids.assign(section);
            if section.source_id.as_deref() == Some(id.as_str()) {
                section.source_id = None;
            }
            section.id = SectionId::new(id);
        }
    }
}

/// Ids of sections as they are assigned, in document order.
struct SectionIds<'a> {
    tree: &'a Tree<'a>,
    /// Number of generated ids by number or type.
    counts: HashMap<String, usize>,
    assigned: HashSet<String>,
}

impl SectionIds<'_> {
    /// The id of a section: the source's own if that is unique and valid in a selection, else
    /// `<number or type>~<k>`.
    fn assign(&mut self, section: &SectionPlan<'_>) -> String {
        let id = match &section.source_id {
            Some(own) if self.tree.is_unique(own) && is_selectable(own) => own.clone(),
            _ => self.generate(section),
        };
        self.assigned.insert(id.clone());
        id
    }

    fn generate(&mut self, section: &SectionPlan<'_>) -> String {
        let base = section.number.as_deref().unwrap_or_else(|| type_name(section.kind));
        let count = self.counts.entry(base.to_owned()).or_default();
        loop {
            *count += 1;
            let id = format!("{base}~{count}");
            if !self.tree.has_id(&id) && !self.assigned.contains(&id) {
                return id;
            }
        }
    }
}

/// Nodes between sections that say nothing: comments and instructions, white space, inclusions.
fn has_no_content(node: XmlNode<'_>) -> bool {
    match node.name() {
        Name::Other => node.struck().is_none(),
        Name::Text => node.characters().trim().is_empty(),
        // What it includes is not here; words in it are those for this case.
        Name::Include => node.is_blank(),
        _ => false,
    }
}

/// Elements between sections that are read as content of a section without an element.
fn is_loose(name: Name) -> bool {
    !(name.is_metadata() || name.is_section() || name.is_outer_section() || name.is_container())
}

/// The layer of a document or adoption: the number of adoptions around the innermost document, with itself.
/// `None` for other elements and for an adoption that holds no document.
fn layer_of(node: XmlNode<'_>) -> Option<u8> {
    match node.name() {
        Name::Standard | Name::StandardsDocument => Some(0),
        Name::Adoption => node.children().filter_map(layer_of).max().map(|inner| inner.saturating_add(1)),
        _ => None,
    }
}

/// An id with a sign of the syntax of selections, `,;()!`, could not be selected.
fn is_selectable(id: &str) -> bool {
    !id.contains([',', ';', '(', ')', '!']) && !id.contains(char::is_whitespace)
}

/// A table within another one, or within a `table-wrap` of its section, is not listed itself.
fn within_table(node: XmlNode<'_>) -> bool {
    for ancestor in node.ancestors() {
        if ancestor.name().is_section() {
            return false;
        }
        if matches!(ancestor.name(), Name::TableWrap | Name::Array) {
            return true;
        }
    }
    false
}

/// The type of a section as views name it.
pub(crate) fn type_name(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::Foreword => "foreword",
        SectionKind::Introduction => "introduction",
        SectionKind::Scope => "scope",
        SectionKind::NormativeReferences => "normativeReferences",
        SectionKind::Terms => "terms",
        SectionKind::Term => "term",
        SectionKind::Clause => "clause",
        SectionKind::Annex => "annex",
        SectionKind::Bibliography => "bibliography",
        SectionKind::Footnotes => "footnotes",
        SectionKind::Index => "index",
        SectionKind::Other => "other",
    }
}
