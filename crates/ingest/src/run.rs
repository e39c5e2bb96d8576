//! Ingest of many documents: in parallel and in bounded memory; a failed document does not stop the others.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use norma_editions::{lineage, pack};
use norma_model::{Digest, Urn};
use norma_render::{Compression, PackIndex, PackPart};
use norma_settings::IngestSettings;
use norma_store::{Batches, Publications, Store, StoreError, StoredEdition};
use norma_traces::{Step, Trace, Traces};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::derive::{DERIVER_VERSION, Derived, DocumentRefusal, KnownUrns, derive};
use crate::limits::IngestLimits;
use crate::publication::{DocumentPublisher, RenderedDocument};
use crate::queue::{Job, Queue, QueuedDocument};
use crate::report::{DocumentReport, EditionTally, IngestVerdict};
use crate::share::IngestShare;
use crate::{diagnostics, sniff};

/// Options of an ingest.
#[derive(Clone, Debug)]
pub struct IngestOptions {
    /// Limits of documents and packages, and the number of workers.
    pub limits: IngestLimits,
    /// The URN, if the only document does not state it.
    pub urn: Option<Urn>,
    /// True if a document may replace another one from another origin.
    pub replace: bool,
    /// True if unchanged documents are ingested again, and lost or damaged blobs are put back.
    pub repair: bool,
    /// The documents of the sources that are ingested: all, or a share of them.
    pub share: IngestShare,
    /// The destination of the trace of each document.
    pub traces: Traces,
}

impl IngestOptions {
    /// An ingest by the settings, with the URN that each document gives. It replaces and repairs nothing,
    /// and records no traces.
    pub fn new(settings: &IngestSettings) -> Self {
        Self {
            limits: IngestLimits::new(settings),
            urn: None,
            replace: false,
            repair: false,
            share: IngestShare::ALL,
            traces: Traces::default(),
        }
    }
}

/// A document that waits for its transaction.
struct Pending {
    report: DocumentReport,
    trace: Trace,
    /// Ends with the transaction.
    commit: Step,
}

/// Ingests all documents of `sources` (files, folders, zip archives). `on` is called for each document when
/// it is done, with the number of documents known so far; a broken one stops nothing. Then lineages are
/// updated; gives, for people, what of that could not be done and why.
pub async fn ingest(
    store: &Store,
    sources: Vec<PathBuf>,
    options: &IngestOptions,
    mut on: impl FnMut(DocumentReport, usize),
) -> Vec<String> {
    let queue = Arc::new(Queue::new(sources, options.limits.clone(), options.share));
    let (reports, mut done) = mpsc::channel(64);
    let (publications, batches) = options.limits.batch.begin();
    for _ in 0..options.limits.workers {
        let (queue, reports) = (queue.clone(), reports.clone());
        let worker = Worker {
            store: store.clone(),
            options: options.clone(),
            runtime: Handle::current(),
            publications: publications.clone(),
        };
        tokio::task::spawn_blocking(move || {
            while let Some(job) = Queue::next(&queue) {
                if let Some(report) = worker.report(job)
                    && reports.blocking_send(report).is_err()
                {
                    return;
                }
            }
        });
    }
    drop(publications);
    tokio::spawn(publish(store.clone(), batches, reports));
    while let Some(report) = done.recv().await {
        on(report, Queue::known(&queue));
    }
    // Also of documents that an ingest left that was stopped after its commit.
    lineage::update_changed(store, options.limits.workers, false).await
}

/// Publishes documents that workers rendered, and reports each when it is in the store.
async fn publish(store: Store, mut batches: Batches<Pending>, reports: mpsc::Sender<DocumentReport>) {
    loop {
        let batch = batches.publish(&store, norma_editions::clock::now).await;
        if batch.is_empty() {
            return;
        }
        for (Pending { mut report, trace, commit }, outcome) in batch {
            match outcome {
                Ok(outcome) => report.verdict = outcome.into(),
                Err(refusal) => {
                    report = DocumentReport::without_edition(
                        report.document,
                        IngestVerdict::Refused(refusal.into()),
                    )
                }
            }
            complete(&trace, &report);
            commit.end();
            trace.end();
            if reports.send(report).await.is_err() {
                return;
            }
        }
    }
}

