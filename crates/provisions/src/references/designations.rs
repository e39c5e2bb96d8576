//! Designations of standards in text without any markup.

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::urn::find_publisher;
use norma_model::{Citation, PartialUrn};

use super::atoms::Atom;
use crate::expressions::Expressions;

/// A word in capitals that may be a publisher, perhaps more of them and a kind of document, and a number: the
/// longest text that may be one designation. Only publishers of the table count, because much else is
/// capitals and a number (`RAL 9005`); their names have the capitals of few languages.
static DESIGNATION: LazyLock<Expressions> = LazyLock::new(|| {
    let body = r"[A-ZČÖŠ][A-ZČÖŠ0-9]+(?:-[TR](?-u:\b))?";
    let kind = "TS|TR|PAS|ISP|IWA|R|RFC|V|SPEC|EN|ES|EG|SP|DIS|FDIS|CD|WD|prEN|pr|[Gg]uide|GUIDE|Std|Rec\\.?|International|Recommendation|No\\.|Report";
    let number = r"(?:[A-Z]{1,2}[. \-]?)?(?:[0-9]{3} [0-9]{3}|[0-9][0-9A-Za-z]*)(?:[.\-\u{2010}\u{2011}–][0-9A-Za-z]+)*";
    let year = r"(?::\s?(?:[0-9]{4}(?:-[0-9]{2})?|—|--))?";
    let supplement = r"(?:(?:/(?:Amd|AMD|Cor|COR|A|AC)\.? ?[0-9]+|\+A[0-9]+|\+AC)(?::[0-9]{4})?)*";
    let pattern = format!(r"{body}(?:[/ \u{{a0}}-](?:{body}|{kind}))*[ \u{{a0}}]{number}{year}{supplement}");
    Expressions::new(&[&pattern])
});

/// A number of its own series in a document of OIML: `R 60-1`.
static SERIES: LazyLock<Expressions> =
    LazyLock::new(|| Expressions::new(&[r"(?-u:\b)[RDGB] [0-9]{1,3}(?:-[0-9]+)*(?::[0-9]{4})?(?-u:\b)"]));

/// Standards that are cited without markup; those of OIML, if the publisher is OIML (`of_oiml`), also without
/// its name.
pub(super) fn designations<'s>(
    text: &str,
    range: Range<usize>,
    of_oiml: bool,
    atoms: &mut Vec<(Range<usize>, Atom<'s>)>,
) {
    let before = atoms.len();
    named(text, range.clone(), atoms);
    if of_oiml {
        in_series(text, range, before, atoms);
    }
    atoms[before..].sort_by_key(|(atom, _)| atom.start);
}

/// Designations of OIML without its name, where none of the atoms from an index on is.
fn in_series(text: &str, range: Range<usize>, first: usize, atoms: &mut Vec<(Range<usize>, Atom<'_>)>) {
    let mut at = range.start;
    while let Some((_, found)) = SERIES.find(&text[..range.end], at) {
        at = found.end;
        let overlaps =
            atoms[first..].iter().any(|(atom, _)| atom.start < found.end && found.start < atom.end);
        if overlaps {
            continue;
        }
        let reference = format!("OIML {}", &text[found.clone()]);
        if let Some(citation) = PartialUrn::from_reference(&reference) {
            atoms.push((found, Atom::Document { urn: citation.urn, year: citation.year, designation: at }));
        }
    }
}

/// Designations with the name of their publisher.
fn named(text: &str, range: Range<usize>, atoms: &mut Vec<(Range<usize>, Atom<'_>)>) {
    if !may_hold_designation(&text.as_bytes()[range.clone()]) {
        return;
    }
    let text = &text[..range.end];
    let mut at = range.start;
    while let Some(found) = designation(text, at) {
        let words = &text[found.clone()];
        if let Some(citation) = citation(words) {
            at = found.end;
            atoms.push((found, Atom::Document { urn: citation.urn, year: citation.year, designation: at }));
        } else {
            // `THE ISO 9001`: a designation may begin with the second word.
            at = found.start + words.find([' ', '\u{a0}', '/', '-']).unwrap_or(words.len());
        }
    }
}

/// The document that words designate; `None` for a committee, and for a publisher that is not known.
fn citation(words: &str) -> Option<Citation> {
    let plain = words.replace(" International Recommendation", "");
    let citation = PartialUrn::from_reference(&plain)?;
    find_publisher(citation.urn.publisher())?;
    let names_committee = words.split(['/', ' ', '\u{a0}']).any(|word| COMMITTEES.contains(&word));
    if names_committee { None } else { Some(citation) }
}

/// The first text in `text[from..]` that may be a designation and begins a word.
pub(super) fn designation(text: &str, mut from: usize) -> Option<Range<usize>> {
    loop {
        let (_, found) = DESIGNATION.find(text, from)?;
        // A word boundary of Unicode in the expression makes the search many times slower.
        let is_within_word = text[..found.start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if !is_within_word {
            return Some(found);
        }
        from = text.ceil_char_boundary(found.start + 1);
    }
}

/// Words of committees, whose numbers are not those of documents: `ISO/TC 34`.
const COMMITTEES: [&str; 6] = ["TC", "JTC", "SC", "WG", "PC", "SG"];

/// True if a sentence may have a designation, which needs a number and two adjacent capitals: a quick test
/// that most sentences fail.
fn may_hold_designation(text: &[u8]) -> bool {
    let capitals = text
        .iter()
        .zip(text.iter().skip(1))
        .fold(false, |found, (a, b)| found | (a.is_ascii_uppercase() & b.is_ascii_uppercase()));
    capitals && text.iter().any(u8::is_ascii_digit)
}
