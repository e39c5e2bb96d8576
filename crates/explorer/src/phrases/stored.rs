//! Words of the page of an ingest for what a store and its diagnostics name in English.

use super::Words;

/// Names of stored values and severities: English, German, French.
const STORED: &[(&str, &str, &str)] = &[
    ("urn", "URN", "URN"),
    ("reference", "Nummer", "référence"),
    ("title", "Titel", "titre"),
    ("publisher", "Herausgeber", "éditeur"),
    ("status", "Status", "statut"),
    ("reason", "Grund", "motif"),
    ("notice", "Mitteilung", "avis"),
    ("published", "erschienen", "publiée"),
    ("changed", "hier aktualisiert", "mis à jour ici"),
    ("languages", "Sprachen", "langues"),
    ("ics", "ICS", "ICS"),
    ("sections", "Abschnitte", "sections"),
    ("provisions", "Festlegungen", "dispositions"),
    ("terms", "Begriffe", "termes"),
    ("tables", "Tabellen", "tableaux"),
    ("graphics", "Bilder", "figures"),
    ("size", "Größe", "taille"),
    ("origin", "Herkunft", "origine"),
    ("source", "Quelle", "source"),
    ("revision", "Revision", "révision"),
    ("deriver", "Ableitung", "dérivation"),
    ("error", "Fehler", "erreur"),
    ("warning", "Warnung", "avertissement"),
    ("note", "Hinweis", "remarque"),
];

impl Words {
    /// A name of a stored value or a severity in the language of the page; English where it is not known.
    pub(crate) fn stored_name<'a>(&self, english: &'a str) -> &'a str {
        let known = STORED.iter().find(|(known, ..)| *known == english);
        match (self.language, known) {
            ("de", Some((_, german, _))) => german,
            ("fr", Some((.., french))) => french,
            // The time is that of the service, not one of the document.
            _ if english == "changed" => "updated here",
            _ => english,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::phrases::words;

    #[test]
    fn a_name_that_is_not_known_remains_english() {
        let name = |language, english| words(language).unwrap().stored_name(english).to_owned();
        assert_eq!((name("de", "warning"), name("fr", "tables")), ("Warnung".into(), "tableaux".into()));
        assert_eq!(name("en", "changed"), "updated here");
        assert_eq!((name("de", "colour"), name("en", "tables")), ("colour".into(), "tables".into()));
    }
}
