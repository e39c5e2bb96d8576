//! Derivation of provisions: one pass over the blocks, in which list items complete their lead-ins.

mod drafts;
mod lists;
mod reading;
mod silence;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use norma_model::Container;

use super::classify::{Hit, ReadingMode, classify, is_duty};
use super::conventions::Conventions;
use super::draft::{DocumentNames, ProvisionDraft};
use super::eligibility::{Eligibility, Misplaced, Role, eligibility};
use super::identity;
use super::input::Input;
use super::language::Language;
use super::lead_in::{LeadIn, LeadInContext, items_by_lead};
use super::notes;
use super::opening::{preceding_identifier, row_head};
use super::orders::orders;
use super::sentences::sentences;
use super::terms::Vocabulary;
use super::tokenizer::{spans_in, tokens};
use crate::blocks::BlockKind;
use crate::diagnostics::Diagnostics;
use silence::Duty;

/// Reads the blocks of an edition.
pub(super) struct BlockReader<'a> {
    input: &'a Input<'a>,
    /// Index of the language whose sections are read.
    index: usize,
    language: &'static Language,
    roles: &'a [Role],
    vocabulary: &'a Vocabulary<'a>,
    conventions: Conventions,
    items: BTreeMap<usize, Vec<usize>>,
    leads: BTreeMap<usize, LeadIn>,
    /// Blocks that read as the lead-in of a note or example, and the items under them.
    asides: BTreeMap<usize, Misplaced>,
    /// Drafts of lead-ins, which count only when no item completes them.
    waiting: BTreeMap<usize, Vec<ProvisionDraft>>,
    drafts: Vec<ProvisionDraft>,
    /// True if a paragraph was left unread because there were already too many.
    too_many: bool,
    diagnostics: Diagnostics,
    /// Blocks of groups of orders.
    orders: HashSet<usize>,
}

#[derive(Clone)]
struct DerivedSentence {
    range: Range<usize>,
    names: DocumentNames,
    hits: Vec<Hit>,
    /// The terms that it uses, where anything was found.
    terms: Option<Vec<usize>>,
    duty: Option<Duty>,
}

/// The provisions that the rules of the language with that index find, and the obligations where none should
/// be; `None` when there are more than there may be.
pub(super) fn derived<'a>(
    input: &'a Input<'a>,
    index: usize,
    language: &'static Language,
    roles: &'a [Role],
    vocabulary: &'a Vocabulary<'a>,
    conventions: Conventions,
) -> Option<(Vec<ProvisionDraft>, Diagnostics)> {
    let mut reader = BlockReader {
        input,
        index,
        language,
        roles,
        vocabulary,
        conventions,
        items: items_by_lead(input.blocks),
        leads: BTreeMap::new(),
        asides: BTreeMap::new(),
        waiting: BTreeMap::new(),
        drafts: Vec::new(),
        too_many: false,
        diagnostics: Diagnostics::new(input.limits.diagnostics),
        orders: orders(input, index, language, roles),
    };
    for block in 0..input.blocks.len() {
        reader.read(block);
        if reader.too_many || reader.drafts.len() > input.limits.provisions {
            return None;
        }
    }
    reader.release_leads();
    reader.drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    reader.drop_repeats();
    Some((reader.drafts, reader.diagnostics))
}

/// True if a sentence of the edition is a provision by `shall`. A paragraph that is longer than a sentence
/// may be is passed over.
pub(super) fn uses_shall(
    input: &Input<'_>,
    language: &'static Language,
    roles: &[Role],
    conventions: Conventions,
) -> bool {
    let mode = ReadingMode { conventions, ..ReadingMode::default() };
    for block in input.blocks {
        if !matches!(eligibility(block, roles[block.section]), Eligibility::Eligible(_)) {
            continue;
        }
        let text = &input.sections[block.section].text;
        let is_long = block.range.len() > input.limits.sentence_bytes;
        if is_long || !has_shall(&text[block.range.clone()]) {
            continue;
        }
        for sentence in sentences(text, block.range.clone(), &block.spans, language) {
            let spans = spans_in(&block.spans, &sentence);
            let tokens = tokens(text, sentence, spans, &language.lexicon);
            let hits = classify(text, &tokens, language, mode);
            if hits.iter().any(|hit| has_shall(&hit.verbal_form)) {
                return true;
            }
        }
    }
    false
}

fn has_shall(text: &str) -> bool {
    text.contains("shall") || text.contains("SHALL")
}

