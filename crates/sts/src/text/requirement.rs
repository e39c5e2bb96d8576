//! Tables of requirements: identifier, dependencies and statements as rows, as OGC's authoring tools lay out
//! a requirement.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use norma_model::ProvisionKind;

use super::{TextWriter, label, words};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{Authored, BlockKind};
use norma_provisions::identifier::{kind_of_word, leading_identifier};

/// A table that states one requirement, or a class of them.
#[derive(Debug)]
pub(super) struct RequirementTable<'t> {
    /// True for a class of requirements, which has statements of any type.
    class: bool,
    element: Option<&'t str>,
    current: RefCell<RequirementState>,
}

/// Type and identifier that apply until the next row with a number or an identifier.
#[derive(Clone, Debug, Default)]
struct RequirementState {
    kind: Option<ProvisionKind>,
    identifier: Option<Rc<str>>,
}

/// A cell of a row of the table.
pub(super) struct RequirementCell<'r, 't> {
    pub(super) table: &'r RequirementTable<'t>,
    pub(super) row: &'r RequirementRow,
    /// True for the key of the row, and for the head of a column.
    pub(super) is_key: bool,
}

/// Content of a row of the table after its first cell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequirementRow {
    /// Several: whether each line of it is a statement of its own. The label is that of a part.
    Statement {
        each: bool,
        label: Option<Rc<str>>,
    },
    Dependency,
    /// Not normative: an identifier, a title, guidance.
    Other,
}

/// Beginnings of headings of tables that state a class of requirements.
const CLASSES: &str = "requirements class, requirement class, recommendations class, recommendation class, permissions class, \
    permission class, classe d'exigences, classe de recommandations, classe de recommendations, classe d'autorisations, \
    anforderungsklasse, empfehlungsklasse, berechtigungsklasse";

/// First cells of the rows that hold a statement; with an `s` or `n` at the end several.
const STATEMENTS: &str = "statement, description, requirement, recommendation, permission, normative statement, déclaration, \
    exigence, recommandation, autorisation, déclaration normative, aussage, anforderung, empfehlung, erlaubnis, normative aussage";

/// First cells of the rows that name what the requirement depends on.
const DEPENDENCIES: &str = "dependency, dependencies, indirect dependency, indirect dependencies, depends on, inherit, inherits, \
    prerequisite, prerequisites, indirect prerequisite, indirect prerequisites, implements, prérequis, prérequis indirect, \
    prérequis indirects, hérite, implémente, voraussetzung, voraussetzungen, indirekte voraussetzung, \
    indirekte voraussetzungen, erbt, implementiert";

/// First cells of the rows that name the requirement.
const IDENTIFIERS: &str = "identifier, label, id, uri, identifiant, kennung";

fn is_in(texts: &str, text: &str) -> bool {
    texts.split(", ").any(|listed| listed == text)
}

impl<'t> RequirementTable<'t> {
    /// Recognizes a table by the class that the source gives it, by the element around it, or by its heading.
    pub(super) fn recognize(table: XmlNode<'t>) -> Option<Self> {
        let wrapper = wrapper(table);
        let class = class_of(table, wrapper.map(|(element, _)| element));
        let is_test = class.contains("test") || class == "verification";
        if is_test {
            return None;
        }
        let headings = headings(table);
        let numbered_heading = headings.iter().find(|heading| numbered(heading).is_some());
        let is_class = class.ends_with("class") || headings.iter().any(|heading| is_class(heading));
        let is_marked = wrapper.is_some() || class.starts_with("recommend") || class == "modspec";
        let has_form = numbered_heading.is_some() && has_few_columns(table);
        if !(is_marked || is_class || has_form) {
            return None;
        }
        let mut state = RequirementState::default();
        // A class has several requirements, whose rows state type and identifier of each.
        if !is_class {
            let mut heading = numbered_heading;
            if heading.is_none() {
                heading = headings.iter().find(|heading| kind_of_heading(heading).is_some());
            }
            state.kind = wrapper.map(|(_, kind)| kind);
            let mut identifier = identifier_in_rows(table);
            if let Some(heading) = heading {
                state.kind = kind_of_heading(heading).or(state.kind);
                identifier = identifier.or_else(|| numbered_name(heading));
            }
            state.identifier = identifier.map(Into::into);
        }
        Some(Self { class: is_class, element: table.xml_id(), current: RefCell::new(state) })
    }

    /// The kind of a row; a row with a number or an identifier applies to the statements that follow.
    pub(super) fn row(&self, row: XmlNode<'_>) -> RequirementRow {
        match cells(row).as_slice() {
            [] => RequirementRow::Other,
            [only] => self.row_without_key(only),
            [key, rest, more @ ..] => self.row_with_key(key, rest, !more.is_empty()),
        }
    }

