//! Grids of tables of the samples, and of real documents if present, compared with pandas; and the targets of
//! their references.
//!
//! Documents are in the folder that `NORMA_CORPUS` names, else in `../shared/corpus` next to the checkout.
//! Without a Python with pandas in `NORMA_VENV`, the test on grids says so and proves nothing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use norma_api::media::View;
use norma_render::{Compression, PackDirectory, PackPart, render};
use serde_json::Value;

/// The documents of the samples and those of the corpus.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let files = [root.join("samples"), corpus.join("sts")].into_iter().flat_map(walkdir::WalkDir::new);
    files
        .filter_map(|entry| Some(entry.ok()?.into_path()))
        .filter(|path| path.extension().is_some_and(|e| e == "xml"))
        .filter(|path| path.parent().is_none_or(|folder| !folder.ends_with("broken")))
        .collect()
}

/// Views of a document by their parts; `None` for a document that is refused.
fn views(document: &Path) -> Option<impl Fn(View) -> Value> {
    let source = std::fs::read(document).unwrap();
    let edition = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default()).ok()?.edition;
    let assets = vec![None; edition.graphics.len()];
    let pack = render(&edition, &assets, "0123456789abcdef", &source, b"", Compression::with_level(1));
    let directory = PackDirectory::parse(&pack.directory).unwrap();
    Some(move |view| {
        let part = PackPart::of(view).unwrap();
        let range = &directory.part(part).range;
        let stored = pack.bytes.slice(range.start as usize..range.end as usize);
        serde_json::from_slice(&directory.identity(part, stored).unwrap()).unwrap()
    })
}

fn items<'v>(view: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    view[member].as_array().into_iter().flatten()
}

#[test]
fn grids_of_tables_are_those_that_pandas_reads() {
    let Some(python) = std::env::var_os("NORMA_VENV").map(|venv| Path::new(&venv).join("bin/python")) else {
        eprintln!("NORMA_VENV is not set; nothing is proved here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables.py"));
    for (at, document) in documents().iter().enumerate() {
        let Some(view) = views(document) else { continue };
        let tables = folder.path().join(format!("{at}.json"));
        std::fs::write(&tables, view(View::Tables).to_string()).unwrap();
        command.arg(document).arg(tables);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let (different, counts): (Vec<&str>, Vec<&str>) = lines.lines().partition(|line| line.contains("path"));
    eprintln!("{}", counts.concat());
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn each_target_of_a_reference_is_an_object_that_some_answer_has() {
    let mut targets = 0;
    for document in documents() {
        let Some(view) = views(&document) else { continue };
        let mut ids = BTreeSet::new();
        for (view, list) in [
            (view(View::Content), "sections"),
            (view(View::Graphics), "items"),
            (view(View::Tables), "items"),
            (view(View::Terms), "items"),
        ] {
            ids.extend(items(&view, list).filter_map(|item| Some(item["id"].as_str()?.to_owned())));
        }
        let provisions = view(View::Provisions);
        for provision in items(&provisions, "items") {
            for target in
                items(provision, "references").filter_map(|reference| reference["targetId"].as_str())
            {
                targets += 1;
                assert!(
                    ids.contains(target),
                    "{}: {} refers to {target}",
                    document.display(),
                    provision["label"]
                );
            }
        }
    }
    assert!(targets > 0);
}