impl<'a> BlockReader<'a> {
    fn read(&mut self, index: usize) {
        let block = &self.input.blocks[index];
        if block.authored.is_some() || self.input.language_of_block(index) != self.index {
            return;
        }
        let role = self.roles[block.section];
        let container = match eligibility(block, role) {
            Eligibility::Ignored => return,
            Eligibility::Misplaced(misplaced) => return self.report(index, misplaced),
            Eligibility::Eligible(container) => container,
        };
        // An item under the lead-in of a note or example belongs to it.
        let lead_in = block.item.as_ref().and_then(|item| item.lead_in);
        if let Some(misplaced) = lead_in.and_then(|lead| self.asides.get(&lead).copied()) {
            self.asides.insert(index, misplaced);
            return self.report(index, misplaced);
        }
        self.count(index, container, role);
    }

    fn mode(&self, index: usize, role: Role) -> ReadingMode {
        let by_form = self.orders.contains(&index);
        let procedure = role.procedure || by_form;
        ReadingMode { conventions: self.conventions, procedure, inventory: role.inventory, by_form }
    }

    /// Derives the provisions of a block that may have some.
    fn count(&mut self, index: usize, container: Container, role: Role) {
        let mut sentences = self.sentences(index, self.mode(index, role));
        if role.terms {
            drop_definitions(&mut sentences);
        }
        self.add_preceding_identifier(index, &mut sentences);
        if container == Container::TableCell {
            self.drop_fragments_of_cell(index, &mut sentences);
        }
        let exemplary = self.take_examples(index, &mut sentences);
        let aside = self.aside(index, &sentences);
        if let Some((at, misplaced)) = aside {
            self.report_each(index, misplaced, &sentences[at..]);
        }
        let parent = self.lead_of(index).cloned();
        if let Some(parent) = &parent {
            self.drop_in_item(index, parent, &mut sentences);
        }
        let completes = parent.as_ref().is_some_and(|parent| parent.hit.is_some());
        let remark = if completes { take_remark(&mut sentences) } else { None };
        let mut lead = self.lead_in(index, &sentences, parent.as_ref());
        if exemplary {
            self.asides.insert(index, Misplaced::Example);
        }
        if let Some((at, misplaced)) = aside {
            sentences.truncate(at);
            if lead.take().is_some() {
                self.asides.insert(index, misplaced);
            }
        }
        let mut drafts = self.drafts_of_sentences(index, container, &sentences, parent.as_ref());
        if !completes {
            for (sentence, drafts) in sentences.iter().zip(&drafts) {
                if drafts.is_empty() {
                    self.report_silence(index, sentence);
                }
            }
        }
        self.join_parted(index, &mut drafts);
        if let Some(remark) = &remark
            && let Some(first) = drafts.first_mut()
        {
            for draft in self.own(index, container, remark, parent.as_ref()) {
                first.push(ProvisionDraft { further: true, ..draft });
            }
        }
        if let Some(lead) = lead {
            if let Some(hit) = &lead.hit {
                let own = drafts.pop().unwrap_or_default();
                drafts.push(self.whole_drafts(index, &lead, hit, own));
            }
            self.leads.insert(index, lead);
        }
        self.drafts.extend(drafts.into_iter().flatten());
    }

    /// Gives sentences with a verbal form the identifier before the block, where they have none of their own.
    fn add_preceding_identifier(&self, index: usize, sentences: &mut [DerivedSentence]) {
        let is_nameless =
            |sentence: &DerivedSentence| !sentence.hits.is_empty() && sentence.names.identifier.is_none();
        if !sentences.iter().any(is_nameless) {
            return;
        }
        let Some(before) = preceding_identifier(self.input, index) else { return };
        for sentence in sentences {
            if sentence.names.identifier.is_none() {
                sentence.names.identifier = Some(before.into());
            }
        }
    }

    /// Labels the sentences of a cell by the first cell of its row, and drops what is only a part of one.
    fn drop_fragments_of_cell(&self, index: usize, sentences: &mut [DerivedSentence]) {
        let text = &self.input.sections[self.input.blocks[index].section].text;
        let head = row_head(self.input, index, self.language);
        for sentence in sentences {
            if sentence.names.item_label.is_none() {
                sentence.names.item_label = head.map(Into::into);
            }
            let words = &text[sentence.range.clone()];
            sentence.retain("the cell does not read as a sentence", |hit| reads_as_sentence(words, hit));
        }
    }

