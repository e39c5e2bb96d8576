//! The folder of a mirror. The files of an edition are in a folder of its own, which appears, is replaced and
//! disappears as a whole.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};

use crate::MirrorError;
use crate::lock::lock;

/// Name of the file with the state.
const STATE: &str = "mirror.json";

/// Name of the folder with a folder for each edition.
const STANDARDS: &str = "standards";

/// Name of the folder for what is being written or removed.
const WORK: &str = ".mirror";

/// What a name of a file has as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b',').remove(b'_');

/// A folder that this process alone writes.
pub(crate) struct MirrorFolder {
    root: PathBuf,
    _lock: File,
}

/// The files of an edition, by their paths in its folder.
pub(crate) type EditionFiles = Vec<(String, Bytes)>;

impl MirrorFolder {
    /// Opens a folder, and makes it where it is missing: its owner alone may read it.
    ///
    /// # Errors
    /// It cannot be made, or another process writes it.
    pub(crate) fn open(root: &Path) -> Result<Self, MirrorError> {
        for folder in [root.to_owned(), root.join(STANDARDS), root.join(WORK)] {
            make_folder(&folder)?;
        }
        let folder = Self { root: root.to_owned(), _lock: lock(&root.join(WORK).join("lock"))? };
        // What an interrupted run left.
        for kind in ["new", "old"] {
            remove_folder(&folder.work(kind))?;
            make_folder(&folder.work(kind))?;
        }
        Ok(folder)
    }

    /// Opens a folder that has a mirror.
    ///
    /// # Errors
    /// There is none, or another process writes it.
    pub(crate) fn open_existing(root: &Path) -> Result<Self, MirrorError> {
        for path in [root.to_owned(), root.join(STATE)] {
            if !path.try_exists().map_err(MirrorError::file(&path))? {
                return Err(MirrorError::NoMirror { path });
            }
        }
        Self::open(root)
    }

    /// The file with the state.
    pub(crate) fn state(&self) -> PathBuf {
        self.root.join(STATE)
    }

    /// The folder of an edition.
    pub(crate) fn edition(&self, urn: &str) -> PathBuf {
        self.root.join(STANDARDS).join(folder_name(urn))
    }

    /// True if there is a folder of an edition.
    pub(crate) fn has(&self, urn: &str) -> bool {
        self.edition(urn).is_dir()
    }

    fn work(&self, kind: &str) -> PathBuf {
        self.root.join(WORK).join(kind)
    }

    /// Puts the files of an edition in the place of those before.
    ///
    /// # Errors
    /// They cannot be written; those before are there.
    pub(crate) fn put(&self, urn: &str, files: &EditionFiles) -> Result<(), MirrorError> {
        let new = self.work("new").join(folder_name(urn));
        remove_folder(&new)?;
        make_folder(&new)?;
        for (name, bytes) in files {
            let path = new.join(name);
            if let Some(parent) = path.parent() {
                make_folder(parent)?;
            }
            let write = || {
                let mut file =
                    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
                file.write_all(bytes)
            };
            write().map_err(MirrorError::file(&path))?;
        }
        let target = self.edition(urn);
        if target.exists() {
            self.exchange(&new, &target)
        } else {
            std::fs::rename(&new, &target).map_err(MirrorError::file(&target))
        }
    }

    /// Exchanges two folders in one step, and removes the one that is at `new` then. A file system that
    /// cannot do it takes two steps.
    fn exchange(&self, new: &Path, target: &Path) -> Result<(), MirrorError> {
        if renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE).is_ok() {
            return remove_folder(new);
        }
        let old = self.work("old").join(new.file_name().unwrap_or_default());
        remove_folder(&old)?;
        std::fs::rename(target, &old).map_err(MirrorError::file(target))?;
        std::fs::rename(new, target).map_err(MirrorError::file(target))?;
        remove_folder(&old)
    }

    /// Removes the folder of an edition, if there is one.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) fn remove(&self, urn: &str) -> Result<bool, MirrorError> {
        let target = self.edition(urn);
        let old = self.work("old").join(folder_name(urn));
        remove_folder(&old)?;
        match std::fs::rename(&target, &old) {
            Ok(()) => remove_folder(&old).map(|()| true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(MirrorError::file(&target)(error)),
        }
    }

    /// Removes a folder, or a file, among the folders of editions, by its name.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) fn remove_named(&self, name: &str) -> Result<(), MirrorError> {
        remove_folder(&self.root.join(STANDARDS).join(name))
    }

    /// The names of the folders of editions, and of what else is among them. A name that begins with a dot
    /// is left alone: file managers put such files into folders.
    ///
    /// # Errors
    /// They cannot be listed.
    pub(crate) fn names(&self) -> Result<Vec<String>, MirrorError> {
        let path = self.root.join(STANDARDS);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(MirrorError::file(&path))? {
            let entry = entry.map_err(MirrorError::file(&path))?;
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
        names.retain(|name| !name.starts_with('.'));
        names.sort();
        Ok(names)
    }

    /// Waits until all that was written is on the disk, before a state says that it is.
    ///
    /// # Errors
    /// The disk failed.
    pub(crate) fn sync(&self) -> Result<(), MirrorError> {
        let open = File::open(&self.root).map_err(MirrorError::file(&self.root))?;
        syncfs(&open).map_err(|error| MirrorError::file(&self.root)(error.into()))
    }
}

