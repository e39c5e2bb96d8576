//! Audit files of one instance in the order of time: the rotated ones, compressed or not, then the current
//! one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use jiff::Timestamp;

use super::count::{Click, LATENESS};
use super::line::{LogLine, UsageNames, parse};
use super::month::nanoseconds;
use super::{Month, Notice, UsageError};
use crate::rotated_files;

/// Bytes that are read at once.
const BUFFER: usize = 256 << 10;

/// Longest line that is read; one of the audit has a few kilobytes at most.
const LONGEST_LINE: u64 = 1 << 20;

/// Most bytes in a row that are no lines of a log. Files whose end is not in reach, such as a sparse one, end
/// with an error there.
pub(super) const MOST_UNREADABLE: u64 = 64 << 20;

/// First bytes of a gzip file (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Time after the end of the month for which lines are read. A read does not count when another follows
/// within the time of a double click, and lines are not exactly in order.
const AFTER_THE_END: i64 = LATENESS;

/// The lines of one audit file and of its rotated files.
pub(super) struct AuditSequence<'t> {
    path: PathBuf,
    tenant: Option<&'t str>,
    /// From the first moment of the month to the end of the time that is read, in nanoseconds since 1970.
    time: std::ops::Range<i64>,
    /// Files that are not read yet, the last one first.
    files: Vec<AuditFileSource>,
    /// The file that is being read.
    reader: Option<OpenedAudit>,
    buffer: Vec<u8>,
    /// Time of the first line, if there is no file from before the month.
    first: Option<i64>,
    is_complete: bool,
    /// Lines that could not be read, if there are any.
    unreadable: Option<UnreadableLines>,
}

/// Lines of a sequence that could not be read.
struct UnreadableLines {
    count: u64,
    /// The file of the first.
    path: PathBuf,
    /// Number of the first in its file, from 1.
    first_line: u64,
}

/// A file that is being read.
struct OpenedAudit {
    reader: Box<dyn BufRead>,
    path: PathBuf,
    /// Number of its last line, from 1.
    line: u64,
    /// Number of its last line that could be read.
    readable_line: u64,
    /// Bytes after that line.
    unreadable: u64,
}

/// A file to be read: by its name, which a rotated file keeps; or open, since a rotation renames the current
/// file.
enum AuditFileSource {
    Rotated(PathBuf),
    Open(File, PathBuf),
}

impl<'t> AuditSequence<'t> {
    /// The files, as far as they may have lines of the month. The clock of a rotation is that of the lines.
    pub(super) fn open(path: &Path, month: Month, tenant: Option<&'t str>) -> Result<Self, UsageError> {
        let unreadable = |cause| UsageError::Unreadable { path: path.to_owned(), cause };
        // Before it is opened: a pipe would wait for its writer.
        if let Ok(found) = path.metadata()
            && !found.is_file()
        {
            return Err(UsageError::NotRegular(path.to_owned()));
        }
        // The present file first: if it is rotated after that, it is there a second time, under its new name.
        let present = if_there(File::open(path)).map_err(unreadable)?;
        let mut rotated = if_there(rotated_files(path)).map_err(unreadable)?.unwrap_or_default();
        if let (Some(present), Some((_, newest))) = (&present, rotated.last())
            && is_same(present, newest).map_err(unreadable)?
        {
            rotated.pop();
        }
        if present.is_none() && rotated.is_empty() {
            return Err(UsageError::Absent(path.to_owned()));
        }
        let time = nanoseconds(month.begin())..nanoseconds(month.end()).saturating_add(AFTER_THE_END);
        let before = rotated.partition_point(|(until, _)| nanoseconds(*until) < time.start - AFTER_THE_END);
        let mut files = Vec::new();
        for (_, rotated) in rotated.drain(before..) {
            files.push(AuditFileSource::Rotated(rotated));
        }
        if let Some(present) = present {
            files.push(AuditFileSource::Open(present, path.to_owned()));
        }
        files.reverse();
        Ok(Self {
            path: path.to_owned(),
            tenant,
            time,
            files,
            reader: None,
            buffer: Vec::new(),
            first: None,
            is_complete: before > 0,
            unreadable: None,
        })
    }

    /// The clicks of the next line of the month, or of the seconds after it; `None` at the end.
    pub(super) fn next(&mut self, names: &mut UsageNames) -> Result<Option<Vec<Click>>, UsageError> {
        loop {
            let Some(opened) = &mut self.reader else {
                let Some(source) = self.files.pop() else { return Ok(None) };
                self.reader = Some(source.open()?);
                continue;
            };
            let read = opened.read_line(&mut self.buffer);
            let read = read.map_err(|cause| UsageError::Unreadable { path: opened.path.clone(), cause })?;
            let line = match read {
                ReadLine::Whole => parse(&self.buffer),
                ReadLine::TooLong => LogLine::Unreadable,
                ReadLine::End => {
                    self.reader = None;
                    continue;
                }
            };
            match line {
                LogLine::Other => opened.note_readable(),
                LogLine::Unreadable => {
                    opened.check_is_log()?;
                    let first_line = opened.line;
                    let unreadable = self.unreadable.get_or_insert_with(|| UnreadableLines {
                        count: 0,
                        path: opened.path.clone(),
                        first_line,
                    });
                    unreadable.count += 1;
                }
                LogLine::Audit(time, line) => {
                    opened.note_readable();
                    self.first.get_or_insert(time);
                    if time >= self.time.end {
                        // The following lines are later.
                        self.files.clear();
                        self.reader = None;
                        continue;
                    }
                    let is_of_tenant = self.tenant.is_none_or(|tenant| line.is_of(tenant));
                    if time >= self.time.start && is_of_tenant {
                        return Ok(Some(line.clicks(time, names)));
                    }
                }
            }
        }
    }

