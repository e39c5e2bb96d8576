//! Lists of localities with one word before them: `Clauses 4, 5.2 and 6`, `Artikel 6 Abs. 1 und 2`.

use std::ops::Range;
use std::sync::LazyLock;

use super::grammar::{ITEM, Locality, lists, word_at};
use crate::blocks::ReferencedPartKind;
use crate::expressions::Expressions;

/// Words that end like a plural and announce one part.
const SINGULAR: [&str; 8] =
    ["table", "figure", "annexe", "formule", "clause", "article", "paragraphe", "appendice"];

/// Decimal number with a letter of an annex before it or of a part after it.
const FLOAT: &str = r"(?:[A-Z]{1,2}[.\-‑]?)?[0-9]{1,3}(?:[.\-‑][0-9]{1,3})*[a-z]?";

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

/// The paragraph of a part: `6(2)`, `Artikel 6 Abs. 2`.
static PARAGRAPH: LazyLock<Expressions> = LazyLock::new(|| {
    Expressions::new(&[
        r"\s?\([0-9]{1,2}\)",
        r",?\s+(?:Abs\.|Absatz|Absätze|para\.|paragraphe?|alinéa)\s+\(?[0-9]{1,2}\)?",
    ])
});

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

/// A list of localities whose first number begins at `at`, announced by a word (empty for a bare number) that
/// begins at `start`.
pub(super) fn list(
    text: &str,
    kind: ReferencedPartKind,
    word: &str,
    start: usize,
    at: usize,
) -> Option<Vec<Locality>> {
    let mut list = LocalityList {
        text,
        kind,
        is_bare: word.is_empty(),
        is_plural: is_plural(word),
        localities: Vec::new(),
    };
    list.read(start, at);
    if list.localities.is_empty() { None } else { Some(list.localities) }
}

/// A list that is read from left to right.
struct LocalityList<'t> {
    text: &'t str,
    /// The kind of part that the last word names.
    kind: ReferencedPartKind,
    /// True while no word announces the numbers.
    is_bare: bool,
    /// True if the last word announces several parts.
    is_plural: bool,
    localities: Vec<Locality>,
}

/// The words between two localities.
struct Joint {
    /// True for words that make a range: `4.2 to 4.5`.
    is_range: bool,
    /// One past the last byte.
    end: usize,
}

impl LocalityList<'_> {
    fn read(&mut self, start: usize, at: usize) {
        let (mut begin, mut at) = (start, at);
        let mut ends_range = false;
        while let Some(mut end) = number(self.text, self.kind, at) {
            let digits = &self.text[at..end];
            let has_no_word = !self.localities.is_empty() && begin == at;
            let holder = if has_no_word { self.holder_of_paragraph(digits) } else { None };
            if !self.is_locality(at..end, has_no_word, holder.is_some()) {
                return;
            }
            let (mut number, mut paragraph) = (digits.to_owned(), None);
            if self.kind == ReferencedPartKind::Clause
                && let Some((_, found)) = PARAGRAPH.at(self.text, end)
            {
                paragraph = Some(ascii_digits(&self.text[found.clone()]));
                end = found.end;
            } else if let Some(holder) = holder {
                (number, paragraph) = (holder, Some(number));
            }
            let (kind, range) = (self.kind, begin..end);
            self.localities.push(Locality { kind, number, start: at, paragraph, ends_range, range });
            let Some(joint) = self.joint_after(end) else { return };
            ends_range = joint.is_range;
            (begin, at) = (joint.end, joint.end);
            if let Some((kind, word)) = word_at(self.text, at) {
                self.kind = kind;
                self.is_plural = is_plural(self.text[word.clone()].trim_end());
                self.is_bare = false;
                at = word.end;
            }
        }
    }

    /// The number of the part before, if digits can be another paragraph of it: “Artikel 6 Abs. 1 und 2”.
    fn holder_of_paragraph(&self, digits: &str) -> Option<String> {
        let last = self.localities.last()?;
        last.paragraph.as_ref()?;
        let is_in_brackets = self.text[last.range.clone()].ends_with(')');
        if is_in_brackets || digits.contains('.') { None } else { Some(last.number.clone()) }
    }

    /// True if a number is that of a part, and not a value or a count.
    fn is_locality(&self, number: Range<usize>, has_no_word: bool, is_paragraph: bool) -> bool {
        let after = &self.text[number.end..];
        if (self.is_bare || has_no_word) && is_measured(after) {
            return false;
        }
        let is_certain = !has_no_word
            || self.is_plural
            || is_paragraph
            || self.text[number].contains('.')
            || self.kind == ReferencedPartKind::Item;
        is_certain || is_followed(after)
    }

    /// The words before the next locality. Further paragraphs of the last part are read before: “Article 6
    /// (2) and (3)”.
    fn joint_after(&mut self, end: usize) -> Option<Joint> {
        let mut joint = joint_at(self.text, end)?;
        while let Some(last) = self.localities.last()
            && last.paragraph.is_some()
            && let Some((0, found)) = PARAGRAPH.at(self.text, joint.end)
        {
            let next = Locality {
                paragraph: Some(ascii_digits(&self.text[found.clone()])),
                ends_range: joint.is_range,
                range: found.clone(),
                ..last.clone()
            };
            self.localities.push(next);
            joint = joint_at(self.text, found.end)?;
        }
        Some(joint)
    }
}

