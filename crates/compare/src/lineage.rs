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
    /// The URN of the edition, with its date or number.
    pub urn: &'a str,
    /// The state of source and derivation: another one has other provisions.
    pub revision: &'a str,
    /// The languages of the text.
    pub languages: &'a [Lang],
    /// The ids of all provisions in document order; the index of one is its ordinal.
    pub provisions: &'a [ProvisionId],
}

/// Two neighbouring editions: the newer one is the first with this language after the older one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Index of the older edition.
    pub older: usize,
    /// Index of the newer edition.
    pub newer: usize,
    /// The language in which the two are compared.
    pub language: Lang,
}

/// A link that a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineageLink {
    /// The provision of the older edition.
    pub older: ProvisionId,
    /// The provision of the newer edition.
    pub newer: ProvisionId,
    /// The relation of the two provisions.
    pub relation: UnitRelation,
    /// The confidence in the link: a likely one does not unite.
    pub confidence: Confidence,
}

/// A publisher's statement about one provision or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthoredLink<'a> {
    /// URN of the older edition.
    pub older_urn: &'a str,
    /// The provision of the older edition; `None` if the newer one is new.
    pub older: Option<ProvisionId>,
    /// URN of the newer edition.
    pub newer_urn: &'a str,
    /// The provision of the newer edition; `None` if the older one was removed.
    pub newer: Option<ProvisionId>,
    /// The relation that the publisher states.
    pub relation: AuthoredRelation,
}

/// The relations of a publisher's table of correspondence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuthoredRelation {
    /// The words are the same.
    Same,
    /// The words are other ones for the same provision.
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
    /// All relations with their words in a table, in the order in which messages list them.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Same, "same"),
        (Self::Reworded, "reworded"),
        (Self::Split, "split"),
        (Self::Merged, "merged"),
        (Self::New, "new"),
        (Self::Removed, "removed"),
    ];

    /// The relation with this word in a table; `None` for another word.
    pub fn from_word(word: &str) -> Option<Self> {
        for (relation, own) in Self::ALL {
            if own == word {
                return Some(relation);
            }
        }
        None
    }

    /// The word of the relation in a table.
    pub fn word(self) -> &'static str {
        for (relation, word) in Self::ALL {
            if relation == self {
                return word;
            }
        }
        ""
    }

    /// True for a relation of two provisions that are one provision in two editions.
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
            let Some(older) = latest.insert(language, newer) else { continue };
            // An edition may list a language twice.
            if older != newer {
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
    for (Neighbours { older, newer, language: _ }, found) in links {
        let (older, newer) = (*older, *newer);
        let statements = Statements::new(&editions[older], &editions[newer], authored);
        // Two languages may have the same neighbours; what a publisher says is not of one language.
        let known = by_pair.iter().position(|pair| (pair.older, pair.newer) == (older, newer));
        let index = known.unwrap_or(by_pair.len());
        if known.is_none() {
            let mut pair = NeighbourLinks { older, newer, united: Vec::new(), related: Vec::new() };
            statements.add_to(&mut pair);
            by_pair.push(pair);
        }
        for link in found {
            add_found(&mut by_pair[index], link, &statements);
        }
    }
    for pair in &mut by_pair {
        pair.united.sort_unstable();
        pair.related.sort_unstable();
        pair.related.dedup();
    }
    by_pair.sort_by_key(|pair| (pair.older, pair.newer));
    let mut states = Vec::with_capacity(editions.len());
    for edition in editions {
        states.push(PartitionEdition { urn: edition.urn.into(), revision: edition.revision.into() });
    }
    Partition { editions: states, neighbours: by_pair }
}

