//! The sheets of a comparison.

use std::borrow::Cow;

use norma_api::shapes::{
    ComparedPart, ComparedProvision, ComparisonView, Dependency, DependencyType, Facets, Passage,
    ProvisionType, SectionRef,
};
#[cfg(feature = "xlsx")]
use norma_api::shapes::{RowOrColumnChange, TableChange};

use crate::error::ExportError;
#[cfg(feature = "xlsx")]
use crate::mapping::suspects;
use crate::mapping::{Relationship, is_suspect};
use crate::sheet::{LICENCE, Sheet, joined, or_empty, whole};

const COLUMNS: [(&str, u16); 27] = [
    ("relation", 10),
    ("changed", 20),
    ("likelihood", 10),
    ("origin", 10),
    ("similarity", 10),
    ("older_id", 32),
    ("older_label", 10),
    ("older_type", 16),
    ("older_text", 60),
    ("newer_id", 32),
    ("newer_label", 10),
    ("newer_type", 16),
    ("newer_text", 60),
    ("strength", 24),
    ("normative", 24),
    ("negation", 24),
    ("quantity", 24),
    ("bound", 24),
    ("condition", 24),
    ("subject", 24),
    ("references", 24),
    ("terms", 24),
    ("depends_on", 24),
    ("moved", 24),
    ("candidates", 24),
    ("relationship", 16),
    ("suspect", 8),
];

/// A row for each item.
pub(crate) fn sheet<'a>(comparison: &'a ComparisonView<'_>) -> Result<Sheet<'a>, ExportError> {
    let mut sheet = Sheet::new("Changes", &COLUMNS);
    let no_facets = Facets::default();
    for item in &comparison.items {
        let mut candidates = Vec::new();
        for candidate in &item.candidates {
            let label = candidate.label.as_ref().unwrap_or(&candidate.id);
            candidates.push(format!("{label} ({:.0} %)", candidate.similarity * 100.0));
        }
        let similarity = match item.similarity {
            Some(similarity) => similarity.to_string(),
            None => String::new(),
        };
        let item_facets = item.facets.as_ref().unwrap_or(&no_facets);
        let mut cells = vec![
            item.relation.as_str().into(),
            joined(item.changed.iter().map(|facet| facet.as_str())),
            item.likelihood.map_or("", |likelihood| likelihood.as_str()).into(),
            item.origin.map_or("", |origin| origin.as_str()).into(),
            similarity.into(),
        ];
        cells.extend(side(item.older.as_ref()));
        cells.extend(side(item.newer.as_ref()));
        cells.extend(content_facets(item_facets).map(Cow::from));
        cells.extend(context_facets(item_facets).map(Cow::from));
        cells.push(joined(candidates));
        cells.push(Relationship::of(item).map_or("", Relationship::as_str).into());
        cells.push(if is_suspect(item) { "yes" } else { "" }.into());
        let provision = item.newer.as_ref().or(item.older.as_ref());
        let id = provision.map_or("", |provision| &*provision.id);
        sheet.add(id, cells);
    }
    if sheet.rows.is_empty() { Err(ExportError::NothingSelected) } else { Ok(sheet) }
}

/// Id, label, type and text of the provision on one side.
fn side<'a>(provision: Option<&'a ComparedProvision<'_>>) -> [Cow<'a, str>; 4] {
    let Some(ComparedProvision { id, label, kind, lead_in, text }) = provision else {
        return Default::default();
    };
    let text = text.as_deref().unwrap_or_default();
    [(**id).into(), or_empty(label), type_name(*kind).into(), whole(lead_in.as_deref(), text)]
}

/// Values of the kinds of change in a provision's own words, in the order of the columns.
fn content_facets(facets: &Facets<'_>) -> [String; 7] {
    let Facets {
        strength,
        normative,
        negation,
        quantity,
        bound,
        condition,
        subject,
        // In `context_facets`.
        references: _,
        terms: _,
        depends_on: _,
        moved: _,
    } = facets;
    let mut cells: [FacetCell; 7] = Default::default();
    let [strengths, statuses, negations, quantities, bounds, conditions, subjects] = &mut cells;
    if let Some(change) = strength {
        strengths.add(type_name(change.older.kind), type_name(change.newer.kind));
    }
    if let Some(change) = normative {
        statuses.add(section_status(change.older.normative), section_status(change.newer.normative));
    }
    if let Some(change) = negation {
        let older = optional_words(&change.older.verbal_form_passage);
        let newer = optional_words(&change.newer.verbal_form_passage);
        negations.add(older, newer);
    }
    for change in quantity {
        let older = change.older.as_ref().map_or("", |quantity| &quantity.passage.text);
        let newer = change.newer.as_ref().map_or("", |quantity| &quantity.passage.text);
        quantities.add(older, newer);
    }
    for change in bound {
        bounds.add(&change.older.passage.text, &change.newer.passage.text);
    }
    for change in condition {
        conditions.add(optional_words(&change.older), optional_words(&change.newer));
    }
    if let Some(change) = subject {
        subjects.add(&change.older.text, &change.newer.text);
    }
    cells.map(|cell| cell.0)
}

