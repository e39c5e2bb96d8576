//! Provisions: requirements, recommendations, permissions, capabilities and external constraints of an
//! edition.

use crate::ProvisionId;

/// The type of a provision, by its verbal form (ISO/IEC Directives, Part 2, clause on verbal forms).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProvisionKind {
    /// To be fulfilled: *shall*.
    Requirement,
    /// Advised, not required: *should*.
    Recommendation,
    /// Allowed by the document: *may*.
    Permission,
    /// Possible for somebody or something: *can*.
    Capability,
    /// Imposed from outside the document: *must*.
    ExternalConstraint,
}

/// Kind of text that contains a provision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// A paragraph of the running text.
    Paragraph,
    /// An item of a list.
    ListItem,
    /// A cell of a table.
    TableCell,
    /// A footnote of a table.
    TableFootnote,
    /// A block that the source itself marks as a provision.
    Block,
}

/// The origin of a provision: marks of the source, or rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The source marks it.
    Authored,
    /// Norma's rules found it.
    Derived,
}

/// One testable unit. An edition may have a hundred thousand of them, so that each is small.
#[derive(Clone, Debug, PartialEq)]
pub struct Provision {
    /// Id made from the URN and the provision's own words, so that the next ingest gives the same one.
    pub id: ProvisionId,
    /// For people: `4.2.1(2)`, the second provision of clause 4.2.1 itself.
    pub label: Box<str>,
    /// Identifier that the document itself gives to it: `Requirement 6-1`, `REQ-012`, `/req/core/x`.
    pub identifier: Option<Box<str>>,
    /// Printed label of the list item, numbered paragraph or part of a requirement around it: `b)`, `(12)`,
    /// `A`.
    pub item_label: Option<Box<str>>,
    /// Type, by the verbal form.
    pub kind: ProvisionKind,
    /// The words that decided the type: `shall not`.
    pub verbal_form: Box<str>,
    /// Set where the verbal form is a negative one.
    pub negated: bool,
    /// The sentence or item, white space collapsed.
    pub text: Box<str>,
    /// Markup of the provision, if it is one whole element.
    pub xml: Option<Box<str>>,
    /// The sentence that the item completes.
    pub lead_in: Option<Box<str>>,
    /// Kind of text that contains it.
    pub container: Container,
    /// Set where its section is normative.
    pub normative: bool,
    /// Index of its section in [`crate::EditionParts::sections`].
    pub section: usize,
    /// Index in [`crate::EditionParts::tables`] of the table around it.
    pub table: Option<usize>,
    /// The references of the sentence, in order.
    pub references: Box<[Reference]>,
    /// Values, limits, ranges and counts: those of the lead-in, then those of the text, each in order.
    pub quantities: Box<[Quantity]>,
    /// Passages of conditions: those of the lead-in, then those of the text, each in order.
    pub conditions: Box<[Passage]>,
    /// The subject of the verbal form, if it is one plain phrase.
    pub subject: Option<Passage>,
    /// Indices in [`crate::EditionParts::terms`] of the terms it uses, in order of first use.
    pub terms: Box<[usize]>,
    /// Position of the sentence or item in the text of the section.
    pub anchor: Anchor,
    /// Marks of the source, or the rules that found it.
    pub origin: Origin,
    /// Id of the rule that decided the type.
    pub rule: &'static str,
    /// Between 0 and 1.
    pub confidence: f32,
    /// Other readings that its rule allows, likeliest first.
    pub alternatives: &'static [Alternative],
}

/// Position of a provision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Id of the nearest element that has one.
    pub element: Option<Box<str>>,
    /// First Unicode scalar value in the section's text.
    pub start: usize,
    /// One past the last Unicode scalar value.
    pub end: usize,
    /// Position of the words that decided its type: in the sentence, or in the lead-in that it completes. Two
    /// provisions of one sentence have one text and so one slice, and differ here. `None` where the source
    /// marks the provision and no verbal form is in it.
    pub verbal_form: Option<Slice>,
}

/// A part of a section's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// First Unicode scalar value in the section's text.
    pub start: usize,
    /// One past the last Unicode scalar value.
    pub end: usize,
}

impl Provision {
    /// The words of a passage; empty if it is outside its text.
    pub fn words(&self, passage: Passage) -> &str {
        let text = if passage.in_lead_in { self.lead_in.as_deref().unwrap_or_default() } else { &*self.text };
        let [start, end] = [passage.start, passage.end]
            .map(|at| text.char_indices().nth(at as usize).map_or(text.len(), |(byte, _)| byte));
        text.get(start..end).unwrap_or_default()
    }
}

/// A part of a provision's own words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Passage {
    /// Set where the passage is in the lead-in and not in the text.
    pub in_lead_in: bool,
    /// First Unicode scalar value of that text.
    pub start: u32,
    /// One past the last Unicode scalar value.
    pub end: u32,
}

/// A value, limit, range or count in a provision.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Quantity {
    /// The comparator between the measured quantity and the value; `None` where the sentence does not prove
    /// one. That is not `Equal`.
    pub comparator: Option<Comparator>,
    /// Decimal string: digits with a point, a minus sign before them where it is negative. Of a range the
    /// lower end.
    pub value: Box<str>,
    /// Upper end of a range.
    pub upper: Option<Box<str>>,
    /// Greatest deviation from the value, in the same unit: 2 in `20 °C ± 2 °C`.
    pub tolerance: Option<Box<str>>,
    /// Unit as printed; `None` for a count.
    pub unit: Option<Box<str>>,
    /// Code of the unit in UCUM (<https://ucum.org/ucum>), where it has one.
    pub ucum: Option<Box<str>>,
    /// From the first number to the end of the last unit or number.
    pub passage: Passage,
}

/// The comparator between a quantity and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparator {
    /// The value itself, or a plain count.
    Equal,
    /// Below the value, which is excluded.
    LessThan,
    /// The value or below it.
    AtMost,
    /// The value or above it.
    AtLeast,
    /// Above the value, which is excluded.
    MoreThan,
    /// From the value to the upper one.
    Between,
    /// Near the value: `about 50 g`.
    About,
    /// Rounded to steps of the value: `to the nearest 0,1 g`.
    Nearest,
    /// Different by at most the value, to both sides: `± 5 %`.
    PlusMinus,
}

/// A cross-reference or cited standard in a provision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// As it reads in the sentence.
    pub text: String,
    /// What is referred to, if known.
    pub target: Option<ReferenceTarget>,
    /// Year or date of the edition of another document, as cited: `2009`, `2008-12`. Without it any edition
    /// is meant.
    pub date: Option<String>,
    /// The part of another document that it names, as written: `6.2`, `Clause 4 and Annex A`.
    pub clause: Option<String>,
    /// Set where the reference names this document itself: `this document`, `Clause 5 of this standard`, its
    /// own designation.
    pub itself: bool,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// A section, graphic or table of this edition, by its id in this edition's views.
    Part(String),
    /// Another document, by its URN without language.
    Urn(crate::PartialUrn),
}

/// Another reading of a provision.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// The type it would have.
    #[serde(rename = "type")]
    pub kind: ProvisionKind,
    /// Between 0 and 1.
    pub confidence: f32,
}
