//! A small world to test in: stores, publications, tenants.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use futures::future::LocalBoxFuture;
use norma_model::{Identifier, Lang, PartialUrn, Relation, RelationKind, StandardType, Status, Urn};
use norma_store::{
    Blob, CatalogueView, Day, Grant, GrantScope, Level, Location, Lookup, Outcome, Publication, Query, Store,
    StoreOptions, Summary, Tenant, Viewer,
};
use sqlx::Connection as _;

pub(crate) const TENANT: &str = "5f8a1f0e-0000-4000-8000-000000000001";
pub(crate) const CLIENT: &str = "client-1";

/// Which engine, and where the blobs lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    SqliteAndFiles,
    Postgres,
    PostgresAndS3,
    SqliteAndAzure,
}

/// A store that is removed when the test ends.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) location: Location,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) database: Option<Database>,
}

/// A fixed time plus some seconds: time is an argument.
pub(crate) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

impl World {
    /// Opens the store; `None`, with a message, if something that it needs is not available.
    pub(crate) async fn open(kind: Kind) -> Option<Self> {
        let (location, folder, database) = location_of(kind).await?;
        let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
        store.put_tenant(&tenant(TENANT), at(0)).await.unwrap();
        Some(Self { store, location, folder, database })
    }

    /// Grants by pattern to the whole tenant.
    pub(crate) async fn grant(&self, pattern: &str, level: Level) -> i64 {
        self.give(GrantScope::Urns(pattern.parse().unwrap()), level).await
    }

    pub(crate) async fn give(&self, scope: GrantScope, level: Level) -> i64 {
        let grant = Grant { tenant: TENANT.to_owned(), client: None, scope, level, from: None, until: None };
        self.store.add_grant(&grant, at(0)).await.unwrap().unwrap()
    }

    pub(crate) async fn view(&self) -> CatalogueView<'_> {
        self.store.view_for(&viewer("2026-05-01")).await.unwrap()
    }

    pub(crate) async fn publish(&self, publication: &Publication) -> Outcome {
        self.store.publish(publication, at(1)).await.unwrap()
    }

    /// The result for the caller's own words.
    pub(crate) async fn find(&self, text: &str) -> Option<Lookup> {
        self.find_in(text, &[]).await
    }

    pub(crate) async fn find_in(&self, text: &str, languages: &[&str]) -> Option<Lookup> {
        let identifier = Identifier::parse(text).unwrap();
        let languages: Vec<Lang> = languages.iter().map(|l| l.parse().unwrap()).collect();
        self.view().await.find(&identifier, &languages).await.unwrap()
    }

    /// References of a list that fits one page.
    pub(crate) async fn list(&self, query: &Query) -> Vec<String> {
        let page = self.view().await.list(query, None, 500).await.unwrap();
        assert_eq!((page.total, page.next), (page.rows.len() as u64, None));
        page.rows.into_iter().map(|row| row.summary.reference).collect()
    }
}

/// Keeps a promise in a world. Boxed, so that the runtime is compiled once and not for each promise.
pub(crate) fn keep(kind: Kind, promise: fn(World) -> LocalBoxFuture<'static, ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        if let Some(world) = World::open(kind).await {
            promise(world).await;
        }
    });
}

/// A location for a new store.
pub(crate) async fn location_of(kind: Kind) -> Option<(Location, tempfile::TempDir, Option<Database>)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let sqlite: Location = format!("{path}/norma.db").parse().unwrap();
    let files = format!("file://{path}/blobs");
    Some(match kind {
        Kind::Sqlite => (sqlite, folder, None),
        Kind::SqliteAndFiles => (sqlite.with_blobs(files), folder, None),
        Kind::SqliteAndAzure => {
            let azure = variable("NORMA_TEST_AZURE")?;
            (sqlite.with_blobs(below(&azure)), folder, None)
        }
        Kind::Postgres => {
            let database = Database::make().await?;
            (database.address.parse().unwrap(), folder, Some(database))
        }
        Kind::PostgresAndS3 => {
            let database = Database::make().await?;
            let bucket = below(&variable("NORMA_TEST_S3")?);
            let location: Location = database.address.parse().unwrap();
            (location.with_blobs(bucket), folder, Some(database))
        }
    })
}

fn variable(name: &str) -> Option<String> {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let value = std::env::var(name).ok();
    assert!(value.is_some() || std::env::var("CI").as_deref() != Ok("true"), "{name} is not set");
    if value.is_none() && SAID.lock().unwrap().insert(name.to_owned()) {
        // Not by a macro: those are held back when a test passes.
        let _ = writeln!(std::io::stderr(), "LEFT OUT: {name} is not set");
    }
    value
}

/// A separate prefix in a bucket, before the options of the address.
fn below(bucket: &str) -> String {
    match bucket.split_once('?') {
        Some((location_of, options)) => format!("{location_of}/{}?{options}", unique()),
        None => format!("{bucket}/{}", unique()),
    }
}

fn unique() -> String {
    Blob::new(format!("{:?} {:?}", std::thread::current().id(), std::time::Instant::now())).digest().hex()
        [..16]
        .to_owned()
}

/// A separate database on the server of `NORMA_TEST_POSTGRES`, dropped at the end.
pub(crate) struct Database {
    server: String,
    name: String,
    pub(crate) address: String,
}

