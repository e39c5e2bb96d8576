//! Drafts of provisions: those of a sentence by its own words, by its lead-in, and of a sentence that
//! something parts.

use std::ops::Range;

use norma_model::{Container, Origin};

use super::{BlockReader, DerivedSentence};
use crate::blocks::Block;
use crate::classify::Hit;
use crate::draft::{DocumentNames, ProvisionDraft, Type};
use crate::input::Input;
use crate::lead_in::LeadIn;
use crate::opening::cut;
use crate::sentences::sentences;

impl BlockReader<'_> {
    /// The drafts of each sentence of a block: by its own words, or with the lead-in that it completes.
    pub(super) fn drafts_of_sentences(
        &self,
        index: usize,
        container: Container,
        sentences: &[DerivedSentence],
        parent: Option<&LeadIn>,
    ) -> Vec<Vec<ProvisionDraft>> {
        let mut drafts = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            drafts.push(self.own(index, container, sentence, parent));
        }
        if let Some(parent) = parent {
            for (at, completed) in self.completed(index, container, sentences, parent) {
                drafts[at] = vec![completed];
            }
        }
        drafts
    }

    /// The provisions of a sentence by its own words.
    pub(super) fn own(
        &self,
        index: usize,
        container: Container,
        sentence: &DerivedSentence,
        parent: Option<&LeadIn>,
    ) -> Vec<ProvisionDraft> {
        if sentence.hits.is_empty() {
            return Vec::new();
        }
        let lead = match parent {
            Some(parent) if parent.is_retained() => parent.chain.as_slice(),
            _ => &[],
        };
        let mut drafts: Vec<ProvisionDraft> = Vec::new();
        for hit in &sentence.hits {
            if hit.again {
                continue;
            }
            let draft = self.draft(index, container, sentence.range.clone(), lead.to_vec(), hit.into());
            drafts.push(ProvisionDraft {
                terms: sentence.terms.clone(),
                names: sentence.names.clone(),
                further: !drafts.is_empty(),
                ..draft
            });
        }
        drafts
    }

    /// Of the drafts of a lead-in, those that are provisions whatever the items under it are. The others wait
    /// for the items.
    pub(super) fn whole_drafts(
        &mut self,
        index: usize,
        lead: &LeadIn,
        hit: &Hit,
        own: Vec<ProvisionDraft>,
    ) -> Vec<ProvisionDraft> {
        let mut whole = Vec::new();
        let mut waiting = Vec::new();
        for draft in own {
            if lead.alternatives {
                whole.push(self.with_items(index, draft));
            } else if self.is_whole_before(index, &draft, hit) {
                whole.push(draft);
            } else {
                waiting.push(draft);
            }
        }
        self.waiting.insert(index, waiting);
        whole
    }

    /// Joins the two parts of a sentence that a figure, table or list parts: “The lids [list] shall be dry.”,
    /// “The lid shall be as in [figure] and dry.” The text between is a part of the provision.
    pub(super) fn join_parted(&mut self, index: usize, drafts: &mut [Vec<ProvisionDraft>]) {
        let Input { blocks, sections, .. } = *self.input;
        let block = &blocks[index];
        let Some(earlier) = block.continues.map(|earlier| earlier as usize) else { return };
        let before = &blocks[earlier];
        if before.section != block.section {
            return;
        }
        let text = &sections[block.section].text;
        let Some(begun) = self.sentences_of(before).pop() else { return };
        let Some(rest) = self.sentences_of(block).into_iter().next() else { return };
        let first_letter = text[rest.clone()].chars().find(|c| c.is_alphanumeric());
        if !first_letter.is_some_and(char::is_lowercase) {
            return;
        }
        let whole = begun.start..rest.end;
        let mut drafts_of_begun = Vec::new();
        for draft in self.drafts.iter_mut().rev() {
            if draft.block < earlier {
                break;
            }
            if draft.block == earlier && draft.range.end == begun.end {
                drafts_of_begun.push(draft);
            }
        }
        let own = drafts.first_mut().filter(|own| !own.is_empty());
        let Some(own) = own else {
            for draft in drafts_of_begun {
                join(draft, &whole, earlier, index);
            }
            return;
        };
        // Where both parts have a verb, they are two provisions.
        if !drafts_of_begun.is_empty() {
            return;
        }
        // The verb is in the rest: what comes before is its subject.
        for draft in own {
            if draft.range.end == rest.end {
                join(draft, &whole, earlier, index);
            }
        }
    }

    fn sentences_of(&self, block: &Block<'_>) -> Vec<Range<usize>> {
        let text = &self.input.sections[block.section].text;
        sentences(text, block.range.clone(), &block.spans, self.language)
    }

    pub(super) fn draft(
        &self,
        index: usize,
        container: Container,
        range: Range<usize>,
        lead: Vec<(usize, Range<usize>)>,
        r#type: Type,
    ) -> ProvisionDraft {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let mut whole = block.range.clone();
        cut(text, &mut whole, &block.spans, self.language);
        ProvisionDraft {
            block: index,
            section: block.section,
            names: DocumentNames::default(),
            xml: block.xml.clone().filter(|_| range == whole),
            range,
            lead,
            r#type,
            container,
            origin: Origin::Derived,
            element: block.element.map(Into::into),
            blocks: vec![index],
            dependencies: Vec::new(),
            terms: None,
            further: false,
        }
    }
}

/// Extends a draft over both parts of its sentence, and over the blocks between them.
fn join(draft: &mut ProvisionDraft, whole: &Range<usize>, first: usize, last: usize) {
    draft.range = draft.range.start.min(whole.start)..draft.range.end.max(whole.end);
    draft.blocks = (first..=last).collect();
    // Neither the element nor the terms are those of the whole.
    draft.xml = None;
    draft.terms = None;
}
