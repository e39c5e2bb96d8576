//! Lead-ins: sentences that a list completes, and whether its items complete them or only name things.

use std::collections::BTreeMap;
use std::ops::Range;

use norma_model::{ProvisionKind, Section};

use super::classify::{Hit, is_duty};
use super::clauses::is_finite;
use super::language::Language;
use super::lexicon::ListSet;
use super::matching::SentenceView;
use super::sentences::sentences;
use super::tokenizer::{SentenceToken, TokenKind, Writing, spans_in, tokens};
use crate::blocks::Block;

/// An unfinished sentence before a list, with those that hold it.
#[derive(Clone, Debug)]
pub(super) struct LeadIn {
    /// Block and range of each sentence, the outermost first.
    pub(super) chain: Vec<(usize, Range<usize>)>,
    /// The type of items without a verbal form of their own; `None` if they do not complete the sentence.
    pub(super) hit: Option<Hit>,
    /// Whether the sentence directly before the list ends in a colon.
    colon: bool,
    /// Whether the sentence announces its list (“the following”), and is complete without it.
    pub(super) announces: bool,
    /// Whether the items only name things or describe them at length, so that the lead-in is the provision.
    pub(super) names_only: bool,
    /// Whether only one of the items is required, so that the lead-in and its list are one provision.
    pub(super) alternatives: bool,
}

/// The items directly under each block.
pub(super) fn items_by_lead(blocks: &[Block<'_>]) -> BTreeMap<usize, Vec<usize>> {
    let mut items: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, block) in blocks.iter().enumerate() {
        if let Some(lead) = block.item.as_ref().and_then(|item| item.lead_in) {
            items.entry(lead).or_default().push(index);
        }
    }
    items
}

/// The values from which a lead-in is derived.
pub(super) struct LeadInContext<'a> {
    pub(super) sections: &'a [Section],
    pub(super) blocks: &'a [Block<'a>],
    pub(super) language: &'a Language,
    /// Blocks of the items that follow.
    pub(super) items: &'a [usize],
    /// The lead of the block itself.
    pub(super) parent: Option<&'a LeadIn>,
}

impl LeadIn {
    /// The lead that a block's last sentence makes; `None` when that sentence is complete.
    pub(super) fn of(
        block: usize,
        sentence: Range<usize>,
        hit: Option<Hit>,
        before: &LeadInContext<'_>,
    ) -> Option<Self> {
        let text = before.text(block, &sentence);
        let end =
            text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '”' | '"' | '»'));
        if end.ends_with(['.', '!', '?', '。']) {
            return None;
        }
        let colon = end.ends_with([':', '：']);
        let tokens = before.tokens(block, sentence.clone());
        let lists = &before.language.word_lists;
        let listed = |list: ListSet, t: &SentenceToken| t.kind == TokenKind::Word && t.is_in(list);
        let announces = tokens.iter().any(|t| listed(lists.announcing, t));
        // An item seldom ends in a full stop: with a verbal form of its own it is complete, unless its last
        // word is not.
        let is_item = before.blocks[block].item.is_some();
        let hangs = tokens.last().is_some_and(|t| listed(lists.preposition.union(lists.hanging), t));
        if is_item && !colon && hit.is_some() && !announces && !hangs {
            return None;
        }
        let mut chain = before.parent.map_or_else(Vec::new, |p| p.chain.clone());
        chain.push((block, sentence.clone()));
        let nested = hit.is_none() && before.parent.is_some_and(|p| p.hit.is_some());
        let hit = match hit {
            _ if before.is_complete(hit.as_ref(), &tokens) => None,
            Some(hit) => Some(hit).filter(|hit| before.governs(hit, &tokens)),
            None => before.parent.and_then(|p| p.hit.clone()),
        };
        let recounted = announces && hit.as_ref().is_some_and(|hit| before.is_recounted(hit));
        let alternatives = hit.as_ref().is_some_and(|hit| !hit.negated) && before.asks_for_one(&tokens);
        // What may be done is not stated again for each name.
        let asks = hit.as_ref().is_some_and(is_duty);
        let within = before.parent.is_some_and(|parent| parent.alternatives);
        let names_only = alternatives
            || within
            || recounted
            || before.names_only(announces && asks && !nested, nested || announces && !asks);
        Some(Self { chain, hit, colon, announces, names_only, alternatives })
    }

    /// Whether an item with a verbal form of its own keeps it.
    pub(super) fn is_retained(&self) -> bool {
        self.colon || self.hit.is_some()
    }
}

