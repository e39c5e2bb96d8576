//! Examples, rendered from our own edition by the shapes that render every other.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::example;
use crate::paths::Operation;
use crate::problem::{Code, Problem};
use crate::query::{ListQuery, Position, QueryLimits};
use crate::shapes::{
    AccessLevel, ContentSection, Head, Limits, ListPage, Provision, RateLimit, RelatedEdition,
    RelatedEditionType, ResolvedAsset, SectionRef, SelectionHead, SelectionReport, Standing, Status, Summary,
    Views, splice,
};

/// What an operation answers with JSON.
pub(super) fn answer(operation: Operation) -> Option<Value> {
    let (edition, assets) = example::edition();
    let views = Views::new(&edition, &assets, example::REVISION);
    let standing = Standing {
        status: Status::Superseded,
        related_editions: vec![RelatedEdition {
            kind: RelatedEditionType::ReplacedBy,
            urn: "urn:nsb:std:nsb:4210:ed-2:en".into(),
            reference: "NSB 4210:2025".into(),
        }],
    };
    let bytes = match operation {
        Operation::Standards => page(&views),
        Operation::Standard => standing.before(&views.complete()),
        Operation::Metadata => standing.before(&views.metadata()),
        Operation::Sections => views.sections(),
        Operation::Content => views.content().bytes.to_vec(),
        Operation::Provisions => views.provisions().bytes.to_vec(),
        Operation::Selection => selection(&views),
        Operation::Terms => views.terms().bytes.to_vec(),
        Operation::Graphics => views.graphics().bytes.to_vec(),
        Operation::ResolveAssets => resolved(&views),
        Operation::Provision => in_context(&views),
        Operation::Limits => limits(),
        _ => return None,
    };
    Some(serde_json::from_slice(&bytes).expect("a view is JSON"))
}

/// A cursor of the list with all its other parameters as in their examples.
pub(super) fn cursor() -> String {
    let parameters = Operation::Standards.describe().parameters.iter().filter(|p| p.name != "cursor");
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters.map(|p| (p.name, p.example)))
        .finish();
    let query = ListQuery::parse(&query, QueryLimits::default()).expect("the table's examples fit");
    let urn = "urn:nsb:std:nsb:4210:ed-1:en".to_owned();
    query.cursor(&Position { key: "1769851800000".to_owned(), urn })
}

/// Bodies of a request to resolve assets.
pub(super) fn bodies() -> Value {
    json!({
        "one": { "summary": "One reference", "value": { "reference": "fig_A.1.svg" } },
        "several": { "summary": "Several references", "value": { "references": ["fig_A.1.svg", "#fig_A.1"] } },
    })
}

/// Each problem that an operation can have, by its code.
pub(super) fn problems() -> BTreeMap<&'static str, Value> {
    let used = |code: &&Code| Operation::ALL.iter().any(|operation| operation.problems().contains(code));
    let example = |&code: &Code| {
        let problem = Problem::new(code, code.what(), "0198c5e2-7d3a-7a51-8f5e-3b7a0c1d2e3f");
        (code.as_str(), json!({ "summary": code.title(), "value": problem }))
    };
    Code::ALL.iter().filter(used).map(example).collect()
}

fn render(shape: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(shape).expect("shapes always serialise")
}

fn summary<'a>(views: &Views<'a>) -> Summary<'a> {
    let metadata = &views.edition.metadata;
    Summary {
        urn: views.edition.urn.as_str().into(),
        reference: metadata.reference.as_str().into(),
        title: metadata.title().map_or("", |t| t.full.as_str()).into(),
        publisher: metadata.publisher.as_str().into(),
        number: metadata.number.as_str().into(),
        part: None,
        supplement: None,
        edition: metadata.edition.as_str().into(),
        language: metadata.language().as_str().into(),
        standard_type: metadata.standard_type.into(),
        status: Status::Superseded,
        published_on: metadata.published_on().map(|d| d.as_str().into()),
        ics: views.edition.ics.iter().map(|i| i.code.as_str().into()).collect(),
        revision: views.revision.into(),
        updated_at: "2026-01-31T09:30:00Z".into(),
        access: AccessLevel::Read,
    }
}

fn page(views: &Views<'_>) -> Vec<u8> {
    let summary = summary(views);
    let position = Position { key: summary.reference.to_string(), urn: summary.urn.to_string() };
    let query =
        ListQuery::parse("publisher=NSB&limit=1", QueryLimits::default()).expect("the query is right");
    render(&ListPage { items: vec![summary], next: Some(query.cursor(&position).into()), total: 10 })
}

fn selection(views: &Views<'_>) -> Vec<u8> {
    let provisions = views.provisions();
    let head = views.head();
    let selection = SelectionReport {
        canonical: "4(1);table:9".into(),
        matched: vec!["4(1)".into()],
        unmatched: vec!["table:9".into()],
    };
    splice(&SelectionHead { head, selection }, "items", provisions.items().take(1))
}

fn resolved(views: &Views<'_>) -> Vec<u8> {
    let graphic = views.each_graphic().next().expect("the example shows one");
    render(&ResolvedAsset {
        reference: graphic.reference,
        url: "https://norma.example/api/content/v1/assets/c2lnbmVk".into(),
        expires_at: "2026-01-31T09:45:00Z".into(),
        media_type: graphic.media_type.clone().unwrap_or_default(),
        size: graphic.size.unwrap_or_default(),
        width: graphic.width,
        height: graphic.height,
        digest: graphic.digest.clone().unwrap_or_default(),
    })
}

fn in_context(views: &Views<'_>) -> Vec<u8> {
    let (provisions, content) = (views.provisions(), views.content());
    let provision: Provision<'_> = read(provisions.items().next());
    let section: ContentSection<'_> = read(content.items().nth(views.edition.provisions[0].section));
    let next: Provision<'_> = read(provisions.items().nth(1));
    let ancestors: Vec<SectionRef<'_>> = Vec::new();
    let Head { urn: _, revision } = views.head();
    render(&provision.in_context(revision, summary(views), section, ancestors, (None, Some(next.id))))
}

fn read<T: serde::de::DeserializeOwned>(fragment: Option<&[u8]>) -> T {
    let fragment = fragment.expect("the example has provisions and sections");
    serde_json::from_slice(fragment).expect("a fragment is its shape")
}

fn limits() -> Vec<u8> {
    let queries = QueryLimits::default();
    render(&Limits {
        rate: Some(RateLimit { requests_per_second: 200, burst: 1000 }),
        default_page_size: queries.page_size,
        max_page_size: queries.max_page_size,
        max_query_values: 100,
        max_query_words: 32,
        max_selection_characters: 1024,
        max_selection_items: 64,
        max_references: 100,
        asset_url_seconds: 900,
        max_body_bytes: 65_536,
        max_uri_bytes: 8_192,
        max_token_bytes: 16_384,
    })
}
