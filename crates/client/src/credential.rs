//! Client credentials: a secret, or a certificate whose key signs an assertion (RFC 7523).

use std::fmt;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::ClientError;

/// Lifetime of an assertion, in seconds. Providers accept at most ten minutes.
const ASSERTION_LIFETIME: u64 = 300;

/// Credential of a caller. Files are read each time a token is requested, so that a credential can be rotated
/// while the client runs.
#[derive(Clone)]
pub struct Credential(CredentialKind);

#[derive(Clone)]
enum CredentialKind {
    Secret(String),
    SecretFile(PathBuf),
    Certificate {
        certificate: PathBuf,
        key: PathBuf,
    },
    #[cfg(test)]
    Pem {
        certificate: String,
        key: String,
    },
}

impl Credential {
    /// A secret that the client has in common with the identity provider.
    pub fn secret(secret: impl Into<String>) -> Self {
        Self(CredentialKind::Secret(secret.into()))
    }

    /// A client secret in a file, without the white space around it.
    pub fn secret_file(path: impl Into<PathBuf>) -> Self {
        Self(CredentialKind::SecretFile(path.into()))
    }

    /// A certificate and its RSA key (PKCS #8 or PKCS #1), each in PEM; both may be in one file.
    pub fn certificate_files(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        Self(CredentialKind::Certificate { certificate: certificate.into(), key: key.into() })
    }

    #[cfg(test)]
    pub(crate) fn pem(certificate: String, key: String) -> Self {
        Self(CredentialKind::Pem { certificate, key })
    }

    /// The form fields of the credential at `now` (seconds since 1970).
    pub(crate) async fn fields(
        &self,
        client_id: &str,
        token_url: &str,
        now: u64,
    ) -> Result<Vec<(&'static str, String)>, ClientError> {
        let (certificate, key) = match &self.0 {
            CredentialKind::Secret(secret) => return Ok(vec![("client_secret", secret.clone())]),
            CredentialKind::SecretFile(path) => {
                let secret = read(path).await?.trim().to_owned();
                if secret.is_empty() {
                    return Err(refuse(format!("{} is empty: expected the client secret", path.display())));
                }
                return Ok(vec![("client_secret", secret)]);
            }
            CredentialKind::Certificate { certificate, key } => (read(certificate).await?, read(key).await?),
            #[cfg(test)]
            CredentialKind::Pem { certificate, key } => (certificate.clone(), key.clone()),
        };
        let signed = assertion(&certificate, &key, client_id, token_url, now)?;
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer".to_owned();
        Ok(vec![("client_assertion_type", kind), ("client_assertion", signed)])
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            CredentialKind::Secret(_) => f.write_str("Credential(secret)"),
            CredentialKind::SecretFile(path) => write!(f, "Credential(secret in {})", path.display()),
            CredentialKind::Certificate { certificate, .. } => {
                write!(f, "Credential(certificate {})", certificate.display())
            }
            #[cfg(test)]
            CredentialKind::Pem { .. } => f.write_str("Credential(certificate)"),
        }
    }
}

async fn read(path: &Path) -> Result<String, ClientError> {
    tokio::fs::read_to_string(path)
        .await
        .map_err(|e| refuse(format!("{} cannot be read: {e}", path.display())))
}

fn refuse(what: String) -> ClientError {
    ClientError::Credential { what }
}

/// Claims of a client assertion (RFC 7523, section 3).
#[derive(Serialize)]
struct AssertionClaims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    jti: String,
    iat: u64,
    nbf: u64,
    exp: u64,
}

/// A signed assertion: PS256, the certificate named by its SHA-256 thumbprint, and a unique `jti`.
fn assertion(
    certificate: &str,
    key: &str,
    client_id: &str,
    token_url: &str,
    now: u64,
) -> Result<String, ClientError> {
    let der = CertificateDer::from_pem_slice(certificate.as_bytes())
        .map_err(|e| refuse(format!("the certificate is not a PEM certificate: {e}")))?;
    // The library reads the first block only, which may be the certificate's.
    let label = key.find("PRIVATE KEY-----").unwrap_or_default();
    let begin = key[..label].rfind("-----BEGIN").unwrap_or_default();
    let key = EncodingKey::from_rsa_pem(&key.as_bytes()[begin..])
        .map_err(|e| refuse(format!("the certificate's key is not an RSA key in PEM: {e}")))?;
    let mut header = Header::new(Algorithm::PS256);
    header.x5t_s256 = Some(BASE64URL_NOPAD.encode(&Sha256::digest(&der)));
    let claims = AssertionClaims {
        iss: client_id,
        sub: client_id,
        aud: token_url,
        jti: uuid::Uuid::new_v4().to_string(),
        iat: now,
        nbf: now,
        exp: now + ASSERTION_LIFETIME,
    };
    jsonwebtoken::encode(&header, &claims, &key)
        .map_err(|e| refuse(format!("the assertion cannot be signed: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::{DecodingKey, Validation};
    use serde_json::Value;

    fn certificate() -> (String, String) {
        let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
        let certificate =
            rcgen::CertificateParams::new(vec!["client".into()]).unwrap().self_signed(&key).unwrap();
        (certificate.pem(), key.serialize_pem())
    }

    #[tokio::test]
    async fn an_assertion_is_signed_with_ps256_names_its_certificate_and_is_never_the_same() {
        let (certificate, key) = certificate();
        let credential = Credential::pem(certificate.clone(), key.clone());
        let fields = credential.fields("client", "https://login/t/oauth2/v2.0/token", 1_000).await.unwrap();
        let assertion = &fields[1].1;
        let header = jsonwebtoken::decode_header(assertion).unwrap();
        assert_eq!(header.alg, Algorithm::PS256);
        let der = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
        assert_eq!(header.x5t_s256, Some(BASE64URL_NOPAD.encode(&Sha256::digest(&der))));
        let public = rcgen::KeyPair::from_pem(&key).unwrap().public_key_pem();
        let mut validation = Validation::new(Algorithm::PS256);
        validation.validate_exp = false;
        validation.set_audience(&["https://login/t/oauth2/v2.0/token"]);
        let claims = jsonwebtoken::decode::<Value>(
            assertion,
            &DecodingKey::from_rsa_pem(public.as_bytes()).unwrap(),
            &validation,
        );
        let claims = claims.unwrap().claims;
        assert_eq!((&claims["iss"], &claims["sub"]), (&"client".into(), &"client".into()));
        assert!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap() <= 600);
        let again = credential.fields("client", "https://login/t/oauth2/v2.0/token", 1_000).await.unwrap();
        assert_ne!(&again[1].1, assertion);
    }

    #[tokio::test]
    async fn files_are_read_anew_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let credential = Credential::secret_file(&path);
        assert!(matches!(credential.fields("c", "u", 0).await, Err(ClientError::Credential { .. })));
        for secret in ["first", "second"] {
            std::fs::write(&path, format!("{secret}\n")).unwrap();
            let fields = credential.fields("c", "u", 0).await.unwrap();
            assert_eq!(fields, [("client_secret", secret.to_owned())]);
        }
    }

    #[tokio::test]
    async fn no_secret_is_in_debug_output_or_errors() {
        assert_eq!(format!("{:?}", Credential::secret("hunter2")), "Credential(secret)");
        let (certificate, key) = certificate();
        for (certificate, key) in [("hunter2".to_owned(), key), (certificate, "hunter2".to_owned())] {
            let error = Credential::pem(certificate, key).fields("c", "u", 0).await.unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
