//! Lineages of one document: the partition of the provisions of its editions, made from the links between
//! neighbours.
//!
//! The partition is a function of the editions, of the comparisons of neighbours and of the publisher's
//! correspondences: neither the order in which editions arrive nor an earlier partition has an influence.

use std::collections::{BTreeSet, HashMap, HashSet};

use norma_model::{Lang, NeighbourLinks, Partition, PartitionEdition, ProvisionId};

use crate::{Confidence, UnitRelation};

/// An edition as lineages need it.
#[derive(Clone, Copy, Debug)]
pub struct LineageEdition<'a> {
    /// Its URN.
    pub urn: &'a str,
    /// State of its source and derivation.
    pub revision: &'a str,
    /// Languages of its text.
    pub languages: &'a [Lang],
    /// Its provisions in document order.
    pub provisions: &'a [ProvisionId],
}

/// Two neighbouring editions: the newer one is the first with this language after the older one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Index of the older edition.
    pub older: usize,
    /// Index of the newer edition.
    pub newer: usize,
    /// The language.
    pub language: Lang,
}

/// A link that a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineageLink {
    /// The older provision.
    pub older: ProvisionId,
    /// The newer provision.
    pub newer: ProvisionId,
    /// The relation of the two.
    pub relation: UnitRelation,
    /// The confidence in it.
    pub confidence: Confidence,
}

/// A publisher's statement about one provision or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthoredLink<'a> {
    /// URN of the older edition.
    pub older_urn: &'a str,
    /// The older provision; `None` if the newer one is new.
    pub older: Option<ProvisionId>,
    /// URN of the newer edition.
    pub newer_urn: &'a str,
    /// The newer provision; `None` if the older one was removed.
    pub newer: Option<ProvisionId>,
    /// The relation of the two.
    pub relation: AuthoredRelation,
}

/// The relations of a publisher's table of correspondence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuthoredRelation {
    /// The same words.
    Same,
    /// Other words.
    Reworded,
    /// A part of the older provision became the newer one.
    Split,
    /// The older provision became a part of the newer one.
    Merged,
    /// The newer provision has no older one.
    New,
    /// The older provision has no newer one.
    Removed,
}

impl AuthoredRelation {
    /// All of them with their words, in the order in which messages list them.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Same, "same"),
        (Self::Reworded, "reworded"),
        (Self::Split, "split"),
        (Self::Merged, "merged"),
        (Self::New, "new"),
        (Self::Removed, "removed"),
    ];

    /// The relation with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, one)| *one == word).map(|(relation, _)| relation)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(relation, _)| *relation == self).map_or("", |(_, word)| word)
    }

    /// Whether it states that two provisions are the same one.
    fn unites(self) -> bool {
        matches!(self, Self::Same | Self::Reworded)
    }
}

