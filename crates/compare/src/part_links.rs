//! Links of tables, figures and formulae between two editions: by content, words, caption, label and section.

use foldhash::HashMap;

use crate::facets::FacetContext;
use crate::features::{FeatureSets, Numbering, SetsBuilder, TEXT, add_features, normalized};
use crate::greedy::{PossiblePair, best_first};
use crate::sections::SectionLinks;
use crate::units::{NumberedPart, NumberedPartKind, Units};

/// Most parts of the other edition that are candidates of a part by each kind of evidence.
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
    pub(crate) fn new(homes: [&[u32]; 2], sections: &SectionLinks, older: &Units, newer: &Units) -> Self {
        let mut numbering = Numbering::default();
        let builders = [older, newer].map(|units| sets_of_parts(units, &mut numbering));
        let (weights, renumbered) = numbering.finish(older.parts.len() + newer.parts.len());
        let [a, b] = builders.map(|builder| FeatureSets::new(builder, &renumbered, &weights));
        let mut candidates = Vec::new();
        weights.add_candidates(&a, &b, CANDIDATES, &mut candidates);
        add_named_alike(older, newer, &mut candidates);
        candidates.sort_unstable();
        candidates.dedup();
        let mut pairs = Vec::new();
        for (x, y) in candidates {
            let (left, right) = (&older.parts[x as usize], &newer.parts[y as usize]);
            if left.kind != right.kind {
                continue;
            }
            let in_one_section = are_in_one_section(homes, sections, left, right);
            let score = WORDS * weights.dice((&a, x), (&b, y)) + evidence(left, right, in_one_section);
            if score >= THRESHOLD {
                pairs.push(PossiblePair { a: x, b: y, score, tie: x.abs_diff(y) });
            }
        }
        let mut to_newer = vec![None; older.parts.len()];
        let mut to_older = vec![None; newer.parts.len()];
        for pair in best_first(pairs, older.parts.len(), newer.parts.len()) {
            to_newer[pair.a as usize] = Some(pair.b);
            to_older[pair.b as usize] = Some(pair.a);
        }
        let mut links = Self { to_newer, to_older };
        links.link_unnamed_parts(homes, sections, older, newer);
        links
    }

    /// Links the parts without label and caption that are left over, in their order, where two corresponding
    /// sections have equally many of a kind. Texts cite such a part by its place: "the figure below".
    fn link_unnamed_parts(
        &mut self,
        homes: [&[u32]; 2],
        sections: &SectionLinks,
        older: &Units,
        newer: &Units,
    ) {
        let newer_parts = unnamed_parts(newer, homes[1], &self.to_older);
        for ((kind, section), from) in unnamed_parts(older, homes[0], &self.to_newer) {
            let Some(newer_section) = sections.to_newer[section as usize] else { continue };
            let Some(to) = newer_parts.get(&(kind, newer_section)) else { continue };
            if from.len() != to.len() {
                continue;
            }
            for (a, &b) in from.into_iter().zip(to) {
                self.to_newer[a as usize] = Some(b);
                self.to_older[b as usize] = Some(a);
            }
        }
    }

    /// True where the content or caption of a figure or formula changed.
    pub(crate) fn changed(context: &FacetContext<'_>, older: usize, newer: usize) -> bool {
        let (a, b) = (&context.older.parts[older], &context.newer.parts[newer]);
        if let (Some(before), Some(after)) = (a.digest, b.digest)
            && before != after
        {
            return true;
        }
        caption(a) != caption(b)
    }
}

/// The parts of each kind and section without label, caption and link, in order.
fn unnamed_parts(
    units: &Units,
    homes: &[u32],
    links: &[Option<u32>],
) -> HashMap<(NumberedPartKind, u32), Vec<u32>> {
    let mut found: HashMap<(NumberedPartKind, u32), Vec<u32>> = HashMap::default();
    for (index, part) in (0..).zip(&units.parts) {
        let Some(section) = part.section else { continue };
        if part.label.is_none() && part.caption.is_none() && links[index as usize].is_none() {
            found.entry((part.kind, homes[section])).or_default().push(index);
        }
    }
    found
}

/// The sum of the evidence besides words that two parts correspond.
fn evidence(left: &NumberedPart, right: &NumberedPart, in_one_section: bool) -> f32 {
    let mut sum = 0.0;
    if left.digest.is_some() && left.digest == right.digest {
        sum += DIGEST;
    }
    if in_one_section {
        sum += SECTION;
    }
    if left.caption.is_some() && left.caption == right.caption {
        sum += CAPTION;
    }
    if left.label.is_some() && left.label == right.label {
        sum += LABEL;
    }
    sum
}

/// Two parts are in one section if their sections correspond, or neither is in a section.
fn are_in_one_section(
    homes: [&[u32]; 2],
    sections: &SectionLinks,
    left: &NumberedPart,
    right: &NumberedPart,
) -> bool {
    match (left.section, right.section) {
        (Some(from), Some(to)) => sections.linked(homes[0][from], homes[1][to]),
        (None, None) => true,
        _ => false,
    }
}

/// The caption of a part, empty where it has none.
pub(crate) fn caption(part: &NumberedPart) -> String {
    normalized(part.caption.as_deref().unwrap_or_default())
}

fn sets_of_parts(units: &Units, numbering: &mut Numbering) -> SetsBuilder {
    let mut builder = SetsBuilder::default();
    let mut hashes = Vec::new();
    for part in &units.parts {
        add_words(part, &mut hashes);
        builder.push(&mut hashes, 1, numbering);
    }
    builder
}

/// Adds the words of a part: caption, heads and cells. Parts of two kinds have no word in common.
fn add_words(part: &NumberedPart, out: &mut Vec<u64>) {
    let salt = TEXT ^ part.kind as u64;
    add_features(&caption(part), salt, out);
    let Some(grid) = &part.grid else { return };
    for column in &grid.columns {
        add_features(&column.head(), salt, out);
    }
    for cell in grid.rows.iter().flatten() {
        add_features(&cell.text, salt, out);
    }
}

/// What two parts of a kind have in common if they correspond.
#[derive(PartialEq, Eq, Hash)]
enum PartKey<'a> {
    Digest(NumberedPartKind, &'a [u8; 32]),
    Label(NumberedPartKind, &'a str),
}

impl<'a> PartKey<'a> {
    fn digest(part: &'a NumberedPart) -> Option<Self> {
        let digest = part.digest.as_ref()?;
        Some(Self::Digest(part.kind, digest))
    }

    fn label(part: &'a NumberedPart) -> Option<Self> {
        let label = part.label.as_deref()?;
        Some(Self::Label(part.kind, label))
    }
}

/// Adds the pairs with equal content, and those with equal labels.
fn add_named_alike(older: &Units, newer: &Units, pairs: &mut Vec<(u32, u32)>) {
    let mut known: HashMap<PartKey<'_>, Vec<u32>> = HashMap::default();
    for (index, part) in (0..).zip(&newer.parts) {
        for key in [PartKey::digest(part), PartKey::label(part)].into_iter().flatten() {
            known.entry(key).or_default().push(index);
        }
    }
    for (index, part) in (0..).zip(&older.parts) {
        for key in [PartKey::digest(part), PartKey::label(part)].into_iter().flatten() {
            let Some(others) = known.get(&key) else { continue };
            for &other in others.iter().take(CANDIDATES) {
                pairs.push((index, other));
            }
        }
    }
}
