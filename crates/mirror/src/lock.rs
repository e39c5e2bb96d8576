//! Files that one process at a time holds.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::MirrorError;

/// Locks a file, and makes it where it is missing. The lock ends with the file that is returned.
///
/// # Errors
/// It cannot be made, or another process holds it.
pub(crate) fn lock(path: &Path) -> Result<File, MirrorError> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
    let file = file.map_err(MirrorError::file(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(MirrorError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(MirrorError::file(path)(error)),
    }
}
