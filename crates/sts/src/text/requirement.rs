//! Tables of requirements: identifier, dependencies and statements as rows, as OGC's authoring tools lay out
//! a requirement.

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
    /// Whether it is a class, which has statements of any type.
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

/// Whether a text is one of a list.
fn is_in(texts: &str, text: &str) -> bool {
    texts.split(", ").any(|listed| listed == text)
}

impl<'t> RequirementTable<'t> {
    /// Recognizes a table by the class that the source gives it, by the element around it, or by its heading.
    pub(super) fn recognize(table: XmlNode<'t>) -> Option<Self> {
        let wrapper = table.ancestors().take(3).find_map(|n| Some((n, kind_of_element(n)?)));
        let class = ["content-type", "specific-use", "class"].iter().find_map(|name| table.attr(name));
        let class = class.map(str::to_ascii_lowercase);
        let class = class.as_deref().or(wrapper.and_then(|(n, _)| n.attr("type"))).unwrap_or_default();
        let marked = wrapper.is_some() || class.starts_with("recommend") || class == "modspec";
        let mut headings = headings(table);
        let numbered = |heading: &String| numbered(heading).is_some();
        let titled = || headings.clone().find(numbered);
        let is_class = class.ends_with("class") || headings.clone().any(|heading| is_class(&heading));
        let is_test = class.contains("test") || class == "verification";
        if is_test || !(marked || is_class || titled().is_some() && has_few_columns(table)) {
            return None;
        }
        let heading = titled().or_else(|| headings.find(|heading| kind_of_heading(heading).is_some()));
        let kind = heading.as_deref().and_then(kind_of_heading).or(wrapper.map(|(_, kind)| kind));
        let rows: Vec<Vec<String>> = table.all(Name::Tr).map(cells).collect();
        let identifier = rows.iter().find_map(|row| match row.as_slice() {
            [key, name, ..] if is_in(IDENTIFIERS, &key_of(key)) => Some(name.clone()),
            [key, name, ..] if numbered(key) => path(name),
            [name] => path(name),
            _ => None,
        });
        let number = || heading.as_deref().and_then(numbered_name);
        Some(Self {
            class: is_class,
            element: table.xml_id(),
            current: RefCell::new(RequirementState {
                kind: kind.filter(|_| !is_class),
                identifier: identifier.or_else(number).filter(|_| !is_class).map(Into::into),
            }),
        })
    }

    /// The kind of a row; a row with a number or an identifier applies to the statements that follow.
    pub(super) fn row(&self, row: XmlNode<'_>) -> RequirementRow {
        let cells = cells(row);
        let (key, rest) = match cells.as_slice() {
            [] => return RequirementRow::Other,
            [only] => (None, only.as_str()),
            [key, rest, ..] => (Some(key.as_str()), rest.as_str()),
        };
        let each = self.class;
        let statement = RequirementRow::Statement { each, label: None };
        let Some(key) = key else {
            let names = numbered_name(rest).is_some_and(|name| name.len() == rest.len());
            return if names || path(rest).is_some() || is_class(rest) || !rest.contains(' ') {
                RequirementRow::Other
            } else {
                statement
            };
        };
        let name = key_of(key);
        if let Some(identifier) = numbered_name(key) {
            let kind = kind_of_heading(key);
            let named = path(rest);
            // The first cells of a table repeat its identifier; later ones begin the next requirement.
            let mut current = self.current.borrow_mut();
            let third = cells.get(2).is_some();
            if named.is_none() || current.identifier.as_deref() != named.as_deref() {
                *current =
                    RequirementState { kind, identifier: Some(named.clone().unwrap_or(identifier).into()) };
            }
            let states = third || named.is_none() && rest.contains(' ');
            return if states { statement } else { RequirementRow::Other };
        }
        if is_in(IDENTIFIERS, &name) {
            return RequirementRow::Other;
        }
        if is_in(DEPENDENCIES, &name) {
            return RequirementRow::Dependency;
        }
        // `Normative Aussagen`
        let is_plural = |one: &str| name.strip_prefix(one).is_some_and(|end| matches!(end, "s" | "n"));
        let plural = name == "déclarations normatives" || STATEMENTS.split(", ").any(is_plural);
        if plural || is_in(STATEMENTS, &name) {
            return RequirementRow::Statement { each: each || plural, label: None };
        }
        let part = name
            .strip_prefix("part ")
            .or(name.strip_prefix("partie "))
            .or(name.strip_prefix("teil "))
            .unwrap_or(&name);
        let part = part.trim_start_matches('(').trim_end_matches([')', '.']);
        let is_part = !part.is_empty() && part.len() <= 2 && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if is_part {
            return RequirementRow::Statement { each, label: Some(key.into()) };
        }
        RequirementRow::Other
    }
}

