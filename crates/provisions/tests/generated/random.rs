//! Random numbers that are the same for the same seed: SplitMix64 (Steele, Lea, Flood 2014).

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// One of some values.
    pub(crate) fn one<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.between(0, values.len() as u64 - 1) as usize]
    }

    /// Whether a thing happens that happens so many times of a hundred.
    pub(crate) fn percent(&mut self, share: u64) -> bool {
        self.between(1, 100) <= share
    }
}
