//! Shared parts of the program's tests: a running demonstration and a caller of it; engines, their faults,
//! and instances of the service on them.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "this is test code")]
#![allow(dead_code, reason = "each test program uses what it needs")]

pub mod cluster;
pub mod installation;
pub mod proxy;
pub mod random;
pub mod small_disk;
pub mod test_store;
pub mod wait;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use self::test_store::TestStore;
pub use self::wait::DEADLINE;
use self::wait::{ended, eventually, ready};

/// `norma demo` on free ports, with a data folder of its own.
pub struct Demo {
    child: Child,
    folder: Option<tempfile::TempDir>,
    test_store: Option<TestStore>,
    pub ready: Value,
    pub http: reqwest::Client,
}

/// A caller with a token.
pub struct Caller<'a> {
    demo: &'a Demo,
    token: String,
}

impl Demo {
    /// Starts it on its own store and waits until all listeners answer.
    pub async fn start(arguments: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), None, arguments).await
    }

    /// The same on another store.
    pub async fn start_on(test_store: TestStore, arguments: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), Some(test_store), arguments).await
    }

    /// The same on a data folder that may not be empty.
    pub async fn start_in(
        folder: tempfile::TempDir,
        test_store: Option<TestStore>,
        arguments: &[&str],
    ) -> Self {
        Self::start_with(folder, test_store, arguments, &[]).await
    }

    /// Starts it in a shell that read the variables of a file.
    pub async fn start_after(environment: &std::path::Path) -> Self {
        let read = format!(". '{}'; env -0", environment.display());
        let said = Command::new("sh").args(["-c", &read]).output().unwrap().stdout;
        let said = String::from_utf8(said).unwrap();
        let variables: Vec<(&str, &str)> = said
            .split('\0')
            .filter_map(|line| line.split_once('='))
            .filter(|(name, _)| name.starts_with("NORMA_"))
            .collect();
        assert!(variables.iter().any(|(name, _)| *name == "NORMA_AUTH_URL"), "{variables:?}");
        Self::start_with(tempfile::tempdir().unwrap(), None, &[], &variables).await
    }

    async fn start_with(
        folder: tempfile::TempDir,
        test_store: Option<TestStore>,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let ready_file = folder.path().join("ready.json");
        drop(std::fs::remove_file(&ready_file));
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let printed = std::fs::File::create(folder.path().join("printed")).unwrap();
        let any = "127.0.0.1:0";
        let mut child = Command::new(env!("CARGO_BIN_EXE_norma"))
            .args(["demo", "--listen", any, "--ops-listen", any, "--idp-listen", any])
            .args(["--explorer-listen", any])
            .arg("--data")
            .arg(folder.path().join("data"))
            .arg("--ready-file")
            .arg(&ready_file)
            .args(arguments)
            .args(test_store.iter().flat_map(TestStore::options))
            .env("COLUMNS", "100")
            .envs(variables.iter().copied())
            .stdout(printed)
            .stderr(log)
            .spawn()
            .unwrap();
        let log = folder.path().join("log");
        let ready = eventually(DEADLINE, async || ready(&mut child, &ready_file, &log)).await;
        Self { child, folder: Some(folder), test_store, ready, http: reqwest::Client::new() }
    }

    /// Its folder, with its data and its log; files that a test writes there are removed with it.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.as_ref().expect("the folder is there until the end").path()
    }

    fn data(&self) -> PathBuf {
        self.folder().join("data")
    }

    /// Runs another command on the store of the demonstration.
    pub fn norma(&self, arguments: &[&str]) -> String {
        self.norma_in(None, arguments)
    }

    /// The same in a terminal with this number of columns.
    pub fn norma_in(&self, columns: Option<u16>, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norma"));
        command.args(arguments).envs(columns.map(|columns| ("COLUMNS", columns.to_string())));
        match &self.test_store {
            Some(test_store) => command.args(test_store.options()),
            None => command.arg("--store").arg(self.data().join("norma.db")),
        };
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// `norma get` as the caller of the demonstration. All but the arguments is in the environment, and the
    /// secret in a file.
    pub fn get(&self, arguments: &[&str]) -> Command {
        self.as_caller("get", arguments)
    }

    /// Another command as that caller.
    pub fn as_caller(&self, name: &str, arguments: &[&str]) -> Command {
        let text = |member: &str| self.ready[member].as_str().unwrap();
        let secret = self.folder().join("secret");
        std::fs::write(&secret, text("clientSecret")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_norma"));
        command
            .arg(name)
            .args(arguments)
            .env("NORMA_AUTH_URL", text("authUrl"))
            .env("NORMA_TENANT_ID", text("tenantId"))
            .env("NORMA_CLIENT_ID", text("clientId"))
            .env("NORMA_CLIENT_SECRET_FILE", secret)
            .env("NORMA_SCOPE", text("scope"))
            .env("NORMA_BASE_URL", text("baseUrl"))
            .stdin(Stdio::null());
        command
    }

    /// A caller with a token, asked for over HTTP as the specification says.
    pub async fn caller(&self) -> Caller<'_> {
        let text = |member: &str| self.ready[member].as_str().unwrap().to_owned();
        let form = [
            ("grant_type", "client_credentials".to_owned()),
            ("client_id", text("clientId")),
            ("client_secret", text("clientSecret")),
            ("scope", text("scope")),
        ];
        let url = format!("{}/{}/oauth2/v2.0/token", text("authUrl"), text("tenantId"));
        let answer: Value = self.http.post(url).form(&form).send().await.unwrap().json().await.unwrap();
        Caller {
            demo: self,
            token: answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned(),
        }
    }

    /// Asks it to stop, and returns its log.
    pub async fn stop(mut self) -> String {
        self.terminate().await;
        std::fs::read_to_string(self.folder.as_ref().unwrap().path().join("log")).unwrap()
    }

    /// Asks it to stop, and returns its folder and its store for another start.
    pub async fn stop_and_keep(mut self) -> (tempfile::TempDir, Option<TestStore>) {
        self.terminate().await;
        (self.folder.take().unwrap(), self.test_store.take())
    }

    async fn terminate(&mut self) {
        let kill = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(kill.success());
        eventually(DEADLINE, async || ended(&mut self.child)).await;
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Caller<'_> {
    /// The access token.
    #[allow(dead_code, reason = "each test program uses what it needs")]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// GET of `{prefix}{urn}{suffix}` on the service, the URN encoded.
    pub async fn get(&self, prefix: &str, urn: &str, suffix: &str) -> reqwest::Response {
        let base = self.demo.ready["baseUrl"].as_str().unwrap();
        let url = format!("{base}{prefix}{}{suffix}", urn.replace(':', "%3A"));
        self.demo.http.get(url).bearer_auth(&self.token).send().await.unwrap()
    }

    /// The JSON at a path of the API that must exist.
    pub async fn json(&self, path: &str) -> Value {
        let response = self.get("/api/content/v1", "", path).await;
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    /// A part of a standard that must be there.
    pub async fn standard(&self, urn: &str, part: &str) -> Value {
        self.json(&format!("/standards/{}{part}", urn.replace(':', "%3A"))).await
    }

    /// The answer to one asset reference that must exist.
    pub async fn resolve(&self, urn: &str, reference: &str) -> Value {
        let base = self.demo.ready["baseUrl"].as_str().unwrap();
        let url = format!("{base}/api/content/v1/standards/{}/assets/resolve", urn.replace(':', "%3A"));
        let body = serde_json::json!({ "assetReference": reference }).to_string();
        let request =
            self.demo.http.post(url).bearer_auth(&self.token).header("content-type", "application/json");
        let response = request.body(body).send().await.unwrap();
        assert_eq!(response.status(), 200, "{reference}");
        response.json().await.unwrap()
    }

    /// Repeats a request until the answer has this status; a change must be seen within a second.
    pub async fn until(&self, prefix: &str, urn: &str, status: u16) {
        eventually(Duration::from_secs(1), async || {
            let last = self.get(prefix, urn, "").await.status().as_u16();
            (last == status).then_some(()).ok_or_else(|| format!("{urn}: {last} instead of {status}"))
        })
        .await;
    }
}

/// A port of the loopback without a listener.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The folder in a variable, or the note that it is missing.
pub fn installed(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        eprintln!("{variable} is not set: the programs of others are absent, and nothing is proved here");
    }
    found
}
