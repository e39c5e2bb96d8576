//! Aliases: other forms of URNs that publishers write, in RFC 5141's own order, Metanorma's, IEC's and NEN's
//! fields, IETF's (RFC 2648).

use super::identifier::is_published;
use super::prefix::begins_with_digit;
use super::{PartialUrn, UrnError, UrnParts, grammar};
use crate::{Lang, SupplementKind};

/// A parsed alias: `<publisher>:std:`, then a number and segments in any order.
#[derive(Default)]
pub(super) struct AliasForm {
    parts: UrnParts,
    /// Date of an IEC or NEN form: `1998`, `2010-05`.
    pub(super) date: Option<String>,
    /// Set where the form has parts that a canonical URN cannot express: an adjunct, a deliverable, a second
    /// edition.
    beyond: bool,
}

impl AliasForm {
    /// Parses an alias in lower case, without `urn:` and without colons at its end.
    pub(super) fn read(alias: &str) -> Result<Self, UrnError> {
        check_characters(alias)?;
        // An adjunct belongs to an edition but has no canonical form; only its source identifies the
        // document.
        let base = alias.split(['|', '_', '+']).next().unwrap_or_default();
        let has_adjunct = base.len() < alias.len();
        let mut form = Self { beyond: has_adjunct, ..Self::default() };
        let mut segments = base.trim_end_matches(':').split(':');
        form.parts.publisher = segments.next().unwrap_or_default().to_owned();
        let segments: Vec<&str> = segments.collect();
        // `ietf:rfc:8141`, `ietf:id:draft-…`.
        if form.parts.publisher == "ietf"
            && let [series @ ("rfc" | "fyi" | "bcp" | "id"), number] = segments.as_slice()
        {
            let needs_prefix = *series == "id" && !number.starts_with("draft-");
            let prefix = if needs_prefix { "draft-" } else { "" };
            form.parts.originator = Some("ietf".to_owned());
            form.parts.doc_type = Some((*series).to_owned());
            form.parts.number = format!("{prefix}{number}");
            PartialUrn::new(form.parts.clone())?;
            return Ok(form);
        }
        let ["std", segments @ ..] = segments.as_slice() else {
            let reason =
                "expected `urn:<publisher>:std:` at the beginning, as in `urn:iso:std:iso:9227:ed-5:en`";
            return Err(UrnError::new("std", reason));
        };
        let rest = form.read_head(segments)?;
        form.read_tail(rest)?;
        // The shape is right; what the parts hold is checked as it is for a canonical URN.
        let mut parts = form.parts.clone();
        if parts.edition.is_none() {
            parts.languages.clear();
        }
        PartialUrn::new(parts)?;
        Ok(form)
    }

