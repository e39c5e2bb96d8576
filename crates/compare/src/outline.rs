//! The outline: the change of each section.

use foldhash::HashMap;

use crate::comparison::{Comparison, Facet, Link, PartRelation, SectionChange, UnitRelation};
use crate::features::normalized;
use crate::units::{ComparisonSection, Units};

/// Numbers of provisions in a section: with the same words, with others, new, removed.
type OutlineCounts = [u32; 4];

/// The change of each section: in order of the newer edition, then the removed ones.
pub(crate) fn outline(older: &Units, newer: &Units, found: &Comparison) -> Vec<SectionChange> {
    let (older_counts, newer_counts) = counts(older, newer, found);
    let mut to_newer: HashMap<usize, usize> = HashMap::default();
    let mut to_older: HashMap<usize, usize> = HashMap::default();
    for &(from, to) in &found.sections {
        to_newer.insert(from, to);
        to_older.insert(to, from);
    }
    let mut outline: Vec<SectionChange> = Vec::with_capacity(newer.sections.len());
    for (index, section) in newer.sections.iter().enumerate() {
        let mut provisions = newer_counts[index];
        let before = to_older.get(&index).copied();
        let relation = match before {
            None => PartRelation::New,
            Some(before) => {
                provisions[3] += older_counts[before][3];
                let moved = has_other_parent(&older.sections[before], section, &to_newer);
                relation(&older.sections[before], section, moved, provisions)
            }
        };
        outline.push(SectionChange { relation, older: before, newer: Some(index), provisions });
    }
    for (index, provisions) in older_counts.into_iter().enumerate() {
        if !to_newer.contains_key(&index) {
            let (relation, older) = (PartRelation::Removed, Some(index));
            outline.push(SectionChange { relation, older, newer: None, provisions });
        }
    }
    outline
}

/// The counts of each section of both editions, with those of its subsections.
fn counts(older: &Units, newer: &Units, found: &Comparison) -> (Vec<OutlineCounts>, Vec<OutlineCounts>) {
    let mut of_older = vec![OutlineCounts::default(); older.sections.len()];
    let mut of_newer = vec![OutlineCounts::default(); newer.sections.len()];
    for link in &found.links {
        let counts = &mut of_newer[newer.units[link.newer].section];
        if is_unchanged(link) {
            counts[0] += 1;
        } else {
            counts[1] += 1;
        }
        // In another section a provision is new there, and was removed here.
        if link.facets.moved.is_some() {
            of_older[older.units[link.older].section][3] += 1;
        }
    }
    for unmatched in &found.newer_unmatched {
        of_newer[newer.units[unmatched.unit].section][2] += 1;
    }
    for unmatched in &found.older_unmatched {
        of_older[older.units[unmatched.unit].section][3] += 1;
    }
    add_subsections(&mut of_older, older);
    add_subsections(&mut of_newer, newer);
    (of_older, of_newer)
}

/// A pair is unchanged if the words are the same and nothing else differs but the section.
fn is_unchanged(link: &Link) -> bool {
    if link.relation != UnitRelation::Same {
        return false;
    }
    link.facets.kinds().iter().all(|facet| *facet == Facet::Moved)
}

/// Adds the counts of each section to those of the sections around it.
fn add_subsections(counts: &mut [OutlineCounts], units: &Units) {
    for section in (0..counts.len()).rev() {
        let Some(parent) = units.sections[section].parent else { continue };
        let own = counts[section];
        for (sum, count) in counts[parent].iter_mut().zip(own) {
            *sum += count;
        }
    }
}

/// True where the sections around two corresponding sections do not correspond.
fn has_other_parent(
    before: &ComparisonSection,
    after: &ComparisonSection,
    to_newer: &HashMap<usize, usize>,
) -> bool {
    match (before.parent, after.parent) {
        (Some(from), Some(to)) => to_newer.get(&from) != Some(&to),
        (None, None) => false,
        _ => true,
    }
}

/// The relation of two corresponding sections.
fn relation(
    before: &ComparisonSection,
    after: &ComparisonSection,
    moved: bool,
    provisions: OutlineCounts,
) -> PartRelation {
    let [_, changed, new, removed] = provisions;
    if moved {
        PartRelation::Moved
    } else if changed + new + removed > 0 || comparable_title(before) != comparable_title(after) {
        PartRelation::Changed
    } else {
        PartRelation::Same
    }
}

/// The title of a section in lower case, with plain white space; empty where it has none.
pub(crate) fn comparable_title(section: &ComparisonSection) -> String {
    normalized(section.title.as_deref().unwrap_or_default()).to_lowercase()
}
