//! Start, restart and end: addresses, configuration, the state file, TLS.

use std::os::unix::fs::PermissionsExt;

use norma_dev_idp::{ClientSettings, DevIdp, DevIdpError, DevIdpSettings, Guid, RoleGrant, TenantSettings};

use crate::fixture::{Fixture, answer, http};

/// A client registration with nothing to it.
pub(crate) fn client(tenant_id: Guid, client_id: Guid) -> ClientSettings {
    ClientSettings {
        tenant_id,
        client_id,
        name: "Reader".into(),
        application_id_uri: None,
        secrets: Vec::new(),
        certificates: Vec::new(),
        disabled: false,
        role: RoleGrant::Absent,
    }
}

async fn failure(settings: DevIdpSettings) -> String {
    DevIdp::start(settings).await.map(|idp| idp.url().to_owned()).unwrap_err().to_string()
}

#[tokio::test]
async fn only_loopback_addresses_are_served() {
    for address in ["0.0.0.0:0", "192.0.2.1:0", "[::]:0", "[2001:db8::1]:0", "[::ffff:127.0.0.1]:0"] {
        let settings = DevIdpSettings { listen: address.parse().unwrap(), ..DevIdpSettings::default() };
        let error = DevIdp::start(settings).await.err().unwrap();
        assert!(matches!(error, DevIdpError::NotLoopback { .. }), "{address}");
        assert!(error.to_string().contains("127.0.0.1:8400"), "{error}");
    }
    for (address, url) in [("127.0.0.1:0", "http://127.0.0.1:"), ("127.8.9.1:0", "http://127.8.9.1:")] {
        let settings = DevIdpSettings { listen: address.parse().unwrap(), ..DevIdpSettings::default() };
        let idp = DevIdp::start(settings).await.unwrap();
        assert!(idp.url().starts_with(url), "{}", idp.url());
        assert!(idp.banner().contains("DEVELOPMENT") && idp.banner().contains(idp.url()));
        idp.shutdown().await.unwrap();
    }
}

#[tokio::test]
async fn an_address_in_use_is_reported_and_free_again_after_shutdown() {
    let idp = DevIdp::start(DevIdpSettings::ephemeral()).await.unwrap();
    let listen = idp.url().trim_start_matches("http://").parse().unwrap();
    let again = || DevIdpSettings { listen, ..DevIdpSettings::default() };
    assert!(matches!(DevIdp::start(again()).await, Err(DevIdpError::Listen { .. })));
    idp.shutdown().await.unwrap();
    idp.shutdown().await.unwrap();
    assert!(http().get(idp.url()).send().await.is_err(), "nobody listens any more");
    DevIdp::start(again()).await.unwrap();
}

#[test]
fn the_example_is_a_configuration_with_the_documented_defaults() {
    let example = DevIdpSettings::from_toml(DevIdpSettings::EXAMPLE).unwrap();
    let default = DevIdpSettings::default();
    assert_eq!(example.service, default.service);
    assert_eq!(
        (example.listen, example.tls, example.token_lifetime_seconds, example.refuse_replayed_assertions),
        (default.listen, default.tls, default.token_lifetime_seconds, default.refuse_replayed_assertions)
    );
    assert_eq!(example.shutdown_seconds, default.shutdown_seconds);
    assert_eq!((example.tenants.len(), example.clients[0].role), (1, RoleGrant::Granted));
    assert!(!format!("{example:?}").contains("for-development-only"), "a secret is not printed");
    assert!(DevIdpSettings::from_toml("").is_ok());
}

