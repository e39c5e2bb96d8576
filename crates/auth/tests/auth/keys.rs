//! Keys through time: rotation, outage, recovery and strangers, with time as an argument.

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
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 0).await, "Passed");
    assert_eq!(verdict(&verifier, &long(&K1, "both"), 1).await, "Passed");
    assert_eq!(provider.asked_for(), [keys_url(TENANT_A)]);
}

#[tokio::test]
async fn nothing_is_fetched_for_an_unregistered_issuer_or_a_bad_header() {
    let (verifier, provider) = stage(rules());
    let stranger = K1.token(&header().to_string(), &claims().text("iss", &issuer(TENANT_X)).to_string());
    assert_eq!(verdict(&verifier, &stranger, 0).await, "IssuerUnknown");
    let typed = K1.token(&header().text("typ", "dpop+jwt").to_string(), &claims().to_string());
    assert_eq!(verdict(&verifier, &typed, 0).await, "Type");
    assert_eq!(provider.asked(), 0);
}

#[tokio::test]
async fn a_new_key_is_found_by_one_refetch_and_an_old_one_stays_while_it_is_published() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let before = provider.asked();
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 5).await, "Passed");
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 6).await, "Passed");
    assert_eq!(provider.asked(), before + 1);
}

#[tokio::test]
async fn a_key_that_disappears_is_refused_after_the_refresh_and_so_are_its_remembered_tokens() {
    let (verifier, provider) = stage(rules());
    let token = long(&K1, "k1");
    assert_eq!(verdict(&verifier, &token, 0).await, "Passed");
    assert_eq!(verifier.remembered(), 1);
    provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &token, 3599).await, "Passed");
    verifier.refresh_due(at(3600)).await;
    assert_eq!(verdict(&verifier, &token, 3600).await, "KeyUnknown");
    assert_eq!(verifier.remembered(), 0);
}

#[tokio::test]
async fn a_key_replaced_under_its_kid_takes_its_remembered_tokens_with_it() {
    let (verifier, provider) = stage(rules());
    let token = long(&K1, "k1");
    assert_eq!(verdict(&verifier, &token, 0).await, "Passed");
    provider.publish(&keys_url(TENANT_A), key_set(&[K2.jwk("k1")]));
    verifier.refresh_due(at(3600)).await;
    assert_eq!(verdict(&verifier, &token, 3600).await, "Signature");
    assert_eq!(verdict(&verifier, &long(&K2, "k1"), 3600).await, "Passed");
}

#[tokio::test]
async fn a_refresh_with_the_same_keys_keeps_the_remembered_tokens() {
    let (verifier, _) = stage(rules());
    let token = long(&K1, "k1");
    assert_eq!(verdict(&verifier, &token, 0).await, "Passed");
    verifier.refresh_due(at(3600)).await;
    assert_eq!(verdict(&verifier, &token, 3600).await, "Passed");
    assert_eq!(verifier.remembered(), 1);
}

#[tokio::test]
async fn keys_last_through_an_outage_for_a_day_and_no_longer() {
    let (verifier, provider) = stage(rules());
    let token = long(&K1, "k1");
    assert_eq!(verdict(&verifier, &token, 0).await, "Passed");
    provider.go_down();
    for hour in 1..24 {
        verifier.refresh_due(at(hour * 3600)).await;
        assert_eq!(verdict(&verifier, &token, hour * 3600).await, "Passed", "hour {hour}");
    }
    assert_eq!(verdict(&verifier, &token, 86_399).await, "Passed");
    assert_eq!(verdict(&verifier, &token, 86_400).await, "KeysUnavailable");
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1")]));
    verifier.refresh_due(at(86_520)).await;
    assert_eq!(verdict(&verifier, &token, 86_520).await, "Passed");
}

