//! The audit: a line of JSON for each read of content, to the log and to a file that is rotated by size. A
//! request puts its line in memory; a thread writes them out together a moment later, and the rest when the
//! service stops. [`usage`] counts the lines for reports.

mod file;
mod setting_rules;
pub mod terminal;
pub mod usage;

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use norma_settings::LogSettings;

use crate::terminal::escaped;
use file::AuditFile;
pub use file::{rotated_files, rotation_path};
pub use setting_rules::check_settings;

/// Target of audit events: one for each read of content.
const AUDIT: &str = "norma::audit";

/// One read of content: its caller, the standard and part, and the result.
pub struct Read<'a> {
    /// Id of the request, which the response has too.
    pub request: &'a str,
    /// The tenant of the caller.
    pub tenant: &'a str,
    /// The client of the tenant.
    pub client: &'a str,
    /// The edition; `None` for a search.
    pub standard: Option<&'a AuditedStandard>,
    /// The other edition, if two were named.
    pub other: Option<&'a AuditedStandard>,
    /// The editions that a search shows texts or titles of.
    pub found: &'a [AuditedStandard],
    /// The method of the request.
    pub method: &'a str,
    /// The route of the request, such as `/standards/{id}`.
    pub part: &'a str,
    /// The path and query as requested; empty for assets.
    pub path: &'a str,
    /// Status of the answer.
    pub status: u16,
    /// Length of the answer's body; `None` where it is compressed while it is sent.
    pub bytes: Option<u64>,
}

/// An edition as a line of the audit names it.
#[derive(Clone)]
pub struct AuditedStandard {
    /// The URN of the edition.
    pub urn: Arc<str>,
    /// True if the caller may discover it but not read it: the line then has `"access":"discover"`, or
    /// `withAccess` of the other edition. A refused read says by it what was not licensed, a comparison of
    /// which edition it had no text.
    pub only_discovered: bool,
}

/// Why writing into a vector does not fail.
const INFALLIBLE: &str = "a vector takes every byte";

