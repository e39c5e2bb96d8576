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
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod health;
pub(crate) mod ingest;
pub(crate) mod lineage;
pub(crate) mod mcp;
pub(crate) mod mirror;
pub(crate) mod packaging;
mod quoted;
mod ready_file;
pub(crate) mod rebuild;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod store;
mod tables;
pub(crate) mod usage;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use norma_files::FileReaders;
pub(crate) use ready_file::ReadyFile;
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

/// Writes a result to what the command line names; its owner alone may read a new file.
pub(crate) fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    norma_files::write(path, bytes, FileReaders::Owner)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a result to what the command line names; the umask says who may read a new file.
pub(crate) fn write_shared(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    norma_files::write(path, bytes, FileReaders::Umask)
        .with_context(|| format!("cannot write {}", path.display()))
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
