//! The measured quality: pairs of editions with known truth. They are not part of the project: they are in
//! the folder `pairs` of the corpus (`NORMA_CORPUS`, else `../shared/corpus` next to the workspace), and
//! where that is absent, the test says so and passes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

use norma_bench_evaluate::pairs::{Evaluation, Pairs};
use norma_compare::compare;

fn evaluation(name: &str) -> Option<Evaluation> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let file = corpus.join("pairs").join(name);
    if !file.exists() {
        return None;
    }
    let unpacked = Command::new("xz").arg("-dkc").arg(&file).output().expect("xz unpacks the pairs");
    assert!(unpacked.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&unpacked.stderr));
    let pairs = Pairs::parse(&unpacked.stdout).unwrap();
    let comparison = compare(&pairs.older, &pairs.newer);
    pairs.evaluate(&comparison)
}

#[test]
fn pairs_of_editions_with_known_truth_are_found() {
    for name in ["vulkan-1.1.130-1.2.162.json.xz", "vulkan-1.2.198-1.3.204.json.xz"] {
        let Some(found) = evaluation(name) else {
            eprintln!("corpus absent: no pairs; nothing is measured here");
            return;
        };
        println!("{name}\n{found}");
        // Equal texts under another id are linked too, which a truth made of ids does not count.
        assert!(found.named.f1() >= 0.99, "{found}");
        assert!(found.reworded_found * 10 >= found.reworded * 9, "{found}");
    }
}
