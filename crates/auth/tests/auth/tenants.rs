//! Tests of tenants that are added, removed and suspended while tokens are in use.

use crate::forge::*;
use norma_auth::{Profile, RegisteredTenant, TenantId, Tenants, Verifier};

async fn verdict(verifier: &Verifier, token: &str) -> String {
    name(&verifier.verify(token, at(0)).await)
}

fn register(verifier: &Verifier, tenants: impl IntoIterator<Item = RegisteredTenant>) {
    verifier.replace_tenants(Tenants::new(tenants).unwrap());
}

#[tokio::test]
async fn a_removed_tenant_is_refused_immediately_and_its_tokens_are_dropped() {
    let (verifier, _) = stage(rules());
    let caller = caller_of(&verifier, &good(), 0).await;
    assert!(caller.upgrade().is_some());
    register(&verifier, [tenant(TENANT_B)]);
    assert!(caller.upgrade().is_none());
    assert_eq!(verdict(&verifier, &good()).await, "IssuerUnknown");
    register(&verifier, [tenant(TENANT_A)]);
    assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
}

#[tokio::test]
async fn tenants_that_stay_keep_their_keys_and_remembered_tokens() {
    let (verifier, provider) = stage(rules());
    let caller = caller_of(&verifier, &good(), 0).await;
    let request_count = provider.request_count();
    register(&verifier, [tenant(TENANT_A), tenant(TENANT_B), tenant(TENANT_X)]);
    assert!(caller.ptr_eq(&caller_of(&verifier, &good(), 0).await));
    assert_eq!(provider.request_count(), request_count);
}

#[tokio::test]
async fn a_suspended_tenant_or_client_is_refused_with_new_and_with_remembered_tokens_alike() {
    let fresh = K1.token(&header().to_string(), &claims().text("uti", "fresh").to_string());
    for client in [None, Some(CLIENT.to_owned()), Some(CLIENT.to_uppercase())] {
        let (verifier, _) = stage(rules());
        assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
        let mut tenant = tenant(TENANT_A);
        tenant.suspended = client.is_none();
        tenant.suspended_clients = client.into_iter().collect();
        register(&verifier, [tenant.clone()]);
        assert_eq!(verdict(&verifier, &good()).await, "Suspended");
        assert_eq!(verdict(&verifier, &fresh).await, "Suspended");
        assert_eq!(verdict(&verifier, &fresh).await, "Suspended", "remembered meanwhile");
        tenant.suspended = false;
        tenant.suspended_clients.clear();
        register(&verifier, [tenant]);
        assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
    }
}

#[tokio::test]
async fn suspension_is_reported_only_for_good_tokens() {
    let (verifier, _) = stage(rules());
    let mut suspended = tenant(TENANT_A);
    suspended.suspended = true;
    register(&verifier, [suspended]);
    let text = header().to_string();
    let rows = [
        (K2.token(&text, &claims().to_string()), "Signature"),
        (K1.token(&text, &claims().text("aud", "other").to_string()), "Audience"),
        (K1.token(&text, &claims().set("exp", "1").to_string()), "Expired"),
        (K1.token(&text, &claims().without("roles").to_string()), "RoleMissing"),
    ];
    for (token, expected) in rows {
        assert_eq!(verdict(&verifier, &token).await, expected);
    }
}

#[tokio::test]
async fn a_suspension_does_not_affect_other_clients_of_the_tenant() {
    let (verifier, _) = stage(rules());
    let mut tenant = tenant(TENANT_A);
    tenant.suspended_clients = vec!["c0ffee00-0000-4000-8000-00000000ffff".into()];
    register(&verifier, [tenant]);
    assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
}

