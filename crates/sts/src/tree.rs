//! The tree: one parsed document, each node known by its [`Name`].

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::names::Name;
use crate::repair::Repaired;
use crate::{Error, Limits};

/// A parsed document.
pub(crate) struct Tree<'t> {
    document: roxmltree::Document<'t>,
    names: Vec<Name>,
    ids: HashMap<Cow<'t, str>, Claim>,
    /// Where each prefix that was asked for stands with a colon behind it.
    uses: RefCell<HashMap<String, Vec<usize>>>,
}

/// Which element bears an id.
#[derive(Clone, Copy)]
struct Claim {
    node: u32,
    repeated: bool,
}

/// Why a text could not be parsed.
pub(crate) enum Unread {
    /// A prefix lacks its declaration.
    Prefix(String),
    /// It is no XML, or beyond a limit.
    Refused(Error),
}

impl<'t> Tree<'t> {
    /// Parses a repaired text.
    pub(crate) fn parse(repaired: &'t Repaired<'_>, limits: &Limits) -> Result<Self, Unread> {
        let options = roxmltree::ParsingOptions { nodes_limit: limits.nodes, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&repaired.text, options)
            .map_err(|e| unread(repaired, limits, e))?;
        let mut names = Vec::with_capacity(document.descendants().len());
        let mut depths: Vec<u32> = Vec::with_capacity(names.capacity());
        let mut ids: HashMap<Cow<'t, str>, Claim> = HashMap::new();
        for node in document.descendants() {
            let depth = node.parent().map_or(0, |parent| depths[parent.id().get_usize()] + 1);
            depths.push(depth);
            names.push(match node.node_type() {
                roxmltree::NodeType::Element => Name::of(node.tag_name().name()),
                roxmltree::NodeType::Text => Name::Text,
                _ => Name::Silent,
            });
            let mut too_long = false;
            for attribute in node.attributes() {
                too_long |= attribute.value().len() > limits.attribute_bytes;
                if attribute.name() == "id" && !attribute.value().trim().is_empty() {
                    let id = match attribute.value_storage() {
                        roxmltree::StringStorage::Borrowed(id) => Cow::Borrowed(*id),
                        roxmltree::StringStorage::Owned(id) => Cow::Owned(id.to_string()),
                    };
                    ids.entry(id)
                        .and_modify(|claim| claim.repeated = true)
                        .or_insert(Claim { node: node.id().get(), repeated: false });
                }
            }
            if depth > limits.depth || too_long {
                let (code, message, hint) = if too_long {
                    let bound = limits.attribute_bytes;
                    (
                        "attribute-too-large",
                        format!("an attribute has more than {bound} bytes"),
                        "keep large pictures in files",
                    )
                } else {
                    let bound = limits.depth;
                    ("too-deep", format!("elements are nested deeper than {bound}"), "flatten the nesting")
                };
                let (line, column) = repaired.place(node.range().start);
                return Err(Unread::Refused(Error { code, line, column, message, hint }));
            }
        }
        Ok(Self { document, names, ids, uses: RefCell::default() })
    }

    /// The root element.
    pub(crate) fn root(&'t self) -> Node<'t> {
        Node { xml: self.document.root_element(), names: &self.names }
    }

    /// The first element that bears an id.
    pub(crate) fn by_id(&'t self, id: &str) -> Option<Node<'t>> {
        let claim = self.ids.get(id)?;
        let xml = self.document.get_node(roxmltree::NodeId::from(claim.node))?;
        Some(Node { xml, names: &self.names })
    }

    /// Whether one element alone bears the id.
    pub(crate) fn is_unique(&self, id: &str) -> bool {
        self.ids.get(id).is_some_and(|claim| !claim.repeated)
    }

    /// Whether any element bears the id.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Whether a prefix with a colon behind it stands in some bytes of the text.
    pub(crate) fn uses(&self, prefix: &str, within: &Range<usize>) -> bool {
        let mut uses = self.uses.borrow_mut();
        if !uses.contains_key(prefix) {
            let text = self.document.input_text().as_bytes();
            let places = memchr::memmem::find_iter(text, &format!("{prefix}:")).collect();
            uses.insert(prefix.to_owned(), places);
        }
        let places = &uses[prefix];
        let next = places.partition_point(|&at| at < within.start);
        places.get(next).is_some_and(|at| at + prefix.len() < within.end)
    }

    /// The text that the ranges of nodes count in.
    pub(crate) fn text(&'t self) -> &'t str {
        self.document.input_text()
    }
}

fn unread(repaired: &Repaired<'_>, limits: &Limits, error: roxmltree::Error) -> Unread {
    if let roxmltree::Error::UnknownNamespace(prefix, _) = error {
        return Unread::Prefix(prefix);
    }
    let at = error.pos();
    let text: &str = &repaired.text;
    let line_start = match at.row {
        0 | 1 => 0,
        row => memchr::memchr_iter(b'\n', text.as_bytes()).nth(row as usize - 2).map_or(0, |n| n + 1),
    };
    let rest = &text[line_start..];
    let byte = rest.char_indices().nth(at.col.saturating_sub(1) as usize).map_or(rest.len(), |(i, _)| i);
    let (line, column) = repaired.place(line_start + byte);
    if matches!(error, roxmltree::Error::NodesLimitReached) {
        let message = format!("the document has more than {} elements and texts", limits.nodes);
        let hint = "split the document, or raise the limit `nodes`";
        return Unread::Refused(Error { code: "too-many-nodes", line, column, message, hint });
    }
    // The parser ends its sentences with its own position, which counts in the repaired text.
    let sentence = error.to_string();
    let message = match sentence.rfind(" at ") {
        Some(end) if sentence[end + 4..].bytes().all(|b| b.is_ascii_digit() || b == b':') => &sentence[..end],
        _ => &sentence,
    };
    Unread::Refused(Error {
        code: "not-well-formed",
        line,
        column,
        message: format!("the XML is not well-formed: {message}"),
        hint: "mend the markup; `xmllint --noout FILE` shows the same place",
    })
}

/// A node of the tree.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    xml: roxmltree::Node<'t, 't>,
    names: &'t [Name],
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.xml == other.xml
    }
}

impl<'t> Node<'t> {
    fn with(self, xml: roxmltree::Node<'t, 't>) -> Self {
        Self { xml, names: self.names }
    }