    /// Drops what is not a provision in an item of a list.
    fn drop_in_item(&self, index: usize, parent: &LeadIn, sentences: &mut [DerivedSentence]) {
        if parent.hit.is_some() {
            // “The operator should: a) weigh …”, “… shall state: a) details which may matter”: the lead-in
            // has the verbal form of the main clause; what looks like an imperative, or is in a subordinate
            // clause, has none.
            if let Some(first) = sentences.first_mut() {
                first.hits.retain(|hit| is_independent(hit, parent));
            }
            return;
        }
        if self.begins_subordinate(index)
            && let Some(first) = sentences.first_mut()
        {
            let reason = "a subordinate clause in a list without a verbal form states nothing";
            first.retain(reason, |hit| hit.main);
        }
        if self.is_recital(parent) {
            for sentence in sentences {
                sentence.retain("a recital gives reasons", |_| false);
            }
        }
    }

    /// The lead-in that the last sentence of a block with a list under it makes.
    fn lead_in(
        &self,
        index: usize,
        sentences: &[DerivedSentence],
        parent: Option<&LeadIn>,
    ) -> Option<LeadIn> {
        let last = sentences.last()?;
        let context = LeadInContext {
            sections: self.input.sections,
            blocks: self.input.blocks,
            language: self.language,
            items: self.items.get(&index)?,
            parent,
        };
        LeadIn::of(index, last.range.clone(), last.hits.last().cloned(), &context)
    }

    /// The first sentence that begins a note or an example within the block, which then extends to the
    /// block's end.
    fn aside(&self, index: usize, sentences: &[DerivedSentence]) -> Option<(usize, Misplaced)> {
        let text = &self.input.sections[self.input.blocks[index].section].text;
        for (at, sentence) in sentences.iter().enumerate() {
            if let Some(misplaced) = notes::begun(&text[sentence.range.clone()], self.language) {
                return Some((at, misplaced));
            }
        }
        None
    }

    /// Drops repeated provisions: an amendment may state one twice, as an instruction and as a quotation.
    fn drop_repeats(&mut self) {
        let mut amending: HashSet<usize> = HashSet::new();
        for block in self.input.blocks {
            if matches!(block.kind, BlockKind::Amendment | BlockKind::Instruction) {
                amending.insert(block.section);
            }
        }
        if amending.is_empty() {
            return;
        }
        let mut seen = HashSet::new();
        self.drafts.retain(|draft| {
            if !amending.contains(&draft.section) {
                return true;
            }
            let text = &self.input.sections[draft.section].text[draft.range.clone()];
            let words = identity::words([text].into_iter());
            seen.insert((draft.section, draft.r#type.kind, words))
        });
    }
}

/// Drops what does not bind in a clause of terms: there a sentence binds where it is a rule of its own, not a
/// part of a definition.
fn drop_definitions(sentences: &mut [DerivedSentence]) {
    for sentence in sentences {
        let reason = "in a clause of terms, only rules in a main clause count";
        sentence.retain(reason, |hit| hit.main && is_duty(hit));
    }
}

/// True if a hit in an item is a provision of its own, next to that of the lead-in.
fn is_independent(hit: &Hit, parent: &LeadIn) -> bool {
    let conditions = &hit.rule.conditions;
    let is_step_of_lead = conditions.procedure && (conditions.verbless || !parent.announces);
    hit.main && !is_step_of_lead
}

/// Takes the verbal forms in brackets out of the first sentence, if it has no others: “a name (the clerk may
/// shorten it)” completes the lead-in all the same.
fn take_remark(sentences: &mut [DerivedSentence]) -> Option<DerivedSentence> {
    let first = sentences.first_mut()?;
    if first.hits.is_empty() || !first.hits.iter().all(|hit| hit.bracketed) {
        return None;
    }
    let hits = std::mem::take(&mut first.hits);
    Some(DerivedSentence { hits, ..first.clone() })
}

/// True if a table's cell is a sentence: it has words before and after its verb, or a full stop. An order
/// (“Validate that the lid can be opened”) needs some words after its verb.
fn reads_as_sentence(text: &str, hit: &Hit) -> bool {
    const FEWEST_WORDS: usize = 4;
    const FEWEST_WORDS_OF_ORDER: usize = 6;
    let words = text.split_whitespace().count();
    if words < FEWEST_WORDS {
        return false;
    }
    if text.ends_with('.') {
        return true;
    }
    let is_order = hit.rule.is_command() && !hit.rule.conditions.verbless;
    if is_order && words >= FEWEST_WORDS_OF_ORDER {
        return true;
    }
    let lower = text.to_lowercase();
    let verb = hit.verbal_form.to_lowercase();
    hit.main && !lower.starts_with(&verb) && !lower.ends_with(&verb)
}
