//! Pieces of a pack for answers: stored bytes, the results of plans, and single fragments.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use norma_editions::pack::corrupt;
use norma_render::{Assembly, Damaged, Offsets, PackDirectory, PackPart, Plan, ReadStep, Segment};
use norma_store::BlobReader;
use tokio::sync::Mutex;

use crate::Failure;
use crate::failed::failed;
use crate::gzip::GzipPieces;
use crate::services::RequestServices;
use crate::slots::ClientSlots;
use crate::word_filter::WordFilter;

/// Bytes of an answer that are read piece by piece while they are sent.
pub enum StoredPieces {
    /// As they are stored.
    Stored(StoredBytes),
    /// Assembled from stored ones, from the start on, one piece after the other.
    Assembled(Box<AssembledBytes>),
}

/// Stored bytes from an offset on.
pub struct StoredBytes {
    pub(super) blob: BlobReader,
    pub(super) start: u64,
}

impl StoredPieces {
    /// Most bytes of memory for reading and sending them.
    pub fn memory(&self) -> usize {
        match self {
            Self::Stored(StoredBytes { blob, .. }) => BlobReader::PIECE.min(blob.size()) as usize,
            Self::Assembled(assembled) => {
                usize::try_from(AssembledBytes::memory_with(assembled.parsed)).unwrap_or(usize::MAX)
            }
        }
    }

    /// The bytes from `at` to the end of their piece; empty only at the end.
    ///
    /// # Errors
    /// They cannot be read.
    pub async fn piece_from(&self, at: u64) -> Result<Bytes, Failure> {
        match self {
            Self::Stored(StoredBytes { blob, start }) => {
                blob.piece_from(start.saturating_add(at)).await.map_err(failed)
            }
            Self::Assembled(assembled) => {
                Ok(assembled.assembled.lock().await.next().await?.unwrap_or_default())
            }
        }
    }
}

impl From<StoredBytes> for Arc<StoredPieces> {
    fn from(stored: StoredBytes) -> Self {
        Self::new(StoredPieces::Stored(stored))
    }
}

impl From<AssembledBytes> for Arc<StoredPieces> {
    fn from(assembled: AssembledBytes) -> Self {
        Self::new(StoredPieces::Assembled(Box::new(assembled)))
    }
}

/// A plan that is run on a pack in the store.
pub(super) struct Assembled {
    pack: BlobReader,
    /// `None` while a step is carried out.
    assembly: Option<Box<Assembly>>,
    /// The compressor for its bytes, in the slot in which they are made.
    gzip: Option<GzipPieces>,
    size: u64,
    slots: ClientSlots,
}

impl Assembled {
    /// A plan whose result has `size` bytes.
    pub(super) fn new(
        pack: BlobReader,
        (plan, size): (Plan, u64),
        directory: &PackDirectory,
        slots: ClientSlots,
    ) -> Self {
        Self { pack, assembly: Some(Box::new(Assembly::new(plan, directory))), gzip: None, size, slots }
    }

    /// The same bytes as one gzip member. Between two pieces it keeps no state of a compressor.
    pub(super) fn in_gzip(self) -> Self {
        Self { gzip: Some(GzipPieces::default()), ..self }
    }

