//! Lists: each item on its line, with its label or one that is generated from the list's type.

use std::rc::Rc;

use super::noted::Shape;
use super::{Gap, TextWriter, label};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{BlockKind, ListItem};

impl<'t> TextWriter<'_, 't> {
    /// Writes a list. Its items have their own labels, or those that the type of the list generates.
    pub(super) fn list(&mut self, node: XmlNode<'t>) {
        self.close();
        let depth = self.context.item.as_ref().map_or(0, |item| item.depth) + 1;
        let lead_in = self.lead_in();
        self.separate_blocks();
        self.flush_label();
        self.block_list.lists += 1;
        let list = self.block_list.lists;
        let kind = list_type(node);
        let mut number = self.document.map_or(1, |document| document.first_number(node));
        let ordered = generated(kind, 1).is_some_and(|label| label.contains(char::is_alphanumeric));
        self.begin_shape(Shape::List { ordered }, node);
        for child in node.children() {
            match child.name() {
                Name::ListItem | Name::HtmlLi => {
                    let generated = generated(kind, number);
                    number = number.saturating_add(1);
                    let label = label(child).or_else(|| generated.clone());
                    let printed = self.label_of(child).or(generated);
                    self.item(child, printed, Rc::new(ListItem { list, lead_in, label, depth }));
                }
                _ => self.node(child),
            }
        }
        self.end_shape();
        self.separate_blocks();
        self.previous = None;
    }

    /// Index of the block that may lead in a list: the one directly before it, in the same section and in the
    /// same item of an outer list.
    fn lead_in(&self) -> Option<usize> {
        let index = self.previous?;
        let block = &self.block_list.blocks[index];
        let list_of_block = block.item.as_ref().map(|item| item.list);
        let list_around = self.context.item.as_ref().map(|item| item.list);
        let leads_in = block.section == self.section && list_of_block == list_around;
        leads_in.then_some(index)
    }

    fn item(&mut self, node: XmlNode<'t>, label: Option<String>, item: Rc<ListItem>) {
        self.end_block(Gap::Line);
        self.flush_label();
        self.label = label;
        self.at = node.range().start;
        let kind = match self.context.kind {
            BlockKind::Paragraph => BlockKind::ListItem,
            kind => kind,
        };
        self.begin_shape(Shape::Item, node);
        let first = self.begin_element();
        let outer = self.enter_kind(kind, false);
        self.context.depth = item.depth;
        self.context.item = Some(item);
        self.context.element = node.xml_id().or(self.context.element);
        self.context.language = node.attr("lang").or(self.context.language);
        self.children_without_label(node);
        self.close();
        self.flush_label();
        self.leave(outer);
        self.end_element(node, first);
        self.end_shape();
        self.end_block(Gap::Line);
    }

    /// Writes a definition list, whose entries define terms or explain symbols.
    pub(super) fn def_list(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.flush_label();
        let kind = match self.context.kind {
            BlockKind::Paragraph | BlockKind::ListItem if self.defines_terms() => BlockKind::Definition,
            BlockKind::Paragraph | BlockKind::ListItem => BlockKind::DefinitionListEntry,
            kind => kind,
        };
        self.begin_shape(Shape::Group("definitions"), node);
        let outer = self.enter_kind(kind, self.context.paragraph);
        for child in node.children() {
            match child.name() {
                Name::DefItem => self.def_item(child),
                Name::Label | Name::Title => self.title_of_def_list(child),
                _ => self.node(child),
            }
        }
        self.leave(outer);
        self.end_shape();
        self.separate_blocks();
        self.previous = None;
    }

    fn title_of_def_list(&mut self, title: XmlNode<'t>) {
        self.begin_shape(Shape::Paragraph("title"), title);
        let outer = self.enter_kind(BlockKind::Title, true);
        self.children(title);
        self.leave(outer);
        self.end_shape();
        self.end_block(Gap::Line);
    }

    fn defines_terms(&self) -> bool {
        self.document.is_some_and(|document| document.defines_terms(self.section))
    }

    /// Writes term and definition in one line.
    pub(super) fn def_item(&mut self, node: XmlNode<'t>) {
        self.end_block(Gap::Line);
        self.at = node.range().start;
        let element = self.context.element;
        self.context.element = node.xml_id().or(element);
        let language = self.context.language;
        self.context.language = node.attr("lang").or(language);
        let first = self.begin_element();
        let mut in_terms = true;
        self.begin_shape(Shape::Defined, node);
        for part in node.children() {
            match part.name() {
                Name::Term => {
                    self.set_separator(", ");
                    self.running(part);
                }
                Name::Def => {
                    if in_terms {
                        in_terms = false;
                        self.end_shape();
                        self.begin_shape(Shape::Definition, part);
                    }
                    self.definition_of_item(part);
                }
                _ => self.node(part),
            }
        }
        self.end_shape();
        self.end_element(node, first);
        (self.context.element, self.context.language) = (element, language);
        self.end_block(Gap::Line);
    }

    /// Writes a definition on the line of its term, after a tab, which a cell of a table cannot have.
    fn definition_of_item(&mut self, definition: XmlNode<'t>) {
        self.set_separator(if self.context.cell { " " } else { "\t" });
        let mut is_first_paragraph = true;
        for child in definition.children() {
            if child.name() == Name::P && is_first_paragraph {
                is_first_paragraph = false;
                self.running(child);
            } else {
                self.node(child);
            }
        }
    }
}

