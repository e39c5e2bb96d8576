//! Citations in running text: where they begin and end among other words.

use std::ops::Range;

use super::PrintedCitation;
use super::cited::MAX_CITATION_LENGTH;
use super::location_reader::AND;
use super::normal::plain_character;
use super::values::{before_counts, before_values, may_be_location};
use super::word_lists::{after_of, begins_with, detail_word, location_word, same_length_lower};
use super::{document, locations};

/// Longest distance between the start of a citation and its first number, in bytes.
const LONGEST_TO_NUMBER: usize = 48;
/// Characters of most citations, with the words behind them that end them.
const USUAL_LENGTH: usize = 120;
/// Longest word for a part or a detail, in bytes.
const LONGEST_WORD: usize = 32;

/// Words between a document and its places, in running text.
const BEFORE_LOCATIONS: [&str; 11] =
    ["see also", "see", "siehe auch", "siehe", "voir aussi", "voir", "in", "dort", "under", "dans", "hier"];

/// Words for positions in the text that is read itself: `Table 1 below`.
const OWN_POSITIONS: &str =
    "above|below|overleaf|hereafter|herein|supra|infra|oben|unten|ci-dessus|ci-dessous";
/// Words that begin a phrase for the text that is read itself: `Clause 3 of this report`.
const OWN_DETERMINERS: &str = "this|the present|our|my|diesem|dieses|dieser|unserem|unseres|unserer|ce|cet|cette|\
     notre|nos|présent|présente|le présent|la présente|du présent|de la présente";
/// Words for texts that people write.
const OWN_TEXTS: &str = "report|document|paper|thesis|manual|specification|handbook|text|chapter|guide|study|article|\
     contract|terms|agreement|proposal|offer|bericht|berichts|berichtes|dokument|dokuments|arbeit|handbuch|handbuchs|\
     spezifikation|text|textes|kapitel|studie|vertrag|vertrags|angebot|angebots|rapport|mémoire|manuel|spécification|\
     texte|chapitre|étude|contrat|offre";
/// Words between such a determiner and its noun that are looked at: `this short report`.
const OWN_DISTANCE: usize = 3;
/// Words before a place of the text that is read itself: `our Clause 3`.
const OWN_BEFORE: [&str; 14] = [
    "our", "my", "this", "unser", "unserem", "unsere", "unserer", "diesem", "dieser", "notre", "cette", "ce",
    "own", "eigenen",
];
/// Words before a number of another kind: `version 4.2 of ISO 712` is not Clause 4.2.
const OTHER_NUMBERS: [&str; 7] = ["version", "release", "edition", "fassung", "ausgabe", "édition", "v"];

/// A citation among the words of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationInText {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The citation in plain characters, as [`PrintedCitation::read`] reads it.
    pub text: String,
    /// The citation taken apart.
    pub citation: PrintedCitation,
}

/// The citations of a text, in order and without overlap: documents with or without places, and places that a
/// word announces (`Clause 4.2`). A number alone is never one. Whether a designation names a standard is not
/// known here: `RAL 9005` is read like `ISO 9005`.
///
/// ```
/// use norma_model::printed::citations_in;
/// let text = "NSB 4210:2019, 4.2(1) asks for 5 kN; see Table 1.";
/// let found: Vec<&str> = citations_in(text).into_iter().map(|found| &text[found.range]).collect();
/// assert_eq!(found, ["NSB 4210:2019, 4.2(1)", "Table 1"]);
/// ```
pub fn citations_in(text: &str) -> Vec<CitationInText> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_word(text, at) {
        let word_end = start + word_length(&text[start..]);
        at = word_end;
        if !may_begin_citation(&text[start..]) {
            continue;
        }
        if let Some(citation) = read_at(text, start) {
            at = citation.range.end.max(word_end);
            found.push(citation);
        }
    }
    found
}

/// The start of the first word at or after a byte.
fn next_word(text: &str, from: usize) -> Option<usize> {
    let mut before = text[..from].chars().next_back();
    for (at, c) in text[from..].char_indices() {
        // Words of addresses, of file names and of compounds are not words of their own.
        let is_within = before.is_some_and(|c| c.is_alphanumeric() || "-_/@.#\\+".contains(c));
        if !is_within && (c.is_alphanumeric() || c == '§') {
            return Some(from + at);
        }
        before = Some(c);
    }
    None
}

fn word_length(text: &str) -> usize {
    let length = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    length.max(text.chars().next().map_or(1, char::len_utf8))
}

/// Whether a citation may begin with this text: a quick test that most words fail.
fn may_begin_citation(text: &str) -> bool {
    let near = &text[..text.floor_char_boundary(LONGEST_TO_NUMBER.min(text.len()))];
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return near.contains('.');
    }
    let is_annex_possible = near.split_whitespace().nth(1).is_some_and(begins_with_capital);
    if !near.contains(|c: char| c.is_ascii_digit()) && !is_annex_possible {
        return false;
    }
    begins_with_capitals(text) || is_word_for_part(near)
}

fn begins_with_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase())
}

