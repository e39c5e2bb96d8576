//! The sheet of provisions, and the one about their standards.

use std::collections::HashMap;

use norma_api::shapes::{Amendment, Metadata, Term};

use crate::error::ExportError;
use crate::sheet::{LICENCE, Sheet, joined, or_empty, whole};
use crate::standard::{ExportedStandard, IdColumn};

const COLUMNS: [(&str, u16); 16] = [
    ("id", 32),
    ("lineage", 32),
    ("urn", 30),
    ("revision", 12),
    ("reference", 18),
    ("label", 12),
    ("type", 16),
    ("verbal_form", 12),
    ("text", 80),
    ("section_number", 10),
    ("section_title", 30),
    ("quantities", 20),
    ("references", 20),
    ("terms", 20),
    ("status", 12),
    ("amended_by", 30),
];

/// A row for each provision, standard by standard, each in document order.
pub(crate) fn sheet<'a>(
    standards: &'a [ExportedStandard<'_>],
    identity: IdColumn,
) -> Result<Sheet<'a>, ExportError> {
    let mut sheet = Sheet::new("Provisions", &COLUMNS);
    for ExportedStandard { bibliographic, provisions, terms, .. } in standards {
        let designations: HashMap<&str, &str> = terms.iter().map(designation).collect();
        for provision in provisions {
            let lineage = provision.lineage.as_ref().map(|lineage| &*lineage.id);
            let id = match (identity, lineage) {
                (IdColumn::Provision, _) => &*provision.id,
                (IdColumn::Lineage, Some(lineage)) => lineage,
                (IdColumn::Lineage, None) => {
                    return Err(ExportError::NoLineage(provision.id.to_string()));
                }
            };
            let mut terms: Vec<&str> = Vec::new();
            for term in &provision.term_ids {
                terms.push(designations.get(&**term).copied().unwrap_or(term));
            }
            let cells = [
                id.into(),
                lineage.unwrap_or_default().into(),
                (*bibliographic.urn).into(),
                (*bibliographic.revision).into(),
                (*bibliographic.metadata.reference).into(),
                (*provision.label).into(),
                provision.kind.as_str().into(),
                (*provision.verbal_form).into(),
                whole(provision.lead_in.as_deref(), &provision.text),
                or_empty(&provision.section.number),
                or_empty(&provision.section.title),
                joined(provision.quantities.iter().map(ToString::to_string)),
                joined(provision.references.iter().map(|reference| &*reference.text)),
                joined(terms),
                bibliographic.status.as_str().into(),
                joined(amendments(&bibliographic.amended_by, &provision.id)),
            ];
            sheet.add(&provision.id, cells);
        }
    }
    if sheet.rows.is_empty() { Err(ExportError::NothingSelected) } else { Ok(sheet) }
}

/// The amendments that touch a provision, each with what it does: `NSB 4210:2025/Amd 1:2026 (replace)`.
fn amendments(amended_by: &[Amendment<'_>], id: &str) -> Vec<String> {
    let mut touching = Vec::new();
    for amendment in amended_by {
        let Some(operation) = amendment.operation else { continue };
        if amendment.targets.iter().any(|target| *target == id) {
            touching.push(format!("{} ({operation})", amendment.reference));
        }
    }
    touching
}

/// The id of a term, and the first of its designations, else its id.
fn designation<'a>(term: &'a Term<'_>) -> (&'a str, &'a str) {
    let name = match term.designations.first() {
        Some(first) => &first.text,
        None => &term.id,
    };
    (&term.id, name)
}

/// The answer to the question whether the provisions are all duties of the text.
#[cfg(feature = "xlsx")]
fn completeness(metadata: &Metadata<'_>) -> &'static str {
    if metadata.duties_without_verbal_form {
        "no: the text may state duties without a verbal form, which are not listed"
    } else {
        "as far as rules find provisions by their verbal forms"
    }
}

/// Where the standards come from, and which they are.
#[cfg(feature = "xlsx")]
pub(crate) fn about<'a>(standards: &'a [ExportedStandard<'_>], service: &'a str) -> Sheet<'a> {
    let mut sheet = Sheet::new("About", &[("about", 24), ("value", 100)]);
    for ExportedStandard { bibliographic, provisions, .. } in standards {
        let metadata = &bibliographic.metadata;
        let copyright = metadata.copyright.as_ref();
        let holder = copyright.and_then(|copyright| copyright.holder.as_deref());
        for (name, value) in [
            ("reference", (*metadata.reference).into()),
            ("title", or_empty(&metadata.title)),
            ("publisher", (*metadata.publisher).into()),
            ("published", or_empty(&metadata.published_on)),
            ("language", (*metadata.language).into()),
            ("urn", (*bibliographic.urn).into()),
            ("revision", (*bibliographic.revision).into()),
            ("status", bibliographic.status.as_str().into()),
            ("provisions", provisions.len().to_string().into()),
            ("complete", completeness(metadata).into()),
            ("copyright", copyright.map_or("".into(), |copyright| or_empty(&copyright.statement))),
            ("copyright holder", holder.unwrap_or_default().into()),
        ] {
            sheet.add(&bibliographic.urn, [name.into(), value]);
        }
    }
    sheet.add("About", ["service".into(), service.into()]);
    sheet.add("About", ["licence".into(), LICENCE.into()]);
    sheet
}
