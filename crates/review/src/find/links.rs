//! Links of quotations to the citations that say where they are from.

use std::collections::BTreeSet;
use std::ops::Range;

use norma_model::printed::CitedLocation;

use super::block_quotations::linked_block_quotations;
use super::quotations::QuotedPassage;
use super::scanned::ScannedBlock;
use super::vocabulary::{ACCORDING, ATTRIBUTING, REPORTING, SOURCE, has_only_words, has_word, last_word};
use crate::read::DocumentBlock;

/// Longest text between a quotation and a citation of the next or last sentence, in bytes.
const FARTHEST_SENTENCE: usize = 240;

/// White space before a citation, up to which a preposition belongs to it: `according to Clause 4.2 of …`.
const WORDS_BEFORE: usize = 4;

/// How sure it is that a quotation is said to be from the cited standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkStrength {
    /// The text says so: `NSB 4210, 4.2 says: “…”`, `“…” (NSB 4210, 4.2)`.
    Stated,
    /// The citation is in the same sentence or the one before.
    Near,
}

/// A quotation with the citation that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct QuotationLink {
    /// Index of the block of the quotation.
    pub(crate) block: usize,
    /// Bytes of the quotation in its block, with its marks.
    pub(crate) range: Range<usize>,
    /// The words, without marks.
    pub(crate) text: String,
    /// Block and index of the citation.
    pub(crate) citation: (usize, usize),
    /// Places in brackets behind the quotation, of the document that the citation names: `“…” (4.2)`.
    pub(crate) locations: Option<String>,
    pub(crate) strength: LinkStrength,
}

/// The quotations of a document that a citation belongs to. `usable` says of each citation of a block
/// whether its document is a standard that is known by now.
pub(crate) fn linked_quotations(
    blocks: &[DocumentBlock],
    scanned: &[ScannedBlock],
    usable: &[Vec<bool>],
) -> Vec<QuotationLink> {
    let mut links = linked_block_quotations(blocks, scanned, usable);
    let linked: BTreeSet<usize> = links.iter().map(|link| link.block).collect();
    for (index, block) in blocks.iter().enumerate() {
        // A block quotation has been linked as a whole.
        if linked.contains(&index) {
            continue;
        }
        let reading = LinkReading { text: &block.text, scanned: &scanned[index], usable: &usable[index] };
        for passage in &scanned[index].quotations {
            if let Some(found) = reading.link(passage) {
                links.push(QuotationLink {
                    block: index,
                    range: passage.range.clone(),
                    text: block.text[passage.inner.clone()].to_owned(),
                    citation: (index, found.citation),
                    locations: found.locations,
                    strength: found.strength,
                });
            }
        }
    }
    links.sort_by_key(|link| (link.block, link.range.start));
    links
}

/// The citation of a passage of the same block.
struct FoundLink {
    citation: usize,
    locations: Option<String>,
    strength: LinkStrength,
}

impl FoundLink {
    fn new(citation: usize, strength: LinkStrength) -> Self {
        Self { citation, locations: None, strength }
    }
}

/// A block in which passages are linked.
struct LinkReading<'a> {
    text: &'a str,
    scanned: &'a ScannedBlock,
    usable: &'a [bool],
}

