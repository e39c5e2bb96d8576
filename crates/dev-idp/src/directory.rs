//! Directory of the provider: tenants, their applications, and consent.

use std::collections::BTreeMap;

use aws_lc_rs::{
    constant_time::verify_slices_are_equal,
    digest::{SHA256, digest},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    DevIdpError, Guid, RoleGrant, certificate::ParsedCertificate, encoding::base64url, refusal::TokenRefusal,
};

/// Path segments that do not name a single tenant.
pub(crate) const SHARED_NAMES: [&str; 3] = ["common", "organizations", "consumers"];

/// All tenants, by id.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TenantDirectory(pub(crate) BTreeMap<Guid, DirectoryTenant>);

/// One organisation with its applications.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DirectoryTenant {
    pub(crate) name: String,
    pub(crate) domains: Vec<String>,
    /// True if the service API has a service principal here.
    pub(crate) consented: bool,
    pub(crate) apps: BTreeMap<Guid, App>,
}

/// A client app registration, which is also its service principal in its own tenant.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct App {
    pub(crate) name: String,
    pub(crate) application_id_uri: String,
    pub(crate) secrets: Vec<SecretRecord>,
    pub(crate) certificates: Vec<CertificateRecord>,
    pub(crate) disabled: bool,
    pub(crate) role: RoleGrant,
}

/// Stored form of a secret: its digest, never its text.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretRecord {
    /// SHA-256 of the secret, in base64url.
    sha256: String,
    expires: Option<Timestamp>,
    /// True if it comes from the configuration, so that removing it there removes it here.
    pub(crate) configured: bool,
}

/// A certificate that was parsed when it was added.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CertificateRecord {
    pub(crate) pem: String,
    /// True if it comes from the configuration, so that removing it there removes it here.
    pub(crate) configured: bool,
}

/// Result of checking a secret.
pub(crate) enum SecretCheck {
    Valid,
    Expired,
    Wrong,
}

impl SecretRecord {
    pub(crate) fn new(secret: &str, expires: Option<Timestamp>) -> SecretRecord {
        SecretRecord { sha256: hash(secret), expires, configured: false }
    }

    /// The same secret, marked as from the configuration.
    pub(crate) fn configured(self) -> SecretRecord {
        SecretRecord { configured: true, ..self }
    }

    /// True if it is the secret with this digest, compared in constant time.
    fn is(&self, digest: &str) -> bool {
        verify_slices_are_equal(self.sha256.as_bytes(), digest.as_bytes()).is_ok()
    }

    fn is_expired(&self, now: Timestamp) -> bool {
        match self.expires {
            Some(expires) => now >= expires,
            None => false,
        }
    }
}

fn hash(secret: &str) -> String {
    base64url(digest(&SHA256, secret.as_bytes()).as_ref())
}

impl App {
    pub(crate) fn new(client_id: Guid, name: &str) -> App {
        App { name: name.to_owned(), application_id_uri: format!("api://{client_id}"), ..App::default() }
    }

    pub(crate) fn check_secret(&self, secret: &str, now: Timestamp) -> SecretCheck {
        let sent = hash(secret);
        let mut check = SecretCheck::Wrong;
        for record in &self.secrets {
            if !record.is(&sent) {
                continue;
            }
            if !record.is_expired(now) {
                return SecretCheck::Valid;
            }
            check = SecretCheck::Expired;
        }
        check
    }

    /// The certificates that are registered for the client, parsed.
    pub(crate) fn certificates(&self) -> impl Iterator<Item = ParsedCertificate> {
        self.certificates.iter().filter_map(|record| ParsedCertificate::from_pem(&record.pem).ok())
    }
}

impl TenantDirectory {
    pub(crate) fn tenant(&self, id: Guid) -> Result<&DirectoryTenant, DevIdpError> {
        self.0.get(&id).ok_or(DevIdpError::UnknownTenant(id))
    }

    pub(crate) fn tenant_mut(&mut self, id: Guid) -> Result<&mut DirectoryTenant, DevIdpError> {
        self.0.get_mut(&id).ok_or(DevIdpError::UnknownTenant(id))
    }

    pub(crate) fn app_mut(&mut self, tenant: Guid, client_id: Guid) -> Result<&mut App, DevIdpError> {
        let app = self.tenant_mut(tenant)?.apps.get_mut(&client_id);
        app.ok_or(DevIdpError::UnknownClient { tenant, client_id })
    }

    /// The tenant that a path segment names: its id, or one of its domains.
    pub(crate) fn resolve_tenant(&self, segment: &str) -> Result<Guid, TokenRefusal> {
        if SHARED_NAMES.contains(&segment) {
            return Err(TokenRefusal::TenantShared(segment.to_owned()));
        }
        if let Ok(id) = segment.parse() {
            if self.0.contains_key(&id) {
                return Ok(id);
            }
            return Err(TokenRefusal::TenantNotFound(segment.to_owned()));
        }
        if !is_domain(segment) {
            return Err(TokenRefusal::TenantMalformed(segment.to_owned()));
        }
        for (id, tenant) in &self.0 {
            if tenant.domains.iter().any(|domain| domain.eq_ignore_ascii_case(segment)) {
                return Ok(*id);
            }
        }
        Err(TokenRefusal::TenantNotFound(segment.to_owned()))
    }
}

impl DirectoryTenant {
    pub(crate) fn new(name: &str) -> DirectoryTenant {
        DirectoryTenant {
            name: name.to_owned(),
            domains: Vec::new(),
            consented: false,
            apps: BTreeMap::new(),
        }
    }

    /// Creates or removes the service principal of the service API, and with it the grants.
    pub(crate) fn set_consent(&mut self, consented: bool) {
        self.consented = consented;
        if consented {
            return;
        }
        for app in self.apps.values_mut() {
            app.role = app.role.min(RoleGrant::Added);
        }
    }
}

/// Object id of an application's service principal in a tenant: the same after each start.
pub(crate) fn principal_id(tenant: Guid, client_id: Guid) -> Guid {
    let digest = digest(&SHA256, format!("principal {client_id} in {tenant}").as_bytes());
    Guid::derived(digest.as_ref()[..16].try_into().expect("a SHA-256 digest has 32 bytes"))
}

/// Two or more labels of letters, digits and hyphens.
fn is_domain(name: &str) -> bool {
    name.contains('.') && name.split('.').all(is_domain_label)
}

fn is_domain_label(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
