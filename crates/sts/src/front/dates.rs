//! Dates of the metadata: publication, release and others.

use std::collections::BTreeMap;

use norma_model::PartialDate;

use super::fields;
use crate::diagnostic::Diagnostics;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The dates of the first block by name, completed by those of a `std-doc-meta` next to it. A date that
/// cannot be read is reported and left out.
pub(super) fn dates(blocks: &[XmlNode<'_>], diagnostics: &mut Diagnostics) -> BTreeMap<String, PartialDate> {
    let mut dates = BTreeMap::new();
    let owner = blocks.iter().take(1);
    let blocks = owner.chain(blocks.iter().skip(1).filter(|block| fields::completes_another(**block)));
    let members = blocks.flat_map(|block| {
        let approvals = block.elements().filter(|n| n.name() == Name::Approval).flat_map(XmlNode::elements);
        block.elements().chain(approvals)
    });
    for node in members {
        let name = match node.name() {
            Name::PubDate => "published".to_owned(),
            Name::ReleaseDate => named(node, "date-type").unwrap_or_else(|| "released".to_owned()),
            Name::ApprovalDate => "approved".to_owned(),
            Name::MetaDate => match named(node, "type") {
                Some(name) => name,
                None => continue,
            },
            _ => continue,
        };
        let Some(text) = text(node) else { continue };
        match text.parse::<PartialDate>() {
            Ok(date) => {
                dates.entry(name).or_insert(date);
            }
            Err(error) => diagnostics.add("invalid-date", node.range().start, error.to_string()),
        }
    }
    dates
}

/// The date of an element as text: an attribute, elements for year, month and day, or its words.
pub(super) fn text(node: XmlNode<'_>) -> Option<String> {
    if let Some(iso) = node.attr("iso-8601-date") {
        return Some(iso.trim().to_owned());
    }
    let part = |name| node.child(name).and_then(XmlNode::normalized_text);
    let Some(year) = part(Name::Year) else { return node.normalized_text() };
    let mut date = year;
    for part in [part(Name::Month).map(number_of_month), part(Name::Day)] {
        match part {
            Some(number) => date.push_str(&format!("-{number:0>2}")),
            None => break,
        }
    }
    Some(date)
}

/// The number of a month that may be written as its English name.
fn number_of_month(month: String) -> String {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let lower = month.to_ascii_lowercase();
    match NAMES.iter().position(|name| lower.starts_with(name)) {
        Some(index) => (index + 1).to_string(),
        None => month,
    }
}

fn named(node: XmlNode<'_>, attribute: &str) -> Option<String> {
    let name = node.attr(attribute)?.trim().to_ascii_lowercase();
    Some(match name.as_str() {
        "publication" | "pub" => "published".to_owned(),
        "release" => "released".to_owned(),
        "withdrawal" => "withdrawn".to_owned(),
        _ => name,
    })
}
