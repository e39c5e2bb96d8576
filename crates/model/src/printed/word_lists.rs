//! Words of citations in English, French and German.

use super::cited::{DetailKind, LocationKind};

/// Words for annexes, in lower case, singular and plural, separated by `|`. Sentences have these words as
/// well as citations. The three languages are read together: no word of one means something else in
/// another.
pub const ANNEX_WORDS: &str = "annex|annexes|annexe|appendix|appendices|appendice|anhang|anhangs|anhanges|anhänge|\
     anhängen|anlage|anlagen";
/// Words for a table or several, separated by `|` as those for annexes.
pub const TABLE_WORDS: &str = "table|tables|tableau|tableaux|tabelle|tabellen";
/// Words for a figure or several, separated by `|` as those for annexes.
pub const FIGURE_WORDS: &str = "figure|figures|fig|figs|fig.|figs.|bild|bilder|bildern|bilds|bildes|abbildung|\
     abbildungen|abb.";
/// Words for a formula or several, separated by `|` as those for annexes.
pub const FORMULA_WORDS: &str = "formula|formulae|formulas|equation|equations|eq.|eqs.|formule|formules|formel|\
     formeln|gleichung|gleichungen";
/// Words for a clause or several, separated by `|` as those for annexes.
pub const CLAUSE_WORDS: &str = "clause|clauses|subclause|subclauses|sub-clause|sub-clauses|section|sections|\
     subsection|subsections|sub-section|sub-sections|paragraph|paragraphs|paragraphe|paragraphes|chapter|\
     chapters|article|articles|art.|chapitre|chapitres|artikel|artikeln|artikels|artikelns|abschnitt|\
     abschnitts|abschnittes|abschnitte|abschnitten|unterabschnitt|unterabschnitts|unterabschnittes|\
     unterabschnitte|unterabschnitten|kapitel|kapiteln|kapitels|kapitelns";

/// All words for parts, those of citations alone last.
const LOCATION_WORDS: [(LocationKind, &str); 11] = [
    (LocationKind::Clause, ANNEX_WORDS),
    (LocationKind::Table, TABLE_WORDS),
    (LocationKind::Figure, FIGURE_WORDS),
    (LocationKind::Formula, FORMULA_WORDS),
    (LocationKind::Clause, CLAUSE_WORDS),
    (LocationKind::Clause, FURTHER_ANNEX_WORDS),
    (LocationKind::Table, "tab.|tab|tabs.|tbl.|table:"),
    (LocationKind::Figure, "abb|figure:"),
    (LocationKind::Formula, "eq|eqn.|gl.|équation|équations"),
    (LocationKind::Term, "term:"),
    (
        LocationKind::Clause,
        "cl.|cl|cls.|sec.|sec|sect.|ch.|chap.|kap.|kap|abschn.|definition|definitions|définition|term|terms|\
         terme|begriff|entry|ziffer|ziffern|ziff.|nr.|nummer|no.|n°|pkt.|punkt|punkte|\
         punkten|point|points|§|§§|clause:|requirement",
    ),
];

/// Words for annexes that citations alone have.
const FURTHER_ANNEX_WORDS: &str = "ann.|anh.|app.|annex:";

/// Words that name a clause by a number with dots, and something smaller without: `paragraphe 4.2`,
/// `point b)`.
const CLAUSE_WITH_DOTS: [&str; 7] =
    ["paragraph", "paragraphs", "punkt", "punkte", "punkten", "point", "points"];

/// Plurals of words for tables, figures and formulae.
const PLURALS: [&str; 18] = [
    "tables",
    "tableaux",
    "tabellen",
    "tabs.",
    "figures",
    "figs",
    "figs.",
    "bilder",
    "bildern",
    "abbildungen",
    "formulae",
    "formulas",
    "equations",
    "eqs.",
    "formules",
    "formeln",
    "gleichungen",
    "équations",
];

/// A word that names a kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocationWord {
    pub(super) kind: LocationKind,
    /// True for a word for annexes, whose numbers may be letters alone.
    pub(super) is_annex: bool,
    /// True if only a number with dots makes it the word for a clause.
    pub(super) needs_dots: bool,
    /// True for a plural of a table, figure or formula.
    pub(super) is_plural: bool,
    /// Length of the word in bytes.
    pub(super) length: usize,
}

