//! Designations in words, as standards cite each other: `ISO/IEC TR 10023-2:2003/Amd 1:2005`.

use super::alias::is_date;
use super::prefix::{bracketed, leading, leading_digits, strip_one_of};
use super::publishers::{Numbers, Publisher, by_id, document_type, find_publisher};
use super::{Citation, PartialUrn, UrnParts, grammar, segment};
use crate::SupplementKind;

/// Words between body and number that mark a draft. `fd`, `cd` and `d` also come right before a kind: `FDTS`.
pub(super) const DRAFTS: &[&str] = &["awi", "cd", "cdv", "dis", "fds", "fdis", "np", "prf", "pwi", "wd"];

/// First organs in symbols of documents of the United Nations.
const UN_ORGANS: [&str; 6] = ["ECE/", "E/", "A/", "ST/", "S/", "TRADE/"];

/// A designation taken apart.
#[derive(Default)]
pub(super) struct DesignationParts {
    pub(super) bodies: Vec<String>,
    pub(super) kind: Option<&'static str>,
    pub(super) draft: bool,
    pub(super) number: String,
    pub(super) part: Option<String>,
    pub(super) year: Option<String>,
    pub(super) dated: bool,
    /// The dates, each as the distances of its start and of its end from the end of the text, in bytes.
    pub(super) dates: Vec<(usize, usize)>,
    supplements: Vec<(SupplementKind, String)>,
}

impl DesignationParts {
    /// Reads the designation at the start of a text, and returns its length in bytes.
    pub(super) fn read(text: &str) -> Option<(Self, usize)> {
        let mut designation = Self::default();
        let rest = match designation.read_whole(text) {
            Some(rest) => rest,
            None => {
                // A form that did not fit may have set some of the parts.
                designation = Self::default();
                designation.read_from_body(text)?
            }
        };
        let rest = designation.read_part(rest);
        let mut rest = designation.read_year(rest);
        while let Some(after) = designation.read_supplement(rest) {
            rest = after;
        }
        // From here on, the text ends where the designation does.
        for (start, end) in &mut designation.dates {
            *start -= rest.len();
            *end -= rest.len();
        }
        Some((designation, text.len() - rest.len()))
    }

