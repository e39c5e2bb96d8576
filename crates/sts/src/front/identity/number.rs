//! Number, part and supplement: as stated, else from the designation.

use norma_model::urn::{UrnParts, segment};
use norma_model::{PartialUrn, SupplementKind};

use super::super::fields::{value, values};
use super::designation::ParsedDesignation;
use super::{Identity, IdentitySource};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl Identity {
    /// Reads the number, and the part where it is not stated. A `doc-number` counts before the designation.
    pub(super) fn read_number(&mut self, source: &mut IdentitySource<'_, '_>) {
        self.part = stated_part(source.block);
        let number = match value(source.block, Name::DocNumber) {
            Some(stated) => {
                let number = without_type(without_language(&stated), self.doc_type.as_deref());
                Some(self.completed(number, &source.parts))
            }
            None => self.derived_number(source),
        };
        self.number = number.map(|number| self.with_annex(number, source.designation.as_ref()));
        self.check_designation(source);
        self.derive_part(source);
    }

    /// A stated number with what only the designation has of it, and without the part.
    fn completed(&mut self, stated: String, designated: &UrnParts) -> String {
        let number = segment(&stated);
        // The metadata may leave the letter of the series out, which the designation has: `S-44`.
        if is_tail(&number, &designated.number) {
            return designated.number.to_uppercase();
        }
        // The designation has the annex, which the metadata may leave out or give as a part.
        if is_annex_of(&number, &designated.number) {
            self.part.take_if(|part| designated.number.ends_with(&segment(part)));
            return designated.number.to_uppercase();
        }
        let Some(part) = &self.part else { return stated };
        match stated.strip_suffix(&format!("-{part}")) {
            Some(number) => number.to_owned(),
            None => stated,
        }
    }

    /// The number of the designation, else of the project, else all that the designation has for one.
    fn derived_number(&self, source: &mut IdentitySource<'_, '_>) -> Option<String> {
        let designated = source.parts.number.clone();
        let number = if designated.is_empty() {
            let publisher = self.publisher_as_written.as_deref();
            number_of_project(source.block)
                .or_else(|| bare_number(&source.designation.as_ref()?.text, publisher))?
        } else {
            designated
        };
        source.note("number-worked-out", format!("`doc-number` is empty; the reference says `{number}`"));
        Some(number)
    }

    /// Reports a designation that cannot be read and does not have the number either.
    fn check_designation(&self, source: &mut IdentitySource<'_, '_>) {
        let Some(own) = &source.designation else { return };
        if own.parts.is_some() {
            return;
        }
        if let Some(number) = &self.number
            && segment(&own.text).contains(&segment(number))
        {
            return;
        }
        let message = format!("the reference `{}` names no document", own.text);
        source.note("reference-without-number", message);
    }

    /// Takes the part of the designation where none is stated. The stated number may have it at its end.
    fn derive_part(&mut self, source: &mut IdentitySource<'_, '_>) {
        let (Some(number), None, Some(part)) = (&self.number, &self.part, source.parts.part.clone()) else {
            return;
        };
        let designated = &source.parts.number;
        let number = segment(number);
        if number == segment(&format!("{designated}-{part}")) {
            self.number = Some(designated.clone());
        } else if number != segment(designated) {
            return;
        }
        source.note("part-worked-out", format!("`part-number` is empty; the reference says `{part}`"));
        self.part = Some(part);
    }

    /// A number with the annex of the designation, if the document is one: the annexes of a recommendation
    /// are documents of their own.
    fn with_annex(&self, number: String, designation: Option<&ParsedDesignation>) -> String {
        let is_annex = self.type_label.as_deref().is_some_and(|label| segment(label).ends_with("-annex"));
        let has_annex = |text: &str| segment(text).contains("annex");
        if !is_annex || has_annex(&number) || self.part.as_deref().is_some_and(has_annex) {
            return number;
        }
        match designation.and_then(|own| letter_of_annex(&own.text)) {
            Some(letter) => format!("{number} Annex {letter}"),
            None => number,
        }
    }

    /// Reads the supplement that the document is: the stated one, else those of the designation.
    pub(super) fn read_supplement(&mut self, source: &mut IdentitySource<'_, '_>) {
        if let Some(supplement) = stated_supplement(source.block) {
            self.supplements = vec![supplement];
        } else if !source.parts.supplements.is_empty() {
            self.supplements.clone_from(&source.parts.supplements);
            let message = "`suppl-type` is empty; the reference names the supplement";
            source.note("supplement-worked-out", message);
        }
        if !self.supplements.is_empty() {
            self.supplement_year = source.designation.as_ref().and_then(|t| t.year.clone());
        }
    }
}

