//! Tests of tokens and metadata by a library that the provider does not use.

use std::{collections::BTreeSet, time::Duration};

use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use norma_dev_idp::DevIdpSettings;
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// The claims of a token, unverified.
pub(crate) fn claims(token: &str) -> Value {
    part(token, 1)
}

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).unwrap()).unwrap()
}

fn names(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The claims of a token whose signature fits the published key it names, or `None`.
async fn verified(f: &Fixture, keys_path: &str, token: &str) -> Option<Value> {
    let (status, set) = f.get(&format!("/{}{keys_path}", f.tenant)).await;
    assert_eq!(status, 200, "{set}");
    let kid = decode_header(token).unwrap().kid.unwrap();
    let key = set["keys"].as_array().unwrap().iter().find(|key| key["kid"] == kid)?;
    let key =
        DecodingKey::from_rsa_components(key["n"].as_str().unwrap(), key["e"].as_str().unwrap()).unwrap();
    let mut validation = Validation::new(Algorithm::RS256);
    validation.validate_aud = false;
    decode::<Value>(token, &key, &validation).ok().map(|token| token.claims)
}

#[tokio::test]
async fn a_v2_token_has_exactly_the_members_of_the_real_one() {
    let f = Fixture::start().await;
    let response = f.post(&f.fields()).send().await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store, no-cache");
    assert_eq!(response.headers()["pragma"], "no-cache");
    assert!(response.headers().contains_key("x-ms-request-id"));
    let (_, body) = crate::fixture::answer(response).await;
    assert_eq!(names(&body), BTreeSet::from(["access_token", "expires_in", "ext_expires_in", "token_type"]));
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("Bearer"), &json!(3599)));

    let token = body["access_token"].as_str().unwrap();
    let header = part(token, 0);
    assert_eq!(names(&header), BTreeSet::from(["alg", "kid", "typ"]));
    assert_eq!((&header["alg"], &header["typ"]), (&json!("RS256"), &json!("JWT")));
    let claims = verified(&f, "/discovery/v2.0/keys", token).await.expect("the signature is good");
    assert_eq!(
        names(&claims),
        BTreeSet::from([
            "aio", "aud", "azp", "azpacr", "exp", "iat", "iss", "nbf", "oid", "rh", "roles", "sub", "tid",
            "uti", "ver", "xms_ftd"
        ])
    );
    assert_eq!(claims["iss"], format!("{}/{}/v2.0", f.idp.url(), f.tenant));
    assert_eq!(claims["aud"], f.idp.service().client_id.to_string(), "the id, though a URI was asked for");
    assert_eq!(claims["azp"], f.client.client_id.to_string());
    assert_eq!((&claims["azpacr"], &claims["ver"]), (&json!("1"), &json!("2.0")));
    assert_eq!(claims["tid"], f.tenant.to_string());
    assert_eq!(claims["oid"], claims["sub"]);
    assert_ne!(claims["oid"], claims["azp"]);
    assert_eq!(claims["roles"], json!(["Content.Read"]));
    let left = claims["exp"].as_i64().unwrap() - Timestamp::now().as_second();
    assert!((3590..=3600).contains(&left), "{left}");
}

#[tokio::test]
async fn a_token_for_another_app_has_the_names_issuer_and_audience_of_version_1() {
    let f = Fixture::start().await;
    let uri = format!("api://{}", f.client.client_id);
    let token = f.token(&f.fields_but(&[("scope", Some(&format!("{uri}/.default")))])).await;
    let header = part(&token, 0);
    assert_eq!(names(&header), BTreeSet::from(["alg", "kid", "typ", "x5t"]));
    assert_eq!(header["kid"], header["x5t"]);
    let claims = verified(&f, "/discovery/keys", &token).await.expect("the signature is good");
    assert_eq!(
        names(&claims),
        BTreeSet::from([
            "aio", "appid", "appidacr", "aud", "exp", "iat", "iss", "nbf", "oid", "rh", "sub", "tid", "uti",
            "ver", "xms_ftd"
        ])
    );
    assert_eq!(claims["iss"], format!("https://sts.windows.net/{}/", f.tenant));
    assert_eq!(claims["ver"], "1.0");
    assert_eq!((&claims["aud"], &claims["appidacr"]), (&json!(uri), &json!("1")));

    let slash = f.token(&f.fields_but(&[("scope", Some(&format!("{uri}//.default")))])).await;
    assert_eq!(self::claims(&slash)["aud"], format!("{uri}/"));
    let by_id = f.token(&f.fields_but(&[("scope", Some(&format!("{}/.default", f.client.client_id)))])).await;
    assert_eq!(self::claims(&by_id)["aud"], f.client.client_id.to_string());
}