/// The name of the folder of an edition: its URN with `_` for each colon.
pub(crate) fn folder_name(urn: &str) -> String {
    let segments = urn.split(':').map(|segment| file_name(segment).replace('_', "%5F"));
    segments.collect::<Vec<_>>().join("_")
}

/// A text as the name of a file: signs that a name cannot have, or that mean something in it, are
/// percent-encoded.
pub(crate) fn file_name(text: &str) -> String {
    let name = utf8_percent_encode(text, ESCAPED).to_string();
    // `.` and `..` are no names.
    match name.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}"),
        None => name,
    }
}

fn make_folder(path: &Path) -> Result<(), MirrorError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(MirrorError::file(path))
}

/// Removes a folder with what is in it, or a file in its place.
fn remove_folder(path: &Path) -> Result<(), MirrorError> {
    let removed = match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::NotADirectory => std::fs::remove_file(path),
        done => done,
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(MirrorError::file(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> EditionFiles {
        vec![
            ("standard.json".to_owned(), Bytes::from(text.to_owned())),
            (format!("tables/{text}.csv"), Bytes::from_static(b"a,b")),
        ]
    }

    fn held(folder: &MirrorFolder, urn: &str) -> Vec<String> {
        let read = |path: PathBuf| std::fs::read_dir(path).unwrap().map(|one| one.unwrap().path());
        let mut all: Vec<String> = Vec::new();
        for path in read(folder.edition(urn)) {
            match path.is_dir() {
                true => all.extend(read(path).map(|path| path.to_string_lossy().into_owned())),
                false => all.push(std::fs::read_to_string(path).unwrap()),
            }
        }
        all.sort();
        all
    }

    #[test]
    fn an_edition_is_replaced_and_removed_as_a_whole() {
        let root = tempfile::tempdir().unwrap();
        let folder = MirrorFolder::open(&root.path().join("copies")).unwrap();
        let urn = "urn:nsb:std:nsb:1:ed-1:en";
        folder.put(urn, &files("first")).unwrap();
        folder.put(urn, &files("second")).unwrap();
        let all = held(&folder, urn);
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all[0].ends_with("standards/urn_nsb_std_nsb_1_ed-1_en/tables/second.csv"), "{all:?}");
        assert_eq!(all[1], "second");
        folder.sync().unwrap();
        assert_eq!(folder.names().unwrap(), ["urn_nsb_std_nsb_1_ed-1_en"]);
        assert!(folder.remove(urn).unwrap());
        assert!(!folder.remove(urn).unwrap());
        assert_eq!(folder.names().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_file_among_the_editions_is_removed_by_its_name_or_replaced_and_one_with_a_dot_is_none() {
        let root = tempfile::tempdir().unwrap();
        let folder = MirrorFolder::open(root.path()).unwrap();
        for name in [".DS_Store", "notes", "urn_a"] {
            std::fs::write(root.path().join("standards").join(name), "x").unwrap();
        }
        assert_eq!(folder.names().unwrap(), ["notes", "urn_a"]);
        folder.remove_named("notes").unwrap();
        assert!(!folder.has("urn:a"));
        folder.put("urn:a", &files("first")).unwrap();
        assert!(folder.has("urn:a"));
        assert_eq!(folder.names().unwrap(), ["urn_a"]);
        assert!(root.path().join("standards/.DS_Store").exists());
    }

    #[test]
    fn a_folder_without_a_mirror_is_not_made_one_by_a_check() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("copies");
        assert!(matches!(MirrorFolder::open_existing(&path), Err(MirrorError::NoMirror { .. })));
        assert!(!path.exists());
        std::fs::create_dir(&path).unwrap();
        assert!(matches!(MirrorFolder::open_existing(&path), Err(MirrorError::NoMirror { .. })));
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
        std::fs::write(path.join(STATE), "{}").unwrap();
        assert!(MirrorFolder::open_existing(&path).is_ok());
    }

    #[test]
    fn one_process_at_a_time_writes_a_folder() {
        let root = tempfile::tempdir().unwrap();
        let one = MirrorFolder::open(root.path()).unwrap();
        assert!(matches!(MirrorFolder::open(root.path()), Err(MirrorError::InUse { .. })));
        drop(one);
        assert!(MirrorFolder::open(root.path()).is_ok());
    }

    #[test]
    fn names_of_files_lead_nowhere_else_and_are_never_the_same() {
        assert_eq!(folder_name("urn:a:b_c:1"), "urn_a_b%5Fc_1");
        assert_eq!(file_name("../x/y"), "%2E.%2Fx%2Fy");
        assert_eq!(file_name(".."), "%2E.");
        assert_eq!(file_name("media/fig_1.svg"), "media%2Ffig_1.svg");
        assert_ne!(folder_name("a:b"), folder_name("a_b"));
    }
}
