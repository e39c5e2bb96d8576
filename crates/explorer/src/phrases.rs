//! Words of the interface in English, German and French.

pub(crate) mod comparison;
mod diagnostics;
mod stored;

use comparison::{COMPARISON, FRENCH_SEVERAL};
use maud::{Markup, html};

/// Languages of the interface (BCP 47), the default first.
pub(crate) const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

macro_rules! words {
    ($($name:ident: $en:literal, $de:literal, $fr:literal;)+) => {
        /// Every text of the interface in one language.
        #[derive(Debug)]
        pub(crate) struct Words {
            /// Tag of the language (BCP 47).
            pub(crate) language: &'static str,
            $(pub(crate) $name: &'static str,)+
        }

        static WORDS: [Words; 3] = [
            Words { language: "en", $($name: $en,)+ },
            Words { language: "de", $($name: $de,)+ },
            Words { language: "fr", $($name: $fr,)+ },
        ];
    };
}

impl Words {
    /// A text of the page of a comparison in this language.
    pub(crate) fn say(&self, english: &'static str) -> &'static str {
        let known = COMPARISON.iter().find(|(known, ..)| *known == english);
        match (self.language, known) {
            ("de", Some((_, german, _))) => german,
            ("fr", Some((.., french))) => french,
            _ => english,
        }
    }
}

impl Words {
    /// A colon between a name and its value. In French it has a no-break space before it.
    pub(crate) fn colon(&self) -> &'static str {
        if self.language == "fr" { "\u{a0}: " } else { ": " }
    }

    /// A number with the decimal sign of this language: digits after a point, as Rust writes it.
    pub(crate) fn decimal(&self, number: &str) -> String {
        if self.language == "en" { number.to_owned() } else { number.replace('.', ",") }
    }
}

impl Words {
    /// A word for one or several provisions, or other things whose French names are feminine. In French it
    /// agrees with their number: "18 modifiées".
    pub(crate) fn counted(&self, english: &'static str, count: usize) -> &'static str {
        let several = FRENCH_SEVERAL.iter().find(|(known, _)| *known == english);
        match several {
            Some((_, french)) if self.language == "fr" && count > 1 => french,
            _ => self.say(english),
        }
    }
}

/// English, the language of programs that print without one.
pub(crate) static ENGLISH: &Words = &WORDS[0];

/// The words in a language of the interface.
pub(crate) fn words(language: &str) -> Option<&'static Words> {
    WORDS.iter().find(|words| words.language == language)
}

/// The words in the first language of `Accept-Language` (RFC 9110, 12.5.4) that the interface has.
pub(crate) fn preferred(accept: &str) -> &'static Words {
    for range in accept.split(',') {
        // The language without its region and weight: browsers list the preferred one first.
        let language = range.split([';', '-']).next().unwrap_or_default().trim();
        if let Some(words) = words(language) {
            return words;
        }
    }
    &WORDS[0]
}

/// A text with `{}` replaced by a value.
pub(crate) fn fill(text: &str, value: impl std::fmt::Display) -> String {
    text.replacen("{}", &value.to_string(), 1)
}

