//! Collector of the units that match: exact totals and counts, and the best hits in order.
//!
//! The order is the tier, then editions in force, newer editions, the reference, the URN and the position in
//! the edition. No key depends on another unit or on the history of an index.

use std::cmp::{Ordering, Reverse};

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use crate::about::About;
use crate::found_words::{FoundWords, RelaxedFound, WordRank};
use crate::{PROVISION_KINDS, UnitKind};

/// Hits of a group.
const GROUP_HITS: usize = 3;
/// Bytes of the digest in a cursor.
const DIGEST: usize = 8;

/// How a unit matches; a greater one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Tier {
    /// At least one word matches by a prefix or by a part only.
    Part,
    /// All words are in the unit.
    Words,
    /// The text has the query as a phrase.
    Phrase,
    /// The title has all words.
    TitleWords,
    /// The title has the query as a phrase.
    TitlePhrase,
    /// The query is the title or the designation.
    Title,
    /// The query is the identifier, reference or label, as typed.
    Identifier,
}

/// What orders the units of one edition among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotKey<'k> {
    /// Set where the edition is in force.
    pub in_force: bool,
    /// The day of publication, as far as known: `2024-05`.
    pub date: &'k str,
    /// The reference by which editions of one day are ordered.
    pub reference: &'k str,
    /// The URN of the edition.
    pub urn: &'k str,
}

impl SlotKey<'_> {
    fn rank(&self) -> (Reverse<bool>, Reverse<&str>, &str, &str) {
        (Reverse(self.in_force), Reverse(self.date), self.reference, self.urn)
    }
}

impl PartialOrd for SlotKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SlotKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Which units of an edition a caller may find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotAccess {
    /// The edition by its title.
    Title,
    /// All units of the edition.
    All,
}

/// What a caller may find, and the order of it.
pub trait Scope {
    /// Number of slots that the scope knows. Those beyond are hidden.
    fn slots(&self) -> usize;
    /// What may be found of the edition in a slot; `None` where it is hidden.
    fn access(&self, slot: u32) -> Option<SlotAccess>;
    /// The key of the edition in a slot that is not hidden.
    fn key(&self, slot: u32) -> SlotKey<'_>;
}

/// Which units of an edition are searched; everything where a list is empty.
#[derive(Clone, Debug, Default)]
pub struct UnitFilter {
    /// Kinds of units that are searched.
    pub kinds: Vec<UnitKind>,
    /// Types of provisions that are searched.
    pub provisions: Vec<norma_model::ProvisionKind>,
    /// Only normative units, or only informative ones.
    pub normative: Option<bool>,
}

impl UnitFilter {
    fn admits_all(&self) -> bool {
        self.kinds.is_empty() && self.provisions.is_empty() && self.normative.is_none()
    }

    fn admits(&self, about: About) -> bool {
        if !self.kinds.is_empty() {
            let Some(kind) = about.kind() else { return false };
            if !self.kinds.contains(&kind) {
                return false;
            }
        }
        if !self.provisions.is_empty() {
            let Some(provision) = about.provision() else { return false };
            if !self.provisions.contains(&PROVISION_KINDS[provision]) {
                return false;
            }
        }
        match self.normative {
            Some(wanted) => about.normative() == Some(wanted),
            None => true,
        }
    }
}

/// Which hits a search returns.
#[derive(Clone, Debug)]
pub struct Page {
    /// Most hits, or groups.
    pub limit: usize,
    /// The last hit of the page before; `None` for the first page.
    pub after: Option<SearchCursor>,
    /// Set where hits are grouped by edition.
    pub grouped: bool,
    /// Most visible matches that are looked at.
    pub max_matches: u64,
    /// Set where units with some of the words are looked for if none has all.
    pub relaxes: bool,
}

