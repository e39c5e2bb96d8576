//! Localities of other documents: words around a locality that make it one of a contract, an act or another
//! edition.

use std::ops::Range;
use std::sync::LazyLock;

use super::grammar::{lists, word_or_number};
use super::locality_list::VERBS;
use crate::blocks::ReferencedPartKind;
use crate::expressions::Expressions;

/// True if the words around places that end in one of a kind make them those of another document: an
/// *of*-phrase or a genitive that names neither this document nor a part of it, the abbreviation of an act,
/// or a document before them.
pub(super) fn is_of_other(text: &str, range: &Range<usize>, kind: ReferencedPartKind) -> bool {
    follows_other(&text[..range.start])
        || is_owned(text, range.end)
        || kind == ReferencedPartKind::Clause && is_of_act(text, range)
}

/// True if a text ends in the name of another document and a comma: `the Harbour Act, `.
fn follows_other(before: &str) -> bool {
    if !before.trim_end().ends_with(',') {
        return false;
    }
    let head = before.floor_char_boundary(before.len().saturating_sub(LONGEST_NAME));
    let Some((_, name)) = OTHER_BEFORE.find(before, head) else { return false };
    let is_this = before[name].split_whitespace().any(|word| lists(DEMONSTRATIVES, word));
    !is_this
}

/// Words before the name of a document that make it this one.
const DEMONSTRATIVES: &str = "this present diese dieser dieses diesem cette présent";

/// True if the words after a locality are those of its owner, which is another document.
fn is_owned(text: &str, at: usize) -> bool {
    let Some((joint, phrase)) = OWNED.at(text, at) else { return false };
    if let Some(holder) = word_or_number(text, phrase.end) {
        return is_owned(text, holder[holder.len() - 1].range.end);
    }
    let rest = &text[phrase.end..];
    if OWN.at(rest, 0).is_some() {
        return false;
    }
    match joint {
        NAMED => rest.starts_with(char::is_uppercase) || NAMES_DOCUMENT.at(rest, 0).is_some(),
        IN.. => NAMES_DOCUMENT.at(rest, 0).is_some(),
        _ => true,
    }
}

/// True if the abbreviation of an act follows a number of its paragraphs: `§ 6 HafG`. What looks like one may
/// be a verb in capitals.
fn is_of_act(text: &str, range: &Range<usize>) -> bool {
    let locality = &text[range.clone()];
    let is_paragraph = ["§", "Art", "art"].iter().any(|word| locality.starts_with(word));
    if !is_paragraph {
        return false;
    }
    let Some((_, act)) = ACT.at(text, range.end) else { return false };
    let name = text[act].rsplit(char::is_whitespace).next().unwrap_or_default();
    let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
    !lists(VERBS, &name[..end].to_lowercase())
}

/// Words between a locality and its owner; after those from [`IN`] on, only a document may be named.
static OWNED: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r",?\s+(?:of\s+(?:(?:the|that|those|an?|another|any|each|said|its|their|his|our|your)\s+|it(?-u:\b))|thereof(?-u:\b))",
        r",?\s+(?:of|von)\s+",
        r"\s+(?:des|der|(?:ein|jen|sein|ihr|unser)e[rs]|ihrer|unserer)\s+",
        r"\s+(?:(?:de\s+(?:la|ladite|sa|son|leur)|du|dudit|des|desdits|d[’']une?)\s+|de\s+l[’'])",
        r"\s+(?:in|to|from|under)\s+(?:the|that|an?|another|its|their)\s+",
        r"\s+(?:(?:im|zum|zur|(?:in|aus|zu)\s+(?:der|dem|einem|einer)|dans\s+(?:la|le|une?))\s+|dans\s+l[’'])",
    ])
});

/// The first of [`OWNED`] after which only the name of a document makes a locality one of another document.
const IN: usize = 4;
/// Before an initial capital alone: `of Part 3`, `von Teil 3`.
const NAMED: usize = 1;

/// Nouns of documents, in three languages.
const DOCUMENTS: &str = "acts?|agreements?|brochure|by-?laws?|catalogue|certificate|charter|codes?|constitution|contracts?|conventions?|\
     decisions?|declaration|decree|directives?|documents?|drawings?|editions?|guides?|guidelines?|handbook|instructions|laws?|leaflet|\
     lease|licen[cs]e|manual|memorandum|(?:purchase|work) order|ordinance|permit|policy|protocol|publication|regulations?|reports?|rules|schedule|\
     specifications?|standards?|statutes?|treaty|versions?|\\w*(?:vertrag|gesetz|handbuch|buch|dokument|beschluss)e?s?|\
     \\w*(?:richtlinie|verordnung|ordnung|satzung|vereinbarung|anleitung|anweisung|norm|vorschrift|ausgabe|fassung|bestellung)(?:en)?|\
     contrat|règlement|loi|traité|arrêté|décret|manuel|livret|bail|norme|édition|accord|cahier|commande";

/// A phrase that names this document or a part of it: `present standard`, `annex`.
static OWN: LazyLock<Expressions> = LazyLock::new(|| {
    let parts = "annex|appendix|clause|subclause|section|paragraph|chapter|article|table|figure|list|anhang|anlage|abschnitt|\
         unterabschnitt|absatz|kapitel|artikel|tabelle|bild|annexe|chapitre|paragraphe|tableau|liste";
    let own = "this|these|dies\\w*|cette|cet?|present|same|documents?|dokuments?|vorliegenden?|gleichen?|présente?|même|manière|façon|sorte|fait";
    Expressions::new(&[&format!(
        r"(?i:(?:[\w’'-]+\s+)?(?:{parts})(?:e?[ns]?|es|x)(?-u:\b)|(?:{own})(?-u:\b))"
    )])
});

/// A phrase of up to five words that ends in the name of a document.
static NAMES_DOCUMENT: LazyLock<Expressions> =
    LazyLock::new(|| Expressions::new(&[&format!(r"(?:[\w’'-]+\s+){{0,4}}?(?i:{DOCUMENTS})(?-u:\b)")]));

/// Words that make the locality after them one of another document: `the Harbour Act, `, `Part 3, `, `R 60-1,
/// `.
static OTHER_BEFORE: LazyLock<Expressions> = LazyLock::new(|| {
    let before = format!(
        r"(?:(?:[Tt]he|[Aa]n?|[Tt]hat|[Dd]e[rms]|[Dd]as|[Dd]ie|[Ll][ea]|[Dd]u)\s+(?:[\w’'-]+\s+){{0,3}}?(?i:{DOCUMENTS})|(?:Part|Volume|Book|Teil|Band|Buch|[Pp]artie|[Tt]ome|[Ll]ivre)\s+[0-9IVX]+|(?-u:\b)[A-Z]{{1,3}}\s[0-9]+(?:-[0-9]+)*(?::[0-9]{{4}})?),\s*$"
    );
    Expressions::new(&[&before])
});

/// Most bytes of a document's name before a locality.
const LONGEST_NAME: usize = 60;

/// An abbreviation of an act after a number of its paragraphs: `§ 6 HafG`, `Art. 6 Abs. 2 DSGVO`.
static ACT: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[r"(?:\s+(?:Satz|S\.|Nr\.|Nummer|Buchst\.)\s*[0-9a-z]+)*\s+(?:\p{Lu}\w*\p{Lu}\w*)"])
});