    /// Reasons why the lines may not be all of the month.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let mut notices = Vec::new();
        if let Some(first) = self.first
            && !self.is_complete
            && first >= self.time.start
            && let Ok(first) = Timestamp::from_nanosecond(first.into())
        {
            notices.push(Notice::BeginsLate(self.path.clone(), format!("{first:.0}")));
        }
        if let Some(UnreadableLines { count, path, first_line }) = &self.unreadable {
            notices.push(Notice::Unreadable(*count, path.clone(), *first_line));
        }
        notices
    }
}

impl AuditFileSource {
    /// Opens the file, to be read from its first line.
    fn open(self) -> Result<OpenedAudit, UsageError> {
        let (file, path) = match self {
            Self::Open(file, path) => (file, path),
            Self::Rotated(path) => open_rotated(path)?,
        };
        match inflated(file) {
            Ok(reader) => Ok(OpenedAudit { reader, path, line: 0, readable_line: 0, unreadable: 0 }),
            Err(cause) => Err(UsageError::Unreadable { path, cause }),
        }
    }
}

/// Opens a rotated file, and gives its name. It may have been compressed since the folder was listed.
fn open_rotated(path: PathBuf) -> Result<(File, PathBuf), UsageError> {
    let cause = match File::open(&path) {
        Ok(file) => return Ok((file, path)),
        Err(cause) => cause,
    };
    if cause.kind() != io::ErrorKind::NotFound {
        return Err(UsageError::Unreadable { path, cause });
    }
    let mut compressed = path.into_os_string();
    compressed.push(".gz");
    let compressed = PathBuf::from(compressed);
    match File::open(&compressed) {
        Ok(file) => Ok((file, compressed)),
        Err(_) => Err(UsageError::Unreadable { path: compressed, cause }),
    }
}

/// The bytes of a file, decompressed if it is in gzip, whatever its name.
fn inflated(mut file: File) -> io::Result<Box<dyn BufRead>> {
    let mut first = Vec::new();
    (&mut file).take(GZIP.len() as u64).read_to_end(&mut first)?;
    file.rewind()?;
    if first == GZIP {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))));
    }
    Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
}

/// The result of reading a line.
enum ReadLine {
    /// The line is in the buffer, without its end.
    Whole,
    /// It is longer than any line of the audit.
    TooLong,
    /// The file has no further line.
    End,
}

impl OpenedAudit {
    /// Reads the next line. Of one that is too long, the rest is passed over, but no more than
    /// [`MOST_UNREADABLE`] allows.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<ReadLine> {
        self.line += 1;
        let mut is_whole = true;
        loop {
            line.clear();
            let length = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', line)? as u64;
            self.unreadable += length;
            let is_end = line.pop_if(|last| *last == b'\n').is_some() || length < LONGEST_LINE;
            if is_whole && length == 0 {
                return Ok(ReadLine::End);
            }
            if is_whole && is_end {
                return Ok(ReadLine::Whole);
            }
            if is_end || self.unreadable > MOST_UNREADABLE {
                return Ok(ReadLine::TooLong);
            }
            is_whole = false;
        }
    }

    /// Notes that the last line could be read.
    fn note_readable(&mut self) {
        self.readable_line = self.line;
        self.unreadable = 0;
    }

    /// Refuses a file with more than [`MOST_UNREADABLE`] in a row that are not lines of a log.
    fn check_is_log(&self) -> Result<(), UsageError> {
        if self.unreadable <= MOST_UNREADABLE {
            return Ok(());
        }
        Err(UsageError::NotALog { path: self.path.clone(), line: self.readable_line })
    }
}

/// True if an open file is the one with this name.
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    let named = std::fs::metadata(path)?;
    Ok(open.dev() == named.dev() && open.ino() == named.ino())
}

/// What was found, or `None` where it is not there.
fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of reading a file, after this number of clicks.
    fn refused(path: &Path) -> String {
        let month: Month = "2026-10".parse().unwrap();
        let mut names = UsageNames::default();
        let read = AuditSequence::open(path, month, None).and_then(|mut lines| {
            while lines.next(&mut names)?.is_some() {}
            Ok(())
        });
        read.unwrap_err().to_string()
    }

    #[test]
    fn a_file_without_an_end_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, sparse) = (folder.path().join("pipe"), folder.path().join("sparse"));
        // Nobody writes into the pipe.
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe, folder.path()] {
            assert!(refused(path).contains("is not a regular file"), "{}", path.display());
        }
        std::fs::write(&sparse, "{\"level\":\"INFO\"}\n").unwrap();
        // A terabyte without a line end.
        File::options().write(true).open(&sparse).unwrap().set_len(1 << 40).unwrap();
        let said = refused(&sparse);
        assert!(said.contains("found 64 MiB of something else after line 1"), "{said}");
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_whatever_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        let month: Month = "2026-10".parse().unwrap();
        for length in [LONGEST_LINE, LONGEST_LINE + 1, 2 * LONGEST_LINE - 1, 2 * LONGEST_LINE] {
            let mut bytes = vec![b'x'; length as usize];
            // The next line is read by itself, and cannot be read either.
            bytes.extend(b"\n{\n");
            std::fs::write(&path, bytes).unwrap();
            let mut lines = AuditSequence::open(&path, month, None).unwrap();
            assert!(lines.next(&mut UsageNames::default()).unwrap().is_none());
            let unreadable = lines.unreadable.unwrap();
            assert_eq!((unreadable.count, unreadable.first_line), (2, 1), "{length}");
        }
    }
}
