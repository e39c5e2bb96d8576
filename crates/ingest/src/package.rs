//! Packages: a file, folder or zip archive, opened under limits as documents and the files near them.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::file_index::{fold, is_hidden};
use crate::limits::{IngestLimits, MAX_ZIP_RATIO};
use crate::manifest;
use crate::names::{FileName, FileNames};

/// An opened package. Nothing but names is in memory until a file is read.
pub struct Package {
    origin: PathBuf,
    /// Names of all its files, with `/` between folders.
    pub(crate) names: Arc<FileNames>,
    documents: Vec<FileName>,
    of_files: bool,
    bytes: Bytes,
}

/// Levels of folders, from its own, in which the pictures of a file that was named directly are searched.
const SIBLING_DEPTH: usize = 2;

/// The kind of a package, by its path.
pub(crate) enum PackageKind {
    Folder,
    Archive,
    File,
}

impl PackageKind {
    pub(crate) fn detect(path: &Path) -> Result<Self, PackageError> {
        let broken = |e: io::Error| PackageError::io(path, &e);
        if fs::metadata(path).map_err(broken)?.is_dir() {
            return Ok(Self::Folder);
        }
        if is_zip(path).map_err(broken)? {
            return Ok(Self::Archive);
        }
        if is_archive_name(&path.to_string_lossy()) {
            let hint = "name a zip archive that is complete, or the folder with its files";
            return Err(PackageError::new(path, "this is not a zip archive", Some(hint.to_owned())));
        }
        Ok(Self::File)
    }
}

enum Bytes {
    Folder(PathBuf),
    /// An archive, and the names that are written in another form in it.
    Archive(Mutex<ZipArchive<File>>, HashMap<String, String>),
}

/// The reason why a package is refused. Nothing of it was stored.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}{}", path.display(), hint.as_ref().map(|h| format!("; {h}")).unwrap_or_default())]
pub struct PackageError {
    /// The package, or the file in it.
    pub path: PathBuf,
    /// What was found, for the operator.
    pub what: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

impl PackageError {
    pub(crate) fn new(path: impl Into<PathBuf>, what: impl Into<String>, hint: Option<String>) -> Self {
        Self { path: path.into(), what: what.into(), hint }
    }

    /// The refusal of a package without a document.
    pub(crate) fn without_document(path: &Path) -> Self {
        let hint = "documents are files that end in .xml".to_owned();
        Self::new(path, "there is no document in it", Some(hint))
    }

    fn io(path: impl Into<PathBuf>, error: &io::Error) -> Self {
        Self::new(path, error.to_string(), None)
    }

    fn limit(path: impl Into<PathBuf>, what: String, setting: &str) -> Self {
        Self::new(path, what, Some(format!("raise `{setting}` if that is meant")))
    }
}

impl Package {
    /// Opens an XML file (with the files near it), a folder or a zip archive. Checks what does not need
    /// unpacking: names, links, counts, sizes, ratios.
    pub fn open(path: &Path, limits: &IngestLimits) -> Result<Self, PackageError> {
        match PackageKind::detect(path)? {
            PackageKind::Folder => Self::folder(path),
            PackageKind::Archive => Self::archive(path, limits),
            PackageKind::File => Self::files(&[path.to_owned()]),
        }
    }

