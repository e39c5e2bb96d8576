//! Links of tables, figures and formulae between two editions: by content, words, caption, label and section.

use foldhash::HashMap;

use crate::facets::FacetContext;
use crate::features::{FeatureSets, Numbering, SetsBuilder, TEXT, add_features, normalized};
use crate::greedy::{PossiblePair, best_first};
use crate::sections::SectionLinks;
use crate::units::{NumberedPart, NumberedPartKind, Units};

/// Candidates of a part by its words.
const CANDIDATES: usize = 12;
/// Score of each kind of evidence.
const DIGEST: f32 = 0.5;
const WORDS: f32 = 0.5;
const SECTION: f32 = 0.2;
const CAPTION: f32 = 0.2;
const LABEL: f32 = 0.1;
/// Least score of a pair: equal labels in corresponding sections are enough.
const THRESHOLD: f32 = 0.25;

/// Corresponding parts, in both directions.
pub(crate) struct PartLinks {
    pub(crate) to_newer: Vec<Option<u32>>,
    pub(crate) to_older: Vec<Option<u32>>,
}

impl PartLinks {
    pub(crate) fn new(homes: [&[u32]; 2], links: &SectionLinks, older: &Units, newer: &Units) -> Self {
        let mut numbering = Numbering::default();
        let builders = [older, newer].map(|units| {
            let (mut builder, mut hashes) = (SetsBuilder::default(), Vec::new());
            for part in &units.parts {
                add_words(part, &mut hashes);
                builder.push(&mut hashes, 1, &mut numbering);
            }
            builder
        });
        let (weights, renumbered) = numbering.finish(older.parts.len() + newer.parts.len());
        let [a, b] = builders.map(|builder| FeatureSets::new(builder, &renumbered, &weights));
        let mut found: Vec<(u32, u32)> = Vec::new();
        weights.candidates(&a, &b, CANDIDATES, |x, y| found.push((x, y)));
        weights.candidates(&b, &a, CANDIDATES, |y, x| found.push((x, y)));
        by_name(older, newer, &mut found);
        found.sort_unstable();
        found.dedup();
        let pairs = found.into_iter().filter_map(|(x, y)| {
            let (left, right) = (&older.parts[x as usize], &newer.parts[y as usize]);
            if left.kind != right.kind {
                return None;
            }
            let equal = |a: &Option<Box<str>>, b: &Option<Box<str>>| a.is_some() && a == b;
            let home = |side: usize, part: &NumberedPart| part.section.map(|section| homes[side][section]);
            let linked = match (home(0, left), home(1, right)) {
                (Some(from), Some(to)) => links.linked(from, to),
                (from, to) => from == to,
            };
            let evidence = [
                (DIGEST, left.digest.is_some() && left.digest == right.digest),
                (SECTION, linked),
                (CAPTION, equal(&left.caption, &right.caption)),
                (LABEL, equal(&left.label, &right.label)),
            ];
            let score = WORDS * weights.dice((&a, x), (&b, y))
                + evidence.iter().map(|(weight, holds)| if *holds { *weight } else { 0.0 }).sum::<f32>();
            (score >= THRESHOLD).then_some(PossiblePair { a: x, b: y, score, tie: x.abs_diff(y) })
        });
        let mut links =
            Self { to_newer: vec![None; older.parts.len()], to_older: vec![None; newer.parts.len()] };
        for pair in best_first(pairs.collect(), older.parts.len(), newer.parts.len()) {
            links.to_newer[pair.a as usize] = Some(pair.b);
            links.to_older[pair.b as usize] = Some(pair.a);
        }
        links
    }

    /// Whether the content or caption of a figure or formula changed.
    pub(crate) fn changed(context: &FacetContext<'_>, older: usize, newer: usize) -> bool {
        let (a, b) = (&context.older.parts[older], &context.newer.parts[newer]);
        let digests = a.digest.zip(b.digest).is_some_and(|(a, b)| a != b);
        digests || caption(a) != caption(b)
    }
}

/// The caption of a part, empty where it has none.
pub(crate) fn caption(part: &NumberedPart) -> String {
    normalized(part.caption.as_deref().unwrap_or_default())
}

/// Adds the words of a part, separated by kind: caption, heads and cells.
fn add_words(part: &NumberedPart, out: &mut Vec<u64>) {
    let salt = TEXT ^ part.kind as u64;
    let mut add = |text: &str| {
        if !text.is_empty() {
            add_features(text, salt, out);
        }
    };
    add(&caption(part));
    if let Some(grid) = &part.grid {
        grid.columns.iter().for_each(|column| add(&column.head()));
        grid.rows.iter().flatten().for_each(|cell| add(&cell.text));
    }
}

/// Adds the pairs with equal content, and those with equal labels.
fn by_name(older: &Units, newer: &Units, found: &mut Vec<(u32, u32)>) {
    type Key<'a> = (NumberedPartKind, Result<&'a [u8; 32], &'a str>);
    fn keys(part: &NumberedPart) -> impl Iterator<Item = Key<'_>> {
        let digest = part.digest.iter().map(|digest| (part.kind, Ok(digest)));
        digest.chain(part.label.iter().map(|label| (part.kind, Err(&**label))))
    }
    let mut known: HashMap<Key<'_>, Vec<u32>> = HashMap::default();
    for (index, part) in (0..).zip(&newer.parts) {
        keys(part).for_each(|key| known.entry(key).or_default().push(index));
    }
    for (index, part) in (0..).zip(&older.parts) {
        let others = keys(part).filter_map(|key| known.get(&key));
        others.for_each(|others| found.extend(others.iter().take(CANDIDATES).map(|&other| (index, other))));
    }
}