impl LinkReading<'_> {
    /// The citation of a passage: one right behind it, else one that announces it, else one near it.
    fn link(&self, passage: &QuotedPassage) -> Option<FoundLink> {
        let before = self.before(passage);
        let behind = self.behind(passage);
        if let Some(citation) = behind
            && self.is_attribution(passage, citation)
        {
            return Some(FoundLink::new(citation, LinkStrength::Stated));
        }
        if let Some(citation) = before
            && let Some(locations) = self.bracketed_locations(passage)
        {
            let locations = Some(locations);
            return Some(FoundLink { citation, locations, strength: LinkStrength::Stated });
        }
        let before = before.and_then(|citation| self.announcement(passage, citation));
        let behind = behind.and_then(|citation| self.later_mention(passage, citation));
        match (before, behind) {
            (Some(before), _) if before.strength == LinkStrength::Stated => Some(before),
            (_, Some(behind)) if behind.strength == LinkStrength::Stated => Some(behind),
            (before, behind) => before.or(behind),
        }
    }

    /// Whether a citation may be the source of passages: its document is known, and it is not quoted itself.
    fn is_source(&self, citation: usize) -> bool {
        let range = &self.scanned.citations[citation].range;
        self.usable[citation] && self.scanned.quotation_around(range).is_none()
    }

    fn before(&self, passage: &QuotedPassage) -> Option<usize> {
        let citations = &self.scanned.citations;
        let end = citations.partition_point(|citation| citation.range.end <= passage.range.start);
        (0..end).rev().find(|citation| self.is_source(*citation))
    }

    fn behind(&self, passage: &QuotedPassage) -> Option<usize> {
        let citations = &self.scanned.citations;
        let start = citations.partition_point(|citation| citation.range.start < passage.range.end);
        (start..citations.len()).find(|citation| self.is_source(*citation))
    }

    /// Whether a citation right behind a passage says where that is from: `“…” (NSB 4210, 4.2)`.
    fn is_attribution(&self, passage: &QuotedPassage, citation: usize) -> bool {
        let range = &self.scanned.citations[citation].range;
        let between = &self.text[passage.range.end..range.start];
        if !has_only_words(between, ATTRIBUTING) {
            return false;
        }
        let has_sign = between.contains(['(', '[', '—', '–', '-', '|', ',', ':', ';']);
        let has_words = between.contains(char::is_alphabetic);
        let ends_block = self.text[range.end..].trim_matches([' ', '.', ')', ']', '\n']).is_empty();
        has_sign || has_words && !ends_sentence(between) || ends_block
    }

    /// Places in brackets right behind a passage: `“…” (4.2)`.
    fn bracketed_locations(&self, passage: &QuotedPassage) -> Option<String> {
        let after = self.text[passage.range.end..].trim_start();
        let close = match after.chars().next()? {
            '(' => ')',
            '[' => ']',
            _ => return None,
        };
        let within = &after[1..];
        let mut end = within.find(close)?;
        // `(4.2(1))` has brackets in it.
        if close == ')' && within[..end].contains('(') {
            end += 1 + within[end + 1..].find(close)?;
        }
        let locations = within[..end].trim();
        let has_dot_or_word = locations.contains(['.', ' ']);
        CitedLocation::read_all(locations).ok().filter(|_| has_dot_or_word)?;
        Some(locations.to_owned())
    }

    /// A citation before a passage, if that is its source.
    fn announcement(&self, passage: &QuotedPassage, citation: usize) -> Option<FoundLink> {
        let range = &self.scanned.citations[citation].range;
        let between = self.without_passages(range.end..passage.range.start);
        let sentence = self.scanned.sentence(range.start);
        let sentences = self.scanned.sentence(passage.range.start) - sentence;
        let is_introduced = between.trim_end().ends_with([':', '|']);
        let is_next_to = has_only_words(&between, ATTRIBUTING) && !ends_sentence(&between);
        let before = &self.text[self.scanned.sentences[sentence - 1]..range.start];
        let is_reported = has_word(&between, REPORTING) || has_word(last_words(before), ACCORDING);
        match sentences {
            0 if is_introduced || is_next_to || is_reported => {
                Some(FoundLink::new(citation, LinkStrength::Stated))
            }
            1 if is_introduced && between.len() <= FARTHEST_SENTENCE => {
                Some(FoundLink::new(citation, LinkStrength::Stated))
            }
            0 | 1 if between.len() <= FARTHEST_SENTENCE => Some(FoundLink::new(citation, LinkStrength::Near)),
            _ => None,
        }
    }

    /// A citation behind a passage and other words, if that is its source.
    fn later_mention(&self, passage: &QuotedPassage, citation: usize) -> Option<FoundLink> {
        let range = &self.scanned.citations[citation].range;
        let is_same_sentence =
            self.scanned.sentence(range.start) == self.scanned.sentence(passage.range.start);
        if !is_same_sentence {
            return None;
        }
        let between = self.without_passages(passage.range.end..range.start);
        let is_stated = has_word(&between, REPORTING) || SOURCE.contains(&last_word(&between).as_str());
        let strength = if is_stated { LinkStrength::Stated } else { LinkStrength::Near };
        Some(FoundLink::new(citation, strength))
    }

    /// A stretch of the text without what is quoted in it.
    fn without_passages(&self, range: Range<usize>) -> String {
        let mut words = String::new();
        let mut at = range.start;
        for passage in &self.scanned.quotations {
            if passage.range.start >= at && passage.range.end <= range.end {
                words.push_str(&self.text[at..passage.range.start]);
                at = passage.range.end;
            }
        }
        words.push_str(&self.text[at..range.end]);
        words
    }
}

