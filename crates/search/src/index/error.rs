//! Errors of an index, and of a search in it.

use std::path::PathBuf;

/// Why an index cannot be used or changed.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Another process writes to it.
    #[error(
        "another process uses the search index in {}; give each process its own folder with `search-dir`",
        .0.display()
    )]
    InUse(PathBuf),
    /// The folder holds something that is not of an index.
    #[error(
        "the folder {} holds {entry:?}, which is not of a search index; let `search-dir` name a new or an empty folder",
        path.display()
    )]
    Foreign {
        /// The folder that was to hold the index.
        path: PathBuf,
        /// The name of what it holds.
        entry: String,
    },
    /// This file is not as it was written.
    #[error("the search index is damaged and will be built again: {} is not as it was written", .0.display())]
    Damaged(PathBuf),
    /// The folder cannot be read or written.
    #[error("the search index in {} cannot be used: {reason}; let `search-dir` name a folder that can be written", path.display())]
    Folder {
        /// The folder of the index.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The engine failed, most often because the disk is full.
    #[error("the search index cannot be written: {0}")]
    Write(String),
}

/// Why a search gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// More units that the caller may read match than the limit allows.
    #[error("too many units match; write a rarer word, or filter by edition or type")]
    TooManyMatches,
    /// The index is damaged. It must be made again.
    #[error("the search index is damaged: {0}")]
    Damaged(String),
}
