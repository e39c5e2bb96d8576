//! Tests that the generated documents in `docs/` are up to date.
//!
//! Set `NORMA_WRITE_DOCS` to write them again.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn compare(name: &str, written: &str) {
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::write(docs(name), written).unwrap();
    }
    let stored = std::fs::read_to_string(docs(name)).unwrap_or_default();
    assert!(stored == written, "docs/{name} is out of date: run this test with NORMA_WRITE_DOCS=1");
}

#[test]
fn the_page_of_problems_is_up_to_date() {
    compare("problems.md", &norma_api::problem::markdown());
}

#[test]
fn the_openapi_document_is_up_to_date() {
    let document = serde_json::to_string_pretty(&norma_api::openapi::snapshot()).unwrap();
    compare("openapi.json", &(document + "\n"));
}
