//! Designations in words, as standards cite each other: `ISO/IEC TR 10023-2:2003/Amd 1:2005`.

use super::foreign::is_date;
use super::{Citation, PartialUrn, UrnParts, pieces, segment};
use crate::SupplementKind;

/// Bodies known by name; any other is a short word in capitals before a plain number.
#[rustfmt::skip]
const BODIES: &[&str] = &[
    "afnor", "ansi", "as", "asme", "astm", "bipm", "bs", "cc", "cen", "cenelec", "cie", "cispr", "csa", "din", "ds",
    "en", "etsi", "gb", "gost", "hd", "hl7", "idf", "iec", "ieee", "ietf", "iho", "iso", "itu", "itu-r", "itu-t", "iupac", "jcgm",
    "jis", "nen", "nf", "nist", "nzs", "oecd", "ogc", "oiml", "önorm", "pn", "rtca", "sae", "sfs", "sn", "ss", "t", "une",
    "uni", "vde", "w3c",
];

/// Words between body and number that tell the kind of document, as its URN has them.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "cwa", "data", "dir", "guide", "isp", "iwa", "pas", "r", "rfc", "spec", "tr", "ts", "tta",
];

/// Kinds that stand without their body, and the body.
const TYPES_ALONE: &[(&str, &str)] = &[("cwa", "cen"), ("iwa", "iso"), ("rfc", "ietf")];

/// Words between body and number that tell a draft. `fd`, `cd` and `d` also stand right before a type: `FDTS`.
const DRAFTS: &[&str] = &["awi", "cd", "cdv", "dis", "fds", "fdis", "np", "prf", "pwi", "wd"];

/// Words between body and number that say nothing.
const FILLERS: &[&str] = &["rec", "rec.", "recommendation", "std"];

/// Bodies that write the year behind a hyphen: `IEEE 754-2019`.
const YEAR_BY_HYPHEN: &[&str] = &["ansi", "astm", "ieee"];

/// Bodies whose numbers hold hyphens that part nothing: `OGC 10-100r3`.
const HYPHEN_IN_NUMBER: &[&str] = &["ogc"];

/// A designation taken apart.
#[derive(Default)]
pub(super) struct Designation {
    bodies: Vec<String>,
    doc_type: Option<&'static str>,
    draft: bool,
    number: String,
    part: Option<String>,
    year: Option<String>,
    dated: bool,
    supplements: Vec<(SupplementKind, String)>,
}