/// The neighbours among editions, which are sorted oldest first: in each language an edition and the next
/// one.
pub fn neighbours(editions: &[LineageEdition<'_>]) -> Vec<Neighbours> {
    let mut latest: HashMap<&Lang, usize> = HashMap::new();
    let mut found = Vec::new();
    for (newer, edition) in editions.iter().enumerate() {
        for language in edition.languages {
            if let Some(older) = latest.insert(language, newer).filter(|older| *older != newer) {
                found.push(Neighbours { older, newer, language: language.clone() });
            }
        }
    }
    found
}

/// The partition. `links` is parallel to [`neighbours`]: the links that the comparison of the two found.
/// Links of confidence `High` and `Certain` whose relation is `Same` or `Reworded` unite. What a publisher
/// says of a provision, for just these neighbours, takes the place of all links of that provision; it unites
/// where neither provision is in another such row.
pub fn partition(
    editions: &[LineageEdition<'_>],
    links: &[(Neighbours, Vec<LineageLink>)],
    authored: &[AuthoredLink<'_>],
) -> Partition {
    let mut by_pair: Vec<NeighbourLinks> = Vec::new();
    let mut seen = HashSet::new();
    for (Neighbours { older, newer, language: _ }, found) in links {
        let (older, newer) = (*older, *newer);
        let ordinals = [&editions[older], &editions[newer]].map(ordinals);
        let index = match by_pair.iter().position(|pair| (pair.older, pair.newer) == (older, newer)) {
            Some(index) => index,
            None => {
                by_pair.push(NeighbourLinks { older, newer, united: Vec::new(), related: Vec::new() });
                by_pair.len() - 1
            }
        };
        let pair = &mut by_pair[index];
        let of_pair = authored
            .iter()
            .filter(|row| row.older_urn == editions[older].urn && row.newer_urn == editions[newer].urn)
            .collect::<Vec<_>>();
        let spoken: [HashSet<ProvisionId>; 2] = [
            of_pair.iter().filter_map(|row| row.older).collect(),
            of_pair.iter().filter_map(|row| row.newer).collect(),
        ];
        for link in found.iter().filter(|l| !spoken[0].contains(&l.older) && !spoken[1].contains(&l.newer)) {
            let (Some(&a), Some(&b)) = (ordinals[0].get(&link.older), ordinals[1].get(&link.newer)) else {
                continue;
            };
            match link.relation {
                UnitRelation::Same | UnitRelation::Reworded if link.confidence >= Confidence::High => {
                    pair.united.push((a, b))
                }
                UnitRelation::Same | UnitRelation::Reworded => {}
                UnitRelation::Split | UnitRelation::Merged => pair.related.push((a, b)),
            }
        }
        // Two languages may have the same neighbours; what a publisher says is not of one language.
        if seen.insert((older, newer)) {
            add_authored(pair, &of_pair, &ordinals);
        }
    }
    for pair in &mut by_pair {
        pair.united.sort_unstable();
        pair.related.sort_unstable();
        pair.related.dedup();
    }
    by_pair.sort_by_key(|pair| (pair.older, pair.newer));
    let edition = |edition: &LineageEdition<'_>| PartitionEdition {
        urn: edition.urn.into(),
        revision: edition.revision.into(),
    };
    Partition { editions: editions.iter().map(edition).collect(), neighbours: by_pair }
}

fn ordinals<'a>(edition: &LineageEdition<'a>) -> HashMap<&'a ProvisionId, u32> {
    edition.provisions.iter().zip(0..).collect()
}

fn add_authored(
    pair: &mut NeighbourLinks,
    rows: &[&AuthoredLink<'_>],
    ordinals: &[HashMap<&ProvisionId, u32>; 2],
) {
    let mut counts: [HashMap<u32, usize>; 2] = Default::default();
    let mut links = BTreeSet::new();
    for row in rows {
        let (Some(older), Some(newer)) = (row.older, row.newer) else { continue };
        let (Some(&older), Some(&newer)) = (ordinals[0].get(&older), ordinals[1].get(&newer)) else {
            continue;
        };
        links.insert((older, newer, row.relation.unites()));
    }
    for (older, newer, _) in &links {
        *counts[0].entry(*older).or_default() += 1;
        *counts[1].entry(*newer).or_default() += 1;
    }
    for (older, newer, unites) in links {
        match unites && counts[0][&older] == 1 && counts[1][&newer] == 1 {
            true => pair.united.push((older, newer)),
            false => pair.related.push((older, newer)),
        }
    }
}

/// The heir of a provision in a stored partition that is no longer published: the nearest older published
/// member of its lineage, or else the nearest newer one. `published` are the editions of now.
pub fn heir(
    stored: &Partition,
    edition_urn: &str,
    ordinal: u32,
    published: &[LineageEdition<'_>],
) -> Option<ProvisionId> {
    let edition = stored.editions.iter().position(|edition| *edition.urn == *edition_urn)?;
    let provision = (edition, ordinal);
    let is_published = |(edition, ordinal): (usize, u32)| {
        let state = &stored.editions[edition];
        let same = |one: &&LineageEdition<'_>| one.urn == &*state.urn && one.revision == &*state.revision;
        published.iter().find(same)?.provisions.get(ordinal as usize).copied()
    };
    stored.older(provision).chain(stored.newer(provision)).find_map(is_published)
}
