//! Opening of the store that the settings name: for a service, for a command, or to migrate it.

use norma_render::{PackDirectory, PackPart};
use norma_store::{Location, Migrated, Store};

use norma_settings::StoreSettings;

/// Memory for the bytes of blobs in a command that ends.
const WORKING_CACHE: u64 = 4 << 20;

/// Opens the store that the settings name, creating it where none exists, and migrating an older one where
/// the settings allow.
pub async fn open_store(settings: &StoreSettings) -> Result<Store, norma_store::StoreError> {
    let (location, how) = store_settings(settings)?;
    Store::open(&location, &how).await
}

/// Makes the schema of the store that the settings name, or migrates it to the version of this program.
pub async fn migrate_store(settings: &StoreSettings) -> Result<Migrated, norma_store::StoreError> {
    let (location, how) = store_settings(settings)?;
    Store::migrate(&location, &how).await
}

/// Opens the store for a command that works on it and ends: with little memory for bytes, since none are read
/// twice. Where none exists, it is created, and an older one is migrated, only if `make` says so.
pub async fn open_store_to_work(
    settings: &StoreSettings,
    make: bool,
) -> Result<Store, norma_store::StoreError> {
    let (location, mut how) = store_settings(settings)?;
    how.make = make;
    how.blob_cache_bytes = how.blob_cache_bytes.min(WORKING_CACHE);
    how.mmap_bytes = 0;
    Store::open(&location, &how).await
}

fn store_settings(
    settings: &StoreSettings,
) -> Result<(Location, norma_store::StoreOptions), norma_store::StoreError> {
    let mut location: Location = settings.store.parse()?;
    if !settings.blobs.is_empty() {
        location = location.with_blobs(&settings.blobs);
    }
    let mut how = norma_store::StoreOptions::default();
    how.migrate = settings.migrate;
    how.connections = settings.store_connections;
    how.acquire_timeout = settings.store_timeout.std();
    how.object_timeout = settings.object_timeout.std();
    how.refresh_interval = settings.poll_interval.std();
    how.max_staleness = settings.max_staleness.std();
    how.blob_cache_bytes = settings.cache_size.bytes();
    how.discoverable = |directory| {
        let directory = PackDirectory::parse(directory);
        let range = |part| directory.as_ref().map(|directory| directory.part(part).range.clone());
        [PackPart::Head, PackPart::Sections].into_iter().filter_map(range).collect()
    };
    Ok((location, how))
}
