//! Findings: what a document says about a standard and is not so, or is not known to be so.

use std::fmt;
use std::str::FromStr;

use norma_api::shapes::{QuotationChange, QuotationOmission};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::read::{DocumentPart, DocumentPosition};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingLevel {
    /// For information: nothing is known to be wrong.
    Note,
    /// The document is out of date or imprecise.
    Warning,
    /// The document says what the standard does not.
    Error,
}

/// What a finding is about. The order is that of [docs/review.md](../../../docs/review.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReviewRule {
    /// The edition does not have the cited place.
    LocationUnknown,
    /// No edition of the cited date is known, but others of the document are.
    EditionUnknown,
    /// The edition was replaced.
    SupersededEdition,
    /// The edition was withdrawn and not replaced.
    WithdrawnEdition,
    /// An amendment changes the cited place.
    AmendedLocation,
    /// The citation may mean several things.
    AmbiguousCitation,
    /// Words of a quotation differ.
    AlteredQuotation,
    /// A quotation leaves out words without which it says something else.
    PartialQuotation,
    /// Another edition than the cited one has the quotation.
    OtherEdition,
    /// No edition has the quotation.
    AbsentQuotation,
    /// The quotation is at another place of the edition than the cited one.
    OtherLocation,
    /// It could not be checked.
    Unverified,
}

/// A word that is not one of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `error`, `warning` or `note`, found `{0}`")]
pub struct UnknownFindingLevel(String);

impl FindingLevel {
    /// The word for it, as in SARIF.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for FindingLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for FindingLevel {
    type Err = UnknownFindingLevel;

    fn from_str(word: &str) -> Result<Self, UnknownFindingLevel> {
        match word {
            "note" => Ok(Self::Note),
            "warning" => Ok(Self::Warning),
            "error" => Ok(Self::Error),
            _ => Err(UnknownFindingLevel(word.to_owned())),
        }
    }
}

impl ReviewRule {
    /// Every rule, in its order.
    pub const ALL: [Self; 12] = [
        Self::LocationUnknown,
        Self::EditionUnknown,
        Self::SupersededEdition,
        Self::WithdrawnEdition,
        Self::AmendedLocation,
        Self::AmbiguousCitation,
        Self::AlteredQuotation,
        Self::PartialQuotation,
        Self::OtherEdition,
        Self::AbsentQuotation,
        Self::OtherLocation,
        Self::Unverified,
    ];

    /// The id of the rule in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Self::LocationUnknown => "place-unknown",
            Self::EditionUnknown => "edition-unknown",
            Self::SupersededEdition => "superseded-edition",
            Self::WithdrawnEdition => "withdrawn-edition",
            Self::AmendedLocation => "amended-place",
            Self::AmbiguousCitation => "ambiguous-citation",
            Self::AlteredQuotation => "altered-quotation",
            Self::PartialQuotation => "partial-quotation",
            Self::OtherEdition => "other-edition",
            Self::AbsentQuotation => "absent-quotation",
            Self::OtherLocation => "other-place",
            Self::Unverified => "unverified",
        }
    }

    /// One sentence that says what the rule finds.
    pub const fn description(self) -> &'static str {
        match self {
            Self::LocationUnknown => "The cited edition does not have the cited place.",
            Self::EditionUnknown => "No edition of the cited date is known, but others of the document are.",
            Self::SupersededEdition => "The cited edition was replaced by a newer one.",
            Self::WithdrawnEdition => "The cited edition was withdrawn.",
            Self::AmendedLocation => "An amendment changes the cited place.",
            Self::AmbiguousCitation => "The citation may mean several editions or places.",
            Self::AlteredQuotation => "Words of the quotation differ from those of the standard.",
            Self::PartialQuotation => {
                "The quotation leaves out words without which the provision says something else."
            }
            Self::OtherEdition => "The quotation is in another edition than the cited one.",
            Self::AbsentQuotation => "No edition of the cited standard has the quotation.",
            Self::OtherLocation => "The quotation is at another place of the edition than the cited one.",
            Self::Unverified => "The citation or quotation could not be checked.",
        }
    }

    /// The level of most of its findings.
    pub const fn usual_level(self) -> FindingLevel {
        match self {
            Self::LocationUnknown
            | Self::AlteredQuotation
            | Self::PartialQuotation
            | Self::OtherEdition
            | Self::AbsentQuotation => FindingLevel::Error,
            Self::EditionUnknown | Self::SupersededEdition | Self::WithdrawnEdition | Self::OtherLocation => {
                FindingLevel::Warning
            }
            Self::AmendedLocation | Self::AmbiguousCitation | Self::Unverified => FindingLevel::Note,
        }
    }
}

