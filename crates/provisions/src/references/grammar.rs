//! Grammar of references in plain words: `Clause 4 and Annex A`, `Tabelle 3`, `see 4.2`, `b) above`,
//! `this document`.

use std::ops::Range;
use std::sync::LazyLock;

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
    /// Whether it is the end of a range that the locality before it begins: `4.2 to 4.5`.
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
    /// The document itself.
    Itself,
    /// A word for a part, with white space to the end of the stretch after it; its number may be a marked
    /// reference.
    Word,
}

/// Words that announce a part, in regular expressions. English, French and German are read together: no word
/// of one announces something else in another.
const WORDS: [(ReferencedPartKind, &str); 6] = [
    (
        ReferencedPartKind::Annex,
        "annex(?:es)?|annexes?|appendix|appendices|appendice|anhang(?:e?s)?|anhängen?|anlagen?",
    ),
    (ReferencedPartKind::Table, "tables?|tableaux?|tabellen?"),
    (ReferencedPartKind::Figure, r"figures?|figs?\.?|bild(?:er|ern|e?s)?|abbildung(?:en)?|abb\."),
    (
        ReferencedPartKind::Formula,
        r"formulae?|formulas|equations?|eqs?\.|formules?|formeln?|gleichung(?:en)?",
    ),
    (
        ReferencedPartKind::Item,
        "(?:list )?items?|points?|punkte?s?|punkten|(?:aufzählungs|listen)punkt(?:e?n?|es)|aufzählung(?:en)?",
    ),
    (
        ReferencedPartKind::Clause,
        "(?:sub-?)?clauses?|(?:sub-?)?sections?|paragraphe?s?|chapters?|articles?|art\\.|chapitres?|artikeln?s?|\
         (?:unter)?abschnitt(?:e?s|en?)?|kapiteln?s?",
    ),
];

/// Words that end like a plural and announce one part.
const SINGULAR: [&str; 8] =
    ["table", "figure", "annexe", "formule", "clause", "article", "paragraphe", "appendice"];

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

/// The document itself.
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
const ITEM: &str = r"(?:[a-z]{1,2}|[ivx]{1,4}|[0-9]{1,2})\)";
/// Decimal number with a letter of an annex before it or of a part after it.
const FLOAT: &str = r"(?:[A-Z]{1,2}[.\-‑]?)?[0-9]{1,3}(?:[.\-‑][0-9]{1,3})*[a-z]?";

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

/// A number of each kind.
static NUMBERS: LazyLock<[(ReferencedPartKind, Expressions); 6]> = LazyLock::new(|| {
    let item = format!(r"(?:,?\s*(?:(?i:list item|item|point|Aufzählung)\s+)?{ITEM})?");
    [
        (
            ReferencedPartKind::Annex,
            format!(r"(?:[IVXL]+|[A-Z]{{1,2}}[0-9]{{0,2}}|[0-9]{{1,2}})(?:\.[0-9]{{1,3}})*{item}"),
        ),
        (ReferencedPartKind::Table, FLOAT.to_owned()),
        // `2a`, `2a)`, `2 a)`, `2 (a)`
        (ReferencedPartKind::Figure, format!(r"{FLOAT}(?:\s?\([a-z]\)|\s[a-z]\)|\)?)")),
        (ReferencedPartKind::Formula, format!(r"\({FLOAT}\)|{FLOAT}")),
        (ReferencedPartKind::Item, ITEM.to_owned()),
        (ReferencedPartKind::Clause, format!(r"(?:[0-9]{{1,3}}|[A-Z]{{1,2}})(?:\.[0-9]{{1,3}})*{item}")),
    ]
    .map(|(kind, pattern)| (kind, Expressions::new(&[&pattern])))
});

/// The end of a range behind a hyphen.
static HYPHENATED: LazyLock<Expressions> =
    LazyLock::new(|| Expressions::new(&[r"-[0-9]{1,3}(?:\.[0-9]{1,3})+"]));

/// Words between the localities of a list; the first makes a range.
static JOINED: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r"\s?[–—]\s?|-|\s+(?:to|through|bis|à)\s+",
        r",?\s+(?:and/or|and|or|et|ou|und|oder|sowie|as well as|bzw\.|beziehungsweise|resp\.|except|excluding|sauf|außer|ausgenommen)\s+|,\s*",
    ])
});

/// Words between a locality and the document after it: `6.2 of `, `Abschnitt 4 der `.
static OF: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r"(?i:,?\s+(?:(?:of|in|from|to)(?:\s+the)?(?:\s+standard)?|(?:de|dans)(?:\s+la\s+norme|\s+la|\s+l[’'])?|du|d[’']|(?:von|der|des|aus|in|zu)(?:\s+der)?(?:\s+norm)?)\s*)$",
    ])
});

/// The paragraph of a part: `6(2)`, `Artikel 6 Abs. 2`.
static PARAGRAPH: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r"\s?\([0-9]{1,2}\)",
        r",?\s+(?:Abs\.|Absatz|Absätze|para\.|paragraphe?|alinéa)\s+\(?[0-9]{1,2}\)?",
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

