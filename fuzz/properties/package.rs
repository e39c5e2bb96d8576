//! Any archive is opened or refused; what an opened one gives stays within its bounds and its own folder.

use std::io::Write;

use norma_ingest::{IngestLimits, Package};
use norma_settings::Settings;

/// Holds for any bytes.
pub(crate) fn holds(bytes: &[u8]) {
    let limits = IngestLimits::new(&Settings::defaults().ingest);
    let mut file = tempfile::Builder::new().suffix(".zip").tempfile().expect("a file for the archive");
    file.write_all(bytes).expect("the archive is written");
    let Ok(package) = Package::open(file.path(), &limits) else { return };
    // Anything else than an archive is read as a document, with the folder around it, which this property
    // does not cover.
    if package.is_of_files() {
        return;
    }
    for name in package.names() {
        assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."), "{name}");
        if let Ok(read) = package.read(name, 1 << 20, "max-file-size") {
            assert!(read.len() <= 1 << 20);
        }
    }
}