/// Values of the kinds of change in what a provision refers to and in its location, in the order of the
/// columns.
fn context_facets(facets: &Facets<'_>) -> [String; 4] {
    let mut cells: [FacetCell; 4] = Default::default();
    let [references, terms, dependencies, moves] = &mut cells;
    for change in &facets.references {
        references.add(optional_words(&change.older), optional_words(&change.newer));
    }
    for change in &facets.terms {
        terms.add(part_label(&change.older), part_label(&change.newer));
    }
    for change in &facets.depends_on {
        dependencies.add_dependency(change);
    }
    if let Some(change) = &facets.moved {
        moves.add(section_name(&change.older), section_name(&change.newer));
    }
    cells.map(|cell| cell.0)
}

/// The changes of one kind, `older → newer` each, with `; ` between them.
#[derive(Default)]
struct FacetCell(String);

impl FacetCell {
    /// Adds a change. One side is empty where the value was added or dropped.
    fn add(&mut self, older: &str, newer: &str) {
        if !self.0.is_empty() {
            self.0.push_str("; ");
        }
        self.0.push_str(format!("{older} → {newer}").trim());
    }

    /// Adds what a provision depends on. The type says what labels of the provision itself mean.
    fn add_dependency(&mut self, dependency: &Dependency<'_>) {
        let mut older = part_label(&dependency.older).to_owned();
        let mut newer = part_label(&dependency.newer).to_owned();
        if matches!(dependency.kind, DependencyType::Footnote | DependencyType::Sentence) {
            older = format!("{} {older}", dependency.kind.as_str());
        }
        if let Some(extent) = dependency.extent {
            newer = format!("{newer} ({})", extent.as_str());
        }
        self.add(&older, &newer);
    }
}

fn section_status(normative: bool) -> &'static str {
    if normative { "normative" } else { "informative" }
}

fn type_name(kind: Option<ProvisionType>) -> &'static str {
    kind.map_or("", ProvisionType::as_str)
}

fn optional_words<'a>(passage: &'a Option<Passage<'_>>) -> &'a str {
    passage.as_ref().map_or("", |passage| &passage.text)
}

fn part_label<'a>(part: &'a ComparedPart<'_>) -> &'a str {
    part.label.as_ref().unwrap_or(&part.id)
}

/// The number of a section, else its title, else its id.
fn section_name<'a>(section: &'a SectionRef<'_>) -> &'a str {
    section.number.as_ref().or(section.title.as_ref()).unwrap_or(&section.id)
}

/// What must be looked at again: a row for each older provision whose evidence may no longer hold.
#[cfg(feature = "xlsx")]
pub(crate) fn suspect<'a>(comparison: &'a ComparisonView<'_>) -> Sheet<'a> {
    let columns = [
        ("older_id", 32),
        ("older_label", 10),
        ("relationship", 16),
        ("relation", 10),
        ("changed", 24),
        ("likelihood", 10),
        ("newer_id", 32),
        ("newer_label", 10),
        ("older_text", 60),
        ("newer_text", 60),
    ];
    let mut sheet = Sheet::new("Suspect", &columns);
    for item in suspects(comparison) {
        let [older_id, older_label, _, older_text] = side(item.older.as_ref());
        let [newer_id, newer_label, _, newer_text] = side(item.newer.as_ref());
        let id = item.older.as_ref().map_or("", |older| &*older.id);
        let cells = [
            older_id,
            older_label,
            Relationship::of(item).map_or("", Relationship::as_str).into(),
            item.relation.as_str().into(),
            joined(item.changed.iter().map(|facet| facet.as_str())),
            item.likelihood.map_or("", |likelihood| likelihood.as_str()).into(),
            newer_id,
            newer_label,
            older_text,
            newer_text,
        ];
        sheet.add(id, cells);
    }
    sheet
}

