//! Running ingest over many documents: parallel, in bounded memory, past whatever is broken.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use norma_api::media::View;
use norma_model::{Digest, Identifier, Lang, Urn};
use norma_store::{Blob, Encoding, Entry, Outcome, Publication, Store, Summary};
use norma_sts::Diagnostic;
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use super::derive::{Derived, Refusal, derive};
use super::flaws;
use super::package::{Package, PackageError};
use super::plan::FileIndex;
use crate::config::Ingest;
use crate::render::compress::{self, Compression};
use crate::render::{self, DERIVER_VERSION, INDEX, Index};

/// How to ingest.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits and workers.
    pub settings: Ingest,
    /// The URN, where the one document cannot tell it.
    pub urn: Option<Urn>,
    /// Whether a document may take the place of another one from another origin.
    pub replace: bool,
}

/// What became of one document.
#[derive(Debug)]
pub struct Report {
    /// The document: its path, with the package's before it.
    pub document: PathBuf,
    /// Its name, when it could be known.
    pub urn: Option<Urn>,
    /// What was done.
    pub verdict: Verdict,
    /// What it holds.
    pub tally: Tally,
    /// What is flawed in it.
    pub diagnostics: Vec<Diagnostic>,
}

/// What was done with a document.
#[derive(Debug)]
pub enum Verdict {
    /// It is new in the store.
    Created,
    /// It took the place of an earlier state of itself.
    Replaced,
    /// It was there already, the same.
    Unchanged,
    /// It was not taken in.
    Refused(Refusal),
}

/// Counts of what an edition holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of the source.
    pub bytes: u64,
    /// Sections.
    pub sections: usize,
    /// Provisions.
    pub provisions: usize,
    /// Terms.
    pub terms: usize,
    /// Graphics.
    pub graphics: usize,
    /// Graphics whose file is there.
    pub available: usize,
    /// Tables.
    pub tables: usize,
    /// ICS codes.
    pub ics: usize,
    /// Relations.
    pub relations: usize,
}

impl Tally {
    /// The counts of what is stored.
    fn stored(bytes: usize, entry: &Entry, index: &Index) -> Self {
        Self {
            bytes: bytes as u64,
            sections: index.outline.sections.len(),
            provisions: index.outline.provisions.len(),
            terms: index.outline.terms.len(),
            graphics: index.pictures.len(),
            available: index.pictures.iter().filter(|picture| picture.digest.is_some()).count(),
            tables: index.outline.tables.len(),
            ics: entry.summary.ics.len(),
            relations: index.relations as usize,
        }
    }

    /// The counts of what was derived.
    pub fn of(bytes: usize, derived: &Derived) -> Self {
        let edition = &derived.edition;
        Self {
            bytes: bytes as u64,
            sections: edition.sections.len(),
            provisions: edition.provisions.len(),
            terms: edition.terms.len(),
            graphics: edition.graphics.len(),
            available: derived.assets.iter().flatten().count(),
            tables: edition.tables.len(),
            ics: edition.ics.len(),
            relations: edition.relations.len(),
        }
    }
}

/// The stored index of an edition; `None` when another version wrote it.
pub(super) async fn stored_index(store: &Store, entry: &Entry) -> Result<Option<Index>, norma_store::Error> {
    Ok(stored(store, entry, INDEX).await?.and_then(|bytes| Index::from_bytes(&bytes)))
}

/// The plain bytes stored under a name beside the views.
async fn stored(store: &Store, entry: &Entry, name: &str) -> Result<Option<Bytes>, norma_store::Error> {
    match entry.view(name, Encoding::Identity) {
        Some(view) => store.blob(&view.digest).await,
        None => Ok(None),
    }
}

/// Ingests all documents of `sources` (files, folders, zip archives). `on` is told of each document as it is done,
/// with the number of documents known so far; a broken one stops nothing.
pub async fn ingest(
    store: &Store,
    sources: Vec<PathBuf>,
    options: &Options,
    mut on: impl FnMut(Report, usize),
) {
    let queue = Arc::new(Mutex::new(Queue::new(sources, options.settings.clone())));
    let (reports, mut done) = mpsc::channel(64);
    for _ in 0..options.settings.parallelism() {
        let (queue, reports) = (queue.clone(), reports.clone());
        let worker = Worker {
            store: store.clone(),
            options: options.clone(),
            runtime: tokio::runtime::Handle::current(),
        };
        tokio::task::spawn_blocking(move || {
            while let Some(job) = Queue::next(&queue) {
                let report = match job {
                    Job::Document(context, document) => worker.document(&context, &document),
                    Job::Broken(path, refusal) => Report::refused(path, refusal.into()),
                };
                if reports.blocking_send(report).is_err() {
                    return;
                }
            }
        });
    }
    drop(reports);
    while let Some(report) = done.recv().await {
        let known = queue.lock().unwrap_or_else(|e| e.into_inner()).known;
        on(report, known);
    }
}

