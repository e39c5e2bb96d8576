//! Grammar of references in plain words: `Clause 4 and Annex A`, `Tabelle 3`, `see 4.2`, `b) above`,
//! `this document`.

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::printed;

use super::locality_list::{is_followed, list};
use crate::blocks::ReferencedPartKind;
use crate::expressions::Expressions;

/// One place within a document, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Locality {
    pub(super) kind: ReferencedPartKind,
    /// `4.2`, `A`, `(3)`, `b)`.
    pub(super) number: String,
    /// Byte where the number begins.
    pub(super) start: usize,
    /// Number of a paragraph of that part: 2 in `6(2)` and `Artikel 6 Abs. 2`.
    pub(super) paragraph: Option<String>,
    /// True for the end of a range that the locality before it begins: `4.2 to 4.5`.
    pub(super) ends_range: bool,
    /// Bytes of the text; of the first in a list with the word before it.
    pub(super) range: Range<usize>,
}

/// A reference without markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    /// Places of a document, as one list: `announced` by a word such as `Clause` or `see`; `sure` unless it
    /// is a mere number that may be a value.
    Localities { localities: Vec<Locality>, sure: bool, announced: bool },
    /// A table or figure by its position.
    Near { kind: ReferencedPartKind, above: bool },
    /// The document that the text is a part of.
    Itself,
    /// A word for a part, with white space to the end of the stretch after it; its number may be a marked
    /// reference.
    Word,
}

/// Words that announce a part, those of citations, and of items in a regular expression. English, French and
/// German are read together: no word of one announces something else in another.
const WORDS: [(ReferencedPartKind, &str); 6] = [
    (ReferencedPartKind::Annex, printed::ANNEX_WORDS),
    (ReferencedPartKind::Table, printed::TABLE_WORDS),
    (ReferencedPartKind::Figure, printed::FIGURE_WORDS),
    (ReferencedPartKind::Formula, printed::FORMULA_WORDS),
    (
        ReferencedPartKind::Item,
        "(?:list )?items?|points?|punkte?s?|punkten|(?:aufzählungs|listen)punkt(?:e?n?|es)|aufzählung(?:en)?",
    ),
    (ReferencedPartKind::Clause, printed::CLAUSE_WORDS),
];

/// Phrases after which any number is a clause of this document.
const SEE: &str = r"see(?: also)?|voir(?: aussi)?|siehe(?: auch)?|cf\.|vgl\.";

/// Phrases after which a dotted number is a clause of this document.
const LEADING: &str = "(?:in accordance|accordance|conformity|compliance|comply|complies|complying) with|according to|as per|\
     conform(?:s|ing)? to|subject to|pursuant to|under|(?:specified|given|described|defined|listed|required|set out|\
     stated|indicated|prescribed|established|outlined|detailed|provided|determined|calculated|prepared|addressed|\
     referred to|mentioned|covered|permitted) (?:in|by|under)|(?:requirements?|provisions?|conditions?|methods?|\
     procedures?|rules?|criteria|principles?) (?:of|in|from)|meets?|fulfils?|except for|\
     conformément (?:à|au|aux)|selon|(?:spécifié|décrit|défini|indiqué|donné|prescrit|énoncé|exigé|mentionné|prévu|\
     fixé)e?s? (?:en|au|à|dans|par)|(?:exigences|conditions|prescriptions|méthodes?) (?:de|du)|\
     nach|gemäß|entsprechend|laut|(?:anforderungen|bedingungen|verfahren) (?:nach|von|in|aus)";