/// Completes the trace of a document: what it became.
fn complete(trace: &Trace, report: &DocumentReport) {
    trace.set_text("norma.verdict", report.verdict.as_str());
    trace.set_number("norma.source_size", i64::try_from(report.tally.bytes).unwrap_or(i64::MAX));
    if let Some(urn) = &report.urn {
        trace.set_text("norma.standard", urn.as_str());
    }
    if let IngestVerdict::Refused(_) = report.verdict {
        trace.fail("refused");
    }
}

/// Does an ingest without a store, one document after the other. No verdict is `Replaced` or `Unchanged`
/// then.
pub fn check(
    sources: Vec<PathBuf>,
    urn: Option<&Urn>,
    limits: &IngestLimits,
    mut on: impl FnMut(DocumentReport),
) {
    let queue = Queue::new(sources, limits.clone(), IngestShare::ALL);
    while let Some(job) = Queue::next(&queue) {
        let report = report(job, |document| {
            let source = document.read(limits)?;
            let derived = read(document, &source, KnownUrns::given(urn.or(document.urn())), limits)?;
            Ok(Some(DocumentReport::new(document.path(), IngestVerdict::Created, source.len(), derived)))
        });
        if let Some(report) = report {
            on(report);
        }
    }
}

/// The report of a job; `None` if it is reported later. XML of another kind among the documents is passed
/// over, unless it was named itself.
fn report(
    job: Job,
    ingest_one: impl Fn(&QueuedDocument) -> Result<Option<DocumentReport>, DocumentRefusal>,
) -> Option<DocumentReport> {
    let (path, verdict) = match job {
        Job::Broken(path, refusal) => (path, IngestVerdict::Refused(refusal.into())),
        Job::Document(document) => match ingest_one(&document) {
            Ok(report) => return report,
            Err(DocumentRefusal::NotAStandard { root }) if !document.is_named() => {
                (document.path(), IngestVerdict::Skipped(root))
            }
            Err(refusal) => (document.path(), IngestVerdict::Refused(refusal)),
        },
    };
    Some(DocumentReport::without_edition(path, verdict))
}

/// Derives a document under the URN that it is given, or under its own one.
pub(crate) fn read(
    document: &QueuedDocument,
    source: &[u8],
    urns: KnownUrns<'_>,
    limits: &IngestLimits,
) -> Result<Derived, DocumentRefusal> {
    let derived = derive(source, urns, limits, |href| document.picture(href, limits));
    // XML of another kind states no identity either; its root element is the better message.
    if let Err(DocumentRefusal::Document(error)) = &derived
        && error.code == "no-identity"
        && let Some(root) = sniff::root(source)
        && !norma_sts::ROOT_ELEMENTS.contains(&root)
    {
        return Err(DocumentRefusal::NotAStandard { root: root.to_owned() });
    }
    derived
}

/// The state in the store of a document that is not read yet.
enum StoredState {
    /// Absent, or stored in another state.
    New,
    /// Stored completely in the same state.
    Unchanged(Box<DocumentReport>),
    /// Stored, but its stored bytes cannot be read.
    Damaged,
}

struct Worker {
    store: Store,
    options: IngestOptions,
    runtime: Handle,
    publications: Publications<Pending>,
}

impl Worker {
    /// The report of a job; `None` if it is reported later.
    fn report(&self, job: Job) -> Option<DocumentReport> {
        let trace = match &job {
            Job::Document(document) => self.options.traces.document(&document.path()),
            Job::Broken(path, _) => self.options.traces.document(path),
        };
        let report = report(job, |document| self.ingest_one(document, &trace));
        report.inspect(|report| complete(&trace, report))
    }

