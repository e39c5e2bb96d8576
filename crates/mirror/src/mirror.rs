//! A mirror: what is done in a run.

use std::collections::BTreeSet;
use std::path::Path;
use std::pin::pin;

use futures::stream::{self, StreamExt, TryStreamExt};
use norma_client::shapes::{AccessLevel, ChangeList, StandardChange, StandardChangeType};
use norma_client::{Client, ClientError, Code, ListFilters, ListQuery};

use crate::MirrorError;
use crate::edition::{self, ReadEdition};
use crate::folder::{MirrorFolder, folder_name};
use crate::state::{CopyState, MirrorState};

/// Editions that are read at once: few, so that other clients of the caller have room.
const AT_ONCE: usize = 4;

/// Editions after which the state is written while all are listed.
const STATE_EVERY: usize = 50;

/// Standards on a page of the list.
const PAGE: u32 = 500;

/// Most times that a run begins again because its cursor ended.
const BEGINNINGS: usize = 3;

/// Copies of what a caller may read, in a folder.
pub struct Mirror {
    pub(crate) client: Client,
    pub(crate) folder: MirrorFolder,
    pub(crate) state: MirrorState,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorReport {
    /// Editions that were read and written.
    pub read: u64,
    /// Copies that were removed.
    pub removed: u64,
    /// Copies that there are now.
    pub copies: u64,
    /// True if all standards were listed, as in the first run and after a change of grants.
    pub listed: bool,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorEvent<'a> {
    /// So many editions more are to be looked at.
    Planned(u64),
    /// An edition was read and written.
    Read(&'a str),
    /// A copy was removed.
    Removed(&'a str),
    /// A copy is current.
    Unchanged(&'a str),
}

/// Receives progress.
type OnEvent<'o> = &'o mut (dyn FnMut(MirrorEvent<'_>) + Send);

impl Mirror {
    /// Opens the mirror of a service in a folder, and makes it where it is missing. `service` is the URL of
    /// the service that the client calls.
    ///
    /// # Errors
    /// The folder cannot be used, or is the mirror of another service.
    pub fn open(client: Client, service: &str, folder: &Path) -> Result<Self, MirrorError> {
        Self::of_folder(client, service, MirrorFolder::open(folder)?)
    }

    /// Opens the mirror of a service that is in a folder already, for a check.
    ///
    /// # Errors
    /// There is no mirror in the folder, or it is of another service, or in use.
    pub fn open_existing(client: Client, service: &str, folder: &Path) -> Result<Self, MirrorError> {
        Self::of_folder(client, service, MirrorFolder::open_existing(folder)?)
    }

    fn of_folder(client: Client, service: &str, folder: MirrorFolder) -> Result<Self, MirrorError> {
        let state = MirrorState::read(&folder.state(), service.trim_end_matches('/'))?;
        Ok(Self { client, folder, state })
    }

    /// Brings the copies to the present state of the service: all of them in the first run, afterwards those
    /// that changed, and those whose folder is missing. What the caller may not read any more is removed.
    ///
    /// # Errors
    /// The service cannot be read, or the disk not be written; what was done is kept.
    pub async fn run(&mut self, on_event: OnEvent<'_>) -> Result<MirrorReport, MirrorError> {
        let mut report = MirrorReport::default();
        for beginning in 1.. {
            match self.follow(&mut report, on_event).await {
                Err(MirrorError::Service(error)) if has_ended(&error) && beginning < BEGINNINGS => {
                    self.state.begin_again();
                    self.save()?;
                }
                done => {
                    done?;
                    break;
                }
            }
        }
        report.copies = self.state.standards.len() as u64;
        Ok(report)
    }

    async fn follow(&mut self, report: &mut MirrorReport, on_event: OnEvent<'_>) -> Result<(), MirrorError> {
        let mut cursor = match self.state.cursor.clone() {
            Some(cursor) => cursor,
            None => {
                // Before the list: what changes meanwhile is answered after it.
                let cursor = self.client.changes(None).await?.next.into_owned();
                self.state.cursor = Some(cursor.clone());
                self.save()?;
                cursor
            }
        };
        if self.state.listing {
            self.list(report, on_event).await?;
        } else {
            self.repair(report, on_event).await?;
        }
        loop {
            let ChangeList { items, more, next } = self.client.changes(Some(&cursor)).await?;
            cursor = next.into_owned();
            let must_list = items.iter().any(|item| item.change_type == StandardChangeType::Refresh);
            self.apply(items, report, on_event).await?;
            self.state.cursor = Some(cursor.clone());
            if must_list {
                self.state.doubt();
            }
            self.save()?;
            if must_list {
                self.list(report, on_event).await?;
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Reads the editions again whose folder somebody removed, and removes what belongs to none.
    async fn repair(&mut self, report: &mut MirrorReport, on_event: OnEvent<'_>) -> Result<(), MirrorError> {
        self.remove_strangers()?;
        let lost: Vec<String> =
            self.state.standards.keys().filter(|urn| !self.folder.has(urn)).cloned().collect();
        on_event(MirrorEvent::Planned(lost.len() as u64));
        self.read(lost, report, on_event).await
    }

    /// Lists all standards, reads those that differ, and removes copies of those that are not listed.
    async fn list(&mut self, report: &mut MirrorReport, on_event: OnEvent<'_>) -> Result<(), MirrorError> {
        report.listed = true;
        let filters = ListFilters { access: vec![AccessLevel::Read], ..ListFilters::default() };
        let query = ListQuery { limit: PAGE, filters, ..ListQuery::default() };
        let mut listed = BTreeSet::new();
        let client = self.client.clone();
        let mut pages = pin!(client.pages(query));
        while let Some(page) = pages.try_next().await? {
            let (mut different, mut doubtful) = (Vec::new(), Vec::new());
            on_event(MirrorEvent::Planned(page.items.len() as u64));
            for item in page.items {
                let urn = item.urn.into_owned();
                let known = self.state.standards.get(&urn).filter(|copy| {
                    copy.revision == item.revision
                        && copy.status == item.status.as_str()
                        && self.folder.has(&urn)
                });
                match known {
                    Some(copy) if copy.is_doubtful => doubtful.push((urn.clone(), copy.etag.clone())),
                    Some(_) => on_event(MirrorEvent::Unchanged(&urn)),
                    None => different.push(urn.clone()),
                }
                listed.insert(urn);
            }
            different.extend(self.not_current(doubtful, on_event).await?);
            self.read(different, report, on_event).await?;
        }
        let lost: Vec<String> =
            self.state.standards.keys().filter(|urn| !listed.contains(*urn)).cloned().collect();
        for urn in lost {
            self.remove(&urn, report, on_event)?;
        }
        self.remove_strangers()?;
        self.state.listing = false;
        self.save()
    }

    /// The editions among these whose copies, with these entity tags, are not current.
    async fn not_current(
        &mut self,
        doubtful: Vec<(String, Option<String>)>,
        on_event: OnEvent<'_>,
    ) -> Result<Vec<String>, MirrorError> {
        let client = self.client.clone();
        let asked = doubtful.into_iter().map(|(urn, etag)| {
            let client = client.clone();
            async move {
                let is_current = match &etag {
                    Some(etag) => edition::is_current(&client, &urn, etag).await,
                    None => Ok(false),
                };
                (is_current, urn)
            }
        });
        let mut asked = stream::iter(asked).buffer_unordered(AT_ONCE);
        let mut different = Vec::new();
        while let Some((is_current, urn)) = asked.next().await {
            if !is_current? {
                different.push(urn);
                continue;
            }
            on_event(MirrorEvent::Unchanged(&urn));
            if let Some(copy) = self.state.standards.get_mut(&urn) {
                copy.is_doubtful = false;
            }
        }
        Ok(different)
    }

    /// Does what changes say.
    async fn apply(
        &mut self,
        items: Vec<StandardChange<'static>>,
        report: &mut MirrorReport,
        on_event: OnEvent<'_>,
    ) -> Result<(), MirrorError> {
        let mut changed = Vec::new();
        on_event(MirrorEvent::Planned(items.iter().filter(|item| item.urn.is_some()).count() as u64));
        for item in items {
            let Some(urn) = item.urn.as_deref() else { continue };
            if self.is_copied(&item, urn) {
                on_event(MirrorEvent::Unchanged(urn));
                continue;
            }
            let is_readable = item.access.is_none_or(|access| access != AccessLevel::Discover);
            match item.change_type {
                StandardChangeType::Recall | StandardChangeType::Remove => {
                    self.remove(urn, report, on_event)?
                }
                // A type that this version does not know: the service says whether a copy may be kept.
                _ if is_readable => changed.push(urn.to_owned()),
                _ => self.remove(urn, report, on_event)?,
            }
        }
        self.read(changed, report, on_event).await
    }

    /// True if a new edition was read already, when all were listed.
    fn is_copied(&self, item: &StandardChange<'_>, urn: &str) -> bool {
        let Some(copy) = self.state.standards.get(urn) else { return false };
        item.change_type == StandardChangeType::Create
            && item.access == Some(AccessLevel::Read)
            && item.revision.as_deref() == Some(&copy.revision)
            && item.status.is_some_and(|status| status.as_str() == copy.status)
            && self.folder.has(urn)
    }

    /// Reads editions and writes their files, some at once.
    async fn read(
        &mut self,
        urns: Vec<String>,
        report: &mut MirrorReport,
        on_event: OnEvent<'_>,
    ) -> Result<(), MirrorError> {
        let client = self.client.clone();
        let reads = urns.into_iter().map(|urn| {
            let client = client.clone();
            async move { (edition::read(&client, &urn).await, urn) }
        });
        let mut reads = stream::iter(reads).buffer_unordered(AT_ONCE);
        let mut written = 0;
        while let Some((found, urn)) = reads.next().await {
            match found? {
                Some(ReadEdition { revision, status, etag, files }) => {
                    self.folder.put(&urn, &files)?;
                    let copy = CopyState { revision, status, etag, is_doubtful: false };
                    self.state.standards.insert(urn.clone(), copy);
                    report.read += 1;
                    on_event(MirrorEvent::Read(&urn));
                    written += 1;
                    if written % STATE_EVERY == 0 {
                        self.save()?;
                    }
                }
                None => self.remove(&urn, report, on_event)?,
            }
        }
        Ok(())
    }

    fn remove(
        &mut self,
        urn: &str,
        report: &mut MirrorReport,
        on_event: OnEvent<'_>,
    ) -> Result<(), MirrorError> {
        let was_there = self.folder.remove(urn)?;
        self.state.standards.remove(urn);
        report.removed += u64::from(was_there);
        on_event(MirrorEvent::Removed(urn));
        Ok(())
    }

    /// Removes folders of editions that the state does not have: a run wrote them and stopped before its
    /// state was written.
    fn remove_strangers(&self) -> Result<(), MirrorError> {
        let known: BTreeSet<String> = self.state.standards.keys().map(|urn| folder_name(urn)).collect();
        for name in self.folder.names()? {
            if !known.contains(&name) {
                self.folder.remove_named(&name)?;
            }
        }
        Ok(())
    }

    /// Writes the state, after all that it speaks of.
    fn save(&self) -> Result<(), MirrorError> {
        self.folder.sync()?;
        self.state.write(&self.folder.state())
    }
}

/// True if a cursor counts no more: the service was put back, its key is another one, or nobody asked for
/// long.
pub(crate) fn has_ended(error: &ClientError) -> bool {
    matches!(error.code(), Some(Code::CursorEnded | Code::InvalidCursor))
}
