//! The content of a section in pieces: provisions, tables, pictures, terms, notes and the texts between them.

use std::collections::{HashMap, HashSet};

use super::ObjectKind;
use crate::html::{HtmlElement, HtmlNode, text_of};

/// Ids that the API gives to parts of the edition.
#[derive(Debug, Default)]
pub(super) struct KnownIds<'a> {
    pub(super) tables: HashSet<&'a str>,
    pub(super) terms: HashSet<&'a str>,
}

/// What a section consists of.
#[derive(Debug)]
pub(super) enum SectionPiece {
    /// A part that is not a provision, with the ids of the provisions within it.
    Part { kind: ObjectKind, id: Option<String>, nodes: Vec<HtmlNode>, provisions: Vec<String> },
    /// A provision, where its first words are.
    Provision(String),
}

/// The pieces of a section's content in document order, without its heading.
pub(super) fn pieces(content: &[HtmlNode], known: &KnownIds<'_>) -> Vec<SectionPiece> {
    let mut pieces = Vec::new();
    let mut reader = SectionPieceReader { known, pieces: &mut pieces, seen: HashSet::new() };
    reader.nodes(content);
    pieces
}

struct SectionPieceReader<'a, 'p> {
    known: &'a KnownIds<'a>,
    pieces: &'p mut Vec<SectionPiece>,
    /// Provisions that are pieces already.
    seen: HashSet<String>,
}

impl SectionPieceReader<'_, '_> {
    /// Reads blocks, and what is between them as lines.
    fn nodes(&mut self, nodes: &[HtmlNode]) {
        let mut line: Vec<&HtmlNode> = Vec::new();
        for node in nodes {
            match node {
                HtmlNode::Element(element) if element.is_block() => {
                    self.line(&std::mem::take(&mut line));
                    self.block(element);
                }
                _ => line.push(node),
            }
        }
        self.line(&line);
    }

    fn block(&mut self, element: &HtmlElement) {
        if is_heading(element) {
            return;
        }
        if let Some(kind) = self.kind(element) {
            return self.part(kind, element);
        }
        let is_divided = element.any(&|inner| inner.provision().is_some() || self.kind(inner).is_some());
        if !is_divided {
            if has_content(&element.children) {
                self.add(ObjectKind::Text, None, vec![HtmlNode::Element(element.clone())], Vec::new());
            }
        } else if element.children.iter().any(HtmlNode::is_block) {
            self.nodes(&element.children);
        } else {
            self.line(&element.children.iter().collect::<Vec<_>>());
        }
    }

    /// The kind of an element that is an object of its own.
    fn kind(&self, element: &HtmlElement) -> Option<ObjectKind> {
        // A group of tables or pictures is not one of them.
        let is_group = element.elements().any(|child| child.any(&|inner| inner.name == "figure"));
        match (&*element.name, element.kind()) {
            ("figure", "table") if !is_group => Some(ObjectKind::Table),
            ("figure", _) if !is_group => Some(ObjectKind::Picture),
            ("table", _) => Some(ObjectKind::Table),
            ("div", "term") => Some(ObjectKind::Term),
            ("div", "note" | "example" | "footnote" | "warning" | "important") => Some(ObjectKind::Note),
            _ => None,
        }
    }

    fn part(&mut self, kind: ObjectKind, element: &HtmlElement) {
        let id = match kind {
            ObjectKind::Table => first_id(element, &self.known.tables),
            ObjectKind::Term => first_id(element, &self.known.terms),
            ObjectKind::Picture => graphics(std::slice::from_ref(&HtmlNode::Element(element.clone()))).pop(),
            _ => None,
        };
        let mut within = Vec::new();
        provisions_within(element, &mut within);
        within.retain(|id| self.seen.insert(id.clone()));
        self.add(kind, id, vec![HtmlNode::Element(element.clone())], within);
    }

    /// Reads words in one line: provisions, and the words between them.
    fn line(&mut self, nodes: &[&HtmlNode]) {
        let has_provision = |node: &HtmlNode| {
            node.element().is_some_and(|element| element.any(&|inner| inner.provision().is_some()))
        };
        let is_divided = nodes.iter().any(|node| has_provision(node));
        let mut words: Vec<HtmlNode> = Vec::new();
        for &node in nodes {
            let HtmlNode::Element(element) = node else {
                words.push(node.clone());
                continue;
            };
            // The label of an item is an attribute of its provision.
            if is_divided && element.kind() == "label" {
                continue;
            }
            if !has_provision(node) {
                words.push(node.clone());
                continue;
            }
            self.words(std::mem::take(&mut words));
            self.words(without_provisions(std::slice::from_ref(node)));
            let mut within = Vec::new();
            provisions_within(element, &mut within);
            for id in within {
                if self.seen.insert(id.clone()) {
                    self.pieces.push(SectionPiece::Provision(id));
                }
            }
        }
        self.words(words);
    }

    /// Adds words that are in no provision.
    fn words(&mut self, nodes: Vec<HtmlNode>) {
        if !has_content(&nodes) {
            return;
        }
        let is_picture = !has_words(&text_of(&nodes));
        let mut graphics = graphics(&nodes);
        let paragraph = vec![HtmlNode::Element(HtmlElement::new("p", nodes))];
        if is_picture && !graphics.is_empty() {
            self.add(ObjectKind::Picture, Some(graphics.remove(0)), paragraph, Vec::new());
        } else {
            self.add(ObjectKind::Text, None, paragraph, Vec::new());
        }
    }