#[tokio::test]
async fn a_changed_profile_starts_without_keys_and_without_remembered_tokens() {
    let (verifier, provider) = stage(rules());
    assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
    let mut moved = tenant(TENANT_A);
    moved.profiles[0].jwks_uri = Some("https://login.test/moved".into());
    provider.publish("https://login.test/moved", key_set(&[K2.jwk("k1")]));
    register(&verifier, [moved]);
    assert_eq!(verdict(&verifier, &good()).await, "Signature");
}

#[tokio::test]
async fn what_changes_while_a_request_waits_for_keys_counts_for_it() {
    let mut suspended = tenant(TENANT_A);
    suspended.suspended = true;
    let mut moved = tenant(TENANT_A);
    moved.profiles[0].jwks_uri = Some("https://login.test/moved".into());
    let changes = [(suspended, "Suspended"), (moved, "KeyUnknown"), (tenant(TENANT_B), "KeyUnknown")];
    for (tenant, expected) in changes {
        let (verifier, provider) = stage(rules());
        let (gate, token) = (provider.hold(), good());
        let (met, ()) = tokio::join!(verdict(&verifier, &token), async {
            register(&verifier, [tenant]);
            gate.add_permits(1);
        });
        assert_eq!(met, expected);
    }
}

#[tokio::test]
async fn an_issuer_that_moves_to_another_tenant_takes_nothing_along() {
    let (verifier, _) = stage(rules());
    assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
    let mut other = tenant(TENANT_B);
    other.profiles = tenant(TENANT_A).profiles;
    register(&verifier, [other]);
    assert_eq!(verdict(&verifier, &good()).await, "Tenant");
}

#[test]
fn tenants_that_contradict_each_other_are_refused_by_name() {
    let error = |tenants: &[RegisteredTenant]| Tenants::new(tenants.to_vec()).unwrap_err().to_string();
    let (a, mut b) = (tenant(TENANT_A), tenant(TENANT_B));
    assert!(error(&[a.clone(), a.clone()]).contains("registered twice"));
    b.profiles.push(a.profiles[0].clone());
    let text = error(&[a, b.clone()]);
    assert!(text.contains(TENANT_B) && text.contains(&issuer(TENANT_A)), "{text}");
    b.profiles.clear();
    assert!(error(&[b]).contains("no issuer"));
}

#[test]
fn a_tenant_id_is_a_guid_in_lower_case_or_a_plain_name() {
    let id = |text: &str| text.parse::<TenantId>();
    assert_eq!(id(&TENANT_A.to_uppercase()).unwrap().as_str(), TENANT_A);
    assert_eq!(id("acme-2.eu").unwrap().to_string(), "acme-2.eu");
    for bad in ["", "-a", "Acme", "a b", "a/b", "é", "../x", &"a".repeat(65)] {
        assert!(id(bad).is_err(), "{bad}");
    }
}

#[test]
fn profiles_follow_the_templates_and_refuse_what_would_be_unsafe() {
    let id = tenant_id(TENANT_A);
    let v2 = Profile::v2("https://login.test/", &id).unwrap();
    assert_eq!(v2.issuer, issuer(TENANT_A));
    assert_eq!(v2.jwks_uri.unwrap(), keys_url(TENANT_A));
    let v1 = Profile::v1(HOST, STS, &id).unwrap();
    assert_eq!(v1.issuer, format!("https://sts.test/{TENANT_A}/"));
    assert_eq!(v1.jwks_uri.unwrap(), keys_url_v1(TENANT_A));
    assert!(Profile::v1(HOST, "https://sts.test/", &id).is_err(), "all tenants would share it");
    assert!(Profile::v2(HOST, &tenant_id("acme")).is_err(), "not a GUID");
    for url in [
        "http://login.test",
        "ftp://login.test",
        "login.test",
        "https://u:p@login.test",
        "https://login.test/#x",
        "http://127.0.0.1.evil.test",
    ] {
        assert!(Profile::v2(url, &id).is_err(), "{url}");
        assert!(Profile::other("https://op.test", Some(url)).is_err(), "{url}");
        assert!(Profile::other(url, None).is_err(), "{url}");
    }
    for url in ["http://localhost:8400", "http://127.0.0.1:8400", "http://[::1]:8400"] {
        assert!(Profile::v2(url, &id).is_ok(), "{url}");
    }
}

