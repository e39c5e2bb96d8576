//! Parts that each ReqIF file has: header, types and values. Their ids are the same in all files, so that
//! tools merge the types of two imports.

use norma_api::shapes::BibliographicData;

use crate::html::HtmlNode;
use crate::identity::digest_id;
use crate::objects::ObjectAttribute;
use crate::sheet::LICENCE;
use crate::xhtml::{self, PackedPictures};
use crate::xml::XmlWriter;

/// Ids of the types.
pub(crate) const OBJECT: &str = "_norma_object";
pub(crate) const RELATION: &str = "_norma_refers_to";
pub(crate) const MAPPING: &str = "_norma_maps_to";
pub(crate) const SPECIFICATION: &str = "_norma_specification";

/// Ids of the data types.
const STRING: &str = "_norma_string";
const XHTML: &str = "_norma_xhtml";

/// The time of the types, which do not change with a standard.
const TIME_OF_TYPES: &str = "1980-01-01T00:00:00Z";

/// Attributes of objects that are not in [`ObjectAttribute`]: kind of value, name, name for tools.
const OWN: [(&str, &str, &str); 4] = [
    ("STRING", "foreign_id", "ReqIF.ForeignID"),
    ("XHTML", "chapter_name", "ReqIF.ChapterName"),
    ("STRING", "chapter_number", "ReqIF.ChapterNumber"),
    ("XHTML", "text", "ReqIF.Text"),
];

/// Attributes of a mapping between provisions of two editions.
const OF_MAPPING: [(&str, &str); 5] = [
    ("STRING", "relationship"),
    ("STRING", "relation"),
    ("STRING", "changed"),
    ("STRING", "likelihood"),
    ("STRING", "suspect"),
];

/// Attributes of a specification.
const OF_SPECIFICATION: [&str; 6] = ["urn", "revision", "reference", "status", "copyright", "licence"];

/// What the header of a file says.
pub(crate) struct ReqifHead<'a> {
    pub(crate) title: &'a str,
    pub(crate) time: &'a str,
    pub(crate) service: &'a str,
    /// Ids of what the file has, from which its own id follows.
    pub(crate) parts: &'a [&'a str],
}

/// Writes header, data types and types. What follows are the objects.
pub(crate) fn begin_document(xml: &mut XmlWriter, head: &ReqifHead<'_>) {
    xml.begin(
        "REQ-IF",
        &[
            ("xmlns", "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"),
            ("xmlns:xhtml", "http://www.w3.org/1999/xhtml"),
        ],
    );
    xml.begin("THE-HEADER", &[]);
    let id = format!("_{}", digest_id("file", head.parts));
    xml.begin("REQ-IF-HEADER", &[("IDENTIFIER", &id)]);
    xml.element("COMMENT", LICENCE);
    xml.element("CREATION-TIME", head.time);
    xml.element("REPOSITORY-ID", head.service);
    xml.element("REQ-IF-TOOL-ID", "norma");
    // The version of the schema, which is 1.0 in ReqIF 1.2 as well.
    xml.element("REQ-IF-VERSION", "1.0");
    xml.element("SOURCE-TOOL-ID", "norma");
    xml.element("TITLE", head.title);
    xml.end();
    xml.end();
    xml.begin("CORE-CONTENT", &[]);
    xml.begin("REQ-IF-CONTENT", &[]);
    data_types(xml);
    xml.begin("SPEC-TYPES", &[]);
    object_type(xml);
    relation_types(xml);
    specification_type(xml);
    xml.end();
}

fn data_types(xml: &mut XmlWriter) {
    xml.begin("DATATYPES", &[]);
    let attributes = |id, name| [("IDENTIFIER", id), ("LAST-CHANGE", TIME_OF_TYPES), ("LONG-NAME", name)];
    let string = [&attributes(STRING, "String")[..], &[("MAX-LENGTH", "2147483647")]].concat();
    xml.empty("DATATYPE-DEFINITION-STRING", &string);
    xml.empty("DATATYPE-DEFINITION-XHTML", &attributes(XHTML, "XHTML"));
    xml.end();
}

fn begin_type(xml: &mut XmlWriter, element: &str, id: &str, name: &str) {
    xml.begin(element, &[("IDENTIFIER", id), ("LAST-CHANGE", TIME_OF_TYPES), ("LONG-NAME", name)]);
    xml.begin("SPEC-ATTRIBUTES", &[]);
}

fn end_type(xml: &mut XmlWriter) {
    xml.end();
    xml.end();
}

