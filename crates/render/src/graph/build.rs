//! Nodes of the knowledge graph, made from an edition, without those of its provisions.

use foldhash::{HashMap, HashSet};
use norma_api::shapes::{Acceptability, Graphic, RelationType, SectionType, StandardType, Term, TermText};
use norma_model::{EditionParts, PartialDate, PartialUrn, Table};

use super::language::well_formed;
use super::{GraphPartKind, NodeName, NodeValue, write};
use crate::gzip::{Encoded, Encoder};
use crate::views::Views;

type GraphWriter<'a> = write::NodeWriter<'a, Encoder>;

/// The graph of an edition without its provisions, and its length in Turtle.
pub(crate) fn graph(views: &Views<'_>, encoder: &mut Encoder) -> (Encoded, u64) {
    let names = NodeNames::new(views);
    let mut w = GraphWriter::of_graph(views.edition.urn.as_str(), encoder);
    standard(&mut w, views, &names);
    w.node(PUBLISHER, &["schema:Organization"]);
    w.one("schema:name", NodeValue::Text(&views.edition.metadata.publisher));
    for ics in &views.edition.ics {
        w.node(NodeName::Class(&ics.code), &["skos:Concept"]);
        w.one("skos:notation", NodeValue::Text(&ics.code));
        w.maybe("skos:prefLabel", ics.title.as_deref().map(|title| names.tagged(title)));
    }
    for (name, node) in cited_nodes(views, &names).nodes {
        cited(&mut w, name, node);
    }
    sections(&mut w, views, &names);
    for (one, provisions) in views.edition.tables.iter().zip(views.table_provisions()) {
        let mut cited_by = Vec::with_capacity(provisions.cited_by.len());
        for &index in &provisions.cited_by {
            cited_by.push(views.edition.provisions[index].id.to_string());
        }
        table(&mut w, one, &cited_by, &names);
    }
    for graphic in views.graphics() {
        figure(&mut w, &graphic, &names);
    }
    if !views.edition.terms.is_empty() {
        w.node(TERMS, &["skos:ConceptScheme"]);
        w.one("dcterms:isPartOf", NodeValue::Link(NodeName::Standard));
    }
    for term in views.terms() {
        concept(&mut w, &term, &names);
    }
    let longer_in_turtle = w.finish_graph();
    let encoded = encoder.finish();
    let turtle = encoded.size.checked_add_signed(longer_in_turtle);
    (encoded, turtle.expect("what is left out was written before"))
}

const PUBLISHER: NodeName<'_> = NodeName::Only("publisher");
const TERMS: NodeName<'_> = NodeName::Only("terms");

/// The names of the parts of one edition.
struct NodeNames<'a> {
    language: &'a str,
    sections: &'a [norma_model::Section],
    /// The document that the edition is one of.
    document: &'a str,
    /// The target of each relation.
    citations: Vec<NodeName<'a>>,
    /// For each relation, the name that all editions of the document share.
    undated: Vec<Option<String>>,
    /// The name that all editions of this document share.
    own_undated: Option<String>,
}

impl<'a> NodeNames<'a> {
    fn new(views: &Views<'a>) -> Self {
        let edition = views.edition;
        let document = edition.urn.document_urn();
        let mut first_dated = HashMap::default();
        let mut citations = Vec::with_capacity(edition.relations.len());
        let mut undated_names = Vec::with_capacity(edition.relations.len());
        for (number, relation) in (1..).zip(&edition.relations) {
            citations.push(match &relation.urn {
                Some(urn) if urn.as_str() == edition.urn.as_str() => NodeName::Standard,
                // The target of a relation to a document as a whole cannot be one of its editions.
                Some(urn) if !relation.dated && urn.as_str() != document => NodeName::Document(urn.as_str()),
                // Relations to the same edition share the node of the first one.
                Some(urn) => {
                    NodeName::Reference(*first_dated.entry((urn, relation.date.as_deref())).or_insert(number))
                }
                None => NodeName::Reference(number),
            });
            undated_names.push(undated(&relation.reference));
        }
        Self {
            language: well_formed(edition.metadata.language().as_str()),
            sections: &edition.sections,
            document,
            citations,
            undated: undated_names,
            own_undated: undated(&edition.metadata.reference),
        }
    }

