//! Layout of a blob: the end and the checksum of each piece, stored in the catalogue apart from the bytes.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use norma_model::Digest;

use crate::{Result, StoreError};

/// The largest piece, in bytes. What is stored depends on it. Chosen by measurement:
/// `docs/decisions/0005-pieces-and-checksums.md`.
pub(crate) const PIECE: usize = 256 << 10;

/// Bytes of a piece in the stored form: its length and its checksum.
const STORED: usize = 8;

/// The pieces of a blob, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlobLayout(Box<[BlobPiece]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlobPiece {
    /// Where the piece ends in the blob, in bytes from its start.
    end: u64,
    /// CRC-32C (RFC 9260, appendix A).
    checksum: u32,
}

impl BlobLayout {
    /// Cuts bytes at each of `cuts`, and where a piece would be larger than [`PIECE`].
    pub(crate) fn new(bytes: &[u8], cuts: &[u32]) -> Self {
        let size = bytes.len();
        let mut pieces = Vec::with_capacity(cuts.len() + 1);
        let mut start = 0;
        for end in cuts.iter().map(|cut| *cut as usize).chain([size]) {
            while start < end.min(size) {
                let piece = &bytes[start..end.min(size).min(start + PIECE)];
                start += piece.len();
                pieces.push(BlobPiece { end: start as u64, checksum: crc_fast::crc32_iscsi(piece) });
            }
        }
        Self(pieces.into())
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it ends within a piece.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (pieces, rest) = bytes.as_chunks::<STORED>();
        if !rest.is_empty() {
            return Err(StoreError::corrupt(format!("the pieces of a blob are {} bytes", bytes.len())));
        }
        let (mut read, mut end) = (Vec::with_capacity(pieces.len()), 0);
        for [a, b, c, d, checksum @ ..] in pieces {
            end += u64::from(u32::from_be_bytes([*a, *b, *c, *d]));
            read.push(BlobPiece { end, checksum: u32::from_be_bytes(*checksum) });
        }
        Ok(Self(read.into()))
    }

    /// The stored form: length and checksum of each piece, each with its highest byte first.
    pub(crate) fn to_bytes(&self) -> Bytes {
        let mut bytes = BytesMut::with_capacity(STORED * self.count());
        let mut start = 0;
        for BlobPiece { end, checksum } in &self.0 {
            let length = u32::try_from(end - start).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(&checksum.to_be_bytes());
            start = *end;
        }
        bytes.freeze()
    }

    /// Bytes of all pieces.
    pub(crate) fn size(&self) -> u64 {
        self.0.last().map_or(0, |last| last.end)
    }

    /// Number of pieces; an empty blob has none.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The bytes of the blob that piece `n` has.
    pub(crate) fn range(&self, n: usize) -> Range<u64> {
        let start = match n.checked_sub(1).and_then(|before| self.0.get(before)) {
            Some(before) => before.end,
            None => 0,
        };
        let end = self.0.get(n).map_or(start, |piece| piece.end);
        start..end
    }

    /// The bytes of the blob that consecutive pieces have.
    pub(crate) fn span(&self, pieces: &Range<usize>) -> Range<u64> {
        self.range(pieces.start).start..self.range(pieces.end.saturating_sub(1)).end
    }

    /// All pieces in order, some at a time: of at most so many bytes, or one piece.
    pub(crate) fn runs(&self, most: u64) -> Vec<Range<usize>> {
        let (mut runs, mut start): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
        for end in 1..=self.count() {
            let next = self.span(&(start..end + 1));
            if end == self.count() || next.end - next.start > most {
                runs.push(start..end);
                start = end;
            }
        }
        runs
    }

    /// The begin of each piece except the first.
    pub(crate) fn cuts(&self) -> Vec<u32> {
        (1..self.count()).filter_map(|n| u32::try_from(self.range(n).start).ok()).collect()
    }

    /// The piece with the byte at this offset, if there is one.
    pub(crate) fn piece_at(&self, offset: u64) -> Option<usize> {
        if offset >= self.size() {
            return None;
        }
        Some(self.0.partition_point(|piece| piece.end <= offset))
    }

