//! Tests of keys over time: rotation, outage, recovery and unknown keys, with time as an argument.

use std::{sync::Arc, time::Duration};

use crate::forge::*;
use norma_auth::{KeyHealth, Reject, Verifier};

async fn verdict(verifier: &Verifier, token: &str, second: i64) -> String {
    name(&verifier.verify(token, at(second)).await)
}

/// A token that expires ten days from now, by a key of tenant A.
fn long(key: &Rsa, kid: &str) -> String {
    let claims = claims().set("exp", &(NOW + 864_000).to_string());
    key.token(&header().text("kid", kid).to_string(), &claims.to_string())
}

fn health_of(verifier: &Verifier, issuer: &str, second: i64) -> KeyHealth {
    verifier.health(at(second)).into_iter().find(|health| health.issuer == issuer).unwrap()
}

#[tokio::test]
async fn keys_are_fetched_with_the_first_token_and_not_with_the_second() {
    let (verifier, provider) = stage(rules());
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 0).await, "VerifiedToken");
    assert_eq!(verdict(&verifier, &long(&K1, "both"), 1).await, "VerifiedToken");
    assert_eq!(provider.asked_for(), [keys_url(TENANT_A)]);
}

#[tokio::test]
async fn nothing_is_fetched_for_an_unregistered_issuer_or_a_bad_header() {
    let (verifier, provider) = stage(rules());
    let stranger = K1.token(&header().to_string(), &claims().text("iss", &issuer(TENANT_X)).to_string());
    assert_eq!(verdict(&verifier, &stranger, 0).await, "IssuerUnknown");
    let typed = K1.token(&header().text("typ", "dpop+jwt").to_string(), &claims().to_string());
    assert_eq!(verdict(&verifier, &typed, 0).await, "Type");
    assert_eq!(provider.request_count(), 0);
}

#[tokio::test]
async fn a_new_key_is_found_by_one_refetch_and_an_old_one_stays_while_it_is_published() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 5).await, "VerifiedToken");
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 6).await, "VerifiedToken");
    assert_eq!(fetches(&provider, &keys_url(TENANT_A)), 2);
}

#[tokio::test]
async fn a_key_that_disappears_is_refused_after_the_refresh_and_so_are_its_remembered_tokens() {
    let (verifier, provider) = stage(rules());
    let token = long(&K1, "k1");
    let caller = caller_of(&verifier, &token, 0).await;
    provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k2")]));
    assert!(caller.ptr_eq(&caller_of(&verifier, &token, 3599).await));
    verifier.refresh_due(at(3600)).await;
    assert_eq!(verdict(&verifier, &token, 3600).await, "KeyUnknown");
    assert!(caller.upgrade().is_none());
}

#[tokio::test]
async fn a_key_replaced_under_its_kid_takes_its_remembered_tokens_with_it() {
    let (verifier, provider) = stage(rules());
    let token = long(&K1, "k1");
    assert_eq!(verdict(&verifier, &token, 0).await, "VerifiedToken");
    provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k1")]));
    verifier.refresh_due(at(3600)).await;
    assert_eq!(verdict(&verifier, &token, 3600).await, "Signature");
    assert_eq!(verdict(&verifier, &long(&K2, "k1"), 3600).await, "VerifiedToken");
}

#[tokio::test]
async fn a_refresh_with_the_same_keys_keeps_the_remembered_tokens() {
    let (verifier, _) = stage(rules());
    let token = long(&K1, "k1");
    let caller = caller_of(&verifier, &token, 0).await;
    verifier.refresh_due(at(3600)).await;
    assert!(caller.ptr_eq(&caller_of(&verifier, &token, 3600).await));
}

#[tokio::test]
async fn keys_last_through_an_outage_for_a_day_and_no_longer() {
    let (verifier, provider) = stage(rules());
    let token = long(&K1, "k1");
    assert_eq!(verdict(&verifier, &token, 0).await, "VerifiedToken");
    provider.go_down();
    for hour in 1..24 {
        verifier.refresh_due(at(hour * 3600)).await;
        assert_eq!(verdict(&verifier, &token, hour * 3600).await, "VerifiedToken", "hour {hour}");
    }
    assert_eq!(verdict(&verifier, &token, 86_399).await, "VerifiedToken");
    assert_eq!(verdict(&verifier, &token, 86_400).await, "KeysUnavailable");
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1")]));
    verifier.refresh_due(at(86_520)).await;
    assert_eq!(verdict(&verifier, &token, 86_520).await, "VerifiedToken");
}

