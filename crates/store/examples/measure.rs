//! Fills a store with made-up editions and measures what reads of its catalogue cost.
//!
//! `cargo run --release -p norma-store --example measure -- <location> [editions] [provisions each] [bytes
//! each] [editions in a transaction] [number of the first edition] [editions of a document] [publishers]
//! [place for blobs]`

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

use std::time::{Duration, Instant, SystemTime};

use norma_model::{Identifier, ProvisionId, StandardType, Status, Urn};
use norma_store::{
    Blob, Day, Grant, GrantScope, Level, Location, Publication, Query, Sort, Store, StoreOptions, Summary,
    Tenant, Viewer,
};

/// Grants of a tenant that is licensed for so many numbers.
const GRANTS: u32 = 200;

/// The tenants, each with the patterns of its grants.
fn tenants() -> Vec<(&'static str, Vec<String>)> {
    let one = |pattern: &str| vec![pattern.to_owned()];
    vec![
        ("all", one("*")),
        ("half", one("urn:iso:*")),
        ("few", one("urn:iso:std:iso:77:*")),
        ("hundredth", one("urn:iso:std:iso:9:*")),
        ("numbers", (1..=GRANTS).map(|number| format!("urn:iso:std:iso:{number}:*")).collect()),
    ]
}

/// How many editions each document has, and how many publishers there are.
#[derive(Clone, Copy)]
struct Shape {
    editions: u32,
    publishers: u32,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut location: Location = words.next().ok_or("name the store")?.parse()?;
    let number = |word: Option<String>, default: u32| word.map_or(Ok(default), |w| w.parse());
    let (editions, provisions) = (number(words.next(), 10_000)?, number(words.next(), 200)?);
    let (bytes, together) = (number(words.next(), 8_000)?, number(words.next(), 1)?);
    let first = number(words.next(), 0)?;
    let shape = Shape { editions: number(words.next(), 2)?, publishers: number(words.next(), 2)? };
    if let Some(blobs) = words.next() {
        location = location.with_blobs(blobs);
    }
    let mut settings = StoreOptions::default();
    settings.max_staleness = Duration::from_secs(3600);
    settings.refresh_interval = Duration::from_secs(3600);
    let store = Store::open(&location, &settings).await?;
    fill(&store, first..first + editions, shape, provisions, bytes, together).await?;
    println!("{:?}", store.stats().await?);
    for (tenant, _) in tenants() {
        let viewer = Viewer::verified(tenant, "c", Day::from_time(SystemTime::now()));
        for (name, query) in queries() {
            let view = store.view_for(&viewer).await?;
            let spent = cpu();
            let mut page = view.list(&query, None, 50).await?;
            let first = cpu() - spent;
            let (rounds, mut pages) = (100, 0);
            let (began, cpu) = (Instant::now(), cpu());
            for _ in 0..rounds {
                page = view.list(&query, page.next.as_ref(), 50).await?;
                pages += 1;
            }
            let (wall, cpu) = (began.elapsed() / pages, (self::cpu() - cpu) / pages);
            println!(
                "list {name:9} by {tenant:9} of {:7}: first {first:9.1?} CPU, then {wall:9.1?} ({cpu:9.1?} CPU)",
                page.total
            );
        }
    }
    measure_changes(&store, first + editions, shape).await?;
    let viewer = Viewer::verified("all", "c", Day::from_time(SystemTime::now()));
    let view = store.view_for(&viewer).await?;
    for (name, distinct) in [("cold", editions), ("hot", 1)] {
        let (began, cpu) = (Instant::now(), cpu());
        for n in 0..5_000 {
            let urn = Identifier::Urn(urn(first + n * 7919 % distinct.max(1), shape));
            if view.find(&urn, &[]).await?.is_none() {
                return Err(format!("{urn:?} is not there").into());
            }
        }
        println!("find {name}: {:.1?} ({:.1?} CPU)", began.elapsed() / 5_000, (self::cpu() - cpu) / 5_000);
    }
    Ok(())
}

/// Lists after an edition was published, whose first page is made again.
async fn measure_changes(store: &Store, next: u32, shape: Shape) -> Result<(), Box<dyn std::error::Error>> {
    let tenants = tenants();
    let total = tenants.len() * queries().len();
    let mut number = next;
    for (tenant, _) in tenants {
        let viewer = Viewer::verified(tenant, "c", Day::from_time(SystemTime::now()));
        for (name, query) in queries() {
            let before = cpu();
            store.publish(&publication(number, shape, 1, 100), SystemTime::now()).await?;
            let published = cpu() - before;
            number += 1;
            let view = store.view_for(&viewer).await?.renewed().await?;
            view.list(&query, None, 50).await?;
            let listed = cpu() - before - published;
            println!(
                "list {name:9} by {tenant:9} after a change: {listed:9.1?} CPU (publishing {published:9.1?})"
            );
        }
    }
    for number in next..next + total as u32 {
        store.remove(&urn(number, shape), SystemTime::now()).await?;
    }
    Ok(())
}

