//! Words of the page of a comparison: English, German, French.

/// Each text of the page in three languages. The page names it in English.
pub(super) const COMPARISON: &[(&str, &str, &str)] = &[
    ("new", "neu", "nouvelle"),
    ("removed", "entfallen", "supprimée"),
    ("reworded", "umformuliert", "reformulée"),
    ("possibly split", "vielleicht geteilt", "peut-être divisée"),
    ("possibly merged", "vielleicht vereint", "peut-être fusionnée"),
    ("same words", "gleiche Wörter", "mêmes mots"),
    (
        "no counterpart in the older edition was found",
        "kein Gegenstück in der älteren Ausgabe gefunden",
        "aucun équivalent trouvé dans l'ancienne édition",
    ),
    (
        "no counterpart in the newer edition was found",
        "kein Gegenstück in der neueren Ausgabe gefunden",
        "aucun équivalent trouvé dans la nouvelle édition",
    ),
    ("other words", "andere Wörter", "autres mots"),
    (
        "possibly a part of a provision of the older edition",
        "vielleicht ein Teil einer Festlegung der älteren Ausgabe",
        "peut-être une partie d'une disposition de l'ancienne édition",
    ),
    (
        "possibly became a part of a provision of the newer edition",
        "vielleicht in eine Festlegung der neueren Ausgabe eingegangen",
        "peut-être intégrée dans une disposition de la nouvelle édition",
    ),
    (
        "the same words; references may be renumbered",
        "dieselben Wörter; Verweise können neu nummeriert sein",
        "les mêmes mots\u{a0}; les renvois peuvent être renumérotés",
    ),
    ("requirement", "Anforderung", "exigence"),
    ("recommendation", "Empfehlung", "recommandation"),
    ("permission", "Zulässigkeit", "permission"),
    ("capability", "Möglichkeit", "capacité"),
    ("external constraint", "äußere Vorgabe", "contrainte externe"),
    ("other", "andere", "autre"),
    ("strength", "Verbindlichkeit", "force"),
    ("status", "Status", "statut"),
    ("other status", "anderer Status", "autre statut"),
    ("normative", "normativ", "normatif"),
    ("informative", "informativ", "informatif"),
    ("negation", "Verneinung", "négation"),
    ("limit", "Grenzwert", "limite"),
    ("quantity", "Größe", "grandeur"),
    ("condition", "Bedingung", "condition"),
    ("subject", "Gegenstand", "sujet"),
    ("reference", "Verweis", "renvoi"),
    ("depends on", "hängt ab von", "dépend de"),
    ("term redefined", "Begriff neu definiert", "terme redéfini"),
    ("moved", "verschoben", "déplacée"),
    ("likelihood", "Wahrscheinlichkeit", "vraisemblance"),
    ("medium", "mittel", "moyenne"),
    ("high", "hoch", "élevée"),
    ("very high", "sehr hoch", "très élevée"),
    ("possibly a part of", "vielleicht ein Teil von", "peut-être une partie de"),
    ("moved to", "verschoben nach", "déplacée vers"),
    ("nothing like it", "nichts Ähnliches", "rien de semblable"),
    ("nearest", "am nächsten", "les plus proches"),
    ("added", "hinzugefügt", "ajouté"),
    ("dropped", "weggefallen", "retiré"),
    ("other edition", "andere Ausgabe", "autre édition"),
    ("formula", "Formel", "formule"),
    ("footnote", "Fußnote", "note de bas de page"),
    ("sentence before it", "Satz davor", "phrase précédente"),
    ("something it leads to", "etwas, worauf es führt", "quelque chose vers quoi cela mène"),
    ("changed", "geändert", "modifiée"),
    ("new table", "neu", "nouveau"),
    ("removed table", "entfallen", "supprimé"),
    ("moved table", "verschoben", "déplacé"),
    ("changed table", "geändert", "modifié"),
    ("changed tables", "geändert", "modifiés"),
    ("changed cell", "geänderte Zelle", "cellule modifiée"),
    ("changed cells", "geänderte Zellen", "cellules modifiées"),
    ("new row or column", "neue Zeile oder Spalte", "nouvelle ligne ou colonne"),
    ("removed row or column", "entfallene Zeile oder Spalte", "ligne ou colonne supprimée"),
    ("new rows or columns", "neue Zeilen oder Spalten", "nouvelles lignes ou colonnes"),
    ("removed rows or columns", "entfallene Zeilen oder Spalten", "lignes ou colonnes supprimées"),
    ("table without a number in {}", "Tabelle ohne Nummer in {}", "tableau sans numéro dans {}"),
    ("table without a number", "Tabelle ohne Nummer", "tableau sans numéro"),
    ("from", "von", "de"),
    ("about", "etwa", "environ"),
    ("to the nearest", "auf", "à près"),
    ("Tables", "Tabellen", "Tableaux"),
    ("row", "Zeile", "ligne"),
    ("column", "Spalte", "colonne"),
    ("notes changed", "Anmerkungen geändert", "notes modifiées"),
    ("Changed cells of", "Geänderte Zellen von", "Cellules modifiées de"),
    ("Row", "Zeile", "Ligne"),
    ("Column", "Spalte", "Colonne"),
    ("Older", "Älter", "Ancienne"),
    ("Newer", "Neuer", "Nouvelle"),
    ("and {} more cells", "und {} weitere Zellen", "et {} cellules de plus"),
    ("Comparison of editions", "Vergleich von Ausgaben", "Comparaison d'éditions"),
    ("Older edition", "Ältere Ausgabe", "Ancienne édition"),
    ("Newer edition", "Neuere Ausgabe", "Nouvelle édition"),
    ("First document", "Erstes Dokument", "Premier document"),
    ("Second document", "Zweites Dokument", "Second document"),
    (
        "Compared by words, sections and order (matcher {}).",
        "Verglichen nach Wörtern, Abschnitten und Reihenfolge (Verfahren {}).",
        "Comparaison par mots, sections et ordre (méthode {}).",
    ),
    (
        "A provision is called new or removed where no counterpart was found: look at the nearest ones before you rely on it.",
        "Eine Festlegung heißt neu oder entfallen, wenn kein Gegenstück gefunden wurde: Sehen Sie sich die nächsten an, bevor Sie sich darauf verlassen.",
        "Une disposition est dite nouvelle ou supprimée si aucun équivalent n'a été trouvé\u{a0}: examinez les plus proches avant de vous y fier.",
    ),
    ("Sections", "Abschnitte", "Sections"),
    ("Provisions", "Festlegungen", "Dispositions"),
    ("What changed", "Was sich änderte", "Ce qui a changé"),
    ("Type", "Typ", "Type"),
    ("Likelihood", "Wahrscheinlichkeit", "Vraisemblance"),
    ("Only", "Nur", "Seulement"),
    ("changed requirements", "geänderte Anforderungen", "exigences modifiées"),
    ("Sections without a change", "Abschnitte ohne Änderung", "Sections sans modification"),
    ("In short", "In Kürze", "En bref"),
    ("Stricter", "Strenger", "Plus strictes"),
    ("Less strict", "Weniger streng", "Moins strictes"),
    ("Reversed", "Umgekehrt", "Inversées"),
    ("Limits and quantities", "Grenzwerte und Größen", "Limites et grandeurs"),
    ("New requirements", "Neue Anforderungen", "Nouvelles exigences"),
    ("Removed requirements", "Entfallene Anforderungen", "Exigences supprimées"),
    (
        "Requirements with a changed table",
        "Anforderungen mit geänderter Tabelle",
        "Exigences à tableau modifié",
    ),
    ("Changed tables", "Geänderte Tabellen", "Tableaux modifiés"),
    ("and {} more", "und {} weitere", "et {} de plus"),
    ("Provisions side by side", "Festlegungen nebeneinander", "Dispositions côte à côte"),
    ("Search provisions", "Festlegungen durchsuchen", "Chercher des dispositions"),
    ("Previous change (k)", "Vorige Änderung (k)", "Modification précédente (k)"),
    ("Previous", "Zurück", "Précédente"),
    ("Next change (j)", "Nächste Änderung (j)", "Modification suivante (j)"),
    ("Next", "Weiter", "Suivante"),
    ("Show all", "Alle zeigen", "Tout montrer"),
    ("of", "von", "sur"),
    ("change", "Änderung", "modification"),
    ("changes", "Änderungen", "modifications"),
    ("rows", "Zeilen", "lignes"),
    ("Change", "Änderung", "Modification"),
    ("provision unchanged", "Festlegung unverändert", "disposition inchangée"),
    ("provisions unchanged", "Festlegungen unverändert", "dispositions inchangées"),
    ("unchanged", "unverändert", "inchangée"),
    (
        "Neither edition has a provision in this language",
        "Keine der Ausgaben hat eine Festlegung in dieser Sprache",
        "Aucune des éditions n'a de disposition dans cette langue",
    ),
    ("stricter", "strenger", "plus stricte"),
    ("less strict", "weniger streng", "moins stricte"),
    ("of another type", "von anderem Typ", "d'un autre type"),
    ("reversed", "umgekehrt", "inversée"),
    ("otherwise", "anders", "autrement"),
    ("limits", "Grenzwerte", "limites"),
    ("quantities", "Größen", "grandeurs"),
    ("conditions", "Bedingungen", "conditions"),
    ("subjects", "Gegenstände", "sujets"),
    ("references", "Verweise", "renvois"),
    ("redefined term", "neu definierter Begriff", "terme redéfini"),
    ("redefined terms", "neu definierte Begriffe", "termes redéfinis"),
    (
        "the same words but other changes",
        "mit denselben Wörtern, aber anderen Änderungen",
        "aux mêmes mots mais avec d'autres modifications",
    ),
    (
        "the same words but a changed table",
        "mit denselben Wörtern, aber geänderter Tabelle",
        "aux mêmes mots mais à tableau modifié",
    ),
    (
        "the same words but a changed figure",
        "mit denselben Wörtern, aber geändertem Bild",
        "aux mêmes mots mais à figure modifiée",
    ),
    (
        "the same words but a changed formula",
        "mit denselben Wörtern, aber geänderter Formel",
        "aux mêmes mots mais à formule modifiée",
    ),
    (
        "the same words but a changed clause",
        "mit denselben Wörtern, aber geändertem Abschnitt",
        "aux mêmes mots mais à article modifié",
    ),
    (
        "the same words but a redefined term",
        "mit denselben Wörtern, aber neu definiertem Begriff",
        "aux mêmes mots mais à terme redéfini",
    ),
    (
        "the same words but a changed footnote",
        "mit denselben Wörtern, aber geänderter Fußnote",
        "aux mêmes mots mais avec une note de bas de page modifiée",
    ),
    (
        "the same words but a changed sentence before it",
        "mit denselben Wörtern, aber geändertem Satz davor",
        "aux mêmes mots mais avec une phrase précédente modifiée",
    ),
    (
        "the same words but another status",
        "mit denselben Wörtern, aber anderem Status",
        "aux mêmes mots mais avec un autre statut",
    ),
    (
        "the same words but a changed limiting sentence",
        "mit denselben Wörtern, aber geändertem einschränkendem Satz",
        "aux mêmes mots mais avec une phrase restrictive modifiée",
    ),
];

