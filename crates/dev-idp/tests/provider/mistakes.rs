//! Tests of every invalid token request that the real provider distinguishes, and its error.

use jiff::Timestamp;
use norma_dev_idp::{DevIdp, Guid};
use serde_json::Value;

use crate::fixture::{Fixture, answer};

/// The mistake, the changed fields, and status, error and code of the answer.
type Row<'a> = (&'a str, &'a [(&'static str, Option<&'a str>)], (u16, &'a str, u64));

/// Asserts status, error and code of one answer, and the properties of every refusal.
fn assert_refused(what: &str, (status, body): (u16, Value), expected: (u16, &str, u64)) {
    assert_eq!(
        (status, body["error"].as_str(), body["error_codes"][0].as_u64()),
        (expected.0, Some(expected.1), Some(expected.2)),
        "{what}: {body}"
    );
    let members: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        members,
        ["error", "error_description", "error_codes", "timestamp", "trace_id", "correlation_id"],
        "{what}"
    );
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    let description = text("error_description");
    assert!(description.starts_with(&format!("AADSTS{}: ", expected.2)), "{what}: {description}");
    let end = format!(
        " Trace ID: {} Correlation ID: {} Timestamp: {}",
        text("trace_id"),
        text("correlation_id"),
        text("timestamp")
    );
    assert!(description.ends_with(&end), "{what}: {description}");
    assert!(jiff::fmt::strtime::parse("%Y-%m-%d %H:%M:%SZ", text("timestamp")).is_ok(), "{what}");
    for id in ["trace_id", "correlation_id"] {
        assert!(text(id).parse::<Guid>().is_ok(), "{what}: {id}");
    }
}

#[tokio::test]
async fn each_wrong_field_gets_its_own_code() {
    let f = Fixture::start().await;
    let service = f.idp.service();
    let (service_id, service_scope) =
        (service.client_id.to_string(), format!("{}/.default", service.client_id));
    let unknown = Guid::random().to_string();
    let expired = f.idp.add_secret(f.tenant, f.client.client_id, Some(Timestamp::UNIX_EPOCH)).unwrap();
    let rows: &[Row<'_>] = &[
        ("no credential", &[("client_secret", None)], (401, "invalid_client", 7000216)),
        ("an empty credential", &[("client_secret", Some(""))], (401, "invalid_client", 7000216)),
        (
            "no credential is seen before anything else",
            &[
                ("client_secret", None),
                ("grant_type", Some("password")),
                ("client_id", None),
                ("scope", None),
            ],
            (401, "invalid_client", 7000216),
        ),
        ("no grant type", &[("grant_type", None)], (400, "invalid_request", 900144)),
        ("no client id", &[("client_id", None)], (400, "invalid_request", 900144)),
        ("no scope", &[("scope", None)], (400, "invalid_request", 900144)),
        ("unknown grant type", &[("grant_type", Some("magic"))], (400, "unsupported_grant_type", 70003)),
        ("a grant for people", &[("grant_type", Some("password"))], (400, "unsupported_grant_type", 70003)),
        (
            "grant type is seen before the client",
            &[("grant_type", Some("magic")), ("client_id", Some(&unknown))],
            (400, "unsupported_grant_type", 70003),
        ),
        ("unknown client id", &[("client_id", Some(&unknown))], (400, "unauthorized_client", 700016)),
        (
            "a client id that is not a GUID",
            &[("client_id", Some("nightly"))],
            (400, "unauthorized_client", 700016),
        ),
        (
            "client is seen before the secret and the scope",
            &[("client_id", Some(&unknown)), ("client_secret", Some("x")), ("scope", Some("x"))],
            (400, "unauthorized_client", 700016),
        ),
        ("wrong secret", &[("client_secret", Some("wrong"))], (401, "invalid_client", 7000215)),
        ("expired secret", &[("client_secret", Some(expired.expose()))], (401, "invalid_client", 7000222)),
        (
            "the service's client id with one's own secret",
            &[("client_id", Some(&service_id))],
            (401, "invalid_client", 7000215),
        ),
        (
            "secret is seen before the scope",
            &[("client_secret", Some("wrong")), ("scope", Some("x"))],
            (401, "invalid_client", 7000215),
        ),
        ("scope without its suffix", &[("scope", Some("api://norma"))], (400, "invalid_scope", 1002012)),
        (
            "scope of the role",
            &[("scope", Some("api://norma/Content.Read"))],
            (400, "invalid_scope", 1002012),
        ),
        ("scope of unknown form", &[("scope", Some("norma/.default"))], (400, "invalid_scope", 70011)),
        (
            "two resources",
            &[("scope", Some("api://norma/.default api://other/.default"))],
            (400, "invalid_scope", 700022),
        ),
        ("unknown resource", &[("scope", Some("api://other/.default"))], (400, "invalid_resource", 500011)),
        (
            "unknown resource by id",
            &[("scope", Some("00000003-0000-0000-c000-000000000000/.default"))],
            (400, "invalid_resource", 500011),
        ),
        ("a resource parameter", &[("resource", Some("api://norma"))], (400, "invalid_request", 901002)),
        (
            "a resource parameter alone",
            &[("resource", Some("api://norma")), ("scope", None)],
            (400, "invalid_request", 901002),
        ),
        (
            "a secret and an assertion",
            &[("client_assertion", Some("a.b.c"))],
            (400, "invalid_request", 90023),
        ),
    ];
    for (what, changes, expected) in rows {
        assert_refused(what, f.ask(&f.fields_but(changes)).await, *expected);
    }
    let right = f.ask(&f.fields_but(&[("scope", Some(&service_scope))])).await;
    assert_eq!(right.0, 200, "the service's client id is right in the scope: {}", right.1);
}

