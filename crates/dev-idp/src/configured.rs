//! Merge of the configured tenants and clients into those of the state file.

use crate::{
    ClientSettings, DevIdpError, DevIdpSettings, RoleGrant, ServiceApi,
    certificate::ParsedCertificate,
    directory::{App, CertificateRecord, DirectoryTenant, SecretRecord, TenantDirectory},
};

/// Merges the configured tenants and clients into the directory of the state file. Secrets, certificates,
/// consent and grants that were added while the provider ran stay.
pub(crate) fn merge(directory: &mut TenantDirectory, settings: &DevIdpSettings) -> Result<(), DevIdpError> {
    let service = &settings.service;
    check_service(service)?;
    let home = directory
        .0
        .entry(service.tenant_id)
        .or_insert_with(|| DirectoryTenant::new("Operator of the service"));
    home.consented = true;
    for tenant in &settings.tenants {
        let stored = directory.0.entry(tenant.id).or_insert_with(|| DirectoryTenant::new(&tenant.name));
        stored.name.clone_from(&tenant.name);
        stored.domains.clone_from(&tenant.domains);
        stored.consented |= tenant.consented;
    }
    for client in &settings.clients {
        merge_client(directory, service, client)?;
    }
    Ok(())
}

fn merge_client(
    directory: &mut TenantDirectory,
    service: &ServiceApi,
    client: &ClientSettings,
) -> Result<(), DevIdpError> {
    let configured = configured_app(client)?;
    let Some(tenant) = directory.0.get_mut(&client.tenant_id) else {
        return Err(DevIdpError::Settings(format!(
            "client {} names tenant {}, which is not among [[tenants]]",
            client.client_id, client.tenant_id
        )));
    };
    if client.client_id == service.client_id {
        return Err(DevIdpError::Settings(format!(
            "client {} has the client id of the service API",
            client.client_id
        )));
    }
    let app = match tenant.apps.remove(&client.client_id) {
        Some(stored) => merge_app(stored, configured),
        None => configured,
    };
    if app.role == RoleGrant::Granted && !tenant.consented {
        return Err(DevIdpError::Settings(format!(
            "client {} is granted the role, but its tenant {} has not consented: set `consented = true` there",
            client.client_id, client.tenant_id
        )));
    }
    tenant.apps.insert(client.client_id, app);
    Ok(())
}

fn check_service(service: &ServiceApi) -> Result<(), DevIdpError> {
    let uri = &service.application_id_uri;
    if url::Url::parse(uri).is_err() {
        return Err(DevIdpError::Settings(format!(
            "application-id-uri `{uri}` is not a URI: write it as api://name"
        )));
    }
    if service.role.is_empty() {
        return Err(DevIdpError::Settings(
            "role is empty: name the application role of the service API".into(),
        ));
    }
    Ok(())
}

fn configured_app(client: &ClientSettings) -> Result<App, DevIdpError> {
    let mut app = App::new(client.client_id, &client.name);
    if let Some(uri) = &client.application_id_uri {
        app.application_id_uri.clone_from(uri);
    }
    for secret in &client.secrets {
        let record = SecretRecord::new(secret.value.expose(), secret.expires);
        app.secrets.push(record.configured());
    }
    for certificate in &client.certificates {
        let pem = if certificate.trim_start().starts_with("-----BEGIN") {
            certificate.clone()
        } else {
            std::fs::read_to_string(certificate).map_err(|error| DevIdpError::read(certificate, error))?
        };
        ParsedCertificate::from_pem(&pem)?;
        app.certificates.push(CertificateRecord { pem, configured: true });
    }
    app.disabled = client.disabled;
    app.role = client.role;
    Ok(app)
}

/// The configured app with the secrets, certificates and role that were added while the provider ran.
fn merge_app(stored: App, mut configured: App) -> App {
    for secret in stored.secrets {
        if !secret.configured {
            configured.secrets.push(secret);
        }
    }
    for certificate in stored.certificates {
        if !certificate.configured {
            configured.certificates.push(certificate);
        }
    }
    configured.role = configured.role.max(stored.role);
    configured
}
