//! Provisions: alone, in a selection and in context.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Amendment, Comparator, Container, Lineage, Origin, ProvisionPart, ProvisionType, SectionRef, SectionType,
    StandardSummary, Unit, ViewHead, borrowed,
};

/// Answer of `GET /standards/{id}/provisions`: the provisions that the filters leave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionsView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Provisions in document order.
    pub items: Vec<Provision<'a>>,
}

/// Answer of `GET /standards/{id}/provisions/{selection}`: the provisions that a selection names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SelectionView<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Result of the selection.
    pub selection: SelectionReport<'a>,
    /// Provisions in document order, without repeats.
    pub items: Vec<Provision<'a>>,
}

/// The members of a [`SelectionView`] before its items, for splicing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SelectionHead<'a> {
    /// URN and revision of the edition.
    #[serde(flatten)]
    pub head: ViewHead<'a>,
    /// Result of the selection.
    pub selection: SelectionReport<'a>,
}

/// Result of a selection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SelectionReport<'a> {
    /// The selection in canonical form.
    pub canonical: Cow<'a, str>,
    /// What is found of what was asked for. They are items of the selection that name something, in the
    /// order written.
    pub matched: Vec<Cow<'a, str>>,
    /// Items that name nothing here.
    pub unmatched: Vec<Cow<'a, str>>,
}

/// One testable unit of a standard: a sentence or list item with a verbal form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provision<'a> {
    /// Id of the object. It names the provision in all of Norma and survives the next ingest.
    pub id: Cow<'a, str>,
    /// Label, for people. It is itself a selection: `4.2.1(2)`.
    pub label: Cow<'a, str>,
    /// Amendments of the object that the caller may see, in the order of their publication. Those that touch
    /// it, in answers that are made for a request; whole views have those of the standard in front.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// Lineage of the provision in the editions of its document. Lists have it only with `include=lineage`.
    /// It is absent while the document waits for its lineages to be updated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage<'a>>,
    /// Identifier that the document itself gives it: `Requirement 6-1`, `REQ-012`, `/req/core/x`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<Cow<'a, str>>,
    /// Label of the list item, numbered paragraph or part of a requirement in which it is, as printed: `b)`,
    /// `(12)`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_label: Option<Cow<'a, str>>,
    /// Type of the provision, by its verbal form.
    #[serde(rename = "type")]
    pub kind: ProvisionType,
    /// The words that decided the type: `shall not`.
    pub verbal_form: Cow<'a, str>,
    /// True where the verbal form is a negative one.
    pub negated: bool,
    /// Plain text, without markup. It is the sentence or item, with white space collapsed.
    pub text: Cow<'a, str>,
    /// Markup of the source, well-formed alone. It is absent where the provision is not one whole element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xml: Option<Cow<'a, str>>,
    /// Lead-in: the sentence that the item completes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Cow<'a, str>>,
    /// Kind of text that contains it.
    pub container: Container,
    /// True for normative content. It is as its section is.
    pub normative: bool,
    /// Section that has the object.
    pub section: SectionRef<'a>,
    /// Id of an instruction of an amendment. The one that brings it into the standard that is amended: it is
    /// text for that standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction_id: Option<Cow<'a, str>>,
    /// Id of the table that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_id: Option<Cow<'a, str>>,
    /// References of the sentence, in order.
    pub references: Vec<Reference<'a>>,
    /// Values, limits, ranges and counts of the provision, as far as they are certain: those of the lead-in,
    /// then those of the text, each in order.
    #[serde(default)]
    #[schema(required)]
    pub quantities: Vec<Quantity<'a>>,
    /// Conditions of the provision, as far as they are certain: those of the lead-in, then those of the text,
    /// each in order.
    #[serde(default)]
    #[schema(required)]
    pub conditions: Vec<Passage<'a>>,
    /// Subject that the verbal form speaks of, where that is one plain phrase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Passage<'a>>,
    /// Ids of the terms it uses, in order of first use.
    pub term_ids: Vec<Cow<'a, str>>,
    /// Position of the provision in the text of its section.
    pub anchor: Anchor<'a>,
    /// Origin, which is stated by the source or found by Norma.
    pub origin: Origin,
    /// Id of the rule that decided the type.
    pub rule: Cow<'a, str>,
    /// Reliability of the type, between 0 and 1.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f32,
    /// Other readings, likeliest first.
    pub alternatives: Vec<Alternative>,
}

