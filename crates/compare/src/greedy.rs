//! Assignment of pairs one to one, best first.

use std::cmp::Reverse;

/// A possible pair of units, sections or parts, by index in both editions.
#[derive(Clone, Copy)]
pub(crate) struct PossiblePair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) score: f32,
    /// Among pairs of equal score the lowest first.
    pub(crate) tie: u32,
}

impl PossiblePair {
    /// The key by which pairs are sorted, best first. Scores are not negative, so their bits have their
    /// order.
    fn order(&self) -> (Reverse<u32>, u32, u32, u32) {
        (Reverse(self.score.to_bits()), self.tie, self.a.min(self.b), self.a.max(self.b))
    }
}

/// Takes the best pair with two free sides, repeatedly until none is left. The order does not depend on which
/// edition is `a`: the two pairs with the same `(min, max)` never exclude each other.
pub(crate) fn best_first(mut pairs: Vec<PossiblePair>, a: usize, b: usize) -> Vec<PossiblePair> {
    pairs.sort_unstable_by_key(PossiblePair::order);
    let mut taken_a = vec![false; a];
    let mut taken_b = vec![false; b];
    let mut chosen = Vec::new();
    for pair in pairs {
        let is_taken = taken_a[pair.a as usize] || taken_b[pair.b as usize];
        if !is_taken {
            taken_a[pair.a as usize] = true;
            taken_b[pair.b as usize] = true;
            chosen.push(pair);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_pair_is_chosen_and_its_sides_are_free_for_no_other() {
        let pair = |a, b, score, tie| PossiblePair { a, b, score, tie };
        let pairs = vec![pair(0, 0, 0.5, 0), pair(0, 1, 0.9, 1), pair(1, 1, 0.9, 0), pair(1, 0, 0.1, 0)];
        let mut chosen = Vec::new();
        for pair in best_first(pairs, 2, 2) {
            chosen.push((pair.a, pair.b));
        }
        assert_eq!(chosen, [(1, 1), (0, 0)]);
    }
}
