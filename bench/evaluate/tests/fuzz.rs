//! The property of `fuzz/properties/units.rs` on all files of `fuzz/corpus/units` and on changed copies of
//! them. libFuzzer searches further (`script/fuzz`).

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../fuzz/properties/units.rs"]
mod units;

use std::path::Path;

use proptest::prelude::*;

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/units");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files.collect()
}

#[test]
fn every_seed_is_compared_or_refused() {
    let seeds = seeds();
    assert!(!seeds.is_empty());
    seeds.iter().for_each(|seed| units::holds(seed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_are_compared_or_refused(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 0..8)) {
        for mut seed in seeds() {
            for (at, byte, insert) in &edits {
                let at = at.index(seed.len());
                if *insert { seed.insert(at, *byte) } else { seed[at] = *byte }
            }
            units::holds(&seed);
        }
    }
}
