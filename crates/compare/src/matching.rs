//! Matching: the chosen pairs, the confidence in each, and the units without counterpart.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};

use crate::AuthoredRelation;
use crate::comparison::{
    Candidate, Confidence, Correspondence, Facets, Link, LinkOrigin, UnitRelation, Unmatched,
};
use crate::difference::{difference, tokens};
use crate::facets::FacetContext;
use crate::features::normalized;
use crate::greedy::{PossiblePair, best_first};
use crate::pairing::Scored;
use crate::parts::{Direction, WeighedText};
use crate::prepare::{PreparedPair, PreparedSide};
use crate::reference_names::EditionAge;

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
    /// Chosen pairs with their confidence, by index.
    chosen: Vec<(usize, Confidence)>,
    to_newer: Vec<Option<u32>>,
    to_older: Vec<Option<u32>>,
    /// Units of which the publisher's table speaks.
    stated: [HashSet<u32>; 2],
}

/// The best two scores of a unit.
#[derive(Clone, Copy, Default)]
struct Best(f32, f32);

impl Best {
    fn add(&mut self, score: f32) {
        if score > self.0 {
            *self = Self(score, self.0);
        } else if score > self.1 {
            self.1 = score;
        }
    }

    /// The best score apart from one of these.
    fn other_than(self, score: f32) -> f32 {
        if score == self.0 { self.1 } else { self.0 }
    }
}

/// The best two scores of each unit of both editions.
struct BestScores {
    older: Vec<Best>,
    newer: Vec<Best>,
}

impl BestScores {
    fn new(prepared: &PreparedPair, scored: &[Scored]) -> Self {
        let all = |side: &PreparedSide| vec![Best::default(); side.text_of.len()];
        let mut best = Self { older: all(&prepared.older), newer: all(&prepared.newer) };
        for Scored { pair, .. } in scored {
            best.older[pair.a as usize].add(pair.score);
            best.newer[pair.b as usize].add(pair.score);
        }
        best
    }

    /// The distance between the score of a pair and the best of the others of its two units.
    fn margin(&self, PossiblePair { a, b, score, .. }: &PossiblePair) -> f32 {
        score - self.older[*a as usize].other_than(*score).max(self.newer[*b as usize].other_than(*score))
    }
}

impl<'a> Matching<'a> {
    pub(crate) fn new(
        prepared: &'a PreparedPair,
        context: &FacetContext<'_>,
        table: &[Correspondence],
    ) -> Self {
        let scored = prepared.scored(context.links, context.reference_names);
        let (a, b) = (prepared.older.text_of.len(), prepared.newer.text_of.len());
        let stated = [
            table.iter().filter_map(|row| row.older).map(|unit| unit as u32).collect(),
            table.iter().filter_map(|row| row.newer).map(|unit| unit as u32).collect(),
        ];
        let (to_newer, to_older) = (vec![None; a], vec![None; b]);
        let mut matching = Self { prepared, scored, chosen: Vec::new(), to_newer, to_older, stated };
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
        let eligible = |s: &&Scored| {
            let nearest = s.linked || best.margin(&s.pair) >= MARGIN;
            let threshold = if nearest { THRESHOLD } else { THRESHOLD_ELSEWHERE };
            !self.is_stated(&s.pair) && s.similarity >= threshold
        };
        let eligible: Vec<PossiblePair> = self.scored.iter().filter(eligible).map(|s| s.pair).collect();
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
        for (index, _) in self.chosen.iter().filter(|(_, confidence)| *confidence >= Confidence::High) {
            let pair = &self.scored[*index].pair;
            counterparts[pair.a as usize] = Some(pair.b);
        }
        let near = |distance: u32| (1..=NEIGHBOURS).contains(&distance);
        for Scored { pair: PossiblePair { a, b, score, .. }, .. } in &mut self.scored {
            let of = |unit: Option<u32>| counterparts.get(unit? as usize).copied().flatten();
            let before = (1..=NEIGHBOURS)
                .filter_map(|step| of(a.checked_sub(step)))
                .any(|other| b.checked_sub(other).is_some_and(near));
            let after = (1..=NEIGHBOURS)
                .filter_map(|step| of(a.checked_add(step)))
                .any(|other| other.checked_sub(*b).is_some_and(near));
            *score += NEIGHBOUR_WEIGHT * (f32::from(before) + f32::from(after)) / 2.0;
        }
    }

