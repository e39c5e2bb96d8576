//! The file of `--ready-file`: it is there only while the program is ready.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;

use super::write_private;

/// Longest ready file of an earlier run, in bytes; one of `norma demo` has a few kilobytes.
const MAX_BYTES: u64 = 1 << 20;

/// A file with the addresses of the program, which exists only while the program is ready.
pub(crate) struct ReadyFile {
    path: Option<PathBuf>,
    /// What was written to it.
    text: Option<String>,
}

impl ReadyFile {
    /// Removes the file of an earlier run that could not do so itself.
    ///
    /// # Errors
    /// Something else is there: another file, a folder, link, device or pipe. It is left as it is.
    pub(crate) fn new(path: Option<PathBuf>) -> anyhow::Result<Self> {
        if let Some(path) = &path {
            remove_left_over(path)?;
        }
        Ok(Self { path, text: None })
    }

    /// Writes it in one step.
    pub(crate) fn write(&mut self, text: String) -> anyhow::Result<()> {
        if let Some(path) = &self.path {
            write_private(path, &text)?;
            self.text = Some(text);
        }
        Ok(())
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        if let (Some(path), Some(text)) = (&self.path, &self.text) {
            // Another program may have put its own file there meanwhile.
            if std::fs::read_to_string(path).is_ok_and(|found| found == *text) {
                drop(std::fs::remove_file(path));
            }
        }
    }
}

fn remove_left_over(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let Ok(found) = path.symlink_metadata() else { return Ok(()) };
    if !found.is_file() {
        bail!(
            "expected a regular file at `--ready-file {shown}`, or nothing; found something else: name another path"
        );
    }
    if found.len() > MAX_BYTES || !is_of_earlier_run(path) {
        bail!(
            "expected the ready file of an earlier run at `--ready-file {shown}`, or nothing; found another file: name \
             another path, or delete the file"
        );
    }
    std::fs::remove_file(path)
        .with_context(|| format!("cannot remove {shown}, the ready file of an earlier run"))
}

/// True if a file has the addresses of a service, as ready files do.
fn is_of_earlier_run(path: &Path) -> bool {
    let Ok(text) = std::fs::read(path) else { return false };
    serde_json::from_slice(&text).is_ok_and(|content: Value| content["baseUrl"].is_string())
}
