//! Everything that can change while the provider runs, behind one lock, with its way to disk.

use std::{collections::HashMap, path::PathBuf};

use jiff::{SignedDuration, Timestamp};

use crate::{
    ClientSettings, Error, Guid, ServiceApi, Settings,
    certificate::Certificate,
    directory::{App, Directory, SecretRecord, Tenant},
    keys::Keys,
    state::State,
};

pub(crate) struct World {
    pub(crate) service: ServiceApi,
    pub(crate) directory: Directory,
    pub(crate) keys: Keys,
    pub(crate) token_lifetime_seconds: u32,
    /// How far the provider's clock is ahead of the system's.
    pub(crate) clock_ahead: SignedDuration,
    /// `None` where replays are let through.
    replays: Option<Replays>,
    state_file: Option<PathBuf>,
}

/// Assertions seen, by client and `jti`, each until it expires by itself.
type Replays = HashMap<(Guid, String), Timestamp>;

impl World {
    /// The state file's content, if there is one, with the configuration laid over it.
    pub(crate) fn open(settings: Settings) -> Result<World, Error> {
        let state = settings.state_file.as_deref().map(State::read).transpose()?.flatten();
        let (keys, mut directory) = match state {
            Some(state) => (Keys::from_records(state.keys)?, state.tenants),
            None => (Keys::generate()?, Directory::default()),
        };
        lay_over(&mut directory, &settings)?;
        let world = World {
            service: settings.service,
            directory,
            keys,
            token_lifetime_seconds: settings.token_lifetime_seconds,
            clock_ahead: SignedDuration::ZERO,
            replays: settings.refuse_replayed_assertions.then(Replays::new),
            state_file: settings.state_file,
        };
        world.save()?;
        Ok(world)
    }

    pub(crate) fn now(&self) -> Timestamp {
        // A shift beyond the years that a timestamp can tell stops at the last one.
        Timestamp::now().saturating_add(self.clock_ahead).unwrap_or(Timestamp::MAX)
    }

    pub(crate) fn save(&self) -> Result<(), Error> {
        match &self.state_file {
            None => Ok(()),
            Some(path) => State::new(self.keys.records(), self.directory.clone()).write(path),
        }
    }

    /// The application of that id in the tenant. The service API counts where it has a service principal; it
    /// has no credential here.
    pub(crate) fn principal(&self, tenant: Guid, id: Guid) -> Option<App> {
        let tenant = self.directory.tenant(tenant).ok()?;
        let service =
            (id == self.service.client_id && tenant.consented).then(|| App::new(id, &self.service.name));
        service.or_else(|| tenant.apps.get(&id).cloned())
    }

    /// Notes an assertion; `false` when it was noted before.
    pub(crate) fn first_use(&mut self, client: Guid, jti: &str, expires: Timestamp, now: Timestamp) -> bool {
        let Some(replays) = &mut self.replays else { return true };
        replays.retain(|_, expires| now <= *expires);
        replays.insert((client, jti.to_owned()), expires).is_none()
    }
}

/// Lays the configured tenants and clients over what the state file knew. Secrets, certificates, consent and
/// grants that were added while the provider ran stay.
fn lay_over(directory: &mut Directory, settings: &Settings) -> Result<(), Error> {
    let service = &settings.service;
    check_service(service)?;
    let home = directory.0.entry(service.tenant_id).or_insert_with(|| Tenant::new("Operator of the service"));
    home.consented = true;
    for tenant in &settings.tenants {
        let kept = directory.0.entry(tenant.id).or_insert_with(|| Tenant::new(&tenant.name));
        kept.name.clone_from(&tenant.name);
        kept.domains.clone_from(&tenant.domains);
        kept.consented |= tenant.consented;
    }
    for client in &settings.clients {
        let configured = configured_app(client)?;
        let tenant = directory.0.get_mut(&client.tenant_id).ok_or_else(|| {
            Error::Settings(format!(
                "client {} names tenant {}, which is not among [[tenants]]",
                client.client_id, client.tenant_id
            ))
        })?;
        if client.client_id == service.client_id {
            return Err(Error::Settings(format!(
                "client {} has the client id of the service API",
                client.client_id
            )));
        }
        let kept = tenant.apps.entry(client.client_id).or_default();
        *kept = joined(kept, configured);
        if kept.role == crate::RoleGrant::Granted && !tenant.consented {
            return Err(Error::Settings(format!(
                "client {} is granted the role, but its tenant {} has not consented: set `consented = true` there",
                client.client_id, client.tenant_id
            )));
        }
    }
    Ok(())
}

fn check_service(service: &ServiceApi) -> Result<(), Error> {
    let uri = &service.application_id_uri;
    if url::Url::parse(uri).is_err() {
        return Err(Error::Settings(format!(
            "application-id-uri `{uri}` is not a URI: write it as api://name"
        )));
    }
    if service.role.is_empty() {
        return Err(Error::Settings("role is empty: name the application role of the service API".into()));
    }
    Ok(())
}

fn configured_app(client: &ClientSettings) -> Result<App, Error> {
    let mut app = App::new(client.client_id, &client.name);
    if let Some(uri) = &client.application_id_uri {
        app.application_id_uri.clone_from(uri);
    }
    app.secrets = client
        .secrets
        .iter()
        .map(|secret| SecretRecord::new(secret.value.expose(), secret.expires))
        .collect();
    for certificate in &client.certificates {
        let pem = if certificate.trim_start().starts_with("-----BEGIN") {
            certificate.clone()
        } else {
            std::fs::read_to_string(certificate).map_err(|error| Error::read(certificate, error))?
        };
        Certificate::from_pem(&pem)?;
        app.certificates.push(pem);
    }
    app.disabled = client.disabled;
    app.role = client.role;
    Ok(app)
}

fn joined(kept: &App, mut configured: App) -> App {
    let new_secrets = kept.secrets.iter().filter(|secret| !configured.secrets.contains(secret)).cloned();
    configured.secrets = new_secrets.chain(configured.secrets.iter().cloned()).collect();
    let new_pems = kept.certificates.iter().filter(|pem| !configured.certificates.contains(pem)).cloned();
    configured.certificates = new_pems.chain(configured.certificates.iter().cloned()).collect();
    configured.role = configured.role.max(kept.role);
    configured
}