/// The items of a list in order, without what else is in it.
pub(crate) fn items<'t>(list: XmlNode<'t>) -> impl Iterator<Item = XmlNode<'t>> {
    list.children().filter(|n| matches!(n.name(), Name::ListItem | Name::HtmlLi))
}

/// The kind of labels of a list's items: its `list-type`, or that of its element in XHTML.
pub(crate) fn list_type(list: XmlNode<'_>) -> &str {
    list.attr("list-type").unwrap_or(match list.name() {
        Name::HtmlOl => "arabic",
        _ => "bullet",
    })
}

/// The label of the n-th item of a list whose items have none; `None` for plain lists.
pub(crate) fn generated(kind: &str, number: u32) -> Option<String> {
    match kind.trim().to_ascii_lowercase().as_str() {
        "bullet" => Some("•".to_owned()),
        "dash" => Some("—".to_owned()),
        "order" | "ordered" | "arabic" | "decimal" | "number" => Some(format!("{number})")),
        "alphabet" | "alpha" | "alpha-lower" | "loweralpha" | "lower-alpha" => {
            Some(format!("{})", letters(number)))
        }
        "alpha-upper" | "upperalpha" | "upper-alpha" => Some(format!("{})", letters(number).to_uppercase())),
        "roman-lower" | "lowerroman" | "roman" => Some(format!("{})", roman(number))),
        "roman-upper" | "upperroman" => Some(format!("{})", roman(number).to_uppercase())),
        _ => None,
    }
}

/// A number in letters: `z` for 26, `aa` for 27.
fn letters(number: u32) -> String {
    let mut rest = number.max(1);
    let mut letters = Vec::new();
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

fn roman(number: u32) -> String {
    const DIGITS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = number.min(4999);
    let mut roman = String::new();
    for (value, digits) in DIGITS {
        while rest >= value {
            roman.push_str(digits);
            rest -= value;
        }
    }
    roman
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_generated_by_the_type_of_the_list() {
        let label = |kind, number| generated(kind, number).unwrap_or_default();
        assert_eq!(label("alpha-lower", 27), "aa)");
        assert_eq!(label("roman-upper", 14), "XIV)");
        assert_eq!(label("order", 3), "3)");
        assert_eq!([label("dash", 1), label("bullet", 9), label("simple", 1)], ["—", "•", ""]);
    }
}
