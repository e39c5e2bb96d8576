//! Administration of a running provider: tenants, apps, roles and keys.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::{
    ClientCertificate, DevIdp, DevIdpError, Guid, RoleGrant, Secret, ServiceApi, blocking,
    certificate::{ParsedCertificate, make_client_certificate},
    directory::{App, CertificateRecord, DirectoryTenant, SecretRecord},
    encoding::opaque,
    keys::{Keys, TokenSigningKey, TokenVersion},
    provider_state::ProviderState,
};

/// A new client app registration with its secret, which is shown only once.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The tenant it was made in.
    pub tenant: Guid,
    /// The client id of the new application.
    pub client_id: Guid,
    /// The first secret of the client; the provider stores only a digest.
    pub secret: Secret,
}

/// Administration while it runs. Each change is in the state file, if there is one, before the call returns,
/// so that each can fail with [`DevIdpError::File`].
impl DevIdp {
    /// The present settings of the service API application.
    pub fn service(&self) -> ServiceApi {
        self.state().service.clone()
    }

    /// The address at which a tenant's administrator consents to the service API.
    pub fn consent_url(&self) -> String {
        let ServiceApi { tenant_id, client_id, .. } = self.service();
        format!("{}/{tenant_id}/adminconsent?client_id={client_id}", self.url())
    }

    /// Adds a tenant under a fresh id.
    pub fn add_tenant(&self, name: &str) -> Result<Guid, DevIdpError> {
        let id = Guid::random();
        self.change(|state| Ok(state.directory.0.insert(id, DirectoryTenant::new(name))))?;
        Ok(id)
    }

    /// Registers a client app with one secret that does not expire.
    pub fn register_client(&self, tenant: Guid, name: &str) -> Result<Registration, DevIdpError> {
        let client_id = Guid::random();
        let app = App::new(client_id, name);
        self.change(|state| Ok(state.directory.tenant_mut(tenant)?.apps.insert(client_id, app)))?;
        let secret = self.add_secret(tenant, client_id, None)?;
        Ok(Registration { tenant, client_id, secret })
    }

    /// Adds a secret to a client app, refused from `expires` on.
    pub fn add_secret(
        &self,
        tenant: Guid,
        client_id: Guid,
        expires: Option<Timestamp>,
    ) -> Result<Secret, DevIdpError> {
        let secret = opaque(30);
        self.change_app(tenant, client_id, |app| app.secrets.push(SecretRecord::new(&secret, expires)))?;
        Ok(Secret::from(secret))
    }

    /// Adds a certificate (PEM, RSA of at least 2048 bits) to a client app.
    ///
    /// # Errors
    /// [`DevIdpError::Key`] when the text is not such a certificate.
    pub fn add_certificate(&self, tenant: Guid, client_id: Guid, pem: &str) -> Result<(), DevIdpError> {
        ParsedCertificate::from_pem(pem)?;
        self.change_app(tenant, client_id, |app| {
            app.certificates.push(CertificateRecord { pem: pem.to_owned(), configured: false })
        })
    }

    /// Makes a certificate with its key for a client app, and registers it. Takes a moment: the key is RSA.
    pub fn make_certificate(&self, tenant: Guid, client_id: Guid) -> Result<ClientCertificate, DevIdpError> {
        let made = make_client_certificate(&client_id.to_string())?;
        self.add_certificate(tenant, client_id, &made.certificate_pem)?;
        Ok(made)
    }

    /// Switches a client app off or on.
    pub fn set_disabled(&self, tenant: Guid, client_id: Guid, disabled: bool) -> Result<(), DevIdpError> {
        self.change_app(tenant, client_id, |app| app.disabled = disabled)
    }

    /// Consents to the service API for a tenant, which creates its service principal there.
    pub fn consent(&self, tenant: Guid) -> Result<(), DevIdpError> {
        self.change(|state| {
            state.directory.tenant_mut(tenant)?.set_consent(true);
            Ok(())
        })
    }

    /// Withdraws a tenant's consent, and the grants of the role with it. The operator's own tenant keeps its
    /// consent.
    pub fn withdraw_consent(&self, tenant: Guid) -> Result<(), DevIdpError> {
        self.change(|state| {
            let operator = state.service.tenant_id;
            state.directory.tenant_mut(tenant)?.set_consent(tenant == operator);
            Ok(())
        })
    }