/// A unit that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitHit {
    /// How the unit matches.
    pub tier: Tier,
    /// Which words it has, where not all must match.
    pub words: Option<FoundWords>,
    /// The slot of its edition.
    pub slot: u32,
    /// The number of units before it in the edition.
    pub position: u32,
    /// The kind of the unit.
    pub kind: UnitKind,
    /// The index among the units of its kind in the edition.
    pub index: u32,
    /// The code of the language by which its words are reduced to stems, if they are.
    pub language: Option<&'static str>,
}

impl UnitHit {
    /// True where its title alone has what was found, or is all that it has: the hit then shows no text.
    pub fn shows_title_only(&self) -> bool {
        match self.kind {
            UnitKind::Standard => true,
            UnitKind::Section => self.tier >= Tier::TitleWords,
            UnitKind::Provision | UnitKind::Term | UnitKind::Table => false,
        }
    }
}

/// The hits of one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitGroup {
    /// The slot of the edition.
    pub slot: u32,
    /// Number of all hits in the edition.
    pub count: u64,
    /// The best three hits, in their order.
    pub hits: Vec<UnitHit>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Number of all hits.
    pub total: u64,
    /// Hits by kind, in the order of [`UnitKind::ALL`].
    pub kinds: [u64; 5],
    /// Hits by type of provision, in the order of [`PROVISION_KINDS`].
    pub provisions: [u64; 5],
    /// Normative and informative hits.
    pub normative: [u64; 2],
    /// Hits by slot, where there are any.
    pub slots: Vec<(u32, u64)>,
    /// The page, unless it is grouped.
    pub hits: Vec<UnitHit>,
    /// The page, where it is grouped.
    pub groups: Vec<HitGroup>,
    /// Where the next page begins, where there is one.
    pub next: Option<SearchCursor>,
    /// Set where no unit has all words: hits have some of them, and do not count in totals.
    pub relaxed: Option<RelaxedFound>,
}

/// The key of the last hit of a page. It is valid as long as the query is the same.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchCursor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<WordRank>,
    tier: Tier,
    in_force: bool,
    date: String,
    reference: String,
    urn: String,
    position: u32,
}

impl SearchCursor {
    /// The cursor as a text. `query` is all that the hits depend on.
    pub fn encode(&self, query: &str) -> String {
        let mut bytes = serde_json::to_vec(self).expect("a cursor is JSON");
        let digest = digest(query, &bytes);
        bytes.extend(digest);
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Reads a cursor; `None` where it was altered or is of another query.
    pub fn decode(text: &str, query: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let (body, found) = bytes.split_last_chunk::<DIGEST>()?;
        if digest(query, body) != *found {
            return None;
        }
        serde_json::from_slice(body).ok()
    }

    /// True for a hit that has not all words.
    pub(crate) fn is_relaxed(&self) -> bool {
        self.words.is_some()
    }

    fn rank(&self) -> HitRank<'_> {
        let Self { words, tier, in_force, date, reference, urn, position } = self;
        let slot = SlotKey { in_force: *in_force, date, reference, urn };
        (Reverse(*words), Reverse(*tier), slot, *position)
    }
}

fn digest(query: &str, body: &[u8]) -> [u8; DIGEST] {
    let whole = Sha256::new().chain_update(query).chain_update([0]).chain_update(body).finalize();
    *whole.first_chunk().expect("the digest is longer")
}

/// What orders hits: words where not all must match, tier, edition, position.
type HitRank<'s> = (Reverse<Option<WordRank>>, Reverse<Tier>, SlotKey<'s>, u32);

/// What orders a hit among others.
fn rank<'s>(scope: &'s dyn Scope, hit: &UnitHit) -> HitRank<'s> {
    let words = hit.words.map(FoundWords::rank);
    (Reverse(words), Reverse(hit.tier), scope.key(hit.slot), hit.position)
}