/// The part and sub-part that the metadata states: `1-2`.
fn stated_part(block: XmlNode<'_>) -> Option<String> {
    let part_number = value(block, Name::PartNumber);
    let mut part = part_number.map(|part| part.trim_start_matches(['-', ' ']).to_owned());
    for sub_part in values(block, Name::SubPartNumber) {
        part = match part {
            Some(part) => Some(format!("{part}-{sub_part}")),
            None => Some(sub_part),
        };
    }
    part
}

fn number_of_project(block: XmlNode<'_>) -> Option<String> {
    let project = PartialUrn::from_reference(&value(block, Name::ProjId)?)?;
    Some(project.urn.parts().number)
}

fn stated_supplement(block: XmlNode<'_>) -> Option<(SupplementKind, String)> {
    let kind = value(block, Name::SupplType)?;
    let number = value(block, Name::SupplNumber)?;
    Some((supplement_kind(&kind)?, number))
}

/// The letter after `Annex` in a designation: `A` of `ITU-T G.729 Annex A (01/2007)`.
fn letter_of_annex(designation: &str) -> Option<&str> {
    let (_, after) = designation.split_once("Annex ")?;
    let letter = after.split([' ', '(', ':', ',']).next()?;
    if letter.is_empty() { None } else { Some(letter) }
}

/// `IWA 30` of type `iwa` is number `30`.
fn without_type(number: &str, doc_type: Option<&str>) -> String {
    let rest = doc_type.and_then(|code| after_type(number, code));
    rest.unwrap_or(number).trim().to_owned()
}

/// What follows a type and a separator at the start of a number.
fn after_type<'n>(number: &'n str, code: &str) -> Option<&'n str> {
    let head = number.get(..code.len())?;
    if !head.eq_ignore_ascii_case(code) {
        return None;
    }
    number[code.len()..].strip_prefix([' ', '-', '\u{a0}'])
}

/// The designated number is this one with an annex: `g.729-annex-a` of `g.729`.
fn is_annex_of(number: &str, designated: &str) -> bool {
    designated.strip_prefix(number).is_some_and(|rest| rest.starts_with("-annex-"))
}

/// The number is the designation's without the letter of its series (`8` of `a.8`), or without the year of a
/// resolution.
fn is_tail(number: &str, designated: &str) -> bool {
    let Some(head) = designated.strip_suffix(number) else { return false };
    let Some(head) = head.strip_suffix(['-', '.']) else { return false };
    let is_year = head.len() == 4 && head.bytes().all(|b| b.is_ascii_digit());
    let is_series = !head.is_empty() && head.bytes().all(|b| b.is_ascii_lowercase());
    is_year || is_series
}

/// A number without the language mark at its end: `GE.19-00825(E)`.
fn without_language(number: &str) -> &str {
    let Some(opened) = number.trim_end().strip_suffix(')') else { return number };
    let Some((before, mark)) = opened.rsplit_once('(') else { return number };
    if mark.len() <= 2 && mark.bytes().all(|b| b.is_ascii_alphabetic()) {
        return before.trim_end();
    }
    number
}

/// The part of a designation between its publisher and its date; `None` where only a date is left, as in
/// `:8 Ap`.
fn bare_number(reference: &str, publisher: Option<&str>) -> Option<String> {
    let rest = publisher.and_then(|publisher| reference.strip_prefix(publisher)).unwrap_or(reference);
    let number = rest.trim_matches([' ', '/', '\u{a0}']).split(':').next()?.trim();
    if number.chars().any(char::is_alphanumeric) { Some(number.to_owned()) } else { None }
}

/// The kind of a supplement, by the first three letters: `Amd`, `Amendment`, `Cor.`.
fn supplement_kind(text: &str) -> Option<SupplementKind> {
    let lower = text.trim().to_ascii_lowercase();
    match lower.get(..3)? {
        "amd" | "ame" => Some(SupplementKind::Amendment),
        "cor" => Some(SupplementKind::Corrigendum),
        "add" => Some(SupplementKind::Addendum),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_without_its_type_and_language() {
        assert_eq!(without_type("IWA 30", Some("iwa")), "30");
        assert_eq!(without_type("IWA 30", Some("tr")), "IWA 30");
        assert_eq!(without_language("GE.19-00825(E)"), "GE.19-00825");
        assert_eq!(without_language("9999(draft)"), "9999(draft)");
    }

    #[test]
    fn a_number_is_the_tail_of_a_designated_one_behind_a_series_or_a_year() {
        assert!(is_tail("8", "a.8") && is_tail("44", "s-44") && is_tail("12", "2015-12"));
        assert!(!is_tail("8", "18") && !is_tail("8", "8") && !is_tail("8", "15-8"));
    }

    #[test]
    fn what_is_left_of_a_designation_is_a_number_only_with_a_letter_or_digit() {
        assert_eq!(bare_number("ABC M-1:2020", Some("ABC")).as_deref(), Some("M-1"));
        assert_eq!(bare_number(":8 Ap", None), None);
    }
}
