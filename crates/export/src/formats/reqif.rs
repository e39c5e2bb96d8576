//! ReqIF 1.2 (OMG formal/2016-07-01): one file, or a package with the files of pictures.
//!
//! Names of attributes that tools know are those of the implementation guide of prostep ivip (`ReqIF.Text`).

use super::package::{PackedFile, pack};
use super::reqif_parts::{
    RELATION, ReqifHead, SPECIFICATION, begin_document, definition, link, specification_head, value,
    xhtml_value,
};
use crate::error::ExportError;
use crate::objects::{ObjectKind, RequirementDocument, RequirementObject};
use crate::xhtml::PackedPictures;
use crate::xml::XmlWriter;

/// Folder of the pictures in a package.
const FOLDER: &str = "files/";

/// One file without pictures.
pub(crate) fn write(documents: &[RequirementDocument<'_>], service: &str) -> Vec<u8> {
    document(documents, service, None)
}

/// A package: the file and the pictures.
pub(crate) fn write_package(
    documents: &[RequirementDocument<'_>],
    service: &str,
) -> Result<Vec<u8>, ExportError> {
    let bytes = document(documents, service, Some(FOLDER));
    let mut files = vec![PackedFile { path: "standard.reqif".to_owned(), bytes }];
    for document in documents {
        for file in &document.files {
            let path = format!("{FOLDER}{}", file.name);
            // Two standards may show the same picture.
            if files.iter().all(|known| known.path != path) {
                files.push(PackedFile { path, bytes: file.bytes.to_vec() });
            }
        }
    }
    pack(files)
}

fn document(documents: &[RequirementDocument<'_>], service: &str, folder: Option<&str>) -> Vec<u8> {
    let mut xml = XmlWriter::new();
    let mut titles = Vec::new();
    let mut parts = Vec::new();
    for document in documents {
        titles.push(&*document.source.standard.bibliographic.metadata.reference);
        parts.push(&*document.id);
    }
    let time = documents.iter().map(RequirementDocument::time).max().unwrap_or_default();
    let head = ReqifHead { title: &titles.join("; "), time: &time, service, parts: &parts };
    begin_document(&mut xml, &head);

    xml.begin("SPEC-OBJECTS", &[]);
    for document in documents {
        let pictures = PackedPictures { document, folder };
        for object in &document.objects {
            spec_object(&mut xml, object, &pictures);
        }
    }
    xml.end();

    xml.begin("SPEC-RELATIONS", &[]);
    for document in documents {
        relations(&mut xml, document);
    }
    xml.end();

    xml.begin("SPECIFICATIONS", &[]);
    for document in documents {
        specification(&mut xml, document);
    }
    xml.finish()
}

fn spec_object(xml: &mut XmlWriter, object: &RequirementObject<'_>, pictures: &PackedPictures<'_>) {
    let time = pictures.document.time();
    let attributes =
        [("IDENTIFIER", &*identifier(&object.id)), ("LAST-CHANGE", &*time), ("LONG-NAME", &*object.name())];
    xml.line();
    xml.begin("SPEC-OBJECT", &attributes);
    xml.begin("VALUES", &[]);
    value(xml, "foreign_id", &object.id);
    for one in &object.attributes {
        value(xml, one.attribute.name(), &one.text);
    }
    // Tools number headings themselves.
    if object.kind == ObjectKind::Heading {
        let title = object.title.clone().unwrap_or_else(|| object.name());
        xhtml_value(xml, "chapter_name", &[crate::html::HtmlNode::Text(title)], pictures);
        if !object.label.is_empty() {
            value(xml, "chapter_number", &object.label);
        }
    } else {
        xhtml_value(xml, "text", &object.content, pictures);
    }
    xml.end();
    definition(xml, "SPEC-OBJECT-TYPE-REF", super::reqif_parts::OBJECT);
    xml.end();
}

/// The references of provisions to sections, tables and pictures of their standard.
fn relations(xml: &mut XmlWriter, document: &RequirementDocument<'_>) {
    for object in &document.objects {
        let Some(provision) = object.provision else { continue };
        for target in document.targets(provision) {
            let target = &document.objects[target].id;
            let id = crate::identity::digest_id("rel", &[&object.id, target]);
            xml.line();
            xml.begin(
                "SPEC-RELATION",
                &[("IDENTIFIER", &*identifier(&id)), ("LAST-CHANGE", &*document.time())],
            );
            link(xml, "SOURCE", &identifier(&object.id));
            link(xml, "TARGET", &identifier(target));
            definition(xml, "SPEC-RELATION-TYPE-REF", RELATION);
            xml.end();
        }
    }
}

fn specification(xml: &mut XmlWriter, document: &RequirementDocument<'_>) {
    let bibliographic = &document.source.standard.bibliographic;
    let time = document.time();
    let title = bibliographic.metadata.title.as_deref().unwrap_or(&bibliographic.metadata.reference);
    specification_head(xml, &identifier(&document.id), &time, title, bibliographic);
    xml.begin("CHILDREN", &[]);
    let children = document.children_of_all();
    hierarchy(xml, document, &children, document.objects.len(), &time);
    xml.end();
    definition(xml, "SPECIFICATION-TYPE-REF", SPECIFICATION);
    xml.end();
}

fn hierarchy(
    xml: &mut XmlWriter,
    document: &RequirementDocument<'_>,
    children: &[Vec<usize>],
    parent: usize,
    time: &str,
) {
    for &child in &children[parent] {
        let id = &document.objects[child].id;
        xml.line();
        let hierarchy_id = format!("_h_{id}");
        xml.begin("SPEC-HIERARCHY", &[("IDENTIFIER", &hierarchy_id), ("LAST-CHANGE", time)]);
        xml.begin("OBJECT", &[]);
        xml.element("SPEC-OBJECT-REF", &identifier(id));
        xml.end();
        if !children[child].is_empty() {
            xml.begin("CHILDREN", &[]);
            hierarchy(xml, document, children, child, time);
            xml.end();
        }
        xml.end();
    }
}

/// An id as XML has it, which cannot begin with a digit.
pub(crate) fn identifier(id: &str) -> String {
    format!("_{id}")
}