/// Words that follow a measured value and are longer than two letters.
const UNITS: &str = "min mol bar rad kat lux dpi rpm ppm ppb percent per times degrees volts volt seconds second \
    minutes hours days metres meters millimetres grams litres secondes heures jours fois Sekunden \
    Stunden Tage Prozent";

/// Words of one or two letters that are not a unit.
const SHORT: &str =
    "a à is to in or if as by of on at be do et ou de du en la le au un il so zu im es an ob am wo b c";

/// Words after which a number without dots in a list is that of a part.
pub(super) const VERBS: &str = "and or to shall should may can is are apply applies above below of et ou doivent doit und oder bis \
    gilt gelten muss müssen sind";

/// The next reference at or after `at`, and its bytes.
pub(super) fn next(text: &str, mut at: usize, end: usize) -> Option<(Range<usize>, Plain)> {
    let text = &text[..end];
    loop {
        let (start, range) = started(START.1.find(text, at)?, text);
        let Range { start: first, end: after } = range.clone();
        let found = &text[range.clone()];
        let localities = match start {
            Start::Itself => return Some((range, Plain::Itself)),
            Start::Near => {
                let words = found.to_lowercase();
                let kind = if words.contains("tab") {
                    ReferencedPartKind::Table
                } else {
                    ReferencedPartKind::Figure
                };
                let above = words.split_whitespace().any(|w| BACK.iter().any(|back| w.starts_with(back)));
                return Some((range, Plain::Near { kind, above }));
            }
            Start::Items => {
                let number = found.trim_end_matches(|c: char| !c.is_whitespace()).trim_end().to_owned();
                let (kind, start) = (ReferencedPartKind::Item, range.start);
                let range_of = range.clone();
                let locality =
                    Locality { kind, number, start, paragraph: None, ends_range: false, range: range_of };
                return Some((
                    range,
                    Plain::Localities { localities: vec![locality], sure: true, announced: true },
                ));
            }
            Start::Word(kind) => match paragraph_of(text, first) {
                Some(localities) => Some(localities),
                None => list(text, kind, found.trim_end(), first, after),
            },
            Start::See => list(text, ReferencedPartKind::Clause, "", after, after),
            Start::Leading => list(text, ReferencedPartKind::Clause, "", after, after)
                .filter(|localities| localities[0].number.contains('.')),
            Start::Dotted => {
                let begins = text[..first].ends_with(|c: char| c.is_whitespace() || c == '(') || first == 0;
                list(text, ReferencedPartKind::Clause, "", first, first).filter(|_| begins)
            }
        };
        let is_word = matches!(start, Start::Word(_));
        if let Some(mut localities) = localities {
            let mut range = localities[0].range.start..localities[localities.len() - 1].range.end;
            // The items are those of the clause: “items a) and b) of 4.2”.
            if localities.iter().all(|locality| locality.kind == ReferencedPartKind::Item)
                && let Some((_, of)) = ITEMS_OF.at(text, range.end)
                && let Some(holder) = word_or_number(text, of.end)
            {
                range.end = holder[holder.len() - 1].range.end;
                localities = holder;
            }
            let bare = start == Start::Dotted && localities[0].number.matches('.').count() < 2;
            let announced = is_word || start == Start::See;
            return Some((range, Plain::Localities { localities, sure: !bare, announced }));
        }
        if is_word && after == end {
            return Some((range, Plain::Word));
        }
        // A phrase may be the beginning of another: `nach Abschnitt 4`.
        at = after.max(first + 1);
    }
}

/// The start of a reference where one of [`START`] matches, and its bytes without those of the number.
fn started((pattern, range): (usize, Range<usize>), text: &str) -> (Start, Range<usize>) {
    let start = START.0[pattern];
    let number = matches!(start, Start::Word(_) | Start::See | Start::Leading)
        && !text[range.clone()].ends_with(|c: char| c.is_whitespace() || c == '§');
    (start, range.start..range.end - usize::from(number))
}

/// The word for a part at this very place, and its bytes.
fn word_at(text: &str, at: usize) -> Option<(ReferencedPartKind, Range<usize>)> {
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
    match word_at(text, start) {
        Some((kind, word)) => list(text, kind, text[word.clone()].trim_end(), start, word.end),
        None if joined == 0 => {
            let localities = list(text, ReferencedPartKind::Clause, "", start, start)?;
            // `ISO 9001, 3 samples`
            let dotted = localities[0].number.contains('.');
            (dotted || is_followed(&text[localities[0].range.end..])).then_some(localities)
        }
        None => None,
    }
}

/// Whether words between a place and a document join the two: `6.2 of `.
pub(super) fn is_of(between: &str) -> bool {
    OF.at(between, 0).is_some()
}

