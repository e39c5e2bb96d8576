//! Block quotations, with the citation in them, behind them or before them.

use std::ops::Range;

use super::links::{LinkStrength, QuotationLink};
use super::quotations::has_passage_words;
use super::scanned::ScannedBlock;
use super::vocabulary::{ATTRIBUTING, has_only_words};
use crate::read::DocumentBlock;

/// Signs around a citation that is the source of a block quotation.
const SIGNS: [char; 16] = [' ', '\n', '\t', '—', '–', '-', '―', '(', ')', '[', ']', '.', ',', ':', ';', '~'];

/// Quotation marks around the words of a block quotation.
const MARKS: [char; 9] = ['“', '”', '„', '"', '«', '»', '‹', '›', '’'];

/// The quotations that are blocks of their own, with their citations.
pub(super) fn linked_block_quotations(
    blocks: &[DocumentBlock],
    scanned: &[ScannedBlock],
    usable: &[Vec<bool>],
) -> Vec<QuotationLink> {
    let reading = QuoteReading { blocks, scanned, usable };
    let mut links = Vec::new();
    let mut start = 0;
    while start < blocks.len() {
        let Some(quote) = blocks[start].quote else {
            start += 1;
            continue;
        };
        let mut end = start;
        while end < blocks.len() && blocks[end].quote == Some(quote) {
            end += 1;
        }
        reading.link(start..end, &mut links);
        start = end;
    }
    links
}

/// The source of a block quotation.
struct QuoteSource {
    /// Block and index of the citation.
    citation: (usize, usize),
    strength: LinkStrength,
}

struct QuoteReading<'a> {
    blocks: &'a [DocumentBlock],
    scanned: &'a [ScannedBlock],
    usable: &'a [Vec<bool>],
}

impl QuoteReading<'_> {
    /// Links the blocks of one quotation.
    fn link(&self, quote: Range<usize>, links: &mut Vec<QuotationLink>) {
        let attribution = self.attribution(&quote);
        let source = match &attribution {
            Some((citation, _)) => Some(QuoteSource { citation: *citation, strength: LinkStrength::Stated }),
            None => self.source_behind(quote.end).or_else(|| self.source_before(quote.start)),
        };
        let Some(source) = source else { return };
        for block in quote {
            let text = &self.blocks[block].text;
            let end = match &attribution {
                Some(((last, _), start)) if *last == block => *start,
                _ => text.len(),
            };
            let words = text[..end].trim_end_matches(SIGNS_BEFORE_SOURCE);
            let words = without_marks(words);
            if !has_passage_words(words) {
                continue;
            }
            let start = words.as_ptr().addr() - text.as_ptr().addr();
            links.push(QuotationLink {
                block,
                range: start..start + words.len(),
                text: words.to_owned(),
                citation: source.citation,
                locations: None,
                strength: source.strength,
            });
        }
    }

    /// The citation that ends a quotation, and the byte of its block where the quoted words end before it.
    fn attribution(&self, quote: &Range<usize>) -> Option<((usize, usize), usize)> {
        let block = quote.end.checked_sub(1)?;
        let text = &self.blocks[block].text;
        let citations = &self.scanned[block].citations;
        let index = (0..citations.len()).rev().find(|index| self.usable[block][*index])?;
        let range = &citations[index].range;
        if !text[range.end..].trim_matches(SIGNS).is_empty() {
            return None;
        }
        let before = &text[..range.start];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let begins_line = has_only_words(&before[line..], ATTRIBUTING) && (line > 0 || quote.len() > 1);
        if begins_line {
            return Some(((block, index), line));
        }
        let sign = before.rfind(['—', '–', '―', '(', '['])?;
        has_only_words(&before[sign..], ATTRIBUTING).then_some(((block, index), sign))
    }

    /// A citation with which the block behind a quotation begins: `— NSB 4210, 4.2`.
    fn source_behind(&self, block: usize) -> Option<QuoteSource> {
        let (index, range) = self.first_usable(block)?;
        let text = &self.blocks[block].text;
        let is_whole = text[range.end..].trim_matches(SIGNS).is_empty();
        let has_sign = text.trim_start().starts_with(['—', '–', '―', '(', '[', '-']);
        let is_first = has_only_words(&text[..range.start], ATTRIBUTING);
        (is_first && (is_whole || has_sign))
            .then_some(QuoteSource { citation: (block, index), strength: LinkStrength::Stated })
    }

    /// A citation of the block before a quotation, which introduces that.
    fn source_before(&self, start: usize) -> Option<QuoteSource> {
        let block = start.checked_sub(1)?;
        if self.blocks[block].quote.is_some() {
            return None;
        }
        let text = self.blocks[block].text.trim_end();
        let citations = &self.scanned[block].citations;
        let index = (0..citations.len()).rev().find(|index| self.usable[block][*index])?;
        let range = &citations[index].range;
        let scanned = &self.scanned[block];
        let is_in_last_sentence = scanned.sentence(range.start) == scanned.sentences.len();
        let is_alone = text[..range.start].trim_matches(SIGNS).is_empty()
            && text[range.end..].trim_matches(SIGNS).is_empty();
        let is_introduced = text.ends_with(':') && is_in_last_sentence;
        let strength = if is_alone || is_introduced { LinkStrength::Stated } else { LinkStrength::Near };
        (is_in_last_sentence || text.ends_with(':'))
            .then_some(QuoteSource { citation: (block, index), strength })
    }

    fn first_usable(&self, block: usize) -> Option<(usize, Range<usize>)> {
        let citations = &self.scanned.get(block)?.citations;
        let index = (0..citations.len()).find(|index| self.usable[block][*index])?;
        Some((index, citations[index].range.clone()))
    }
}

/// Signs between quoted words and the citation behind them. A full stop is the quotation's.
const SIGNS_BEFORE_SOURCE: [char; 9] = [' ', '\n', '\t', '—', '–', '-', '―', '(', '['];

/// The words without the marks around all of them.
fn without_marks(words: &str) -> &str {
    let words = words.trim();
    let inner = words.trim_matches(MARKS);
    let is_marked = words.starts_with(MARKS) && words.ends_with(MARKS);
    let has_inner_marks = inner.contains(['“', '”', '„', '"', '«', '»']);
    if is_marked && !has_inner_marks { inner.trim() } else { words }
}
