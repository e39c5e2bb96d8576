//! Handle of a running provider: its address and its shared state.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum_server::Handle;
use norma_files::FileReaders;
use tokio::task::JoinHandle;

use crate::{DevIdpError, provider_state::ProviderState};

/// A running development provider; clones share it.
///
/// It serves until [`DevIdp::shutdown`] or the end of the runtime it was started on.
#[derive(Clone)]
pub struct DevIdp(pub(crate) Arc<Inner>);

/// State that the clones share.
pub(crate) struct Inner {
    pub(crate) url: String,
    pub(crate) certificate: Option<TrustedCertificate>,
    pub(crate) shutdown_grace: Duration,
    pub(crate) state: Mutex<ProviderState>,
    pub(crate) handle: Handle<SocketAddr>,
    pub(crate) server: tokio::sync::Mutex<Option<JoinHandle<io::Result<()>>>>,
}

/// The file of the certificate that clients must trust.
pub(crate) struct TrustedCertificate {
    path: PathBuf,
    /// Removes the file on drop, when no path was configured.
    _folder: Option<tempfile::TempDir>,
}

impl DevIdp {
    /// The URL of the provider without a final slash: `http://127.0.0.1:8400`; the `auth_url` of callers.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// The file of the certificate that clients must trust (PEM); `None` without TLS.
    pub fn certificate_path(&self) -> Option<&Path> {
        self.0.certificate.as_ref().map(|certificate| certificate.path.as_path())
    }

    /// Several lines for the terminal: a warning, the address, and the next steps.
    pub fn banner(&self) -> String {
        let service = self.service();
        let mut lines = vec![
            "*** DEVELOPMENT IDENTITY PROVIDER: anyone on this machine gets tokens from it. ***".to_owned(),
            format!("auth-url           {}", self.url()),
            format!("service tenant     {}", service.tenant_id),
            format!("service client id  {}", service.client_id),
            format!("scope to ask for   {}/.default", service.application_id_uri),
            format!("role               {}", service.role),
            format!("consent page       {}", self.consent_url()),
        ];
        if let Some(path) = self.certificate_path() {
            lines.push(format!("trust this file    {}", path.display()));
        }
        lines.join("\n")
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, ProviderState> {
        // Ignores poisoning: each change is made on checked input, so that a panic leaves complete values.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TrustedCertificate {
    pub(crate) fn write(pem: &str, path: Option<&Path>) -> Result<TrustedCertificate, DevIdpError> {
        let (path, folder) = match path {
            Some(path) => (path.to_owned(), None),
            None => {
                let folder = tempfile::Builder::new()
                    .prefix("norma-dev-idp-")
                    .tempdir()
                    .map_err(|error| DevIdpError::write(std::env::temp_dir(), error))?;
                (folder.path().join("certificate.pem"), Some(folder))
            }
        };
        norma_files::write(&path, pem, FileReaders::Umask)
            .map_err(|error| DevIdpError::write(&path, error))?;
        Ok(TrustedCertificate { path, _folder: folder })
    }
}
