//! Lists: each item on its line, with its label or one that is generated from the list's type.

use std::rc::Rc;

use super::noted::Shape;
use super::{Gap, TextWriter, label};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{BlockKind, ListItem};

impl<'t> TextWriter<'_, 't> {
    pub(super) fn list(&mut self, node: XmlNode<'t>) {
        self.close();
        let depth = self.context.item.as_ref().map_or(0, |i| i.depth) + 1;
        let lead_in = self.previous.filter(|&block| {
            let block = &self.block_list.blocks[block];
            let outer = self.context.item.as_ref().map(|i| i.list);
            block.section == self.section && block.item.as_ref().map(|i| i.list) == outer
        });
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
        self.write_element(node, |w| {
            w.as_kind(kind, false, |w| {
                w.context.depth = item.depth;
                w.context.item = Some(item);
                w.context.element = node.xml_id().or(w.context.element);
                w.context.language = node.attr("lang").or(w.context.language);
                w.children_without_label(node);
                w.close();
                w.flush_label();
            });
        });
        self.end_shape();
        self.end_block(Gap::Line);
    }

    pub(super) fn def_list(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.flush_label();
        let kind = match self.context.kind {
            BlockKind::Paragraph | BlockKind::ListItem if self.defines_terms() => BlockKind::Definition,
            BlockKind::Paragraph | BlockKind::ListItem => BlockKind::DefinitionListEntry,
            kind => kind,
        };
        self.begin_shape(Shape::Group("definitions"), node);
        self.as_kind(kind, self.context.paragraph, |w| {
            for child in node.children() {
                match child.name() {
                    Name::DefItem => w.def_item(child),
                    Name::Label | Name::Title => {
                        w.shaped(Shape::Paragraph("title"), child, |w| {
                            w.as_kind(BlockKind::Title, true, |w| w.children(child));
                        });
                        w.end_block(Gap::Line);
                    }
                    _ => w.node(child),
                }
            }
        });
        self.end_shape();
        self.separate_blocks();
        self.previous = None;
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
        self.write_element(node, |w| {
            let mut in_terms = true;
            w.begin_shape(Shape::Defined, node);
            for part in node.children() {
                match part.name() {
                    Name::Term => {
                        w.set_separator(", ");
                        w.running(part);
                    }
                    Name::Def => {
                        if std::mem::take(&mut in_terms) {
                            w.end_shape();
                            w.begin_shape(Shape::Definition, part);
                        }
                        let tab = if w.context.cell { " " } else { "\t" };
                        w.set_separator(tab);
                        let mut first = true;
                        for child in part.children() {
                            match child.name() {
                                Name::P if first => {
                                    first = false;
                                    w.running(child);
                                }
                                _ => w.node(child),
                            }
                        }
                    }
                    _ => w.node(part),
                }
            }
            w.end_shape();
        });
        (self.context.element, self.context.language) = (element, language);
        self.end_block(Gap::Line);
    }
}

/// The items of a list.
pub(crate) fn items<'t>(list: XmlNode<'t>) -> impl Iterator<Item = XmlNode<'t>> {
    list.children().filter(|n| matches!(n.name(), Name::ListItem | Name::HtmlLi))
}

/// The kind of labels of a list's items.
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