/// Whether a text begins with what may be the letters of a body, a URN, or the number of a clause of an
/// annex.
fn begins_with_capitals(text: &str) -> bool {
    let mut characters = text.chars();
    let (first, second) = (characters.next(), characters.next());
    let is_body = first.is_some_and(char::is_uppercase) && second.is_some_and(char::is_uppercase);
    let is_annex = first.is_some_and(|c| c.is_ascii_uppercase()) && second == Some('.');
    is_body
        || is_annex
        || text.starts_with("pr") && begins_with_capital(&text[2..])
        || text.starts_with("urn:")
}

fn is_word_for_part(text: &str) -> bool {
    let lower = same_length_lower(&text[..text.floor_char_boundary(LONGEST_WORD.min(text.len()))]);
    location_word(&lower).is_some() || detail_word(&lower).is_some()
}

/// The plain form of a stretch of text, and where each of its bytes comes from.
struct PlainStretch {
    plain: String,
    /// For each byte of the plain form, the byte of the text.
    origins: Vec<usize>,
    /// The byte of the text after the stretch.
    end: usize,
}

impl PlainStretch {
    /// The stretch that begins at a byte and has so many characters.
    fn at(text: &str, start: usize, length: usize) -> Self {
        let mut stretch = Self { plain: String::new(), origins: Vec::new(), end: text.len() };
        for (count, (at, c)) in text[start..].char_indices().enumerate() {
            if count >= length {
                stretch.end = start + at;
                break;
            }
            match plain_character(c) {
                Some(' ') if stretch.plain.ends_with(' ') => {}
                Some(c) => {
                    stretch.plain.push(c);
                    stretch.origins.resize(stretch.plain.len(), start + at);
                }
                None => {}
            }
        }
        stretch
    }

    /// The byte of the text where a part of the plain form ends.
    fn end_of(&self, text: &str, length: usize) -> usize {
        let Some(last) = length.checked_sub(1) else { return self.end };
        let last = self.origins[last];
        last + text[last..].chars().next().map_or(0, char::len_utf8)
    }
}

/// The citation that begins at a byte. Few are as long as the longest: a shorter stretch of text is read
/// first, because each candidate costs time for its length.
fn read_at(text: &str, start: usize) -> Option<CitationInText> {
    match read_within(text, start, USUAL_LENGTH) {
        Some(found) if found.text.len() * 2 > USUAL_LENGTH => read_within(text, start, MAX_CITATION_LENGTH),
        found => found,
    }
}

/// The citation that begins at a byte, in a stretch of so many characters.
fn read_within(text: &str, start: usize, length: usize) -> Option<CitationInText> {
    let stretch = PlainStretch::at(text, start, length);
    let before = last_word(&text[..start]);
    let length = citation_length(&stretch.plain, &before)?;
    let plain = &stretch.plain[..length];
    // The reader of citations has the last word, so that a service reads the same.
    let citation = PrintedCitation::read(plain).ok()?;
    let range = start..stretch.end_of(text, length);
    Some(CitationInText { range, text: plain.to_owned(), citation })
}

/// The last word of a text in lower case.
fn last_word(text: &str) -> String {
    let nearest = text.ceil_char_boundary(text.len().saturating_sub(LONGEST_WORD));
    let near = text[nearest..].trim_end();
    let start = near.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| near.ceil_char_boundary(at + 1));
    near[start..].to_lowercase()
}

/// Length of the citation at the beginning of a plain text.
fn citation_length(plain: &str, word_before: &str) -> Option<usize> {
    let lower = same_length_lower(&plain[..plain.floor_char_boundary(LONGEST_WORD.min(plain.len()))]);
    let is_word = location_word(&lower).is_some() || detail_word(&lower).is_some();
    if is_word || plain.starts_with(|c: char| c.is_ascii_digit()) {
        return locations_first(plain, word_before, is_word);
    }
    match document_first(plain) {
        Some(length) => Some(length),
        // `A.1 of NSB 4210`
        None => locations_first(plain, word_before, false),
    }
}

/// Length of places with or without their document behind them. Places that no word announces
/// (`is_announced`) are some of a document only.
fn locations_first(plain: &str, word_before: &str, is_announced: bool) -> Option<usize> {
    if OTHER_NUMBERS.contains(&word_before) || OWN_BEFORE.contains(&word_before) {
        return None;
    }
    let readable = before_counts(before_values(plain), &AND);
    let (_, rest) = locations::announced(readable).ok()??;
    let length = readable.len() - rest.len();
    // What the places are of may be behind a value: it is looked for in the whole text.
    let rest = &plain[length..];
    if let Some(holder) = after_of(rest) {
        if let Some(found) = document::read(holder) {
            return Some(plain.len() - holder.len() + found.end);
        }
        if begins_with_own(holder) {
            return None;
        }
    }
    (is_announced && !begins_with_own(rest)).then(|| plain[..length].trim_end().len())
}

