//! Page of diagnostics. NORMA_WRITE_DOCS=1 writes it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::path::Path;

#[test]
fn the_page_of_diagnostics_is_what_the_code_can_report() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let page = norma_ingest::diagnostics::markdown();
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), page, "run with NORMA_WRITE_DOCS=1");
}
