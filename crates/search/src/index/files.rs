//! Files of an index. Postings and positions are read from the disk by each search; the other files are read
//! once. None is mapped: where the disk fails or a file was cut short, a mapped file ends the process.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crc_fast::CrcAlgorithm;
use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, WatchCallback, WatchHandle,
    WritePtr,
};

/// Endings of the files that are read once: the terms and numbers that each search needs as a whole, and the
/// removed units. They are about 15 of 130 bytes.
const IN_MEMORY: [&str; 3] = ["term", "fast", "del"];
/// Bytes that are read at once to compare a file with its checksum.
const CHUNK: usize = 1 << 16;
/// Longest footer that the engine accepts, in bytes.
const LONGEST_FOOTER: u32 = 50_000;
/// Bytes after the footer: its length and a magic number.
const FOOTER_END: u64 = 8;

/// The files of an index in a folder. Clones share what was read.
#[derive(Clone, Debug)]
pub(super) struct IndexFiles {
    folder: PathBuf,
    /// Writes, lists and locks files. It maps those that it reads.
    writing: MmapDirectory,
    opened: Arc<Mutex<HashMap<PathBuf, Weak<dyn FileHandle>>>>,
}

impl IndexFiles {
    /// The files in a folder, which is there.
    pub(super) fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { folder: folder.to_owned(), writing: MmapDirectory::open(folder)?, opened: Arc::default() })
    }
}

impl Directory for IndexFiles {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = opened.get(path).and_then(Weak::upgrade) {
            return Ok(handle);
        }
        let handle = match open(&self.folder.join(path)) {
            Ok(handle) => handle,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
            }
            Err(error) => return Err(OpenReadError::wrap_io_error(error, path.to_owned())),
        };
        opened.retain(|_, handle| handle.strong_count() > 0);
        opened.insert(path.to_owned(), Arc::downgrade(&handle));
        Ok(handle)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.writing.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.writing.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.writing.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.writing.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.writing.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.writing.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.writing.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.writing.watch(callback)
    }
}

fn open(path: &Path) -> io::Result<Arc<dyn FileHandle>> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    if IN_MEMORY.contains(&ending) {
        return Ok(Arc::new(OwnedBytes::new(std::fs::read(path)?)));
    }
    let file = File::open(path)?;
    let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    Ok(Arc::new(OpenFile { file, length }))
}

/// A file that is read where a search asks for a part of it.
#[derive(Debug)]
struct OpenFile {
    file: File,
    length: usize,
}

impl HasLen for OpenFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for OpenFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let mut bytes = vec![0; range.len()];
        self.file.read_exact_at(&mut bytes, range.start as u64)?;
        Ok(OwnedBytes::new(bytes))
    }
}

/// What the engine writes at the end of a file.
#[derive(serde::Deserialize)]
struct Footer {
    crc: u64,
}

/// True for a file with the checksum that the engine wrote at its end. It is read piece by piece: the
/// engine's own comparison needs it in memory.
///
/// # Errors
/// The file cannot be read, or has no checksum.
pub(super) fn has_its_checksum(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    let (body, footer) = read_footer(&file)?;
    let mut digest = crc_fast::Digest::new(CrcAlgorithm::Crc32IsoHdlc);
    let mut chunk = vec![0; CHUNK];
    let mut offset = 0;
    while offset < body {
        let left = usize::try_from(body - offset).unwrap_or(usize::MAX);
        let part = &mut chunk[..left.min(CHUNK)];
        file.read_exact_at(part, offset)?;
        digest.update(part);
        offset += part.len() as u64;
    }
    Ok(digest.finalize() == footer.crc)
}

/// The length in bytes of what is before the footer of a file, and the footer.
fn read_footer(file: &File) -> io::Result<(u64, Footer)> {
    let Some(footer_end) = file.metadata()?.len().checked_sub(FOOTER_END) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let mut length = [0; 4];
    file.read_exact_at(&mut length, footer_end)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST_FOOTER {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let Some(footer_start) = footer_end.checked_sub(length.into()) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let mut footer = vec![0; length as usize];
    file.read_exact_at(&mut footer, footer_start)?;
    Ok((footer_start, serde_json::from_slice(&footer)?))
}
