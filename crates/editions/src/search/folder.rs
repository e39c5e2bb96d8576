//! The folder of the search index.

use std::path::PathBuf;

use norma_settings::{SearchSettings, StoreSettings};
use norma_store::Location;

/// True where instances on several machines may use a store: it is in PostgreSQL.
pub(super) fn is_shared(store: &StoreSettings) -> bool {
    let location: Option<Location> = store.store.parse().ok();
    location.is_some_and(|location| location.file().is_none())
}

/// The folder of the index of an instance with this store.
pub fn index_folder(search: &SearchSettings, store: &StoreSettings) -> PathBuf {
    if !search.search_dir.is_empty() {
        return PathBuf::from(&search.search_dir);
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
