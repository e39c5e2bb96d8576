//! Identity: the parts of a document's URN, as stated or derived from its reference; each derived part is
//! reported.

mod body;
mod designation;
mod edition;
mod kind;
mod languages;
mod name;
mod number;
mod state;

use norma_model::urn::UrnParts;
use norma_model::{Lang, PartialDate, SupplementKind};

use super::fields::{value, values};
use crate::diagnostic::Diagnostics;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use designation::ParsedDesignation;

pub(super) use kind::standard_type;
pub(super) use languages::list;

/// The parts of one block's identity.
#[derive(Default)]
pub(super) struct Identity {
    pub publisher_as_written: Option<String>,
    originator: Option<String>,
    doc_type: Option<String>,
    pub type_label: Option<String>,
    pub number: Option<String>,
    pub part: Option<String>,
    supplements: Vec<(SupplementKind, String)>,
    pub supplement_year: Option<String>,
    edition: Option<String>,
    edition_is_stated: bool,
    /// Version or date that distinguishes the states of an edition in an update series.
    state_of_edition: Option<String>,
    /// Languages of the text, the most used first.
    pub languages: Vec<Lang>,
    /// Languages that the metadata declares; empty if it declares none.
    pub declared_languages: Vec<Lang>,
    /// Stage as written: a code or a word.
    pub stage: Option<String>,
    /// Stage in the URN of a draft; `None` for a published document.
    draft: Option<String>,
    withdrawn: bool,
    /// Designation, with a date if there is a dated one.
    pub reference: Option<String>,
    /// Year or date in the designation.
    pub reference_date: Option<PartialDate>,
    /// URNs and other identifiers that the metadata states.
    stated: Vec<String>,
    version: Option<String>,
}

/// The inputs for an identity.
struct IdentitySource<'a, 't> {
    block: XmlNode<'t>,
    designation: Option<ParsedDesignation>,
    /// The parts that the designation has.
    parts: UrnParts,
    diagnostics: &'a mut Diagnostics,
}

impl IdentitySource<'_, '_> {
    /// Reports a part that is not stated as such.
    fn note(&mut self, code: &'static str, message: impl Into<String>) {
        self.diagnostics.add(code, self.block.range().start, message);
    }
}

impl Identity {
    /// Reads a block. The order counts: a later part is derived from those before it.
    pub(super) fn read(block: XmlNode<'_>, detected: &[Lang], diagnostics: &mut Diagnostics) -> Self {
        let designation = ParsedDesignation::from_block(block);
        let parts = designation.as_ref().and_then(|own| designated_parts(block, own));
        let mut identity = Self {
            type_label: value(block, Name::DocType).or_else(|| said_by_root(block)),
            version: value(block, Name::Version),
            ..Self::default()
        };
        if let Some(own) = &designation {
            identity.reference = Some(own.text.trim_end_matches([':', ' ']).to_owned());
            identity.reference_date = own.year.as_ref().and_then(|year| year.parse().ok());
        }
        let source =
            &mut IdentitySource { block, designation, parts: parts.unwrap_or_default(), diagnostics };
        identity.read_bodies(source);
        let stated_type = value(block, Name::DocType).and_then(|label| kind::code_of(&label));
        identity.doc_type = stated_type.unwrap_or_else(|| source.parts.doc_type.clone());
        identity.read_number(source);
        identity.read_supplement(source);
        identity.read_stage(block, &source.parts);
        identity.read_edition(source);
        identity.read_languages(detected, source);
        identity.stated = values(block, Name::Urn).chain(values(block, Name::StdId)).collect();
        identity
    }
}

/// The parts of a designation, with the body of the metadata where it has none.
fn designated_parts(block: XmlNode<'_>, designation: &ParsedDesignation) -> Option<UrnParts> {
    match &designation.parts {
        Some(parts) => Some(parts.clone()),
        None => body::with_body(block, &designation.text),
    }
}

/// The type on the root element, where IEEE states it; its numbers are one series over all types.
fn said_by_root(block: XmlNode<'_>) -> Option<String> {
    let root = block.ancestors().find(|n| n.name() == Name::StandardsDocument)?;
    root.attr("content-type").map(|sort| sort.trim().to_owned())
}