    /// What it is.
    pub(crate) fn name(self) -> Name {
        self.names[self.id()]
    }

    /// Its place among all nodes, in document order.
    pub(crate) fn id(self) -> usize {
        self.xml.id().get_usize()
    }

    /// Its bytes in the repaired text.
    pub(crate) fn range(self) -> Range<usize> {
        self.xml.range()
    }

    /// Its children of any sort.
    pub(crate) fn children(self) -> impl Iterator<Item = Node<'t>> {
        self.xml.children().map(move |xml| self.with(xml))
    }

    /// Its child elements.
    pub(crate) fn elements(self) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(|n| n.xml.is_element())
    }

    /// All nodes below it and itself, in document order.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Node<'t>> {
        self.xml.descendants().map(move |xml| self.with(xml))
    }

    /// All elements of a name below it, in document order.
    pub(crate) fn all(self, name: Name) -> impl Iterator<Item = Node<'t>> {
        self.descendants().filter(move |n| n.name() == name)
    }

    /// Its first child element of that name.
    pub(crate) fn child(self, name: Name) -> Option<Node<'t>> {
        self.children().find(|n| n.name() == name)
    }

    /// The element that holds it.
    pub(crate) fn parent(self) -> Option<Node<'t>> {
        self.xml.parent_element().map(|xml| self.with(xml))
    }

    /// The elements that hold it, innermost first.
    pub(crate) fn ancestors(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent(), |n| n.parent())
    }

    /// The node after it under the same parent.
    pub(crate) fn next(self) -> Option<Node<'t>> {
        self.xml.next_sibling().map(|xml| self.with(xml))
    }

    /// Whether no node stands before it under the same parent.
    pub(crate) fn is_first(self) -> bool {
        self.xml.prev_sibling().is_none()
    }

    /// Whether it is an element.
    pub(crate) fn is_element(self) -> bool {
        self.xml.is_element()
    }

    /// The value of an attribute by its local name, where it is not blank.
    pub(crate) fn attr(self, local: &str) -> Option<&'t str> {
        self.xml.attributes().find(|a| a.name() == local).map(|a| a.value()).filter(|v| !v.trim().is_empty())
    }

    /// Its id.
    pub(crate) fn xml_id(self) -> Option<&'t str> {
        self.attr("id")
    }

    /// Its characters, where it is character data.
    pub(crate) fn characters(self) -> &'t str {
        if self.name() == Name::Text { self.xml.text().unwrap_or_default() } else { "" }
    }

    /// All characters below it, white space collapsed; `None` where there are none.
    pub(crate) fn words(self) -> Option<String> {
        let mut words = String::new();
        let mut apart = false;
        for characters in self.descendants().map(Node::characters).filter(|c| !c.is_empty()) {
            apart |= characters.starts_with(char::is_whitespace);
            for word in characters.split_whitespace() {
                if apart && !words.is_empty() {
                    words.push(' ');
                }
                words.push_str(word);
                apart = true;
            }
            apart = characters.ends_with(char::is_whitespace);
        }
        (!words.is_empty()).then_some(words)
    }

    /// Whether there is any character but white space in it.
    pub(crate) fn is_blank(self) -> bool {
        self.descendants().all(|n| n.characters().trim().is_empty())
    }

    /// The name of its start tag as written, with prefix.
    pub(crate) fn tag(self, text: &'t str) -> &'t str {
        let rest = &text[self.range().start + 1..];
        &rest[..rest.find([' ', '\t', '\r', '\n', '>', '/']).unwrap_or(0)]
    }

    /// Prefixes and namespaces in scope; the prefix is `None` for the default one.
    pub(crate) fn namespaces(self) -> impl Iterator<Item = (Option<&'t str>, &'t str)> {
        self.xml.namespaces().map(|n| (n.name(), n.uri()))
    }
}
