//! Pairing of units: candidates from an inverted index and from the section, then best first, one to one.

use crate::greedy::PossiblePair;
use crate::prepare::{PreparedPair, PreparedSide};
use crate::reference_names::ReferenceNames;
use crate::sections::SectionLinks;

/// Most units with one text that are candidates outside the corresponding section: the nearest ones by
/// position.
const NEAREST: usize = 3;
/// Most units of the corresponding section that are compared with a unit.
const IN_SECTION: usize = 48;

/// Highest similarity of two texts that are not equal.
const UNEQUAL: f32 = 0.99;

// The values below were measured; see bench/RESULTS.md.

/// Most texts of the other edition that the inverted index gives for each text.
const CANDIDATES: usize = 12;
/// Least similarity of a pair that may be chosen, and of a candidate that is listed.
const LEAST_CANDIDATE: f32 = 0.1;
/// Similarity that corresponding sections add.
const SECTION_WEIGHT: f32 = 0.2;
/// Similarity that equal relative positions add.
const POSITION_WEIGHT: f32 = 0.05;
/// Similarity that the same type and polarity add: more than the position, so that the twin with the same
/// type is chosen.
const TYPE_WEIGHT: f32 = 0.06;

/// A possible pair of units.
pub(crate) struct Scored {
    pub(crate) pair: PossiblePair,
    /// Similarity of the texts alone: 0 to 1, and 1 for equal texts.
    pub(crate) similarity: f32,
    /// Whether their sections correspond.
    pub(crate) linked: bool,
}

impl PreparedPair {
    /// Scores each pair of units that may belong together.
    pub(crate) fn scored(&self, links: &SectionLinks, reference_names: &ReferenceNames) -> Vec<Scored> {
        let (a, b) = (&self.older, &self.newer);
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut texts = Vec::new();
        self.weights.candidates(&a.texts, &b.texts, CANDIDATES, |s, t| texts.push((s, t)));
        self.weights.candidates(&b.texts, &a.texts, CANDIDATES, |t, s| texts.push((s, t)));
        texts.sort_unstable();
        texts.dedup();
        for &(s, t) in &texts {
            let (left, right) = (&a.units_of[s as usize], &b.units_of[t as usize]);
            expand(a, left, b, right, &links.to_newer, |x, y| found.push((x, y)));
            if left.len() * right.len() > 1 {
                expand(b, right, a, left, &links.to_older, |y, x| found.push((x, y)));
            }
        }
        drop(texts);
        neighbours(a, b, &links.to_newer, |x, y| found.push((x, y)));
        neighbours(b, a, &links.to_older, |y, x| found.push((x, y)));
        found.retain(|&(x, y)| a.layer_of(x) == b.layer_of(y));
        found.sort_unstable();
        found.dedup();
        let scored = found.into_iter().map(|(x, y)| {
            let (s, t) = (a.text_of[x as usize], b.text_of[y as usize]);
            let dice = || self.weights.dice((&a.texts, s), (&b.texts, t));
            let similarity =
                match reference_names.exact_older[x as usize] == reference_names.exact_newer[y as usize] {
                    true => 1.0,
                    false => dice().min(UNEQUAL),
                };
            self.pair(x, y, similarity, links)
        });
        scored.filter(|scored| scored.similarity >= LEAST_CANDIDATE).collect()
    }

    pub(crate) fn pair(&self, x: u32, y: u32, similarity: f32, links: &SectionLinks) -> Scored {
        let (a, b) = (&self.older, &self.newer);
        let (p, q) = (a.section_of[x as usize], b.section_of[y as usize]);
        let linked = links.linked(p, q);
        let apart = match linked {
            true => (a.position_in_section(x) - b.position_in_section(y)).abs(),
            false => (a.position(x) - b.position(y)).abs(),
        };
        let section = if linked { SECTION_WEIGHT } else { 0.0 };
        let alike = if a.kind_of[x as usize] == b.kind_of[y as usize] { TYPE_WEIGHT } else { 0.0 };
        let score = similarity + section + alike + POSITION_WEIGHT * (1.0 - apart);
        let tie = a.occurrence[x as usize].abs_diff(b.occurrence[y as usize]);
        Scored { pair: PossiblePair { a: x, b: y, score, tie }, similarity, linked }
    }
}

impl PreparedSide {
    fn position(&self, unit: u32) -> f32 {
        unit as f32 / self.text_of.len() as f32
    }

    pub(crate) fn layer_of(&self, unit: u32) -> u8 {
        self.layer[self.section_of[unit as usize] as usize]
    }

    fn position_in_section(&self, unit: u32) -> f32 {
        let section = self.section_of[unit as usize];
        self.rank[unit as usize] as f32 / self.members[section as usize].len() as f32
    }
}

/// For each unit of `left`, those of `right` in the corresponding section, and the nearest ones.
fn expand(
    from: &PreparedSide,
    left: &[u32],
    to: &PreparedSide,
    right: &[u32],
    links: &[Option<u32>],
    mut found: impl FnMut(u32, u32),
) {
    if right.len() <= NEAREST {
        left.iter().for_each(|&x| right.iter().for_each(|&y| found(x, y)));
        return;
    }
    let window = |around: usize, len: usize| {
        let start = around.saturating_sub(NEAREST / 2).min(len.saturating_sub(NEAREST));
        start..(start + NEAREST).min(len)
    };
    let mut by_section: Vec<(u32, u32)> = right.iter().map(|&y| (to.section_of[y as usize], y)).collect();
    by_section.sort_unstable();
    for &x in left {
        let expected = (from.position(x) * to.text_of.len() as f32) as u32;
        let nearest = window(right.partition_point(|&y| y < expected), right.len());
        right[nearest].iter().for_each(|&y| found(x, y));
        if let Some(section) = links[from.section_of[x as usize] as usize] {
            let start = by_section.partition_point(|&(other, _)| other < section);
            let inside = by_section[start..].partition_point(|&(other, _)| other == section);
            let nearest = window(from.occurrence[x as usize] as usize, inside);
            by_section[start..][nearest].iter().for_each(|&(_, y)| found(x, y));
        }
    }
}

/// For each unit, those of the corresponding section around the same position.
fn neighbours(
    from: &PreparedSide,
    to: &PreparedSide,
    links: &[Option<u32>],
    mut found: impl FnMut(u32, u32),
) {
    for x in 0..from.text_of.len() as u32 {
        let Some(section) = links[from.section_of[x as usize] as usize] else { continue };
        let members = &to.members[section as usize];
        let expected = (from.position_in_section(x) * members.len() as f32) as usize;
        let start = expected.saturating_sub(IN_SECTION / 2).min(members.len().saturating_sub(IN_SECTION));
        members[start..(start + IN_SECTION).min(members.len())].iter().for_each(|&y| found(x, y));
    }
}
