//! One file for each command or family of commands.

pub(crate) mod access;
pub(crate) mod caller;
pub(crate) mod catalogue;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod config;
mod content_html;
pub(crate) mod demo;
pub(crate) mod dev_idp;
pub(crate) mod doctor;
mod editions;
#[cfg(feature = "evaluation")]
pub(crate) mod eval;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod health;
pub(crate) mod ingest;
pub(crate) mod lineage;
pub(crate) mod packaging;
pub(crate) mod rebuild;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod store;
mod tables;
pub(crate) mod usage;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use norma_audit::folder_of;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ctrl-C and SIGTERM, received from the moment it is made.
pub(crate) struct StopSignal {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignal {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Returns at the first signal.
    pub(crate) async fn came(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// A file that exists only while the program is ready.
pub(crate) struct ReadyFile(Option<PathBuf>);

impl ReadyFile {
    /// Removes the file of an earlier run.
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        let file = Self(path);
        file.remove();
        file
    }

    /// Writes it in one step.
    pub(crate) fn write(&self, text: &str) -> anyhow::Result<()> {
        self.0.as_ref().map_or(Ok(()), |path| write_whole(path, text))
    }

    fn remove(&self) {
        if let Some(path) = &self.0 {
            // It may not be there.
            drop(std::fs::remove_file(path));
        }
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Writes a file in one step, for its owner only: another program sees the whole file or none.
pub(crate) fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let folder = folder_of(path);
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    std::io::Write::write_all(&mut file, bytes.as_ref())?;
    file.persist(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}

/// Paths and globs of the command line, as paths that exist.
pub(crate) fn expand(arguments: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for text in arguments {
        let plain = PathBuf::from(text);
        if plain.exists() {
            paths.push(plain);
            continue;
        }
        let before = paths.len();
        for path in glob::glob(text)
            .with_context(|| format!("`{text}` is neither a path that exists nor a valid glob pattern"))?
        {
            paths.push(path?);
        }
        if paths.len() == before {
            bail!("`{text}` matches no file or folder: check the path, or quote the glob pattern");
        }
    }
    Ok(paths)
}