#[tokio::test]
async fn an_invalid_configuration_is_refused_with_its_position() {
    for (toml, word) in [
        ("token-lifetime = 1", "token-lifetime"),
        ("listen = \"localhost:8400\"", "listen"),
        ("[service]\ntenant-id = \"operator\"", "not a GUID"),
    ] {
        let error = DevIdpSettings::from_toml(toml).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    let (tenant, id) = (Guid::random(), Guid::random());
    let known = TenantSettings { id: tenant, name: "Reader".into(), domains: Vec::new(), consented: false };
    let base = || DevIdpSettings { tenants: vec![known.clone()], ..DevIdpSettings::ephemeral() };

    let mut settings = DevIdpSettings::ephemeral();
    settings.clients.push(client(tenant, id));
    assert!(failure(settings).await.contains("not among [[tenants]]"));
    let mut settings = base();
    settings.clients.push(ClientSettings { role: RoleGrant::Granted, ..client(tenant, id) });
    assert!(failure(settings).await.contains("consented = true"));
    let mut settings = base();
    settings.clients.push(client(tenant, settings.service.client_id));
    assert!(failure(settings).await.contains("client id of the service API"));
    let mut settings = base();
    settings.clients.push(ClientSettings { certificates: vec!["no/such.pem".into()], ..client(tenant, id) });
    assert!(failure(settings).await.contains("no/such.pem"));
    let mut settings = base();
    settings
        .clients
        .push(ClientSettings { certificates: vec!["-----BEGIN nothing".into()], ..client(tenant, id) });
    assert!(failure(settings).await.contains("certificate"));
    let mut settings = base();
    settings.service.application_id_uri = "norma".into();
    assert!(failure(settings).await.contains("api://"));
}

#[tokio::test]
async fn keys_and_registrations_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let settings = || DevIdpSettings { state_file: Some(path.clone()), ..DevIdpSettings::ephemeral() };
    let first = Fixture::with(settings()).await;
    first.idp.rotate_keys(std::time::Duration::from_secs(600)).await.unwrap();
    let keys_path = format!("/{}/discovery/keys", first.tenant);
    let (_, keys) = first.get(&keys_path).await;
    let before = crate::tokens::claims(&first.token(&first.fields()).await);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(first.client.secret.expose()), "secrets are kept as digests");
    first.idp.shutdown().await.unwrap();

    let second = DevIdp::start(settings()).await.unwrap();
    let second = Fixture { idp: second, http: http(), tenant: first.tenant, client: first.client.clone() };
    assert_eq!(second.get(&keys_path).await.1, keys);
    let after = crate::tokens::claims(&second.token(&second.fields()).await);
    assert_eq!((&after["oid"], &after["roles"]), (&before["oid"], &before["roles"]));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");

    std::fs::write(&path, "{}").unwrap();
    assert!(failure(settings()).await.contains("state.json"));
}

#[tokio::test]
async fn the_configuration_is_merged_into_the_state_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let mut settings = DevIdpSettings::from_toml(DevIdpSettings::EXAMPLE).unwrap();
    settings.listen.set_port(0);
    settings.state_file = Some(path);
    let (tenant, id) = (settings.clients[0].tenant_id, settings.clients[0].client_id);
    let idp = DevIdp::start(settings.clone()).await.unwrap();
    let added = idp.add_secret(tenant, id, None).unwrap();
    idp.shutdown().await.unwrap();

    settings.clients[0].disabled = true;
    let idp = DevIdp::start(settings.clone()).await.unwrap();
    let ask = async |idp: &DevIdp, secret: &str| {
        let fields = [
            ("grant_type", "client_credentials"),
            ("client_id", &id.to_string()),
            ("client_secret", secret),
            ("scope", crate::fixture::SCOPE),
        ];
        let url = format!("{}/{tenant}/oauth2/v2.0/token", idp.url());
        answer(http().post(url).form(&fields).send().await.unwrap()).await
    };
    assert_eq!(ask(&idp, added.expose()).await.1["error_codes"][0], 7000112);
    idp.set_disabled(tenant, id, false).unwrap();
    for secret in [added.expose(), "for-development-only"] {
        assert_eq!(ask(&idp, secret).await.0, 200);
    }
    assert_eq!(ask(&idp, "already-expired").await.1["error_codes"][0], 7000222);
    idp.shutdown().await.unwrap();

    settings.clients[0].secrets.clear();
    settings.clients[0].disabled = false;
    let idp = DevIdp::start(settings).await.unwrap();
    assert_eq!(ask(&idp, "for-development-only").await.1["error_codes"][0], 7000215, "taken out again");
    assert_eq!(ask(&idp, added.expose()).await.0, 200);
}