    fn statement(&self) -> RequirementRow {
        RequirementRow::Statement { each: self.class, label: None }
    }

    fn row_without_key(&self, text: &str) -> RequirementRow {
        let is_number = numbered(text) == Some(text);
        if is_number || path(text).is_some() || is_class(text) || !text.contains(' ') {
            RequirementRow::Other
        } else {
            self.statement()
        }
    }

    fn row_with_key(&self, key: &str, rest: &str, has_more: bool) -> RequirementRow {
        if let Some(number) = numbered(key) {
            return self.row_with_number(number, key, rest, has_more);
        }
        let name = key_of(key);
        if is_in(IDENTIFIERS, &name) {
            return RequirementRow::Other;
        }
        if is_in(DEPENDENCIES, &name) {
            return RequirementRow::Dependency;
        }
        let is_plural = is_plural_statement(&name);
        if is_plural || is_in(STATEMENTS, &name) {
            return RequirementRow::Statement { each: self.class || is_plural, label: None };
        }
        if is_part(&name) {
            return RequirementRow::Statement { each: self.class, label: Some(key.into()) };
        }
        RequirementRow::Other
    }

    /// A row whose first cell is a number, as `Requirement 5`, and whose next one may be a path.
    fn row_with_number(&self, number: &str, key: &str, rest: &str, has_more: bool) -> RequirementRow {
        let path = path(rest);
        let is_statement = has_more || path.is_none() && rest.contains(' ');
        // The first cells of a table repeat its identifier; later ones begin the next requirement.
        let mut current = self.current.borrow_mut();
        let repeats = path.is_some() && current.identifier.as_deref() == path.as_deref();
        if !repeats {
            let identifier = path.unwrap_or_else(|| number.to_owned());
            *current = RequirementState { kind: kind_of_heading(key), identifier: Some(identifier.into()) };
        }
        if is_statement { self.statement() } else { RequirementRow::Other }
    }
}

impl<'t> TextWriter<'_, 't> {
    /// Sets the context for a cell of a requirement's table.
    pub(super) fn set_requirement_context(
        &mut self,
        requirement: &RequirementCell<'_, 't>,
        cell: XmlNode<'t>,
    ) {
        let kind = match requirement.row {
            _ if requirement.is_key => BlockKind::TableHeader,
            RequirementRow::Other => BlockKind::Other,
            RequirementRow::Dependency => BlockKind::Dependency,
            RequirementRow::Statement { each, label } => {
                return self.set_statement_context(requirement.table, *each, label.clone(), cell);
            }
        };
        self.context.kind = kind;
        self.context.breaks = kind == BlockKind::Dependency;
    }

    fn set_statement_context(
        &mut self,
        table: &RequirementTable<'t>,
        each: bool,
        label: Option<Rc<str>>,
        cell: XmlNode<'t>,
    ) {
        let is_path = words(cell).is_some_and(|words| path(&words).is_some());
        if is_path {
            self.context.kind = BlockKind::Other;
            return;
        }
        let current = table.current.borrow().clone();
        self.block_list.marks += 1;
        self.context.breaks = each;
        self.context.authored = Some(Rc::new(Authored {
            mark: self.block_list.marks,
            kind: current.kind,
            element: cell.xml_id().or(table.element),
            identifier: current.identifier,
            label,
            each,
            tabular: true,
        }));
    }
}

/// The type that an element outside every schema states, which some converters leave around the table.
pub(super) fn kind_of_element(node: XmlNode<'_>) -> Option<ProvisionKind> {
    match node.name() {
        Name::Requirement => Some(ProvisionKind::Requirement),
        Name::Recommendation => Some(ProvisionKind::Recommendation),
        Name::Permission => Some(ProvisionKind::Permission),
        _ => None,
    }
}

/// The element around a table that says that it states a requirement, and its type.
fn wrapper<'t>(table: XmlNode<'t>) -> Option<(XmlNode<'t>, ProvisionKind)> {
    table.ancestors().take(3).find_map(|element| Some((element, kind_of_element(element)?)))
}

/// The class that the source gives a table, in lower case, or else the `type` of the element around it.
fn class_of<'t>(table: XmlNode<'t>, wrapper: Option<XmlNode<'t>>) -> Cow<'t, str> {
    for attribute in ["content-type", "specific-use", "class"] {
        if let Some(class) = table.attr(attribute) {
            return Cow::Owned(class.to_ascii_lowercase());
        }
    }
    Cow::Borrowed(wrapper.and_then(|element| element.attr("type")).unwrap_or_default())
}

