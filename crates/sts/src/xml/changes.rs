//! Change marks: what a source marks as inserted or struck out, by attributes, elements and the instructions
//! of editors.
//!
//! The new state is read everywhere. What is struck becomes a node without name and characters, as a comment
//! is, so that no later step can read it; its words are kept for HTML alone. `docs/packages.md` lists the
//! marks, and says where each is documented. What nobody has documented is not read as a mark.

use std::ops::Range;

use memchr::memmem;
use norma_model::whitespace::collapse;

use crate::xml::names::Name;
use crate::xml::struck_parts::struck_parts;
use crate::xml::tree::{Attribute, Content, NodeData, Tree};

/// The change marks of a document.
#[derive(Default)]
pub(crate) struct MarkedChanges {
    /// Parts that are struck out, in document order.
    pub(crate) struck: Vec<Struck>,
    /// Nodes that are inserted, by their index.
    inserted: Vec<Range<u32>>,
    /// First byte of the first mark.
    pub(crate) first: Option<usize>,
    /// Number of marks of insertions.
    pub(crate) insertions: usize,
    /// Number of marks of deletions.
    pub(crate) deletions: usize,
}

/// A part of the document that is struck out.
pub(crate) struct Struck {
    /// Name of the element; that of character data in the instruction of an editor.
    pub(crate) name: Name,
    /// All words of the part, in one line.
    pub(crate) words: String,
    /// Ids of the elements in the part.
    pub(crate) ids: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeMark {
    Insertion,
    Deletion,
}

/// Values of attributes that mark an insertion or a deletion, in lower case.
const INSERTIONS: [&str; 6] = ["addition", "added", "insert", "inserted", "insertion", "ins"];
const DELETIONS: [&str; 4] = ["deletion", "deleted", "delete", "del"];

/// An instruction of an editor: the start of its markup, and what it marks.
struct EditorInstruction {
    start: &'static str,
    mark: EditorMark,
}

enum EditorMark {
    /// An insertion up to an instruction with this start.
    InsertionUpTo(&'static str),
    /// A deletion, whose markup this pseudo-attribute holds.
    DeletionIn(&'static str),
}

const INSTRUCTIONS: [EditorInstruction; 4] = [
    // Oxygen: “Tracked MarkedChanges XML Markup” of its user manual.
    EditorInstruction { start: "<?oxy_insert_start", mark: EditorMark::InsertionUpTo("<?oxy_insert_end") },
    EditorInstruction { start: "<?oxy_delete", mark: EditorMark::DeletionIn("content") },
    // XMetaL: as the Legislative Counsel of California and Microsoft publish their sources.
    EditorInstruction {
        start: "<?xm-insertion_mark_start",
        mark: EditorMark::InsertionUpTo("<?xm-insertion_mark_end"),
    },
    EditorInstruction { start: "<?xm-deletion_mark", mark: EditorMark::DeletionIn("data") },
];

impl MarkedChanges {
    /// Looks a node up among the inserted ones, and those in them, by its index.
    pub(crate) fn is_inserted(&self, node: usize) -> bool {
        self.inserted.iter().any(|range| range.contains(&(node as u32)))
    }
}

/// Reads the change marks of a tree and strikes what they strike.
pub(crate) fn read(tree: &mut Tree<'_>) {
    if !may_have_marks(tree) {
        return;
    }
    let mut reader = MarkReader::default();
    let mut at = 0;
    while at < tree.nodes.len() {
        at = reader.read_node(tree, at);
    }
    let MarkReader { mut changes, deleted, .. } = reader;
    for part in struck_parts(tree, &deleted) {
        strike_part(tree, part, &mut changes);
    }
    tree.changes = changes;
    tree.register_ids();
}

/// The marks that are read so far.
#[derive(Default)]
struct MarkReader {
    changes: MarkedChanges,
    /// Elements that are marked as deleted. They are struck when all marks are read, since a cell may stay
    /// for its column.
    deleted: Vec<usize>,
    /// Insertions of an editor that have begun.
    open_insertions: Vec<OpenInsertion>,
}

struct OpenInsertion {
    /// Index of the instruction that begins it.
    first: usize,
    /// Start of the instruction that ends it.
    end: &'static str,
}

impl MarkReader {
    /// Reads the mark of a node, if it has one, and gives the next node to read.
    fn read_node(&mut self, tree: &mut Tree<'_>, at: usize) -> usize {
        let node = &tree.nodes[at];
        let start = node.range().start;
        let subtree_end = node.subtree_end;
        let is_element = matches!(node.content, Content::Element(_));
        let mark = match node.content {
            Content::Element(_) => mark_of(tree, node),
            Content::Other => self.read_instruction(tree, at),
            _ => None,
        };
        let Some(mark) = mark else { return at + 1 };
        self.changes.first.get_or_insert(start);
        match mark {
            ChangeMark::Insertion => {
                self.changes.insertions += 1;
                if is_element {
                    self.changes.inserted.push(at as u32..subtree_end);
                }
                if is_wrapper(tree.nodes[at].name) {
                    unwrap(tree, at);
                }
                at + 1
            }
            ChangeMark::Deletion => {
                self.changes.deletions += 1;
                if is_element {
                    self.deleted.push(at);
                }
                // Marks within what is struck say nothing.
                subtree_end as usize
            }
        }
    }

    /// Reads an instruction that may be that of an editor. A deletion is struck at once: it has no nodes.
    fn read_instruction(&mut self, tree: &mut Tree<'_>, at: usize) -> Option<ChangeMark> {
        let text = &tree.text[tree.nodes[at].range()];
        if let Some(opened) = self.open_insertions.iter().position(|open| text.starts_with(open.end)) {
            let opened = self.open_insertions.remove(opened);
            self.changes.inserted.push(opened.first as u32..at as u32);
        }
        let instruction = INSTRUCTIONS.iter().find(|known| is_instruction(text, known.start))?;
        match instruction.mark {
            EditorMark::InsertionUpTo(end) => {
                self.open_insertions.push(OpenInsertion { first: at, end });
                Some(ChangeMark::Insertion)
            }
            EditorMark::DeletionIn(attribute) => {
                let words = words_of_markup(text, attribute);
                let struck = Struck { name: Name::Text, words, ids: Vec::new() };
                self.changes.strike(&mut tree.nodes[at], struck);
                Some(ChangeMark::Deletion)
            }
        }
    }
}

/// Looks for anything like a change mark: most documents have none, and are not searched.
fn may_have_marks(tree: &Tree<'_>) -> bool {
    if tree.attributes.iter().any(|attribute| attribute_mark(attribute, None).is_some()) {
        return true;
    }
    if tree.nodes.iter().any(|node| matches!(node.name, Name::Ins | Name::Del | Name::Add)) {
        return true;
    }
    let text = tree.text.as_bytes();
    INSTRUCTIONS.iter().any(|known| memmem::find(text, known.start.as_bytes()).is_some())
}

fn is_instruction(text: &str, target: &str) -> bool {
    text.strip_prefix(target).is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '?'))
}

/// The mark that an element is or has. The root element has none: a document is not struck as a whole.
pub(super) fn mark_of(tree: &Tree<'_>, node: &NodeData) -> Option<ChangeMark> {
    if node.parent == 0 {
        return None;
    }
    match node.name {
        Name::Ins | Name::Add => return Some(ChangeMark::Insertion),
        Name::Del => return Some(ChangeMark::Deletion),
        // `editing-instruction` names the kind of an instruction in `content-type`, and its words are read.
        Name::EditingInstruction => return None,
        _ => {}
    }
    tree.attributes_of(node).iter().find_map(|attribute| attribute_mark(attribute, Some(node.name)))
}

/// The mark that an attribute is, on an element of this name or on any.
fn attribute_mark(attribute: &Attribute<'_>, element: Option<Name>) -> Option<ChangeMark> {
    let is_content = |name| matches!(name, Name::StyledContent | Name::NamedContent);
    match attribute.local {
        "specific-use" | "style-type" | "revisionflag" => {}
        "style" | "content-type" if element.is_none_or(is_content) => {}
        // DeltaXML: what only the first or only the second of two editions has.
        "deltaV2" if attribute.value == "A" => return Some(ChangeMark::Deletion),
        "deltaV2" if attribute.value == "B" => return Some(ChangeMark::Insertion),
        _ => return None,
    }
    // The first word that is a mark counts: `highlight deleted`.
    for word in attribute.value.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')) {
        let word = word.to_ascii_lowercase();
        if DELETIONS.contains(&&*word) {
            return Some(ChangeMark::Deletion);
        }
        if INSERTIONS.contains(&&*word) {
            return Some(ChangeMark::Insertion);
        }
    }
    None
}