impl Designation {
    /// Reads the designation at the start of a text; what stands behind it is left alone.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut designation = Self::default();
        let rest = designation.read_words(text);
        let rest = designation.read_number(rest)?;
        let mut rest = designation.read_year(rest);
        while let Some(behind) = designation.read_supplement(rest) {
            rest = behind;
        }
        Some(designation)
    }

    /// Bodies, kind and stage: all words before the number.
    fn read_words<'t>(&mut self, mut text: &'t str) -> &'t str {
        while let Some(end) = text.find([' ', '/']) {
            let (word, rest) = (&text[..end], &text[end + 1..]);
            if !self.take_word(word) {
                break;
            }
            text = rest.trim_start();
        }
        text
    }

    fn take_word(&mut self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let kind = |word: &str| TYPES.iter().find(|&&t| t == word).copied();
        let alone = TYPES_ALONE.iter().find(|&&(t, _)| t == lower).map(|&(_, body)| body);
        if self.bodies.is_empty() {
            let pre_standard = lower.strip_prefix("fpr").or(lower.strip_prefix("pr"));
            if let Some(body) = pre_standard.filter(|&b| BODIES.contains(&b)) {
                self.draft = true;
                self.bodies.push(body.to_owned());
            } else if DRAFTS.contains(&lower.as_str()) {
                self.draft = true;
            } else if let Some(body) = alone {
                self.bodies.push(body.to_owned());
                self.doc_type = kind(&lower);
            } else if is_body(word, &lower) || is_unknown_body(word) {
                self.bodies.push(lower);
            } else {
                return false;
            }
            return true;
        }
        let stage = ["fd", "cd", "d"].iter().find_map(|stage| kind(lower.strip_prefix(stage)?));
        if DRAFTS.contains(&lower.as_str()) {
            self.draft = true;
        } else if let Some(doc_type) = kind(&lower) {
            self.doc_type = Some(doc_type);
        } else if let Some(doc_type) = stage {
            (self.draft, self.doc_type) = (true, Some(doc_type));
        } else if is_body(word, &lower) && self.doc_type.is_none() {
            self.bodies.push(lower);
        } else {
            return FILLERS.contains(&lower.as_str()) && BODIES.contains(&self.bodies[0].as_str());
        }
        true
    }

    fn read_number<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let body = self.bodies.first()?.as_str();
        let end =
            text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(text.len());
        let number = text[..end].trim_end_matches(['.', '-']);
        let rest = &text[number.len()..];
        if !number.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !number.bytes().any(|b| b.is_ascii_digit())
        {
            return None;
        }
        // `MOHR 2008`, `CGPM 9th Meeting` and `WHO 34/77` are no standards.
        let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'.');
        let a_year = is_date(number) && !rest.starts_with(':');
        let divided =
            rest.strip_prefix('/').is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_alphabetic()));
        if !BODIES.contains(&body) && (!plain || a_year || divided) {
            return None;
        }
        let (number, year) = match number.rsplit_once('-') {
            Some((number, year)) if YEAR_BY_HYPHEN.contains(&body) && is_date(year) => (number, Some(year)),
            _ => (number, None),
        };
        let (number, part) = match number.split_once('-') {
            Some((n, part)) if pieces::is_number(n) && !HYPHEN_IN_NUMBER.contains(&body) => (n, Some(part)),
            _ => (number, None),
        };
        // Behind the number of a draft stands the iteration: `ISO/FDTR 99999.2`.
        let iterated = |text: &str| match text.split_once('.') {
            Some((before, _)) if self.draft => before.to_owned(),
            _ => text.to_owned(),
        };
        (self.number, self.part) = (iterated(number), part.map(iterated));
        (self.dated, self.year) = (year.is_some(), year.map(str::to_owned));
        Some(rest)
    }

    /// `:2009`, `:2008-12`, `(2008)`, `(07/2016)`, or `:—` for an edition not yet published.
    fn read_year<'t>(&mut self, text: &'t str) -> &'t str {
        let behind = text.trim_start();
        let (year, rest) = if let Some(date) = behind.strip_prefix(':') {
            let date = date.trim_start();
            let end = date.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(date.len());
            let year = [end, 4].into_iter().filter_map(|end| date.get(..end)).find(|y| is_date(y));
            (year.map(str::to_owned), &date[year.map_or(end, str::len)..])
        } else if let Some((date, rest)) = behind.strip_prefix('(').and_then(|b| b.split_once(')')) {
            let year = match date.split_once('/') {
                Some((month, year)) => format!("{year}-{month}"),
                None => date.to_owned(),
            };
            if !is_date(&year) {
                // Something else in brackets may go before: `(V2) (07/2016)`.
                return if rest.trim_start().starts_with('(') { self.read_year(rest) } else { text };
            }
            (Some(year), rest)
        } else {
            return text;
        };
        self.dated |= year.is_some();
        self.year = year.or(self.year.take());
        rest
    }

    /// `/Amd 1:2017`, `/DAmd 1`, `, Cor. 2`, `/A1:2014`.
    fn read_supplement<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let behind = text.trim_start_matches([' ', ',']);
        let slash = behind.strip_prefix('/').map(str::trim_start);
        let mut behind = slash.unwrap_or(behind);
        let mut draft = false;
        if let Some((stage, rest)) = behind.split_once(' ')
            && slash.is_some()
            && DRAFTS.contains(&stage.to_lowercase().as_str())
        {
            (draft, behind) = (true, rest.trim_start());
        }
        let end = behind.find(|c: char| !c.is_ascii_alphabetic())?;
        let word = behind[..end].to_lowercase();
        let bare = ["fd", "pd", "d"]
            .iter()
            .find_map(|stage| word.strip_prefix(stage))
            .filter(|w| supplement(w).is_some());
        let kind = supplement(bare.unwrap_or(&word));
        let kind = kind.or_else(|| (slash.is_some() && word == "a").then_some(SupplementKind::Amendment))?;
        let behind = behind[end..].trim_start_matches(['.', ' ']);
        let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        if end == 0 {
            return None;
        }
        self.draft |= draft || bare.is_some();
        self.supplements.push((kind, behind[..end].to_owned()));
        self.year = None;
        Some(self.read_year(&behind[end..]))
    }

    /// What the designation tells.
    pub(super) fn citation(self) -> Option<Citation> {
        let originator = self.bodies.iter().map(|b| segment(b)).collect::<Vec<_>>().join("-");
        let publisher = originator.split('-').next().unwrap_or_default().to_owned();
        let urn = PartialUrn::new(UrnParts {
            publisher,
            originator: Some(originator),
            doc_type: self.doc_type.map(str::to_owned),
            number: self.number,
            part: self.part,
            stage: self.draft.then(|| "draft".to_owned()),
            supplements: self.supplements,
            ..UrnParts::default()
        });
        Some(Citation { urn: urn.ok()?, year: self.year, dated: self.dated })
    }
}

/// Two letters alone might be a word of the language, so they stand in capitals.
fn is_body(word: &str, lower: &str) -> bool {
    BODIES.contains(&lower) && (word.len() > 2 || word.bytes().all(|b| b.is_ascii_uppercase()))
}

fn is_unknown_body(word: &str) -> bool {
    (2..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase())
}

fn supplement(word: &str) -> Option<SupplementKind> {
    match word {
        "amd" | "am" | "amendment" => Some(SupplementKind::Amendment),
        "cor" | "corr" | "corrigendum" | "ac" => Some(SupplementKind::Corrigendum),
        "add" | "addendum" => Some(SupplementKind::Addendum),
        _ => None,
    }
}