/// Phrases for the document that the text is a part of.
const ITSELF: &str = "(?:[Tt]his|[Tt]he present) (?:(?:[Ii]nternational |[Ee]uropean |[Nn]ational )?[Ss]tandard|[Ss]pecification|\
     Recommendation|Guide|Technical (?:Specification|Report)|Publicly Available Specification|[Dd]ocument|\
     [Rr]esolution|[Rr]egulation|[Dd]irective|Act|Decision|Code|Agreement|Convention|Law|Manual|Handbook)|\
     (?:[Ll]e |[Dd]u |[Aa]u |[Cc]e )présent (?:document|règlement|arrêté|décret|accord|guide|rapport)|[Cc]e document|(?:[Ll]a |[Cc]ette )?présente (?:[Nn]orme|\
     [Rr]ecommandation|[Ss]pécification|directive|décision|résolution|loi)(?: [Ii]nternationale| [Ee]uropéenne| [Tt]echnique)?|[Cc]ette [Nn]orme|\
     [Dd]iese[smr]? (?:(?:[Ii]nternationalen?|[Ee]uropäischen?|[Nn]ationalen?) )?(?:Norm|Dokuments?|Empfehlung|Spezifikation|Verordnung|Richtlinie|Satzung|\
     Gesetz(?:es)?)|\
     (?:[Dd]as|[Dd]es|[Dd]em|[Dd]ie|[Dd]er) vorliegenden? (?:Dokuments?|Norm)";

/// A table or figure by its position: `table below`, `la figure ci-dessus`, `die folgende Tabelle`.
const NEAR: &str = "(?:table|figure|tableau|tabelle|bild|abbildung) (?:above|below|ci-dessus|ci-dessous|ci-après|oben|unten|\
     précédente?|suivante?)|(?:above|following|preceding|previous|vorstehenden?|obigen?|vorhergehenden?|folgenden?|\
     nachstehenden?) (?:table|figure|tabelle|bild|abbildung)";
/// The words among those that lead back.
const BACK: [&str; 8] = ["above", "preceding", "previous", "ci-dessus", "précédent", "oben", "obige", "vor"];

const DOTTED: &str = r"(?:[0-9]{1,3}|[A-Z]{1,2})(?:\.[0-9]{1,3})+";
/// The label of an item of a list.
pub(super) const ITEM: &str = r"(?:[a-z]{1,2}|[ivx]{1,4}|[0-9]{1,2})\)";
/// The start of a reference, where a pattern of [`START`] matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Itself,
    Near,
    /// A word or sign for a part, and white space.
    Word(ReferencedPartKind),
    See,
    Leading,
    /// Items, and a word that says where they are.
    Items,
    Dotted,
}

/// Patterns for the start of a reference, with its kind. White space in the phrases is any. Words and phrases
/// end before a character with which a number may begin, which is part of the match: few of them are followed
/// by one.
static START: LazyLock<(Vec<Start>, Expressions)> = LazyLock::new(|| {
    const NUMBER: &str = r"\s+(?:[A-Z0-9(]|$)";
    let of_item = NUMBER.replace("A-Z0-9(", "a-z0-9");
    let mut starts =
        vec![(Start::Itself, format!(r"\b(?:{ITSELF})\b")), (Start::Near, format!(r"\b(?i:{NEAR})\b"))];
    starts.extend(WORDS.map(|(kind, words)| {
        let number = if kind == ReferencedPartKind::Item { of_item.as_str() } else { NUMBER };
        let words = words.replace('.', r"\.");
        (Start::Word(kind), format!(r"\b(?i:{words}){number}"))
    }));
    let joined = ",| and| or| to| et| ou| und| oder| bis";
    starts.extend([
        (Start::See, format!(r"\b(?i:{SEE}){NUMBER}")),
        (Start::Leading, format!(r"\b(?i:{LEADING}){NUMBER}")),
        (
            Start::Items,
            format!(r"\b{ITEM}(?:(?:{joined}) {ITEM})* (?:above|below|ci-dessus|ci-dessous|oben|unten)\b"),
        ),
        (Start::Dotted, format!(r"\b{DOTTED}")),
        (Start::Word(ReferencedPartKind::Clause), r"§{1,2}\s*".to_owned()),
        (Start::Word(ReferencedPartKind::Formula), r"(?i:équations?)\s+".to_owned()),
    ]);
    // A word boundary of ASCII: that of Unicode makes the search many times slower.
    let patterns: Vec<String> =
        starts.iter().map(|(_, p)| p.replace(' ', r"\s+").replace(r"\b", r"(?-u:\b)")).collect();
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    (starts.iter().map(|(start, _)| *start).collect(), Expressions::new(&patterns))
});

