//! Nodes of the knowledge graph for provisions, made from the stored provisions when the graph is read.

use std::sync::Arc;

use norma_api::shapes::{Provision, ProvisionType, Quantity, Reference};
use norma_model::{EditionParts, ReferenceTarget};
use serde::{Deserialize, Serialize};

use super::language::well_formed;
use super::objects::ObjectStream;
use super::write::NodeWriter;
use super::{GraphPartKind, NodeName, NodeValue, Turtle};

/// The values for the nodes of an edition's provisions that the provisions do not have, and the length of
/// these nodes.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct ProvisionNodes {
    urn: String,
    /// Language of the text, as a tag that every RDF processor takes.
    language: String,
    /// Targets of references in provisions, in ascending order of their ids.
    targets: Vec<LinkTarget>,
    /// Bytes of the nodes in JSON-LD.
    pub(crate) json_ld: u64,
    /// Bytes of the nodes in Turtle.
    pub(crate) turtle: u64,
    /// Bytes of the rest of the graph in Turtle.
    pub(crate) rest_in_turtle: u64,
}

/// What a reference in a provision names.
#[derive(Serialize, Deserialize)]
struct LinkTarget {
    /// Id of a part of the edition, or [`dated_name`] of an edition that it cites.
    id: String,
    /// The node for it; `None` if the edition has no part with this id.
    part: Option<(GraphPartKind, String)>,
}

impl ProvisionNodes {
    /// The values for an edition without provisions so far, whose graph without them has this many bytes in
    /// Turtle.
    pub(crate) fn new(edition: &EditionParts, rest_in_turtle: u64) -> Self {
        let mut targets = Vec::new();
        for provision in &edition.provisions {
            for reference in &provision.references {
                if let Some(ReferenceTarget::Part(id)) = &reference.target {
                    targets.push(LinkTarget { id: id.to_string(), part: None });
                }
            }
        }
        add_dated(edition, &mut targets);
        // A stable order: of two targets with one id the first one in the document remains.
        targets.sort_by(|a, b| a.id.cmp(&b.id));
        targets.dedup_by(|a, b| a.id == b.id);
        set_parts(edition, &mut targets);
        Self {
            urn: edition.urn.as_str().to_owned(),
            language: well_formed(edition.metadata.language().as_str()).to_owned(),
            targets,
            json_ld: 0,
            turtle: 0,
            rest_in_turtle,
        }
    }

