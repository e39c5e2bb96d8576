//! Notes of shapes by a walk whose text becomes HTML.

use super::TextWriter;
use super::noted::{Note, Shape};
use crate::xml::tree::XmlNode;

impl<'t> TextWriter<'_, 't> {
    /// Writes what has a shape.
    pub(super) fn shaped(&mut self, shape: Shape<'t>, node: XmlNode<'t>, write: impl FnOnce(&mut Self)) {
        self.begin_shape(shape, node);
        write(self);
        self.end_shape();
    }

    /// Writes words, and notes whether the source marks them as inserted.
    pub(super) fn inserted(&mut self, node: XmlNode<'t>, write: impl FnOnce(&mut Self)) {
        if self.notes.is_none() || !node.is_inserted() {
            return write(self);
        }
        self.record(self.out.len(), Note::Insertion(true));
        write(self);
        self.record(self.out.len(), Note::Insertion(false));
    }

    /// Notes that what follows has a shape, up to `end_shape`.
    pub(super) fn begin_shape(&mut self, shape: Shape<'t>, node: XmlNode<'t>) {
        if self.notes.is_some() {
            self.note_id(node);
            self.record(self.out.len(), Note::Begin(shape, node));
        }
    }

    pub(super) fn end_shape(&mut self) {
        self.record(self.out.len(), Note::End);
    }

    /// Notes the id of a node, once where several notes of the node follow each other.
    pub(super) fn note_id(&mut self, node: XmlNode<'t>) {
        let Some(notes) = &mut self.notes else { return };
        let Some(id) = node.xml_id() else { return };
        if let Some((_, Note::Id(last))) = notes.last()
            && std::ptr::eq(*last, id)
        {
            return;
        }
        notes.push((self.out.len(), Note::Id(id)));
    }

    /// Adds a note at a byte of the text; nothing unless HTML is written from the notes.
    pub(super) fn record(&mut self, at: usize, note: Note<'t>) {
        if let Some(notes) = &mut self.notes {
            notes.push((at, note));
        }
    }

    /// Cuts off the end of the text, and moves the notes in it to the new end.
    pub(super) fn truncate(&mut self, length: usize) {
        self.out.truncate(length);
        let Some(notes) = &mut self.notes else { return };
        for (at, note) in notes.iter_mut().rev() {
            let end = match note {
                Note::Label(end) | Note::Sign(end) | Note::Formula(_, end) => Some(end),
                _ => None,
            };
            let ends_later = end.as_ref().is_some_and(|end| **end > length);
            // Notes are in the order of the text: those before this one are within the new length too.
            if *at <= length && !ends_later {
                break;
            }
            *at = (*at).min(length);
            if let Some(end) = end {
                *end = (*end).min(length);
            }
        }
    }
}
