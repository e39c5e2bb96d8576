//! Stretches of a text with a meaning of their own: cross-references, citations, designations and formulae.

use std::ops::Range;
use std::rc::Rc;

use norma_model::PartialUrn;

use super::designations::{designation, designations};
use crate::blocks::{Cited, CrossReferenceTarget, SpanKind, TokenSpan};

/// A part of a text with a meaning of its own; plain text between such parts is read separately.
pub(super) enum Atom<'s> {
    /// Parts of this document.
    Parts(&'s [CrossReferenceTarget]),
    /// Another document, with the end of its designation.
    Document { urn: PartialUrn, year: Option<String>, designation: usize },
    /// Other documents that one mark names, each with the year as cited.
    Documents(Vec<(&'s PartialUrn, Option<String>)>),
    /// An entry of the bibliography that is not a standard, by its words; `None` for a citation without known
    /// words.
    Other(Option<&'s str>),
    /// A formula, code, a footnote mark.
    Opaque,
}

/// The stretches of a text that have a meaning of their own: marked ones, and designations of standards
/// between them.
pub(super) fn atoms<'s>(
    text: &str,
    range: Range<usize>,
    of_oiml: bool,
    spans: &[&'s TokenSpan],
) -> Vec<(Range<usize>, Atom<'s>)> {
    let mut atoms = Vec::new();
    let mut at = range.start;
    // A marked term is text like any other.
    for span in spans.iter().filter(|span| !matches!(span.kind, SpanKind::Term { .. })) {
        if at < span.range.start {
            designations(text, at..span.range.start, of_oiml, &mut atoms);
        }
        at = at.max(span.range.end);
        let atom = match &span.kind {
            SpanKind::CrossReference { targets } => Atom::Parts(targets),
            SpanKind::Citation { cited, listed } => citation(text, &span.range, cited, *listed),
            _ => Atom::Opaque,
        };
        atoms.push((span.range.clone(), atom));
    }
    if at < range.end {
        designations(text, at..range.end, of_oiml, &mut atoms);
    }
    atoms
}

/// What a marked citation means: a document, several, or an entry of the bibliography.
fn citation<'s>(text: &str, range: &Range<usize>, cited: &'s [Rc<Cited>], listed: bool) -> Atom<'s> {
    let mut documents: Vec<(&PartialUrn, Option<String>)> = Vec::new();
    for cited in cited {
        if let Some(urn) = &cited.urn {
            documents.push((urn, cited.date.clone()));
        }
    }
    match documents.len() {
        0 => {
            let first = if listed { cited.first() } else { None };
            Atom::Other(first.map(|cited| cited.reference.as_str()))
        }
        1 => {
            let (urn, year) = documents.swap_remove(0);
            let printed = designation(&text[..range.end], range.start);
            let designation = printed.map_or(range.end, |found| found.end);
            Atom::Document { urn: urn.clone(), year, designation }
        }
        _ => Atom::Documents(documents),
    }
}