#[tokio::test]
async fn a_provider_that_was_never_reached_gives_503_with_a_pause_and_is_not_hammered() {
    let (verifier, provider) = stage(rules());
    provider.go_down();
    for (second, pause, request_count) in
        [(0, 10, 1), (4, 6, 1), (10, 20, 2), (29, 1, 2), (30, 20, 3), (49, 1, 3), (50, 20, 4)]
    {
        let expected = Reject::KeysUnavailable { retry_after: Duration::from_secs(pause) };
        assert_eq!(verifier.verify(&good(), at(second)).await.unwrap_err(), expected, "at {second} s");
        assert_eq!(provider.request_count(), request_count, "at {second} s");
    }
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1")]));
    assert_eq!(verdict(&verifier, &good(), 69).await, "KeysUnavailable");
    assert_eq!(verdict(&verifier, &good(), 70).await, "VerifiedToken");
}

#[tokio::test]
async fn a_failed_refresh_is_retried_in_the_background_and_recovers() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let documents = key_set(&[K1.jwk("k1"), K2.jwk("k2")]);
    provider.go_down();
    verifier.refresh_due(at(3600)).await;
    let failed = health_of(&verifier, &issuer(TENANT_A), 3600);
    assert_eq!((failed.failures, failed.ready, failed.next), (1, true, Some(at(3610))));
    assert!(failed.last_error.is_some_and(|error| error.contains("no answer")));
    provider.publish(&keys_url(TENANT_A), documents);
    verifier.refresh_due(at(3609)).await;
    assert_eq!(health_of(&verifier, &issuer(TENANT_A), 3609).failures, 1, "too early");
    verifier.refresh_due(at(3610)).await;
    let well = health_of(&verifier, &issuer(TENANT_A), 3610);
    assert_eq!((well.failures, well.last_error, well.keys, well.next), (0, None, 2, Some(at(7210))));
}

#[tokio::test]
async fn an_unknown_key_during_an_outage_is_503_because_nobody_can_know_it() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    provider.go_down();
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 1).await, "KeysUnavailable");
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 1).await, "VerifiedToken", "known keys still serve");
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(
        verdict(&verifier, &long(&K2, "k2"), 11).await,
        "VerifiedToken",
        "the next allowed refetch finds it"
    );
}

/// A token of tenant A with a key that does not exist; its signature is never read.
fn bogus(claims: &Members, kid: &str) -> String {
    let claims = claims.clone().set("exp", &(NOW + 864_000).to_string());
    let header = header().text("kid", kid);
    format!("{}.{}.{}", b64(header.to_string()), b64(claims.to_string()), b64([7; 256]))
}

/// Number of requests for the key set of tenant A's tokens in that shape.
fn fetches(provider: &Provider, url: &str) -> usize {
    provider.asked_for().iter().filter(|request_count| *request_count == url).count()
}

#[tokio::test]
async fn unknown_kids_cause_one_refetch_of_their_tenant_in_ten_seconds_for_as_long_as_they_come() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    for second in 0..600 {
        for claims in [claims(), claims_v1()] {
            let token = bogus(&claims, &format!("bogus-{second}"));
            assert_eq!(verdict(&verifier, &token, second).await, "KeyUnknown", "at {second} s");
        }
        let refetch_limiter = second as usize / 10 + 1;
        assert_eq!(fetches(&provider, &keys_url(TENANT_A)), 1 + refetch_limiter, "at {second} s");
        assert_eq!(fetches(&provider, &keys_url_v1(TENANT_A)), 1 + refetch_limiter, "at {second} s");
        assert_eq!(fetches(&provider, &keys_url(TENANT_B)), 1, "another tenant's keys are not asked for");
    }
}

#[tokio::test]
async fn the_refetch_of_a_tenant_outlasts_a_change_of_its_registration() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    assert_eq!(verdict(&verifier, &bogus(&claims(), "bogus"), 0).await, "KeyUnknown");
    let mut changed = tenant(TENANT_A);
    changed.profiles[0].types.push("other".into());
    verifier.replace_tenants(norma_auth::Tenants::new([changed]).unwrap());
    verifier.refresh_due(at(1)).await;
    let before = provider.request_count();
    assert_eq!(verdict(&verifier, &bogus(&claims(), "bogus"), 1).await, "KeyUnknown");
    assert_eq!(verdict(&verifier, &bogus(&claims_v1(), "bogus"), 1).await, "KeyUnknown");
    assert_eq!(provider.request_count(), before);
}

