//! Groups of orders: lists and clauses of imperatives only, such as the controls of a catalogue.

use std::collections::{BTreeMap, HashSet};

use super::eligibility::{Eligibility, Role, eligibility};
use super::input::Input;
use super::language::Language;
use super::tokenizer::{SentenceToken, TokenKind, tokens};
use crate::blocks::Block;

/// Fewest imperatives of a group of orders.
const FEWEST: usize = 3;
/// Bytes at the beginning of a block in which its first words are searched.
const HEAD: usize = 64;
/// Words of a lead-in that is only a heading: `Control:`.
const HEADING: usize = 3;

/// The blocks of one list, or of one clause, as long as all begin with an imperative.
#[derive(Default)]
struct OrderGroup {
    blocks: Vec<usize>,
    /// Number of those with an object or adverb directly after the imperative, which nouns do not have.
    sure: usize,
    broken: bool,
}

/// Blocks outside of procedures that are binding by their form. Each paragraph of the clause, or each item of
/// the list, begins with an imperative, and no sentence introduces the list.
pub(super) fn orders(input: &Input<'_>, index: usize, language: &Language, roles: &[Role]) -> HashSet<usize> {
    let mut groups: BTreeMap<(usize, Option<usize>), OrderGroup> = BTreeMap::new();
    let lists = &language.word_lists;
    for (at, block) in input.blocks.iter().enumerate() {
        let role = roles[block.section];
        let counts = block.authored.is_none() && block.table.is_none() && !role.procedure && !role.inventory;
        let read = matches!(eligibility(block, role), Eligibility::Eligible(_));
        if !(counts && read && input.language_of_block(at) == index) {
            continue;
        }
        let group = groups.entry((block.section, block.item.as_ref().map(|item| item.list))).or_default();
        if group.broken {
            continue;
        }
        let text = &input.sections[block.section].text;
        if block.item.is_none() && is_heading(&text[block.range.clone()]) {
            continue;
        }
        let end = text.floor_char_boundary(block.range.end.min(block.range.start + HEAD));
        let words = tokens(text, block.range.start..end, &[], &language.lexicon);
        let mut words = words.iter().skip_while(|token| token.kind != TokenKind::Word);
        let order = words.next().is_some_and(|word| word.is_in(lists.imperative));
        group.broken = !order || is_led_in(input, block);
        group.sure += usize::from(words.next().is_some_and(|word: &SentenceToken| word.is_in(lists.object)));
        group.blocks.push(at);
    }
    let whole = groups.into_values().filter(|group| !group.broken && group.blocks.len() >= FEWEST);
    whole.filter(|group| 2 * group.sure >= group.blocks.len()).flat_map(|group| group.blocks).collect()
}

fn is_led_in(input: &Input<'_>, block: &Block<'_>) -> bool {
    let lead = block.item.as_ref().and_then(|item| item.lead_in).map(|lead| &input.blocks[lead]);
    lead.is_some_and(|lead| !is_heading(&input.sections[lead.section].text[lead.range.clone()]))
}

fn is_heading(text: &str) -> bool {
    text.split_whitespace().nth(HEADING).is_none() && !text.ends_with('.')
}
