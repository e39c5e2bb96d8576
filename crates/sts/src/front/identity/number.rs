//! Number, part and supplement: as stated, else from the designation.

use norma_model::urn::segment;
use norma_model::{PartialUrn, SupplementKind};

use super::super::fields::{value, values};
use super::designation::ParsedDesignation;
use super::{Identity, IdentitySource};
use crate::xml::names::Name;

impl Identity {
    pub(super) fn read_number(&mut self, source: &mut IdentitySource<'_, '_>) {
        let (block, parts) = (source.block, source.parts.clone());
        self.part = value(block, Name::PartNumber).map(|p| p.trim_start_matches(['-', ' ']).to_owned());
        for sub in values(block, Name::SubPartNumber) {
            self.part = Some(self.part.take().map_or(sub.clone(), |part| format!("{part}-{sub}")));
        }
        let stated = value(block, Name::DocNumber)
            .map(|n| without_type(without_language(&n), self.doc_type.as_deref()));
        self.number = match stated {
            // The metadata may leave the letter of the series out, which the designation has: `S-44`.
            Some(number) if is_tail(&segment(&number), &parts.number) => Some(parts.number.to_uppercase()),
            // The designation has the annex, which the metadata may leave out or give as a part.
            Some(number) if is_annex_of(&segment(&number), &parts.number) => {
                self.part.take_if(|part| parts.number.ends_with(&segment(part)));
                Some(parts.number.to_uppercase())
            }
            Some(number) => Some(match &self.part {
                Some(part) => number.strip_suffix(&format!("-{part}")).unwrap_or(&number).to_owned(),
                None => number,
            }),
            None => {
                let found = (!parts.number.is_empty()).then(|| parts.number.clone());
                let from_project = || {
                    let project = PartialUrn::from_reference(&value(block, Name::ProjId)?)?;
                    Some(project.urn.parts().number)
                };
                let designation = source.designation.as_ref();
                let bare = || bare_number(&designation?.text, self.publisher_as_written.as_deref());
                let number = found.or_else(from_project).or_else(bare);
                if let Some(number) = &number {
                    let message = format!("`doc-number` is empty; the reference says `{number}`");
                    source.note("number-worked-out", message);
                }
                number
            }
        };
        self.number = self.number.take().map(|number| self.with_annex(number, source.designation.as_ref()));
        let names_number = |text: &str, number: &String| segment(text).contains(&segment(number));
        let own = source.designation.as_ref().filter(|own| own.parts.is_none());
        if let Some(own) = own
            && !self.number.as_ref().is_some_and(|number| names_number(&own.text, number))
        {
            let message = format!("the reference `{}` names no document", own.text);
            source.note("reference-without-number", message);
        }
        let Some(number) = self.number.clone() else { return };
        if self.part.is_none() && parts.part.is_some() {
            let whole = format!("{}-{}", parts.number, parts.part.as_deref().unwrap_or_default());
            let agrees = segment(&number) == segment(&parts.number) || segment(&number) == segment(&whole);
            if agrees {
                self.part.clone_from(&parts.part);
                self.number =
                    Some(if segment(&number) == segment(&whole) { parts.number.clone() } else { number });
                if let Some(part) = &self.part {
                    let message = format!("`part-number` is empty; the reference says `{part}`");
                    source.note("part-worked-out", message);
                }
            }
        }
    }

    /// A number with the annex of the designation, if the document is one: the annexes of a recommendation
    /// are documents of their own.
    fn with_annex(&self, number: String, designation: Option<&ParsedDesignation>) -> String {
        let is_annex = self.type_label.as_deref().is_some_and(|label| segment(label).ends_with("-annex"));
        let has_annex = |text: &str| segment(text).contains("annex");
        if !is_annex || has_annex(&number) || self.part.as_deref().is_some_and(has_annex) {
            return number;
        }
        let annex = designation.and_then(|own| {
            let (_, after) = own.text.split_once("Annex ")?;
            after.split([' ', '(', ':', ',']).next().filter(|letter| !letter.is_empty())
        });
        annex.map_or(number.clone(), |letter| format!("{number} Annex {letter}"))
    }

    pub(super) fn read_supplement(&mut self, source: &mut IdentitySource<'_, '_>) {
        let block = source.block;
        let stated = value(block, Name::SupplType).zip(value(block, Name::SupplNumber));
        match stated.and_then(|(kind, number)| Some((supplement_kind(&kind)?, number))) {
            Some(supplement) => self.supplements = vec![supplement],
            None if !source.parts.supplements.is_empty() => {
                self.supplements.clone_from(&source.parts.supplements);
                let message = "`suppl-type` is empty; the reference names the supplement";
                source.note("supplement-worked-out", message);
            }
            None => {}
        }
        if !self.supplements.is_empty() {
            self.supplement_year = source.designation.as_ref().and_then(|t| t.year.clone());
        }
    }
}

/// `IWA 30` of type `iwa` is number `30`.
fn without_type(number: &str, doc_type: Option<&str>) -> String {
    let rest = doc_type.and_then(|code| {
        let head = number.get(..code.len()).filter(|head| head.eq_ignore_ascii_case(code))?;
        number[head.len()..].strip_prefix([' ', '-', '\u{a0}'])
    });
    rest.unwrap_or(number).trim().to_owned()
}

/// Whether a designated number is this one with an annex: `g.729-annex-a` of `g.729`.
fn is_annex_of(number: &str, designated: &str) -> bool {
    designated.strip_prefix(number).is_some_and(|rest| rest.starts_with("-annex-"))
}

/// Whether a number is the designation's without the letter of its series (`8` of `a.8`), or without the year
/// of a resolution.
fn is_tail(number: &str, designated: &str) -> bool {
    let head = designated.strip_suffix(number).and_then(|head| head.strip_suffix(['-', '.']));
    let year = |head: &str| head.len() == 4 && head.bytes().all(|b| b.is_ascii_digit());
    let letters = |head: &str| !head.is_empty() && head.bytes().all(|b| b.is_ascii_lowercase());
    head.is_some_and(|head| letters(head) || year(head))
}

/// A number without the language mark at its end: `GE.19-00825(E)`.
fn without_language(number: &str) -> &str {
    let head = number.trim_end().strip_suffix(')').and_then(|head| head.rsplit_once('('));
    let mark = |mark: &str| mark.len() <= 2 && mark.bytes().all(|b| b.is_ascii_alphabetic());
    head.filter(|(_, language)| mark(language)).map_or(number, |(number, _)| number.trim_end())
}

/// The part of a designation between its publisher and its date; `None` where only a date is left, as in
/// `:8 Ap`.
fn bare_number(reference: &str, publisher: Option<&str>) -> Option<String> {
    let rest = publisher.and_then(|p| reference.strip_prefix(p)).unwrap_or(reference);
    let number = rest.trim_matches([' ', '/', '\u{a0}']).split(':').next()?.trim();
    number.chars().any(char::is_alphanumeric).then(|| number.to_owned())
}

fn supplement_kind(text: &str) -> Option<SupplementKind> {
    let lower = text.trim().to_ascii_lowercase();
    match lower.get(..3)? {
        "amd" | "ame" => Some(SupplementKind::Amendment),
        "cor" => Some(SupplementKind::Corrigendum),
        "add" => Some(SupplementKind::Addendum),
        _ => None,
    }
}
