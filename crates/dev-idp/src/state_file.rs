//! State file: keys and registrations over a restart, replaced atomically.

use std::{fs, io::ErrorKind, path::Path};

use norma_files::FileReaders;
use serde::{Deserialize, Serialize};

use crate::{DevIdpError, directory::TenantDirectory, keys::KeyRecord};

const FORMAT: u32 = 1;

/// Content of the state file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateFile {
    format: u32,
    pub(crate) keys: Vec<KeyRecord>,
    pub(crate) tenants: TenantDirectory,
}

impl StateFile {
    pub(crate) fn new(keys: Vec<KeyRecord>, tenants: TenantDirectory) -> StateFile {
        StateFile { format: FORMAT, keys, tenants }
    }

    /// Reads the file; `None` when it does not exist yet.
    pub(crate) fn read(path: &Path) -> Result<Option<StateFile>, DevIdpError> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(DevIdpError::read(path, error)),
        };
        let state: StateFile =
            serde_json::from_slice(&text).map_err(|error| DevIdpError::read(path, error))?;
        if state.format != FORMAT {
            let reason = format!("expected format {FORMAT}, found {}; remove the file", state.format);
            return Err(DevIdpError::read(path, reason));
        }
        Ok(Some(state))
    }

    /// Replaces the file in one step. It has private keys: only its owner may read it.
    pub(crate) fn write(&self, path: &Path) -> Result<(), DevIdpError> {
        let text = serde_json::to_vec_pretty(self).map_err(|error| DevIdpError::write(path, error))?;
        norma_files::write(path, text, FileReaders::Owner).map_err(|error| DevIdpError::write(path, error))
    }
}