fn joint_at(text: &str, at: usize) -> Option<Joint> {
    let (joined, between) = JOINED.at(text, at)?;
    Some(Joint { is_range: joined == 0, end: between.end })
}

fn ascii_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// True for a word that announces several parts.
fn is_plural(word: &str) -> bool {
    let word = word.to_lowercase();
    if word == "tabelle" || word == "anlage" || SINGULAR.iter().any(|singular| word.ends_with(singular)) {
        return false;
    }
    ["s", "x", "ae", "en", "er", "ern", "e", "eln", "§§"].iter().any(|end| word.ends_with(end))
}

/// The end of the number of a part.
fn number(text: &str, kind: ReferencedPartKind, at: usize) -> Option<usize> {
    let (_, pattern) = NUMBERS.iter().find(|(of, _)| *of == kind)?;
    let end = pattern.at(text, at)?.1.end;
    let digits = &text[at..end];
    let after = &text[end..];
    if after.starts_with(char::is_alphanumeric) || is_letter_of_code(digits, after) {
        return None;
    }
    if !goes_on(after) {
        return Some(end);
    }
    // A hyphen behind a number with dots may be that of a range: “4.1-4.3”.
    let may_begin_range = kind == ReferencedPartKind::Clause && digits.contains('.');
    if !may_begin_range {
        return None;
    }
    let (_, upper) = HYPHENATED.at(text, end)?;
    if is_measured(&text[upper.end..]) { None } else { Some(end) }
}

/// “article L. 121-1”: what looks like the letter of an annex is the first part of a code.
fn is_letter_of_code(digits: &str, after: &str) -> bool {
    let Some(code) = after.strip_prefix(". ") else { return false };
    let begins_with_digit = code.starts_with(|c: char| c.is_ascii_digit());
    begins_with_digit && digits.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// `4/a`: a sign and a letter or digit show that a number is a part of something longer.
fn goes_on(after: &str) -> bool {
    match after.strip_prefix(['-', '/', '.', ',', '_', ':']) {
        Some(behind_sign) => behind_sign.starts_with(char::is_alphanumeric),
        None => false,
    }
}

/// The word that follows, if only white space is between.
fn following(after: &str) -> &str {
    let rest = after.trim_start();
    if rest.len() == after.len() {
        return "";
    }
    &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
}

/// True if what follows a number makes it a measured value.
fn is_measured(after: &str) -> bool {
    const SIGNS: [char; 15] = ['%', '°', '‰', '×', '±', '=', '<', '>', '≤', '≥', 'µ', 'μ', 'Ω', '℃', '·'];
    if after.trim_start().starts_with(SIGNS) {
        return true;
    }
    let word = following(after);
    if word.is_empty() {
        return false;
    }
    // `kPa`, but not `MPEG`
    let has_lower = word.chars().any(char::is_lowercase);
    let has_inner_capital = has_lower && word.chars().skip(1).any(char::is_uppercase);
    let is_symbol = word.chars().count() <= 2 && !lists(SHORT, word);
    has_inner_capital || is_symbol || lists(UNITS, word)
}

/// True if a number without dots in a list may be that of a part.
pub(super) fn is_followed(after: &str) -> bool {
    let rest = after.trim_start();
    rest.is_empty() || rest.starts_with(['.', ',', ';', ':', ')', ']']) || lists(VERBS, following(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str, kind: ReferencedPartKind, word: &str) -> Vec<String> {
        let localities = list(text, kind, word, 0, word.len() + 1).unwrap_or_default();
        let paragraph = |paragraph: Option<String>| paragraph.map_or_else(String::new, |p| format!("({p})"));
        localities.into_iter().map(|l| l.number + &paragraph(l.paragraph)).collect()
    }

    #[test]
    fn a_list_ends_at_a_value_and_has_paragraphs_of_its_parts() {
        let clause = ReferencedPartKind::Clause;
        assert_eq!(numbers("Clauses 4, 5.2 and 6 apply.", clause, "Clauses"), ["4", "5.2", "6"]);
        assert_eq!(numbers("Clause 4 and 6 mm apply.", clause, "Clause"), ["4"]);
        assert_eq!(numbers("Article 6 (2) and (3).", clause, "Article"), ["6(2)", "6(3)"]);
        assert_eq!(numbers("Artikel 6 Abs. 1 und 2.", clause, "Artikel"), ["6(1)", "6(2)"]);
        assert_eq!(numbers("Table 2a and text", ReferencedPartKind::Table, "Table"), ["2a"]);
    }

    #[test]
    fn a_value_has_a_unit_and_a_short_word_is_none() {
        for after in [" mm", " %", " kPa", " hours"] {
            assert!(is_measured(after), "{after}");
        }
        for after in [" of", " shall", "", "mm"] {
            assert!(!is_measured(after), "{after}");
        }
    }
}
