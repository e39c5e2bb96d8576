//! Any bytes as a pack, under any directory and any table of restart points: what is made of them is never longer than what
//! is stated, and ends.

use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;
use norma_render::{Assembly, Directory, Offsets, Part, Piece, Plan, Step};

/// Bytes that are supplied at once.
const PIECE: usize = 700;

/// Holds for any bytes: the lengths of directory and offsets in two bytes each, these two, and the pack.
pub(crate) fn holds(bytes: &[u8]) {
    let Some((lengths, rest)) = bytes.split_at_checked(4) else { return };
    let length = |at: usize| usize::from(u16::from_le_bytes([lengths[at], lengths[at + 1]]));
    let Some((directory, rest)) = rest.split_at_checked(length(0)) else { return };
    let Some((offsets, pack)) = rest.split_at_checked(length(2)) else { return };
    let (Some(directory), Some(offsets)) = (Directory::parse(directory), Offsets::from_bytes(offsets)) else {
        return;
    };
    let (offsets, pack) = (Arc::new(offsets), Bytes::copy_from_slice(pack));
    for part in Part::ALL {
        let stored = directory.part(part);
        let [start, end] = [stored.range.start, stored.range.end]
            .map(|at| usize::try_from(at).unwrap_or(usize::MAX).min(pack.len()));
        if let Ok(identity) = directory.identity(part, pack.slice(start..end)) {
            assert_eq!(identity.len() as u64, stored.size);
        }
    }
    for &view in View::ALL {
        for restarts in [None, Some(offsets.clone())] {
            let plan = || Plan::view(view, Bytes::from_static(b"{"), &directory, &offsets);
            assemble(Assembly::new(plan(), &directory, restarts), plan().size(), &pack);
        }
    }
    // Backwards, so that each begins at a restart point.
    let slices =
        || (0..offsets.provisions()).rev().map(|n| Piece::Slice(Part::Provisions, offsets.provision(n)));
    let plan = || Plan::new(slices().collect::<Vec<_>>());
    assemble(Assembly::new(plan(), &directory, Some(offsets.clone())), plan().size(), &pack);
}

fn assemble(mut assembly: Assembly, stated: u64, pack: &Bytes) {
    let mut made = 0;
    loop {
        match assembly.step() {
            Ok(Step::Needs(range)) => {
                assert!(range.start <= range.end, "{range:?}");
                let start = usize::try_from(range.start).unwrap_or(usize::MAX).min(pack.len());
                let end = usize::try_from(range.end).unwrap_or(usize::MAX).min(pack.len());
                assembly.supply(pack.slice(start..end.min(start + PIECE)));
            }
            Ok(Step::Bytes(bytes)) => {
                assert!(!bytes.is_empty());
                made += bytes.len() as u64;
                assert!(made <= stated, "{made} bytes of {stated}");
            }
            Ok(Step::End) => return assert_eq!(made, stated),
            Err(_) => return,
        }
    }
}
