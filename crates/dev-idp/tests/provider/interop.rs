//! Other projects' official client libraries, with only their configuration changed, over TLS.
//!
//! `NORMA_INTEROP=1` switches this on; `NORMA_VENV` is a Python environment with msal, `NORMA_NODE_MODULES` a
//! folder of packages with @azure/msal-node.

use std::{path::PathBuf, process::Stdio};

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256};
use norma_dev_idp::DevIdpSettings;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::{
    assertions::thumbprint,
    fixture::{Fixture, SCOPE},
};

fn folder(variable: &str) -> Option<PathBuf> {
    if std::env::var("NORMA_INTEROP").as_deref() != Ok("1") {
        println!("left out: official client libraries (set NORMA_INTEROP=1, {variable})");
        return None;
    }
    let folder =
        std::env::var(variable).unwrap_or_else(|_| panic!("NORMA_INTEROP is set, {variable} is not"));
    Some(folder.into())
}

/// Runs a script with its case in the environment, and checks its result in each `way`.
async fn assert_tokens(mut script: Command, ways: &[(&str, &str)]) {
    let f = Fixture::with(DevIdpSettings { tls: true, ..DevIdpSettings::ephemeral() }).await;
    let certificate = f.idp.make_certificate(f.tenant, f.client.client_id).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let hex = |algorithm| -> String {
        thumbprint(&certificate, algorithm).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let trust = f.idp.certificate_path().unwrap();
    let output = script
        .env("AUTHORITY", format!("{}/{}", f.idp.url(), f.tenant))
        .env("CLIENT_ID", f.client.client_id.to_string())
        .env("CLIENT_SECRET", f.client.secret.expose())
        .env("SCOPE", SCOPE)
        .env("REQUESTS_CA_BUNDLE", trust)
        .env("NODE_EXTRA_CA_CERTS", trust)
        .env("NO_PROXY", "127.0.0.1,localhost")
        .env("KEY_FILE", file("key.pem", &certificate.key_pem))
        .env("CERTIFICATE_FILE", file("certificate.pem", &certificate.certificate_pem))
        .env("SHA1", hex(&SHA1_FOR_LEGACY_USE_ONLY))
        .env("SHA256", hex(&SHA256))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let got: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (way, proof) in ways {
        let claims = crate::tokens::claims(got[way].as_str().unwrap());
        assert_eq!(claims["azpacr"], *proof, "{way}");
        assert_eq!(claims["azp"], f.client.client_id.to_string(), "{way}");
        assert_eq!(claims["roles"], json!(["Content.Read"]), "{way}");
    }
    assert_eq!(got["wrong-secret"], json!({ "error": "invalid_client", "codes": [7000215] }));
    f.idp.shutdown().await.unwrap();
}

fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/interop").join(name)
}

#[tokio::test]
async fn msal_for_python_gets_tokens_by_secret_and_by_certificate() {
    let Some(venv) = folder("NORMA_VENV") else { return };
    let mut python = Command::new(venv.join("bin/python"));
    python.arg(script("msal_python.py"));
    assert_tokens(python, &[("secret", "1"), ("certificate-sha256", "2"), ("certificate-sha1", "2")]).await;
}

#[tokio::test]
async fn msal_for_node_gets_tokens_by_secret_and_by_certificate() {
    let Some(modules) = folder("NORMA_NODE_MODULES") else { return };
    let mut node = Command::new("node");
    node.arg(script("msal_node.cjs")).env("NODE_PATH", modules);
    assert_tokens(node, &[("secret", "1"), ("certificate-sha256", "2")]).await;
}
