//! Files of an installation: their permissions, free space, the audit file, the last backup.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use norma_audit::{rotated_files, rotation_path};
use norma_editions::search::index_folder;
use norma_files::folder_of;
use norma_settings::Settings;
use rustix::fs::{Access, access, statvfs};

use super::{Finding, problem, well};

/// A file or folder of the installation, with its purpose in words.
type NamedPath = (&'static str, PathBuf);

/// The file of an embedded store; `None` for a store on a server.
pub(super) fn store_file(settings: &Settings) -> Option<PathBuf> {
    let store = settings.store.store.as_str();
    let path = match store.strip_prefix("sqlite:") {
        Some(path) => path.trim_start_matches("//"),
        None => store,
    };
    if path.contains("://") { None } else { Some(path.into()) }
}

/// The folder of blobs; `None` where they are elsewhere.
fn blobs_folder(settings: &Settings) -> Option<PathBuf> {
    let url = url::Url::parse(&settings.store.blobs).ok()?;
    if url.scheme() != "file" {
        return None;
    }
    url.to_file_path().ok()
}

/// The audit file; `None` if none is set.
fn audit_file(settings: &Settings) -> Option<&Path> {
    match settings.log.audit_file.as_str() {
        "" => None,
        path => Some(Path::new(path)),
    }
}

/// The folder of the search index; `None` where search is off.
fn search_folder(settings: &Settings) -> Option<PathBuf> {
    settings.search.search.then(|| index_folder(&settings.search, &settings.store))
}

/// The folder, or the nearest one above it that exists: there it will be made.
fn existing(folder: &Path) -> PathBuf {
    match folder.ancestors().find(|path| path.is_dir()) {
        Some(path) => path.to_owned(),
        None => ".".into(),
    }
}

/// A path for messages, without a password: a mistyped address of a database may have one, and is read as a
/// path.
fn shown(path: &Path) -> String {
    norma_store::redacted(&path.to_string_lossy())
}

/// Folders that the service writes to.
fn written_folders(settings: &Settings) -> Vec<NamedPath> {
    let mut folders: Vec<NamedPath> = Vec::new();
    if let Some(file) = store_file(settings) {
        folders.push(("the store", folder_of(&file).to_owned()));
    }
    if let Some(folder) = blobs_folder(settings) {
        folders.push(("the blobs", folder));
    }
    if let Some(file) = audit_file(settings) {
        folders.push(("the audit file", folder_of(file).to_owned()));
    }
    if let Some(folder) = search_folder(settings) {
        let folder = existing(&folder);
        // By default it is next to the store: the same file system is not reported twice.
        if folders.iter().all(|(_, other)| device(other) != device(&folder)) {
            folders.push(("the search index", folder));
        }
    }
    folders.retain(|(_, folder)| folder.is_dir());
    folders
}

/// The file system that a folder is in; `None` where there is no such folder.
fn device(folder: &Path) -> Option<u64> {
    Some(folder.metadata().ok()?.dev())
}

/// Checks whether other users of the machine can read content or secrets, or replace files of the service.
pub(super) fn permissions(settings: &Settings, secret_files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, path) in private_files(settings, secret_files) {
        findings.extend(open_to_others((what, path), 0o007, "use", "o-rwx"));
    }
    for (what, folder) in written_folders(settings) {
        // That of the blobs is one of the private files.
        if what != "the blobs" {
            findings.extend(open_to_others((what, folder), 0o002, "change the folder of", "o-w"));
        }
    }
    if findings.is_empty() {
        findings.push(well("permissions", "files with secrets and content are closed to other users"));
    }
    findings
}

/// Files and folders that no other user may read.
fn private_files(settings: &Settings, secret_files: &[PathBuf]) -> Vec<NamedPath> {
    let mut private: Vec<NamedPath> = Vec::new();
    for path in secret_files {
        private.push(("a file with a secret", path.clone()));
    }
    if !settings.http.tls_key.is_empty() {
        private.push(("the private key `tls-key`", settings.http.tls_key.clone().into()));
    }
    if let Some(file) = store_file(settings) {
        for end in ["", "-wal", "-shm"] {
            let mut name = file.clone().into_os_string();
            name.push(end);
            private.push(("the store", name.into()));
        }
    }
    if let Some(folder) = blobs_folder(settings) {
        private.push(("the folder of the blobs", folder));
    }
    if let Some(folder) = search_folder(settings) {
        private.push(("the folder of the search index", folder));
    }
    if let Some(file) = audit_file(settings) {
        for (_, rotated) in rotated_files(file).unwrap_or_default() {
            private.push(("the audit file", rotated));
        }
        private.push(("the audit file", file.to_owned()));
    }
    private
}

/// The problem of a file whose mode has one of the forbidden bits for other users: what they may do with it,
/// and the change for `chmod`.
fn open_to_others((what, path): NamedPath, forbidden: u32, verb: &str, change: &str) -> Option<Finding> {
    // Other checks report missing files.
    let about = path.metadata().ok()?;
    let mode = about.permissions().mode() & 0o7777;
    if mode & forbidden == 0 {
        return None;
    }
    let path = shown(&path);
    let said = format!("every user of this machine may {verb} {what} {path}: its mode is {mode:04o}");
    Some(problem("permissions", said, format!("run `chmod {change} {path}`")))
}