/// The longest word for a part at the beginning of a text in lower case.
pub(super) fn location_word(lower: &str) -> Option<LocationWord> {
    let mut longest: Option<(LocationKind, &str)> = None;
    for (kind, words) in LOCATION_WORDS {
        for word in words.split('|') {
            if begins_with(lower, word) && longest.is_none_or(|(_, known)| known.len() < word.len()) {
                longest = Some((kind, word));
            }
        }
    }
    let (kind, word) = longest?;
    Some(LocationWord {
        kind,
        is_annex: [ANNEX_WORDS, FURTHER_ANNEX_WORDS]
            .iter()
            .any(|words| words.split('|').any(|one| one == word)),
        needs_dots: CLAUSE_WITH_DOTS.contains(&word),
        is_plural: PLURALS.contains(&word),
        length: word.len(),
    })
}

/// Words for what is smaller than a part.
const DETAIL_WORDS: [(DetailKind, &str); 8] = [
    (
        DetailKind::Item,
        "list item|list items|item|items|point|points|punkt|punkte|punkten|aufzählungspunkt|aufzählungspunkte|\
         aufzählung|aufzählungen|listenpunkt|listenpunkte|buchstabe|buchst.|lit.|lettre|letter|litera|liste|\
         élément|énumération|tiret",
    ),
    (
        DetailKind::Paragraph,
        "paragraph|paragraphs|para.|para|paras.|par.|absatz|absätze|absatzes|abs.|abs|alinéa|alinéas|al.|\
         paragraphe|paragraphes",
    ),
    (DetailKind::Sentence, "sentence|sentences|satz|sätze|phrase|phrases"),
    (
        DetailKind::Note,
        "note|notes|anmerkung|anmerkungen|anm.|anm|remarque|remarques|note to entry|anmerkung zum begriff|\
         note à l'article",
    ),
    (DetailKind::Example, "example|examples|ex.|beispiel|beispiele|bsp.|exemple|exemples"),
    (
        DetailKind::Footnote,
        "footnote|footnotes|fußnote|fußnoten|fn.|note de bas de page|note de bas de tableau",
    ),
    (DetailKind::Row, "row|rows|line|lines|zeile|zeilen|ligne|lignes"),
    (DetailKind::Column, "column|columns|col.|spalte|spalten|sp.|colonne|colonnes"),
];

/// The kind of detail that the longest word at the beginning of a text in lower case names, and the length of
/// the word in bytes.
pub(super) fn detail_word(lower: &str) -> Option<(DetailKind, usize)> {
    let mut longest: Option<(DetailKind, usize)> = None;
    for (kind, words) in DETAIL_WORDS {
        for word in words.split('|') {
            if begins_with(lower, word) && longest.is_none_or(|(_, known)| known < word.len()) {
                longest = Some((kind, word.len()));
            }
        }
    }
    longest
}

/// Ordinal numbers in words. The endings of German ones are cut off.
const ORDINALS: [(&str, u32); 30] = [
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("1st", 1),
    ("2nd", 2),
    ("3rd", 3),
    ("4th", 4),
    ("5th", 5),
    ("6th", 6),
    ("erste", 1),
    ("zweite", 2),
    ("dritte", 3),
    ("vierte", 4),
    ("fünfte", 5),
    ("sechste", 6),
    ("premier", 1),
    ("première", 1),
    ("deuxième", 2),
    ("seconde", 2),
    ("troisième", 3),
    ("quatrième", 4),
    ("cinquième", 5),
    ("sixième", 6),
    ("1er", 1),
    ("1ère", 1),
    ("2e", 2),
    ("3e", 3),
];

/// The ordinal number in words at the beginning of a text in lower case, and its length in bytes.
pub(super) fn ordinal_word(lower: &str) -> Option<(u32, usize)> {
    let length = lower.find(|c: char| !c.is_alphanumeric()).unwrap_or(lower.len());
    let word = &lower[..length];
    for (ordinal, value) in ORDINALS {
        let is_declined = ordinal.ends_with("te") || ordinal == "erste";
        let ending = word.strip_prefix(ordinal);
        if ending == Some("") || is_declined && matches!(ending, Some("r" | "n" | "m" | "s")) {
            return Some((value, length));
        }
    }
    None
}

/// Phrases that announce a citation.
const ANNOUNCEMENTS: [&str; 26] = [
    "source:",
    "quelle:",
    "see also",
    "see",
    "siehe auch",
    "siehe",
    "s.",
    "vgl.",
    "cf.",
    "voir aussi",
    "voir",
    "gemäß",
    "nach",
    "laut",
    "entsprechend",
    "selon",
    "conformément à",
    "suivant",
    "according to",
    "in accordance with",
    "as per",
    "per",
    "in",
    "dans",
    "under",
    "as specified in",
];

