//! References: what a provision refers to, marked in the source or in plain words (“in accordance with ISO 3696”).

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::{PartialUrn, Reference, ReferenceTarget};
use regex::Regex;

use super::finish::collapsed;
use crate::blocks::{Span, SpanKind};

/// A body that publishes standards, perhaps more of them and a kind of document, and a number: the longest writing
/// that is surely one designation. Only these bodies count, because much else is capitals and a number (`RAL 9005`).
static DESIGNATION: LazyLock<Regex> = LazyLock::new(|| {
    let body = "ISO|IEC|ITU-[TR]|CISPR|OIML|JCGM|IWA|CEN|CENELEC|CLC|EN|ETSI|DIN|VDE|VDI|NF|BS|PD|UNE|UNI|NEN|NBN|SN|ÖNORM|\
        ONORM|PN|ČSN|ASTM|ANSI|IEEE|ASME|ASHRAE|AWS|SAE|UL|NFPA|NIST|CSA|JIS|GB|GB/T|AS|NZS|GOST|NBR|ABNT|ECMA|OGC|IETF|RFC";
    let kind = "TS|TR|PAS|ISP|IWA|Guide|GUIDE|R|RFC|V|SPEC";
    let stage = "DIS|FDIS|CD|WD|prEN|pr";
    let number = r"(?:[A-Z]{1,2}[. ]?)?[0-9][0-9A-Za-z]*(?:[.\-\u{2010}\u{2011}–][0-9A-Za-z]+)*";
    let year = r"(?::\s?(?:[0-9]{4}(?:-[0-9]{2})?|—|--))?";
    let supplement = r"(?:(?:/(?:Amd|AMD|Cor|COR|A|AC)\.? ?[0-9]+|\+A[0-9]+|\+AC)(?::[0-9]{4})?)*";
    let pattern = format!(
        r"\b(?:{body})(?:[/ \u{{a0}}-](?:{body}|{kind}|{stage}))*[ \u{{a0}}]{number}{year}{supplement}"
    );
    Regex::new(&pattern).expect("the pattern is a constant, and a test runs it")
});

/// What the sentence refers to, in order; a reference to several places stands once for each.
pub(super) fn references(text: &str, range: Range<usize>, spans: &[&Span]) -> Vec<Reference> {
    let mut references = Vec::new();
    let mut at = range.start;
    for span in spans {
        if at < span.range.start {
            plain(&text[at..span.range.start], &mut references);
        }
        // A marked term is text like any other.
        if !matches!(span.kind, SpanKind::Term { .. }) {
            at = at.max(span.range.end);
        }
        let words = || collapsed(&text[span.range.clone()]);
        let mut refer = |target| references.push(Reference { text: words(), target });
        match &span.kind {
            SpanKind::CrossReference { targets } if targets.is_empty() => refer(None),
            SpanKind::CrossReference { targets } => {
                targets.iter().for_each(|t| refer(Some(ReferenceTarget::Part(t.clone()))));
            }
            SpanKind::Citation { urn } => refer(urn.clone().map(ReferenceTarget::Urn)),
            _ => {}
        }
    }
    if at < range.end {
        plain(&text[at..range.end], &mut references);
    }
    references
}

/// Standards that are cited without any markup.
fn plain(text: &str, references: &mut Vec<Reference>) {
    if !may_hold_designation(text.as_bytes()) {
        return;
    }
    for found in DESIGNATION.find_iter(text) {
        if let Some(citation) = PartialUrn::from_reference(found.as_str()) {
            let target = Some(ReferenceTarget::Urn(citation.urn));
            references.push(Reference { text: collapsed(found.as_str()), target });
        }
    }
}

/// A quick look that most sentences do not pass: every designation has a number, and two capitals beside each other.
fn may_hold_designation(text: &[u8]) -> bool {
    let capitals = text
        .iter()
        .zip(text.iter().skip(1))
        .fold(false, |found, (a, b)| found | (a.is_ascii_uppercase() & b.is_ascii_uppercase()));
    capitals && text.iter().any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_cited_in_plain_words_are_found_and_nothing_else_is() {
        for (text, wanted) in [
            ("Use water of grade 3 in accordance with ISO 3696.", &["ISO 3696"][..]),
            ("See ISO/IEC 17025:2017, 7.2, and EN ISO 13849-1.", &["ISO/IEC 17025:2017", "EN ISO 13849-1"]),
            ("as in ISO 105-C12:1995 or ASTM D1234-05", &["ISO 105-C12:1995", "ASTM D1234-05"]),
            ("nach DIN EN ISO 4014:2011-06 geprüft", &["DIN EN ISO 4014:2011-06"]),
            ("selon la NF EN 197-1 et l’ISO 5725-2", &["NF EN 197-1", "ISO 5725-2"]),
            ("IEC TS 62443-1-1 and ISO/IEC Guide 51", &["IEC TS 62443-1-1", "ISO/IEC Guide 51"]),
            ("ISO 9001:2015/Amd 1:2024 applies, and RFC 8141", &["ISO 9001:2015/Amd 1:2024", "RFC 8141"]),
            ("ITU-T P.1203 applies", &["ITU-T P.1203"]),
            ("ISO/TC 34 met; RAL 9005, IP 54, 5 GB and the ISO standards", &[]),
            ("PISO 3696 is no standard", &[]),
        ] {
            let found = references(text, 0..text.len(), &[]);
            assert_eq!(found.iter().map(|r| r.text.as_str()).collect::<Vec<_>>(), wanted, "{text}");
            assert!(found.iter().all(|r| r.target.is_some()));
        }
    }
}
