//! Explanations of the codes of diagnostics: what they mean, and what a publisher can do, in German and
//! French. The service says both in English (docs/diagnostics.md).

use super::Words;

/// What a code means and what to do about it, in one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExplainedDiagnostic {
    /// A sentence about the flaw in general.
    pub(crate) meaning: &'static str,
    /// What the publisher can do.
    pub(crate) remedy: &'static str,
}

/// A code with its German and its French explanation.
struct ExplainedCode {
    code: &'static str,
    german: ExplainedDiagnostic,
    french: ExplainedDiagnostic,
}

/// A table of codes: what each means and what to do, in German and in French.
macro_rules! explained {
    ($($code:literal: $german:literal => $todo:literal, $french:literal => $action:literal;)+) => {
        &[$(ExplainedCode {
            code: $code,
            german: ExplainedDiagnostic { meaning: $german, remedy: $todo },
            french: ExplainedDiagnostic { meaning: $french, remedy: $action },
        }),+]
    };
}

impl Words {
    /// The explanation of a code in the language of the page; `None` in English, whose words the diagnostic
    /// has itself, and for a code that is not known here.
    pub(crate) fn explained(&self, code: &str) -> Option<ExplainedDiagnostic> {
        let known = EXPLAINED.iter().find(|known| known.code == code)?;
        match self.language {
            "de" => Some(known.german),
            "fr" => Some(known.french),
            _ => None,
        }
    }
}

