//! Attributes of requirement objects, the same in each format.

use std::collections::HashMap;

use norma_api::shapes::{Amendment, BibliographicData};

use super::{ExportedDocument, RequirementObject};
use crate::sheet::LICENCE;

/// An attribute of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObjectAttribute {
    Kind,
    Label,
    Type,
    VerbalForm,
    Negated,
    Normative,
    Conditions,
    Quantities,
    References,
    Terms,
    Status,
    AmendedBy,
    Urn,
    Revision,
    LocalId,
    Citation,
    Licence,
}

impl ObjectAttribute {
    /// Each attribute, in the order in which formats write them.
    pub(crate) const ALL: [Self; 17] = [
        Self::Kind,
        Self::Label,
        Self::Type,
        Self::VerbalForm,
        Self::Negated,
        Self::Normative,
        Self::Conditions,
        Self::Quantities,
        Self::References,
        Self::Terms,
        Self::Status,
        Self::AmendedBy,
        Self::Urn,
        Self::Revision,
        Self::LocalId,
        Self::Citation,
        Self::Licence,
    ];

    /// The name of the attribute: lower-case letters and `_`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Label => "label",
            Self::Type => "provision_type",
            Self::VerbalForm => "verbal_form",
            Self::Negated => "negated",
            Self::Normative => "normative",
            Self::Conditions => "conditions",
            Self::Quantities => "quantities",
            Self::References => "references",
            Self::Terms => "terms",
            Self::Status => "edition_status",
            Self::AmendedBy => "amended_by",
            Self::Urn => "urn",
            Self::Revision => "revision",
            Self::LocalId => "local_id",
            Self::Citation => "citation",
            Self::Licence => "licence",
        }
    }
}

/// The value of an attribute that an object has.
#[derive(Clone, Debug)]
pub(crate) struct AttributeValue {
    pub(crate) attribute: ObjectAttribute,
    /// The value, never empty. Several values have `; ` between them.
    pub(crate) text: String,
}

/// What the attributes of all objects of a standard share.
pub(super) struct AttributeContext<'a> {
    bibliographic: &'a BibliographicData<'a>,
    /// The first designation of each term.
    designations: HashMap<&'a str, &'a str>,
    licence: &'a str,
}

impl<'a> AttributeContext<'a> {
    pub(super) fn new(document: &'a ExportedDocument<'a>) -> Self {
        let bibliographic = &document.standard.bibliographic;
        let mut designations = HashMap::new();
        for term in &document.standard.terms {
            if let Some(first) = term.designations.first() {
                designations.insert(&*term.id, &*first.text);
            }
        }
        let copyright = bibliographic.metadata.copyright.as_ref();
        let licence = copyright.and_then(|copyright| copyright.statement.as_deref()).unwrap_or(LICENCE);
        Self { bibliographic, designations, licence }
    }

    /// The values for an object in a section that is normative, or not.
    pub(super) fn values(&self, object: &RequirementObject<'_>, normative: bool) -> Vec<AttributeValue> {
        let mut values = Vec::new();
        for attribute in ObjectAttribute::ALL {
            let text = self.value(attribute, object, normative);
            if !text.is_empty() {
                values.push(AttributeValue { attribute, text });
            }
        }
        values
    }

    fn value(&self, attribute: ObjectAttribute, object: &RequirementObject<'_>, normative: bool) -> String {
        match attribute {
            ObjectAttribute::Kind => object.kind.as_str().to_owned(),
            ObjectAttribute::Label => object.label.clone(),
            ObjectAttribute::Normative => normative.to_string(),
            ObjectAttribute::Status => self.bibliographic.status.to_string(),
            ObjectAttribute::AmendedBy => match object.local_id {
                Some(id) => amendments_of(&self.bibliographic.amended_by, id).join("; "),
                None => String::new(),
            },
            ObjectAttribute::Urn => self.bibliographic.urn.to_string(),
            ObjectAttribute::Revision => self.bibliographic.revision.to_string(),
            ObjectAttribute::LocalId => object.local_id.unwrap_or_default().to_owned(),
            ObjectAttribute::Citation => self.citation(&object.label),
            ObjectAttribute::Licence => self.licence.to_owned(),
            ObjectAttribute::Type
            | ObjectAttribute::VerbalForm
            | ObjectAttribute::Negated
            | ObjectAttribute::Conditions
            | ObjectAttribute::Quantities
            | ObjectAttribute::References
            | ObjectAttribute::Terms => self.value_of_provision(attribute, object),
        }
    }

    /// The value of an attribute that provisions alone have.
    fn value_of_provision(&self, attribute: ObjectAttribute, object: &RequirementObject<'_>) -> String {
        let Some(provision) = object.provision else { return String::new() };
        let mut values: Vec<String> = Vec::new();
        match attribute {
            ObjectAttribute::Type => values.push(provision.kind.to_string()),
            ObjectAttribute::VerbalForm => values.push(provision.verbal_form.to_string()),
            ObjectAttribute::Negated => values.push(provision.negated.to_string()),
            ObjectAttribute::Conditions => {
                values.extend(provision.conditions.iter().map(|condition| condition.text.to_string()));
            }
            ObjectAttribute::Quantities => {
                values.extend(provision.quantities.iter().map(ToString::to_string))
            }
            ObjectAttribute::References => {
                values.extend(provision.references.iter().map(|reference| reference.text.to_string()));
            }
            ObjectAttribute::Terms => {
                for id in &provision.term_ids {
                    values.push(self.designations.get(&**id).copied().unwrap_or(id).to_owned());
                }
            }
            _ => {}
        }
        values.join("; ")
    }

    /// How the object is cited: the designation of the document, and the label in it.
    fn citation(&self, label: &str) -> String {
        let reference = &self.bibliographic.metadata.reference;
        if label.is_empty() { reference.to_string() } else { format!("{reference}, {label}") }
    }
}

/// The amendments that touch a part with an id, each with what it does: `NSB 4210:2025/Amd 1:2026 (replace)`.
pub(crate) fn amendments_of(amended_by: &[Amendment<'_>], id: &str) -> Vec<String> {
    let mut touching = Vec::new();
    for amendment in amended_by {
        let Some(operation) = amendment.operation else { continue };
        if amendment.targets.iter().any(|target| *target == id) {
            touching.push(format!("{} ({operation})", amendment.reference));
        }
    }
    touching
}
