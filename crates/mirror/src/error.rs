//! Errors of mirrors and watches.

use std::io;
use std::path::{Path, PathBuf};

use norma_client::ClientError;

/// The reason why a mirror or a watch stopped. What was done is kept: the next run goes on.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// The service cannot be read.
    #[error(transparent)]
    Service(#[from] ClientError),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file with the state is of another program, or damaged.
    #[error("{} is not the state of a mirror or watch: {reason}; remove it to begin again", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder or file is of another service.
    #[error("{} is of the service {found}, not of {expected}: name another one", path.display())]
    OtherService {
        /// The file with the state.
        path: PathBuf,
        /// The service that the state is of.
        found: String,
        /// The service that was asked for.
        expected: String,
    },
    /// There is no mirror to check.
    #[error("{} does not exist: name a mirror, or make one by a run without `--check`", path.display())]
    NoMirror {
        /// The folder, or the file with its state.
        path: PathBuf,
    },
    /// Another process writes it.
    #[error("another call runs, which holds {}: wait until it ends", path.display())]
    InUse {
        /// The locked file.
        path: PathBuf,
    },
    /// An edition was replaced again and again while it was read.
    #[error("{urn} changes again and again while it is read: run the command once more")]
    Unsteady {
        /// URN of the edition.
        urn: String,
    },
    /// A change could not be handed on.
    #[error("the changes were not delivered, and are delivered again next time: {0}")]
    Undelivered(String),
    /// The secret of webhooks has another form.
    #[error("the secret of the webhook has another form: write `whsec_` and 24 to 64 bytes in base64")]
    Secret,
    /// The address of a webhook is not one that may be posted to.
    #[error("`{0}` is not an address to post to: write `https://…`, or `http://` with a loopback address")]
    Address(String),
}

impl MirrorError {
    /// The error of a file or folder.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