/// Adds a link of a comparison, if the publisher says nothing of its two provisions.
fn add_found(pair: &mut NeighbourLinks, link: &LineageLink, statements: &Statements<'_>) {
    if statements.older_named.contains(&link.older) || statements.newer_named.contains(&link.newer) {
        return;
    }
    let Some((older, newer)) = statements.ordinals(&link.older, &link.newer) else { return };
    match link.relation {
        UnitRelation::Same | UnitRelation::Reworded => {
            if link.confidence >= Confidence::High {
                pair.united.push((older, newer));
            }
        }
        UnitRelation::Split | UnitRelation::Merged => pair.related.push((older, newer)),
    }
}

/// What a publisher says of the provisions of two neighbouring editions.
struct Statements<'a> {
    rows: Vec<&'a AuthoredLink<'a>>,
    /// Provisions of the older edition that a row names.
    older_named: HashSet<ProvisionId>,
    /// Provisions of the newer edition that a row names.
    newer_named: HashSet<ProvisionId>,
    older_ordinals: HashMap<&'a ProvisionId, u32>,
    newer_ordinals: HashMap<&'a ProvisionId, u32>,
}

impl<'a> Statements<'a> {
    fn new(older: &LineageEdition<'a>, newer: &LineageEdition<'a>, authored: &'a [AuthoredLink<'_>]) -> Self {
        let mut statements = Self {
            rows: Vec::new(),
            older_named: HashSet::new(),
            newer_named: HashSet::new(),
            older_ordinals: older.provisions.iter().zip(0..).collect(),
            newer_ordinals: newer.provisions.iter().zip(0..).collect(),
        };
        for row in authored {
            if row.older_urn == older.urn && row.newer_urn == newer.urn {
                statements.older_named.extend(row.older);
                statements.newer_named.extend(row.newer);
                statements.rows.push(row);
            }
        }
        statements
    }

    /// The ordinals of two provisions, if both editions have them.
    fn ordinals(&self, older: &ProvisionId, newer: &ProvisionId) -> Option<(u32, u32)> {
        Some((*self.older_ordinals.get(older)?, *self.newer_ordinals.get(newer)?))
    }

    /// Adds the links that the rows state. A provision with one row continues in its counterpart (both get
    /// one lineage); one in several rows, split or merged, is only related to each.
    fn add_to(&self, pair: &mut NeighbourLinks) {
        let mut links = BTreeSet::new();
        for row in &self.rows {
            let (Some(older), Some(newer)) = (row.older, row.newer) else { continue };
            let Some((older, newer)) = self.ordinals(&older, &newer) else { continue };
            links.insert((older, newer, row.relation.unites()));
        }
        let mut of_older: HashMap<u32, usize> = HashMap::new();
        let mut of_newer: HashMap<u32, usize> = HashMap::new();
        for (older, newer, _) in &links {
            *of_older.entry(*older).or_default() += 1;
            *of_newer.entry(*newer).or_default() += 1;
        }
        for (older, newer, unites) in links {
            let is_single = of_older[&older] == 1 && of_newer[&newer] == 1;
            if unites && is_single {
                pair.united.push((older, newer));
            } else {
                pair.related.push((older, newer));
            }
        }
    }
}

/// The heir of a provision of a stored partition whose edition is not published: the nearest older published
/// member of its lineage, or else the nearest newer one. `published` are all editions that are published.
pub fn heir(
    stored: &Partition,
    edition_urn: &str,
    ordinal: u32,
    published: &[LineageEdition<'_>],
) -> Option<ProvisionId> {
    let edition = stored.editions.iter().position(|edition| *edition.urn == *edition_urn)?;
    let provision = (edition, ordinal);
    for (edition, ordinal) in stored.older(provision).chain(stored.newer(provision)) {
        let id = published_id(&stored.editions[edition], ordinal, published);
        if id.is_some() {
            return id;
        }
    }
    None
}

/// The id of a provision, if its edition is published in the state that the partition knows.
fn published_id(
    state: &PartitionEdition,
    ordinal: u32,
    published: &[LineageEdition<'_>],
) -> Option<ProvisionId> {
    for edition in published {
        if edition.urn == &*state.urn && edition.revision == &*state.revision {
            return edition.provisions.get(ordinal as usize).copied();
        }
    }
    None
}
