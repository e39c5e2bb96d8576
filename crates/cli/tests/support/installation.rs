//! `norma serve` on a store, in any number of instances, with an identity provider and one licensed caller.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use norma_dev_idp::{DevIdp, Guid};
use serde_json::Value;

use super::wait::{DEADLINE, eventually, ready};

/// Samples in the store of an installation, and the access of the caller.
pub const STANDARD: &str = "urn:nsb:std:nsb:4210:ed-2:en";
pub const RICH: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";

/// An operator of Norma on one store.
pub struct Installation {
    pub tenant: Guid,
    pub http: reqwest::Client,
    idp: DevIdp,
    client: Guid,
    options: Vec<String>,
    folder: tempfile::TempDir,
}

/// One running service.
pub struct Instance {
    child: Child,
    base: String,
    ops: String,
    log: PathBuf,
    http: reqwest::Client,
    token: String,
}

/// An answer, read to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub retry_after: Option<String>,
    pub etag: Option<String>,
    pub body: Vec<u8>,
}

impl Installation {
    /// An installation on a store that may be empty; `options` name it on the command line.
    pub async fn on(options: &[String]) -> Self {
        let idp = DevIdp::start(norma_dev_idp::DevIdpSettings::ephemeral()).await.unwrap();
        let tenant = idp.add_tenant("Tests").unwrap();
        idp.consent(tenant).unwrap();
        let client = idp.register_client(tenant, "reader").unwrap().client_id;
        idp.grant_role(tenant, client).unwrap();
        let http = reqwest::Client::builder().timeout(Duration::from_secs(60)).build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        Self { tenant, http, idp, client, options: options.to_vec(), folder }
    }

    /// The same, with the samples in the store and a caller who may read them all.
    pub async fn filled(options: &[String]) -> Self {
        let installation = Self::on(options).await;
        installation.fill();
        installation
    }

    pub fn fill(&self) {
        let folders = [
            "bicycle-anchors-ed1",
            "bicycle-anchors-ed2-en",
            "bicycle-anchors-ed2-fr",
            "water-baths",
            "minimal",
        ];
        let paths = folders.map(|folder| samples().join(folder).to_str().unwrap().to_owned());
        self.norma(&[&["ingest"], paths.each_ref().map(String::as_str).as_slice()].concat());
        let tenant = self.tenant.to_string();
        self.norma(&["tenant", "add", &tenant]);
        self.norma(&["grant", "add", &tenant, "--urn", "urn:nsb:*"]);
    }

