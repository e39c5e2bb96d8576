//! References of two units: those with another target than before.

use crate::comparison::{ReferenceChange, ReferenceChangeKind};
use crate::facets::{FacetContext, aligned};
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
        let passages = [a.passages_of(&older), b.passages_of(&newer)];
        let equal = |x: usize, y: usize| self.same_target(&older[x], &newer[y]);
        let of_document = |x: usize, y: usize| same_document(&older[x], &newer[y]);
        let of_kind = |x: usize, y: usize| same_kind(&older[x], &newer[y]);
        let rules: [&dyn Fn(usize, usize) -> bool; 4] = [&equal, &of_document, &of_kind, &|_, _| true];
        let change = |(x, y): (Option<usize>, Option<usize>)| ReferenceChange {
            kind: match (x.map(|x| &older[x]), y.map(|y| &newer[y])) {
                (Some(x), Some(y)) => kind(x, y),
                (Some(_), None) => ReferenceChangeKind::Removed,
                _ => ReferenceChangeKind::Added,
            },
            older: x.and_then(|x| Some(a.words(passages[0][x]?))),
            newer: y.and_then(|y| Some(b.words(passages[1][y]?))),
            undated: y.is_some_and(|y| is_undated(&newer[y])),
        };
        let mut changes: Vec<_> = aligned(older.len(), newer.len(), &rules).into_iter().map(change).collect();
        for (x, x_passage) in older.iter().zip(&passages[0]).filter(|(x, _)| is_undated(x)) {
            let same = newer.iter().zip(&passages[1]).find(|(y, _)| x.target == y.target);
            if let Some((_, y_passage)) = same {
                changes.push(ReferenceChange {
                    kind: ReferenceChangeKind::Undated,
                    older: x_passage.map(|passage| a.words(passage)),
                    newer: y_passage.map(|passage| b.words(passage)),
                    undated: true,
                });
            }
        }
        changes
    }

    /// Whether two references point at the same thing.
    pub(crate) fn same_target(&self, x: &UnitReference, y: &UnitReference) -> bool {
        let names = self.reference_names;
        match (&x.target, &y.target) {
            (Some(s @ UnitTarget::Document { .. }), Some(t)) => s == t,
            (None, None) => x.text == y.text,
            (Some(s), Some(t)) => {
                names.name(s, EditionAge::Older).is_some()
                    && names.name(s, EditionAge::Older) == names.name(t, EditionAge::Newer)
            }
            _ => false,
        }
    }
}

/// Most words between the name of a law and its number: `(EU) No`.
const BEFORE_NUMBER: usize = 2;

/// The references of a unit, with the laws and codes of documents that only its words name: `Directive
/// 2006/42/EC`, `S-201`.
fn with_codes(unit: &ComparisonUnit) -> Vec<UnitReference> {
    let mut found = unit.references.clone();
    let mut at = 0;
    let words = unit.text.split_whitespace().map(|word| {
        let start = at + unit.text[at..].find(word).unwrap_or_default();
        at = start + word.len();
        (start, word)
    });
    let words: Vec<(usize, &str)> = words.collect();
    for (index, (start, word)) in words.iter().enumerate() {
        let is_law = is_law(&word.to_lowercase());
        let mut behind = words[index + 1..].iter().take(BEFORE_NUMBER + 1).filter(|_| is_law);
        let law = behind.find(|(_, word)| is_number_of_law(word));
        let code = Some(&words[index]).filter(|(_, word)| is_code(word));
        let Some((number, word)) = law.or(code) else { continue };
        let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let text = &unit.text[*start..number + word.len()];
        if !unit.references.iter().any(|reference| reference.text.contains(text)) {
            let target =
                UnitTarget::Document { document: word.into(), edition: Some(Box::default()), clause: None };
            found.push(UnitReference { text: text.into(), target: Some(target) });
        }
    }
    found
}

/// Whether a word is a number such as `2006/42/EC` or `2023/1230`.
fn is_number_of_law(word: &str) -> bool {
    let mut parts = word.split('/');
    let is_number = |part: Option<&str>| {
        part.is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()) && part.len() > 1)
    };
    is_number(parts.next()) && is_number(parts.next())
}

/// Whether a word is letters, a hyphen and at least three digits: `S-201`.
fn is_code(word: &str) -> bool {
    word.split_once('-').is_some_and(|(letters, number)| {
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let is_name =
            (1..=4).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_uppercase());
        is_name && digits >= 3 && number[digits..].chars().all(|c| c.is_ascii_punctuation() && c != '-')
    })
}

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

/// Whether both are in this document, or both in unknown documents.
fn same_kind(x: &UnitReference, y: &UnitReference) -> bool {
    let is_within =
        |target: &Option<UnitTarget>| matches!(target, Some(UnitTarget::Section(_) | UnitTarget::Part(_)));
    is_within(&x.target) && is_within(&y.target) || x.target.is_none() && y.target.is_none()
}

fn kind(x: &UnitReference, y: &UnitReference) -> ReferenceChangeKind {
    match (&x.target, &y.target) {
        (
            Some(UnitTarget::Document { document: a, edition: e, .. }),
            Some(UnitTarget::Document { document: b, edition: f, .. }),
        ) => match a == b {
            true if e != f => ReferenceChangeKind::Edition,
            true => ReferenceChangeKind::Clause,
            false => ReferenceChangeKind::Document,
        },
        (Some(UnitTarget::Document { .. }), _) | (_, Some(UnitTarget::Document { .. })) => {
            ReferenceChangeKind::Document
        }
        (None, None) if document_words(&x.text) != document_words(&y.text) => ReferenceChangeKind::Document,
        _ => ReferenceChangeKind::Clause,
    }
}

/// The words of a reference without numbers of places.
fn document_words(text: &str) -> Vec<&str> {
    let is_number = |word: &str| word.chars().all(|c| !c.is_lowercase()) && word.len() < 8;
    text.split_whitespace().filter(|word| !is_number(word)).collect()
}
