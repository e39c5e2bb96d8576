//! Struck parts: the nodes that marks of deletions strike, with elements that are left empty and without
//! cells that hold a column.

use foldhash::HashMap;

use crate::xml::changes::{ChangeMark, mark_of};
use crate::xml::names::Name;
use crate::xml::tree::{Content, Tree};

/// The parts that are struck, in document order, with each element of which nothing is left but its label.
/// Cells stay: their row needs them in their places.
pub(super) fn struck_parts(tree: &Tree<'_>, deleted: &[usize]) -> Vec<usize> {
    let mut struck = vec![false; tree.nodes.len()];
    let mut columns = StruckColumns::default();
    for &part in deleted {
        let first = if keeps_its_column(tree, part, &mut columns) { part + 1 } else { part };
        struck[first..tree.nodes[part].subtree_end as usize].fill(true);
    }
    strike_emptied(tree, &mut struck);
    outermost(tree, &struck)
}

/// Strikes each element in which something is struck and nothing is left but its label.
fn strike_emptied(tree: &Tree<'_>, struck: &mut [bool]) {
    let count = tree.nodes.len();
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
        let is_emptied = is_element && touched[at] && !left[at];
        if is_emptied && !is_frame(node.name) && parent > 0 {
            struck[at..node.subtree_end as usize].fill(true);
            touched[parent] = true;
            continue;
        }
        touched[parent] |= touched[at];
        left[parent] |= match node.name {
            Name::Label | Name::StdId | Name::StdIdGroup | Name::IndexTerm | Name::Target => false,
            Name::Text => !tree.characters_of(node).trim().is_empty(),
            name => left[at] || is_object(name),
        };
    }
}

/// The struck nodes that are not in another struck one, in document order.
fn outermost(tree: &Tree<'_>, struck: &[bool]) -> Vec<usize> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < struck.len() {
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

/// A struck cell stays as an empty one. It goes where a new cell of its row takes its place, and where each
/// row of the table has as many: then a column is struck.
fn keeps_its_column(tree: &Tree<'_>, cell: usize, columns: &mut StruckColumns) -> bool {
    if !is_cell(tree.nodes[cell].name) {
        return false;
    }
    let row = tree.nodes[cell].parent as usize;
    let deleted = marked_cells(tree, row, ChangeMark::Deletion);
    if marked_cells(tree, row, ChangeMark::Insertion) >= deleted {
        return false;
    }
    let Some(table) = table_around(tree, row) else { return true };
    let common = columns.entry(table).or_insert_with(|| struck_columns(tree, table));
    *common != Some(deleted)
}

/// The innermost table around a row.
fn table_around(tree: &Tree<'_>, row: usize) -> Option<usize> {
    let mut at = row;
    while at > 0 {
        if matches!(tree.nodes[at].name, Name::Table | Name::Tgroup) {
            return Some(at);
        }
        at = tree.nodes[at].parent as usize;
    }
    None
}

/// The number of struck cells that each row of a table has; `None` if it differs, and for a table of one row,
/// which says nothing about columns.
fn struck_columns(tree: &Tree<'_>, table: usize) -> Option<usize> {
    let mut first = None;
    let mut rows = 0;
    for at in table + 1..tree.nodes[table].subtree_end as usize {
        if !matches!(tree.nodes[at].name, Name::Tr | Name::Row) {
            continue;
        }
        let deleted = marked_cells(tree, at, ChangeMark::Deletion);
        if *first.get_or_insert(deleted) != deleted {
            return None;
        }
        rows += 1;
    }
    if rows > 1 { first } else { None }
}

/// Number of cells of a row that have a mark.
fn marked_cells(tree: &Tree<'_>, row: usize, mark: ChangeMark) -> usize {
    let mut count = 0;
    for at in row + 1..tree.nodes[row].subtree_end as usize {
        let node = &tree.nodes[at];
        let is_own_cell = is_cell(node.name) && node.parent == row as u32;
        if is_own_cell && mark_of(tree, node) == Some(mark) {
            count += 1;
        }
    }
    count
}
