//! Replacement of object stores in a build without the Cargo feature `object-stores`: each address is
//! refused.

use std::ops::Range;
use std::time::SystemTime;

use bytes::Bytes;
use norma_model::Digest;

use crate::{Result, StoreError, StoreOptions};

/// An object store that cannot exist in this build.
pub(crate) enum Objects {}

impl Objects {
    /// Refuses the address.
    pub(crate) fn open(_address: &str, _settings: &StoreOptions) -> Result<Self> {
        Err(StoreError::Invalid(
            "this program was built without object stores; keep the blobs in the database, or build it with the Cargo feature \
             `object-stores`"
                .to_owned(),
        ))
    }

    pub(crate) async fn put(&self, _digest: &Digest, _bytes: Bytes) -> Result<String> {
        match *self {}
    }

    pub(crate) async fn get_range(&self, _key: &str, _range: Range<u64>) -> Result<Option<Bytes>> {
        match *self {}
    }

    pub(crate) async fn delete(&self, _key: &str) -> Result<()> {
        match *self {}
    }

    pub(crate) async fn older_than(&self, _cutoff: SystemTime) -> Result<Vec<(String, u64)>> {
        match *self {}
    }

    pub(crate) async fn check(&self) -> Result<()> {
        match *self {}
    }
}
