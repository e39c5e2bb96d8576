//! Assignment of pairs one to one, best first.

/// A possible pair.
#[derive(Clone, Copy)]
pub(crate) struct PossiblePair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) score: f32,
    /// Among pairs of equal score the lowest first.
    pub(crate) tie: u32,
}

/// Takes the best pair with two free sides, repeatedly until none is left. The order does not depend on which
/// edition is `a`: the two pairs with the same `(min, max)` never exclude each other.
pub(crate) fn best_first(mut pairs: Vec<PossiblePair>, a: usize, b: usize) -> Vec<PossiblePair> {
    let key = |p: &PossiblePair| (std::cmp::Reverse(p.score.to_bits()), p.tie, p.a.min(p.b), p.a.max(p.b));
    pairs.sort_unstable_by_key(key);
    let (mut taken_a, mut taken_b) = (vec![false; a], vec![false; b]);
    pairs.retain(|pair| {
        let free = !taken_a[pair.a as usize] && !taken_b[pair.b as usize];
        taken_a[pair.a as usize] |= free;
        taken_b[pair.b as usize] |= free;
        free
    });
    pairs
}
