//! From an edition to the nodes of its graph.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use norma_model::{PartialDate, Table};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Graph, Node, Value};
use crate::shapes::{
    DesignationStatus, Graphic, Provision, ProvisionType, RelationType, SectionType, Term, TermText, Views,
};

/// The nodes of an edition.
pub(super) fn graph<'a>(views: &'a Views<'_>) -> Graph<'a> {
    let names = Names::new(views);
    let mut nodes = vec![standard(views, &names)];
    nodes.push(
        Node::new(names.part("publisher", ""), ["schema:Organization"])
            .with("schema:name", text(&views.edition.metadata.publisher)),
    );
    nodes.extend(views.edition.ics.iter().map(|ics| {
        Node::new(ics_name(&ics.code), ["skos:Concept"])
            .with("skos:notation", text(&ics.code))
            .with_each("skos:prefLabel", ics.title.iter().map(|title| names.tagged(title)))
    }));
    nodes.extend(cited(views, &names));
    nodes.extend(sections(views, &names));
    nodes.extend(views.edition.tables.iter().map(|t| table(t, &names)));
    nodes.extend(views.graphics.iter().map(|g| figure(g, &names)));
    if !views.terms.is_empty() {
        nodes.push(
            Node::new(names.part("terms", ""), ["skos:ConceptScheme"])
                .with("dcterms:isPartOf", Value::Link(names.standard())),
        );
    }
    nodes.extend(views.terms.iter().map(|t| concept(t, &names)));
    nodes.extend(views.provisions.iter().zip(1..).map(|(p, order)| provision(p, order, &names)));
    Graph(nodes)
}

/// How the things of one edition are named.
struct Names<'a> {
    urn: &'a str,
    language: String,
    sections: &'a [norma_model::Section],
    /// What each id that a reference can point at names: a kind of thing and its id.
    targets: HashMap<&'a str, (&'static str, &'a str)>,
    /// The name of the document that each relation leads to.
    citations: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(views: &'a Views<'_>) -> Self {
        let edition = views.edition;
        let mut targets = HashMap::new();
        // Sections come last: where a section shares its id with something else, the reference means the section.
        targets.extend(edition.terms.iter().map(|t| (t.id.as_str(), ("term", t.id.as_str()))));
        targets.extend(edition.tables.iter().map(|t| (t.id.as_str(), ("table", t.id.as_str()))));
        for graphic in &edition.graphics {
            let name = ("graphic", graphic.id.as_str());
            targets.insert(graphic.id.as_str(), name);
            targets.extend(graphic.figure_id.iter().map(|figure| (figure.as_str(), name)));
        }
        targets.extend(edition.sections.iter().map(|s| (s.id.as_str(), ("section", s.id.as_str()))));
        let mut names = Self {
            urn: edition.urn.as_str(),
            language: well_formed(edition.metadata.language().as_str()),
            sections: &edition.sections,
            targets,
            citations: Vec::new(),
        };
        names.citations = (edition.relations.iter().zip(1..))
            .map(|(relation, place): (_, u32)| match &relation.urn {
                Some(urn) => urn.as_str().to_owned(),
                None => names.part("reference", &place.to_string()),
            })
            .collect();
        names
    }

    fn standard(&self) -> String {
        self.urn.to_owned()
    }

    /// The name of a part: the edition's URN and a fragment (RFC 8141, 2.3.3).
    fn part(&self, kind: &str, id: &str) -> String {
        let slash = if id.is_empty() { "" } else { "/" };
        format!("{}#{kind}{slash}{}", self.urn, utf8_percent_encode(id, FRAGMENT))
    }

    fn section(&self, index: usize) -> String {
        self.part("section", self.sections[index].id.as_str())
    }

    /// What holds a part: its section, or the standard itself.
    fn holder(&self, section: Option<&str>) -> Value<'static> {
        Value::Link(section.map_or_else(|| self.standard(), |id| self.part("section", id)))
    }

    /// Text in the edition's main language.
    fn tagged(&self, text: &'a str) -> Value<'a> {
        Value::Tagged(text.into(), self.language.clone())
    }
}

