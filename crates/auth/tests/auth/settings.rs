//! Tests of settings: those that would accept invalid tokens are refused.

use std::{sync::Arc, time::Duration};

use crate::forge::{AUDIENCE, Provider, ROLE, Shared, rules};
use norma_auth::{Algorithm, AppRule, Rules, Verifier};

#[test]
fn no_setting_can_switch_off_a_check() {
    let with = |change: fn(&mut Rules)| {
        let mut rules = rules();
        change(&mut rules);
        let verifier = Verifier::new(rules, Arc::new(Shared(Arc::new(Provider::default()))));
        verifier.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(with(|_| ()), "");
    assert!(with(|rules| rules.audiences.clear()).contains("audience"));
    assert!(with(|rules| rules.audiences.push(String::new())).contains("audience"));
    assert!(with(|rules| rules.audiences.push("a b".into())).contains("audience"));
    assert!(with(|rules| rules.role.clear()).contains("role"));
    assert!(with(|rules| rules.role = " ".into()).contains("role"));
    assert!(with(|rules| rules.algorithms.clear()).contains("algorithms"));
    assert!(with(|rules| rules.skew = Duration::from_secs(301)).contains("skew"));
    assert!(with(|rules| rules.max_token = 1 << 20).contains("max-token"));
    assert!(with(|rules| rules.max_token = 0).contains("max-token"));
    assert!(with(|rules| rules.keys.refresh = Duration::ZERO).contains("refresh"));
    assert!(with(|rules| rules.keys.refresh = Duration::MAX).contains("refresh"));
    assert!(with(|rules| rules.keys.jitter_percent = 51).contains("jitter"));
    assert!(with(|rules| rules.keys.lifetime = Duration::MAX).contains("key-lifetime"));
    assert!(with(|rules| rules.keys.lifetime = Duration::from_secs(1)).contains("key-lifetime"));
    assert!(with(|rules| rules.keys.fetch_timeout = Duration::ZERO).contains("key-fetch-timeout"));
    assert!(with(|rules| rules.keys.max_document = 0).contains("key-set-size"));
    assert!(with(|rules| rules.keys.refetch_gap = Duration::from_secs(61)).contains("refetch"));
    assert!(with(|rules| rules.keys.unknown_key_ttl = Duration::from_secs(61)).contains("unknown-key-ttl"));
    assert!(with(|rules| rules.keys.max_parallel = 0).contains("fetch"));
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let rules = Rules::new([AUDIENCE], ROLE);
    assert_eq!(rules.algorithms, [Algorithm::Rs256]);
    assert_eq!(rules.app_only, Some(AppRule::Entra));
    assert_eq!((rules.skew, rules.max_token), (Duration::from_secs(60), 16_384));
    let keys = rules.keys;
    assert_eq!((keys.refresh, keys.lifetime), (Duration::from_secs(3600), Duration::from_secs(86_400)));
    assert_eq!((keys.refetch_gap.as_secs(), keys.unknown_key_ttl.as_secs()), (10, 10));
}

#[test]
fn only_three_algorithms_have_a_name() {
    for name in ["RS256", "PS256", "ES256"] {
        assert_eq!(name.parse::<Algorithm>().unwrap().to_string(), name);
    }
    for name in ["none", "HS256", "rs256", "RS512", ""] {
        assert!(name.parse::<Algorithm>().is_err(), "{name}");
    }
}
