//! Diagnosis of an installation: settings, files, store, blobs, tenants, grants, certificates, the key of
//! asset URLs, and the keys and clock of each provider.

mod expiry;
mod files;

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use norma_auth::{Examination, Https, Rules, examine};
use norma_editions::search::index_gaps;
use norma_editions::stores;
use norma_settings::Settings;
use norma_store::{Policy, Store};
use tokio::task::JoinSet;

use crate::{http, identity, sockets};

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check: `settings`, `certificate`, `permissions`, `disk`, `audit`, `search`, `backup`, `store`,
    /// `blobs`, `tenants`, `grants`, `signing-key`, `keys`, `clock`.
    pub check: &'static str,
    /// The finding, in a sentence.
    pub said: String,
    /// The remedy; `None` if nothing is wrong.
    pub fix: Option<String>,
}

fn well(check: &'static str, said: impl Into<String>) -> Finding {
    Finding { check, said: said.into(), fix: None }
}

fn problem(check: &'static str, said: impl ToString, fix: impl Into<String>) -> Finding {
    Finding { check, said: said.to_string(), fix: Some(fix.into()) }
}

/// Checks everything that a service with these settings needs, without changing anything. What does not
/// depend on each other is looked at even when something else is wrong. `secret_files` are files with secrets
/// that the settings come from.
pub async fn diagnose(settings: &Settings, secret_files: &[PathBuf], now: Timestamp) -> Vec<Finding> {
    let mut findings = settings_alone(settings);
    findings.extend(expiry::certificates(settings, now));
    findings.extend(files::permissions(settings, secret_files));
    findings.extend(files::disk(settings));
    findings.push(files::audit(settings));
    findings.push(files::search(settings));
    findings.push(files::backup(settings, now));
    let store = match open(settings).await {
        Ok(store) => store,
        Err(finding) => {
            findings.push(finding);
            return findings;
        }
    };
    findings.push(well("store", "it answers, and its schema is this program's"));
    findings.push(blobs(&store).await);
    findings.extend(search_texts(&store, settings).await);
    match store.policy().await {
        Ok(policy) => {
            findings.extend(expiry::grants(settings, &policy, now));
            findings.push(expiry::signing_key(&policy, now));
            findings.extend(access(settings, &policy, now).await);
        }
        Err(error) => findings.push(problem("tenants", error, "look at the store's own log")),
    }
    findings
}

/// Checks the settings without reading anything else.
fn settings_alone(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut note = |said: String, fix: &str| findings.push(problem("settings", said, fix));
    match identity::rules(&settings.identity) {
        Err(error) => {
            note(error.to_string(), "change this setting; `norma config dump` shows where it comes from")
        }
        Ok(rules) => {
            if let Err(error) = rules.check() {
                let fix =
                    "change this setting; `audience` is the service's client id and its application ID URI";
                note(error.to_string(), fix);
            }
            if let Err(error) = identity::fetch(&settings.identity, &rules) {
                note(error.to_string(), "let `auth-ca` name a PEM file of certificates, or leave it empty");
            }
        }
    }
    if let Some(problem) = sockets::proxies_without_url(&settings.http) {
        note(problem.to_owned(), "set `public-url`");
    }
    if let Err(error) = http::networks(&settings.http.trusted_proxies) {
        note(error.to_string(), "write addresses or networks such as 10.0.0.0/8");
    }
    let http = &settings.http;
    for (name, path) in [("tls-cert", &http.tls_cert), ("tls-key", &http.tls_key)] {
        if !path.is_empty()
            && let Err(error) = std::fs::File::open(path)
        {
            note(
                format!("`{name}`: cannot read {path}: {error}"),
                "name a PEM file that the service may read",
            );
        }
    }
    if findings.is_empty() {
        findings.push(well("settings", "they fit together"));
        findings.push(well("settings", identity::audiences(&settings.identity)));
    }
    findings
}

/// Opens the store as it is, without making or migrating it.
async fn open(settings: &Settings) -> Result<Store, Finding> {
    let mut how = settings.store.clone();
    how.migrate = false;
    if let Some(file) = files::store_file(settings).filter(|file| !file.exists()) {
        let fix = "check the setting `store`; `norma store migrate` makes a new one";
        let shown = norma_store::redacted(&file.to_string_lossy());
        return Err(problem("store", format!("there is no store at {shown}"), fix));
    }
    stores::open_store(&how).await.map_err(|error| {
        let fix = match &error {
            norma_store::StoreError::NoSchema { .. } => "run `norma store migrate`",
            norma_store::StoreError::OlderSchema { .. } => "back up, then run `norma store migrate`",
            norma_store::StoreError::EarlierSchema { .. } => "name a new store with `store` and ingest again",
            norma_store::StoreError::NewerSchema { .. } => "run the newer program",
            norma_store::StoreError::Invalid(_) => "change the setting `store` or `blobs`",
            _ => "see that the database runs, and that address, user and password are right",
        };
        problem("store", error, fix)
    })
}

/// Checks whether the storage of blobs answers, and returns the bytes that were put there.
async fn blobs(store: &Store) -> Finding {
    let fix = "see that the object store answers, and that the service may read and write there";
    let look = async {
        store.check().await?;
        let Some(first) = store.editions(None, 1).await?.pop() else { return Ok(None) };
        let Some(entry) = store.entry(&first.urn).await? else { return Ok(None) };
        let pack = store.blob_verified(&entry.pack).await?;
        Ok::<_, norma_store::StoreError>(Some((first.urn, pack)))
    };
    match look.await {
        Ok(None) => well("blobs", "their location answers; no standard is stored yet"),
        Ok(Some((urn, Some(pack)))) => {
            well("blobs", format!("what is stored of {urn} is there, {} bytes", pack.size()))
        }
        Ok(Some((urn, None))) => {
            problem("blobs", format!("what is stored of {urn} is missing"), "restore the blobs")
        }
        Err(error) => problem("blobs", error, fix),
    }
}

