//! Contexts of provisions: footnotes, sentences that limit them, neighbours that a word joins with them, and
//! what their lead-ins refer to.

use std::ops::Range;

use foldhash::HashMap;
use norma_model::whitespace::collapse;
use norma_model::{Container, LimitingSentence, ProvisionSurroundings, Reference, ReferenceTarget};

use super::draft::ProvisionDraft;
use super::identity::hash;
use super::input::Input;
use super::language::Language;
use super::meaning::{meaning, spans_within};
use super::notes::holds;
use super::references::References;
use super::sentences::sentences;
use super::terms::Vocabulary;
use super::tokenizer::tokens;
use crate::blocks::{Block, BlockKind, SpanKind, TokenSpan};

/// Most blocks after a provision that it runs into: a long table counts by its first cells.
const MOST_CONTINUED: usize = 500;

/// Most joined sentences before a provision that are its neighbours: “They …” after “They …” after “Ropes …”.
const MOST_NEIGHBOURS: usize = 3;

/// A part of a block.
type BlockRange = (usize, Range<usize>);

/// Reads the contexts of an edition's provisions.
pub(super) struct ContextReader<'a> {
    input: &'a Input<'a>,
    references: &'a References<'a>,
    vocabularies: &'a [Vocabulary<'a>],
    /// The language of the rules for each language of the document.
    languages: Vec<Option<&'static Language>>,
    /// The blocks of each footnote.
    footnotes: HashMap<u32, Vec<usize>>,
    /// The last block of each list, by the number of the list.
    list_ends: HashMap<usize, usize>,
    /// The sentences of the block that was read last.
    split: (usize, Vec<Range<usize>>),
    /// The lead-in that was read last, which the items of a list share.
    lead: (Vec<BlockRange>, Passages),
}

/// What some passages say besides the words of a provision.
#[derive(Clone, Default)]
struct Passages {
    footnotes: Vec<u64>,
    references: Vec<Reference>,
    terms: Vec<usize>,
}

