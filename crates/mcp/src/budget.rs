//! Bound of an answer in tokens: which whole items fit, and how to go on with the others.

use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::{NEXT_OF_OTHER_CALL, ToolFailure};

/// Tokens of an answer, where the model asks for no other number.
const DEFAULT_TOKENS: u32 = 6_000;

/// Most tokens of an answer. Hosts refuse answers above 25,000, and some count text and structure both.
const MOST_TOKENS: u32 = 12_000;

/// Fewest tokens of an answer: the edition and a unit need some.
const FEWEST_TOKENS: u32 = 500;

/// Bytes that are counted as one token. English has some more characters for each token; other scripts have
/// fewer, and more bytes for each character.
const BYTES_PER_TOKEN: usize = 4;

/// Bytes of an answer that are not its items: the notice, the edition, and what is left out.
const HEAD_BYTES: usize = 1_000;

/// Bytes that a citation adds to an item.
const CITE_BYTES: usize = 60;

/// What an answer leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LeftOut {
    /// Items that are not in the answer.
    count: usize,
    /// Argument of the call that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Items that are longer than the whole answer may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    too_long: Vec<TooLongItem>,
    how: String,
}

/// An item that does not fit into an answer of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
struct TooLongItem {
    id: String,
    tokens: usize,
}

/// The items of an answer, and what it leaves out.
pub(crate) struct BudgetedItems<T> {
    pub(crate) items: Vec<T>,
    pub(crate) left_out: Option<LeftOut>,
}

/// Bytes that are left for items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenBudget {
    bytes: usize,
}

impl TokenBudget {
    /// The budget of an answer of at most this many tokens.
    pub(crate) fn of(max_tokens: Option<u32>) -> Self {
        let tokens = max_tokens.unwrap_or(DEFAULT_TOKENS).clamp(FEWEST_TOKENS, MOST_TOKENS);
        Self { bytes: tokens as usize * BYTES_PER_TOKEN - HEAD_BYTES }
    }

    /// Takes whole items from a position on, as long as they fit. `state` names the call and the version of
    /// the items, so that a later call cannot go on in other ones.
    pub(crate) fn fill<T: Serialize>(
        self,
        items: Vec<(String, T)>,
        next: Option<&str>,
        state: &str,
    ) -> Result<BudgetedItems<T>, ToolFailure> {
        let start = start_of(next, state, items.len())?;
        let total = items.len();
        let mut taken = Vec::new();
        let mut too_long = Vec::new();
        let mut free = self.bytes;
        let mut end = start;
        for (id, item) in items.into_iter().skip(start) {
            let bytes = bytes_of(&item) + CITE_BYTES;
            if bytes > self.bytes {
                too_long.push(TooLongItem { id, tokens: (bytes + HEAD_BYTES).div_ceil(BYTES_PER_TOKEN) });
            } else if bytes > free {
                break;
            } else {
                free -= bytes;
                taken.push(item);
            }
            end += 1;
        }
        let rest = total - end;
        let next = if rest > 0 { Some(format!("{end}@{state}")) } else { None };
        Ok(BudgetedItems { items: taken, left_out: left_out(rest, next, too_long) })
    }
}

fn left_out(rest: usize, next: Option<String>, too_long: Vec<TooLongItem>) -> Option<LeftOut> {
    if rest == 0 && too_long.is_empty() {
        return None;
    }
    let mut how = Vec::new();
    if rest > 0 {
        how.push("Call again with the same arguments and this `next`.".to_owned());
    }
    if let Some(longest) = too_long.iter().map(|item| item.tokens).max() {
        how.push(if longest <= MOST_TOKENS as usize {
            format!("Read what is too long alone, with max_tokens {longest}.")
        } else {
            "What is too long is read in parts: a section by `selection`, a table in its section.".to_owned()
        });
    }
    Some(LeftOut { count: rest + too_long.len(), next, too_long, how: how.join(" ") })
}

