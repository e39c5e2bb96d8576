//! Matching: the chosen pairs, the confidence in each, and the units without counterpart.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};

use crate::AuthoredRelation;
use crate::comparison::{
    Candidate, Change, Confidence, Correspondence, Facets, Link, LinkOrigin, UnitRelation, Unmatched,
};
use crate::difference::{Edit, difference, tokens};
use crate::facets::FacetContext;
use crate::features::normalized;
use crate::greedy::{PossiblePair, best_first};
use crate::pairing::Scored;
use crate::parts::{Direction, PartOfWhole};
use crate::passages::PassageEdit;
use crate::prepare::{PreparedPair, PreparedSide};
use crate::reference_names::EditionAge;
use crate::surroundings::changed_around;

/// Fewest features of a distinctive text, which is paired with its only other occurrence wherever that is:
/// three words and the pairs of them.
const TELLING: usize = 5;
/// Distance within which the neighbours of a unit are searched in its edition, in units.
const NEIGHBOURS: u32 = 3;

// The values below were measured; see bench/RESULTS.md.

/// Most candidates that the result lists for a unit without counterpart.
const LISTED_CANDIDATES: usize = 3;
/// Least similarity of a pair whose sections correspond, or whose score exceeds those of all others by the
/// margin.
const THRESHOLD: f32 = 0.14;
/// Least similarity of any other pair.
const THRESHOLD_ELSEWHERE: f32 = 0.3;
/// Similarity that neighbours with a link of high confidence add: half of it before and half of it after the
/// two units.
const NEIGHBOUR_WEIGHT: f32 = 0.12;
/// Least distance between the score of a pair of high confidence and those of all others of its two units. Of
/// rewritten texts the true counterpart shares few words, but clearly more than any other: the distance tells
/// more than the similarity.
const MARGIN: f32 = 0.07;

/// Pairs of units, one to one.
pub(crate) struct Matching<'a> {
    prepared: &'a PreparedPair,
    /// All scored pairs, in order of the older unit, then of the newer.
    scored: Vec<Scored>,
    /// Chosen pairs with their confidence, by index in `scored`.
    chosen: Vec<(usize, Confidence)>,
    /// The counterpart of each unit of the older edition in the chosen pairs.
    to_newer: Vec<Option<u32>>,
    /// The counterpart of each unit of the newer edition.
    to_older: Vec<Option<u32>>,
    /// Units of the older edition of which the publisher's table speaks: the matcher chooses nothing for
    /// them.
    stated_older: HashSet<u32>,
    /// The same of the newer edition.
    stated_newer: HashSet<u32>,
}

/// The best two scores of a unit.
#[derive(Clone, Copy, Default)]
struct Best {
    first: f32,
    second: f32,
}

impl Best {
    fn add(&mut self, score: f32) {
        if score > self.first {
            *self = Self { first: score, second: self.first };
        } else if score > self.second {
            self.second = score;
        }
    }

    /// The best score apart from one of these.
    fn other_than(self, score: f32) -> f32 {
        if score == self.first { self.second } else { self.first }
    }
}

/// The best two scores of each unit of both editions.
struct BestScores {
    older: Vec<Best>,
    newer: Vec<Best>,
}

impl BestScores {
    fn new(prepared: &PreparedPair, scored: &[Scored]) -> Self {
        let mut best = Self {
            older: vec![Best::default(); prepared.older.text_of.len()],
            newer: vec![Best::default(); prepared.newer.text_of.len()],
        };
        for Scored { pair, .. } in scored {
            best.older[pair.a as usize].add(pair.score);
            best.newer[pair.b as usize].add(pair.score);
        }
        best
    }

    /// The distance between the score of a pair and the best of the others of its two units.
    fn margin(&self, pair: &PossiblePair) -> f32 {
        let of_older = self.older[pair.a as usize].other_than(pair.score);
        let of_newer = self.newer[pair.b as usize].other_than(pair.score);
        pair.score - of_older.max(of_newer)
    }
}

impl<'a> Matching<'a> {
    pub(crate) fn new(
        prepared: &'a PreparedPair,
        context: &FacetContext<'_>,
        table: &[Correspondence],
    ) -> Self {
        let scored = prepared.scored(context.links, context.reference_names);
        let mut stated_older = HashSet::default();
        let mut stated_newer = HashSet::default();
        for row in table {
            stated_older.extend(row.older.map(|unit| unit as u32));
            stated_newer.extend(row.newer.map(|unit| unit as u32));
        }
        let mut matching = Self {
            prepared,
            scored,
            chosen: Vec::new(),
            to_newer: vec![None; prepared.older.text_of.len()],
            to_older: vec![None; prepared.newer.text_of.len()],
            stated_older,
            stated_newer,
        };
        matching.choose();
        matching.add_neighbours();
        matching.choose();
        if matching.add_equal_texts(context) {
            matching.choose();
        }
        matching
    }

