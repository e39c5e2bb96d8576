//! Derivation of provisions: one pass over the blocks, in which list items complete their lead-ins.

mod lists;
mod silence;

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use norma_model::{Container, Origin};

use super::classify::{Hit, ReadingMode, classify, is_duty};
use super::conventions::Conventions;
use super::draft::{DocumentNames, ProvisionDraft, Type};
use super::eligibility::{Eligibility, Misplaced, Role, eligibility};
use super::identity;
use super::input::Input;
use super::language::Language;
use super::lead_in::{LeadIn, LeadInContext, items_by_lead};
use super::notes;
use super::opening::{RunningNames, cut, preceding_identifier, row_head};
use super::orders::orders;
use super::sentences::{sentences, stretches};
use super::terms::Vocabulary;
use super::tokenizer::{BlockTokens, spans_in, tokens};
use crate::blocks::{Block, BlockKind, TokenSpan};
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
    /// Whether a paragraph was left unread because there were already too many.
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

/// Whether a sentence of the edition is a provision by `shall`. A paragraph that is longer than a sentence
/// may be is passed over.
pub(super) fn uses_shall(
    input: &Input<'_>,
    language: &'static Language,
    roles: &[Role],
    conventions: Conventions,
) -> bool {
    let mode = ReadingMode { conventions, ..ReadingMode::default() };
    let spelled = |text: &str| ["shall", "SHALL"].iter().any(|word| text.contains(word));
    let counts =
        |block: &Block<'_>| matches!(eligibility(block, roles[block.section]), Eligibility::Eligible(_));
    input.blocks.iter().filter(|block| counts(block)).any(|block| {
        let text = &input.sections[block.section].text;
        let short = block.range.len() <= input.limits.sentence_bytes;
        short && spelled(&text[block.range.clone()]) && {
            sentences(text, block.range.clone(), &block.spans, language).into_iter().any(|sentence| {
                let tokens =
                    tokens(text, sentence.clone(), spans_in(&block.spans, &sentence), &language.lexicon);
                classify(text, &tokens, language, mode).iter().any(|hit| spelled(&hit.verbal_form))
            })
        }
    })
}

impl<'a> BlockReader<'a> {
    fn read(&mut self, index: usize) {
        let block = &self.input.blocks[index];
        if block.authored.is_some() || self.input.language_of_block(index) != self.index {
            return;
        }
        let role = self.roles[block.section];
        let lead_in = block.item.as_ref().and_then(|item| item.lead_in);
        match (eligibility(block, role), lead_in.and_then(|lead| self.asides.get(&lead).copied())) {
            (Eligibility::Ignored, _) => {}
            (Eligibility::Misplaced(misplaced), _) => self.report(index, misplaced),
            (Eligibility::Eligible(_), Some(misplaced)) => {
                self.asides.insert(index, misplaced);
                self.report(index, misplaced);
            }
            (Eligibility::Eligible(container), None) => self.count(index, container, role),
        }
    }

    fn mode(&self, index: usize, role: Role) -> ReadingMode {
        let by_form = self.orders.contains(&index);
        let procedure = role.procedure || by_form;
        ReadingMode { conventions: self.conventions, procedure, inventory: role.inventory, by_form }
    }

    /// The sentences of a block. A long one is read stretch by stretch, so that no more than the words of a
    /// stretch are in memory.
    fn sentences(&mut self, index: usize, mode: ReadingMode) -> Vec<DerivedSentence> {
        let Input { blocks, sections, limits, .. } = *self.input;
        let block = &blocks[index];
        let text = &sections[block.section].text;
        let longest = limits.sentence_bytes;
        let mut running = RunningNames::of(block, self.begins_item(index));
        let mut range = block.range.clone();
        let opening = cut(text, &mut range, &block.spans, self.language);
        running.next(text, &opening);
        if range.len() <= longest {
            let split = || sentences(text, range.clone(), &block.spans, self.language);
            return self.look_into(index, range.clone(), split, mode, &mut running);
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
            let some = self.look_into(index, whole, || ranges, mode, &mut running);
            found += some.iter().map(|sentence| sentence.hits.len()).sum::<usize>();
            if found > limits.provisions {
                self.too_many = true;
                break;
            }
            // Lists alone ask for the sentences around.
            read.extend(some.into_iter().filter(|s| concerns_list || !s.hits.is_empty()));
        }
        read
    }

