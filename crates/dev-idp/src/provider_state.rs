//! State of a running provider: everything that can change, under one lock, and its storage.

use std::{collections::HashMap, path::PathBuf};

use jiff::{SignedDuration, Timestamp};

use crate::{
    DevIdpError, DevIdpSettings, Guid, ServiceApi, configured,
    directory::{App, TenantDirectory},
    keys::Keys,
    state_file::StateFile,
};

pub(crate) struct ProviderState {
    pub(crate) service: ServiceApi,
    pub(crate) directory: TenantDirectory,
    pub(crate) keys: Keys,
    pub(crate) token_lifetime_seconds: u32,
    /// The difference by which the provider's clock is ahead of the system's.
    pub(crate) clock_ahead: SignedDuration,
    /// `None` when replays are accepted.
    replays: Option<Replays>,
    state_file: Option<PathBuf>,
}

/// Used assertions by client and `jti`, each until it expires.
type Replays = HashMap<(Guid, String), Timestamp>;

impl ProviderState {
    /// The content of the state file, if there is one, merged with the configuration.
    pub(crate) fn open(settings: DevIdpSettings) -> Result<ProviderState, DevIdpError> {
        let file = match &settings.state_file {
            Some(path) => StateFile::read(path)?,
            None => None,
        };
        let (keys, mut directory) = match file {
            Some(file) => (Keys::from_records(file.keys)?, file.tenants),
            None => (Keys::generate()?, TenantDirectory::default()),
        };
        configured::merge(&mut directory, &settings)?;
        let state = ProviderState {
            service: settings.service,
            directory,
            keys,
            token_lifetime_seconds: settings.token_lifetime_seconds,
            clock_ahead: SignedDuration::ZERO,
            replays: settings.refuse_replayed_assertions.then(Replays::new),
            state_file: settings.state_file,
        };
        state.save()?;
        Ok(state)
    }

    #[allow(clippy::disallowed_methods, reason = "the clock of the provider")]
    pub(crate) fn now(&self) -> Timestamp {
        // A shift beyond the range of timestamps gives the last one.
        Timestamp::now().saturating_add(self.clock_ahead).unwrap_or(Timestamp::MAX)
    }

    pub(crate) fn save(&self) -> Result<(), DevIdpError> {
        match &self.state_file {
            None => Ok(()),
            Some(path) => StateFile::new(self.keys.records(), self.directory.clone()).write(path),
        }
    }

    /// The application of that id in the tenant. The service API counts when it has a service principal; it
    /// has no credential.
    pub(crate) fn principal(&self, tenant: Guid, id: Guid) -> Option<App> {
        let tenant = self.directory.tenant(tenant).ok()?;
        if id == self.service.client_id && tenant.consented {
            return Some(App::new(id, &self.service.name));
        }
        tenant.apps.get(&id).cloned()
    }

    /// Records an assertion; `false` when it was used before.
    pub(crate) fn first_use(&mut self, client: Guid, jti: &str, expires: Timestamp, now: Timestamp) -> bool {
        let Some(replays) = &mut self.replays else { return true };
        replays.retain(|_, expires| now <= *expires);
        replays.insert((client, jti.to_owned()), expires).is_none()
    }
}
