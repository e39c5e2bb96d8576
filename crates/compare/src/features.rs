//! Features: the words and adjacent word pairs of a text as numbers, weighted by inverse document frequency.
//! Weights are integers, so that sums do not depend on the order of addition and compare(B, A) mirrors
//! compare(A, B) exactly.

use std::cmp::Ordering;

use foldhash::HashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::vocabulary::is_frame;
use norma_model::typography::one_typography;

/// Steps of a weight in one unit of the natural logarithm.
const WEIGHT_SCALE: f64 = 256.0;
/// The replacement for a reference within the edition, whose number says nothing about the text.
pub(crate) const REFERENCE: char = '\u{1}';
/// Most posting entries that a query reads, the rarest features first: the others have little weight.
const POSTINGS: usize = 4096;

/// The hash of a text, which is the same for equal texts.
pub(crate) fn text_hash(text: &str) -> u64 {
    hash(TEXT, text.as_bytes())
}

/// FNV-1a, 64 bits: the same on each platform, so that results are the same too.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = seed;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// Salt of the words of a text.
pub(crate) const TEXT: u64 = 0xcbf2_9ce4_8422_2325;
/// Salt of the words of a title.
pub(crate) const TITLE: u64 = 0x9e37_79b9_7f4a_7c15;

/// A text with white space collapsed, in NFC and in one typography.
pub(crate) fn normalized(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in one_typography(text).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        if is_nfc(word) {
            out.push_str(word);
        } else {
            out.extend(word.nfc());
        }
    }
    out
}

/// Adds the features of a normalized text, unsorted; a text of frames only has one feature.
pub(crate) fn add_features(text: &str, salt: u64, out: &mut Vec<u64>) {
    let before = out.len();
    let mut words = FeatureWriter { salt, last: None, out };
    let mut word = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() && !is_ideograph(c) {
            word.extend(c.to_lowercase());
            continue;
        }
        words.add(&word);
        word.clear();
        // Each ideograph, reference and sign of a comparison or unit is a word of its own.
        if is_ideograph(c) || c == REFERENCE || matches!(c, '<' | '>' | '≤' | '≥' | '%' | '±' | '°' | '=')
        {
            words.add(c.encode_utf8(&mut [0; 4]));
        }
    }
    words.add(&word);
    if out.len() == before && !text.is_empty() {
        out.push(hash(salt, text.as_bytes()));
    }
}

/// Adds the features of a text word by word.
struct FeatureWriter<'a> {
    salt: u64,
    /// The feature of the word before.
    last: Option<u64>,
    out: &'a mut Vec<u64>,
}

impl FeatureWriter<'_> {
    /// Adds the features of a word, and of the pair with the word before it.
    fn add(&mut self, word: &str) {
        // The frame of a provision says nothing about what it requires.
        if word.is_empty() || is_frame(word) {
            return;
        }
        let feature = hash(self.salt, stem(word).as_bytes());
        self.out.push(feature);
        if let Some(last) = self.last {
            self.out.push(hash(last, &feature.to_le_bytes()));
        }
        self.last = Some(feature);
    }
}

/// True for a sign that is a word of its own, in scripts without spaces.
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

/// A word without the most common endings of English, and plurals of French and Spanish.
pub(crate) fn stem(word: &str) -> &str {
    for (ending, shortest) in [("ing", 6), ("ed", 5), ("es", 5), ("s", 4), ("e", 4)] {
        if let Some(stem) = word.strip_suffix(ending)
            && word.len() >= shortest
            && !(ending == "s" && stem.ends_with(['s', 'u', 'i']))
        {
            return stem;
        }
    }
    word
}

/// The features of all texts of both editions with their weights.
pub(crate) struct Weights(Vec<u32>);

/// Sets of features, one for each text, in one allocation: sorted numbers of features.
pub(crate) struct FeatureSets {
    ends: Vec<u32>,
    features: Vec<u32>,
    totals: Vec<u64>,
}

/// Numbers features while sets are made.
#[derive(Default)]
pub(crate) struct Numbering {
    numbers: HashMap<u64, u32>,
    frequencies: Vec<u32>,
}

/// Sets of features under provisional numbers.
#[derive(Default)]
pub(crate) struct SetsBuilder {
    ends: Vec<u32>,
    features: Vec<u32>,
}

impl SetsBuilder {
    /// Adds a set that occurs `count` times.
    pub(crate) fn push(&mut self, hashes: &mut Vec<u64>, count: u32, numbering: &mut Numbering) {
        hashes.sort_unstable();
        hashes.dedup();
        for &hash in hashes.iter() {
            let next = numbering.frequencies.len() as u32;
            let number = *numbering.numbers.entry(hash).or_insert(next);
            if number == next {
                numbering.frequencies.push(0);
            }
            numbering.frequencies[number as usize] += count;
            self.features.push(number);
        }
        self.ends.push(self.features.len() as u32);
        hashes.clear();
    }
}

