//! A service on its own store, with the samples in it, a real provider, and callers at each level.

#![allow(unreachable_pub, reason = "this is test code")]

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use norma_api::Operation;
use norma_api::paths::Method;
use norma_dev_idp::{DevIdp, Guid};
use norma_editions::stores::open_store;
use norma_ingest::{DERIVER_VERSION, IngestOptions, IngestVerdict, ingest};
use norma_service::server::{self, FixedLimits, RunningService, Sockets};
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::{Grant, GrantScope, Level, Store, Tenant};

use crate::routes;

/// An edition that the reader may read.
pub const READ: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";
/// An edition that the reader may only discover.
pub const DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";
/// An edition that the reader does not see.
pub const HIDDEN: &str = "urn:nsb:std:nsb:ts:4250:ed-1:en";
/// A hidden edition, which follows one that the reader may read.
pub const HIDDEN_SIBLING: &str = "urn:nsb:std:nsb:4210:ed-2:en";
/// The edition before it.
pub const SIBLING: &str = "urn:nsb:std:nsb:4210:ed-1:en";

/// A service with its store, provider and callers. Dropping it removes the folder.
pub struct World {
    pub store: Store,
    pub running: RunningService,
    pub http: reqwest::Client,
    pub idp: DevIdp,
    pub tenant: Guid,
    pub clients: [Guid; 3],
    pub settings: Settings,
    pub folder: tempfile::TempDir,
}

impl World {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// The same with some settings of its own.
    pub async fn with(own: &[(&str, &str)]) -> Self {
        Self::within(FixedLimits::default(), own).await
    }

    /// The same within other limits than those of every service.
    pub async fn within(limits: FixedLimits, own: &[(&str, &str)]) -> Self {
        let idp = DevIdp::start(norma_dev_idp::DevIdpSettings::ephemeral()).await.unwrap();
        Self::of(idp, limits, own).await
    }

    /// The same with this provider.
    pub async fn of(idp: DevIdp, limits: FixedLimits, own: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path(), &idp, own);
        let store = open_store(&settings.store).await.unwrap();
        ingest_files(&store, &settings).await;
        let tenant = idp.add_tenant("Tests").unwrap();
        idp.consent(tenant).unwrap();
        let clients =
            ["reader", "stranger", "roleless"].map(|n| idp.register_client(tenant, n).unwrap().client_id);
        for client in &clients[..2] {
            idp.grant_role(tenant, *client).unwrap();
        }
        register(&store, tenant, clients[0]).await;
        let running = started(limits, settings.clone(), store.clone()).await;
        // The bytes as they are sent, also where another crate lets reqwest unpack them.
        let http = reqwest::Client::builder().no_gzip().build().unwrap();
        Self { store, running, http, idp, tenant, clients, settings, folder }
    }

    /// A second service on the same store, with some settings of its own.
    pub async fn start_with(&self, own: &[(&str, &str)]) -> RunningService {
        self.start_within(FixedLimits::default(), own).await
    }

    /// The same within other limits than those of every service.
    pub async fn start_within(&self, limits: FixedLimits, own: &[(&str, &str)]) -> RunningService {
        started(limits, settings(self.folder.path(), &self.idp, own), self.store.clone()).await
    }

    /// A second service that opens the same store with empty caches.
    pub async fn fresh(&self) -> RunningService {
        let store = open_store(&self.settings.store).await.unwrap();
        server::start(self.settings.clone(), store, DERIVER_VERSION).await.unwrap()
    }

    /// Ingests a document with this URN, which the first reader may read.
    pub async fn add(&self, document: &str, urn: &str) {
        let file = self.folder.path().join("added.xml");
        std::fs::write(&file, document).unwrap();
        ingest(&self.store, vec![file], &IngestOptions::new(&self.settings.ingest), |report, _| {
            assert!(matches!(report.verdict, IngestVerdict::Created), "{report:?}");
        })
        .await;
        self.grant(urn).await;
    }

    /// Lets the first reader read an edition, and returns the number of the grant.
    pub async fn grant(&self, urn: &str) -> i64 {
        let grant = Grant {
            tenant: self.tenant.to_string(),
            client: Some(self.clients[0].to_string()),
            scope: GrantScope::List([urn.parse().unwrap()].into()),
            level: Level::Read,
            from: None,
            until: None,
        };
        self.store.add_grant(&grant, SystemTime::now()).await.unwrap().unwrap()
    }

    /// A request to the service itself.
    pub fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.http.get(format!("{}{path}", self.running.public_url)).bearer_auth(self.reader())
    }

    /// The result of resolving a reference.
    pub async fn resolve(&self, urn: &str, reference: &str) -> serde_json::Value {
        let path = Operation::ResolveAssets.path_with(&[urn]);
        let request = self.http.post(format!("{}{path}", self.running.public_url));
        let body = serde_json::json!({ "assetReference": reference });
        let answer = request.bearer_auth(self.reader()).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }

    /// A token of a client with grants.
    pub fn reader(&self) -> String {
        self.idp.access_token(self.tenant, self.clients[0]).unwrap()
    }

    /// A token of a client without any grant.
    pub fn stranger(&self) -> String {
        self.idp.access_token(self.tenant, self.clients[1]).unwrap()
    }

    /// A token of a client without the role.
    pub fn roleless(&self) -> String {
        self.idp.access_token(self.tenant, self.clients[2]).unwrap()
    }

    /// Id of the first provision of a standard.
    pub async fn provision_of(&self, urn: &str) -> String {
        let ids = self.store.provisions(&urn.parse().unwrap()).await.unwrap().unwrap();
        ids[0].to_string()
    }

    /// Requests a path with an operation: status, problem code, challenge.
    pub async fn ask(&self, operation: Operation, path: &str, token: Option<&str>) -> (u16, String, String) {
        self.sent(operation.describe().method, routes::body(operation), path, token).await
    }

    pub async fn send(&self, method: Method, path: &str, token: Option<&str>) -> (u16, String, String) {
        self.sent(method, None, path, token).await
    }

    async fn sent(
        &self,
        method: Method,
        body: Option<serde_json::Value>,
        path: &str,
        token: Option<&str>,
    ) -> (u16, String, String) {
        let url = format!("http://{}{path}", self.running.address);
        let mut request = match method {
            Method::Get => self.http.get(url),
            Method::Post => self.http.post(url).json(&body),
        };
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.unwrap();
        let challenge = response.headers().get("www-authenticate").map(|v| v.to_str().unwrap().to_owned());
        let status = response.status().as_u16();
        let body = response.bytes().await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
        (status, problem["code"].as_str().unwrap_or_default().to_owned(), challenge.unwrap_or_default())
    }

    /// Waits until all standards of the reader are in the search index.
    pub async fn searched(&self) {
        let path = format!("{}?q=a&edition=all", Operation::Search.path());
        eventually("a complete search", async || {
            let answer: serde_json::Value = self.get(&path).send().await.unwrap().json().await.unwrap();
            (answer["state"] == "complete").then_some(())
        })
        .await;
    }

    pub async fn stop(self) {
        self.running.stop().await;
        self.idp.shutdown().await.unwrap();
    }
}

