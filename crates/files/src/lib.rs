//! Files that commands write: whole, and never in the place of a device, a pipe or a link.
//!
//! The rules are those of `cp` (POSIX): a symbolic link is followed, and one that leads nowhere is an error;
//! a device, pipe or socket gets the bytes and stays what it is. Beyond `cp`, a regular file is replaced in
//! one step, so that other programs see the whole file or the one before.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileReaders {
    /// Access for the owner alone, whatever the umask.
    Owner,
    /// Access for those whom the umask leaves.
    Umask,
}

impl FileReaders {
    fn mode(self) -> u32 {
        match self {
            Self::Owner => 0o600,
            // The system takes the umask away from it.
            Self::Umask => 0o666,
        }
    }
}

/// Writes bytes to what a path names. A regular file has all of them afterwards, or is as it was.
///
/// # Errors
/// It cannot be written: there is a folder, a link that leads nowhere, no permission, no space.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>, readers: FileReaders) -> io::Result<()> {
    let Some(target) = replaceable(path)? else {
        return open_as_it_is(path)?.write_all(bytes.as_ref());
    };
    let mode = std::fs::Permissions::from_mode(readers.mode());
    let mut file: NamedTempFile =
        tempfile::Builder::new().permissions(mode).tempfile_in(folder_of(&target))?;
    file.write_all(bytes.as_ref())?;
    // Without it, a machine that stops now could have an empty file under the new name.
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Opens what a path names for bytes that come over a long time: a regular file is emptied and grows, so that
/// others can read along.
///
/// # Errors
/// As [`write()`].
pub fn create(path: &Path, readers: FileReaders) -> io::Result<File> {
    let Some(target) = replaceable(path)? else { return open_as_it_is(path) };
    OpenOptions::new().write(true).create(true).truncate(true).mode(readers.mode()).open(target)
}

/// Opens what a path names to append to it: a new file is for its owner alone. A regular file can be read as
/// well.
///
/// # Errors
/// As [`write()`].
pub fn append(path: &Path) -> io::Result<File> {
    let Some(target) = replaceable(path)? else { return open_as_it_is(path) };
    OpenOptions::new().read(true).append(true).create(true).mode(FileReaders::Owner.mode()).open(target)
}

/// The path of the regular file that is, or would be, at the end of the symbolic links of a path. `None`
/// where something is there that must not be replaced: a device, a pipe, a socket, or a file that a path
/// names by its descriptor (`/dev/stdout`), to which the shell still appends.
///
/// # Errors
/// There is a folder, a link that leads nowhere, or a part of the path cannot be read.
pub fn replaceable(path: &Path) -> io::Result<Option<PathBuf>> {
    let kind = match std::fs::metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) if path.is_symlink() => {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "it is a symbolic link to a file that does not exist: remove the link, or make the file",
            ));
        }
        Err(_) => return Ok(Some(path.to_owned())),
    };
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder: name a file in it"));
    }
    if !kind.is_file() {
        return Ok(None);
    }
    let mut target = path.to_owned();
    loop {
        let folder = folder_of(&target).canonicalize()?;
        if folder.starts_with("/proc") {
            return Ok(None);
        }
        let Some(name) = target.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it does not end in the name of a file"));
        };
        let file = folder.join(name);
        if !file.is_symlink() {
            return Ok(Some(file));
        }
        target = folder.join(file.read_link()?);
    }
}

/// Opens what is there, without making or emptying it.
fn open_as_it_is(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.file_type().is_socket() {
        return Ok(File::from(OwnedFd::from(UnixStream::connect(path)?)));
    }
    OpenOptions::new().append(true).open(path)
}

/// The folder of a file; `.` where the path names none.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{MetadataExt, symlink};
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().mode() & 0o777
    }

    #[test]
    fn a_file_is_replaced_in_one_step_and_a_failure_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        for text in ["first", "second"] {
            write(&path, text, FileReaders::Owner).unwrap();
            assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode(&path)), (text, 0o600));
        }
        let page = folder.path().join("a.html");
        write(&page, "page", FileReaders::Umask).unwrap();
        let umask = mode(&page);
        File::create(folder.path().join("plain")).unwrap();
        assert_eq!(umask, mode(&folder.path().join("plain")));
        let taken = folder.path().join("folder");
        std::fs::create_dir(&taken).unwrap();
        assert!(write(&taken, "x", FileReaders::Owner).unwrap_err().to_string().contains("it is a folder"));
        assert!(write(&folder.path().join("none/a.csv"), "x", FileReaders::Owner).is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 4);
    }

    #[test]
    fn a_symbolic_link_is_followed_and_stays_and_one_that_leads_nowhere_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link, second] = ["data/target", "link", "second"].map(|name| folder.path().join(name));
        std::fs::create_dir(folder.path().join("data")).unwrap();
        std::fs::write(&target, "before").unwrap();
        symlink("data/target", &link).unwrap();
        symlink(&link, &second).unwrap();
        for path in [&link, &second] {
            write(path, path.to_str().unwrap(), FileReaders::Owner).unwrap();
            assert_eq!(std::fs::read_to_string(&target).unwrap(), path.to_str().unwrap());
            create(path, FileReaders::Owner).unwrap().write_all(b"longer").unwrap();
            append(path).unwrap().write_all(b" and longer").unwrap();
            assert_eq!(std::fs::read_to_string(&target).unwrap(), "longer and longer");
            assert!(path.is_symlink());
        }
        std::fs::remove_file(&target).unwrap();
        for failed in [
            write(&second, "x", FileReaders::Owner),
            create(&second, FileReaders::Owner).map(drop),
            append(&second).map(drop),
        ] {
            assert!(
                failed.unwrap_err().to_string().contains("a symbolic link to a file that does not exist")
            );
        }
        assert!(!target.exists() && second.is_symlink());
    }

    #[test]
    fn a_pipe_a_socket_and_a_device_get_the_bytes_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let socket = folder.path().join("socket");
        let listener = UnixListener::bind(&socket).unwrap();
        for (path, is_pipe) in [(&pipe, true), (&socket, false)] {
            std::thread::scope(|scope| {
                let reader = scope.spawn(|| {
                    let mut text = String::new();
                    match is_pipe {
                        true => File::open(&pipe).unwrap().read_to_string(&mut text).unwrap(),
                        false => listener.accept().unwrap().0.read_to_string(&mut text).unwrap(),
                    };
                    text
                });
                write(path, "the whole text", FileReaders::Owner).unwrap();
                assert_eq!(reader.join().unwrap(), "the whole text");
            });
            assert!(!path.metadata().unwrap().is_file());
        }
        assert_eq!(replaceable(Path::new("/dev/null")).unwrap(), None);
        write(Path::new("/dev/null"), "x", FileReaders::Owner).unwrap();
        let full = write(Path::new("/dev/full"), "x", FileReaders::Owner).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn a_file_that_a_shell_redirects_to_is_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("redirected");
        let mut open = OpenOptions::new().append(true).create(true).open(&path).unwrap();
        open.write_all(b"before, ").unwrap();
        let descriptor = PathBuf::from(format!("/dev/fd/{}", open.as_raw_fd()));
        write(&descriptor, "written, ", FileReaders::Owner).unwrap();
        open.write_all(b"after").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before, written, after");
    }
}
