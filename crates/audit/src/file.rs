//! The audit file: whole lines, rotated by size, removed by age and number.
//!
//! A file is rotated by one rename to `FILE.TIME`, and keeps this name: a program that compresses, copies or
//! removes rotated files is in nobody's way, and their order is that of their names. The library file-rotate
//! numbers files instead: it renames all of them each time, and panics when one was removed. A symbolic link
//! is followed: the file that it leads to is rotated. A device or pipe is written to and never rotated.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use norma_files::{append, folder_of, replaceable};
use norma_settings::LogSettings;

use crate::terminal::escaped;
use crate::{count_lost, now};

/// The form of a time of rotation in the name of a file (UTC): `20261007T120000.123456789Z`.
const STAMP: &str = "%Y%m%dT%H%M%S.%9fZ";

/// The file that lines are appended to.
pub(crate) struct AuditFile {
    path: PathBuf,
    /// `None` for a device, pipe or socket, which only grows.
    rotation: Option<Rotation>,
    file: File,
    /// Bytes of the file.
    size: u64,
    /// True if the last write failed, perhaps within a line.
    failing: bool,
}

/// The rules by which a file is rotated, and a rotated one removed.
struct Rotation {
    size: u64,
    files: usize,
    keep: Duration,
}

impl Rotation {
    fn of(settings: &LogSettings) -> Self {
        Self {
            size: settings.audit_file_size.bytes(),
            files: settings.audit_files as usize,
            keep: settings.audit_keep.std(),
        }
    }
}

impl AuditFile {
    /// Opens the file that the settings name, to append to it.
    pub(crate) fn open(settings: &LogSettings) -> io::Result<Self> {
        let named = std::path::absolute(&settings.audit_file)?;
        let (file, size) = open(&named)?;
        let (path, rotation) = match replaceable(&named)? {
            Some(regular) => (regular, Some(Rotation::of(settings))),
            None => (named, None),
        };
        let mut opened = Self { path, rotation, file, size, failing: false };
        opened.remove_old();
        Ok(opened)
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        // Somebody took it away, or it could not be made again after a rotation.
        if !self.path.exists() {
            (self.file, self.size) = open(&self.path)?;
        } else if let Some(rotation) = &self.rotation
            && self.size > 0
            && self.size + lines.len() as u64 > rotation.size
        {
            self.rotate();
        }
        if self.failing {
            // The last line may be incomplete.
            self.file.write_all(b"\n")?;
        }
        self.file.write_all(lines)?;
        self.size += lines.len() as u64;
        Ok(())
    }

    /// Renames the file to its final name and begins another one. Where that fails, the lines go on to the
    /// file that is open, whatever its name: none is lost.
    fn rotate(&mut self) {
        match rename_to_time(&self.path).and_then(|()| open(&self.path)) {
            Ok((file, size)) => (self.file, self.size) = (file, size),
            Err(error) => {
                // Tried again when as many bytes have come again.
                self.size = 0;
                let path = self.path.display();
                report_to_stderr(&format!("the audit file cannot be rotated and grows: {path}: {error}"));
            }
        }
        self.remove_old();
    }

    /// Removes rotated files beyond the number and the age that the settings allow.
    fn remove_old(&mut self) {
        let Some(rotation) = &self.rotation else { return };
        let now = now();
        let newest_first = rotated_files(&self.path).unwrap_or_default().into_iter().rev();
        for (index, (rotated, path)) in newest_first.enumerate() {
            let age = Duration::try_from(now.duration_since(rotated)).unwrap_or_default();
            let is_old = age > rotation.keep;
            if !is_old && index < rotation.files {
                continue;
            }
            if !is_old {
                tracing::warn!(
                    path = %path.display(),
                    "a rotated audit file younger than audit-keep is removed: there are more than audit-files; raise audit-files \
                     or audit-file-size"
                );
            }
            if let Err(error) = std::fs::remove_file(&path) {
                tracing::error!(path = %path.display(), %error, "an old audit file cannot be removed");
            }
        }
    }

    /// Writes lines without ever failing, so that reads are answered while a disk is full. Lost lines are
    /// counted, and standard error says when the loss begins and ends.
    pub(crate) fn write_lines(&mut self, lines: &[u8]) {
        match self.write(lines) {
            Ok(()) if self.failing => {
                self.failing = false;
                report_to_stderr(&format!("audit events are written to {} again", self.path.display()));
            }
            Ok(()) => {}
            Err(error) => {
                let lost = lines.iter().filter(|byte| **byte == b'\n').count();
                count_lost(lost as u64);
                if !self.failing {
                    self.failing = true;
                    report_to_stderr(&format!("audit events are lost: {}: {error}", self.path.display()));
                }
            }
        }
    }
}