    /// Documents of one folder, with the files near them.
    pub(crate) fn files(paths: &[PathBuf]) -> Result<Self, PackageError> {
        let folder = paths.first().and_then(|path| path.parent()).unwrap_or(Path::new(""));
        let mut named = Vec::with_capacity(paths.len());
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                let remedy = Some("rename the file".to_owned());
                return Err(PackageError::new(path, "the name is not Unicode", remedy));
            };
            named.push(name.to_owned());
        }
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // A link that was named itself is not among the files of its folder.
        let mut files = walk(here, SIBLING_DEPTH)?;
        files.extend(named.iter().cloned());
        let package = Self::new(folder, files, Bytes::Folder(here.to_owned()));
        let documents = named.iter().filter_map(|name| package.names.find(name)).collect();
        Ok(Self { documents, of_files: true, ..package })
    }

    /// A folder with everything below it.
    pub(crate) fn folder(path: &Path) -> Result<Self, PackageError> {
        Ok(Self::new(path, walk(path, usize::MAX)?, Bytes::Folder(path.to_owned())))
    }

    /// The path at which it was opened.
    pub fn origin(&self) -> &Path {
        &self.origin
    }

    /// True if its documents were named directly, and its other files are only near them.
    pub fn is_of_files(&self) -> bool {
        self.of_files
    }

    /// Names of its XML documents, in order. A document of another kind (HTML, SVG) is not among them.
    pub(crate) fn documents(&self) -> &[FileName] {
        &self.documents
    }

    /// Names of the zip archives in a folder, which are packages of their own.
    pub fn archives(&self) -> impl Iterator<Item = &str> {
        let folder = matches!(self.bytes, Bytes::Folder(_)) && !self.of_files;
        self.names().filter(move |name| folder && extension(name) == "zip" && !is_hidden(name))
    }

    /// Names of its manifests. Of files that were named one by one, only the one of their own folder counts.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = &str> {
        self.names().filter(move |name| self.is_manifest(name))
    }

    fn is_manifest(&self, name: &str) -> bool {
        if self.of_files {
            return name == manifest::NAME;
        }
        match name.strip_suffix(manifest::NAME) {
            Some(folder) => (folder.is_empty() || folder.ends_with('/')) && !is_hidden(name),
            None => false,
        }
    }

    /// Names of all its files, with `/` between folders, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// Reads one file whole.
    pub fn read(&self, name: &str, limit: u64, setting: &str) -> Result<Vec<u8>, PackageError> {
        match self.open_file(name, |file, size| read_at_most(file, size, limit))? {
            Some(bytes) => Ok(bytes),
            None => {
                let what = format!("larger than {limit} bytes");
                Err(PackageError::limit(self.origin.join(name), what, setting))
            }
        }
    }

    /// Reads at most this number of bytes from the start of one file.
    pub(crate) fn head(&self, name: &str, most: usize) -> Result<Vec<u8>, PackageError> {
        self.open_file(name, |file, _| {
            let mut bytes = Vec::new();
            file.take(most as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    /// Opens a file to read it, with the length in bytes that the folder or archive states.
    fn open_file<T>(
        &self,
        name: &str,
        read: impl FnOnce(&mut dyn Read, u64) -> io::Result<T>,
    ) -> Result<T, PackageError> {
        let path = self.origin.join(name);
        let read = match &self.bytes {
            Bytes::Folder(root) => {
                let opened = open_with_size(&root.join(name));
                let (mut file, size) = opened.map_err(|error| PackageError::io(&path, &error))?;
                read(&mut file, size)
            }
            Bytes::Archive(archive, written_names) => {
                let mut archive = archive.lock().unwrap_or_else(|e| e.into_inner());
                let written = written_names.get(name).map_or(name, String::as_str);
                let opened = archive.by_name(written);
                let mut file = opened.map_err(|error| PackageError::new(&path, error.to_string(), None))?;
                let size = file.size();
                read(&mut file, size)
            }
        };
        read.map_err(|error| PackageError::io(&path, &error))
    }

    pub(crate) fn archive(path: &Path, limits: &IngestLimits) -> Result<Self, PackageError> {
        let damaged = |e: ZipError| unusable(path, e.to_string(), "make the archive again");
        let file = File::open(path).map_err(|e| PackageError::io(path, &e))?;
        let mut archive = ZipArchive::new(file).map_err(damaged)?;
        if archive.has_overlapping_files().map_err(damaged)? {
            let what = "files of the archive overlap".to_owned();
            return Err(unusable(path, what, "make the archive again"));
        }
        if archive.has_duplicate_names() {
            let what = "two files of the archive have one name".to_owned();
            return Err(unusable(path, what, "make the archive again"));
        }
        let mut checked = CheckedArchive::new(path, limits);
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(damaged)?;
            let written = entry.name().map_err(damaged)?.into_owned();
            checked.add(written, &entry)?;
        }
        let CheckedArchive { files, written_names, .. } = checked;
        Ok(Self::new(path, files, Bytes::Archive(Mutex::new(archive), written_names)))
    }

    fn new(origin: &Path, files: Vec<String>, bytes: Bytes) -> Self {
        let names = FileNames::new(files);
        let is_document = |name: &FileName| is_xml_name(&names[*name]) && !is_hidden(&names[*name]);
        let documents = names.all().iter().copied().filter(is_document).collect();
        Self { origin: origin.to_owned(), documents, names: names.into(), of_files: false, bytes }
    }
}

/// The files of an archive that were checked so far. Nothing of them is unpacked.
struct CheckedArchive<'a> {
    path: &'a Path,
    limits: &'a IngestLimits,
    files: Vec<String>,
    /// By the name of a file, the name that the archive writes, where it is another one.
    written_names: HashMap<String, String>,
    /// The names in the form in which no two may be equal.
    folded: HashSet<String>,
    /// Bytes of all files, unpacked.
    total: u64,
}

impl<'a> CheckedArchive<'a> {
    fn new(path: &'a Path, limits: &'a IngestLimits) -> Self {
        let (files, written_names, folded) = Default::default();
        Self { path, limits, files, written_names, folded, total: 0 }
    }

    /// Adds a file under the name that the archive writes.
    fn add(&mut self, written: String, entry: &ZipFile<'_, File>) -> Result<(), PackageError> {
        // Some programs write the separator of Windows, which APPNOTE.TXT (4.4.17.1) forbids.
        let name = written.replace('\\', "/");
        if entry.is_dir() || name.ends_with('/') {
            return Ok(());
        }
        self.check_path(&name, entry)?;
        // A hidden file is never read.
        if !is_hidden(&name) {
            self.check_content(&name, entry)?;
        }
        self.total = self.total.saturating_add(entry.size());
        if written != name {
            self.written_names.insert(name.clone(), written);
        }
        self.files.push(name);
        if self.files.len() > self.limits.max_package_files {
            let what = format!("more than {} files", self.limits.max_package_files);
            return Err(PackageError::limit(self.path, what, "max-package-files"));
        }
        if self.total > self.limits.max_package_size {
            let what = format!("more than {} bytes unpacked", self.limits.max_package_size);
            return Err(PackageError::limit(self.path, what, "max-package-size"));
        }
        Ok(())
    }

    fn check_path(&self, name: &str, entry: &ZipFile<'_, File>) -> Result<(), PackageError> {
        // Looked at as written: what the library makes of a name may already be tamed.
        let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || entry.enclosed_name().is_none() {
            let what = format!("`{name}` leads out of the archive");
            return Err(unusable(self.path, what, "pack files with plain names"));
        }
        if name.contains([':', '\0']) {
            let what = format!("`{name}` has a character that the name of a file must not have");
            return Err(unusable(self.path, what, "pack files with plain names"));
        }
        Ok(())
    }

    fn check_content(&mut self, name: &str, entry: &ZipFile<'_, File>) -> Result<(), PackageError> {
        let path = self.path;
        // What `a/fig.png` means must not depend on the letters' case, on Unicode or on `a//fig.png`.
        let plain: PathBuf = Path::new(name).components().collect();
        if !self.folded.insert(fold(&plain.to_string_lossy())) {
            let what = format!("`{name}` is the name of two files, with letters of either case taken as one");
            return Err(unusable(path, what, "pack each file once, under a name of its own"));
        }
        if entry.is_symlink() {
            return Err(unusable(path, format!("`{name}` is a link"), "pack the file itself"));
        }
        if entry.encrypted() {
            return Err(unusable(path, format!("`{name}` is encrypted"), "pack it without a password"));
        }
        let compressed = entry.compressed_size().max(1);
        // A small file that is all one letter does no harm.
        if entry.size() > compressed.saturating_mul(MAX_ZIP_RATIO) && entry.size() > 1 << 20 {
            let ratio = entry.size() / compressed;
            let what = format!("`{name}` is {ratio} times larger than its compressed form");
            return Err(PackageError::limit(path, what, "max-zip-ratio"));
        }
        if is_archive_name(name) {
            let what = format!("`{name}` is an archive in an archive");
            return Err(unusable(path, what, "unpack the inner one first"));
        }
        Ok(())
    }
}

/// The refusal of an archive that must be made in another way.
fn unusable(path: &Path, what: String, hint: &str) -> PackageError {
    PackageError::new(path, what, Some(hint.to_owned()))
}

/// Names of the files in and below a folder. It is the operator's own disk, so its files are not counted.
fn walk(root: &Path, depth: usize) -> Result<Vec<String>, PackageError> {
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(root).max_depth(depth).follow_links(false) {
        // An unreadable entry counts as absent: a neighbour must not prevent the ingest of a document.
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() > 0 => {
                tracing::warn!(%error, "a part of the folder is passed over");
                continue;
            }
            Err(error) => return Err(PackageError::new(root, error.to_string(), None)),
        };
        // A link could lead out of the package: it is not a file of the package.
        if !entry.file_type().is_file() {
            continue;
        }
        let inside = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let Some(name) = inside.to_str() else {
            tracing::warn!(file = %entry.path().display(), "a file is passed over: its name is not UTF-8");
            continue;
        };
        files.push(name.replace(std::path::MAIN_SEPARATOR, "/"));
    }
    Ok(files)
}

