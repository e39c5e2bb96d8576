//! Editions of the samples and of the corpus, as a caller has them from the API.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, unreachable_pub, reason = "this is test code")]
#![allow(dead_code, reason = "each test program uses what it needs")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use norma_api::shapes::{
    Amendment, BibliographicData, Graphic, Lineage, Metadata, Provision, SectionHead, Status, Table,
    TableProvisions, Term,
};
use norma_export::{ExportedDocument, ExportedSection, ExportedStandard};
use norma_model::Edition;
use norma_sts::html::{self, HtmlPicture, HtmlStandard, ProvisionMark, SectionInput};
use serde_json::json;

/// The editions of the samples and of the corpus that have provisions.
pub fn editions() -> Vec<Edition> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    if !corpus.is_dir() {
        eprintln!("corpus absent: {} is not a folder", corpus.display());
    }
    let files = [root.join("samples"), corpus.join("sts")].into_iter().flat_map(walkdir::WalkDir::new);
    let files = files.filter_map(|entry| Some(entry.ok()?.into_path()));
    let files = files.filter(|path| path.extension().is_some_and(|e| e == "xml"));
    let editions = files.filter_map(|path| extracted(&path));
    let editions: Vec<_> = editions.filter(|edition| !edition.provisions.is_empty()).collect();
    assert!(editions.len() >= 10, "{}", editions.len());
    editions
}

/// The edition of a document that is not refused.
pub fn extracted(document: &Path) -> Option<Edition> {
    let source = std::fs::read(document).unwrap();
    Some(norma_sts::extract(&source, &norma_sts::ExtractionOptions::default()).ok()?.edition)
}

/// NSB 4210:2025 of the samples.
pub fn sample() -> Edition {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    extracted(&root.join("bicycle-anchors-ed2-en/document.xml")).unwrap()
}

/// What is exported of an edition; its provisions have lineages of made-up ids.
pub fn exported(edition: &Edition) -> ExportedStandard<'_> {
    let provision = |provision| {
        let mut shape = Provision::new(provision, edition);
        shape.lineage = Some(Lineage::of_id(shape.id.replace("prv_", "lin_")));
        shape
    };
    let none = TableProvisions::default();
    ExportedStandard {
        bibliographic: BibliographicData {
            status: Status::Published,
            amended_by: vec![amendment(edition)],
            urn: edition.urn.as_str().into(),
            revision: "0123456789abcdef".into(),
            metadata: Metadata::from(&edition.metadata),
            ics: Vec::new(),
            relations: Vec::new(),
        },
        provisions: edition.provisions.iter().map(provision).collect(),
        terms: edition.terms.iter().map(|term| Term::new(term, &edition.sections)).collect(),
        tables: edition.tables.iter().map(|table| Table::new(table, &none, edition)).collect(),
        outline: Vec::new(),
    }
}

/// An amendment that replaces the first provision of an edition.
fn amendment(edition: &Edition) -> Amendment<'static> {
    let first = edition.provisions[0].id.to_string();
    let amendment = json!({
        "urn": "urn:nsb:std:nsb:4210:amd:1:ed-2:en", "reference": "NSB 4210/Amd 1", "operation": "replace",
        "targets": ["sec_4.1", first]
    });
    serde_json::from_value(amendment).unwrap()
}

/// The smallest PNG.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, b'I', b'D', b'A', b'T', 8, 0xd7, 0x63, 0x60,
    0, 0, 0, 2, 0, 1, 0xe2, 0x21, 0xbc, 0x33, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// All of an edition. Each graphic has a file of its own, made up of its number.
pub fn document(edition: &Edition) -> ExportedDocument<'_> {
    let standard = exported(edition);
    let mut known = HtmlStandard::new(edition.urn.as_str(), edition.metadata.language().as_str());
    for section in &edition.sections {
        known.add_section(section.id.as_str(), section.source_id.as_deref());
    }
    for term in &edition.terms {
        known.add_term(term.id.as_str(), edition.sections[term.section].id.as_str());
    }
    let sections = sections(edition, &standard, &known);
    let mut graphics = Vec::new();
    let mut pictures = HashMap::new();
    for (number, graphic) in edition.graphics.iter().enumerate() {
        let mut shape = Graphic::new(graphic, None, &edition.sections);
        shape.media_type = Some("image/png".into());
        shape.digest = Some(format!("sha256:{number:064}").into());
        shape.available = true;
        // What is behind the end of a PNG is not read.
        let bytes = [PIXEL, number.to_string().as_bytes()].concat();
        pictures.insert(shape.id.to_string(), bytes);
        graphics.push(shape);
    }
    let document_urn = edition.urn.document_urn().to_owned();
    ExportedDocument { standard, document_urn, sections, graphics, pictures, chosen: None }
}

fn sections<'a>(
    edition: &'a Edition,
    standard: &ExportedStandard<'_>,
    known: &HtmlStandard,
) -> Vec<ExportedSection<'a>> {
    let mut inputs: Vec<SectionInput<'_>> = Vec::new();
    for section in &edition.sections {
        inputs.push(SectionInput {
            id: section.id.as_str(),
            kind: "clause",
            level: section.level,
            markup: &section.xml,
            text: &section.text,
            ..SectionInput::default()
        });
    }
    for (provision, shape) in edition.provisions.iter().zip(&standard.provisions) {
        inputs[provision.section].provisions.push(ProvisionMark {
            id: &shape.id,
            kind: shape.kind.as_str(),
            label: &shape.label,
            start: shape.anchor.start,
            end: shape.anchor.end,
            verbal_form: shape.anchor.verbal_form_slice.map(|slice| (slice.start, slice.end)),
        });
    }
    for graphic in &edition.graphics {
        let Some(section) = graphic.section else { continue };
        let alt = graphic.alt_text.as_deref().unwrap_or("picture");
        inputs[section].graphics.push(HtmlPicture {
            id: graphic.id.as_str(),
            alt,
            address: None,
            missing: false,
        });
    }
    for term in &edition.terms {
        inputs[term.section].terms.push(term.id.as_str());
    }
    for table in &edition.tables {
        inputs[table.section].tables.push(table.id.as_str());
    }
    let mut sections = Vec::new();
    for (order, (section, input)) in edition.sections.iter().zip(&inputs).enumerate() {
        let head = SectionHead {
            id: section.id.as_str().into(),
            label: section.label.as_deref().map(Into::into),
            number: section.number.as_deref().map(Into::into),
            title: section.title.as_deref().map(Into::into),
            kind: section.kind.into(),
            normative: section.normative,
            level: section.level,
            order: order as u32 + 1,
        };
        let parent_id = section.parent.map(|parent| edition.sections[parent].id.as_str().to_owned());
        sections.push(ExportedSection { head, parent_id, html: Some(html::section(known, input).html) });
    }
    sections
}
