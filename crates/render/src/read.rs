//! Assembly of an answer from a pack, piece by piece, from stored bytes that the caller supplies on request.
//! No input or output happens here.

use std::ops::Range;

use bytes::Bytes;

use crate::graph::{Nodes, Turtle};
use crate::gzip::{Cursor, Damaged, Progress, Restart};
use crate::json::Unescape;
use crate::pack::{MAX_PIECE, PackDirectory, PackPart};
use crate::plan::{Plan, PlanPiece};

/// The next step of an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum ReadStep {
    /// Bytes of the pack are needed: those from the start of this range, as many as are available, at most to
    /// its end. They go to [`Assembly::supply`].
    Needs(Range<u64>),
    /// Bytes to be sent.
    Bytes(Bytes),
    /// The provisions are in the form of another version of Norma: the edition has to be rebuilt.
    Outdated,
    /// That was all.
    End,
}

/// Number of parts that are read at once: for a complete standard, the hierarchy and the content in turn.
const CURSORS: usize = 2;

/// A plan that is being run.
pub struct Assembly {
    plan: Plan,
    directory: PackDirectory,
    cursors: Vec<(PackPart, Cursor)>,
    active: Option<Active>,
    out: Vec<u8>,
}

/// A piece that is being made.
struct Active {
    part: PackPart,
    rest: Range<u64>,
    /// The restart point at which to continue, if the part is read only up to an earlier offset.
    restart: Option<Restart>,
    /// Number of its bytes that are still to come.
    left: u64,
    convert: Convert,
}

enum Convert {
    Nothing,
    Text(Unescape),
    Turtle(Turtle),
    Nodes(Nodes),
}

impl Assembly {
    /// Approximate number of bytes of a step.
    pub const CHUNK: usize = 64 << 10;

    /// Estimated bytes of memory of an assembly: for each part that it reads at once the state of its
    /// inflation and the last supplied bytes, and its next output.
    pub const MEMORY: usize = CURSORS * ((48 << 10) + MAX_PIECE) + Self::CHUNK;

    /// Begins to carry out a plan. The slices of one part should be in ascending order: to go back, a part is
    /// read again from the last restart point.
    pub fn new(plan: Plan, directory: &PackDirectory) -> Self {
        Self { plan, directory: directory.clone(), cursors: Vec::new(), active: None, out: Vec::new() }
    }

    /// Takes requested bytes of the pack, from the start of the range on.
    pub fn supply(&mut self, bytes: Bytes) {
        let part = self.active.as_ref().map(|active| active.part);
        if let Some((_, cursor)) = self.cursors.iter_mut().find(|(one, _)| Some(*one) == part) {
            cursor.supply(bytes);
        }
    }

    /// The next step.
    ///
    /// # Errors
    /// Where stored bytes are not what the directory or the index says.
    pub fn step(&mut self) -> Result<ReadStep, Damaged> {
        loop {
            if self.out.len() >= Self::CHUNK {
                return Ok(ReadStep::Bytes(std::mem::take(&mut self.out).into()));
            }
            let Some(active) = &mut self.active else {
                match self.plan.next() {
                    Some(piece) => self.begin(piece),
                    None if self.out.is_empty() => return Ok(ReadStep::End),
                    None => return Ok(ReadStep::Bytes(std::mem::take(&mut self.out).into())),
                }
                continue;
            };
            let part = active.part;
            let index = match self.cursors.iter().position(|(one, _)| *one == part) {
                Some(index) => index,
                None => {
                    let stored = self.directory.part(part);
                    let size = stored.range.end - stored.range.start;
                    let cursor = Cursor::new(part.name(), stored.compressed, size);
                    if self.cursors.len() == CURSORS {
                        self.cursors.remove(0);
                    }
                    self.cursors.push((part, cursor));
                    self.cursors.len() - 1
                }
            };
            let cursor = &mut self.cursors[index].1;
            if cursor.is_past(active.rest.start) {
                let stored = self.directory.part(part);
                let size = stored.range.end - stored.range.start;
                *cursor = Cursor::new(part.name(), stored.compressed, size);
            }
            if let Some(restart) = active.restart.take() {
                cursor.skip_to(restart);
            }
            let damaged = Damaged { what: part.name() };
            if active.rest.end > self.directory.part(part).size {
                return Err(damaged);
            }
            let before = self.out.len();
            let progress = match &mut active.convert {
                Convert::Nothing => {
                    let room = Self::CHUNK - self.out.len();
                    cursor.extract(&mut active.rest, &mut self.out, room)?
                }
                convert => {
                    let mut read = Vec::new();
                    let progress = cursor.extract(&mut active.rest, &mut read, Self::CHUNK)?;
                    let written = match convert {
                        Convert::Text(unescape) => unescape.write(&read, &mut self.out),
                        Convert::Turtle(turtle) => turtle.write(&read, &mut self.out),
                        Convert::Nodes(nodes) => match nodes.write(&read, &mut self.out) {
                            Some(()) => Some(()),
                            None => return Ok(ReadStep::Outdated),
                        },
                        Convert::Nothing => Some(()),
                    };
                    written.ok_or(damaged)?;
                    progress
                }
            };
            active.left = active.left.checked_sub((self.out.len() - before) as u64).ok_or(damaged)?;
            if let Progress::Needs(range) = progress {
                // While it waits for stored bytes and for a slot, it holds few others.
                if self.out.len() >= Self::CHUNK / 4 {
                    return Ok(ReadStep::Bytes(std::mem::take(&mut self.out).into()));
                }
                let start = self.directory.part(part).range.start;
                return Ok(ReadStep::Needs(start + range.start..start + range.end));
            }
            if active.rest.is_empty() {
                if active.left > 0 {
                    return Err(damaged);
                }
                self.active = None;
            }
        }
    }

    fn begin(&mut self, piece: PlanPiece) {
        let mut left = piece.size();
        let (part, rest, convert) = match piece {
            PlanPiece::Bytes(bytes) => return self.out.extend_from_slice(&bytes),
            PlanPiece::Slice(part, range) => (part, range, Convert::Nothing),
            PlanPiece::Text(range, _) => (PackPart::Content, range, Convert::Text(Unescape::default())),
            PlanPiece::Turtle(_) => {
                let before = self.out.len();
                let turtle = Convert::Turtle(Turtle::new(&mut self.out));
                left = left.saturating_sub((self.out.len() - before) as u64);
                (PackPart::Graph, 0..self.directory.part(PackPart::Graph).size, turtle)
            }
            PlanPiece::Nodes { provisions, nodes, is_turtle } => {
                (PackPart::Provisions, provisions, Convert::Nodes(Nodes::new(nodes, is_turtle)))
            }
        };
        let restart = self.plan.restart(part, rest.start);
        self.active = (!rest.is_empty()).then_some(Active { part, rest, restart, left, convert });
    }
}
