//! Grammar of references in plain words: `Clause 4 and Annex A`, `Tabelle 3`, `see 4.2`, `b) above`, `this document`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::blocks::PartKind;

/// One place within a document, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Locality {
    pub(super) kind: PartKind,
    /// `4.2`, `A`, `(3)`, `b)`.
    pub(super) number: String,
    /// Whether it is the end of a range that the place before it begins: `4.2 to 4.5`.
    pub(super) ends_range: bool,
    /// Bytes of the text; of the first in a list with the word before it.
    pub(super) range: Range<usize>,
}

/// What a stretch of text refers to without markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    /// Places of a document, as one list: `announced` by a word such as `Clause` or `see`; `sure` unless it is a mere number
    /// that may be a value.
    Places { places: Vec<Locality>, sure: bool, announced: bool },
    /// A table or figure by where it is.
    Near { kind: PartKind, above: bool },
    /// The document itself.
    Itself,
    /// A word for a part, with white space to the end of the stretch after it; its number may be a marked reference.
    Word,
}

/// Words that announce a part, in regular expressions. English, French and German are read together: no word of one announces
/// something else in another.
const WORDS: [(PartKind, &str); 6] = [
    (
        PartKind::Annex,
        "annex(?:es)?|annexes?|appendix|appendices|appendice|anhang(?:e?s)?|anhängen?|anlagen?",
    ),
    (PartKind::Table, "tables?|tableaux?|tabellen?"),
    (PartKind::Figure, r"figures?|figs?\.?|bild(?:er|ern|e?s)?|abbildung(?:en)?|abb\."),
    (PartKind::Formula, r"formulae?|formulas|equations?|eqs?\.|formules?|formeln?|gleichung(?:en)?"),
    (PartKind::Item, "(?:list )?items?|points?|punkte?s?|punkten|aufzählung(?:en)?"),
    (
        PartKind::Clause,
        "(?:sub-?)?clauses?|(?:sub-?)?sections?|paragraphe?s?|chapters?|articles?|chapitres?|(?:unter)?abschnitt(?:e?s|en?)?|\
         kapiteln?s?",
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
     Recommendation|Guide|Technical (?:Specification|Report)|Publicly Available Specification|[Dd]ocument)|\
     (?:[Ll]e |[Dd]u |[Aa]u |[Cc]e )présent document|[Cc]e document|(?:[Ll]a |[Cc]ette )?présente (?:[Nn]orme|\
     [Rr]ecommandation|[Ss]pécification)(?: [Ii]nternationale| [Ee]uropéenne| [Tt]echnique)?|[Cc]ette [Nn]orme|\
     [Dd]iese[smr]? (?:(?:[Ii]nternationalen?|[Ee]uropäischen?|[Nn]ationalen?) )?(?:Norm|Dokuments?|Empfehlung|Spezifikation)|\
     (?:[Dd]as|[Dd]es|[Dd]em|[Dd]ie|[Dd]er) vorliegenden? (?:Dokuments?|Norm)";

/// A table or figure by where it is: `table below`, `la figure ci-dessus`, `die folgende Tabelle`.
const NEAR: &str = "(?:table|figure|tableau|tabelle|bild|abbildung) (?:above|below|ci-dessus|ci-dessous|ci-après|oben|unten|\
     précédente?|suivante?)|(?:above|following|preceding|previous|vorstehenden?|obigen?|vorhergehenden?|folgenden?|\
     nachstehenden?) (?:table|figure|tabelle|bild|abbildung)";
/// The words among those that lead back.
const BACK: [&str; 8] = ["above", "preceding", "previous", "ci-dessus", "précédent", "oben", "obige", "vor"];

const DOTTED: &str = r"(?:[0-9]{1,3}|[A-Z]{1,2})(?:\.[0-9]{1,3})+";
const ITEM: &str = r"(?:[a-z]{1,2}|[ivx]{1,4}|[0-9]{1,2})\)";
/// Decimal number with a letter of an annex before it or of a part after it.
const FLOAT: &str = r"(?:[A-Z]{1,2}[.\-‑]?)?[0-9]{1,3}(?:[.\-‑][0-9]{1,3})*[a-z]?";

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant, and a test runs it")
}