    fn section(&self, index: usize) -> NodeName<'a> {
        NodeName::Part(GraphPartKind::Section, self.sections[index].id.as_str())
    }

    /// Text in the edition's main language.
    fn tagged<'t>(&self, text: &'t str) -> NodeValue<'t>
    where
        'a: 't,
    {
        NodeValue::Tagged(text, self.language)
    }
}

/// A designation without its dates.
fn undated(reference: &str) -> Option<String> {
    PartialUrn::from_reference(reference).map(|citation| citation.undated)
}

fn standard(w: &mut GraphWriter<'_>, views: &Views<'_>, names: &NodeNames<'_>) {
    let edition = views.edition;
    let metadata = &edition.metadata;
    w.node(NodeName::Standard, &["dcterms:Standard", "schema:CreativeWork"]);
    w.one("dcterms:identifier", NodeValue::Text(&metadata.reference));
    w.one("norma:revision", NodeValue::Text(views.revision));
    w.one("dcterms:publisher", NodeValue::Link(PUBLISHER));
    w.one("dcterms:isVersionOf", NodeValue::Link(NodeName::Document(names.document)));
    let kind = StandardType::from(metadata.standard_type).as_str();
    w.one("norma:documentType", NodeValue::Link(NodeName::Concept("documentType", kind)));
    w.one("norma:number", NodeValue::Text(&metadata.number));
    w.maybe("norma:part", metadata.part.as_deref().map(NodeValue::Text));
    w.one("schema:version", NodeValue::Text(&metadata.edition));
    w.each("schema:inLanguage", metadata.languages.iter().map(|l| NodeValue::Text(l.as_str())));
    let published = metadata.published_on();
    w.maybe("dcterms:issued", published.as_ref().map(|published| date(published.as_str())));
    w.each("dcterms:subject", edition.ics.iter().map(|i| NodeValue::Link(NodeName::Class(&i.code))));
    let titles = metadata.titles.iter();
    w.each("dcterms:title", titles.map(|(l, title)| NodeValue::Tagged(&title.full, well_formed(l.as_str()))));
    if let Some(copyright) = &metadata.copyright {
        w.maybe("schema:copyrightNotice", copyright.statement.as_deref().map(NodeValue::Text));
        w.maybe("schema:copyrightYear", copyright.year.as_deref().map(NodeValue::Text));
    }
    for (property, links) in related(edition, names) {
        w.each(property, links);
    }
    let top = (0..names.sections.len()).filter(|&s| names.sections[s].parent.is_none());
    w.each("dcterms:hasPart", top.map(|s| NodeValue::Link(names.section(s))));
}

/// The links to cited documents, by property, each property where it is first needed.
fn related<'a>(edition: &EditionParts, names: &NodeNames<'a>) -> Vec<(&'static str, Vec<NodeValue<'a>>)> {
    let mut related: Vec<(&'static str, Vec<NodeValue<'a>>)> = Vec::new();
    for (relation, &document) in edition.relations.iter().zip(&names.citations) {
        let property = match RelationType::from(relation.kind) {
            RelationType::Replaces => "dcterms:replaces",
            RelationType::Amends => "norma:amends",
            RelationType::Adopts => "norma:adopts",
            RelationType::NormativeReference => "dcterms:requires",
            RelationType::InformativeReference => "dcterms:references",
            RelationType::Related | RelationType::Unrecognized => "dcterms:relation",
        };
        match related.iter_mut().find(|(name, _)| *name == property) {
            Some((_, links)) => links.push(NodeValue::Link(document)),
            None => related.push((property, vec![NodeValue::Link(document)])),
        }
    }
    related
}

/// The values of a node for a cited document, each once.
#[derive(Default)]
struct CitedNode<'a> {
    identifiers: Vec<&'a str>,
    titles: Vec<&'a str>,
    /// Year or date of the edition.
    date: Option<&'a str>,
    /// The document that it is an edition of.
    document: Option<&'a str>,
}

