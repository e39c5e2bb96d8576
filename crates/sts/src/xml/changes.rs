//! Change marks: what a source marks as inserted or struck out, by attributes, elements and the instructions
//! of editors.
//!
//! The new state is read everywhere. What is struck becomes a node without name and characters, as a comment
//! is, so that no later step can read it; its words are kept for HTML alone. `docs/packages.md` lists the
//! marks, and says where each is documented. What nobody has documented is not read as a mark.

use std::ops::Range;

use foldhash::HashMap;
use memchr::memmem;

use crate::xml::names::Name;
use crate::xml::tree::{Attribute, Content, NodeData, Tree};

/// The change marks of a document.
#[derive(Default)]
pub(crate) struct MarkedChanges {
    /// What is struck, in document order.
    pub(crate) struck: Vec<Struck>,
    /// Nodes that are inserted, by their index.
    inserted: Vec<Range<u32>>,
    /// Where the first mark is, and the number of marks of each kind.
    pub(crate) first: Option<usize>,
    pub(crate) insertions: usize,
    pub(crate) deletions: usize,
}

/// A part of the document that is struck out.
pub(crate) struct Struck {
    /// The name of its element; that of character data in the instruction of an editor.
    pub(crate) name: Name,
    /// Its words in one line.
    pub(crate) words: String,
    /// Ids of its elements.
    pub(crate) ids: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChangeMark {
    Insertion,
    Deletion,
}

/// Values of attributes that mark an insertion or a deletion, in lower case.
const INSERTIONS: [&str; 6] = ["addition", "added", "insert", "inserted", "insertion", "ins"];
const DELETIONS: [&str; 4] = ["deletion", "deleted", "delete", "del"];

/// Instructions of editors: the mark, its target, and the attribute that holds deleted markup.
const INSTRUCTIONS: [(ChangeMark, &str, &str); 4] = [
    // Oxygen: “Tracked MarkedChanges XML Markup” of its user manual.
    (ChangeMark::Insertion, "<?oxy_insert_start", "<?oxy_insert_end"),
    (ChangeMark::Deletion, "<?oxy_delete", "content"),
    // XMetaL: as the Legislative Counsel of California and Microsoft publish their sources.
    (ChangeMark::Insertion, "<?xm-insertion_mark_start", "<?xm-insertion_mark_end"),
    (ChangeMark::Deletion, "<?xm-deletion_mark", "data"),
];

impl MarkedChanges {
    /// Whether a node is inserted.
    pub(crate) fn is_inserted(&self, node: usize) -> bool {
        self.inserted.iter().any(|range| range.contains(&(node as u32)))
    }
}

/// Reads the change marks of a tree and strikes what they strike.
pub(crate) fn read(tree: &mut Tree<'_>) {
    if !may_have_marks(tree) {
        return;
    }
    let mut changes = MarkedChanges::default();
    let mut struck: Vec<usize> = Vec::new();
    let mut insertions_of_editor: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    while at < tree.nodes.len() {
        let node = &tree.nodes[at];
        let start = node.range().start;
        let mark = match node.content {
            Content::Element(_) => mark_of(tree, node),
            Content::Other => {
                let text = &tree.text[node.range()];
                if let Some(opened) = insertions_of_editor.iter().position(|(_, end)| text.starts_with(end)) {
                    let (first, _) = insertions_of_editor.remove(opened);
                    changes.inserted.push(first as u32..at as u32);
                }
                let instruction = INSTRUCTIONS.iter().find(|(_, target, _)| is_instruction(text, target));
                if let Some((ChangeMark::Insertion, _, end)) = instruction {
                    insertions_of_editor.push((at, end));
                }
                if let Some((ChangeMark::Deletion, _, attribute)) = instruction {
                    let words = words_of_markup(text, attribute);
                    changes.strike(&mut tree.nodes[at], Struck { name: Name::Text, words, ids: Vec::new() });
                }
                instruction.map(|(mark, ..)| *mark)
            }
            _ => None,
        };
        let subtree_end = tree.nodes[at].subtree_end as usize;
        if mark.is_some() {
            changes.first.get_or_insert(start);
        }
        match mark {
            Some(ChangeMark::Insertion) => {
                changes.insertions += 1;
                if matches!(tree.nodes[at].content, Content::Element(_)) {
                    changes.inserted.push(at as u32..subtree_end as u32);
                }
                if is_wrapper(tree.nodes[at].name) {
                    unwrap(tree, at);
                }
                at += 1;
            }
            Some(ChangeMark::Deletion) => {
                changes.deletions += 1;
                if matches!(tree.nodes[at].content, Content::Element(_)) {
                    struck.push(at);
                }
                at = subtree_end;
            }
            None => at += 1,
        }
    }
    for part in with_emptied(tree, struck) {
        strike_part(tree, part, &mut changes);
    }
    tree.changes = changes;
    tree.register_ids();
}

/// Whether a document has anything that looks like a change mark: most have none, and are not searched.
fn may_have_marks(tree: &Tree<'_>) -> bool {
    tree.attributes.iter().any(|attribute| attribute_mark(attribute, None).is_some())
        || tree.nodes.iter().any(|node| matches!(node.name, Name::Ins | Name::Del | Name::Add))
        || INSTRUCTIONS
            .iter()
            .any(|(_, target, _)| memmem::find(tree.text.as_bytes(), target.as_bytes()).is_some())
}

fn is_instruction(text: &str, target: &str) -> bool {
    text.strip_prefix(target).is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '?'))
}

