//! XHTML of objects as ReqIF has it (ReqIF 1.2, 10.8.20; XHTML Modularization): no formulae, no pictures but
//! objects, no links.

use crate::html::{HtmlElement, HtmlNode, collapsed};
use crate::objects::RequirementDocument;
use crate::xml::XmlWriter;

/// Where files of pictures are, in a package; nowhere in a file alone.
pub(crate) struct PackedPictures<'a> {
    pub(crate) document: &'a RequirementDocument<'a>,
    /// Folder with its slash; `None` where the format has no files.
    pub(crate) folder: Option<&'a str>,
}

/// Writes nodes as one `div`.
pub(crate) fn write_div(xml: &mut XmlWriter, nodes: &[HtmlNode], pictures: &PackedPictures<'_>) {
    xml.begin("xhtml:div", &[]);
    flow(xml, nodes, pictures);
    xml.end();
}

/// Writes blocks and words.
fn flow(xml: &mut XmlWriter, nodes: &[HtmlNode], pictures: &PackedPictures<'_>) {
    for node in nodes {
        match node {
            HtmlNode::Text(text) => xml.text(text),
            HtmlNode::Element(element) if element.is_block() => block(xml, element, pictures),
            HtmlNode::Element(element) => inline(xml, element, pictures),
        }
    }
}

fn block(xml: &mut XmlWriter, element: &HtmlElement, pictures: &PackedPictures<'_>) {
    match &*element.name {
        "p" | "dt" => {
            xml.begin("xhtml:p", &[]);
            inlines(xml, &element.children, pictures);
            xml.end();
        }
        // Its content has no raised or lowered words here.
        "pre" => xml.element("xhtml:pre", &verbatim(&element.children)),
        "ul" | "ol" => list(xml, element, pictures),
        "table" => table(xml, element, pictures),
        _ => {
            xml.begin("xhtml:div", &[]);
            flow(xml, &element.children, pictures);
            xml.end();
        }
    }
}

/// Writes a list. One without items is not allowed.
fn list(xml: &mut XmlWriter, element: &HtmlElement, pictures: &PackedPictures<'_>) {
    let mut items = element.elements().filter(|item| item.name == "li").peekable();
    if items.peek().is_none() {
        return flow(xml, &element.children, pictures);
    }
    // The labels of items are in their texts: an ordered list would number them again.
    xml.begin("xhtml:ul", &[("style", "list-style-type: none")]);
    for item in items {
        xml.begin("xhtml:li", &[]);
        flow(xml, &item.children, pictures);
        xml.end();
    }
    xml.end();
}

/// Writes a table: its head, then its body. Rows without cells are left out.
fn table(xml: &mut XmlWriter, element: &HtmlElement, pictures: &PackedPictures<'_>) {
    let mut heads = Vec::new();
    let mut rows = Vec::new();
    add_rows(element, false, &mut heads, &mut rows);
    if rows.is_empty() {
        std::mem::swap(&mut heads, &mut rows);
    }
    if rows.is_empty() {
        return;
    }
    xml.begin("xhtml:table", &[("border", "1")]);
    for (name, rows) in [("xhtml:thead", heads), ("xhtml:tbody", rows)] {
        if rows.is_empty() {
            continue;
        }
        xml.begin(name, &[]);
        for row in rows {
            xml.begin("xhtml:tr", &[]);
            for cell in row.elements().filter(|cell| is_cell(cell)) {
                let mut attributes = Vec::new();
                for span in ["colspan", "rowspan"] {
                    if let Some(value) = cell.attribute(span) {
                        attributes.push((span, value));
                    }
                }
                xml.begin(if cell.name == "th" { "xhtml:th" } else { "xhtml:td" }, &attributes);
                flow(xml, &cell.children, pictures);
                xml.end();
            }
            xml.end();
        }
        xml.end();
    }
    xml.end();
}

/// The rows of a table with cells, those of its head apart.
pub(crate) fn add_rows<'e>(
    element: &'e HtmlElement,
    in_head: bool,
    heads: &mut Vec<&'e HtmlElement>,
    rows: &mut Vec<&'e HtmlElement>,
) {
    for child in element.elements() {
        match &*child.name {
            "tr" if !child.elements().any(is_cell) => {}
            "tr" if in_head => heads.push(child),
            "tr" => rows.push(child),
            "thead" => add_rows(child, true, heads, rows),
            "tbody" => add_rows(child, false, heads, rows),
            _ => {}
        }
    }
}

pub(crate) fn is_cell(element: &HtmlElement) -> bool {
    matches!(&*element.name, "td" | "th")
}

fn inlines(xml: &mut XmlWriter, nodes: &[HtmlNode], pictures: &PackedPictures<'_>) {
    for node in nodes {
        match node {
            HtmlNode::Text(text) => xml.text(text),
            HtmlNode::Element(element) => inline(xml, element, pictures),
        }
    }
}

fn inline(xml: &mut XmlWriter, element: &HtmlElement, pictures: &PackedPictures<'_>) {
    if let Some(graphic) = element.attribute("data-graphic") {
        return picture(xml, element, graphic, pictures);
    }
    // The sign for what is raised or lowered, which is shown so.
    if element.attribute("hidden").is_some() || element.kind() == "back" {
        return;
    }
    let name = match &*element.name {
        "br" => return xml.empty("xhtml:br", &[]),
        "math" => return xml.text(element.attribute("alttext").unwrap_or_default()),
        "b" => "xhtml:b",
        "i" => "xhtml:i",
        "sub" => "xhtml:sub",
        "sup" => "xhtml:sup",
        "code" => "xhtml:code",
        "ins" => "xhtml:ins",
        "del" => "xhtml:del",
        _ => return inlines(xml, &element.children, pictures),
    };
    xml.begin(name, &[]);
    inlines(xml, &element.children, pictures);
    xml.end();
}

/// Writes a picture as an object with its words within; without a file, the words alone.
fn picture(xml: &mut XmlWriter, element: &HtmlElement, graphic: &str, pictures: &PackedPictures<'_>) {
    let words = element.attribute("alt").or(element.attribute("aria-label")).unwrap_or(graphic);
    match (pictures.folder, pictures.document.file(graphic)) {
        (Some(folder), Some(file)) => {
            let path = format!("{folder}{}", file.name);
            xml.begin("xhtml:object", &[("data", &path), ("type", file.media_type)]);
            xml.text(words);
            xml.end();
        }
        _ => xml.text(&format!("[{}]", collapsed(words))),
    }
}

/// The characters of code, with its white space.
pub(crate) fn verbatim(nodes: &[HtmlNode]) -> String {
    let mut text = String::new();
    for node in nodes {
        match node {
            HtmlNode::Text(words) => text.push_str(words),
            HtmlNode::Element(element) if element.name == "br" => text.push('\n'),
            HtmlNode::Element(element) if element.name == "math" => {
                text.push_str(element.attribute("alttext").unwrap_or_default());
            }
            HtmlNode::Element(element) => text.push_str(&verbatim(&element.children)),
        }
    }
    text
}
