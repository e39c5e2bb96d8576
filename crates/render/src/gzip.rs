//! Seekable gzip: one member (RFC 1952) in which inflation can begin at restart points, so that a slice costs
//! only its segments of the stream.

use std::ops::Range;

use bytes::{Buf, Bytes};
use crc_fast::{CrcAlgorithm, Digest};
use flate2::{Compress, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use serde::{Deserialize, Serialize};

/// The compression of representations.
#[derive(Clone, Copy, Debug)]
pub struct Compression {
    /// Level of gzip, 0 to 9.
    pub level: u32,
    /// Identity bytes between two restart points, at least.
    pub restart_distance: usize,
}

/// Level of gzip for stored representations, by the measurements of docs/decisions/0007-stored-form.md.
const STORED_LEVEL: u32 = 5;

impl Default for Compression {
    /// The compression of what is stored.
    fn default() -> Self {
        Self::with_level(STORED_LEVEL)
    }
}

impl Compression {
    /// Compression at a level, with the distance of restart points that was chosen by measurement
    /// (docs/decisions/0007-stored-form.md).
    pub fn with_level(level: u32) -> Self {
        Self { level, restart_distance: 16 << 10 }
    }
}

/// Fewest bytes that are compressed: below this, gzip saves no packet, and a representation is stored as it
/// is.
pub const MIN_COMPRESSED: usize = 860;

/// Identity bytes that are collected for one call of the compressor.
const BATCH: usize = 64 << 10;

/// The header of RFC 1952, section 2.3: deflate, no name, no time, an unknown system.
pub(crate) const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// A position where inflation can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Restart {
    /// Offset in the identity bytes.
    pub identity: u32,
    /// Offset in the stored bytes.
    pub stored: u32,
}

impl Restart {
    /// Offsets in the identity bytes and in the stored bytes.
    pub(crate) fn offsets(self) -> (u64, u64) {
        (self.identity.into(), self.stored.into())
    }
}

/// The bytes of a complete representation.
#[cfg_attr(test, derive(Clone))]
pub(crate) struct Encoded {
    /// The bytes that are stored: gzip, or the identity bytes.
    pub bytes: Vec<u8>,
    /// Number of identity bytes.
    pub size: u64,
    /// The [tag](tag_of) of the identity bytes.
    pub identity_tag: u64,
    /// True if `bytes` are gzip.
    pub compressed: bool,
    /// The points where inflation can begin, apart from the start.
    pub restarts: Vec<Restart>,
}

impl Encoded {
    /// Bytes that are stored as they are.
    pub(crate) fn plain(bytes: Vec<u8>) -> Self {
        let (size, identity_tag) = (bytes.len() as u64, tag_of(&bytes));
        Self { bytes, size, identity_tag, compressed: false, restarts: Vec::new() }
    }
}

/// Compresses one representation after another with one state, whose tables use 260 KB.
pub(crate) struct Encoder {
    deflate: Compress,
    restart_distance: usize,
    /// Identity bytes that wait to be compressed. What is rendered goes to their end.
    pub pending: Vec<u8>,
    bytes: Vec<u8>,
    checksum: Crc,
    tag: Digest,
    restarts: Vec<Restart>,
}

impl Encoder {
    pub(crate) fn new(Compression { level, restart_distance }: Compression) -> Self {
        Self {
            deflate: Compress::new(flate2::Compression::new(level), false),
            restart_distance,
            pending: Vec::new(),
            bytes: Vec::new(),
            checksum: Crc::new(),
            tag: Digest::new(TAG),
            restarts: Vec::new(),
        }
    }

    /// Encodes bytes that are there.
    pub(crate) fn encode(&mut self, bytes: &[u8]) -> Encoded {
        for batch in bytes.chunks(BATCH) {
            self.pending.extend_from_slice(batch);
            self.flush_full_batch();
        }
        self.finish()
    }

    /// Number of identity bytes so far.
    pub(crate) fn size(&self) -> usize {
        self.checksum.amount() as usize + self.pending.len()
    }

    /// Compresses the waiting bytes if they are many; called between two fragments.
    pub(crate) fn flush_full_batch(&mut self) {
        if self.pending.len() >= BATCH {
            self.compress(FlushCompress::None);
        }
    }

