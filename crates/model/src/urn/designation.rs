//! Designations in words, as standards cite each other: `ISO/IEC TR 10023-2:2003/Amd 1:2005`.

use super::alias::is_date;
use super::numbers::leading;
use super::publishers::{
    KINDS_ALONE, NO_PUBLISHERS, Numbers, Publisher, by_id, document_type, find_publisher,
};
use super::{Citation, PartialUrn, UrnParts, grammar, segment};
use crate::SupplementKind;

/// Words between body and number that mark a draft. `fd`, `cd` and `d` also come right before a kind: `FDTS`.
const DRAFTS: &[&str] = &["awi", "cd", "cdv", "dis", "fds", "fdis", "np", "prf", "pwi", "wd"];

/// Words before or after a body that are not part of the name.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "rec", "rec.", "recommendation", "recommandation", "std", "std.", "standard", "norm", "norme", "norma", "no", "no.", "n°",
    "nr", "nr.", "pub", "pub.", "publication", "new", "revised", "international", "european",
];

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
                designation = Self::default();
                let rest = designation.read_words(text);
                let rest = designation.read_number(rest)?;
                designation.read_annex(rest)
            }
        };
        let rest = designation.read_part(rest);
        let mut rest = designation.read_year(rest);
        while let Some(after) = designation.read_supplement(rest) {
            rest = after;
        }
        // From here on, the text ends where the designation does.
        designation
            .dates
            .iter_mut()
            .for_each(|(start, end)| (*start, *end) = (*start - rest.len(), *end - rest.len()));
        Some((designation, text.len() - rest.len()))
    }

    /// Forms that do not begin with a body.
    fn read_whole<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let token = text.split([' ', ',', ';', '(']).next().unwrap_or_default();
        let rest = &text[token.len()..];
        // `draft-ietf-abc-def-05`: the last two digits count its versions.
        let draft = token.strip_prefix("I-D.").or(token.starts_with("draft-").then_some(token));
        if let Some(name) = draft.filter(|name| name.contains('-')) {
            let name = name.trim_end_matches(['.', ':']);
            let (name, version) = match name.rsplit_once('-') {
                Some((rest, version)) if version.len() == 2 && grammar::is_number(version) => {
                    (rest, Some(version))
                }
                _ => (name, None),
            };
            let prefix = if name.starts_with("draft-") { "" } else { "draft-" };
            self.number = format!("{prefix}{}", segment(name));
            (self.kind, self.bodies, self.dated) = (Some("id"), vec!["ietf".to_owned()], version.is_some());
            return Some(rest);
        }
        // Symbols of documents of the United Nations: `ECE/TRADE/C/CEFACT/2019/9`.
        let symbol = ["ECE/", "E/", "A/", "ST/", "S/", "TRADE/"].iter().any(|organ| token.starts_with(organ));
        if symbol && token.matches('/').count() >= 2 && token.bytes().any(|b| b.is_ascii_digit()) {
            (self.bodies, self.number) = (vec!["un".to_owned()], segment(token));
            return Some(rest);
        }
        self.read_resolution(text).or_else(|| self.read_series_of_itu(text)).or_else(|| self.read_etsi(text))
    }

    /// `Resolution 7 of the 9th CGPM (1948)`.
    fn read_resolution<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (word, rest) = text.split_once(' ')?;
        let (number, rest) = leading(rest, |c| c.is_ascii_digit())?;
        let rest = rest.trim_start_matches([',', ' ']).strip_prefix("of the ")?;
        let code = document_type(word)
            .filter(|code| matches!(*code, "resolution" | "decision" | "declaration" | "recommendation"))?;
        let mut words = rest.splitn(3, ' ');
        let (_, body, _) = (words.next()?, words.next()?, words.next());
        let body = body.trim_end_matches([',', '.', ';']);
        let known = find_publisher(body).filter(|known| known.numbers == Numbers::Yearly)?;
        let after = &rest[rest.find(body)? + body.len()..];
        let (year, after) = after.trim_start().strip_prefix('(')?.split_once(')')?;
        if !is_date(year) {
            return None;
        }
        (self.kind, self.bodies, self.number) =
            (Some(code), vec![known.id.to_owned()], format!("{year}-{number}"));
        (self.year, self.dated) = (Some(year.to_owned()), true);
        Some(after)
    }

    /// `ITU-T G Suppl. 39`, `ITU-T Series G Supplement 39`.
    fn read_series_of_itu<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix("ITU-T ")?;
        let rest = rest.strip_prefix("Series ").unwrap_or(rest);
        let (letter, rest) = leading(rest, |c| c.is_ascii_uppercase())?;
        let rest = rest.trim_start_matches(['.', ' ', '-']);
        let rest = rest.strip_prefix("series ").unwrap_or(rest).trim_start();
        let rest = ["Supplement", "Suppl.", "Suppl", "Sup.", "Sup"]
            .iter()
            .find_map(|word| rest.strip_prefix(word))?;
        let (number, rest) = leading(rest.trim_start(), |c| c.is_ascii_digit())?;
        (self.bodies, self.number) = (vec!["itu-t".to_owned()], format!("{letter}.sup{number}"));
        Some(rest)
    }

    /// `TS 102 822-3-1`: a type of ETSI and two groups of three digits, without the body.
    fn read_etsi<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (word, rest) =
            text.split_once(' ').filter(|(word, _)| word.bytes().all(|b| b.is_ascii_uppercase()))?;
        let etsi = by_id("etsi")?;
        let code = document_type(word).filter(|code| etsi.kinds.contains(code))?;
        (self.bodies, self.kind) = (vec![etsi.id.to_owned()], Some(code));
        self.read_grouped(rest)
    }

    /// Bodies, kind and stage: all words before the number.
    fn read_words<'t>(&mut self, mut text: &'t str) -> &'t str {
        while let Some(end) = text.find([' ', '/']) {
            let (word, rest) = (&text[..end], &text[end + 1..]);
            if !self.take_word(word, rest.trim_start()) {
                break;
            }
            text = rest.trim_start();
        }
        self.read_glued(text)
    }

    fn take_word(&mut self, word: &str, rest: &str) -> bool {
        let lower = word.to_lowercase();
        let issuer = self.issuer();
        let code = document_type(word.trim_end_matches(','));
        if self.bodies.is_empty() {
            let bare = lower.strip_prefix("fpr").or(lower.strip_prefix("pr")).and_then(by_id);
            let alone = KINDS_ALONE.iter().find(|(kind, _)| *kind == lower);
            if let Some(body) = bare {
                self.draft = true;
                self.bodies.push(body.id.to_owned());
            } else if DRAFTS.contains(&lower.as_str()) {
                self.draft = true;
            } else if let Some((_, body)) = alone {
                self.bodies.push((*body).to_owned());
                self.kind = code.or(if *body == "nist" {
                    Some(if lower == "nistir" { "ir" } else { "fips" })
                } else {
                    None
                });
            } else if let Some(bodies) = known_bodies(word) {
                self.bodies = bodies;
            } else if let Some(code) =
                code.filter(|code| code.len() > 3 && word.starts_with(|c: char| c.is_uppercase()))
            {
                // `Guide ISO 35`, `Report ITU-R BT.2245`, `Recommendation ITU-T G.703`.
                self.kind = Some(code);
            } else if is_unknown_body(word, &lower) {
                self.bodies.push(lower);
            } else {
                return FILLERS.contains(&lower.as_str());
            }
            return true;
        }
        let own = |code: &&str| issuer.is_none_or(|issuer| issuer.kinds.contains(code));
        let is_series = word.len() == 1 && issuer.is_some_and(|issuer| issuer.numbers == Numbers::Series);
        // `T` is a body in `GB/T` alone.
        let is_letter = word.len() == 1 && self.bodies.last().is_none_or(|body| body != "gb");
        let stage = ["fd", "cd", "d"].iter().find_map(|stage| document_type(lower.strip_prefix(stage)?));
        if DRAFTS.contains(&lower.as_str()) {
            self.draft = true;
        } else if lower == "ds" && issuer.is_some_and(|issuer| issuer.id == "cc") {
            // The draft standard of CalConnect is a stage.
            self.draft = true;
        } else if let Some(code) = code.filter(own).filter(|_| !is_series) {
            self.kind = Some(code);
        } else if let Some(code) = stage {
            (self.draft, self.kind) = (true, Some(code));
        } else if let Some(bodies) =
            known_bodies(word).filter(|_| self.kind.is_none() && !is_series && !is_letter)
        {
            self.bodies.extend(bodies);
        } else if code.is_some_and(|code| code.len() > 1) {
            // A kind that is not part of this body's names.
        } else {
            let known = issuer.is_some() && rest.contains(|c: char| c.is_ascii_digit());
            return known && FILLERS.contains(&lower.as_str());
        }
        true
    }

    /// A body or kind right before the number: `ECMA-262`, `RFC8141`, `PN-B-02025`.
    fn read_glued<'t>(&mut self, text: &'t str) -> &'t str {
        let Some(digit) = text.find(|c: char| c.is_ascii_digit()).filter(|_| self.bodies.is_empty()) else {
            return text;
        };
        let head = &text[..digit];
        if !head.bytes().all(|b| b.is_ascii_uppercase() || b == b'-') || head.len() < 2 {
            return text;
        }
        let word = head.trim_end_matches('-');
        let alone = KINDS_ALONE.iter().find(|(kind, _)| *kind == word.to_lowercase());
        if let Some((alone, body)) = alone {
            (self.bodies, self.kind) = (vec![(*body).to_owned()], document_type(alone));
            return &text[digit..];
        }
        if let Some(bodies) = known_bodies(word).filter(|_| word.len() > 2 || word == "EN") {
            self.bodies = bodies;
            return &text[digit..];
        }
        // A body and the letter of a series.
        let Some((body, series)) = head.split_once('-') else { return text };
        match find_publisher(body).filter(|known| known.numbers == Numbers::Series && !series.is_empty()) {
            Some(known) => {
                self.bodies = vec![known.id.to_owned()];
                &text[body.len() + 1..]
            }
            None => text,
        }
    }

    /// The body that gave the number: the last one.
    pub(super) fn issuer(&self) -> Option<&'static Publisher> {
        by_id(self.bodies.last()?)
    }

    /// `G.729 Annex A (11/1996)`: an annex that ITU publishes as a document of its own, with a date of its
    /// own.
    fn read_annex<'t>(&mut self, text: &'t str) -> &'t str {
        let is_itu = self.issuer().is_some_and(|issuer| issuer.namespace() == "itu");
        let annex = text.strip_prefix(" Annex ").filter(|_| is_itu);
        let dated = |rest: &str| {
            let date = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
            date.is_some_and(|(date, _)| {
                is_date(date) || date.split_once('/').is_some_and(|(_, y)| is_date(y))
            })
        };
        match annex.and_then(|annex| leading(annex, |c| c.is_ascii_alphanumeric())) {
            Some((letter, rest)) if dated(rest) => {
                self.number = format!("{} Annex {letter}", self.number);
                rest
            }
            _ => text,
        }
    }

    /// `Part 2`, `Teil 4` after the number.
    fn read_part<'t>(&mut self, text: &'t str) -> &'t str {
        let after = text.trim_start_matches([',', ' ']);
        let word = ["Part ", "Teil ", "Partie ", "part "].iter().find_map(|word| after.strip_prefix(word));
        match word.and_then(|after| leading(after, |c| c.is_ascii_digit() || c == '-')) {
            Some((part, rest)) if self.part.is_none() && !part.ends_with('-') => {
                self.part = Some(part.to_owned());
                rest
            }
            _ => text,
        }
    }

    /// `:2009`, `:2008-12`, `(2008)`, `(07/2016)`, or `:—` for an edition not yet published.
    fn read_year<'t>(&mut self, text: &'t str) -> &'t str {
        let after = text.trim_start();
        let (year, rest) = if let Some(date) = after.strip_prefix(':') {
            let date = date.trim_start();
            let end = date.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(date.len());
            if end == 0 {
                return text;
            }
            let year = [end, 4].into_iter().filter_map(|end| date.get(..end)).find(|y| is_date(y));
            (year.map(str::to_owned), &date[year.map_or(end, str::len)..])
        } else if let Some((date, rest)) = after.strip_prefix('(').and_then(|b| b.split_once(')')) {
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
        self.dates.push((text.len(), rest.len()));
        rest
    }

    /// `/Amd 1:2017`, `/DAmd 1`, `, Cor. 2`, `/A1:2014`.
    fn read_supplement<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let after = text.trim_start_matches([' ', ',']);
        let slash = after.strip_prefix('/').map(str::trim_start);
        let mut after = slash.unwrap_or(after);
        let mut draft = false;
        if let Some((stage, rest)) = after.split_once(' ')
            && slash.is_some()
            && DRAFTS.contains(&stage.to_lowercase().as_str())
        {
            (draft, after) = (true, rest.trim_start());
        }
        let end = after.find(|c: char| !c.is_ascii_alphabetic())?;
        let word = after[..end].to_lowercase();
        let bare = ["fd", "pd", "d"]
            .iter()
            .find_map(|stage| word.strip_prefix(stage))
            .filter(|w| supplement(w).is_some());
        let kind = supplement(bare.unwrap_or(&word));
        let kind = kind.or_else(|| (slash.is_some() && word == "a").then_some(SupplementKind::Amendment))?;
        let after = after[end..].trim_start_matches(['.', ' ']);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        if end == 0 {
            return None;
        }
        self.draft |= draft || bare.is_some();
        self.supplements.push((kind, after[..end].to_owned()));
        self.year = None;
        Some(self.read_year(&after[end..]))
    }

    /// The citation of this designation.
    pub(super) fn citation(self, text: &str) -> Option<Citation> {
        let originator = self.bodies.iter().map(|b| segment(b)).collect::<Vec<_>>().join("-");
        let parts = UrnParts {
            originator: Some(originator),
            doc_type: self.kind.map(str::to_owned),
            number: segment(&self.number),
            part: self.part.map(|part| segment(&part)).filter(|part| !part.is_empty()),
            stage: self.draft.then(|| "draft".to_owned()),
            supplements: self.supplements,
            ..UrnParts::default()
        };
        let urn = PartialUrn::new(parts.normalized()).ok()?;
        let mut undated = text.to_owned();
        let dates = self.dates.iter().rev().map(|(start, end)| text.len() - start..text.len() - end);
        dates.for_each(|date| undated.replace_range(date, ""));
        let undated = undated.trim_end().to_owned();
        let text = text.trim_end().to_owned();
        Some(Citation { urn, year: self.year, dated: self.dated, end: text.len(), text, undated })
    }
}

/// Whether a word can be a body that no table has: a short word in capitals.
fn is_unknown_body(word: &str, lower: &str) -> bool {
    (2..=5).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_uppercase())
        && document_type(word).is_none()
        && !NO_PUBLISHERS.contains(&lower)
}

/// The ids of the bodies of a word: `ISO`, `UNE-EN`. Bodies are written in capitals, since `une` and `as` are
/// words too.
fn known_bodies(word: &str) -> Option<Vec<String>> {
    let word = if matches!(word, "Ecma" | "CalConnect") { word.to_uppercase() } else { word.to_owned() };
    if word.starts_with('-') || word.chars().any(|c| c.is_lowercase() || !c.is_alphanumeric() && c != '-') {
        return None;
    }
    let id = |word: &str| find_publisher(word).map(|known| known.id.to_owned());
    id(&word).map(|body| vec![body]).or_else(|| word.split('-').map(id).collect())
}

fn supplement(word: &str) -> Option<SupplementKind> {
    match word {
        "amd" | "am" | "amendment" => Some(SupplementKind::Amendment),
        "cor" | "corr" | "corrigendum" | "ac" => Some(SupplementKind::Corrigendum),
        "add" | "addendum" => Some(SupplementKind::Addendum),
        _ => None,
    }
}
