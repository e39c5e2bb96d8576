//! Exports for tools of requirements, of the samples, of hostile texts, and of the corpus where it is there:
//! nothing is lost, and the programs of others read each id, text, table and picture.
//!
//! The corpus is in the folder that `NORMA_CORPUS` names, else in `../shared/corpus` next to the checkout.
//! Without a Python with these programs in `NORMA_VENV`, the test that needs it says so and proves nothing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod hostile;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use norma_export::{
    ExportError, ExportOptions, ExportedDocument, IdColumn, PartIds, RequirementFormat, export_requirements,
};
use norma_model::Edition;
use serde_json::{Value, json};
use support::{document, editions, sample};

const OPTIONS: ExportOptions<'_> =
    ExportOptions { identity: IdColumn::Provision, service: "https://norma.example" };

fn hostile_edition() -> Edition {
    let source = hostile::source();
    norma_sts::extract(source.as_bytes(), &norma_sts::ExtractionOptions::default()).unwrap().edition
}

fn export(document: ExportedDocument<'_>, format: RequirementFormat) -> Result<Vec<u8>, ExportError> {
    let ids = PartIds::of_edition(&document);
    export_requirements(&[(document, ids)], format, &OPTIONS)
}

/// What an export has to have of an edition.
fn expected(document: &ExportedDocument<'_>) -> Value {
    let standard = &document.standard;
    let mut provisions = Vec::new();
    for provision in &standard.provisions {
        let text = provision.lead_in.iter().chain([&provision.text]).map(|text| &**text);
        provisions.push(json!({
            "id": provision.id, "label": provision.label, "type": provision.kind, "section": provision.section.id,
            "text": text.collect::<Vec<_>>().join(" "), "table": provision.table_id,
        }));
    }
    let mut sections = Vec::new();
    for section in &document.sections {
        let head = &section.head;
        sections.push(
            json!({"id": head.id, "title": head.title, "parent": section.parent_id, "label": head.label}),
        );
    }
    let mut terms = Vec::new();
    for term in &standard.terms {
        let designation = term.designations.first().map(|first| &first.text);
        let definition = term.definitions.first().map(|first| &first.text);
        terms.push(json!({"id": term.id, "designation": designation, "definition": definition}));
    }
    let mut tables = Vec::new();
    for table in standard.tables.iter().filter(|table| !table.omitted) {
        let cells = table.rows.iter().flat_map(|row| &row.cells).map(|cell| &cell.text);
        tables.push(json!({"id": table.id, "cells": cells.collect::<Vec<_>>()}));
    }
    let graphics =
        document.graphics.iter().filter(|graphic| graphic.section.is_some()).map(|graphic| &graphic.id);
    let pictures: Vec<usize> = document.pictures.values().map(Vec::len).collect();
    json!({
        "urn": standard.bibliographic.urn, "revision": standard.bibliographic.revision, "provisions": provisions,
        "sections": sections, "terms": terms, "tables": tables, "graphics": graphics.collect::<Vec<_>>(),
        "pictures": pictures.len(),
    })
}

#[test]
fn two_runs_give_the_same_bytes_and_one_format_holds_one_standard() {
    let edition = sample();
    for format in RequirementFormat::ALL {
        let [one, other] = [(), ()].map(|()| export(document(&edition), format).unwrap());
        assert!(one == other && !one.is_empty(), "{}", format.as_str());
        let twice = [(), ()].map(|()| {
            let document = document(&edition);
            let ids = PartIds::of_edition(&document);
            (document, ids)
        });
        let both = export_requirements(&twice, format, &OPTIONS);
        let holds_one = matches!(both, Err(ExportError::OneStandard { found: 2, .. }));
        let is_single = matches!(
            format,
            RequirementFormat::Doorstop | RequirementFormat::Oscal | RequirementFormat::Ciso
        );
        assert_eq!(holds_one, is_single, "{}", format.as_str());
    }
}

#[test]
fn a_choice_of_provisions_has_the_headings_around_them_and_nothing_else() {
    let edition = sample();
    let mut chosen = document(&edition);
    let wanted = chosen.standard.provisions.iter().find(|one| one.label == "4.3(1)").unwrap().id.to_string();
    chosen.chosen = Some([wanted.clone()].into());
    let written = String::from_utf8(export(chosen, RequirementFormat::Needs).unwrap()).unwrap();
    let read: Value = serde_json::from_str(&written).unwrap();
    let needs = read["versions"]["norma"]["needs"].as_object().unwrap();
    let kinds: Vec<&str> = needs.values().map(|need| need["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["std_heading", "std_heading", "std_provision"]);
    assert!(needs.contains_key(&wanted.to_ascii_uppercase()));

    let mut nothing = document(&edition);
    nothing.chosen = Some([].into());
    assert_eq!(export(nothing, RequirementFormat::Oscal), Err(ExportError::NothingSelected));
}

#[test]
fn a_standard_that_may_only_be_discovered_is_its_headings() {
    let edition = sample();
    let mut known = document(&edition);
    for section in &mut known.sections {
        section.html = None;
    }
    known.standard.provisions.clear();
    known.standard.terms.clear();
    known.standard.tables.clear();
    known.graphics.clear();
    let written = String::from_utf8(export(known, RequirementFormat::Reqif).unwrap()).unwrap();
    assert!(written.contains("Locking point") && !written.contains("shall"), "{written}");
}

/// Writes all formats of each edition into a folder, with what they have to have.
fn write_all(folder: &Path) {
    let mut editions = editions();
    editions.push(hostile_edition());
    for (number, edition) in editions.iter().enumerate() {
        let all = document(edition);
        std::fs::write(folder.join(format!("{number}.expected.json")), expected(&all).to_string()).unwrap();
        for (format, extension) in [
            (RequirementFormat::Reqif, "reqif"),
            (RequirementFormat::Reqifz, "reqifz"),
            (RequirementFormat::Needs, "needs.json"),
            (RequirementFormat::Doorstop, "zip"),
            (RequirementFormat::Oscal, "oscal.json"),
            (RequirementFormat::Ciso, "yaml"),
        ] {
            let bytes = export(all.clone(), format).unwrap();
            std::fs::write(folder.join(format!("{number}.{extension}")), bytes).unwrap();
        }
    }
    let texts: Vec<String> = editions.iter().map(|edition| edition.urn.to_string()).collect();
    std::fs::write(folder.join("editions.json"), json!(texts).to_string()).unwrap();
}

#[test]
fn the_programs_of_others_read_each_id_text_table_and_picture() {
    let Some(venv) = std::env::var_os("NORMA_VENV").map(PathBuf::from) else {
        eprintln!("NORMA_VENV is not set: nothing is proved here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path());

    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requirements");
    for script in ["read_reqif.py", "read_oscal.py", "read_needs.py", "read_doorstop.py", "read_ciso.py"] {
        let output =
            Command::new(venv.join("bin/python")).arg(scripts.join(script)).arg(folder.path()).output();
        let output = output.unwrap();
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&said));
        eprint!("{script}: {}", String::from_utf8_lossy(&output.stdout));
    }
}
