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
        self.apart(
            |context| (context.entry, context.paragraph) = (true, false),
            |w| {
                for child in entry.children() {
                    match child.name() {
                        Name::LangSet => {
                            w.shaped(Shape::Group("language"), child, |w| w.language(child));
                        }
                        _ => w.node(child),
                    }
                    w.separate_blocks();
                }
            },
        );
        self.end_shape();
    }

    fn language(&mut self, set: XmlNode<'t>) {
        let language = set.language();
        let words = generated(language.as_ref().map_or(self.main_language(), Lang::primary));
        self.separate_blocks();
        for tig in set.elements().filter(|n| is_designation(*n)) {
            self.designation(tig, words);
        }
        self.separate_blocks();
        let mut field = set
            .elements()
            .filter(|n| n.name() == Name::SubjectField)
            .filter_map(|part| line(self.document, part))
            .fold(String::new(), |fields, field| fields + "<" + &field + "> ");
        for part in set.elements().filter(|n| n.name() == Name::Definition) {
            let label = Some(std::mem::take(&mut field)).filter(|field| !field.is_empty());
            self.shaped(Shape::Paragraph("definition"), part, |w| {
                w.entry_part(part, BlockKind::Definition, label);
            });
        }
        if !field.is_empty() {
            self.label = Some(field);
            self.separate_blocks();
            self.flush_label();
            self.separate_blocks();
        }
        self.numbered(set, Name::Example, BlockKind::Example, &|n, of| match of {
            1 => words.example.to_owned(),
            _ => format!("{} {n}", words.example),
        });
        self.numbered(set, Name::Note, BlockKind::NoteToEntry, &|n, _| {
            let (before, after) = &words.note_to_entry;
            format!("{before}{n}{after}")
        });
        for source in set.elements().filter(|n| matches!(n.name(), Name::Source | Name::XSource)) {
            if !source.is_blank() {
                self.begin_shape(Shape::Paragraph("source"), source);
                self.entry_part(source, BlockKind::TermSource, Some(format!("[{}", words.source)));
                self.out.push(']');
                self.end_shape();
            }
        }
        for part in set.children().filter(|n| !n.name().is_entry_part()) {
            self.separate_blocks();
            self.in_context(
                |context| context.kind = BlockKind::Other,
                |w| match part.name() {
                    Name::Text | Name::Other => w.node(part),
                    _ => w.children(part),
                },
            );
        }
        self.separate_blocks();
    }

    fn designation(&mut self, tig: XmlNode<'t>, words: &GeneratedPhrases) {
        self.end_block(Gap::Line);
        if is_deprecated(tig) {
            self.label = Some(words.deprecated.to_owned());
        }
        self.at = tig.range().start;
        self.begin_shape(Shape::Paragraph("designation"), tig);
        self.as_kind(BlockKind::Title, true, |w| {
            w.context.element = tig.xml_id().or(w.context.element);
            for part in tig.elements() {
                w.set_separator(", ");
                match part.name() {
                    // A generated word says it.
                    Name::NormativeAuthorization => {}
                    Name::TermGrp => part.elements().for_each(|n| {
                        w.set_separator(", ");
                        w.children(n);
                    }),
                    _ => w.children(part),
                }
            }
        });
        self.end_shape();
        self.label = None;
        self.end_block(Gap::Line);
    }

    fn numbered(
        &mut self,
        set: XmlNode<'t>,
        name: Name,
        kind: BlockKind,
        label: &dyn Fn(usize, usize) -> String,
    ) {
        let shape = if kind == BlockKind::Example { "example" } else { "note" };
        let parts: Vec<XmlNode<'t>> = set.elements().filter(|n| n.name() == name && !n.is_blank()).collect();
        for (index, part) in parts.iter().enumerate() {
            let own = self.label_of(*part);
            let label = own.or_else(|| {
                (!begins_with_label(*part, self.main_language())).then(|| label(index + 1, parts.len()))
            });
            self.shaped(Shape::Paragraph(shape), *part, |w| w.entry_part(*part, kind, label));
        }
    }

    fn entry_part(&mut self, part: XmlNode<'t>, kind: BlockKind, label: Option<String>) {
        self.separate_blocks();
        self.label = label.map(|l| l.trim_end().to_owned());
        self.at = part.range().start;
        self.write_element(part, |w| {
            w.as_kind(kind, true, |w| {
                w.context.element = part.xml_id().or(w.context.element);
                w.children_without_label(part);
                w.close();
                w.flush_label();
            });
        });
    }
}

/// Whether the text of a note or example begins with its own label: “NOTE 1 The lid …”, “Note 1 to entry: …”,
/// “EXAMPLE – …”.
pub(super) fn begins_with_label(part: XmlNode<'_>, language: &str) -> bool {
    let Some(words) = part.normalized_text() else { return false };
    let mut tokens = words.split_whitespace();
    let Some(first) = tokens.next() else { return false };
    let word = first.trim_end_matches([':', '.', '–', '—']);
    let next = tokens.next().unwrap_or_default();
    let marked = word.len() < first.len() || next.starts_with([':', '–', '—']);
    let numbered = next.starts_with(|c: char| c.is_ascii_digit()) && word.starts_with(char::is_uppercase);
    is_note_or_example(&word.to_lowercase(), language) && (marked || numbered)
}

fn is_designation(node: XmlNode<'_>) -> bool {
    matches!(node.name(), Name::Tig | Name::Ntig)
}

fn is_deprecated(tig: XmlNode<'_>) -> bool {
    let stated = |n: XmlNode<'_>| n.attr("value").map(str::to_owned).or_else(|| n.normalized_text());
    tig.all(Name::NormativeAuthorization)
        .filter_map(stated)
        .any(|value| value.contains("deprecated") || value.contains("superseded"))
}
