//! Deriving: reads block after block, and leaves to lists what they complete.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use norma_model::{Container, Origin};

use super::draft::{Draft, Type};
use super::identity;
use super::judge::{Hit, KeyWords, Manner, binds, judge};
use super::language::Language;
use super::lead::{Before, Lead, items_by_lead};
use super::place::{Misplaced, Place, Role, place};
use super::sentences::sentences;
use super::terms::Vocabulary;
use super::words::{BlockTokens, Token, spans_in};
use super::{Flaw, Input};
use crate::blocks::{BlockKind, Span};

/// Reads the blocks of an edition.
pub(super) struct Reader<'a> {
    input: &'a Input<'a>,
    language: &'static Language,
    roles: &'a [Role],
    vocabulary: &'a Vocabulary<'a>,
    key_words: KeyWords,
    items: BTreeMap<usize, Vec<usize>>,
    leads: BTreeMap<usize, Lead>,
    /// Drafts of lead-ins, which count only when no item completes them.
    waiting: BTreeMap<usize, Vec<Draft>>,
    drafts: Vec<Draft>,
    flaws: Vec<Flaw>,
}

struct Sentence {
    range: Range<usize>,
    hits: Vec<Hit>,
    /// Places of its words, where it was looked into.
    tokens: Option<Range<usize>>,
}

struct Sentences<'a> {
    each: Vec<Sentence>,
    tokens: BlockTokens<'a>,
}

/// The provisions that the rules find, and the obligations that stand where none should.
pub(super) fn derived<'a>(
    input: &'a Input<'a>,
    language: &'static Language,
    roles: &'a [Role],
    vocabulary: &'a Vocabulary<'a>,
    key_words: KeyWords,
) -> (Vec<Draft>, Vec<Flaw>) {
    let mut reader = Reader {
        input,
        language,
        roles,
        vocabulary,
        key_words,
        items: items_by_lead(input.blocks),
        leads: BTreeMap::new(),
        waiting: BTreeMap::new(),
        drafts: Vec::new(),
        flaws: Vec::new(),
    };
    for block in 0..input.blocks.len() {
        reader.read(block);
    }
    reader.release_leads();
    reader.drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    reader.drop_repeats();
    (reader.drafts, reader.flaws)
}

impl<'a> Reader<'a> {
    fn read(&mut self, index: usize) {
        let block = &self.input.blocks[index];
        if block.authored.is_some() {
            return;
        }
        let role = self.roles[block.section];
        match place(block, role) {
            Place::Silent => {}
            Place::Reported(misplaced) => self.report(index, misplaced),
            Place::Counts(container) => self.count(index, container, role),
        }
    }

    fn manner(&self, role: Role) -> Manner {
        Manner { key_words: self.key_words, procedure: role.procedure, inventory: role.inventory }
    }