/// Position of a provision: that slice of its section's text, white space collapsed, is its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Anchor<'a> {
    /// Id of the nearest element of the markup that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_id: Option<Cow<'a, str>>,
    /// Index of the first Unicode scalar value. In the section's text.
    pub start: usize,
    /// Index after the last Unicode scalar value.
    pub end: usize,
    /// Position of the words that decided its type: in the sentence, or in the lead-in that it completes. Two
    /// provisions of one sentence share `start` and `end`, and differ here. It is absent where the source
    /// marks the provision and no verbal form is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbal_form_slice: Option<Slice>,
}

/// A part of a section's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Slice {
    /// Index of the first Unicode scalar value.
    pub start: usize,
    /// Index after the last Unicode scalar value.
    pub end: usize,
}

/// A cross-reference or cited standard in a provision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reference<'a> {
    /// Plain text, without markup. It is as it reads in the sentence.
    pub text: Cow<'a, str>,
    /// Id of the section, graphic or table of this edition that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<Cow<'a, str>>,
    /// URN of the standard. It is that of the other document that it names, and may omit edition and
    /// language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub urn: Option<Cow<'a, str>>,
    /// Year or date of the cited edition, as printed: `2009`, `2008-12`. That edition is meant, and no later
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Cow<'a, str>>,
    /// The part of another document that it names, as written: `6.2`, `Clause 4 and Annex A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Cow<'a, str>>,
    /// Present and true where it names this document itself: `this document`, `Clause 5 of this standard`,
    /// its own designation.
    #[serde(default, rename = "self", skip_serializing_if = "std::ops::Not::not")]
    pub itself: bool,
}

/// A part of a provision's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Passage<'a> {
    /// Plain text, without markup. It is as it reads.
    pub text: Cow<'a, str>,
    /// Present where it is in the lead-in, and not in `text`.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub part: Option<ProvisionPart>,
    /// Index of the first Unicode scalar value. In the provision's `text`, or in its `leadIn`.
    pub start: u32,
    /// Index after the last Unicode scalar value.
    pub end: u32,
}

/// A value, limit, range or count in a provision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Quantity<'a> {
    /// Relation of what is measured to the value. It is absent where the sentence does not prove it: the
    /// value may be a limit or the value itself. Never read it as `equal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparator: Option<Comparator>,
    /// Decimal number as a string, with a point: `0.5`. Of a range the lower end.
    pub value: Cow<'a, str>,
    /// Upper end of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<Cow<'a, str>>,
    /// Unit of measurement. A count has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit<'a>>,
    /// Greatest deviation from the value, in the same unit: `2` of `20 °C ± 2 °C`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Cow<'a, str>>,
    /// From the first number to the end of the last unit or number.
    #[serde(flatten)]
    pub passage: Passage<'a>,
}

/// As the gold lines of crates/provisions/README.md write it: comparator, value, deviation, unit.
impl fmt::Display for Quantity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.comparator {
            Some(Comparator::Equal) => "= ",
            Some(Comparator::LessThan) => "< ",
            Some(Comparator::AtMost) => "<= ",
            Some(Comparator::AtLeast) => ">= ",
            Some(Comparator::MoreThan) => "> ",
            Some(Comparator::About) => "~ ",
            Some(Comparator::Nearest) => "nearest ",
            Some(Comparator::PlusMinus) => "+- ",
            // Without it the value would read as one whose comparator is not stated.
            Some(Comparator::Unrecognized) => "? ",
            Some(Comparator::Between) | None => "",
        })?;
        f.write_str(&self.value)?;
        let parts = [(" .. ", &self.upper), (" ± ", &self.tolerance)];
        parts
            .iter()
            .filter_map(|(sign, part)| part.as_ref().map(|part| (sign, part)))
            .try_for_each(|(sign, part)| write!(f, "{sign}{part}"))?;
        self.unit.iter().try_for_each(|unit| write!(f, " {}", unit.text))
    }
}