/// What became of each section.
#[cfg(feature = "xlsx")]
pub(crate) fn sections<'a>(comparison: &'a ComparisonView<'_>) -> Sheet<'a> {
    let columns = [
        ("type", 10),
        ("older_number", 12),
        ("older_title", 40),
        ("newer_number", 12),
        ("newer_title", 40),
        ("same", 8),
        ("changed", 8),
        ("new", 8),
        ("removed", 8),
    ];
    let mut sheet = Sheet::new("Sections", &columns);
    for change in &comparison.section_changes {
        let counts = [change.counts.same, change.counts.changed, change.counts.new, change.counts.removed];
        let section = change.newer.as_ref().or(change.older.as_ref());
        let id = section.map_or("", |section| &*section.id);
        let mut cells = vec![change.kind.as_str().into()];
        cells.extend(number_and_title(&change.older));
        cells.extend(number_and_title(&change.newer));
        cells.extend(counts.map(|count| Cow::from(count.to_string())));
        sheet.add(id, cells);
    }
    sheet
}

#[cfg(feature = "xlsx")]
fn number_and_title<'a>(section: &'a Option<SectionRef<'_>>) -> [Cow<'a, str>; 2] {
    match section {
        Some(section) => [or_empty(&section.number), or_empty(&section.title)],
        None => Default::default(),
    }
}

/// What changed in tables: a row for each table, and one for each cell, row and column of it that changed.
#[cfg(feature = "xlsx")]
pub(crate) fn tables<'a>(comparison: &'a ComparisonView<'_>) -> Sheet<'a> {
    let columns = [
        ("older_table", 12),
        ("newer_table", 12),
        ("part", 10),
        ("type", 10),
        ("row", 24),
        ("column", 24),
        ("older", 40),
        ("newer", 40),
    ];
    let mut sheet = Sheet::new("Tables", &columns);
    for change in &comparison.table_changes {
        let older_table = change.older.as_ref().map_or("", part_label);
        let newer_table = change.newer.as_ref().map_or("", part_label);
        let table = change.newer.as_ref().or(change.older.as_ref());
        let id = table.map_or("", |part| &*part.id);
        for row in table_rows(change) {
            let mut cells = vec![older_table.into(), newer_table.into()];
            cells.extend(row.map(Cow::from));
            sheet.add(id, cells);
        }
    }
    sheet
}

/// Part, type, row, column and the texts on both sides of each change in a table, its own caption first.
#[cfg(feature = "xlsx")]
fn table_rows<'a>(change: &'a TableChange<'_>) -> Vec<[&'a str; 6]> {
    let mut older_caption = "";
    let mut newer_caption = "";
    if let Some(captions) = &change.caption_change {
        older_caption = &captions.older.text;
        newer_caption = &captions.newer.text;
    }
    let mut rows = vec![["table", change.kind.as_str(), "", "", older_caption, newer_caption]];
    for cell in &change.cell_changes {
        rows.push(["cell", "changed", &cell.row_head, &cell.column_head, &cell.older.text, &cell.newer.text]);
    }
    for row in &change.row_changes {
        rows.push(head_row("row", row));
    }
    for column in &change.column_changes {
        rows.push(head_row("column", column));
    }
    rows
}

#[cfg(feature = "xlsx")]
fn head_row<'a>(part: &'a str, change: &'a RowOrColumnChange<'_>) -> [&'a str; 6] {
    let older = change.older.as_deref().unwrap_or_default();
    let newer = change.newer.as_deref().unwrap_or_default();
    [part, change.kind.as_str(), "", "", older, newer]
}

/// Which editions were compared, and where.
#[cfg(feature = "xlsx")]
pub(crate) fn about<'a>(comparison: &'a ComparisonView<'_>, service: &'a str) -> Sheet<'a> {
    let mut sheet = Sheet::new("About", &[("about", 24), ("value", 100)]);
    for (side, edition) in [("older", &comparison.older), ("newer", &comparison.newer)] {
        let values = [
            ("reference", &edition.reference),
            ("title", &edition.title),
            ("urn", &edition.urn),
            ("revision", &edition.revision),
        ];
        for (name, value) in values {
            sheet.add(&edition.urn, [format!("{side} {name}").into(), (**value).into()]);
        }
    }
    for (name, value) in [
        ("language", (*comparison.language).into()),
        ("matcher", comparison.matcher.to_string().into()),
        ("service", service.into()),
        ("licence", LICENCE.into()),
    ] {
        sheet.add("About", [name.into(), value]);
    }
    sheet
}
