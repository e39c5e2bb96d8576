//! Relations: documents cited as normative references, in the bibliography and in the metadata.

use foldhash::HashMap;
use norma_model::urn::reference_key;
use norma_model::{Relation, RelationKind, SectionKind};

use crate::document::index::DocumentIndex;
use norma_provisions::blocks::Cited;

use crate::document::citation;
use crate::text::lookups::Lookups;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The relations of a document: those of its metadata first, then those of its text in order.
pub(crate) fn relations<'t>(
    document: &DocumentIndex<'t>,
    stated: Vec<(RelationKind, Cited)>,
) -> Vec<Relation> {
    let mut collector = RelationCollector::default();
    for (kind, cited) in stated {
        collector.add(kind, &cited, None);
    }
    let mut mentions: Vec<(XmlNode<'t>, usize)> = Vec::new();
    for (index, section) in document.structure.sections.iter().enumerate() {
        let kind = match section.kind {
            SectionKind::NormativeReferences => Some(RelationKind::NormativeReference),
            SectionKind::Bibliography => Some(RelationKind::InformativeReference),
            _ => None,
        };
        for node in section.extent.content() {
            collector.visit(document, node, index, kind, &mut mentions);
        }
    }
    for (node, section) in mentions {
        collector.mention(document, node, section);
    }
    collector.relations
}

#[derive(Default)]
struct RelationCollector {
    relations: Vec<Relation>,
    by_reference: HashMap<String, Vec<usize>>,
    /// Relations by the entry of the list that names them.
    by_entry: HashMap<usize, Vec<usize>>,
}

impl RelationCollector {
    fn add(&mut self, kind: RelationKind, cited: &Cited, section: Option<usize>) -> usize {
        let key = reference_key(&cited.reference);
        let same = self
            .by_reference
            .get(&key)
            .into_iter()
            .flatten()
            .copied()
            .find(|&i| self.relations[i].kind == kind);
        if let Some(index) = same {
            let relation = &mut self.relations[index];
            relation.sections.extend(section.filter(|s| !relation.sections.contains(s)));
            relation.title = relation.title.take().or_else(|| cited.title.clone());
            return index;
        }
        let index = self.relations.len();
        self.by_reference.entry(key).or_default().push(index);
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
    fn visit<'t>(
        &mut self,
        document: &DocumentIndex<'t>,
        node: XmlNode<'t>,
        section: usize,
        kind: Option<RelationKind>,
        mentions: &mut Vec<(XmlNode<'t>, usize)>,
    ) {
        match (node.name(), kind) {
            (Name::Text | Name::Other | Name::Math, _) => return,
            (name, _) if name.is_metadata() || document.structure.section_of(node).is_some() => return,
            (Name::Ref, listed) => {
                let kind = listed.unwrap_or(match node.parent().and_then(|p| p.attr("content-type")) {
                    Some("norm-refs") => RelationKind::NormativeReference,
                    _ => RelationKind::InformativeReference,
                });
                let cited = document.citations(node);
                let relations = cited.iter().map(|cited| self.add(kind, cited, Some(section))).collect();
                self.by_entry.insert(node.id(), relations);
                return;
            }
            (Name::Std, Some(kind)) => {
                let cited = document.citations(node).first().cloned();
                let binding = kind == RelationKind::NormativeReference;
                if let Some(cited) = cited.filter(|c| c.urn.is_some() || binding) {
                    self.add(kind, &cited, Some(section));
                }
                return;
            }
            // An editing instruction cites nothing.
            (Name::EditingInstruction, Some(_)) => {
                return node
                    .children()
                    .for_each(|child| self.visit(document, child, section, None, mentions));
            }
            (Name::P, Some(RelationKind::NormativeReference)) if node.all(Name::Std).next().is_none() => {
                if let Some(cited) = citation::from_words(node).filter(|c| c.urn.is_some()) {
                    self.add(RelationKind::NormativeReference, &cited, Some(section));
                    return;
                }
            }
            (Name::Std, None) => return mentions.push((node, section)),
            (Name::Xref, _) if node.attr("ref-type") == Some("bibr") => {
                return mentions.push((node, section));
            }
            _ => {}
        }
        node.children().for_each(|child| self.visit(document, child, section, kind, mentions));
    }

    /// Adds a section to the relations that it mentions.
    fn mention<'t>(&mut self, document: &DocumentIndex<'t>, node: XmlNode<'t>, section: usize) {
        let indices: Vec<usize> = match node.name() {
            Name::Std => match document.citations(node).first().cloned() {
                Some(cited) => {
                    self.by_reference.get(&reference_key(&cited.reference)).cloned().unwrap_or_default()
                }
                None => return,
            },
            _ => {
                let rids = node.attr("rid").unwrap_or_default().split_whitespace();
                let entries = rids.filter_map(|rid| self.by_entry.get(&document.tree.by_id(rid)?.id()));
                entries.flatten().copied().collect()
            }
        };
        for index in indices {
            let sections = &mut self.relations[index].sections;
            if let Err(index) = sections.binary_search(&section) {
                sections.insert(index, section);
            }
        }
    }
}
