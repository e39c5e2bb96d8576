//! Collector of the units that match: exact totals and counts, and the best hits in order.
//!
//! The order is the tier, then editions in force, newer editions, the reference, the URN and the position in
//! the edition. No key depends on another unit or on the history of an index.

use std::cmp::{Ordering, Reverse};

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use crate::stem::STEM_LANGUAGES;
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
    /// Whether the edition is in force.
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
    /// All units.
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
    /// Kinds of units.
    pub kinds: Vec<UnitKind>,
    /// Types of provisions.
    pub provisions: Vec<norma_model::ProvisionKind>,
    /// Only normative units, or only informative ones.
    pub normative: Option<bool>,
}

impl UnitFilter {
    fn admits_all(&self) -> bool {
        self.kinds.is_empty() && self.provisions.is_empty() && self.normative.is_none()
    }
}

/// Which hits a search returns.
#[derive(Clone, Debug)]
pub struct Page {
    /// Most hits, or groups.
    pub limit: usize,
    /// Where to continue.
    pub after: Option<SearchCursor>,
    /// Whether hits are grouped by edition.
    pub grouped: bool,
    /// Most visible matches that are looked at.
    pub max_matches: u64,
}

/// A hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitHit {
    /// How it matches.
    pub tier: Tier,
    /// The edition.
    pub slot: u32,
    /// The number of units before it in the edition.
    pub position: u32,
    /// What it is.
    pub kind: UnitKind,
    /// Its index among the units of its kind.
    pub index: u32,
    /// The code of the language by which its words are reduced to stems, if they are.
    pub language: Option<&'static str>,
}

impl UnitHit {
    /// Whether its title alone has what was found, or is all that it has: it then shows no text.
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
    /// The edition.
    pub slot: u32,
    /// All its hits.
    pub count: u64,
    /// The best three.
    pub hits: Vec<UnitHit>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// All hits.
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
}

/// The key of the last hit of a page. It is valid as long as the query is the same.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchCursor {
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
        (digest(query, body) == *found).then(|| serde_json::from_slice(body).ok())?
    }

    fn rank(&self) -> (Reverse<Tier>, SlotKey<'_>, u32) {
        let Self { tier, in_force, date, reference, urn, position } = self;
        (Reverse(*tier), SlotKey { in_force: *in_force, date, reference, urn }, *position)
    }
}

fn digest(query: &str, body: &[u8]) -> [u8; DIGEST] {
    let whole = Sha256::new().chain_update(query).chain_update([0]).chain_update(body).finalize();
    *whole.first_chunk().expect("the digest is longer")
}

/// What orders a hit among others.
fn rank<'s>(scope: &'s dyn Scope, hit: &UnitHit) -> (Reverse<Tier>, SlotKey<'s>, u32) {
    (Reverse(hit.tier), scope.key(hit.slot), hit.position)
}

/// Compares two hits by their order. Most often the tier decides, without a look at the editions.
fn compare(scope: &dyn Scope, a: &UnitHit, b: &UnitHit) -> Ordering {
    let by_tier = Reverse(a.tier).cmp(&Reverse(b.tier));
    by_tier.then_with(|| match a.slot == b.slot {
        true => a.position.cmp(&b.position),
        false => (scope.key(a.slot), a.position).cmp(&(scope.key(b.slot), b.position)),
    })
}

fn cursor(scope: &dyn Scope, hit: &UnitHit) -> SearchCursor {
    let SlotKey { in_force, date, reference, urn } = scope.key(hit.slot);
    let [date, reference, urn] = [date, reference, urn].map(str::to_owned);
    SearchCursor { tier: hit.tier, in_force, date, reference, urn, position: hit.position }
}

/// What the index says about a unit, in bits: kind, type of provision, whether it is normative, the number of
/// words of the title, and the language of its stems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About(pub(crate) u64);

/// Longest title that a query can be the whole of, in words.
pub(crate) const LONGEST_TITLE: u64 = 255;

impl About {
    pub(crate) fn of(unit: &crate::IndexedUnit<'_>, title_words: usize) -> Self {
        let number = |of: Option<usize>| of.map_or(0, |at| at as u64 + 1);
        let provision = number(PROVISION_KINDS.iter().position(|kind| Some(*kind) == unit.provision));
        let normative = number(unit.normative.map(usize::from));
        let words = (title_words as u64).min(LONGEST_TITLE);
        let language = unit.title.iter().chain(&unit.text).map(|part| part.language.primary()).next();
        let language = number(STEM_LANGUAGES.iter().position(|code| Some(*code) == language));
        Self(unit.kind as u64 | provision << 3 | normative << 6 | words << 8 | language << 16)
    }

    pub(crate) fn kind(self) -> Option<UnitKind> {
        UnitKind::ALL.get((self.0 & 7) as usize).copied()
    }

