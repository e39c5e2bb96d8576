//! Bodies, kind and stage of a designation: the words before its number.

use super::designation::{DRAFTS, DesignationParts};
use super::publishers::{
    KINDS_ALONE, NO_PUBLISHERS, Numbers, Publisher, by_id, document_type, find_publisher,
};

/// Words before or after a body that are not part of the name.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "rec", "rec.", "recommendation", "recommandation", "std", "std.", "standard", "norm", "norme", "norma", "no", "no.", "n°",
    "nr", "nr.", "pub", "pub.", "publication", "new", "revised", "international", "european",
];

impl DesignationParts {
    /// Reads all words before the number; returns the rest of the text.
    pub(super) fn read_words<'t>(&mut self, mut text: &'t str) -> &'t str {
        while let Some(end) = text.find([' ', '/']) {
            let word = &text[..end];
            let rest = text[end + 1..].trim_start();
            let is_read = if self.bodies.is_empty() {
                self.take_first_word(word)
            } else {
                self.take_next_word(word, rest)
            };
            if !is_read {
                break;
            }
            text = rest;
        }
        self.read_glued(text)
    }

    /// Takes a word before the first body, or that body. Returns whether a designation may begin with it.
    fn take_first_word(&mut self, word: &str) -> bool {
        let lower = word.to_lowercase();
        if let Some(body) = body_of_draft(&lower) {
            self.draft = true;
            self.bodies.push(body.id.to_owned());
            return true;
        }
        if DRAFTS.contains(&lower.as_str()) {
            self.draft = true;
            return true;
        }
        let code = document_type(word.trim_end_matches(','));
        if let Some(body) = body_of_kind(&lower) {
            self.bodies.push(body.to_owned());
            self.kind = code;
            // `NISTIR` and `FIPS-PUB` are not in the table of kinds.
            if code.is_none() && body == "nist" {
                self.kind = Some(if lower == "nistir" { "ir" } else { "fips" });
            }
            return true;
        }
        if let Some(bodies) = known_bodies(word) {
            self.bodies = bodies;
            return true;
        }
        // `Guide ISO 35`, `Report ITU-R BT.2245`, `Recommendation ITU-T G.703`.
        if let Some(code) = code
            && code.len() > 3
            && word.starts_with(|c: char| c.is_uppercase())
        {
            self.kind = Some(code);
            return true;
        }
        if is_unknown_body(word, &lower) {
            self.bodies.push(lower);
            return true;
        }
        FILLERS.contains(&lower.as_str())
    }

    /// Takes a word between the first body and the number: another body, a kind or a stage. Returns whether
    /// it is one of these, or a word that may come before a number in the rest of the text.
    fn take_next_word(&mut self, word: &str, rest: &str) -> bool {
        let lower = word.to_lowercase();
        let issuer = self.issuer();
        if DRAFTS.contains(&lower.as_str()) {
            self.draft = true;
            return true;
        }
        // The draft standard of CalConnect is a stage.
        if lower == "ds" && issuer.is_some_and(|issuer| issuer.id == "cc") {
            self.draft = true;
            return true;
        }
        // The letter of a series is read with the number: `OIML R 60`.
        let is_series = word.len() == 1 && issuer.is_some_and(|issuer| issuer.numbers == Numbers::Series);
        let code = document_type(word.trim_end_matches(','));
        if let Some(code) = code
            && !is_series
            && issuer.is_none_or(|issuer| issuer.kinds.contains(&code))
        {
            self.kind = Some(code);
            return true;
        }
        if let Some(code) = kind_of_draft(&lower) {
            self.draft = true;
            self.kind = Some(code);
            return true;
        }
        // `T` is a body in `GB/T` alone.
        let is_letter = word.len() == 1 && self.bodies.last().is_none_or(|body| body != "gb");
        let may_be_body = self.kind.is_none() && !is_series && !is_letter;
        if may_be_body && let Some(bodies) = known_bodies(word) {
            self.bodies.extend(bodies);
            return true;
        }
        // A kind that is not part of this body's names.
        if code.is_some_and(|code| code.len() > 1) {
            return true;
        }
        let may_precede_number = issuer.is_some() && rest.contains(|c: char| c.is_ascii_digit());
        may_precede_number && FILLERS.contains(&lower.as_str())
    }

    /// A body or kind right before the number: `ECMA-262`, `RFC8141`, `PN-B-02025`.
    fn read_glued<'t>(&mut self, text: &'t str) -> &'t str {
        if !self.bodies.is_empty() {
            return text;
        }
        let Some(digit) = text.find(|c: char| c.is_ascii_digit()) else { return text };
        let (head, number) = text.split_at(digit);
        if head.len() < 2 || !head.bytes().all(|b| b.is_ascii_uppercase() || b == b'-') {
            return text;
        }
        let word = head.trim_end_matches('-');
        let lower = word.to_lowercase();
        if let Some(body) = body_of_kind(&lower) {
            self.bodies = vec![body.to_owned()];
            self.kind = document_type(&lower);
            return number;
        }
        // Two letters before a number are seldom a body.
        let may_be_body = word.len() > 2 || word == "EN";
        if may_be_body && let Some(bodies) = known_bodies(word) {
            self.bodies = bodies;
            return number;
        }
        // A body and the letter of a series.
        let Some((body, series)) = head.split_once('-') else { return text };
        let Some(known) = find_publisher(body) else { return text };
        if known.numbers != Numbers::Series || series.is_empty() {
            return text;
        }
        self.bodies = vec![known.id.to_owned()];
        &text[body.len() + 1..]
    }
}

/// The body of a draft that is marked in front of the body: `prEN`, `FprEN`.
fn body_of_draft(lower: &str) -> Option<&'static Publisher> {
    let body = lower.strip_prefix("fpr").or(lower.strip_prefix("pr"))?;
    by_id(body)
}

/// The body of a kind that is named without one.
fn body_of_kind(lower: &str) -> Option<&'static str> {
    let (_, body) = KINDS_ALONE.iter().find(|(kind, _)| *kind == lower)?;
    Some(body)
}

/// The kind after a stage that is written without a space: `fdts`, `dtr`.
fn kind_of_draft(lower: &str) -> Option<&'static str> {
    for stage in ["fd", "cd", "d"] {
        if let Some(kind) = lower.strip_prefix(stage)
            && let Some(code) = document_type(kind)
        {
            return Some(code);
        }
    }
    None
}

/// A short word in capitals can be a body that no table has.
fn is_unknown_body(word: &str, lower: &str) -> bool {
    let is_abbreviation = (2..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase());
    is_abbreviation && document_type(word).is_none() && !NO_PUBLISHERS.contains(&lower)
}

/// The ids of the bodies of a word: `ISO`, `UNE-EN`. Bodies are written in capitals, since `une` and `as` are
/// words too.
fn known_bodies(word: &str) -> Option<Vec<String>> {
    let word = match word {
        "Ecma" => "ECMA",
        "CalConnect" => "CALCONNECT",
        _ => word,
    };
    let is_odd = |c: char| c.is_lowercase() || !c.is_alphanumeric() && c != '-';
    if word.starts_with('-') || word.contains(is_odd) {
        return None;
    }
    if let Some(whole) = find_publisher(word) {
        return Some(vec![whole.id.to_owned()]);
    }
    let mut bodies = Vec::new();
    for part in word.split('-') {
        bodies.push(find_publisher(part)?.id.to_owned());
    }
    Some(bodies)
}