/// The files that an audit file was rotated to, each with its time, oldest first; compressed ones (`.gz`) are
/// included. Of a file that is there in both forms, as while it is compressed, the plain one counts.
///
/// # Errors
/// The folder cannot be listed.
pub fn rotated_files(path: &Path) -> io::Result<Vec<(Timestamp, PathBuf)>> {
    let Some(path) = rotation_path(path)? else { return Ok(Vec::new()) };
    let mut rotated = Vec::new();
    for entry in std::fs::read_dir(folder_of(&path))? {
        let entry = entry?;
        if let Some((time, is_compressed)) = time_of_rotation(&path, &entry.file_name()) {
            rotated.push(RotatedFile { time, is_compressed, path: entry.path() });
        }
    }
    rotated.sort();
    rotated.dedup_by_key(|file| file.time);
    Ok(rotated.into_iter().map(|file| (file.time, file.path)).collect())
}

/// A rotated file. The order is by time, and of one time the plain file before the compressed one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RotatedFile {
    time: Timestamp,
    is_compressed: bool,
    path: PathBuf,
}

/// The path by which an audit file is rotated: that of the regular file behind its symbolic links. `None` for
/// a device, pipe or socket, which is not rotated.
///
/// # Errors
/// A part of the path cannot be read, or a link leads nowhere.
pub fn rotation_path(path: &Path) -> io::Result<Option<PathBuf>> {
    replaceable(path)
}

/// The time in the name of a rotated file, and whether it is compressed; `None` for another file.
fn time_of_rotation(path: &Path, name: &OsString) -> Option<(Timestamp, bool)> {
    let file_name = path.file_name()?.to_str()?;
    let suffix = name.to_str()?.strip_prefix(file_name)?.strip_prefix('.')?;
    let (stamp, is_compressed) = match suffix.strip_suffix(".gz") {
        Some(stamp) => (stamp, true),
        None => (suffix, false),
    };
    let time = DateTime::strptime(STAMP, stamp).ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some((time.timestamp(), is_compressed))
}

/// Renames a file to its name with the present time.
fn rename_to_time(path: &Path) -> io::Result<()> {
    let mut time = now();
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}", time.strftime(STAMP)));
        if !Path::new(&name).exists() {
            return std::fs::rename(path, name);
        }
        time += Duration::from_nanos(1);
    }
}

/// Opens a file to append lines to it, and gives its size. A line that a crash cut is ended, so that the next
/// one is whole.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let mut file = append(path)?;
    let size = file.metadata()?.len();
    if size > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok((file, size))
}

/// Reports to the operator, also where the log is elsewhere or off.
fn report_to_stderr(text: &str) {
    eprintln!("norma: {}", escaped(text));
}

#[cfg(test)]
mod tests {
    use norma_settings::Settings;

    use super::*;

    fn settings(path: &Path) -> LogSettings {
        LogSettings { audit_file: path.display().to_string(), ..Settings::defaults().log }
    }

    /// A file that is rotated at 100 bytes and by these rules, if it is rotated at all.
    fn opened(path: &Path, files: usize, keep: Duration) -> AuditFile {
        let mut file = AuditFile::open(&settings(path)).unwrap();
        if let Some(rotation) = &mut file.rotation {
            *rotation = Rotation { size: 100, files, keep };
        }
        file
    }

    fn write_numbers(file: &mut AuditFile, numbers: std::ops::Range<u32>) {
        for number in numbers {
            file.write_lines(format!("{{\"number\":{number:010}}}\n").as_bytes());
        }
    }

    fn lines(path: &Path) -> Vec<String> {
        std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
    }

    /// All present lines, in the order of rotation.
    fn all_lines(path: &Path) -> Vec<String> {
        let rotated = rotated_files(path).unwrap().into_iter().map(|(_, path)| path);
        rotated.chain([path.to_owned()]).flat_map(|path| lines(&path)).collect()
    }

