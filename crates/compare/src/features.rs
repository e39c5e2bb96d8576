//! Features: the words and adjacent word pairs of a text as numbers, weighted by inverse document frequency.
//! Weights are integers, so that sums do not depend on the order of addition and compare(B, A) mirrors
//! compare(A, B) exactly.

use foldhash::HashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::typography::one_typography;
use crate::vocabulary::is_frame;

/// Steps of a weight in one unit of the natural logarithm.
const WEIGHT_SCALE: f64 = 256.0;
/// The replacement for a reference within the edition, whose number says nothing about the text.
pub(crate) const REFERENCE: char = '\u{1}';
/// Most posting entries that a query reads, the rarest features first: the others have little weight.
const POSTINGS: usize = 4096;

/// Hash of an equal text.
pub(crate) fn text_hash(text: &str) -> u64 {
    hash(TEXT, text.as_bytes())
}

/// FNV-1a, 64 bits: the same on each platform, so that results are the same too.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(seed, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
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
        match is_nfc(word) {
            true => out.push_str(word),
            false => out.extend(word.nfc()),
        }
    }
    out
}

/// Adds the features of a normalized text, unsorted; a text of frames only has one feature.
pub(crate) fn add_features(text: &str, salt: u64, out: &mut Vec<u64>) {
    let (mut word, mut last, before) = (String::new(), None, out.len());
    let mut add = |word: &mut String| {
        // The frame of a provision says nothing about what it requires.
        if word.is_empty() || is_frame(word) {
            word.clear();
            return;
        }
        let token = hash(salt, stem(word).as_bytes());
        out.push(token);
        if let Some(last) = last.replace(token) {
            out.push(hash(last, &token.to_le_bytes()));
        }
        word.clear();
    };
    for c in text.chars() {
        if c.is_alphanumeric() && !is_ideograph(c) {
            word.extend(c.to_lowercase());
            continue;
        }
        add(&mut word);
        if is_ideograph(c) || c == REFERENCE || matches!(c, '<' | '>' | '≤' | '≥' | '%' | '±' | '°' | '=')
        {
            word.push(c);
            add(&mut word);
        }
    }
    add(&mut word);
    if out.len() == before && !text.is_empty() {
        out.push(hash(salt, text.as_bytes()));
    }
}

fn is_ideograph(c: char) -> bool {
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
        let mut order: Vec<(u32, u64, u32)> =
            self.numbers.iter().map(|(&hash, &n)| (self.frequencies[n as usize], hash, n)).collect();
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
        let (mut start, mut totals) = (0, Vec::with_capacity(builder.ends.len()));
        builder.features.iter_mut().for_each(|f| *f = renumbered[*f as usize]);
        for &end in &builder.ends {
            let set = &mut builder.features[start..end as usize];
            set.sort_unstable();
            totals.push(weights.sum(&*set));
            start = end as usize;
        }
        Self { ends: builder.ends, features: builder.features, totals }
    }

    /// One set for each list of members: the union of their features.
    pub(crate) fn unions<'a>(&self, members: impl Iterator<Item = &'a Vec<u32>>, weights: &Weights) -> Self {
        let mut union = Self { ends: Vec::new(), features: Vec::new(), totals: Vec::new() };
        let mut set = Vec::new();
        for list in members {
            set.extend(list.iter().flat_map(|&member| self.get(member)));
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
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
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
        features.into_iter().map(|&f| u64::from(self.0[f as usize])).sum()
    }

    /// Weighted Dice coefficient of two texts: 0 to 1, and 0 where neither has a word.
    pub(crate) fn dice(&self, a: (&FeatureSets, u32), b: (&FeatureSets, u32)) -> f32 {
        let total = a.0.total(a.1) + b.0.total(b.1);
        if total == 0 { 0.0 } else { 2.0 * self.shared(a.0.get(a.1), b.0.get(b.1)) as f32 / total as f32 }
    }

    /// For each text of `from`, the `limit` texts of `to` with the most in common.
    pub(crate) fn candidates(
        &self,
        from: &FeatureSets,
        to: &FeatureSets,
        limit: usize,
        mut found: impl FnMut(u32, u32),
    ) {
        let (starts, postings) = self.postings(to);
        let mut sums = vec![0u32; to.len()];
        let (mut touched, mut ranked) = (Vec::new(), Vec::new());
        for query in 0..from.len() as u32 {
            let mut budget = POSTINGS;
            for &feature in from.get(query) {
                let list = starts[feature as usize] as usize..starts[feature as usize + 1] as usize;
                // Features are numbered from the rarest to the commonest.
                let Some(left) = budget.checked_sub(list.len()) else { break };
                budget = left;
                for &text in &postings[list] {
                    if sums[text as usize] == 0 {
                        touched.push(text);
                    }
                    sums[text as usize] += self.0[feature as usize];
                }
            }
            let order = |a: &(u32, u32), b: &(u32, u32)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
            // From then on, texts with less than the least of `limit` texts are skipped.
            let mut least = 0;
            for text in touched.drain(..) {
                let sum = std::mem::take(&mut sums[text as usize]);
                let dice = 2.0 * sum as f32 / (from.total(query) + to.total(text)) as f32;
                if dice.to_bits() >= least {
                    ranked.push((dice.to_bits(), text));
                }
                if ranked.len() >= 8 * limit {
                    least = ranked.select_nth_unstable_by(limit - 1, order).1.0;
                    ranked.truncate(limit);
                }
            }
            if ranked.len() > limit {
                ranked.select_nth_unstable_by(limit, order);
                ranked.truncate(limit);
            }
            ranked.drain(..).for_each(|(_, text)| found(query, text));
        }
    }

    fn postings(&self, sets: &FeatureSets) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.0.len() + 1];
        sets.features.iter().for_each(|&f| starts[f as usize + 1] += 1);
        for feature in 1..starts.len() {
            starts[feature] += starts[feature - 1];
        }
        let (mut next, mut postings) = (starts.clone(), vec![0; sets.features.len()]);
        for text in 0..sets.len() as u32 {
            for &feature in sets.get(text) {
                postings[next[feature as usize] as usize] = text;
                next[feature as usize] += 1;
            }
        }
        (starts, postings)
    }
}