/// Words between a locality and the document after it: `6.2 of `, `Abschnitt 4 der `.
static OF: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r"(?i:,?\s+(?:(?:of|in|from|to)(?:\s+the)?(?:\s+standard)?|(?:de|dans)(?:\s+la\s+norme|\s+la|\s+l[’'])?|du|d[’']|(?:von|der|des|aus|in|zu)(?:\s+der)?(?:\s+norm)?)\s*)$",
    ])
});

/// Paragraphs before their part: `paragraph (2) of Clause 6`.
static PARAGRAPH_OF: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r"(?i:paragraphe?|alinéa|absatz|abs\.)\s+\(?[0-9]{1,2}\)?\s+(?:(?:of|von|des|de|du)\s+(?:the\s+)?|de\s+l[’'])",
    ])
});

/// Words between items and the clause after them: `items a) and b) of 4.2`.
static ITEMS_OF: LazyLock<Expressions> =
    LazyLock::new(|| Expressions::new(&[r"\s+(?:of|in|von|des|de|du|de\s+l[’'])\s+"]));

/// Words between a document and a locality after it: `ISO 9001, Clause 4`, `ISO 9001 (Abschnitt 4)`; the
/// first is a comma.
static TAIL: LazyLock<Expressions> =
    LazyLock::new(|| Expressions::new(&[r",\s*(?:(?:in|see|dans|voir|siehe)\s+)?", r"\s*[:(]\s*|\s+"]));

/// The next reference at or after `at`, and its bytes.
pub(super) fn next(text: &str, mut at: usize, end: usize) -> Option<(Range<usize>, Plain)> {
    let text = &text[..end];
    loop {
        let (start, range) = started(START.1.find(text, at)?, text);
        let words = &text[range.clone()];
        let after = range.end;
        let localities = match start {
            Start::Itself => return Some((range, Plain::Itself)),
            Start::Near => return Some((range.clone(), near(words))),
            Start::Items => return Some((range.clone(), items(words, &range))),
            Start::Word(kind) => match paragraph_of(text, range.start) {
                Some(localities) => Some(localities),
                None => list(text, kind, words.trim_end(), range.start, after),
            },
            Start::See => list(text, ReferencedPartKind::Clause, "", after, after),
            Start::Leading => dotted_list(text, after),
            Start::Dotted if begins_word(text, range.start) => {
                list(text, ReferencedPartKind::Clause, "", range.start, range.start)
            }
            Start::Dotted => None,
        };
        let is_word = matches!(start, Start::Word(_));
        if let Some(localities) = localities {
            let (range, localities) = with_holder_of_items(text, localities);
            let is_bare = start == Start::Dotted && localities[0].number.matches('.').count() < 2;
            let announced = is_word || start == Start::See;
            return Some((range, Plain::Localities { localities, sure: !is_bare, announced }));
        }
        if is_word && after == end {
            return Some((range, Plain::Word));
        }
        // A phrase may be the beginning of another: `nach Abschnitt 4`.
        at = after.max(range.start + 1);
    }
}

/// A list of clauses of which the first has a number with dots: others may be values.
fn dotted_list(text: &str, at: usize) -> Option<Vec<Locality>> {
    let localities = list(text, ReferencedPartKind::Clause, "", at, at)?;
    if localities[0].number.contains('.') { Some(localities) } else { None }
}

/// True at the start of a text, after white space and in brackets.
fn begins_word(text: &str, at: usize) -> bool {
    at == 0 || text[..at].ends_with(|c: char| c.is_whitespace() || c == '(')
}

