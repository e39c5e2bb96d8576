//! Selections: the caller's choice of provisions (RFC 5141's `docelement`, extended).

use std::fmt;

use crate::Outline;

mod parse;
mod resolve;

/// Longest selection, in Unicode scalar values.
pub const MAX_SELECTION_LENGTH: usize = 1024;
/// Most items in one selection.
pub const MAX_SELECTION_ITEMS: usize = 64;

/// A parsed selection.
///
/// ```text
/// selection = part *( ";" part )
/// part      = [ kind ":" ] item *( "," item ) / "id:" id-item *( "," id-item ) / "all"
/// kind      = "clause" / "annex" / "table" / "figure" / "term"   ; clause when left out; for its part only
/// item      = [ "!" ] name [ ordinals ] / [ "!" ] end "-" end
/// end       = name [ "(" n ")" ]             ; with "(" n ")" in clauses and annexes only
/// id-item   = [ "!" ] id [ ordinals ]
/// ordinals  = "(" n [ "-" n ] ")"            ; n from 1
/// name      = number / id
/// number    = digits or annex letters, then "." digits …   ; 4  4.2.1  A  a.3  AA.1
/// ```
/// An `id` is any text without white space and `,;()!`. Outside `id:` parts a name holds letters, digits,
/// `.`, `-`, `_`, `~` and whatever is not ASCII. It is taken for a number first, then for an id: so every
/// provision's label is a selection, also one that begins with a section's id. Letters may be of either case.
///
/// | written | chosen |
/// |---|---|
/// | `4.2` | clause 4.2 and its subtree; all clauses of that number where several have it |
/// | `4.2(3)`, `4.2(1-3)` | the third, the first three provisions of clause 4.2 itself |
/// | `5-7` | from the start of 5 to the end of 7's subtree, in document order; a name that holds the hyphen goes before |
/// | `4.2(3)-4.4(1)`, `4.2(3)-5` | from one provision to another, or to the end of clause 5 |
/// | `annex:A` | annex A with its subclauses, as `A` |
/// | `figure:1`, `figure:1-3` | provisions that refer to that figure; to one of three |
/// | `table:2`, `table:2(1)`, `table:1-3` | provisions in that table; its first; those of three tables |
/// | `term:3.2` | provisions that use that term |
/// | `id:sec_4,prv_…` | sections with their subtrees and provisions by id |
/// | `!4.2` | all but clause 4.2: `!` items are subtracted from the union of all others, or from all provisions without others |
///
/// Places as printed in English, French and German are read as well: `4.2 (1)`, `Clause 4.2`, `§ 4.2`,
/// `Tables 1 and 2`, `4.2 bis 4.4`, `annexe A`. What is smaller than a part that a selection names (a
/// list item, a paragraph, a note: `6.2.3 b)`) means the clause, table or figure around it.
///
/// ```
/// use norma_model::Selection;
/// let selection: Selection = "clause:a.3,!a.3.1;TABLE:2(01)".parse()?;
/// assert_eq!(selection.to_string(), "A.3,!A.3.1;table:2(1)");
/// # Ok::<(), norma_model::SelectionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Selection {
    items: Vec<SelectionItem>,
    canonical: String,
}

/// One item of a selection, added or subtracted.
#[derive(Clone, Debug)]
struct SelectionItem {
    kind: SelectionKind,
    minus: bool,
    /// As written, but with letters of a number in upper case.
    name: String,
    ordinals: Option<(u32, u32)>,
    /// The end of a range that begins with one provision: a name, and the ordinal of a provision there.
    to: Option<(String, Option<u32>)>,
    /// Offset of the name in the text that was parsed, in Unicode scalar values.
    offset: usize,
}

/// Kind of parts among which a name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SelectionKind {
    All,
    Clause,
    Table,
    Figure,
    Term,
    Id,
}

/// A selection resolved on one edition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedSelection {
    /// Indices in [`Outline::provisions`], ascending, without repeats.
    pub provisions: Vec<u32>,
    /// Items that name a part, in canonical form and the order written.
    pub matched: Vec<String>,
    /// Items that name nothing here.
    pub unmatched: Vec<String>,
}

/// Error of parsing or resolving a selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {offset}: {reason}")]
pub struct SelectionError {
    /// Zero-based offset of the offending character, in Unicode scalar values.
    pub offset: usize,
    /// The found text and the expected one.
    pub reason: String,
}

impl Selection {
    /// The canonical form: adjacent parts of one kind joined, `clause:` left out, numbers in upper case.
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// Resolves the selection on an outline, in time linear in the size of the result.
    ///
    /// # Errors
    /// A range whose end is before its start. Whether `7-5` is a range is known only here: it may be the
    /// number of a table.
    pub fn resolve(&self, outline: &Outline) -> Result<ResolvedSelection, SelectionError> {
        resolve::resolve(&self.items, outline)
    }

    fn from_items(items: Vec<SelectionItem>) -> Self {
        use fmt::Write;
        let mut canonical = String::new();
        let mut part = None;
        for item in &items {
            if item.kind == SelectionKind::All || part != Some(item.kind) {
                let semicolon = if part.is_some() { ";" } else { "" };
                let _ = write!(canonical, "{semicolon}{}", item.kind.prefix());
            } else {
                canonical.push(',');
            }
            item.write_name(&mut canonical);
            part = Some(item.kind);
        }
        Self { items, canonical }
    }
}

/// Selections are equal when they have the same canonical form, however they were written.
impl PartialEq for Selection {
    fn eq(&self, other: &Self) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for Selection {}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical)
    }
}

impl SelectionKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Clause => "",
            Self::Table => "table:",
            Self::Figure => "figure:",
            Self::Term => "term:",
            Self::Id => "id:",
        }
    }
}

impl SelectionItem {
    fn write_name(&self, text: &mut String) {
        use fmt::Write;
        let minus = if self.minus { "!" } else { "" };
        let _ = write!(text, "{minus}{}", self.name);
        if let Some((first, last)) = self.ordinals {
            let _ = if first == last { write!(text, "({first})") } else { write!(text, "({first}-{last})") };
        }
        if let Some((name, ordinal)) = &self.to {
            let ordinal = ordinal.map(|ordinal| format!("({ordinal})")).unwrap_or_default();
            let _ = write!(text, "-{name}{ordinal}");
        }
    }
}

/// The item as a selection of its own.
impl fmt::Display for SelectionItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.kind.prefix().to_owned();
        self.write_name(&mut text);
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests;
