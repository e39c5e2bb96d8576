//! A check: everything is read again and compared with the copies. Nothing is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::pin::pin;

use bytes::Bytes;
use futures::TryStreamExt;
use norma_client::shapes::AccessLevel;
use norma_client::{ListFilters, ListQuery};

use crate::folder::{EditionFiles, folder_name};
use crate::{Mirror, MirrorError, MirrorEvent, edition};

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Editions that were compared.
    pub compared: u64,
    /// What differs, in the order of the list.
    pub differences: Vec<MirrorDifference>,
}

/// A difference between the service and the copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MirrorDifference {
    /// There is no copy of an edition that the caller may read.
    Missing(String),
    /// A file of a copy is missing, or is not what the service answers; or there is one more.
    Other {
        /// URN of the edition.
        urn: String,
        /// The file, by its path in the folder of the edition.
        file: String,
    },
    /// There is a folder of an edition that the caller may not read.
    Extra(String),
}

impl std::fmt::Display for MirrorDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(urn) => write!(f, "missing: {urn}"),
            Self::Other { urn, file } => write!(f, "differs: {urn} {file}"),
            Self::Extra(name) => write!(f, "not licensed: {name}"),
        }
    }
}

impl Mirror {
    /// Reads all that the caller may read, and compares each file with its copy.
    ///
    /// # Errors
    /// The service or the folder cannot be read.
    pub async fn check(
        &mut self,
        on_event: &mut (dyn FnMut(MirrorEvent<'_>) + Send),
    ) -> Result<CheckReport, MirrorError> {
        let mut report = CheckReport::default();
        let mut listed = BTreeSet::new();
        let filters = ListFilters { access: vec![AccessLevel::Read], ..ListFilters::default() };
        let client = self.client.clone();
        let mut pages = pin!(client.pages(ListQuery { filters, ..ListQuery::default() }));
        while let Some(page) = pages.try_next().await? {
            on_event(MirrorEvent::Planned(page.items.len() as u64));
            for item in page.items {
                let urn = item.urn.into_owned();
                // One that may not be read any more is not compared; its copy goes with the next run.
                if let Some(found) = edition::read(&self.client, &urn).await? {
                    report.differences.extend(compare(&self.folder.edition(&urn), &urn, found.files)?);
                    report.compared += 1;
                }
                listed.insert(folder_name(&urn));
                on_event(MirrorEvent::Unchanged(&urn));
            }
        }
        for name in self.folder.names()? {
            if !listed.contains(&name) {
                report.differences.push(MirrorDifference::Extra(name));
            }
        }
        Ok(report)
    }
}

/// Compares the files of an edition with its copy.
fn compare(folder: &Path, urn: &str, files: EditionFiles) -> Result<Vec<MirrorDifference>, MirrorError> {
    if !folder.is_dir() {
        return Ok(vec![MirrorDifference::Missing(urn.to_owned())]);
    }
    let expected: BTreeMap<String, Bytes> = files.into_iter().collect();
    let mut names: BTreeSet<String> = expected.keys().cloned().collect();
    names.extend(copied(folder)?);
    let mut different = Vec::new();
    for name in names {
        let copy = std::fs::read(folder.join(&name)).ok();
        if copy.as_deref() != expected.get(&name).map(|bytes| &**bytes) {
            different.push(MirrorDifference::Other { urn: urn.to_owned(), file: name });
        }
    }
    Ok(different)
}

/// The files in the folder of an edition, and in the folders of its tables and pictures. No copy has a name
/// that begins with a dot: file managers put such files into folders.
fn copied(folder: &Path) -> Result<Vec<String>, MirrorError> {
    let mut names = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).map_err(MirrorError::file(&next))? {
            let entry = entry.map_err(MirrorError::file(&next))?;
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                names.push(name.to_string_lossy().into_owned());
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_another_and_an_additional_file_are_found() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("edition");
        let files = || -> EditionFiles {
            let files = ["standard.json", "tables/t.csv", "content.txt"];
            files.map(|name| (name.to_owned(), Bytes::from(name))).into()
        };
        assert_eq!(compare(&folder, "urn", files()).unwrap(), [MirrorDifference::Missing("urn".to_owned())]);
        std::fs::create_dir_all(folder.join("tables")).unwrap();
        for (name, bytes) in files() {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        assert_eq!(compare(&folder, "urn", files()).unwrap(), []);
        std::fs::write(folder.join("standard.json"), "x").unwrap();
        std::fs::write(folder.join("more"), "x").unwrap();
        std::fs::write(folder.join("tables/.DS_Store"), "x").unwrap();
        std::fs::remove_file(folder.join("tables/t.csv")).unwrap();
        let found = compare(&folder, "urn", files()).unwrap();
        let other = |file: &str| MirrorDifference::Other { urn: "urn".to_owned(), file: file.to_owned() };
        assert_eq!(found, [other("more"), other("standard.json"), other("tables/t.csv")]);
    }
}