/// Where a reference may begin. White space in the phrases is any.
static START: LazyLock<Regex> = LazyLock::new(|| {
    let words: String = WORDS.map(|(kind, words)| format!(r"(?P<{}>(?i:{words}))\s+|", kind.name())).concat();
    let phrases = format!(
        r"(?P<itself>{ITSELF})\b|(?P<near>(?i:{NEAR}))\b|{words}(?P<see>(?i:{SEE}))\s+|(?P<leading>(?i:{LEADING}))\s+|(?P<above>{ITEM}(?:(?:,| and| or| to| et| ou| und| oder| bis) {ITEM})*) (?:above|below|ci-dessus|ci-dessous|oben|unten)\b|(?P<dotted>{DOTTED})"
    );
    // A word boundary of ASCII: that of Unicode makes the search many times slower.
    let phrases = phrases.replace(' ', r"\s+").replace(r"\b", r"(?-u:\b)");
    regex(&format!(r"(?-u:\b)(?:{phrases})|(?P<sign>§{{1,2}}|(?i:équations?)\s)\s*"))
});

/// A number of each kind.
static NUMBERS: LazyLock<[(PartKind, Regex); 6]> = LazyLock::new(|| {
    let item = format!(r"(?:,?\s*(?:(?i:list item|item|point|Aufzählung)\s+)?{ITEM})?");
    [
        (
            PartKind::Annex,
            format!(r"^(?:[IVXL]+|[A-Z]{{1,2}}[0-9]{{0,2}}|[0-9]{{1,2}})(?:\.[0-9]{{1,3}})*{item}"),
        ),
        (PartKind::Table, format!("^{FLOAT}")),
        (PartKind::Figure, format!(r"^{FLOAT}\)?")),
        (PartKind::Formula, format!(r"^(?:\({FLOAT}\)|{FLOAT})")),
        (PartKind::Item, format!("^{ITEM}")),
        (PartKind::Clause, format!(r"^(?:[0-9]{{1,3}}|[A-Z]{{1,2}})(?:\.[0-9]{{1,3}})*{item}")),
    ]
    .map(|(kind, pattern)| (kind, regex(&pattern)))
});

/// What joins the places of a list; the first group makes a range.
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:\s?([–—])\s?|\s+(to|through|bis|à)\s+|,?\s+(?:and/or|and|or|et|ou|und|oder|sowie|as well as)\s+|,\s*)",
    )
});

/// What joins a place to the document after it: `6.2 of `, `Abschnitt 4 der `.
static OF: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?i:,?\s+(?:(?:of|in|from|to)(?:\s+the)?(?:\s+standard)?|(?:de|dans)(?:\s+la\s+norme|\s+la|\s+l[’'])?|du|d[’']|(?:von|der|des|aus|in|zu)(?:\s+der)?(?:\s+norm)?)\s*)$",
    )
});

/// What follows a place of a law or treaty.
static OF_OTHER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^,?\s+(?:(?:of|to|in)\s+(?:(?:the|that|Council|Commission|European|EU|said)\s+)*(?:Directive|Regulation|Treaty|Convention|Agreement|Act|Decision|Code|Law|Constitution)|(?:de\s+la\s+|du\s+|de\s+l[’'])(?:[Dd]irective|[Rr]èglement|[Tt]raité|[Cc]onvention|loi)|(?:der|des)\s+\p{Lu}\w*(?i:richtlinie|verordnung|gesetz|gesetzes|übereinkommens)|(?:der|des)\s+(?:Richtlinie|Verordnung|Gesetzes|Übereinkommens))\b",
    )
});

/// What joins a document to a place after it: `ISO 9001, Clause 4`, `ISO 9001 (Abschnitt 4)`.
static TAIL: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:(,)\s*(?:(?:in|see|dans|voir|siehe)\s+)?|\s*[:(]\s*|\s+)"));