/// Each code of docs/diagnostics.md, in its order.
const EXPLAINED: &[ExplainedCode] = explained! {
    "annex-without-type": "Anhänge sagen in keinem bekannten Wort, ob sie normativ sind; sie werden als normativ gelesen." => "`annex-type` ergänzen", "Des annexes ne disent par aucun mot connu si elles sont normatives\u{a0}; elles sont lues comme normatives." => "ajouter `annex-type`";
    "attribute-too-large": "Ein Attribut hat mehr Bytes, als die Grenze erlaubt." => "große Bilder als Dateien ablegen (`max-attribute-size`)", "Un attribut a plus d'octets que la limite ne le permet." => "mettre les grandes images dans des fichiers (`max-attribute-size`)";
    "change-marks": "Das Dokument hat Änderungsmarken: Gestrichenes steht nur in der Quelle, Eingefügtes im Text." => "die Fassung nach den Änderungen veröffentlichen; docs/packages.md nennt die Marken, die gelesen werden", "Le document a des marques de modification\u{a0}: ce qui est supprimé n'est que dans la source, ce qui est inséré est dans le texte." => "publier l'état après les modifications\u{a0}; docs/packages.md liste les marques lues";
    "dangling-reference": "Ein Querverweis hat kein Ziel." => "`rid` auf die Id eines Elements setzen", "Un renvoi n'a pas de cible." => "donner à `rid` l'id d'un élément";
    "duplicate-id": "Zwei Elemente haben dieselbe Id; eine erzeugte ersetzt sie." => "jedem Element eine eigene Id geben", "Deux éléments ont le même id\u{a0}; un id généré le remplace." => "donner à chaque élément un id unique";
    "duties-in-present-tense": "Das Dokument ist ein Gesetz, das Pflichten im Präsens ohne modales Hilfsverb nennen kann." => "das Dokument auf solche Pflichten hin lesen; gefunden werden Festlegungen nur an modalen Hilfsverben", "Le document est une loi, qui peut énoncer des obligations au présent, sans forme verbale." => "chercher ces obligations dans le document\u{a0}; les dispositions ne sont trouvées que par leurs formes verbales";
    "edition-worked-out": "Die Ausgabe ist nicht angegeben; stattdessen dient ein Datum." => "`std-ident/edition` ausfüllen", "L'édition n'est pas indiquée\u{a0}; une date est utilisée à sa place." => "remplir `std-ident/edition`";
    "empty-term": "Ein Begriffseintrag hat keine Benennung." => "die Benennung ergänzen oder den Eintrag entfernen", "Une entrée terminologique n'a pas de désignation." => "ajouter le terme ou retirer l'entrée";
    "entity-expansion": "Entitäten des Dokuments werden über die Grenze hinaus ersetzt." => "den Text selbst statt geschachtelter Entitäten schreiben (`max-entity-expansion`, `max-entity-depth`)", "Des entités du document se développent au-delà de la limite." => "écrire le texte lui-même au lieu d'entités imbriquées (`max-entity-expansion`, `max-entity-depth`)";
    "external-entity": "Eine Entität verweist auf eine andere Datei, die nie geholt wird; ihr Name bleibt als Text stehen." => "den Text in das Dokument aufnehmen", "Une entité renvoie à un fichier externe, qui n'est jamais lu\u{a0}; son nom reste comme texte." => "mettre le texte dans le document";
    "further-flaws": "Von einem Code wurden mehr Diagnosen gefunden, als aufgeführt sind." => "die aufgeführten berichtigen (`max-diagnostics`)", "Plus de diagnostics d'un code ont été trouvés que la liste n'en contient." => "corriger ceux de la liste (`max-diagnostics`)";
    "graphic-file-refused": "Die Datei eines Bildes wird nicht übernommen, weil sie kein Bild ist, einen verborgenen Namen hat oder zu einem anderen Dokument gehört; das Bild gilt als nicht vorhanden." => "ein Bild im Ordner des Dokuments oder in einem Ordner darin nennen; siehe docs/packages.md", "Le fichier d'une figure n'est pas repris, car ce n'est pas une image, son nom est caché ou il appartient à un autre document\u{a0}; la figure est servie comme non disponible." => "nommer une image dans le dossier du document ou dans un de ses dossiers\u{a0}; voir docs/packages.md";
    "graphic-of-other-kind": "Die Bytes einer Bilddatei sind von anderer Art, als ihr Name sagt; sie werden als das ausgeliefert, was sie sind." => "der Datei die passende Endung geben", "Les octets du fichier d'une figure sont d'une autre sorte que son nom ne le dit\u{a0}; ils sont servis comme ce qu'ils sont." => "donner au fichier l'extension de ce qu'il est";
    "graphic-without-href": "Ein Bild nennt keine Datei." => "`xlink:href` ergänzen", "Une figure ne nomme aucun fichier." => "ajouter `xlink:href`";
    "include-not-resolved": "Ein Teil des Dokuments steht in einer anderen Datei, die es einbindet; sie wird nie geholt." => "den Teil in das Dokument aufnehmen", "Une partie du document est dans un autre fichier qu'il inclut\u{a0}; celui-ci n'est jamais lu." => "mettre la partie dans le document";
    "inconsistent": "Die Teile der Ausgabe widersprechen einander; das ist ein Fehler von Norma." => "das Dokument den Betreuern von Norma melden", "Les parties de l'édition se contredisent, ce qui est une erreur de Norma." => "signaler le document aux responsables de Norma";
    "interrupted-text": "Der Text eines Abschnitts geht nach Abschnitten in ihm weiter; er ist länger, als in dieser Folge gesendet werden kann." => "die inneren Abschnitte an das Ende ihres Abschnitts setzen (`max-interrupted-text`)", "Le texte d'une section continue après des sections qu'elle contient\u{a0}; il est plus long que ce qui peut être envoyé dans cet ordre." => "déplacer les sections intérieures à la fin de leur section (`max-interrupted-text`)";
    "invalid-date": "Ein Datum hat nicht die Form von ISO 8601; es fehlt." => "JJJJ, JJJJ-MM oder JJJJ-MM-TT schreiben", "Une date n'a pas la forme d'ISO 8601\u{a0}; elle est laissée de côté." => "écrire AAAA, AAAA-MM ou AAAA-MM-JJ";
    "invalid-ics": "Eine Klasse ist kein Code der Internationalen Klassifikation für Normen; sie fehlt." => "einen Code wie `13.110` schreiben", "Une classe n'est pas un code de la Classification internationale pour les normes\u{a0}; elle est laissée de côté." => "écrire un code tel que `13.110`";
    "invalid-identity": "Die Metadaten haben Werte, die in einer URN nicht gültig sind." => "das Element berichtigen oder die Norm mit `--urn` benennen", "Les métadonnées ont des valeurs qui ne sont pas valides dans un URN." => "corriger l'élément, ou nommer la norme avec `--urn`";
    "invalid-language": "Eine Sprache ist kein Kennzeichen nach BCP 47; sie fehlt." => "einen Code nach ISO 639 schreiben, etwa `en`", "Une langue n'est pas une étiquette BCP 47\u{a0}; elle est laissée de côté." => "écrire un code ISO 639, tel que `en`";
    "language-mismatch": "Die Sprache des Textes ist eine andere als in den Metadaten; die URN hat die Sprache des Textes." => "`content-language` berichtigen", "La langue du texte diffère de celle des métadonnées\u{a0}; l'URN a la langue du texte." => "corriger `content-language`";
    "language-worked-out": "Die Sprache ist nicht angegeben; sie kommt aus einem Attribut oder aus dem Text." => "`content-language` ausfüllen", "La langue n'est pas indiquée\u{a0}; elle est tirée d'un attribut ou du texte." => "remplir `content-language`";
    "large-table": "Die Tabellen des Dokuments haben mehr Zellen, als als Daten ausgeliefert werden; diese ist ohne ihre Zellen aufgeführt." => "die Zellen im Text ihres Abschnitts lesen (`max-table-size`)", "Les tableaux du document ont plus de cellules qu'il n'en est servi comme données\u{a0}; celui-ci est listé sans ses cellules." => "lire les cellules dans le texte de sa section (`max-table-size`)";
    "long-sentence": "Ein Satz ist länger als die Grenze; in ihm werden keine Festlegungen gesucht." => "ihn teilen (`max-sentence-size`)", "Une phrase est plus longue que la limite\u{a0}; aucune disposition n'y est cherchée." => "la couper (`max-sentence-size`)";
    "missing-graphic-file": "Die Datei, die ein Bild nennt, ist nicht im Paket; das Bild gilt als nicht vorhanden." => "die Datei unter diesem Namen neben das Dokument legen", "Le fichier que nomme une figure n'est pas dans le paquet\u{a0}; la figure est servie comme non disponible." => "mettre le fichier à côté du document, sous ce nom";
    "no-content": "Das Dokument hat keinen Abschnitt und keinen Text außerhalb der Metadaten." => "prüfen, ob die Datei das ganze Dokument ist", "Le document n'a aucune section et aucun texte hors de ses métadonnées." => "vérifier que le fichier est le document entier";
    "no-identity": "Die Metadaten bestimmen die Norm nicht." => "das fehlende Element ergänzen oder die Norm mit `--urn` oder in der Liste `norma-manifest.toml` benennen (docs/packages.md)", "Les métadonnées n'identifient pas la norme." => "ajouter l'élément manquant, ou nommer la norme avec `--urn` ou dans la liste `norma-manifest.toml` (docs/packages.md)";
    "no-provision": "Ein Satz hat ein Verb der Pflicht wie `muss` und ist aus dem genannten Grund keine Festlegung." => "prüfen, ob der Satz als Festlegung gemeint ist", "Une phrase a un verbe d'obligation tel que `doit` et n'est pas une disposition, pour la raison donnée." => "vérifier si la phrase est voulue comme disposition";
    "no-rules-for-language": "Für die Sprache des Textes gibt es keine Regeln für Festlegungen; nur die in der Quelle ausgezeichneten werden gefunden." => "den Text verwenden, wie er ist; Regeln gibt es für Englisch, Französisch und Deutsch", "Le texte est dans une langue sans règles pour les dispositions\u{a0}; seules celles que la source marque sont trouvées." => "utiliser le texte tel quel\u{a0}; des règles existent pour l'anglais, le français et l'allemand";
    "not-well-formed": "Die Auszeichnung ist kein wohlgeformtes XML." => "die Auszeichnung berichtigen; `xmllint --noout DATEI` nennt dieselbe Stelle", "Le balisage n'est pas du XML bien formé." => "corriger le balisage\u{a0}; `xmllint --noout FICHIER` indique la même position";
    "number-worked-out": "Die Nummer ist nicht angegeben; sie kommt aus der Referenz." => "`std-ident/doc-number` ausfüllen", "Le numéro n'est pas indiqué\u{a0}; il est tiré de la référence." => "remplir `std-ident/doc-number`";
    "originator-worked-out": "Der Herausgeber ist nicht angegeben; er kommt aus der Referenz, dem Rechtevermerk oder einer Abkürzung im Text." => "`std-ident/originator` ausfüllen", "L'éditeur n'est pas indiqué\u{a0}; il est tiré de la référence, des droits ou d'une abréviation du texte." => "remplir `std-ident/originator`";
    "part-worked-out": "Der Teil ist nicht angegeben; er kommt aus der Referenz." => "`std-ident/part-number` ausfüllen", "La partie n'est pas indiquée\u{a0}; elle est tirée de la référence." => "remplir `std-ident/part-number`";
    "provision-in-caption": "Eine Anforderung oder Empfehlung steht in einer Über- oder Unterschrift oder Legende, die nicht binden kann." => "sie in den Text des Abschnitts setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans un titre de figure ou une légende, qui ne peut pas obliger." => "la déplacer dans le texte de l'article, ou la formuler comme un constat";
    "provision-in-definition": "Eine Anforderung oder Empfehlung steht in einer Definition, die nicht binden kann." => "sie in einen Abschnitt setzen oder als Eigenschaft des Begriffs formulieren", "Une exigence ou recommandation est dans une définition, qui ne peut pas obliger." => "la déplacer dans un article, ou la formuler comme une propriété du concept";
    "provision-in-example": "Eine Anforderung oder Empfehlung steht in einem Beispiel, das informativ ist." => "sie in den Text des Abschnitts setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans un exemple, qui est informatif." => "la déplacer dans le texte de l'article, ou la formuler comme un constat";
    "provision-in-footnote": "Eine Anforderung oder Empfehlung steht in einer Fußnote, die nicht binden kann." => "sie in den Text des Abschnitts setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans une note de bas de page, qui ne peut pas obliger." => "la déplacer dans le texte de l'article, ou la formuler comme un constat";
    "provision-in-foreword": "Eine Anforderung oder Empfehlung steht im Vorwort, das informativ ist." => "sie in einen Abschnitt setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans l'avant-propos, qui est informatif." => "la déplacer dans un article, ou la formuler comme un constat";
    "provision-in-heading": "Eine Anforderung oder Empfehlung steht in einer Überschrift oder im Kopf einer Tabelle, die nicht binden können." => "sie in den Text des Abschnitts setzen oder als Überschrift formulieren", "Une exigence ou recommandation est dans un titre ou l'en-tête d'un tableau, qui ne peut pas obliger." => "la déplacer dans le texte de l'article, ou la formuler comme un titre";
    "provision-in-introduction": "Eine Anforderung oder Empfehlung steht in der Einleitung, die informativ ist." => "sie in einen Abschnitt setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans l'introduction, qui est informative." => "la déplacer dans un article, ou la formuler comme un constat";
    "provision-in-note": "Eine Anforderung oder Empfehlung steht in einer Anmerkung, die informativ ist." => "sie in den Text des Abschnitts setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans une note, qui est informative." => "la déplacer dans le texte de l'article, ou la formuler comme un constat";
    "provision-in-scope": "Eine Anforderung oder Empfehlung steht im Anwendungsbereich, der nur den Gegenstand abgrenzt." => "sie in den Text des Abschnitts setzen oder als Feststellung formulieren", "Une exigence ou recommandation est dans le domaine d'application, qui ne fait que délimiter le sujet." => "la déplacer dans le texte de l'article, ou la formuler comme un constat";
    "reference-missing": "Es ist keine Referenz angegeben; sie wird aus Herausgeber und Nummer gebildet." => "`std-ref` ergänzen", "Aucune référence n'est indiquée\u{a0}; elle est formée de l'éditeur et du numéro." => "ajouter `std-ref`";
    "reference-without-number": "Die Referenz des Dokuments benennt es nicht." => "die Bezeichnung, wie sie gedruckt ist, in `std-ref` schreiben, etwa `ISO 1234-1:2020`", "La référence du document ne le nomme pas." => "écrire dans `std-ref` la désignation imprimée, telle que `ISO 1234-1:2020`";
    "relative-namespace": "Der Name eines Namensraums ist keine absolute URI; der übliche wird verwendet." => "den Namensraum verwenden, den der Elementsatz festlegt", "Le nom d'un espace de noms n'est pas un URI absolu\u{a0}; l'habituel est utilisé." => "utiliser l'espace de noms que définit le jeu de balises";
    "source-too-large": "Die Quelle hat mehr Bytes, als die Grenze erlaubt." => "`max-document-size` erhöhen oder eingebettete Bilder in Dateien auslagern", "La source a plus d'octets que la limite ne le permet." => "augmenter `max-document-size`, ou mettre les images incorporées dans des fichiers";
    "stated-urn-differs": "Die angegebene URN und die übrigen Metadaten nennen verschiedene Dokumente; die angegebene URN gilt." => "`doc-ident/urn` und `std-ident` in Übereinstimmung bringen", "L'URN indiqué et les autres métadonnées nomment des documents différents\u{a0}; l'URN indiqué est utilisé." => "accorder `doc-ident/urn` et `std-ident`";
    "supplement-worked-out": "Die Änderung oder Berichtigung ist nicht als solche angegeben; das kommt aus der Referenz." => "`std-ident/suppl-type` und `suppl-number` ausfüllen", "L'amendement ou le rectificatif n'est pas indiqué comme tel\u{a0}; cela est tiré de la référence." => "remplir `std-ident/suppl-type` et `suppl-number`";
    "title-missing": "Die Norm hat keinen Titel." => "`title-wrap` mit `full` oder `main` ergänzen", "La norme n'a pas de titre." => "ajouter `title-wrap` avec `full` ou `main`";
    "too-deep": "Elemente sind tiefer geschachtelt, als die Grenze erlaubt." => "die Schachtelung verringern (`max-depth`)", "Des éléments sont imbriqués plus profondément que la limite ne le permet." => "réduire l'imbrication (`max-depth`)";
    "too-many-nodes": "Das Dokument hat mehr Elemente und Texte, als die Grenze erlaubt." => "das Dokument teilen (`max-nodes`)", "Le document a plus d'éléments et de textes que la limite ne le permet." => "diviser le document (`max-nodes`)";
    "too-many-parts": "Das Dokument hat mehr Abschnitte, Festlegungen, Begriffe, Bilder, Tabellen und Fußnoten, als die Grenzen bei seiner Größe erlauben." => "Abschnitte zusammenlegen oder das Dokument teilen (`max-parts`, `min-part-size`)", "Le document a plus de sections, dispositions, termes, figures, tableaux et notes que les limites ne le permettent pour sa taille." => "réunir des sections, ou diviser le document (`max-parts`, `min-part-size`)";
    "too-many-prefixes": "Das Dokument erklärt mehr Präfixe von Namensräumen, als die Grenze erlaubt." => "für jeden Namensraum ein Präfix erklären (`max-prefixes`)", "Le document déclare plus de préfixes d'espaces de noms que la limite ne le permet." => "déclarer un préfixe pour chaque espace de noms (`max-prefixes`)";
    "undeclared-prefix": "Das Präfix eines Namensraums ist nicht erklärt; der übliche Namensraum wird verwendet." => "das Präfix am Wurzelelement erklären", "Un préfixe d'espace de noms n'est pas déclaré\u{a0}; l'espace de noms habituel est utilisé." => "déclarer le préfixe sur l'élément racine";
    "undeclared-prefixes": "Mehr Präfixe werden ohne Erklärung verwendet, als die Grenze erlaubt." => "die Namensräume am Wurzelelement erklären (`max-undeclared-prefixes`)", "Plus de préfixes sont utilisés sans déclaration que la limite ne le permet." => "déclarer les espaces de noms sur l'élément racine (`max-undeclared-prefixes`)";
    "unknown-entity": "Eine Entität ist weder erklärt noch der bekannte Name eines Zeichens; ihr Name bleibt als Text stehen." => "das Zeichen selbst schreiben", "Une entité n'est ni déclarée ni un nom de caractère connu\u{a0}; son nom reste comme texte." => "écrire le caractère lui-même";
    "unreadable-data-uri": "Die `data:`-URI eines Bildes kann nicht dekodiert werden." => "das Bild in base64 kodieren oder eine Datei nennen", "L'URI `data:` d'une figure ne peut pas être décodé." => "coder l'image en base64, ou nommer un fichier";
    "urn-taken": "Das Dokument gibt jetzt eine andere URN, als die Ausgabe hat, und eine andere Ausgabe hat diese URN; die Ausgabe behält ihre eigene." => "eine der beiden Ausgaben entfernen und die andere neu ableiten", "Le document donne maintenant un autre URN que celui de l'édition, et une autre édition a cet URN\u{a0}; l'édition garde le sien." => "retirer l'une des deux éditions, puis reconstruire l'autre";
    "wrong-encoding": "Die Bytes sind nicht in der erklärten Kodierung." => "in der ersten Zeile die Kodierung erklären, die die Datei wirklich hat, oder sie in UTF-8 umwandeln", "Les octets ne sont pas dans le codage déclaré." => "déclarer dans la première ligne le codage réel du fichier, ou le convertir en UTF-8";
};

#[cfg(test)]
mod tests {
    use crate::phrases::words;

    #[test]
    fn each_code_of_a_source_is_explained_in_german_and_french() {
        for kind in norma_sts::diagnostic_kinds() {
            for language in ["de", "fr"] {
                let explained = words(language).unwrap().explained(kind.code);
                let explained = explained.unwrap_or_else(|| panic!("{} in {language}", kind.code));
                // Names of settings and elements are the same in each language.
                for word in kind.hint.split('`').skip(1).step_by(2) {
                    let known = explained.remedy.contains(&format!("`{word}"));
                    assert!(known || word.contains(' '), "`{word}` of {} in {language}", kind.code);
                }
            }
        }
        assert!(words("en").unwrap().explained("empty-term").is_none());
    }
}