/// Compares two hits by their order. Most often the tier decides, without a look at the editions.
fn compare(scope: &dyn Scope, a: &UnitHit, b: &UnitHit) -> Ordering {
    // A greater one comes first.
    let words = |hit: &UnitHit| hit.words.map(FoundWords::rank);
    let by_match = (words(b), b.tier).cmp(&(words(a), a.tier));
    if by_match != Ordering::Equal {
        return by_match;
    }
    if a.slot == b.slot {
        return a.position.cmp(&b.position);
    }
    (scope.key(a.slot), a.position).cmp(&(scope.key(b.slot), b.position))
}

fn cursor(scope: &dyn Scope, hit: &UnitHit) -> SearchCursor {
    let key = scope.key(hit.slot);
    SearchCursor {
        words: hit.words.map(FoundWords::rank),
        tier: hit.tier,
        in_force: key.in_force,
        date: key.date.to_owned(),
        reference: key.reference.to_owned(),
        urn: key.urn.to_owned(),
        position: hit.position,
    }
}

/// Collects the hits of one search. It holds nothing of the scope, which each step gets.
pub(crate) struct Collector {
    filter: UnitFilter,
    page: Page,
    found: Found,
    /// The number of hits of each slot.
    by_slot: Vec<u32>,
    /// The best hits in order, one more than the page has.
    best: Vec<UnitHit>,
    /// For each run of units of one edition in the index, its best hits in order: at least one.
    groups: Vec<Vec<UnitHit>>,
}

/// More units match than a search looks at.
#[derive(Debug)]
pub(crate) struct TooManyMatches;

