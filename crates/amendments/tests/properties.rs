//! Properties of any text: nothing panics, what is printed is in the words, and what is touched exists.

use norma_amendments::{
    AmendedBlock, AmendedEdition, AmendedSection, AmendmentHeading, is_instruction, read,
};
use norma_model::{Instruction, TextBlockKind};
use proptest::prelude::*;

/// Words of instructions in an order that nobody planned.
fn texts() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Replace",
        "the",
        "third",
        "paragraph",
        "with",
        "following",
        ":",
        "4.1",
        "A",
        "Annex",
        "Clause",
        "b)",
        "“x”",
        "„",
        "»",
        "to",
        "and",
        "Delete",
        "Add",
        "after",
        "last",
        "sentence",
        "Table",
        "2.",
        "Absatz",
        "zu",
        "streichen",
        "durch",
        "l’alinéa",
        "suivant",
        "supprimer",
        "Page",
        "12",
        ",",
        ".",
        "é",
        "\u{a0}",
    ]);
    prop::collection::vec(words, 0..20).prop_map(|words| words.join(" "))
}

fn edition() -> AmendedEdition {
    let block = |kind, label: &str, text: &str, provision| AmendedBlock {
        kind,
        label: label.to_owned(),
        text: text.to_owned(),
        table: None,
        provisions: vec![(provision, 0..text.len())],
    };
    let section = AmendedSection {
        number: Some("4.1".to_owned()),
        title: Some("General".to_owned()),
        named: None,
        end: 1,
        blocks: vec![
            block(TextBlockKind::Paragraph, "", "The lid shall be x. It shall be red.", 0),
            block(TextBlockKind::Item(1), "b)", "a second lid", 1),
        ],
    };
    AmendedEdition { languages: vec!["en".to_owned()], sections: vec![section], ..AmendedEdition::default() }
}

proptest! {
    #[test]
    fn any_text_is_read_and_resolved(
        text in prop_oneof![texts(), ".{0,60}"],
        title in prop_oneof![texts(), ".{0,20}"],
        language in prop::sample::select(vec!["en", "de", "fr", "nl"]),
        ignores in any::<bool>(),
    ) {
        is_instruction(&text, language);
        let heading = AmendmentHeading { label: Some("4"), title: Some(&title) };
        let changes = read(&text, language, &[heading], ignores);
        prop_assert!(!changes.is_empty());
        for change in changes {
            let instruction = Instruction {
                operation: change.operation,
                printed: change.printed.into(),
                text: text.as_str().into(),
                targets: change.targets,
                old_words: change.old_words.into_iter().map(Into::into).collect(),
                new_text: change.new_text.map(Into::into),
                language: language.parse().unwrap(),
                section: 0,
                provisions: Vec::new(),
            };
            let resolved = edition().resolve(&instruction);
            prop_assert!(resolved.touched.sections.iter().all(|&section| section == 0));
            prop_assert!(resolved.touched.provisions.iter().all(|&provision| provision < 2));
        }
    }
}
