//! The tree: one parsed document, each node known by its [`Name`].

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt};
use memchr::{memchr_iter, memmem};
use norma_model::Lang;
use norma_model::whitespace::is_collapsed;

use crate::xml::changes::{MarkedChanges, Struck};
use crate::xml::invisible::visible;
use crate::xml::names::Name;
use crate::xml::position::offset32;

/// A parsed document: its nodes in document order, the document itself first.
pub(crate) struct Tree<'t> {
    pub(crate) text: &'t str,
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) attributes: Vec<Attribute<'t>>,
    pub(crate) namespaces: Vec<Namespace<'t>>,
    /// The prefixes that are declared anywhere.
    pub(crate) prefixes: BTreeSet<&'t str>,
    /// Scopes of namespaces; the first is that of the document, which declares none.
    pub(crate) scopes: Vec<NamespaceScope>,
    /// Character data that differs from its bytes in the text.
    pub(crate) texts: Vec<Cow<'t, str>>,
    /// Parts that the source marks as inserted or struck out.
    pub(crate) changes: MarkedChanges,
    ids: HashMap<Cow<'t, str>, IdEntry>,
    /// Offsets of each prefix followed by a colon; computed on first use.
    uses: OnceCell<HashMap<String, Vec<u32>>>,
    /// Cache of children by parent and name, for parents with many children.
    child_cache: RefCell<HashMap<(u32, Name), Option<u32>>>,
}

/// Stored form of a node. There are many, so offsets have 32 bits.
pub(crate) struct NodeData {
    pub name: Name,
    /// First byte of the node in the text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Index of the node around it; 0, the document, for the root element.
    pub parent: u32,
    /// Index of the first node after its subtree.
    pub subtree_end: u32,
    pub content: Content,
}

impl NodeData {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Content of a node other than its child nodes.
pub(crate) enum Content {
    /// An element; the range is that of its attributes in [`Tree::attributes`].
    Element(Range<u32>),
    /// Character data that is as in the text.
    AsWritten,
    /// Character data, by the index in [`Tree::texts`].
    Text(u32),
    /// A part that is struck out, by the index in [`MarkedChanges::struck`].
    Struck(u32),
    /// A comment, an instruction or the document.
    Other,
}

/// An attribute that declares no namespace.
pub(crate) struct Attribute<'t> {
    pub prefix: &'t str,
    pub local: &'t str,
    pub value: Cow<'t, str>,
}

/// A declaration of a namespace; the default one has no prefix.
pub(crate) struct Namespace<'t> {
    pub prefix: &'t str,
    pub uri: Cow<'t, str>,
}

/// The namespaces that an element declares, and the scope around it.
pub(crate) struct NamespaceScope {
    pub element: u32,
    pub own: Range<usize>,
    pub around: u32,
}

/// The element that has an id.
#[derive(Clone, Copy)]
struct IdEntry {
    node: u32,
    repeated: bool,
}

/// Children that are scanned on each lookup by name; later ones are cached.
const LINEAR_SCAN_CHILDREN: usize = 64;

impl<'t> Tree<'t> {
    /// A tree of the document alone.
    pub(crate) fn empty(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        // About every other tag begins an element, and most of them follow a text.
        let tags = memchr_iter(b'<', bytes).count();
        let mut nodes = Vec::with_capacity(tags + tags / 2 + 1);
        let document = NodeData {
            name: Name::Other,
            start: 0,
            end: u32::try_from(text.len()).unwrap_or(u32::MAX),
            parent: 0,
            subtree_end: u32::MAX,
            content: Content::Other,
        };
        nodes.push(document);
        Self {
            text,
            nodes,
            attributes: Vec::with_capacity(memchr_iter(b'=', bytes).count()),
            namespaces: Vec::new(),
            prefixes: BTreeSet::new(),
            scopes: vec![NamespaceScope { element: 0, own: 0..0, around: 0 }],
            texts: Vec::new(),
            changes: MarkedChanges::default(),
            ids: HashMap::new(),
            uses: OnceCell::new(),
            child_cache: RefCell::default(),
        }
    }

