//! Input of the matcher from both editions: texts grouped by equality, their features, and their sections.

use foldhash::{HashMap, HashMapExt};
use norma_model::ProvisionKind;

use crate::features::{
    FeatureSets, Numbering, REFERENCE, SetsBuilder, TEXT, TITLE, Weights, add_features, normalized,
};
use crate::units::{ComparisonUnit, UnitReference, UnitTarget, Units};
use crate::vocabulary::is_general_title;

/// Both editions with the weights of all their words.
pub(crate) struct PreparedPair {
    pub(crate) weights: Weights,
    pub(crate) older: PreparedSide,
    pub(crate) newer: PreparedSide,
}

/// One edition, with its texts, units and sections as numbers.
pub(crate) struct PreparedSide {
    /// For each unit the number of its text.
    pub(crate) text_of: Vec<u32>,
    /// For each unit its type and polarity.
    pub(crate) kind_of: Vec<(Option<ProvisionKind>, bool)>,
    /// The units with each text, in order.
    pub(crate) units_of: Vec<Vec<u32>>,
    /// Features of each text, by its number.
    pub(crate) texts: FeatureSets,
    /// The section that represents each section: its parent for a first subsection "General".
    pub(crate) home: Vec<u32>,
    /// For each section its layer of adoption.
    pub(crate) layer: Vec<u8>,
    /// For each unit its section, by `home`.
    pub(crate) section_of: Vec<u32>,
    /// For each section its own units, and those of the sections that it represents.
    pub(crate) members: Vec<Vec<u32>>,
    /// For each unit, the number of earlier ones of its section with the same text.
    pub(crate) occurrence: Vec<u32>,
    /// For each unit, its index among those of its section.
    pub(crate) rank: Vec<u32>,
    /// Features of each section: words of the texts in it and its subsections.
    pub(crate) section_texts: FeatureSets,
    /// Features of each section's title.
    pub(crate) titles: FeatureSets,
}

/// Lead-in and text, replacing references within the edition: by `name_of`, or by the text itself if that
/// gives nothing.
pub(crate) fn canonical(unit: &ComparisonUnit, name_of: impl Fn(&UnitReference) -> Option<String>) -> String {
    let mut out = String::new();
    if let Some(lead_in) = &unit.lead_in {
        out.push_str(&normalized(lead_in));
        out.push('\n');
    }
    let mut rest = &*unit.text;
    for reference in &unit.references {
        let Some(name) = name_of(reference) else { continue };
        let Some((before, after)) = rest.split_once(&*reference.text) else { continue };
        out.push_str(&normalized(before));
        out.push(' ');
        out.push_str(&name);
        out.push(' ');
        rest = after;
    }
    out.push_str(&normalized(rest));
    out
}

/// A text in which all references within the edition are equal.
fn unnumbered(unit: &ComparisonUnit) -> String {
    canonical(unit, |reference| {
        let is_document = matches!(reference.target.as_ref()?, UnitTarget::Document { .. });
        // A document is named in words, but for the number of an entry of the bibliography.
        if is_document && !reference.text.starts_with('[') {
            return None;
        }
        Some(REFERENCE.to_string())
    })
}

struct Builder {
    text_of: Vec<u32>,
    units_of: Vec<Vec<u32>>,
    texts: SetsBuilder,
    titles: SetsBuilder,
}

