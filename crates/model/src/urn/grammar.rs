//! Grammar of URNs: segments are read from both ends, checked, and written in canonical order.

use super::{MAX_URN_LENGTH, PartialUrn, UrnError, UrnParts};
use crate::{Lang, SupplementKind};

/// Bytes that hold most URNs.
const USUAL_LENGTH: usize = 64;

/// The parts of a URN in lower case, borrowed.
#[derive(Default)]
pub(super) struct ParsedUrn<'a> {
    pub(super) publisher: &'a str,
    pub(super) originator: Option<&'a str>,
    pub(super) doc_type: Option<&'a str>,
    pub(super) number: &'a str,
    pub(super) part: Option<&'a str>,
    pub(super) stage: Option<&'a str>,
    pub(super) supplements: Vec<(SupplementKind, &'a str)>,
    pub(super) edition: Option<&'a str>,
    languages: Option<&'a str>,
}

/// Whether a segment may hold this character.
pub(super) fn fits_segment(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '.' | ',' | '-')
}

/// Lower case, within the bound on length.
pub(super) fn fold(text: &str) -> Result<String, UrnError> {
    if text.len() > MAX_URN_LENGTH {
        return Err(UrnError::new("length", format!("at most {MAX_URN_LENGTH} bytes are read")));
    }
    Ok(text.to_ascii_lowercase())
}

impl<'a> ParsedUrn<'a> {
    /// The parts of a new URN, without its languages.
    pub(super) fn of(parts: &'a UrnParts) -> Self {
        Self {
            publisher: &parts.publisher,
            originator: parts.originator.as_deref(),
            doc_type: parts.doc_type.as_deref(),
            number: &parts.number,
            part: parts.part.as_deref(),
            stage: parts.stage.as_deref(),
            supplements: parts.supplements.iter().map(|(kind, number)| (*kind, number.as_str())).collect(),
            edition: parts.edition.as_deref(),
            languages: None,
        }
    }

    /// Splits a URN in lower case into its parts; [`write`] checks their values.
    pub(super) fn read(text: &'a str) -> Result<Self, UrnError> {
        let rest = text.strip_prefix("urn:").ok_or_else(|| {
            UrnError::new("scheme", "a URN of a standard begins with `urn:<publisher>:std:`")
        })?;
        let mut segments = rest.split(':');
        let mut parsed = Self { publisher: segments.next().unwrap_or_default(), ..Self::default() };
        if segments.next() != Some("std") {
            let (publisher, example) = (parsed.publisher, "urn:iso:std:iso:9227:ed-5:en");
            let reason = format!("expected `:std:` after `urn:{publisher}`, as in `{example}`");
            return Err(UrnError::new("std", reason));
        }
        let segments: Vec<&str> = segments.collect();
        if let Some(at) = segments.iter().position(|s| s.is_empty()) {
            return Err(UrnError::new("segment", format!("segment {} is empty: drop a colon", at + 4)));
        }
        let rest = parsed.read_tail(&segments);
        parsed.read_head(rest)?;
        Ok(parsed)
    }

