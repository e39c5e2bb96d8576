//! Folder of an index: whether it may be used, its lock, and whether its files are as they were written.

use std::fs::{DirBuilder, File, Permissions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tantivy::directory::{Directory, META_LOCK};
use tantivy::index::SegmentComponent;
use tantivy::merge_policy::{LogMergePolicy, MergeCandidate, MergePolicy};
use tantivy::schema::Schema;
use tantivy::{Index, SegmentMeta, SegmentReader};

use super::error::IndexError;
use super::files::{IndexFiles, has_its_checksum};
use super::received::{CommittedFile, CommittedFiles};
use super::written;
use crate::analyse::ANALYSER_VERSION;

/// Name of the subfolder of an analyser and schema, before its version.
const SUBFOLDER: &str = "index-";
/// Name of the file that the process locks that writes the index. Only folders of indexes have it.
const LOCK: &str = "norma-search.lock";
/// The mode of folders: the index holds words of licensed texts.
const MODE: u32 = 0o700;
/// A folder in the root of file systems (ext4), which does not make a folder one of somebody else.
const LOST_AND_FOUND: &str = "lost+found";
/// The engine's list of segments.
pub(super) const LIST: &str = "meta.json";
/// Parts of each segment. The engine reads a segment without its positions as one that has none.
const PARTS: [SegmentComponent; 6] = [
    SegmentComponent::Terms,
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Store,
];

/// Makes the folder where it is missing, locks it, and removes indexes of other analysers. The lock holds as
/// long as the file is open.
///
/// # Errors
/// Another process has it, it holds something else than an index, or it cannot be written.
pub(super) fn lock(folder: &Path) -> Result<File, IndexError> {
    let failed = |reason| IndexError::Folder { path: folder.to_owned(), reason };
    DirBuilder::new().recursive(true).mode(MODE).create(folder).map_err(failed)?;
    refuse_foreign(folder)?;
    if let Err(reason) = close_to_others(folder) {
        // The folder belongs to another user, as the root of a volume may. The index is in a subfolder.
        if reason.kind() != ErrorKind::PermissionDenied {
            return Err(failed(reason));
        }
    }
    let lock = File::options().create(true).append(true).mode(0o600).open(folder.join(LOCK));
    let lock = lock.map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(IndexError::InUse(folder.to_owned())),
        Err(TryLockError::Error(reason)) => return Err(failed(reason)),
    }
    remove_other_indexes(folder).map_err(failed)?;
    Ok(lock)
}