/// Articles and nouns before a designation or a place.
const ARTICLES: [&str; 12] = [
    "the standard",
    "standard",
    "the",
    "la norme",
    "norme",
    "l'",
    "la",
    "le",
    "der norm",
    "norm",
    "der",
    "die",
];

/// The text without the phrases that announce it.
pub(super) fn without_announcement(text: &str) -> &str {
    without_first(without_first(text, &ANNOUNCEMENTS), &ARTICLES)
}

/// Words between a place and what it is in.
const OF: [&str; 30] = [
    "of the standard",
    "of the",
    "of standard",
    "of",
    "in the",
    "in",
    "to",
    "from",
    "der norm",
    "in der",
    "aus der",
    "von der",
    "der",
    "des",
    "von",
    "vom",
    "aus",
    "zu",
    "zum",
    "nach",
    "gemäß",
    "de la norme",
    "de la",
    "de l'",
    "du",
    "d'",
    "de",
    "dans la norme",
    "dans l'",
    "dans",
];

/// The text after words for *of*, which the text begins with.
pub(super) fn after_of(text: &str) -> Option<&str> {
    let text = text.trim_start().trim_start_matches(',').trim_start();
    let lower = same_length_lower(text);
    let mut longest = None;
    for phrase in OF {
        if begins_with(&lower, phrase) && longest.is_none_or(|known: &str| known.len() < phrase.len()) {
            longest = Some(phrase);
        }
    }
    Some(text[longest?.len()..].trim_start())
}

/// Words for a text that was taken over with changes.
const REMARKS: [&str; 7] =
    ["modified", "adapted", "modifié", "modifiée", "modifiziert", "geändert", "adapté"];

/// True if what is left of a citation is a remark on how the cited text was taken over: `, modified — …`.
pub(super) fn is_remark(rest: &str) -> bool {
    let lower = same_length_lower(rest.trim_start_matches([' ', ',', ';', '–', '-', '(']));
    REMARKS.iter().any(|word| begins_with(&lower, word))
}

/// The text without the longest of these phrases that it begins with; whole if it is nothing else.
fn without_first<'t>(text: &'t str, phrases: &[&str]) -> &'t str {
    let lower = same_length_lower(text);
    let mut longest = 0;
    for phrase in phrases {
        if begins_with(&lower, phrase) {
            longest = longest.max(phrase.len());
        }
    }
    let rest = text[longest..].trim_start();
    if rest.is_empty() { text } else { rest }
}

/// True if a text begins with a word: behind letters and digits comes something else.
pub(super) fn begins_with(text: &str, word: &str) -> bool {
    let Some(rest) = text.strip_prefix(word) else { return false };
    let ends_with_letter = word.ends_with(char::is_alphanumeric);
    !(ends_with_letter && rest.starts_with(char::is_alphanumeric))
}

/// The text in lower case where that has as many bytes, so that positions are the same in both.
pub(super) fn same_length_lower(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for c in text.chars() {
        let mut folded = c.to_lowercase();
        match (folded.next(), folded.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => lower.push(one),
            _ => lower.push(c),
        }
    }
    lower
}

/// Names of months in three languages, in lower case and without full stop.
const MONTHS: [&str; 12] = [
    "january|januar|jänner|janvier|jan",
    "february|februar|février|feb|fév",
    "march|märz|mars|mar",
    "april|avril|apr",
    "may|mai",
    "june|juni|juin|jun",
    "july|juli|juillet|jul",
    "august|août|aug",
    "september|septembre|sep|sept",
    "october|oktober|octobre|oct|okt",
    "november|novembre|nov",
    "december|dezember|décembre|dec|dez|déc",
];

/// The number of the month whose name is at the beginning of a text in lower case, and the length of the name
/// in bytes.
pub(super) fn month(lower: &str) -> Option<(usize, usize)> {
    let length = lower.find(|c: char| !c.is_alphabetic()).unwrap_or(lower.len());
    for (number, names) in (1..).zip(MONTHS) {
        if names.split('|').any(|name| name == &lower[..length]) {
            let with_stop = length + usize::from(lower[length..].starts_with('.'));
            return Some((number, with_stop));
        }
    }
    None
}
