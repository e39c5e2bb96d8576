//! The index in its folder: units are added and removed by slot, and searched. Only this module and
//! `matching` know the engine.
//!
//! The index is a cache. What cannot be used is removed and starts empty: a damaged index, or one of another
//! analyser. One process at a time writes to a folder.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use norma_model::PartialUrn;
use tantivy::indexer::IndexWriterOptions;
use tantivy::tokenizer::{PreTokenizedString, Token as EngineToken};
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
};

use crate::about::About;
use crate::analyse::{Token, analyse_parts, designation_term, key_term};
use crate::collect::{Collector, Found, Page, Scope, SearchCursor, UnitFilter};
use crate::{IndexedUnit, TextQuery};

mod editions;
mod error;
mod fields;
mod files;
mod folder;
mod matching;
mod quoted;
mod received;
mod relaxed;
mod steps;
mod word_sets;

use self::fields::{Fields, schema};
use self::relaxed::RelaxedSearch;
use self::steps::{SegmentSearch, StepEnd};

pub use editions::{EditionChanges, KnownEditions};
pub use error::{IndexError, SearchError};
pub use folder::is_in_use;
pub use quoted::{MOST_CANDIDATES, QuotedUnit};
pub use received::{CommittedFile, CommittedFiles, ReceivedFile, ReceivedIndex};

/// Least memory of a writer's thread, in bytes: the engine refuses less.
const LEAST_MEMORY: usize = 15_000_000;
/// Sign before the name of an edition among the keys. No reference begins with it.
const EDITION_SIGN: char = '\u{1}';

/// The index, to be changed. It is searched by its [`SearchReader`].
pub struct SearchIndex {
    fields: Fields,
    writer: IndexWriter,
    reader: SearchReader,
    state: Option<String>,
    /// Set where the next commit removes units.
    removes: bool,
    /// A file that turned out to be damaged before it was merged.
    found_damage: Arc<OnceLock<PathBuf>>,
    /// Held as long as the index is open.
    _lock: File,
}

impl SearchIndex {
    /// Opens the index in a folder, which is created where it is missing and gets mode 0700. What cannot be
    /// used of an earlier index is removed. `memory` is for texts that are not yet written, in bytes, and is
    /// divided among `threads`.
    ///
    /// # Errors
    /// Another process uses the folder, it holds something else, or it cannot be written.
    pub fn open(folder: &Path, memory: usize, threads: usize) -> Result<Self, IndexError> {
        let failed = |reason| IndexError::Folder { path: folder.to_owned(), reason };
        let lock = folder::lock(folder)?;
        let (schema, fields) = schema();
        let inner = folder::subfolder(folder);
        let index = match folder::open_sound(&inner, &schema) {
            Some(index) => {
                folder::close_to_others(&inner).map_err(failed)?;
                index
            }
            None => {
                folder::empty_subfolder(folder).map_err(failed)?;
                let files = files::IndexFiles::open(&inner).map_err(written)?;
                Index::create(files, schema, IndexSettings::default()).map_err(written)?
            }
        };
        let writer = writer_of(&index, memory, threads).map_err(written)?;
        let found_damage = Arc::<OnceLock<PathBuf>>::default();
        writer.set_merge_policy(Box::new(folder::SoundMerges::new(&index, &inner, &found_damage)));
        let reader = SearchReader { folder: inner, fields, reader: reader_of(&index).map_err(written)? };
        let state = index.load_metas().map_err(written)?.payload;
        Ok(Self { fields, writer, reader, state, removes: false, found_damage, _lock: lock })
    }

    /// What searches the index, also while it is changed.
    pub fn reader(&self) -> &SearchReader {
        &self.reader
    }

