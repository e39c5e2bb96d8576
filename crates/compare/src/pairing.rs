//! Pairing of units: candidates from an inverted index and from the section, then best first, one to one.

use std::ops::Range;

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
    /// Set where the sections of the two units correspond.
    pub(crate) linked: bool,
}

impl PreparedPair {
    /// Scores each pair of units that may belong together, in order of the older unit, then of the newer.
    pub(crate) fn scored(&self, links: &SectionLinks, reference_names: &ReferenceNames) -> Vec<Scored> {
        let (a, b) = (&self.older, &self.newer);
        let mut scored = Vec::new();
        for (x, y) in self.candidates(links) {
            let similarity =
                if reference_names.exact_older[x as usize] == reference_names.exact_newer[y as usize] {
                    1.0
                } else {
                    let (s, t) = (a.text_of[x as usize], b.text_of[y as usize]);
                    self.weights.dice((&a.texts, s), (&b.texts, t)).min(UNEQUAL)
                };
            if similarity >= LEAST_CANDIDATE {
                scored.push(self.pair(x, y, similarity, links));
            }
        }
        scored
    }

    /// The pairs of units that are compared: by their words, and by the place in their section.
    fn candidates(&self, links: &SectionLinks) -> Vec<(u32, u32)> {
        let older = UnitsOfTexts { from: &self.older, to: &self.newer, links: &links.to_newer };
        let newer = UnitsOfTexts { from: &self.newer, to: &self.older, links: &links.to_older };
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (s, t) in self.candidate_texts() {
            let (left, right) = (&self.older.units_of[s as usize], &self.newer.units_of[t as usize]);
            older.add_pairs(left, right, &mut found);
            if left.len() * right.len() > 1 {
                let start = found.len();
                newer.add_pairs(right, left, &mut found);
                exchange(&mut found[start..]);
            }
        }
        older.add_neighbours(&mut found);
        let start = found.len();
        newer.add_neighbours(&mut found);
        exchange(&mut found[start..]);
        found.retain(|&(x, y)| self.older.layer_of(x) == self.newer.layer_of(y));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn candidate_texts(&self) -> Vec<(u32, u32)> {
        let mut texts = Vec::new();
        self.weights.add_candidates(&self.older.texts, &self.newer.texts, CANDIDATES, &mut texts);
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    pub(crate) fn pair(&self, x: u32, y: u32, similarity: f32, links: &SectionLinks) -> Scored {
        let (a, b) = (&self.older, &self.newer);
        let linked = links.linked(a.section_of[x as usize], b.section_of[y as usize]);
        let apart = if linked {
            (a.position_in_section(x) - b.position_in_section(y)).abs()
        } else {
            (a.position(x) - b.position(y)).abs()
        };
        let section = if linked { SECTION_WEIGHT } else { 0.0 };
        let alike = if a.kind_of[x as usize] == b.kind_of[y as usize] { TYPE_WEIGHT } else { 0.0 };
        let score = similarity + section + alike + POSITION_WEIGHT * (1.0 - apart);
        let tie = a.occurrence[x as usize].abs_diff(b.occurrence[y as usize]);
        Scored { pair: PossiblePair { a: x, b: y, score, tie }, similarity, linked }
    }
}

/// Exchanges the sides of pairs that were found from the newer edition.
fn exchange(pairs: &mut [(u32, u32)]) {
    for pair in pairs {
        *pair = (pair.1, pair.0);
    }
}

impl PreparedSide {
    /// The position of a unit in its edition: from 0 to less than 1.
    fn position(&self, unit: u32) -> f32 {
        unit as f32 / self.text_of.len() as f32
    }

    pub(crate) fn layer_of(&self, unit: u32) -> u8 {
        self.layer[self.section_of[unit as usize] as usize]
    }

    /// The position of a unit among those of its section: from 0 to less than 1.
    fn position_in_section(&self, unit: u32) -> f32 {
        let section = self.section_of[unit as usize];
        self.rank[unit as usize] as f32 / self.members[section as usize].len() as f32
    }
}

/// The search for candidates in one direction: for units of `from` among those of `to`.
struct UnitsOfTexts<'a> {
    from: &'a PreparedSide,
    to: &'a PreparedSide,
    /// The section of `to` that corresponds to each section of `from`.
    links: &'a [Option<u32>],
}

impl UnitsOfTexts<'_> {
    /// Adds, for each unit of `left`, those of `right` in the corresponding section, and the nearest ones.
    /// The units of `left` have one text, and so have those of `right`.
    fn add_pairs(&self, left: &[u32], right: &[u32], pairs: &mut Vec<(u32, u32)>) {
        if right.len() <= NEAREST {
            for &x in left {
                for &y in right {
                    pairs.push((x, y));
                }
            }
            return;
        }
        let mut by_section: Vec<(u32, u32)> = Vec::with_capacity(right.len());
        for &y in right {
            by_section.push((self.to.section_of[y as usize], y));
        }
        by_section.sort_unstable();
        for &x in left {
            let expected = (self.from.position(x) * self.to.text_of.len() as f32) as u32;
            let behind = right.partition_point(|&y| y < expected);
            for &y in &right[window(behind, NEAREST, right.len())] {
                pairs.push((x, y));
            }
            let Some(section) = self.link_of(x) else { continue };
            let start = by_section.partition_point(|&(other, _)| other < section);
            let in_section = &by_section[start..];
            let count = in_section.partition_point(|&(other, _)| other == section);
            let occurrence = self.from.occurrence[x as usize] as usize;
            for &(_, y) in &in_section[window(occurrence, NEAREST, count)] {
                pairs.push((x, y));
            }
        }
    }

    /// Adds, for each unit, those of the corresponding section around the same position.
    fn add_neighbours(&self, pairs: &mut Vec<(u32, u32)>) {
        for x in 0..self.from.text_of.len() as u32 {
            let Some(section) = self.link_of(x) else { continue };
            let members = &self.to.members[section as usize];
            let expected = (self.from.position_in_section(x) * members.len() as f32) as usize;
            for &y in &members[window(expected, IN_SECTION, members.len())] {
                pairs.push((x, y));
            }
        }
    }

    /// The section that corresponds to that of a unit.
    fn link_of(&self, unit: u32) -> Option<u32> {
        self.links[self.from.section_of[unit as usize] as usize]
    }
}

/// The range of at most `width` indices around one of them, in a list of `length` elements.
fn window(around: usize, width: usize, length: usize) -> Range<usize> {
    let start = around.saturating_sub(width / 2).min(length.saturating_sub(width));
    start..(start + width).min(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_as_wide_at_the_ends_of_a_list_as_within_it() {
        assert_eq!(window(5, 3, 10), 4..7);
        assert_eq!([window(0, 3, 10), window(10, 3, 10)], [0..3, 7..10]);
        assert_eq!([window(1, 3, 2), window(0, 3, 0)], [0..2, 0..0]);
    }
}
