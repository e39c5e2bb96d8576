//! OSCAL catalogs (NIST, OSCAL 1.2): sections as groups, provisions as controls.

use norma_api::shapes::{Comparator, Provision, Quantity};
use serde_json::{Map, Value, json};

use crate::html::collapsed;
use crate::identity::digest_uuid;
use crate::lines::blocks;
use crate::markdown;
use crate::objects::{ObjectAttribute, ObjectKind, RequirementDocument, RequirementObject};
use crate::sheet::LICENCE;

/// The version of the model that is written.
pub(crate) const VERSION: &str = "1.2.1";

/// The namespace of properties and parts that OSCAL does not name.
pub(crate) const NAMESPACE: &str = "https://norma.example/ns/oscal";

/// The catalog of one standard.
pub(crate) fn write(document: &RequirementDocument<'_>) -> Vec<u8> {
    let writer = CatalogWriter { document, children: document.children_of_all() };
    let bibliographic = &document.source.standard.bibliographic;
    let mut catalog = Map::new();
    let uuid = digest_uuid(&["catalog", &document.id, &bibliographic.revision]);
    catalog.insert("uuid".to_owned(), uuid.into());
    catalog.insert("metadata".to_owned(), writer.metadata());
    let mut groups = Vec::new();
    for &child in &writer.children[document.objects.len()] {
        groups.push(writer.group(child));
    }
    catalog.insert("groups".to_owned(), groups.into());
    if !document.files.is_empty() {
        catalog.insert("back-matter".to_owned(), writer.back_matter());
    }
    let mut bytes = serde_json::to_vec_pretty(&json!({"catalog": catalog})).expect("a catalog has text keys");
    bytes.push(b'\n');
    bytes
}

struct CatalogWriter<'a> {
    document: &'a RequirementDocument<'a>,
    children: Vec<Vec<usize>>,
}