/// The mark that an element is or has. The root element has none: a document is not struck as a whole.
fn mark_of(tree: &Tree<'_>, node: &NodeData) -> Option<ChangeMark> {
    let Content::Element(attributes) = &node.content else { return None };
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
    let attributes = &tree.attributes[attributes.start as usize..attributes.end as usize];
    attributes.iter().find_map(|attribute| attribute_mark(attribute, Some(node.name)))
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
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    attribute.value.split(is_separator).find_map(|word| {
        let word = word.to_ascii_lowercase();
        if DELETIONS.contains(&&*word) {
            return Some(ChangeMark::Deletion);
        }
        INSERTIONS.contains(&&*word).then_some(ChangeMark::Insertion)
    })
}

/// Whether an element only wraps what is inserted, whatever that is: sections, rows, words.
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

/// The parts that are struck, in document order, with each element of which nothing is left but its label.
/// Cells stay: their row needs them in their places.
fn with_emptied(tree: &Tree<'_>, marked: Vec<usize>) -> Vec<usize> {
    let count = tree.nodes.len();
    let mut struck = vec![false; count];
    let mut columns = StruckColumns::default();
    for &part in &marked {
        let first = part + usize::from(keeps_its_column(tree, part, &mut columns));
        struck[first..tree.nodes[part].subtree_end as usize].fill(true);
    }
    // Whether something of an element is struck, and whether something is left of it. Children come after
    // their parents, so that each is known before its parent is asked.
    let (mut touched, mut left) = (vec![false; count], vec![false; count]);
    for at in (1..count).rev() {
        let node = &tree.nodes[at];
        let parent = node.parent as usize;
        if struck[at] {
            touched[parent] = true;
            continue;
        }
        let is_element = matches!(node.content, Content::Element(_));
        if is_element && touched[at] && !left[at] && !is_frame(node.name) && parent > 0 {
            struck[at..node.subtree_end as usize].fill(true);
            touched[parent] = true;
            continue;
        }
        touched[parent] |= touched[at];
        left[parent] |= match node.name {
            Name::Label | Name::StdId | Name::StdIdGroup | Name::IndexTerm | Name::Target => false,
            Name::Text => !characters(tree, node).trim().is_empty(),
            name => left[at] || is_object(name),
        };
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while at < count {
        if struck[at] {
            parts.push(at);
            at = tree.nodes[at].subtree_end as usize;
        } else {
            at += 1;
        }
    }
    parts
}

/// Elements that hold their place although all in them is struck: cells and the frames of tables, containers
/// and metadata.
fn is_frame(name: Name) -> bool {
    is_cell(name)
        || name.is_container()
        || name.is_metadata()
        || matches!(name, Name::Thead | Name::Tbody | Name::Tfoot | Name::Table | Name::Tgroup)
}

fn is_cell(name: Name) -> bool {
    matches!(name, Name::Td | Name::Th | Name::Entry)
}

/// Elements that are something without words.
fn is_object(name: Name) -> bool {
    matches!(
        name,
        Name::Graphic | Name::InlineGraphic | Name::Media | Name::Xref | Name::Math | Name::Private
    )
}

/// The number of struck cells that each row of a table has, by the table; `None` if that differs.
type StruckColumns = HashMap<usize, Option<usize>>;

/// Whether a struck cell stays as an empty one. It goes where a new cell of its row takes its place, and
/// where each row of the table has as many: then a column is struck.
fn keeps_its_column(tree: &Tree<'_>, cell: usize, columns: &mut StruckColumns) -> bool {
    if !is_cell(tree.nodes[cell].name) {
        return false;
    }
    let row = tree.nodes[cell].parent as usize;
    let deleted = marked_cells(tree, row, ChangeMark::Deletion);
    if marked_cells(tree, row, ChangeMark::Insertion) >= deleted {
        return false;
    }
    let is_table = |at: &usize| matches!(tree.nodes[*at].name, Name::Table | Name::Tgroup);
    let around = |at: &usize| Some(tree.nodes[*at].parent as usize).filter(|parent| *parent > 0);
    let Some(table) = std::iter::successors(Some(row), around).find(is_table) else { return true };
    let common = *columns.entry(table).or_insert_with(|| {
        let within = table + 1..tree.nodes[table].subtree_end as usize;
        let rows = within.filter(|at| matches!(tree.nodes[*at].name, Name::Tr | Name::Row));
        let counts: Vec<usize> = rows.map(|row| marked_cells(tree, row, ChangeMark::Deletion)).collect();
        let first = counts.first().copied().filter(|_| counts.len() > 1);
        first.filter(|first| counts.iter().all(|count| count == first))
    });
    common != Some(deleted)
}

/// The cells of a row that have a mark.
fn marked_cells(tree: &Tree<'_>, row: usize, mark: ChangeMark) -> usize {
    let cells = row + 1..tree.nodes[row].subtree_end as usize;
    let own = |at: &usize| is_cell(tree.nodes[*at].name) && tree.nodes[*at].parent == row as u32;
    cells.filter(own).filter(|at| mark_of(tree, &tree.nodes[*at]) == Some(mark)).count()
}

fn characters<'a>(tree: &'a Tree<'_>, node: &NodeData) -> &'a str {
    match node.content {
        Content::AsWritten => &tree.text[node.range()],
        Content::Text(text) => &tree.texts[text as usize],
        _ => "",
    }
}

/// Strikes a part: its node keeps its bytes and its place among its siblings, and nothing else.
fn strike_part(tree: &mut Tree<'_>, part: usize, changes: &mut MarkedChanges) {
    let end = tree.nodes[part].subtree_end as usize;
    let mut words = String::new();
    let mut ids = Vec::new();
    let mut pictures = Vec::new();
    for node in &tree.nodes[part..end] {
        let text = characters(tree, node);
        if !text.is_empty() {
            words.push_str(text);
        } else if node.name.is_block() {
            words.push(' ');
        }
        let Content::Element(attributes) = &node.content else { continue };
        let attributes = &tree.attributes[attributes.start as usize..attributes.end as usize];
        ids.extend(attributes.iter().filter(|a| a.local == "id").map(|a| a.value.to_string()));
        if matches!(node.name, Name::Graphic | Name::InlineGraphic) {
            pictures.extend(attributes.iter().filter(|a| a.local == "href").map(|a| a.value.to_string()));
        }
    }
    let mut words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    // The name of a file is all that says which picture it was; one in a `data:` URI has none.
    pictures.retain(|href| !href.trim_start().starts_with("data:"));
    if words.is_empty() {
        words = pictures.join(" ");
    }
    let name = tree.nodes[part].name;
    for node in &mut tree.nodes[part..end] {
        (node.name, node.content) = (Name::Other, Content::Other);
    }
    changes.strike(&mut tree.nodes[part], Struck { name, words, ids });
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
    let unescape = |text: &str| {
        let named = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        named.replace("&apos;", "'").replace("&amp;", "&")
    };
    let mut words = String::new();
    for part in unescape(value).split('<') {
        let after_tag = part.split_once('>').map(|(_, after)| after);
        words.push_str(if words.is_empty() && after_tag.is_none() { part } else { after_tag.unwrap_or(" ") });
        words.push(' ');
    }
    // References in the deleted markup itself are escaped twice.
    unescape(&words.split_whitespace().collect::<Vec<_>>().join(" "))
}