impl LeadInContext<'_> {
    fn text(&self, block: usize, range: &Range<usize>) -> &str {
        &self.sections[self.blocks[block].section].text[range.clone()]
    }

    fn tokens(&self, block: usize, range: Range<usize>) -> Vec<SentenceToken> {
        let block = &self.blocks[block];
        let spans = spans_in(&block.spans, &range);
        tokens(&self.sections[block.section].text, range, spans, &self.language.lexicon)
    }

    /// Whether the sentence ends in a phrase such as “under the following conditions”: its list has
    /// circumstances, reasons or examples.
    fn is_complete(&self, hit: Option<&Hit>, tokens: &[SentenceToken]) -> bool {
        let after = after_form(hit, tokens);
        let end = after.iter().rposition(|t| t.kind != TokenKind::Mark).map_or(0, |last| last + 1);
        let view = SentenceView { tokens: &after[..end], starts: &[0], closing: ListSet::default() };
        self.language.complete_leads.iter().any(|phrase| phrase.precedes(view, end))
    }

    /// Whether only one of the items is required: by the lead-in (“one of the following”), or by the word
    /// between the items (“…; or”).
    fn asks_for_one(&self, lead: &[SentenceToken]) -> bool {
        let view = SentenceView { tokens: lead, starts: &[0], closing: ListSet::default() };
        let said = |at: usize| self.language.one_of.iter().any(|phrase| phrase.follows(view, at).is_some());
        let joins = |token: Option<&SentenceToken>| {
            token.is_some_and(|t| t.is_plain_word() && t.is_in(self.language.word_lists.alternative))
        };
        let joined = |&item: &usize| {
            let tokens = self.tokens(item, self.blocks[item].range.clone());
            joins(tokens.iter().rfind(|t| t.kind != TokenKind::Mark)) || joins(tokens.first())
        };
        (0..lead.len()).any(said) || self.items.iter().any(joined)
    }

    /// Whether the list completes the verbal form: not where that is in a relative clause, and the main
    /// clause has another verb (“The parts that shall be tested are:”, “is next to a lock that can raise:”).
    fn governs(&self, hit: &Hit, tokens: &[SentenceToken]) -> bool {
        if hit.main {
            return true;
        }
        let form = tokens.partition_point(|t| t.range.start < hit.form_range.start);
        let relatives = &self.language.clauses.relatives;
        let is_relative = form > 0 && relatives.contains(&tokens[form - 1].known.word);
        let is_verb = |t: &SentenceToken| is_finite(t, self.language);
        if is_relative && tokens[..form].iter().any(is_verb) {
            return false;
        }
        !after_form(Some(hit), tokens).iter().any(is_verb)
    }

    /// Whether the items only name things. Names complete a sentence that breaks off (“marked with:”), but
    /// not one that announces them (“the following types:”) nor an item that they explain. Format strings and
    /// references complete none.
    ///
    /// `announced` says that the lead-in asks for what it announces, `named` that its items can only be
    /// names.
    fn names_only(&self, announced: bool, named: bool) -> bool {
        let items = || self.items.iter().map(|&item| self.tokens(item, self.blocks[item].range.clone()));
        if items().all(|item| is_string(&item)) {
            return true;
        }
        // “type A”, “class 2” name one thing among others; “crew list” is itself what is asked for.
        let is_asked_for = |item: &[SentenceToken]| announced && !is_designated(item);
        (announced || named) && items().all(|item| self.is_name(&item) && !is_asked_for(&item))
    }

    /// Whether the items report what the lead-in announces: “The history can be reported as follows:”. A
    /// possibility or permission is not stated again in each of several sentences.
    fn is_recounted(&self, hit: &Hit) -> bool {
        let several = |&item: &usize| {
            let block = &self.blocks[item];
            let text = &self.sections[block.section].text;
            sentences(text, block.range.clone(), &block.spans, self.language).len() > 1
        };
        matches!(hit.kind, ProvisionKind::Permission | ProvisionKind::Capability)
            && self.items.iter().any(several)
    }

    /// Whether a text is a few words without a determiner, a preposition or a verb.
    fn is_name(&self, item: &[SentenceToken]) -> bool {
        const LONGEST_NAME: usize = 4;
        let words = item.iter().filter(|t| t.kind != TokenKind::Mark).count();
        // “type A” holds no article.
        let is_letter = |at: usize| item[at].writing != Writing::Lower && (at > 0 || words == 1);
        let lists = &self.language.word_lists;
        let joining = lists.determiner.union(lists.preposition).union(lists.finite);
        let joins = |at: usize| item[at].kind == TokenKind::Word && !is_letter(at) && item[at].is_in(joining);
        words <= LONGEST_NAME && !(0..item.len()).any(joins)
    }
}

/// The tokens after the verbal form.
fn after_form<'t>(hit: Option<&Hit>, tokens: &'t [SentenceToken]) -> &'t [SentenceToken] {
    let from = hit.map_or(0, |hit| tokens.partition_point(|t| t.range.start < hit.form_range.end));
    &tokens[from..]
}

/// Whether a text holds a letter, number or code that names one thing among others of its kind.
fn is_designated(item: &[SentenceToken]) -> bool {
    item.iter().any(|t| matches!(t.kind, TokenKind::Number | TokenKind::Thing) || t.writing == Writing::Upper)
        || item.iter().any(|t| t.kind == TokenKind::Word && t.range.len() == 1)
}

/// Whether a text is only codes, numbers and references, without a word of the language.
fn is_string(item: &[SentenceToken]) -> bool {
    item.iter().all(|t| t.kind != TokenKind::Word || t.quoted || t.writing == Writing::Upper)
}
