//! Entries of terms, in the order of print: designations, definition, examples, notes, source.

use super::noted::Shape;
use super::{Gap, TextWriter, line};
use crate::languages::{GeneratedPhrases, generated, is_note_or_example};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_model::Lang;
use norma_provisions::blocks::BlockKind;

impl<'t> TextWriter<'_, 't> {
    pub(super) fn entry(&mut self, entry: XmlNode<'t>) {
        self.begin_shape(Shape::Group("term"), entry);
        let outer = self.enter_apart();
        (self.context.entry, self.context.paragraph) = (true, false);
        for child in entry.children() {
            match child.name() {
                Name::LangSet => self.shaped(Shape::Group("language"), child, |w| w.language(child)),
                _ => self.node(child),
            }
            self.separate_blocks();
        }
        self.leave_apart(outer);
        self.end_shape();
    }

    /// Writes the part of an entry in one language.
    fn language(&mut self, set: XmlNode<'t>) {
        let language = set.language();
        let words = generated(language.as_ref().map_or(self.main_language(), Lang::primary));
        self.separate_blocks();
        for part in set.elements() {
            if matches!(part.name(), Name::Tig | Name::Ntig) {
                self.designation(part, words);
            }
        }
        self.separate_blocks();
        self.definitions(set);
        self.numbered(set, Name::Example, words);
        self.numbered(set, Name::Note, words);
        for part in set.elements() {
            if matches!(part.name(), Name::Source | Name::XSource) && !part.is_blank() {
                self.begin_shape(Shape::Paragraph("source"), part);
                self.entry_part(part, BlockKind::TermSource, Some(format!("[{}", words.source)));
                self.out.push(']');
                self.end_shape();
            }
        }
        for part in set.children() {
            if !part.name().is_entry_part() {
                self.other_part(part);
            }
        }
        self.separate_blocks();
    }

    /// Writes the definitions with the subject fields before the first one, or the subject fields alone.
    fn definitions(&mut self, set: XmlNode<'t>) {
        let mut fields = String::new();
        for part in set.elements() {
            if part.name() == Name::SubjectField
                && let Some(field) = line(self.document, part)
            {
                fields += &format!("<{field}> ");
            }
        }
        for part in set.elements() {
            if part.name() == Name::Definition {
                let fields = std::mem::take(&mut fields);
                let label = if fields.is_empty() { None } else { Some(fields) };
                self.begin_shape(Shape::Paragraph("definition"), part);
                self.entry_part(part, BlockKind::Definition, label);
                self.end_shape();
            }
        }
        if !fields.is_empty() {
            self.label = Some(fields);
            self.separate_blocks();
            self.flush_label();
            self.separate_blocks();
        }
    }

    /// Writes a part that is not known as one of an entry of terms.
    fn other_part(&mut self, part: XmlNode<'t>) {
        self.separate_blocks();
        let outer = self.enter();
        self.context.kind = BlockKind::Other;
        match part.name() {
            Name::Text | Name::Other => self.node(part),
            _ => self.children(part),
        }
        self.leave(outer);
    }

    /// Writes a term, or another of its designations, on a line with its grammar.
    fn designation(&mut self, tig: XmlNode<'t>, words: &GeneratedPhrases) {
        self.end_block(Gap::Line);
        if is_deprecated(tig) {
            self.label = Some(words.deprecated.to_owned());
        }
        self.at = tig.range().start;
        self.begin_shape(Shape::Paragraph("designation"), tig);
        let outer = self.enter_kind(BlockKind::Title, true);
        self.context.element = tig.xml_id().or(self.context.element);
        for part in tig.elements() {
            self.set_separator(", ");
            match part.name() {
                // A generated word says it.
                Name::NormativeAuthorization => {}
                Name::TermGrp => {
                    for part in part.elements() {
                        self.set_separator(", ");
                        self.children(part);
                    }
                }
                _ => self.children(part),
            }
        }
        self.leave(outer);
        self.end_shape();
        self.label = None;
        self.end_block(Gap::Line);
    }

    /// Writes the notes or the examples, which have numbers unless they state labels of their own.
    fn numbered(&mut self, set: XmlNode<'t>, name: Name, words: &GeneratedPhrases) {
        let parts: Vec<XmlNode<'t>> = set.elements().filter(|n| n.name() == name && !n.is_blank()).collect();
        let (shape, kind) = match name {
            Name::Example => ("example", BlockKind::Example),
            _ => ("note", BlockKind::NoteToEntry),
        };
        for (index, part) in parts.iter().enumerate() {
            let mut label = self.label_of(*part);
            if label.is_none() && !begins_with_label(*part, self.main_language()) {
                label = Some(match kind {
                    BlockKind::Example => label_of_example(words, index + 1, parts.len()),
                    _ => label_of_note(words, index + 1),
                });
            }
            self.shaped(Shape::Paragraph(shape), *part, |w| w.entry_part(*part, kind, label));
        }
    }

    /// Writes a part of an entry as one block with a label.
    fn entry_part(&mut self, part: XmlNode<'t>, kind: BlockKind, label: Option<String>) {
        self.separate_blocks();
        self.label = label.map(|label| label.trim_end().to_owned());
        self.at = part.range().start;
        let first = self.begin_element();
        let outer = self.enter_kind(kind, true);
        self.context.element = part.xml_id().or(self.context.element);
        self.children_without_label(part);
        self.close();
        self.flush_label();
        self.leave(outer);
        self.end_element(part, first);
    }
}

/// The generated label of an example: with a number where there are several.
fn label_of_example(words: &GeneratedPhrases, number: usize, count: usize) -> String {
    if count == 1 { words.example.to_owned() } else { format!("{} {number}", words.example) }
}

fn label_of_note(words: &GeneratedPhrases, number: usize) -> String {
    let (before, after) = &words.note_to_entry;
    format!("{before}{number}{after}")
}

/// True if the text of a note or example begins with its own label: “NOTE 1 The lid …”, “Note 1 to entry: …”,
/// “EXAMPLE – …”.
pub(super) fn begins_with_label(part: XmlNode<'_>, language: &str) -> bool {
    let Some(words) = part.normalized_text() else { return false };
    let mut tokens = words.split_whitespace();
    let Some(first) = tokens.next() else { return false };
    let word = first.trim_end_matches([':', '.', '–', '—']);
    if !is_note_or_example(&word.to_lowercase(), language) {
        return false;
    }
    let next = tokens.next().unwrap_or_default();
    let has_mark = word.len() < first.len() || next.starts_with([':', '–', '—']);
    // `Note 1`, but not `the note 1`.
    let has_number = next.starts_with(|c: char| c.is_ascii_digit()) && word.starts_with(char::is_uppercase);
    has_mark || has_number
}

fn is_deprecated(tig: XmlNode<'_>) -> bool {
    for status in tig.all(Name::NormativeAuthorization) {
        let value = status.attr("value").map(str::to_owned).or_else(|| status.normalized_text());
        if value.is_some_and(|value| value.contains("deprecated") || value.contains("superseded")) {
            return true;
        }
    }
    false
}
