//! HTML of sections, as `norma_sts::html` writes it, read into a tree.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::ExportError;

/// A part of the content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HtmlNode {
    /// Characters, with references resolved.
    Text(String),
    /// An element with its content.
    Element(HtmlElement),
}

/// An element of HTML or MathML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HtmlElement {
    pub(crate) name: String,
    /// Names and values. An attribute without a value has an empty one.
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<HtmlNode>,
}

impl HtmlElement {
    /// An element without attributes.
    pub(crate) fn new(name: &str, children: Vec<HtmlNode>) -> Self {
        Self { name: name.to_owned(), attributes: Vec::new(), children }
    }

    /// The value of an attribute that the element has.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }

    /// The value of `data-type`, which says what the element is in the standard; empty without one.
    pub(crate) fn kind(&self) -> &str {
        self.attribute("data-type").unwrap_or_default()
    }

    /// The id of the provision that the element is a part of.
    pub(crate) fn provision(&self) -> Option<&str> {
        self.attribute("data-group")
    }

    /// True if it or an element within it fits.
    pub(crate) fn any(&self, fits: &dyn Fn(&Self) -> bool) -> bool {
        fits(self) || self.elements().any(|child| child.any(fits))
    }

    /// The elements directly within it.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(HtmlNode::element)
    }

    /// True for an element that is a block of its own, and not a part of a line.
    pub(crate) fn is_block(&self) -> bool {
        const BLOCKS: [&str; 26] = [
            "article",
            "section",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "p",
            "pre",
            "div",
            "blockquote",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "figure",
            "figcaption",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "h1",
        ];
        BLOCKS.contains(&&*self.name)
    }
}

impl HtmlNode {
    /// The element, if it is one.
    pub(crate) fn element(&self) -> Option<&HtmlElement> {
        match self {
            Self::Element(element) => Some(element),
            Self::Text(_) => None,
        }
    }

    /// True for a block element.
    pub(crate) fn is_block(&self) -> bool {
        self.element().is_some_and(HtmlElement::is_block)
    }
}

/// Reads the HTML of a section, whose end tag may be missing, and returns its outermost elements.
pub(crate) fn read(html: &str) -> Result<Vec<HtmlNode>, ExportError> {
    let mut reader = Reader::from_str(html);
    // `<br>` and `<img>` have no end tags.
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    let mut open = vec![HtmlElement::default()];
    loop {
        match reader.read_event().map_err(malformed)? {
            Event::Start(tag) | Event::Empty(tag) => {
                let element = element(&tag)?;
                if matches!(&*element.name, "br" | "img") {
                    add(&mut open, HtmlNode::Element(element));
                } else {
                    open.push(element);
                }
            }
            Event::End(_) => close(&mut open),
            Event::Text(text) => add_text(&mut open, &text.decode().map_err(malformed)?),
            Event::GeneralRef(reference) => {
                let name = reference.decode().map_err(malformed)?;
                let text = resolve_predefined_entity(&name)
                    .ok_or_else(|| ExportError::Markup(format!("an unknown reference `&{name};`")))?;
                add_text(&mut open, text);
            }
            Event::Eof => break,
            _ => return Err(ExportError::Markup("markup other than elements and text".to_owned())),
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    Ok(open.pop().unwrap_or_default().children)
}

fn element(tag: &BytesStart<'_>) -> Result<HtmlElement, ExportError> {
    let name = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
    let mut attributes = Vec::new();
    for attribute in tag.html_attributes() {
        let attribute = attribute.map_err(malformed)?;
        let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(malformed)?.into_owned();
        attributes.push((name, value));
    }
    Ok(HtmlElement { name, attributes, children: Vec::new() })
}

fn malformed(error: impl std::fmt::Display) -> ExportError {
    ExportError::Markup(error.to_string())
}

fn add(open: &mut [HtmlElement], node: HtmlNode) {
    if let Some(innermost) = open.last_mut() {
        innermost.children.push(node);
    }
}

/// Adds characters to those before them, if they are in the same element.
fn add_text(open: &mut [HtmlElement], text: &str) {
    let Some(innermost) = open.last_mut() else { return };
    match innermost.children.last_mut() {
        Some(HtmlNode::Text(before)) => before.push_str(text),
        _ => innermost.children.push(HtmlNode::Text(text.to_owned())),
    }
}

/// Ends the innermost element, but not the root.
fn close(open: &mut Vec<HtmlElement>) {
    if open.len() > 1
        && let Some(element) = open.pop()
    {
        add(open, HtmlNode::Element(element));
    }
}

/// The words of nodes, as the text of a section has them: formulae as lines, blocks and line breaks as white
/// space, signs instead of what is raised or lowered.
pub(crate) fn text_of(nodes: &[HtmlNode]) -> String {
    let mut text = String::new();
    add_words(nodes, &mut text);
    collapsed(&text)
}

fn add_words(nodes: &[HtmlNode], to: &mut String) {
    for node in nodes {
        let element = match node {
            HtmlNode::Text(text) => {
                to.push_str(text);
                continue;
            }
            HtmlNode::Element(element) => element,
        };
        match &*element.name {
            "br" => to.push(' '),
            "math" => to.push_str(element.attribute("alttext").unwrap_or_default()),
            // What is struck out is not a part of the text.
            "del" => {}
            "a" if element.kind() == "back" => {}
            _ if element.is_block() => {
                to.push(' ');
                add_words(&element.children, to);
                to.push(' ');
            }
            _ => add_words(&element.children, to),
        }
    }
}

/// A text whose white space is single blanks, without any at both ends.
pub(crate) fn collapsed(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// A text without its white space, for comparing.
pub(crate) fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_without_end_tags_of_its_breaks_and_of_its_section_is_read() {
        let html = "<section id=\"s\"><p>a &lt; b<br>c <span hidden>^</span><sup>2</sup> <img src=\"x\" alt=\"&quot;\"></p>";
        let nodes = read(html).unwrap();
        let section = nodes[0].element().unwrap();
        assert_eq!(section.attribute("id"), Some("s"));
        let paragraph = section.elements().next().unwrap();
        assert_eq!(text_of(&paragraph.children), "a < b c ^2");
        let picture = paragraph.elements().last().unwrap();
        assert_eq!((&*picture.name, picture.attribute("alt")), ("img", Some("\"")));
        assert!(matches!(read("<p>&nbsp;</p>"), Err(ExportError::Markup(_))));
    }

    #[test]
    fn a_formula_is_its_line_and_what_is_struck_out_is_no_word() {
        let nodes =
            read("<p>at <math alttext=\"a/b\"><mfrac><mi>a</mi><mi>b</mi></mfrac></math><del>c</del></p>");
        assert_eq!(text_of(&nodes.unwrap()), "at a/b");
    }
}
