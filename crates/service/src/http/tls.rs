//! TLS certificate of a listener, read again when its file changes.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use norma_settings::{HttpSettings, UnusableSetting};

/// A certificate with its key, as last read.
#[derive(Clone)]
pub(super) struct ServerCertificate(Arc<ArcSwap<ServerConfig>>);

impl ServerCertificate {
    /// Loads the certificate of the settings; `None` if they name none.
    pub(super) fn load(settings: &HttpSettings) -> Result<Option<Self>, UnusableSetting> {
        if settings.tls_cert.is_empty() {
            return Ok(None);
        }
        let config = read(settings).map_err(|why| UnusableSetting {
            setting: "tls-cert",
            why: format!("certificate or key cannot be used: {why}"),
        })?;
        Ok(Some(Self(Arc::new(ArcSwap::from_pointee(config)))))
    }

    /// The acceptor of handshakes with the current certificate.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.0.load_full())
    }

    /// Reads the certificate again whenever its file has changed; an invalid one leaves the old one in use.
    pub(super) async fn follow(self, settings: HttpSettings, interval: Duration) {
        let stamp = || {
            let of = |path: &str| std::fs::metadata(path).and_then(|m| m.modified()).ok();
            (of(&settings.tls_cert), of(&settings.tls_key))
        };
        let mut known = stamp();
        let mut ticks = tokio::time::interval(interval);
        loop {
            ticks.tick().await;
            let now = stamp();
            if now != known {
                known = now;
                self.read_again(&settings);
            }
        }
    }

    fn read_again(&self, settings: &HttpSettings) {
        match read(settings) {
            Ok(config) => {
                self.0.store(Arc::new(config));
                tracing::info!("the TLS certificate was read again");
            }
            Err(error) => {
                tracing::error!(%error, "the new TLS certificate cannot be used; the old one stays");
            }
        }
    }
}

/// Checks that certificate and key can be read and match.
///
/// # Errors
/// Why not.
pub(crate) fn check_certificate(settings: &HttpSettings) -> Result<(), UnusableSetting> {
    ServerCertificate::load(settings).map(drop)
}

fn read(settings: &HttpSettings) -> Result<ServerConfig, axum::BoxError> {
    let HttpSettings { tls_cert, tls_key, .. } = settings;
    let chain = CertificateDer::pem_file_iter(tls_cert).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| format!("{tls_cert}: {error}"))?;
    let key = PrivateKeyDer::from_pem_file(tls_key).map_err(|error| format!("{tls_key}: {error}"))?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use norma_settings::Settings;

    use super::*;

    /// Writes a new certificate for loopback, and its key.
    fn write_certificate(folder: &Path) {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    }

    #[test]
    fn a_certificate_that_cannot_be_used_leaves_the_old_one_in_use_and_a_good_one_replaces_it() {
        let folder = tempfile::tempdir().unwrap();
        write_certificate(folder.path());
        let mut settings = Settings::defaults().http;
        settings.tls_cert = folder.path().join("cert.pem").display().to_string();
        settings.tls_key = folder.path().join("key.pem").display().to_string();
        let certificate = ServerCertificate::load(&settings).unwrap().unwrap();
        let first = certificate.0.load_full();
        std::fs::write(folder.path().join("cert.pem"), "nothing").unwrap();
        certificate.read_again(&settings);
        assert!(Arc::ptr_eq(&first, &certificate.0.load_full()));
        write_certificate(folder.path());
        certificate.read_again(&settings);
        assert!(!Arc::ptr_eq(&first, &certificate.0.load_full()));
    }
}
