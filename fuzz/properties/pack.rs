//! Any bytes as a pack, under any directory and any table of restart points: what is made of them is never
//! longer than what is stated, and ends.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;
use norma_render::{Assembly, Offsets, PackDirectory, PackPart, Plan, ReadStep, Segment};

/// Bytes that are supplied at once.
const PIECE: usize = 700;

/// Holds for any bytes: the lengths of directory and offsets in two bytes each, these two, and the pack.
pub(crate) fn holds(bytes: &[u8]) {
    let Some((lengths, rest)) = bytes.split_at_checked(4) else { return };
    let length = |at: usize| usize::from(u16::from_le_bytes([lengths[at], lengths[at + 1]]));
    let Some((directory, rest)) = rest.split_at_checked(length(0)) else { return };
    let Some((offsets, pack)) = rest.split_at_checked(length(2)) else { return };
    let (Some(directory), Some(offsets)) = (PackDirectory::parse(directory), Offsets::from_bytes(offsets))
    else {
        return;
    };
    let (offsets, pack) = (Arc::new(offsets), Bytes::copy_from_slice(pack));
    for part in PackPart::ALL {
        let stored = directory.part(part);
        let [start, end] = [stored.range.start, stored.range.end]
            .map(|at| usize::try_from(at).unwrap_or(usize::MAX).min(pack.len()));
        if let Ok(identity) = directory.identity(part, pack.slice(start..end)) {
            assert_eq!(identity.len() as u64, stored.size);
        }
    }
    for &view in View::ALL {
        let plan = || Plan::view(view, Bytes::from_static(b"{"), &directory, &offsets);
        let (Ok(plan), Ok(same)) = (plan(), plan()) else { continue };
        assemble(Assembly::new(plan, &directory), same.size(), &pack);
    }
    for (part, fragment) in fragments(&offsets) {
        let Ok(segment) = Segment::find(&directory, &offsets, part, &fragment) else { continue };
        assert!(segment.holds(part, &fragment));
        let Range { start, end } = segment.stored;
        let [start, end] = [start, end].map(|at| usize::try_from(at).unwrap_or(usize::MAX).min(pack.len()));
        if let Ok(identity) = segment.inflate(pack.slice(start..end)) {
            assert_eq!(identity.len() as u64, segment.identity.end - segment.identity.start);
        }
    }
}

/// All provisions, sections and texts.
fn fragments(offsets: &Offsets) -> impl Iterator<Item = (PackPart, Range<u64>)> {
    let provisions = (0..).map_while(|n| offsets.item(n)).map(|range| (PackPart::Provisions, range));
    let sections = (0..).map_while(|n| offsets.section(n)).map(|range| (PackPart::Content, range));
    let texts = (0..).map_while(|n| offsets.text(n)).map(|range| (PackPart::Content, range));
    provisions.chain(sections).chain(texts)
}

fn assemble(mut assembly: Assembly, stated: u64, pack: &Bytes) {
    let mut made = 0;
    loop {
        match assembly.step() {
            Ok(ReadStep::Needs(range)) => {
                assert!(range.start <= range.end, "{range:?}");
                let start = usize::try_from(range.start).unwrap_or(usize::MAX).min(pack.len());
                let end = usize::try_from(range.end).unwrap_or(usize::MAX).min(pack.len());
                assembly.supply(pack.slice(start..end.min(start + PIECE)));
            }
            Ok(ReadStep::Bytes(bytes)) => {
                assert!(!bytes.is_empty());
                made += bytes.len() as u64;
                assert!(made <= stated, "{made} bytes of {stated}");
            }
            Ok(ReadStep::End) => return assert_eq!(made, stated),
            Ok(ReadStep::Outdated) | Err(_) => return,
        }
    }
}