    /// Removes language, edition, supplements and stage from the end.
    fn read_tail<'s>(&mut self, mut segments: &'s [&'a str]) -> &'s [&'a str] {
        if let [rest @ .., edition, languages] = segments
            && let Some(edition) = edition.strip_prefix("ed-")
        {
            (self.edition, self.languages, segments) = (Some(edition), Some(*languages), rest);
        } else if let [rest @ .., edition] = segments
            && let Some(edition) = edition.strip_prefix("ed-")
        {
            (self.edition, segments) = (Some(edition), rest);
        }
        while let [rest @ .., kind, number] = segments
            && let Some(kind) = SupplementKind::from_code(kind)
        {
            self.supplements.push((kind, number));
            segments = rest;
        }
        self.supplements.reverse();
        if let [rest @ .., stage] = segments
            && (*stage == "draft" || stage.starts_with("stage-"))
        {
            (self.stage, segments) = (Some(*stage), rest);
        }
        segments
    }

    /// Reads originator, type, number and part from the remaining segments.
    fn read_head(&mut self, mut segments: &[&'a str]) -> Result<(), UrnError> {
        if let [rest @ .., _, part] = segments
            && let Some(part) = part.strip_prefix('-')
        {
            self.part = Some(part);
            segments = &segments[..rest.len() + 1];
        }
        match *segments {
            [number] => self.number = number,
            [originator, number] => (self.originator, self.number) = (Some(originator), number),
            [originator, doc_type, number] => {
                (self.originator, self.doc_type, self.number) = (Some(originator), Some(doc_type), number);
            }
            [] => {
                return Err(UrnError::new(
                    "number",
                    "it is missing: write `urn:<publisher>:std:<originator>:<number>`",
                ));
            }
            [_, _, _, stray, ..] => {
                return Err(UrnError::new(
                    "segment",
                    format!(
                        "`{stray}` is not allowed there: the number is followed by `-<part>`, `stage-xx.xx` or `draft`, \
                         `amd:<n>`, `cor:<n>` or `add:<n>`, `ed-<edition>` and the language, in this order"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Reads the languages.
    pub(super) fn languages(&self) -> Result<Vec<Lang>, UrnError> {
        self.languages.map_or(Ok(Vec::new()), |list| list.split(',').map(language).collect())
    }

    pub(super) fn to_parts(&self) -> Result<UrnParts, UrnError> {
        let owned = |piece: Option<&str>| piece.map(str::to_owned);
        Ok(UrnParts {
            publisher: self.publisher.to_owned(),
            originator: owned(self.originator),
            doc_type: owned(self.doc_type),
            number: self.number.to_owned(),
            part: owned(self.part),
            stage: owned(self.stage),
            supplements: self.supplements.iter().map(|&(kind, n)| (kind, n.to_owned())).collect(),
            edition: owned(self.edition),
            languages: self.languages()?,
        })
    }
}

/// Reads one language of a URN.
pub(super) fn language(tag: &str) -> Result<Lang, UrnError> {
    tag.parse().map_err(|refusal| UrnError::new("language", format!("{refusal}")))
}

/// Whether a segment is reserved and so cannot be a number, type or originator.
fn reserved(segment: &str) -> bool {
    segment == "draft"
        || segment.starts_with("stage-")
        || segment.starts_with("ed-")
        || SupplementKind::from_code(segment).is_some()
}

/// Checks parts in lower case and puts them in canonical order, the languages in alphabetical order.
pub(super) fn write(parts: &ParsedUrn<'_>, mut languages: Vec<Lang>) -> Result<PartialUrn, UrnError> {
    let publisher = parts.publisher;
    // RFC 8141, section 2: `NID = (alphanum) 0*30(ldh) (alphanum)`.
    let nid = (2..=32).contains(&publisher.len())
        && publisher.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !publisher.starts_with('-')
        && !publisher.ends_with('-');
    if !nid {
        return Err(UrnError::new(
            "namespace",
            format!(
                "`{publisher}` is not valid: write 2 to 32 letters, digits and inner hyphens, such as `iso`"
            ),
        ));
    }
    let mut text = String::with_capacity(USUAL_LENGTH);
    text.extend(["urn:", publisher, ":std"]);
    let mut push = |part, before: &str, value: &str, fits: bool, like: &str| {
        let ends = |c: char| c.is_ascii_alphanumeric();
        if !value.starts_with(ends) || !value.ends_with(ends) || !fits || !value.chars().all(fits_segment) {
            return Err(UrnError::new(part, format!("`{value}` is not valid: write {like}")));
        }
        text.extend([":", before, value]);
        Ok(())
    };
    let letter = |value: &str| value.starts_with(|c: char| c.is_ascii_alphabetic());
    let free = |value: &str| !reserved(value);
    if let Some(originator) = parts.originator {
        let fits = letter(originator) && free(originator);
        push("originator", "", originator, fits, "the bodies with hyphens between them, such as `iso-iec`")?;
    }
    if let Some(doc_type) = parts.doc_type {
        if parts.originator.is_none() {
            return Err(UrnError::new("originator", format!("it is missing before the type `{doc_type}`")));
        }
        let fits = letter(doc_type) && free(doc_type);
        push("type", "", doc_type, fits, "a word such as `ts` (a part has a hyphen before it: `:-1`)")?;
    }
    let like = "letters, digits, full stops, commas and hyphens, a letter or digit first, such as `17301`";
    push("number", "", parts.number, free(parts.number), like)?;
    if let Some(part) = parts.part {
        let like = "`-` and a letter or digit, then letters, digits and hyphens, as in `-1`";
        push("part", "-", part, true, like)?;
    }
    if let Some(stage) = parts.stage {
        let like = "`draft` or `stage-` and a stage code, such as `stage-30.60`";
        push("stage", "", stage, is_stage(stage), like)?;
    }
    for (kind, number) in &parts.supplements {
        let fits = free(number) && number.bytes().any(|b| b.is_ascii_digit());
        push("supplement", &format!("{}:", kind.code()), number, fits, "its number, such as `amd:1`")?;
    }
    match parts.edition {
        Some(edition) => {
            let like = "a number or date, as in `ed-2` or `ed-2008-12`";
            push("edition", "ed-", edition, true, like)?;
        }
        None if !languages.is_empty() => {
            let reason = "it is missing before the language: write `:ed-<edition>:<language>`";
            return Err(UrnError::new("edition", reason));
        }
        None => {}
    }
    let document_length = text.len() - parts.edition.map_or(0, |edition| ":ed-".len() + edition.len());
    languages.sort();
    languages.dedup();
    for (index, language) in languages.iter().enumerate() {
        text.extend([if index == 0 { ":" } else { "," }, language.as_str()]);
    }
    if text.len() > MAX_URN_LENGTH {
        return Err(UrnError::new("length", format!("a URN has at most {MAX_URN_LENGTH} bytes")));
    }
    Ok(PartialUrn { text: text.into(), document_length })
}

/// `draft`, or RFC 5141's `stage-` with a harmonised stage code and perhaps an iteration (`.v2`).
pub(super) fn is_stage(segment: &str) -> bool {
    let Some(code) = segment.strip_prefix("stage-") else { return segment == "draft" };
    let two_digits = |field: &str| field.len() == 2 && field.bytes().all(|b| b.is_ascii_digit());
    let fields: Vec<&str> = code.split('.').collect();
    match *fields.as_slice() {
        [stage, substage] => two_digits(stage) && two_digits(substage),
        [stage, substage, iteration] => {
            two_digits(stage) && two_digits(substage) && iteration.strip_prefix('v').is_some_and(is_number)
        }
        _ => false,
    }
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