    /// Number of cached lookups of children.
    #[cfg(test)]
    pub(crate) fn cached_children(&self) -> usize {
        self.child_cache.borrow().len()
    }

    /// Records the ids of an element.
    pub(crate) fn register_id(&mut self, node: u32, attributes: Range<u32>) {
        for attribute in &self.attributes[attributes.start as usize..attributes.end as usize] {
            if attribute.local != "id" || attribute.value.trim().is_empty() {
                continue;
            }
            match self.ids.entry(attribute.value.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(IdEntry { node, repeated: false });
                }
                Entry::Occupied(mut entry) => entry.get_mut().repeated = true,
            }
        }
    }

    /// Records the ids of all elements again, after some are struck out.
    pub(crate) fn register_ids(&mut self) {
        self.ids.clear();
        for node in 0..self.nodes.len() {
            if let Content::Element(attributes) = &self.nodes[node].content {
                self.register_id(node as u32, attributes.clone());
            }
        }
    }

    /// The attributes of an element, without declarations of namespaces; none of another node.
    pub(crate) fn attributes_of(&self, node: &NodeData) -> &[Attribute<'t>] {
        match &node.content {
            Content::Element(attributes) => {
                &self.attributes[attributes.start as usize..attributes.end as usize]
            }
            _ => &[],
        }
    }

    /// The characters of character data; empty for another node.
    pub(crate) fn characters_of(&self, node: &NodeData) -> &str {
        match node.content {
            Content::AsWritten => &self.text[node.range()],
            Content::Text(text) => &self.texts[text as usize],
            Content::Element(_) | Content::Struck(_) | Content::Other => "",
        }
    }

    /// Index of the declaration that a prefix has in a scope.
    pub(crate) fn namespace(&self, scope: u32, prefix: &str) -> Option<usize> {
        self.scopes(scope).flatten().find(|&index| self.namespaces[index].prefix == prefix)
    }

    /// The innermost scope around a node.
    fn scope_around(&self, node: u32) -> u32 {
        let before = self.scopes.partition_point(|scope| scope.element <= node) - 1;
        let mut scope = before as u32;
        // Scopes of elements that end before the node lead to those around them, at last to the document's.
        while scope > 0 {
            let NamespaceScope { element, around, .. } = self.scopes[scope as usize];
            if node < self.nodes[element as usize].subtree_end {
                break;
            }
            scope = around;
        }
        scope
    }

    /// The declarations of a scope and of those around it, innermost first.
    fn scopes(&self, scope: u32) -> impl Iterator<Item = Range<usize>> {
        let around = |scope: &u32| if *scope > 0 { Some(self.scopes[*scope as usize].around) } else { None };
        std::iter::successors(Some(scope), around).map(|scope| self.scopes[scope as usize].own.clone())
    }

    /// The root element, or the document where it has none.
    pub(crate) fn root(&'t self) -> XmlNode<'t> {
        let root = self.nodes.iter().position(|n| matches!(n.content, Content::Element(_)));
        self.node(root.unwrap_or_default())
    }

    fn node(&'t self, id: usize) -> XmlNode<'t> {
        XmlNode { tree: self, id: id as u32 }
    }

    /// The first element with an id.
    pub(crate) fn by_id(&'t self, id: &str) -> Option<XmlNode<'t>> {
        self.ids.get(id).map(|id_entry| XmlNode { tree: self, id: id_entry.node })
    }

    /// Exactly one element has the id.
    pub(crate) fn is_unique(&self, id: &str) -> bool {
        self.ids.get(id).is_some_and(|id_entry| !id_entry.repeated)
    }

    /// At least one element has the id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Looks for a declared prefix followed by a colon in a range of the text.
    pub(crate) fn uses(&self, prefix: &str, within: &Range<usize>) -> bool {
        let uses = self.uses.get_or_init(|| self.offsets_of_prefixes());
        let Some(offsets) = uses.get(prefix) else { return false };
        let next = offsets.partition_point(|&at| (at as usize) < within.start);
        offsets.get(next).is_some_and(|&at| at as usize + prefix.len() < within.end)
    }

    fn offsets_of_prefixes(&self) -> HashMap<String, Vec<u32>> {
        let mut uses = HashMap::new();
        for &prefix in &self.prefixes {
            let needle = format!("{prefix}:");
            let offsets = memmem::find_iter(self.text.as_bytes(), &needle).map(offset32).collect();
            uses.insert(prefix.to_owned(), offsets);
        }
        uses
    }

    /// The text that the ranges of nodes count in.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }
}

/// A node of the tree.
#[derive(Clone, Copy)]
pub(crate) struct XmlNode<'t> {
    tree: &'t Tree<'t>,
    id: u32,
}

impl PartialEq for XmlNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Children of a node, first to last.
#[derive(Clone)]
pub(crate) struct Children<'t> {
    next: XmlNode<'t>,
    subtree_end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = XmlNode<'t>;

    fn next(&mut self) -> Option<XmlNode<'t>> {
        let child = self.next;
        if child.id >= self.subtree_end {
            return None;
        }
        self.next.id = child.data().subtree_end;
        Some(child)
    }
}