#[tokio::test]
async fn a_kid_that_a_refetch_did_not_bring_causes_no_other_one_for_ten_seconds() {
    let mut rules = rules();
    rules.keys.refetch_gap = Duration::ZERO;
    let (verifier, provider) = stage(rules);
    let url = keys_url(TENANT_A);
    verifier.refresh_due(at(0)).await;
    for (second, refetch_limiter) in [(0, 1), (1, 1), (9, 1), (10, 2), (19, 2), (20, 3)] {
        assert_eq!(verdict(&verifier, &bogus(&claims(), "k2"), second).await, "KeyUnknown");
        assert_eq!(fetches(&provider, &url), 1 + refetch_limiter, "at {second} s");
    }
    provider.publish(&url, key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 21).await, "KeyUnknown", "it is still remembered");
    assert_eq!(verdict(&verifier, &bogus(&claims(), "other"), 22).await, "KeyUnknown");
    assert_eq!(
        verdict(&verifier, &long(&K2, "k2"), 22).await,
        "VerifiedToken",
        "a refetch for another kid brought it"
    );
}

/// A flood of tokens of v2, v1 or both, at these intervals in seconds, some kids repeatedly.
#[tokio::test]
async fn a_key_is_accepted_thirty_seconds_after_it_was_published_whatever_strangers_send() {
    let rotated = long(&K2, "k2");
    for shapes in [vec![claims()], vec![claims_v1()], vec![claims(), claims_v1()]] {
        for (apart, published) in
            [1, 7, 10, 19, 21, 29].into_iter().flat_map(|n| (0..25).map(move |p| (n, p)))
        {
            let (verifier, provider) = stage(rules());
            verifier.refresh_due(at(0)).await;
            for second in 0..=published + 30 {
                if second == published {
                    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
                }
                for number in (0..3).filter(|_| second % apart == 0) {
                    for claims in &shapes {
                        let kid = format!("bogus-{}", (second * 3 + number) % 77);
                        verdict(&verifier, &bogus(claims, &kid), second).await;
                    }
                }
            }
            // The first request with the new key.
            let said = verdict(&verifier, &rotated, published + 30).await;
            assert_eq!(
                said,
                "VerifiedToken",
                "{} shapes, {apart} s apart, published at {published} s",
                shapes.len()
            );
        }
    }
}

#[tokio::test]
async fn a_provider_that_rotates_every_ten_seconds_is_followed_for_as_long_as_it_does() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    for round in 1..20 {
        let kid = format!("round-{round}");
        provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk(&kid)]));
        assert_eq!(verdict(&verifier, &long(&K1, &kid), 10 * round).await, "VerifiedToken", "round {round}");
    }
}

#[tokio::test]
async fn a_key_published_during_an_outage_is_accepted_thirty_seconds_after_it() {
    for down in [5, 100, 1000] {
        let (verifier, provider) = stage(rules());
        provider.go_down();
        for second in 0..down {
            verifier.refresh_due(at(second)).await;
            verdict(&verifier, &bogus(&claims(), &format!("bogus-{second}")), second).await;
        }
        provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k2")]));
        for second in down..down + 30 {
            verifier.refresh_due(at(second)).await;
        }
        assert_eq!(
            verdict(&verifier, &long(&K2, "k2"), down + 30).await,
            "VerifiedToken",
            "down for {down} s"
        );
    }
}

#[tokio::test]
async fn a_bad_signature_never_causes_a_fetch() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let start = provider.request_count();
    for second in 0..30 {
        assert_eq!(verdict(&verifier, &long(&K3, "k1"), second).await, "Signature");
    }
    assert_eq!(provider.request_count(), start);
}

#[tokio::test]
async fn many_requests_wait_for_one_fetch_and_others_pass_meanwhile() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    let (start, gate, verifier) = (provider.request_count(), provider.hold(), Arc::new(verifier));
    let url = keys_url(TENANT_A);
    let waiting: Vec<_> = (0..50)
        .map(|_| {
            let (verifier, token) = (verifier.clone(), long(&K2, "k2"));
            tokio::spawn(async move { verdict(&verifier, &token, 1).await })
        })
        .collect();
    while provider.request_count() == start {
        tokio::task::yield_now().await;
    }
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 1).await, "VerifiedToken", "a known key does not wait");
    gate.add_permits(2);
    for request in waiting {
        assert_eq!(request.await.unwrap(), "VerifiedToken");
    }
    assert_eq!(fetches(&provider, &url), 2);
}

#[tokio::test]
async fn a_fetch_goes_on_when_the_request_that_started_it_is_gone() {
    let (verifier, provider) = stage(rules());
    let (gate, verifier) = (provider.hold(), Arc::new(verifier));
    let request = tokio::spawn({
        let verifier = verifier.clone();
        async move { verdict(&verifier, &good(), 0).await }
    });
    while provider.request_count() == 0 {
        tokio::task::yield_now().await;
    }
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    gate.add_permits(1);
    assert_eq!(verdict(&verifier, &good(), 1).await, "VerifiedToken");
    assert_eq!(provider.request_count(), 1);
}