impl CatalogWriter<'_> {
    fn metadata(&self) -> Value {
        let bibliographic = &self.document.source.standard.bibliographic;
        let metadata = &bibliographic.metadata;
        let reference = &*metadata.reference;
        let title = collapsed(&format!("{reference} {}", metadata.title.as_deref().unwrap_or_default()));
        let copyright = metadata.copyright.as_ref().and_then(|copyright| copyright.statement.as_deref());
        let rights = match copyright {
            Some(statement) => format!("{}\n\n{LICENCE}", markdown::line(statement)),
            None => LICENCE.to_owned(),
        };
        let publisher = collapsed(&metadata.publisher);
        let mut written = json!({
            "title": markdown::escaped(&title),
            "published": self.document.time(),
            "last-modified": self.document.time(),
            "version": &*bibliographic.revision,
            "oscal-version": VERSION,
            "document-ids": [{"scheme": "https://www.rfc-editor.org/rfc/rfc8141", "identifier": &*bibliographic.urn}],
            "props": [property("status", bibliographic.status.as_str()), property("language", &metadata.language)],
            "remarks": rights,
        });
        if !publisher.is_empty() {
            let party = json!({
                "uuid": digest_uuid(&["party", &publisher]), "type": "organization", "name": publisher,
            });
            written["parties"] = json!([party]);
        }
        written
    }

    /// A section. A group has controls or groups, never both: the provisions of a section with subsections
    /// are in a group of their own.
    fn group(&self, index: usize) -> Value {
        let object = &self.document.objects[index];
        let mut groups = Vec::new();
        let mut controls = Vec::new();
        let mut parts = Vec::new();
        for &child in &self.children[index] {
            match self.document.objects[child].kind {
                ObjectKind::Heading => groups.push(self.group(child)),
                ObjectKind::Provision => controls.push(self.control(child)),
                _ => {
                    parts.push(self.part(child));
                    // Provisions in a table or note are controls next to it.
                    for &within in &self.children[child] {
                        controls.push(self.control(within));
                    }
                }
            }
        }
        let title = markdown::escaped(&object.name());
        let mut group =
            json!({"id": object.id, "class": "section", "title": title, "props": properties(object)});
        if !groups.is_empty() && !controls.is_empty() {
            let own = json!({
                "id": format!("{}_own", object.id), "class": "provisions", "title": title,
                "controls": std::mem::take(&mut controls),
            });
            groups.insert(0, own);
        }
        for (name, values) in [("parts", parts), ("groups", groups), ("controls", controls)] {
            if !values.is_empty() {
                group[name] = values.into();
            }
        }
        group
    }

    /// A term, note, table, picture or text.
    fn part(&self, index: usize) -> Value {
        let object = &self.document.objects[index];
        let name = match object.kind {
            ObjectKind::Note => "guidance",
            ObjectKind::Text => "overview",
            other => other.as_str(),
        };
        let mut part = json!({"id": object.id, "name": name, "props": properties(object)});
        // The names that OSCAL gives to parts of groups have no namespace.
        if !matches!(object.kind, ObjectKind::Note | ObjectKind::Text) {
            part["ns"] = NAMESPACE.into();
        }
        if object.kind != ObjectKind::Note && object.kind != ObjectKind::Text {
            part["title"] = markdown::escaped(&object.name()).into();
        }
        let prose = markdown::write(&blocks(&object.content), &|graphic| self.resource(graphic));
        if !prose.is_empty() {
            part["prose"] = prose.into();
        }
        part
    }

    fn control(&self, index: usize) -> Value {
        let object = &self.document.objects[index];
        let mut control = json!({
            "id": object.id,
            "class": object.value(ObjectAttribute::Type),
            "title": markdown::escaped(&object.name()),
            "props": properties(object),
        });
        let Some(provision) = object.provision else { return control };
        let parameters = parameters(&object.id, provision);
        if !parameters.is_empty() {
            control["params"] = parameters.into();
        }
        let links = self.links(provision);
        if !links.is_empty() {
            control["links"] = links.into();
        }
        let prose = |nodes| markdown::write(&blocks(nodes), &|graphic| self.resource(graphic));
        let statement = format!("{}_smt", object.id);
        control["parts"] = match (provision.lead_in.is_some(), object.content.split_first()) {
            // The item completes its lead-in.
            (true, Some((lead_in, text))) => json!([{
                "id": statement, "name": "statement", "prose": prose(std::slice::from_ref(lead_in)),
                "parts": [{"id": format!("{}_itm", object.id), "name": "item", "prose": prose(text)}],
            }]),
            _ => json!([{"id": statement, "name": "statement", "prose": prose(&object.content)}]),
        };
        control
    }

    /// Links to what a provision refers to: parts of the catalog, and other documents.
    fn links(&self, provision: &Provision<'_>) -> Vec<Value> {
        let mut links: Vec<Value> = Vec::new();
        for reference in &provision.references {
            let target = reference.target_id.as_deref().and_then(|id| self.document.object_of(id));
            let href = match (target, &reference.urn) {
                (Some(target), _) => format!("#{}", self.document.objects[target].id),
                (None, Some(urn)) => urn.to_string(),
                (None, None) => continue,
            };
            let link = json!({"href": href, "rel": "reference", "text": markdown::escaped(&collapsed(&reference.text))});
            if !links.contains(&link) {
                links.push(link);
            }
        }
        links
    }

    /// The address of the file of a graphic in the back matter.
    fn resource(&self, graphic: &str) -> Option<String> {
        let file = self.document.file(graphic)?;
        Some(format!("#{}", digest_uuid(&["resource", &file.name])))
    }

    fn back_matter(&self) -> Value {
        let mut resources = Vec::new();
        for file in &self.document.files {
            resources.push(json!({
                "uuid": digest_uuid(&["resource", &file.name]),
                "title": markdown::escaped(&collapsed(&file.words)),
                // The name of a file cannot begin with a digit.
                "base64": {
                    "filename": format!("picture-{}", file.name),
                    "media-type": file.media_type,
                    "value": data_encoding::BASE64.encode(file.bytes),
                },
            }));
        }
        json!({"resources": resources})
    }
}

/// A property of a namespace of its own.
pub(crate) fn property(name: &str, value: &str) -> Value {
    json!({"name": name, "ns": NAMESPACE, "value": value})
}

/// The attributes of an object, each value in one line.
fn properties(object: &RequirementObject<'_>) -> Vec<Value> {
    let mut properties = Vec::new();
    for value in &object.attributes {
        let text = collapsed(&value.text);
        match value.attribute {
            ObjectAttribute::Label => properties.push(json!({"name": "label", "value": text})),
            attribute => properties.push(property(attribute.name(), &text)),
        }
    }
    properties
}

/// The values of a provision whose relation to what is measured is stated.
fn parameters(id: &str, provision: &Provision<'_>) -> Vec<Value> {
    let mut parameters = Vec::new();
    for (index, quantity) in provision.quantities.iter().enumerate() {
        let Some(comparator) = quantity.comparator else { continue };
        if comparator == Comparator::Unrecognized {
            continue;
        }
        parameters.push(json!({
            "id": format!("{id}_prm_{}", index + 1),
            "label": collapsed(&quantity.passage.text),
            "props": [property("comparator", comparator.as_str())],
            "constraints": [{"description": markdown::escaped(&quantity.to_string())}],
            "values": [value(quantity)],
        }));
    }
    parameters
}

/// The value with its unit, without the comparator.
fn value(quantity: &Quantity<'_>) -> String {
    Quantity { comparator: None, ..quantity.clone() }.to_string()
}