impl<'t> XmlNode<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.id as usize]
    }

    fn with(self, id: u32) -> Self {
        Self { id, ..self }
    }

    /// The name of the node.
    pub(crate) fn name(self) -> Name {
        self.data().name
    }

    /// Index of the node among all nodes, in document order.
    pub(crate) fn id(self) -> usize {
        self.id as usize
    }

    /// Bytes of the node in the repaired text.
    pub(crate) fn range(self) -> Range<usize> {
        self.data().range()
    }

    /// The nodes directly in an element, of any sort.
    pub(crate) fn children(self) -> Children<'t> {
        Children { next: self.with(self.id + 1), subtree_end: self.data().subtree_end }
    }

    /// The siblings from this one to a later one.
    pub(crate) fn to(self, last: Self) -> Children<'t> {
        Children { next: self, subtree_end: last.data().subtree_end }
    }

    /// The elements directly in an element.
    pub(crate) fn elements(self) -> impl Iterator<Item = XmlNode<'t>> {
        self.children().filter(|n| n.is_element())
    }

    /// All nodes below it and itself, in document order.
    pub(crate) fn descendants(self) -> impl Iterator<Item = XmlNode<'t>> + Clone {
        (self.id..self.data().subtree_end).map(move |id| self.with(id))
    }

    /// All elements of a name below it, in document order.
    pub(crate) fn all(self, name: Name) -> impl Iterator<Item = XmlNode<'t>> {
        self.descendants().filter(move |n| n.name() == name)
    }

    /// The first child of that name.
    pub(crate) fn child(self, name: Name) -> Option<XmlNode<'t>> {
        let mut children = self.children();
        let near = children.by_ref().take(LINEAR_SCAN_CHILDREN).find(|n| n.name() == name);
        if near.is_some() || children.next.id >= children.subtree_end {
            return near;
        }
        // Such lookups repeat: each of a thousand entries asks for the label of their common parent.
        let mut cache = self.tree.child_cache.borrow_mut();
        let cached = cache.entry((self.id, name));
        let far = cached.or_insert_with(|| children.find(|n| n.name() == name).map(|n| n.id));
        far.map(|id| self.with(id))
    }

    /// The element around it.
    pub(crate) fn parent(self) -> Option<XmlNode<'t>> {
        let parent = self.data().parent;
        if parent > 0 { Some(self.with(parent)) } else { None }
    }

    /// The elements around it, innermost first.
    pub(crate) fn ancestors(self) -> impl Iterator<Item = XmlNode<'t>> {
        std::iter::successors(self.parent(), |n| n.parent())
    }

    /// The node after it under the same parent.
    pub(crate) fn next(self) -> Option<XmlNode<'t>> {
        let next = self.data().subtree_end;
        let end = self.parent()?.data().subtree_end;
        if next < end { Some(self.with(next)) } else { None }
    }

    /// The node before it under the same parent.
    pub(crate) fn previous(self) -> Option<XmlNode<'t>> {
        let parent = self.parent()?;
        if self.is_first() {
            return None;
        }
        // The last node in the subtree of the one before.
        let last = self.with(self.id - 1);
        std::iter::once(last).chain(last.ancestors()).find(|n| n.parent() == Some(parent))
    }

    /// The node has no sibling before it.
    pub(crate) fn is_first(self) -> bool {
        self.id == self.data().parent + 1
    }

    /// The node is an element, of a known name or not.
    pub(crate) fn is_element(self) -> bool {
        matches!(self.data().content, Content::Element(_))
    }

    /// The value of an attribute by its local name, where it is not blank.
    pub(crate) fn attr(self, local: &str) -> Option<&'t str> {
        self.written_attr(local).filter(|value| !value.trim().is_empty())
    }

    /// The value of an attribute by its local name, also where it is blank.
    pub(crate) fn written_attr(self, local: &str) -> Option<&'t str> {
        let attributes = self.tree.attributes_of(self.data());
        let attribute = attributes.iter().find(|attribute| attribute.local == local)?;
        Some(&attribute.value)
    }

    /// The language that the element itself states, if it is a valid one.
    pub(crate) fn language(self) -> Option<Lang> {
        Lang::of_source(self.attr("lang")?).ok()
    }

    /// The `id` attribute, where it is not blank; elements may share one.
    pub(crate) fn xml_id(self) -> Option<&'t str> {
        self.attr("id")
    }

    /// The characters of character data; empty for another node.
    pub(crate) fn characters(self) -> &'t str {
        self.tree.characters_of(self.data())
    }

    /// The part that is struck out here.
    pub(crate) fn struck(self) -> Option<&'t Struck> {
        match self.data().content {
            Content::Struck(index) => Some(&self.tree.changes.struck[index as usize]),
            _ => None,
        }
    }

    /// The source marks the node as inserted, alone or with an element around it.
    pub(crate) fn is_inserted(self) -> bool {
        self.tree.changes.is_inserted(self.id())
    }

    /// All characters below it with white space (and line breaks) collapsed; `None` for empty text.
    pub(crate) fn normalized_text(self) -> Option<String> {
        let mut words = String::new();
        let mut apart = false;
        for node in self.descendants() {
            let characters = &*visible(node.characters());
            if characters.is_empty() {
                apart |= matches!(node.name(), Name::Break | Name::HtmlBr);
                continue;
            }
            if is_collapsed(characters) {
                words.reserve(characters.len() + 1);
                if apart && !words.is_empty() {
                    words.push(' ');
                }
                words.push_str(characters);
                apart = false;
                continue;
            }
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
        if words.is_empty() { None } else { Some(words) }
    }

    /// The node has no character but white space in it.
    pub(crate) fn is_blank(self) -> bool {
        self.descendants().all(|n| n.characters().trim().is_empty())
    }

    /// The name of an element's start tag as written, with prefix.
    pub(crate) fn tag(self, text: &'t str) -> &'t str {
        let rest = &text[self.range().start + 1..];
        let end = rest.find([' ', '\t', '\r', '\n', '>', '/']).unwrap_or(0);
        &rest[..end]
    }

    /// Prefixes and namespaces in scope, innermost first; the prefix is `None` for the default one.
    pub(crate) fn namespaces(self) -> Vec<(Option<&'t str>, &'t str)> {
        if !self.is_element() {
            return Vec::new();
        }
        let scope = self.tree.scope_around(self.id);
        let mut namespaces: Vec<(Option<&str>, &str)> = Vec::new();
        for Namespace { prefix, uri } in self.tree.scopes(scope).flat_map(|own| &self.tree.namespaces[own]) {
            let prefix = Some(*prefix).filter(|p| !p.is_empty());
            if namespaces.iter().all(|(nearer, _)| *nearer != prefix) {
                namespaces.push((prefix, uri));
            }
        }
        namespaces
    }
}
