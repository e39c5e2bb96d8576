//! The document's own designation, parsed.

use norma_model::PartialUrn;
use norma_model::urn::UrnParts;

use super::super::fields::{nodes, values};
use crate::document::designation::read_once;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// A designation of the document, with what it says about its URN.
pub(super) struct ParsedDesignation {
    pub text: String,
    /// Parts of the URN; `None` where the text names no document.
    pub parts: Option<UrnParts>,
    /// Year or date of the document, as written.
    pub year: Option<String>,
    /// Amendments that the text includes, as an edition names them: `a1`.
    pub includes: Vec<String>,
    dated: bool,
}

impl ParsedDesignation {
    fn parse(text: String) -> Self {
        let text = read_once(text);
        let mut year = None;
        let mut is_dated = false;
        let mut parts = None;
        if let Some(citation) = PartialUrn::from_reference(&text) {
            year = citation.year;
            is_dated = citation.dated;
            parts = Some(citation.urn.parts());
        }
        let year = year.or_else(|| trailing_year(&text));
        let dated = is_dated || year.is_some();
        Self { parts, year, includes: included(&text), dated, text }
    }

    /// The block's own designation: a dated one where there is one, whatever its `type` says.
    pub(super) fn from_block(block: XmlNode<'_>) -> Option<Self> {
        let mut first = None;
        for text in designations(block) {
            let designation = Self::parse(text);
            if designation.dated {
                return Some(designation);
            }
            first.get_or_insert(designation);
        }
        first
    }
}

/// The texts of a block that may be its designation, the most certain first.
fn designations(block: XmlNode<'_>) -> impl Iterator<Item = String> {
    const CUSTOM: [&str; 6] = ["urn", "reference", "identifier", "std-ref", "designation", "docidentifier"];
    let custom = CUSTOM.into_iter().flat_map(move |name| custom(block, name));
    let custom = custom.filter(|text| PartialUrn::from_reference(text).is_some());
    values(block, Name::StdRef)
        .chain(standard_designations(block, true))
        .chain(values(block, Name::DocRef))
        .chain(standard_designations(block, false))
        .chain(custom)
}

/// The designations of IEEE, which gives one in several forms: in full, or without trade mark or body.
fn standard_designations(block: XmlNode<'_>, in_full: bool) -> impl Iterator<Item = String> {
    nodes(block, Name::StdDesignation)
        .filter(move |node| node.attr("content-type").is_none_or(|form| form == "full") == in_full)
        .filter_map(XmlNode::normalized_text)
}

/// Values of own metadata of that name.
pub(super) fn custom<'t>(block: XmlNode<'t>, wanted: &'t str) -> impl Iterator<Item = String> + 't {
    block.all(Name::CustomMeta).filter_map(move |node| {
        let name = node.child(Name::MetaName)?.normalized_text()?;
        if !name.eq_ignore_ascii_case(wanted) {
            return None;
        }
        node.child(Name::MetaValue)?.normalized_text()
    })
}

/// Year or year and month at the end of a designation, after a colon.
fn trailing_year(text: &str) -> Option<String> {
    let (_, tail) = text.rsplit_once(':')?;
    let tail = tail.trim().split(['(', ' ']).next()?.trim();
    tail.parse::<norma_model::PartialDate>().is_ok().then(|| tail.to_owned())
}

/// Amendments after plus signs: `EN 1234:2010+A1:2014` includes `a1`, `IEC 60335-1:2010+AMD1:2013 CSV` too.
fn included(text: &str) -> Vec<String> {
    text.split('+').skip(1).filter_map(amendment).collect()
}

/// The kind and number of the amendment or corrigendum that a text begins with: `a1`, `c2`.
fn amendment(text: &str) -> Option<String> {
    let lower = text.trim_start().to_ascii_lowercase();
    let end_of_letters = lower.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, rest) = lower.split_at(end_of_letters);
    let kind = match letters {
        "a" | "am" | "amd" => 'a',
        "c" | "cor" | "ac" => 'c',
        _ => return None,
    };
    let number: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    if number.is_empty() { None } else { Some(format!("{kind}{number}")) }
}

#[cfg(test)]
mod tests {
    use super::included;

    #[test]
    fn a_designation_includes_the_amendments_after_plus_signs() {
        assert_eq!(included("EN 1234:2010+A1:2014+AC:2015"), ["a1"]);
        assert_eq!(included("IEC 60335-1:2010+AMD1:2013+COR 2 CSV"), ["a1", "c2"]);
        assert!(included("ISO 9999:2020").is_empty());
    }
}