impl Collector {
    /// A collector for this number of slots.
    pub(crate) fn new(slots: usize, filter: &UnitFilter, page: &Page) -> Self {
        Self {
            filter: filter.clone(),
            page: page.clone(),
            found: Found::default(),
            by_slot: vec![0; slots],
            best: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// True for a unit that may be found at all. This is asked before anything else is done with a unit.
    /// `about` is read where the slot does not decide: it took half of the CPU of a search.
    pub(crate) fn admits(&self, scope: &dyn Scope, slot: u32, about: impl Fn() -> About) -> bool {
        if slot as usize >= self.by_slot.len() {
            return false;
        }
        match scope.access(slot) {
            None => false,
            Some(SlotAccess::All) => self.filter.admits_all() || self.filter.admits(about()),
            Some(SlotAccess::Title) => {
                let about = about();
                about.kind() == Some(UnitKind::Standard) && self.filter.admits(about)
            }
        }
    }

    /// True where units with some of the words are to be looked for, after those with all of them.
    pub(crate) fn relaxes(&self) -> bool {
        self.page.relaxes && self.found.total == 0
    }

    /// Adds an admitted unit that has some of the words. It does not count in totals.
    pub(crate) fn add_relaxed(&mut self, scope: &dyn Scope, hit: UnitHit) {
        if self.page.grouped {
            self.add_to_group(scope, hit);
        } else {
            self.add_to_page(scope, hit);
        }
    }

    /// Adds a unit that matches and is admitted.
    pub(crate) fn add(
        &mut self,
        scope: &dyn Scope,
        hit: UnitHit,
        about: About,
    ) -> Result<(), TooManyMatches> {
        self.found.total += 1;
        if self.found.total > self.page.max_matches {
            return Err(TooManyMatches);
        }
        self.found.kinds[hit.kind as usize] += 1;
        if let Some(provision) = about.provision() {
            self.found.provisions[provision] += 1;
        }
        if let Some(normative) = about.normative() {
            self.found.normative[usize::from(!normative)] += 1;
        }
        self.by_slot[hit.slot as usize] += 1;
        if self.page.grouped {
            self.add_to_group(scope, hit);
        } else {
            self.add_to_page(scope, hit);
        }
        Ok(())
    }

    fn add_to_page(&mut self, scope: &dyn Scope, hit: UnitHit) {
        if self.best.len() > self.page.limit {
            let worst = &self.best[self.page.limit];
            if compare(scope, &hit, worst) != Ordering::Less {
                return;
            }
        }
        if let Some(after) = &self.page.after
            && rank(scope, &hit) <= after.rank()
        {
            // The hit is of a page before this one.
            return;
        }
        self.best.truncate(self.page.limit);
        let at = self.best.partition_point(|other| compare(scope, other, &hit) == Ordering::Less);
        self.best.insert(at, hit);
    }

    fn add_to_group(&mut self, scope: &dyn Scope, hit: UnitHit) {
        match self.groups.last_mut() {
            Some(hits) if hits[0].slot == hit.slot => {
                hits.push(hit);
                keep_best(scope, hits);
            }
            _ => self.groups.push(vec![hit]),
        }
    }

    pub(crate) fn finish(mut self, scope: &dyn Scope) -> Found {
        for (slot, count) in (0..).zip(&self.by_slot) {
            if *count > 0 {
                self.found.slots.push((slot, u64::from(*count)));
            }
        }
        if self.page.grouped {
            self.finish_groups(scope);
        } else {
            self.finish_page(scope);
        }
        self.found
    }

    fn finish_page(&mut self, scope: &dyn Scope) {
        let mut hits = std::mem::take(&mut self.best);
        if hits.len() > self.page.limit {
            hits.truncate(self.page.limit);
            self.found.next = hits.last().map(|last| cursor(scope, last));
        }
        self.found.hits = hits;
    }

    fn finish_groups(&mut self, scope: &dyn Scope) {
        let mut groups = self.one_group_by_slot(scope);
        if let Some(after) = &self.page.after {
            groups.retain(|hits| rank(scope, &hits[0]) > after.rank());
        }
        groups.sort_unstable_by(|a, b| compare(scope, &a[0], &b[0]));
        if groups.len() > self.page.limit {
            groups.truncate(self.page.limit);
            self.found.next = groups.last().map(|hits| cursor(scope, &hits[0]));
        }
        for hits in groups {
            let slot = hits[0].slot;
            let count = u64::from(self.by_slot[slot as usize]);
            self.found.groups.push(HitGroup { slot, count, hits });
        }
    }

    /// The best hits of each edition: its units may be apart in the index.
    fn one_group_by_slot(&mut self, scope: &dyn Scope) -> Vec<Vec<UnitHit>> {
        let mut apart = std::mem::take(&mut self.groups);
        apart.sort_by_key(|hits| hits[0].slot);
        let mut groups: Vec<Vec<UnitHit>> = Vec::new();
        for hits in apart {
            match groups.last_mut() {
                Some(last) if last[0].slot == hits[0].slot => last.extend(hits),
                _ => groups.push(hits),
            }
        }
        for hits in &mut groups {
            keep_best(scope, hits);
        }
        groups
    }
}

/// Orders the hits of an edition and drops those that a group has no room for.
fn keep_best(scope: &dyn Scope, hits: &mut Vec<UnitHit>) {
    hits.sort_unstable_by(|a, b| compare(scope, a, b));
    hits.truncate(GROUP_HITS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_of_one_query_and_cannot_be_altered() {
        let cursor = SearchCursor {
            words: Some(WordRank { matched: 3, own: 1, title: 0 }),
            tier: Tier::Phrase,
            in_force: true,
            date: "2024-05".to_owned(),
            reference: "NSB 4210".to_owned(),
            urn: "urn:nsb:std:nsb:4210:ed-2:en".to_owned(),
            position: 7,
        };
        let text = cursor.encode("q=force");
        assert_eq!(SearchCursor::decode(&text, "q=force"), Some(cursor));
        assert_eq!(SearchCursor::decode(&text, "q=load"), None);
        for at in 0..text.len() {
            let mut altered = text.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(SearchCursor::decode(&String::from_utf8(altered).unwrap(), "q=force"), None, "{at}");
        }
        for text in ["", "A", "é", "AAAAAAAAAAAAAAAAAAAA"] {
            assert_eq!(SearchCursor::decode(text, "q=force"), None);
        }
    }
}
