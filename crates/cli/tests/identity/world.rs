//! `norma serve` on its own store with one standard, and a development provider in this process.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use norma_dev_idp::{DevIdp, DevIdpSettings, Registration};
use serde_json::Value;

use crate::wait::{self, DEADLINE, eventually};

pub(crate) const STANDARD: &str = "urn:nsb:std:nsb:4201:ed-1:en";

/// All of it. What is running goes when it goes.
pub(crate) struct World {
    pub(crate) idp: DevIdp,
    pub(crate) client: Registration,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) http: reqwest::Client,
    pub(crate) base_url: String,
    service: Child,
}

/// The output of `norma`, and its exit code.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program to its end.
pub(crate) fn norma(arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_norma")).args(arguments).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: status.code(), out: text(stdout), err: text(stderr) }
}

impl World {
    /// A service that knows the caller's tenant, a client with consent and role, and a grant for the
    /// standard.
    pub(crate) async fn start(arguments: &[&str]) -> Self {
        Self::with(DevIdpSettings::ephemeral(), arguments).await
    }

    pub(crate) async fn with(settings: DevIdpSettings, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let idp = DevIdp::start(settings).await.unwrap();
        let tenant = idp.add_tenant("Caller").unwrap();
        let client = idp.register_client(tenant, "Reader").unwrap();
        idp.consent(tenant).unwrap();
        idp.grant_role(tenant, client.client_id).unwrap();

        let store = folder.path().join("norma.db");
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/minimal");
        let run = |arguments: &[&str]| {
            let said =
                norma(&[arguments, &["--store", store.to_str().unwrap(), "--auth-url", idp.url()]].concat());
            assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
        };
        run(&["ingest", sample.to_str().unwrap()]);
        run(&["tenant", "add", &tenant.to_string()]);
        run(&["grant", "add", &tenant.to_string(), "--urn", STANDARD]);

        let ready = folder.path().join("ready.json");
        let service = idp.service();
        let mut command = Command::new(env!("CARGO_BIN_EXE_norma"));
        command.arg("serve").arg("--ready-file").arg(&ready).arg("--store").arg(&store);
        command.args([
            "--listen",
            "127.0.0.1:0",
            "--ops-listen",
            "127.0.0.1:0",
            "--auth-url",
            idp.url(),
            "--drain-time",
            "0s",
        ]);
        let audience = format!("{},{}", service.client_id, service.application_id_uri);
        command.args(["--audience", &audience]).args(["--role", &service.role]).args(arguments);
        if let Some(file) = idp.certificate_path() {
            command.arg("--auth-ca").arg(file);
        }
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let log = folder.path().join("log");
        let ready = eventually(DEADLINE, async || wait::ready(&mut child, &ready, &log)).await;
        let url = |name: &str| ready[name].as_str().unwrap().to_owned();
        let base_url = url("baseUrl");
        Self { idp, client, folder, http: reqwest::Client::new(), base_url, service: child }
    }

    /// A file in the folder of this world.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs a command of the operator on the same store.
    pub(crate) fn operate(&self, arguments: &[&str]) -> Said {
        let store = self.folder.path().join("norma.db");
        norma(&[arguments, &["--store", store.to_str().unwrap(), "--auth-url", self.idp.url()]].concat())
    }

    /// A token of the client, as a provider that works would issue it.
    pub(crate) fn token(&self) -> String {
        self.idp.access_token(self.client.tenant, self.client.client_id).unwrap()
    }

    /// Status and problem code of a read of the standard with this token.
    pub(crate) async fn read(&self, token: &str) -> (u16, String) {
        let url =
            format!("{}/api/content/v1/standards/{}/content", self.base_url, STANDARD.replace(':', "%3A"));
        let answer = self.http.get(url).bearer_auth(token).send().await.unwrap();
        let status = answer.status().as_u16();
        let problem: Value = answer.json().await.unwrap();
        (status, problem["code"].as_str().unwrap_or_default().to_owned())
    }

    /// Reads until the answer has this status. An operator's change is seen within a second; a busy machine
    /// may take longer.
    pub(crate) async fn until(&self, token: &str, status: u16) {
        eventually(Duration::from_secs(20), async || {
            let (found, code) = self.read(token).await;
            (found == status).then_some(()).ok_or_else(|| format!("{found} {code} instead of {status}"))
        })
        .await;
    }

    /// The log of the service so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Asks the service to stop, as an operator does, and waits until it has.
    pub(crate) async fn stop(&mut self) {
        assert!(Command::new("kill").arg(self.service.id().to_string()).status().unwrap().success());
        eventually(DEADLINE, async || {
            let status = self.service.try_wait().unwrap();
            status.map(drop).ok_or_else(|| "it does not stop".to_owned())
        })
        .await;
    }
}

impl Drop for World {
    fn drop(&mut self) {
        drop(self.service.kill());
        drop(self.service.wait());
    }
}