    /// What the last commit stored for its caller.
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Adds all units of an edition. `name` is unique for the revision. The units are found after
    /// the next commit.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn add<'t>(
        &mut self,
        slot: u32,
        name: &str,
        urn: &PartialUrn,
        units: impl IntoIterator<Item = IndexedUnit<'t>>,
    ) -> Result<(), IndexError> {
        let documents = terms(urn.document_urns().map(designation_term).collect());
        for (position, unit) in units.into_iter().enumerate() {
            let mut document = self.document_of(&unit);
            document.add_u64(self.fields.slot, slot.into());
            document.add_u64(self.fields.position, position as u64);
            document.add_pre_tokenized_text(self.fields.document, documents.clone());
            let mut keys: Vec<String> = unit.keys.iter().map(|key| key_term(key)).collect();
            if position == 0 {
                keys.push(format!("{EDITION_SIGN}{name}"));
            }
            document.add_pre_tokenized_text(self.fields.keys, terms(keys));
            self.writer.add_document(document).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// The fields of a unit that do not depend on its edition and keys.
    fn document_of(&self, unit: &IndexedUnit<'_>) -> TantivyDocument {
        let title = analyse_parts(&unit.title);
        let text = analyse_parts(&unit.text);
        let title_words = title.last().map_or(0, |last| last.position as usize + 1);
        let mut parts: Vec<String> = title.iter().chain(&text).flat_map(Token::parts).collect();
        parts.sort_unstable();
        parts.dedup();

        let mut document = TantivyDocument::new();
        document.add_u64(self.fields.index, unit.index.into());
        document.add_u64(self.fields.about, About::of(unit, title_words).0);
        document.add_pre_tokenized_text(self.fields.parts, terms(parts));
        document.add_pre_tokenized_text(self.fields.context, terms(unit.context.terms().to_vec()));
        document.add_pre_tokenized_text(self.fields.title, with_positions(title));
        document.add_pre_tokenized_text(self.fields.text, with_positions(text));
        document
    }

    /// Removes all units at once.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn clear(&mut self) -> Result<(), IndexError> {
        self.writer.delete_all_documents().map_err(|error| self.failed(error))?;
        self.commit("")
    }

    /// Removes all units of a slot at the next commit.
    pub fn remove(&mut self, slot: u32) {
        self.writer.delete_term(Term::from_field_u64(self.fields.slot, slot.into()));
        self.removes = true;
    }

    /// Makes all changes durable and visible together, with what the caller wants to know of them later.
    ///
    /// # Errors
    /// The index cannot be written: the changes since the last commit are lost. Or it is damaged.
    pub fn commit(&mut self, state: &str) -> Result<(), IndexError> {
        if self.removes {
            // The engine looks for removed units on a thread whose panic ends the process, and it panics on
            // some damaged files. Comparing them takes 60 ms for a million units.
            self.verify()?;
            self.removes = false;
        }
        self.prepared_commit(state).map_err(|error| self.failed(error))?;
        self.reload()?;
        self.state = Some(state.to_owned());
        match self.found_damage.get() {
            Some(file) => Err(IndexError::Damaged(file.clone())),
            None => Ok(()),
        }
    }

    fn prepared_commit(&mut self, state: &str) -> tantivy::Result<()> {
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(state);
        prepared.commit()?;
        Ok(())
    }

    /// Shows the last commit to searches.
    fn reload(&self) -> Result<(), IndexError> {
        let reader = &self.reader.reader;
        match catch_unwind(AssertUnwindSafe(|| reader.reload())) {
            Ok(reloaded) => reloaded.map_err(|error| self.failed(error)),
            Err(_) => Err(self.failed("a file has unexpected content")),
        }
    }

    /// Reads all files and compares them with their checksums.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn verify(&self) -> Result<(), IndexError> {
        match folder::damaged_file(self.writer.index(), &self.reader.folder) {
            None => Ok(()),
            Some(file) => Err(IndexError::Damaged(file)),
        }
    }

    /// The files of the last commit, for another process. They stay readable when the index changes.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn committed(&self) -> Result<CommittedFiles, IndexError> {
        folder::committed(self.writer.index(), &self.reader.folder)
    }

    /// The error for a failure of the engine. A panic of one of its threads says nothing but that: most often
    /// a file is damaged, and the error names it.
    fn failed(&self, error: impl std::fmt::Display) -> IndexError {
        match self.verify() {
            Err(damaged) => damaged,
            Ok(()) => written(error),
        }
    }

    /// Writes all segments again that have removed units, so that no word of these is left in the folder.
    ///
    /// # Errors
    /// The index cannot be written, or is damaged.
    pub fn purge(&mut self) -> Result<(), IndexError> {
        self.verify()?;
        let segments = self.writer.index().searchable_segment_metas().map_err(written)?;
        let mut stale = Vec::new();
        for segment in &segments {
            if segment.num_deleted_docs() > 0 {
                stale.push(segment.id());
            }
        }
        // The engine does not remove files of segments that somebody holds.
        drop(segments);
        if !stale.is_empty() {
            self.writer.merge(&stale).wait().map_err(|error| self.failed(error))?;
        }
        self.reload()?;
        self.writer.garbage_collect_files().wait().map_err(written)?;
        Ok(())
    }
}

