//! The audit: a line of JSON for each read of content, to the log and to a file that is rotated by size. A request puts
//! its line in memory; a thread writes them out together a moment later, and the rest when the service stops.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use file_rotate::{ContentLimit, FileRotate, compression::Compression, suffix::AppendCount};
use jiff::Timestamp;

use crate::config::Log;
use crate::telemetry::AUDIT;
use crate::terminal::escaped;

/// One read of content: who, which standard and part of it, how it ended.
pub(crate) struct Read<'a> {
    /// The request's id.
    pub(crate) request: &'a str,
    /// The tenant and the client of it.
    pub(crate) tenant: &'a str,
    pub(crate) client: &'a str,
    /// URN of the edition, and of the other one where two were read.
    pub(crate) standard: &'a str,
    pub(crate) other: Option<&'a str>,
    /// The method, the route, and what was asked for in full; the last is empty for assets.
    pub(crate) method: &'a str,
    pub(crate) part: &'a str,
    pub(crate) path: &'a str,
    /// Status and length of the answer's body.
    pub(crate) status: u16,
    pub(crate) bytes: u64,
}

impl Read<'_> {
    /// Writes the line, as the log has its own. Most of its texts are long, and it is written for every read: they are
    /// escaped many bytes at a time.
    fn write(&self, now: Timestamp, line: &mut Vec<u8>) {
        const INFALLIBLE: &str = "a vector takes every byte";
        let Self { request, tenant, client, standard, other, method, part, path, status, bytes } = self;
        write!(line, r#"{{"timestamp":"{now}","level":"INFO","target":"{AUDIT}","message":"read""#)
            .expect(INFALLIBLE);
        for (name, text) in [
            (r#","request":"#, request),
            (r#","tenant":"#, tenant),
            (r#","client":"#, client),
            (r#","standard":"#, standard),
            (r#","method":"#, method),
            (r#","part":"#, part),
            (r#","path":"#, path),
        ] {
            line.extend_from_slice(name.as_bytes());
            json_escape_simd::escape_into(text, line);
        }
        if let Some(other) = other {
            line.extend_from_slice(br#","with":"#);
            json_escape_simd::escape_into(other, line);
        }
        writeln!(line, r#","status":{status},"bytes":{bytes}}}"#).expect(INFALLIBLE);
    }
}

/// Lines on their way out.
pub(crate) struct Audit {
    shared: Arc<Shared>,
    writer: Mutex<Option<std::thread::JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    buffer: Mutex<Buffer>,
    changed: Condvar,
}

#[derive(Default)]
struct Buffer {
    lines: Vec<u8>,
    closed: bool,
}

/// How long a line may wait for others.
const FLUSH_DELAY: Duration = Duration::from_millis(50);

/// Bytes that may wait; a disk that takes no more for so long loses lines, which are counted.
const MAX_BUFFERED: usize = 64 << 20;

impl Audit {
    /// Begins to write where the settings say.
    pub(crate) fn open(settings: &Log) -> io::Result<Self> {
        let mut file = match settings.audit_file.as_str() {
            "" => None,
            _ => Some(AuditFile::open(settings)?),
        };
        let shared = Arc::new(Shared::default());
        let buffer = shared.clone();
        let writer = std::thread::Builder::new().name("audit".to_owned()).spawn(move || {
            while let Some(lines) = buffer.next() {
                if tracing::enabled!(target: AUDIT, tracing::Level::INFO) {
                    // Where standard error is closed, nobody reads the log.
                    let _ = io::stderr().write_all(&lines);
                }
                if let Some(file) = &mut file {
                    file.write_lines(&lines);
                }
            }
        })?;
        Ok(Self { shared, writer: Mutex::new(Some(writer)) })
    }

    /// Notes a read.
    pub(crate) fn read(&self, read: &Read<'_>) {
        #[allow(clippy::disallowed_methods, reason = "the clock of the audit: when a line is written")]
        let now = Timestamp::now();
        let mut buffer = self.shared.lock();
        if buffer.lines.len() > MAX_BUFFERED {
            return count_lost(1);
        }
        let first = buffer.lines.is_empty();
        read.write(now, &mut buffer.lines);
        drop(buffer);
        if first {
            self.shared.changed.notify_one();
        }
    }

    /// Writes what waits and ends.
    pub(crate) fn close(&self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if writer.is_some_and(|writer| writer.join().is_err()) {
            tracing::error!("the audit ended early");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines of the last moment, once there are some; `None` when it is over.
    fn next(&self) -> Option<Vec<u8>> {
        let idle = |buffer: &mut Buffer| buffer.lines.is_empty() && !buffer.closed;
        let buffer = self.changed.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner);
        let open = |buffer: &mut Buffer| !buffer.closed;
        let (mut buffer, _) = self
            .changed
            .wait_timeout_while(buffer, FLUSH_DELAY, open)
            .unwrap_or_else(PoisonError::into_inner);
        let lines = std::mem::take(&mut buffer.lines);
        (!lines.is_empty()).then_some(lines)
    }
}

/// Tells the operator, also where the log is elsewhere or off.
fn report_to_stderr(text: &str) {
    eprintln!("norma: {}", escaped(text));
}

fn count_lost(events: u64) {
    metrics::counter!("norma_audit_events_lost_total").increment(events);
}

/// The file; whole lines are written to it.
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

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        // Somebody took it away, or it could not be made again after a rotation; the library would say nothing.
        if !self.path.exists() {
            self.file = open(&self.path, self.size, self.keep)?;
        }
        self.file.write_all(lines)
    }

    /// Never fails, so that reads are answered while a disk is full: lines that are lost are counted, and standard
    /// error tells when that begins and ends.
    fn write_lines(&mut self, lines: &[u8]) {
        match self.write(lines) {
            Ok(()) if self.failing => {
                self.failing = false;
                report_to_stderr(&format!("audit events are written to {} again", self.path.display()));
            }
            Ok(()) => {}
            Err(error) => {
                count_lost(lines.iter().filter(|&&byte| byte == b'\n').count() as u64);
                if !std::mem::replace(&mut self.failing, true) {
                    report_to_stderr(&format!("audit events are lost: {}: {error}", self.path.display()));
                }
            }
        }
    }
}

/// Tried by hand first: where the file cannot be had, the library panics or throws lines away.
fn open(path: &Path, size: usize, keep: usize) -> io::Result<FileRotate<AppendCount>> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    let limit = ContentLimit::BytesSurpassed(size);
    Ok(FileRotate::new(path, AppendCount::new(keep), limit, Compression::None, Some(options)))
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
    fn a_line_is_one_object_whatever_its_texts_contain() {
        let read = Read {
            request: "r-1",
            tenant: "t",
            client: "a \"client\"\n\u{1}",
            standard: "urn:x",
            other: None,
            method: "GET",
            part: "/standards/{id}",
            path: "/standards/é?q=\\",
            status: 200,
            bytes: 7,
        };
        let mut line = Vec::new();
        read.write(Timestamp::UNIX_EPOCH, &mut line);
        assert_eq!(line.iter().position(|&byte| byte == b'\n'), Some(line.len() - 1));
        let said: serde_json::Value = serde_json::from_slice(&line).unwrap();
        let expected = serde_json::json!({
            "timestamp": "1970-01-01T00:00:00Z", "level": "INFO", "target": AUDIT, "message": "read",
            "request": "r-1", "tenant": "t", "client": "a \"client\"\n\u{1}", "standard": "urn:x", "method": "GET",
            "part": "/standards/{id}", "path": "/standards/é?q=\\", "status": 200, "bytes": 7,
        });
        assert_eq!(said, expected);
    }

    #[test]
    fn whole_lines_go_to_files_of_the_size_and_number_that_the_settings_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut file = AuditFile::open(&settings(&path)).unwrap();
        file.size = 100;
        file.file = open(&path, 100, 2).unwrap();
        for number in 0..40 {
            file.write_lines(format!("{{\"number\":{number:010}}}\n").as_bytes());
        }
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
        let retained: Vec<String> = ["audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"]
            .iter()
            .flat_map(|n| lines(&folder.path().join(n)))
            .collect();
        let first = 40 - retained.len();
        let expected: Vec<String> =
            (first..40).map(|number| format!("{{\"number\":{number:010}}}")).collect();
        assert_eq!(retained, expected, "whole, in order, and the last ones");
    }

    #[test]
    fn a_full_disk_stops_nothing_and_a_file_that_was_taken_away_is_made_anew() {
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
        assert!(!file.failing && lines(&path) == ["{}"]);
    }

    #[test]
    fn a_file_that_cannot_be_had_is_an_error_at_the_start() {
        assert!(AuditFile::open(&settings(Path::new("/proc/no/audit.jsonl"))).is_err());
    }
}
