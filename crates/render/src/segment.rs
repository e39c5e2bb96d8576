//! Segments: the parts between two restart points, each inflated at once.

use std::ops::Range;

use bytes::Bytes;

use crate::Offsets;
use crate::gzip::{Damaged, HEADER, deflate_decode};
use crate::pack::{PackDirectory, PackPart, Stored};

/// A range of a part that is inflated at once: the whole part, or the range between two restart points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    part: PackPart,
    compressed: bool,
    /// Bytes of the pack.
    pub stored: Range<u64>,
    /// The identity bytes of the part in this segment.
    pub identity: Range<u64>,
}

/// An empty last block (RFC 1951, section 3.2.6), which completes a stream that ends at a restart point.
const LAST_BLOCK: [u8; 2] = [3, 0];

impl Segment {
    /// The segment of a part with a fragment, which is in one segment.
    ///
    /// # Errors
    /// Where there is no such fragment, or the restart points around it are not in order.
    pub fn find(
        directory: &PackDirectory,
        offsets: &Offsets,
        part: PackPart,
        fragment: &Range<u64>,
    ) -> Result<Self, Damaged> {
        let Stored { range, size, compressed, .. } = directory.part(part);
        let restarts = offsets.restarts(part);
        // The segment ends at this restart point, and begins at the one before.
        let next = restarts.partition_point(|restart| u64::from(restart.identity) <= fragment.start);
        let (start, stored_start) = match next.checked_sub(1) {
            Some(before) => restarts[before].offsets(),
            None if *compressed => (0, HEADER.len() as u64),
            None => (0, 0),
        };
        let (end, stored_end) = match restarts.get(next) {
            Some(restart) => restart.offsets(),
            None => (*size, range.end - range.start),
        };
        let stored = range.start.saturating_add(stored_start)..range.start.saturating_add(stored_end);
        let holds_fragment = fragment.end <= end;
        let is_in_part = end <= *size && stored.start <= stored.end && stored.end <= range.end;
        if !holds_fragment || !is_in_part {
            return Err(Damaged { what: part.name() });
        }
        Ok(Self { part, compressed: *compressed, stored, identity: start..end })
    }

    /// True if the whole fragment of this part lies in the segment.
    pub fn holds(&self, part: PackPart, fragment: &Range<u64>) -> bool {
        self.part == part && self.identity.start <= fragment.start && fragment.end <= self.identity.end
    }

    /// The identity bytes, of the stored ones.
    ///
    /// # Errors
    /// Where these are not what the directory and the restart points say.
    pub fn inflate(&self, stored: Bytes) -> Result<Bytes, Damaged> {
        let what = self.part.name();
        let size = usize::try_from(self.identity.end - self.identity.start).map_err(|_| Damaged { what })?;
        if self.compressed {
            let stream = [&stored, &LAST_BLOCK[..]].concat();
            return deflate_decode(what, &stream, size).map(Bytes::from);
        }
        if stored.len() != size {
            return Err(Damaged { what });
        }
        Ok(stored)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::graph::ProvisionNodes;
    use crate::gzip::tests::fragments;
    use crate::gzip::{Encoded, Encoder};
    use crate::{Compression, Pack};

    /// Fragments as one representation.
    fn encoded(fragments: &[Vec<u8>], level: u32, restart_distance: usize) -> Encoded {
        let mut encoder = Encoder::new(Compression { level, restart_distance });
        for fragment in fragments {
            encoder.slice_boundary();
            encoder.pending.extend_from_slice(fragment);
        }
        encoder.finish()
    }

    /// The directory and the offsets of a pack with this representation as its provisions.
    fn pack_of(encoded: &Encoded) -> (Pack, PackDirectory, Offsets) {
        let offsets = Offsets {
            item_restarts: encoded.restarts.clone(),
            provision_nodes: postcard::to_stdvec(&ProvisionNodes::default()).unwrap(),
            ..Offsets::default()
        };
        let parts = PackPart::ALL.map(|part| match part {
            PackPart::Provisions => encoded.clone(),
            _ => Encoder::new(Compression::with_level(6)).finish(),
        });
        let pack = Pack::new(parts, &Arc::new(offsets.clone()));
        let directory = PackDirectory::parse(&pack.directory).unwrap();
        (pack, directory, offsets)
    }

    proptest! {
        #[test]
        fn each_fragment_is_in_one_segment(
            fragments in fragments(), distance in 1..5000_usize, level in 0..10_u32,
        ) {
            let (pack, directory, offsets) = pack_of(&encoded(&fragments, level, distance));
            let mut end = 0;
            for fragment in fragments.iter().filter(|fragment| !fragment.is_empty()) {
                let range = end..end + fragment.len() as u64;
                end = range.end;
                let segment = Segment::find(&directory, &offsets, PackPart::Provisions, &range).unwrap();
                let [start, end] = [segment.stored.start, segment.stored.end].map(|at| at as usize);
                let read = segment.inflate(pack.bytes.slice(start..end)).unwrap();
                let [start, end] = [range.start, range.end].map(|at| (at - segment.identity.start) as usize);
                prop_assert_eq!(&read[start..end], &fragment[..]);
            }
        }
    }

    #[test]
    fn damaged_bytes_and_restart_points_that_do_not_fit_are_refused() {
        let fragments: Vec<_> = (0..3000).map(|n| format!("clause {n}; ").into_bytes()).collect();
        let encoded = encoded(&fragments, 6, 4000);
        let whole = Bytes::from(encoded.bytes.clone());
        let (_, directory, mut offsets) = pack_of(&encoded);
        let size = encoded.size;
        let segment =
            |offsets: &Offsets, range| Segment::find(&directory, offsets, PackPart::Provisions, &range);
        let first = segment(&offsets, 0..10).unwrap();
        let stored =
            whole.slice(HEADER.len()..HEADER.len() + (first.stored.end - first.stored.start) as usize);
        assert!(first.inflate(stored.clone()).is_ok());
        for damaged in [stored.slice(1..), stored.slice(..stored.len() / 2), Bytes::new()] {
            assert!(first.inflate(damaged).is_err());
        }
        // Beyond the end, across a restart point, and with a restart point that lies behind the part.
        assert!(segment(&offsets, size - 1..size + 1).is_err());
        assert!(segment(&offsets, first.identity.end - 1..first.identity.end + 1).is_err());
        offsets.item_restarts[0].stored = u32::MAX;
        assert!(segment(&offsets, 0..10).is_err());
        assert!(segment(&offsets, first.identity.end..first.identity.end + 1).is_err());
    }
}
