//! The outline: the change of each section.

use foldhash::HashMap;

use crate::comparison::{Comparison, Facet, PartRelation, SectionChange, UnitRelation};
use crate::features::normalized;
use crate::units::{ComparisonSection, Units};

/// The change of each section: in order of the newer edition, then the removed ones.
pub(crate) fn outline(older: &Units, newer: &Units, found: &Comparison) -> Vec<SectionChange> {
    let mut counts = [vec![[0; 4]; older.sections.len()], vec![[0; 4]; newer.sections.len()]];
    for link in &found.links {
        let section = newer.units[link.newer].section;
        match link.relation {
            UnitRelation::Same if link.facets.kinds().iter().all(|facet| *facet == Facet::Moved) => {
                counts[1][section][0] += 1;
            }
            _ => counts[1][section][1] += 1,
        }
        // In another section a provision is new there, and was removed here.
        if link.facets.moved.is_some() {
            counts[0][older.units[link.older].section][3] += 1;
        }
    }
    found.newer_unmatched.iter().for_each(|one| counts[1][newer.units[one.unit].section][2] += 1);
    found.older_unmatched.iter().for_each(|one| counts[0][older.units[one.unit].section][3] += 1);
    for (list, units) in counts.iter_mut().zip([older, newer]) {
        for section in (0..list.len()).rev() {
            if let Some(parent) = units.sections[section].parent {
                let own = list[section];
                list[parent].iter_mut().zip(own).for_each(|(sum, count)| *sum += count);
            }
        }
    }
    let to_newer: HashMap<usize, usize> = found.sections.iter().copied().collect();
    let to_older: HashMap<usize, usize> = found.sections.iter().map(|&(from, to)| (to, from)).collect();
    let mut outline: Vec<SectionChange> = Vec::with_capacity(newer.sections.len());
    for (index, section) in newer.sections.iter().enumerate() {
        let before = to_older.get(&index).copied();
        let mut provisions = counts[1][index];
        let relation = match before {
            None => PartRelation::New,
            Some(before) => {
                provisions[3] += counts[0][before][3];
                let parents = [older.sections[before].parent, section.parent];
                let moved = match parents {
                    [Some(from), Some(to)] => to_newer.get(&from) != Some(&to),
                    [from, to] => from != to,
                };
                let renamed = title(&older.sections[before]) != title(section);
                match provisions {
                    _ if moved => PartRelation::Moved,
                    [_, 0, 0, 0] if !renamed => PartRelation::Same,
                    _ => PartRelation::Changed,
                }
            }
        };
        outline.push(SectionChange { relation, older: before, newer: Some(index), provisions });
    }
    let removed = (0..older.sections.len()).filter(|index| !to_newer.contains_key(index));
    outline.extend(removed.map(|index| SectionChange {
        relation: PartRelation::Removed,
        older: Some(index),
        newer: None,
        provisions: counts[0][index],
    }));
    outline
}

fn title(section: &ComparisonSection) -> String {
    normalized(section.title.as_deref().unwrap_or_default()).to_lowercase()
}