fn queries() -> Vec<(&'static str, Query)> {
    let latest = Query { latest: true, ..Query::default() };
    let words = Query { words: vec!["rice 77".to_owned()], ..Query::default() };
    let class = Query { ics: vec!["67.060".to_owned()], ..Query::default() };
    let publisher = Query { publishers: vec!["ISO".to_owned()], ..Query::default() };
    let status = Query { statuses: vec![Status::Published], ..Query::default() };
    let updated = Query { sort: Sort::Updated, descending: true, ..Query::default() };
    vec![
        ("plain", Query::default()),
        ("updated", updated),
        ("latest", latest),
        ("words", words),
        ("class", class),
        ("publisher", publisher),
        ("status", status),
    ]
}

async fn fill(
    store: &Store,
    editions: std::ops::Range<u32>,
    shape: Shape,
    provisions: u32,
    bytes: u32,
    together: u32,
) -> Result<(), Box<dyn std::error::Error>> {
    let now = SystemTime::now();
    if store.stats().await?.editions >= u64::from(editions.end) {
        return Ok(());
    }
    for (tenant, patterns) in tenants() {
        let (id, name) = (tenant.to_owned(), tenant.to_owned());
        store.put_tenant(&Tenant { id, name, ..Tenant::default() }, now).await?;
        for pattern in patterns {
            let scope = GrantScope::Urns(pattern.parse()?);
            let tenant = tenant.to_owned();
            let grant = Grant { tenant, client: None, scope, level: Level::Read, from: None, until: None };
            store.add_grant(&grant, now).await?;
        }
    }
    let began = (Instant::now(), cpu());
    for first in editions.clone().step_by(together as usize) {
        let some: Vec<_> = (first..editions.end.min(first + together))
            .map(|n| publication(n, shape, provisions, bytes))
            .collect();
        for outcome in store.publish_all(&some, now + Duration::from_millis(first.into())).await {
            outcome?;
        }
        let end = (first + together).min(editions.end);
        if end / 5_000 > first / 5_000 || end == editions.end {
            let done = end - editions.start;
            let (wall, spent) = (began.0.elapsed() / done, (cpu() - began.1) / done);
            println!(
                "{done} published in {wall:.1?} each ({spent:.1?} CPU), {} bytes each written",
                written() / u64::from(done)
            );
        }
    }
    Ok(())
}

/// The URN of an edition: documents have parts up to 9.
fn urn(n: u32, shape: Shape) -> Urn {
    let publisher = match n % shape.publishers {
        0 => "iso".to_owned(),
        1 => "bsi".to_owned(),
        other => format!("x{other}"),
    };
    let (edition, document) =
        (n / shape.publishers % shape.editions + 1, n / shape.publishers / shape.editions);
    let (number, part) = (document / 9 + 1, document % 9 + 1);
    format!("urn:{publisher}:std:{publisher}:{number}:-{part}:ed-{edition}:en").parse().expect("it is a URN")
}

fn publication(n: u32, shape: Shape, provisions: u32, bytes: u32) -> Publication {
    let urn = urn(n, shape);
    let source = Blob::new(format!("source of {urn}")).digest();
    // Bytes that differ and have no pattern, as compressed ones.
    let mut state = u64::from(n) << 32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    });
    let pack = noise.take(bytes as usize).collect::<Vec<_>>();
    let number = urn.number().to_owned();
    Publication {
        summary: Summary {
            reference: format!(
                "{} {number}-{}:20{:02}",
                urn.publisher().to_uppercase(),
                urn.part().unwrap_or("1"),
                n % 25
            ),
            title: format!("Cereals and pulses — Rice — Method {n} for the determination of moisture"),
            publisher: urn.publisher().to_uppercase(),
            part: urn.part().map(str::to_owned),
            number,
            supplement: None,
            languages: urn.languages(),
            kind: StandardType::Is,
            published_on: format!("20{:02}-05-01", n % 25).parse().ok(),
            ics: vec![["67.060", "13.110", "01.040.67"][n as usize % 3].to_owned()],
            urn: urn.clone(),
        },
        status: Status::Published,
        urn_given: false,
        former_urn: None,
        original: true,
        deriver: "1".to_owned(),
        revision: source.hex()[..16].to_owned(),
        origin: format!("archive/{n}.xml"),
        source,
        source_size: bytes.into(),
        aliases: Vec::new(),
        relations: Vec::new(),
        provisions: (0..provisions).map(|p| id(n, p)).collect(),
        successors: Vec::new(),
        replaced: None,
        pack: Blob::in_pieces(pack, [bytes / 2]),
        directory: vec![0; 300].into(),
        assets: Vec::new(),
        pictures: Vec::new(),
        replace: false,
        repair: false,
    }
}

fn id(n: u32, p: u32) -> ProvisionId {
    let digest = Blob::new(format!("{n} {p}")).digest();
    ProvisionId::from_bytes(std::array::from_fn(|i| digest.as_bytes()[i]))
}

/// Bytes that this process wrote to files and sockets, on Linux.
fn written() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// CPU time of this process, on Linux.
fn cpu() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanos = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}