    /// As [`flush_full_batch`](Self::flush_full_batch), with a restart point if the last one is far enough.
    pub(crate) fn slice_boundary(&mut self) {
        if self.pending.len() >= self.restart_distance {
            self.compress(FlushCompress::Full);
            self.restarts.push(Restart { identity: offset(self.size()), stored: offset(self.bytes.len()) });
        }
    }

    /// Ends the representation; the next one may begin.
    pub(crate) fn finish(&mut self) -> Encoded {
        if self.bytes.is_empty() && self.pending.len() < MIN_COMPRESSED {
            return Encoded::plain(std::mem::take(&mut self.pending));
        }
        let size = self.size() as u64;
        self.compress(FlushCompress::Finish);
        self.bytes.extend_from_slice(&self.checksum.sum().to_le_bytes());
        self.bytes.extend_from_slice(&self.checksum.amount().to_le_bytes());
        self.deflate.reset();
        self.checksum.reset();
        Encoded {
            bytes: std::mem::take(&mut self.bytes),
            size,
            identity_tag: self.tag.finalize_reset(),
            compressed: true,
            restarts: std::mem::take(&mut self.restarts),
        }
    }

    /// Compresses what waits. After `Full` and `Finish`, `bytes` hold all of it.
    fn compress(&mut self, flush: FlushCompress) {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(&HEADER);
        }
        self.checksum.update(&self.pending);
        self.tag.update(&self.pending);
        let mut rest = &self.pending[..];
        loop {
            self.bytes.reserve(rest.len() / 4 + 256);
            let before = self.deflate.total_in();
            let status =
                self.deflate.compress_vec(rest, &mut self.bytes, flush).expect("the state is in order");
            rest = &rest[(self.deflate.total_in() - before) as usize..];
            if status == Status::StreamEnd {
                break;
            }
            // The compressor may hold back output while there is no room for it.
            let has_room = self.bytes.len() < self.bytes.capacity();
            if flush != FlushCompress::Finish && rest.is_empty() && has_room {
                break;
            }
        }
        self.pending.clear();
    }
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("limits keep a view below 4 GiB")
}

/// The checksum of 64 bits that tags bytes: it must differ between two states of one representation, but need
/// not be secret. SHA-256 instead takes 3 % of the CPU time of an ingest.
const TAG: CrcAlgorithm = CrcAlgorithm::Crc64Nvme;

/// The tag of some bytes: their CRC-64/NVME.
pub(crate) fn tag_of(bytes: &[u8]) -> u64 {
    crc_fast::checksum(TAG, bytes)
}

/// Stored bytes that are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored bytes of {what} cannot be inflated to the length that is stated for them")]
pub struct Damaged {
    /// Name of the representation, for messages.
    pub what: &'static str,
}

/// Most bytes that deflate makes from one (zlib's technical details, "maximum compression factor").
const MOST_EXPANDED: usize = 1032;

/// Inflates all `size` identity bytes of one stored representation. They are made at once, which libdeflate
/// does in 0.6 of the time that zlib-rs takes (docs/decisions/0002-dependencies.md).
pub(crate) fn inflate(what: &'static str, stored: &[u8], size: usize) -> Result<Vec<u8>, Damaged> {
    deflate_decode(what, stored.get(HEADER.len()..).ok_or(Damaged { what })?, size)
}

/// Inflates a whole deflate stream (RFC 1951) of `size` bytes.
pub(crate) fn deflate_decode(what: &'static str, deflated: &[u8], size: usize) -> Result<Vec<u8>, Damaged> {
    let damaged = Damaged { what };
    if size > deflated.len().saturating_mul(MOST_EXPANDED) {
        return Err(damaged);
    }
    let mut identity = vec![0; size];
    match libdeflater::Decompressor::new().deflate_decompress(deflated, &mut identity) {
        Ok(made) if made == size => Ok(identity),
        _ => Err(damaged),
    }
}

/// Inflation of one stored representation, forwards from its start.
pub(crate) struct Cursor {
    what: &'static str,
    /// The inflation; `None` if the stored bytes are the identity bytes.
    inflate: Option<Decompress>,
    /// Number of stored bytes.
    stored: u64,
    /// Offset of the next identity byte.
    identity: u64,
    /// Offset of the stored byte after `input`.
    next: u64,
    /// Stored bytes that wait to be inflated.
    input: Bytes,
}