async fn started(limits: FixedLimits, settings: Settings, store: Store) -> RunningService {
    let sockets = Sockets::bind(&settings).unwrap();
    server::start_within(limits, sockets, settings, store, DERIVER_VERSION).await.unwrap()
}

fn settings(folder: &Path, idp: &DevIdp, own: &[(&str, &str)]) -> Settings {
    let service = idp.service();
    let values = [
        ("store", folder.join("norma.db").display().to_string()),
        ("blobs", format!("file://{}", folder.join("blobs").display())),
        ("listen", "127.0.0.1:0".to_owned()),
        ("ops-listen", "127.0.0.1:0".to_owned()),
        ("auth-url", idp.url().to_owned()),
        ("audience", service.client_id.to_string()),
        ("role", service.role),
        ("drain-time", "0s".to_owned()),
    ];
    let own = own.iter().map(|&(key, value)| (key, value.to_owned()));
    let layers = values
        .into_iter()
        .chain(own)
        .try_fold(Layers::default(), |layers, (key, value)| layers.set(key, &value, SettingOrigin::Command));
    layers.unwrap().settings().unwrap()
}

async fn ingest_files(store: &Store, settings: &Settings) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let sources =
        ["water-baths", "tea-infusion", "archive-boxes", "bicycle-anchors-ed1", "bicycle-anchors-ed2-en"]
            .map(|folder| samples.join(folder));
    let options = IngestOptions::new(&settings.ingest);
    ingest(store, sources.to_vec(), &options, |report, _| {
        assert!(matches!(report.verdict, IngestVerdict::Created), "{report:?}");
    })
    .await;
}

async fn register(store: &Store, tenant: Guid, reader: Guid) {
    let now = SystemTime::now();
    let id = tenant.to_string();
    let stored = Tenant { id: id.clone(), name: "Tests".into(), ..Tenant::default() };
    store.put_tenant(&stored, now).await.unwrap();
    for (level, urn) in [(Level::Read, READ), (Level::Read, SIBLING), (Level::Discover, DISCOVERED)] {
        let scope = GrantScope::List([urn.parse().unwrap()].into());
        let client = Some(reader.to_string());
        let grant = Grant { tenant: id.clone(), client, scope, level, from: None, until: None };
        store.add_grant(&grant, now).await.unwrap().unwrap();
    }
}

/// Longest time to wait for an event that is quick on the slowest machine.
const DEADLINE: Duration = Duration::from_secs(30);

/// Polls every 20 milliseconds until there is a value; fails after 30 seconds with what was `expected`.
pub async fn eventually<T>(expected: &str, mut poll: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = poll().await {
            return value;
        }
        assert!(started.elapsed() < DEADLINE, "still waiting after {DEADLINE:?}: {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
