//! Assembly of an answer from a pack, piece by piece, from stored bytes that the caller supplies on request.
//! No input or output happens here.

use std::ops::Range;

use bytes::Bytes;

use crate::graph::{Nodes, Turtle};
use crate::gzip::{Cursor, Damaged, Progress, Restart};
use crate::json::Unescape;
use crate::pack::{MAX_PIECE, PackDirectory, PackPart, Stored};
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
    /// The answer is complete; further steps give the same.
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
    /// Bytes of the result that are still to come.
    left: u64,
    convert: Convert,
}

/// What is made of the identity bytes of a piece.
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
                return Ok(self.take_output());
            }
            let Some(active) = &mut self.active else {
                match self.plan.next() {
                    Some(piece) => self.begin(piece),
                    None if self.out.is_empty() => return Ok(ReadStep::End),
                    None => return Ok(self.take_output()),
                }
                continue;
            };
            let stored = self.directory.part(active.part);
            let damaged = Damaged { what: active.part.name() };
            if active.rest.end > stored.size {
                return Err(damaged);
            }
            let cursor = cursor_for(active, stored, &mut self.cursors);
            let Some(progress) = active.read(cursor, &mut self.out)? else {
                return Ok(ReadStep::Outdated);
            };
            if let Progress::Needs(range) = progress {
                // While it waits for stored bytes and for a slot, it holds few others.
                if self.out.len() >= Self::CHUNK / 4 {
                    return Ok(self.take_output());
                }
                let start = stored.range.start;
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

    fn take_output(&mut self) -> ReadStep {
        ReadStep::Bytes(std::mem::take(&mut self.out).into())
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
        if !rest.is_empty() {
            self.active = Some(Active { part, rest, restart, left, convert });
        }
    }
}

/// The cursor of the part that a piece is in, not beyond what is left of the piece. A new cursor replaces the
/// oldest one if there are too many.
fn cursor_for<'c>(
    active: &mut Active,
    stored: &Stored,
    cursors: &'c mut Vec<(PackPart, Cursor)>,
) -> &'c mut Cursor {
    let size = stored.range.end - stored.range.start;
    let at_start = || Cursor::new(active.part.name(), stored.compressed, size);
    let index = match cursors.iter().position(|(part, _)| *part == active.part) {
        Some(index) => index,
        None => {
            if cursors.len() == CURSORS {
                cursors.remove(0);
            }
            cursors.push((active.part, at_start()));
            cursors.len() - 1
        }
    };
    let cursor = &mut cursors[index].1;
    if cursor.is_past(active.rest.start) {
        *cursor = at_start();
    }
    if let Some(restart) = active.restart.take() {
        cursor.skip_to(restart);
    }
    cursor
}

impl Active {
    /// Appends the next bytes of the piece to `out`. `None` if another version of Norma wrote the provisions
    /// that nodes of the graph are made of.
    fn read(&mut self, cursor: &mut Cursor, out: &mut Vec<u8>) -> Result<Option<Progress>, Damaged> {
        let damaged = Damaged { what: self.part.name() };
        let before = out.len();
        let progress = if let Convert::Nothing = self.convert {
            cursor.extract(&mut self.rest, out, Assembly::CHUNK - before)?
        } else {
            let mut read = Vec::new();
            let progress = cursor.extract(&mut self.rest, &mut read, Assembly::CHUNK)?;
            match (self.convert.write(&read, out), &self.convert) {
                (Some(()), _) => progress,
                (None, Convert::Nodes(_)) => return Ok(None),
                (None, _) => return Err(damaged),
            }
        };
        let written = (out.len() - before) as u64;
        self.left = self.left.checked_sub(written).ok_or(damaged)?;
        Ok(Some(progress))
    }
}

impl Convert {
    /// Appends what the next identity bytes are converted into; `None` if they are not in the stored form.
    fn write(&mut self, read: &[u8], out: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Text(unescape) => unescape.write(read, out),
            Self::Turtle(turtle) => turtle.write(read, out),
            Self::Nodes(nodes) => nodes.write(read, out),
            Self::Nothing => {
                out.extend_from_slice(read);
                Some(())
            }
        }
    }
}
