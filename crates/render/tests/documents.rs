//! Files in other folders that hold rendered editions are what would be rendered now: the examples of the OpenAPI document,
//! and the seeds of the fuzz target `pack`.
//!
//! Set `NORMA_WRITE_DOCS` to write them again.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use norma_api::Operation;
use norma_api::media::View;
use norma_api::query::{ListQuery, Position, QueryLimits};
use norma_api::shapes::{
    AccessLevel, CatalogueMembers, CellChange, ComparedEdition, ComparedPart, ComparedProvision,
    ComparedText, ComparisonCandidate, ComparisonCounts, ComparisonRelation, ComparisonView, ContentView,
    Difference, Edit, Facet, FacetCounts, Facets, GraphicsView, Likelihood, Limits, Lineage, LineageRelation,
    MigrateAnswer, MigrateItem, MigratedProvision, MigrationOutcome, Origin, PartChangeType, PartCounts,
    Passage, Provision, ProvisionChange, ProvisionCounts, ProvisionInContext, ProvisionsView, RateLimit,
    ReferenceChange, ReferenceChangeType, RelatedEdition, RelatedEditionType, RelatedProvision,
    ResolvedAsset, SectionChange, SectionContext, SectionRef, SelectionReport, SelectionView, Slice,
    StandardList, StandardSummary, Status, TableChange, TableView, TablesView,
};
use norma_model::LineageId;
use norma_render::Compression;
use serde_json::Value;
use support::{Rendered, example, rendered};

fn compare(path: &str, written: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, written).unwrap();
    }
    let current = std::fs::read(&path).unwrap_or_default();
    assert!(current == written, "{} is out of date: run `just documents`", path.display());
}

/// A shape as a reader gets it: numbers have the digits that are sent.
fn value(shape: &impl serde::Serialize) -> Value {
    serde_json::from_slice(&serde_json::to_vec(shape).unwrap()).unwrap()
}

fn answer(operation: Operation, rendered: &Rendered) -> Option<Value> {
    let members = CatalogueMembers {
        status: Status::Superseded,
        related_editions: vec![RelatedEdition {
            kind: RelatedEditionType::ReplacedBy,
            urn: "urn:nsb:std:nsb:4210:ed-2:en".into(),
            reference: "NSB 4210:2025".into(),
        }],
    };
    let read = |bytes: Vec<u8>| serde_json::from_slice(&bytes).unwrap();
    Some(match operation {
        Operation::Standards => page(),
        Operation::Standard => read(rendered.view_after(View::Complete, members.json_prefix())),
        Operation::Metadata => read(rendered.view_after(View::Metadata, members.json_prefix())),
        Operation::Sections => read(rendered.view(View::Sections)),
        Operation::Content => read(rendered.view(View::Content)),
        Operation::Provisions => read(rendered.view(View::Provisions)),
        Operation::Selection => selection(&rendered.view(View::Provisions)),
        Operation::Terms => read(rendered.view(View::Terms)),
        Operation::Tables => read(rendered.view(View::Tables)),
        Operation::Table => one_table(&rendered.view(View::Tables)),
        Operation::Graphics => read(rendered.view(View::Graphics)),
        Operation::ResolveAssets => resolved(&rendered.view(View::Graphics)),
        Operation::Provision => in_context(rendered),
        Operation::Limits => limits(),
        Operation::Comparison => comparison(&rendered.view(View::Provisions)),
        Operation::Migrate => migrated(&rendered.view(View::Provisions)),
        _ => return None,
    })
}

fn summary() -> StandardSummary<'static> {
    let edition = support::edition();
    let metadata = &edition.metadata;
    StandardSummary {
        urn: edition.urn.to_string().into(),
        reference: metadata.reference.clone().into(),
        title: metadata.title().map_or(String::new(), |t| t.full.clone()).into(),
        publisher: metadata.publisher.clone().into(),
        number: metadata.number.clone().into(),
        part: None,
        supplement: None,
        edition: metadata.edition.clone().into(),
        language: metadata.language().as_str().to_owned().into(),
        standard_type: metadata.standard_type.into(),
        status: Status::Superseded,
        published_on: metadata.published_on().map(|d| d.as_str().to_owned().into()),
        ics_codes: edition.ics.iter().map(|i| i.code.clone().into()).collect(),
        revision: example::REVISION.into(),
        updated_at: "2026-01-31T09:30:00Z".into(),
        access: AccessLevel::Read,
    }
}

fn page() -> Value {
    let summary = summary();
    let position = Position { key: summary.reference.to_string(), urn: summary.urn.to_string() };
    let query = ListQuery::parse("publisher=NSB&limit=1", QueryLimits::default()).unwrap();
    value(&StandardList { items: vec![summary], next: Some(query.cursor(&position).into()), total: 10 })
}

fn one_table(tables: &[u8]) -> Value {
    let TablesView { urn, revision, mut items } = serde_json::from_slice(tables).unwrap();
    value(&TableView { urn, revision, table: items.remove(0) })
}

