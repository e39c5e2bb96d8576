//! Independent reading of a source: the content of sections, and the pictures, terms and references.

use roxmltree::Node;

use crate::words;

const CONTAINERS: &[&str] = &["standard", "adoption", "adoption-front", "front", "body", "back", "app-group"];
const SECTIONS: &[&str] = &["sec", "app", "term-sec"];
const OUTER: &[&str] = &["ref-list", "fn-group", "index", "notes", "ack", "glossary", "sub-part"];

/// The content of a document.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Words of each section, in document order.
    pub(crate) sections: Vec<Vec<String>>,
    /// The href of each graphic, empty where it has none.
    pub(crate) hrefs: Vec<String>,
    /// Designations, definitions, notes, examples, sources and subject fields of each entry, with their
    /// languages.
    pub(crate) terms: Vec<[Vec<String>; 6]>,
    /// Designations of cited documents.
    pub(crate) references: Vec<String>,
}

fn local<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

fn is_meta(node: Node<'_, '_>) -> bool {
    node.is_element() && local(node).ends_with("-meta")
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect()
}

impl Reading {
    pub(crate) fn of(root: Node<'_, '_>) -> Self {
        let mut reading = Self::default();
        reading.container(root);
        for node in root.descendants().filter(Node::is_element) {
            match local(node) {
                "graphic" | "inline-graphic" => {
                    let href = node.attributes().find(|a| a.name() == "href").map(|a| a.value().to_owned());
                    reading.hrefs.push(href.unwrap_or_default());
                }
                "termEntry" => reading.terms.push(entry(node)),
                "def-item" if in_terms_clause(node) => reading.terms.push(item(node)),
                "std-ref" if node.parent().is_some_and(|p| is_cited(p)) => {
                    reading.references.push(text(node))
                }
                "mixed-citation" => reading.references.push(text(node)),
                _ => {}
            }
        }
        reading
    }

    fn container(&mut self, node: Node<'_, '_>) {
        let mut run: Option<usize> = None;
        for child in node.children() {
            let name = local(child);
            if child.is_comment()
                || child.is_pi()
                || child.is_text() && child.text().unwrap_or_default().trim().is_empty()
            {
                continue;
            }
            if is_meta(child) {
                run = None;
            } else if CONTAINERS.contains(&name) {
                run = None;
                self.container(child);
            } else if SECTIONS.contains(&name) || OUTER.contains(&name) {
                run = None;
                let at = self.open();
                self.inside(child, at, name == "sub-part");
            } else {
                let at = match run {
                    Some(at) => at,
                    None => self.open(),
                };
                run = Some(at);
                self.node(child, at, false);
            }
        }
    }

    fn open(&mut self) -> usize {
        self.sections.push(Vec::new());
        self.sections.len() - 1
    }

    fn inside(&mut self, node: Node<'_, '_>, at: usize, part: bool) {
        node.children().for_each(|child| self.node(child, at, part));
    }

    fn node(&mut self, node: Node<'_, '_>, at: usize, part: bool) {
        if node.is_text() {
            self.sections[at].extend(words(node.text().unwrap_or_default()));
        } else if SECTIONS.contains(&local(node)) || part && OUTER.contains(&local(node)) {
            let inner = self.open();
            self.inside(node, inner, local(node) == "sub-part");
        } else if !is_meta(node) {
            self.inside(node, at, part);
        }
    }
}

/// Whether an element states or lists another document, outside the metadata of a collection's part.
fn is_cited(std: Node<'_, '_>) -> bool {
    let listed = std.parent().is_some_and(|p| local(p) == "ref");
    let stated = local(std) == "std-xref" && !std.ancestors().any(|n| local(n) == "sub-part");
    listed || stated
}

fn in_terms_clause(node: Node<'_, '_>) -> bool {
    let section = node.ancestors().find(|n| SECTIONS.contains(&local(*n)));
    section.is_some_and(|s| s.attribute("sec-type") == Some("terms"))
}

fn entry(node: Node<'_, '_>) -> [Vec<String>; 6] {
    let mut members: [Vec<String>; 6] = Default::default();
    for set in node.children().filter(Node::is_element) {
        let language = set.attributes().find(|a| a.name() == "lang").map_or("", |a| a.value());
        for part in set.children().filter(Node::is_element) {
            let said = format!("{language} {}", words(&text(part)).join(" "));
            match local(part) {
                "tig" => {
                    let status = part.descendants().find_map(|n| n.attribute("value")).unwrap_or_default();
                    members[0].push(format!("{said} {status}"));
                }
                "definition" => members[1].push(said),
                "note" => members[2].push(said),
                "example" => members[3].push(said),
                "source" => members[4].push(said),
                _ => members[5].push(said),
            }
        }
    }
    members
}

/// An item of a definition list in a terms clause.
fn item(node: Node<'_, '_>) -> [Vec<String>; 6] {
    let mut members: [Vec<String>; 6] = Default::default();
    for part in node.children().filter(Node::is_element) {
        let said = words(&text(part)).join(" ");
        match local(part) {
            "term" => members[0].push(format!("en {said} preferredTerm")),
            _ if said.is_empty() => {}
            _ => members[1].push(format!("en {said}")),
        }
    }
    members
}
