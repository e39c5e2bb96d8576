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
            let is_free_lead = lead && !sentence.hits.iter().any(binds);
            exemplary = is_free_lead && tells_example(&tokens, sentence.hits.is_empty(), self.language);
            if exemplary || is_in_example(&tokens, self.language) {
                self.report_each(index, Misplaced::Example, std::slice::from_ref(sentence));
                sentence.hits.clear();
                sentence.duty = None;
            } else if tells_example(&tokens, false, self.language) {
                // An example may say what is possible or permitted; nobody is bound by it.
                self.report_each(index, Misplaced::Example, std::slice::from_ref(sentence));
                sentence.hits.retain(|hit| !is_duty(hit));
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

    /// True if a lead-in has a whole requirement before the verbal form that its list completes: “shall be
    /// kept in the office and shall contain:”.
    pub(super) fn is_whole_before(&self, index: usize, draft: &ProvisionDraft, completed: &Hit) -> bool {
        const FEWEST_WORDS: usize = 2;
        let Some(form) = &draft.r#type.form_range else { return false };
        if form.end == 0 || form.end > completed.form_range.start {
            return false;
        }
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let between = form.end..completed.form_range.start;
        let tokens = tokens(text, between.clone(), spans_in(&block.spans, &between), &self.language.lexicon);
        let own = self.before_last_joint(&tokens);
        let words = own.iter().filter(|token| token.kind != TokenKind::Mark).count();
        let Some(last) = own.last() else { return false };
        // In German the verb is at the end anyway.
        let is_hanging = last.is_in(self.language.word_lists.hanging);
        let breaks_off = is_hanging && !self.language.clauses.verb_final;
        words >= FEWEST_WORDS && !breaks_off
    }

    /// The tokens before the last mark or word that joins another part of the sentence; none without such.
    fn before_last_joint<'t>(&self, tokens: &'t [SentenceToken]) -> &'t [SentenceToken] {
        let coordinator = self.language.word_lists.coordinator;
        let marks = Marks::COMMA.union(Marks::SEMICOLON);
        for (at, token) in tokens.iter().enumerate().rev() {
            if token.is_in(coordinator) || token.is_mark(marks) {
                return &tokens[..at];
            }
        }
        &[]
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
        let Some(hit) = &parent.hit else { return Vec::new() };
        let begins_without_form = sentences.first().is_some_and(|first| first.hits.is_empty());
        if !begins_without_form || parent.names_only {
            return Vec::new();
        }
        // A last sentence before a list of its own is a lead-in in turn.
        let is_lead_in = sentences.len() > 1 && self.items.contains_key(&index);
        let end = if is_lead_in { sentences.len() - 1 } else { sentences.len() };
        let mut completed = Vec::new();
        let mut at = 0;
        for run in sentences[..end].chunk_by(|a, b| a.hits.is_empty() && b.hits.is_empty()) {
            let first = at;
            at += run.len();
            let completes = run[0].hits.is_empty() && (first == 0 || parent.announces);
            if !completes || run.iter().all(|sentence| self.gives_name(index, sentence)) {
                continue;
            }
            let range = run[0].range.start..run[run.len() - 1].range.end;
            let names = run[0].names.clone();
            let completion = self.completion(index, container, range, parent, hit);
            completed.push((first, ProvisionDraft { names, ..completion }));
        }
        completed
    }

    /// True if a sentence of an item only names something.
    fn gives_name(&self, index: usize, sentence: &DerivedSentence) -> bool {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let spans = spans_in(&block.spans, &sentence.range);
        gives_name(&tokens(text, sentence.range.clone(), spans, &self.language.lexicon), self.language)
    }

    /// The draft of a part of an item that completes the verbal form of its lead-in.
    pub(super) fn completion(
        &self,
        index: usize,
        container: Container,
        range: Range<usize>,
        parent: &LeadIn,
        hit: &Hit,
    ) -> ProvisionDraft {
        let mut completion = self.draft(index, container, range, parent.chain.clone(), hit.into());
        // A position of the verbal form is one in the text of the provision's own section.
        for (lead, _) in &parent.chain {
            if self.input.blocks[*lead].section != completion.section {
                completion.r#type.form_range = None;
            }
        }
        completion
    }

    /// True if the items under a lead-in are recitals: “considering:”.
    pub(super) fn is_recital(&self, lead: &LeadIn) -> bool {
        if lead.hit.is_some() {
            return false;
        }
        for (block, range) in &lead.chain {
            let text = &self.input.sections[self.input.blocks[*block].section].text;
            let length = text[range.clone()].find(|c: char| !c.is_alphabetic()).unwrap_or(range.len());
            let first_word = range.start..range.start + length;
            if is_recital(&tokens(text, first_word, &[], &self.language.lexicon), self.language) {
                return true;
            }
        }
        false
    }

    /// True if the block begins with a conjunction: “where a crane can reach the wall;”.
    pub(super) fn begins_subordinate(&self, index: usize) -> bool {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let tokens = tokens(text, block.range.clone(), &block.spans, &self.language.lexicon);
        let view = SentenceView { tokens: &tokens, starts: &[0], closing: ListSet::default() };
        !tokens.is_empty() && opens_clause(view, self.language, 0)
    }

    /// Makes a lead-in a provision if none of the items under it is one.
    pub(super) fn release_leads(&mut self) {
        let mut completed: HashSet<usize> = self.drafts.iter().flat_map(leads_of).collect();
        // Inner lists first: an inner lead-in that is released completes the outer one.
        for (index, drafts) in std::mem::take(&mut self.waiting).into_iter().rev() {
            if !completed.contains(&index) {
                completed.extend(drafts.iter().flat_map(leads_of));
                self.drafts.extend(drafts);
            }
        }
    }
}

/// The blocks of the lead-ins that a draft completes.
fn leads_of(draft: &ProvisionDraft) -> impl Iterator<Item = usize> {
    draft.lead.iter().map(|(block, _)| *block)
}