/// The documents that the edition cites, each once, and its own. The node of a document has the name that all
/// its editions share, that of one edition the name and date as printed: so the graphs of several editions do
/// not contradict each other.
fn cited_nodes<'a>(views: &Views<'a>, names: &'a NodeNames<'a>) -> CitedNodes<'a> {
    let mut nodes = CitedNodes::default();
    nodes.of(NodeName::Document(names.document)).identifiers.extend(names.own_undated.as_deref());
    let relations = views.edition.relations.iter().zip(&names.citations).zip(&names.undated);
    for ((relation, &cited), undated) in relations {
        // The edition itself has a node already, whose own words count for more than a citation.
        if cited == NodeName::Standard {
            continue;
        }
        if let NodeName::Document(_) = cited {
            let node = nodes.of(cited);
            node.identifiers.push(undated.as_deref().unwrap_or(&relation.reference));
            node.titles.extend(relation.title.as_deref());
            continue;
        }
        let document = relation.urn.as_ref().map(PartialUrn::document_urn);
        if let Some(document) = document {
            nodes.of(NodeName::Document(document)).identifiers.extend(undated.as_deref());
        }
        let node = nodes.of(cited);
        node.identifiers.push(&relation.reference);
        node.date = relation.date.as_deref();
        node.document = document;
        node.titles.extend(relation.title.as_deref());
    }
    nodes
}

fn cited(w: &mut GraphWriter<'_>, name: NodeName<'_>, node: CitedNode<'_>) {
    w.node(name, &["schema:CreativeWork"]);
    w.each("dcterms:identifier", node.identifiers.into_iter().map(NodeValue::Text));
    w.each("dcterms:title", node.titles.into_iter().map(NodeValue::Text));
    // What is printed may be another text than a date.
    let issued = node.date.filter(|text| text.parse::<PartialDate>().is_ok());
    w.maybe("dcterms:issued", issued.map(date));
    let document = node.document.map(|document| NodeValue::Link(NodeName::Document(document)));
    w.maybe("dcterms:isVersionOf", document);
}

/// Nodes in the order in which they are first needed.
#[derive(Default)]
struct CitedNodes<'a> {
    nodes: Vec<(NodeName<'a>, CitedNode<'a>)>,
    indexes: HashMap<NodeName<'a>, usize>,
}