impl Database {
    async fn make() -> Option<Self> {
        let server = variable("NORMA_TEST_POSTGRES")?;
        let name = format!("norma_{}", unique());
        let (base, options) = server.split_once('?').unwrap_or((&server, ""));
        let base = base.trim_end_matches('/');
        let slash = base.rfind('/').filter(|at| !base[..*at].ends_with('/'));
        let address = format!("{}/{name}?{options}", &base[..slash.unwrap_or(base.len())]);
        run(&server, format!("CREATE DATABASE {name}")).await;
        Some(Self { server, name, address })
    }
}

impl Database {
    pub(crate) async fn connect(&self) -> sqlx::PgConnection {
        sqlx::PgConnection::connect(&self.address).await.unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (server, sql) = (self.server.clone(), format!("DROP DATABASE {} WITH (FORCE)", self.name));
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _ = std::thread::spawn(move || runtime().block_on(run(&server, sql))).join();
    }
}

/// Runs SQL behind a store's back: on its own database, or on the file in its folder.
pub(crate) async fn run_sql(folder: &std::path::Path, database: Option<&Database>, sql: &str) {
    match database {
        Some(database) => run(&database.address, sql.to_owned()).await,
        None => rusqlite::Connection::open(folder.join("norma.db")).unwrap().execute_batch(sql).unwrap(),
    }
}

async fn run(server: &str, sql: String) {
    let mut connection = sqlx::PgConnection::connect(server).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

pub(crate) fn tenant(id: &str) -> Tenant {
    Tenant { id: id.to_owned(), name: "Acme".to_owned(), ..Tenant::default() }
}

pub(crate) fn viewer(today: &str) -> Viewer {
    viewer_named(CLIENT, today)
}

pub(crate) fn viewer_named(client: &str, today: &str) -> Viewer {
    Viewer::verified(TENANT, client, today.parse::<Day>().unwrap())
}

/// The URN of the found edition; empty if none was found.
pub(crate) fn urn_of(found: Option<Lookup>) -> String {
    match found {
        Some(Lookup::Edition(edition)) => edition.entry().summary.urn.to_string(),
        Some(Lookup::Recalled { urn, .. }) => format!("recalled {urn}"),
        None => String::new(),
    }
}

/// Numbers from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // xorshift64* (Vigna, 2016).
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }

    pub(crate) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize].clone()
    }
}

/// A small edition with this URN: `reference` is its designation, and everything else is made from both.
pub(crate) fn edition(urn: &str, reference: &str) -> Publication {
    let urn: Urn = urn.parse().unwrap();
    let source = format!("<standard>{urn} {reference}</standard>");
    let digest = Blob::new(source.clone()).digest();
    Publication {
        summary: Summary {
            reference: reference.to_owned(),
            title: format!("Rice — Specification of {reference}"),
            publisher: urn.publisher().to_uppercase(),
            number: urn.number().to_owned(),
            part: urn.part().map(str::to_owned),
            supplement: None,
            languages: urn.languages(),
            kind: StandardType::Is,
            published_on: Some("2016-05-01".parse().unwrap()),
            ics: vec!["67.060".to_owned()],
            urn: urn.clone(),
        },
        status: Status::Published,
        urn_given: false,
        former_urn: None,
        original: true,
        source: digest,
        source_size: source.len() as u64,
        deriver: "1".to_owned(),
        revision: digest.hex()[..16].to_owned(),
        origin: format!("archive/{urn}.xml"),
        aliases: Vec::new(),
        relations: Vec::new(),
        provisions: Vec::new(),
        successors: Vec::new(),
        replaced: None,
        pack: Blob::in_pieces(format!("metadata and content of {source}"), ["metadata and ".len() as u32]),
        directory: format!("directory of {urn}").into(),
        assets: Vec::new(),
        pictures: Vec::new(),
        replace: false,
        repair: false,
    }
}

/// A relation to what this reference names.
pub(crate) fn relation(kind: RelationKind, reference: &str) -> Relation {
    let citation = PartialUrn::from_reference(reference).unwrap();
    Relation {
        kind,
        reference: reference.to_owned(),
        urn: Some(citation.urn),
        dated: citation.dated,
        date: citation.year,
        title: None,
        sections: Vec::new(),
    }
}

/// Five editions that differ in everything that lists can filter by, ordered by reference.
pub(crate) fn variety() -> Vec<Publication> {
    let change = |urn: &str, reference: &str, title: &str, date: Option<&str>, ics: &str| {
        let mut publication = edition(urn, reference);
        publication.summary.title = title.to_owned();
        publication.summary.published_on = date.map(|d| d.parse().unwrap());
        publication.summary.ics = vec![ics.to_owned()];
        publication
    };
    let machines = "Sicherheit von Maschinen";
    let mut grain = change("urn:sac:std:gb-t:1354:ed-2018:zh", "GB/T 1354", "大米 稻谷", None, "67.060");
    grain.summary.kind = StandardType::Other;
    let mut draft = change("urn:iso:std:iso:712:ed-5:en", "ISO 712:2024", "Cereals", Some("2024"), "67.060");
    draft.status = Status::Draft;
    vec![
        change(
            "urn:din:std:din-en-iso:13849:-1:ed-2008-12:de",
            "DIN EN ISO 13849-1:2008-12",
            machines,
            Some("2008-12"),
            "13.110",
        ),
        grain,
        change(
            "urn:iso:std:iso:712:ed-4:en,fr",
            "ISO 712:2009",
            "Teneur en humidité",
            Some("2009-11-15"),
            "67.060",
        ),
        draft,
        change(
            "urn:iso:std:iso:7301:ed-4:en",
            "ISO 7301:2021",
            "Rice — Specification",
            Some("2021-06-01"),
            "67.060",
        ),
    ]
}