#[tokio::test]
async fn tls_is_trusted_by_the_certificate_that_is_handed_out_and_by_nothing_else() {
    let settings = || DevIdpSettings { tls: true, ..DevIdpSettings::ephemeral() };
    let idp = DevIdp::start(settings()).await.unwrap();
    assert!(idp.url().starts_with("https://127.0.0.1:"));
    let path = idp.certificate_path().unwrap().to_owned();
    let pem = std::fs::read(&path).unwrap();
    let root = reqwest::Certificate::from_pem(&pem).unwrap();
    let trusting = reqwest::Client::builder().no_proxy().tls_certs_only([root]).build().unwrap();
    let document = "/common/v2.0/.well-known/openid-configuration";
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("{}{document}", idp.url().replace("127.0.0.1", host));
        assert_eq!(trusting.get(url).send().await.unwrap().status(), 200, "{host}");
    }
    assert!(http().get(format!("{}{document}", idp.url())).send().await.is_err(), "no stranger trusts it");

    let folder = tempfile::tempdir().unwrap();
    let chosen = folder.path().join("trust.pem");
    let idp =
        DevIdp::start(DevIdpSettings { certificate_file: Some(chosen.clone()), ..settings() }).await.unwrap();
    assert_eq!(idp.certificate_path(), Some(chosen.as_path()));
    assert!(std::fs::read_to_string(chosen).unwrap().contains("BEGIN CERTIFICATE"));
}

#[tokio::test]
async fn shutdown_does_not_wait_for_a_half_sent_request() {
    use std::io::Write;
    let settings = DevIdpSettings { shutdown_seconds: 0, ..DevIdpSettings::ephemeral() };
    let idp = DevIdp::start(settings).await.unwrap();
    let mut half = std::net::TcpStream::connect(idp.url().trim_start_matches("http://")).unwrap();
    half.write_all(b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: loc").unwrap();
    tokio::time::timeout(std::time::Duration::from_secs(5), idp.shutdown()).await.unwrap().unwrap();
}

#[test]
fn a_guid_is_read_in_its_hyphenated_form_only() {
    let id = "0f9a3c5e-7d21-4b86-9e54-3a1b2c4d5e6f";
    assert_eq!(id.to_uppercase().parse::<Guid>().unwrap().to_string(), id);
    let simple = id.replace('-', "");
    for wrong in ["", "nobody", &simple, &format!("{{{id}}}"), &format!("urn:uuid:{id}"), &format!("{id} ")] {
        assert!(wrong.parse::<Guid>().is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn a_step_out_of_order_is_refused_with_the_missing_step() {
    let idp = DevIdp::start(DevIdpSettings::ephemeral()).await.unwrap();
    let unknown = Guid::random();
    assert!(matches!(idp.consent(unknown), Err(DevIdpError::UnknownTenant(_))));
    assert!(matches!(idp.register_client(unknown, "x"), Err(DevIdpError::UnknownTenant(_))));
    let tenant = idp.add_tenant("Reader").unwrap();
    let app = idp.register_client(tenant, "Nightly").unwrap();
    assert!(matches!(idp.grant_role(tenant, app.client_id), Err(DevIdpError::NotConsented(_))));
    assert!(matches!(idp.add_role(tenant, unknown), Err(DevIdpError::UnknownClient { .. })));
    assert!(matches!(idp.add_certificate(tenant, app.client_id, "no PEM"), Err(DevIdpError::Key { .. })));
    let tls = DevIdp::start(DevIdpSettings { tls: true, ..DevIdpSettings::ephemeral() }).await.unwrap();
    let pem = std::fs::read_to_string(tls.certificate_path().unwrap()).unwrap();
    let elliptic = idp.add_certificate(tenant, app.client_id, &pem);
    assert!(elliptic.unwrap_err().to_string().contains("not RSA"));
    let operator = idp.service().tenant_id;
    idp.withdraw_consent(operator).unwrap();
    let own = idp.register_client(operator, "Own").unwrap();
    idp.grant_role(operator, own.client_id).unwrap();
}