/// Another reading of a provision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Alternative {
    /// Type of the provision in this reading.
    #[serde(rename = "type")]
    pub kind: ProvisionType,
    /// Reliability of the type, between 0 and 1.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f32,
}

/// `GET /provisions/{id}`: a provision with its standard and its section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionInContext<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Members of the provision.
    #[serde(flatten)]
    pub provision: Provision<'a>,
    /// Standard that has the provision.
    pub standard: StandardSummary<'a>,
    /// Section of the provision with its text, and the sections around it.
    pub section_context: SectionContext<'a>,
    /// Id of the provision before it in document order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_id: Option<Cow<'a, str>>,
    /// Id of the provision after it in document order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_id: Option<Cow<'a, str>>,
}

/// The section of a provision, with the sections around it and its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionContext<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Label, for people. It is as written: `Annex A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Number of the object, as text. It is the label without leading word, white space and final dot:
    /// `4.2.1`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Title as plain text. The section of a term has its designation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Kind of section: a clause, an annex, a term entry, or another.
    #[serde(rename = "type")]
    pub kind: SectionType,
    /// True for normative content.
    pub normative: bool,
    /// The sections that hold it, outermost first.
    pub ancestors: Vec<SectionRef<'a>>,
    /// Plain text, without markup. It is the section's own text, into which the provision's anchor points.
    pub text: Cow<'a, str>,
}

impl<'a> Provision<'a> {
    /// The shape of a provision of this edition.
    pub fn new(provision: &'a norma_model::Provision, edition: &'a norma_model::EditionParts) -> Self {
        let norma_model::Provision {
            id,
            label,
            identifier,
            item_label,
            kind,
            verbal_form,
            negated,
            text,
            xml,
            lead_in,
            container,
            normative,
            section,
            table,
            references,
            quantities,
            conditions,
            subject,
            terms,
            anchor,
            origin,
            rule,
            confidence,
            alternatives,
        } = provision;
        Self {
            id: id.to_string().into(),
            amended_by: Vec::new(),
            lineage: None,
            label: (**label).into(),
            identifier: borrowed(identifier),
            item_label: borrowed(item_label),
            kind: (*kind).into(),
            verbal_form: (**verbal_form).into(),
            negated: *negated,
            text: (**text).into(),
            xml: borrowed(xml),
            lead_in: borrowed(lead_in),
            container: (*container).into(),
            normative: *normative,
            section: (&edition.sections[*section]).into(),
            instruction_id: instruction_of(edition, id).map(Into::into),
            table_id: table.map(|t| edition.tables[t].id.as_str().into()),
            references: references.iter().map(Into::into).collect(),
            quantities: quantities.iter().map(|quantity| Quantity::new(quantity, provision)).collect(),
            conditions: conditions.iter().map(|passage| Passage::new(*passage, provision)).collect(),
            subject: subject.map(|passage| Passage::new(passage, provision)),
            term_ids: terms.iter().map(|&t| edition.terms[t].id.as_str().into()).collect(),
            anchor: anchor.into(),
            origin: (*origin).into(),
            rule: (*rule).into(),
            confidence: *confidence,
            alternatives: alternatives.iter().map(Into::into).collect(),
        }
    }
}

/// The id of the instruction that brings a provision of an amendment.
fn instruction_of(edition: &norma_model::EditionParts, id: &norma_model::ProvisionId) -> Option<String> {
    for (index, instruction) in edition.instructions.iter().enumerate() {
        let mut own = instruction.provisions.iter();
        if own.any(|&provision| edition.provisions[provision as usize].id == *id) {
            return Some(super::instruction_id(index));
        }
    }
    None
}