    /// The sentences in a part of a block; those without any trace of a verbal form are skipped.
    fn look_into(
        &self,
        index: usize,
        stretch: Range<usize>,
        split: impl FnOnce() -> Vec<Range<usize>>,
        mode: ReadingMode,
        running: &mut RunningNames,
    ) -> Vec<DerivedSentence> {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let mut tokens =
            BlockTokens::of(text, stretch.clone(), spans_in(&block.spans, &stretch), &self.language.lexicon);
        let traces = self.language.traces(tokens.all(), text);
        if traces.is_empty() && !mode.procedure && !self.concerns_list(index) {
            return Vec::new();
        }
        let spelled = LazyCell::new(|| {
            let spelled = self.language.spelled_traces(&text[stretch.clone()]);
            spelled.map(|at| at + stretch.start).collect::<Vec<usize>>()
        });
        split()
            .into_iter()
            .map(|mut range| {
                let opening = cut(text, &mut range, &block.spans, self.language);
                let names = running.next(text, &opening);
                let first = traces.partition_point(|trace| trace.at < range.start);
                let mut within = traces[first..].iter().take_while(|trace| trace.at < range.end).peekable();
                let has_rule = within.peek().is_some()
                    && (within.any(|trace| trace.sure) || spelled.iter().any(|at| range.contains(at)));
                if !has_rule && !mode.procedure {
                    return DerivedSentence { range, names, hits: Vec::new(), terms: None, duty: None };
                }
                let own = tokens.of_sentence(&range);
                let own = &tokens.all()[own];
                let hits = classify(text, own, self.language, mode);
                // Now, while its words are at hand: they are not kept.
                let terms = (!hits.is_empty()).then(|| {
                    let spans: Vec<&TokenSpan> = spans_in(&block.spans, &range).iter().collect();
                    self.vocabulary.used(text, range.clone(), &spans, Some(own))
                });
                let duty = self.duty(text, own, &hits, mode);
                DerivedSentence { range, names, hits, terms, duty }
            })
            .collect()
    }

    /// Whether a block leads a list or is an item of one.
    fn concerns_list(&self, index: usize) -> bool {
        self.items.contains_key(&index) || self.lead_of(index).is_some()
    }

    /// The lead of a block that begins an item; a further paragraph of an item has none.
    fn lead_of(&self, index: usize) -> Option<&LeadIn> {
        let lead_in = self.input.blocks[index].item.as_ref()?.lead_in.filter(|_| self.begins_item(index))?;
        self.leads.get(&lead_in)
    }

    fn begins_item(&self, index: usize) -> bool {
        let block = &self.input.blocks[index];
        let Some(label) = block.item.as_ref().and_then(|item| item.label.as_deref()) else { return true };
        let before = self.input.sections[block.section].text[..block.range.start].trim_end();
        // The mark of a footnote may follow the label: `a)^1`.
        let last_word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
        let mark = last_word.len() - last_word.rfind('^').unwrap_or(last_word.len());
        let unmarked = &before[..before.len() - mark];
        [before, unmarked].iter().any(|before| before.ends_with(label.trim()))
    }

