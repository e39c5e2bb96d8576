//! References of two units: those with another target than before.

use norma_model::Passage;

use crate::alignment::aligned;
use crate::comparison::{ReferenceChange, ReferenceChangeKind};
use crate::facets::FacetContext;
use crate::passages::PassageWords;
use crate::reference_names::EditionAge;
use crate::units::{ComparisonUnit, UnitReference, UnitTarget};
use crate::vocabulary::is_law;

impl FacetContext<'_> {
    /// References with another target, and those to other documents without edition.
    pub(crate) fn references(&self, a: &ComparisonUnit, b: &ComparisonUnit) -> Vec<ReferenceChange> {
        let (older, newer) = (with_codes(a), with_codes(b));
        if older.is_empty() && newer.is_empty() {
            return Vec::new();
        }
        let (older_passages, newer_passages) = (a.passages_of(&older), b.passages_of(&newer));
        let rank = |x: usize, y: usize| self.rank(&older[x], &newer[y]);
        let mut changes = Vec::new();
        for (x, y) in aligned(older.len(), newer.len(), 3, rank) {
            changes.push(ReferenceChange {
                kind: kind(x.map(|x| &older[x]), y.map(|y| &newer[y])),
                older: x.and_then(|x| words(a, older_passages[x])),
                newer: y.and_then(|y| words(b, newer_passages[y])),
                undated: y.is_some_and(|y| is_undated(&newer[y])),
            });
        }
        for (x, reference) in older.iter().enumerate() {
            if !is_undated(reference) {
                continue;
            }
            if let Some(y) = newer.iter().position(|other| other.target == reference.target) {
                changes.push(ReferenceChange {
                    kind: ReferenceChangeKind::Undated,
                    older: words(a, older_passages[x]),
                    newer: words(b, newer_passages[y]),
                    undated: true,
                });
            }
        }
        changes
    }

    /// How much two references differ: 0 where they point at the same thing, 3 where they have nothing in
    /// common.
    fn rank(&self, x: &UnitReference, y: &UnitReference) -> usize {
        if self.same_target(x, y) {
            0
        } else if same_document(x, y) {
            1
        } else if same_kind(x, y) {
            2
        } else {
            3
        }
    }

    /// True for two targets within the editions that correspond.
    pub(crate) fn same_part(&self, x: &UnitTarget, y: &UnitTarget) -> bool {
        let name = self.reference_names.name(x, EditionAge::Older);
        name.is_some() && name == self.reference_names.name(y, EditionAge::Newer)
    }

    /// True for two references that point at the same thing. Without targets, their words are compared.
    fn same_target(&self, x: &UnitReference, y: &UnitReference) -> bool {
        match (&x.target, &y.target) {
            (Some(s @ UnitTarget::Document { .. }), Some(t)) => s == t,
            (None, None) => x.text == y.text,
            (Some(s), Some(t)) => self.same_part(s, t),
            _ => false,
        }
    }
}

/// Most words between the name of a law and its number: `(EU) No`.
const BEFORE_NUMBER: usize = 2;

/// The words of a reference; `None` where they are not in the unit.
fn words(unit: &ComparisonUnit, passage: Option<Passage>) -> Option<PassageWords> {
    passage.map(|passage| unit.words(passage))
}

/// The references of a unit, with the laws and codes of documents that only its words name: `Directive
/// 2006/42/EC`, `S-201`.
fn with_codes(unit: &ComparisonUnit) -> Vec<UnitReference> {
    let mut found = unit.references.clone();
    let words = words_with_bytes(&unit.text);
    for (index, (start, word)) in words.iter().enumerate() {
        let last = if is_law(&word.to_lowercase()) { number_of_law(&words[index + 1..]) } else { None };
        let (last_start, last) = match last {
            Some(number) => number,
            None if is_code(word) => (*start, *word),
            None => continue,
        };
        let document = last.trim_end_matches(['.', ',', ';', ':', ')']);
        let text = &unit.text[*start..last_start + document.len()];
        if unit.references.iter().any(|reference| reference.text.contains(text)) {
            continue;
        }
        // The edition is empty and not absent: a reference without edition counts as undated.
        let edition = Some(Box::default());
        let target = UnitTarget::Document { document: document.into(), edition, clause: None };
        found.push(UnitReference { text: text.into(), target: Some(target) });
    }
    found
}