    /// The bytes read as these consecutive pieces of the blob, if each matches its checksum.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where one does not.
    pub(crate) fn checked(&self, digest: &Digest, pieces: Range<usize>, bytes: Bytes) -> Result<Bytes> {
        let span = self.span(&pieces);
        let corrupt = |Range { start, end }: &Range<u64>, what: String| {
            Err(StoreError::corrupt(format!("bytes {start} to {end} of the blob {digest} {what}")))
        };
        if bytes.len() as u64 != span.end - span.start {
            return corrupt(&span, format!("are {} bytes", bytes.len()));
        }
        for n in pieces {
            let range = self.range(n);
            let piece = &bytes[(range.start - span.start) as usize..(range.end - span.start) as usize];
            if self.0.get(n).is_none_or(|known| known.checksum != crc_fast::crc32_iscsi(piece)) {
                return corrupt(&range, "do not match their checksum".to_owned());
            }
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers without pattern, the same at each run (splitmix64).
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn piece(bytes: &Bytes, layout: &BlobLayout, n: usize) -> Bytes {
        let range = layout.range(n);
        bytes.slice(range.start as usize..range.end as usize)
    }

    #[test]
    fn each_of_100_000_random_bit_flips_is_found() {
        let mut state = 16;
        // Small ones, as most are, so that the test takes a second; and two pieces with a remainder.
        for (size, flips) in [(1usize, 100), (900, 40_000), (7_000, 50_000), (2 * PIECE + 77, 9_900)] {
            let bytes: Bytes = (0..size).map(|_| random(&mut state) as u8).collect();
            let digest = crate::Blob::new(bytes.clone()).digest();
            let layout = BlobLayout::new(&bytes, &[]);
            for _ in 0..flips {
                let at = random(&mut state) % size as u64;
                let n = layout.piece_at(at).unwrap();
                let mut piece = piece(&bytes, &layout, n).to_vec();
                piece[(at - layout.range(n).start) as usize] ^= 1 << (random(&mut state) % 8);
                let found = layout.checked(&digest, n..n + 1, piece.into());
                assert!(matches!(found, Err(StoreError::Corrupt(_))), "a flip in byte {at} of {size}");
            }
            for n in 0..layout.count() {
                let piece = piece(&bytes, &layout, n);
                assert_eq!(layout.checked(&digest, n..n + 1, piece.clone()).unwrap(), piece);
            }
        }
    }

    #[test]
    fn the_checksum_is_crc_32c() {
        assert_eq!(
            BlobLayout::new(b"123456789", &[]).to_bytes(),
            [0, 0, 0, 9, 0xe3, 0x06, 0x92, 0x83].as_slice()
        );
    }

    #[test]
    fn a_piece_that_is_cut_or_that_is_another_one_is_found() {
        let bytes = Bytes::from((0..3 * PIECE as u32).map(|n| (n / 7) as u8).collect::<Vec<_>>());
        let digest = crate::Blob::new(bytes.clone()).digest();
        let layout = BlobLayout::new(&bytes, &[]);
        assert_eq!(layout.count(), 3);
        let [first, second] = [0, 1].map(|n| piece(&bytes, &layout, n));
        assert!(layout.checked(&digest, 1..2, first).is_err());
        assert!(layout.checked(&digest, 1..2, second.slice(1..)).is_err());
        assert!(layout.checked(&digest, 3..4, Bytes::new()).is_err());
        assert!(BlobLayout::from_bytes(&layout.to_bytes()[4..]).is_err());
        assert_eq!(layout.checked(&digest, 0..3, bytes.clone()).unwrap(), bytes);
        let mut damaged = bytes.to_vec();
        damaged[PIECE + 1] ^= 1;
        let error = layout.checked(&digest, 0..3, damaged.into()).unwrap_err().to_string();
        assert!(error.contains(&format!("bytes {PIECE} to {}", 2 * PIECE)), "{error}");
        assert!(layout.checked(&digest, 0..3, bytes.slice(1..)).is_err());
    }

    #[test]
    fn an_empty_blob_has_no_piece() {
        let none = BlobLayout::new(b"", &[0, 1]);
        assert_eq!((none.count(), none.size(), none.piece_at(0)), (0, 0, None));
        assert_eq!(BlobLayout::from_bytes(&none.to_bytes()).unwrap(), none);
    }

    proptest! {
        #[test]
        fn pieces_begin_where_a_blob_is_cut_and_make_it_up_whole(
            size in 0..700_000usize, cuts in prop::collection::vec(0..800_000u32, 0..8), most in 0..600_000u64,
        ) {
            let bytes = Bytes::from(vec![7; size]);
            let layout = BlobLayout::new(&bytes, &cuts);
            let mut end = 0;
            for n in 0..layout.count() {
                let range = layout.range(n);
                prop_assert!(range.start == end && range.end > end && range.end - end <= PIECE as u64);
                prop_assert_eq!(layout.piece_at(range.start), Some(n));
                prop_assert_eq!(layout.piece_at(range.end - 1), Some(n));
                end = range.end;
            }
            prop_assert_eq!((end, layout.size()), (size as u64, size as u64));
            let mut read = 0;
            for run in layout.runs(most) {
                let span = layout.span(&run);
                prop_assert!(run.start == read && (run.len() == 1 || span.end - span.start <= most));
                read = run.end;
            }
            prop_assert_eq!(read, layout.count());
            let mut last = 0;
            // One that is not larger than the one before it is not in order, and cuts nothing.
            for cut in cuts {
                if cut > last && (cut as usize) < size {
                    prop_assert_eq!(layout.range(layout.piece_at(cut.into()).unwrap()).start, u64::from(cut));
                }
                last = last.max(cut);
            }
            prop_assert_eq!(BlobLayout::from_bytes(&layout.to_bytes()).unwrap(), layout.clone());
            prop_assert_eq!(BlobLayout::new(&bytes, &layout.cuts()), layout);
        }
    }
}