/// Texts that may name the kind of the table: its label, its caption, its first cell.
fn headings(table: XmlNode<'_>) -> Vec<String> {
    let caption = table.child(Name::Caption).map(|caption| caption.child(Name::Title).unwrap_or(caption));
    let first_row = table.all(Name::Tr).next();
    let first_cell = first_row.and_then(|row| cells(row).into_iter().next());
    [label(table), caption.and_then(words), first_cell].into_iter().flatten().collect()
}

/// The identifier that the first row with one states: as the value of its key, or as a path.
fn identifier_in_rows(table: XmlNode<'_>) -> Option<String> {
    for row in table.all(Name::Tr) {
        let identifier = match cells(row).as_slice() {
            [key, name, ..] if is_in(IDENTIFIERS, &key_of(key)) => Some(name.clone()),
            [key, name, ..] if numbered(key).is_some() => path(name),
            [name] => path(name),
            _ => None,
        };
        if identifier.is_some() {
            return identifier;
        }
    }
    None
}

/// The words of the cells that have any.
fn cells(row: XmlNode<'_>) -> Vec<String> {
    let mut cells = Vec::new();
    for cell in row.elements() {
        if matches!(cell.name(), Name::Td | Name::Th | Name::Entry) {
            cells.extend(words(cell));
        }
    }
    cells
}

fn has_few_columns(table: XmlNode<'_>) -> bool {
    const MAX_COLUMNS: usize = 3;
    table.all(Name::Tr).all(|row| row.elements().count() <= MAX_COLUMNS)
}

/// The first cell of a row as the lists of keys have it.
fn key_of(cell: &str) -> String {
    cell.trim().trim_end_matches(':').trim_end().to_lowercase()
}

/// True if a key names several statements: `Statements`, `Normative Aussagen`.
fn is_plural_statement(name: &str) -> bool {
    if name == "déclarations normatives" {
        return true;
    }
    STATEMENTS.split(", ").any(|one| name.strip_prefix(one).is_some_and(|end| matches!(end, "s" | "n")))
}

/// True if a key is the label of a part of the requirement: `A`, `Part 2`, `(b)`.
fn is_part(name: &str) -> bool {
    let prefixes = ["part ", "partie ", "teil "];
    let part = prefixes.into_iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let part = part.trim_start_matches('(').trim_end_matches([')', '.']);
    !part.is_empty() && part.len() <= 2 && part.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn is_class(heading: &str) -> bool {
    let heading = heading.to_lowercase().replace('’', "'");
    CLASSES.split(", ").any(|class| heading.starts_with(class))
}

/// The type that a heading such as `Requirement 5: Lid` names.
fn kind_of_heading(heading: &str) -> Option<ProvisionKind> {
    kind_of_word(heading.split(|c: char| !c.is_alphabetic()).next()?)
}

/// `Requirement 5` of a heading that is this alone or followed by a mark and a title.
fn numbered(heading: &str) -> Option<&str> {
    let found = leading_identifier(heading)?;
    kind_of_heading(heading)?;
    let is_heading =
        found.rest.is_empty() || found.marked || path(found.rest).is_some() || path(found.name).is_some();
    is_heading.then_some(found.name)
}

fn numbered_name(heading: &str) -> Option<String> {
    numbered(heading).map(str::to_owned)
}

/// The path of a requirement, where the text is nothing else.
fn path(text: &str) -> Option<String> {
    let found = leading_identifier(text)?;
    (found.rest.is_empty() && found.name.contains('/')).then(|| found.name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_part, is_plural_statement, numbered};

    #[test]
    fn keys_of_rows_name_several_statements_or_a_part() {
        for key in ["statements", "requirements", "normative aussagen", "déclarations normatives"] {
            assert!(is_plural_statement(key), "{key}");
        }
        for key in ["statement", "statementes", "s"] {
            assert!(!is_plural_statement(key), "{key}");
        }
        for key in ["a", "part 2", "(b)", "teil c."] {
            assert!(is_part(key), "{key}");
        }
        for key in ["part one", "abc", ""] {
            assert!(!is_part(key), "{key}");
        }
    }

    #[test]
    fn a_heading_with_a_number_is_that_of_a_requirement_and_no_sentence() {
        assert_eq!(numbered("Requirement 5"), Some("Requirement 5"));
        assert_eq!(numbered("Requirement 5: Lid"), Some("Requirement 5"));
        assert_eq!(numbered("Requirement 5 applies to lids"), None);
        assert_eq!(numbered("Table 5: Lid"), None);
    }
}