fn selection(provisions: &[u8]) -> Value {
    let ProvisionsView { urn, revision, mut items } = serde_json::from_slice(provisions).unwrap();
    items.truncate(1);
    let selection = SelectionReport {
        canonical: "4(1);table:9".into(),
        matched: vec!["4(1)".into()],
        unmatched: vec!["table:9".into()],
    };
    value(&SelectionView { urn, revision, selection, items })
}

fn resolved(graphics: &[u8]) -> Value {
    let mut graphics: GraphicsView<'_> = serde_json::from_slice(graphics).unwrap();
    let graphic = graphics.items.remove(0);
    value(&ResolvedAsset {
        asset_reference: graphic.asset_reference,
        url: "https://norma.example/api/content/v1/assets/c2lnbmVk".into(),
        expires_at: "2026-01-31T09:45:00Z".into(),
        media_type: graphic.media_type.unwrap_or_default(),
        size: graphic.size.unwrap_or_default(),
        width: graphic.width,
        height: graphic.height,
        digest: graphic.digest.unwrap_or_default(),
    })
}

fn in_context(rendered: &Rendered) -> Value {
    let [provisions, content] = [View::Provisions, View::Content].map(|view| rendered.view(view));
    let mut provisions: ProvisionsView<'_> = serde_json::from_slice(&provisions).unwrap();
    let mut content: ContentView<'_> = serde_json::from_slice(&content).unwrap();
    let (provision, next) = (provisions.items.remove(0), provisions.items.remove(0).id);
    let section = content.sections.remove(rendered.offsets.section_of(0).unwrap());
    let lineage = Lineage {
        id: LineageId::from_bytes([7; 16]).to_string().into(),
        predecessors: Some(Vec::new()),
        successors: Some(vec![RelatedProvision {
            urn: NEXT_URN.into(),
            id: NEXT_ID.into(),
            label: Some(provision.label.clone()),
            kind: LineageRelation::Member,
        }]),
    };
    let section = SectionContext {
        id: section.id,
        label: section.label,
        number: section.number,
        title: section.title,
        kind: section.kind,
        normative: section.normative,
        ancestors: Vec::new(),
        text: section.text,
    };
    let mut answer = value(&provision);
    for (name, member) in [
        ("urn", value(&summary().urn)),
        ("revision", value(&example::REVISION)),
        ("sectionContext", value(&section)),
        ("standard", value(&summary())),
        ("nextId", value(&next)),
        ("lineage", value(&lineage)),
    ] {
        answer[name] = member;
    }
    value(&serde_json::from_value::<ProvisionInContext<'_>>(answer).unwrap())
}

/// Id of a provision of the next edition.
const NEXT_ID: &str = "prv_bibiebqgaydambqgaydambqgae";

const NEXT_URN: &str = "urn:nsb:std:nsb:4210:ed-2:en";

fn comparison(provisions: &[u8]) -> Value {
    let ProvisionsView { urn, mut items, .. } = serde_json::from_slice(provisions).unwrap();
    let (removed, provision) = (items.remove(2), items.remove(0));
    let unit = |provision: Provision<'static>| ComparedProvision {
        id: provision.id,
        label: Some(provision.label),
        kind: Some(provision.kind),
        lead_in: None,
        text: Some(provision.text),
    };
    let newer = provision.text.replace("5.2", "5.3");
    let at = provision.text.chars().count() - 2;
    let edited = Slice { start: at, end: at + 1 };
    let edition = |urn: &'static str, reference: &'static str| ComparedEdition {
        urn: urn.into(),
        revision: example::REVISION.into(),
        reference: reference.into(),
        title: summary().title,
        access: AccessLevel::Read,
    };
    let passage = |text: &'static str| Passage {
        text: text.into(),
        part: None,
        start: at as u32 - 13,
        end: at as u32 + 1,
    };
    let reference = |older: &'static str, newer: &'static str| ReferenceChange {
        kind: ReferenceChangeType::Clause,
        older: Some(passage(older)),
        newer: Some(passage(newer)),
        undated: false,
    };
    let older = unit(provision);
    let pair = ProvisionChange {
        relation: ComparisonRelation::Reworded,
        newer: Some(ComparedProvision { id: NEXT_ID.into(), text: Some(newer.into()), ..older.clone() }),
        older: Some(older),
        changed: vec![Facet::References],
        likelihood: Some(Likelihood::High),
        origin: Some(Origin::Derived),
        similarity: Some(0.95),
        facets: Some(Facets {
            references: vec![reference("ISO 9227, 5.2", "ISO 9227, 5.3")],
            ..Facets::default()
        }),
        difference: Some(Difference {
            lead_in_edits: Vec::new(),
            text_edits: vec![Edit { older: edited, newer: edited }],
        }),
        candidates: Vec::new(),
    };
    let candidate = ComparisonCandidate { id: NEXT_ID.into(), label: Some("4(1)".into()), similarity: 0.15 };
    let removed = ProvisionChange {
        relation: ComparisonRelation::Removed,
        older: Some(unit(removed)),
        newer: None,
        changed: Vec::new(),
        likelihood: None,
        origin: None,
        similarity: None,
        facets: None,
        difference: None,
        candidates: vec![candidate],
    };
    assert_eq!(urn, "urn:nsb:std:nsb:4210:ed-1:en");
    let section = |id: &'static str, number: &'static str| SectionRef {
        id: id.into(),
        number: Some(number.into()),
        title: Some("Tests".into()),
    };
    let section_changes = vec![SectionChange {
        kind: PartChangeType::Changed,
        older: Some(section("sec_5", "5")),
        newer: Some(section("sec_6", "6")),
        counts: ProvisionCounts { same: 0, changed: 1, new: 0, removed: 1 },
    }];
    let part = || ComparedPart { id: "tab_1".into(), label: Some("Table 1".into()) };
    let table_changes = vec![TableChange {
        kind: PartChangeType::Changed,
        older: Some(part()),
        newer: Some(part()),
        caption_change: None,
        annotations_changed: false,
        changed_cell_count: 1,
        cell_changes: vec![CellChange {
            row_head: "Upwards".into(),
            column_head: "Force N".into(),
            older: ComparedText { text: "≥ 5 000".into() },
            newer: ComparedText { text: "≥ 6 000".into() },
            changed: vec![Facet::Quantity],
        }],
        row_changes: Vec::new(),
        column_changes: Vec::new(),
    }];
    value(&ComparisonView {
        older: edition("urn:nsb:std:nsb:4210:ed-1:en", "NSB 4210:2019"),
        newer: edition(NEXT_URN, "NSB 4210:2025"),
        language: "en".into(),
        matcher: norma_compare::VERSION,
        counts: ComparisonCounts {
            same: 1,
            reworded: 1,
            new: 0,
            removed: 1,
            changed: FacetCounts { references: 1, ..FacetCounts::default() },
            sections: PartCounts { changed: 1, ..PartCounts::default() },
            tables: PartCounts { changed: 1, ..PartCounts::default() },
            ..ComparisonCounts::default()
        },
        items: vec![pair, removed],
        section_changes,
        table_changes,
        next: None,
    })
}