/// The last words of a text.
fn last_words(text: &str) -> &str {
    match text.rmatch_indices(char::is_whitespace).nth(WORDS_BEFORE) {
        Some((at, _)) => &text[at..],
        None => text,
    }
}

/// Whether a sentence ends in a text between a quotation and a citation.
fn ends_sentence(between: &str) -> bool {
    between.contains(['.', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{DocumentFormat, read_document};

    /// Citation and strength of each quotation of a text in which all documents are standards.
    fn links(format: DocumentFormat, text: &str) -> Vec<(String, LinkStrength)> {
        let blocks = read_document(format, text.as_bytes()).unwrap();
        let scanned: Vec<ScannedBlock> = blocks.iter().map(ScannedBlock::of).collect();
        let usable: Vec<Vec<bool>> = scanned.iter().map(|block| vec![true; block.citations.len()]).collect();
        let links = linked_quotations(&blocks, &scanned, &usable);
        let named = |link: QuotationLink| {
            let citation = &scanned[link.citation.0].citations[link.citation.1];
            let locations = link.locations.map(|locations| format!(" + {locations}")).unwrap_or_default();
            (citation.text.clone() + &locations, link.strength)
        };
        links.into_iter().map(named).collect()
    }

    #[test]
    fn a_quotation_belongs_to_the_citation_that_says_so() {
        use LinkStrength::{Near, Stated};
        for (text, citation, strength) in [
            ("NSB 4210, 4.2 says: “the lid is shut”.", "NSB 4210, 4.2", Stated),
            ("According to NSB 4210, 4.2, “the lid is shut”.", "NSB 4210, 4.2", Stated),
            ("“The lid is shut” (NSB 4210, 4.2; NSB 4211).", "NSB 4210, 4.2", Stated),
            ("NSB 4211 is older. “The lid is shut” [NSB 4210].", "NSB 4210", Stated),
            ("NSB 4210 requires “the lid is shut” (4.2).", "NSB 4210 + 4.2", Stated),
            ("NSB 4210 requires “the lid is shut” (4.2(1)).", "NSB 4210 + 4.2(1)", Stated),
            ("NSB 4210 is clear. It says: “the lid is shut”.", "NSB 4210", Stated),
            ("“The lid is shut” is required by NSB 4210.", "NSB 4210", Stated),
            ("NSB 4210 | “The lid is shut”", "NSB 4210", Stated),
            ("“The lid is shut” is right; it is from NSB 4210.", "NSB 4210", Stated),
            ("As NSB 4210 has it, “the lid is shut”.", "NSB 4210", Stated),
            ("He says that NSB 4210 is “a fine piece of work”.", "NSB 4210", Near),
            ("Unlike NSB 4210, he wants “a fine piece of work”.", "NSB 4210", Near),
        ] {
            assert_eq!(links(DocumentFormat::Text, text), [(citation.to_owned(), strength)], "{text}");
        }
        for text in ["“A fine piece of work” it was. In the end NSB 4210 was late.", "“A fine piece of work”"]
        {
            assert_eq!(links(DocumentFormat::Text, text), [], "{text}");
        }
    }

    #[test]
    fn a_block_quotation_belongs_to_the_citation_in_it_behind_it_or_before_it() {
        use LinkStrength::{Near, Stated};
        for (text, citation, strength) in [
            ("> The lid is shut.\n>\n> — NSB 4210, 4.2", "NSB 4210, 4.2", Stated),
            ("> The lid is shut. (NSB 4210, 4.2)", "NSB 4210, 4.2", Stated),
            ("> The lid is shut.\n\n— NSB 4210, 4.2", "NSB 4210, 4.2", Stated),
            ("NSB 4210, 4.2 says:\n\n> The lid is shut.", "NSB 4210, 4.2", Stated),
            ("## NSB 4210, 4.2\n\n> The lid is shut.", "NSB 4210, 4.2", Stated),
            ("We think of NSB 4210.\n\n> The lid is shut.", "NSB 4210", Near),
        ] {
            assert_eq!(links(DocumentFormat::Markdown, text), [(citation.to_owned(), strength)], "{text}");
        }
        assert_eq!(links(DocumentFormat::Markdown, "NSB 4210 is late. Well.\n\n> The lid is shut."), []);
    }
}
