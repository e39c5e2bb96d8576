//! An object store for blobs: a bucket, a container or a folder.
//!
//! Each object is written once under a name that nobody else uses, `<first byte>/<digest>.<random>`, and the
//! catalogue keeps the name. So a deletion that arrives late, or a second writer, never meets an object that
//! somebody relies on, and no store has to honour conditional writes.

use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use futures::TryStreamExt;
use norma_model::Digest;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use url::Url;

use crate::folder::Folder;
use crate::redact::{redacted, redacted_text};
use crate::{Result, StoreError, StoreOptions, random};

#[cfg(feature = "object-stores")]
use crate::bucket::open_bucket;

/// Refuses a bucket in a build without the clients of buckets.
#[cfg(not(feature = "object-stores"))]
fn open_bucket(_: &str, _: &Url, _: &StoreOptions) -> Result<Arc<dyn ObjectStore>> {
    Err(StoreError::Invalid(
        "this program was built without object stores; store the blobs in the database or in a folder (file:///folder), \
         or build it with the Cargo feature `object-stores`"
            .to_owned(),
    ))
}

/// A name below which no blob is.
const NOTHING: &str = "readiness";

/// Objects of one store under one prefix.
pub(crate) struct Objects {
    store: Arc<dyn ObjectStore>,
    /// The folder, if the store is one on this machine.
    folder: Option<Arc<Folder>>,
    prefix: Path,
}

/// The error for an address of blobs that cannot be used, without its secrets.
pub(crate) fn refused(address: &str, why: &str) -> StoreError {
    let (shown, why) = (redacted(address), redacted_text(why));
    StoreError::Invalid(format!(
        "`{shown}` is not a valid address of blobs: {why}; write file:///folder, s3://bucket/prefix, \
         az://container/prefix or gs://bucket/prefix"
    ))
}

impl Objects {
    /// Opens the store at `file:///…`, `s3://…`, `az://…` or `gs://…`. Options follow `?` under the names
    /// that the `object_store` crate gives them (`endpoint`, `region`…); secrets come from the environment.
    pub(crate) fn open(address: &str, settings: &StoreOptions) -> Result<Self> {
        let url = Url::parse(address).map_err(|e| refused(address, &e.to_string()))?;
        match url.scheme() {
            "file" => Self::in_folder(address, &url),
            "s3" | "az" | "gs" => {
                let store = open_bucket(address, &url, settings)?;
                let prefix = Path::from_url_path(url.path()).map_err(|e| refused(address, &e.to_string()))?;
                Ok(Self { store, folder: None, prefix })
            }
            other => Err(refused(address, &format!("expected file, s3, az or gs, found `{other}`"))),
        }
    }

    fn in_folder(address: &str, url: &Url) -> Result<Self> {
        let Ok(folder) = url.to_file_path() else { return Err(refused(address, "it names no folder")) };
        let folder = Folder::open(folder)?;
        let store =
            LocalFileSystem::new_with_prefix(&folder.path).map_err(|e| refused(address, &e.to_string()))?;
        Ok(Self { store: Arc::new(store), folder: Some(Arc::new(folder)), prefix: Path::default() })
    }

    fn path(&self, key: &str) -> Path {
        let mut path = self.prefix.clone();
        for part in key.split('/') {
            path = path.join(part);
        }
        path
    }

    /// Writes an object and gives its name. It outlives a power cut from then on: what a folder holds is
    /// synced here, and the other kinds of store promise it.
    pub(crate) async fn put(&self, digest: &Digest, bytes: Bytes) -> Result<String> {
        let hex = digest.hex();
        let key = format!("{}/{hex}.{}", &hex[..2], random::name());
        match &self.folder {
            Some(folder) => {
                let (folder, name) = (Arc::clone(folder), key.clone());
                let done = tokio::task::spawn_blocking(move || folder.write(&name, &bytes)).await;
                done.map_err(std::io::Error::from)
                    .flatten()
                    .map_err(|e| StoreError::unavailable("put an object", e))?;
            }
            None => {
                let done = self.store.put(&self.path(&key), bytes.into()).await;
                done.map_err(|e| StoreError::unavailable("put an object", e))?;
            }
        }
        Ok(key)
    }

    /// Some bytes of the object with this name, if it exists; fewer if it ends before. They are not compared
    /// with anything.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] also where the bucket or folder itself is not there, as before it is
    /// mounted: nothing is known of its objects then.
    pub(crate) async fn get_range(&self, key: &str, range: Range<u64>) -> Result<Option<Bytes>> {
        if range.is_empty() {
            return Ok(Some(Bytes::new()));
        }
        match self.store.get_range(&self.path(key), range).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(object_store::Error::NotFound { .. }) => self.check().await.map(|()| None),
            Err(error) => Err(StoreError::unavailable("get a part of an object", error)),
        }
    }

    /// Deletes the object with this name; an object that is already gone is not an error.
    pub(crate) async fn delete(&self, key: &str) -> Result<()> {
        match self.store.delete(&self.path(key)).await {
            Ok(()) => Ok(()),
            Err(object_store::Error::NotFound { .. }) => self.check().await,
            Err(error) => Err(StoreError::unavailable("delete an object", error)),
        }
    }

    /// Names and sizes of the objects that were written before `cutoff`.
    pub(crate) async fn older_than(&self, cutoff: SystemTime) -> Result<Vec<(String, u64)>> {
        let cutoff = cutoff.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut listing = self.store.list(Some(&self.prefix));
        let mut old = Vec::new();
        while let Some(object) =
            listing.try_next().await.map_err(|e| StoreError::unavailable("list objects", e))?
        {
            let written = u64::try_from(object.last_modified.timestamp()).unwrap_or_default();
            if written >= cutoff {
                continue;
            }
            if let Some(parts) = object.location.prefix_match(&self.prefix) {
                let key: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
                old.push((key.join("/"), object.size));
            }
        }
        Ok(old)
    }

    /// Asks whether the object store answers and the bucket or folder is there. By a listing, of nothing: the
    /// head of an object is not found in a missing bucket just as in one without the object.
    pub(crate) async fn check(&self) -> Result<()> {
        let tried = "ask the object store";
        if let Some(folder) = &self.folder
            && !folder.path.is_dir()
        {
            return Err(StoreError::unavailable(tried, format!("{} is not a folder", folder.path.display())));
        }
        match self.store.list(Some(&self.path(NOTHING))).try_next().await {
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::unavailable(tried, error)),
        }
    }
}