fn migrated(provisions: &[u8]) -> Value {
    let ProvisionsView { mut items, .. } = serde_json::from_slice(provisions).unwrap();
    let Provision { id, label, kind, .. } = items.remove(0);
    let provision = MigratedProvision { id: NEXT_ID.into(), label, kind };
    value(&MigrateAnswer {
        urn: NEXT_URN.into(),
        revision: example::REVISION.into(),
        items: vec![
            MigrateItem { asked: id, outcome: MigrationOutcome::Found, provision: Some(provision) },
            MigrateItem {
                asked: "lin_aaaaaaaaaaaaaaaaaaaaaaaaaa".into(),
                outcome: MigrationOutcome::Unknown,
                provision: None,
            },
        ],
    })
}

fn limits() -> Value {
    let queries = QueryLimits::default();
    value(&Limits {
        rate: Some(RateLimit { requests_per_second: 200, burst: 1000 }),
        max_requests_at_once: 256,
        max_bytes_in_flight: 16 << 20,
        max_work_slots: 2,
        default_page_size: queries.page_size,
        max_page_size: queries.max_page_size,
        max_query_values: 100,
        max_query_words: 32,
        max_selection_characters: 1024,
        max_selection_items: 64,
        max_references: 100,
        max_migrated_ids: 1000,
        max_compared_provisions: 20_000,
        asset_url_seconds: 900,
        max_body_bytes: 65_536,
        max_uri_bytes: 8_192,
        max_token_bytes: 16_384,
    })
}

#[test]
fn the_example_answers_are_up_to_date() {
    let rendered = rendered();
    let example = |operation: &Operation| Some((operation.describe().id, answer(*operation, &rendered)?));
    let examples: BTreeMap<&str, Value> = Operation::ALL.iter().filter_map(example).collect();
    let written = serde_json::to_string_pretty(&examples).unwrap() + "\n";
    compare("crates/api/src/openapi/answers.json", written.as_bytes());
}

/// A seed: the lengths of directory and places in two bytes each, these two, and the pack.
fn seed(rendered: &Rendered) -> Vec<u8> {
    let directory = &rendered.pack.directory;
    let offsets =
        rendered.assemble(norma_render::Plan::part(norma_render::Part::Offsets, &rendered.directory));
    let lengths = [directory.len(), offsets.len()].map(|length| u16::try_from(length).unwrap().to_le_bytes());
    [&lengths.concat()[..], directory, &offsets, &rendered.pack.bytes].concat()
}

#[test]
fn the_seeds_of_the_fuzz_target_are_packs_of_this_version() {
    compare("fuzz/corpus/pack/example", &seed(&rendered()));
    let (mut parts, assets) = example::edition();
    // Enough for restart points.
    let text = "A ground anchor shall bear 20 kN. ".repeat(300);
    parts.sections.iter_mut().for_each(|section| section.text.push_str(&text));
    let edition = norma_model::Edition::new(parts).unwrap();
    let large = norma_render::render(
        &edition,
        &assets,
        example::REVISION,
        &[b'x'; 2000],
        b"",
        Compression::with_level(6),
    );
    compare("fuzz/corpus/pack/restarts", &seed(&Rendered::of(large)));
}