    /// Bodies, kind, number and annex; returns the rest of the text.
    fn read_from_body<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let rest = self.read_words(text);
        let rest = self.read_number(rest)?;
        Some(self.read_annex(rest))
    }

    /// Forms that do not begin with a body.
    fn read_whole<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let word = text.split([' ', ',', ';', '(']).next().unwrap_or_default();
        let rest = &text[word.len()..];
        if self.read_internet_draft(word) || self.read_symbol_of_un(word) {
            return Some(rest);
        }
        if let Some(rest) = self.read_resolution(text) {
            return Some(rest);
        }
        if let Some(rest) = self.read_series_of_itu(text) {
            return Some(rest);
        }
        self.read_etsi(text)
    }

    /// `draft-ietf-abc-def-05`, `I-D.ietf-abc-def`: two digits at the end count the versions. Returns whether
    /// the word is such a draft.
    fn read_internet_draft(&mut self, word: &str) -> bool {
        let name = match word.strip_prefix("I-D.") {
            Some(name) => name,
            None if word.starts_with("draft-") => word,
            None => return false,
        };
        if !name.contains('-') {
            return false;
        }
        let mut name = name.trim_end_matches(['.', ':']);
        if let Some((before, version)) = name.rsplit_once('-')
            && version.len() == 2
            && grammar::is_number(version)
        {
            name = before;
            self.dated = true;
        }
        let prefix = if name.starts_with("draft-") { "" } else { "draft-" };
        self.bodies = vec!["ietf".to_owned()];
        self.kind = Some("id");
        self.number = format!("{prefix}{}", segment(name));
        true
    }

    /// Symbols of documents of the United Nations: `ECE/TRADE/C/CEFACT/2019/9`. Returns whether the word is
    /// one.
    fn read_symbol_of_un(&mut self, word: &str) -> bool {
        let has_organ = strip_one_of(word, &UN_ORGANS).is_some();
        let has_digit = word.bytes().any(|b| b.is_ascii_digit());
        if !has_organ || !has_digit || word.matches('/').count() < 2 {
            return false;
        }
        self.bodies = vec!["un".to_owned()];
        self.number = segment(word);
        true
    }

    /// `Resolution 7 of the 9th CGPM (1948)`.
    fn read_resolution<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (word, rest) = text.split_once(' ')?;
        let (number, rest) = leading_digits(rest)?;
        let rest = rest.trim_start_matches([',', ' ']).strip_prefix("of the ")?;
        let code = document_type(word)?;
        if !matches!(code, "resolution" | "decision" | "declaration" | "recommendation") {
            return None;
        }
        let mut words = rest.split(' ');
        let _ordinal = words.next()?;
        let body = words.next()?.trim_end_matches([',', '.', ';']);
        let known = find_publisher(body)?;
        if known.numbers != Numbers::Yearly {
            return None;
        }
        let after_body = &rest[rest.find(body)? + body.len()..];
        let (year, rest) = bracketed(after_body)?;
        if !is_date(year) {
            return None;
        }
        self.bodies = vec![known.id.to_owned()];
        self.kind = Some(code);
        self.number = format!("{year}-{number}");
        self.year = Some(year.to_owned());
        self.dated = true;
        Some(rest)
    }

    /// `ITU-T G Suppl. 39`, `ITU-T Series G Supplement 39`.
    fn read_series_of_itu<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix("ITU-T ")?;
        let rest = rest.strip_prefix("Series ").unwrap_or(rest);
        let (letter, rest) = leading(rest, |c| c.is_ascii_uppercase())?;
        let rest = rest.trim_start_matches(['.', ' ', '-']);
        let rest = rest.strip_prefix("series ").unwrap_or(rest).trim_start();
        let rest = strip_one_of(rest, &["Supplement", "Suppl.", "Suppl", "Sup.", "Sup"])?;
        let (number, rest) = leading_digits(rest.trim_start())?;
        self.bodies = vec!["itu-t".to_owned()];
        self.number = format!("{letter}.sup{number}");
        Some(rest)
    }

    /// `TS 102 822-3-1`: a type of ETSI and two groups of three digits, without the body.
    fn read_etsi<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (word, rest) = text.split_once(' ')?;
        if !word.bytes().all(|b| b.is_ascii_uppercase()) {
            return None;
        }
        let etsi = by_id("etsi")?;
        let code = document_type(word)?;
        if !etsi.kinds.contains(&code) {
            return None;
        }
        self.bodies = vec![etsi.id.to_owned()];
        self.kind = Some(code);
        self.read_grouped(rest)
    }

    /// The body that gave the number: the last one.
    pub(super) fn issuer(&self) -> Option<&'static Publisher> {
        by_id(self.bodies.last()?)
    }

    /// `G.729 Annex A (11/1996)`: an annex that ITU publishes as a document of its own, with a date of its
    /// own.
    fn read_annex<'t>(&mut self, text: &'t str) -> &'t str {
        if self.issuer().is_none_or(|issuer| issuer.namespace() != "itu") {
            return text;
        }
        let Some(annex) = text.strip_prefix(" Annex ") else { return text };
        let Some((letter, rest)) = leading(annex, |c| c.is_ascii_alphanumeric()) else { return text };
        // Without a date it is an annex within the document.
        let Some((date, _)) = bracketed(rest) else { return text };
        let is_dated = match date.split_once('/') {
            Some((_month, year)) => is_date(year) || is_date(date),
            None => is_date(date),
        };
        if !is_dated {
            return text;
        }
        self.number = format!("{} Annex {letter}", self.number);
        rest
    }

    /// `Part 2`, `Teil 4` after the number.
    fn read_part<'t>(&mut self, text: &'t str) -> &'t str {
        let after = text.trim_start_matches([',', ' ']);
        let Some(after) = strip_one_of(after, &["Part ", "Teil ", "Partie ", "part "]) else { return text };
        let Some((part, rest)) = leading(after, |c| c.is_ascii_digit() || c == '-') else { return text };
        if self.part.is_some() || part.ends_with('-') {
            return text;
        }
        self.part = Some(part.to_owned());
        rest
    }

    /// `:2009`, `:2008-12`, `(2008)`, `(07/2016)`, or `:—` for an edition not yet published.
    fn read_year<'t>(&mut self, text: &'t str) -> &'t str {
        let after = text.trim_start();
        if let Some(date) = after.strip_prefix(':') {
            let Some((year, rest)) = leading_date(date.trim_start()) else { return text };
            self.set_year(year.map(str::to_owned), text, rest);
            return rest;
        }
        let Some((date, rest)) = bracketed(after) else { return text };
        let year = match date.split_once('/') {
            Some((month, year)) => format!("{year}-{month}"),
            None => date.to_owned(),
        };
        if is_date(&year) {
            self.set_year(Some(year), text, rest);
            return rest;
        }
        // Something else in brackets may go before: `(V2) (07/2016)`.
        if rest.trim_start().starts_with('(') {
            return self.read_year(rest);
        }
        text
    }

    /// Sets the year that is written between two rests of the text. An edition that is not yet published has
    /// a date without a year.
    fn set_year(&mut self, year: Option<String>, text: &str, rest: &str) {
        self.dates.push((text.len(), rest.len()));
        if year.is_some() {
            self.year = year;
            self.dated = true;
        }
    }

    /// `/Amd 1:2017`, `/DAmd 1`, `, Cor. 2`, `/A1:2014`.
    fn read_supplement<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let mut after = text.trim_start_matches([' ', ',']);
        let mut has_slash = false;
        if let Some(after_slash) = after.strip_prefix('/') {
            has_slash = true;
            after = after_slash.trim_start();
        }
        let mut is_draft = false;
        if has_slash
            && let Some((stage, rest)) = after.split_once(' ')
            && DRAFTS.contains(&stage.to_lowercase().as_str())
        {
            is_draft = true;
            after = rest.trim_start();
        }
        let end = after.find(|c: char| !c.is_ascii_alphabetic())?;
        let word = after[..end].to_lowercase();
        let mut kind = supplement(&word);
        // The stage may be written without a space: `DAmd`, `FDAM`.
        if let Some(without_stage) = strip_one_of(&word, &["fd", "pd", "d"])
            && let Some(kind_of_draft) = supplement(without_stage)
        {
            kind = Some(kind_of_draft);
            is_draft = true;
        }
        // European amendments: `/A1`.
        if has_slash && word == "a" {
            kind = Some(SupplementKind::Amendment);
        }
        let kind = kind?;
        let (number, rest) = leading_digits(after[end..].trim_start_matches(['.', ' ']))?;
        self.draft |= is_draft;
        self.supplements.push((kind, number.to_owned()));
        self.year = None;
        Some(self.read_year(rest))
    }

    /// The citation of this designation, of which this is the text.
    pub(super) fn citation(self, text: &str) -> Option<Citation> {
        let bodies: Vec<String> = self.bodies.iter().map(|body| segment(body)).collect();
        let mut parts = UrnParts {
            originator: Some(bodies.join("-")),
            doc_type: self.kind.map(str::to_owned),
            number: segment(&self.number),
            supplements: self.supplements,
            ..UrnParts::default()
        };
        if let Some(part) = self.part {
            let part = segment(&part);
            parts.part = if part.is_empty() { None } else { Some(part) };
        }
        if self.draft {
            parts.stage = Some("draft".to_owned());
        }
        let urn = PartialUrn::new(parts.normalized()).ok()?;
        let mut undated = text.to_owned();
        // From the last one on, so that the offsets of those before it stay right.
        for (start, end) in self.dates.iter().rev() {
            undated.replace_range(text.len() - start..text.len() - end, "");
        }
        let undated = undated.trim_end().to_owned();
        let text = text.trim_end().to_owned();
        Some(Citation { urn, year: self.year, dated: self.dated, end: text.len(), text, undated })
    }
}

/// A date at the start of a text and the rest, `2009`, `2008-12`; `None` for the date if it is a dash or
/// digits that are not a date.
fn leading_date(text: &str) -> Option<(Option<&str>, &str)> {
    let (digits, rest) = leading(text, |c| c.is_ascii_digit() || c == '-')?;
    for length in [digits.len(), "2009".len()] {
        if let Some((date, after)) = text.split_at_checked(length)
            && is_date(date)
        {
            return Some((Some(date), after));
        }
    }
    Some((None, rest))
}

fn supplement(word: &str) -> Option<SupplementKind> {
    match word {
        "amd" | "am" | "amendment" => Some(SupplementKind::Amendment),
        "cor" | "corr" | "corrigendum" | "ac" => Some(SupplementKind::Corrigendum),
        "add" | "addendum" => Some(SupplementKind::Addendum),
        _ => None,
    }
}
