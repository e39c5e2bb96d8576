//! Links of sections between two editions: by title, number, words, position and own text.

use foldhash::HashMap;

use crate::greedy::{PossiblePair, best_first};
use crate::outline::comparable_title;
use crate::prepare::{PreparedPair, PreparedSide};
use crate::units::{ComparisonSection, Units};

/// Most sections of the other edition that are candidates of a section by their words, and as many by their
/// titles.
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
        let mut candidates = Vec::new();
        weights.add_candidates(&a.section_texts, &b.section_texts, CANDIDATES, &mut candidates);
        weights.add_candidates(&a.titles, &b.titles, CANDIDATES, &mut candidates);
        candidates.sort_unstable();
        candidates.dedup();
        let mut pairs = Vec::new();
        for (x, y) in candidates {
            // A first subsection "General" is linked by its parent.
            if a.home[x as usize] != x || b.home[y as usize] != y {
                continue;
            }
            if a.layer[x as usize] != b.layer[y as usize] {
                continue;
            }
            let SectionEvidence { sum, possible } = SectionEvidence::of(prepared, older, newer, x, y);
            if sum >= THRESHOLD * possible {
                pairs.push(PossiblePair { a: x, b: y, score: sum / possible, tie: 0 });
            }
        }
        let mut to_newer = vec![None; older.sections.len()];
        let mut to_older = vec![None; newer.sections.len()];
        for pair in best_first(pairs, older.sections.len(), newer.sections.len()) {
            to_newer[pair.a as usize] = Some(pair.b);
            to_older[pair.b as usize] = Some(pair.a);
        }
        let mut links = Self { to_newer, to_older };
        links.link_by_own_text(prepared, older, newer);
        links.link_by_title_within_parent(prepared, older, newer);
        links.link_by_number(prepared, older, newer);
        links
    }

    /// Links sections whose title and own text exactly one section of each edition has. Sections without
    /// provisions have no words that are compared, and untitled ones among them no other evidence.
    fn link_by_own_text(&mut self, prepared: &PreparedPair, older: &Units, newer: &Units) {
        let from_older = sections_by_own_text(&prepared.older, older, &self.to_newer);
        let from_newer = sections_by_own_text(&prepared.newer, newer, &self.to_older);
        for (text, from) in from_older {
            let to = from_newer.get(&text).copied().flatten();
            if let (Some(from), Some(to)) = (from, to) {
                self.link(from, to);
            }
        }
    }

    /// Links sections whose title no sibling has, where their parents correspond: titles in scripts without
    /// features give no candidates.
    fn link_by_title_within_parent(&mut self, prepared: &PreparedPair, older: &Units, newer: &Units) {
        let from_older = sections_by_title(&prepared.older, older, &self.to_newer);
        let from_newer = sections_by_title(&prepared.newer, newer, &self.to_older);
        // In document order, so that parents are linked before their children.
        for (from, section) in older.sections.iter().enumerate() {
            let title = SiblingTitle::of(section, section.parent);
            if from_older.get(&title) != Some(&Some(from)) {
                continue;
            }
            let newer_parent = match section.parent {
                None => None,
                Some(parent) => match self.to_newer[parent] {
                    Some(newer_parent) => Some(newer_parent as usize),
                    None => continue,
                },
            };
            let same_title = SiblingTitle { parent: newer_parent, ..title };
            if let Some(&Some(to)) = from_newer.get(&same_title) {
                self.link(from, to);
            }
        }
    }

    fn link(&mut self, from: usize, to: usize) {
        self.to_newer[from] = Some(to as u32);
        self.to_older[to] = Some(from as u32);
    }

    /// Links sections without title and compared words, of which only the number is known: where their
    /// numbers are equal, and their parents correspond and have equally many subsections, so that none was
    /// inserted.
    fn link_by_number(&mut self, prepared: &PreparedPair, older: &Units, newer: &Units) {
        let newer_children = children(newer);
        let mut by_number: HashMap<(usize, &str), usize> = HashMap::default();
        for (index, section) in newer.sections.iter().enumerate() {
            if let (Some(parent), Some(number)) = (section.parent, section.number.as_deref())
                && is_number_only(&prepared.newer, newer, index)
            {
                by_number.insert((parent, number), index);
            }
        }
        let older_children = children(older);
        for (from, section) in older.sections.iter().enumerate() {
            let (Some(parent), Some(number)) = (section.parent, section.number.as_deref()) else { continue };
            if !is_number_only(&prepared.older, older, from) {
                continue;
            }
            let Some(newer_parent) = self.to_newer[parent] else { continue };
            if older_children[parent] != newer_children[newer_parent as usize] {
                continue;
            }
            let Some(&to) = by_number.get(&(newer_parent as usize, number)) else { continue };
            self.link(from, to);
        }
    }

    /// All links in order of the older edition, with those of first subsections "General" whose parents
    /// correspond.
    pub(crate) fn all(&self, prepared: &PreparedPair) -> Vec<(usize, usize)> {
        let mut links = Vec::new();
        for (from, &home) in prepared.older.home.iter().enumerate() {
            let Some(to) = self.to_newer[home as usize] else { continue };
            if home as usize == from {
                links.push((from, to as usize));
            } else if let Some(general) = general_of(&prepared.newer.home, to) {
                links.push((from, general));
            }
        }
        links
    }

    /// True where a section of the older edition is linked to this one of the newer.
    pub(crate) fn linked(&self, a: u32, b: u32) -> bool {
        self.to_newer[a as usize] == Some(b)
    }
}