/// What searches an index. Cloning gives another one on the same files.
#[derive(Clone)]
pub struct SearchReader {
    folder: PathBuf,
    fields: Fields,
    reader: IndexReader,
}

impl SearchReader {
    /// Opens the index in a folder to be searched only, also while another process writes it; `None` where it
    /// is missing or damaged.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn open(folder: &Path) -> Result<Option<Self>, IndexError> {
        let (schema, fields) = schema();
        let folder = folder::subfolder(folder);
        let Some(index) = folder::open_sound(&folder, &schema) else { return Ok(None) };
        Ok(Some(Self { folder, fields, reader: reader_of(&index).map_err(written)? }))
    }

    /// Size of all files, in bytes.
    pub fn size(&self) -> u64 {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return 0 };
        let mut size = 0;
        // A file may be removed while they are counted.
        for entry in entries.flatten() {
            if let Ok(metadata) = entry.metadata() {
                size += metadata.len();
            }
        }
        size
    }

    /// Finds the units that match a query, among those that the scope and the filter admit.
    ///
    /// # Errors
    /// Too many units match that are admitted, or the index is damaged.
    pub fn search(
        &self,
        query: &TextQuery,
        scope: &dyn Scope,
        filter: &UnitFilter,
        page: &Page,
    ) -> Result<Found, SearchError> {
        let mut search = self.begin(query, scope.slots(), filter, page);
        while !search.step(scope, &mut || false)? {}
        Ok(search.finish(scope))
    }

    /// Begins a search that is made in steps, in the present state of the index and in this number of slots.
    pub fn begin(&self, query: &TextQuery, slots: usize, filter: &UnitFilter, page: &Page) -> SearchInSteps {
        let mut search = SearchInSteps {
            fields: self.fields,
            query: query.clone(),
            searcher: self.reader.searcher(),
            next: 0,
            segment: None,
            collector: Collector::new(slots, filter, page),
            relaxed: None,
        };
        if page.after.as_ref().is_some_and(SearchCursor::is_relaxed) {
            // No unit had all words when the page before was made.
            search.next = search.searcher.segment_readers().len();
        }
        search
    }
}

/// A search that is made in steps, so that many take turns on few threads. Between two steps it holds its
/// place in the lists of units, and nothing of the scope; its memory is a bit for each unit of a segment and
/// word, and four bytes for each slot. Where no unit has all words, it is two bits for each unit and word.
///
/// The scopes of all steps have the same editions with the same keys. A later one may admit fewer.
pub struct SearchInSteps {
    fields: Fields,
    query: TextQuery,
    searcher: Searcher,
    /// Index of the next segment to be searched.
    next: usize,
    segment: Option<SegmentSearch>,
    collector: Collector,
    /// The search for units with some of the words, after the other one found nothing.
    relaxed: Option<RelaxedSearch>,
}

