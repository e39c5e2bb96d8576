//! Certificate and key of the HTTP front end.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::options::HttpServerError;

/// PEM files of a listener.
pub(super) struct TlsFiles {
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
}

/// The TLS configuration with the certificate and key in two files.
pub(super) fn config(files: impl Into<TlsFiles>) -> Result<Arc<ServerConfig>, HttpServerError> {
    let TlsFiles { certificate, key } = files.into();
    let failed = |path: &PathBuf, error: &dyn std::fmt::Display| {
        HttpServerError::Tls(format!("{}: {error}", path.display()))
    };
    let chain = CertificateDer::pem_file_iter(&certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| failed(&certificate, &error))?;
    let private = PrivateKeyDer::from_pem_file(&key).map_err(|error| failed(&key, &error))?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private));
    let mut config = config.map_err(|error| failed(&certificate, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
