//! Lists: the provisions of items together with their lead-in, and lists without obligations.

use std::collections::HashSet;
use std::ops::Range;

use norma_model::Container;

use super::{BlockReader, DerivedSentence};
use crate::classify::{Hit, binds, is_duty, is_recital};
use crate::clauses::opens_clause;
use crate::draft::ProvisionDraft;
use crate::eligibility::Misplaced;
use crate::lead_in::LeadIn;
use crate::lexicon::ListSet;
use crate::matching::SentenceView;
use crate::notes::{gives_name, is_in_example, tells_example};
use crate::tokenizer::{Marks, SentenceToken, TokenKind, spans_in, tokens};

impl BlockReader<'_> {
    /// Removes the provisions of sentences that are examples, and reports them. Returns whether the list
    /// under the block is a part of an example: its lead-in is one, and requires nothing.
    pub(super) fn take_examples(&mut self, index: usize, sentences: &mut [DerivedSentence]) -> bool {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let leads = self.items.contains_key(&index);
        let last = sentences.len();
        let mut exemplary = false;
        for (at, sentence) in sentences.iter_mut().enumerate() {
            let lead = leads && at + 1 == last;
            if sentence.hits.is_empty() && !lead {
                continue;
            }
            let spans = spans_in(&block.spans, &sentence.range);
            let tokens = tokens(text, sentence.range.clone(), spans, &self.language.lexicon);
            exemplary = lead
                && !sentence.hits.iter().any(binds)
                && tells_example(&tokens, sentence.hits.is_empty(), self.language);
            let part = is_in_example(&tokens, self.language);
            if !exemplary && !part && tells_example(&tokens, false, self.language) {
                // An example may say what is possible or permitted; nobody is bound by it.
                self.report_each(index, Misplaced::Example, std::slice::from_ref(sentence));
                sentence.hits.retain(|hit| !is_duty(hit));
                sentence.duty = None;
            } else if exemplary || part {
                self.report_each(index, Misplaced::Example, std::slice::from_ref(sentence));
                sentence.hits.clear();
                sentence.duty = None;
            }
        }
        exemplary
    }

    /// The draft of a lead-in with the list under it, where both are in one section.
    pub(super) fn with_items(&self, index: usize, draft: ProvisionDraft) -> ProvisionDraft {
        let mut last = index;
        while let Some(&item) = self.items.get(&last).and_then(|items| items.last()) {
            last = item;
        }
        let end = &self.input.blocks[last];
        if end.section != draft.section {
            return draft;
        }
        let range = draft.range.start..end.range.end;
        ProvisionDraft { range, xml: None, blocks: (index..=last).collect(), terms: None, ..draft }
    }

    /// Whether a lead-in has a whole requirement before the verbal form that its list completes: “shall be
    /// kept in the office and shall contain:”.
    pub(super) fn is_whole_before(&self, index: usize, draft: &ProvisionDraft, completed: &Hit) -> bool {
        const FEWEST_WORDS: usize = 2;
        let form = draft.r#type.form_range.as_ref().map_or(0, |form| form.end);
        if form == 0 || form > completed.form_range.start {
            return false;
        }
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let between = form..completed.form_range.start;
        let tokens = tokens(text, between.clone(), spans_in(&block.spans, &between), &self.language.lexicon);
        let lists = &self.language.word_lists;
        let parts =
            |t: &SentenceToken| t.is_in(lists.coordinator) || t.is_mark(Marks::COMMA.union(Marks::SEMICOLON));
        let own = &tokens[..tokens.iter().rposition(parts).unwrap_or(0)];
        let words = own.iter().filter(|t| t.kind != TokenKind::Mark).count();
        // In German the verb is at the end anyway.
        let hangs = |last: &SentenceToken| !self.language.clauses.verb_final && last.is_in(lists.hanging);
        words >= FEWEST_WORDS && !own.last().is_some_and(hangs)
    }

    /// The provisions of an item without a verbal form and its lead-in, each with the index of its first
    /// sentence. Sentences of the item that have a verbal form are provisions of their own; after them the
    /// lead-in goes on only when it announces a row of steps (“as follows:”).
    pub(super) fn completed(
        &self,
        index: usize,
        container: Container,
        sentences: &[DerivedSentence],
        parent: &LeadIn,
    ) -> Vec<(usize, ProvisionDraft)> {
        let begins = sentences.first().is_some_and(|first| first.hits.is_empty());
        let Some(hit) = parent.hit.as_ref().filter(|_| begins && !parent.names_only) else {
            return Vec::new();
        };
        // A last sentence before a list of its own is a lead-in in turn.
        let leads = sentences.len() > 1 && self.items.contains_key(&index);
        let mut at = 0;
        let runs = sentences[..sentences.len() - usize::from(leads)]
            .chunk_by(|a, b| a.hits.is_empty() && b.hits.is_empty());
        let mut completed = Vec::new();
        for run in runs {
            let completes = run[0].hits.is_empty() && (at == 0 || parent.announces);
            if completes && !run.iter().all(|sentence| self.gives_name(index, sentence)) {
                let range = run[0].range.start..run[run.len() - 1].range.end;
                let names = run[0].names.clone();
                let completion = self.completion(index, container, range, parent, hit);
                completed.push((at, ProvisionDraft { names, ..completion }));
            }
            at += run.len();
        }
        completed
    }

    fn gives_name(&self, index: usize, sentence: &DerivedSentence) -> bool {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let spans = spans_in(&block.spans, &sentence.range);
        gives_name(&tokens(text, sentence.range.clone(), spans, &self.language.lexicon), self.language)
    }

    pub(super) fn completion(
        &self,
        index: usize,
        container: Container,
        range: Range<usize>,
        parent: &LeadIn,
        hit: &Hit,
    ) -> ProvisionDraft {
        let mut completion = self.draft(index, container, range, parent.chain.clone(), hit.into());
        let elsewhere = |(lead, _): &(usize, _)| self.input.blocks[*lead].section != completion.section;
        if parent.chain.iter().any(elsewhere) {
            completion.r#type.form_range = None;
        }
        completion
    }

    /// Whether the items under a lead-in are recitals: “considering:”.
    pub(super) fn is_recital(&self, lead: &LeadIn) -> bool {
        lead.hit.is_none()
            && lead.chain.iter().any(|(block, range)| {
                let text = &self.input.sections[self.input.blocks[*block].section].text;
                let word = text[range.clone()].find(|c: char| !c.is_alphabetic()).unwrap_or(range.len());
                let first = range.start..range.start + word;
                is_recital(&tokens(text, first, &[], &self.language.lexicon), self.language)
            })
    }

    /// Whether the block begins with a conjunction: “where a crane can reach the wall;”.
    pub(super) fn begins_subordinate(&self, index: usize) -> bool {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let tokens = tokens(text, block.range.clone(), &block.spans, &self.language.lexicon);
        let view = SentenceView { tokens: &tokens, starts: &[0], closing: ListSet::default() };
        !tokens.is_empty() && opens_clause(view, self.language, 0)
    }

    /// Makes a lead-in a provision if none of the items under it is one.
    pub(super) fn release_leads(&mut self) {
        let mut completed: HashSet<usize> =
            self.drafts.iter().flat_map(|d| d.lead.iter().map(|(block, _)| *block)).collect();
        // Inner lists first: an inner lead-in that is released completes the outer one.
        for (index, drafts) in std::mem::take(&mut self.waiting).into_iter().rev() {
            if !completed.contains(&index) {
                completed.extend(drafts.iter().flat_map(|d| d.lead.iter().map(|(block, _)| *block)));
                self.drafts.extend(drafts);
            }
        }
    }
}