impl<'a> ContextReader<'a> {
    pub(super) fn new(
        input: &'a Input<'a>,
        references: &'a References<'a>,
        vocabularies: &'a [Vocabulary<'a>],
    ) -> Self {
        let mut footnotes: HashMap<u32, Vec<usize>> = HashMap::default();
        let mut list_ends = HashMap::default();
        for (index, block) in input.blocks.iter().enumerate() {
            if let Some(footnote) = block.footnote {
                footnotes.entry(footnote).or_default().push(index);
            }
            if let Some(item) = &block.item {
                list_ends.insert(item.list, index);
            }
        }
        let languages = input.languages.iter().map(Language::of).collect();
        let split = (usize::MAX, Vec::new());
        let lead = (Vec::new(), Passages::default());
        Self { input, references, vocabularies, languages, footnotes, list_ends, split, lead }
    }

    /// The context of a provision.
    pub(super) fn context(&mut self, draft: &ProvisionDraft) -> ProvisionSurroundings {
        let mut passages = self.own_footnotes(draft);
        let lead = self.lead(&draft.lead);
        passages.footnotes.extend(&lead.footnotes);
        passages.references.extend(lead.references);
        passages.terms.extend(lead.terms);
        let limiting = self.limiting(draft);
        let mut limits = Vec::new();
        for (block, range) in &limiting {
            self.read(*block, range.clone(), &mut passages);
            limits.push(self.limit(*block, range.clone()));
        }
        let mut neighbours = self.joined(draft);
        neighbours.extend(self.introduction(draft));
        let neighbours = neighbours.into_iter().map(|(block, range)| self.hash(block, range));
        let neighbours = neighbours.chain(self.continuation(draft));
        ProvisionSurroundings {
            footnotes: passages.footnotes.into(),
            limits: limits.into(),
            neighbours: neighbours.collect(),
            references: passages.references.into(),
            terms: passages.terms.into(),
        }
    }

    fn language(&self, block: usize) -> Option<&'static Language> {
        self.languages[self.input.language_of_block(block)]
    }

    fn text(&self, block: usize) -> &'a str {
        &self.input.sections[self.input.blocks[block].section].text
    }

    fn spans(&self, block: usize, range: &Range<usize>) -> &'a [TokenSpan] {
        spans_within(&self.input.blocks[block].spans, range)
    }

    /// The sentences of a block; none where its language has no rules, or the block is longer than a sentence
    /// may be.
    fn sentences(&mut self, block: usize) -> &[Range<usize>] {
        if self.split.0 != block {
            let Block { range, spans, .. } = &self.input.blocks[block];
            let is_short = range.len() <= self.input.limits.sentence_bytes;
            let found = match self.language(block).filter(|_| is_short) {
                Some(language) => sentences(self.text(block), range.clone(), spans, language),
                None => Vec::new(),
            };
            self.split = (block, found);
        }
        &self.split.1
    }

    /// The hash of a passage: see [`ProvisionSurroundings`].
    fn hash(&self, block: usize, range: Range<usize>) -> u64 {
        hash(std::iter::once(&*meaning(self.input, self.references, block, range)))
    }

    /// Adds the footnotes, references and terms of a passage.
    fn read(&self, block: usize, range: Range<usize>, found: &mut Passages) {
        let text = self.text(block);
        let spans: Vec<&TokenSpan> = self.spans(block, &range).iter().collect();
        self.read_footnotes(spans.iter().copied(), found);
        let mentions = self.references.mentions(block, range.clone(), &spans);
        found.references.extend(within_edition(References::references(text, &mentions)));
        let vocabulary = &self.vocabularies[self.input.language_of_block(block)];
        for term in vocabulary.used(text, range, &spans, None) {
            if !found.terms.contains(&term) {
                found.terms.push(term);
            }
        }
    }

    /// Adds the footnotes whose marks are among these tokens, with what they refer to.
    fn read_footnotes<'s>(&self, spans: impl Iterator<Item = &'s TokenSpan>, found: &mut Passages) {
        for span in spans {
            let SpanKind::FootnoteMark { footnotes } = &span.kind else { continue };
            for footnote in footnotes {
                let Some(blocks) = self.footnotes.get(footnote) else { continue };
                let meanings: Vec<_> = blocks
                    .iter()
                    .map(|&block| {
                        let range = self.input.blocks[block].range.clone();
                        meaning(self.input, self.references, block, range)
                    })
                    .collect();
                found.footnotes.push(hash(meanings.iter().map(AsRef::as_ref)));
                for &block in blocks {
                    let Block { range, spans, .. } = &self.input.blocks[block];
                    let spans: Vec<&TokenSpan> = spans.iter().collect();
                    let mentions = self.references.mentions(block, range.clone(), &spans);
                    let references = References::references(self.text(block), &mentions);
                    found.references.extend(within_edition(references));
                }
            }
        }
    }

    /// The footnotes of the provision's own words; in a table those of its whole cell.
    fn own_footnotes(&self, draft: &ProvisionDraft) -> Passages {
        let mut found = Passages::default();
        for &block in &draft.blocks {
            let range = match draft.container {
                Container::TableCell => self.input.blocks[block].range.clone(),
                _ => draft.range.clone(),
            };
            self.read_footnotes(self.spans(block, &range).iter(), &mut found);
        }
        found
    }

    fn lead(&mut self, lead: &[BlockRange]) -> Passages {
        if self.lead.0 != lead {
            let mut found = Passages::default();
            for (block, range) in lead {
                self.read(*block, range.clone(), &mut found);
            }
            self.lead = (lead.to_vec(), found);
        }
        self.lead.1.clone()
    }

    fn limit(&self, block: usize, range: Range<usize>) -> LimitingSentence {
        let text = collapse(&self.text(block)[range.clone()]).into();
        LimitingSentence { text, hash: self.hash(block, range) }
    }

    /// The sentences that limit a provision: directly after it in its block, and of an item those at the
    /// beginning of the paragraph after its list.
    fn limiting(&mut self, draft: &ProvisionDraft) -> Vec<BlockRange> {
        let last = draft.blocks.last().copied().unwrap_or(draft.block);
        let end = draft.range.end;
        let mut found = self.limiting_from(last, end);
        if let Some(after) = self.after_list(draft) {
            let start = self.input.blocks[after].range.start;
            found.extend(self.limiting_from(after, start));
        }
        found
    }

    /// The sentences from a byte of a block on, as far as each of them limits what is before it.
    fn limiting_from(&mut self, block: usize, start: usize) -> Vec<BlockRange> {
        let Some(language) = self.language(block) else { return Vec::new() };
        if self.input.blocks[block].range.end <= start {
            return Vec::new();
        }
        let text = self.text(block);
        let after: Vec<Range<usize>> =
            self.sentences(block).iter().filter(|sentence| sentence.start >= start).cloned().collect();
        let mut found = Vec::new();
        for sentence in after {
            let tokens = tokens(text, sentence.clone(), self.spans(block, &sentence), &language.lexicon);
            let limits = (0..tokens.len()).any(|at| holds(&language.context.limiting, &tokens, at));
            if !limits || holds(&language.context.not_limiting, &tokens, 0) {
                break;
            }
            found.push((block, sentence));
        }
        found
    }

    /// The paragraph directly after the list of an item that completes a lead-in.
    fn after_list(&self, draft: &ProvisionDraft) -> Option<usize> {
        if draft.lead.is_empty() {
            return None;
        }
        let item = self.input.blocks[draft.block].item.as_ref()?;
        let after = self.list_ends.get(&item.list)? + 1;
        let block = self.input.blocks.get(after)?;
        let is_paragraph = block.kind == BlockKind::Paragraph && block.item.is_none();
        (is_paragraph && block.section == draft.section).then_some(after)
    }

    /// True if a sentence begins with a word that joins it with the one before: “otherwise”, “they”.
    fn is_joined(&self, block: usize, sentence: &Range<usize>) -> bool {
        let Some(language) = self.language(block) else { return false };
        let spans = self.spans(block, sentence);
        let tokens = tokens(self.text(block), sentence.clone(), spans, &language.lexicon);
        holds(&language.context.joined, &tokens, 0) && !holds(&language.context.not_joined, &tokens, 0)
    }

    /// The sentences before a provision with which its first words join it.
    fn joined(&mut self, draft: &ProvisionDraft) -> Vec<BlockRange> {
        let mut found: Vec<BlockRange> = Vec::new();
        let mut current = (draft.block, draft.range.clone());
        while found.len() < MOST_NEIGHBOURS && self.is_joined(current.0, &current.1) {
            let Some(before) = self.sentence_before(&current) else { break };
            if draft.lead.contains(&before) {
                break;
            }
            found.push(before.clone());
            current = before;
        }
        found
    }

    /// The sentence before another one in its block, or at the end of the paragraph or item before it.
    fn sentence_before(&mut self, (block, range): &BlockRange) -> Option<BlockRange> {
        let start = range.start;
        let own = self.sentences(*block).iter().rfind(|sentence| sentence.end <= start).cloned();
        if let Some(own) = own {
            return Some((*block, own));
        }
        let before = block.checked_sub(1)?;
        let (this, other) = (&self.input.blocks[*block], &self.input.blocks[before]);
        if other.section != this.section || !is_running_text(other) || !is_running_text(this) {
            return None;
        }
        let last = self.sentences(before).last().cloned()?;
        Some((before, last))
    }

    /// The hash of what a provision at the end of a paragraph runs into: a list, a table without caption,
    /// code. After a colon also a table with a caption. “The sizes shall be as follows:”
    fn continuation(&self, draft: &ProvisionDraft) -> Option<u64> {
        let last = draft.blocks.last().copied().unwrap_or(draft.block);
        let block = &self.input.blocks[last];
        let text = self.text(last);
        let rest = text.get(draft.range.end..block.range.end).unwrap_or_default();
        let is_at_end = !rest.contains(char::is_alphanumeric);
        if block.kind != BlockKind::Paragraph || block.table.is_some() || !is_at_end {
            return None;
        }
        let has_colon = text[draft.range.clone()].ends_with(':') || rest.contains(':');
        let mut found = Vec::new();
        for (index, after) in self.input.blocks.iter().enumerate().skip(last + 1) {
            let is_caption = has_colon && after.kind == BlockKind::Caption;
            if after.section != draft.section || found.len() == MOST_CONTINUED {
                break;
            }
            if continues_paragraph(after) {
                found.push(meaning(self.input, self.references, index, after.range.clone()));
            } else if !is_caption {
                break;
            }
        }
        (!found.is_empty()).then(|| hash(found.iter().map(AsRef::as_ref)))
    }

    /// The sentence that introduces the list of an item with a verbal form of its own: “In winter the
    /// following applies.”
    fn introduction(&mut self, draft: &ProvisionDraft) -> Option<BlockRange> {
        if !draft.lead.is_empty() {
            return None;
        }
        let lead = self.input.blocks[draft.block].item.as_ref()?.lead_in?;
        let last = self.sentences(lead).last().cloned()?;
        Some((lead, last))
    }
}

/// True for what a paragraph runs into: items, cells and the like, which no paragraph or title parts from it.
fn continues_paragraph(block: &Block<'_>) -> bool {
    matches!(
        block.kind,
        BlockKind::ListItem
            | BlockKind::TableHeader
            | BlockKind::TableCell
            | BlockKind::DefinitionListEntry
            | BlockKind::FigureKey
            | BlockKind::Quote
            | BlockKind::Code
    )
}

/// True for a paragraph or item outside of tables, which goes on with the text before it.
fn is_running_text(block: &Block<'_>) -> bool {
    let is_text = matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem);
    is_text && block.table.is_none()
}

/// The references to parts of the edition.
pub(super) fn within_edition(references: Vec<Reference>) -> impl Iterator<Item = Reference> {
    references.into_iter().filter(|one| matches!(one.target, Some(ReferenceTarget::Part(_))))
}