impl<'a> Passage<'a> {
    fn new(passage: norma_model::Passage, provision: &'a norma_model::Provision) -> Self {
        Self::with_text(passage, provision.words(passage))
    }

    /// The shape of a passage with these words.
    pub fn with_text(passage: norma_model::Passage, text: &'a str) -> Self {
        let norma_model::Passage { in_lead_in, start, end } = passage;
        let part = in_lead_in.then_some(ProvisionPart::LeadIn);
        Self { text: text.into(), part, start, end }
    }

    /// The passage that this is the shape of.
    pub fn to_model(&self) -> norma_model::Passage {
        let Self { text: _, part, start, end } = self;
        let in_lead_in = *part == Some(ProvisionPart::LeadIn);
        norma_model::Passage { in_lead_in, start: *start, end: *end }
    }
}

impl<'a> Quantity<'a> {
    fn new(quantity: &'a norma_model::Quantity, provision: &'a norma_model::Provision) -> Self {
        Self::with_text(quantity, provision.words(quantity.passage))
    }

    /// The shape of a quantity whose passage has these words.
    pub fn with_text(quantity: &'a norma_model::Quantity, text: &'a str) -> Self {
        let norma_model::Quantity { comparator, value, upper, tolerance, unit, ucum, passage } = quantity;
        Self {
            comparator: comparator.map(Into::into),
            value: (**value).into(),
            upper: borrowed(upper),
            unit: unit.as_deref().map(|unit| Unit::of_provision(unit, ucum.as_deref())),
            tolerance: borrowed(tolerance),
            passage: Passage::with_text(*passage, text),
        }
    }

    /// The quantity that this is the shape of; `None` where a later version of Norma wrote a comparator that
    /// this one does not know.
    pub fn into_model(self) -> Option<norma_model::Quantity> {
        let Self { comparator, value, upper, unit, tolerance, passage } = self;
        let comparator = match comparator {
            Some(comparator) => Some(comparator.try_into().ok()?),
            None => None,
        };
        let (unit, ucum) = match unit {
            Some(Unit { text, ucum, printed_in: _ }) => (Some(text.into()), ucum.map(Into::into)),
            None => (None, None),
        };
        Some(norma_model::Quantity {
            comparator,
            value: value.into(),
            upper: upper.map(Into::into),
            tolerance: tolerance.map(Into::into),
            unit,
            ucum,
            passage: passage.to_model(),
        })
    }
}

impl<'a> From<&'a norma_model::Anchor> for Anchor<'a> {
    fn from(anchor: &'a norma_model::Anchor) -> Self {
        let norma_model::Anchor { element, start, end, verbal_form } = anchor;
        let verbal_form_slice = verbal_form.map(|norma_model::Slice { start, end }| Slice { start, end });
        Self { element_id: borrowed(element), start: *start, end: *end, verbal_form_slice }
    }
}

impl<'a> From<&'a norma_model::Reference> for Reference<'a> {
    fn from(reference: &'a norma_model::Reference) -> Self {
        use norma_model::ReferenceTarget;
        let norma_model::Reference { text, target, date, clause, itself } = reference;
        let (target_id, urn) = match target {
            Some(ReferenceTarget::Part(id)) => (Some(id.into()), None),
            Some(ReferenceTarget::Urn(urn)) => (None, Some(super::relation::urn(urn))),
            None => (None, None),
        };
        Self {
            text: text.into(),
            target_id,
            urn,
            date: borrowed(date),
            clause: borrowed(clause),
            itself: *itself,
        }
    }
}

impl From<&norma_model::Alternative> for Alternative {
    fn from(alternative: &norma_model::Alternative) -> Self {
        let norma_model::Alternative { kind, confidence } = alternative;
        Self { kind: (*kind).into(), confidence: *confidence }
    }
}
