//! `--state FILE`: the ids of sections, terms, tables and pictures that survive an edition.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use norma_client::Client;
use norma_export::{ExportedDocument, IdentityState, PartIds};

use super::super::write_private;
use super::whole_comparison;

/// The state that a file has.
pub(super) struct ExportStateFile {
    path: PathBuf,
    state: IdentityState,
}

impl ExportStateFile {
    /// Reads a file, which is not the one that gets the export; one that does not exist has no ids yet.
    pub(super) fn read(path: &Path, output: Option<&Path>) -> anyhow::Result<Self> {
        if output.is_some_and(|output| is_same_file(path, output)) {
            bail!("expected two files for `--state` and `--output`, found {} for both", path.display());
        }
        // What cannot be written is refused before the export, not after it.
        norma_files::replaceable(path).with_context(|| format!("cannot write {}", path.display()))?;
        if canonical(path).is_none() {
            bail!("cannot write {}: its folder does not exist", path.display());
        }
        let state = match std::fs::read_to_string(path) {
            Ok(json) => IdentityState::parse(&json).with_context(|| path.display().to_string())?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => IdentityState::default(),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        Ok(Self { path: path.to_owned(), state })
    }

    /// The ids of a standard, for which it is compared with the edition that the state has, if it has one.
    pub(super) async fn assign(
        &mut self,
        client: &Client,
        document: &ExportedDocument<'_>,
    ) -> anyhow::Result<PartIds> {
        let mut comparison = None;
        if let Some(previous) = self.state.previous(document) {
            let urn = &document.standard.bibliographic.urn;
            let mut filter = Vec::new();
            filter.extend(previous.revision.map(|revision| format!("withRevision={revision}")));
            let compared = whole_comparison(client, urn, &previous.urn, filter).await;
            comparison = Some(compared.with_context(|| {
                format!(
                    "{}: the ids of {urn} follow from its comparison with {}, which failed",
                    self.path.display(),
                    previous.urn
                )
            })?);
        }
        Ok(self.state.assign(document, comparison.as_ref()))
    }

    /// Writes the file, once the export is written.
    pub(super) fn write(self) -> anyhow::Result<()> {
        write_private(&self.path, self.state.to_json())
            .context("the export is written, but not its ids: do not import it, and repeat the command")
    }
}

/// True if two paths name one file, through whatever links and folders, even if it does not exist yet.
fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || canonical(one).is_some_and(|one| canonical(other) == Some(one))
}

/// The path without links of a file that may not exist yet; `None` where its folder does not exist.
fn canonical(path: &Path) -> Option<PathBuf> {
    if let Ok(found) = path.canonicalize() {
        return Some(found);
    }
    let folder = norma_files::folder_of(path).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_is_known_by_each_of_its_paths() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("below")).unwrap();
        std::fs::write(path("a"), "").unwrap();
        std::os::unix::fs::symlink(path("a"), path("link")).unwrap();
        std::os::unix::fs::symlink(folder.path(), path("folder")).unwrap();
        for name in ["a", "below/../a", "./a", "link", "folder/a"] {
            assert!(is_same_file(&path("a"), &path(name)), "{name}");
        }
        for name in ["new", "below/../new", "folder/new"] {
            assert!(is_same_file(&path("new"), &path(name)), "{name}");
        }
        for name in ["b", "below/a", "absent/a"] {
            assert!(!is_same_file(&path("a"), &path(name)), "{name}");
        }
    }
}