/// The next need of a cursor.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing: `room` is full, or the slice is complete.
    Done,
    /// Stored bytes from the start of this range on, which ends where the representation ends.
    Needs(Range<u64>),
}

impl Cursor {
    /// A cursor at the start.
    pub(crate) fn new(what: &'static str, compressed: bool, stored: u64) -> Self {
        let (inflate, next) =
            if compressed { (Some(Decompress::new(false)), HEADER.len() as u64) } else { (None, 0) };
        Self { what, inflate, stored, identity: 0, next, input: Bytes::new() }
    }

    /// True if this identity byte was read before, so that only a new cursor reaches it.
    pub(crate) fn is_past(&self, identity: u64) -> bool {
        identity < self.identity
    }

    /// Continues at a restart point if that is ahead.
    pub(crate) fn skip_to(&mut self, restart: Restart) {
        let (identity, stored) = restart.offsets();
        if identity <= self.identity {
            return;
        }
        let input_start = self.next.saturating_sub(self.input.len() as u64);
        match stored.checked_sub(input_start) {
            Some(passed) if passed <= self.input.len() as u64 => self.input.advance(passed as usize),
            _ => (self.input, self.next) = (Bytes::new(), stored),
        }
        if let Some(state) = &mut self.inflate {
            state.reset(false);
        }
        self.identity = identity;
    }

    /// Takes the stored bytes that were requested.
    pub(crate) fn supply(&mut self, bytes: Bytes) {
        // If no bytes came, none will come.
        self.next = if bytes.is_empty() { u64::MAX } else { self.next.saturating_add(bytes.len() as u64) };
        self.input = bytes;
    }

    /// Appends at most `room` identity bytes of a slice to `out`, and removes them from the slice. The slice
    /// begins where the one before ended, or later.
    pub(crate) fn extract(
        &mut self,
        slice: &mut Range<u64>,
        out: &mut Vec<u8>,
        room: usize,
    ) -> Result<Progress, Damaged> {
        let damaged = Damaged { what: self.what };
        if slice.start < self.identity {
            return Err(damaged);
        }
        let full = out.len() + room;
        while !slice.is_empty() && out.len() < full {
            let start = out.len();
            let skipped = slice.start > self.identity;
            let wanted = if skipped { slice.start - self.identity } else { slice.end - slice.start };
            out.resize(start + wanted.min((full - start) as u64) as usize, 0);
            let made = self.inflate(&mut out[start..]).ok_or(damaged)?;
            out.truncate(if skipped { start } else { start + made });
            self.identity += made as u64;
            if !skipped {
                slice.start += made as u64;
            }
            if made == 0 {
                // Either there is input that gives nothing, or all of the stored bytes were read.
                if !self.input.is_empty() || self.next >= self.stored {
                    return Err(damaged);
                }
                return Ok(Progress::Needs(self.next..self.stored));
            }
        }
        Ok(Progress::Done)
    }

    /// Writes identity bytes to `out`, and returns their number. None when the stream is not deflate (RFC
    /// 1951).
    fn inflate(&mut self, out: &mut [u8]) -> Option<usize> {
        let Some(state) = &mut self.inflate else {
            let piece = self.input.split_to(self.input.len().min(out.len()));
            out[..piece.len()].copy_from_slice(&piece);
            return Some(piece.len());
        };
        let (read, made) = (state.total_in(), state.total_out());
        let result = state.decompress(&self.input, out, FlushDecompress::None);
        let read = (state.total_in() - read) as usize;
        self.input.advance(read);
        result.ok().map(|_| (state.total_out() - made) as usize)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Read;

    use flate2::bufread::GzDecoder;
    use proptest::prelude::*;

    use super::*;

    /// Texts that compress, and bytes that do not.
    pub(crate) fn fragments() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let text = "[a-e ]{0,40}".prop_map(|text| text.repeat(9).into_bytes());
        let bytes = proptest::collection::vec(any::<u8>(), 0..3000);
        proptest::collection::vec(prop_oneof![text, bytes], 0..12)
    }