#[tokio::test]
async fn a_provider_that_was_never_reached_gives_503_with_a_pause_and_is_not_hammered() {
    let (verifier, provider) = stage(rules());
    provider.go_down();
    for (second, pause, asked) in
        [(0, 10, 1), (4, 6, 1), (10, 20, 2), (29, 1, 2), (30, 40, 3), (70, 80, 4), (150, 120, 5)]
    {
        let expected = Reject::KeysUnavailable { retry_after: Duration::from_secs(pause) };
        assert_eq!(verifier.verify(&good(), at(second)).await.unwrap_err(), expected, "at {second} s");
        assert_eq!(provider.asked(), asked, "at {second} s");
    }
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1")]));
    assert_eq!(verdict(&verifier, &good(), 269).await, "KeysUnavailable");
    assert_eq!(verdict(&verifier, &good(), 270).await, "Passed");
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
    assert!(failed.fault.is_some_and(|fault| fault.contains("no answer")));
    provider.publish(&keys_url(TENANT_A), documents);
    verifier.refresh_due(at(3609)).await;
    assert_eq!(health_of(&verifier, &issuer(TENANT_A), 3609).failures, 1, "too early");
    verifier.refresh_due(at(3610)).await;
    let well = health_of(&verifier, &issuer(TENANT_A), 3610);
    assert_eq!((well.failures, well.fault, well.keys, well.next), (0, None, 2, Some(at(7210))));
}

#[tokio::test]
async fn an_unknown_key_during_an_outage_is_503_because_nobody_can_know_it() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    provider.go_down();
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 1).await, "KeysUnavailable");
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 1).await, "Passed", "known keys still serve");
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 11).await, "Passed", "the next allowed refetch finds it");
}

#[tokio::test]
async fn unknown_kids_cause_three_refetches_in_five_minutes_ten_seconds_apart() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let start = provider.asked();
    let steps =
        [(0, 1), (3, 1), (9, 1), (10, 2), (19, 2), (20, 3), (30, 3), (299, 3), (300, 4), (309, 4), (310, 5)];
    for (second, fetches) in steps {
        let token = long(&K2, &format!("bogus-{second}"));
        assert_eq!(verdict(&verifier, &token, second).await, "KeyUnknown", "at {second} s");
        assert_eq!(provider.asked() - start, fetches, "at {second} s");
    }
}

#[tokio::test]
async fn the_budget_is_the_tenants_and_not_each_issuers() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let start = provider.asked();
    let v1 = K2.token(&header().text("kid", "bogus").to_string(), &claims_v1().to_string());
    assert_eq!(verdict(&verifier, &long(&K2, "bogus"), 0).await, "KeyUnknown");
    assert_eq!(verdict(&verifier, &v1, 1).await, "KeyUnknown");
    assert_eq!(provider.asked() - start, 1);
}

#[tokio::test]
async fn one_bogus_kid_is_remembered_for_a_minute_and_leaves_the_budget_to_others() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let start = provider.asked();
    for second in 0..60 {
        assert_eq!(verdict(&verifier, &long(&K2, "bogus"), second).await, "KeyUnknown");
    }
    assert_eq!(provider.asked() - start, 1);
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 59).await, "Passed", "a key that really rotated gets in");
}

#[tokio::test]
async fn a_stranger_cannot_lock_out_a_rotated_key_beyond_the_window_or_the_next_refresh() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    for second in 0..40 {
        verdict(&verifier, &long(&K3, &format!("bogus-{second}")), second).await;
    }
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 299).await, "KeyUnknown");
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 300).await, "Passed");
}

#[tokio::test]
async fn a_provider_that_rotates_every_ten_seconds_is_followed_for_as_long_as_it_does() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    for round in 1..20 {
        let kid = format!("round-{round}");
        provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk(&kid)]));
        assert_eq!(verdict(&verifier, &long(&K1, &kid), 10 * round).await, "Passed", "round {round}");
    }
}

#[tokio::test]
async fn a_kid_that_was_missing_may_be_asked_for_again_after_any_good_answer() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 0).await, "KeyUnknown");
    assert_eq!(verdict(&verifier, &long(&K2, "bogus"), 10).await, "KeyUnknown");
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    assert_eq!(verdict(&verifier, &long(&K2, "bogus"), 20).await, "KeyUnknown", "still remembered");
    assert_eq!(verdict(&verifier, &long(&K2, "k2"), 20).await, "Passed");
}

#[tokio::test]
async fn a_bad_signature_never_causes_a_fetch() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let start = provider.asked();
    for second in 0..30 {
        assert_eq!(verdict(&verifier, &long(&K3, "k1"), second).await, "Signature");
    }
    assert_eq!(provider.asked(), start);
}