impl<'a> CitedNodes<'a> {
    fn of(&mut self, name: NodeName<'a>) -> &mut CitedNode<'a> {
        let index = *self.indexes.entry(name).or_insert_with(|| {
            self.nodes.push((name, CitedNode::default()));
            self.nodes.len() - 1
        });
        &mut self.nodes[index].1
    }
}

fn sections(w: &mut GraphWriter<'_>, views: &Views<'_>, names: &NodeNames<'_>) {
    let mut parts: Vec<Vec<NodeValue<'_>>> = vec![Vec::new(); names.sections.len()];
    let mut references = parts.clone();
    for (index, section) in names.sections.iter().enumerate() {
        if let Some(parent) = section.parent {
            parts[parent].push(NodeValue::Link(names.section(index)));
        }
    }
    for (relation, &document) in views.edition.relations.iter().zip(&names.citations) {
        for &section in &relation.sections {
            references[section].push(NodeValue::Link(document));
        }
    }
    for (index, section) in names.sections.iter().enumerate() {
        let kind = SectionType::from(section.kind);
        let class = match kind {
            SectionType::Foreword => "doco:Foreword",
            SectionType::Annex => "doco:Appendix",
            SectionType::Bibliography => "doco:Bibliography",
            SectionType::Terms => "doco:Glossary",
            SectionType::Index => "doco:Index",
            _ => "doco:Section",
        };
        w.node(names.section(index), &[class]);
        w.one("norma:sectionType", NodeValue::Link(NodeName::Concept("sectionType", kind.as_str())));
        w.maybe("norma:label", section.label.as_deref().map(NodeValue::Text));
        w.maybe("norma:number", section.number.as_deref().map(NodeValue::Text));
        w.maybe("dcterms:title", section.title.as_deref().map(|t| names.tagged(t)));
        w.one("norma:normative", NodeValue::Boolean(section.normative));
        w.one("norma:order", order(index));
        let holder = match section.parent {
            Some(parent) => names.section(parent),
            None => NodeName::Standard,
        };
        w.one("dcterms:isPartOf", NodeValue::Link(holder));
        w.each("dcterms:hasPart", parts[index].iter().copied());
        w.each("dcterms:references", references[index].iter().copied());
    }
}

fn table(w: &mut GraphWriter<'_>, table: &Table, cited_by: &[String], names: &NodeNames<'_>) {
    let Table { id, label, number, caption, section, group: _, digest: _, content: _ } = table;
    w.node(NodeName::Part(GraphPartKind::Table, id.as_str()), &["doco:Table"]);
    w.maybe("norma:label", label.as_deref().map(NodeValue::Text));
    w.maybe("norma:number", number.as_deref().map(NodeValue::Text));
    w.maybe("dcterms:title", caption.as_deref().map(|c| names.tagged(c)));
    w.one("dcterms:isPartOf", NodeValue::Link(names.section(*section)));
    w.each(
        "dcterms:isReferencedBy",
        cited_by.iter().map(|id| NodeValue::Link(NodeName::Part(GraphPartKind::Provision, id))),
    );
}

fn figure(w: &mut GraphWriter<'_>, graphic: &Graphic<'_>, names: &NodeNames<'_>) {
    w.node(NodeName::Part(GraphPartKind::Graphic, &graphic.id), &["doco:Figure", "schema:ImageObject"]);
    w.maybe("norma:label", graphic.label.as_deref().map(NodeValue::Text));
    w.maybe("dcterms:title", graphic.caption.as_deref().map(|c| names.tagged(c)));
    w.maybe("schema:description", graphic.alt_text.as_deref().map(|a| names.tagged(a)));
    w.one("norma:reference", NodeValue::Text(&graphic.asset_reference));
    w.maybe("schema:encodingFormat", graphic.media_type.as_deref().map(NodeValue::Text));
    let holder = match &graphic.section {
        Some(section) => NodeName::Part(GraphPartKind::Section, &section.id),
        None => NodeName::Standard,
    };
    w.one("dcterms:isPartOf", NodeValue::Link(holder));
    let digest = graphic.digest.as_ref().and_then(|digest| digest.strip_prefix("sha256:"));
    w.maybe("schema:sha256", digest.map(NodeValue::Text));
}

fn concept(w: &mut GraphWriter<'_>, term: &Term<'_>, names: &NodeNames<'_>) {
    w.node(NodeName::Part(GraphPartKind::Term, &term.id), &["skos:Concept"]);
    w.maybe("skos:notation", term.number.as_deref().map(NodeValue::Text));
    // SKOS S13, S14: one preferred label in each language, and no label of two kinds.
    let (mut preferred, mut used) = (HashSet::default(), HashSet::default());
    let (mut best, mut other, mut hidden) = (Vec::new(), Vec::new(), Vec::new());
    for designation in &term.designations {
        let language = well_formed(&designation.language);
        if !used.insert((&designation.text, language)) {
            continue;
        }
        let labels = match designation.acceptability {
            Acceptability::Preferred if preferred.insert(language) => &mut best,
            Acceptability::Preferred | Acceptability::Admitted | Acceptability::Unrecognized => &mut other,
            Acceptability::Deprecated => &mut hidden,
        };
        labels.push(NodeValue::Tagged(&designation.text, language));
    }
    w.each("skos:prefLabel", best);
    w.each("skos:altLabel", other);
    w.each("skos:hiddenLabel", hidden);
    let definitions = term.definitions.iter();
    w.each("skos:definition", definitions.map(|d| NodeValue::Tagged(&d.text, well_formed(&d.language))));
    w.maybe("norma:domain", term.domain.as_deref().map(|d| names.tagged(d)));
    w.each("skos:note", tagged_all(&term.notes));
    w.each("skos:example", tagged_all(&term.examples));
    w.each("schema:citation", tagged_all(&term.sources));
    w.one("skos:inScheme", NodeValue::Link(TERMS));
    w.one("dcterms:isPartOf", NodeValue::Link(NodeName::Part(GraphPartKind::Section, &term.section.id)));
}

fn tagged_all<'a>(texts: &'a [TermText<'_>]) -> impl Iterator<Item = NodeValue<'a>> {
    texts.iter().map(|t| NodeValue::Tagged(&t.text, well_formed(&t.language)))
}

fn date(date: &str) -> NodeValue<'_> {
    let datatype = match date.len() {
        4 => "xsd:gYear",
        7 => "xsd:gYearMonth",
        _ => "xsd:date",
    };
    NodeValue::Typed(date, datatype)
}

fn order(index: usize) -> NodeValue<'static> {
    NodeValue::Integer(u32::try_from(index + 1).expect("limits keep an edition below 2^32 parts"))
}
