//! Groups of orders: lists and clauses of imperatives only, such as the controls of a catalogue.

use std::collections::{BTreeMap, HashSet};

use super::eligibility::{Eligibility, Role, eligibility};
use super::input::Input;
use super::language::Language;
use super::tokenizer::{TokenKind, tokens};
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
    // Of each section and list; outside of lists, of the section alone.
    let mut groups: BTreeMap<(usize, Option<usize>), OrderGroup> = BTreeMap::new();
    for (at, block) in input.blocks.iter().enumerate() {
        let role = roles[block.section];
        if block.authored.is_some() || block.table.is_some() || role.procedure || role.inventory {
            continue;
        }
        let is_eligible = matches!(eligibility(block, role), Eligibility::Eligible(_));
        if !is_eligible || input.language_of_block(at) != index {
            continue;
        }
        let list = block.item.as_ref().map(|item| item.list);
        let group = groups.entry((block.section, list)).or_default();
        if group.broken {
            continue;
        }
        let text = &input.sections[block.section].text;
        if block.item.is_none() && is_heading(&text[block.range.clone()]) {
            continue;
        }
        let beginning = beginning(text, block, language);
        group.broken = beginning == Beginning::Other || is_led_in(input, block);
        group.sure += usize::from(beginning == Beginning::SureOrder);
        group.blocks.push(at);
    }
    let mut orders = HashSet::new();
    for group in groups.into_values() {
        let is_whole = !group.broken && group.blocks.len() >= FEWEST;
        if is_whole && 2 * group.sure >= group.blocks.len() {
            orders.extend(group.blocks);
        }
    }
    orders
}

/// What the first words of a block are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// An imperative with an object or adverb directly after it.
    SureOrder,
    /// A word that is an imperative, or a noun that looks the same: “Test …”.
    Order,
    Other,
}

fn beginning(text: &str, block: &Block<'_>, language: &Language) -> Beginning {
    let lists = &language.word_lists;
    let end = text.floor_char_boundary(block.range.end.min(block.range.start + HEAD));
    let tokens = tokens(text, block.range.start..end, &[], &language.lexicon);
    let Some(first) = tokens.iter().position(|token| token.kind == TokenKind::Word) else {
        return Beginning::Other;
    };
    if !tokens[first].is_in(lists.imperative) {
        return Beginning::Other;
    }
    match tokens.get(first + 1) {
        Some(next) if next.is_in(lists.object) => Beginning::SureOrder,
        _ => Beginning::Order,
    }
}

/// True if a sentence introduces the list of a block.
fn is_led_in(input: &Input<'_>, block: &Block<'_>) -> bool {
    let Some(lead) = block.item.as_ref().and_then(|item| item.lead_in) else { return false };
    let lead = &input.blocks[lead];
    !is_heading(&input.sections[lead.section].text[lead.range.clone()])
}

fn is_heading(text: &str) -> bool {
    text.split_whitespace().nth(HEADING).is_none() && !text.ends_with('.')
}