#[tokio::test]
async fn many_requests_wait_for_one_fetch_and_others_pass_meanwhile() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
    let (start, gate, verifier) = (provider.asked(), provider.hold(), Arc::new(verifier));
    let waiting: Vec<_> = (0..50)
        .map(|_| {
            let (verifier, token) = (verifier.clone(), long(&K2, "k2"));
            tokio::spawn(async move { verdict(&verifier, &token, 1).await })
        })
        .collect();
    while provider.asked() == start {
        tokio::task::yield_now().await;
    }
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 1).await, "Passed", "a known key does not wait");
    gate.add_permits(1);
    for request in waiting {
        assert_eq!(request.await.unwrap(), "Passed");
    }
    assert_eq!(provider.asked(), start + 1);
}

#[tokio::test]
async fn a_fetch_goes_on_when_the_request_that_started_it_is_gone() {
    let (verifier, provider) = stage(rules());
    let (gate, verifier) = (provider.hold(), Arc::new(verifier));
    let request = tokio::spawn({
        let verifier = verifier.clone();
        async move { verdict(&verifier, &good(), 0).await }
    });
    while provider.asked() == 0 {
        tokio::task::yield_now().await;
    }
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    gate.add_permits(1);
    assert_eq!(verdict(&verifier, &good(), 1).await, "Passed");
    assert_eq!(provider.asked(), 1);
}

#[tokio::test]
async fn a_request_that_joined_an_older_fetch_causes_its_own_when_that_lacks_the_key() {
    let (verifier, provider) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let (start, gate, verifier) = (provider.asked(), provider.hold(), Arc::new(verifier));
    let refresh = tokio::spawn({
        let verifier = verifier.clone();
        async move { verifier.refresh_due(at(3600)).await }
    });
    while provider.asked() < start + 4 {
        tokio::task::yield_now().await;
    }
    let token = long(&K2, "k2");
    let published_meanwhile = async {
        gate.add_permits(4);
        while provider.asked() == start + 4 {
            tokio::task::yield_now().await;
        }
        provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K2.jwk("k2")]));
        gate.add_permits(1);
    };
    let (joined, ()) = tokio::join!(verdict(&verifier, &token, 3600), published_meanwhile);
    refresh.await.unwrap();
    assert_eq!((joined.as_str(), provider.asked()), ("Passed", start + 5));
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
        assert_eq!(verdict(&verifier, &long(&K1, "k1"), second).await, "Passed", "{garbage}");
    }
}

#[tokio::test]
async fn an_empty_key_set_withdraws_all_keys_and_is_asked_again_soon() {
    let (verifier, provider) = stage(rules());
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 0).await, "Passed");
    provider.publish(&keys_url(TENANT_A), key_set(&[]));
    verifier.refresh_due(at(3600)).await;
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 3601).await, "KeysUnavailable");
    assert!(!health_of(&verifier, &issuer(TENANT_A), 3601).ready);
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1")]));
    verifier.refresh_due(at(3610)).await;
    assert_eq!(verdict(&verifier, &long(&K1, "k1"), 3610).await, "Passed");
}

#[tokio::test]
async fn refreshes_come_within_the_hour_and_not_all_at_once() {
    let mut rules = rules();
    rules.keys.jitter_percent = 50;
    let (verifier, _) = stage(rules);
    verifier.refresh_due(at(0)).await;
    let next: Vec<_> = verifier.health(at(0)).into_iter().map(|health| health.next.unwrap()).collect();
    assert!(next.iter().all(|next| (at(1800)..=at(3600)).contains(next)), "{next:?}");
    assert!(next.iter().any(|other| *other != next[0]), "{next:?}");
}

#[tokio::test]
async fn a_background_refresh_takes_only_so_many_sources_at_once() {
    let mut rules = rules();
    rules.keys.parallel = 3;
    let (verifier, provider) = stage(rules);
    verifier.refresh_due(at(0)).await;
    assert_eq!(provider.asked(), 3);
    verifier.refresh_due(at(1)).await;
    assert_eq!(provider.asked(), 4);
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