    fn numbers(range: std::ops::Range<u32>) -> Vec<String> {
        range.map(|number| format!("{{\"number\":{number:010}}}")).collect()
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn whole_lines_go_to_files_of_the_size_that_the_settings_say_and_none_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut file = opened(&path, 100, LONG);
        write_numbers(&mut file, 0..40);
        assert_eq!(all_lines(&path), numbers(0..40), "whole and in order");
        let rotated = rotated_files(&path).unwrap();
        assert_eq!(rotated.len(), 9, "{rotated:?}");
        assert!(rotated.iter().all(|(_, path)| path.metadata().unwrap().len() <= 100));

        // Changes of rotated files by other programs have no effect here.
        std::fs::remove_file(&rotated[3].1).unwrap();
        std::fs::rename(&rotated[4].1, rotated[4].1.with_extension("000000000Z.gz")).unwrap();
        std::fs::write(folder.path().join("audit.jsonl.bak"), "").unwrap();
        write_numbers(&mut file, 40..60);
        assert_eq!(all_lines(&path).len(), 56);
    }

    #[test]
    fn rotated_files_beyond_the_number_or_the_age_are_removed_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let old = folder.path().join("audit.jsonl.20200101T000000.000000000Z.gz");
        let other = folder.path().join("audit.jsonl.1");
        for path in [&old, &other] {
            std::fs::write(path, "").unwrap();
        }
        let mut file = opened(&path, 2, LONG);
        assert!(!old.exists() && other.exists(), "an old one is removed at the start");
        write_numbers(&mut file, 0..40);
        let retained = all_lines(&path);
        assert_eq!(rotated_files(&path).unwrap().len(), 2);
        assert_eq!(retained, numbers(40 - u32::try_from(retained.len()).unwrap()..40), "the last ones");
        let mut file = opened(&path, 100, Duration::ZERO);
        write_numbers(&mut file, 40..60);
        assert_eq!(rotated_files(&path).unwrap(), []);
    }

    #[test]
    fn a_line_that_a_crash_cut_takes_no_other_line_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        std::fs::write(&path, "{}\n{\"timestamp\":\"20").unwrap();
        AuditFile::open(&settings(&path)).unwrap().write_lines(b"{\"number\":1}\n");
        AuditFile::open(&settings(&path)).unwrap().write_lines(b"{\"number\":2}\n");
        assert_eq!(lines(&path), ["{}", "{\"timestamp\":\"20", "{\"number\":1}", "{\"number\":2}"]);
    }

    #[test]
    fn a_full_disk_stops_nothing_and_a_file_that_was_taken_away_is_made_again() {
        let mut full = AuditFile::open(&settings(Path::new("/dev/full"))).unwrap();
        full.write_lines(b"{}\n");
        assert!(full.failing);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut file = AuditFile::open(&settings(&path)).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.write_lines(b"{}\n");
        assert_eq!(lines(&path), ["{}"]);
        std::fs::remove_dir_all(folder.path()).unwrap();
        file.write_lines(b"{}\n");
        assert!(file.failing);
        std::fs::create_dir(folder.path()).unwrap();
        file.write_lines(b"{}\n");
        assert!(!file.failing && lines(&path) == ["", "{}"]);
    }

    #[test]
    fn a_link_is_followed_and_stays_and_its_file_is_rotated_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link] = ["data/audit.jsonl", "link"].map(|name| folder.path().join(name));
        std::fs::create_dir(folder.path().join("data")).unwrap();
        std::fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut file = opened(&link, 100, LONG);
        write_numbers(&mut file, 0..40);
        assert!(link.is_symlink());
        assert_eq!(all_lines(&link), numbers(0..40));
        assert_eq!(folder.path().read_dir().unwrap().count(), 2, "nothing new is beside the link");
        assert_eq!(rotated_files(&link).unwrap().len(), 9);
    }

    #[test]
    fn a_pipe_gets_all_lines_and_is_never_rotated() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        let mut file = opened(&pipe, 2, LONG);
        write_numbers(&mut file, 0..40);
        drop(file);
        assert_eq!(reader.join().unwrap().lines().collect::<Vec<_>>(), numbers(0..40));
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_rotated_grows() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = opened(&folder.path().join("audit.jsonl"), 2, LONG);
        file.path = "/proc/self/status".into();
        write_numbers(&mut file, 0..40);
        assert!(!file.failing && file.size < 150, "{}", file.size);
    }

    #[test]
    fn a_file_that_cannot_be_had_is_an_error_at_the_start() {
        assert!(AuditFile::open(&settings(Path::new("/proc/no/audit.jsonl"))).is_err());
    }
}