/// Elements that only wrap what is inserted, whatever that is: sections, rows, words.
fn is_wrapper(name: Name) -> bool {
    matches!(name, Name::Ins | Name::Add)
}

/// Makes the children of an element children of its parent: what follows it in the order of nodes.
fn unwrap(tree: &mut Tree<'_>, wrapper: usize) {
    let parent = tree.nodes[wrapper].parent;
    let end = tree.nodes[wrapper].subtree_end as usize;
    for node in &mut tree.nodes[wrapper + 1..end] {
        if node.parent == wrapper as u32 {
            node.parent = parent;
        }
    }
    let node = &mut tree.nodes[wrapper];
    (node.name, node.content, node.subtree_end) = (Name::Other, Content::Other, wrapper as u32 + 1);
}

/// Strikes a part: its node keeps its bytes and its place among its siblings, and nothing else.
fn strike_part(tree: &mut Tree<'_>, part: usize, changes: &mut MarkedChanges) {
    let struck = Struck::of(tree, part);
    let end = tree.nodes[part].subtree_end as usize;
    for node in &mut tree.nodes[part..end] {
        (node.name, node.content) = (Name::Other, Content::Other);
    }
    changes.strike(&mut tree.nodes[part], struck);
}

impl Struck {
    /// The name, words and ids of a part that is not struck yet.
    fn of(tree: &Tree<'_>, part: usize) -> Self {
        let mut text = String::new();
        let mut ids = Vec::new();
        let mut pictures: Vec<&str> = Vec::new();
        for node in &tree.nodes[part..tree.nodes[part].subtree_end as usize] {
            let characters = tree.characters_of(node);
            if !characters.is_empty() {
                text.push_str(characters);
            } else if node.name.is_block() {
                text.push(' ');
            }
            let is_picture = matches!(node.name, Name::Graphic | Name::InlineGraphic);
            for attribute in tree.attributes_of(node) {
                match attribute.local {
                    "id" => ids.push(attribute.value.to_string()),
                    // One in a `data:` URI has no name.
                    "href" if is_picture && !attribute.value.trim_start().starts_with("data:") => {
                        pictures.push(&attribute.value);
                    }
                    _ => {}
                }
            }
        }
        let mut words = collapse(&text);
        // The name of a file is all that says which picture it was.
        if words.is_empty() {
            words = pictures.join(" ");
        }
        Self { name: tree.nodes[part].name, words, ids }
    }
}

