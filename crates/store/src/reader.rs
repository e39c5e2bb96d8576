//! Reader: the store as a service uses it, with reads through access and the access policy.

use std::sync::{Arc, RwLockReadGuard};

use crate::access::{Policy, Viewer};
use crate::catalogue::maintain;
use crate::core::Core;
use crate::view::CatalogueView;
use crate::{CatalogueState, Result, SlotRows};

/// A store that is served: it gives editions and their bytes only as a [`Viewer`] may see them. Cloning gives
/// another handle on the same one.
///
/// ```
/// use std::time::SystemTime;
///
/// use norma_store::{Day, Location, Query, Store, StoreOptions, Viewer};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> norma_store::Result<()> {
/// let folder = tempfile::tempdir().expect("a temporary folder");
/// let location: Location = folder.path().join("norma.db").display().to_string().parse()?;
/// let reader = Store::open(&location, &StoreOptions::default()).await?.reader();
/// let today = Day::from_time(SystemTime::now());
/// let viewer = Viewer::verified("acme", "app", today);
/// let view = reader.view_for(&viewer).await?;
/// assert!(view.is_suspended(), "a tenant that is not registered is not served");
/// assert_eq!(view.list(&Query::default(), None, 50).await?.total, 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Reader(Arc<Core>);

impl Reader {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        Self(core)
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.0
    }

    /// The catalogue as this viewer may see it, at most as old as the setting `max_staleness` allows.
    pub async fn view_for(&self, viewer: &Viewer) -> Result<CatalogueView<'_>> {
        let snapshot = self.0.snapshot().await?;
        let rights = snapshot.rights(viewer);
        Ok(CatalogueView { core: &self.0, snapshot, rights, viewer: viewer.clone() })
    }

    /// Tenants, suspensions, grants and signing keys, at most as old as the setting `max_staleness` allows.
    pub async fn policy(&self) -> Result<Arc<Policy>> {
        Ok(Arc::clone(&self.0.snapshot().await?.policy))
    }

    /// Tenants, suspensions, grants and signing keys as of now: the engine is asked.
    pub async fn policy_now(&self) -> Result<Arc<Policy>> {
        Ok(Arc::clone(&self.0.refresh().await?.policy))
    }

    /// The state of the catalogue that a read would use now: values that were read in the same state are
    /// still valid.
    pub async fn known_state(&self) -> Result<CatalogueState> {
        Ok(self.0.snapshot().await?.state)
    }

    /// The present state of the catalogue: cheap, for polling. Reads use it from then on.
    ///
    /// # Errors
    /// [`StoreError::Replaced`](crate::StoreError::Replaced) where another file has taken the place of the
    /// store, or the file was overwritten; then all other reads fail too. Those of the engine.
    pub async fn state(&self) -> Result<CatalogueState> {
        Ok(self.0.refresh().await?.state)
    }

    /// Brings the index of editions to the present state of the catalogue.
    ///
    /// # Errors
    /// Those of the engine; the index stays as it was then.
    pub async fn follow_editions(&self) -> Result<CatalogueState> {
        let state = self.0.refresh().await?.state;
        self.0.editions().follow(self.0.engine(), state).await?;
        Ok(state)
    }

    /// The index of editions as it was followed last. It does not change while this is held.
    pub fn edition_rows(&self) -> RwLockReadGuard<'_, SlotRows> {
        self.0.editions().rows()
    }

    /// How many stored editions another version of the deriving program made.
    pub async fn derived_by_others(&self, deriver: &str) -> Result<u64> {
        maintain::derived_by_others(self.0.engine(), deriver).await
    }

    /// True if the catalogue can only be read, because its file or folder cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.0.engine().is_read_only()
    }

    /// Asks engine and object store whether they answer now: for readiness.
    pub async fn check(&self) -> Result<()> {
        self.0.refresh().await?;
        match &self.0.blobs().objects {
            Some(objects) => objects.check().await,
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reader")
    }
}