#[tokio::test]
async fn a_request_that_joined_an_older_fetch_causes_its_own_when_the_key_is_missing() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let (start, gate, verifier) = (provider.request_count(), provider.hold(), Arc::new(verifier));
    let refresh = tokio::spawn({
        let verifier = verifier.clone();
        async move { verifier.refresh_due(at(3600)).await }
    });
    while provider.request_count() < start + 4 {
        tokio::task::yield_now().await;
    }
    let token = long(&K2, "k2");
    let published_meanwhile = async {
        gate.add_permits(4);
        while provider.request_count() == start + 4 {
            tokio::task::yield_now().await;
        }
        provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
        gate.add_permits(2);
    };
    let (joined, ()) = tokio::join!(verdict(&verifier, &token, 3600), published_meanwhile);
    refresh.await.unwrap();
    assert_eq!((joined.as_str(), fetches(&provider, &keys_url(TENANT_A))), ("VerifiedToken", 3));
}

#[tokio::test]
async fn an_answer_that_is_no_key_set_keeps_the_old_keys() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    for (hour, garbage) in
        ["<html>", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[]} x"#].into_iter().enumerate()
    {
        provider.publish(&keys_url(TENANT_A), garbage);
        let second = 3600 * (hour as i64 + 1);
        verifier.refresh_due(at(second)).await;
        assert_eq!(verdict(&verifier, &long(&K1, "k1"), second).await, "VerifiedToken", "{garbage}");
    }
}

#[tokio::test]
async fn a_key_set_without_a_usable_key_replaces_good_keys_only_when_their_lifetime_is_over() {
    for (kind, set) in [("empty", key_set(&[])), ("unusable", key_set(&[K1.jwk("k1").text("use", "enc")]))] {
        let (verifier, provider) = stage(rules());
        let token = long(&K1, "k1");
        assert_eq!(verdict(&verifier, &token, 0).await, "VerifiedToken");
        provider.publish(&keys_url(TENANT_A), set);
        verifier.refresh_due(at(3600)).await;
        let health = health_of(&verifier, &issuer(TENANT_A), 3600);
        assert_eq!((health.ready, health.keys, health.failures), (true, 2, 1), "{kind}");
        assert_eq!(health.last_error.as_deref(), Some("the key set has no usable key"), "{kind}");
        assert_eq!(verdict(&verifier, &token, 86_399).await, "VerifiedToken", "{kind}");
        assert_eq!(verdict(&verifier, &token, 86_400).await, "KeysUnavailable", "{kind}");
        provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k2")]));
        assert_eq!(verdict(&verifier, &long(&K2, "k2"), 86_430).await, "VerifiedToken", "{kind}");
        assert_eq!(verdict(&verifier, &token, 86_430).await, "KeyUnknown", "{kind}");
    }
}

#[tokio::test]
async fn refreshes_come_within_the_hour_and_at_different_times() {
    let mut rules = rules();
    rules.keys.jitter_percent = 50;
    let (verifier, _) = stage(rules);
    verifier.refresh_due(at(0)).await;
    let next: Vec<_> = verifier.health(at(0)).into_iter().map(|health| health.next.unwrap()).collect();
    assert!(next.iter().all(|next| (at(1800)..=at(3600)).contains(next)), "{next:?}");
    assert!(next.iter().any(|other| *other != next[0]), "{next:?}");
}

#[tokio::test]
async fn a_background_refresh_fetches_a_limited_number_of_key_sets() {
    let mut rules = rules();
    rules.keys.max_parallel = 3;
    let (verifier, provider) = stage(rules);
    verifier.refresh_due(at(0)).await;
    assert_eq!(provider.request_count(), 3);
    verifier.refresh_due(at(1)).await;
    assert_eq!(provider.request_count(), 4);
}

#[tokio::test]
async fn readiness_tells_for_each_issuer_whether_keys_are_there_and_how_old() {
    let (verifier, _) = stage(rules());
    assert!(verifier.health(at(0)).iter().all(|health| !health.ready && health.age.is_none()));
    verifier.refresh_due(at(0)).await;
    let health = verifier.health(at(90));
    assert_eq!(health.len(), 4);
    assert!(health.iter().all(|health| health.ready && health.age == Some(Duration::from_secs(90))));
    assert!(verifier.health(at(86_400)).iter().all(|health| !health.ready));
}
