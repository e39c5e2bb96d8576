//! Shares of an ingest or a rebuild, so that several machines do one together.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// Most shares of one ingest.
const MAX_SHARES: u32 = 1000;

/// A share of many documents or editions: `2/4` is the second of four. The shares of one number of shares
/// have no document in common, and together they have all. Which share a name is in depends on the name
/// alone, so that machines need not ask each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IngestShare {
    number: u32,
    of: u32,
}

impl IngestShare {
    /// The only share: all of them.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// True if what has this name is in the share. The name of a document is its path in its folder or
    /// archive, which is the same on machines that mount the folder at other places; that of an edition is
    /// its URN.
    pub fn has(&self, name: &str) -> bool {
        if self.of == 1 {
            return true;
        }
        let digest: [u8; 32] = Sha256::digest(name).into();
        let first = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        first % self.of == self.number - 1
    }
}

impl FromStr for IngestShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = text
            .split_once('/')
            .and_then(|(number, of)| Some(Self { number: number.parse().ok()?, of: of.parse().ok()? }));
        share
            .filter(|share| (1..=MAX_SHARES).contains(&share.of) && (1..=share.of).contains(&share.number))
            .ok_or_else(|| {
                format!("expected the number of the share and how many there are (2/4), at most {MAX_SHARES}")
            })
    }
}

impl fmt::Display for IngestShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_share_and_shares_are_of_similar_size() {
        for of in [1, 2, 3, 7] {
            let shares: Vec<IngestShare> =
                (1..=of).map(|number| format!("{number}/{of}").parse().expect("a share")).collect();
            let mut sizes = vec![0_usize; shares.len()];
            for number in 0..1000 {
                let name = format!("folder/standard {number}.xml");
                let owners: Vec<usize> = (0..shares.len()).filter(|at| shares[*at].has(&name)).collect();
                assert_eq!(owners.len(), 1, "{name}");
                sizes[owners[0]] += 1;
            }
            let fair = 1000 / shares.len();
            assert!(sizes.iter().all(|size| size.abs_diff(fair) <= fair / 3), "{sizes:?}");
        }
    }

    #[test]
    fn a_share_is_a_number_and_how_many_there_are() {
        assert_eq!("1/1".parse(), Ok(IngestShare::ALL));
        assert_eq!(
            "1000/1000".parse::<IngestShare>().map(|share| share.to_string()),
            Ok("1000/1000".to_owned())
        );
        for text in ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/1001", "a/b", "1/2/3"] {
            assert!(text.parse::<IngestShare>().is_err(), "{text}");
        }
    }
}