    /// Adds pairs of equal texts without counterpart, in the order of both editions: for a frequent text,
    /// only the nearest ones are candidates. False where there is none.
    fn add_equal_texts(&mut self, context: &FacetContext<'_>) -> bool {
        let names = context.reference_names;
        let mut free: HashMap<(u64, u8), Vec<u32>> = HashMap::default();
        let key = |side: &PreparedSide, unit: usize, hash: u64| (hash, side.layer_of(unit as u32));
        for (unit, &hash) in names.exact_newer.iter().enumerate().rev() {
            if self.to_older[unit].is_none() {
                free.entry(key(&self.prepared.newer, unit, hash)).or_default().push(unit as u32);
            }
        }
        let before = self.scored.len();
        for (unit, &hash) in names.exact_older.iter().enumerate().filter(|(a, _)| self.to_newer[*a].is_none())
        {
            let list = free.get_mut(&key(&self.prepared.older, unit, hash));
            if let Some(other) = list.and_then(Vec::pop) {
                self.scored.push(self.prepared.pair(unit as u32, other, 1.0, context.links));
            }
        }
        let added = self.scored.len() > before;
        self.scored.sort_by_key(|scored| (scored.pair.a, scored.pair.b));
        self.scored.dedup_by_key(|scored| (scored.pair.a, scored.pair.b));
        added
    }

    /// Whether the publisher's table names a unit of the pair.
    fn is_stated(&self, pair: &PossiblePair) -> bool {
        self.stated[0].contains(&pair.a) || self.stated[1].contains(&pair.b)
    }

    /// Possible parts of units, in both directions.
    pub(crate) fn split_and_merged(&self) -> Vec<Link> {
        let PreparedPair { weights, older, newer } = self.prepared;
        let text = |side: &'a PreparedSide, unit: u32| -> WeighedText<'a> {
            (&side.texts, side.text_of[unit as usize])
        };
        let (of_older, of_newer) = (|unit| text(older, unit), |unit| text(newer, unit));
        let split = Direction { weights, part: &of_newer, whole: &of_older, counterparts: &self.to_newer };
        let merged = Direction { weights, part: &of_older, whole: &of_newer, counterparts: &self.to_older };
        let pairs = || self.scored.iter().map(|s| s.pair).filter(|p| !self.is_stated(p));
        let parts = pairs().filter(|p| self.to_older[p.b as usize].is_none()).map(|p| (p.b, p.a));
        let split = split.parts(parts).into_iter().map(|(part, whole)| (whole, part, UnitRelation::Split));
        let parts = pairs().filter(|p| self.to_newer[p.a as usize].is_none()).map(|p| (p.a, p.b));
        let merged = merged.parts(parts).into_iter().map(|(part, whole)| (part, whole, UnitRelation::Merged));
        let link = |(a, b, relation): (u32, u32, UnitRelation)| Link {
            older: a as usize,
            newer: b as usize,
            relation,
            confidence: Confidence::Likely,
            origin: LinkOrigin::Derived,
            similarity: weights.dice(of_older(a), of_newer(b)),
            facets: Facets::default(),
            lead_in: Vec::new(),
            text: Vec::new(),
        };
        split.chain(merged).map(link).collect()
    }

    /// The chosen pairs as links.
    pub(crate) fn links(&self, context: &FacetContext<'_>) -> Vec<Link> {
        self.chosen.iter().map(|&(index, confidence)| context.link(&self.scored[index], confidence)).collect()
    }

