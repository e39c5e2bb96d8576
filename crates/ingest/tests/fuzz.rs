//! The properties of `fuzz/properties` on all files of `fuzz/corpus`, on the samples, and for some seconds on
//! changed copies of both. libFuzzer searches further (`script/fuzz`).

use std::path::{Path, PathBuf};

#[path = "../../../fuzz/properties/extract.rs"]
mod extract;
#[path = "../../../fuzz/properties/lineage.rs"]
mod lineage;
#[path = "../../../fuzz/properties/pack.rs"]
mod pack;
#[path = "../../../fuzz/properties/package.rs"]
mod package;
#[path = "../../../fuzz/properties/text.rs"]
mod text;
#[path = "../../../fuzz/properties/token.rs"]
mod token;
#[path = "../../../fuzz/properties/urn.rs"]
mod urn;

/// Changed copies for each target.
const COPIES: u64 = 1500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The small files of a folder and the folders in it: a changed copy of a large one would find no more.
fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
    let small = files.filter(|f| f.file_type().is_file() && f.metadata().is_ok_and(|m| m.len() < 20_000));
    small.filter_map(|file| std::fs::read(file.path()).ok()).collect()
}

/// Checks a property with each seed and with slightly changed copies, the same ones in each run.
fn hold(target: &str, more: &[&str], property: fn(&[u8])) {
    let mut seeds = seeds(&root().join("fuzz/corpus").join(target));
    assert!(!seeds.is_empty(), "nothing is kept for {target}");
    seeds.extend(more.iter().flat_map(|folder| self::seeds(&root().join(folder))));
    seeds.iter().for_each(|seed| property(seed));
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        // Xorshift (Marsaglia 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    for _ in 0..COPIES {
        let mut copy = seeds[random(seeds.len())].clone();
        let other = &seeds[random(seeds.len())];
        for _ in 0..=random(4) {
            let at = random(copy.len());
            match random(4) {
                0 => copy.truncate(at),
                1 => copy.iter_mut().skip(at).take(1).for_each(|byte| *byte = random(256) as u8),
                2 => drop(copy.drain(at..(at + random(16)).min(copy.len()))),
                _ => {
                    let from = random(other.len());
                    let piece = other[from..(from + random(32)).min(other.len())].to_vec();
                    drop(copy.splice(at..at, piece));
                }
            }
        }
        property(&copy);
    }
}

#[test]
fn any_bytes_are_a_document_or_a_refusal_with_a_position() {
    hold("extract", &["samples"], extract::holds);
}

#[test]
fn each_word_of_any_nesting_is_in_the_text_once() {
    hold("text", &[], text::holds);
}

#[test]
fn what_reads_as_a_name_is_written_in_one_form() {
    hold("urn", &[], urn::holds);
}

#[test]
fn any_token_is_read_or_refused() {
    hold("token", &[], token::holds);
}

#[test]
fn any_bytes_instead_of_a_pack_give_no_more_than_is_stated() {
    hold("pack", &[], pack::holds);
}

#[test]
fn any_table_of_correspondence_is_read_or_refused() {
    hold("lineage", &[], lineage::holds);
}

#[test]
fn any_archive_is_opened_or_refused() {
    hold("package", &["samples/broken"], package::holds);
}
