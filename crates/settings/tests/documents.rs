//! Section on settings of docs/operations.md. NORMA_WRITE_DOCS=1 writes it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::fmt::Write;
use std::path::Path;

#[test]
fn the_section_on_settings_is_what_the_defaults_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let heading = "\n## Settings\n";
    let (before, _) = page.split_once(heading).expect("the page has a section on settings");
    let mut expected = format!(
        "{before}{heading}\nAs `norma help settings` prints them; written from `crates/settings/src/default.toml` by \
         `just documents`.\n"
    );
    let mut section = String::new();
    for key in norma_settings::keys() {
        if key.section != section {
            section.clone_from(&key.section);
            write!(expected, "\n### `[{section}]`\n\n| setting | default | meaning |\n|---|---|---|\n")
                .unwrap();
        }
        writeln!(expected, "| `{}` | `{}` | {} |", key.name, key.default, key.doc.replace('|', "\\|"))
            .unwrap();
    }
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "run with NORMA_WRITE_DOCS=1");
}