/// Names of standards that a finding has; the others are counted.
const NAMED: usize = 3;

/// Checks whether the search index on this machine has the texts of all standards; no finding where it does,
/// or where there is no index.
async fn search_texts(store: &Store, settings: &Settings) -> Option<Finding> {
    if !settings.search.search {
        return None;
    }
    let gaps = match index_gaps(store, settings).await {
        Ok(gaps) => gaps?,
        Err(error) => {
            return Some(problem("search", error, "see what is wrong with the store and the index"));
        }
    };
    let count = gaps.titles_only.len();
    if count == 0 {
        return None;
    }
    let named = gaps.titles_only[..count.min(NAMED)].join(", ");
    let others = if count > NAMED { format!(" and {} others", count - NAMED) } else { String::new() };
    let said = format!(
        "search finds only the titles of {count} standards, since their texts could not be read: {named}{others}"
    );
    let fix = "run `norma rebuild` for what an earlier version of Norma stored; restore what `norma store verify` names \
               as damaged. A running service then indexes the texts by itself";
    Some(problem("search", said, fix))
}

/// Checks tenants with their providers, and whether anybody may read anything.
async fn access(whole: &Settings, policy: &Policy, now: Timestamp) -> Vec<Finding> {
    let settings = &whole.identity;
    let mut findings = Vec::new();
    if policy.tenants.is_empty() {
        findings.push(problem("tenants", "no tenant is registered", "register one with `norma tenant add`"));
    }
    if policy.grants.is_empty() {
        findings.push(problem("grants", "nobody may read anything", "give standards with `norma grant add`"));
    }
    for (issuer, tenants) in identity::shared_issuers(settings, policy) {
        let said = format!(
            "tenants {} have one issuer, {issuer}: its tokens count for one of them",
            tenants.join(" and ")
        );
        let fix = "remove the others with `norma tenant remove`, or register them with issuers of their own";
        findings.push(problem("tenants", said, fix));
    }
    let Ok(rules) = identity::rules(settings) else { return findings };
    let Ok(fetch) = identity::fetch(settings, &rules) else { return findings };
    let (rules, fetch) = (Arc::new(rules), Arc::new(fetch));
    let mut clock = Clock::default();
    for some in policy.tenants.chunks(rules.keys.max_parallel) {
        let mut examinations = JoinSet::new();
        for stored in some {
            if stored.suspended {
                let said = format!("tenant {} is suspended: its callers are answered 403", stored.id);
                findings.push(well("tenants", said));
            }
            match identity::tenant(settings, stored, policy) {
                Ok(tenant) => spawn_examination(&mut examinations, tenant, &rules, &fetch),
                Err(error) => {
                    let fix = format!("register it again: `norma tenant add {} …`", stored.id);
                    findings.push(problem("tenants", error, fix));
                }
            }
        }
        let mut examination = examinations.join_all().await;
        examination.sort_by(|a, b| a.issuer.cmp(&b.issuer));
        for examination in &examination {
            clock.add(examination, now);
            findings.extend(keys(examination));
            findings.extend(expiry::keys(whole, examination, now));
        }
    }
    findings.push(clock.finding());
    findings
}

fn spawn_examination(
    examinations: &mut JoinSet<Examination>,
    tenant: norma_auth::RegisteredTenant,
    rules: &Arc<Rules>,
    fetch: &Arc<Https>,
) {
    for profile in tenant.profiles {
        let (id, rules, fetch) = (tenant.id.clone(), rules.clone(), fetch.clone());
        examinations.spawn(async move { examine(&id, &profile, &rules, &*fetch).await });
    }
}

/// Checks the answer of a provider for one issuer.
fn keys(examination: &Examination) -> Vec<Finding> {
    let fix = "check `auth-url`, the tenant's id, issuer and key set URL, and the way out to the provider; a key that the \
               provider publishes badly must be corrected by the provider";
    let problems = examination.problems();
    if problems.is_empty() {
        let jwks_uri = examination.jwks_uri.as_deref().unwrap_or_default();
        return vec![well(
            "keys",
            format!("{}: {} from {jwks_uri}", examination.issuer, count(examination.keys.len())),
        )];
    }
    problems.into_iter().map(|why| problem("keys", format!("{}: {why}", examination.issuer), fix)).collect()
}

/// This machine's clock, compared with those of providers.
#[derive(Default)]
struct Clock {
    /// The largest difference, in seconds.
    off: Option<u64>,
    /// The issuer with the largest difference that is too large, and the sentence about it.
    problem: Option<String>,
}

impl Clock {
    fn add(&mut self, examination: &Examination, now: Timestamp) {
        let off = examination.clock_difference(now).map(|off| off.as_secs());
        if off > self.off {
            self.off = off;
            let issuer = &examination.issuer;
            self.problem = examination.clock_problem(now).map(|why| format!("{issuer}: {why}"));
        }
    }

    fn finding(self) -> Finding {
        let fix = "set the clock of this machine by NTP (`timedatectl status` says whether it is), or have the provider's set";
        match (self.problem, self.off) {
            (Some(why), _) => problem("clock", why, fix),
            (None, Some(off)) => {
                well("clock", format!("it differs from those of the providers by {off} s at most"))
            }
            (None, None) => well("clock", "not compared: no provider answered with its time"),
        }
    }
}

fn count(keys: usize) -> String {
    if keys == 1 { "1 key".to_owned() } else { format!("{keys} keys") }
}
