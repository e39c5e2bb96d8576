//! Links of sections between two editions: by title, number, words and position.

use crate::greedy::{PossiblePair, best_first};
use crate::prepare::PreparedPair;
use crate::units::Units;

/// Candidates of a section.
const CANDIDATES: usize = 12;
/// Score of each kind of evidence that both sections have.
const WORDS: f32 = 0.5;
const TITLE: f32 = 0.3;
const NUMBER: f32 = 0.1;
const POSITION: f32 = 0.05;
/// Least weighted mean of the evidence.
const THRESHOLD: f32 = 0.3;

/// Corresponding sections, in both directions.
pub(crate) struct SectionLinks {
    pub(crate) to_newer: Vec<Option<u32>>,
    pub(crate) to_older: Vec<Option<u32>>,
}

impl SectionLinks {
    /// Links of the sections of both editions, one to one.
    pub(crate) fn new(prepared: &PreparedPair, older: &Units, newer: &Units) -> Self {
        let PreparedPair { weights, older: a, newer: b } = prepared;
        let mut found = Vec::new();
        for (x, y) in [(&a.section_texts, &b.section_texts), (&a.titles, &b.titles)] {
            weights.candidates(x, y, CANDIDATES, |x, y| found.push((x, y)));
            weights.candidates(y, x, CANDIDATES, |y, x| found.push((x, y)));
        }
        found.sort_unstable();
        found.dedup();
        let pairs = found.into_iter().filter_map(|(x, y)| {
            let one_layer = a.layer[x as usize] == b.layer[y as usize];
            if a.home[x as usize] != x || b.home[y as usize] != y || !one_layer {
                return None;
            }
            let (left, right) = (&older.sections[x as usize], &newer.sections[y as usize]);
            let has_words = a.section_texts.total(x) + b.section_texts.total(y) > 0;
            let position = |index: u32, len: usize| index as f32 / len as f32;
            let apart = (position(x, older.sections.len()) - position(y, newer.sections.len())).abs();
            let evidence = [
                (has_words, WORDS, weights.dice((&a.section_texts, x), (&b.section_texts, y))),
                (
                    left.title.is_some() || right.title.is_some(),
                    TITLE,
                    weights.dice((&a.titles, x), (&b.titles, y)),
                ),
                (
                    left.number.is_some() || right.number.is_some(),
                    NUMBER,
                    if left.number == right.number { 1.0 } else { 0.0 },
                ),
                (true, POSITION, 1.0 - apart),
            ];
            let (mut sum, mut possible) = (0.0, 0.0);
            for (_, weight, value) in evidence.into_iter().filter(|(applies, ..)| *applies) {
                sum += weight * value;
                possible += weight;
            }
            (sum >= THRESHOLD * possible).then_some(PossiblePair {
                a: x,
                b: y,
                score: sum / possible,
                tie: 0,
            })
        });
        let mut links =
            Self { to_newer: vec![None; older.sections.len()], to_older: vec![None; newer.sections.len()] };
        for pair in best_first(pairs.collect(), older.sections.len(), newer.sections.len()) {
            links.to_newer[pair.a as usize] = Some(pair.b);
            links.to_older[pair.b as usize] = Some(pair.a);
        }
        links
    }

    /// All links in order of the older edition, with those of first subsections "General" whose parents
    /// correspond.
    pub(crate) fn all(&self, prepared: &PreparedPair) -> Vec<(usize, usize)> {
        let [older, newer] = [&prepared.older.home, &prepared.newer.home];
        let general = |home: &[u32], parent: u32| {
            home.iter().enumerate().position(|(index, &home)| home == parent && index != home as usize)
        };
        let links = older.iter().enumerate().filter_map(|(from, &home)| {
            let to = self.to_newer[home as usize]?;
            let to = if home as usize == from { Some(to as usize) } else { general(newer, to) };
            Some((from, to?))
        });
        links.collect()
    }

    /// Whether a section of the older edition is linked to one of the newer.
    pub(crate) fn linked(&self, a: u32, b: u32) -> bool {
        self.to_newer[a as usize] == Some(b)
    }
}
