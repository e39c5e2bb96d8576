//! Notes of shapes by a walk whose text becomes HTML.

use super::TextWriter;
use super::noted::{Note, Shape, TextNotes};
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

    pub(super) fn begin_shape(&mut self, shape: Shape<'t>, node: XmlNode<'t>) {
        if self.notes.is_some() {
            self.note_id(node);
            self.record(self.out.len(), Note::Begin(shape, node));
        }
    }

    pub(super) fn end_shape(&mut self) {
        self.record(self.out.len(), Note::End);
    }

    pub(super) fn note_id(&mut self, node: XmlNode<'t>) {
        let noted = |notes: &TextNotes<'t>, id: &'t str| matches!(notes.last(), Some((_, Note::Id(last))) if std::ptr::eq(*last, id));
        if let (Some(notes), Some(id)) = (&mut self.notes, node.xml_id())
            && !noted(notes, id)
        {
            notes.push((self.out.len(), Note::Id(id)));
        }
    }

    pub(super) fn record(&mut self, at: usize, note: Note<'t>) {
        if let Some(notes) = &mut self.notes {
            notes.push((at, note));
        }
    }

    /// Cuts off the end of the text.
    pub(super) fn truncate(&mut self, length: usize) {
        self.out.truncate(length);
        for (at, note) in self.notes.iter_mut().flatten().rev().take_while(|(at, note)| {
            *at > length
                || matches!(note, Note::Label(end) | Note::Sign(end) | Note::Formula(_, end) if *end > length)
        }) {
            *at = (*at).min(length);
            if let Note::Label(end) | Note::Sign(end) | Note::Formula(_, end) = note {
                *end = (*end).min(length);
            }
        }
    }
}