    /// Runs a command on the store, which must succeed, and returns its output.
    pub fn norma(&self, arguments: &[&str]) -> String {
        let output = self.try_norma(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command on the store.
    pub fn try_norma(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// A command on the store.
    pub fn command(&self, arguments: &[&str]) -> Command {
        norma(&[arguments, self.options.iter().map(String::as_str).collect::<Vec<_>>().as_slice()].concat())
    }

    /// Starts a service and waits until it answers.
    pub async fn serve(&self, more: &[&str]) -> Instance {
        self.serve_on(&self.options, more).await
    }

    /// The same with the store named in another way.
    pub async fn serve_on(&self, options: &[String], more: &[&str]) -> Instance {
        self.serve_with(&[], options, more).await
    }

    /// The same without root's capability to write whatever the mode of a file is (capabilities(7)).
    #[cfg(unix)]
    pub async fn serve_without_rights(&self, options: &[String]) -> Instance {
        let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        let without: &[&str] = if is_root { &["setpriv", "--bounding-set=-dac_override"] } else { &[] };
        self.serve_with(without, options, &[]).await
    }

    /// Starts `norma serve` through another program, with these words in front.
    async fn serve_with(&self, prefix: &[&str], options: &[String], more: &[&str]) -> Instance {
        let (mut instance, ready_file) = self.begin_with(prefix, options, more);
        let (child, log) = (&mut instance.child, &instance.log);
        let ready = eventually(DEADLINE, async || ready(child, &ready_file, log)).await;
        instance.base = ready["baseUrl"].as_str().unwrap().to_owned();
        instance.ops = ready["opsUrl"].as_str().unwrap().to_owned();
        instance
    }

    /// Starts a service without waiting for it.
    pub fn begin(&self, more: &[&str]) -> Instance {
        self.begin_with(&[], &self.options, more).0
    }

    /// The same, with the file that it writes when it is ready.
    fn begin_with(&self, prefix: &[&str], options: &[String], more: &[&str]) -> (Instance, PathBuf) {
        let file = |end: &str| self.folder.path().join(format!("{}.{end}", super::test_store::unique()));
        let (ready_file, log, search) = (file("ready"), file("log"), file("search"));
        let service = self.idp.service();
        let audience = service.client_id.to_string();
        let own = [
            "--auth-url",
            self.idp.url(),
            "--audience",
            &audience,
            "--role",
            &service.role,
            "--rate-limit",
            "0",
        ];
        let own_search = ["--search-dir", search.to_str().unwrap()];
        let own_search = if more.contains(&own_search[0]) { &[][..] } else { &own_search };
        let any = ["serve", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"];
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let mut command = behind(prefix, &[&any, own.as_slice(), own_search, &options, more].concat());
        command.arg("--ready-file").arg(&ready_file).stdout(Stdio::null());
        command.stderr(std::fs::File::create(&log).unwrap());
        let child = command.spawn().unwrap();
        let token = self.idp.access_token(self.tenant, self.client).unwrap();
        let instance =
            Instance { child, base: String::new(), ops: String::new(), log, http: self.http.clone(), token };
        (instance, ready_file)
    }
}

impl Instance {
    /// GET of a path below the API's version.
    pub async fn get(&self, path: &str) -> Answer {
        self.try_get(path).await.unwrap()
    }

    /// The same, of an instance that may be gone.
    pub async fn try_get(&self, path: &str) -> reqwest::Result<Answer> {
        self.fetch(&format!("{}/api/content/v1{path}", self.base)).await
    }

    /// The result of resolving a reference to a picture, with the status.
    pub async fn resolve(&self, urn: &str, reference: &str) -> (u16, Value) {
        let path = format!("/v1/standards/{urn}/assets/resolve");
        self.post(&path, &serde_json::json!({ "assetReference": reference })).await
    }

    /// POST to a path with the API's version: status and body of the answer.
    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.http.post(format!("{}/api/content{path}", self.base));
        let answer = request.bearer_auth(&self.token).json(body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// The status of `/readyz`.
    pub async fn ready(&self) -> u16 {
        self.fetch(&format!("{}/readyz", self.ops)).await.unwrap().status
    }

    /// GET of a path with these headers, for an answer that may end early.
    pub async fn ask(&self, path: &str, headers: &[(&str, &str)]) -> reqwest::Result<Answer> {
        self.fetch_with(&format!("{}{path}", self.base), headers).await
    }

    /// Bytes of memory that it uses now, without shared ones.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// The value of a metric without labels.
    pub async fn metric(&self, name: &str) -> u64 {
        let metrics = self.fetch(&format!("{}/metrics", self.ops)).await.unwrap().body;
        let metrics = String::from_utf8(metrics).unwrap();
        let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {metrics}")).parse().unwrap()
    }

    async fn fetch(&self, url: &str) -> reqwest::Result<Answer> {
        self.fetch_with(url, &[]).await
    }

    async fn fetch_with(&self, url: &str, headers: &[(&str, &str)]) -> reqwest::Result<Answer> {
        let mut request = self.http.get(url).bearer_auth(&self.token);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await?;
        let header = |name| response.headers().get(name).map(|v| v.to_str().unwrap().to_owned());
        let (retry_after, etag, status) = (header("retry-after"), header("etag"), response.status().as_u16());
        Ok(Answer { status, retry_after, etag, body: response.bytes().await?.to_vec() })
    }

    /// Repeats a request until the answer has this status, and returns the time that this took.
    pub async fn until(&self, path: &str, status: u16, within: Duration) -> Duration {
        let start = Instant::now();
        eventually(within, async || {
            let last = self.get(path).await.status;
            (last == status).then_some(()).ok_or_else(|| format!("{path}: {last} instead of {status}"))
        })
        .await;
        start.elapsed()
    }

    /// Asks `/readyz` until it has this status.
    pub async fn until_ready(&self, status: u16, within: Duration) {
        eventually(within, async || {
            let last = self.ready().await;
            (last == status).then_some(()).ok_or_else(|| format!("readiness is {last} instead of {status}"))
        })
        .await;
    }

    /// Waits until its log has these words.
    pub async fn until_logged(&self, words: &str) {
        eventually(DEADLINE, async || match self.log().contains(words) {
            true => Ok(()),
            false => Err(format!("{words:?} is not in the log: {}", self.log())),
        })
        .await;
    }

    /// Every view of every standard that the caller sees.
    pub async fn views(&self) -> BTreeMap<String, Answer> {
        let list = self.get("/standards?limit=500").await;
        assert_eq!(list.status, 200);
        let list: Value = serde_json::from_slice(&list.body).unwrap();
        let mut views = BTreeMap::new();
        for item in list["items"].as_array().unwrap() {
            for path in paths(item["urn"].as_str().unwrap()) {
                let answer = self.get(&path).await;
                assert_eq!(answer.status, 200, "{path}");
                views.insert(path, answer);
            }
        }
        views
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Ends it as a crash does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The program under test.
pub fn norma(arguments: &[&str]) -> Command {
    behind(&[], arguments)
}

/// The program under test, run by another program: its name and arguments.
fn behind(prefix: &[&str], arguments: &[&str]) -> Command {
    let words = [prefix, &[env!("CARGO_BIN_EXE_norma")], arguments].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    command
}

/// Paths of all views of a standard.
pub fn paths(urn: &str) -> Vec<String> {
    let parts = ["", "/metadata", "/sections", "/content", "/provisions", "/terms", "/graphics"];
    parts.map(|part| format!("/standards/{}{part}", urn.replace(':', "%3A"))).to_vec()
}

pub fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// Small documents with numbers from this one on.
pub fn series(first: u32, documents: u32) -> tempfile::TempDir {
    let text = std::fs::read_to_string(samples().join("minimal/document.xml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for number in first..first + documents {
        let text = text.replace("4201", &number.to_string());
        std::fs::write(folder.path().join(format!("{number}.xml")), text).unwrap();
    }
    folder
}