/// Checks whether there is space in the file systems that the service writes to.
pub(super) fn disk(settings: &Settings) -> Vec<Finding> {
    let least = settings.doctor.min_free_space;
    let mut findings = Vec::new();
    let mut enough = Vec::new();
    for (what, folder) in written_folders(settings) {
        let shown = shown(&folder);
        match statvfs(&folder) {
            Err(error) => {
                let fix = "see that the folder is there, and that this user may enter it";
                findings.push(problem("disk", format!("cannot examine {shown}: {error}"), fix));
            }
            Ok(about) => {
                let free = about.f_bavail.saturating_mul(about.f_frsize);
                let said = format!("{} free for {what} in {shown}", mebibytes(free));
                if free < least.bytes() {
                    let said = format!("{said}, less than `min-free-space`, {}", mebibytes(least.bytes()));
                    findings.push(problem("disk", said, "make room, or move it to a larger file system"));
                } else {
                    enough.push(said);
                }
            }
        }
    }
    if findings.is_empty() {
        let all =
            if enough.is_empty() { "nothing is kept in files here".to_owned() } else { enough.join("; ") };
        findings.push(well("disk", all));
    }
    findings
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Checks whether this user could write the audit file and rotate it.
pub(super) fn audit(settings: &Settings) -> Finding {
    let Some(file) = audit_file(settings) else {
        return well(
            "audit",
            "no `audit-file` is set: reads are only in the log, and `norma usage` has nothing to count",
        );
    };
    let shown = file.display();
    let folder = folder_of(file);
    if !folder.is_dir() {
        let said = format!("`audit-file`: there is no folder {}", folder.display());
        return problem("audit", said, "make the folder, for the user that runs `norma serve`");
    }
    let file = match rotation_path(file) {
        Ok(Some(file)) => file,
        Ok(None) => {
            let said = format!(
                "{shown} is a device, pipe or socket: lines are written to it, and it is not rotated"
            );
            return well("audit", said);
        }
        Err(error) => {
            let said = format!("`audit-file`: {shown} cannot be written: {error}");
            return problem("audit", said, "name a file that can be written");
        }
    };
    let opened = match file.exists() {
        true => std::fs::OpenOptions::new().append(true).open(&file).map(drop),
        false => Ok(()),
    };
    let folder = folder_of(&file);
    let rotated = access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(std::io::Error::from);
    let fix = format!(
        "let the user that runs `norma serve` write the file and its folder {}: see their owner and mode, and that the file \
         system is not mounted read-only",
        folder.display()
    );
    match opened.and(rotated) {
        Err(error) => problem("audit", format!("`audit-file`: {shown} cannot be written: {error}"), fix),
        Ok(()) => well("audit", format!("{shown} can be written")),
    }
}

/// Checks whether this user could build the search index, and says whether a process has it.
pub(super) fn search(settings: &Settings) -> Finding {
    let Some(folder) = search_folder(settings) else {
        return well("search", "it is off (`search`)");
    };
    let shown = shown(&folder);
    let is_in_use = match norma_search::is_in_use(&folder) {
        Ok(is_in_use) => is_in_use,
        Err(error) => {
            let fix = "let `search-dir` name a folder that this user may write and that holds nothing else, or a new one";
            return problem("search", error, fix);
        }
    };
    let written = existing(&folder);
    if let Err(error) = access(&written, Access::WRITE_OK | Access::EXEC_OK) {
        let said = format!("the search index in {shown} cannot be written: {}", std::io::Error::from(error));
        let fix = format!(
            "let the user that runs `norma serve` write the folder {}, or let `search-dir` name another one",
            written.display()
        );
        return problem("search", said, fix);
    }
    well(
        "search",
        match (folder.is_dir(), is_in_use) {
            (_, true) => format!("a process writes the index in {shown}"),
            (true, false) => format!("the index in {shown} can be written; no process has it now"),
            (false, _) => format!("the index will be made in {shown}"),
        },
    )
}

/// Checks whether the last backup is recent.
pub(super) fn backup(settings: &Settings, now: Timestamp) -> Finding {
    let path = settings.doctor.backup_path.as_str();
    if path.is_empty() {
        return well(
            "backup",
            "not examined: set `backup-path` to the file or folder that backups are written to",
        );
    }
    let fix = "see why the last backup was not written; docs/operations.md has the commands under Backup and restore";
    let (newest, time, bytes) = match newest(Path::new(path)) {
        Ok(Some(newest)) => newest,
        Ok(None) => return problem("backup", format!("there is no backup in {path}"), fix),
        Err(error) => {
            let fix = "set `backup-path` to the file or folder that backups are written to, which this user may read";
            return problem("backup", format!("`backup-path`: cannot read {path}: {error}"), fix);
        }
    };
    let (shown, hours) = (newest.display(), now.duration_since(time).as_hours());
    let oldest = settings.doctor.max_backup_age.std();
    if std::time::Duration::try_from(now.duration_since(time)).is_ok_and(|age| age > oldest) {
        let said = format!(
            "the last backup, {shown}, is {hours} hours old; `max-backup-age` is {} hours",
            oldest.as_secs() / 3600
        );
        return problem("backup", said, fix);
    }
    if bytes == 0 {
        return problem("backup", format!("the last backup, {shown}, is empty"), fix);
    }
    well("backup", format!("the last one, {shown}, is {hours} hours old"))
}

/// The newest file of a folder, or the file itself, with its time and size. A folder in it counts as one
/// backup.
fn newest(path: &Path) -> std::io::Result<Option<(PathBuf, Timestamp, u64)>> {
    let about = |path: PathBuf| {
        let about = path.metadata()?;
        let time = Timestamp::try_from(about.modified()?).map_err(std::io::Error::other)?;
        Ok::<_, std::io::Error>((path, time, about.len()))
    };
    if !path.metadata()?.is_dir() {
        return about(path.to_owned()).map(Some);
    }
    let mut newest: Option<(PathBuf, Timestamp, u64)> = None;
    for entry in std::fs::read_dir(path)? {
        let entry = about(entry?.path())?;
        if newest.as_ref().is_none_or(|newest| newest.1 < entry.1) {
            newest = Some(entry);
        }
    }
    Ok(newest)
}
