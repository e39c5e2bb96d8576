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

/// Which edition a unit is of.
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
        let sides = [&prepared.older.home, &prepared.newer.home];
        let a = sides[0].iter().map(|&home| match links.to_newer[home as usize] {
            Some(to) => format!("\u{1}{home}={to}"),
            None => format!("\u{1}{home}="),
        });
        let b = sides[1].iter().map(|&home| match links.to_older[home as usize] {
            Some(from) => format!("\u{1}{from}={home}"),
            None => format!("\u{1}={home}"),
        });
        let sections = [a.collect(), b.collect()];
        let name = |from: Option<usize>, to: Option<usize>| {
            let number = |index: Option<usize>| index.map_or_else(String::new, |index| index.to_string());
            format!("\u{1}\u{1}{}={}", number(from), number(to))
        };
        let other = |index: &Option<u32>| index.map(|index| index as usize);
        let a = part_links.to_newer.iter().enumerate().map(|(from, to)| name(Some(from), other(to)));
        let b = part_links.to_older.iter().enumerate().map(|(to, from)| name(other(from), Some(to)));
        let mut names = Self {
            parts: [a.collect(), b.collect()],
            sections,
            exact_older: Vec::new(),
            exact_newer: Vec::new(),
        };
        names.exact_older =
            older.units.iter().map(|unit| text_hash(&names.text(unit, EditionAge::Older))).collect();
        names.exact_newer =
            newer.units.iter().map(|unit| text_hash(&names.text(unit, EditionAge::Newer))).collect();
        names
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
        canonical(unit, |reference| match reference.target.as_ref()? {
            target @ UnitTarget::Document { .. } => {
                reference.text.starts_with('[').then(|| format!("\u{1}{target:?}"))
            }
            target => self.name(target, edition).map(str::to_owned),
        })
    }
}