    /// A slice, read from the start on.
    fn slice_of(encoded: &Encoded, mut slice: Range<u64>, piece: usize, room: usize) -> Vec<u8> {
        let stored = Bytes::from(encoded.bytes.clone());
        let size = stored.len() as u64;
        let mut cursor = Cursor::new("test", encoded.compressed, size);
        let mut out = Vec::new();
        while !slice.is_empty() {
            if let Progress::Needs(range) = cursor.extract(&mut slice, &mut out, room).unwrap() {
                let range = range.start as usize..(range.end as usize).min(range.start as usize + piece);
                cursor.supply(stored.slice(range));
            }
        }
        out
    }

    proptest! {
        #[test]
        fn a_slice_of_any_fragments_at_any_distance_is_that_slice_of_the_identity(
            fragments in fragments(),
            distance in 1..5000_usize,
            level in 0..10_u32,
            (piece, room) in (1..4000_usize, 1..9000_usize),
            cut in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        ) {
            let mut encoder = Encoder::new(Compression { level, restart_distance: distance });
            for fragment in &fragments {
                encoder.slice_boundary();
                encoder.pending.extend_from_slice(fragment);
            }
            let encoded = encoder.finish();
            let identity = fragments.concat();
            prop_assert_eq!(encoded.size, identity.len() as u64);
            prop_assert_eq!(encoded.identity_tag, tag_of(&identity));
            let (a, b) = (cut.0.index(identity.len() + 1), cut.1.index(identity.len() + 1));
            let (start, end) = (a.min(b), a.max(b));
            let slice = slice_of(&encoded, start as u64..end as u64, piece, room);
            prop_assert_eq!(&slice, &identity[start..end]);
            prop_assert_eq!(&slice_of(&encoded, 0..identity.len() as u64, piece, room), &identity);
        }

        #[test]
        fn a_stored_representation_is_one_gzip_member(fragments in fragments(), distance in 1..5000_usize) {
            let mut encoder = Encoder::new(Compression { level: 6, restart_distance: distance });
            for _ in 0..2 {
                // The second time shows that nothing is left of the first.
                for fragment in &fragments {
                    encoder.slice_boundary();
                    encoder.pending.extend_from_slice(fragment);
                }
                let encoded = encoder.finish();
                let identity = fragments.concat();
                prop_assert!(encoded.compressed || identity.len() < MIN_COMPRESSED);
                if encoded.compressed {
                    // This decoder reads one member and leaves what comes after it.
                    let mut decoder = GzDecoder::new(&encoded.bytes[..]);
                    let mut read = Vec::new();
                    decoder.read_to_end(&mut read).unwrap();
                    prop_assert_eq!(&read, &identity);
                    prop_assert!(decoder.into_inner().is_empty());
                    prop_assert_eq!(inflate("test", &encoded.bytes, read.len()).unwrap(), identity);
                } else {
                    prop_assert_eq!(encoded.bytes, identity);
                }
            }
        }
    }

    #[test]
    fn inflation_stops_where_the_bytes_are_damaged_or_end_early() {
        let mut encoder = Encoder::new(Compression { level: 6, restart_distance: 4000 });
        for n in 0..3000 {
            encoder.slice_boundary();
            encoder.pending.extend_from_slice(format!("clause {n}; ").as_bytes());
        }
        let encoded = encoder.finish();
        let size = encoded.bytes.len() as u64;
        let read = |stored: Bytes, mut slice: Range<u64>| {
            let mut cursor = Cursor::new("test", true, size);
            let mut out = Vec::new();
            while !slice.is_empty() {
                if let Progress::Needs(range) = cursor.extract(&mut slice, &mut out, 4096)? {
                    let [start, end] = [range.start, range.end].map(|at| (at as usize).min(stored.len()));
                    cursor.supply(stored.slice(start..end));
                }
            }
            Ok::<_, Damaged>(out)
        };
        let whole = Bytes::from(encoded.bytes.clone());
        assert!(read(whole.clone(), 0..encoded.size).is_ok());
        for (stored, size) in
            [(&whole[..], 1), (&whole[..], encoded.size + 1), (&whole[..9], 0), (&whole[..99], encoded.size)]
        {
            assert!(inflate("test", stored, size as usize).is_err());
        }
        // More than there is, and less than there was.
        assert!(read(whole.clone(), 0..encoded.size + 1).is_err());
        assert!(read(whole.slice(..whole.len() / 2), 0..encoded.size).is_err());
    }
}