impl SearchInSteps {
    /// Goes on until `is_over` (false), which is asked about every 40 µs, or until the end (true).
    ///
    /// # Errors
    /// Too many units match that are admitted, or the index is damaged.
    pub fn step(
        &mut self,
        scope: &dyn Scope,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<bool, SearchError> {
        guarded(|| {
            let mut end = StepEnd::new(is_over);
            loop {
                if let Some(relaxed) = &mut self.relaxed {
                    return relaxed.step(scope, &mut self.collector, &mut end);
                }
                if let Some(segment) = &mut self.segment
                    && !segment.step(&self.query, scope, &mut self.collector, &mut end)?
                {
                    return Ok(false);
                }
                self.segment = None;
                let Some(next) = self.searcher.segment_readers().get(self.next) else {
                    if !self.collector.relaxes() {
                        return Ok(true);
                    }
                    let segments = self.searcher.segment_readers();
                    self.relaxed = Some(RelaxedSearch::begin(segments, self.fields, &self.query)?);
                    continue;
                };
                self.segment = Some(SegmentSearch::begin(next, self.fields, &self.query)?);
                self.next += 1;
            }
        })
    }

    /// What was found, after the last step.
    pub fn finish(self, scope: &dyn Scope) -> Found {
        let mut found = self.collector.finish(scope);
        found.relaxed = self.relaxed.map(|relaxed| relaxed.finish(&self.query));
        found
    }
}

/// Calls the engine. It panics on some damaged files.
fn guarded<T>(read: impl FnOnce() -> Result<T, SearchError>) -> Result<T, SearchError> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read,
        Err(_) => Err(SearchError::Damaged("a file has unexpected content".to_owned())),
    }
}

/// A writer with this memory, or more where the engine needs it.
fn writer_of(index: &Index, memory: usize, threads: usize) -> tantivy::Result<IndexWriter> {
    let threads = threads.max(1);
    let memory = memory.max(threads * LEAST_MEMORY);
    let options = IndexWriterOptions::builder()
        .num_worker_threads(threads)
        .memory_budget_per_thread(memory / threads)
        // Each merge takes memory; one after the other keeps up with the writer.
        .num_merge_threads(1)
        .build();
    index.writer_with_options(options)
}

/// A reader that shows the last commit, or the one before it until it is reloaded.
fn reader_of(index: &Index) -> tantivy::Result<IndexReader> {
    index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()
}

fn written(error: impl std::fmt::Display) -> IndexError {
    IndexError::Write(error.to_string())
}

fn with_positions(tokens: Vec<Token>) -> PreTokenizedString {
    let mut engine_tokens = Vec::with_capacity(tokens.len());
    for token in tokens {
        engine_tokens.push(engine_token(token.term, token.position as usize));
    }
    PreTokenizedString { text: String::new(), tokens: engine_tokens }
}

fn terms(terms: Vec<String>) -> PreTokenizedString {
    let tokens = terms.into_iter().map(|term| engine_token(term, 0)).collect();
    PreTokenizedString { text: String::new(), tokens }
}

fn engine_token(text: String, position: usize) -> EngineToken {
    EngineToken { text, position, position_length: 1, ..EngineToken::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_a_thread_of_the_engine_is_an_error_with_the_file_that_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let mut index = SearchIndex::open(folder.path(), LEAST_MEMORY, 1).unwrap();
        let unit = IndexedUnit {
            kind: crate::UnitKind::Section,
            index: 0,
            provision: None,
            normative: None,
            keys: vec!["1"],
            title: Vec::new(),
            text: vec![crate::LanguageText::new("steel", &norma_model::Lang::en())],
            context: crate::WordsAround::default(),
        };
        let urn: norma_model::Urn = "urn:nsb:std:nsb:1:ed-1:en".parse().unwrap();
        index.add(0, "a", urn.as_partial(), [unit]).unwrap();
        index.commit("1").unwrap();
        // What the engine says of a thread that panicked.
        let panicked = || tantivy::TantivyError::ErrorInThread("Any { .. }".to_owned());
        match index.failed(panicked()) {
            IndexError::Write(said) => assert!(said.contains("in a thread"), "{said}"),
            other => panic!("{other:?}"),
        }
        let files = std::fs::read_dir(&index.reader.folder).unwrap().map(|entry| entry.unwrap().path());
        let postings =
            files.into_iter().find(|path| path.extension().is_some_and(|one| one == "idx")).unwrap();
        std::fs::write(&postings, "rubbish").unwrap();
        let error = index.failed(panicked());
        assert!(matches!(&error, IndexError::Damaged(file) if *file == postings), "{error:?}");
        assert!(error.to_string().contains(postings.to_str().unwrap()), "{error}");
    }
}
