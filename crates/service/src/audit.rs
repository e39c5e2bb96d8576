//! The audit file: a JSON line for each read of content, rotated by size, in which a line that cannot be written is
//! not lost in silence.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use file_rotate::{ContentLimit, FileRotate, compression::Compression, suffix::AppendCount};

use crate::config::Log;

/// A file that is written to at once, line by line: nothing waits in memory for the end of the process.
pub(crate) struct AuditFile {
    path: PathBuf,
    size: usize,
    keep: usize,
    file: FileRotate<AppendCount>,
    failing: bool,
}

impl AuditFile {
    /// Opens the file that the settings name, to append to it.
    pub(crate) fn open(settings: &Log) -> io::Result<Self> {
        let path = std::path::absolute(&settings.audit_file)?;
        let size = usize::try_from(settings.audit_file_size.bytes()).unwrap_or(usize::MAX).max(1);
        let keep = settings.audit_files as usize;
        let file = open(&path, size, keep)?;
        Ok(Self { path, size, keep, file, failing: false })
    }

    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        // Somebody took it away, or it could not be made anew after a rotation; the library would say nothing.
        if !self.path.exists() {
            self.file = open(&self.path, self.size, self.keep)?;
        }
        self.file.write_all(line)
    }
}

impl Write for AuditFile {
    /// Never fails, so that reads are answered while a disk is full: lines that are lost are counted, and standard
    /// error tells when that begins and ends.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self.line(line) {
            Ok(()) if self.failing => {
                self.failing = false;
                eprintln!("norma: audit events are written to {} again", self.path.display());
            }
            Ok(()) => {}
            Err(error) => {
                metrics::counter!("norma_audit_events_lost_total").increment(1);
                if !std::mem::replace(&mut self.failing, true) {
                    eprintln!("norma: audit events are lost: {}: {error}", self.path.display());
                }
            }
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Tried by hand first: where the file cannot be had, the library panics or throws lines away.
fn open(path: &Path, size: usize, keep: usize) -> io::Result<FileRotate<AppendCount>> {
    OpenOptions::new().append(true).create(true).open(path)?;
    let limit = ContentLimit::BytesSurpassed(size);
    Ok(FileRotate::new(path, AppendCount::new(keep), limit, Compression::None, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn settings(path: &Path) -> Log {
        Log { audit_file: path.display().to_string(), audit_files: 2, ..Settings::defaults().log }
    }

    fn lines(path: &Path) -> Vec<String> {
        std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn whole_lines_go_to_files_of_the_size_and_number_that_the_settings_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut file = AuditFile::open(&settings(&path)).unwrap();
        file.size = 100;
        file.file = open(&path, 100, 2).unwrap();
        for number in 0..40 {
            file.write_all(format!("{{\"number\":{number:010}}}\n").as_bytes()).unwrap();
        }
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
        let kept: Vec<String> = ["audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"]
            .iter()
            .flat_map(|n| lines(&folder.path().join(n)))
            .collect();
        let first = 40 - kept.len();
        let expected: Vec<String> =
            (first..40).map(|number| format!("{{\"number\":{number:010}}}")).collect();
        assert_eq!(kept, expected, "whole, in order, and the last ones");
    }

    #[test]
    fn a_full_disk_stops_nothing_and_a_file_that_was_taken_away_is_made_anew() {
        let mut full = AuditFile::open(&settings(Path::new("/dev/full"))).unwrap();
        full.write_all(b"{}\n").unwrap();
        assert!(full.failing);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut file = AuditFile::open(&settings(&path)).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.write_all(b"{}\n").unwrap();
        assert_eq!(lines(&path), ["{}"]);
        std::fs::remove_dir_all(folder.path()).unwrap();
        file.write_all(b"{}\n").unwrap();
        assert!(file.failing);
        std::fs::create_dir(folder.path()).unwrap();
        file.write_all(b"{}\n").unwrap();
        assert!(!file.failing && lines(&path) == ["{}"]);
    }

    #[test]
    fn a_file_that_cannot_be_had_is_an_error_at_the_start() {
        assert!(AuditFile::open(&settings(Path::new("/proc/no/audit.jsonl"))).is_err());
    }
}