    /// Originator, type, number and part; returns the segments after them.
    fn read_head<'s, 'a>(&mut self, segments: &'s [&'a str]) -> Result<&'s [&'a str], UrnError> {
        let Some(at) = number_index(segments) else {
            return Err(UrnError::new(
                "number",
                "it is missing: write `<publisher>:std:<originator>:<number>`",
            ));
        };
        if at > 0 {
            self.parts.originator = Some(segments[0].to_owned());
        }
        if at > 1 {
            self.parts.doc_type = Some(segments[1].to_owned());
        }
        let number = segments[at];
        let rest = &segments[at + 1..];
        self.parts.number = number.to_owned();
        if let [segment, after @ ..] = rest
            && let Some(part) = part_in(segment)
        {
            self.parts.part = Some(part.to_owned());
            return Ok(after);
        }
        // IEC leaves the part inside the number.
        if self.parts.publisher == "iec"
            && let Some((number, part)) = number.split_once('-')
            && grammar::is_number(number)
        {
            self.parts.number = number.to_owned();
            self.parts.part = Some(part.to_owned());
        }
        Ok(rest)
    }

    /// Reads the segments after the number, in any order.
    fn read_tail(&mut self, mut segments: &[&str]) -> Result<(), UrnError> {
        // IEC's and NEN's forms have empty fields and dates, and words that other forms do not have.
        let has_fields = segments.iter().any(|segment| segment.is_empty() || is_date(segment));
        while let [segment, rest @ ..] = segments {
            segments = self.read_segment(segment, rest, has_fields)?;
        }
        Ok(())
    }

    /// Reads one segment after the number, with those that belong to it; returns the rest.
    fn read_segment<'s, 'a>(
        &mut self,
        segment: &str,
        rest: &'s [&'a str],
        has_fields: bool,
    ) -> Result<&'s [&'a str], UrnError> {
        if segment.is_empty() || is_version(segment) {
            return Ok(rest);
        }
        if let Some(edition) = segment.strip_prefix("ed-") {
            let is_second = self.parts.edition.is_some();
            self.beyond |= is_second;
            self.parts.edition = Some(edition.to_owned());
            return Ok(rest);
        }
        if grammar::is_stage(segment) {
            let is_second = self.parts.stage.is_some();
            self.beyond |= is_second;
            self.parts.stage = Some(segment.to_owned());
            return Ok(rest);
        }
        // `stage-draft.v2` is not a stage code of a canonical URN.
        if segment.starts_with("stage-") {
            self.beyond = true;
            return Ok(rest);
        }
        if let Some(kind) = SupplementKind::from_code(segment) {
            return self.read_supplement(kind, rest);
        }
        if is_date(segment) {
            if self.date.is_none() {
                self.date = Some(segment.to_owned());
            }
            return Ok(rest);
        }
        if matches!(segment, "clause" | "figure" | "table" | "term") {
            let reason = format!("`{segment}:` names a part of a standard: ask the standard for a selection");
            return Err(UrnError::new("docelement", reason));
        }
        if let Some(languages) = languages_in(segment) {
            self.parts.languages = languages;
            return Ok(rest);
        }
        if segment == "sup" {
            self.beyond = true;
            let after_number = rest.get(1..).unwrap_or_default();
            return Ok(after_number);
        }
        if segment == "cancelled" || has_fields && is_word(segment) {
            self.beyond = true;
            return Ok(rest);
        }
        Err(UrnError::new("segment", format!("`{segment}` is not allowed after the number")))
    }

    /// Reads the number after the kind of a supplement; returns the rest.
    fn read_supplement<'s, 'a>(
        &mut self,
        kind: SupplementKind,
        segments: &'s [&'a str],
    ) -> Result<&'s [&'a str], UrnError> {
        let [number, rest @ ..] = segments else {
            let reason = format!("expected a number after `{}:`", kind.code());
            return Err(UrnError::new("supplement", reason));
        };
        let mut number = *number;
        // Metanorma writes the year first, then the number as version.
        if is_date(number)
            && let [version, ..] = rest
            && let Some(ordinal) = version.strip_prefix('v')
            && grammar::is_number(ordinal)
        {
            number = ordinal;
        }
        self.parts.supplements.push((kind, number.to_owned()));
        Ok(rest)
    }

    /// The URN of this form; `None` if it has parts that a URN cannot express.
    pub(super) fn into_urn(self) -> Option<PartialUrn> {
        if self.beyond || self.date.is_some() {
            return None;
        }
        self.undated()
    }

    /// The URN of this form without regard to its date.
    pub(super) fn undated(self) -> Option<PartialUrn> {
        let mut parts = self.parts;
        if parts.stage.as_deref().is_some_and(is_published) {
            // A published stage identifies an edition only where the edition is stated.
            parts.edition.as_ref()?;
            parts.stage = None;
        }
        PartialUrn::new(parts).ok()
    }
}

/// Refuses the first character that no form of an alias has.
fn check_characters(alias: &str) -> Result<(), UrnError> {
    for c in alias.chars() {
        if grammar::fits_segment(c) || matches!(c, ':' | '|' | '_' | '+') {
            continue;
        }
        let reason = match c {
            '#' | '=' => "it names a part of a standard: leave out the character and everything after it",
            _ => "write letters, digits, full stops, commas and hyphens between colons",
        };
        let reason = format!("`{}` is not allowed there: {reason}", c.escape_debug());
        return Err(UrnError::new("character", reason));
    }
    Ok(())
}

/// Index of the number among the first three segments: the first that begins with a digit, else the first
/// that holds one (`iso-hl7:10781`, `itu-t:p.1203`).
fn number_index(segments: &[&str]) -> Option<usize> {
    let head = &segments[..segments.len().min(3)];
    let beginning_with_digit = head.iter().position(|segment| begins_with_digit(segment));
    if beginning_with_digit.is_some() {
        return beginning_with_digit;
    }
    head.iter().position(|segment| segment.bytes().any(|b| b.is_ascii_digit()))
}

/// The part in the segment after the number; `None` if the segment is something else.
fn part_in(segment: &str) -> Option<&str> {
    if let Some(part) = segment.strip_prefix('-') {
        return Some(part);
    }
    // RFC 5141 has one example of a part without the hyphen.
    if segment.len() < 4 && grammar::is_number(segment) { Some(segment) } else { None }
}

/// RFC 5141's docversion: `v1`, `v1-amd1.v1`.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(begins_with_digit)
}

/// YYYY, YYYY-MM or YYYY-MM-DD of a standard: from 1850 on.
pub(super) fn is_date(segment: &str) -> bool {
    (segment.starts_with("18") || segment.starts_with("19") || segment.starts_with("20"))
        && segment.parse::<crate::PartialDate>().is_ok()
}

fn is_word(segment: &str) -> bool {
    (1..=12).contains(&segment.len()) && segment.bytes().all(|b| b.is_ascii_lowercase())
}

/// Languages of two letters, with commas or hyphens between them; `None` if a segment is something else.
fn languages_in(segment: &str) -> Option<Vec<Lang>> {
    let mut languages = Vec::new();
    for tag in segment.split([',', '-']) {
        if tag.len() != 2 {
            return None;
        }
        languages.push(tag.parse().ok()?);
    }
    Some(languages)
}