    /// The stored form, which is read by postcard.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("texts and numbers only")
    }

    /// The meaning of a reference with this target and date: a part, another document, or one edition of it.
    fn target<'a>(&'a self, target: &'a str, date: Option<&str>) -> Option<NodeName<'a>> {
        let dated = date.and_then(|date| index_of(&self.targets, &dated_name(target, date)));
        match dated.or_else(|| index_of(&self.targets, target)) {
            Some(index) => {
                let (kind, part) = self.targets[index].part.as_ref()?;
                Some(NodeName::Part(*kind, part))
            }
            None => Some(NodeName::Document(target)),
        }
    }

    /// The node that a reference in a provision links to.
    fn cited<'a>(&'a self, reference: &'a Reference<'_>) -> Option<NodeName<'a>> {
        let named = match reference.target_id.as_deref().or(reference.urn.as_deref()) {
            Some(target) => self.target(target, reference.date.as_deref()),
            None if reference.itself => return Some(NodeName::Standard),
            None => return None,
        };
        match named {
            // The edition itself has its own name, also where it is cited by another.
            Some(NodeName::Document(_)) if reference.itself => Some(NodeName::Standard),
            named => named,
        }
    }

    /// Counts the nodes of one more provision, with this number in document order, from 1; `scratch` is
    /// overwritten.
    pub(crate) fn count(&mut self, provision: &Provision<'_>, order: u32, scratch: &mut Vec<u8>) {
        scratch.clear();
        let longer = self.write(provision, order, scratch);
        let json_ld = scratch.len() as u64;
        self.json_ld += json_ld;
        self.turtle += json_ld.checked_add_signed(longer).expect("what is left out was written before");
    }

    /// Appends the nodes of a provision in JSON-LD, each after a comma. Gives by how many bytes they are
    /// longer in Turtle.
    fn write(&self, provision: &Provision<'_>, order: u32, out: &mut Vec<u8>) -> i64 {
        let tagged = |text| NodeValue::Tagged(text, &self.language);
        let references = provision.references.iter().filter_map(|reference| self.cited(reference));
        let clauses = provision.references.iter().filter(|reference| reference.clause.is_some());
        let section = NodeName::Part(GraphPartKind::Section, &provision.section.id);
        let mut w = NodeWriter::of_nodes(&self.urn, out);
        w.node(
            NodeName::Part(GraphPartKind::Provision, &provision.id),
            &["norma:Provision", class(provision.kind)],
        );
        w.one("norma:label", NodeValue::Text(&provision.label));
        w.maybe("dcterms:identifier", provision.identifier.as_deref().map(NodeValue::Text));
        w.maybe("norma:itemLabel", provision.item_label.as_deref().map(NodeValue::Text));
        w.one("schema:text", tagged(&provision.text));
        w.maybe("norma:leadIn", provision.lead_in.as_deref().map(tagged));
        w.one("norma:verbalForm", tagged(&provision.verbal_form));
        w.one("norma:negated", NodeValue::Boolean(provision.negated));
        w.one("norma:normative", NodeValue::Boolean(provision.normative));
        w.one("norma:order", NodeValue::Integer(order));
        w.one("norma:container", NodeValue::Text(provision.container.as_str()));
        w.one("norma:origin", NodeValue::Text(provision.origin.as_str()));
        w.one("norma:rule", NodeValue::Text(&provision.rule));
        w.one("norma:confidence", NodeValue::Typed(&provision.confidence.to_string(), "xsd:decimal"));
        w.each("dcterms:references", references.map(NodeValue::Link));
        w.each("norma:citesClause", clauses.map(|reference| NodeValue::Text(&reference.text)));
        w.each(
            "norma:usesTerm",
            provision.term_ids.iter().map(|id| NodeValue::Link(NodeName::Part(GraphPartKind::Term, id))),
        );
        let mut quantity_ids = Vec::with_capacity(provision.quantities.len());
        for number in 1..=provision.quantities.len() {
            quantity_ids.push(format!("{}.{number}", provision.id));
        }
        w.each(
            "norma:quantity",
            quantity_ids.iter().map(|id| NodeValue::Link(NodeName::Part(GraphPartKind::Quantity, id))),
        );
        w.each("norma:condition", provision.conditions.iter().map(|passage| tagged(&passage.text)));
        w.maybe("norma:subject", provision.subject.as_ref().map(|passage| tagged(&passage.text)));
        w.one("dcterms:isPartOf", NodeValue::Link(section));
        for (id, quantity) in quantity_ids.iter().zip(&provision.quantities) {
            self.write_quantity(&mut w, id, quantity);
        }
        w.finish_nodes()
    }

    fn write_quantity(&self, w: &mut NodeWriter<'_, Vec<u8>>, id: &str, quantity: &Quantity<'_>) {
        w.node(NodeName::Part(GraphPartKind::Quantity, id), &["norma:Quantity"]);
        if let Some(comparator) = quantity.comparator {
            w.one("norma:comparator", NodeValue::Text(comparator.as_str()));
        }
        w.one("norma:value", decimal(&quantity.value));
        w.maybe("norma:upper", quantity.upper.as_deref().map(decimal));
        w.maybe("norma:tolerance", quantity.tolerance.as_deref().map(decimal));
        if let Some(unit) = &quantity.unit {
            w.one("norma:unit", NodeValue::Text(&unit.text));
            w.maybe("norma:ucum", unit.ucum.as_deref().map(NodeValue::Text));
        }
        w.one("schema:text", NodeValue::Tagged(&quantity.passage.text, &self.language));
    }
}

fn decimal(value: &str) -> NodeValue<'_> {
    NodeValue::Typed(value, "xsd:decimal")
}

fn class(kind: ProvisionType) -> &'static str {
    match kind {
        ProvisionType::Requirement => "norma:Requirement",
        ProvisionType::Recommendation => "norma:Recommendation",
        ProvisionType::Permission => "norma:Permission",
        ProvisionType::Capability => "norma:Capability",
        ProvisionType::ExternalConstraint => "norma:ExternalConstraint",
        ProvisionType::Unrecognized => "norma:Provision",
    }
}

/// Index of the target with an id, among targets in ascending order.
fn index_of(targets: &[LinkTarget], id: &str) -> Option<usize> {
    targets.binary_search_by(|target| target.id.as_str().cmp(id)).ok()
}

/// Gives the targets the parts of the edition that have their ids.
fn set_parts(edition: &EditionParts, targets: &mut [LinkTarget]) {
    let mut set = |id: &str, kind, part: &str| {
        if let Some(index) = index_of(targets, id) {
            targets[index].part = Some((kind, part.to_owned()));
        }
    };
    for term in &edition.terms {
        set(term.id.as_str(), GraphPartKind::Term, term.id.as_str());
    }
    for table in &edition.tables {
        set(table.id.as_str(), GraphPartKind::Table, table.id.as_str());
    }
    for graphic in &edition.graphics {
        set(graphic.id.as_str(), GraphPartKind::Graphic, graphic.id.as_str());
        // A reference to a figure of several graphics links to the last of them.
        if let Some(figure) = &graphic.figure_id {
            set(figure, GraphPartKind::Graphic, graphic.id.as_str());
        }
    }
    // Sections come last: where a section shares its id with something else, the reference means the section.
    for section in &edition.sections {
        set(section.id.as_str(), GraphPartKind::Section, section.id.as_str());
    }
}