    /// The next bytes; `None` at the end.
    ///
    /// # Errors
    /// Those of the store, also where stored bytes do not inflate to what is stated for them; provisions in
    /// the form of another version of Norma.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        // Without an assembly, the call before this one was given up, and its answer was.
        while let Some(assembly) = self.assembly.take() {
            let one_step = AssemblyStep { assembly, gzip: self.gzip.take() };
            let (made, step) = self.slots.run_sized(self.size, move || one_step.run()).await;
            let AssemblyStep { mut assembly, gzip } = step;
            let made = match made.map_err(|damaged| failed(corrupt(&self.pack, damaged)))? {
                ReadStep::Needs(range) => {
                    let mut piece = self.pack.piece_from(range.start).await.map_err(failed)?;
                    piece.truncate(usize::try_from(range.end - range.start).unwrap_or(usize::MAX));
                    assembly.supply(piece);
                    None
                }
                ReadStep::Bytes(bytes) => Some(bytes),
                ReadStep::Outdated => {
                    return Err(Failure::unreadable(format_args!(
                        "provisions of the pack {}",
                        self.pack.digest()
                    )));
                }
                // The end of the member comes once: no assembly is left.
                ReadStep::End => {
                    let Some(gzip) = gzip else { return Ok(None) };
                    let Some(end) = gzip.end(self.size) else {
                        return Err(failed(corrupt(&self.pack, Damaged { what: "a composed view" })));
                    };
                    return Ok(Some(end.into()));
                }
            };
            (self.assembly, self.gzip) = (Some(assembly), gzip);
            if made.is_some() {
                return Ok(made);
            }
        }
        Ok(None)
    }

    /// All that is left.
    ///
    /// # Errors
    /// As of [`next`](Self::next).
    pub(super) async fn all(mut self) -> Result<Bytes, Failure> {
        // Most answers come in one stretch.
        let Some(first) = self.next().await? else { return Ok(Bytes::new()) };
        let mut all = Vec::from(first);
        while let Some(more) = self.next().await? {
            all.extend_from_slice(&more);
        }
        Ok(all.into())
    }
}

/// The work of one turn of a slot: a step of the assembly, and the compression of the bytes that it makes.
struct AssemblyStep {
    assembly: Box<Assembly>,
    gzip: Option<GzipPieces>,
}

impl AssemblyStep {
    /// Runs the step. It is given back for the next one.
    fn run(mut self) -> (Result<ReadStep, Damaged>, Self) {
        let step = self.assembly.step();
        let made = match (step, &mut self.gzip) {
            (Ok(ReadStep::Bytes(identity)), Some(gzip)) => Ok(ReadStep::Bytes(gzip.piece(&identity).into())),
            (step, _) => step,
        };
        (made, self)
    }
}

/// Assembled bytes in the order of requests.
pub struct AssembledBytes {
    assembled: Mutex<Assembled>,
    /// Bytes of memory for the inputs of the plan.
    parsed: u64,
}

impl AssembledBytes {
    /// Bytes of memory for a sequence, when the inputs of its plan use `parsed`. Some pieces are larger than
    /// they were planned: nodes of the graph become more bytes than they are made of.
    pub(super) fn memory_with(parsed: u64) -> u64 {
        parsed.saturating_add((Assembly::MEMORY + 2 * Assembly::CHUNK) as u64)
    }

    pub(super) fn new(assembled: Assembled, parsed: u64) -> Self {
        Self { assembled: Mutex::new(assembled), parsed }
    }
}

/// Reader of fragments of a pack; consecutive ones in a segment cost one inflation.
pub(super) struct Fragments<'a> {
    pack: BlobReader,
    directory: &'a PackDirectory,
    offsets: &'a Offsets,
    services: &'a RequestServices,
    segment: Option<(Segment, Bytes)>,
}

/// Bytes of a segment that are reserved before its size is known. Most segments are a little longer than the
/// distance of restart points, 16 KiB.
pub(super) const SEGMENT: u64 = 128 << 10;

/// Bytes of segments that are filtered in one turn of a slot: about 2 ms.
pub(super) const FILTERED: u64 = 256 << 10;

impl<'a> Fragments<'a> {
    pub(super) fn new(
        pack: BlobReader,
        directory: &'a PackDirectory,
        offsets: &'a Offsets,
        services: &'a RequestServices,
    ) -> Self {
        Self { pack, directory, offsets, services, segment: None }
    }

    /// The segment with a fragment of a part, with its stored bytes.
    async fn stored(&self, part: PackPart, fragment: &Range<u64>) -> Result<(Segment, Bytes), Failure> {
        let segment = Segment::find(self.directory, self.offsets, part, fragment)
            .map_err(|damaged| failed(corrupt(&self.pack, damaged)))?;
        let size = segment.identity.end - segment.identity.start;
        if size > SEGMENT {
            self.services.memory.add(size - SEGMENT).await?;
        }
        let stored = self.pack.read(segment.stored.clone()).await.map_err(failed)?;
        Ok((segment, stored))
    }