    /// Ingests a document; `None` while it waits for its transaction.
    fn ingest_one(
        &self,
        document: &QueuedDocument,
        trace: &Trace,
    ) -> Result<Option<DocumentReport>, DocumentRefusal> {
        let limits = &self.options.limits;
        let step = trace.step("read");
        let source = document.read(limits)?;
        let urn = self.options.urn.as_ref().or(document.urn());
        let stored_state = self.stored_state(document, &source, urn)?;
        step.end();
        let repair = match stored_state {
            StoredState::Unchanged(report) => return Ok(Some(*report)),
            StoredState::Damaged => true,
            StoredState::New => self.options.repair,
        };
        let step = trace.step("derive");
        let stored = self.named_by_source(&source, urn)?;
        let known = KnownUrns { given: urn, stored: stored.as_ref().map(|stored| &stored.urn) };
        let mut derived = read(document, &source, known, limits)?;
        // It is renamed, unless another edition has the new name.
        if derived.former.is_some()
            && self.runtime.block_on(self.store.entry(&derived.edition.urn))?.is_some()
        {
            derived.former = None;
        }
        step.end();
        let step = trace.step("render");
        let prepared = self.prepare(document, &derived, &source, repair)?;
        step.end();
        let report = |verdict| DocumentReport::new(document.path(), verdict, source.len(), derived);
        match prepared {
            RenderedDocument::Finished(outcome, changed_ids) => {
                Ok(Some(DocumentReport { changed_ids, ..report(outcome.into()) }))
            }
            RenderedDocument::Pending(publication) => {
                let changed_ids = publication.successors.clone();
                let report = DocumentReport { changed_ids, ..report(IngestVerdict::Created) };
                let pending = Pending { report, trace: trace.clone(), commit: trace.step("commit") };
                // If publishing has ended, no receiver waits for reports either.
                let _ = self.runtime.block_on(self.publications.send(*publication, pending));
                Ok(None)
            }
        }
    }

    /// Finds the state in the store of a document without reading it. It is unchanged if its source and
    /// pictures are stored and this version derived it.
    fn stored_state(
        &self,
        document: &QueuedDocument,
        source: &Bytes,
        urn: Option<&Urn>,
    ) -> Result<StoredState, DocumentRefusal> {
        if self.options.repair {
            return Ok(StoredState::New);
        }
        let wait = &self.runtime;
        let digest = Digest::from_bytes(Sha256::digest(source).into());
        for stored in wait.block_on(self.store.from_source(&digest))? {
            let meant = urn.is_none_or(|urn| *urn == stored.urn);
            if !meant || stored.deriver != DERIVER_VERSION.to_string() {
                continue;
            }
            let Some(entry) = wait.block_on(self.store.entry(&stored.urn))? else { continue };
            let index = match wait.block_on(pack::part(&self.store.handle(&entry), PackPart::Index)) {
                Ok(bytes) => bytes.and_then(|bytes| PackIndex::from_bytes(&bytes)),
                Err(StoreError::Corrupt(_)) => None,
                Err(error) => return Err(error.into()),
            };
            let Some(index) = index else { return Ok(StoredState::Damaged) };
            if self.same_pictures(document, &index)? {
                let diagnostics = wait.block_on(diagnostics::stored(&self.store.handle(&entry)))?;
                return Ok(StoredState::Unchanged(Box::new(DocumentReport {
                    document: document.path(),
                    urn: Some(stored.urn),
                    title: Some(entry.summary.title.clone()),
                    verdict: IngestVerdict::Unchanged,
                    tally: EditionTally::from_stored(source.len(), &entry, &index),
                    diagnostics,
                    changed_ids: Vec::new(),
                })));
            }
        }
        Ok(StoredState::New)
    }

    /// The edition that is stored from this source under a name that the source gave.
    fn named_by_source(
        &self,
        source: &Bytes,
        urn: Option<&Urn>,
    ) -> Result<Option<StoredEdition>, DocumentRefusal> {
        if urn.is_some() {
            return Ok(None);
        }
        let digest = Digest::from_bytes(Sha256::digest(source).into());
        let stored = self.runtime.block_on(self.store.from_source(&digest))?;
        Ok(stored.into_iter().find(|stored| !stored.urn_given))
    }

    fn same_pictures(&self, document: &QueuedDocument, index: &PackIndex) -> Result<bool, DocumentRefusal> {
        for picture in &index.pictures {
            if !picture.is_file {
                continue;
            }
            let digest: Option<[u8; 32]> = match document.picture(&picture.reference, &self.options.limits)? {
                Ok((_, bytes)) => Some(Sha256::digest(&bytes).into()),
                Err(_) => None,
            };
            if digest != picture.digest {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn prepare(
        &self,
        document: &QueuedDocument,
        derived: &Derived,
        source: &Bytes,
        repair: bool,
    ) -> Result<RenderedDocument, DocumentRefusal> {
        let path = document.path();
        let origin = std::path::absolute(&path).unwrap_or(path).display().to_string();
        let publisher = DocumentPublisher {
            store: &self.store,
            runtime: &self.runtime,
            compression: Compression::default(),
            replace: self.options.replace,
            repair,
            limits: &self.options.limits,
        };
        let file = |href: &str| document.picture(href, &self.options.limits);
        publisher.prepare(derived, source, &origin, file)
    }
}