/// Does all of ingest but store, one document after the other. Reports name no verdict but `Created` and `Refused`.
pub fn check(sources: Vec<PathBuf>, urn: Option<&Urn>, limits: &Ingest, mut on: impl FnMut(Report)) {
    let queue = Mutex::new(Queue::new(sources, limits.clone()));
    while let Some(job) = Queue::next(&queue) {
        on(match job {
            Job::Broken(path, refusal) => Report::refused(path, refusal.into()),
            Job::Document(context, document) => {
                let path = context.path(&document);
                let report = context.read(&document, limits).and_then(|source| {
                    let derived =
                        derive(&source, urn, limits, |href| context.picture(&document, href, limits))?;
                    Ok(Report::of(path.clone(), Verdict::Created, source.len(), derived))
                });
                report.unwrap_or_else(|refusal| Report::refused(path, refusal))
            }
        });
    }
}

struct Context {
    package: Package,
    index: FileIndex,
}

impl Context {
    /// A document with its package's path before it.
    fn path(&self, document: &str) -> PathBuf {
        match self.package.is_file(document) {
            true => self.package.origin().to_owned(),
            false => self.package.origin().join(document),
        }
    }

    fn read(&self, document: &str, limits: &Ingest) -> Result<Vec<u8>, Refusal> {
        Ok(self.package.read(document, limits.max_document_size.bytes(), "max-document-size")?)
    }

    /// Name and bytes of the file that an href in a document means.
    fn picture(
        &self,
        document: &str,
        href: &str,
        limits: &Ingest,
    ) -> Result<Option<(String, Bytes)>, Refusal> {
        let Some(name) = self.index.find(document, href) else { return Ok(None) };
        let bytes = self.package.read(name, limits.max_file_size.bytes(), "max-file-size")?;
        Ok(Some((name.to_owned(), bytes.into())))
    }
}

enum Job {
    Document(Arc<Context>, String),
    Broken(PathBuf, PackageError),
}

/// The documents still to do. Packages are opened one after the other, so that few are open at a time.
struct Queue {
    sources: VecDeque<PathBuf>,
    limits: Ingest,
    open: Option<(Arc<Context>, usize)>,
    known: usize,
}

impl Queue {
    fn new(sources: Vec<PathBuf>, limits: Ingest) -> Self {
        let mut seen = HashSet::new();
        let sources: VecDeque<PathBuf> = sources.into_iter().filter(|s| seen.insert(s.clone())).collect();
        Self { known: sources.len(), sources, limits, open: None }
    }

    fn next(queue: &Mutex<Self>) -> Option<Job> {
        let mut queue = queue.lock().unwrap_or_else(|e| e.into_inner());
        loop {
            if let Some((context, next)) = &mut queue.open {
                if let Some(document) = context.package.documents().get(*next) {
                    *next += 1;
                    return Some(Job::Document(context.clone(), document.clone()));
                }
                queue.open = None;
            }
            let source = queue.sources.pop_front()?;
            match Package::open(&source, &queue.limits) {
                Ok(package) => {
                    let archives: Vec<PathBuf> =
                        package.archives().map(|a| package.origin().join(a)).collect();
                    if package.documents().is_empty() && archives.is_empty() {
                        return Some(Job::Broken(source, PackageError::without_document(package.origin())));
                    }
                    queue.known =
                        (queue.known + package.documents().len() + archives.len()).saturating_sub(1);
                    queue.sources.extend(archives);
                    let index = FileIndex::new(package.names(), package.documents());
                    queue.open = Some((Arc::new(Context { package, index }), 0));
                }
                Err(refusal) => return Some(Job::Broken(source, refusal)),
            }
        }
    }
}

struct Worker {
    store: Store,
    options: Options,
    runtime: tokio::runtime::Handle,
}

impl Worker {
    fn document(&self, context: &Context, document: &str) -> Report {
        let path = context.path(document);
        match self.take_in(context, document, &path) {
            Ok(report) => report,
            Err(refusal) => Report::refused(path, refusal),
        }
    }

    fn take_in(&self, context: &Context, document: &str, path: &Path) -> Result<Report, Refusal> {
        let limits = &self.options.settings;
        let source = Bytes::from(context.read(document, limits)?);
        if let Some(report) = self.unchanged(context, document, &source, path)? {
            return Ok(report);
        }
        let read = |urn| derive(&source, urn, limits, |href| context.picture(document, href, limits));
        let derived = read(self.options.urn.as_ref())?;
        let (verdict, derived) = match self.publish(&derived, &source, path) {
            // The name may be taken because the metadata states another language than the text is in.
            Err(Refusal::Store(norma_store::Error::Conflict { .. })) if derived.text_language.is_some() => {
                let urn = in_language(&derived.edition.urn, derived.text_language.as_ref());
                let derived = read(urn.as_ref())?;
                (self.publish(&derived, &source, path)?, derived)
            }
            verdict => (verdict?, derived),
        };
        Ok(Report::of(path.to_owned(), verdict, source.len(), derived))
    }

