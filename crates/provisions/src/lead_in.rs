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
    /// True if the sentence directly before the list ends in a colon.
    colon: bool,
    /// True if the sentence announces its list (“the following”), and is complete without it.
    pub(super) announces: bool,
    /// True if the items only name things or describe them at length, so that the lead-in is the provision.
    pub(super) names_only: bool,
    /// True if only one of the items is required, so that the lead-in and its list are one provision.
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
        let end = without_closing_signs(before.text(block, &sentence));
        if end.ends_with(['.', '!', '?', '。']) {
            return None;
        }
        let colon = end.ends_with([':', '：']);
        let tokens = before.tokens(block, sentence.clone());
        let announces = before.announces_list(&tokens);
        // An item seldom ends in a full stop: with a verbal form of its own it is complete, unless its last
        // word is not.
        let is_item = before.blocks[block].item.is_some();
        let is_open = colon || announces || before.breaks_off(&tokens);
        if is_item && hit.is_some() && !is_open {
            return None;
        }
        let nested = hit.is_none() && before.parent_hit().is_some();
        let hit = before.hit_for_items(hit, &tokens);
        // “shall have none of the following” denies each item.
        let is_affirmed = hit.as_ref().is_some_and(|hit| !hit.negated);
        let alternatives = is_affirmed && before.asks_for_one(&tokens);
        let is_in_alternative = before.parent.is_some_and(|parent| parent.alternatives);
        let names_only = alternatives
            || is_in_alternative
            || before.has_items_without_force(hit.as_ref(), announces, nested);
        let mut chain = match before.parent {
            Some(parent) => parent.chain.clone(),
            None => Vec::new(),
        };
        chain.push((block, sentence));
        Some(Self { chain, hit, colon, announces, names_only, alternatives })
    }

    /// True if an item with a verbal form of its own keeps it.
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

    /// True if a word announces the list: “the following”.
    fn announces_list(&self, tokens: &[SentenceToken]) -> bool {
        let announcing = self.language.word_lists.announcing;
        tokens.iter().any(|token| is_word_in(token, announcing))
    }

    /// True if the last word asks for another one: “marked with”.
    fn breaks_off(&self, tokens: &[SentenceToken]) -> bool {
        let lists = &self.language.word_lists;
        let hanging = lists.preposition.union(lists.hanging);
        tokens.last().is_some_and(|last| is_word_in(last, hanging))
    }

    /// The verbal form that the items complete where this lead-in has none: that of the list around it.
    fn parent_hit(&self) -> Option<&Hit> {
        self.parent?.hit.as_ref()
    }

    /// The verbal form that the items complete; `None` where the sentence is complete without them.
    fn hit_for_items(&self, hit: Option<Hit>, tokens: &[SentenceToken]) -> Option<Hit> {
        if self.is_complete(hit.as_ref(), tokens) {
            return None;
        }
        match hit {
            Some(hit) => self.governs(&hit, tokens).then_some(hit),
            None => self.parent_hit().cloned(),
        }
    }

    /// True if the sentence ends in a phrase such as “under the following conditions”: its list has
    /// circumstances, reasons or examples.
    fn is_complete(&self, hit: Option<&Hit>, tokens: &[SentenceToken]) -> bool {
        let after = after_form(hit, tokens);
        let last_word = after.iter().rposition(|token| token.kind != TokenKind::Mark);
        let end = last_word.map_or(0, |last| last + 1);
        let view = SentenceView { tokens: &after[..end], starts: &[0], closing: ListSet::default() };
        self.language.complete_leads.iter().any(|phrase| phrase.precedes(view, end))
    }

    /// True if only one of the items is required: by the lead-in (“one of the following”), or by the word
    /// between the items (“…; or”).
    fn asks_for_one(&self, lead: &[SentenceToken]) -> bool {
        let view = SentenceView { tokens: lead, starts: &[0], closing: ListSet::default() };
        for at in 0..lead.len() {
            if self.language.one_of.iter().any(|phrase| phrase.follows(view, at).is_some()) {
                return true;
            }
        }
        for &item in self.items {
            let tokens = self.tokens(item, self.blocks[item].range.clone());
            let last = tokens.iter().rfind(|token| token.kind != TokenKind::Mark);
            if self.joins_alternatives(last) || self.joins_alternatives(tokens.first()) {
                return true;
            }
        }
        false
    }

    fn joins_alternatives(&self, token: Option<&SentenceToken>) -> bool {
        let alternative = self.language.word_lists.alternative;
        token.is_some_and(|token| token.is_plain_word() && token.is_in(alternative))
    }

    /// True if the list completes the verbal form: not where that is in a relative clause, and the main
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

    /// True if the items state nothing by themselves: they report what is possible, or only name things.
    fn has_items_without_force(&self, hit: Option<&Hit>, announces: bool, nested: bool) -> bool {
        if announces && hit.is_some_and(|hit| self.is_recounted(hit)) {
            return true;
        }
        // What may be done is not stated again for each name.
        let asks = hit.is_some_and(is_duty);
        self.names_only(announces && asks && !nested, nested || announces && !asks)
    }

    /// True if the items only name things. Names complete a sentence that breaks off (“marked with:”), but
    /// not one that announces them (“the following types:”) nor an item that they explain. Format strings and
    /// references complete none.
    ///
    /// `announced` says that the lead-in asks for what it announces, `named` that its items can only be
    /// names.
    fn names_only(&self, announced: bool, named: bool) -> bool {
        let mut are_strings = true;
        let mut are_names = announced || named;
        for &item in self.items {
            let tokens = self.tokens(item, self.blocks[item].range.clone());
            are_strings &= is_string(&tokens);
            // “type A”, “class 2” name one thing among others; “crew list” is itself what is asked for.
            let is_asked_for = announced && !is_designated(&tokens);
            are_names = are_names && !is_asked_for && self.is_name(&tokens);
            if !are_strings && !are_names {
                return false;
            }
        }
        true
    }

    /// True if the items report what the lead-in announces: “The history can be reported as follows:”. A
    /// possibility or permission is not stated again in each of several sentences.
    fn is_recounted(&self, hit: &Hit) -> bool {
        if !matches!(hit.kind, ProvisionKind::Permission | ProvisionKind::Capability) {
            return false;
        }
        for &item in self.items {
            let block = &self.blocks[item];
            let text = &self.sections[block.section].text;
            if sentences(text, block.range.clone(), &block.spans, self.language).len() > 1 {
                return true;
            }
        }
        false
    }

    /// True if a text is a few words without a determiner, a preposition or a verb.
    fn is_name(&self, item: &[SentenceToken]) -> bool {
        const LONGEST_NAME: usize = 4;
        let words = item.iter().filter(|token| token.kind != TokenKind::Mark).count();
        if words > LONGEST_NAME {
            return false;
        }
        let lists = &self.language.word_lists;
        let joining = lists.determiner.union(lists.preposition).union(lists.finite);
        for (at, token) in item.iter().enumerate() {
            // “type A” holds no article.
            let is_letter = token.writing != Writing::Lower && (at > 0 || words == 1);
            if !is_letter && is_word_in(token, joining) {
                return false;
            }
        }
        true
    }
}

/// A text without the brackets and quotation marks that may follow the last sign of its sentence.
fn without_closing_signs(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '”' | '"' | '»'))
}

fn is_word_in(token: &SentenceToken, list: ListSet) -> bool {
    token.kind == TokenKind::Word && token.is_in(list)
}

/// The tokens after the verbal form.
fn after_form<'t>(hit: Option<&Hit>, tokens: &'t [SentenceToken]) -> &'t [SentenceToken] {
    let from = hit.map_or(0, |hit| tokens.partition_point(|t| t.range.start < hit.form_range.end));
    &tokens[from..]
}

/// True if a text holds a letter, number or code that names one thing among others of its kind.
fn is_designated(item: &[SentenceToken]) -> bool {
    for token in item {
        let is_code = matches!(token.kind, TokenKind::Number | TokenKind::Thing);
        let is_letter = token.kind == TokenKind::Word && token.range.len() == 1;
        if is_code || is_letter || token.writing == Writing::Upper {
            return true;
        }
    }
    false
}

/// True if a text is only codes, numbers and references, without a word of the language.
fn is_string(item: &[SentenceToken]) -> bool {
    item.iter().all(|t| t.kind != TokenKind::Word || t.quoted || t.writing == Writing::Upper)
}