/// French words for several provisions, tables' cells and other things with feminine names.
pub(super) const FRENCH_SEVERAL: &[(&str, &str)] = &[
    ("new", "nouvelles"),
    ("removed", "supprimées"),
    ("reworded", "reformulées"),
    ("possibly split", "peut-être divisées"),
    ("possibly merged", "peut-être fusionnées"),
    ("moved", "déplacées"),
    ("changed", "modifiées"),
    ("unchanged", "inchangées"),
    ("stricter", "plus strictes"),
    ("less strict", "moins strictes"),
    ("reversed", "inversées"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_text_that_the_page_says_is_translated() {
        let known: BTreeSet<&str> = COMPARISON.iter().map(|(english, ..)| *english).collect();
        assert_eq!(known.len(), COMPARISON.len(), "a text is there twice");
        let sources = [
            include_str!("../comparison/page.rs"),
            include_str!("../comparison/page_outline.rs"),
            include_str!("../comparison/page_rows.rs"),
            include_str!("../comparison/page_tables.rs"),
            include_str!("../comparison/summary.rs"),
            include_str!("../comparison/changes.rs"),
            include_str!("../comparison/marked_table.rs"),
            include_str!("../comparison/page_summary.rs"),
        ];
        let mut said: Vec<&str> = Vec::new();
        for call in ["say(\"", "counted(\""] {
            let rests = sources.iter().flat_map(|source| source.split(call).skip(1));
            said.extend(rests.filter_map(|rest| rest.split('"').next()));
        }
        said.extend(FRENCH_SEVERAL.iter().map(|(english, _)| *english));
        assert!(said.len() > 40, "{said:?}");
        for text in said.into_iter().chain(crate::comparison::texts()) {
            assert!(known.contains(text), "`{text}` is not translated");
        }
    }
}
