//! Tests of the provider's log, in a separate process, because a log is global to a process.

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use norma_dev_idp::{DevIdp, DevIdpSettings};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_log_tells_what_happened_and_holds_no_secret_token_or_misplaced_secret() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .init();
    let idp = DevIdp::start(DevIdpSettings::ephemeral()).await.unwrap();
    let tenant = idp.service().tenant_id;
    let client = idp.register_client(tenant, "Nightly reader").unwrap();
    let (id, secret) = (client.client_id.to_string(), client.secret.expose());
    let token = idp.access_token(tenant, client.client_id).unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/{tenant}/oauth2/v2.0/token", idp.url());
    for (id, secret, scope) in [
        (id.as_str(), secret, "api://norma/.default"),
        (secret, secret, "api://norma/.default"),
        (&id, &token, "api://norma/.default"),
        (&id, secret, secret),
    ] {
        let fields = [
            ("grant_type", "client_credentials"),
            ("client_id", id),
            ("client_secret", secret),
            ("scope", scope),
        ];
        http.post(&url).form(&fields).send().await.unwrap();
    }
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let own: String = text.lines().filter(|line| line.contains("norma_dev_idp")).collect();
    for word in ["development identity provider", "token issued", "700016", "7000215", "1002012"] {
        assert!(own.contains(word), "{word} is missing: {own}");
    }
    assert!(!own.contains(secret) && !own.contains(&token), "{own}");
}
