//! Assembly of an answer from a pack that is in memory.

use bytes::Bytes;
use norma_render::{Assembly, ReadStep};

/// The bytes of an answer.
pub(crate) fn assembled(mut assembly: Assembly, pack: &Bytes) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        match assembly.step().unwrap() {
            ReadStep::Needs(range) => {
                let range = [range.start, range.end].map(|at| (at as usize).min(pack.len()));
                assembly.supply(pack.slice(range[0]..range[1]));
            }
            ReadStep::Bytes(chunk) => bytes.extend_from_slice(&chunk),
            ReadStep::Outdated => panic!("the pack is of another version"),
            ReadStep::End => return bytes,
        }
    }
}