#[tokio::test]
async fn a_tenant_without_a_tenant_claim_is_separate_from_others() {
    let (verifier, provider) = stage(rules());
    let issuer = "https://own.test";
    provider.publish("https://own.test/keys", key_set(&[K2.jwk("k2")]));
    let mut profile = Profile::other(issuer, Some("https://own.test/keys")).unwrap();
    profile.types = vec!["at+jwt".into()];
    profile.type_optional = true;
    profile.tenant_claim = None;
    profile.client_claims = vec!["sub".into()];
    profile.role_claim = "groups".into();
    profile.audiences = Some(vec!["https://norma.test/api".into()]);
    let own = RegisteredTenant {
        id: tenant_id("acme"),
        profiles: vec![profile],
        suspended: false,
        suspended_clients: vec![],
    };
    register(&verifier, [tenant(TENANT_A), own]);

    let head = header().text("kid", "k2").text("typ", "at+jwt");
    let body = claims().without("tid").without("azp").without("roles").text("iss", issuer);
    let body = body
        .text("aud", "https://norma.test/api")
        .text("sub", "reader")
        .set("groups", &format!("[\"{ROLE}\"]"));
    let sign = |head: &Members, body: &Members| K2.token(&head.to_string(), &body.to_string());
    let caller = verifier.verify(&sign(&head, &body), at(0)).await.unwrap();
    assert_eq!((caller.tenant.as_str(), caller.client.as_str()), ("acme", "reader"));
    assert_eq!(verdict(&verifier, &sign(&head.clone().without("typ"), &body)).await, "VerifiedToken");
    for (what, head, body, expected) in [
        ("another typ", head.clone().text("typ", "JWT"), body.clone(), "Type"),
        ("the others' audience", head.clone(), body.clone().text("aud", AUDIENCE), "Audience"),
        (
            "the others' role claim",
            head.clone(),
            body.clone().without("groups").set("roles", &format!("[\"{ROLE}\"]")),
            "RoleMissing",
        ),
        ("the others' client claim", head.clone(), body.clone().without("sub").text("azp", CLIENT), "Client"),
        (
            "another tenant's issuer",
            head.clone(),
            body.clone().text("iss", &crate::forge::issuer(TENANT_A)),
            "KeyUnknown",
        ),
    ] {
        assert_eq!(verdict(&verifier, &sign(&head, &body)).await, expected, "{what}");
    }
    assert_eq!(verdict(&verifier, &good()).await, "VerifiedToken");
    let theirs = claims().text("aud", "https://norma.test/api").to_string();
    assert_eq!(verdict(&verifier, &K1.token(&header().to_string(), &theirs)).await, "Audience");
}

#[test]
fn a_profile_that_cannot_work_or_names_nothing_is_refused() {
    type Change = fn(&mut Profile);
    let changes: [(&str, Change); 8] = [
        ("no type", |profile| profile.types.clear()),
        ("an empty type", |profile| profile.types = vec![String::new()]),
        ("an empty tenant claim", |profile| profile.tenant_claim = Some(String::new())),
        ("no client claim", |profile| profile.client_claims.clear()),
        ("an empty role claim", |profile| profile.role_claim.clear()),
        ("no audience", |profile| profile.audiences = Some(Vec::new())),
        ("an empty audience", |profile| profile.audiences = Some(vec![String::new()])),
        ("two audiences in one", |profile| profile.audiences = Some(vec!["a b".into()])),
    ];
    for (what, change) in changes {
        let mut tenant = tenant(TENANT_A);
        change(&mut tenant.profiles[0]);
        assert!(Tenants::new([tenant]).is_err(), "{what}");
    }
}