    fn count(&mut self, index: usize, container: Container, role: Role) {
        let block = &self.input.blocks[index];
        let mut sentences = self.sentences(index, self.mode(index, role));
        if role.terms {
            // A sentence of a clause of terms binds where it is a rule of its own, not a part of a
            // definition.
            let reason = "in a clause of terms, only rules in a main clause count";
            sentences.iter_mut().for_each(|s| s.retain(reason, |hit| hit.main && is_duty(hit)));
        }
        if sentences.iter().any(|s| !s.hits.is_empty() && s.names.identifier.is_none()) {
            let before = preceding_identifier(self.input, index);
            sentences.iter_mut().filter(|s| s.names.identifier.is_none()).for_each(|s| {
                s.names.identifier = before.map(Into::into);
            });
        }
        if container == Container::TableCell {
            let text = &self.input.sections[block.section].text;
            let head = row_head(self.input, index, self.language);
            for sentence in &mut sentences {
                sentence.names.item_label = sentence.names.item_label.take().or_else(|| head.map(Into::into));
                let words = &text[sentence.range.clone()];
                sentence.retain("the cell does not read as a sentence", |hit| reads_as_sentence(words, hit));
            }
        }
        let exemplary = self.take_examples(index, &mut sentences);
        let aside = self.aside(index, &sentences);
        if let Some((at, misplaced)) = aside {
            self.report_each(index, misplaced, &sentences[at..]);
        }
        let parent = self.lead_of(index).cloned();
        if parent.as_ref().is_some_and(|parent| parent.hit.is_none() && self.begins_subordinate(index)) {
            let reason = "a subordinate clause in a list without a verbal form states nothing";
            sentences.iter_mut().take(1).for_each(|s| s.retain(reason, |hit| hit.main));
        }
        if parent.as_ref().is_some_and(|parent| self.is_recital(parent)) {
            sentences.iter_mut().for_each(|s| s.retain("a recital gives reasons", |_| false));
        }
        if let Some(parent) = parent.as_ref().filter(|p| p.hit.is_some()) {
            // “The operator should: a) weigh …”, “… shall state: a) details which may matter”: the lead-in
            // has the verbal form of the main clause; what looks like an imperative, or is in a subordinate
            // clause, has none.
            let completes = |hit: &Hit| {
                let conditions = &hit.rule.conditions;
                !hit.main || (conditions.procedure && (conditions.verbless || !parent.announces))
            };
            sentences.iter_mut().take(1).for_each(|s| s.hits.retain(|hit| !completes(hit)));
        }
        // “a name (the clerk may shorten it)” completes the lead-in all the same.
        let completing = parent.as_ref().is_some_and(|p| p.hit.is_some());
        let remark = sentences.first_mut().filter(|s| completing && s.hits.iter().all(|hit| hit.bracketed));
        let remark = remark.map(|s| DerivedSentence { hits: std::mem::take(&mut s.hits), ..s.clone() });
        let mut lead = sentences.last().and_then(|last| {
            let before = LeadInContext {
                sections: self.input.sections,
                blocks: self.input.blocks,
                language: self.language,
                items: self.items.get(&index)?,
                parent: parent.as_ref(),
            };
            LeadIn::of(index, last.range.clone(), last.hits.last().cloned(), &before)
        });
        if exemplary {
            self.asides.insert(index, Misplaced::Example);
        }
        if let Some((at, misplaced)) = aside {
            sentences.truncate(at);
            if lead.take().is_some() {
                self.asides.insert(index, misplaced);
            }
        }
        let mut drafts: Vec<Vec<ProvisionDraft>> =
            sentences.iter().map(|s| self.own(index, container, s, parent.as_ref())).collect();
        for (at, completed) in parent.iter().flat_map(|p| self.completed(index, container, &sentences, p)) {
            drafts[at] = vec![completed];
        }
        let completes = parent.as_ref().is_some_and(|parent| parent.hit.is_some());
        for (sentence, drafts) in sentences.iter().zip(&drafts) {
            if drafts.is_empty() && !completes {
                self.report_silence(index, sentence);
            }
        }
        self.join_parted(index, &mut drafts);
        let remarks = remark.iter().flat_map(|remark| self.own(index, container, remark, parent.as_ref()));
        let remarks: Vec<ProvisionDraft> =
            remarks.map(|draft| ProvisionDraft { further: true, ..draft }).collect();
        drafts.first_mut().into_iter().for_each(|first| first.extend(remarks.iter().cloned()));
        if let Some(lead) = lead {
            if let Some(hit) = &lead.hit {
                let own = drafts.pop().unwrap_or_default();
                let (whole, waiting) = match lead.alternatives {
                    true => {
                        (own.into_iter().map(|draft| self.with_items(index, draft)).collect(), Vec::new())
                    }
                    false => own.into_iter().partition(|draft| self.is_whole_before(index, draft, hit)),
                };
                drafts.push(whole);
                self.waiting.insert(index, waiting);
            }
            self.leads.insert(index, lead);
        }
        self.drafts.extend(drafts.into_iter().flatten());
    }