#[tokio::test]
async fn each_wrong_tenant_gets_its_own_code() {
    let f = Fixture::start().await;
    let unknown = Guid::random().to_string();
    let elsewhere = f.idp.add_tenant("Elsewhere").unwrap().to_string();
    for (tenant, expected) in [
        (unknown.as_str(), (400, "invalid_request", 90002)),
        ("nobody.example", (400, "invalid_request", 90002)),
        ("nobody", (400, "invalid_request", 900023)),
        ("no%20body.example", (400, "invalid_request", 900023)),
        ("common", (400, "invalid_request", 9001023)),
        ("organizations", (400, "invalid_request", 9001023)),
        ("consumers", (400, "invalid_request", 9001023)),
        (&elsewhere, (400, "unauthorized_client", 700016)),
    ] {
        let response = f.http.post(f.token_url(tenant)).form(&f.fields()).send().await.unwrap();
        assert_refused(tenant, answer(response).await, expected);
    }
    let bad_client_too = f.fields_but(&[("client_id", Some(&unknown)), ("client_secret", Some("x"))]);
    let response = f.http.post(f.token_url(&unknown)).form(&bad_client_too).send().await.unwrap();
    assert_refused("tenant before client", answer(response).await, (400, "invalid_request", 90002));
    let bad_grant_too = f.fields_but(&[("grant_type", Some("magic"))]);
    let response = f.http.post(f.token_url(&unknown)).form(&bad_grant_too).send().await.unwrap();
    assert_refused(
        "grant type before tenant",
        answer(response).await,
        (400, "unsupported_grant_type", 70003),
    );
}

#[tokio::test]
async fn each_wrong_request_form_gets_its_own_code() {
    let f = Fixture::start().await;
    let url = f.token_url(f.tenant);
    let form = "application/x-www-form-urlencoded";
    let body = "grant_type=client_credentials&client_secret=x&client_id=y&scope=z";
    let twice = format!("{body}&scope=z");
    for (what, request, expected) in [
        ("GET", f.http.get(&url), (400, "invalid_request", 900561)),
        ("PUT", f.http.put(&url).form(&f.fields()), (400, "invalid_request", 900561)),
        ("no body", f.http.post(&url), (400, "invalid_request", 90014)),
        ("an empty form", f.http.post(&url).header("content-type", form), (400, "invalid_request", 90014)),
        ("JSON", f.http.post(&url).json(&serde_json::json!({ "a": 1 })), (400, "invalid_request", 90014)),
        (
            "a form under another type",
            f.http.post(&url).header("content-type", "text/plain").body(body),
            (400, "invalid_request", 90014),
        ),
        (
            "a body beyond the limit",
            f.http.post(&url).header("content-type", form).body("x".repeat(70_000)),
            (400, "invalid_request", 90014),
        ),
        (
            "a parameter twice",
            f.http.post(&url).header("content-type", form).body(twice),
            (400, "invalid_request", 9000411),
        ),
    ] {
        assert_refused(what, answer(request.send().await.unwrap()).await, expected);
    }
}