/// A text with what is between backticks as code.
pub(crate) fn with_code(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

words! {
    skip: "Skip to the text", "Zum Text", "Aller au texte";
    explorer: "Norma explorer", "Norma-Explorer", "Explorateur Norma";
    about_norma: "Norma reads standards in NISO STS XML and serves them to software, part by part.",
        "Norma liest Normen im Format NISO STS und gibt sie Programmen Teil für Teil.",
        "Norma lit des normes au format NISO STS et les sert aux logiciels, partie par partie.";
    about_page: "This page shows what the service answers to your client: the text, its provisions with their types, its terms, figures and tables.",
        "Diese Seite zeigt, was der Dienst Ihrem Client antwortet: den Text, die Festlegungen mit ihrem Typ, Begriffe, Bilder und Tabellen.",
        "Cette page montre ce que le service répond à votre client\u{a0}: le texte, ses dispositions avec leur type, les termes, figures et tableaux.";
    about_safety: "It runs on your machine alone and calls the public API; your credentials do not reach the browser.",
        "Sie läuft nur auf Ihrem Rechner und ruft die öffentliche API auf; Ihre Zugangsdaten erreichen den Browser nicht.",
        "Elle ne fonctionne que sur votre machine et appelle l'API publique\u{a0}; vos identifiants n'atteignent pas le navigateur.";
    read_full: "Read a standard with everything in it", "Eine Norm lesen, die alles enthält", "Lire une norme qui contient tout";
    standards: "Standards", "Normen", "Normes";
    search: "Search", "Suchen", "Rechercher";
    search_hint: "Words, a designation or a URN", "Wörter, Nummer oder URN", "Mots, référence ou URN";
    title_or_reference: "Title or designation", "Titel oder Nummer", "Titre ou référence";
    status: "Status", "Status", "Statut";
    access: "Access", "Zugang", "Accès";
    publisher: "Publisher", "Herausgeber", "Éditeur";
    ics: "ICS code", "ICS-Code", "Code ICS";
    check_text: "Check a text", "Text prüfen", "Vérifier un texte";
    check: "Check", "Prüfen", "Vérifier";
    check_about: "Paste a text that cites standards. Its citations and quotations are compared with what the service has; nothing else of it is sent.",
        "Fügen Sie einen Text ein, der Normen zitiert. Seine Verweise und Zitate werden mit dem verglichen, was der Dienst hat; nichts anderes davon wird gesendet.",
        "Collez un texte qui cite des normes. Ses renvois et citations sont comparés à ce que le service possède\u{a0}; rien d'autre n'est envoyé.";
    check_paste: "Text", "Text", "Texte";
    plain_text: "plain text", "reiner Text", "texte brut";
    format: "Format", "Format", "Format";
    check_at: "By the editions of (empty: today)", "Nach den Ausgaben vom (leer: heute)", "Selon les éditions du (vide\u{a0}: aujourd'hui)";
    check_counts: "Citations of standards: {}. Quotations: {}.", "Verweise auf Normen: {}. Zitate daraus: {}.", "Renvois à des normes\u{a0}: {}. Citations\u{a0}: {}.";
    check_no_findings: "Nothing is found to be wrong.", "Es wurde nichts Falsches gefunden.", "Aucune erreur n'a été trouvée.";
    check_unknown: "Not checked, since there is no edition that you may see:", "Nicht geprüft, weil es keine Ausgabe gibt, die Sie sehen dürfen:", "Non vérifiés, car aucune édition ne vous est visible\u{a0}:";
    check_nothing: "Paste a text first.", "Fügen Sie zuerst einen Text ein.", "Collez d'abord un texte.";
    check_too_long: "The text is too long for a page. Use `norma review` for files.", "Der Text ist zu lang für eine Seite. Für Dateien gibt es `norma review`.", "Le texte est trop long pour une page. Pour les fichiers, il y a `norma review`.";
    check_advice: "What to do", "Was zu tun ist (auf Englisch)", "Que faire (en anglais)";
    rule_location_unknown: "The cited edition does not have this place.", "Die zitierte Ausgabe hat diese Stelle nicht.", "L'édition citée n'a pas cet endroit.";
    rule_edition_unknown: "No edition of this date is known, but others are.", "Eine Ausgabe dieses Datums ist nicht bekannt, aber andere.", "Aucune édition de cette date n'est connue, mais d'autres le sont.";
    rule_superseded: "A newer edition has replaced the cited one.", "Eine neuere Ausgabe hat die zitierte ersetzt.", "Une édition plus récente a remplacé celle qui est citée.";
    rule_withdrawn: "The cited edition was withdrawn.", "Die zitierte Ausgabe wurde zurückgezogen.", "L'édition citée a été annulée.";
    rule_amended: "An amendment changes this place.", "Ein Änderungsblatt ändert diese Stelle.", "Un amendement modifie cet endroit.";
    rule_ambiguous: "Several editions or places may be meant.", "Mehrere Ausgaben oder Stellen können gemeint sein.", "Plusieurs éditions ou endroits peuvent être désignés.";
    rule_altered: "Words of the quotation differ from those of the standard.", "Wörter des Zitats weichen von denen der Norm ab.", "Des mots de la citation diffèrent de ceux de la norme.";
    rule_partial: "The quotation leaves out words without which the provision says something else.", "Dem Zitat fehlen Wörter, ohne die die Festlegung etwas anderes sagt.", "La citation omet des mots sans lesquels la disposition dit autre chose.";
    rule_other_edition: "Another edition than the cited one has these words.", "Eine andere Ausgabe als die zitierte hat diese Wörter.", "Une autre édition que celle citée contient ces mots.";
    rule_absent: "No edition of the standard has these words.", "Keine Ausgabe der Norm hat diese Wörter.", "Aucune édition de la norme ne contient ces mots.";
    rule_other_location: "These words are at another place of the edition.", "Diese Wörter sind an anderer Stelle der Ausgabe.", "Ces mots sont à un autre endroit de l'édition.";
    rule_unverified: "This could not be checked.", "Das konnte nicht geprüft werden.", "Cela n'a pas pu être vérifié.";
    any: "any", "alle", "tous";
    apply: "Filter", "Filtern", "Filtrer";
    clear: "Remove the filters", "Filter entfernen", "Retirer les filtres";
    editions_found: "Editions and languages: {}.", "Ausgaben und Sprachen: {}.", "Éditions et langues\u{a0}: {}.";
    editions: "Editions", "Ausgaben", "Éditions";
    last_change: "Updated here", "Hier aktualisiert", "Mis à jour ici";
    partly_read: "partly full text", "teils ganzer Text", "texte intégral en partie";
    other_languages: "Other languages", "Andere Sprachen", "Autres langues";
    rights: "Rights", "Rechte", "Droits";
    amended: "amended", "geändert", "modifié";
    open_amendment: "Open {}", "{} öffnen", "Ouvrir {}";
    link: "Link", "Link", "Lien";
    unrecognized: "another kind", "andere Art", "autre genre";
    only_granted: "Only standards that this caller has a grant for are listed.", "Es stehen nur Normen da, für die dieser Aufrufer eine Freigabe hat.", "Seules figurent les normes pour lesquelles cet appelant a une autorisation.";
    none_found: "No standard matches. Remove a filter:", "Keine Norm passt. Entfernen Sie einen Filter:", "Aucune norme ne correspond. Retirez un filtre\u{a0}:";
    none_at_all: "Your client may see no standard yet. Ask the operator of the service for a grant.",
        "Ihr Client darf noch keine Norm sehen. Bitten Sie den Betreiber des Dienstes um eine Freigabe.",
        "Votre client ne peut encore voir aucune norme. Demandez une autorisation à l'exploitant du service.";
    reference: "Reference", "Nummer", "Référence";
    title: "Title", "Titel", "Titre";
    not_held: "not held", "nicht vorhanden", "absente du fonds";
    held_edition: "held: {}", "vorhanden: {}", "présente\u{a0}: {}";
    next_page: "Next page", "Nächste Seite", "Page suivante";
    draft: "draft", "Entwurf", "projet";
    in_force: "in force", "gültig", "en vigueur";
    superseded: "superseded", "ersetzt", "remplacée";
    withdrawn: "withdrawn", "zurückgezogen", "annulée";
    read: "full text", "ganzer Text", "texte intégral";
    discover: "outline only", "nur Gliederung", "plan seulement";
    contents: "Contents", "Inhalt", "Sommaire";
    within: "Sections in {}", "Abschnitte in {}", "Sections de {}";
    compare_with: "Compare with {}", "Vergleich mit {}", "Comparer avec {}";
    relations: "Relations", "Beziehungen", "Relations";
    downloads: "Downloads", "Downloads", "Téléchargements";
    foreword: "Foreword", "Vorwort", "Avant-propos";
    introduction: "Introduction", "Einleitung", "Introduction";
    scope: "Scope", "Anwendungsbereich", "Domaine d'application";
    normative_references: "Normative references", "Normative Verweisungen", "Références normatives";
    terms_and_definitions: "Terms and definitions", "Begriffe", "Termes et définitions";
    term: "Term", "Begriff", "Terme";
    clause: "Clause", "Abschnitt", "Article";
    annex: "Annex", "Anhang", "Annexe";
    bibliography: "Bibliography", "Literaturhinweise", "Bibliographie";
    footnotes: "Footnotes", "Fußnoten", "Notes de bas de page";
    index: "Index", "Stichwortverzeichnis", "Index";
    section: "Section", "Abschnitt", "Section";
    provisions_as: "provisions ({})", "Festlegungen ({})", "dispositions ({})";
    changes: "Changes", "Änderungen", "Modifications";
    ingest: "Ingest", "Aufnahme", "Ingestion";
    diagnostics: "Diagnostics", "Befunde", "Diagnostics";
    no_diagnostics: "Nothing is flawed in the source.", "Die Quelle hat keine Mängel.", "La source n'a aucun défaut.";
    source_line: "In the source", "In der Quelle", "Dans la source";
    became: "In the text", "Im Text", "Dans le texte";
    in_no_section: "This line is in no section of the text.", "Diese Zeile ist in keinem Abschnitt des Textes.", "Cette ligne n'est dans aucune section du texte.";
    previous_diagnostic: "Previous diagnostic", "Voriger Befund", "Diagnostic précédent";
    next_diagnostic: "Next diagnostic", "Nächster Befund", "Diagnostic suivant";
    since_ingest: "What changed with the ingest of {}", "Was sich mit der Aufnahme vom {} änderte", "Ce qui a changé avec l'ingestion du {}";
    corrected_diagnostics: "Corrected in the source: {}", "In der Quelle berichtigt: {}", "Corrigés dans la source\u{a0}: {}";
    added_diagnostics: "New in the source: {}", "In der Quelle neu: {}", "Nouveaux dans la source\u{a0}: {}";
    diagnostics_not_compared: "The diagnostics of the source before cannot be compared.", "Die Diagnosen der Quelle davor sind nicht vergleichbar.", "Les diagnostics de la source précédente ne peuvent pas être comparés.";
    service_words: "In the words of the service", "In den Worten des Dienstes (auf Englisch)", "Dans les mots du service (en anglais)";
    no_changes: "No provision changed.", "Keine Festlegung hat sich geändert.", "Aucune disposition n'a changé.";
    stored: "What is stored", "Was gespeichert ist", "Ce qui est enregistré";
    line: "Line", "Zeile", "Ligne";
    whole_html: "whole text as HTML", "ganzer Text als HTML", "texte entier en HTML";
    source: "source (XML)", "Quelle (XML)", "source (XML)";
    marks: "Marks", "Markierungen", "Repères";
    requirement: "requirement", "Anforderung", "exigence";
    recommendation: "recommendation", "Empfehlung", "recommandation";
    permission: "permission", "Zulässigkeit", "permission";
    capability: "capability", "Möglichkeit", "capacité";
    external: "external constraint", "äußere Vorgabe", "contrainte externe";
    not_in_force: "This edition is {}.", "Diese Ausgabe ist {}.", "Cette édition est {}.";
    present_edition: "Go to {}", "Zu {}", "Aller à {}";
    only_discover: "Your client may see this standard's sections, and not read its text. Ask the operator for a grant at level `read`.",
        "Ihr Client darf die Gliederung dieser Norm sehen, ihren Text aber nicht lesen. Bitten Sie den Betreiber um eine Freigabe der Stufe `read`.",
        "Votre client peut voir les sections de cette norme, mais pas lire son texte. Demandez à l'exploitant une autorisation de niveau `read`.";
    no_provisions: "No provisions were found: the text states none, or Norma has no rules for its language.",
        "Keine Festlegungen gefunden: Der Text enthält keine, oder Norma hat keine Regeln für seine Sprache.",
        "Aucune disposition trouvée\u{a0}: le texte n'en contient pas, ou Norma n'a pas de règles pour sa langue.";
    not_complete: "This text may state duties without a verbal form, in the present tense, which no rule finds: the marked provisions are not all.",
        "Dieser Text kann Pflichten ohne Hilfsverb enthalten, im Präsens, die keine Regel findet: Die markierten Festlegungen sind nicht alle.",
        "Ce texte peut énoncer des obligations au présent, sans verbe modal, qu'aucune règle ne trouve\u{a0}: les dispositions marquées ne sont pas toutes.";
    unmarked: "{} sections are shown without marks, because their text differs from the stored one.",
        "{} Abschnitte sind ohne Markierungen, weil ihr Text vom gespeicherten abweicht.",
        "{} sections sont sans repères, car leur texte diffère du texte enregistré.";
    provisions: "Provisions", "Festlegungen", "Dispositions";
    about_this: "About this standard", "Über diese Norm", "À propos de cette norme";
    edition: "Edition", "Ausgabe", "Édition";
    committee: "Committee", "Gremium", "Comité";
    languages: "Languages", "Sprachen", "Langues";
    derived_for: "derived for {}", "abgeleitet für {}", "dérivées pour {}";
    adopts: "Adopts", "Übernimmt", "Adopte";
    missing_file: "missing file: {}", "fehlende Datei: {}", "fichier absent\u{a0}: {}";
    figure: "figure", "Bild", "figure";
    previous_section: "Previous clause", "Vorheriger Abschnitt", "Section précédente";
    next_section: "Next clause", "Nächster Abschnitt", "Section suivante";
    by_section: "This standard is large: one clause is shown at a time.", "Diese Norm ist groß: je ein Abschnitt wird gezeigt.", "Cette norme est longue\u{a0}: une section est affichée à la fois.";
    panel: "Details", "Einzelheiten", "Détails";
    panel_hint: "Choose a mark, a term or a reference in the text to see it here.",
        "Wählen Sie im Text eine Markierung, einen Begriff oder einen Verweis.",
        "Choisissez dans le texte un repère, un terme ou un renvoi.";
    close: "Close", "Schließen", "Fermer";
    go_there: "Go there", "Dorthin", "Y aller";
    in_text: "Show it in the text", "Im Text zeigen", "Montrer dans le texte";
    context: "In its clause", "In ihrem Abschnitt", "Dans sa section";
    verbal_form: "Verbal form", "Verbform", "Forme verbale";
    negative: "negative", "verneint", "négative";
    quantities: "Quantities", "Größen", "Grandeurs";
    not_stated: "not stated", "nicht angegeben", "non précisé";
    value: "Value", "Wert", "Valeur";
    as_printed: "As printed", "Im Text", "Texte";
    conditions: "Conditions", "Bedingungen", "Conditions";
    subject: "Subject", "Gegenstand", "Sujet";
    references: "References", "Verweise", "Renvois";
    terms: "Terms", "Begriffe", "Termes";
    lineage: "In other editions", "In anderen Ausgaben", "Dans d'autres éditions";
    history: "History", "Geschichte", "Historique";
    no_comparison: "The service gives no comparison of these editions.", "Der Dienst gibt keinen Vergleich dieser Ausgaben.", "Le service ne donne pas de comparaison de ces éditions.";
    whole_comparison: "Whole comparison", "Ganzer Vergleich", "Comparaison entière";
    both_texts: "side by side", "nebeneinander", "côte à côte";
    side_by_side: "Languages side by side", "Sprachen nebeneinander", "Langues côte à côte";
    earlier: "earlier", "früher", "avant";
    later: "later", "später", "après";
    possible: "possible", "möglich", "possible";
    earlier_id: "earlier id", "frühere Kennung", "ancien identifiant";
    how_found: "How it was found", "Wie sie gefunden wurde", "Comment elle a été trouvée";
    rule: "Rule", "Regel", "Règle";
    origin_derived: "found by a rule", "durch eine Regel gefunden", "trouvée par une règle";
    origin_authored: "marked in the source", "in der Quelle ausgezeichnet", "marquée dans la source";
    confidence: "Confidence", "Sicherheit", "Confiance";
    previous: "Previous provision", "Vorherige Festlegung", "Disposition précédente";
    next: "Next provision", "Nächste Festlegung", "Disposition suivante";
    cite: "Citation", "Zitat", "Citation";
    copy: "Copy", "Kopieren", "Copier";
    copied: "Copied", "Kopiert", "Copié";
    copy_csv: "Copy as CSV", "Als CSV kopieren", "Copier en CSV";
    copy_link: "Copy the address in the service", "Adresse im Dienst kopieren", "Copier l'adresse dans le service";
    copy_shared: "Copy the link", "Link kopieren", "Copier le lien";
    sort: "Sort by this column", "Nach dieser Spalte sortieren", "Trier par cette colonne";
    replaces: "replaces", "ersetzt", "remplace";
    amends: "amends", "ändert", "modifie";
    adopted: "adopts", "übernimmt", "adopte";
    normative_reference: "cites as normative", "zitiert normativ", "cite (normatif)";
    informative_reference: "cites for information", "zitiert informativ", "cite (informatif)";
    related: "related", "verwandt", "liée";
    replaced_by: "replaced by", "ersetzt durch", "remplacée par";
    amended_by: "amended by", "geändert durch", "modifiée par";
    not_certain: "place not certain", "Stelle nicht sicher", "endroit incertain";
    instructions: "What it changes", "Was sie ändert", "Ce qu'elle modifie";
    base_not_here: "The amended edition is not in the catalogue, or not licensed to you.",
        "Die geänderte Ausgabe ist nicht im Katalog oder nicht für Sie freigegeben.",
        "L'édition modifiée n'est pas dans le catalogue, ou ne vous est pas autorisée.";
    operation_replace: "replace", "ersetzen", "remplacer";
    operation_add: "add", "ergänzen", "ajouter";
    operation_add_at: "new text next to {}", "neuer Text bei {}", "nouveau texte près de {}";
    added_by: "New text next to this clause, by", "Neuer Text bei diesem Abschnitt, durch", "Nouveau texte près de cette section, par";
    added_here: "new text next to this clause", "neuer Text bei diesem Abschnitt", "nouveau texte près de cette section";
    operation_delete: "delete", "streichen", "supprimer";
    operation_renumber: "renumber", "umnummerieren", "renuméroter";
    operation_change: "change", "ändern", "modifier";
    adopted_as: "adopted as", "übernommen als", "adoptée comme";
    other_edition: "other edition", "andere Ausgabe", "autre édition";
    translation: "translation", "Übersetzung", "traduction";
    relation: "Relation", "Beziehung", "Relation";
    document: "Document", "Dokument", "Document";
    dated: "Date", "Datum", "Date";
    more: "and {} more", "und {} weitere", "et {} de plus";
    no_relations: "The source states no relation to another document.", "Die Quelle nennt keine Beziehung zu einem anderen Dokument.", "La source n'indique aucune relation avec un autre document.";
    comparison: "Comparison", "Vergleich", "Comparaison";
    summary_only: "Your client may read one of the two editions only, so these counts are all that it gets.",
        "Ihr Client darf nur eine der beiden Ausgaben lesen; darum sieht er nur diese Zahlen.",
        "Votre client ne peut lire qu'une des deux éditions\u{a0}; il n'obtient donc que ces nombres.";
    not_found: "Not there, or not licensed to you", "Nicht vorhanden oder nicht für Sie freigegeben", "Absente, ou non autorisée";
    not_found_fix: "The service answers the same for both. Look in the list of standards.", "Der Dienst antwortet in beiden Fällen gleich. Sehen Sie in der Liste der Normen nach.", "Le service répond de même dans les deux cas. Cherchez dans la liste des normes.";
    no_page: "There is no such page", "Diese Seite gibt es nicht", "Cette page n'existe pas";
    no_page_fix: "The address is not one of the explorer. Begin with the list of standards or with a search.",
        "Die Adresse gehört nicht zum Explorer. Beginnen Sie mit der Liste der Normen oder einer Suche.",
        "L'adresse n'est pas une page de l'explorateur. Commencez par la liste des normes ou par une recherche.";
    service_says: "What the service says", "Was der Dienst sagt (auf Englisch)", "Ce que dit le service (en anglais)";
    not_comparable: "These editions cannot be compared", "Diese Ausgaben lassen sich nicht vergleichen", "Ces éditions ne peuvent pas être comparées";
    not_comparable_fix: "Choose two editions of one document in one language. Texts of one edition in two languages are shown side by side.",
        "Wählen Sie zwei Ausgaben eines Dokuments in einer Sprache. Eine Ausgabe in zwei Sprachen wird nebeneinander gezeigt.",
        "Choisissez deux éditions d'un document dans une langue. Une édition en deux langues est présentée côte à côte.";
    no_store: "This page is for the operator", "Diese Seite ist für den Betreiber", "Cette page est pour l'exploitant";
    no_store_fix: "Start the explorer with the option `--store` to see what ingests found.",
        "Starten Sie den Explorer mit der Option `--store`, um zu sehen, was die Aufnahme gefunden hat.",
        "Lancez l'explorateur avec l'option `--store` pour voir ce que l'ingestion a trouvé.";
    recalled_fix: "It is not shown any more. The operator of the service can say which edition replaces it.",
        "Sie wird nicht mehr gezeigt. Der Betreiber des Dienstes weiß, welche Ausgabe sie ersetzt.",
        "Elle n'est plus présentée. L'exploitant du service peut dire quelle édition la remplace.";
    gone_fix: "A correction or a newer edition has taken its place. Open the standard to find it.",
        "Eine Korrektur oder neuere Ausgabe ist an ihrer Stelle. Öffnen Sie die Norm, um sie zu finden.",
        "Une correction ou une édition plus récente l'a remplacée. Ouvrez la norme pour la trouver.";
    refused_fix: "Credentials, role or registration of the client do not fit. The findings say which.",
        "Zugangsdaten, Rolle oder Registrierung des Clients passen nicht. Die Befunde sagen, was.",
        "Identifiants, rôle ou enregistrement du client ne conviennent pas. Les constats disent lequel.";
    search_off_fix: "Open a standard from the list, and look in its contents.", "Öffnen Sie eine Norm aus der Liste und sehen Sie in ihren Inhalt.", "Ouvrez une norme de la liste et consultez son sommaire.";
    wrong_fix: "Change the words or remove a filter.", "Ändern Sie die Wörter oder entfernen Sie einen Filter.", "Changez les mots ou retirez un filtre.";
    busy_fix: "Try again in some seconds, or ask for less at once.", "Versuchen Sie es in einigen Sekunden erneut, oder verlangen Sie weniger auf einmal.", "Réessayez dans quelques secondes, ou demandez moins à la fois.";
    away_fix: "Check that the service runs and that this machine reaches it.", "Prüfen Sie, ob der Dienst läuft und dieser Rechner ihn erreicht.", "Vérifiez que le service fonctionne et que cette machine l'atteint.";
    failed_fix: "Try again. If that does not help, give the operator the words below.", "Versuchen Sie es erneut. Hilft das nicht, geben Sie dem Betreiber die Worte unten.", "Réessayez. Si cela n'aide pas, donnez à l'exploitant les mots ci-dessous.";
    recalled: "This standard has been recalled", "Diese Norm wurde zurückgerufen", "Cette norme a été rappelée";
    gone: "This provision has changed", "Diese Festlegung hat sich geändert", "Cette disposition a changé";
    refused: "The service refuses your client", "Der Dienst weist Ihren Client ab", "Le service refuse votre client";
    away: "The service does not answer", "Der Dienst antwortet nicht", "Le service ne répond pas";
    retry: "Try again", "Erneut versuchen", "Réessayer";
    wrong: "The service does not accept this request", "Der Dienst nimmt diese Anfrage nicht an", "Le service n'accepte pas cette demande";
    busy: "The service cannot answer this now", "Der Dienst kann das jetzt nicht beantworten", "Le service ne peut pas répondre maintenant";
    search_off: "This service has no search", "Dieser Dienst hat keine Suche", "Ce service n'a pas de recherche";
    failed: "The service cannot answer this", "Der Dienst kann das nicht beantworten", "Le service ne peut pas répondre";
    loading: "Loading …", "Wird geladen …", "Chargement …";
    hit: "1 hit", "1 Treffer", "1 résultat";
    hits: "{} hits", "{} Treffer", "{} résultats";
    no_hits: "Nothing is found.", "Nichts gefunden.", "Aucun résultat.";
    no_hits_fix: "Write fewer words, or search all editions.",
        "Schreiben Sie weniger Wörter oder suchen Sie in allen Ausgaben.",
        "Écrivez moins de mots ou cherchez dans toutes les éditions.";
    no_hits_filtered: "Remove a filter, write fewer words, or search all editions.",
        "Entfernen Sie einen Filter, schreiben Sie weniger Wörter oder suchen Sie in allen Ausgaben.",
        "Retirez un filtre, écrivez moins de mots ou cherchez dans toutes les éditions.";
    location_unknown: "{} does not have this place. Nearest:", "{} hat diese Stelle nicht. Am nächsten:", "{} n'a pas cet endroit. Au plus près\u{a0}:";
    ambiguous: "This citation may mean several places:", "Diese Angabe kann mehrere Stellen meinen:", "Cette citation peut désigner plusieurs endroits\u{a0}:";
    edition_unknown: "There is no edition “{}” here.", "Eine Ausgabe „{}“ gibt es hier nicht.", "Il n'y a pas d'édition «\u{a0}{}\u{a0}» ici.";
    citation_unknown: "The service cannot find “{}”.", "Der Dienst findet „{}“ nicht.", "Le service ne trouve pas «\u{a0}{}\u{a0}».";
    also_in: "Also in", "Auch in", "Aussi dans";
    some_words: "No text has all words. These have some of them.",
        "Kein Text hat alle Wörter. Diese haben einige davon.",
        "Aucun texte n'a tous les mots. Ceux-ci en ont quelques-uns.";
    words_left_out: "Without: {}", "Ohne: {}", "Sans\u{a0}: {}";
    words_absent: "No text here has: {}", "Kein Text hat hier: {}", "Aucun texte n'a ici\u{a0}: {}";
    building: "The service has read {} of {} standards for its search so far. Hits in the others are missing.",
        "Der Dienst hat für die Suche erst {} von {} Normen gelesen. Treffer in den übrigen fehlen.",
        "Le service n'a lu que {} normes sur {} pour la recherche. Les résultats des autres manquent.";
    titles_only: "The service cannot read the texts of {} of {} standards. Only their titles were searched.",
        "Der Dienst kann die Texte von {} von {} Normen nicht lesen. Nur ihre Titel wurden durchsucht.",
        "Le service ne peut pas lire les textes de {} normes sur {}. Seuls leurs titres ont été consultés.";
    more_hits: "More hits", "Weitere Treffer", "Autres résultats";
    narrow: "Narrow the search", "Suche eingrenzen", "Affiner la recherche";
    show: "Show", "Anzeigen", "Afficher";
    filters: "Filters", "Filter", "Filtres";
    remove: "Remove", "Entfernen", "Retirer";
    provision_type: "Type of provision", "Art der Festlegung", "Type de disposition";
    kind: "Kind of text", "Art des Textes", "Nature du texte";
    text_language: "Language", "Sprache", "Langue";
    normative: "normative", "normativ", "normatif";
    informative: "informative", "informativ", "informatif";
    all_editions: "all editions", "alle Ausgaben", "toutes les éditions";
    by_standard: "by standard", "nach Normen", "par norme";
    kind_standard: "standard", "Norm", "norme";
    kind_section: "section", "Abschnitt", "section";
    kind_provision: "provision", "Festlegung", "disposition";
    kind_term: "term", "Begriff", "terme";
    kind_table: "table", "Tabelle", "tableau";
    search_help: "A search finds provisions, terms, tables and titles that have all its words. Examples:",
        "Die Suche findet Festlegungen, Begriffe, Tabellen und Titel mit allen Wörtern. Beispiele:",
        "La recherche trouve les dispositions, termes, tableaux et titres qui ont tous les mots. Exemples\u{a0}:";
    syntax_all: "all words, in any form", "alle Wörter, in jeder Form", "tous les mots, sous toute forme";
    syntax_phrase: "the words in this order", "die Wörter in dieser Folge", "les mots dans cet ordre";
    syntax_without: "without a word", "ohne ein Wort", "sans un mot";
    syntax_prefix: "words that begin so; three letters or more", "Wörter mit diesem Anfang; ab drei Buchstaben", "mots qui commencent ainsi\u{a0}; trois lettres ou plus";
    syntax_number: "a number with its unit", "eine Zahl mit ihrer Einheit", "un nombre avec son unité";
    syntax_label: "the section, provision or table of this label", "Abschnitt, Festlegung oder Tabelle dieser Nummer", "la section, disposition ou table de ce numéro";
    syntax_reference: "the standard, and what cites it", "die Norm, und was sie zitiert", "la norme, et ce qui la cite";
    syntax_compound: "German compounds, too", "auch in zusammengesetzten Wörtern", "aussi dans les mots composés allemands";
    keys: "Keys", "Tasten", "Touches";
    key_mark: "next and previous mark or hit", "nächste und vorige Markierung, Treffer", "repère ou résultat suivant et précédent";
    key_open: "open the mark or hit", "Markierung oder Treffer öffnen", "ouvrir le repère ou le résultat";
    key_clause: "next and previous clause", "nächster und voriger Abschnitt", "section suivante et précédente";
    key_list: "these keys", "diese Tasten", "ces touches";
    service: "Service", "Dienst", "Service";
    tenant: "tenant", "Mandant", "locataire";
    client: "client", "Client", "client";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_words_agree_with_their_number() {
        let counted = |language, count| words(language).unwrap().counted("changed", count);
        assert_eq!((counted("fr", 1), counted("fr", 18)), ("modifiée", "modifiées"));
        assert_eq!((counted("de", 18), counted("en", 18)), ("geändert", "changed"));
    }

    #[test]
    fn french_signs_have_a_no_break_space() {
        let known = COMPARISON.iter().map(|(.., french)| (*french).to_owned());
        let all = known.chain([format!("{:?}", words("fr").unwrap())]);
        for text in all {
            for sign in [" :", " ;", " ?", " !", "« ", " »"] {
                // The debug form of the words has `name: value` without a space before the colon.
                assert!(!text.contains(sign), "`{sign}` in {text}");
            }
        }
        assert_eq!(words("fr").unwrap().colon(), "\u{a0}: ");
    }

    #[test]
    fn words_between_backticks_are_code_and_escaped() {
        assert_eq!(with_code("Use `a<b` now.").into_string(), "Use <code>a&lt;b</code> now.");
    }

    #[test]
    fn the_first_language_that_the_interface_has_is_chosen() {
        for (accept, language) in
            [("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("ja, de;q=0.5", "de"), ("ja", "en"), ("", "en")]
        {
            assert_eq!(preferred(accept).language, language, "{accept}");
        }
    }
}
