//! SQLite file: created for its owner only, opened read-only if it cannot be written, and compared with
//! what is at its path later.

use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use url::Url;

use super::{connect, query};
use crate::engine::Sql;
use crate::{Result, StoreError, StoreOptions};

/// Makes the file and its folders if they are missing. SQLite gives its other files (log and index) the mode
/// of this one.
pub(super) fn make(path: &Path) -> Result<()> {
    let tried = |what: &str, path: &Path| format!("make the {what} {}", path.display());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder).map_err(|e| StoreError::unavailable(&tried("folder", folder), e))?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists && !path.exists() => {
            Err(StoreError::unavailable(&tried("file", path), error))
        }
        _ => Ok(()),
    }
}

/// Makes a folder and those above it if they are missing, for their owner only.
///
/// # Errors
/// Those of the file system.
pub fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// True if this program cannot write the file or a file next to it.
pub(super) fn is_read_only(path: &Path) -> bool {
    let denied = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
    };
    if let Err(error) = OpenOptions::new().write(true).open(path) {
        return denied(&error);
    }
    let probe = sibling(path, "-probe");
    match OpenOptions::new().write(true).create_new(true).open(&probe) {
        Ok(_) => {
            drop(std::fs::remove_file(&probe));
            false
        }
        Err(error) => denied(&error),
    }
}

/// A file that cannot be written.
pub(super) struct ReadOnlyFile {
    /// A path, or the address of an immutable file.
    address: PathBuf,
}

impl ReadOnlyFile {
    pub(super) fn connect(&self, settings: &StoreOptions) -> Result<Connection> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        connect(&self.address, settings, flags)
    }
}

/// Looks at a file that cannot be written: it is opened as immutable, unless it has a write-ahead log, which
/// shows that somebody is writing or did not finish.
pub(super) fn open_read_only(path: &Path) -> Result<ReadOnlyFile> {
    let log = sibling(path, "-wal");
    let has_log = match log.metadata() {
        Ok(log) => log.len() > 0,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        // An immutable file is read without its log: not before it is known that there is none.
        Err(error) => return Err(StoreError::unavailable(&format!("look for {}", log.display()), error)),
    };
    if !has_log {
        let address = immutable(path).unwrap_or_else(|| path.to_owned());
        return Ok(ReadOnlyFile { address });
    }
    let file = ReadOnlyFile { address: path.to_owned() };
    let look = Sql::new("SELECT name FROM sqlite_schema LIMIT 1");
    let found = file.connect(&StoreOptions::default()).and_then(|connection| query(&connection, &look));
    if let Err(error) = found {
        let (file, log) = (path.display(), log.display());
        let hint = "run `norma store stats` where the store can be written, then copy it again";
        let what = format!(
            "{file} cannot be written, and what {log} contains must be written back into it first: {hint} ({error})"
        );
        return Err(StoreError::Invalid(what));
    }
    Ok(file)
}

/// The address of a file that does not change while it is open (SQLite documentation, URI filenames).
fn immutable(path: &Path) -> Option<PathBuf> {
    let mut address = Url::from_file_path(std::path::absolute(path).ok()?).ok()?;
    address.set_query(Some("immutable=1"));
    Some(PathBuf::from(String::from(address)))
}

fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The file that a store has opened.
pub(super) struct OpenedFile {
    path: PathBuf,
    /// Device and inode; `None` where the system has no such numbers.
    identity: Option<(u64, u64)>,
}

impl OpenedFile {
    /// The file at this path.
    pub(super) fn new(path: &Path) -> Result<Self> {
        let found = path.metadata().map_err(|error| {
            StoreError::unavailable(&format!("look at the file {}", path.display()), error)
        })?;
        Ok(Self { path: path.to_owned(), identity: identity(&found) })
    }

    /// Compares the file that is at the path now with the opened one.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] where it is another one, or where there is none.
    pub(super) fn expect_same_file(&self) -> Result<()> {
        match self.path.metadata() {
            Ok(found) if identity(&found) == self.identity => Ok(()),
            Ok(_) => Err(self.replaced("another file is there now".to_owned())),
            Err(error) => Err(self.replaced(format!("the file cannot be found ({error})"))),
        }
    }

    /// The error where `found` is there instead of the opened file.
    pub(super) fn replaced(&self, found: String) -> StoreError {
        StoreError::Replaced { location: format!("sqlite:{}", self.path.display()), found }
    }
}

/// Device and inode of a file.
#[cfg(unix)]
fn identity(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(_found: &Metadata) -> Option<(u64, u64)> {
    None
}