/// All but the unreserved characters (RFC 3986, 2.3).
const FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Classes of the ICS are the same whatever edition names them, so their names hold no edition.
fn ics_name(code: &str) -> String {
    format!("urn:norma:ics:{}", utf8_percent_encode(code, FRAGMENT))
}

fn standard<'a>(views: &'a Views<'_>, names: &Names<'a>) -> Node<'a> {
    let metadata = &views.edition.metadata;
    let mut node = Node::new(names.standard(), ["dcterms:Standard", "schema:CreativeWork"])
        .with("dcterms:identifier", text(&metadata.reference))
        .with("norma:revision", text(views.revision))
        .with("dcterms:publisher", Value::Link(names.part("publisher", "")))
        .with("norma:documentType", text(crate::shapes::StandardType::from(metadata.standard_type).as_str()))
        .with("norma:number", text(&metadata.number))
        .with_each("norma:part", metadata.part.iter().map(|p| text(p)))
        .with("schema:version", text(&metadata.edition))
        .with_each("schema:inLanguage", metadata.languages.iter().map(|l| text(l.as_str())))
        .with_each("dcterms:issued", metadata.published_on().map(date))
        .with_each("dcterms:subject", views.edition.ics.iter().map(|i| Value::Link(ics_name(&i.code))));
    for (language, title) in &metadata.titles {
        node.add("dcterms:title", Value::Tagged((&title.full).into(), well_formed(language.as_str())));
    }
    if let Some(copyright) = &metadata.copyright {
        node = node
            .with_each("schema:copyrightNotice", copyright.statement.iter().map(|s| text(s)))
            .with_each("schema:copyrightYear", copyright.year.iter().map(|y| text(y)));
    }
    for (index, relation) in views.edition.relations.iter().enumerate() {
        let property = match RelationType::from(relation.kind) {
            RelationType::Replaces => "dcterms:replaces",
            RelationType::Amends => "norma:amends",
            RelationType::Adopts => "norma:adopts",
            RelationType::NormativeReference => "dcterms:requires",
            RelationType::InformativeReference => "dcterms:references",
            RelationType::Related => "dcterms:relation",
        };
        node.add(property, Value::Link(names.citations[index].clone()));
    }
    let top = (0..names.sections.len()).filter(|&s| names.sections[s].parent.is_none());
    node.with_each("dcterms:hasPart", top.map(|s| Value::Link(names.section(s))))
}

/// The documents that the edition cites, each once.
fn cited<'a>(views: &'a Views<'_>, names: &Names<'a>) -> Vec<Node<'a>> {
    let mut nodes: Vec<Node<'a>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::from([(names.urn, usize::MAX)]);
    for (index, relation) in views.edition.relations.iter().enumerate() {
        let place = *places.entry(names.citations[index].as_str()).or_insert(nodes.len());
        if place == nodes.len() {
            nodes.push(Node::new(names.citations[index].clone(), ["schema:CreativeWork"]));
        }
        // The edition itself has a node already, whose own words count for more than a citation.
        if let Some(node) = nodes.get_mut(place) {
            node.add("dcterms:identifier", text(&relation.reference));
            if let Some(title) = &relation.title {
                node.add("dcterms:title", text(title));
            }
        }
    }
    nodes
}

