//! Reading of a block: its sentences, each with its names and what rules find in it.

use std::cell::OnceCell;
use std::ops::Range;

use super::{BlockReader, DerivedSentence};
use crate::blocks::{Block, TokenSpan};
use crate::classify::{ReadingMode, classify};
use crate::draft::DocumentNames;
use crate::input::Input;
use crate::lead_in::LeadIn;
use crate::opening::{RunningNames, cut};
use crate::sentences::{sentences, stretches};
use crate::tokenizer::{BlockTokens, SentenceToken, spans_in};

impl BlockReader<'_> {
    /// The sentences of a block. A long one is read stretch by stretch, so that no more than the words of a
    /// stretch are in memory.
    pub(super) fn sentences(&mut self, index: usize, mode: ReadingMode) -> Vec<DerivedSentence> {
        let Input { blocks, sections, limits, .. } = *self.input;
        let block = &blocks[index];
        let text = &sections[block.section].text;
        let longest = limits.sentence_bytes;
        let mut running = RunningNames::of(block, self.begins_item(index));
        let mut range = block.range.clone();
        let opening = cut(text, &mut range, &block.spans, self.language);
        running.next(text, &opening);
        if range.len() <= longest {
            return self.read_stretch(index, range, None, mode, &mut running);
        }
        let concerns_list = self.concerns_list(index);
        let (mut read, mut found) = (Vec::new(), 0);
        for stretch in stretches(text, range, &block.spans, self.language, longest) {
            let Some(ranges) = stretch else {
                let message = format!("a sentence of more than {longest} bytes is not looked into");
                self.diagnostics.add("long-sentence", index, message);
                continue;
            };
            let whole = ranges[0].start..ranges[ranges.len() - 1].end;
            for sentence in self.read_stretch(index, whole, Some(ranges), mode, &mut running) {
                found += sentence.hits.len();
                // Lists alone ask for the sentences around.
                if concerns_list || !sentence.hits.is_empty() {
                    read.push(sentence);
                }
            }
            if found > limits.provisions {
                self.too_many = true;
                break;
            }
        }
        read
    }

    /// The sentences in a part of a block; those without any trace of a verbal form are skipped. `ranges` are
    /// those of its sentences, where they are known already.
    fn read_stretch(
        &self,
        index: usize,
        stretch: Range<usize>,
        ranges: Option<Vec<Range<usize>>>,
        mode: ReadingMode,
        running: &mut RunningNames,
    ) -> Vec<DerivedSentence> {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let spans = spans_in(&block.spans, &stretch);
        let mut tokens = BlockTokens::of(text, stretch.clone(), spans, &self.language.lexicon);
        let traces = self.language.traces(tokens.all(), text);
        if traces.is_empty() && !mode.procedure && !self.concerns_list(index) {
            return Vec::new();
        }
        let ranges = ranges.unwrap_or_else(|| sentences(text, stretch.clone(), &block.spans, self.language));
        // Found once for all sentences, and only if one asks for them.
        let spelled_traces: OnceCell<Vec<usize>> = OnceCell::new();
        let mut read = Vec::with_capacity(ranges.len());
        for mut range in ranges {
            let opening = cut(text, &mut range, &block.spans, self.language);
            let names = running.next(text, &opening);
            let first = traces.partition_point(|trace| trace.at < range.start);
            let end = traces.partition_point(|trace| trace.at < range.end);
            let own_traces = &traces[first..end];
            let has_trace = if own_traces.is_empty() {
                false
            } else if own_traces.iter().any(|trace| trace.sure) {
                true
            } else {
                let spelled = spelled_traces.get_or_init(|| self.spelled_traces(text, &stretch));
                spelled.iter().any(|at| range.contains(at))
            };
            if !has_trace && !mode.procedure {
                read.push(DerivedSentence { range, names, hits: Vec::new(), terms: None, duty: None });
                continue;
            }
            let own_tokens = tokens.of_sentence(&range);
            let own_tokens = &tokens.all()[own_tokens];
            read.push(self.read_sentence(block, range, names, own_tokens, mode));
        }
        read
    }

    /// Positions in a text of words that a rule has, as the table spells them.
    fn spelled_traces(&self, text: &str, stretch: &Range<usize>) -> Vec<usize> {
        let offsets = self.language.spelled_traces(&text[stretch.clone()]);
        offsets.map(|offset| stretch.start + offset).collect()
    }

    fn read_sentence(
        &self,
        block: &Block<'_>,
        range: Range<usize>,
        names: DocumentNames,
        tokens: &[SentenceToken],
        mode: ReadingMode,
    ) -> DerivedSentence {
        let text = &self.input.sections[block.section].text;
        let hits = classify(text, tokens, self.language, mode);
        // The terms are read here and not with the provision, since the tokens are dropped with the block.
        let terms = if hits.is_empty() {
            None
        } else {
            let spans: Vec<&TokenSpan> = spans_in(&block.spans, &range).iter().collect();
            Some(self.vocabulary.used(text, range.clone(), &spans, Some(tokens)))
        };
        let duty = self.duty(text, tokens, &hits, mode);
        DerivedSentence { range, names, hits, terms, duty }
    }

    /// True if a block leads a list or is an item of one.
    fn concerns_list(&self, index: usize) -> bool {
        self.items.contains_key(&index) || self.lead_of(index).is_some()
    }

    /// The lead of a block that begins an item; a further paragraph of an item has none.
    pub(super) fn lead_of(&self, index: usize) -> Option<&LeadIn> {
        let lead_in = self.input.blocks[index].item.as_ref()?.lead_in?;
        if !self.begins_item(index) {
            return None;
        }
        self.leads.get(&lead_in)
    }

    /// True if a block is the first one of its item, by the label before it.
    fn begins_item(&self, index: usize) -> bool {
        let block = &self.input.blocks[index];
        let Some(item) = &block.item else { return true };
        let Some(label) = &item.label else { return true };
        let label = label.trim();
        let before = self.input.sections[block.section].text[..block.range.start].trim_end();
        if before.ends_with(label) {
            return true;
        }
        // The mark of a footnote may follow the label: `a)^1`.
        let last_word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
        let Some(mark) = last_word.rfind('^') else { return false };
        let unmarked = &before[..before.len() - last_word.len() + mark];
        unmarked.ends_with(label)
    }
}
