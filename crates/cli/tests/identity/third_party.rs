//! The service with another project's provider: npm `oidc-provider`, certified by the OpenID Foundation.
//!
//! `NORMA_INTEROP=1` switches this on; `NORMA_NODE_MODULES` is a folder of packages that holds it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::world::World;

const SECRET: &str = "a-secret-of-this-test-alone";
const AUDIENCE: &str = "https://norma.test/api";

/// The provider as a separate process, which ends with its standard input.
struct Provider {
    child: Child,
    issuer: String,
    http: reqwest::Client,
}

impl Provider {
    fn start(role: &str) -> Option<Self> {
        if std::env::var("NORMA_INTEROP").as_deref() != Ok("1") {
            println!("left out: a provider of others (set NORMA_INTEROP=1, NORMA_NODE_MODULES)");
            return None;
        }
        let modules =
            std::env::var("NORMA_NODE_MODULES").expect("NORMA_INTEROP is set, NORMA_NODE_MODULES is not");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/identity/oidc_provider.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .envs([
                ("CLIENT_ID", "reader"),
                ("CLIENT_SECRET", SECRET),
                ("MODULES", modules.as_str()),
                ("ROLE", role),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut issuer = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut issuer).unwrap();
        assert!(!issuer.is_empty(), "the provider did not start");
        Some(Self { child, issuer: issuer.trim().to_owned(), http: reqwest::Client::new() })
    }

    async fn token(&self, audience: &str) -> String {
        let form = [("grant_type", "client_credentials"), ("resource", audience)];
        let request = self.http.post(format!("{}/token", self.issuer)).basic_auth("reader", Some(SECRET));
        let answer: Value = request.form(&form).send().await.unwrap().json().await.unwrap();
        answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standard_is_read_with_the_token_of_a_provider_that_others_wrote() {
    let Some(provider) = Provider::start("Content.Read") else { return };
    let world = World::start(&[]).await;
    let token = provider.token(AUDIENCE).await;
    let refused = async |token: &str| assert_eq!(world.read(token).await, (401, "token-invalid".to_owned()));
    refused(&token).await;

    // Registered while the service runs, next to a tenant of the other provider, with claims of its own.
    let add = [
        "tenant",
        "add",
        "acme",
        "--issuer",
        &provider.issuer,
        "--tenant-claim",
        "",
        "--role-claim",
        "groups",
    ];
    let said = world.operate(&[&add[..], &["--audience", AUDIENCE, "--token-types", "at+jwt"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let listed = world.operate(&["tenant", "list"]).out;
    assert!(listed.contains(&provider.issuer) && listed.contains("role-claim=groups"), "{listed}");
    // Known, but nothing was granted.
    world.until(&token, 404).await;
    assert_eq!(
        world.operate(&["grant", "add", "acme", "--client", "reader", "--urn", "urn:nsb:*"]).code,
        Some(0)
    );
    world.until(&token, 200).await;
    assert_eq!(world.read(&world.token()).await.0, 200, "the other provider's tenant is as it was");

    refused(&provider.token("https://elsewhere.test/api").await).await;
    // An audience that is good for the other tenants only.
    refused(&provider.token(&world.idp.service().application_id_uri).await).await;
    let stranger = Provider::start("Content.Read").expect("the first one did start");
    refused(&stranger.token(AUDIENCE).await).await;
    let said = world.operate(&["doctor", "operator", "--audience", "api://norma"]);
    assert!(
        said.out.contains(&format!("{}: 1 key from {}/jwks", provider.issuer, provider.issuer)),
        "{}",
        said.out
    );

    // Its tokens are as good as its claims: another role claim, and the role is missing.
    assert_eq!(world.operate(&add[..7]).code, Some(0));
    world.until(&token, 401).await;
    let again = [&add[..7], &["--audience", AUDIENCE]].concat();
    assert_eq!(world.operate(&again).code, Some(0));
    world.until(&token, 403).await;
    assert_eq!(world.read(&token).await.1, "role-missing");
}