fn sections<'a>(views: &'a Views<'_>, names: &Names<'a>) -> Vec<Node<'a>> {
    let mut nodes: Vec<Node<'a>> = Vec::with_capacity(names.sections.len());
    for (index, section) in views.edition.sections.iter().enumerate() {
        let kind = SectionType::from(section.kind);
        let class = match kind {
            SectionType::Foreword => "doco:Foreword",
            SectionType::Annex => "doco:Appendix",
            SectionType::Bibliography => "doco:Bibliography",
            SectionType::Terms => "doco:Glossary",
            SectionType::Index => "doco:Index",
            _ => "doco:Section",
        };
        let own = Value::Link(names.section(index));
        if let Some(parent) = section.parent {
            nodes[parent].add("dcterms:hasPart", own);
        }
        let holder = section.parent.map_or_else(|| names.standard(), |parent| names.section(parent));
        nodes.push(
            Node::new(names.section(index), vec![class])
                .with("norma:sectionType", text(kind.as_str()))
                .with_each("norma:label", section.label.iter().map(|l| text(l)))
                .with_each("norma:number", section.number.iter().map(|n| text(n)))
                .with_each("dcterms:title", section.title.iter().map(|t| names.tagged(t)))
                .with("norma:normative", Value::Boolean(section.normative))
                .with("norma:order", order(index))
                .with("dcterms:isPartOf", Value::Link(holder)),
        );
    }
    for (index, relation) in views.edition.relations.iter().enumerate() {
        for &section in &relation.sections {
            nodes[section].add("dcterms:references", Value::Link(names.citations[index].clone()));
        }
    }
    nodes
}

fn table<'a>(table: &'a Table, names: &Names<'a>) -> Node<'a> {
    let Table { id, number, caption, section } = table;
    Node::new(names.part("table", id.as_str()), ["doco:Table"])
        .with_each("norma:number", number.iter().map(|n| text(n)))
        .with_each("dcterms:title", caption.iter().map(|c| names.tagged(c)))
        .with("dcterms:isPartOf", Value::Link(names.section(*section)))
}

fn figure<'a>(graphic: &'a Graphic<'_>, names: &Names<'a>) -> Node<'a> {
    let node = Node::new(names.part("graphic", &graphic.id), ["doco:Figure", "schema:ImageObject"])
        .with_each("norma:label", graphic.label.iter().map(|l| text(l)))
        .with_each("dcterms:title", graphic.caption.iter().map(|c| names.tagged(c)))
        .with_each("schema:description", graphic.alt_text.iter().map(|a| names.tagged(a)))
        .with("norma:reference", text(&graphic.reference))
        .with_each("schema:encodingFormat", graphic.media_type.iter().map(|m| text(m)))
        .with("dcterms:isPartOf", names.holder(graphic.section.as_deref()));
    let digest = graphic.digest.as_ref().and_then(|d| d.strip_prefix("sha256:"));
    node.with_each("schema:sha256", digest.map(text))
}

fn concept<'a>(term: &'a Term<'_>, names: &Names<'a>) -> Node<'a> {
    let mut node = Node::new(names.part("term", &term.id), ["skos:Concept"])
        .with_each("skos:notation", term.number.iter().map(|n| text(n)));
    // SKOS S13, S14: one preferred label in each language, and no label of two kinds.
    let (mut preferred, mut used) = (HashSet::new(), HashSet::new());
    for designation in &term.designations {
        let language = well_formed(&designation.language);
        if !used.insert((&designation.text, language.clone())) {
            continue;
        }
        let property = match designation.status {
            DesignationStatus::Preferred if preferred.insert(language.clone()) => "skos:prefLabel",
            DesignationStatus::Preferred | DesignationStatus::Admitted => "skos:altLabel",
            DesignationStatus::Deprecated => "skos:hiddenLabel",
        };
        node.add(property, Value::Tagged(designation.text.as_ref().into(), language));
    }
    for definition in &term.definitions {
        let language = well_formed(&definition.language);
        node.add("skos:definition", Value::Tagged(definition.text.as_ref().into(), language));
    }
    node.with_each("norma:domain", term.domain.iter().map(|d| names.tagged(d)))
        .with_each("skos:note", tagged_all(&term.notes))
        .with_each("skos:example", tagged_all(&term.examples))
        .with_each("schema:citation", tagged_all(&term.sources))
        .with("skos:inScheme", Value::Link(names.part("terms", "")))
        .with("dcterms:isPartOf", Value::Link(names.part("section", &term.section)))
}

