//! Metadata of an edition.

use std::collections::BTreeMap;

use crate::{Lang, PartialDate, PartialUrn, SupplementKind};

/// Metadata of an edition: designation, titles, numbers, dates, rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Designation with its date: `ISO 17301-1:2016`.
    pub reference: String,
    /// Titles of the document by language.
    pub titles: BTreeMap<Lang, Title>,
    /// Publisher as written: `ISO`, `ISO/IEC`.
    pub publisher: String,
    /// Kind of document, `Other` where the source names none that is known.
    pub standard_type: StandardType,
    /// Kind of document as written.
    pub type_label: Option<String>,
    /// Number without part: `17301`.
    pub number: String,
    /// Part without its hyphen: `1`.
    pub part: Option<String>,
    /// The supplement, if it is one.
    pub supplement: Option<Supplement>,
    /// Edition as the URN counts it: `2`, `2008-12`.
    pub edition: String,
    /// Document version as written.
    pub version: Option<String>,
    /// Stage code (`60.60`) or word as written.
    pub stage: Option<String>,
    /// Languages of the text; the first is the main one. Never empty.
    pub languages: Vec<Lang>,
    /// Languages for which provisions are derived, if the text is in another one too; otherwise empty.
    pub provision_languages: Vec<Lang>,
    /// Dates by name: `published`, `released`, `withdrawn`…
    pub dates: BTreeMap<String, PartialDate>,
    /// Year or date in the designation.
    pub reference_date: Option<PartialDate>,
    /// Committee that is responsible, as written.
    pub committee: Option<String>,
    /// Secretariat of the committee.
    pub secretariat: Option<String>,
    /// Rights in the document, as far as the source states them.
    pub copyright: Option<Copyright>,
    /// Pages of the printed form.
    pub page_count: Option<u32>,
    /// Set where the text may state duties without a verbal form, which are not among the provisions.
    pub duties_without_verbal_form: bool,
    /// Other identifiers that the source states or that have the same meaning: they resolve as aliases.
    pub identifiers: Vec<String>,
    /// The documents it adopts, outermost first.
    pub adoption_of: Vec<Adoption>,
}

impl Metadata {
    /// Day, month or year of publication, as far as it is known. It is the date named `published`, else
    /// `released`, else that of the designation, else the latest year of the copyright.
    pub fn published_on(&self) -> Option<PartialDate> {
        let stated = self.dates.get("published").or_else(|| self.dates.get("released"));
        if let Some(date) = stated.or(self.reference_date.as_ref()) {
            return Some(date.clone());
        }
        self.copyright.as_ref()?.latest_year()
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
    /// The whole title as plain text.
    pub full: String,
}

/// Kind of document, as ISO names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StandardType {
    /// International or other standard.
    Is,
    /// Technical specification, abbreviated `TS`.
    Ts,
    /// Technical report (TR), which is informative.
    Tr,
    /// Publicly available specification (PAS).
    Pas,
    /// International workshop agreement (IWA).
    Iwa,
    /// Guide for those who write or use standards.
    Guide,
    /// Amendment of another document (AMD).
    Amendment,
    /// Corrigendum of another document (COR).
    Corrigendum,
    /// Any other kind, or none stated.
    Other,
}

/// The state of an edition. The source decides the first value, the catalogue later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A draft, which is not yet in force.
    Draft,
    /// Published and in force.
    Published,
    /// A later edition replaces it.
    Superseded,
    /// Not in force, because the publisher withdrew it.
    Withdrawn,
}

/// Which supplement a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supplement {
    /// Amendment, corrigendum or addendum.
    pub kind: SupplementKind,
    /// Number of the supplement: `1`.
    pub number: String,
    /// Year of the supplement.
    pub year: Option<String>,
}

/// Rights in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copyright {
    /// The statement as written: `© ISO 2016`.
    pub statement: Option<String>,
    /// The year or years as written.
    pub year: Option<String>,
    /// The holder of the rights as written.
    pub holder: Option<String>,
}

impl Copyright {
    /// The latest year: that of the member, else the one after the sign in the statement.
    fn latest_year(&self) -> Option<PartialDate> {
        if let Some(year) = self.year.as_deref().and_then(latest_year_in) {
            return Some(year);
        }
        let (_, after_sign) = self.statement.as_deref()?.split_once('©')?;
        // The years of the sign are in its sentence; another one may be that of the printing.
        latest_year_in(after_sign.split('.').next().unwrap_or_default())
    }
}

fn latest_year_in(text: &str) -> Option<PartialDate> {
    let mut latest: Option<PartialDate> = None;
    for digits in text.split(|c: char| !c.is_ascii_digit()) {
        if digits.len() != 4 {
            continue;
        }
        let year: Option<PartialDate> = digits.parse().ok();
        latest = latest.max(year);
    }
    latest
}

/// A document that this one adopts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// Designation of that document as written.
    pub reference: String,
    /// URN of that document, when its own metadata or the reference state it.
    pub urn: Option<PartialUrn>,
}

/// A class of the International Classification for Standards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ics {
    /// Code with full stops: `67.060`.
    pub code: String,
    /// Title as the source states it.
    pub title: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_year_of_a_copyright_counts() {
        for (year, statement, latest) in [
            (Some("2016"), None, Some("2016")),
            (Some("2010, 2016"), None, Some("2016")),
            (Some("n.d."), Some("© NSB 2014–2018. Printed in 2020."), Some("2018")),
            (None, Some("Published in 2016 at Hall 2001"), None),
            (None, None, None),
        ] {
            let [year, statement] = [year, statement].map(|text: Option<&str>| text.map(str::to_owned));
            let copyright = Copyright { statement, year, holder: None };
            assert_eq!(copyright.latest_year().as_ref().map(PartialDate::as_str), latest, "{copyright:?}");
        }
    }
}
