//! Section structure: the elements and runs of loose content that are sections, and the content of each.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use norma_model::{SectionId, SectionKind};

use crate::document::extent::Extent;
use crate::document::section_kind::{is_normative, kind_of};
use crate::languages;
use crate::text::{label, words};
use crate::xml::names::Name;
use crate::xml::tree::{Tree, XmlNode};
use norma_model::label::number_of;

/// A section before its text is written.
pub(crate) struct SectionPlan<'t> {
    pub extent: Extent<'t>,
    pub id: SectionId,
    pub source_id: Option<String>,
    pub label: Option<String>,
    pub number: Option<String>,
    pub title: Option<XmlNode<'t>>,
    pub kind: SectionKind,
    pub normative: bool,
    pub level: u16,
    pub parent: Option<usize>,
    pub layer: u8,
    /// Bytes of the repaired text that belong to other sections or to metadata, in order.
    pub excluded: Vec<Range<usize>>,
    /// Parts after it that are struck out and in no other section, in order.
    pub struck_after: Vec<Range<usize>>,
}

/// Sections and parts of a document, in document order.
pub(crate) struct Structure<'t> {
    pub sections: Vec<SectionPlan<'t>>,
    /// Blocks of metadata.
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
    /// That of the container which is being read.
    layer: u8,
    /// The section of each element, for lookups of every node.
    section_of: Vec<Option<u32>>,
    /// Section by each node of a run of loose content.
    pub run_of: HashMap<usize, usize>,
    text: &'t str,
    /// Most parts of a document.
    most: usize,
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
            structure.outside(root);
        } else {
            structure.open(Extent::Whole(root), None);
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
    fn outside(&mut self, container: XmlNode<'t>) {
        let outer = self.layer;
        self.layer = layer_of(container).unwrap_or(outer);
        let mut run: Option<(XmlNode<'t>, XmlNode<'t>)> = None;
        for child in container.children() {
            let name = child.name();
            let loose = match name {
                Name::Other if child.struck().is_none() => continue,
                Name::Other if run.is_none() => {
                    self.struck(child);
                    continue;
                }
                Name::Text if child.characters().trim().is_empty() => continue,
                // What it includes is not here; words in it are those for this case.
                Name::Include if child.is_blank() => continue,
                _ => {
                    !(name.is_metadata()
                        || name.is_section()
                        || name.is_outer_section()
                        || name.is_container())
                }
            };
            if loose {
                run = Some((run.map_or(child, |(first, _)| first), child));
                continue;
            }
            self.close(container, run.take());
            if name.is_metadata() {
                self.metadata(child);
            } else if name.is_container() {
                self.outside(child);
            } else {
                self.open(Extent::Whole(child), None);
            }
        }
        self.close(container, run);
        self.layer = outer;
    }

    fn close(&mut self, parent: XmlNode<'t>, run: Option<(XmlNode<'t>, XmlNode<'t>)>) {
        let Some((first, last)) = run else { return };
        // The range of character data ends with its first piece, where CDATA sections follow on each other.
        let end = match last.next() {
            _ if last.is_element() || last.struck().is_some() => last.range().end,
            Some(next) => next.range().start,
            None => self.text[..parent.range().end].rfind("</").unwrap_or(last.range().end),
        };
        self.open(Extent::Run { parent, first, last, end }, None);
    }

    /// Keeps what is struck out between sections in the markup of the section before it; without one, of the
    /// section after it.
    fn struck(&mut self, node: XmlNode<'t>) {
        match self.sections.last_mut() {
            Some(section) => section.struck_after.push(node.range()),
            None => self.struck_first.push(node.range()),
        }
    }

    fn metadata(&mut self, block: XmlNode<'t>) {
        self.metadata.push(block);
        let pictures =
            block.descendants().filter(|n| matches!(n.name(), Name::Graphic | Name::InlineGraphic));
        self.graphics.extend(pictures.map(|n| (n, None)));
    }

    fn open(&mut self, extent: Extent<'t>, parent: Option<usize>) {
        let index = self.sections.len();
        if index > self.most {
            return;
        }
        let above = parent.map(|p| &self.sections[p]);
        let kind = kind_of(extent, above.map(|p| p.kind));
        let normative = is_normative(extent, kind, above.map(|p| p.normative));
        let level = above.map_or(1, |p| p.level + 1);
        let element = extent.element();
        let label = element.and_then(label);
        self.sections.push(SectionPlan {
            extent,
            id: SectionId::new(""),
            source_id: element.and_then(XmlNode::xml_id).map(str::to_owned),
            number: match &label {
                Some(label) => number_of(label),
                None => element.and_then(|node| typed_number(node, above.and_then(|p| p.number.as_deref()))),
            },
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
                self.inside(node, index);
            }
            Extent::Run { .. } => {
                for node in extent.content() {
                    self.run_of.insert(node.id(), index);
                    self.enter(node, index);
                }
            }
        }
    }

    fn inside(&mut self, node: XmlNode<'t>, section: usize) {
        for child in node.children() {
            self.enter(child, section);
        }
    }

    /// Reads a node within a section: nested sections are cut out, and the rest belongs to it.
    fn enter(&mut self, node: XmlNode<'t>, section: usize) {
        match node.name() {
            Name::Text | Name::Other | Name::Math => return,
            name if name.is_metadata() => {
                self.sections[section].excluded.push(node.range());
                return self.metadata(node);
            }
            name if name.is_section() || name.is_outer_section() && self.is_sub_part(section) => {
                self.sections[section].excluded.push(node.range());
                return self.open(Extent::Whole(node), Some(section));
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
        self.inside(node, section);
    }

    /// Whether a definition list in a section of terms defines some: the key of a table, figure or formula
    /// does not.
    fn defines(&self, item: XmlNode<'_>, section: usize) -> bool {
        let element = self.sections[section].extent.element();
        let keys = [Name::TableWrap, Name::Table, Name::Array, Name::Fig, Name::Legend, Name::DispFormula];
        !item.ancestors().take_while(|n| Some(*n) != element).any(|n| keys.contains(&n.name()))
    }

    /// Whether a section is a part of a collection: its own parts and lists are outside of any other section.
    fn is_sub_part(&self, section: usize) -> bool {
        self.sections[section].extent.element().is_some_and(|n| n.name() == Name::SubPart)
    }

    /// Assigns each section its id: the source's own if that is unique and valid in a selection, else
    /// `<number or type>~<k>`.
    fn name_sections(&mut self, tree: &Tree<'_>) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        for section in &mut self.sections {
            let own = section.source_id.take();
            let usable = own.as_deref().filter(|id| tree.is_unique(id) && is_selectable(id));
            let id = match usable {
                Some(id) => id.to_owned(),
                None => {
                    let base = section.number.clone().unwrap_or_else(|| type_name(section.kind).to_owned());
                    let count = counts.entry(base.clone()).or_default();
                    loop {
                        *count += 1;
                        let id = format!("{base}~{count}");
                        if !tree.has_id(&id) && !taken.contains(&id) {
                            break id;
                        }
                    }
                }
            };
            section.source_id = own.filter(|own| *own != id);
            taken.insert(id.clone());
            section.id = SectionId::new(id);
        }
    }
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

/// Whether an id is valid in a selection, whose syntax uses `,;()!`.
fn is_selectable(id: &str) -> bool {
    !id.contains([',', ';', '(', ')', '!']) && !id.contains(char::is_whitespace)
}

fn within_table(node: XmlNode<'_>) -> bool {
    node.ancestors()
        .take_while(|n| !n.name().is_section())
        .any(|n| matches!(n.name(), Name::TableWrap | Name::Array))
}

/// The number of a section without label, whose number was typed into its title.
fn typed_number(section: XmlNode<'_>, parent: Option<&str>) -> Option<String> {
    if section.name() == Name::App {
        return annex_number(title(section)?);
    }
    let number = leading_number(section)?;
    let siblings =
        || section.parent().into_iter().flat_map(XmlNode::elements).filter(|n| n.name().is_section());
    let continues = |one: &str, other: &str| match (one.parse::<u16>(), other.parse::<u16>()) {
        (Ok(one), Ok(other)) => one.abs_diff(other) == 1,
        _ => false,
    };
    let fits = match parent {
        Some(parent) => number.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.')),
        // A single number counts as one of several in sequence only: `2 Stroke engines` is a title.
        None if siblings().any(|n| n.child(Name::Label).is_some()) => false,
        None if number.contains('.') => true,
        None => siblings().filter_map(leading_number).any(|other| continues(&number, &other)),
    };
    fits.then_some(number)
}

/// A number of clauses at the start of a title, before a word with a capital: `4.2 Loads`, but not
/// `3.5 mm plugs`.
fn leading_number(section: XmlNode<'_>) -> Option<String> {
    let title = words(title(section)?)?;
    let (number, rest) = title.split_once(char::is_whitespace)?;
    let number = number.strip_suffix('.').unwrap_or(number);
    let is_title = rest.trim_start().starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    let digits = |level: &str| (1..=3).contains(&level.len()) && level.bytes().all(|b| b.is_ascii_digit());
    let mut levels = number.split('.');
    let first = levels.next()?;
    let letter = first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase()) && number.len() > 1;
    (is_title && (digits(first) || letter) && levels.all(digits)).then(|| number.to_owned())
}

/// The number of an annex whose label was typed into its title: `Annex A (informative) Tests`.
fn annex_number(title: XmlNode<'_>) -> Option<String> {
    let title = words(title)?;
    let word = title.split_whitespace().next()?.to_lowercase();
    number_of(&title).filter(|number| languages::is_annex(&word) && number.len() <= 3)
}

fn title(section: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let group = || section.child(Name::IndexTitleGroup).and_then(|g| g.child(Name::Title));
    section.child(Name::Title).or_else(group).filter(|t| !t.is_blank())
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