impl Builder {
    fn new(units: &Units, numbering: &mut Numbering) -> Self {
        let mut text_of = Vec::with_capacity(units.units.len());
        let mut units_of: Vec<Vec<u32>> = Vec::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for (index, unit) in units.units.iter().enumerate() {
            let next = units_of.len() as u32;
            let number = *numbers.entry(unnumbered(unit)).or_insert(next);
            if number == next {
                units_of.push(Vec::new());
            }
            units_of[number as usize].push(index as u32);
            text_of.push(number);
        }
        let mut ordered: Vec<(u32, String)> = Vec::with_capacity(numbers.len());
        for (text, number) in numbers {
            ordered.push((number, text));
        }
        ordered.sort_unstable();
        let mut texts = SetsBuilder::default();
        let mut hashes = Vec::new();
        for (number, text) in ordered {
            add_features(&text, TEXT, &mut hashes);
            texts.push(&mut hashes, units_of[number as usize].len() as u32, numbering);
        }
        let mut titles = SetsBuilder::default();
        for section in &units.sections {
            add_features(&normalized(section.title.as_deref().unwrap_or_default()), TITLE, &mut hashes);
            titles.push(&mut hashes, 1, numbering);
        }
        Self { text_of, units_of, texts, titles }
    }

    fn finish(self, units: &Units, renumbered: &[u32], weights: &Weights) -> PreparedSide {
        let texts = FeatureSets::new(self.texts, renumbered, weights);
        let titles = FeatureSets::new(self.titles, renumbered, weights);
        let home = homes(units);
        let mut members = vec![Vec::new(); units.sections.len()];
        let (mut section_of, mut rank, mut occurrence) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
        for (index, unit) in units.units.iter().enumerate() {
            let section = home[unit.section];
            section_of.push(section);
            let list = &mut members[section as usize];
            rank.push(list.len() as u32);
            list.push(index as u32);
            let count = seen.entry((self.text_of[index], section)).or_default();
            occurrence.push(*count);
            *count += 1;
        }
        let texts_of_sections = texts_of_sections(units, &members, &self.text_of);
        let section_texts = texts.unions(&texts_of_sections, weights);
        PreparedSide {
            kind_of: units.units.iter().map(|unit| (unit.kind, unit.negated)).collect(),
            text_of: self.text_of,
            units_of: self.units_of,
            texts,
            home,
            layer: units.sections.iter().map(|section| section.layer).collect(),
            section_of,
            members,
            occurrence,
            rank,
            section_texts,
            titles,
        }
    }
}

/// For each section, the numbers of the texts in it and in its subsections, sorted.
fn texts_of_sections(units: &Units, members: &[Vec<u32>], text_of: &[u32]) -> Vec<Vec<u32>> {
    let mut texts = Vec::with_capacity(members.len());
    for list in members {
        let own: Vec<u32> = list.iter().map(|&unit| text_of[unit as usize]).collect();
        texts.push(own);
    }
    // Children come after their parents, so the last section is complete.
    for section in (0..texts.len()).rev() {
        texts[section].sort_unstable();
        texts[section].dedup();
        if let Some(parent) = units.sections[section].parent {
            let own = texts[section].clone();
            texts[parent].extend(own);
        }
    }
    texts
}

/// For each section itself, or its parent for a first subsection "General".
fn homes(units: &Units) -> Vec<u32> {
    let mut has_child = vec![false; units.sections.len()];
    let mut homes = Vec::with_capacity(units.sections.len());
    for (index, section) in units.sections.iter().enumerate() {
        let mut home = index;
        if let Some(parent) = section.parent {
            let title = section.title.as_deref().unwrap_or_default().trim().to_lowercase();
            if !has_child[parent] && is_general_title(&title) {
                home = parent;
            }
            has_child[parent] = true;
        }
        homes.push(home as u32);
    }
    homes
}

impl PreparedPair {
    pub(crate) fn new(older: &Units, newer: &Units) -> Self {
        let mut numbering = Numbering::default();
        let [a, b] = [older, newer].map(|units| Builder::new(units, &mut numbering));
        let (weights, renumbered) = numbering.finish(older.units.len() + newer.units.len());
        let older = a.finish(older, &renumbered, &weights);
        let newer = b.finish(newer, &renumbered, &weights);
        Self { weights, older, newer }
    }

    /// The section that represents each section, in both editions.
    pub(crate) fn homes(&self) -> [&[u32]; 2] {
        [&self.older.home, &self.newer.home]
    }
}