fn open_with_size(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

fn extension(name: &str) -> String {
    Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase()
}

pub(crate) fn is_xml_name(name: &str) -> bool {
    matches!(extension(name).as_str(), "xml" | "sts" | "nisosts" | "isosts")
}

fn is_archive_name(name: &str) -> bool {
    matches!(extension(name).as_str(), "zip" | "gz" | "tgz" | "bz2" | "xz" | "7z" | "rar" | "tar" | "zst")
}

/// True if a file is a zip archive: by its first bytes, or by the end of its directory, which is at the end
/// of the file. A program that unpacks itself and a signature are before an archive.
fn is_zip(path: &Path) -> io::Result<bool> {
    /// The end of the directory has 22 bytes, and a comment of at most 64 KiB (APPNOTE.TXT, 4.3.16).
    const LONGEST_END: u64 = 22 + 0xffff;
    let mut start = Vec::new();
    let mut file = File::open(path)?;
    (&mut file).take(4).read_to_end(&mut start)?;
    if matches!(start.as_slice(), b"PK\x03\x04" | b"PK\x05\x06") {
        return Ok(true);
    }
    if is_xml_name(&path.to_string_lossy()) {
        return Ok(false);
    }
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(LONGEST_END)))?;
    let mut end = Vec::new();
    file.take(LONGEST_END).read_to_end(&mut end)?;
    Ok((0..end.len()).rev().any(|at| is_end_of_directory(&end[at..])))
}

