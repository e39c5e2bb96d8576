//! Aliases: other forms of URNs that publishers write, in RFC 5141's own order, Metanorma's, IEC's and NEN's
//! fields, IETF's (RFC 2648).

use super::identifier::is_published;
use super::{PartialUrn, UrnError, UrnParts, grammar};
use crate::SupplementKind;

/// A parsed alias: `<publisher>:std:`, then a number and segments in any order.
#[derive(Default)]
pub(super) struct AliasForm {
    parts: UrnParts,
    /// Date of an IEC or NEN form: `1998`, `2010-05`.
    pub(super) date: Option<String>,
    /// Whether it has parts that a canonical URN cannot express: an adjunct, a deliverable, a second edition.
    beyond: bool,
}

impl AliasForm {
    /// Parses an alias in lower case, without `urn:` and without colons at its end.
    pub(super) fn read(alias: &str) -> Result<Self, UrnError> {
        let known = |c: char| grammar::fits_segment(c) || matches!(c, ':' | '|' | '_' | '+');
        if let Some(c) = alias.chars().find(|&c| !known(c)) {
            let reason = match c {
                '#' | '=' => "it names a part of a standard: leave out the character and everything after it"
                    .to_owned(),
                _ => "write letters, digits, full stops, commas and hyphens between colons".to_owned(),
            };
            return Err(UrnError::new(
                "character",
                format!("`{}` is not allowed there: {reason}", c.escape_debug()),
            ));
        }
        // An adjunct belongs to an edition but has no canonical form; only its source identifies the
        // document.
        let base = alias.split(['|', '_', '+']).next().unwrap_or_default();
        let mut segments = base.trim_end_matches(':').split(':');
        let mut form = Self { beyond: base.len() < alias.len(), ..Self::default() };
        form.parts.publisher = segments.next().unwrap_or_default().to_owned();
        let rest: Vec<&str> = segments.collect();
        // `ietf:rfc:8141`, `ietf:id:draft-…`.
        if let ("ietf", [series @ ("rfc" | "fyi" | "bcp" | "id"), number]) =
            (form.parts.publisher.as_str(), rest.as_slice())
        {
            let draft = if *series == "id" && !number.starts_with("draft-") { "draft-" } else { "" };
            form.parts.originator = Some("ietf".to_owned());
            form.parts.doc_type = Some((*series).to_owned());
            form.parts.number = format!("{draft}{number}");
            PartialUrn::new(form.parts.clone())?;
            return Ok(form);
        }
        let mut segments = rest.into_iter();
        if segments.next() != Some("std") {
            let reason =
                "expected `urn:<publisher>:std:` at the beginning, as in `urn:iso:std:iso:9227:ed-5:en`";
            return Err(UrnError::new("std", reason));
        }
        let segments: Vec<&str> = segments.collect();
        let rest = form.read_head(&segments)?;
        form.read_tail(rest)?;
        // The shape is right; what the parts hold is checked as it is for a canonical URN.
        let mut parts = form.parts.clone();
        if parts.edition.is_none() {
            parts.languages.clear();
        }
        PartialUrn::new(parts)?;
        Ok(form)
    }

