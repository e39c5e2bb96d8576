//! Blocks with the citations and quotations in them.

use std::ops::Range;

use norma_model::printed::{CitationInText, citations_in};

use super::quotations::{QuotedPassage, quoted_passages};
use super::sentences;
use crate::read::DocumentBlock;

/// The citations and the quotations of one block, before it is known which designations are of standards.
#[derive(Clone, Debug)]
pub(crate) struct ScannedBlock {
    pub(crate) citations: Vec<CitationInText>,
    /// Within quotation marks.
    pub(crate) quotations: Vec<QuotedPassage>,
    /// Bytes where sentences begin.
    pub(crate) sentences: Vec<usize>,
}

impl ScannedBlock {
    pub(crate) fn of(block: &DocumentBlock) -> Self {
        Self {
            citations: citations_in(&block.text),
            quotations: quoted_passages(&block.text),
            sentences: sentences::starts(&block.text),
        }
    }

    /// The number of the sentence that a byte is in.
    pub(crate) fn sentence(&self, byte: usize) -> usize {
        self.sentences.partition_point(|start| *start <= byte)
    }

    /// The passage in quotation marks that a range is within.
    pub(crate) fn quotation_around(&self, range: &Range<usize>) -> Option<usize> {
        let after = self.quotations.partition_point(|quotation| quotation.range.start <= range.start);
        let index = after.checked_sub(1)?;
        (range.end <= self.quotations[index].range.end).then_some(index)
    }
}
