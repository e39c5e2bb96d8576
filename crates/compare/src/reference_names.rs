//! Names of references' targets: corresponding targets of both editions share a name, so that a renumbered
//! reference is not a change.

use crate::features::text_hash;
use crate::part_links::PartLinks;
use crate::prepare::{PreparedPair, canonical};
use crate::sections::SectionLinks;
use crate::units::{ComparisonUnit, UnitTarget, Units};

/// Names for the targets of references: one name for two corresponding targets.
pub(crate) struct ReferenceNames {
    sections: [Vec<String>; 2],
    parts: [Vec<String>; 2],
    /// For each unit of the older edition, the hash of its text with references replaced by the name of their
    /// target.
    pub(crate) exact_older: Vec<u64>,
    /// The same for the newer one.
    pub(crate) exact_newer: Vec<u64>,
}

/// The edition that a unit or target is of, as an index of lists that have one element for each edition.
#[derive(Clone, Copy)]
pub(crate) enum EditionAge {
    Older = 0,
    Newer = 1,
}

impl ReferenceNames {
    pub(crate) fn new(
        prepared: &PreparedPair,
        links: &SectionLinks,
        part_links: &PartLinks,
        older: &Units,
        newer: &Units,
    ) -> Self {
        let mut names = Self {
            sections: section_names(prepared, links),
            parts: part_names(part_links),
            exact_older: Vec::new(),
            exact_newer: Vec::new(),
        };
        names.exact_older = names.exact_hashes(older, EditionAge::Older);
        names.exact_newer = names.exact_hashes(newer, EditionAge::Newer);
        names
    }

    fn exact_hashes(&self, units: &Units, edition: EditionAge) -> Vec<u64> {
        units.units.iter().map(|unit| text_hash(&self.text(unit, edition))).collect()
    }

    /// The name of a target within its edition.
    pub(crate) fn name(&self, target: &UnitTarget, edition: EditionAge) -> Option<&str> {
        match *target {
            UnitTarget::Section(index) => Some(&self.sections[edition as usize][index]),
            UnitTarget::Part(index) => Some(&self.parts[edition as usize][index]),
            UnitTarget::Document { .. } => None,
        }
    }

    /// The text of a unit, in which names of targets replace references within the edition and numbers of a
    /// bibliography.
    pub(crate) fn text(&self, unit: &ComparisonUnit, edition: EditionAge) -> String {
        canonical(unit, |reference| {
            let target = reference.target.as_ref()?;
            if let Some(name) = self.name(target, edition) {
                return Some(name.to_owned());
            }
            // The number of an entry of a bibliography: its document is what is said.
            if reference.text.starts_with('[') {
                return Some(format!("\u{1}{target:?}"));
            }
            None
        })
    }
}

/// A name for each section of the older edition, and for each of the newer one. It is made of the section
/// that represents it (a subsection “General” has its parent) and the corresponding one of the other edition,
/// so that corresponding sections have one name. It begins with a character that no text has.
fn section_names(prepared: &PreparedPair, links: &SectionLinks) -> [Vec<String>; 2] {
    let mut older = Vec::new();
    for &home in &prepared.older.home {
        older.push(name("\u{1}", Some(home), links.to_newer[home as usize]));
    }
    let mut newer = Vec::new();
    for &home in &prepared.newer.home {
        newer.push(name("\u{1}", links.to_older[home as usize], Some(home)));
    }
    [older, newer]
}

/// The names of the tables, figures and formulae of both editions, which no section has.
fn part_names(links: &PartLinks) -> [Vec<String>; 2] {
    let mut older = Vec::new();
    for (from, &to) in (0..).zip(&links.to_newer) {
        older.push(name("\u{1}\u{1}", Some(from), to));
    }
    let mut newer = Vec::new();
    for (to, &from) in (0..).zip(&links.to_older) {
        newer.push(name("\u{1}\u{1}", from, Some(to)));
    }
    [older, newer]
}

fn name(mark: &str, older: Option<u32>, newer: Option<u32>) -> String {
    let mut name = mark.to_owned();
    if let Some(older) = older {
        name += &older.to_string();
    }
    name.push('=');
    if let Some(newer) = newer {
        name += &newer.to_string();
    }
    name
}