#[tokio::test]
async fn the_state_of_the_directory_decides_what_a_right_request_gets() {
    let f = Fixture::start().await;
    let fields = f.fields();
    let (tenant, client) = (f.tenant, f.client.client_id);
    let claims = |token: &str| crate::tokens::claims(token);
    let own_scope = format!("api://{client}/.default");

    let own = f.token(&f.fields_but(&[("scope", Some(&own_scope))])).await;
    assert_eq!(claims(&own)["aud"], format!("api://{client}"), "a token for the wrong audience");
    assert!(claims(&own).get("roles").is_none());

    f.idp.revoke_role(tenant, client).unwrap();
    assert!(claims(&f.token(&fields).await).get("roles").is_none(), "consented, role not granted");
    f.idp.add_role(tenant, client).unwrap();
    assert!(claims(&f.token(&fields).await).get("roles").is_none(), "role added, not granted");

    f.idp.set_assignment_required(true);
    assert_refused("assignment required", f.ask(&fields).await, (400, "invalid_grant", 501051));
    f.idp.grant_role(tenant, client).unwrap();
    assert_eq!(claims(&f.token(&fields).await)["roles"], serde_json::json!(["Content.Read"]));

    f.idp.withdraw_consent(tenant).unwrap();
    assert_refused("before consent", f.ask(&fields).await, (400, "invalid_resource", 500011));
    let service = f.idp.service().client_id.to_string();
    let as_service = f.fields_but(&[("client_id", Some(&service))]);
    assert_refused(
        "the service's id before consent",
        f.ask(&as_service).await,
        (400, "unauthorized_client", 700016),
    );

    f.idp.set_disabled(tenant, client, true).unwrap();
    assert_refused("disabled", f.ask(&fields).await, (400, "unauthorized_client", 7000112));
}

#[tokio::test]
async fn a_refusal_echoes_the_callers_request_id_and_gives_advice() {
    let f = Fixture::start().await;
    let id = Guid::random().to_string();
    let wrong = f.fields_but(&[("client_secret", Some("wrong"))]);
    let response = f.post(&wrong).header("client-request-id", &id).send().await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store, no-cache");
    assert_eq!(response.headers()["pragma"], "no-cache");
    let request_id = response.headers()["x-ms-request-id"].to_str().unwrap().to_owned();
    let (_, body) = answer(response).await;
    assert_eq!(body["correlation_id"], id);
    assert_eq!(body["trace_id"], request_id);
    let description = body["error_description"].as_str().unwrap();
    assert!(description.contains("send the secret's value, not its id"), "{description}");
    let mut in_form = wrong.clone();
    in_form.push(("client-request-id", id.clone()));
    assert_eq!(f.ask(&in_form).await.1["correlation_id"], id, "official libraries send it in the form too");
}

#[tokio::test]
async fn fields_and_queries_of_no_meaning_are_let_through() {
    let f = Fixture::start().await;
    let mut fields = f.fields();
    fields.extend([("x-client-SKU", "MSAL.Node".to_owned()), ("x-client-SKU", "twice".to_owned())]);
    let url = format!("{}?client-request-id={}", f.token_url(f.tenant), Guid::random());
    let response = f.http.post(url).form(&fields).send().await.unwrap();
    assert_eq!(answer(response).await.0, 200);
}

#[tokio::test]
async fn basic_credentials_are_as_good_as_those_in_the_form() {
    let f = Fixture::start().await;
    let (id, secret) = (f.client.client_id.to_string(), f.client.secret.expose());
    let bare = f.fields_but(&[("client_id", None), ("client_secret", None)]);
    let basic = |id: &str, secret: &str| f.post(&bare).basic_auth(id, Some(secret)).send();
    assert_eq!(answer(basic(&id, secret).await.unwrap()).await.0, 200);
    assert_refused(
        "wrong",
        answer(basic(&id, "wrong").await.unwrap()).await,
        (401, "invalid_client", 7000215),
    );
    let both = f.post(&f.fields()).basic_auth(&id, Some(secret)).send().await.unwrap();
    assert_refused("both", answer(both).await, (400, "invalid_request", 90023));
    let other = f.fields_but(&[("client_id", Some(&Guid::random().to_string())), ("client_secret", None)]);
    let other = f.post(&other).basic_auth(&id, Some(secret)).send().await.unwrap();
    assert_refused("two clients", answer(other).await, (400, "invalid_request", 90023));
    let bearer = f.post(&bare).bearer_auth("x").send().await.unwrap();
    assert_refused("bearer", answer(bearer).await, (401, "invalid_client", 7000216));
}

#[tokio::test]
async fn a_basic_secret_is_form_decoded_before_it_is_compared() {
    let id = Guid::random();
    let mut settings = norma_dev_idp::DevIdpSettings::ephemeral();
    let secret = "p%q+r =&:ö";
    settings.clients.push(norma_dev_idp::ClientSettings {
        secrets: vec![norma_dev_idp::SecretSettings { value: secret.into(), expires: None }],
        ..crate::lifecycle::client(settings.service.tenant_id, id)
    });
    let idp = DevIdp::start(settings).await.unwrap();
    let encoded: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let response = crate::fixture::http()
        .post(format!("{}/{}/oauth2/v2.0/token", idp.url(), idp.service().tenant_id))
        .basic_auth(id, Some(encoded))
        .form(&[("grant_type", "client_credentials"), ("scope", crate::fixture::SCOPE)])
        .send()
        .await
        .unwrap();
    assert_eq!(answer(response).await.0, 200);
}
