//! Tests of the per-connection cache: a header that was accepted before is checked again.

use jiff::Timestamp;
use norma_auth::{ConnectionToken, Tenants, Verifier};

use crate::forge::*;
use crate::wrong;

async fn verdict(verifier: &Verifier, on: &ConnectionToken, token: &str, now: Timestamp) -> String {
    let header = format!("Bearer {token}");
    name(&verifier.authorize(&[header.as_bytes()], on, now).await)
}

#[tokio::test]
async fn after_a_good_token_every_wrong_one_is_refused_as_on_a_new_connection() {
    let (verifier, _) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let on = ConnectionToken::default();
    for (what, token, _) in wrong::all() {
        assert_eq!(verdict(&verifier, &on, &good(), at(0)).await, "VerifiedToken");
        let alone = verdict(&verifier, &ConnectionToken::default(), &token, at(0)).await;
        assert_eq!(verdict(&verifier, &on, &token, at(0)).await, alone, "{what}");
    }
}

#[tokio::test]
async fn time_suspensions_and_keys_are_looked_at_each_time() {
    let (verifier, provider) = stage(rules());
    let on = ConnectionToken::default();
    let token = good();
    for (second, expected) in
        [(0, "VerifiedToken"), (1, "VerifiedToken"), (3660, "Expired"), (2, "VerifiedToken")]
    {
        assert_eq!(verdict(&verifier, &on, &token, at(second)).await, expected, "at {second} s");
    }
    let mut suspended = tenant(TENANT_A);
    suspended.suspended_clients = vec![CLIENT.into()];
    for (tenant, expected) in
        [(suspended, "Suspended"), (tenant(TENANT_A), "VerifiedToken"), (tenant(TENANT_B), "IssuerUnknown")]
    {
        verifier.replace_tenants(Tenants::new([tenant]).unwrap());
        assert_eq!(verdict(&verifier, &on, &token, at(3)).await, expected);
    }
    verifier.replace_tenants(Tenants::new([tenant(TENANT_A)]).unwrap());
    let long = K1.token(&header().to_string(), &claims().set("exp", &(NOW + 9000).to_string()).to_string());
    assert_eq!(verdict(&verifier, &on, &long, at(4)).await, "VerifiedToken");
    provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k2")]));
    verifier.refresh_due(at(3700)).await;
    assert_eq!(verdict(&verifier, &on, &long, at(3700)).await, "KeyUnknown");
}

#[tokio::test]
async fn one_header_is_remembered_and_not_one_of_two() {
    let (verifier, _) = stage(rules());
    let on = ConnectionToken::default();
    let header = format!("Bearer {}", good());
    let sent = header.as_bytes();
    for (headers, expected) in [
        (&[sent][..], "VerifiedToken"),
        (&[sent, sent], "Malformed"),
        (&[], "Missing"),
        (&[&sent[..sent.len() - 1]], "Base64"),
        (&[sent], "VerifiedToken"),
    ] {
        assert_eq!(name(&verifier.authorize(headers, &on, at(0)).await), expected);
    }
}
