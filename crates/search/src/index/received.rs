//! Files of an index that another process wrote: given away at a commit, received, and searched.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tantivy::Index;

use super::error::IndexError;
use super::fields::schema;
use super::files::{IndexFiles, has_its_checksum};
use super::folder::{self, LIST};
use super::{SearchReader, reader_of, written};

/// The engine's list of the files that it may remove.
const MANAGED: &str = ".managed.json";
/// Ending of a file that is not whole yet.
const PARTIAL: &str = "partial";

/// The files of an index as of one commit. They stay readable when the index changes.
#[derive(Debug)]
pub struct CommittedFiles {
    /// The engine's list of segments.
    pub list: Vec<u8>,
    /// The files of the segments.
    pub files: Vec<CommittedFile>,
}

/// A file of a segment, which never changes.
#[derive(Debug)]
pub struct CommittedFile {
    /// Its name in the folder of the index.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// Its content, from the begin.
    pub file: File,
}

/// An index in a folder of this process whose files come from another one.
pub struct ReceivedIndex {
    inner: PathBuf,
    index: Option<Index>,
    /// Files that are as they were written.
    sound: HashSet<String>,
    /// Held as long as the index is open.
    _lock: File,
}

impl ReceivedIndex {
    /// Opens the folder of an index, which is created where it is missing and gets mode 0700. Files that are
    /// in it need not be received again.
    ///
    /// # Errors
    /// Another process uses the folder, it holds something else, or it cannot be written.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let lock = folder::lock(folder)?;
        let inner = folder::subfolder(folder);
        let failed = |reason| IndexError::Folder { path: folder.to_owned(), reason };
        if inner.is_dir() {
            folder::close_to_others(&inner).map_err(failed)?;
        } else {
            folder::empty_subfolder(folder).map_err(failed)?;
        }
        Ok(Self { inner, index: None, sound: HashSet::new(), _lock: lock })
    }

    /// True where a file is there as it was written. It is read once.
    pub fn has(&mut self, name: &str, size: u64) -> bool {
        if self.sound.contains(name) {
            return true;
        }
        let path = self.inner.join(name);
        let is_sound = is_file_name(name)
            && path.metadata().is_ok_and(|metadata| metadata.len() == size)
            && matches!(has_its_checksum(&path), Ok(true));
        if is_sound {
            self.sound.insert(name.to_owned());
        }
        is_sound
    }

    /// Compares all files with their checksums again, when they are asked for. Those that are received again
    /// replace what was read of them.
    pub fn distrust(&mut self) {
        self.sound.clear();
        self.index = None;
    }

    /// Begins to receive a file.
    ///
    /// # Errors
    /// The name is not that of a file of an index, or the folder cannot be written.
    pub fn receive(&self, name: &str) -> Result<ReceivedFile, IndexError> {
        if !is_file_name(name) {
            return Err(IndexError::Write(format!("{name:?} is not the name of a file of an index")));
        }
        let partial = self.inner.join(format!("{name}.{PARTIAL}"));
        let file = File::options().create(true).truncate(true).write(true).mode(0o600).open(&partial);
        let file = file.map_err(written)?;
        Ok(ReceivedFile { name: name.to_owned(), partial, path: self.inner.join(name), file })
    }

    /// Opens the segments of a list, whose files are there, and removes all other files. Readers that were
    /// opened before stay with the segments that they have: slots of these may be other editions now.
    ///
    /// # Errors
    /// The folder cannot be written, or the engine cannot read the files.
    pub fn open_segments(&mut self, list: &[u8], names: &[&str]) -> Result<SearchReader, IndexError> {
        // Where this process builds the index later, the engine removes the files that it no longer needs.
        let mut managed = names.to_vec();
        managed.push(LIST);
        let managed = serde_json::to_vec(&managed).map_err(written)?;
        for (name, bytes) in [(MANAGED, managed.as_slice()), (LIST, list)] {
            self.replace(name, bytes).map_err(written)?;
        }
        let reader = self.reader()?;
        self.remove_others(names).map_err(written)?;
        self.sound.retain(|name| names.contains(&name.as_str()));
        Ok(reader)
    }

    fn reader(&mut self) -> Result<SearchReader, IndexError> {
        let (expected, fields) = schema();
        let index = self.index.take();
        let open = || {
            let index = match index {
                Some(index) => index,
                None => Index::open(IndexFiles::open(&self.inner).ok()?).ok()?,
            };
            let reader = reader_of(&index).ok()?;
            let is_ours = index.schema() == expected;
            is_ours.then(|| (index, SearchReader { folder: self.inner.clone(), fields, reader }))
        };
        // The engine panics on some damaged files.
        let opened = catch_unwind(AssertUnwindSafe(open)).ok().flatten();
        let (index, reader) = opened.ok_or_else(|| IndexError::Damaged(self.inner.clone()))?;
        self.index = Some(index);
        Ok(reader)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let partial = self.inner.join(format!("{name}.{PARTIAL}"));
        let mut file = File::options().create(true).truncate(true).write(true).mode(0o600).open(&partial)?;
        file.write_all(bytes)?;
        std::fs::rename(&partial, self.inner.join(name))
    }

    fn remove_others(&self, names: &[&str]) -> io::Result<()> {
        for entry in self.inner.read_dir()? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            // Locks and lists of the engine begin with a dot.
            if name != LIST && !name.starts_with('.') && !names.contains(&name) {
                std::fs::remove_file(self.inner.join(name))?;
            }
        }
        Ok(())
    }
}

/// A file that is received in parts.
pub struct ReceivedFile {
    name: String,
    partial: PathBuf,
    path: PathBuf,
    file: File,
}

impl ReceivedFile {
    /// Appends the next part.
    ///
    /// # Errors
    /// The folder cannot be written, most often because the disk is full.
    pub fn append(&mut self, part: &[u8]) -> Result<(), IndexError> {
        self.file.write_all(part).map_err(written)
    }

    /// Gives the whole file its name.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish(self, index: &mut ReceivedIndex) -> Result<(), IndexError> {
        std::fs::rename(&self.partial, &self.path).map_err(written)?;
        index.sound.insert(self.name);
        Ok(())
    }
}

/// True for the name of a file of a segment: no path, and none of the engine's lists and locks.
fn is_file_name(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    is_plain && !name.is_empty() && !name.starts_with('.') && !name.contains("..") && name != LIST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_files_of_segments_are_accepted() {
        assert!(is_file_name("0a1b2c3d4e5f60718293a4b5c6d7e8f9.term"));
        assert!(is_file_name("0a1b2c3d4e5f60718293a4b5c6d7e8f9.31.del"));
        for name in ["", ".", "..", "../a", "a/b", "/a", "a..b", ".managed.json", "meta.json", "a b", "a\0"] {
            assert!(!is_file_name(name), "{name:?}");
        }
    }
}
