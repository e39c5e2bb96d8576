//! Which paragraphs of an amendment give an instruction, where the source marks none.

use norma_amendments::is_instruction;

#[test]
fn orders_and_passives_about_parts_of_a_document_are_instructions() {
    for (language, text) in [
        ("en", "Replace the third paragraph with the following:"),
        ("en", "Annex B shall be deleted."),
        ("en", "The second sentence of 4.2 shall be deleted."),
        ("en", "In 4.1, replace “two screws” by “three screws”."),
        ("en", "Add, after 4.4, the following new subclause:"),
        ("en", "Delete Table 3."),
        ("en", "Insert the following definition:"),
        ("en", "Delete the existing text and substitute the following:"),
        ("de", "Nach 3.4 ist folgender Begriff einzufügen:"),
        ("de", "Anhang B ist zu streichen."),
        ("de", "Abschnitt 4.3 entfällt."),
        ("de", "Ersetze „10 mm“ durch „12 mm“."),
        ("fr", "La NOTE 2 doit être supprimée."),
        ("fr", "Remplacer l’alinéa par le suivant:"),
        ("fr", "Supprimer les alinéas quatre à sept."),
    ] {
        assert!(is_instruction(text, language), "{text}");
    }
}

#[test]
fn orders_and_passives_about_anything_else_are_not() {
    for (language, text) in [
        ("en", "Insert the probe into the sample."),
        ("en", "Add 5 ml of water and stir."),
        ("en", "Remove the lid."),
        ("en", "The seals shall be replaced each year."),
        ("en", "The lid shall be closed."),
        ("en", "Each figure of the display shall be legible."),
        ("en", "Annex E gives recommendations relating to storage."),
        ("de", "Der Deckel ist zu entfernen."),
        ("de", "Die Dichtungen müssen jährlich ersetzt werden."),
        ("fr", "Ajouter 5 ml d'eau."),
        ("fr", "Le joint doit être remplacé chaque année."),
        ("nl", "Vervang het derde lid."),
    ] {
        assert!(!is_instruction(text, language), "{text}");
    }
}
