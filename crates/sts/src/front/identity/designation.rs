//! The document's own designation, parsed.

use norma_model::PartialUrn;
use norma_model::urn::UrnParts;

use super::super::fields::{nodes, values};
use crate::document::designation::read_once;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// A parsed designation.
pub(super) struct ParsedDesignation {
    pub text: String,
    pub parts: Option<UrnParts>,
    pub year: Option<String>,
    /// Amendments that the text includes, as an edition names them: `a1`.
    pub includes: Vec<String>,
    dated: bool,
}

impl ParsedDesignation {
    fn parse(text: String) -> Self {
        let text = read_once(text);
        let citation = PartialUrn::from_reference(&text);
        let year = citation.as_ref().and_then(|c| c.year.clone()).or_else(|| trailing_year(&text));
        let dated = year.is_some() || citation.as_ref().is_some_and(|c| c.dated);
        Self { parts: citation.map(|c| c.urn.parts()), year, includes: included(&text), dated, text }
    }

    /// The block's own designation: a dated one where there is one, whatever its `type` says.
    pub(super) fn from_block(block: XmlNode<'_>) -> Option<Self> {
        let named = ["urn", "reference", "identifier", "std-ref", "designation", "docidentifier"];
        let custom = named.into_iter().flat_map(|name| custom(block, name));
        // IEEE gives one designation in several forms: with and without trade mark, with and without body.
        let full = |n: &XmlNode<'_>| n.attr("content-type").is_none_or(|form| form == "full");
        let designations = |whole: bool| {
            nodes(block, Name::StdDesignation)
                .filter(move |n| full(n) == whole)
                .filter_map(XmlNode::normalized_text)
        };
        let own = values(block, Name::StdRef)
            .chain(designations(true))
            .chain(values(block, Name::DocRef))
            .chain(designations(false));
        let mut first = None;
        for text in own.chain(custom.filter(|c| PartialUrn::from_reference(c).is_some())) {
            let designation = Self::parse(text);
            if designation.dated {
                return Some(designation);
            }
            first = first.or(Some(designation));
        }
        first
    }
}

/// Values of own metadata of that name.
pub(super) fn custom<'t>(block: XmlNode<'t>, wanted: &'t str) -> impl Iterator<Item = String> + 't {
    block.all(Name::CustomMeta).filter_map(move |n| {
        let name = n.child(Name::MetaName)?.normalized_text()?;
        name.eq_ignore_ascii_case(wanted).then(|| n.child(Name::MetaValue)?.normalized_text())?
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
    let amendment = |after: &str| {
        let word = after.trim_start().to_ascii_lowercase();
        let letters = word.find(|c: char| !c.is_ascii_alphabetic())?;
        let kind = match &word[..letters] {
            "a" | "am" | "amd" => 'a',
            "c" | "cor" | "ac" => 'c',
            _ => return None,
        };
        let number: String = word[letters..].trim_start().chars().take_while(char::is_ascii_digit).collect();
        (!number.is_empty()).then(|| format!("{kind}{number}"))
    };
    text.split('+').skip(1).filter_map(amendment).collect()
}
