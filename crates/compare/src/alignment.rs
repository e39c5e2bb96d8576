//! Alignment of two short lists: which element became which.

/// An element of the older list with its counterpart in the newer one, by index. One of the two is absent for
/// an element without counterpart.
pub(crate) type AlignedPair = (Option<usize>, Option<usize>);

/// Aligns the elements of two lists, given the length of each. `rank` says how much two elements differ: 0
/// where nothing changed, at most `last`. Pairs of a lower rank are made first, and elements that nothing is
/// left for are alone. Pairs of rank 0 are not in the result. Exchanging the lists exchanges the sides.
pub(crate) fn aligned(
    older: usize,
    newer: usize,
    last: usize,
    rank: impl Fn(usize, usize) -> usize,
) -> Vec<AlignedPair> {
    let mut left: Vec<usize> = (0..older).collect();
    let mut right: Vec<usize> = (0..newer).collect();
    let mut pairs = Vec::new();
    for current in 0..=last {
        let mut unpaired = Vec::new();
        for x in left {
            let Some(at) = right.iter().position(|&y| rank(x, y) == current) else {
                unpaired.push(x);
                continue;
            };
            let y = right.remove(at);
            if current > 0 {
                pairs.push((Some(x), Some(y)));
            }
        }
        left = unpaired;
    }
    for x in left {
        pairs.push((Some(x), None));
    }
    for y in right {
        pairs.push((None, Some(y)));
    }
    pairs.sort_by_key(|pair| position(*pair));
    pairs
}

/// Aligns the elements of two lists, first those that are equal, then the others in their order.
pub(crate) fn aligned_by_equality<T: PartialEq>(older: &[T], newer: &[T]) -> Vec<AlignedPair> {
    aligned(older.len(), newer.len(), 1, |x, y| usize::from(older[x] != newer[y]))
}

/// The position of a pair in the result, which is the same for the exchanged pair.
fn position((x, y): AlignedPair) -> (usize, usize) {
    let (x, y) = (x.unwrap_or(usize::MAX), y.unwrap_or(usize::MAX));
    (x.min(y), x.max(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_elements_leave_the_others_to_each_other_in_their_order() {
        let pairs = aligned_by_equality(&["a", "b", "c"], &["c", "d", "a", "e"]);
        assert_eq!(pairs, [(Some(1), Some(1)), (None, Some(3))]);
        assert!(aligned_by_equality(&["a", "b"], &["b", "a"]).is_empty(), "another order is no change");
    }

    #[test]
    fn pairs_of_a_lower_rank_are_made_first() {
        let (older, newer) = ([10_i32, 20], [21_i32, 12]);
        let rank = |x: usize, y: usize| if (older[x] - newer[y]).abs() < 5 { 1 } else { 2 };
        assert_eq!(aligned(2, 2, 2, rank), [(Some(0), Some(1)), (Some(1), Some(0))]);
    }
}
