//! The client for Python: its lints, types and tests, from the built wheel in a new environment.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::path::Path;
use std::process::Command;

use support::installed;

#[test]
fn the_client_for_python_passes_its_tests() {
    let Some(_) = installed("NORMA_VENV") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/test");
    let output = Command::new(script).env("NORMA_PROGRAM", env!("CARGO_BIN_EXE_norma")).output().unwrap();
    let printed = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&printed));
}
