//! X.509 certificates: those that the provider makes, and those that clients register.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};
use jiff::Timestamp;
use rcgen::{CertificateParams, DnType, KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256, RsaKeySize};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject};
use x509_parser::{certificate::X509Certificate, prelude::FromDer, public_key::PublicKey};

use crate::{DevIdpError, encoding::base64url};

/// Names of the loopback interface.
const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A certificate for a client app together with its private key, as [`crate::DevIdp::make_certificate`] made
/// it.
#[derive(Clone)]
pub struct ClientCertificate {
    /// The certificate in PEM.
    pub certificate_pem: String,
    /// The RSA private key of the certificate, PKCS #8 in PEM.
    pub key_pem: String,
}

impl std::fmt::Debug for ClientCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientCertificate")
            .field("certificate_pem", &self.certificate_pem)
            .finish_non_exhaustive()
    }
}

/// A parsed certificate: RSA key, thumbprints and validity period.
pub(crate) struct ParsedCertificate {
    /// PKCS #1 `RSAPublicKey`, DER.
    pub(crate) public_key: Vec<u8>,
    /// Modulus, big-endian without leading zeros.
    pub(crate) modulus: Vec<u8>,
    /// Public exponent, big-endian without leading zeros.
    pub(crate) exponent: Vec<u8>,
    /// SHA-1 of the DER, as in `x5t` and the provider's own key ids.
    pub(crate) sha1: [u8; 20],
    /// SHA-256 of the DER, as in `x5t#S256`.
    pub(crate) sha256: [u8; 32],
    /// The validity period, in seconds since 1970, both ends included.
    not_before: i64,
    not_after: i64,
}

impl ParsedCertificate {
    pub(crate) fn from_pem(pem: &str) -> Result<ParsedCertificate, DevIdpError> {
        let der = CertificateDer::from_pem_slice(pem.as_bytes())
            .map_err(|error| DevIdpError::key("a client certificate is not PEM", format!("{error:?}")))?;
        ParsedCertificate::from_der(&der)
    }

    pub(crate) fn from_der(der: &[u8]) -> Result<ParsedCertificate, DevIdpError> {
        let (_, parsed) = X509Certificate::from_der(der).map_err(unusable)?;
        let spki = parsed.public_key();
        let Ok(PublicKey::RSA(rsa)) = spki.parsed() else {
            return Err(unusable("its key is not RSA; make one with 2048 bits or more"));
        };
        if rsa.key_size() < 2048 {
            return Err(unusable("its RSA key is shorter than 2048 bits"));
        }
        let validity = parsed.validity();
        Ok(ParsedCertificate {
            public_key: spki.subject_public_key.data.to_vec(),
            modulus: without_zeros(rsa.modulus).to_vec(),
            exponent: without_zeros(rsa.exponent).to_vec(),
            sha1: fixed(digest(&SHA1_FOR_LEGACY_USE_ONLY, der).as_ref()),
            sha256: fixed(digest(&SHA256, der).as_ref()),
            not_before: validity.not_before.timestamp(),
            not_after: validity.not_after.timestamp(),
        })
    }

    /// SHA-1 thumbprint in base64url: the `x5t` of RFC 7515.
    pub(crate) fn thumbprint(&self) -> String {
        base64url(&self.sha1)
    }

    pub(crate) fn is_valid_at(&self, now: Timestamp) -> bool {
        (self.not_before..=self.not_after).contains(&now.as_second())
    }
}

fn unusable(reason: impl ToString) -> DevIdpError {
    DevIdpError::key("a certificate cannot be used", reason)
}

fn without_zeros(mut number: &[u8]) -> &[u8] {
    while let [0, rest @ ..] = number {
        number = rest;
    }
    number
}

fn fixed<const N: usize>(digest: &[u8]) -> [u8; N] {
    digest.try_into().expect("a digest has the length of its algorithm")
}

/// A fresh RSA-2048 key (PKCS #8) with a self-signed certificate (DER) around it, for signing tokens.
pub(crate) fn make_signing_key() -> Result<(Vec<u8>, Vec<u8>), DevIdpError> {
    let (certificate, key) = self_signed("norma dev-idp token signing", &[], KeyKind::Rsa2048)?;
    Ok((key.serialize_der(), certificate.der().to_vec()))
}

/// A fresh RSA-2048 key and certificate for a client app.
pub(crate) fn make_client_certificate(name: &str) -> Result<ClientCertificate, DevIdpError> {
    let (certificate, key) = self_signed(name, &[], KeyKind::Rsa2048)?;
    Ok(ClientCertificate { certificate_pem: certificate.pem(), key_pem: key.serialize_pem() })
}

/// TLS for the loopback names: the server's configuration and the PEM that clients must trust.
pub(crate) fn make_tls() -> Result<(rustls::ServerConfig, String), DevIdpError> {
    let failed = |error| DevIdpError::key("cannot set up TLS", error);
    let (certificate, key) = self_signed("norma dev-idp", &LOOPBACK_NAMES, KeyKind::P256)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    // The crypto provider is explicit, because a process with two of them has no default.
    let crypto = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = rustls::ServerConfig::builder_with_provider(crypto);
    let builder = builder.with_safe_default_protocol_versions().map_err(failed)?.with_no_client_auth();
    let config = builder.with_single_cert(vec![certificate.der().clone()], key);
    let mut config = config.map_err(failed)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok((config, certificate.pem()))
}

/// The kinds of keys that the provider makes.
#[derive(Clone, Copy)]
enum KeyKind {
    Rsa2048,
    P256,
}

/// A certificate with its key, for some names of hosts.
fn self_signed(
    name: &str,
    hosts: &[&str],
    kind: KeyKind,
) -> Result<(rcgen::Certificate, KeyPair), DevIdpError> {
    let failed =
        |error: rcgen::Error| DevIdpError::key(format!("cannot make a certificate for {name}"), error);
    let key = match kind {
        KeyKind::Rsa2048 => KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048),
        KeyKind::P256 => KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256),
    };
    let key = key.map_err(failed)?;
    let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
    let mut params = CertificateParams::new(hosts).map_err(failed)?;
    params.distinguished_name.push(DnType::CommonName, name);
    let certificate = params.self_signed(&key).map_err(failed)?;
    Ok((certificate, key))
}
