//! Everything that can change while the provider runs, behind one lock, with its way to disk.

use std::{collections::HashMap, path::PathBuf};

use jiff::{SignedDuration, Timestamp};

use crate::{
    Error, Guid, ServiceApi, Settings, configured,
    directory::{App, Directory},
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
        configured::lay_over(&mut directory, &settings)?;
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
