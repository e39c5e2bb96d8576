//! A watch: what changed since its last call is handed on, once.

use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use norma_client::Client;
use norma_client::shapes::{ChangeList, StandardChange};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::MirrorError;
use crate::deliver::Delivery;
use crate::lock::lock;
use crate::mirror::has_ended;
use crate::state::MirrorState;

/// The type of what is handed on.
const CHANGED: &str = "norma.changes";

/// Hands on what changed since its last call.
pub struct Watch {
    client: Client,
    path: PathBuf,
    state: MirrorState,
    _lock: File,
}

/// What a call of a watch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchReport {
    /// Changes that were handed on.
    pub changes: u64,
    /// True in the first call, which only notes where changes begin.
    pub is_first: bool,
}

/// What is handed on: a payload in the form of Standard Webhooks.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: String,
    data: PayloadData<'a>,
}

#[derive(Serialize)]
struct PayloadData<'a> {
    items: &'a [StandardChange<'a>],
}

impl Watch {
    /// A watch of a service with its state in a file. `service` is the URL of the service that the client
    /// calls. While the watch is open, it holds a lock file next to the state.
    ///
    /// # Errors
    /// The folder of the file is missing, another call holds the lock, or the file cannot be read, has no
    /// state, or is of another service.
    pub fn open(client: Client, service: &str, path: &Path) -> Result<Self, MirrorError> {
        let folder = norma_files::folder_of(path);
        std::fs::metadata(folder).map_err(MirrorError::file(folder))?;
        let mut lock_path = path.as_os_str().to_owned();
        lock_path.push(".lock");
        let lock = lock(Path::new(&lock_path))?;
        let state = MirrorState::read(path, service.trim_end_matches('/'))?;
        Ok(Self { client, path: path.to_owned(), state, _lock: lock })
    }

    /// Hands on what changed since the last call, a page at a time. The state is written after each: a page
    /// whose delivery failed is delivered again. Its id is the same where nothing else changed meanwhile;
    /// otherwise it is another page with another id, which has the items of both.
    ///
    /// # Errors
    /// The service cannot be read, the changes were not delivered, or the state cannot be written.
    pub async fn call(
        &mut self,
        delivery: &Delivery,
        now: impl Fn() -> Timestamp,
    ) -> Result<WatchReport, MirrorError> {
        let mut report = WatchReport::default();
        let Some(mut cursor) = self.state.cursor.clone() else {
            let begin = self.client.changes(None).await?.next.into_owned();
            self.note(begin)?;
            return Ok(WatchReport { is_first: true, ..report });
        };
        loop {
            let ChangeList { items, more, next } = match self.client.changes(Some(&cursor)).await {
                Err(error) if has_ended(&error) => self.begun_again().await?,
                answer => answer?,
            };
            if !items.is_empty() {
                let payload = Payload {
                    kind: CHANGED,
                    timestamp: now().to_string(),
                    data: PayloadData { items: &items },
                };
                let body = serde_json::to_vec(&payload).expect("shapes always serialise");
                delivery.deliver(&message_id(&cursor, &items), body, now()).await?;
                report.changes += items.len() as u64;
            }
            cursor = next.into_owned();
            if self.state.cursor.as_ref() != Some(&cursor) {
                self.note(cursor.clone())?;
            }
            if !more {
                return Ok(report);
            }
        }
    }

    /// That everything may have changed, where the cursor counts no more.
    async fn begun_again(&self) -> Result<ChangeList<'static>, MirrorError> {
        let next = self.client.changes(None).await?.next;
        let refresh = StandardChange { scope: None, ..StandardChange::refresh() };
        Ok(ChangeList { items: vec![refresh], more: false, next })
    }

    fn note(&mut self, cursor: String) -> Result<(), MirrorError> {
        self.state.cursor = Some(cursor);
        self.state.listing = false;
        self.state.write(&self.path)
    }
}

/// The id of a delivery: the same where the same changes are delivered again.
fn message_id(cursor: &str, items: &[StandardChange<'_>]) -> String {
    let items = serde_json::to_vec(items).expect("shapes always serialise");
    let digest = Sha256::new().chain_update(cursor).chain_update(items).finalize();
    format!("msg_{}", data_encoding::HEXLOWER.encode(&digest[..16]))
}
