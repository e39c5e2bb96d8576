//! Possible splits and merges: units without counterpart whose words are a part of one unit of the other
//! edition.

use foldhash::HashMap;

use crate::features::Weights;
use crate::prepare::PreparedSide;

/// Least share of a part's features that are in the whole.
const CONTAINED: f32 = 0.8;
/// Least share of a part's features that are in the whole and not in its counterpart: the part that left it.
const MISSING: f32 = 0.6;
/// Least share of a whole's features that are in one of its two parts; the words that join them are in none.
const COVERED: f32 = 0.6;
/// Fewest features of a part: four words and the pairs of them.
const FEATURES: usize = 7;

/// A unit of one edition as a part of a unit of the other, both by index.
#[derive(Clone, Copy)]
pub(crate) struct PartOfWhole {
    pub(crate) part: u32,
    pub(crate) whole: u32,
}

/// One direction: units of one edition as possible parts of units of the other.
pub(crate) struct Direction<'a> {
    pub(crate) weights: &'a Weights,
    /// The edition of the parts.
    pub(crate) parts: &'a PreparedSide,
    /// The edition of the wholes.
    pub(crate) wholes: &'a PreparedSide,
    /// The counterpart of each whole, in the edition of the parts.
    pub(crate) counterparts: &'a [Option<u32>],
}

impl Direction<'_> {
    /// For each part its whole. `possible` are units that have no counterpart, with units of the other
    /// edition that may hold them.
    pub(crate) fn parts(&self, possible: Vec<PartOfWhole>) -> Vec<PartOfWhole> {
        // For each part the whole with the largest share, and that share.
        let mut best: HashMap<u32, (f32, u32)> = HashMap::default();
        for PartOfWhole { part, whole } in possible {
            let Some(share) = self.share(part, whole) else { continue };
            let entry = best.entry(part).or_insert((share, whole));
            if share > entry.0 || share == entry.0 && whole < entry.1 {
                *entry = (share, whole);
            }
        }
        let mut parts_of: HashMap<u32, usize> = HashMap::default();
        for (_, whole) in best.values() {
            *parts_of.entry(*whole).or_default() += 1;
        }
        let mut found = Vec::new();
        for (part, (_, whole)) in best {
            // A whole without counterpart of its own became several parts, or it was not split.
            if self.counterparts[whole as usize].is_some() || parts_of[&whole] > 1 {
                found.push(PartOfWhole { part, whole });
            }
        }
        found
    }

    /// Share of a part's features that are in the whole; `None` if it cannot be a part of it.
    fn share(&self, part: u32, whole: u32) -> Option<f32> {
        let own = WeighedText::of(self.parts, part);
        let all = WeighedText::of(self.wholes, whole);
        let share = self.weights.shared(own.features, all.features) as f32 / own.total;
        if own.features.len() < FEATURES || share < CONTAINED {
            return None;
        }
        let counterpart = self.counterparts[whole as usize];
        let other = match counterpart {
            Some(unit) => WeighedText::of(self.parts, unit),
            None => WeighedText { features: &[], total: 0.0 },
        };
        let gone = own.features.iter().filter(|feature| all.has(feature) && !other.has(feature));
        let gone = self.weights.sum(gone) as f32;
        if gone >= MISSING * own.total {
            return Some(share);
        }
        // Two parts that repeat a subject or object: the whole is both of them, and nothing else.
        let covered = all.features.iter().filter(|feature| own.has(feature) || other.has(feature));
        let is_both = counterpart.is_some()
            && gone > 0.0
            && self.weights.sum(covered) as f32 >= COVERED * all.total
            && self.weights.shared(other.features, all.features) as f32 >= CONTAINED * other.total;
        is_both.then_some(share)
    }
}

/// The features of a text, sorted, with their total weight.
struct WeighedText<'a> {
    features: &'a [u32],
    total: f32,
}

impl<'a> WeighedText<'a> {
    fn of(side: &'a PreparedSide, unit: u32) -> Self {
        let text = side.text_of[unit as usize];
        Self { features: side.texts.get(text), total: side.texts.total(text) as f32 }
    }

    fn has(&self, feature: &u32) -> bool {
        self.features.binary_search(feature).is_ok()
    }
}
