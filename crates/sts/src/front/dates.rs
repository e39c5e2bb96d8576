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
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 && !fields::completes_another(*block) {
            continue;
        }
        for element in block.elements() {
            add_date(element, &mut dates, diagnostics);
        }
        for approval in block.elements().filter(|element| element.name() == Name::Approval) {
            for element in approval.elements() {
                add_date(element, &mut dates, diagnostics);
            }
        }
    }
    dates
}

/// Adds the date that an element is, unless one of its name is there.
fn add_date(node: XmlNode<'_>, dates: &mut BTreeMap<String, PartialDate>, diagnostics: &mut Diagnostics) {
    let Some(name) = name_of_date(node) else { return };
    let Some(text) = text(node) else { return };
    match text.parse::<PartialDate>() {
        Ok(date) => {
            dates.entry(name).or_insert(date);
        }
        Err(error) => diagnostics.add("invalid-date", node.range().start, error.to_string()),
    }
}

/// The name under which an edition lists a date; `None` for other elements, and for other dates without type.
fn name_of_date(node: XmlNode<'_>) -> Option<String> {
    match node.name() {
        Name::PubDate => Some("published".to_owned()),
        Name::ReleaseDate => Some(date_type(node, "date-type").unwrap_or_else(|| "released".to_owned())),
        Name::ApprovalDate => Some("approved".to_owned()),
        Name::MetaDate => date_type(node, "type"),
        _ => None,
    }
}

/// The date of an element as text: an attribute, elements for year, month and day, or its words.
pub(super) fn text(node: XmlNode<'_>) -> Option<String> {
    if let Some(iso) = node.attr("iso-8601-date") {
        return Some(iso.trim().to_owned());
    }
    let part = |name| node.child(name).and_then(XmlNode::normalized_text);
    let Some(year) = part(Name::Year) else { return node.normalized_text() };
    let Some(month) = part(Name::Month) else { return Some(year) };
    let month = number_of_month(month);
    match part(Name::Day) {
        Some(day) => Some(format!("{year}-{month:0>2}-{day:0>2}")),
        None => Some(format!("{year}-{month:0>2}")),
    }
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

/// The type that an attribute states for a date, by the names of an edition where it has one.
fn date_type(node: XmlNode<'_>, attribute: &str) -> Option<String> {
    let name = node.attr(attribute)?.trim().to_ascii_lowercase();
    Some(match name.as_str() {
        "publication" | "pub" => "published".to_owned(),
        "release" => "released".to_owned(),
        "withdrawal" => "withdrawn".to_owned(),
        _ => name,
    })
}

#[cfg(test)]
mod tests {
    use super::number_of_month;

    #[test]
    fn a_month_has_a_number_also_where_it_is_written_as_a_word() {
        for (month, number) in [("March", "3"), ("dec.", "12"), ("07", "07"), ("Mai", "Mai")] {
            assert_eq!(number_of_month(month.to_owned()), number);
        }
    }
}
