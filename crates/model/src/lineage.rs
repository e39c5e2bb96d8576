//! Lineages: in several editions of one document, the provisions that are the same one.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ProvisionId;
use crate::id::{read_id, write_id};

const PREFIX: &str = "lin_";

/// The name of a lineage: the 128 bits of the id of its oldest member, encrypted by the lineage key of the
/// catalogue. It is written `lin_` and 26 characters of lower-case base32 (RFC 4648, section 6, without
/// padding).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LineageId([u8; 16]);

impl LineageId {
    /// The id of these bits.
    pub fn from_bytes(bits: [u8; 16]) -> Self {
        Self(bits)
    }

    /// The 128 bits of the id as bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for LineageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_id(PREFIX, self.0, f)
    }
}

impl fmt::Debug for LineageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error of parsing a [`LineageId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a lineage id is `lin_` and 26 characters of a–z and 2–7")]
pub struct ParseLineageIdError;

impl FromStr for LineageId {
    type Err = ParseLineageIdError;

    /// Reads the form that `Display` writes; letters of either case.
    fn from_str(text: &str) -> Result<Self, ParseLineageIdError> {
        read_id(PREFIX, text).map(Self).ok_or(ParseLineageIdError)
    }
}

/// The partition of the provisions of one document into lineages. A provision is named by the index of its
/// edition and its ordinal in that edition; one that no link names is a lineage of its own.
///
/// A lineage is a path: links join neighbouring editions only, and a provision has at most one older and one
/// newer link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partition {
    /// The editions that take part, oldest first.
    pub editions: Vec<PartitionEdition>,
    /// The links of each two neighbours. Editions in several languages have neighbours in each of them.
    pub neighbours: Vec<NeighbourLinks>,
}

/// The state of an edition in which its provisions have the ordinals of a partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionEdition {
    /// URN of the edition.
    pub urn: Box<str>,
    /// State of its source and derivation.
    pub revision: Box<str>,
}

/// The links of two neighbouring editions, as ordinals of an older and a newer provision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeighbourLinks {
    /// Index of the older edition.
    pub older: usize,
    /// Index of the newer edition.
    pub newer: usize,
    /// Links that unite, in ascending order; each provision is in at most one of them.
    pub united: Vec<(u32, u32)>,
    /// Possible splits and mergers, in ascending order, which unite nothing.
    pub related: Vec<(u32, u32)>,
}

/// Index of an edition in a partition, and ordinal of a provision in it.
pub type PartitionPosition = (usize, u32);

impl Partition {
    /// Index of the edition with this URN in this state.
    pub fn edition(&self, urn: &str, revision: &str) -> Option<usize> {
        self.editions.iter().position(|edition| *edition.urn == *urn && *edition.revision == *revision)
    }

    /// True for two editions that are neighbours and were compared.
    pub fn are_neighbours(&self, older: &str, newer: &str) -> bool {
        for pair in &self.neighbours {
            let Some(of_older) = self.editions.get(pair.older) else { continue };
            let Some(of_newer) = self.editions.get(pair.newer) else { continue };
            if *of_older.urn == *older && *of_newer.urn == *newer {
                return true;
            }
        }
        false
    }

    /// The next older member of the lineage of a provision.
    pub fn previous(&self, (edition, ordinal): PartitionPosition) -> Option<PartitionPosition> {
        for pair in &self.neighbours {
            if pair.newer != edition {
                continue;
            }
            if let Some(&(older, _)) = pair.united.iter().find(|&&(_, newer)| newer == ordinal) {
                return Some((pair.older, older));
            }
        }
        None
    }

    /// The next newer member of the lineage of a provision.
    pub fn next(&self, (edition, ordinal): PartitionPosition) -> Option<PartitionPosition> {
        for pair in &self.neighbours {
            if pair.older != edition {
                continue;
            }
            if let Ok(at) = pair.united.binary_search_by_key(&ordinal, |&(older, _)| older) {
                let (_, newer) = pair.united[at];
                return Some((pair.newer, newer));
            }
        }
        None
    }

    /// The members of the lineage of a provision that are older, the nearest one first.
    pub fn older(&self, position: PartitionPosition) -> impl Iterator<Item = PartitionPosition> {
        std::iter::successors(self.previous(position), |position| self.previous(*position))
    }

    /// The members of the lineage of a provision that are newer, the nearest one first.
    pub fn newer(&self, position: PartitionPosition) -> impl Iterator<Item = PartitionPosition> {
        std::iter::successors(self.next(position), |position| self.next(*position))
    }

    /// The oldest member of the lineage of a provision.
    pub fn oldest(&self, position: PartitionPosition) -> PartitionPosition {
        self.older(position).last().unwrap_or(position)
    }

    /// Provisions of the older neighbour from which a provision was possibly split or merged.
    pub fn older_related(
        &self,
        (edition, ordinal): PartitionPosition,
    ) -> impl Iterator<Item = PartitionPosition> {
        let pairs = self.neighbours.iter().filter(move |pair| pair.newer == edition);
        pairs.flat_map(move |pair| {
            pair.related.iter().filter(move |link| link.1 == ordinal).map(|link| (pair.older, link.0))
        })
    }

    /// Provisions of the newer neighbour into which a provision was possibly split or merged.
    pub fn newer_related(
        &self,
        (edition, ordinal): PartitionPosition,
    ) -> impl Iterator<Item = PartitionPosition> {
        let pairs = self.neighbours.iter().filter(move |pair| pair.older == edition);
        pairs.flat_map(move |pair| {
            pair.related.iter().filter(move |link| link.0 == ordinal).map(|link| (pair.newer, link.1))
        })
    }

    /// The next older member of the lineage of each provision, by edition and ordinal. For a whole edition,
    /// [`previous`](Self::previous) would search once for each provision.
    pub fn all_previous(&self) -> HashMap<PartitionPosition, PartitionPosition> {
        let mut all = HashMap::new();
        // The first pair counts where an edition has neighbours in several languages, as it does for one
        // provision.
        for pair in self.neighbours.iter().rev() {
            for &(older, newer) in &pair.united {
                all.insert((pair.newer, newer), (pair.older, older));
            }
        }
        all
    }

    /// The pairs of provisions of two editions that are in one lineage, as ordinals, by the second. The first
    /// edition comes before the second.
    pub fn pairs(&self, older: usize, newer: usize) -> Vec<(u32, u32)> {
        let previous = self.all_previous();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for &(edition, ordinal) in previous.keys() {
            if edition != newer {
                continue;
            }
            if let Some(older_ordinal) = member_in(&previous, older, (edition, ordinal)) {
                pairs.push((older_ordinal, ordinal));
            }
        }
        pairs.sort_unstable_by_key(|&(_, ordinal)| ordinal);
        pairs
    }

    /// A partition is valid if indices are in range and links lead from older to newer editions, so that
    /// every walk ends.
    pub fn is_valid(&self) -> bool {
        for pair in &self.neighbours {
            let leads_to_newer = pair.older < pair.newer;
            let is_in_range = pair.newer < self.editions.len();
            let is_sorted = pair.united.is_sorted() && pair.related.is_sorted();
            if !leads_to_newer || !is_in_range || !is_sorted {
                return false;
            }
        }
        true
    }
}

/// The ordinal of the member that a lineage has in an edition: this one, or an older one.
fn member_in(
    previous: &HashMap<PartitionPosition, PartitionPosition>,
    edition: usize,
    position: PartitionPosition,
) -> Option<u32> {
    let mut member = position;
    while member.0 != edition {
        member = *previous.get(&member)?;
    }
    Some(member.1)
}

/// A provision or lineage whose fate a caller asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// A provision, by an id that it has or had.
    Provision(ProvisionId),
    /// A lineage, by any id that it has or had.
    Lineage(LineageId),
}

/// Error of parsing an [`Asked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a provision or lineage is `prv_` or `lin_` and 26 characters of a–z and 2–7")]
pub struct ParseAskedError;

impl FromStr for Asked {
    type Err = ParseAskedError;

    fn from_str(text: &str) -> Result<Self, ParseAskedError> {
        if let Ok(id) = text.parse::<ProvisionId>() {
            return Ok(Self::Provision(id));
        }
        match text.parse::<LineageId>() {
            Ok(id) => Ok(Self::Lineage(id)),
            Err(ParseLineageIdError) => Err(ParseAskedError),
        }
    }
}

/// The fate of a provision or lineage in one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// What became of it.
    pub fate: Fate,
    /// The lineage; `None` if no provision of it is left, and while the document waits for its lineages to be
    /// updated.
    pub lineage: Option<LineageId>,
    /// The requested provision, or the member of the requested lineage, by the URN of its edition and its
    /// ordinal there. `None` where that edition is hidden, where an id is of an earlier revision, and of a
    /// lineage without an edition. Of an id that changed only with the rules by which an edition is derived,
    /// the provision that has the present id.
    pub source: Option<(Box<str>, usize)>,
    /// The earlier revision that had the requested id, where no present one has it and its edition may be
    /// read.
    pub former: Option<FormerId>,
}