impl Numbering {
    /// Weights of the features in `documents` texts, with the final number of each. Numbers rise with the
    /// frequency and do not depend on which edition came first.
    pub(crate) fn finish(self, documents: usize) -> (Weights, Vec<u32>) {
        let mut order: Vec<(u32, u64, u32)> = Vec::with_capacity(self.numbers.len());
        for (&hash, &number) in &self.numbers {
            order.push((self.frequencies[number as usize], hash, number));
        }
        order.sort_unstable();
        let mut renumbered = vec![0; order.len()];
        let mut weights = Vec::with_capacity(order.len());
        for (number, &(frequency, _, old)) in order.iter().enumerate() {
            renumbered[old as usize] = number as u32;
            let idf = (1.0 + documents as f64 / f64::from(frequency.max(1))).ln();
            weights.push((idf * WEIGHT_SCALE) as u32);
        }
        (Weights(weights), renumbered)
    }
}

impl FeatureSets {
    pub(crate) fn new(mut builder: SetsBuilder, renumbered: &[u32], weights: &Weights) -> Self {
        for feature in &mut builder.features {
            *feature = renumbered[*feature as usize];
        }
        let mut start = 0;
        let mut totals = Vec::with_capacity(builder.ends.len());
        for &end in &builder.ends {
            let set = &mut builder.features[start..end as usize];
            set.sort_unstable();
            totals.push(weights.sum(&*set));
            start = end as usize;
        }
        Self { ends: builder.ends, features: builder.features, totals }
    }

    /// One set for each list of members: the union of their features.
    pub(crate) fn unions(&self, members: &[Vec<u32>], weights: &Weights) -> Self {
        let mut union = Self { ends: Vec::new(), features: Vec::new(), totals: Vec::new() };
        let mut set = Vec::new();
        for list in members {
            for &member in list {
                set.extend(self.get(member));
            }
            set.sort_unstable();
            set.dedup();
            union.totals.push(weights.sum(&*set));
            union.features.append(&mut set);
            union.ends.push(union.features.len() as u32);
        }
        union
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The features of one text.
    pub(crate) fn get(&self, index: u32) -> &[u32] {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.features[start..self.ends[index] as usize]
    }

    /// Sum of the weights of one text.
    pub(crate) fn total(&self, index: u32) -> u64 {
        self.totals[index as usize]
    }
}

impl Weights {
    /// Sum of the weights of features that two sets share.
    pub(crate) fn shared(&self, a: &[u32], b: &[u32]) -> u64 {
        let (mut i, mut j, mut sum) = (0, 0, 0);
        while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
            if x == y {
                sum += u64::from(self.0[x as usize]);
            }
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        sum
    }

    /// Sum of the weights of features.
    pub(crate) fn sum<'a>(&self, features: impl IntoIterator<Item = &'a u32>) -> u64 {
        let mut sum = 0;
        for &feature in features {
            sum += u64::from(self.0[feature as usize]);
        }
        sum
    }

    /// Weighted Dice coefficient of two texts: 0 to 1, and 0 where neither has a word.
    pub(crate) fn dice(&self, a: (&FeatureSets, u32), b: (&FeatureSets, u32)) -> f32 {
        let total = a.0.total(a.1) + b.0.total(b.1);
        if total == 0 { 0.0 } else { 2.0 * self.shared(a.0.get(a.1), b.0.get(b.1)) as f32 / total as f32 }
    }

    /// Adds the pairs of a text of `a` and a text of `b` in which one is among the `limit` texts that have
    /// the most in common with the other. A pair may be added twice.
    pub(crate) fn add_candidates(
        &self,
        a: &FeatureSets,
        b: &FeatureSets,
        limit: usize,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        self.add_nearest(a, b, limit, pairs);
        let start = pairs.len();
        self.add_nearest(b, a, limit, pairs);
        for pair in &mut pairs[start..] {
            *pair = (pair.1, pair.0);
        }
    }