/// Localities with their bytes; instead of items the clause that has them: “items a) and b) of 4.2”.
fn with_holder_of_items(text: &str, localities: Vec<Locality>) -> (Range<usize>, Vec<Locality>) {
    let range = localities[0].range.start..localities[localities.len() - 1].range.end;
    let are_items = localities.iter().all(|locality| locality.kind == ReferencedPartKind::Item);
    if are_items
        && let Some((_, of)) = ITEMS_OF.at(text, range.end)
        && let Some(holder) = word_or_number(text, of.end)
    {
        return (range.start..holder[holder.len() - 1].range.end, holder);
    }
    (range, localities)
}

/// A table or figure by its position, of such words.
fn near(words: &str) -> Plain {
    let words = words.to_lowercase();
    let kind = if words.contains("tab") { ReferencedPartKind::Table } else { ReferencedPartKind::Figure };
    let leads_back = |word: &str| BACK.iter().any(|back| word.starts_with(back));
    Plain::Near { kind, above: words.split_whitespace().any(leads_back) }
}

/// The items of words such as `b) above`.
fn items(words: &str, range: &Range<usize>) -> Plain {
    let item = Locality {
        kind: ReferencedPartKind::Item,
        number: words.trim_end_matches(|c: char| !c.is_whitespace()).trim_end().to_owned(),
        start: range.start,
        paragraph: None,
        ends_range: false,
        range: range.clone(),
    };
    Plain::Localities { localities: vec![item], sure: true, announced: true }
}

/// The start of a reference where one of [`START`] matches, and its bytes without those of the number.
fn started((pattern, range): (usize, Range<usize>), text: &str) -> (Start, Range<usize>) {
    let start = START.0[pattern];
    let precedes_number = matches!(start, Start::Word(_) | Start::See | Start::Leading);
    let has_number =
        precedes_number && !text[range.clone()].ends_with(|c: char| c.is_whitespace() || c == '§');
    // A number begins with a character of one byte.
    let end = if has_number { range.end - 1 } else { range.end };
    (start, range.start..end)
}

/// The word for a part at this very place, and its bytes.
pub(super) fn word_at(text: &str, at: usize) -> Option<(ReferencedPartKind, Range<usize>)> {
    match started(START.1.at(text, at)?, text) {
        (Start::Word(kind), range) => Some((kind, range)),
        _ => None,
    }
}

/// The localities of a cited document, which come directly after it.
pub(super) fn tail(text: &str, at: usize, end: usize) -> Option<Vec<Locality>> {
    let text = &text[..end];
    let (joined, between) = TAIL.at(text, at)?;
    let start = between.end;
    if let Some((kind, word)) = word_at(text, start) {
        return list(text, kind, text[word.clone()].trim_end(), start, word.end);
    }
    let is_comma = joined == 0;
    if !is_comma {
        return None;
    }
    let localities = list(text, ReferencedPartKind::Clause, "", start, start)?;
    // `ISO 9001, 3 samples`
    let first = &localities[0];
    let is_clause = first.number.contains('.') || is_followed(&text[first.range.end..]);
    if is_clause { Some(localities) } else { None }
}

/// True if words between a place and a document join the two: `6.2 of `.
pub(super) fn is_of(between: &str) -> bool {
    OF.at(between, 0).is_some()
}

/// Localities with a word before the first, or only a number with dots.
pub(super) fn word_or_number(text: &str, at: usize) -> Option<Vec<Locality>> {
    match word_at(text, at) {
        Some((kind, word)) => list(text, kind, text[word.clone()].trim_end(), at, word.end),
        None => dotted_list(text, at),
    }
}

/// `paragraph (2) of Clause 6`.
fn paragraph_of(text: &str, at: usize) -> Option<Vec<Locality>> {
    let (_, of) = PARAGRAPH_OF.at(text, at)?;
    let mut holder = word_or_number(text, of.end)?;
    holder[0].paragraph = Some(text[of].chars().filter(char::is_ascii_digit).collect());
    holder[0].range.start = at;
    Some(holder)
}

/// True if a word is one of a list.
pub(super) fn lists(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|listed| listed == word)
}