/// Words that follow a measured value and are longer than two letters.
const UNITS: [&str; 34] = [
    "min",
    "mol",
    "bar",
    "rad",
    "kat",
    "lux",
    "dpi",
    "rpm",
    "ppm",
    "ppb",
    "percent",
    "per",
    "times",
    "degrees",
    "volts",
    "volt",
    "seconds",
    "second",
    "minutes",
    "hours",
    "days",
    "metres",
    "meters",
    "millimetres",
    "grams",
    "litres",
    "secondes",
    "heures",
    "jours",
    "fois",
    "Sekunden",
    "Stunden",
    "Tage",
    "Prozent",
];

/// Words of one or two letters that are no unit.
const SHORT: [&str; 34] = [
    "a", "à", "is", "to", "in", "or", "if", "as", "by", "of", "on", "at", "be", "do", "et", "ou", "de", "du",
    "en", "la", "le", "au", "un", "il", "so", "zu", "im", "es", "an", "ob", "am", "wo", "b", "c",
];

/// Words after which a number without dots in a list is that of a part.
const VERBS: [&str; 26] = [
    "and", "or", "to", "shall", "should", "may", "can", "is", "are", "apply", "applies", "above", "below",
    "of", "et", "ou", "doivent", "doit", "und", "oder", "bis", "gilt", "gelten", "muss", "müssen", "sind",
];

/// The next reference at or after `at`, and its bytes.
pub(super) fn next(text: &str, mut at: usize, end: usize) -> Option<(Range<usize>, Plain)> {
    let text = &text[..end];
    loop {
        let found = START.captures_at(text, at)?;
        let (start, after) = (found.get_match().start(), found.get_match().end());
        if found.name("itself").is_some() {
            return Some((start..after, Plain::Itself));
        }
        if let Some(near) = found.name("near") {
            let words = near.as_str().to_lowercase();
            let kind = if words.contains("tab") { PartKind::Table } else { PartKind::Figure };
            let above = words.split_whitespace().any(|w| BACK.iter().any(|back| w.starts_with(back)));
            return Some((start..after, Plain::Near { kind, above }));
        }
        if let Some(item) = found.name("above") {
            let place = Locality {
                kind: PartKind::Item,
                number: item.as_str().to_owned(),
                ends_range: false,
                range: start..after,
            };
            return Some((start..after, Plain::Places { places: vec![place], sure: true, announced: true }));
        }
        let word = announced(&found);
        let places = match word {
            Some((kind, word)) => list(text, kind, word, start, after),
            None if found.name("see").is_some() => list(text, PartKind::Clause, "", after, after),
            None if found.name("leading").is_some() => {
                list(text, PartKind::Clause, "", after, after).filter(|places| places[0].number.contains('.'))
            }
            None => {
                let begins = text[..start].ends_with(|c: char| c.is_whitespace() || c == '(') || start == 0;
                list(text, PartKind::Clause, "", start, start).filter(|_| begins)
            }
        };
        if let Some(places) = places {
            let range = places[0].range.start..places[places.len() - 1].range.end;
            let bare = found.name("dotted").is_some() && places[0].number.matches('.').count() < 2;
            let announced = word.is_some() || found.name("see").is_some();
            return Some((range, Plain::Places { places, sure: !bare, announced }));
        }
        if word.is_some() && after == end {
            return Some((start..after, Plain::Word));
        }
        // A phrase may be the beginning of another: `nach Abschnitt 4`.
        at = after.max(start + 1);
    }
}