impl MarkedChanges {
    fn strike(&mut self, node: &mut NodeData, struck: Struck) {
        node.content = Content::Struck(self.struck.len() as u32);
        self.struck.push(struck);
    }
}

/// The words of the markup that an instruction has in a pseudo-attribute, where it is escaped.
fn words_of_markup(instruction: &str, attribute: &str) -> String {
    let value = instruction.split_once(&format!("{attribute}=\"")).map_or("", |(_, rest)| rest);
    let value = value.split('"').next().unwrap_or_default();
    let mut words = String::new();
    for part in unescape(value).split('<') {
        let text = match part.split_once('>') {
            Some((_, after_tag)) => after_tag,
            // Text before the first tag; after that, a tag without its end says nothing.
            None if words.is_empty() => part,
            None => " ",
        };
        words.push_str(text);
        words.push(' ');
    }
    // References in the deleted markup itself are escaped twice.
    unescape(&collapse(&words))
}

fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    // The ampersand is last, so that what it escapes is not read again.
    text.replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::words_of_markup;

    #[test]
    fn deleted_markup_gives_its_words_without_tags() {
        for (instruction, words) in [
            ("<?oxy_delete content=\"&lt;p&gt;a &lt;b&gt;c&lt;/b&gt;&lt;/p&gt;\"?>", "a c"),
            ("<?oxy_delete content=\"a &amp;amp; b\"?>", "a & b"),
            ("<?oxy_delete content=\"\"?>", ""),
            ("<?oxy_delete author=\"a\"?>", ""),
        ] {
            assert_eq!(words_of_markup(instruction, "content"), words, "{instruction}");
        }
    }
}