    /// For each text of `from`, adds the `limit` texts of `to` with the most in common.
    fn add_nearest(&self, from: &FeatureSets, to: &FeatureSets, limit: usize, pairs: &mut Vec<(u32, u32)>) {
        let postings = Postings::new(to, self.0.len());
        let mut sums = vec![0u32; to.len()];
        let mut touched = Vec::new();
        let mut nearest = Nearest { limit, least: 0, ranked: Vec::new() };
        for query in 0..from.len() as u32 {
            let mut budget = POSTINGS;
            for &feature in from.get(query) {
                let texts = postings.of(feature);
                // Features are numbered from the rarest to the commonest.
                let Some(left) = budget.checked_sub(texts.len()) else { break };
                budget = left;
                for &text in texts {
                    if sums[text as usize] == 0 {
                        touched.push(text);
                    }
                    sums[text as usize] += self.0[feature as usize];
                }
            }
            for text in touched.drain(..) {
                let sum = std::mem::take(&mut sums[text as usize]);
                let dice = 2.0 * sum as f32 / (from.total(query) + to.total(text)) as f32;
                nearest.add(dice, text);
            }
            nearest.move_to(query, pairs);
        }
    }
}

/// The texts that have each feature: an inverted index.
struct Postings {
    /// Index in `texts` of the first text with each feature, and one past the last text.
    starts: Vec<u32>,
    texts: Vec<u32>,
}

impl Postings {
    fn new(sets: &FeatureSets, features: usize) -> Self {
        let mut starts = vec![0u32; features + 1];
        for &feature in &sets.features {
            starts[feature as usize + 1] += 1;
        }
        for feature in 1..starts.len() {
            starts[feature] += starts[feature - 1];
        }
        let mut next = starts.clone();
        let mut texts = vec![0; sets.features.len()];
        for text in 0..sets.len() as u32 {
            for &feature in sets.get(text) {
                texts[next[feature as usize] as usize] = text;
                next[feature as usize] += 1;
            }
        }
        Self { starts, texts }
    }

    /// The texts with a feature.
    fn of(&self, feature: u32) -> &[u32] {
        let feature = feature as usize;
        &self.texts[self.starts[feature] as usize..self.starts[feature + 1] as usize]
    }
}

/// The texts that are most similar to one text.
struct Nearest {
    /// Most texts that are wanted.
    limit: usize,
    /// Similarity that a text must have to be among them, as far as that is known.
    least: u32,
    /// Similarities, whose bits have their order, with the texts. It may hold more than `limit`.
    ranked: Vec<(u32, u32)>,
}

impl Nearest {
    fn add(&mut self, similarity: f32, text: u32) {
        let similarity = similarity.to_bits();
        if similarity >= self.least {
            self.ranked.push((similarity, text));
        }
        // Selecting is linear, so it is done for many texts at once.
        if self.ranked.len() >= 8 * self.limit {
            self.least = self.ranked.select_nth_unstable_by(self.limit - 1, best_first).1.0;
            self.ranked.truncate(self.limit);
        }
    }

    /// Moves the texts that were found into pairs with the text that they are similar to.
    fn move_to(&mut self, query: u32, pairs: &mut Vec<(u32, u32)>) {
        if self.ranked.len() > self.limit {
            self.ranked.select_nth_unstable_by(self.limit, best_first);
            self.ranked.truncate(self.limit);
        }
        for (_, text) in self.ranked.drain(..) {
            pairs.push((query, text));
        }
        self.least = 0;
    }
}

/// The order of texts by similarity, then by index.
fn best_first(a: &(u32, u32), b: &(u32, u32)) -> Ordering {
    b.0.cmp(&a.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str) -> Vec<u64> {
        let mut found = Vec::new();
        add_features(&normalized(text), TEXT, &mut found);
        found
    }

    #[test]
    fn frames_and_endings_are_no_features_and_a_text_of_frames_has_one() {
        assert_eq!(features("The lids shall be closed"), features("the lid is closed"));
        assert_ne!(features("The lid is 5 mm"), features("the lid is 5 °"));
        assert_eq!(features("It shall be.").len(), 1);
        assert!(features("").is_empty());
    }

    #[test]
    fn the_nearest_texts_are_those_with_the_most_in_common() {
        let mut numbering = Numbering::default();
        let mut builders = [SetsBuilder::default(), SetsBuilder::default()];
        let texts = [["red lid", "blue sack"], ["blue sack of grain", "red lid"]];
        for (builder, texts) in builders.iter_mut().zip(texts) {
            for text in texts {
                builder.push(&mut features(text), 1, &mut numbering);
            }
        }
        let (weights, renumbered) = numbering.finish(4);
        let [a, b] = builders.map(|builder| FeatureSets::new(builder, &renumbered, &weights));
        let mut pairs = Vec::new();
        weights.add_candidates(&a, &b, 1, &mut pairs);
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 1), (0, 1), (1, 0), (1, 0)]);
        assert!(weights.dice((&a, 0), (&b, 1)) > 0.99 && weights.dice((&a, 0), (&b, 0)) < 0.01);
    }
}
