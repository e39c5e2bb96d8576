//! JSON objects of a list, found in its bytes as they arrive.

use memchr::{memchr2, memchr3};

/// Takes the inside of a JSON list of objects in chunks, and gives each object when it is complete.
#[derive(Default)]
pub(super) struct ObjectStream {
    /// Bytes that arrived and are not taken yet.
    bytes: Vec<u8>,
    /// Bytes that were already searched for the end of an object.
    scanned: usize,
    /// Number of open braces there.
    depth: usize,
    in_text: bool,
}

impl ObjectStream {
    /// Takes the next chunk of bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Drops everything up to and with `before`. Returns false, and drops nothing, if it has not arrived.
    pub(super) fn skip_to_after(&mut self, before: &[u8]) -> bool {
        let Some(at) = memchr::memmem::find(&self.bytes, before) else { return false };
        self.bytes.drain(..at + before.len());
        true
    }

    /// Gives the complete objects, without the commas between them, to `take` until that returns `None`.
    pub(super) fn take_complete(&mut self, mut take: impl FnMut(&[u8]) -> Option<()>) -> Option<()> {
        let mut taken = 0;
        while let Some(end) = self.end_of_next() {
            let object = &self.bytes[taken..end];
            take(object.strip_prefix(b",").unwrap_or(object))?;
            taken = end;
        }
        self.bytes.drain(..taken);
        self.scanned -= taken;
        Some(())
    }

    /// The end of the next object, if it has arrived.
    fn end_of_next(&mut self) -> Option<usize> {
        loop {
            let rest = &self.bytes[self.scanned..];
            if self.in_text {
                let at = memchr2(b'"', b'\\', rest)?;
                if rest[at] == b'"' {
                    self.in_text = false;
                    self.scanned += at + 1;
                } else if rest.len() < at + 2 {
                    // The escaped byte has not arrived yet.
                    self.scanned += at;
                    return None;
                } else {
                    self.scanned += at + 2;
                }
                continue;
            }
            let at = memchr3(b'"', b'{', b'}', rest)?;
            self.scanned += at + 1;
            match rest[at] {
                b'"' => self.in_text = true,
                b'{' => self.depth += 1,
                // The bracket and the brace after the last object close nothing that was opened here.
                _ => {
                    self.depth = self.depth.checked_sub(1)?;
                    if self.depth == 0 {
                        return Some(self.scanned);
                    }
                }
            }
        }
    }
}
