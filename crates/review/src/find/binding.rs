//! Documents of places that are cited without one: `Clause 4.2` behind `NSB 4210:2025`.

use std::collections::BTreeMap;
use std::ops::Range;

use norma_model::printed::{CitationInText, LocationKind};

use super::scanned::ScannedBlock;
use super::vocabulary::{COMMON_PARTS, FIRST_PERSON, SENDING, first_word, has_word, last_word};

/// Bytes before a place in which words for the author are looked for.
const AUTHOR_DISTANCE: usize = 160;

/// For each citation of a block that names places alone, the index of the citation in the block whose
/// document it belongs to. `is_standard` says of each citation whether its document is one.
///
/// A place belongs to a document only where nothing else may be meant: one document is cited before it in
/// the paragraph, and none behind it in its sentence. In later sentences it also has a word that documents
/// about standards rarely use of themselves (`Clause`, not `Section` or `Table`), and nothing sends the
/// reader there (`see Annex A`). No word between the two is for the author (`our values in Table 1`).
pub(crate) fn bound_documents(
    text: &str,
    scanned: &ScannedBlock,
    is_standard: impl Fn(usize) -> bool,
) -> Vec<Option<usize>> {
    let last_in_sentence = last_standards(scanned, &is_standard);
    let mut bound = vec![None; scanned.citations.len()];
    let mut before = DocumentsBefore::default();
    let mut in_sentence = DocumentsBefore::default();
    let mut present = 0;
    for (index, cited) in scanned.citations.iter().enumerate() {
        let sentence = scanned.sentence(cited.range.start);
        if sentence != present {
            present = sentence;
            in_sentence = DocumentsBefore::default();
        }
        if let Some(document) = &cited.citation.document {
            if is_standard(index) {
                in_sentence.add(index, &document.text);
                before.add(index, &document.text);
            }
            continue;
        }
        let is_quoted = scanned.quotation_around(&cited.range).is_some();
        let has_document_behind = last_in_sentence.get(&sentence).is_some_and(|last| *last > index);
        let document_end = in_sentence.last.map_or(0, |(last, _)| scanned.citations[last].range.end);
        let is_of_author = is_of_author(text, scanned, document_end..cited.range.start);
        if is_quoted || has_document_behind || is_of_author {
            continue;
        }
        bound[index] = if in_sentence.last.is_some() {
            in_sentence.only()
        } else if is_of_any_text(text, scanned, index) {
            None
        } else {
            before.only()
        };
    }
    bound
}

/// For each sentence the last citation of a standard in it.
fn last_standards(scanned: &ScannedBlock, is_standard: &impl Fn(usize) -> bool) -> BTreeMap<usize, usize> {
    let mut last = BTreeMap::new();
    for (index, cited) in scanned.citations.iter().enumerate() {
        if cited.citation.document.is_some() && is_standard(index) {
            last.insert(scanned.sentence(cited.range.start), index);
        }
    }
    last
}

/// The documents that are cited in a stretch of text.
#[derive(Default)]
struct DocumentsBefore<'t> {
    /// The last citation, and the text of its document.
    last: Option<(usize, &'t str)>,
    are_several: bool,
}

impl<'t> DocumentsBefore<'t> {
    fn add(&mut self, citation: usize, document: &'t str) {
        self.are_several |= self.last.is_some_and(|(_, last)| last != document);
        self.last = Some((citation, document));
    }

    /// The last citation, if all are of one document.
    fn only(&self) -> Option<usize> {
        if self.are_several { None } else { self.last.map(|(citation, _)| citation) }
    }
}

/// Whether the words between a document and a place, in the sentence of the place, say that it is of the
/// author: `our values in Table 1`.
fn is_of_author(text: &str, scanned: &ScannedBlock, between: Range<usize>) -> bool {
    let sentence = scanned.sentences[scanned.sentence(between.end) - 1];
    let nearest = text.ceil_char_boundary(between.end.saturating_sub(AUTHOR_DISTANCE));
    let start = between.start.max(sentence).max(nearest);
    has_word(&text[start..between.end], FIRST_PERSON)
}

/// Whether a place in a later sentence may be one of the text that is read.
fn is_of_any_text(text: &str, scanned: &ScannedBlock, index: usize) -> bool {
    let CitationInText { citation, range, .. } = &scanned.citations[index];
    let start = range.start;
    let is_common_kind = citation.locations.iter().any(|location| location.kind != LocationKind::Clause);
    let has_common_word = has_word(&first_word(&text[start..]), COMMON_PARTS);
    let is_sent = SENDING.contains(&last_word(&text[..start]).as_str());
    is_common_kind || has_common_word || is_sent
}

#[cfg(test)]
mod tests {
    use norma_model::printed::citations_in;

    use super::super::quotations::quoted_passages;
    use super::super::sentences;
    use super::*;

    #[test]
    fn a_location_alone_belongs_to_a_document_where_nothing_else_may_be_meant() {
        for (text, expected) in [
            ("NSB 4210:2025 is clear in Clause 4.2.", Some(0)),
            ("NSB 4210:2025 asks in Table 1 for more.", Some(0)),
            ("NSB 4210:2025 is clear. Clause 4.2 asks for 8 kN.", Some(0)),
            ("Our customer wants NSB 4210:2025, above all Clause 4.2.", Some(0)),
            ("Unlike in NSB 4210:2025, we have our values in Table 1.", None),
            ("NSB 4210:2025 is clear. See Annex A for photographs.", None),
            ("NSB 4210:2025 is clear. Table 1 has our values.", None),
            ("NSB 4210:2025 is clear. Section 4 has our values.", None),
            ("NSB 4210:2025 replaces NSB 4201:2024. Clause 4.2 stays.", None),
            ("NSB 4201:2024 is old. NSB 4210:2025 says so in Clause 4.2.", Some(1)),
            ("In Clause 4.2, NSB 4210:2025 asks for 8 kN.", None),
        ] {
            let scanned = ScannedBlock {
                citations: citations_in(text),
                quotations: quoted_passages(text),
                sentences: sentences::starts(text),
            };
            let bound = bound_documents(text, &scanned, |_| true);
            assert_eq!(bound.into_iter().flatten().next(), expected, "{text}");
        }
    }
}
