//! Quotations of the provisions of real documents: the samples, and the corpus where it is there.
//!
//! The corpus is in the folder that `NORMA_CORPUS` names, else in `../shared/corpus` next to the checkout.

use std::path::{Path, PathBuf};

use norma_compare::Units;
use norma_model::{Edition, Lang};
use norma_quotations::{CandidateUnit, CriticalChange, PreparedUnit, Quotation, QuotationVerdict, verify};

use crate::noise::noisy;
use crate::random::Random;

/// Units that a quotation may be from, at most.
const CANDIDATES: usize = 50;
/// Words of a provision, each with one that says something else.
const OTHERS: [(&str, &str, CriticalChange); 12] = [
    (" shall ", " should ", CriticalChange::Verb),
    (" should ", " shall ", CriticalChange::Verb),
    (" may ", " shall ", CriticalChange::Verb),
    (" not ", " ", CriticalChange::Negation),
    (" doit ", " peut ", CriticalChange::Verb),
    (" muss ", " darf ", CriticalChange::Verb),
    (" nicht ", " ", CriticalChange::Negation),
    (" pas ", " ", CriticalChange::Negation),
    (" at least ", " at most ", CriticalChange::Comparator),
    (" less than ", " more than ", CriticalChange::Comparator),
    (" mm ", " cm ", CriticalChange::Unit),
    (" 1 ", " 7 ", CriticalChange::Number),
];

fn editions() -> Vec<Edition> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    if !corpus.is_dir() {
        eprintln!("corpus absent: {} is not a folder", corpus.display());
    }
    let mut editions = Vec::new();
    for file in [root.join("samples"), corpus.join("sts")].into_iter().flat_map(walkdir::WalkDir::new) {
        let Ok(file) = file else { continue };
        if file.path().extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        let source = std::fs::read(file.path()).unwrap();
        if let Ok(extracted) = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default()) {
            editions.push(extracted.edition);
        }
    }
    editions
}

/// Counts of quotations and of wrong verdicts.
#[derive(Debug, Default)]
struct Counts {
    quotations: usize,
    wrong: usize,
}

impl Counts {
    fn add(&mut self, text: &str, verdict: &QuotationVerdict, right: bool) {
        self.quotations += 1;
        self.wrong += usize::from(!right);
        if !right && self.wrong <= 12 {
            println!("{text:?}\n    {verdict:?}");
        }
    }
}

#[test]
fn provisions_of_real_documents_are_found_and_changed_ones_are_not() {
    let mut random = Random::new(3);
    let (mut whole, mut changed, mut named) = (Counts::default(), Counts::default(), Counts::default());
    for edition in editions() {
        let units = Units::from(&*edition);
        for start in (0..units.units.len()).step_by(CANDIDATES) {
            let end = units.units.len().min(start + CANDIDATES);
            let languages: Vec<Lang> = (start..end)
                .map(|index| {
                    units.sections[units.units[index].section].language.clone().unwrap_or_else(Lang::en)
                })
                .collect();
            let candidates: Vec<PreparedUnit<'_>> = (start..end)
                .zip(&languages)
                .map(|(index, language)| {
                    PreparedUnit::new(CandidateUnit::of_provision(&units.units[index], index, language))
                })
                .collect();
            for (unit, language) in units.units[start..end].iter().zip(&languages) {
                let lead_in =
                    unit.lead_in.as_deref().map(|lead_in| format!("{lead_in} ")).unwrap_or_default();
                let text = format!("{lead_in}{}", unit.text);
                let quoted = noisy(&mut random, &text, language.as_str());
                let Ok(quotation) = Quotation::new(&quoted) else { continue };
                let verdict = verify(&quotation, &candidates);
                let found =
                    matches!(verdict, QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. });
                whole.add(&quoted, &verdict, found);
                for (printed, other, critical) in OTHERS {
                    let quoted = text.replacen(printed, other, 1);
                    let is_said = units.units[start..end].iter().any(|unit| quoted.ends_with(&*unit.text));
                    let Ok(quotation) = Quotation::new(&quoted) else { continue };
                    if quoted == text || is_said {
                        continue;
                    }
                    let verdict = verify(&quotation, &candidates);
                    let QuotationVerdict::Altered { changes, .. } = &verdict else {
                        changed.add(&quoted, &verdict, verdict == QuotationVerdict::Absent);
                        continue;
                    };
                    changed.add(&quoted, &verdict, true);
                    let is_named = changes.iter().any(|change| {
                        let is_reference = change.critical == Some(CriticalChange::Reference);
                        change.critical == Some(critical)
                            || critical == CriticalChange::Number && is_reference
                    });
                    named.add(&quoted, &verdict, is_named);
                }
            }
        }
    }
    println!("real documents: found {whole:?}, changed {changed:?}, named {named:?}");
    assert!(whole.quotations > 200, "{whole:?}");
    assert_eq!((whole.wrong, changed.wrong), (0, 0));
}