#[tokio::test]
async fn the_older_endpoint_takes_a_resource_and_answers_in_its_own_members() {
    let f = Fixture::start().await;
    let url = format!("{}/{}/oauth2/token", f.idp.url(), f.tenant);
    let fields = f.fields_but(&[("scope", None), ("resource", Some("api://norma"))]);
    let (status, body) = crate::fixture::answer(f.http.post(url).form(&fields).send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!((&body["resource"], &body["expires_in"]), (&json!("api://norma"), &json!("3599")));
    let claims = claims(body["access_token"].as_str().unwrap());
    assert_eq!(claims["ver"], "2.0", "the API decides the version, not the endpoint");
    assert_eq!(body["expires_on"], claims["exp"].to_string());
}

#[tokio::test]
async fn key_sets_have_the_members_of_the_real_ones() {
    let f = Fixture::start().await;
    let (_, v2) = f.get(&format!("/{}/discovery/v2.0/keys", f.tenant)).await;
    let (_, v1) = f.get(&format!("/{}/discovery/keys", f.tenant)).await;
    let (_, common) = f.get("/common/discovery/v2.0/keys").await;
    assert_eq!(v2["keys"].as_array().unwrap().len(), 2);
    for key in v2["keys"].as_array().unwrap() {
        assert_eq!(names(key), BTreeSet::from(["e", "issuer", "kid", "kty", "n", "use", "x5c", "x5t"]));
        assert_eq!(key["issuer"], format!("{}/{}/v2.0", f.idp.url(), f.tenant));
        assert_eq!((&key["kty"], &key["use"], &key["kid"]), (&json!("RSA"), &json!("sig"), &key["x5t"]));
        assert_eq!(BASE64URL_NOPAD.decode(key["n"].as_str().unwrap().as_bytes()).unwrap().len(), 256);
    }
    assert!(v1["keys"][0].get("issuer").is_none());
    assert_eq!(v1["keys"][0]["kid"], v2["keys"][0]["kid"]);
    assert_eq!(common["keys"][0]["issuer"], format!("{}/{{tenantid}}/v2.0", f.idp.url()));
}

#[tokio::test]
async fn metadata_names_the_endpoints_of_the_tenant_or_of_any() {
    let f = Fixture::start().await;
    let (url, tenant) = (f.idp.url().to_owned(), f.tenant);
    let (_, document) = f.get(&format!("/{tenant}/v2.0/.well-known/openid-configuration")).await;
    assert_eq!(document["issuer"], format!("{url}/{tenant}/v2.0"));
    assert_eq!(document["token_endpoint"], format!("{url}/{tenant}/oauth2/v2.0/token"));
    assert_eq!(document["authorization_endpoint"], format!("{url}/{tenant}/oauth2/v2.0/authorize"));
    assert_eq!(document["jwks_uri"], format!("{url}/{tenant}/discovery/v2.0/keys"));
    let methods = document["token_endpoint_auth_methods_supported"].as_array().unwrap();
    assert!(methods.contains(&json!("private_key_jwt")) && methods.contains(&json!("client_secret_basic")));
    for shared in ["common", "organizations"] {
        let (_, document) = f.get(&format!("/{shared}/v2.0/.well-known/openid-configuration")).await;
        assert_eq!(document["issuer"], format!("{url}/{{tenantid}}/v2.0"));
        assert_eq!(document["jwks_uri"], format!("{url}/{shared}/discovery/v2.0/keys"));
    }
    let (_, v1) = f.get(&format!("/{tenant}/.well-known/openid-configuration")).await;
    assert_eq!(v1["issuer"], format!("https://sts.windows.net/{tenant}/"));
    assert_eq!(v1["jwks_uri"], format!("{url}/{tenant}/discovery/keys"));
    let (status, unknown) = f.get("/nobody.example/v2.0/.well-known/openid-configuration").await;
    assert_eq!(
        (status, &unknown["error"], &unknown["error_codes"]),
        (400, &json!("invalid_tenant"), &json!([90002]))
    );
}

#[tokio::test]
async fn a_domain_names_its_tenant() {
    let mut settings = DevIdpSettings::from_toml(DevIdpSettings::EXAMPLE).unwrap();
    settings.listen.set_port(0);
    let f = Fixture::with(settings).await;
    let (_, document) = f.get("/Reader.Example/v2.0/.well-known/openid-configuration").await;
    assert_eq!(document["issuer"], format!("{}/7c0ffee0-1111-4222-8333-444455556666/v2.0", f.idp.url()));
}

#[tokio::test]
async fn instance_discovery_knows_one_cloud_of_one_host() {
    let f = Fixture::start().await;
    let (url, tenant) = (f.idp.url().to_owned(), f.tenant);
    let endpoint = format!("{url}/{tenant}/oauth2/v2.0/authorize");
    let (_, found) =
        f.get(&format!("/common/discovery/instance?api-version=1.1&authorization_endpoint={endpoint}")).await;
    assert_eq!(
        found["tenant_discovery_endpoint"],
        format!("{url}/{tenant}/v2.0/.well-known/openid-configuration")
    );
    assert_eq!(found["metadata"][0]["aliases"], json!([url.trim_start_matches("http://")]));
}

#[tokio::test]
async fn rotation_signs_with_the_key_published_ahead_and_keeps_the_old_one_for_the_overlap() {
    let f = Fixture::start().await;
    let path = format!("/{}/discovery/v2.0/keys", f.tenant);
    let kid = |token: &str| decode_header(token).unwrap().kid.unwrap();
    let kids = async || -> Vec<String> {
        let (_, set) = f.get(&path).await;
        set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
    };
    let before = kids().await;
    let old = f.token(&f.fields()).await;
    assert_eq!(kid(&old), before[0]);

    f.idp.rotate_keys(Duration::from_secs(600)).await.unwrap();
    let new = f.token(&f.fields()).await;
    assert_eq!(kid(&new), before[1], "the key that was published ahead");
    let during = kids().await;
    assert_eq!(during.len(), 3);
    assert!(verified(&f, "/discovery/v2.0/keys", &old).await.is_some());
    f.idp.set_clock_ahead(601);
    assert!(verified(&f, "/discovery/v2.0/keys", &old).await.is_none(), "the overlap is over");
    assert!(verified(&f, "/discovery/v2.0/keys", &new).await.is_some());

    f.idp.set_clock_ahead(0);
    f.idp.replace_keys().await.unwrap();
    let after = kids().await;
    assert!(after.iter().all(|kid| !during.contains(kid)), "nobody has seen these");
    assert!(verified(&f, "/discovery/v2.0/keys", &new).await.is_none());
}

#[tokio::test]
async fn lifetime_and_clock_decide_when_a_token_expires() {
    let f = Fixture::start().await;
    f.idp.set_token_lifetime(60);
    f.idp.set_clock_ahead(-3600);
    let (_, body) = f.ask(&f.fields()).await;
    assert_eq!(body["expires_in"], 59);
    let claims = claims(body["access_token"].as_str().unwrap());
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 60);
    assert!(
        claims["exp"].as_i64().unwrap() < Timestamp::now().as_second(),
        "a token that has expired already"
    );
}

#[tokio::test]
async fn a_test_can_have_any_claims_signed_and_a_token_without_http() {
    let f = Fixture::start().await;
    let exp = Timestamp::now().as_second() + 60;
    let token = f.idp.sign(&json!({ "exp": exp, "aud": ["anything"] })).unwrap();
    assert_eq!(verified(&f, "/discovery/v2.0/keys", &token).await.unwrap()["aud"], json!(["anything"]));
    let token = f.idp.access_token(f.tenant, f.client.client_id).unwrap();
    assert_eq!(verified(&f, "/discovery/v2.0/keys", &token).await.unwrap()["roles"], json!(["Content.Read"]));
    f.idp.withdraw_consent(f.tenant).unwrap();
    assert!(f.idp.access_token(f.tenant, f.client.client_id).is_err());
}