    /// The sentences of a block; those without any trace of a verbal form are not looked into.
    fn sentences(&self, index: usize, manner: Manner) -> Sentences<'a> {
        let input: &'a Input<'a> = self.input;
        let block = &input.blocks[index];
        let text = &input.sections[block.section].text;
        let mut tokens = BlockTokens::of(text, block.range.clone(), &block.spans, &self.language.lexicon);
        let traces = self.language.traces(tokens.all(), text);
        let concerns_list = self.items.contains_key(&index) || self.lead_of(index).is_some();
        if traces.is_empty() && !manner.procedure && !concerns_list {
            return Sentences { each: Vec::new(), tokens };
        }
        let spelled = LazyCell::new(|| {
            let start = block.range.start;
            let block = &text[block.range.clone()];
            self.language.spelled_traces(block).map(|at| at + start).collect::<Vec<usize>>()
        });
        let each = sentences(text, block.range.clone(), &block.spans, self.language)
            .into_iter()
            .map(|range| {
                let first = traces.partition_point(|trace| trace.at < range.start);
                let mut within = traces[first..].iter().take_while(|trace| trace.at < range.end).peekable();
                let traced = within.peek().is_some()
                    && (within.any(|trace| trace.sure) || spelled.iter().any(|at| range.contains(at)));
                if !traced && !manner.procedure {
                    return Sentence { range, hits: Vec::new(), tokens: None };
                }
                let own = tokens.of_sentence(&range);
                let hits = judge(text, &tokens.all()[own.clone()], self.language, manner);
                Sentence { range, hits, tokens: Some(own) }
            })
            .collect();
        Sentences { each, tokens }
    }

    /// The lead under which a block stands, where the block begins an item; a further paragraph of an item is on
    /// its own.
    fn lead_of(&self, index: usize) -> Option<&Lead> {
        let block = &self.input.blocks[index];
        let item = block.item.as_ref()?;
        let before = &self.input.sections[block.section].text[..block.range.start];
        let begins = item.label.as_deref().is_none_or(|label| before.trim_end().ends_with(label.trim()));
        begins.then(|| item.lead_in.and_then(|lead| self.leads.get(&lead))).flatten()
    }

    fn report(&mut self, index: usize, misplaced: Misplaced) {
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let manner = Manner { key_words: self.key_words, ..Manner::default() };
        for sentence in self.sentences(index, manner).each {
            let words = &text[sentence.range.clone()];
            let known = self.language.boilerplate.iter().any(|known| words.contains(known.as_str()));
            if let Some(hit) = sentence.hits.iter().find(|hit| binds(hit)).filter(|_| !known) {
                self.flaws.push(Flaw {
                    block: index,
                    code: misplaced.code(),
                    message: format!(
                        "`{}` stands in {}, which cannot bind",
                        hit.verbal_form,
                        misplaced.name()
                    ),
                });
            }
        }
    }

    fn count(&mut self, index: usize, container: Container, role: Role) {
        let block = &self.input.blocks[index];
        let Sentences { each: mut sentences, tokens } = self.sentences(index, self.manner(role));
        if container == Container::TableCell {
            let text = &self.input.sections[block.section].text;
            sentences
                .iter_mut()
                .for_each(|s| s.hits.retain(|hit| reads_as_sentence(&text[s.range.clone()], hit)));
        }
        let parent = self.lead_of(index).cloned();
        if let Some(parent) = parent.as_ref().filter(|p| p.hit.is_some()) {
            // “The operator should: a) weigh …”, “… shall state: a) details which may matter”: the lead-in has the
            // verbal form of the main clause; what looks like an imperative, or stands in a subordinate clause, has none.
            let completes = |hit: &Hit| {
                let conditions = &hit.rule.conditions;
                !hit.main || (conditions.procedure && (conditions.verbless || !parent.announces))
            };
            sentences.iter_mut().take(1).for_each(|s| s.hits.retain(|hit| !completes(hit)));
        }
        let lead = sentences.last().and_then(|last| {
            let before = Before {
                sections: self.input.sections,
                blocks: self.input.blocks,
                language: self.language,
                items: self.items.get(&index)?,
                parent: parent.as_ref(),
            };
            Lead::of(index, last.range.clone(), last.hits.last().cloned(), &before)
        });
        let mut drafts: Vec<Vec<Draft>> =
            sentences.iter().map(|s| self.own(index, container, s, tokens.all(), parent.as_ref())).collect();
        for (at, completed) in parent.iter().flat_map(|p| self.completed(index, container, &sentences, p)) {
            drafts[at] = vec![completed];
        }
        if let Some(lead) = lead {
            self.leads.insert(index, lead);
            let last = drafts.pop().unwrap_or_default();
            self.waiting.insert(index, last);
        }
        self.drafts.extend(drafts.into_iter().flatten());
    }

    /// The provisions of a sentence by its own words.
    fn own(
        &self,
        index: usize,
        container: Container,
        sentence: &Sentence,
        tokens: &[Token],
        parent: Option<&Lead>,
    ) -> Vec<Draft> {
        if sentence.hits.is_empty() {
            return Vec::new();
        }
        let lead = parent.filter(|p| p.is_kept()).map_or_else(Vec::new, |p| p.chain.clone());
        // Now, while its words are at hand: they are not kept.
        let block = &self.input.blocks[index];
        let text = &self.input.sections[block.section].text;
        let spans: Vec<&Span> = spans_in(&block.spans, &sentence.range).iter().collect();
        let used = |own: &Range<usize>| {
            self.vocabulary.used(text, sentence.range.clone(), &spans, Some(&tokens[own.clone()]))
        };
        let terms = sentence.tokens.as_ref().map(used);
        let mut drafts: Vec<Draft> = sentence
            .hits
            .iter()
            .map(|hit| Draft {
                terms: terms.clone(),
                ..self.draft(index, container, sentence.range.clone(), lead.clone(), hit.into())
            })
            .collect();
        drafts.iter_mut().skip(1).for_each(|d| d.further = true);
        drafts
    }

    /// The provisions that an item without a verbal form makes together with its lead-in, each with the place of its
    /// first sentence. Sentences of the item that have a verbal form are provisions of their own; behind them the lead-in
    /// goes on only when it announces a row of steps (“as follows:”).
    fn completed(
        &self,
        index: usize,
        container: Container,
        sentences: &[Sentence],
        parent: &Lead,
    ) -> Vec<(usize, Draft)> {
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
            if run[0].hits.is_empty() && (at == 0 || parent.announces) {
                let range = run[0].range.start..run[run.len() - 1].range.end;
                completed.push((at, self.completion(index, container, range, parent, hit)));
            }
            at += run.len();
        }
        completed
    }

    fn completion(
        &self,
        index: usize,
        container: Container,
        range: Range<usize>,
        parent: &Lead,
        hit: &Hit,
    ) -> Draft {
        let mut completion = self.draft(index, container, range, parent.chain.clone(), hit.into());
        let elsewhere = |(lead, _): &(usize, _)| self.input.blocks[*lead].section != completion.section;
        if parent.chain.iter().any(elsewhere) {
            completion.r#type.place = None;
        }
        completion
    }

    fn draft(
        &self,
        index: usize,
        container: Container,
        range: Range<usize>,
        lead: Vec<(usize, Range<usize>)>,
        r#type: Type,
    ) -> Draft {
        let block = &self.input.blocks[index];
        Draft {
            block: index,
            section: block.section,
            xml: block.xml.clone().filter(|_| range == block.range),
            range,
            lead,
            r#type,
            container,
            origin: Origin::Derived,
            element: block.element.map(Into::into),
            blocks: vec![index],
            terms: None,
            further: false,
        }
    }

    /// A lead-in is a provision when none of the items under it is.
    fn release_leads(&mut self) {
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

impl Reader<'_> {
    /// An amendment may say the same twice, as an instruction and as a quotation: it counts once.
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

/// A table's cell counts only as a sentence: with words before and behind its verb, or a full stop.
fn reads_as_sentence(text: &str, hit: &Hit) -> bool {
    const FEWEST_WORDS: usize = 4;
    let lower = text.to_lowercase();
    let verb = hit.verbal_form.to_lowercase();
    let words = text.split_whitespace().count();
    words >= FEWEST_WORDS
        && (text.ends_with('.') || (hit.main && !lower.starts_with(&verb) && !lower.ends_with(&verb)))
}
