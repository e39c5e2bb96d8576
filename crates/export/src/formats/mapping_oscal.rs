//! The comparison of two editions as a mapping collection (OSCAL 1.2).

use norma_api::shapes::{ComparisonView, ProvisionChange};
use serde_json::{Value, json};

use super::oscal::{VERSION, property};
use crate::error::ExportError;
use crate::html::collapsed;
use crate::identity::digest_uuid;
use crate::mapping::{Relationship, is_suspect};
use crate::markdown;
use crate::objects::time;
use crate::sheet::LICENCE;

/// The mapping of the older edition, the source, to the newer one. Controls are named as in catalogs of
/// `--identity provision`.
pub(crate) fn write(
    comparison: &ComparisonView<'_>,
    published: Option<&str>,
) -> Result<Vec<u8>, ExportError> {
    let (older, newer) = (&comparison.older, &comparison.newer);
    let scope = [&*older.urn, &*older.revision, &*newer.urn, &*newer.revision];
    let uuid = |parts: &[&str]| digest_uuid(&[&scope[..], parts].concat());
    let mut maps = Vec::new();
    let mut only_older = Vec::new();
    let mut only_newer = Vec::new();
    for change in &comparison.items {
        match (&change.older, &change.newer) {
            (Some(older), Some(newer)) => {
                let uuid = uuid(&["map", change.relation.as_str(), &older.id, &newer.id]);
                maps.extend(map(change, &uuid, &older.id, &newer.id));
            }
            (Some(older), None) => only_older.push(&*older.id),
            (None, Some(newer)) => only_newer.push(&*newer.id),
            (None, None) => {}
        }
    }
    if maps.is_empty() {
        return Err(ExportError::NoPairs);
    }
    let mut mapping = json!({
        "uuid": uuid(&["mapping"]),
        "source-resource": {"type": "catalog", "href": &*older.urn, "props": [property("revision", &older.revision)]},
        "target-resource": {"type": "catalog", "href": &*newer.urn, "props": [property("revision", &newer.revision)]},
        "maps": maps,
    });
    for (name, ids) in [("source-gap-summary", only_older), ("target-gap-summary", only_newer)] {
        if !ids.is_empty() {
            mapping[name] = json!({"uuid": uuid(&[name]), "unmapped-controls": [{"with-ids": ids}]});
        }
    }
    let title = format!("{} to {}", older.reference, newer.reference);
    let time = time(published);
    let file = json!({"mapping-collection": {
        "uuid": uuid(&["collection"]),
        "metadata": {
            "title": markdown::escaped(&collapsed(&title)),
            "last-modified": time,
            "version": &*newer.revision,
            "oscal-version": VERSION,
            "remarks": LICENCE,
        },
        "provenance": {
            "method": "automation",
            "matching-rationale": "syntactic",
            "status": "complete",
            "mapping-description": DESCRIPTION,
        },
        "mappings": [mapping],
    }});
    let mut bytes = serde_json::to_vec_pretty(&file).expect("a mapping has text keys");
    bytes.push(b'\n');
    Ok(bytes)
}

/// What a reader has to know of the relationships.
const DESCRIPTION: &str = "Made from a comparison of the words of two editions. A relationship says more than \
                           that two provisions intersect only where their words prove it. Provisions in the \
                           summaries of gaps have no counterpart that was found: this does not prove that there \
                           is none. A map with the property suspect has to be looked at again by those who \
                           refer to its source.";

fn map(change: &ProvisionChange<'_>, uuid: &str, older: &str, newer: &str) -> Option<Value> {
    let mut props = vec![property("relation", change.relation.as_str())];
    for facet in &change.changed {
        props.push(property("changed", facet.as_str()));
    }
    if is_suspect(change) {
        props.push(property("suspect", "true"));
    }
    let mut map = json!({
        "uuid": uuid,
        "relationship": Relationship::of(change)?.as_str(),
        "sources": [{"type": "control", "id-ref": older}],
        "targets": [{"type": "control", "id-ref": newer}],
        "props": props,
    });
    if let Some(likelihood) = change.likelihood {
        map["confidence-score"] = json!({"category": likelihood.as_str()});
    }
    Some(map)
}