/// Reads where an answer begins. The position of another state would skip or repeat items.
fn start_of(next: Option<&str>, state: &str, total: usize) -> Result<usize, ToolFailure> {
    let Some(next) = next else { return Ok(0) };
    let (index, of_state) = next.split_once('@').unwrap_or((next, ""));
    match index.parse() {
        Ok(index) if index < total && of_state == state => Ok(index),
        _ => Err(ToolFailure::invalid(NEXT_OF_OTHER_CALL)),
    }
}

fn bytes_of(item: &impl Serialize) -> usize {
    serde_json::to_vec(item).map_or(usize::MAX / 2, |json| json.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(lengths: &[usize]) -> Vec<(String, String)> {
        lengths.iter().enumerate().map(|(index, length)| (format!("i{index}"), "x".repeat(*length))).collect()
    }

    /// Lengths of all items of all answers, one after another, and the number of answers.
    fn read_all(lengths: &[usize], max_tokens: u32) -> (Vec<usize>, Vec<String>, usize) {
        let (mut found, mut too_long, mut calls) = (Vec::new(), Vec::new(), 0);
        let mut next: Option<String> = None;
        loop {
            calls += 1;
            let budget = TokenBudget::of(Some(max_tokens));
            let answer = budget.fill(items(lengths), next.as_deref(), "r1").unwrap();
            let bytes = serde_json::to_vec(&answer.items).unwrap().len();
            assert!(bytes <= max_tokens as usize * BYTES_PER_TOKEN, "{bytes}");
            found.extend(answer.items.iter().map(String::len));
            let Some(left_out) = answer.left_out else { break };
            too_long.extend(left_out.too_long.into_iter().map(|item| item.id));
            match left_out.next {
                Some(more) => next = Some(more),
                None => break,
            }
        }
        (found, too_long, calls)
    }

    #[test]
    fn whole_items_are_read_in_order_over_several_answers_and_none_is_lost() {
        let lengths = [300, 500, 10, 900, 400, 5_000, 20];
        let (found, too_long, calls) = read_all(&lengths, 600);
        assert_eq!((found, too_long), (vec![300, 500, 10, 900, 400, 20], vec!["i5".to_owned()]));
        assert!(calls > 1, "{calls}");
        assert_eq!(read_all(&lengths, 12_000).2, 1);
    }

    #[test]
    fn what_is_left_out_is_counted_and_says_how_to_go_on() {
        let budget = TokenBudget::of(Some(FEWEST_TOKENS));
        let left_out = budget.fill(items(&[800, 800, 30_000]), None, "r1").unwrap().left_out.unwrap();
        assert_eq!((left_out.count, left_out.next.as_deref()), (2, Some("1@r1")));
        let left_out = budget.fill(items(&[800, 30_000]), None, "r1").unwrap().left_out.unwrap();
        assert_eq!((left_out.count, left_out.next.as_deref(), left_out.too_long[0].tokens), (1, None, 7_766));
        assert!(left_out.how.contains("max_tokens 7766"), "{}", left_out.how);
        let left_out = budget.fill(items(&[60_000]), None, "r1").unwrap().left_out.unwrap();
        assert!(left_out.how.contains("`selection`"), "{}", left_out.how);
    }

    #[test]
    fn a_position_of_another_call_or_revision_is_refused() {
        let budget = TokenBudget::of(None);
        for next in ["1@r2", "9@r1", "x", "1", ""] {
            assert!(budget.fill(items(&[1, 1]), Some(next), "r1").is_err(), "{next}");
        }
        assert_eq!(budget.fill(items(&[1, 2]), Some("1@r1"), "r1").unwrap().items, ["xx"]);
    }

    #[test]
    fn the_number_of_tokens_is_bounded() {
        let bytes = |tokens| TokenBudget::of(tokens).bytes + HEAD_BYTES;
        assert_eq!([bytes(None), bytes(Some(1)), bytes(Some(100_000))], [24_000, 2_000, 48_000]);
    }
}
