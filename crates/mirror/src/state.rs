//! The state of a mirror: where changes go on, and which revision each copy is of. It is written after the
//! files that it speaks of.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use norma_files::FileReaders;
use serde::{Deserialize, Serialize};

use crate::MirrorError;

/// The version of the form.
const VERSION: u32 = 1;

/// The state of a mirror or a watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MirrorState {
    version: u32,
    /// URL of the service.
    service: String,
    /// Where changes go on; `None` before the first answer.
    pub(crate) cursor: Option<String>,
    /// All standards are to be listed before changes are followed.
    pub(crate) listing: bool,
    /// The copies, by URN.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) standards: BTreeMap<String, CopyState>,
}

/// What is known of a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CopyState {
    pub(crate) revision: String,
    pub(crate) status: String,
    /// Entity tag of `standard.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) etag: Option<String>,
    /// It is not known whether the copy is current.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_doubtful: bool,
}

impl MirrorState {
    /// The state before the first run.
    pub(crate) fn new(service: &str) -> Self {
        let service = service.to_owned();
        Self { version: VERSION, service, cursor: None, listing: true, standards: BTreeMap::new() }
    }

    /// Reads the state of a service; a new one where there is no file.
    ///
    /// # Errors
    /// The file cannot be read, has no state, or is of another service.
    pub(crate) fn read(path: &Path, service: &str) -> Result<Self, MirrorError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::new(service)),
            Err(error) => return Err(MirrorError::file(path)(error)),
        };
        let wrong = |reason: String| MirrorError::State { path: path.to_owned(), reason };
        let state: Self = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if state.version != VERSION {
            return Err(wrong(format!("its version is {}, expected {VERSION}", state.version)));
        }
        if state.service != service {
            let (found, expected) = (state.service, service.to_owned());
            return Err(MirrorError::OtherService { path: path.to_owned(), found, expected });
        }
        Ok(state)
    }

    /// Writes the state in one step.
    ///
    /// # Errors
    /// The file cannot be written; the one before is there.
    pub(crate) fn write(&self, path: &Path) -> Result<(), MirrorError> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("texts always serialise");
        bytes.push(b'\n');
        norma_files::write(path, bytes, FileReaders::Owner).map_err(MirrorError::file(path))
    }

    /// Lists all again, and asks of each copy whether it is current: other grants also show other amendments.
    pub(crate) fn doubt(&mut self) {
        self.listing = true;
        for copy in self.standards.values_mut() {
            copy.is_doubtful = true;
        }
    }

    /// Begins again, since the cursor ended.
    pub(crate) fn begin_again(&mut self) {
        self.cursor = None;
        self.doubt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy() -> CopyState {
        CopyState { revision: "r".to_owned(), status: "published".to_owned(), etag: None, is_doubtful: false }
    }

    #[test]
    fn a_state_reads_back_and_one_of_another_service_or_form_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mirror.json");
        let mut state = MirrorState::read(&path, "https://one.example").unwrap();
        assert_eq!(state, MirrorState::new("https://one.example"));
        state.standards.insert("urn:a".to_owned(), copy());
        state.cursor = Some("c".to_owned());
        state.write(&path).unwrap();
        assert_eq!(MirrorState::read(&path, "https://one.example").unwrap(), state);
        let other = MirrorState::read(&path, "https://two.example").unwrap_err();
        assert!(matches!(other, MirrorError::OtherService { .. }), "{other}");
        std::fs::write(&path, "{}").unwrap();
        assert!(matches!(MirrorState::read(&path, "x").unwrap_err(), MirrorError::State { .. }));
    }

    #[test]
    fn a_state_that_begins_again_keeps_its_copies_and_trusts_none() {
        let mut state = MirrorState::new("s");
        (state.cursor, state.listing) = (Some("c".to_owned()), false);
        state.standards.insert("urn:a".to_owned(), copy());
        state.begin_again();
        assert_eq!((state.cursor, state.listing), (None, true));
        assert!(state.standards["urn:a"].is_doubtful);
    }
}