    fn provision(self) -> Option<usize> {
        ((self.0 >> 3 & 7) as usize).checked_sub(1)
    }

    fn normative(self) -> Option<bool> {
        (self.0 >> 6 & 3).checked_sub(1).map(|bit| bit == 1)
    }

    pub(crate) fn title_words(self) -> u64 {
        self.0 >> 8 & LONGEST_TITLE
    }

    pub(crate) fn language(self) -> Option<&'static str> {
        STEM_LANGUAGES.get((self.0 >> 16).checked_sub(1)? as usize).copied()
    }
}

/// Collects the hits of one search. It holds nothing of the scope, which each step gets.
pub(crate) struct Collector {
    filter: UnitFilter,
    page: Page,
    found: Found,
    by_slot: Vec<u32>,
    /// The best hits in order, one more than the page has.
    best: Vec<UnitHit>,
    groups: Vec<(u32, Vec<UnitHit>)>,
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

    /// Whether a unit may be found at all. This is asked before anything else is done with a unit.
    /// `about` is read where the slot does not decide: it took half of the CPU of a search.
    pub(crate) fn admits(&self, scope: &dyn Scope, slot: u32, about: impl Fn() -> About) -> bool {
        let access = if (slot as usize) < self.by_slot.len() { scope.access(slot) } else { None };
        let is_title_only = match access {
            None => return false,
            Some(SlotAccess::Title) => true,
            Some(SlotAccess::All) => false,
        };
        let filter = &self.filter;
        if !is_title_only && filter.admits_all() {
            return true;
        }
        let about = about();
        let kind = about.kind();
        (!is_title_only || kind == Some(UnitKind::Standard))
            && (filter.kinds.is_empty() || kind.is_some_and(|kind| filter.kinds.contains(&kind)))
            && (filter.provisions.is_empty()
                || about.provision().is_some_and(|at| filter.provisions.contains(&PROVISION_KINDS[at])))
            && filter.normative.is_none_or(|wanted| about.normative() == Some(wanted))
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
        let is_of_page = |after: &SearchCursor| rank(scope, &hit) > after.rank();
        if !self.page.after.as_ref().is_none_or(is_of_page) {
            return;
        }
        self.best.truncate(self.page.limit);
        let at = self.best.partition_point(|other| compare(scope, other, &hit) == Ordering::Less);
        self.best.insert(at, hit);
    }

    fn add_to_group(&mut self, scope: &dyn Scope, hit: UnitHit) {
        if self.groups.last().is_none_or(|(slot, _)| *slot != hit.slot) {
            self.groups.push((hit.slot, Vec::new()));
        }
        let (_, hits) = self.groups.last_mut().expect("there is one");
        hits.push(hit);
        hits.sort_unstable_by(|a, b| compare(scope, a, b));
        hits.truncate(GROUP_HITS);
    }

    pub(crate) fn finish(mut self, scope: &dyn Scope) -> Found {
        let slots = self.by_slot.iter().zip(0..).filter(|(count, _)| **count > 0);
        self.found.slots = slots.map(|(count, slot)| (slot, u64::from(*count))).collect();
        if self.page.grouped {
            self.finish_groups(scope);
        } else {
            let has_more = self.best.len() > self.page.limit;
            self.best.truncate(self.page.limit);
            self.found.next = self.best.last().filter(|_| has_more).map(|last| cursor(scope, last));
            self.found.hits = self.best;
        }
        self.found
    }

    fn finish_groups(&mut self, scope: &dyn Scope) {
        // Units of one edition may be apart in the index.
        self.groups.sort_by_key(|(slot, _)| *slot);
        let mut whole: Vec<Vec<UnitHit>> = Vec::new();
        for (slot, hits) in std::mem::take(&mut self.groups) {
            match whole.last_mut().filter(|last| last[0].slot == slot) {
                Some(last) => last.extend(hits),
                None => whole.push(hits),
            }
        }
        for hits in &mut whole {
            hits.sort_unstable_by(|a, b| compare(scope, a, b));
            hits.truncate(GROUP_HITS);
        }
        if let Some(after) = &self.page.after {
            whole.retain(|hits| rank(scope, &hits[0]) > after.rank());
        }
        whole.sort_unstable_by(|a, b| compare(scope, &a[0], &b[0]));
        let has_more = whole.len() > self.page.limit;
        whole.truncate(self.page.limit);
        self.found.next = whole.last().filter(|_| has_more).map(|hits| cursor(scope, &hits[0]));
        let group = |hits: Vec<UnitHit>| {
            let slot = hits[0].slot;
            HitGroup { slot, count: u64::from(self.by_slot[slot as usize]), hits }
        };
        self.found.groups = whole.into_iter().map(group).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_of_one_query_and_cannot_be_altered() {
        let cursor = SearchCursor {
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