/// The title of a section, its own text and its layer of adoption.
#[derive(PartialEq, Eq, Hash)]
struct OwnText {
    title: String,
    text_hash: u64,
    layer: u8,
}

/// The title of a section among those of its siblings.
#[derive(PartialEq, Eq, Hash)]
struct SiblingTitle {
    parent: Option<usize>,
    title: String,
    layer: u8,
}

impl SiblingTitle {
    fn of(section: &ComparisonSection, parent: Option<usize>) -> Self {
        Self { parent, title: comparable_title(section), layer: section.layer }
    }
}

/// The section without a link that has each title and own text; `None` where several have them.
fn sections_by_own_text(
    prepared: &PreparedSide,
    units: &Units,
    links: &[Option<u32>],
) -> HashMap<OwnText, Option<usize>> {
    let mut sections = HashMap::default();
    for (index, section) in units.sections.iter().enumerate() {
        // The hash of no text is 0.
        let Some(text_hash) = section.text_hash.filter(|hash| *hash != 0) else { continue };
        if links[index].is_some() || prepared.home[index] as usize != index {
            continue;
        }
        let text = OwnText { title: comparable_title(section), text_hash, layer: section.layer };
        sections.entry(text).and_modify(|found| *found = None).or_insert(Some(index));
    }
    sections
}

/// The section without a link that has each title below its parent; `None` where several have it.
fn sections_by_title(
    prepared: &PreparedSide,
    units: &Units,
    links: &[Option<u32>],
) -> HashMap<SiblingTitle, Option<usize>> {
    let mut sections = HashMap::default();
    for (index, section) in units.sections.iter().enumerate() {
        if section.title.is_none() || links[index].is_some() || prepared.home[index] as usize != index {
            continue;
        }
        let title = SiblingTitle::of(section, section.parent);
        sections.entry(title).and_modify(|found| *found = None).or_insert(Some(index));
    }
    sections
}

/// The number of subsections of each section.
fn children(units: &Units) -> Vec<usize> {
    let mut counts = vec![0; units.sections.len()];
    for section in &units.sections {
        if let Some(parent) = section.parent {
            counts[parent] += 1;
        }
    }
    counts
}

/// A section has neither title nor compared words, and represents itself.
fn is_number_only(prepared: &PreparedSide, units: &Units, section: usize) -> bool {
    let has_words = prepared.section_texts.total(section as u32) > 0;
    let represents_itself = prepared.home[section] as usize == section;
    units.sections[section].title.is_none() && !has_words && represents_itself
}

/// The first subsection "General" of a section, given the section that represents each section.
fn general_of(homes: &[u32], parent: u32) -> Option<usize> {
    for (index, &home) in homes.iter().enumerate() {
        if home == parent && index != home as usize {
            return Some(index);
        }
    }
    None
}

/// The evidence that two sections correspond.
#[derive(Default)]
struct SectionEvidence {
    sum: f32,
    /// The highest sum that these two sections can have. Sections without title, number or words can have
    /// less than others.
    possible: f32,
}

impl SectionEvidence {
    fn of(prepared: &PreparedPair, older: &Units, newer: &Units, x: u32, y: u32) -> Self {
        let PreparedPair { weights, older: a, newer: b } = prepared;
        let (left, right) = (&older.sections[x as usize], &newer.sections[y as usize]);
        let mut evidence = Self::default();
        if a.section_texts.total(x) + b.section_texts.total(y) > 0 {
            evidence.add(WORDS, weights.dice((&a.section_texts, x), (&b.section_texts, y)));
        }
        if left.title.is_some() || right.title.is_some() {
            evidence.add(TITLE, weights.dice((&a.titles, x), (&b.titles, y)));
        }
        if left.number.is_some() || right.number.is_some() {
            evidence.add(NUMBER, if left.number == right.number { 1.0 } else { 0.0 });
        }
        let position_in_older = x as f32 / older.sections.len() as f32;
        let position_in_newer = y as f32 / newer.sections.len() as f32;
        evidence.add(POSITION, 1.0 - (position_in_older - position_in_newer).abs());
        evidence
    }

    /// Adds one kind of evidence: its weight, and how far it holds, from 0 to 1.
    fn add(&mut self, weight: f32, value: f32) {
        self.sum += weight * value;
        self.possible += weight;
    }
}