fn provision<'a>(provision: &'a Provision<'_>, place: u32, names: &Names<'a>) -> Node<'a> {
    let class = match provision.kind {
        ProvisionType::Requirement => "norma:Requirement",
        ProvisionType::Recommendation => "norma:Recommendation",
        ProvisionType::Permission => "norma:Permission",
        ProvisionType::Capability => "norma:Capability",
        ProvisionType::ExternalConstraint => "norma:ExternalConstraint",
    };
    let references = provision.references.iter().filter_map(|reference| {
        let target = reference.target.as_deref()?;
        match names.targets.get(target) {
            Some((kind, id)) => Some(Value::Link(names.part(kind, id))),
            None => target.starts_with("urn:").then(|| Value::Link(target.to_owned())),
        }
    });
    Node::new(names.part("provision", &provision.id), ["norma:Provision", class])
        .with("norma:label", text(&provision.label))
        .with("schema:text", names.tagged(&provision.text))
        .with_each("norma:leadIn", provision.lead_in.iter().map(|l| names.tagged(l)))
        .with("norma:verbalForm", names.tagged(&provision.verbal_form))
        .with("norma:negated", Value::Boolean(provision.negated))
        .with("norma:normative", Value::Boolean(provision.normative))
        .with("norma:order", Value::Integer(place))
        .with("norma:container", text(provision.container.as_str()))
        .with("norma:origin", text(provision.origin.as_str()))
        .with("norma:rule", text(&provision.rule))
        .with("norma:confidence", Value::Typed(provision.confidence.to_string().into(), "xsd:decimal"))
        .with_each("dcterms:references", references)
        .with_each("norma:usesTerm", provision.terms.iter().map(|t| Value::Link(names.part("term", t))))
        .with("dcterms:isPartOf", Value::Link(names.part("section", &provision.section.id)))
}

fn text(text: &str) -> Value<'_> {
    Value::Text(text.into())
}

fn tagged_all<'a>(texts: &'a [TermText<'_>]) -> impl Iterator<Item = Value<'a>> {
    texts.iter().map(|t| Value::Tagged(t.text.as_ref().into(), well_formed(&t.language)))
}

fn date(date: &PartialDate) -> Value<'_> {
    let datatype = match date.as_str().len() {
        4 => "xsd:gYear",
        7 => "xsd:gYearMonth",
        _ => "xsd:date",
    };
    Value::Typed(Cow::Borrowed(date.as_str()), datatype)
}

fn order(index: usize) -> Value<'static> {
    Value::Integer(u32::try_from(index + 1).expect("limits keep an edition below 2^32 parts"))
}

/// A language tag that every RDF processor takes (BCP 47: language, script, region); any other is cut down to
/// its language.
fn well_formed(tag: &str) -> String {
    let mut subtags = tag.split('-');
    let language = subtags.next().unwrap_or(tag);
    let rest: Vec<&str> = subtags.collect();
    let script = |s: &str| s.len() == 4 && s.bytes().all(|b| b.is_ascii_alphabetic());
    let region = |s: &str| match s.len() {
        2 => s.bytes().all(|b| b.is_ascii_alphabetic()),
        3 => s.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    let whole = match rest.as_slice() {
        [] => true,
        [one] => script(one) || region(one),
        [first, second] => script(first) && region(second),
        _ => false,
    };
    if whole { tag.to_owned() } else { language.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::well_formed;

    #[test]
    fn a_language_tag_that_a_processor_might_refuse_is_cut_down_to_its_language() {
        for (tag, kept) in
            [("en", "en"), ("zh-hant", "zh-hant"), ("zh-hant-tw", "zh-hant-tw"), ("es-419", "es-419")]
        {
            assert_eq!(well_formed(tag), kept);
        }
        for (tag, kept) in [("en-a", "en"), ("en-abcd-efgh", "en"), ("fr-x-old", "fr"), ("en-12", "en")] {
            assert_eq!(well_formed(tag), kept);
        }
    }
}