/// The words of a text, each with the byte at which it begins.
fn words_with_bytes(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut end = 0;
    for word in text.split_whitespace() {
        let start = end + text[end..].find(word).unwrap_or_default();
        end = start + word.len();
        words.push((start, word));
    }
    words
}

/// The number of a law among the words behind its name, with the byte at which it begins.
fn number_of_law<'a>(words: &[(usize, &'a str)]) -> Option<(usize, &'a str)> {
    for &(start, word) in words.iter().take(BEFORE_NUMBER + 1) {
        if is_number_of_law(word) {
            return Some((start, word));
        }
    }
    None
}

/// True for a number such as `2006/42/EC` or `2023/1230`.
fn is_number_of_law(word: &str) -> bool {
    let mut parts = word.split('/');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return false };
    is_part_of_number(first) && is_part_of_number(second)
}

fn is_part_of_number(part: &str) -> bool {
    part.len() > 1 && part.starts_with(|c: char| c.is_ascii_digit())
}

/// True for one to four capitals, a hyphen and at least three digits: `S-201`. Signs may follow.
fn is_code(word: &str) -> bool {
    let Some((letters, number)) = word.split_once('-') else { return false };
    let are_capitals = letters.bytes().all(|byte| byte.is_ascii_uppercase());
    if !(1..=4).contains(&letters.len()) || !are_capitals {
        return false;
    }
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 3 && number[digits..].chars().all(|c| c.is_ascii_punctuation() && c != '-')
}

/// True for a reference to another document that states neither edition nor date.
fn is_undated(reference: &UnitReference) -> bool {
    matches!(reference.target, Some(UnitTarget::Document { edition: None, .. }))
}

fn same_document(x: &UnitReference, y: &UnitReference) -> bool {
    match (&x.target, &y.target) {
        (Some(UnitTarget::Document { document: s, .. }), Some(UnitTarget::Document { document: t, .. })) => {
            s == t
        }
        _ => false,
    }
}

/// True for two references within the document, or two to targets that are not known.
fn same_kind(x: &UnitReference, y: &UnitReference) -> bool {
    is_within(x) && is_within(y) || x.target.is_none() && y.target.is_none()
}

fn is_within(reference: &UnitReference) -> bool {
    matches!(reference.target, Some(UnitTarget::Section(_) | UnitTarget::Part(_)))
}

/// The kind of change from an older reference to a newer one.
fn kind(older: Option<&UnitReference>, newer: Option<&UnitReference>) -> ReferenceChangeKind {
    let (x, y) = match (older, newer) {
        (Some(x), Some(y)) => (x, y),
        (Some(_), None) => return ReferenceChangeKind::Removed,
        (None, _) => return ReferenceChangeKind::Added,
    };
    match (&x.target, &y.target) {
        (
            Some(UnitTarget::Document { document: before, edition: older_edition, .. }),
            Some(UnitTarget::Document { document: after, edition: newer_edition, .. }),
        ) => {
            if before != after {
                ReferenceChangeKind::Document
            } else if older_edition != newer_edition {
                ReferenceChangeKind::Edition
            } else {
                ReferenceChangeKind::Clause
            }
        }
        (Some(UnitTarget::Document { .. }), _) | (_, Some(UnitTarget::Document { .. })) => {
            ReferenceChangeKind::Document
        }
        (None, None) if document_words(&x.text) != document_words(&y.text) => ReferenceChangeKind::Document,
        _ => ReferenceChangeKind::Clause,
    }
}

/// The words of a reference without the numbers of clauses and other parts.
fn document_words(text: &str) -> Vec<&str> {
    text.split_whitespace().filter(|word| !is_clause_number(word)).collect()
}

/// True for a short word without small letters: `4.2.1`, `A`.
fn is_clause_number(word: &str) -> bool {
    word.len() < 8 && word.chars().all(|c| !c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_and_codes_that_only_words_name_are_references() {
        for (text, expected) in [
            ("It shall comply with Directive 2006/42/EC.", vec!["Directive 2006/42/EC"]),
            ("See Regulation (EU) No 2023/1230, Annex I", vec!["Regulation (EU) No 2023/1230"]),
            ("The chart shall follow S-201.", vec!["S-201"]),
            ("The decision of 2006 and the T-shirt and A-1", vec![]),
        ] {
            let unit = ComparisonUnit { text: text.into(), ..ComparisonUnit::default() };
            let found = with_codes(&unit);
            let texts: Vec<&str> = found.iter().map(|reference| &*reference.text).collect();
            assert_eq!(texts, expected, "{text}");
        }
    }
}