/// Length of a document with the places behind it.
fn document_first(plain: &str) -> Option<usize> {
    let found = document::read(plain)?;
    let rest = before_counts(before_values(&plain[found.end..]), &AND);
    let with_locations = locations_behind(rest).map(|length| found.end + length);
    Some(with_locations.unwrap_or_else(|| plain[..found.end].trim_end().len()))
}

/// Length of the places behind a document; `None` where there are none of it.
fn locations_behind(rest: &str) -> Option<usize> {
    if !may_begin_locations(rest) {
        return None;
    }
    let (_, after) = locations::behind_document(rest).ok()?;
    let length = rest.len() - after.len();
    let holder = after_of(after);
    if begins_with_own(after) || holder.is_some_and(begins_with_own) {
        return None;
    }
    Some(rest[..length].trim_end().len())
}

/// Whether places of a document may follow it: `, 4.2`, ` (see Clause 4)`, ` Table 1`, but not `, 4 anchors`.
fn may_begin_locations(rest: &str) -> bool {
    let after_signs = rest.trim_start_matches([' ', ',', ';', ':', '–', '-', '(']);
    let lower = same_length_lower(after_signs);
    let mut longest = 0;
    for word in BEFORE_LOCATIONS {
        if begins_with(&lower, word) {
            longest = longest.max(word.len());
        }
    }
    let next = after_signs[longest..].trim_start();
    let lower = &lower[lower.len() - next.len()..];
    if location_word(lower).is_some() || detail_word(lower).is_some() {
        return true;
    }
    let is_apart = rest.len() > after_signs.len();
    is_apart && may_be_location(next)
}

/// Whether a text begins with words for the text that is read itself.
fn begins_with_own(text: &str) -> bool {
    let lower = same_length_lower(text.trim_start());
    if OWN_POSITIONS.split('|').any(|word| begins_with(&lower, word)) {
        return true;
    }
    let Some(determiner) = OWN_DETERMINERS.split('|').find(|word| begins_with(&lower, word)) else {
        return false;
    };
    let words =
        lower[determiner.len()..].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(OWN_DISTANCE).any(|word| OWN_TEXTS.split('|').any(|own| own == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        citations_in(text).into_iter().map(|found| &text[found.range]).collect()
    }

    #[test]
    fn citations_end_where_other_words_begin() {
        for (text, expected) in [
            ("Anchors meet NSB 4210:2019, 4.2(1) and more.", vec!["NSB 4210:2019, 4.2(1)"]),
            ("NSB 4210:2019 5 kN is the load", vec!["NSB 4210:2019"]),
            ("NSB 4210:2019, 4 anchors were tested", vec!["NSB 4210:2019"]),
            ("as in NSB 4210:2019, 4. Then", vec!["NSB 4210:2019, 4"]),
            ("Clause 4.2 of NSB 4210:2019 applies", vec!["Clause 4.2 of NSB 4210:2019"]),
            ("the value in 4.2 of NSB\n4210:2019 applies", vec!["4.2 of NSB\n4210:2019"]),
            ("Abschnitt 4.2 der NSB 4210:2025 verlangt 8 kN", vec!["Abschnitt 4.2 der NSB 4210:2025"]),
            ("l’article 4.2 de la NSB 4210:2025 exige", vec!["article 4.2 de la NSB 4210:2025"]),
            ("(NSB 4210:2025, Clause 4 and Annex A)", vec!["NSB 4210:2025, Clause 4 and Annex A"]),
            ("ISO 9227 and NSB 4210 apply", vec!["ISO 9227", "NSB 4210"]),
            ("NSB 4210:2019 (see 4.2) says", vec!["NSB 4210:2019 (see 4.2)"]),
            ("see Annex A and Table 2", vec!["Annex A and Table 2"]),
            ("to NSB 4210:2025, 11.8 in our workshop", vec!["NSB 4210:2025, 11.8"]),
            ("NSB 4210:2025, 11.8 of our short report", vec!["NSB 4210:2025"]),
            ("Table 1 and 2 anchors", vec!["Table 1"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_versions_dates_and_own_parts_are_not_citations() {
        for text in [
            "It weighs 4.2 kg, version 4.2 of 2019.",
            "On 12.05.2016 at 10.30 we met.",
            "See Clause 3 of this report, and our Table 2.",
            "https://example.org/NSB-4210 and a/ISO 9001.md",
            "The annex A bicycle needs.",
            "item 5 costs 4.20",
        ] {
            let with_documents: Vec<CitationInText> =
                citations_in(text).into_iter().filter(|found| found.citation.document.is_some()).collect();
            assert_eq!(with_documents, [], "{text}");
        }
        assert_eq!(found("See Clause 3 of this report, and our Table 2."), [""; 0]);
        assert_eq!(found("version 4.2 of NSB 4210:2019"), ["NSB 4210:2019"]);
    }

    #[test]
    fn invisible_and_wide_characters_do_not_move_the_range() {
        let text = "„ NSB\u{a0}4210\u{200b}:2019, §\u{202f}4.2 – und weiter";
        assert_eq!(found(text), ["NSB\u{a0}4210\u{200b}:2019, §\u{202f}4.2"]);
    }
}
