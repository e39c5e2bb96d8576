//! Local folder of objects, written so that they survive a power failure.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::sqlite::file::make_folder;
use crate::{Result, StoreError};

/// The folder with a store's objects, each in a subfolder.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The subfolders whose own entries this process has synced.
    synced: Mutex<HashSet<PathBuf>>,
}

impl Folder {
    /// Makes it where it is missing.
    pub(crate) fn open(path: PathBuf) -> Result<Self> {
        if !path.is_dir() {
            let made = make_folder(&path).and_then(|()| path.parent().map_or(Ok(()), sync));
            made.map_err(|e| StoreError::unavailable("make the folder for blobs", e))?;
        }
        Ok(Self { path, synced: Mutex::default() })
    }

    /// Writes a new file under a unique name, and returns when the file and its folder are on the disk. A
    /// write that is interrupted leaves a file that no row of the catalogue names; `gc` removes it after a
    /// while.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        let within = path.parent().unwrap_or(&self.path);
        if !self.is_synced(within) {
            // The writer that made it may not have synced it yet.
            make_folder(within)?;
            sync(&self.path)?;
            self.synced().insert(within.to_owned());
        }
        let file = private(OpenOptions::new().write(true).create_new(true)).open(&path)?;
        let written = write_synced(file, bytes, within);
        if written.is_err() {
            // The incomplete object is removed: no row will name it, and the disk may be full.
            drop(std::fs::remove_file(&path));
        }
        written
    }

    fn synced(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.synced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_synced(&self, subfolder: &Path) -> bool {
        let was_synced = self.synced().contains(subfolder);
        // Somebody may have removed it since.
        was_synced && subfolder.is_dir()
    }
}

fn write_synced(mut file: File, bytes: &[u8], folder: &Path) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()?;
    sync(folder)
}

/// Options for a file that only this user may read.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Syncs the entries of a folder to the disk, if the system can.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_there_whole_and_a_name_is_used_once() {
        let above = tempfile::tempdir().unwrap();
        let folder = Folder::open(above.path().join("blobs")).unwrap();
        for name in ["ab/one", "ab/two", "cd/one"] {
            folder.write(name, name.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(folder.path.join(name)).unwrap(), name);
        }
        let again = folder.write("ab/one", b"another").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(folder.path.join("ab/one")).unwrap(), "ab/one");
    }

    #[cfg(unix)]
    #[test]
    fn only_their_owner_may_read_files_and_enter_folders() {
        use std::os::unix::fs::PermissionsExt;
        let above = tempfile::tempdir().unwrap();
        let folder = Folder::open(above.path().join("blobs")).unwrap();
        folder.write("ab/one", b"one").unwrap();
        let mode =
            |path: &str| std::fs::metadata(above.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!([mode("blobs"), mode("blobs/ab"), mode("blobs/ab/one")], [0o700, 0o700, 0o600]);
    }
}
