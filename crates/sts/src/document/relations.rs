//! Relations: documents cited as normative references, in the bibliography and in the metadata.

use foldhash::HashMap;
use norma_model::urn::reference_key;
use norma_model::{Relation, RelationKind, SectionKind};
use norma_provisions::blocks::Cited;

use crate::document::citation;
use crate::document::index::DocumentIndex;
use crate::text::lookups::Lookups;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The relations of a document: those of its metadata first, then those of its text in order.
pub(crate) fn relations(document: &DocumentIndex<'_>, stated: Vec<(RelationKind, Cited)>) -> Vec<Relation> {
    let mut collector = RelationCollector::new(document);
    for (kind, cited) in stated {
        collector.add(kind, &cited, None);
    }
    for (index, section) in document.structure.sections.iter().enumerate() {
        let kind = match section.kind {
            SectionKind::NormativeReferences => Some(RelationKind::NormativeReference),
            SectionKind::Bibliography => Some(RelationKind::InformativeReference),
            _ => None,
        };
        for node in section.extent.content() {
            collector.visit(node, index, kind);
        }
    }
    // A mention may be before the list with its entry.
    for mention in std::mem::take(&mut collector.mentions) {
        collector.add_mention(&mention);
    }
    collector.relations
}

/// A citation in running text, and the section that it is in.
struct TextCitation<'t> {
    node: XmlNode<'t>,
    section: usize,
}

struct RelationCollector<'d, 't> {
    document: &'d DocumentIndex<'t>,
    relations: Vec<Relation>,
    /// Relations by the key of their reference.
    by_reference: HashMap<String, Vec<usize>>,
    /// Relations by the entry of the list that names them.
    by_entry: HashMap<usize, Vec<usize>>,
    mentions: Vec<TextCitation<'t>>,
}

impl<'d, 't> RelationCollector<'d, 't> {
    fn new(document: &'d DocumentIndex<'t>) -> Self {
        Self {
            document,
            relations: Vec::new(),
            by_reference: HashMap::default(),
            by_entry: HashMap::default(),
            mentions: Vec::new(),
        }
    }

    /// Adds a relation, or the section and title to one of the same kind to the same document. Gives its
    /// index.
    fn add(&mut self, kind: RelationKind, cited: &Cited, section: Option<usize>) -> usize {
        let key = reference_key(&cited.reference);
        let known = self.by_reference.entry(key).or_default();
        if let Some(&index) = known.iter().find(|&&index| self.relations[index].kind == kind) {
            let relation = &mut self.relations[index];
            if let Some(section) = section
                && !relation.sections.contains(&section)
            {
                relation.sections.push(section);
            }
            if relation.title.is_none() {
                relation.title = cited.title.clone();
            }
            return index;
        }
        let index = self.relations.len();
        known.push(index);
        self.relations.push(Relation {
            kind,
            reference: cited.reference.clone(),
            urn: cited.urn.clone(),
            dated: cited.dated,
            date: cited.date.clone(),
            title: cited.title.clone(),
            sections: section.into_iter().collect(),
        });
        index
    }

    /// Reads one node of a section; entries of lists of references become relations, others are mentions.
    /// `listed` is the kind of the entries, in a section that lists references.
    fn visit(&mut self, node: XmlNode<'t>, section: usize, listed: Option<RelationKind>) {
        let name = node.name();
        if matches!(name, Name::Text | Name::Other | Name::Math) || name.is_metadata() {
            return;
        }
        let is_other_section = self.document.structure.section_of(node).is_some();
        if is_other_section {
            return;
        }
        match (name, listed) {
            (Name::Ref, _) => return self.add_entry(node, section, listed),
            (Name::Std, Some(kind)) => return self.add_listed_standard(node, section, kind),
            (Name::Std, None) => return self.mentions.push(TextCitation { node, section }),
            (Name::Xref, _) if node.attr("ref-type") == Some("bibr") => {
                return self.mentions.push(TextCitation { node, section });
            }
            _ => {}
        }
        let may_cite = name == Name::P && listed == Some(RelationKind::NormativeReference);
        if may_cite && self.add_paragraph(node, section) {
            return;
        }
        // An editing instruction cites nothing.
        let listed = listed.filter(|_| name != Name::EditingInstruction);
        for child in node.children() {
            self.visit(child, section, listed);
        }
    }

    fn add_entry(&mut self, entry: XmlNode<'t>, section: usize, listed: Option<RelationKind>) {
        let list_type = entry.parent().and_then(|list| list.attr("content-type"));
        let kind = match (listed, list_type) {
            (Some(kind), _) => kind,
            (None, Some("norm-refs")) => RelationKind::NormativeReference,
            (None, _) => RelationKind::InformativeReference,
        };
        let mut relations = Vec::new();
        for cited in self.document.citations(entry).iter() {
            relations.push(self.add(kind, cited, Some(section)));
        }
        self.by_entry.insert(entry.id(), relations);
    }

    /// Adds a standard without an entry. Without a URN it is a reference only where that is normative.
    fn add_listed_standard(&mut self, standard: XmlNode<'t>, section: usize, kind: RelationKind) {
        let citations = self.document.citations(standard);
        let Some(cited) = citations.first() else { return };
        if cited.urn.is_some() || kind == RelationKind::NormativeReference {
            self.add(kind, cited, Some(section));
        }
    }

    /// Adds the normative reference that the words of a paragraph without `std` are, if they name a document.
    fn add_paragraph(&mut self, paragraph: XmlNode<'t>, section: usize) -> bool {
        if paragraph.all(Name::Std).next().is_some() {
            return false;
        }
        match citation::from_words(paragraph) {
            Some(cited) if cited.urn.is_some() => {
                self.add(RelationKind::NormativeReference, &cited, Some(section));
                true
            }
            _ => false,
        }
    }

    /// Adds a section to the relations that it mentions.
    fn add_mention(&mut self, mention: &TextCitation<'t>) {
        for index in self.mentioned(mention.node) {
            let sections = &mut self.relations[index].sections;
            if let Err(index) = sections.binary_search(&mention.section) {
                sections.insert(index, mention.section);
            }
        }
    }

    /// The relations that a `std` or a cross-reference to entries names.
    fn mentioned(&self, node: XmlNode<'t>) -> Vec<usize> {
        let mut indices = Vec::new();
        if node.name() == Name::Std {
            if let Some(cited) = self.document.citations(node).first() {
                let key = reference_key(&cited.reference);
                indices.extend(self.by_reference.get(&key).into_iter().flatten());
            }
            return indices;
        }
        for rid in node.attr("rid").unwrap_or_default().split_whitespace() {
            if let Some(entry) = self.document.tree.by_id(rid) {
                indices.extend(self.by_entry.get(&entry.id()).into_iter().flatten());
            }
        }
        indices
    }
}