/// The places of a cited document, which come directly after it.
pub(super) fn tail(text: &str, at: usize, end: usize) -> Option<Vec<Locality>> {
    let text = &text[..end];
    let joined = TAIL.captures(&text[at..])?;
    let start = at + joined.get_match().end();
    let found = START.captures_at(text, start).filter(|found| found.get_match().start() == start);
    match found.as_ref().and_then(|found| Some((announced(found)?, found.get_match().end()))) {
        Some(((kind, word), end)) => list(text, kind, word, start, end),
        _ if joined.get(1).is_some() => {
            let places = list(text, PartKind::Clause, "", start, start)?;
            // `ISO 9001, 3 samples`
            let dotted = places[0].number.contains('.');
            (dotted || is_followed(&text[places[0].range.end..])).then_some(places)
        }
        _ => None,
    }
}

/// Whether words between a place and a document join the two: `6.2 of `.
pub(super) fn is_of(between: &str) -> bool {
    OF.is_match(between)
}

/// Whether what follows a place says that it is one of a law or treaty.
pub(super) fn is_of_other(after: &str) -> bool {
    OF_OTHER.is_match(after)
}

/// A list of places whose first number begins at `at`, announced by a word (empty for a bare number) that begins at `start`.
fn list(text: &str, mut kind: PartKind, word: &str, start: usize, mut at: usize) -> Option<Vec<Locality>> {
    let mut places: Vec<Locality> = Vec::new();
    let (mut begin, mut ends_range) = (start, false);
    let mut bare = word.is_empty();
    let mut plural = is_plural(word);
    while let Some(end) = number(text, kind, at) {
        let digits = &text[at..end];
        let listed = !places.is_empty() && begin == at;
        let after = &text[end..];
        if (bare || listed) && is_measured(after)
            || listed && !plural && !digits.contains('.') && kind != PartKind::Item && !is_followed(after)
        {
            break;
        }
        places.push(Locality { kind, number: digits.to_owned(), ends_range, range: begin..end });
        let Some(joined) = JOINED.captures(after) else { break };
        ends_range = joined.get(1).or(joined.get(2)).is_some();
        at = end + joined.get_match().end();
        begin = at;
        let word = START.captures_at(text, at).filter(|found| found.get_match().start() == at);
        if let Some(((next, word), end)) =
            word.and_then(|found| Some((announced(&found)?, found.get_match().end())))
        {
            (kind, plural, at, bare) = (next, is_plural(word), end, false);
        }
    }
    (!places.is_empty()).then_some(places)
}

/// The kind of part that a match announces, and the word that does.
fn announced<'t>(found: &Captures<'t>) -> Option<(PartKind, &'t str)> {
    let word = WORDS.iter().find_map(|(kind, _)| Some((*kind, found.name(kind.name())?.as_str())));
    word.or_else(|| {
        let sign = found.name("sign")?.as_str().trim_end();
        Some((if sign.starts_with('§') { PartKind::Clause } else { PartKind::Formula }, sign))
    })
}

fn is_plural(word: &str) -> bool {
    let word = word.to_lowercase();
    let ends = ["s", "x", "ae", "en", "er", "ern", "e", "eln", "§§"].iter().any(|end| word.ends_with(end));
    ends && !SINGULAR.iter().any(|singular| word.ends_with(singular)) && word != "tabelle" && word != "anlage"
}

/// The end of the number of a part.
fn number(text: &str, kind: PartKind, at: usize) -> Option<usize> {
    let (_, pattern) = NUMBERS.iter().find(|(of, _)| *of == kind)?;
    let end = at + pattern.find(&text[at..])?.end();
    let mut rest = text[end..].chars();
    let next = rest.next();
    let joined = next.is_some_and(|c| matches!(c, '-' | '/' | '.' | ',' | '_' | ':'))
        && rest.next().is_some_and(char::is_alphanumeric);
    (!joined && !next.is_some_and(char::is_alphanumeric)).then_some(end)
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
            && (mixed || UNITS.contains(&word) || word.chars().count() <= 2 && !SHORT.contains(&word))
}

/// Whether a number without dots in a list may be that of a part.
fn is_followed(after: &str) -> bool {
    let word = following(after);
    let rest = after.trim_start();
    rest.is_empty() || rest.starts_with(['.', ',', ';', ':', ')', ']']) || VERBS.contains(&word)
}