    /// Originator, type, number and part: the number is the first segment that begins with a digit, else the
    /// first that holds one (`iso-hl7:10781`, `itu-t:p.1203`).
    fn read_head<'s, 'a>(&mut self, segments: &'s [&'a str]) -> Result<&'s [&'a str], UrnError> {
        let head = &segments[..segments.len().min(3)];
        let begins = head.iter().position(|s| s.starts_with(|c: char| c.is_ascii_digit()));
        let number = begins.or_else(|| head.iter().position(|s| s.bytes().any(|b| b.is_ascii_digit())));
        let Some(at) = number else {
            return Err(UrnError::new(
                "number",
                "it is missing: write `<publisher>:std:<originator>:<number>`",
            ));
        };
        self.parts.originator = (at > 0).then(|| segments[0].to_owned());
        self.parts.doc_type = (at > 1).then(|| segments[1].to_owned());
        self.parts.number = segments[at].to_owned();
        let mut rest = &segments[at + 1..];
        // RFC 5141 has one example of a part without the hyphen.
        if let [part, others @ ..] = rest
            && let Some(part) =
                part.strip_prefix('-').or((part.len() < 4 && grammar::is_number(part)).then_some(part))
        {
            self.parts.part = Some(part.to_owned());
            rest = others;
        } else if self.parts.publisher == "iec"
            && let Some((number, part)) = segments[at].split_once('-')
            && grammar::is_number(number)
        {
            // IEC leaves the part inside the number.
            (self.parts.number, self.parts.part) = (number.to_owned(), Some(part.to_owned()));
        }
        Ok(rest)
    }

    /// Reads the segments after the number, in any order.
    fn read_tail(&mut self, mut segments: &[&str]) -> Result<(), UrnError> {
        let fields = segments.iter().any(|s| s.is_empty() || is_date(s));
        while let [segment, rest @ ..] = segments {
            segments = rest;
            if segment.is_empty() || is_version(segment) {
                continue;
            }
            if let Some(edition) = segment.strip_prefix("ed-") {
                self.beyond |= self.parts.edition.replace(edition.to_owned()).is_some();
            } else if grammar::is_stage(segment) {
                self.beyond |= self.parts.stage.replace((*segment).to_owned()).is_some();
            } else if segment.starts_with("stage-") {
                // `stage-draft.v2` is not a stage code of a canonical URN.
                self.beyond = true;
            } else if let Some(kind) = SupplementKind::from_code(segment) {
                let [number, rest @ ..] = segments else {
                    return Err(UrnError::new("supplement", format!("expected a number after `{segment}:`")));
                };
                segments = rest;
                let ordinal =
                    rest.first().and_then(|v| v.strip_prefix('v')).filter(|v| grammar::is_number(v));
                // Metanorma writes the year first, then the number as version.
                let number = ordinal.filter(|_| is_date(number)).unwrap_or(number);
                self.parts.supplements.push((kind, number.to_owned()));
            } else if is_date(segment) {
                self.date.get_or_insert_with(|| (*segment).to_owned());
            } else if matches!(*segment, "clause" | "figure" | "table" | "term") {
                let reason =
                    format!("`{segment}:` names a part of a standard: ask the standard for a selection");
                return Err(UrnError::new("docelement", reason));
            } else if let Ok(languages) = segment.split([',', '-']).map(two_letters).collect::<Result<_, _>>()
            {
                self.parts.languages = languages;
            } else if is_word(segment) && (fields || matches!(*segment, "cancelled" | "sup")) {
                self.beyond = true;
                if *segment == "sup" {
                    segments = segments.get(1..).unwrap_or_default();
                }
            } else {
                return Err(UrnError::new("segment", format!("`{segment}` is not allowed after the number")));
            }
        }
        Ok(())
    }

    /// The URN of this form; `None` if it has parts that a URN cannot express.
    pub(super) fn into_urn(self) -> Option<PartialUrn> {
        if self.beyond || self.date.is_some() { None } else { self.undated() }
    }

    /// The URN of this form without regard to its date.
    pub(super) fn undated(self) -> Option<PartialUrn> {
        let mut parts = self.parts;
        if parts.stage.as_deref().is_some_and(is_published) {
            parts.edition.as_ref()?;
            parts.stage = None;
        }
        PartialUrn::new(parts).ok()
    }
}

/// RFC 5141's docversion: `v1`, `v1-amd1.v1`.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()))
}

/// YYYY, YYYY-MM or YYYY-MM-DD of a standard: from 1850 on.
pub(super) fn is_date(segment: &str) -> bool {
    (segment.starts_with("18") || segment.starts_with("19") || segment.starts_with("20"))
        && segment.parse::<crate::PartialDate>().is_ok()
}

fn is_word(segment: &str) -> bool {
    (1..=12).contains(&segment.len()) && segment.bytes().all(|b| b.is_ascii_lowercase())
}

fn two_letters(tag: &str) -> Result<crate::Lang, UrnError> {
    if tag.len() == 2 { grammar::language(tag) } else { Err(UrnError::new("language", "two letters")) }
}
