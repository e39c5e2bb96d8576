//! Tests of the stored form: records are read as they were stored, a record has no text of a unit,
//! and a bilingual edition is compared by language.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::{
    ComparisonRecord, ComparisonSection, ComparisonUnit, InvalidUnits, UnitReference, UnitTarget, Units,
    UnitsParts, common_languages, compare,
};
use norma_model::Lang;

fn lang(tag: &str) -> Lang {
    tag.parse().unwrap()
}

/// A section for each language with one unit, which refers to the section of the first language.
fn edition(languages: &[&str], texts: &[&str]) -> Units {
    let sections = languages.iter().enumerate().map(|(index, tag)| ComparisonSection {
        id: format!("sec_{tag}").into(),
        number: Some(format!("{}", index + 1).into()),
        language: Some(lang(tag)),
        ..ComparisonSection::default()
    });
    let units = texts.iter().enumerate().map(|(index, text)| ComparisonUnit {
        id: format!("prv_{index}").into(),
        label: Some(format!("{}(1)", index + 1).into()),
        text: (*text).into(),
        section: index,
        references: vec![UnitReference { text: "Clause 1".into(), target: Some(UnitTarget::Section(0)) }],
        ..ComparisonUnit::default()
    });
    let (sections, units) = (sections.collect(), units.collect());
    let languages = languages.iter().map(|tag| lang(tag)).collect();
    Units::new(UnitsParts { languages, sections, units, ..UnitsParts::default() }).unwrap()
}

#[test]
fn a_bilingual_edition_is_compared_by_language() {
    let english = "Grain shall be dry. See Clause 1.";
    let both = edition(&["en-gb", "fr"], &[english, "Le riz doit être sec. Voir Clause 1."]);
    let french = both.in_language(&lang("fr"));
    assert_eq!((french.units.len(), french.sections.len()), (1, 1));
    assert_eq!((&*french.sections[0].id, french.units[0].section), ("sec_fr", 0));
    assert_eq!(french.units[0].references[0].target, None, "its target is in the other language");
    let old = edition(&["en"], &[english]);
    assert_eq!(common_languages(&old, &both), [lang("en")]);
    assert_eq!(common_languages(&both, &both), [lang("en-gb"), lang("fr")]);
    assert_eq!(common_languages(&edition(&["de"], &[]), &both), []);
    let found = compare(&old, &both.in_language(&lang("en")));
    assert_eq!(found.links.len(), 1);
    assert_eq!(found.links[0].newer, 0);
}

#[test]
fn records_are_read_as_they_were_written() {
    let older = edition(&["en", "fr"], &["Bags shall hold three kilograms of grain.", "Gone for ever."]);
    let newer = edition(&["en", "fr"], &["Bags shall hold five kilograms of grain.", "Nothing like it."]);
    let record = ComparisonRecord::new(&older, &newer, &compare(&older, &newer));
    let bytes = postcard::to_allocvec(&record).unwrap();
    assert_eq!(postcard::from_bytes::<ComparisonRecord>(&bytes).unwrap(), record);
    let stored = String::from_utf8_lossy(&bytes).into_owned();
    for word in ["Bags", "kilograms", "grain", "Gone", "Nothing"] {
        assert!(!stored.contains(word), "{word} is in the stored bytes");
    }
}

#[test]
fn units_of_another_layer_of_adoption_are_no_counterparts() {
    let of = |layers: &[u8], texts: &[&str]| {
        let mut parts = UnitsParts::from(edition(&vec!["en"; texts.len()], texts));
        for (section, layer) in parts.sections.iter_mut().zip(layers) {
            section.layer = *layer;
        }
        Units::new(parts).unwrap()
    };
    let texts = ["Grain shall be stored dry.", "Bags shall hold three kilograms of grain."];
    let links = |newer: &[u8]| {
        let found = compare(&of(&[0, 1], &texts), &of(newer, &texts));
        found.links.iter().map(|link| (link.older, link.newer)).collect::<Vec<_>>()
    };
    assert_eq!(links(&[0, 1]), [(0, 0), (1, 1)]);
    assert_eq!(links(&[]), [(0, 0)]);
    assert_eq!(links(&[1, 0]), []);
}

#[test]
fn units_whose_indices_are_wrong_are_refused() {
    let section = ComparisonSection { parent: Some(3), ..ComparisonSection::default() };
    let parts = UnitsParts { sections: vec![section], ..UnitsParts::default() };
    assert!(matches!(Units::new(parts), Err(InvalidUnits::BadIndex { what: "parent", index: 3, .. })));
}
