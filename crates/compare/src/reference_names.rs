//! Names of references' targets: one name where targets of both editions correspond, so that a renumbered reference is not a change.

use foldhash::{HashMap, HashMapExt, HashSet};

use crate::features::{normalized, text_hash};
use crate::prepare::{Prepared, canonical};
use crate::sections::SectionLinks;
use crate::units::{PartKind, Target, Unit, Units};

/// Names for the targets of references: one name for both where two targets correspond.
pub(crate) struct ReferenceNames {
    sections: [Vec<String>; 2],
    parts: [Vec<String>; 2],
    /// For each unit of the older edition the hash of its text, references by the name of their target.
    pub(crate) exact_older: Vec<u64>,
    /// The same for the newer one.
    pub(crate) exact_newer: Vec<u64>,
}

/// Which edition a unit is of.
#[derive(Clone, Copy)]
pub(crate) enum Edition {
    Older = 0,
    Newer = 1,
}

impl ReferenceNames {
    pub(crate) fn new(prepared: &Prepared, links: &SectionLinks, older: &Units, newer: &Units) -> Self {
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
        let mut names = Self {
            parts: part_names(&sections, older, newer),
            sections,
            exact_older: Vec::new(),
            exact_newer: Vec::new(),
        };
        names.exact_older =
            older.units.iter().map(|unit| text_hash(&names.text(unit, Edition::Older))).collect();
        names.exact_newer =
            newer.units.iter().map(|unit| text_hash(&names.text(unit, Edition::Newer))).collect();
        names
    }

    /// The name of a target within its edition.
    pub(crate) fn name(&self, target: &Target, edition: Edition) -> Option<&str> {
        match *target {
            Target::Section(index) => Some(&self.sections[edition as usize][index]),
            Target::Part(index) => Some(&self.parts[edition as usize][index]),
            Target::Document { .. } => None,
        }
    }

    /// The text of a unit with the names of targets in place of references within the edition.
    pub(crate) fn text(&self, unit: &Unit, edition: Edition) -> String {
        canonical(unit, |target| self.name(target, edition).map(str::to_owned))
    }
}

/// Names of tables and figures: by the digest of their content where both editions have it, else by caption, else by their order in
/// corresponding sections.
fn part_names(sections: &[Vec<String>; 2], older: &Units, newer: &Units) -> [Vec<String>; 2] {
    let editions = [older, newer];
    let captions = editions.map(|units| {
        let captions = units
            .parts
            .iter()
            .map(|part| (part.kind, normalized(part.caption.as_deref().unwrap_or_default()).to_lowercase()));
        captions.collect::<Vec<(PartKind, String)>>()
    });
    let known = captions.each_ref().map(|list| list.iter().collect::<HashSet<_>>());
    let digests = editions.map(|units| {
        units.parts.iter().filter_map(|part| Some((part.kind, part.digest?))).collect::<HashSet<_>>()
    });
    [0, 1].map(|this| {
        let mut count = HashMap::new();
        let shared = |key: &(PartKind, String)| !key.1.is_empty() && known[1 - this].contains(key);
        let names = editions[this].parts.iter().zip(&captions[this]).map(|(part, key)| {
            let digest = part.digest.filter(|&digest| digests[1 - this].contains(&(part.kind, digest)));
            let name = match (digest, shared(key), part.section) {
                (Some(digest), ..) => format!("{digest:x?}"),
                (None, true, _) => key.1.clone(),
                (None, false, Some(section)) => sections[this][section].clone(),
                (None, false, None) => String::new(),
            };
            let nth = count.entry((key.0, name.clone())).or_insert(0);
            *nth += 1;
            format!("\u{1}{:?} {nth} {name}", key.0)
        });
        names.collect()
    })
}