/// Adds the editions that relations cite by a date, each with the number of its relation from 1. An edition
/// that several relations cite is added once for each.
fn add_dated(edition: &EditionParts, targets: &mut Vec<LinkTarget>) {
    for (number, relation) in (1_usize..).zip(&edition.relations) {
        if let (Some(urn), Some(date)) = (&relation.urn, &relation.date) {
            let part = Some((GraphPartKind::Reference, number.to_string()));
            targets.push(LinkTarget { id: dated_name(urn.as_str(), date), part });
        }
    }
}

fn dated_name(urn: &str, date: &str) -> String {
    format!("{urn}:{date}")
}

/// Takes the stored provisions of an edition in chunks and gives their nodes.
pub(crate) struct Nodes {
    names: Arc<ProvisionNodes>,
    provisions: ObjectStream,
    /// Number of provisions that are written.
    count: u32,
    /// The writer in Turtle, unless the nodes are written in JSON-LD.
    turtle: Option<Turtle>,
}

impl Nodes {
    /// Before the first provision.
    pub(crate) fn new(names: Arc<ProvisionNodes>, is_turtle: bool) -> Self {
        let turtle = is_turtle.then(Turtle::of_nodes);
        Self { names, provisions: ObjectStream::default(), count: 0, turtle }
    }

    /// Appends the nodes of the provisions that end in the next chunk; `None` if they are not provisions of
    /// this version.
    pub(crate) fn write(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let Self { names, provisions, count, turtle } = self;
        let mut scratch = Vec::new();
        provisions.push(bytes);
        provisions.take_complete(|provision| {
            let provision: Provision<'_> = serde_json::from_slice(provision).ok()?;
            *count = count.checked_add(1)?;
            let Some(turtle) = turtle else {
                names.write(&provision, *count, out);
                return Some(());
            };
            scratch.clear();
            names.write(&provision, *count, &mut scratch);
            turtle.write(&scratch, out)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A provision with references to a table, an unknown id, the document itself, and another document.
    const PROVISION: &str = r#"{"id":"ID","label":"1(1)","type":"requirement","verbalForm":"shall","negated":false,"text":"\"{\" shall","container":"paragraph","normative":true,"section":{"id":"s 1"},"references":[{"text":"Table 1","targetId":"t1"},{"text":"Table 9","targetId":"t9"},{"text":"this document","urn":"urn:x:y","self":true},{"text":"X","urn":"urn:x:z"}],"quantities":[{"comparator":"atMost","value":"5","unit":{"text":"m"},"text":"5 m","start":0,"end":3}],"termIds":[],"anchor":{"start":0,"end":9},"origin":"derived","rule":"R","confidence":0.9,"alternatives":[]}"#;

    fn nodes() -> ProvisionNodes {
        ProvisionNodes {
            urn: "urn:x:y".into(),
            language: "en".into(),
            targets: vec![
                LinkTarget { id: "t1".into(), part: Some((GraphPartKind::Table, "t1".into())) },
                LinkTarget { id: "t9".into(), part: None },
            ],
            json_ld: 0,
            turtle: 0,
            rest_in_turtle: 0,
        }
    }

    #[test]
    fn provisions_in_any_stretches_are_the_same_nodes_of_the_length_that_was_counted() {
        let list = [PROVISION.replace("ID", "a"), PROVISION.replace("ID", "b")].join(",");
        let mut counted = nodes();
        for (id, order) in [("a", 1), ("b", 2)] {
            let provision = PROVISION.replace("ID", id);
            counted.count(&serde_json::from_str(&provision).unwrap(), order, &mut Vec::new());
        }
        let names = Arc::new(nodes());
        let written = |is_turtle, stretch| {
            let (mut nodes, mut out) = (Nodes::new(Arc::clone(&names), is_turtle), Vec::new());
            list.as_bytes().chunks(stretch).for_each(|bytes| nodes.write(bytes, &mut out).unwrap());
            String::from_utf8(out).unwrap()
        };
        let [json_ld, turtle] = [false, true].map(|is_turtle| written(is_turtle, list.len()));
        assert_eq!((counted.json_ld, counted.turtle), (json_ld.len() as u64, turtle.len() as u64));
        for stretch in 1..200 {
            assert_eq!((&written(false, stretch), &written(true, stretch)), (&json_ld, &turtle), "{stretch}");
        }
        assert!(json_ld.starts_with(r##",{"@id":"urn:x:y#provision/a","##), "{json_ld}");
        assert!(
            json_ld.contains(r##""dcterms:references":["urn:x:y#table/t1","urn:x:y","urn:x:z"]"##),
            "{json_ld}"
        );
        assert!(turtle.contains("<urn:x:y#quantity/b.1> a norma:Quantity ;"), "{turtle}");
    }

    #[test]
    fn what_is_no_provision_is_refused() {
        for bad in ["{}", r#"{"id":1}"#] {
            assert!(Nodes::new(Arc::new(nodes()), false).write(bad.as_bytes(), &mut Vec::new()).is_none());
        }
    }
}