    /// Chooses pairs that are similar enough, best first.
    fn choose(&mut self) {
        let best = BestScores::new(self.prepared, &self.scored);
        let mut eligible = Vec::new();
        for scored in &self.scored {
            let is_nearest = scored.linked || best.margin(&scored.pair) >= MARGIN;
            let threshold = if is_nearest { THRESHOLD } else { THRESHOLD_ELSEWHERE };
            if scored.similarity >= threshold && !self.is_stated(&scored.pair) {
                eligible.push(scored.pair);
            }
        }
        self.to_newer.fill(None);
        self.to_older.fill(None);
        self.chosen.clear();
        for pair in best_first(eligible, self.to_newer.len(), self.to_older.len()) {
            self.to_newer[pair.a as usize] = Some(pair.b);
            self.to_older[pair.b as usize] = Some(pair.a);
            let index = self.scored.binary_search_by_key(&(pair.a, pair.b), |s| (s.pair.a, s.pair.b));
            let index = index.expect("a chosen pair is a scored one");
            let confidence = confidence(self.prepared, &self.scored[index], best.margin(&pair));
            self.chosen.push((index, confidence));
        }
    }

    /// Raises the scores of pairs next to a chosen pair of high confidence, half for each of the two
    /// directions.
    fn add_neighbours(&mut self) {
        let mut counterparts = vec![None; self.to_newer.len()];
        for (index, confidence) in &self.chosen {
            if *confidence >= Confidence::High {
                let pair = &self.scored[*index].pair;
                counterparts[pair.a as usize] = Some(pair.b);
            }
        }
        for scored in &mut self.scored {
            let before = has_pair_before(&counterparts, &scored.pair);
            let after = has_pair_after(&counterparts, &scored.pair);
            scored.pair.score += NEIGHBOUR_WEIGHT * (f32::from(before) + f32::from(after)) / 2.0;
        }
    }

    /// Adds pairs of equal texts without counterpart, in the order of both editions: for a frequent text,
    /// only the nearest ones are candidates. False where there is none.
    fn add_equal_texts(&mut self, context: &FacetContext<'_>) -> bool {
        let names = context.reference_names;
        let PreparedPair { older, newer, .. } = self.prepared;
        // Units of the newer edition by text and layer of adoption, the last one first.
        let mut free: HashMap<(u64, u8), Vec<u32>> = HashMap::default();
        for (unit, &hash) in names.exact_newer.iter().enumerate().rev() {
            if self.to_older[unit].is_none() {
                let unit = unit as u32;
                free.entry((hash, newer.layer_of(unit))).or_default().push(unit);
            }
        }
        let before = self.scored.len();
        for (unit, &hash) in names.exact_older.iter().enumerate() {
            if self.to_newer[unit].is_some() {
                continue;
            }
            let unit = unit as u32;
            let Some(others) = free.get_mut(&(hash, older.layer_of(unit))) else { continue };
            if let Some(other) = others.pop() {
                self.scored.push(self.prepared.pair(unit, other, 1.0, context.links));
            }
        }
        let added = self.scored.len() > before;
        self.scored.sort_by_key(|scored| (scored.pair.a, scored.pair.b));
        self.scored.dedup_by_key(|scored| (scored.pair.a, scored.pair.b));
        added
    }

    /// True where the publisher's table names a unit of the pair.
    fn is_stated(&self, pair: &PossiblePair) -> bool {
        self.stated_older.contains(&pair.a) || self.stated_newer.contains(&pair.b)
    }

    /// Possible parts of units, in both directions.
    pub(crate) fn split_and_merged(&self) -> Vec<Link> {
        let PreparedPair { weights, older, newer } = self.prepared;
        let mut possible_parts = Vec::new();
        let mut possible_wholes = Vec::new();
        for Scored { pair, .. } in &self.scored {
            if self.is_stated(pair) {
                continue;
            }
            if self.to_older[pair.b as usize].is_none() {
                possible_parts.push(PartOfWhole { part: pair.b, whole: pair.a });
            }
            if self.to_newer[pair.a as usize].is_none() {
                possible_wholes.push(PartOfWhole { part: pair.a, whole: pair.b });
            }
        }
        let split = Direction { weights, parts: newer, wholes: older, counterparts: &self.to_newer };
        let merged = Direction { weights, parts: older, wholes: newer, counterparts: &self.to_older };
        let mut links = Vec::new();
        for PartOfWhole { part, whole } in split.parts(possible_parts) {
            links.push(self.possible_link(whole, part, UnitRelation::Split));
        }
        for PartOfWhole { part, whole } in merged.parts(possible_wholes) {
            links.push(self.possible_link(part, whole, UnitRelation::Merged));
        }
        links
    }

