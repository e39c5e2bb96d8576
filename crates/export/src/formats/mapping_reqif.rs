//! The comparison of two editions as ReqIF: their provisions, and relations between the old and the new ones.

use std::collections::HashSet;

use norma_api::shapes::{ComparedEdition, ComparedProvision, ComparisonView};

use super::reqif::identifier;
use super::reqif_parts::{
    MAPPING, OBJECT, ReqifHead, SPECIFICATION, attribute_reference, begin_document, definition, link, value,
};
use crate::error::ExportError;
use crate::identity::digest_id;
use crate::mapping::{Relationship, is_suspect};
use crate::objects::time;
use crate::sheet::{joined, whole};
use crate::xml::XmlWriter;

/// The file. Objects have the ids of exports with `--identity provision`.
pub(crate) fn write(
    comparison: &ComparisonView<'_>,
    published: Option<&str>,
    service: &str,
) -> Result<Vec<u8>, ExportError> {
    let (older, newer) = (&comparison.older, &comparison.newer);
    let time = time(published);
    let mut sides: [Vec<&ComparedProvision<'_>>; 2] = [Vec::new(), Vec::new()];
    let mut seen: HashSet<&str> = HashSet::new();
    for change in &comparison.items {
        for (side, provision) in sides.iter_mut().zip([&change.older, &change.newer]) {
            // A provision that was split is in several items.
            if let Some(provision) = provision
                && seen.insert(&provision.id)
            {
                side.push(provision);
            }
        }
    }
    let mut xml = XmlWriter::new();
    let title = format!("{} to {}", older.reference, newer.reference);
    let parts = [&*older.urn, &*older.revision, &*newer.urn, &*newer.revision];
    begin_document(&mut xml, &ReqifHead { title: &title, time: &time, service, parts: &parts });

    xml.begin("SPEC-OBJECTS", &[]);
    for provision in sides.iter().flatten() {
        spec_object(&mut xml, provision, &time);
    }
    xml.end();

    xml.begin("SPEC-RELATIONS", &[]);
    for change in &comparison.items {
        let (Some(relationship), Some(older), Some(newer)) =
            (Relationship::of(change), &change.older, &change.newer)
        else {
            continue;
        };
        let id = digest_id("rel", &["mapping", change.relation.as_str(), &older.id, &newer.id]);
        xml.line();
        xml.begin("SPEC-RELATION", &[("IDENTIFIER", &*identifier(&id)), ("LAST-CHANGE", &*time)]);
        xml.begin("VALUES", &[]);
        value(&mut xml, "mapping_relationship", relationship.as_str());
        value(&mut xml, "mapping_relation", change.relation.as_str());
        let changed = joined(change.changed.iter().map(|facet| facet.as_str()));
        value(&mut xml, "mapping_changed", &changed);
        value(&mut xml, "mapping_likelihood", change.likelihood.map_or("", |one| one.as_str()));
        value(&mut xml, "mapping_suspect", if is_suspect(change) { "true" } else { "false" });
        xml.end();
        link(&mut xml, "SOURCE", &identifier(&older.id));
        link(&mut xml, "TARGET", &identifier(&newer.id));
        definition(&mut xml, "SPEC-RELATION-TYPE-REF", MAPPING);
        xml.end();
    }
    xml.end();

    xml.begin("SPECIFICATIONS", &[]);
    for (edition, side) in [older, newer].into_iter().zip(&sides) {
        specification(&mut xml, edition, side, &time);
    }
    Ok(xml.finish())
}

fn spec_object(xml: &mut XmlWriter, provision: &ComparedProvision<'_>, time: &str) {
    let label = provision.label.as_deref().unwrap_or(&provision.id);
    xml.line();
    xml.begin(
        "SPEC-OBJECT",
        &[("IDENTIFIER", &*identifier(&provision.id)), ("LAST-CHANGE", time), ("LONG-NAME", label)],
    );
    xml.begin("VALUES", &[]);
    value(xml, "foreign_id", &provision.id);
    value(xml, "kind", "provision");
    value(xml, "label", label);
    if let Some(kind) = provision.kind {
        value(xml, "provision_type", kind.as_str());
    }
    let text = whole(provision.lead_in.as_deref(), provision.text.as_deref().unwrap_or_default());
    xml.begin("ATTRIBUTE-VALUE-XHTML", &[]);
    xml.begin("THE-VALUE", &[]);
    xml.element("xhtml:div", &text);
    xml.end();
    attribute_reference(xml, "XHTML", "text");
    xml.end();
    xml.end();
    definition(xml, "SPEC-OBJECT-TYPE-REF", OBJECT);
    xml.end();
}

fn specification(
    xml: &mut XmlWriter,
    edition: &ComparedEdition<'_>,
    provisions: &[&ComparedProvision<'_>],
    time: &str,
) {
    let id = identifier(&digest_id("map", &[&edition.urn]));
    xml.line();
    xml.begin(
        "SPECIFICATION",
        &[("IDENTIFIER", &*id), ("LAST-CHANGE", time), ("LONG-NAME", &*edition.reference)],
    );
    xml.begin("VALUES", &[]);
    value(xml, "specification_urn", &edition.urn);
    value(xml, "specification_revision", &edition.revision);
    value(xml, "specification_reference", &edition.reference);
    xml.end();
    xml.begin("CHILDREN", &[]);
    for provision in provisions {
        let hierarchy = format!("_h_map_{}", provision.id);
        xml.begin("SPEC-HIERARCHY", &[("IDENTIFIER", &*hierarchy), ("LAST-CHANGE", time)]);
        xml.begin("OBJECT", &[]);
        xml.element("SPEC-OBJECT-REF", &identifier(&provision.id));
        xml.end();
        xml.end();
    }
    xml.end();
    definition(xml, "SPECIFICATION-TYPE-REF", SPECIFICATION);
    xml.end();
}
