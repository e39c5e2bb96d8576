//! Which editions an index has, and what changed of them from one state of its segments to the next.

use std::collections::{HashMap, HashSet};

use tantivy::index::SegmentId;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentReader, TERMINATED};

use super::error::SearchError;
use super::fields::Fields;
use super::matching::{column, damaged, prefix_range};
use super::{EDITION_SIGN, SearchReader, guarded};

/// The editions of an index as it was looked at last. A segment never gets others: its names are read once.
#[derive(Debug, Default)]
pub struct KnownEditions {
    segments: HashMap<SegmentId, Vec<KnownEdition>>,
}

#[derive(Debug)]
struct KnownEdition {
    slot: u32,
    /// The unit of the segment that has the name.
    unit: u32,
}

/// What changed of the editions of an index.
#[derive(Debug, Default)]
pub struct EditionChanges {
    /// The editions of new segments, by their names, with their slots. A merge makes a new segment of
    /// editions that were in others before.
    pub added: Vec<(String, u32)>,
    /// Slots that no segment has any more.
    pub removed: HashSet<u32>,
}

impl SearchReader {
    /// Editions of the index with their slots, each by the name that it was added with.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn editions(&self) -> Result<Vec<(String, u32)>, SearchError> {
        Ok(self.changed_editions(&mut KnownEditions::default())?.added)
    }

    /// What changed since the index had these editions.
    ///
    /// # Errors
    /// The index is damaged. Nothing is known of its editions then.
    pub fn changed_editions(&self, known: &mut KnownEditions) -> Result<EditionChanges, SearchError> {
        let mut former = std::mem::take(known).segments;
        let searcher = self.reader.searcher();
        guarded(|| {
            let (mut changes, mut present) = (EditionChanges::default(), KnownEditions::default());
            for segment in searcher.segment_readers() {
                let editions = match former.remove(&segment.segment_id()) {
                    Some(editions) => without_removed(segment, editions, &mut changes.removed),
                    None => read(segment, self.fields, &mut changes.added)?,
                };
                present.segments.insert(segment.segment_id(), editions);
            }
            changes.removed.extend(former.values().flatten().map(|edition| edition.slot));
            for (_, slot) in &changes.added {
                changes.removed.remove(slot);
            }
            *known = present;
            Ok(changes)
        })
    }
}

/// The editions of a segment without those that were removed since, whose slots are added to `removed`.
fn without_removed(
    segment: &SegmentReader,
    mut editions: Vec<KnownEdition>,
    removed: &mut HashSet<u32>,
) -> Vec<KnownEdition> {
    if segment.has_deletes() {
        removed.extend(editions.extract_if(.., |one| segment.is_deleted(one.unit)).map(|one| one.slot));
    }
    editions
}

/// Reads the editions of a segment, and adds their names and slots to `added`.
fn read(
    segment: &SegmentReader,
    fields: Fields,
    added: &mut Vec<(String, u32)>,
) -> Result<Vec<KnownEdition>, SearchError> {
    let keys = segment.inverted_index(fields.keys).map_err(damaged)?;
    let slots = column(segment, "slot")?;
    let (from, to) = prefix_range(&EDITION_SIGN.to_string());
    let mut terms = keys.terms().range().ge(from).lt(to).into_stream().map_err(damaged)?;
    let mut editions = Vec::new();
    while terms.advance() {
        let postings = keys.read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic);
        let mut postings = postings.map_err(damaged)?;
        while postings.doc() != TERMINATED && segment.is_deleted(postings.doc()) {
            postings.advance();
        }
        if postings.doc() != TERMINATED {
            let name = String::from_utf8_lossy(&terms.key()[EDITION_SIGN.len_utf8()..]).into_owned();
            let (slot, unit) = (slots.get_val(postings.doc()) as u32, postings.doc());
            added.push((name, slot));
            editions.push(KnownEdition { slot, unit });
        }
    }
    Ok(editions)
}
