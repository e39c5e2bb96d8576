//! Seeds of the fuzz target `pack`: rendered editions, which must be the present rendering.
//!
//! Set `NORMA_WRITE_DOCS` to write them again.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::PathBuf;

use norma_render::Compression;
use support::{Rendered, example, rendered};

fn compare(path: &str, written: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, written).unwrap();
    }
    let current = std::fs::read(&path).unwrap_or_default();
    assert!(current == written, "{} is out of date: run `just documents`", path.display());
}

/// A seed: the lengths of directory and places in two bytes each, these two, and the pack.
fn seed(rendered: &Rendered) -> Vec<u8> {
    let directory = &rendered.pack.directory;
    let offsets =
        rendered.assemble(norma_render::Plan::part(norma_render::PackPart::Offsets, &rendered.directory));
    let lengths = [directory.len(), offsets.len()].map(|length| u16::try_from(length).unwrap().to_le_bytes());
    [&lengths.concat()[..], directory, &offsets, &rendered.pack.bytes].concat()
}

#[test]
fn the_seeds_of_the_fuzz_target_are_packs_of_this_version() {
    compare("fuzz/corpus/pack/example", &seed(&rendered()));
    let (mut parts, assets) = example::edition();
    // Enough for restart points.
    let text = "A ground anchor shall bear 20 kN. ".repeat(300);
    parts.sections.iter_mut().for_each(|section| section.text.push_str(&text));
    let edition = norma_model::Edition::new(parts).unwrap();
    let large = norma_render::render(
        &edition,
        &assets,
        example::REVISION,
        &[b'x'; 2000],
        b"",
        Compression::with_level(6),
    );
    compare("fuzz/corpus/pack/restarts", &seed(&Rendered::of(large)));
}
