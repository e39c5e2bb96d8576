//! Errors at the start of a service.

use std::net::SocketAddr;

use norma_settings::UnusableSetting;

use crate::identity;

/// The reason why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An address cannot be listened on.
    #[error("cannot listen on {address}; choose another with `--{setting}` (port 0 takes a free one)")]
    Listen {
        /// The address that the setting names.
        address: SocketAddr,
        /// The setting that names it.
        setting: &'static str,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The system gives no thread.
    #[error("the thread of the search index cannot be started: {0}")]
    Search(std::io::Error),
    /// The settings do not fit together.
    #[error(transparent)]
    Setting(#[from] UnusableSetting),
    /// Identity cannot be set up.
    #[error(transparent)]
    Identity(#[from] identity::IdentityError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] norma_store::StoreError),
}
