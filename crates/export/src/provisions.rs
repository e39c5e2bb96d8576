//! The sheet of provisions, and the one about their standards.

use std::collections::HashMap;

use norma_api::shapes::{Metadata, SectionNode, Term};

use crate::error::ExportError;
use crate::objects::amendments_of;
use crate::sheet::{LICENCE, Sheet, joined, or_empty, whole};
use crate::standard::{ExportedStandard, IdColumn};

const COLUMNS: [(&str, u16); 19] = [
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
    ("levels", 40),
    ("normative", 10),
    ("conditions", 30),
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
    for ExportedStandard { bibliographic, provisions, terms, outline, .. } in standards {
        let mut levels = HashMap::new();
        add_levels(outline, "", &mut levels);
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
                levels.get(&*provision.section.id).cloned().unwrap_or_default().into(),
                provision.normative.to_string().into(),
                joined(provision.conditions.iter().map(|condition| &*condition.text)),
                joined(provision.quantities.iter().map(ToString::to_string)),
                joined(provision.references.iter().map(|reference| &*reference.text)),
                joined(terms),
                bibliographic.status.as_str().into(),
                joined(amendments_of(&bibliographic.amended_by, &provision.id)),
            ];
            sheet.add(&provision.id, cells);
        }
    }
    if sheet.rows.is_empty() { Err(ExportError::NothingSelected) } else { Ok(sheet) }
}

/// Adds for each section the sections around it and itself, from the top: `4 Design; 4.1 General`.
fn add_levels<'a>(outline: &'a [SectionNode<'_>], above: &str, levels: &mut HashMap<&'a str, String>) {
    for section in outline {
        let mut own = String::new();
        for part in [&section.head.label, &section.head.title].into_iter().flatten() {
            own.push_str(part);
            own.push(' ');
        }
        let own = own.trim_end();
        let path = if above.is_empty() { own.to_owned() } else { format!("{above}; {own}") };
        add_levels(&section.children, &path, levels);
        levels.insert(&section.head.id, path);
    }
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