    /// Joins the two parts of a sentence that a figure, table or list parts: “The lids [list] shall be dry.”,
    /// “The lid shall be as in [figure] and dry.” The text between is a part of the provision.
    fn join_parted(&mut self, index: usize, drafts: &mut [Vec<ProvisionDraft>]) {
        let Input { blocks, sections, .. } = *self.input;
        let block = &blocks[index];
        let Some(earlier) = block.continues.map(|earlier| earlier as usize) else { return };
        let before = &blocks[earlier];
        let text = &sections[block.section].text;
        let sentence_of =
            |block: &Block<'_>| sentences(text, block.range.clone(), &block.spans, self.language);
        let (Some(begun), Some(rest)) = (sentence_of(before).pop(), sentence_of(block).into_iter().next())
        else {
            return;
        };
        let goes_on =
            text[rest.clone()].chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
        if !goes_on || before.section != block.section {
            return;
        }
        let join = |draft: &mut ProvisionDraft| {
            draft.range = draft.range.start.min(begun.start)..draft.range.end.max(rest.end);
            (draft.xml, draft.terms) = (None, None);
            draft.blocks = (earlier..=index).collect();
        };
        let of_begun = |draft: &&mut ProvisionDraft| draft.block == earlier && draft.range.end == begun.end;
        let mut stated =
            self.drafts.iter_mut().rev().take_while(|d| d.block >= earlier).filter(of_begun).peekable();
        let own = drafts.first_mut().filter(|own| !own.is_empty());
        match own {
            // The verb is in the rest: what comes before is its subject.
            Some(own) if stated.peek().is_none() => {
                own.iter_mut().filter(|draft| draft.range.end == rest.end).for_each(join);
            }
            Some(_) => {}
            None => stated.for_each(join),
        }
    }

    /// The first sentence that begins a note or an example within the block, which then extends to the
    /// block's end.
    fn aside(&self, index: usize, sentences: &[DerivedSentence]) -> Option<(usize, Misplaced)> {
        let text = &self.input.sections[self.input.blocks[index].section].text;
        let begun = |sentence: &DerivedSentence| notes::begun(&text[sentence.range.clone()], self.language);
        sentences.iter().enumerate().find_map(|(at, sentence)| Some((at, begun(sentence)?)))
    }

    /// The provisions of a sentence by its own words.
    fn own(
        &self,
        index: usize,
        container: Container,
        sentence: &DerivedSentence,
        parent: Option<&LeadIn>,
    ) -> Vec<ProvisionDraft> {
        if sentence.hits.is_empty() {
            return Vec::new();
        }
        let lead = parent.filter(|p| p.is_retained()).map_or_else(Vec::new, |p| p.chain.clone());
        let mut drafts: Vec<ProvisionDraft> = sentence
            .hits
            .iter()
            .filter(|hit| !hit.again)
            .map(|hit| ProvisionDraft {
                terms: sentence.terms.clone(),
                names: sentence.names.clone(),
                ..self.draft(index, container, sentence.range.clone(), lead.clone(), hit.into())
            })
            .collect();
        drafts.iter_mut().skip(1).for_each(|d| d.further = true);
        drafts
    }

    fn draft(
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

impl BlockReader<'_> {
    /// Drops repeated provisions: an amendment may state one twice, as an instruction and as a quotation.
    fn drop_repeats(&mut self) {
        let amends: HashSet<usize> =
            self.input.blocks.iter().filter(|b| b.kind == BlockKind::Amendment).map(|b| b.section).collect();
        let mut seen = HashSet::new();
        if amends.is_empty() {
            return;
        }
        self.drafts.retain(|draft| {
            if !amends.contains(&draft.section) {
                return true;
            }
            let text = &self.input.sections[draft.section].text[draft.range.clone()];
            let words = identity::words([text].into_iter());
            seen.insert((draft.section, draft.r#type.kind, words))
        });
    }
}

/// Whether a table's cell is a sentence: it has words before and after its verb, or a full stop. An order
/// (“Validate that the lid can be opened”) needs some words after its verb.
fn reads_as_sentence(text: &str, hit: &Hit) -> bool {
    const FEWEST_WORDS: usize = 4;
    const FEWEST_WORDS_OF_ORDER: usize = 6;
    let lower = text.to_lowercase();
    let verb = hit.verbal_form.to_lowercase();
    let words = text.split_whitespace().count();
    let order = hit.rule.is_command() && !hit.rule.conditions.verbless && words >= FEWEST_WORDS_OF_ORDER;
    words >= FEWEST_WORDS
        && (order
            || text.ends_with('.')
            || (hit.main && !lower.starts_with(&verb) && !lower.ends_with(&verb)))
}