fn object_type(xml: &mut XmlWriter) {
    begin_type(xml, "SPEC-OBJECT-TYPE", OBJECT, "Object of a standard");
    for (kind, name, shown) in OWN {
        attribute_definition(xml, kind, name, shown);
    }
    for attribute in ObjectAttribute::ALL {
        // StrictDoc refuses attributes of truth values: they are texts, `true` and `false`.
        attribute_definition(xml, "STRING", attribute.name(), attribute.name());
    }
    end_type(xml);
}

fn relation_types(xml: &mut XmlWriter) {
    let plain = [("IDENTIFIER", RELATION), ("LAST-CHANGE", TIME_OF_TYPES), ("LONG-NAME", "refers to")];
    xml.empty("SPEC-RELATION-TYPE", &plain);
    begin_type(xml, "SPEC-RELATION-TYPE", MAPPING, "maps to");
    for (kind, name) in OF_MAPPING {
        attribute_definition(xml, kind, &format!("mapping_{name}"), name);
    }
    end_type(xml);
}

fn specification_type(xml: &mut XmlWriter) {
    begin_type(xml, "SPECIFICATION-TYPE", SPECIFICATION, "Standard");
    for name in OF_SPECIFICATION {
        attribute_definition(xml, "STRING", &format!("specification_{name}"), name);
    }
    end_type(xml);
}

fn attribute_definition(xml: &mut XmlWriter, kind: &str, name: &str, shown: &str) {
    let id = attribute_id(name);
    let element = format!("ATTRIBUTE-DEFINITION-{kind}");
    xml.begin(&element, &[("IDENTIFIER", &id), ("LAST-CHANGE", TIME_OF_TYPES), ("LONG-NAME", shown)]);
    let data_type = match kind {
        "XHTML" => XHTML,
        _ => STRING,
    };
    xml.begin("TYPE", &[]);
    xml.element(&format!("DATATYPE-DEFINITION-{kind}-REF"), data_type);
    xml.end();
    xml.end();
}

fn attribute_id(name: &str) -> String {
    format!("_norma_a_{name}")
}

/// Writes the value of an attribute of characters.
pub(crate) fn value(xml: &mut XmlWriter, name: &str, text: &str) {
    xml.begin("ATTRIBUTE-VALUE-STRING", &[("THE-VALUE", text)]);
    attribute_reference(xml, "STRING", name);
    xml.end();
}

/// Writes the value of an attribute of XHTML.
pub(crate) fn xhtml_value(
    xml: &mut XmlWriter,
    name: &str,
    nodes: &[HtmlNode],
    pictures: &PackedPictures<'_>,
) {
    xml.begin("ATTRIBUTE-VALUE-XHTML", &[]);
    xml.begin("THE-VALUE", &[]);
    xhtml::write_div(xml, nodes, pictures);
    xml.end();
    attribute_reference(xml, "XHTML", name);
    xml.end();
}

pub(crate) fn attribute_reference(xml: &mut XmlWriter, kind: &str, name: &str) {
    xml.begin("DEFINITION", &[]);
    xml.element(&format!("ATTRIBUTE-DEFINITION-{kind}-REF"), &attribute_id(name));
    xml.end();
}

/// Writes the type of an object, relation or specification.
pub(crate) fn definition(xml: &mut XmlWriter, reference: &str, id: &str) {
    xml.begin("TYPE", &[]);
    xml.element(reference, id);
    xml.end();
}

/// Writes one end of a relation.
pub(crate) fn link(xml: &mut XmlWriter, end: &str, id: &str) {
    xml.begin(end, &[]);
    xml.element("SPEC-OBJECT-REF", id);
    xml.end();
}

/// Writes a specification up to its children.
pub(crate) fn specification_head(
    xml: &mut XmlWriter,
    id: &str,
    time: &str,
    title: &str,
    bibliographic: &BibliographicData<'_>,
) {
    xml.line();
    xml.begin("SPECIFICATION", &[("IDENTIFIER", id), ("LAST-CHANGE", time), ("LONG-NAME", title)]);
    xml.begin("VALUES", &[]);
    let copyright = bibliographic.metadata.copyright.as_ref();
    let statement = copyright.and_then(|copyright| copyright.statement.as_deref()).unwrap_or_default();
    let values: [&str; 6] = [
        &bibliographic.urn,
        &bibliographic.revision,
        &bibliographic.metadata.reference,
        bibliographic.status.as_str(),
        statement,
        LICENCE,
    ];
    for (name, text) in OF_SPECIFICATION.iter().zip(values) {
        if !text.is_empty() {
            value(xml, &format!("specification_{name}"), text);
        }
    }
    xml.end();
}
