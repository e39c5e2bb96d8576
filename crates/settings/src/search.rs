//! Settings of the full-text search.

use std::path::PathBuf;

use norma_store::Location;
use serde::Deserialize;

use crate::{Size, StoreSettings};

/// The full-text search; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct SearchSettings {
    pub search: bool,
    pub search_dir: String,
    pub search_memory: Size,
}

impl SearchSettings {
    /// The folder of the index of an instance with this store.
    pub fn folder(&self, store: &StoreSettings) -> PathBuf {
        if !self.search_dir.is_empty() {
            return PathBuf::from(&self.search_dir);
        }
        let location: Option<Location> = store.store.parse().ok();
        match location.as_ref().and_then(Location::file) {
            Some(file) => {
                let mut folder = file.as_os_str().to_owned();
                folder.push("-search");
                folder.into()
            }
            None => "norma-search".into(),
        }
    }
}