    /// The report of a document that is stored as it is: the same source and pictures, derived by this version. It is
    /// found without reading the document.
    fn unchanged(
        &self,
        context: &Context,
        document: &str,
        source: &Bytes,
        path: &Path,
    ) -> Result<Option<Report>, Refusal> {
        let wait = &self.runtime;
        let digest = Digest::from_bytes(Sha256::digest(source).into());
        for kept in wait.block_on(self.store.from_source(&digest))? {
            let meant = self.options.urn.as_ref().is_none_or(|urn| *urn == kept.urn);
            if !meant || kept.deriver != DERIVER_VERSION.to_string() {
                continue;
            }
            let Some(entry) = wait.block_on(self.store.entry(&kept.urn))? else { continue };
            let Some(index) = wait.block_on(stored_index(&self.store, &entry))? else { continue };
            if self.same_pictures(context, document, &index)? {
                let tally = Tally::stored(source.len(), &entry, &index);
                let (urn, verdict) = (Some(kept.urn), Verdict::Unchanged);
                let flaws = wait.block_on(stored(&self.store, &entry, flaws::STORED))?;
                return Ok(Some(Report {
                    document: path.to_owned(),
                    urn,
                    verdict,
                    tally,
                    diagnostics: flaws.map_or_else(Vec::new, |bytes| flaws::from_bytes(&bytes)),
                }));
            }
        }
        Ok(None)
    }

    fn same_pictures(&self, context: &Context, document: &str, index: &Index) -> Result<bool, Refusal> {
        for picture in index.pictures.iter().filter(|picture| picture.is_file) {
            let file = context.picture(document, &picture.reference, &self.options.settings)?;
            if file.map(|(_, bytes)| Sha256::digest(&bytes).into()) != picture.digest {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn publish(&self, derived: &Derived, source: &Bytes, path: &Path) -> Result<Verdict, Refusal> {
        let origin = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let how = Compression::from(&self.options.settings);
        let publication = publication(derived, source.clone(), origin, how, self.options.replace);
        Ok(match self.runtime.block_on(self.store.publish(&publication, SystemTime::now()))? {
            Outcome::Created => Verdict::Created,
            Outcome::Replaced { .. } => Verdict::Replaced,
            Outcome::Unchanged => Verdict::Unchanged,
        })
    }
}

impl Report {
    fn of(document: PathBuf, verdict: Verdict, size: usize, derived: Derived) -> Self {
        let tally = Tally::of(size, &derived);
        let urn = Some(derived.edition.urn.clone());
        Self { document, urn, verdict, tally, diagnostics: derived.diagnostics }
    }

    fn refused(document: PathBuf, refusal: Refusal) -> Self {
        Self {
            document,
            urn: None,
            verdict: Verdict::Refused(refusal),
            tally: Tally::default(),
            diagnostics: Vec::new(),
        }
    }
}

/// The same edition's name in another language.
fn in_language(urn: &Urn, language: Option<&Lang>) -> Option<Urn> {
    urn.as_partial().with(urn.edition(), language.map(std::slice::from_ref)?).ok()
}

/// All that the store keeps of a document.
pub(super) fn publication(
    derived: &Derived,
    source: Bytes,
    origin: String,
    how: Compression,
    replace: bool,
) -> Publication {
    let edition = &derived.edition;
    let rendered = render::render(edition, &derived.assets, &derived.revision);
    let beside = [(INDEX, rendered.index.to_bytes()), (flaws::STORED, flaws::to_bytes(&derived.diagnostics))];
    let mut views: Vec<(String, Encoding, Blob)> = beside
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), Encoding::Identity, Blob::new(bytes)))
        .collect();
    for (view, bytes) in rendered.views.into_iter().chain([(View::Source, source.to_vec())]) {
        let coded = match render::has_standing(view) {
            true => compress::tail(&bytes[1..], how),
            false => compress::whole(&bytes, how),
        };
        for (encoding, bytes) in coded.into_iter().chain([(Encoding::Identity, bytes)]) {
            views.push((view.name().to_owned(), encoding, Blob::new(bytes)));
        }
    }
    let metadata = &edition.metadata;
    Publication {
        summary: Summary {
            urn: edition.urn.clone(),
            reference: metadata.reference.clone(),
            title: metadata.title().map(|t| t.full.clone()).unwrap_or_default(),
            publisher: metadata.publisher.clone(),
            number: metadata.number.clone(),
            part: metadata.part.clone(),
            supplement: metadata.supplement.clone(),
            languages: metadata.languages.clone(),
            kind: metadata.standard_type,
            published_on: metadata.published_on().cloned(),
            ics: edition.ics.iter().map(|i| i.code.clone()).collect(),
        },
        status: edition.status,
        original: metadata.languages.first().is_some_and(|l| l.primary() == "en"),
        source: Blob::new(source),
        deriver: DERIVER_VERSION.to_string(),
        revision: derived.revision.clone(),
        origin,
        // What could never be asked for needs no alias.
        aliases: metadata.identifiers.iter().filter_map(|id| Identifier::parse(id).ok()).collect(),
        relations: edition.relations.clone(),
        provisions: edition.provisions.iter().map(|p| p.id).collect(),
        views,
        assets: derived
            .assets
            .iter()
            .flatten()
            .filter_map(|asset| Some((asset.clone(), derived.files.get(&asset.digest)?.clone())))
            .collect(),
        replace,
    }
}