/// True if these bytes are the end of a directory: 22 bytes, of which the last two say how long the comment
/// is that follows, to the end of the file.
fn is_end_of_directory(bytes: &[u8]) -> bool {
    if !bytes.starts_with(b"PK\x05\x06") {
        return false;
    }
    let Some(length) = bytes.get(20..22) else { return false };
    let comment = usize::from(u16::from_le_bytes([length[0], length[1]]));
    bytes.len() == 22 + comment
}

/// Reads a file whose size is stated as `said`; `None` if it has more than `limit` bytes.
fn read_at_most(file: &mut dyn Read, said: u64, limit: u64) -> io::Result<Option<Vec<u8>>> {
    // One more byte, so that the end is seen without asking for more room.
    let mut bytes = Vec::with_capacity(usize::try_from(said.min(limit) + 1).unwrap_or_default());
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_directory_says_how_long_the_comment_after_it_is() {
        let end = |comment: u16, rest: &[u8]| {
            [b"PK\x05\x06".as_slice(), &[0; 16], &comment.to_le_bytes(), rest].concat()
        };
        assert!(is_end_of_directory(&end(0, b"")));
        assert!(is_end_of_directory(&end(3, b"abc")));
        assert!(!is_end_of_directory(&end(3, b"ab")));
        assert!(!is_end_of_directory(&end(0, b"a")));
        assert!(!is_end_of_directory(&end(0, b"")[..21]));
        assert!(!is_end_of_directory(b"PK\x03\x04"));
    }

    #[test]
    fn a_file_is_read_up_to_its_limit_and_no_larger_one() {
        let read = |limit| read_at_most(&mut &b"12345"[..], 5, limit).unwrap();
        assert_eq!(read(5).as_deref(), Some(&b"12345"[..]));
        assert_eq!(read(4), None);
        // What a file states of its size counts for nothing.
        assert_eq!(read_at_most(&mut &b"12345"[..], 2, 4).unwrap(), None);
    }
}