    fn add(&mut self, kind: ObjectKind, id: Option<String>, nodes: Vec<HtmlNode>, provisions: Vec<String>) {
        self.pieces.push(SectionPiece::Part { kind, id, nodes, provisions });
    }
}

fn is_heading(element: &HtmlElement) -> bool {
    matches!(&*element.name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// The content of the heading of a section.
pub(super) fn heading(content: &[HtmlNode]) -> Vec<HtmlNode> {
    let mut elements = content.iter().filter_map(HtmlNode::element);
    match elements.find(|element| is_heading(element)) {
        Some(heading) => vec![HtmlNode::Element(HtmlElement::new("p", heading.children.clone()))],
        None => Vec::new(),
    }
}

/// True if nodes have words, a formula or a picture.
fn has_content(nodes: &[HtmlNode]) -> bool {
    has_words(&text_of(nodes)) || !graphics(nodes).is_empty()
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The ids of the graphics in nodes, the last one first.
pub(super) fn graphics(nodes: &[HtmlNode]) -> Vec<String> {
    let mut found = Vec::new();
    add_graphics(nodes, &mut found);
    found.reverse();
    found
}

fn add_graphics(nodes: &[HtmlNode], to: &mut Vec<String>) {
    for element in nodes.iter().filter_map(HtmlNode::element) {
        if let Some(id) = element.attribute("data-graphic") {
            to.push(id.to_owned());
        }
        add_graphics(&element.children, to);
    }
}

/// The first of these ids that the element or one within it has.
fn first_id(element: &HtmlElement, known: &HashSet<&str>) -> Option<String> {
    if let Some(id) = element.attribute("id")
        && known.contains(id)
    {
        return Some(id.to_owned());
    }
    element.elements().find_map(|child| first_id(child, known))
}

fn provisions_within(element: &HtmlElement, to: &mut Vec<String>) {
    if let Some(id) = element.provision()
        && !to.iter().any(|known| known == id)
    {
        to.push(id.to_owned());
    }
    for child in element.elements() {
        provisions_within(child, to);
    }
}

/// Nodes without the words of provisions and without the labels of items.
fn without_provisions(nodes: &[HtmlNode]) -> Vec<HtmlNode> {
    let mut rest = Vec::new();
    for node in nodes {
        let HtmlNode::Element(element) = node else {
            rest.push(node.clone());
            continue;
        };
        if element.provision().is_none() && element.kind() != "label" {
            let children = without_provisions(&element.children);
            rest.push(HtmlNode::Element(HtmlElement { children, ..element.clone() }));
        }
    }
    rest
}

/// The content of each provision in a section, by its id: its words with the inline elements around them.
pub(super) fn provision_contents(content: &[HtmlNode]) -> HashMap<String, Vec<HtmlNode>> {
    let mut collector = ContentCollector::default();
    collector.nodes(content, &mut Vec::new());
    collector.contents.into_iter().map(|(id, content)| (id, content.nodes)).collect()
}

/// The words of a provision that were found so far.
#[derive(Default)]
struct ProvisionContent {
    nodes: Vec<HtmlNode>,
    /// Number of the last node of it.
    end: usize,
}

#[derive(Default)]
struct ContentCollector {
    contents: HashMap<String, ProvisionContent>,
    /// Number of the present node, in document order.
    at: usize,
    /// Number of the last node that had white space or began or ended a block.
    last_space: usize,
}

impl ContentCollector {
    /// Collects from nodes within these inline elements.
    fn nodes(&mut self, nodes: &[HtmlNode], inlines: &mut Vec<HtmlElement>) {
        for node in nodes {
            self.at += 1;
            let element = match node {
                HtmlNode::Element(element) => element,
                HtmlNode::Text(text) => {
                    if text.contains(char::is_whitespace) {
                        self.note_space();
                    }
                    continue;
                }
            };
            if let Some(id) = element.provision() {
                self.add(id, &element.children, inlines);
            }
            if element.is_block() {
                self.note_space();
                self.nodes(&element.children, &mut Vec::new());
                self.note_space();
            } else if element.provision().is_some() {
                // A provision within another one.
                self.nodes(&element.children, inlines);
            } else {
                inlines.push(HtmlElement { children: Vec::new(), ..element.clone() });
                self.nodes(&element.children, inlines);
                inlines.pop();
            }
        }
    }

    fn note_space(&mut self) {
        self.at += 1;
        self.last_space = self.at;
    }

    fn add(&mut self, id: &str, children: &[HtmlNode], inlines: &[HtmlElement]) {
        let mut nodes = children.to_vec();
        for inline in inlines.iter().rev() {
            nodes = vec![HtmlNode::Element(HtmlElement { children: nodes, ..inline.clone() })];
        }
        let content = self.contents.entry(id.to_owned()).or_default();
        if !content.nodes.is_empty() && self.last_space > content.end {
            content.nodes.push(HtmlNode::Text(" ".to_owned()));
        }
        content.nodes.append(&mut nodes);
        self.at += 1;
        content.end = self.at;
    }
}