impl Serialize for ReviewRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// Something in a document that is not so, or is not known to be so.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewFinding {
    /// How bad it is.
    pub level: FindingLevel,
    /// What it is about.
    pub rule: ReviewRule,
    /// The file as it was named.
    pub file: String,
    /// Where in the file it is.
    #[serde(flatten)]
    pub position: FindingPosition,
    /// What is cited, in plain characters, with the document that places alone belong to.
    pub citation: String,
    /// The words that are quoted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quotation: Option<String>,
    /// The outcome of the citation or the verdict of the quotation, as the service says it.
    pub verdict: String,
    /// What is right, and what to do, in one sentence.
    pub message: String,
    /// The edition that is cited, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<FindingEdition>,
    /// The words that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<QuotationChange<'static>>,
    /// The words that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<QuotationOmission<'static>>,
    /// The text of the standard that the quotation is compared with. It is licensed content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actual: Vec<ActualText>,
    /// The same in two runs for the same file, citation, quotation and rule, wherever in the file it is.
    pub fingerprint: String,
}

/// Where in a file a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FindingPosition {
    /// A line, from 1.
    Line {
        /// The line.
        line: u32,
    },
    /// A paragraph of a part of a DOCX document, from 1.
    Paragraph {
        /// `body`, `footnotes` or `endnotes`.
        part: &'static str,
        /// The number of the paragraph.
        paragraph: u32,
    },
}

/// The edition that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingEdition {
    /// URN of the edition.
    pub urn: String,
    /// Its designation with the date.
    pub reference: String,
}

/// A unit of a standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActualText {
    /// The citation of the unit, or its label.
    pub cite: String,
    /// Its text.
    pub text: String,
}

impl From<DocumentPosition> for FindingPosition {
    fn from(position: DocumentPosition) -> Self {
        match position {
            DocumentPosition::Line(line) => Self::Line { line },
            DocumentPosition::Paragraph(part, paragraph) => {
                let part = match part {
                    DocumentPart::Body => "body",
                    DocumentPart::Footnotes => "footnotes",
                    DocumentPart::Endnotes => "endnotes",
                };
                Self::Paragraph { part, paragraph }
            }
        }
    }
}

/// The position for people: `12`, `paragraph 3`, `footnotes, paragraph 2`.
impl fmt::Display for FindingPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line } => write!(f, "{line}"),
            Self::Paragraph { part: "body", paragraph } => write!(f, "paragraph {paragraph}"),
            Self::Paragraph { part, paragraph } => write!(f, "{part}, paragraph {paragraph}"),
        }
    }
}

/// The fingerprint of a finding: hexadecimal digits of a digest.
pub(crate) fn fingerprint(file: &str, rule: ReviewRule, citation: &str, quotation: Option<&str>) -> String {
    let mut digest = Sha256::new();
    for part in [file, rule.id(), citation, quotation.unwrap_or_default()] {
        let words: Vec<&str> = part.split_whitespace().collect();
        digest.update(words.join(" "));
        digest.update([0]);
    }
    let mut text = String::new();
    for byte in &digest.finalize()[..16] {
        use fmt::Write;
        _ = write!(text, "{byte:02x}");
    }
    text
}
