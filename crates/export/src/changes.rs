//! The sheets of a comparison.

use std::borrow::Cow;

use norma_api::shapes::{
    ComparedPart, ComparedProvision, ComparisonView, Facets, Passage, ProvisionType, SectionRef,
};

use crate::error::ExportError;
use crate::sheet::{LICENCE, Sheet, joined, or_empty, whole};

const COLUMNS: [(&str, u16); 24] = [
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
];

/// A row for each item.
pub(crate) fn sheet<'a>(comparison: &'a ComparisonView<'_>) -> Result<Sheet<'a>, ExportError> {
    let mut sheet = Sheet::new("Changes", &COLUMNS);
    for item in &comparison.items {
        let candidates = item.candidates.iter().map(|candidate| {
            let label = candidate.label.as_ref().unwrap_or(&candidate.id);
            format!("{label} ({:.0} %)", candidate.similarity * 100.0)
        });
        let mut cells = vec![
            item.relation.as_str().into(),
            joined(item.changed.iter().map(|facet| facet.as_str())),
            item.likelihood.map_or("", |likelihood| likelihood.as_str()).into(),
            item.origin.map_or("", |origin| origin.as_str()).into(),
            item.similarity.map_or(Cow::default(), |similarity| similarity.to_string().into()),
        ];
        cells.extend(side(item.older.as_ref()));
        cells.extend(side(item.newer.as_ref()));
        let none = Facets::default();
        cells.extend(facets(item.facets.as_ref().unwrap_or(&none)).map(Cow::from));
        cells.push(joined(candidates));
        let id = item.newer.as_ref().or(item.older.as_ref()).map_or("", |provision| &*provision.id);
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
    [
        (**id).into(),
        or_empty(label),
        kind.map_or("", ProvisionType::as_str).into(),
        whole(lead_in.as_deref(), text),
    ]
}

/// The values of each kind of change on both sides, in the order of the columns.
fn facets(facets: &Facets<'_>) -> [String; 10] {
    fn text<'a>(passage: &'a Passage<'_>) -> &'a str {
        &passage.text
    }
    fn part<'a>(part: &'a ComparedPart<'_>) -> &'a str {
        part.label.as_ref().unwrap_or(&part.id)
    }
    fn section<'a>(section: &'a SectionRef<'_>) -> &'a str {
        section.number.as_ref().or(section.title.as_ref()).unwrap_or(&section.id)
    }
    fn form<'a>(passage: &'a Option<Passage<'_>>) -> &'a str {
        passage.as_ref().map_or("", text)
    }
    let Facets {
        strength,
        negation,
        quantity,
        bound,
        condition,
        subject,
        references,
        terms,
        depends_on,
        moved,
    } = facets;
    let kind = |kind: Option<ProvisionType>| kind.map_or("", ProvisionType::as_str);
    [
        all(strength.iter().map(|change| (kind(change.older.kind), kind(change.newer.kind)))),
        all(negation.iter().map(|change| {
            (form(&change.older.verbal_form_passage), form(&change.newer.verbal_form_passage))
        })),
        all(quantity.iter().map(|change| {
            let [older, newer] = [&change.older, &change.newer]
                .map(|quantity| quantity.as_ref().map_or("", |quantity| text(&quantity.passage)));
            (older, newer)
        })),
        all(bound.iter().map(|change| (text(&change.older.passage), text(&change.newer.passage)))),
        all(condition.iter().map(|change| (form(&change.older), form(&change.newer)))),
        all(subject.iter().map(|change| (text(&change.older), text(&change.newer)))),
        all(references.iter().map(|change| (form(&change.older), form(&change.newer)))),
        all(terms.iter().map(|change| (part(&change.older), part(&change.newer)))),
        all(depends_on.iter().map(|change| (part(&change.older), part(&change.newer)))),
        all(moved.iter().map(|change| (section(&change.older), section(&change.newer)))),
    ]
}

/// `older → newer` of each; one side is empty where the value was added or dropped.
fn all<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    joined(values.map(|(older, newer)| format!("{older} → {newer}").trim().to_owned())).into_owned()
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
        let of = |section: &'a Option<SectionRef<'_>>| match section {
            Some(section) => [or_empty(&section.number), or_empty(&section.title)],
            None => Default::default(),
        };
        let counts = [change.counts.same, change.counts.changed, change.counts.new, change.counts.removed];
        let id = change.newer.as_ref().or(change.older.as_ref()).map_or("", |section| &*section.id);
        let mut cells = vec![change.kind.as_str().into()];
        cells.extend(of(&change.older));
        cells.extend(of(&change.newer));
        cells.extend(counts.map(|count| Cow::from(count.to_string())));
        sheet.add(id, cells);
    }
    sheet
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
        let part = |part: &'a Option<ComparedPart<'_>>| -> Cow<'a, str> {
            part.as_ref().map_or("", |part| part.label.as_ref().unwrap_or(&part.id)).into()
        };
        let id = change.newer.as_ref().or(change.older.as_ref()).map_or("", |part| &*part.id);
        let mut add = |cells: [&'a str; 6]| {
            let tables = [part(&change.older), part(&change.newer)];
            sheet.add(id, tables.into_iter().chain(cells.map(Cow::from)));
        };
        let captions = change.caption_change.as_ref();
        let [older, newer] = [captions.map(|c| &*c.older.text), captions.map(|c| &*c.newer.text)];
        add(["table", change.kind.as_str(), "", "", older.unwrap_or(""), newer.unwrap_or("")]);
        for cell in &change.cell_changes {
            add(["cell", "changed", &cell.row_head, &cell.column_head, &cell.older.text, &cell.newer.text]);
        }
        for (part, changes) in [("row", &change.row_changes), ("column", &change.column_changes)] {
            for change in changes {
                let [older, newer] = [&change.older, &change.newer].map(|head| head.as_deref().unwrap_or(""));
                add([part, change.kind.as_str(), "", "", older, newer]);
            }
        }
    }
    sheet
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