    /// The identity bytes of a fragment of a part.
    ///
    /// # Errors
    /// Those of the store, also where stored bytes do not inflate to what is stated for them; there is no
    /// room in memory.
    pub(super) async fn read(&mut self, part: PackPart, fragment: Range<u64>) -> Result<Bytes, Failure> {
        let (segment, bytes) = match self.segment.take() {
            Some((segment, bytes)) if segment.holds(part, &fragment) => (segment, bytes),
            _ => self.inflated(part, &fragment).await?,
        };
        let found = bytes.slice(within(&segment, &fragment));
        self.segment = Some((segment, bytes));
        Ok(found)
    }

    /// The segment with a fragment of a part, with its identity bytes.
    async fn inflated(&self, part: PackPart, fragment: &Range<u64>) -> Result<(Segment, Bytes), Failure> {
        let (segment, stored) = self.stored(part, fragment).await?;
        let size = segment.identity.end - segment.identity.start;
        let inflate = move || (segment.inflate(stored), segment);
        let (identity, segment) = self.services.slots.run_sized(size, inflate).await;
        Ok((segment, identity.map_err(|damaged| failed(corrupt(&self.pack, damaged)))?))
    }

    /// The provisions among these that the filter accepts, by their indexes in ascending order. One segment
    /// at a time is inflated.
    ///
    /// # Errors
    /// As of [`read`](Self::read).
    pub(super) async fn matching(
        &self,
        indexes: &[u32],
        words: &Arc<WordFilter>,
    ) -> Result<Vec<u32>, Failure> {
        let (mut found, mut rest) = (Vec::new(), indexes);
        while !rest.is_empty() {
            let (mut turn, mut size) = (Vec::new(), 0);
            while size < FILTERED
                && let Some(&first) = rest.first()
            {
                let (segment, stored) = self.stored(PackPart::Provisions, &self.range(first)).await?;
                let held =
                    rest.partition_point(|&index| segment.holds(PackPart::Provisions, &self.range(index)));
                let (here, after) = rest.split_at(held);
                let provisions = here.iter().map(|&index| (index, self.range(index))).collect();
                size += segment.identity.end - segment.identity.start;
                rest = after;
                turn.push(FilteredSegment { segment, stored, provisions });
            }
            let words = Arc::clone(words);
            let filter = move || filtered(turn, &words);
            let filtered = self.services.slots.run_sized(size, filter).await;
            found.extend(filtered.map_err(|damaged| failed(corrupt(&self.pack, damaged)))?);
        }
        Ok(found)
    }

    /// The range of a provision in its part; one that no segment holds, if it is not in the offsets.
    fn range(&self, index: u32) -> Range<u64> {
        self.offsets.item(index as usize).unwrap_or(u64::MAX..u64::MAX)
    }
}

/// A segment of provisions that are filtered by their words.
struct FilteredSegment {
    segment: Segment,
    stored: Bytes,
    /// Index and range of each provision in the segment.
    provisions: Vec<(u32, Range<u64>)>,
}

/// The provisions of these segments that the filter accepts, by their indexes.
fn filtered(segments: Vec<FilteredSegment>, words: &WordFilter) -> Result<Vec<u32>, Damaged> {
    let mut found = Vec::new();
    for FilteredSegment { segment, stored, provisions } in segments {
        let identity = segment.inflate(stored)?;
        for (index, range) in provisions {
            if words.accepts(&identity[within(&segment, &range)]) {
                found.push(index);
            }
        }
    }
    Ok(found)
}

/// The place of a fragment in the identity bytes of the segment that holds it.
fn within(segment: &Segment, fragment: &Range<u64>) -> Range<usize> {
    let start = segment.identity.start;
    (fragment.start - start) as usize..(fragment.end - start) as usize
}