/// Localities with a word before the first, or only a number with dots.
pub(super) fn word_or_number(text: &str, at: usize) -> Option<Vec<Locality>> {
    match word_at(text, at) {
        Some((kind, word)) => list(text, kind, text[word.clone()].trim_end(), at, word.end),
        None => {
            list(text, ReferencedPartKind::Clause, "", at, at).filter(|found| found[0].number.contains('.'))
        }
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

/// A list of localities whose first number begins at `at`, announced by a word (empty for a bare number) that
/// begins at `start`.
fn list(
    text: &str,
    mut kind: ReferencedPartKind,
    word: &str,
    start: usize,
    mut at: usize,
) -> Option<Vec<Locality>> {
    let mut localities: Vec<Locality> = Vec::new();
    let (mut begin, mut ends_range) = (start, false);
    let mut bare = word.is_empty();
    let mut plural = is_plural(word);
    while let Some(mut end) = number(text, kind, at) {
        let digits = &text[at..end];
        let listed = !localities.is_empty() && begin == at;
        let after = &text[end..];
        // “Artikel 6 Abs. 1 und 2”
        let paragraphs = localities.last().filter(|last: &&Locality| {
            listed
                && last.paragraph.is_some()
                && !digits.contains('.')
                && !text[last.range.clone()].ends_with(')')
        });
        if (bare || listed) && is_measured(after)
            || listed
                && !(plural
                    || paragraphs.is_some()
                    || digits.contains('.')
                    || kind == ReferencedPartKind::Item)
                && !is_followed(after)
        {
            break;
        }
        let (mut number, mut paragraph) = (digits.to_owned(), None);
        if let Some((_, found)) = PARAGRAPH.at(text, end).filter(|_| kind == ReferencedPartKind::Clause) {
            paragraph = Some(text[found.clone()].chars().filter(char::is_ascii_digit).collect());
            end = found.end;
        } else if let Some(last) = paragraphs {
            (number, paragraph) = (last.number.clone(), Some(number));
        }
        localities.push(Locality { kind, number, start: at, paragraph, ends_range, range: begin..end });
        let Some((mut joined, mut between)) = JOINED.at(text, end) else { break };
        // “Article 6 (2) and (3)”
        while let Some(last) = localities.last().filter(|last| last.paragraph.is_some()).cloned()
            && let Some((0, found)) = PARAGRAPH.at(text, between.end)
        {
            let paragraph = text[found.clone()].chars().filter(char::is_ascii_digit).collect();
            let (paragraph, ends_range) = (Some(paragraph), joined == 0);
            localities.push(Locality { paragraph, ends_range, range: found.clone(), ..last });
            let Some(next) = JOINED.at(text, found.end) else { return Some(localities) };
            (joined, between) = next;
        }
        ends_range = joined == 0;
        at = between.end;
        begin = at;
        if let Some((next, word)) = word_at(text, at) {
            let plain = text[word.clone()].trim_end();
            (kind, plural, at, bare) = (next, is_plural(plain), word.end, false);
        }
    }
    (!localities.is_empty()).then_some(localities)
}

fn is_plural(word: &str) -> bool {
    let word = word.to_lowercase();
    let ends = ["s", "x", "ae", "en", "er", "ern", "e", "eln", "§§"].iter().any(|end| word.ends_with(end));
    ends && !SINGULAR.iter().any(|singular| word.ends_with(singular)) && word != "tabelle" && word != "anlage"
}

/// The end of the number of a part.
fn number(text: &str, kind: ReferencedPartKind, at: usize) -> Option<usize> {
    let (_, pattern) = NUMBERS.iter().find(|(of, _)| *of == kind)?;
    let end = pattern.at(text, at)?.1.end;
    let mut rest = text[end..].chars();
    let next = rest.next();
    // “4.1-4.3”
    let ranges = next == Some('-') && kind == ReferencedPartKind::Clause && text[at..end].contains('.');
    let ranges =
        ranges && HYPHENATED.at(text, end).is_some_and(|(_, upper)| !is_measured(&text[upper.end..]));
    let joined = !ranges
        && next.is_some_and(|c| matches!(c, '-' | '/' | '.' | ',' | '_' | ':'))
        && rest.next().is_some_and(char::is_alphanumeric);
    // “article L. 121-1”
    let of_code = text[at..end].bytes().all(|byte| byte.is_ascii_uppercase())
        && text[end..].strip_prefix(". ").is_some_and(|code| code.starts_with(|c: char| c.is_ascii_digit()));
    (!joined && !of_code && !next.is_some_and(char::is_alphanumeric)).then_some(end)
}

/// Whether a word is one of a list.
pub(super) fn lists(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|listed| listed == word)
}

/// The word that follows, if only white space is between.
fn following(after: &str) -> &str {
    let rest = after.trim_start();
    if rest.len() == after.len() {
        return "";
    }
    &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
}

/// Whether what follows a number makes it a measured value.
fn is_measured(after: &str) -> bool {
    let word = following(after);
    let mixed = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    after
        .trim_start()
        .starts_with(['%', '°', '‰', '×', '±', '=', '<', '>', '≤', '≥', 'µ', 'μ', 'Ω', '℃', '·'])
        || !word.is_empty()
            && (mixed || lists(UNITS, word) || word.chars().count() <= 2 && !lists(SHORT, word))
}

/// Whether a number without dots in a list may be that of a part.
fn is_followed(after: &str) -> bool {
    let word = following(after);
    let rest = after.trim_start();
    rest.is_empty() || rest.starts_with(['.', ',', ';', ':', ')', ']']) || lists(VERBS, word)
}