/// An id of an earlier revision of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerId {
    /// The requested id, then those that took its place when only the rules changed by which an edition is
    /// derived.
    pub ids: Vec<ProvisionId>,
    /// URN of the edition.
    pub urn: Box<str>,
    /// The last revision that had it.
    pub revision: Box<str>,
    /// Set where no text changed: only the rules by which the edition is derived.
    pub by_rules: bool,
}

/// The outcome in one edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The provision with this ordinal.
    Provision(usize),
    /// No provision: the lineage has members, none of them in this edition.
    Absent,
    /// No provision: the lineage has no member in any edition.
    Gone,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lineage_id_reads_back_from_what_it_writes() {
        let id = LineageId::from_bytes([7; 16]);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.to_string().len(), 30);
        assert!("prv_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse::<LineageId>().is_err());
    }

    #[test]
    fn a_lineage_is_walked_in_both_directions() {
        let edition = |name: &str| PartitionEdition { urn: name.into(), revision: "1".into() };
        let pair = |older, newer, united, related| NeighbourLinks { older, newer, united, related };
        let partition = Partition {
            editions: vec![edition("a"), edition("b"), edition("c")],
            neighbours: vec![
                pair(0, 1, vec![(0, 3), (2, 1)], vec![(0, 4)]),
                pair(1, 2, vec![(3, 0)], Vec::new()),
            ],
        };
        assert!(partition.is_valid());
        assert_eq!(partition.older((2, 0)).collect::<Vec<_>>(), [(1, 3), (0, 0)]);
        assert_eq!(partition.newer((0, 0)).collect::<Vec<_>>(), [(1, 3), (2, 0)]);
        assert_eq!((partition.oldest((2, 0)), partition.oldest((2, 9))), ((0, 0), (2, 9)));
        let previous = partition.all_previous();
        for position in (0..3).flat_map(|edition| (0..5).map(move |ordinal| (edition, ordinal))) {
            assert_eq!(previous.get(&position).copied(), partition.previous(position), "{position:?}");
        }
        assert_eq!(partition.older_related((1, 4)).collect::<Vec<_>>(), [(0, 0)]);
        assert_eq!(partition.newer_related((0, 0)).collect::<Vec<_>>(), [(1, 4)]);
        let backwards = Partition { neighbours: vec![pair(1, 1, Vec::new(), Vec::new())], ..partition };
        assert!(!backwards.is_valid());
    }
}
