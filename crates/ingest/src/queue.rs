//! Queue of documents, filled package by package, so that few packages are open at a time.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use norma_model::Urn;

use crate::derive::{DocumentRefusal, File};
use crate::file_index::FileIndex;
use crate::file_index::NotTaken;
use crate::limits::IngestLimits;
use crate::manifest::Manifest;
use crate::names::FileName;
use crate::package::{Package, PackageError, PackageKind, is_xml_name};
use crate::share::IngestShare;
use crate::sniff;

/// What a worker takes from the queue.
pub(crate) enum Job {
    /// A document of a package.
    Document(QueuedDocument),
    /// A package that cannot be opened, and why.
    Broken(PathBuf, PackageError),
}

/// One document in its package.
pub(crate) struct QueuedDocument {
    context: Arc<QueueContext>,
    name: FileName,
}

struct QueueContext {
    package: Package,
    index: FileIndex,
    manifest: Manifest,
    /// For each XML file that was looked into, true if it is a standard.
    standards: Mutex<HashMap<Box<str>, bool>>,
}

impl QueueContext {
    /// True if an XML file is a standard, by its root element. What cannot be read is taken for one: its
    /// pictures stay its own.
    fn is_standard(&self, name: &str) -> bool {
        let mut standards = self.standards.lock().unwrap_or_else(|e| e.into_inner());
        *standards.entry(name.into()).or_insert_with(|| {
            let head = self.package.head(name, sniff::HEAD).unwrap_or_default();
            sniff::root(&head).is_none_or(|root| norma_sts::ROOT_ELEMENTS.contains(&root))
        })
    }
}

impl QueuedDocument {
    fn name(&self) -> &str {
        &self.context.package.names[self.name]
    }

    /// The path of the document, with the package's before it.
    pub(crate) fn path(&self) -> PathBuf {
        self.context.package.origin().join(self.name())
    }

    /// True if the operator named this file itself, not a folder or archive with it.
    pub(crate) fn is_named(&self) -> bool {
        self.context.package.is_of_files()
    }

    /// The URN that the package's manifest gives it.
    pub(crate) fn urn(&self) -> Option<&Urn> {
        self.context.manifest.urn(self.name())
    }

    /// The bytes of the document, of which there is a limit.
    pub(crate) fn read(&self, limits: &IngestLimits) -> Result<Bytes, DocumentRefusal> {
        let limit = limits.document.source_bytes as u64;
        Ok(self.context.package.read(self.name(), limit, "max-document-size")?.into())
    }

    /// The file that an href in it means: the likeliest one that is a picture.
    pub(crate) fn picture(&self, href: &str, limits: &IngestLimits) -> Result<File, DocumentRefusal> {
        let QueueContext { package, index, .. } = &*self.context;
        let (files, mut reason) = index.find(self.name(), href, |xml| self.context.is_standard(xml));
        for name in files {
            if sniff::picture(&package.head(name, sniff::HEAD)?).is_some() {
                let bytes = package.read(name, limits.max_file_size, "max-file-size")?;
                return Ok(Ok((name.to_owned(), bytes.into())));
            }
            if !matches!(reason, NotTaken::NotAPicture(_)) {
                reason = NotTaken::NotAPicture(name.to_owned());
            }
        }
        Ok(Err(reason))
    }
}

/// The documents that are still to be read.
pub(crate) struct Queue {
    sources: VecDeque<PathBuf>,
    limits: IngestLimits,
    share: IngestShare,
    open: Option<(Arc<QueueContext>, usize)>,
    known: usize,
}

impl Queue {
    pub(crate) fn new(sources: Vec<PathBuf>, limits: IngestLimits, share: IngestShare) -> Mutex<Self> {
        let (mut distinct, mut queued) = (HashSet::new(), VecDeque::new());
        for source in sources {
            if distinct.insert(source.clone()) {
                queued.push_back(source);
            }
        }
        Mutex::new(Self { known: queued.len(), sources: queued, limits, share, open: None })
    }

    /// Number of documents known so far, with those that are done.
    pub(crate) fn known(queue: &Mutex<Self>) -> usize {
        queue.lock().unwrap_or_else(|e| e.into_inner()).known
    }

    /// The next of them.
    pub(crate) fn next(queue: &Mutex<Self>) -> Option<Job> {
        let mut queue = queue.lock().unwrap_or_else(|e| e.into_inner());
        let share = queue.share;
        loop {
            if let Some((context, next)) = &mut queue.open {
                if let Some(&name) = context.package.documents().get(*next) {
                    *next += 1;
                    if !share.has(&context.package.names[name]) {
                        continue;
                    }
                    return Some(Job::Document(QueuedDocument { context: context.clone(), name }));
                }
                queue.open = None;
            }
            let source = queue.sources.pop_front()?;
            match queue.open(source.clone()) {
                Ok(context) => queue.open = Some((Arc::new(context), 0)),
                Err(refusal) => return Some(Job::Broken(source, refusal)),
            }
        }
    }

    fn open(&mut self, source: PathBuf) -> Result<QueueContext, PackageError> {
        let mut files = Vec::new();
        let package = match PackageKind::detect(&source)? {
            PackageKind::Folder => Package::folder(&source),
            PackageKind::Archive => Package::archive(&source, &self.limits),
            PackageKind::File => {
                files = self.neighbours(source);
                Package::files(&files)
            }
        };
        let context = package.and_then(|package| self.context(package));
        if context.is_err() {
            // The reason is reported for each of them.
            for file in files.into_iter().skip(1).rev() {
                self.sources.push_front(file);
            }
        }
        context
    }

    fn context(&mut self, package: Package) -> Result<QueueContext, PackageError> {
        let archives: Vec<PathBuf> = package.archives().map(|a| package.origin().join(a)).collect();
        if package.documents().is_empty() && archives.is_empty() {
            return Err(PackageError::without_document(package.origin()));
        }
        let manifest = Manifest::read(&package, &self.limits)?;
        let documents = package.documents().iter();
        let of_share = documents.filter(|name| self.share.has(&package.names[**name])).count();
        let before = if package.is_of_files() { package.documents().len() } else { 1 };
        self.known = (self.known + of_share + archives.len()).saturating_sub(before);
        self.sources.extend(archives);
        let index = FileIndex::new(&package.names, is_xml_name);
        Ok(QueueContext { package, index, manifest, standards: Mutex::default() })
    }

    /// A file and the next ones in the same folder, so that the folder is read once for all of them.
    fn neighbours(&mut self, first: PathBuf) -> Vec<PathBuf> {
        let mut files = vec![first];
        while let Some(next) = self.sources.pop_front_if(|next| {
            next.parent() == files[0].parent() && matches!(PackageKind::detect(next), Ok(PackageKind::File))
        }) {
            files.push(next);
        }
        files
    }
}
