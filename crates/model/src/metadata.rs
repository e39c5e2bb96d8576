//! Metadata of an edition.

use std::collections::BTreeMap;

use crate::{Lang, PartialDate, PartialUrn, SupplementKind};

/// Metadata of an edition: designation, titles, numbers, dates, rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Designation with its date: `ISO 17301-1:2016`.
    pub reference: String,
    /// Titles by language.
    pub titles: BTreeMap<Lang, Title>,
    /// Publisher as written: `ISO`, `ISO/IEC`.
    pub publisher: String,
    /// Kind of document.
    pub standard_type: StandardType,
    /// Kind of document as written.
    pub type_label: Option<String>,
    /// Number without part: `17301`.
    pub number: String,
    /// Part: `1`.
    pub part: Option<String>,
    /// Which supplement it is, where it is one.
    pub supplement: Option<Supplement>,
    /// Edition as the URN counts it: `2`, `2008-12`.
    pub edition: String,
    /// Document version as written.
    pub version: Option<String>,
    /// Stage code (`60.60`) or word as written.
    pub stage: Option<String>,
    /// Languages of the text; the first is the main one. Never empty.
    pub languages: Vec<Lang>,
    /// Dates by name: `published`, `released`, `withdrawn`…
    pub dates: BTreeMap<String, PartialDate>,
    /// Responsible committee.
    pub committee: Option<String>,
    /// Secretariat of the committee.
    pub secretariat: Option<String>,
    /// Rights.
    pub copyright: Option<Copyright>,
    /// Pages of the printed form.
    pub page_count: Option<u32>,
    /// Other identifiers that the source states or that mean the same: they resolve as aliases.
    pub identifiers: Vec<String>,
    /// The documents it adopts, outermost first.
    pub adoption_of: Vec<Adoption>,
}

impl Metadata {
    /// Day, month or year of publication: the date named `published`, else `released`.
    pub fn published_on(&self) -> Option<&PartialDate> {
        self.dates.get("published").or_else(|| self.dates.get("released"))
    }

    /// The main language of the text.
    pub fn language(&self) -> &Lang {
        self.languages.first().expect("an edition has at least one language")
    }

    /// The title in the main language, else in English, else the first.
    pub fn title(&self) -> Option<&Title> {
        self.titles
            .get(self.language())
            .or_else(|| self.titles.get(&Lang::en()))
            .or_else(|| self.titles.values().next())
    }
}

/// A title and its elements (ISO/IEC Directives, Part 2, clause on titles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// Introductory element: the field.
    pub intro: Option<String>,
    /// Main element: the subject.
    pub main: Option<String>,
    /// Complementary element: the part.
    pub complement: Option<String>,
    /// The whole title.
    pub full: String,
}

/// Kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StandardType {
    /// Standard.
    Is,
    /// Technical specification.
    Ts,
    /// Technical report.
    Tr,
    /// Publicly available specification.
    Pas,
    /// International workshop agreement.
    Iwa,
    /// Guide.
    Guide,
    /// Amendment.
    Amendment,
    /// Corrigendum.
    Corrigendum,
    /// Anything else.
    Other,
}

/// Whether an edition is in force. The source decides the first value, the catalogue later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not published yet.
    Draft,
    /// In force.
    Published,
    /// A later edition replaces it.
    Superseded,
    /// No longer in force.
    Withdrawn,
}

/// Which supplement a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supplement {
    /// Amendment, corrigendum or addendum.
    pub kind: SupplementKind,
    /// Its number: `1`.
    pub number: String,
    /// Its year.
    pub year: Option<String>,
}

/// Rights in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copyright {
    /// The statement.
    pub statement: Option<String>,
    /// The year.
    pub year: Option<String>,
    /// The holder.
    pub holder: Option<String>,
}

/// A document that this one adopts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// Its designation as written.
    pub reference: String,
    /// Its URN, when its own metadata or the reference state it.
    pub urn: Option<PartialUrn>,
}

/// A class of the International Classification for Standards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ics {
    /// Dotted code: `67.060`.
    pub code: String,
    /// Title as the source states it.
    pub title: Option<String>,
}
