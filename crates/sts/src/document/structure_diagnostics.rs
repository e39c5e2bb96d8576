//! Diagnostics that need the whole document: ids, annexes, graphics, terms, tables, references, inclusions
//! and change marks.

use foldhash::HashSet;
use norma_model::{SectionKind, Table, TableContent};

use crate::diagnostic::Diagnostics;
use crate::document::index::DocumentIndex;
use crate::document::section_kind;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Adds the diagnostics of a document. `undecodable` are the graphics whose `data:` URI cannot be decoded.
pub(crate) fn check(
    document: &DocumentIndex<'_>,
    undecodable: &[XmlNode<'_>],
    tables: &[Table],
    diagnostics: &mut Diagnostics,
) {
    check_ids(document, diagnostics);
    check_annexes(document, diagnostics);
    check_graphics(document, undecodable, diagnostics);
    check_terms(document, diagnostics);
    check_references(document, diagnostics);
    check_inclusions(document, diagnostics);
    check_changes(document, diagnostics);
    check_tables(document, tables, diagnostics);
}

fn check_ids(document: &DocumentIndex<'_>, diagnostics: &mut Diagnostics) {
    for section in &document.structure.sections {
        // A run of loose content has no id of its own.
        if section.extent.element().is_none() {
            continue;
        }
        let Some(id) = &section.source_id else { continue };
        if !document.tree.is_unique(id) {
            let message =
                format!("several elements have the id `{id}`; the section's id is `{}`", section.id);
            diagnostics.add("duplicate-id", section.extent.range().start, message);
        }
    }
}

/// All annexes without a type are one diagnostic: usually a document has none or all of them.
fn check_annexes(document: &DocumentIndex<'_>, diagnostics: &mut Diagnostics) {
    let mut first = None;
    let mut ids = Vec::new();
    for section in &document.structure.sections {
        let Some(element) = section.extent.element() else { continue };
        if element.name() == Name::App
            && section.kind == SectionKind::Annex
            && section_kind::annex_type(element).is_none()
        {
            first.get_or_insert(element.range().start);
            ids.push(section.id.as_str());
        }
    }
    if let Some(at) = first {
        let message = format!(
            "annexes that say in no known word whether they are normative are read as normative: {}",
            ids.join(", ")
        );
        diagnostics.add("annex-without-type", at, message);
    }
}

fn check_graphics(document: &DocumentIndex<'_>, undecodable: &[XmlNode<'_>], diagnostics: &mut Diagnostics) {
    for (node, _) in &document.structure.graphics {
        if node.attr("href").is_none() {
            diagnostics.add("graphic-without-href", node.range().start, "a graphic names no file");
        }
    }
    for node in undecodable {
        let message = "the `data:` URI of a graphic cannot be decoded";
        diagnostics.add("unreadable-data-uri", node.range().start, message);
    }
}

fn check_terms(document: &DocumentIndex<'_>, diagnostics: &mut Diagnostics) {
    for (node, _) in &document.structure.terms {
        if node.all(Name::Term).all(XmlNode::is_blank) {
            diagnostics.add("empty-term", node.range().start, "an entry of terms has no designation");
        }
    }
}

/// Reports the first id of each cross-reference that no element has.
fn check_references(document: &DocumentIndex<'_>, diagnostics: &mut Diagnostics) {
    let struck = &document.tree.changes.struck;
    let struck_ids: HashSet<&str> = struck.iter().flat_map(|part| &part.ids).map(String::as_str).collect();
    for node in document.tree.root().all(Name::Xref) {
        let mut rids = node.attr("rid").unwrap_or_default().split_whitespace();
        let Some(missing) = rids.find(|rid| !document.tree.has_id(rid)) else { continue };
        let message = if struck_ids.contains(missing) {
            format!("the element with the id `{missing}` is struck out")
        } else {
            format!("no element has the id `{missing}`")
        };
        diagnostics.add("dangling-reference", node.range().start, message);
    }
}

fn check_inclusions(document: &DocumentIndex<'_>, diagnostics: &mut Diagnostics) {
    for node in document.tree.root().all(Name::Include) {
        let file = node.attr("href").unwrap_or_default();
        let message = format!("the document includes `{file}`, which is not read");
        diagnostics.add("include-not-resolved", node.range().start, message);
    }
}

fn check_changes(document: &DocumentIndex<'_>, diagnostics: &mut Diagnostics) {
    let changes = &document.tree.changes;
    if let Some(at) = changes.first {
        let message = format!(
            "the document has change marks: insertions {}, deletions {}; the text is that after the changes",
            changes.insertions, changes.deletions
        );
        diagnostics.add("change-marks", at, message);
    }
}

fn check_tables(document: &DocumentIndex<'_>, tables: &[Table], diagnostics: &mut Diagnostics) {
    for ((node, _), table) in document.structure.tables.iter().zip(tables) {
        if let TableContent::Omitted { cells, .. } = table.content {
            let message = format!("table `{}` is listed without its {cells} cells", table.id);
            diagnostics.add("large-table", node.range().start, message);
        }
    }
}