/// Removes the indexes of other analysers.
fn remove_other_indexes(folder: &Path) -> std::io::Result<()> {
    let inner = subfolder(folder);
    for entry in folder.read_dir()? {
        let Ok(entry) = entry else { continue };
        if is_subfolder(&entry.file_name().to_string_lossy()) && entry.path() != inner {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// True where a process writes the index in this folder. A folder that is missing is free.
///
/// # Errors
/// The folder holds something else than an index, or cannot be read.
pub fn is_in_use(folder: &Path) -> Result<bool, IndexError> {
    let failed = |reason| IndexError::Folder { path: folder.to_owned(), reason };
    match folder.read_dir() {
        Ok(_) => {}
        Err(reason) if reason.kind() == ErrorKind::NotFound => return Ok(false),
        Err(reason) => return Err(failed(reason)),
    }
    refuse_foreign(folder)?;
    let lock = match File::open(folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(reason) if reason.kind() == ErrorKind::NotFound => return Ok(false),
        Err(reason) => return Err(failed(reason)),
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(reason)) => Err(failed(reason)),
    }
}

/// Refuses a folder with something else than an index: nothing in it may be changed.
fn refuse_foreign(folder: &Path) -> Result<(), IndexError> {
    if folder.join(LOCK).exists() {
        return Ok(());
    }
    let entries = folder.read_dir();
    let entries = entries.map_err(|reason| IndexError::Folder { path: folder.to_owned(), reason })?;
    for entry in entries {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_subfolder(&name) && name != LOST_AND_FOUND {
            return Err(IndexError::Foreign { path: folder.to_owned(), entry: name });
        }
    }
    Ok(())
}

/// Makes the subfolder of this analyser's index, empty.
pub(super) fn empty_subfolder(folder: &Path) -> std::io::Result<PathBuf> {
    let inner = subfolder(folder);
    if inner.symlink_metadata().is_ok() {
        remove(&inner)?;
    }
    DirBuilder::new().mode(MODE).create(&inner)?;
    Ok(inner)
}

/// The subfolder of this analyser's index.
pub(super) fn subfolder(folder: &Path) -> PathBuf {
    folder.join(format!("{SUBFOLDER}{ANALYSER_VERSION}"))
}

/// True for the name of the index of an analyser, whatever its version.
fn is_subfolder(name: &str) -> bool {
    match name.strip_prefix(SUBFOLDER) {
        Some(version) => !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()),
        None => false,
    }
}

/// Lets nobody but its owner enter a folder.
pub(super) fn close_to_others(folder: &Path) -> std::io::Result<()> {
    let mode = folder.metadata()?.permissions().mode() & 0o777;
    if mode == MODE {
        return Ok(());
    }
    std::fs::set_permissions(folder, Permissions::from_mode(MODE))
}

/// Removes a folder with its content, or a file.
fn remove(path: &Path) -> std::io::Result<()> {
    if path.symlink_metadata()?.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// The index in a folder, if it is there and each byte is as it was written.
pub(super) fn open_sound(inner: &Path, schema: &Schema) -> Option<Index> {
    let open = || {
        let files = IndexFiles::open(inner).ok()?;
        Index::open(files).ok()
    };
    // The engine panics on some damaged files.
    let index = catch_unwind(AssertUnwindSafe(open)).ok().flatten()?;
    if index.schema() != *schema || damaged_file(&index, inner).is_some() {
        return None;
    }
    Some(index)
}

/// The first file of an index that is not as it was written; `None` where all are.
pub(super) fn damaged_file(index: &Index, inner: &Path) -> Option<PathBuf> {
    // The engine panics on some damaged lists; panics of segments do not leave `damaged_file_of`.
    let look = || first_damaged_file(index, inner);
    catch_unwind(AssertUnwindSafe(look)).unwrap_or_else(|_| Some(inner.join(LIST)))
}

/// The files of the last commit, open to be read.
pub(super) fn committed(index: &Index, inner: &Path) -> Result<CommittedFiles, IndexError> {
    let failed = |reason| IndexError::Folder { path: inner.to_owned(), reason };
    // Files of segments that are merged meanwhile are not removed while this is held.
    let _lock = index.directory().acquire_lock(&META_LOCK).map_err(written)?;
    let mut list = std::fs::read(inner.join(LIST)).map_err(failed)?;
    loop {
        let metas = index.load_metas().map_err(written)?;
        let read_again = std::fs::read(inner.join(LIST)).map_err(failed)?;
        // A merge may have ended between both.
        if read_again != list {
            list = read_again;
            continue;
        }
        let mut files = Vec::new();
        for meta in &metas.segments {
            for part in parts(meta) {
                let path = meta.relative_path(part);
                let file = File::open(inner.join(&path)).map_err(failed)?;
                let size = file.metadata().map_err(failed)?.len();
                files.push(CommittedFile { name: path.to_string_lossy().into_owned(), size, file });
            }
        }
        return Ok(CommittedFiles { list, files });
    }
}

/// The parts that a segment has a file of.
fn parts(meta: &SegmentMeta) -> Vec<SegmentComponent> {
    let mut parts = PARTS.to_vec();
    if meta.has_deletes() {
        parts.push(SegmentComponent::Delete);
    }
    parts
}

fn first_damaged_file(index: &Index, inner: &Path) -> Option<PathBuf> {
    // Files of segments that were merged are not removed while this is held.
    let Ok(_lock) = index.directory().acquire_lock(&META_LOCK) else { return Some(inner.to_owned()) };
    let metas = match index.load_metas() {
        Ok(metas) if metas.schema == index.schema() => metas,
        _ => return Some(inner.join(LIST)),
    };
    metas.segments.iter().find_map(|meta| damaged_file_of(index, inner, meta))
}

/// The first file of a segment that is not as it was written. Where the segment does not agree with the list
/// of segments, it is that list, which has no checksum.
fn damaged_file_of(index: &Index, inner: &Path, meta: &SegmentMeta) -> Option<PathBuf> {
    for part in parts(meta) {
        let file = inner.join(meta.relative_path(part));
        if !matches!(has_its_checksum(&file), Ok(true)) {
            return Some(file);
        }
    }
    // The engine panics on some damaged files.
    match catch_unwind(AssertUnwindSafe(|| agrees_with_list(index, meta))) {
        Ok(Some(true)) => None,
        _ => Some(inner.join(LIST)),
    }
}

/// True for a segment that has as many units as the list says; `None` where it cannot be read.
fn agrees_with_list(index: &Index, meta: &SegmentMeta) -> Option<bool> {
    let reader = SegmentReader::open(&index.segment(meta.clone())).ok()?;
    let units = reader.fast_fields().u64("slot").ok()?.num_docs();
    Some(units == meta.max_doc() && reader.num_docs() == meta.num_docs())
}

/// Merges segments that are as they were written. Merged, a damaged segment would have right checksums.
#[derive(Debug)]
pub(super) struct SoundMerges {
    policy: LogMergePolicy,
    index: Index,
    inner: PathBuf,
    found_damage: Arc<OnceLock<PathBuf>>,
}

impl SoundMerges {
    /// Sets `found_damage` to a file that is damaged.
    pub(super) fn new(index: &Index, inner: &Path, found_damage: &Arc<OnceLock<PathBuf>>) -> Self {
        Self {
            policy: LogMergePolicy::default(),
            index: index.clone(),
            inner: inner.to_owned(),
            found_damage: Arc::clone(found_damage),
        }
    }
}

impl MergePolicy for SoundMerges {
    fn compute_merge_candidates(&self, segments: &[SegmentMeta]) -> Vec<MergeCandidate> {
        let candidates = self.policy.compute_merge_candidates(segments);
        for meta in segments {
            let is_merged = candidates.iter().any(|candidate| candidate.0.contains(&meta.id()));
            if !is_merged {
                continue;
            }
            // This runs on a thread of the engine whose panic ends the process: no panic leaves
            // `damaged_file_of`.
            if let Some(file) = damaged_file_of(&self.index, &self.inner, meta) {
                self.found_damage.get_or_init(|| file);
                return Vec::new();
            }
        }
        candidates
    }
}
