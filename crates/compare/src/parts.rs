//! Possible splits and merges: units without counterpart whose words are a part of one unit of the other
//! edition.

use foldhash::HashMap;

use crate::features::{FeatureSets, Weights};

/// Least share of a part's features that are in the whole.
const CONTAINED: f32 = 0.8;
/// Least share of a part's features that are in the whole and not in its counterpart: the part that left it.
const MISSING: f32 = 0.6;
/// Least share of a whole's features that are in one of its two parts; the words that join them are in none.
const COVERED: f32 = 0.6;
/// Fewest features of a part: four words and the pairs of them.
const FEATURES: usize = 7;

/// A text with its features.
pub(crate) type WeighedText<'a> = (&'a FeatureSets, u32);

/// One direction: units of one edition as possible parts of units of the other.
pub(crate) struct Direction<'a> {
    pub(crate) weights: &'a Weights,
    /// The text of a unit of the edition of the parts.
    pub(crate) part: &'a dyn Fn(u32) -> WeighedText<'a>,
    /// The text of a unit of the edition of the wholes.
    pub(crate) whole: &'a dyn Fn(u32) -> WeighedText<'a>,
    /// The counterpart of each whole, in the edition of the parts.
    pub(crate) counterparts: &'a [Option<u32>],
}

impl Direction<'_> {
    /// For each part its whole. `pairs` are units that have no counterpart, with units of the other edition
    /// that may hold them.
    pub(crate) fn parts(&self, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let mut best: HashMap<u32, (f32, u32)> = HashMap::default();
        for (part, whole) in pairs {
            let Some(share) = self.share(part, whole) else { continue };
            let entry = best.entry(part).or_insert((share, whole));
            if share > entry.0 || share == entry.0 && whole < entry.1 {
                *entry = (share, whole);
            }
        }
        let mut count: HashMap<u32, usize> = HashMap::default();
        best.values().for_each(|(_, whole)| *count.entry(*whole).or_default() += 1);
        // A whole without counterpart of its own became several parts, or it was not split.
        let parted = |whole: u32| self.counterparts[whole as usize].is_some() || count[&whole] > 1;
        let found = best.into_iter().map(|(part, (_, whole))| (part, whole));
        found.filter(|&(_, whole)| parted(whole)).collect()
    }

    /// Share of a part's features that are in the whole; `None` if it cannot be a part of it.
    fn share(&self, part: u32, whole: u32) -> Option<f32> {
        let (own, total) = features_of((self.part)(part));
        let (all, all_total) = features_of((self.whole)(whole));
        let share = self.weights.shared(own, all) as f32 / total;
        if own.len() < FEATURES || share < CONTAINED {
            return None;
        }
        let counterpart = self.counterparts[whole as usize].map(|unit| features_of((self.part)(unit)));
        let (other, other_total) = counterpart.unwrap_or((&[], 0.0));

        let is_in = |list: &[u32], feature: &u32| list.binary_search(feature).is_ok();
        let gone = own.iter().filter(|feature| is_in(all, feature) && !is_in(other, feature));
        let gone = self.weights.sum(gone) as f32;
        if gone >= MISSING * total {
            return Some(share);
        }
        // Two parts that repeat a subject or object: the whole is both of them, and nothing else.
        let covered = all.iter().filter(|feature| is_in(own, feature) || is_in(other, feature));
        let is_both = counterpart.is_some()
            && gone > 0.0
            && self.weights.sum(covered) as f32 >= COVERED * all_total
            && self.weights.shared(other, all) as f32 >= CONTAINED * other_total;
        is_both.then_some(share)
    }
}

/// The features of a text with their total weight.
fn features_of<'a>((sets, text): WeighedText<'a>) -> (&'a [u32], f32) {
    (sets.get(text), sets.total(text) as f32)
}