    /// Adds the role of the service API to a client app.
    ///
    /// # Errors
    /// [`DevIdpError::NotConsented`] while the service API is not known in the tenant.
    pub fn add_role(&self, tenant: Guid, client_id: Guid) -> Result<(), DevIdpError> {
        self.change_role(tenant, client_id, |role| Ok(role.max(RoleGrant::Added)))
    }

    /// Grants the role that was added to the app, as the administrator does.
    ///
    /// # Errors
    /// [`DevIdpError::RoleNotAdded`] when it was not added.
    pub(crate) fn grant_added_role(&self, tenant: Guid, client_id: Guid) -> Result<(), DevIdpError> {
        self.change_role(tenant, client_id, |role| match role {
            RoleGrant::Absent => Err(DevIdpError::RoleNotAdded(client_id)),
            RoleGrant::Added | RoleGrant::Granted => Ok(RoleGrant::Granted),
        })
    }

    /// Adds and grants the role in one step.
    ///
    /// # Errors
    /// [`DevIdpError::NotConsented`] while the service API is not known in the tenant.
    pub fn grant_role(&self, tenant: Guid, client_id: Guid) -> Result<(), DevIdpError> {
        self.change_role(tenant, client_id, |_| Ok(RoleGrant::Granted))
    }

    /// Removes the role from a client app.
    pub fn revoke_role(&self, tenant: Guid, client_id: Guid) -> Result<(), DevIdpError> {
        self.change_app(tenant, client_id, |app| app.role = RoleGrant::Absent)
    }

    /// Makes the next key, already published, the signing key, and publishes another one. The old key stays
    /// published for `overlap`.
    pub async fn rotate_keys(&self, overlap: Duration) -> Result<(), DevIdpError> {
        let fresh = blocking(TokenSigningKey::generate).await?;
        self.change(|state| {
            let now = state.now();
            let end = now.saturating_add(overlap).unwrap_or(Timestamp::MAX);
            state.keys.rotate(fresh, now, end);
            Ok(())
        })
    }

    /// Replaces every key at once, as after a leak.
    pub async fn replace_keys(&self) -> Result<(), DevIdpError> {
        let fresh = blocking(Keys::generate).await?;
        self.change(|state| {
            state.keys = fresh;
            Ok(())
        })
    }

    /// Sets whether a client without the role gets an error; not stored over a restart.
    pub fn set_assignment_required(&self, required: bool) {
        self.state().service.assignment_required = required;
    }

    /// Sets the lifetime of new tokens; not stored over a restart.
    pub fn set_token_lifetime(&self, seconds: u32) {
        self.state().token_lifetime_seconds = seconds;
    }

    /// Sets the difference between the provider's clock and the system's in seconds, to test skew and expiry.
    pub fn set_clock_ahead(&self, seconds: i64) {
        self.state().clock_ahead = SignedDuration::from_secs(seconds);
    }

    /// Signs `claims` with the current key, for tests that need a valid signature over any content.
    ///
    /// # Errors
    /// [`DevIdpError::Settings`] when the claims cannot be written as JSON.
    pub fn sign(&self, claims: &impl Serialize) -> Result<String, DevIdpError> {
        let claims = serde_json::to_value(claims)
            .map_err(|error| DevIdpError::Settings(format!("the claims are not valid JSON: {error}")))?;
        Ok(self.state().keys.token(TokenVersion::V2, &claims))
    }

    /// Makes one change and writes it to the state file.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut ProviderState) -> Result<T, DevIdpError>,
    ) -> Result<T, DevIdpError> {
        let mut state = self.state();
        let value = change(&mut state)?;
        state.save()?;
        Ok(value)
    }

    fn change_app(
        &self,
        tenant: Guid,
        client_id: Guid,
        change: impl FnOnce(&mut App),
    ) -> Result<(), DevIdpError> {
        self.change(|state| {
            change(state.directory.app_mut(tenant, client_id)?);
            Ok(())
        })
    }

    fn change_role(
        &self,
        tenant: Guid,
        client_id: Guid,
        next: impl FnOnce(RoleGrant) -> Result<RoleGrant, DevIdpError>,
    ) -> Result<(), DevIdpError> {
        self.change(|state| {
            let app = state.directory.app_mut(tenant, client_id)?;
            let next = next(app.role)?;
            if !state.directory.tenant(tenant)?.consented {
                return Err(DevIdpError::NotConsented(tenant));
            }
            state.directory.app_mut(tenant, client_id)?.role = next;
            Ok(())
        })
    }
}
