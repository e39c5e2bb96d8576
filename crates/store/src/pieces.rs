//! Pieces of a blob, and the checksum of each, which the catalogue keeps apart from the bytes.

use bytes::Bytes;
use norma_model::Digest;

use crate::{Error, Result};

/// Bytes of a piece, but of the last one of a blob. What is stored depends on it. Chosen by measurement:
/// `docs/decisions/0005-pieces-and-checksums.md`.
pub(crate) const PIECE: usize = 256 << 10;

/// Bytes of one checksum.
const SUM: usize = 4;

/// How many pieces a blob of so many bytes has; an empty one has one.
pub(crate) fn count(size: u64) -> u32 {
    u32::try_from(size.div_ceil(PIECE as u64).max(1)).unwrap_or(u32::MAX)
}

/// Where piece `n` lies in a blob of so many bytes.
pub(crate) fn place(size: u64, n: u32) -> std::ops::Range<u64> {
    let start = (u64::from(n) * PIECE as u64).min(size);
    start..(start + PIECE as u64).min(size)
}

/// The pieces of these bytes, in order.
pub(crate) fn of(bytes: &Bytes) -> impl Iterator<Item = Bytes> + '_ {
    let size = bytes.len() as u64;
    (0..count(size)).map(move |n| {
        let place = place(size, n);
        bytes.slice(place.start as usize..place.end as usize)
    })
}

/// The CRC-32C (RFC 9260, appendix A) of each piece of a blob, in order, each with its highest byte first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checksums(Bytes);

impl Checksums {
    /// Of the bytes of a whole blob.
    pub(crate) fn of(bytes: &Bytes) -> Self {
        Self(of(bytes).flat_map(|piece| checksum(&piece)).collect())
    }

    /// As they are stored, for a blob of so many bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where their number is not that of the pieces.
    pub(crate) fn stored(bytes: Bytes, size: u64) -> Result<Self> {
        if bytes.len() as u64 == u64::from(count(size)) * SUM as u64 {
            Ok(Self(bytes))
        } else {
            Err(Error::corrupt(format!("a blob of {size} bytes has {} bytes of checksums", bytes.len())))
        }
    }

    /// As they are stored.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// The bytes read as piece `n` of this blob, if they are what was written.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where they are not.
    pub(crate) fn checked(&self, digest: &Digest, size: u64, n: u32, piece: Bytes) -> Result<Bytes> {
        let at = n as usize * SUM;
        let expected = place(size, n);
        if piece.len() as u64 != expected.end - expected.start {
            let (found, start, end) = (piece.len(), expected.start, expected.end);
            return Err(Error::corrupt(format!(
                "bytes {start} to {end} of the blob {digest} are {found} bytes"
            )));
        }
        if self.0.get(at..at + SUM) != Some(&checksum(&piece)) {
            let (start, end) = (expected.start, expected.end);
            return Err(Error::corrupt(format!(
                "bytes {start} to {end} of the blob {digest} do not match their checksum"
            )));
        }
        Ok(piece)
    }
}

fn checksum(piece: &[u8]) -> [u8; SUM] {
    crc_fast::crc32_iscsi(piece).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without pattern, the same at each run (splitmix64).
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    #[test]
    fn each_of_100_000_random_bit_flips_is_found() {
        let mut state = 16;
        // Small ones, as most are, so that the test takes a second; and two pieces with a remainder.
        for (size, flips) in [(1usize, 100), (900, 40_000), (7_000, 50_000), (2 * PIECE + 77, 9_900)] {
            let bytes: Vec<u8> = (0..size).map(|_| random(&mut state) as u8).collect();
            let digest = crate::Blob::new(bytes.clone()).digest();
            let sums = Checksums::of(&Bytes::from(bytes.clone()));
            for _ in 0..flips {
                let at = random(&mut state) as usize % size;
                let n = (at / PIECE) as u32;
                let place = place(size as u64, n);
                let mut piece = bytes[place.start as usize..place.end as usize].to_vec();
                piece[at % PIECE] ^= 1 << (random(&mut state) % 8);
                let found = sums.checked(&digest, size as u64, n, piece.into());
                assert!(matches!(found, Err(Error::Corrupt(_))), "a flip in byte {at} of {size}");
            }
            for (n, piece) in of(&Bytes::from(bytes.clone())).enumerate() {
                assert_eq!(sums.checked(&digest, size as u64, n as u32, piece.clone()).unwrap(), piece);
            }
        }
    }

    #[test]
    fn the_checksum_is_crc_32c() {
        assert_eq!(checksum(b"123456789"), 0xe306_9283_u32.to_be_bytes());
    }

    #[test]
    fn a_piece_that_is_cut_or_that_is_another_one_is_found() {
        let bytes = Bytes::from((0..3 * PIECE as u32).map(|n| (n / 7) as u8).collect::<Vec<_>>());
        let (digest, size) = (crate::Blob::new(bytes.clone()).digest(), bytes.len() as u64);
        let sums = Checksums::of(&bytes);
        let pieces: Vec<Bytes> = of(&bytes).collect();
        assert_eq!(pieces.len(), 3);
        assert!(sums.checked(&digest, size, 1, pieces[0].clone()).is_err());
        assert!(sums.checked(&digest, size, 1, pieces[1].slice(1..)).is_err());
        assert!(sums.checked(&digest, size, 3, Bytes::new()).is_err());
        assert_eq!(Checksums::stored(sums.bytes().clone(), size).unwrap(), sums);
        assert!(Checksums::stored(sums.bytes().slice(4..), size).is_err());
    }

    #[test]
    fn an_empty_blob_has_one_empty_piece() {
        let none = Bytes::new();
        assert_eq!((count(0), of(&none).collect::<Vec<_>>()), (1, vec![Bytes::new()]));
        assert_eq!(count(PIECE as u64), 1);
        assert_eq!(count(PIECE as u64 + 1), 2);
        assert_eq!(Checksums::of(&none).bytes().len(), SUM);
    }
}