    /// A link of two units of which one is possibly a part of the other.
    fn possible_link(&self, a: u32, b: u32, relation: UnitRelation) -> Link {
        let PreparedPair { weights, older, newer } = self.prepared;
        let (text, other) = (older.text_of[a as usize], newer.text_of[b as usize]);
        Link {
            older: a as usize,
            newer: b as usize,
            relation,
            confidence: Confidence::Likely,
            origin: LinkOrigin::Derived,
            similarity: weights.dice((&older.texts, text), (&newer.texts, other)),
            facets: Facets::default(),
            lead_in: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The chosen pairs as links.
    pub(crate) fn links(&self, context: &FacetContext<'_>) -> Vec<Link> {
        let mut links = Vec::with_capacity(self.chosen.len());
        for &(index, confidence) in &self.chosen {
            links.push(context.link(&self.scored[index], confidence));
        }
        links
    }

    /// The links that the publisher's table states.
    pub(crate) fn stated_links(&self, context: &FacetContext<'_>, table: &[Correspondence]) -> Vec<Link> {
        // Of several rows with the same two units, the last one counts.
        let mut rows: BTreeMap<(usize, usize), AuthoredRelation> = BTreeMap::new();
        for row in table {
            if let (Some(older), Some(newer)) = (row.older, row.newer) {
                rows.insert((older, newer), row.relation);
            }
        }
        let mut of_older: HashMap<usize, usize> = HashMap::default();
        let mut of_newer: HashMap<usize, usize> = HashMap::default();
        for (a, b) in rows.keys() {
            *of_older.entry(*a).or_default() += 1;
            *of_newer.entry(*b).or_default() += 1;
        }
        let mut links = Vec::with_capacity(rows.len());
        for (&(a, b), relation) in &rows {
            let mut link = context.link_of(self.prepared, a, b);
            link.origin = LinkOrigin::Authored;
            // If a unit is in several rows, none of them is one to one.
            let of_several = match relation {
                AuthoredRelation::Merged => Some(UnitRelation::Merged),
                AuthoredRelation::Split => Some(UnitRelation::Split),
                _ if of_newer[&b] > 1 => Some(UnitRelation::Merged),
                _ if of_older[&a] > 1 => Some(UnitRelation::Split),
                _ => None,
            };
            if let Some(relation) = of_several {
                link.relation = relation;
                link.facets = Facets::default();
                link.lead_in.clear();
                link.text.clear();
            }
            links.push(link);
        }
        links
    }

    /// Units of the older edition that are in no link.
    pub(crate) fn older_unmatched(&self, links: &[Link]) -> Vec<Unmatched> {
        let mut candidates = vec![Some(Vec::new()); self.to_newer.len()];
        for link in links {
            candidates[link.older] = None;
        }
        for scored in &self.scored {
            if let Some(list) = &mut candidates[scored.pair.a as usize] {
                list.push(ScoredCandidate::new(scored, scored.pair.b));
            }
        }
        unmatched(candidates)
    }

    /// Units of the newer edition that are in no link.
    pub(crate) fn newer_unmatched(&self, links: &[Link]) -> Vec<Unmatched> {
        let mut candidates = vec![Some(Vec::new()); self.to_older.len()];
        for link in links {
            candidates[link.newer] = None;
        }
        for scored in &self.scored {
            if let Some(list) = &mut candidates[scored.pair.b as usize] {
                list.push(ScoredCandidate::new(scored, scored.pair.a));
            }
        }
        unmatched(candidates)
    }
}

/// A pair of high confidence is before another pair if both of its units are a few units before those.
fn has_pair_before(counterparts: &[Option<u32>], pair: &PossiblePair) -> bool {
    for step in 1..=NEIGHBOURS {
        let Some(unit) = pair.a.checked_sub(step) else { break };
        let Some(other) = counterparts[unit as usize] else { continue };
        if other < pair.b && pair.b - other <= NEIGHBOURS {
            return true;
        }
    }
    false
}

/// A pair of high confidence is after another pair if both of its units are a few units after those.
fn has_pair_after(counterparts: &[Option<u32>], pair: &PossiblePair) -> bool {
    for step in 1..=NEIGHBOURS {
        let Some(counterpart) = counterparts.get((pair.a + step) as usize) else { break };
        let Some(other) = *counterpart else { continue };
        if other > pair.b && other - pair.b <= NEIGHBOURS {
            return true;
        }
    }
    false
}

/// A candidate of a unit without counterpart, with the score by which candidates are chosen.
#[derive(Clone)]
struct ScoredCandidate {
    score: f32,
    candidate: Candidate,
}

impl ScoredCandidate {
    fn new(scored: &Scored, unit: u32) -> Self {
        let candidate = Candidate { unit: unit as usize, similarity: scored.similarity };
        Self { score: scored.pair.score, candidate }
    }
}

/// The units that have a list of candidates, with the best of them.
fn unmatched(candidates: Vec<Option<Vec<ScoredCandidate>>>) -> Vec<Unmatched> {
    let mut unmatched = Vec::new();
    for (unit, list) in candidates.into_iter().enumerate() {
        let Some(mut list) = list else { continue };
        list.sort_by(|x, y| y.score.total_cmp(&x.score).then(x.candidate.unit.cmp(&y.candidate.unit)));
        list.truncate(LISTED_CANDIDATES);
        // Readers see similarities: the most similar of the nearest comes first.
        let mut candidates: Vec<Candidate> = list.into_iter().map(|scored| scored.candidate).collect();
        candidates.sort_by(|x, y| y.similarity.total_cmp(&x.similarity));
        unmatched.push(Unmatched { unit, candidates });
    }
    unmatched
}

/// The confidence in a chosen pair, given the distance of its score from those of all others.
fn confidence(prepared: &PreparedPair, scored: &Scored, margin: f32) -> Confidence {
    if scored.similarity < 1.0 {
        return if margin >= MARGIN { Confidence::High } else { Confidence::Likely };
    }
    let PreparedPair { older, newer, .. } = prepared;
    let (a, b) = (scored.pair.a as usize, scored.pair.b as usize);
    let (text, other) = (older.text_of[a], newer.text_of[b]);
    let is_single = older.units_of[text as usize].len() == 1 && newer.units_of[other as usize].len() == 1;
    if is_single && older.texts.get(text).len() >= TELLING {
        return Confidence::Certain;
    }
    if !scored.linked {
        return Confidence::Likely;
    }
    // As often in both sections: each occurrence has its counterpart.
    if occurrences_in_section(older, a) == occurrences_in_section(newer, b) {
        return Confidence::Certain;
    }
    Confidence::High
}

/// The number of units in the section of a unit that have its text.
fn occurrences_in_section(side: &PreparedSide, unit: usize) -> usize {
    let section = side.section_of[unit];
    let mut count = 0;
    for &same in &side.units_of[side.text_of[unit] as usize] {
        count += usize::from(side.section_of[same as usize] == section);
    }
    count
}

impl FacetContext<'_> {
    /// The link of two units whose relation is known.
    pub(crate) fn link_of(&self, prepared: &PreparedPair, a: usize, b: usize) -> Link {
        let PreparedPair { weights, older, newer } = prepared;
        let similarity = weights.dice((&older.texts, older.text_of[a]), (&newer.texts, newer.text_of[b]));
        let pair = PossiblePair { a: a as u32, b: b as u32, score: similarity, tie: 0 };
        self.link(&Scored { pair, similarity, linked: true }, Confidence::Certain)
    }

    /// The link of a chosen pair, with its changes.
    pub(crate) fn link(&self, scored: &Scored, confidence: Confidence) -> Link {
        let Scored { pair, similarity, .. } = scored;
        let (a, b) = (&self.older.units[pair.a as usize], &self.newer.units[pair.b as usize]);
        let same = self.reference_names.text(a, EditionAge::Older)
            == self.reference_names.text(b, EditionAge::Newer);
        let lead_in = edits(a.part(true), b.part(true));
        let text = edits(a.part(false), b.part(false));
        let mut facets = self.facets(a, b, &PassageEdit::all(&lead_in, &text));
        let target = Change { older: pair.a as usize, newer: pair.b as usize };
        facets.depends_on = changed_around(a, b, target);
        Link {
            older: target.older,
            newer: target.newer,
            relation: if same { UnitRelation::Same } else { UnitRelation::Reworded },
            confidence,
            origin: LinkOrigin::Derived,
            similarity: *similarity,
            facets,
            lead_in,
            text,
        }
    }
}

/// The edits between two texts; none where only white space, normalization or typography differs.
fn edits(from: &str, to: &str) -> Vec<Edit> {
    if from == to || normalized(from) == normalized(to) {
        return Vec::new();
    }
    difference(&tokens(from), &tokens(to))
}
