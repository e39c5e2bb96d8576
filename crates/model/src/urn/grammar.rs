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

/// True for a character that a segment may hold.
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
        let Some(rest) = text.strip_prefix("urn:") else {
            let reason = "a URN of a standard begins with `urn:<publisher>:std:`";
            return Err(UrnError::new("scheme", reason));
        };
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
            self.edition = Some(edition);
            self.languages = Some(languages);
            segments = rest;
        } else if let [rest @ .., edition] = segments
            && let Some(edition) = edition.strip_prefix("ed-")
        {
            self.edition = Some(edition);
            segments = rest;
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
            self.stage = Some(stage);
            segments = rest;
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

    /// The languages in the order of the URN; none where it states none.
    pub(super) fn languages(&self) -> Result<Vec<Lang>, UrnError> {
        match self.languages {
            Some(list) => list.split(',').map(language).collect(),
            None => Ok(Vec::new()),
        }
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

/// True for a reserved segment, which cannot be a number, type or originator.
fn is_reserved(segment: &str) -> bool {
    segment == "draft"
        || segment.starts_with("stage-")
        || segment.starts_with("ed-")
        || SupplementKind::from_code(segment).is_some()
}

/// Checks parts in lower case and puts them in canonical order, the languages in alphabetical order.
pub(super) fn write(parts: &ParsedUrn<'_>, mut languages: Vec<Lang>) -> Result<PartialUrn, UrnError> {
    check_namespace(parts.publisher)?;
    let mut text = String::with_capacity(USUAL_LENGTH);
    text.extend(["urn:", parts.publisher, ":std"]);
    write_name(&mut text, parts)?;
    write_state(&mut text, parts)?;
    let document_length = text.len();
    if let Some(edition) = parts.edition {
        let expected = "a number or date, as in `ed-2` or `ed-2008-12`";
        NewSegment { part: "edition", prefix: "ed-", value: edition, fits: true, expected }
            .write(&mut text)?;
    } else if !languages.is_empty() {
        let reason = "it is missing before the language: write `:ed-<edition>:<language>`";
        return Err(UrnError::new("edition", reason));
    }
    languages.sort();
    languages.dedup();
    for (index, language) in languages.iter().enumerate() {
        let separator = if index == 0 { ":" } else { "," };
        text.extend([separator, language.as_str()]);
    }
    if text.len() > MAX_URN_LENGTH {
        return Err(UrnError::new("length", format!("a URN has at most {MAX_URN_LENGTH} bytes")));
    }
    Ok(PartialUrn { text: text.into(), document_length })
}

/// RFC 8141, section 2: `NID = (alphanum) 0*30(ldh) (alphanum)`.
fn check_namespace(publisher: &str) -> Result<(), UrnError> {
    let has_valid_length = (2..=32).contains(&publisher.len());
    let has_valid_characters = publisher.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let has_outer_hyphen = publisher.starts_with('-') || publisher.ends_with('-');
    if has_valid_length && has_valid_characters && !has_outer_hyphen {
        return Ok(());
    }
    let reason =
        format!("`{publisher}` is not valid: write 2 to 32 letters, digits and inner hyphens, such as `iso`");
    Err(UrnError::new("namespace", reason))
}

/// Appends originator, type, number and part.
fn write_name(text: &mut String, parts: &ParsedUrn<'_>) -> Result<(), UrnError> {
    if let Some(originator) = parts.originator {
        let fits = begins_with_letter(originator) && !is_reserved(originator);
        let expected = "the bodies with hyphens between them, such as `iso-iec`";
        NewSegment { part: "originator", prefix: "", value: originator, fits, expected }.write(text)?;
    }
    if let Some(doc_type) = parts.doc_type {
        if parts.originator.is_none() {
            return Err(UrnError::new("originator", format!("it is missing before the type `{doc_type}`")));
        }
        let fits = begins_with_letter(doc_type) && !is_reserved(doc_type);
        let expected = "a word such as `ts` (a part has a hyphen before it: `:-1`)";
        NewSegment { part: "type", prefix: "", value: doc_type, fits, expected }.write(text)?;
    }
    let fits = !is_reserved(parts.number);
    let expected =
        "letters, digits, full stops, commas and hyphens, a letter or digit first, such as `17301`";
    NewSegment { part: "number", prefix: "", value: parts.number, fits, expected }.write(text)?;
    if let Some(part) = parts.part {
        let expected = "`-` and a letter or digit, then letters, digits and hyphens, as in `-1`";
        NewSegment { part: "part", prefix: "-", value: part, fits: true, expected }.write(text)?;
    }
    Ok(())
}

/// Appends stage and supplements.
fn write_state(text: &mut String, parts: &ParsedUrn<'_>) -> Result<(), UrnError> {
    if let Some(stage) = parts.stage {
        let fits = is_stage(stage);
        let expected = "`draft` or `stage-` and a stage code, such as `stage-30.60`";
        NewSegment { part: "stage", prefix: "", value: stage, fits, expected }.write(text)?;
    }
    for &(kind, number) in &parts.supplements {
        text.extend([":", kind.code()]);
        let fits = !is_reserved(number) && number.bytes().any(|b| b.is_ascii_digit());
        let expected = "its number, such as `amd:1`";
        NewSegment { part: "supplement", prefix: "", value: number, fits, expected }.write(text)?;
    }
    Ok(())
}

/// A segment that is to be appended to a URN.
struct NewSegment<'s> {
    /// Name of the part, for errors.
    part: &'static str,
    /// Text before the value that the grammar gives to this part.
    prefix: &'static str,
    value: &'s str,
    /// Set where the value is one that this part may have, apart from its characters.
    fits: bool,
    /// The expected form, for errors.
    expected: &'static str,
}

impl NewSegment<'_> {
    /// Checks the value and appends the segment.
    fn write(&self, text: &mut String) -> Result<(), UrnError> {
        let value = self.value;
        let may_be_at_end = |c: char| c.is_ascii_alphanumeric();
        let has_valid_ends = value.starts_with(may_be_at_end) && value.ends_with(may_be_at_end);
        if !self.fits || !has_valid_ends || !value.chars().all(fits_segment) {
            let reason = format!("`{value}` is not valid: write {}", self.expected);
            return Err(UrnError::new(self.part, reason));
        }
        text.extend([":", self.prefix, value]);
        Ok(())
    }
}

fn begins_with_letter(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// `draft`, or RFC 5141's `stage-` with a harmonised stage code and perhaps an iteration (`.v2`).
pub(super) fn is_stage(segment: &str) -> bool {
    let Some(code) = segment.strip_prefix("stage-") else { return segment == "draft" };
    let Some((stage, rest)) = code.split_once('.') else { return false };
    let (substage, has_valid_iteration) = match rest.split_once('.') {
        Some((substage, iteration)) => (substage, iteration.strip_prefix('v').is_some_and(is_number)),
        None => (rest, true),
    };
    is_two_digits(stage) && is_two_digits(substage) && has_valid_iteration
}

fn is_two_digits(text: &str) -> bool {
    text.len() == 2 && is_number(text)
}

/// True for a text of digits, at least one.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