impl<'t> TextWriter<'_, 't> {
    /// Sets the context for a cell of a requirement's table; `first` for the cell with the key of the row.
    pub(super) fn set_requirement_context(
        &mut self,
        requirement: &RequirementTable<'t>,
        row: &RequirementRow,
        first: bool,
        cell: XmlNode<'t>,
    ) {
        let Some(kind) = (match row {
            _ if first => Some(BlockKind::TableHeader),
            RequirementRow::Other => Some(BlockKind::Other),
            RequirementRow::Dependency => Some(BlockKind::Dependency),
            RequirementRow::Statement { .. } => None,
        }) else {
            let RequirementRow::Statement { each, label } = row else { return };
            let current = requirement.current.borrow().clone();
            let words = words(cell).unwrap_or_default();
            if path(&words).is_some() {
                self.context.kind = BlockKind::Other;
                return;
            }
            self.block_list.marks += 1;
            self.context.breaks = *each;
            self.context.authored = Some(Rc::new(Authored {
                mark: self.block_list.marks,
                kind: current.kind,
                element: cell.xml_id().or(requirement.element),
                identifier: current.identifier,
                label: label.clone(),
                each: *each,
                tabular: true,
            }));
            return;
        };
        self.context.kind = kind;
        self.context.breaks = kind == BlockKind::Dependency;
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

/// Texts that may name the kind of the table: its label, its caption, its first cell.
fn headings(table: XmlNode<'_>) -> impl Iterator<Item = String> + Clone {
    let caption = table.child(Name::Caption).map(|c| c.child(Name::Title).unwrap_or(c));
    let first = table.all(Name::Tr).next().and_then(|row| cells(row).into_iter().next());
    [label(table), caption.and_then(words), first].into_iter().flatten().collect::<Vec<_>>().into_iter()
}

/// The words of the cells that have any.
fn cells(row: XmlNode<'_>) -> Vec<String> {
    row.elements()
        .filter(|n| matches!(n.name(), Name::Td | Name::Th | Name::Entry))
        .filter_map(words)
        .collect()
}

fn has_few_columns(table: XmlNode<'_>) -> bool {
    const MAX_COLUMNS: usize = 3;
    table.all(Name::Tr).all(|row| row.elements().count() <= MAX_COLUMNS)
}

fn key_of(cell: &str) -> String {
    cell.trim().trim_end_matches(':').trim_end().to_lowercase()
}

fn is_class(heading: &str) -> bool {
    let heading = heading.to_lowercase().replace('’', "'");
    CLASSES.split(", ").any(|class| heading.starts_with(class))
}

/// The type that a heading such as `RequirementTable 5: Lid` names.
fn kind_of_heading(heading: &str) -> Option<ProvisionKind> {
    kind_of_word(heading.split(|c: char| !c.is_alphabetic()).next()?)
}

/// `Requirement 5` of a heading that is this alone or followed by a mark and a title.
fn numbered(heading: &str) -> Option<&str> {
    let found = leading_identifier(heading)?;
    kind_of_heading(heading)?;
    (found.rest.is_empty() || found.marked || path(found.rest).is_some() || path(found.name).is_some())
        .then_some(found.name)
}

fn numbered_name(heading: &str) -> Option<String> {
    numbered(heading).map(str::to_owned)
}

/// The path of a requirement, where the text is nothing else.
fn path(text: &str) -> Option<String> {
    let found = leading_identifier(text)?;
    (found.rest.is_empty() && found.name.contains('/')).then(|| found.name.to_owned())
}