impl Read<'_> {
    /// Writes the line, as the log has its own. Most of its texts are long, and it is written for every read:
    /// they are escaped many bytes at a time.
    fn write(&self, now: Timestamp, line: &mut Vec<u8>) {
        let Self { request, tenant, client, standard, other, found, method, part, path, status, bytes } =
            self;
        write!(line, r#"{{"timestamp":"{now}","level":"INFO","target":"{AUDIT}","message":"read""#)
            .expect(INFALLIBLE);
        for (name, text) in [
            (r#","request":"#, request),
            (r#","tenant":"#, tenant),
            (r#","client":"#, client),
            (r#","method":"#, method),
            (r#","part":"#, part),
            (r#","path":"#, path),
        ] {
            line.extend_from_slice(name.as_bytes());
            write_string(text, line);
        }
        if let Some(standard) = standard {
            line.extend_from_slice(br#","standard":"#);
            write_string(&standard.urn, line);
            if standard.only_discovered {
                line.extend_from_slice(br#","access":"discover""#);
            }
        }
        write_found("read", found, false, line);
        write_found("discovered", found, true, line);
        if let Some(other) = other {
            line.extend_from_slice(br#","with":"#);
            write_string(&other.urn, line);
            if other.only_discovered {
                line.extend_from_slice(br#","withAccess":"discover""#);
            }
        }
        write!(line, r#","status":{status}"#).expect(INFALLIBLE);
        if let Some(bytes) = bytes {
            write!(line, r#","bytes":{bytes}"#).expect(INFALLIBLE);
        }
        line.extend_from_slice(b"}\n");
    }
}

/// Writes the member with the editions of one level that a search shows; none where there are none.
fn write_found(name: &str, found: &[AuditedStandard], only_discovered: bool, line: &mut Vec<u8>) {
    let mut is_empty = true;
    for standard in found {
        if standard.only_discovered != only_discovered {
            continue;
        }
        if is_empty {
            write!(line, r#","{name}":["#).expect(INFALLIBLE);
        } else {
            line.push(b',');
        }
        is_empty = false;
        write_string(&standard.urn, line);
    }
    if !is_empty {
        line.push(b']');
    }
}

/// Writes a JSON string. The JSON library leaves C1 controls and bidirectional marks as they are, which hide
/// text on a terminal.
fn write_string(text: &str, line: &mut Vec<u8>) {
    let start = line.len();
    json_escape_simd::escape_into(text, line);
    if !text.is_ascii() {
        let written = String::from_utf8_lossy(&line[start..]);
        if let Cow::Owned(safe) = escaped(&written) {
            line.truncate(start);
            line.extend_from_slice(safe.as_bytes());
        }
    }
}

/// Lines on their way out.
pub struct Audit {
    pipe: Arc<Pipe>,
    writer: Mutex<Option<std::thread::JoinHandle<()>>>,
}

#[derive(Default)]
struct Pipe {
    buffer: Mutex<Buffer>,
    changed: Condvar,
}

#[derive(Default)]
struct Buffer {
    lines: Vec<u8>,
    closed: bool,
}

/// Longest time that a line waits for others.
const FLUSH_DELAY: Duration = Duration::from_millis(50);

/// Most bytes that wait; when the disk accepts none for longer, lines are lost and counted.
const MAX_BUFFERED: usize = 64 << 20;

impl Audit {
    /// Begins to write where the settings say.
    pub fn open(settings: &LogSettings) -> io::Result<Self> {
        let mut file = match settings.audit_file.as_str() {
            "" => None,
            _ => Some(AuditFile::open(settings)?),
        };
        let pipe = Arc::new(Pipe::default());
        let buffer = pipe.clone();
        let writer = std::thread::Builder::new().name("audit".to_owned()).spawn(move || {
            while let Some(lines) = buffer.next() {
                if tracing::enabled!(target: AUDIT, tracing::Level::INFO) {
                    // If standard error is closed, the log has no reader.
                    let _ = io::stderr().write_all(&lines);
                }
                if let Some(file) = &mut file {
                    file.write_lines(&lines);
                }
            }
        })?;
        Ok(Self { pipe, writer: Mutex::new(Some(writer)) })
    }

    /// Adds the line of a read to those that wait to be written.
    pub fn read(&self, read: &Read<'_>) {
        let now = now();
        let mut buffer = self.pipe.lock();
        if buffer.lines.len() > MAX_BUFFERED {
            count_lost(1);
            return;
        }
        let first = buffer.lines.is_empty();
        read.write(now, &mut buffer.lines);
        drop(buffer);
        if first {
            self.pipe.changed.notify_one();
        }
    }

    /// Writes what waits and ends.
    pub fn close(&self) {
        self.pipe.lock().closed = true;
        self.pipe.changed.notify_one();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::error!("the audit ended early");
        }
    }
}

impl Pipe {
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines of the last moment, when there are some; `None` when the audit has ended.
    fn next(&self) -> Option<Vec<u8>> {
        let is_idle = |buffer: &mut Buffer| buffer.lines.is_empty() && !buffer.closed;
        let first = self.changed.wait_while(self.lock(), is_idle);
        let buffer = first.unwrap_or_else(PoisonError::into_inner);
        // The first line waits for others.
        let is_open = |buffer: &mut Buffer| !buffer.closed;
        let others = self.changed.wait_timeout_while(buffer, FLUSH_DELAY, is_open);
        let (mut buffer, _) = others.unwrap_or_else(PoisonError::into_inner);
        let lines = std::mem::take(&mut buffer.lines);
        if lines.is_empty() { None } else { Some(lines) }
    }
}

/// The time at which a line is written, or a file rotated.
#[allow(clippy::disallowed_methods, reason = "the clock of the audit")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// Counts lines that no file has.
fn count_lost(events: u64) {
    metrics::counter!("norma_audit_events_lost_total").increment(events);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::escaped_lines;

    #[test]
    fn a_line_is_one_object_whatever_its_texts_contain() {
        let read = Read {
            request: "r-1",
            tenant: "t",
            client: "a \"client\"\n\u{1}\u{9b}2J\u{202e}",
            standard: Some(&AuditedStandard { urn: "urn:x".into(), only_discovered: true }),
            other: Some(&AuditedStandard { urn: "urn:y".into(), only_discovered: false }),
            found: &[],
            method: "GET",
            part: "/standards/{id}",
            path: "/standards/é?q=\\",
            status: 200,
            bytes: Some(7),
        };
        let mut line = Vec::new();
        read.write(Timestamp::UNIX_EPOCH, &mut line);
        assert_eq!(line.iter().position(|&byte| byte == b'\n'), Some(line.len() - 1));
        let shown = std::str::from_utf8(&line).unwrap();
        assert_eq!(escaped_lines(shown), shown);
        let said: serde_json::Value = serde_json::from_slice(&line).unwrap();
        let expected = serde_json::json!({
            "timestamp": "1970-01-01T00:00:00Z", "level": "INFO", "target": AUDIT, "message": "read",
            "request": "r-1", "tenant": "t", "client": "a \"client\"\n\u{1}\u{9b}2J\u{202e}", "standard": "urn:x", "method": "GET",
            "part": "/standards/{id}", "path": "/standards/é?q=\\", "access": "discover", "with": "urn:y",
            "status": 200, "bytes": 7,
        });
        assert_eq!(said, expected);
    }
}