    /// The links that the publisher's table states.
    pub(crate) fn stated_links(&self, context: &FacetContext<'_>, table: &[Correspondence]) -> Vec<Link> {
        let rows: BTreeMap<(usize, usize), AuthoredRelation> =
            table.iter().filter_map(|row| Some(((row.older?, row.newer?), row.relation))).collect();
        let (mut of_older, mut of_newer) =
            (HashMap::<usize, usize>::default(), HashMap::<usize, usize>::default());
        for (a, b) in rows.keys() {
            *of_older.entry(*a).or_default() += 1;
            *of_newer.entry(*b).or_default() += 1;
        }
        let link = |(&(a, b), relation): (&(usize, usize), &AuthoredRelation)| {
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
                (link.facets, link.lead_in, link.text) = Default::default();
            }
            link
        };
        rows.iter().map(link).collect()
    }

    /// Units of the older edition that are in no link.
    pub(crate) fn older_unmatched(&self, links: &[Link]) -> Vec<Unmatched> {
        let linked = links.iter().map(|link| link.older).collect();
        self.unmatched(&linked, |pair| (pair.a, pair.b), self.to_newer.len())
    }

    /// Units of the newer edition that are in no link.
    pub(crate) fn newer_unmatched(&self, links: &[Link]) -> Vec<Unmatched> {
        let linked = links.iter().map(|link| link.newer).collect();
        self.unmatched(&linked, |pair| (pair.b, pair.a), self.to_older.len())
    }

    fn unmatched(
        &self,
        linked: &HashSet<usize>,
        sides: impl Fn(&PossiblePair) -> (u32, u32),
        count: usize,
    ) -> Vec<Unmatched> {
        let mut candidates: HashMap<usize, Vec<(&PossiblePair, Candidate)>> = HashMap::default();
        for scored in &self.scored {
            let (this, other) = sides(&scored.pair);
            if !linked.contains(&(this as usize)) {
                let candidate = Candidate { unit: other as usize, similarity: scored.similarity };
                candidates.entry(this as usize).or_default().push((&scored.pair, candidate));
            }
        }
        let unmatched = (0..count).filter(|unit| !linked.contains(unit)).map(|unit| {
            let mut list = candidates.remove(&unit).unwrap_or_default();
            list.sort_by(|x, y| y.0.score.total_cmp(&x.0.score).then(x.1.unit.cmp(&y.1.unit)));
            list.truncate(LISTED_CANDIDATES);
            // Readers see similarities: the most similar of the nearest comes first.
            let mut candidates: Vec<Candidate> = list.into_iter().map(|(_, candidate)| candidate).collect();
            candidates.sort_by(|x, y| y.similarity.total_cmp(&x.similarity));
            Unmatched { unit, candidates }
        });
        unmatched.collect()
    }
}

fn confidence(prepared: &PreparedPair, scored: &Scored, margin: f32) -> Confidence {
    let PreparedPair { older, newer, .. } = prepared;
    let (a, b) = (scored.pair.a as usize, scored.pair.b as usize);
    let (s, t) = (older.text_of[a], newer.text_of[b]);
    if scored.similarity == 1.0 {
        let alone = older.units_of[s as usize].len() == 1 && newer.units_of[t as usize].len() == 1;
        let in_section = |side: &PreparedSide, text: u32, unit: usize| {
            let units = side.units_of[text as usize].iter();
            units.filter(|&&u| side.section_of[u as usize] == side.section_of[unit]).count()
        };
        let explained = alone && older.texts.get(s).len() >= TELLING
            || scored.linked && in_section(older, s, a) == in_section(newer, t, b);
        return if explained {
            Confidence::Certain
        } else if scored.linked {
            Confidence::High
        } else {
            Confidence::Likely
        };
    }
    if margin >= MARGIN { Confidence::High } else { Confidence::Likely }
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
        let edits = |from: &str, to: &str| match normalized(from) == normalized(to) {
            true => Vec::new(),
            false => difference(&tokens(from), &tokens(to)),
        };
        let (lead_in, text) = (edits(a.part(true), b.part(true)), edits(a.part(false), b.part(false)));
        Link {
            older: pair.a as usize,
            newer: pair.b as usize,
            relation: if same { UnitRelation::Same } else { UnitRelation::Reworded },
            confidence,
            origin: LinkOrigin::Derived,
            similarity: *similarity,
            facets: self.facets(a, b, [&lead_in, &text]),
            lead_in,
            text,
        }
    }
}
